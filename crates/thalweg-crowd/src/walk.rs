//! One displacement of one centre: swept, slid along walls, and kept clear of them.

use crate::clearance::cleared;
use crate::fixed::offset;
use crate::sweep::{SweepStop, sweep};
use thalweg_core::grid::{CellId, Direction, MapPoint};
use thalweg_core::movement::Movement;

/// Slides after the first refusal: one along each wall of an inner corner, and one to spare.
const MAX_SLIDES: usize = 3;

/// Where a displacement led.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) at: MapPoint,
    /// The first refusal.
    pub(crate) hit: Option<(CellId, Direction)>,
    pub(crate) sweeps: u32,
    pub(crate) refusals: u32,
}

impl Walk {
    /// A walk that has not begun.
    pub(crate) const fn at(at: MapPoint) -> Self {
        Self {
            at,
            hit: None,
            sweeps: 0,
            refusals: 0,
        }
    }

    /// Sweeps to `to`; where that is refused, keeps the part along the wall, each slide swept again.
    #[inline]
    pub(crate) fn slide_to(&mut self, movement: &Movement, to: MapPoint) {
        if to.column_row() == self.at.column_row() && movement.profile().footprint.is_point() {
            // Inside one cell nothing is in the way of a point; most steps are so short.
            self.sweeps += u32::from(to != self.at);
            self.at = to;
            return;
        }
        let mut to = to;
        for _ in 0..=MAX_SLIDES {
            if to == self.at {
                return;
            }
            let swept = sweep(movement, self.at, to);
            self.sweeps += 1;
            self.at = swept.end;
            let SweepStop::Wall { cell, direction } = swept.stop else {
                return;
            };
            self.refusals += 1;
            self.hit.get_or_insert((cell, direction));
            if !movement.profile().footprint.is_point() {
                self.legs_to(movement, to);
                return;
            }
            let (step_x, step_y) = direction.offset();
            // At an exact corner the longer part is kept; it meets a side next time if that is closed too.
            let (left_x, left_y) = (to.x.abs_diff(self.at.x), to.y.abs_diff(self.at.y));
            if step_y == 0 || (step_x != 0 && left_x < left_y) {
                to.x = self.at.x;
            } else {
                to.y = self.at.y;
            }
        }
    }

    /// Goes on along one axis after the other, the longer way first. What refuses a body may be anywhere beside it, so no
    /// border tells which part of the way is left.
    fn legs_to(&mut self, movement: &Movement, to: MapPoint) {
        let along_x_first = to.x.abs_diff(self.at.x) >= to.y.abs_diff(self.at.y);
        for along_x in [along_x_first, !along_x_first] {
            let leg = if along_x {
                self.at.at(to.x, self.at.y)
            } else {
                self.at.at(self.at.x, to.y)
            };
            if leg != self.at {
                let swept = sweep(movement, self.at, leg);
                self.sweeps += 1;
                self.refusals += u32::from(swept.stop != SweepStop::Clear);
                self.at = swept.end;
            }
        }
    }

    /// Moves away from walls nearer than `distance` subcells, by at most `limit` subcells along each axis.
    #[inline]
    pub(crate) fn keep_clear(&mut self, movement: &Movement, distance: i32, limit: i32) {
        let Some(cell) = self.at.cell_id(movement.grid()) else {
            return;
        };
        let to = cleared(movement, cell, self.at, distance);
        if to != self.at {
            let cut = |from: i32, to: i32| from + (to - from).clamp(-limit, limit);
            let to = self.at.at(cut(self.at.x, to.x), cut(self.at.y, to.y));
            let swept = sweep(movement, self.at, to);
            self.sweeps += 1;
            self.refusals += u32::from(swept.stop != SweepStop::Clear);
            self.at = swept.end;
        }
    }
}

/// From one point to another, in cells.
pub(crate) fn way(from: MapPoint, to: MapPoint) -> [f32; 2] {
    offset([from.x, from.y], [to.x, to.y])
}

/// A point moved by whole subcells.
pub(crate) fn moved(at: MapPoint, step: [i32; 2]) -> MapPoint {
    at.at(at.x.saturating_add(step[0]), at.y.saturating_add(step[1]))
}
