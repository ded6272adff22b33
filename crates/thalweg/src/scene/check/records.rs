//! What is measured: lines and areas.

use super::Checker;
use crate::recorders::{CountLine, MeasureArea};
use crate::scene::places::AreaTable;
use crate::scene::record_tables::MeasureAreaTable;
use crate::scene::{CountLinePlan, SceneError};
use thalweg_core::grid::{Cell, MapPoint};

/// Length of a window of flow, in seconds, if the scene does not say.
const WINDOW_S: f64 = 1.0;

impl Checker<'_> {
    pub(super) fn count_lines(&self, tick_s: f64) -> Result<Vec<CountLinePlan>, SceneError> {
        let mut lines: Vec<CountLinePlan> = Vec::new();
        for table in &self.file.count_lines {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(
                    self.file.line(&table.name),
                    format!("count_line `{name}`: {reason}"),
                )
            };
            if lines.iter().any(|other| other.line.name() == name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            let window_s = table.window_s.unwrap_or(WINDOW_S.max(tick_s));
            if !(window_s.is_finite() && window_s >= tick_s) {
                return Err(fail(format!(
                    "window_s is {window_s}; it must be at least a tick, {tick_s}, and finite"
                )));
            }
            let ends = self
                .point(table.from)
                .and_then(|from| Ok((from, self.point(table.to)?)));
            let (from, to) = ends.map_err(fail)?;
            let line = CountLine::new(name, from, to).map_err(|error| fail(error.to_string()))?;
            lines.push(CountLinePlan { line, window_s });
        }
        Ok(lines)
    }

    pub(super) fn measure_areas(&self) -> Result<Vec<MeasureArea>, SceneError> {
        let mut areas: Vec<MeasureArea> = Vec::new();
        for table in &self.file.measure_areas {
            let name = table.name.get_ref();
            let fail = |reason: String| {
                SceneError::at_line(
                    self.file.line(&table.name),
                    format!("measure_area `{name}`: {reason}"),
                )
            };
            if areas.iter().any(|other| other.name() == name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            areas.push(self.measure_area(table).map_err(fail)?);
        }
        Ok(areas)
    }

    fn measure_area(&self, table: &MeasureAreaTable) -> Result<MeasureArea, String> {
        let name = table.name.get_ref();
        let text = |error: crate::recorders::RecorderError| error.to_string();
        let mut area = match (table.area, &table.polygon) {
            (Some(area), None) => {
                let (a, b) = self.outline(area)?;
                MeasureArea::rectangle(name, a, b).map_err(text)?
            }
            (None, Some(ring)) => {
                let ring = ring.iter().map(|&point| self.point(point));
                MeasureArea::polygon(name, ring.collect::<Result<_, _>>()?).map_err(text)?
            }
            _ => return Err("needs exactly one of `area` and `polygon`".to_owned()),
        };
        if let Some(along) = table.along {
            area = area.with_direction(along).map_err(text)?;
        }
        match table.width {
            Some(_) if table.along.is_none() => {
                return Err(
                    "`width` needs `along` = [x, y], the direction of the flow through it".to_owned(),
                );
            }
            Some(width) => area = area.with_width(width).map_err(text)?,
            None => {}
        }
        Ok(area)
    }

    /// Two opposite corners of a rectangle of cells, all of its cells between them.
    fn outline(&self, area: AreaTable) -> Result<(MapPoint, MapPoint), String> {
        let (a, b) = self.corners(area)?;
        let grid = self.map.costs.grid();
        let corner = |cell: Cell, beyond: f64| {
            let first = grid.layer(cell.layer).map_or(cell, |layer| layer.first_cell());
            let along = |value: i32, first: i32| f64::from(value) - f64::from(first) + beyond;
            MapPoint::from_map([along(cell.x, first.x), along(cell.y, first.y)])
                .map(|point| point.on(cell.layer))
                .ok_or_else(|| format!("cell {cell} is not within 32767 cells of the map's corner"))
        };
        let low = Cell::on(a.layer, a.x.min(b.x), a.y.min(b.y));
        let high = Cell::on(b.layer, a.x.max(b.x), a.y.max(b.y));
        Ok((corner(low, 0.0)?, corner(high, 1.0)?))
    }
}
