//! What lies under one's feet, from the words about heights, stamps and unknown ground.

use super::place::parts;
use super::{Effect, Hills, Laid, Shape, World};

impl Hills {
    /// What a step between known heights adds; `None` if it is too steep.
    fn between(&self, from: f32, to: f32, is_diagonal: bool) -> Option<u64> {
        let rise = f64::from(to) - f64::from(from);
        let run = self.cell_size
            * if is_diagonal {
                core::f64::consts::SQRT_2
            } else {
                1.0
            };
        let table = if rise < 0.0 { &self.down } else { &self.up };
        let slope = rise.abs() / run;
        table
            .iter()
            .find(|band| slope < band.0)
            .map(|band| u64::from(band.1))
    }
}

impl World {
    /// What slopes add to the step that leaves a cell; `None` where they close it.
    pub(super) fn slope(&self, id: usize, step: usize) -> Option<u64> {
        let Some(hills) = &self.hills else {
            return Some(0);
        };
        let next = self.floors.step(id, step)?;
        match (hills.heights[id], hills.heights[next]) {
            (Some(from), Some(to)) => hills.between(from, to, parts(step).is_some()),
            _ => hills.unknown_is_level.then_some(0),
        }
    }

    fn is_steep(&self, hills: &Hills, id: usize) -> bool {
        let around = (0..8).filter_map(|step| Some((step, self.floors.step(id, step)?)));
        around.into_iter().any(|(step, next)| {
            let (Some(here), Some(there)) = (hills.heights[id], hills.heights[next]) else {
                return false;
            };
            let is_diagonal = parts(step).is_some();
            hills.between(here, there, is_diagonal).is_none()
                || hills.between(there, here, is_diagonal).is_none()
        })
    }

    /// Whether a stamp covers a cell.
    fn covers(&self, laid: &Laid, id: usize) -> bool {
        let (floor, column, row) = self.floors.place(id);
        let cell = self.floors.cell(id);
        match &laid.shape {
            Shape::Rect(a, b) => {
                let within = |value: i32, a: i32, b: i32| (a.min(b)..=a.max(b)).contains(&value);
                cell.layer == a.layer && within(cell.x, a.x, b.x) && within(cell.y, a.y, b.y)
            }
            Shape::Disc(layer, (x, y), radius) => {
                // In eighths of a cell: the centre of a column is 4 beyond its border, a quarter is 2.
                let (dx, dy) = (
                    8 * column + 4 - 2 * i64::from(*x),
                    8 * row + 4 - 2 * i64::from(*y),
                );
                let radius = i64::from(*radius);
                usize::from(*layer) == floor && dx * dx + dy * dy <= radius * radius
            }
            Shape::Image(first, sides, mask) => {
                let (dx, dy) = (
                    i64::from(cell.x) - i64::from(first.x),
                    i64::from(cell.y) - i64::from(first.y),
                );
                let inside = (0..i64::from(sides.0)).contains(&dx) && (0..i64::from(sides.1)).contains(&dy);
                let place = usize::try_from(dy * i64::from(sides.0) + dx);
                cell.layer == first.layer && inside && place.is_ok_and(|place| mask[place])
            }
        }
    }

    /// The cost of every cell of the ground as the profile sees it, 255 for walls; `None` where it is unknown.
    #[must_use]
    pub fn ground(&self) -> Vec<Option<u8>> {
        (0..self.floors.len()).map(|id| self.ground_at(id)).collect()
    }

    fn ground_at(&self, id: usize) -> Option<u8> {
        let hilly = match &self.hills {
            _ if self.base[id] == Some(255) => Some(255),
            Some(hills) if hills.heights[id].is_none() || self.base[id].is_none() => None,
            Some(hills) if hills.blocks_cells && self.is_steep(hills, id) => Some(255),
            _ => self.base[id],
        };
        let over: Vec<Effect> = (self.stamps.iter())
            .filter(|laid| !laid.taken && self.covers(laid, id))
            .map(|laid| laid.effect)
            .collect();
        if over.contains(&Effect::Block) {
            return Some(255);
        }
        let mut cost = hilly;
        for effect in &over {
            if let Effect::Set(set) = effect {
                cost = Some(*set);
            }
        }
        let mut added: u32 = 0;
        for effect in &over {
            if let Effect::Add(more) = effect {
                added += u32::from(*more);
            }
        }
        match cost {
            None => self.assumed,
            Some(255) => Some(255),
            Some(cost) => Some(u8::try_from((u32::from(cost) + added).min(254)).expect("at most 254")),
        }
    }
}
