//! Stamps with a name, and patrols.

use super::Checker;
use super::cells::size_of;
use crate::scene::ground_tables::{OverlayTable, PatrolTable, WaitTable};
use crate::scene::inputs::{FileContent, FilePurpose};
use crate::scene::places::{AreaTable, CellTable, PointTable};
use crate::scene::{Patrol, SceneError, SceneOverlay, TimePlan};
use thalweg_core::cost::{Cost, ImageEffect, Overlays, Stamp, StampEffect, StampImage};
use thalweg_core::expanded::StepTicks;
use thalweg_core::grid::{Layer, MapPoint};

/// The most cells that the walks of one patrol may have: each is an entry of the timetable.
const MAX_PATROL_CELLS: u64 = 1_000_000;

impl Checker<'_> {
    pub(super) fn overlays(&self) -> Result<Vec<SceneOverlay>, SceneError> {
        let mut overlays: Vec<SceneOverlay> = Vec::new();
        for table in &self.file.overlays {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(self.file.line(&table.name), format!("overlay `{name}`: {reason}"))
            };
            if overlays.iter().any(|other| other.name == *name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            let stamp = self.stamp(table).map_err(fail)?;
            let mut alone = Overlays::new(self.map.costs.grid().to_owned());
            let covered = alone
                .put(stamp.clone())
                .map_err(|error| fail(error.to_string()))
                .map(|id| alone.cells(id))?;
            if covered == Some(0) {
                return Err(fail(format!(
                    "it covers no cell's centre on the map of {} cells",
                    size_of(self.map.costs.grid())
                )));
            }
            overlays.push(SceneOverlay {
                name: name.clone(),
                stamp,
                blocks: table.effect == "block",
                standing: table.standing,
            });
        }
        Ok(overlays)
    }

    fn stamp(&self, table: &OverlayTable) -> Result<Stamp, String> {
        if let Some(name) = &table.file {
            self.only_shape(table, "file")?;
            let Some(FileContent::Numbers(numbers)) = self.inputs.file(FilePurpose::Overlay, name) else {
                return Err(format!("file {name} was not read as an image"));
            };
            let mask = numbers.grid().ids().map(|id| numbers.is_known(id)).collect();
            let image = StampImage::new(
                numbers.grid().width(),
                numbers.grid().height(),
                numbers.bytes().to_vec(),
                Some(mask),
            );
            return self.image(table, image.map_err(|error| error.to_string())?);
        }
        if let Some(rows) = &table.rows {
            self.only_shape(table, "rows")?;
            return self.image(table, image_of(rows)?);
        }
        if table.at.is_some() {
            return Err("`at` is for `rows` and `file`".to_owned());
        }
        if table.holes.is_some() && table.polygon.is_none() {
            return Err("`holes` are for a `polygon`".to_owned());
        }
        let effect = uniform_effect(table)?;
        let stamp = match (table.area, table.disc, &table.polygon) {
            (Some(AreaTable(a, b)), None, None) => Stamp::rect(a, b, effect),
            (None, Some(disc), None) => Stamp::disc(self.point(disc.centre)?, disc.radius, effect),
            (None, None, Some(ring)) => {
                let rings = core::iter::once(ring).chain(table.holes.iter().flatten());
                let rings = rings.map(|ring| ring.iter().map(|&point| self.point(point)).collect());
                Stamp::polygon(rings.collect::<Result<_, String>>()?, effect)
            }
            _ => return Err("needs exactly one of `area`, `disc`, `polygon`, `rows` and `file`".to_owned()),
        };
        stamp.map_err(|error| error.to_string())
    }

    fn only_shape(&self, table: &OverlayTable, shape: &str) -> Result<(), String> {
        let others = [
            table.area.is_some(),
            table.disc.is_some(),
            table.polygon.is_some(),
            table.holes.is_some(),
            table.rows.is_some() && shape != "rows",
        ];
        if others.contains(&true) {
            return Err("needs exactly one of `area`, `disc`, `polygon`, `rows` and `file`".to_owned());
        }
        Ok(())
    }

    fn image(&self, table: &OverlayTable, image: StampImage) -> Result<Stamp, String> {
        let CellTable(first) = table
            .at
            .ok_or("an image needs `at` = [x, y], the cell of its north-west corner")?;
        if table.value.is_some() {
            return Err("`value` is for shapes; an image has its own numbers".to_owned());
        }
        let effect = match table.effect.as_str() {
            "block" => ImageEffect::Block,
            "add" => ImageEffect::Add,
            "set" => ImageEffect::Set,
            other => return Err(no_effect(other)),
        };
        Stamp::image(first, image, effect).map_err(|error| error.to_string())
    }

    /// A point in cells of a layer, where the cell (x, y) goes from x to x + 1.
    pub(super) fn point(&self, PointTable { at: [x, y], layer }: PointTable) -> Result<MapPoint, String> {
        let grid = self.map.costs.grid();
        let first = grid.layer(layer).map(Layer::first_cell).ok_or_else(|| {
            format!(
                "point [{x}, {y}, {layer}] is on layer {layer}, but the map has {}, counted from 0",
                grid.layers().len()
            )
        })?;
        MapPoint::from_map([x - f64::from(first.x), y - f64::from(first.y)])
            .map(|point| point.on(layer))
            .ok_or_else(|| format!("point [{x}, {y}] is not within 32767 cells of the map's corner"))
    }

    pub(super) fn patrols(&self) -> Result<Vec<Patrol>, SceneError> {
        let mut patrols: Vec<Patrol> = Vec::new();
        for table in &self.file.patrols {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(self.file.line(&table.name), format!("patrol `{name}`: {reason}"))
            };
            if patrols.iter().any(|other| other.name == *name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            patrols.push(self.patrol(table).map_err(fail)?);
        }
        Ok(patrols)
    }

    fn patrol(&self, table: &PatrolTable) -> Result<Patrol, String> {
        let path = table
            .path
            .iter()
            .map(|&cell| self.on_map(cell))
            .collect::<Result<Vec<_>, _>>()?;
        let (ticks_per_cell, rounds) = (table.ticks_per_cell.unwrap_or(1), table.rounds.unwrap_or(1));
        if path.is_empty() || ticks_per_cell == 0 || rounds == 0 {
            return Err("needs a path, and ticks_per_cell and rounds of at least 1".to_owned());
        }
        let cells = (path.len() as u64).saturating_mul(u64::from(rounds));
        if cells > MAX_PATROL_CELLS {
            return Err(format!(
                "it walks over {cells} cells, above the limit of {MAX_PATROL_CELLS}"
            ));
        }
        Ok(Patrol {
            name: table.name.get_ref().clone(),
            path,
            from_tick: table.from_tick,
            ticks_per_cell,
            rounds,
        })
    }

    pub(super) fn time_plan(&self) -> Result<TimePlan, SceneError> {
        let Some(spanned) = &self.file.time_field else {
            return Ok(TimePlan::default());
        };
        let fail =
            |reason: String| SceneError::at_line(self.file.line(spanned), format!("[time_field] {reason}"));
        let table = spanned.get_ref();
        let step_ticks = match (table.step_ticks, table.units_per_tick) {
            (None, None) => None,
            (Some(ticks @ 1..), None) => Some(StepTicks::Fixed(ticks)),
            (None, Some(units @ 1..)) => Some(StepTicks::PerCost(units)),
            (Some(_), Some(_)) => {
                return Err(fail(
                    "has both `step_ticks` and `units_per_tick`; give one".to_owned(),
                ));
            }
            _ => {
                return Err(fail(
                    "step_ticks and units_per_tick must be at least 1".to_owned(),
                ));
            }
        };
        let wait_cost = match &table.wait_cost {
            None => None,
            Some(WaitTable::Cost(cost)) => Some(Some(*cost)),
            Some(WaitTable::Word(word)) if word == "never" => Some(None),
            Some(WaitTable::Word(word)) => {
                return Err(fail(format!(
                    "wait_cost is `{word}`; it must be a number or never"
                )));
            }
        };
        Ok(TimePlan {
            horizon: table.horizon,
            step_ticks,
            wait_cost,
        })
    }
}

fn uniform_effect(table: &OverlayTable) -> Result<StampEffect, String> {
    let value = |least: i64, most: i64| match table.value {
        Some(value) if (least..=most).contains(&value) => {
            u8::try_from(value).map_err(|error| error.to_string())
        }
        Some(value) => Err(format!("value is {value}; it must be {least} to {most}")),
        None => Err(format!("effect `{}` needs a `value`", table.effect)),
    };
    match table.effect.as_str() {
        "block" if table.value.is_some() => Err("effect `block` has no `value`".to_owned()),
        "block" => Ok(StampEffect::Block),
        "add" => Ok(StampEffect::Add(value(0, 254)?)),
        "set" => Ok(StampEffect::Set(Cost::from_byte(value(0, 255)?))),
        other => Err(no_effect(other)),
    }
}

fn no_effect(word: &str) -> String {
    format!("effect is `{word}`; it must be block, add or set")
}

fn image_of(rows: &[Vec<i64>]) -> Result<StampImage, String> {
    let width = rows.first().map_or(0, Vec::len);
    let (mut bytes, mut mask) = (Vec::new(), Vec::new());
    for (row, numbers) in rows.iter().enumerate() {
        if numbers.len() != width {
            return Err(format!(
                "row {row} of the image has {} numbers, but the first has {width}",
                numbers.len()
            ));
        }
        for &number in numbers {
            let byte = match number {
                -1 => 0,
                _ => u8::try_from(number).map_err(|_| {
                    format!("row {row} of the image has {number}; it must be 0 to 255, or -1 where it leaves the cell alone")
                })?,
            };
            bytes.push(byte);
            mask.push(number != -1);
        }
    }
    let size = |cells: usize| u32::try_from(cells).unwrap_or(u32::MAX);
    StampImage::new(size(width), size(rows.len()), bytes, Some(mask)).map_err(|error| error.to_string())
}
