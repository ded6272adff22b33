//! Headings: per cell, the point to walk to in a straight line, instead of one of eight directions.
//!
//! A way along eight directions is up to 8.2 % too long. A heading looks ahead along the exact successors to the farthest
//! point that can be seen (string pulling in the manner of Theta*, Nash et al. 2007, here over a finished field, as a
//! dynamic programme from the goals outward): a cell takes over the point its successor walks to if it sees that point,
//! and the point *that* cell walks to if it sees that one too; else its successor is the turning point. Of several tied
//! successors the one with the shortest straight-line way serves.
//!
//! A heading is a hint and never more: [`aim`](super::aim) takes it only where the next crossings are legal and lower the
//! exact cost-to-goal, and goes back to the exact direction elsewhere. So it cannot trap anyone.
//!
//! **Stored** as an offset in cells, two bytes a cell, exact up to 127 cells. Rejected: one of 256 angles. A body that is
//! off its cell's centre drifts with an angle, which then changes in every cell; with a point the line to the goal stays
//! one line. And an offset needs no table of sines: its vector is one division by a square root.
//!
//! **Ground of several costs.** A line is only taken where the cell, every cell crossed and the cell aimed at have one
//! cost. On it the walked cost is cost × length, and a straight line is no longer than the chain it replaces; across a
//! change of cost the exact direction serves. Rejected: comparing summed costs along the line. The sum of lengths times
//! costs is not a whole number, and the ways that it would gain cross rough ground, where the eight directions of the
//! metric cost more than the smoothing could save.
//!
//! **Bodies.** The body is a point, radius 0. One with a radius is served by masks compiled for it ([`Movement`] is all
//! that the sight test reads), not by another test here.

use super::{FlowField, OrderScratch};
use crate::grid::{CellId, Direction, Grid, MAX_POINT_SIDE, MapPoint};
use crate::integrate::IntegrationField;
use crate::movement::{Movement, Verdict, is_clear};
use core::fmt;
use thiserror::Error;

/// Why headings cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadingError {
    /// A side of the map is longer than positions reach.
    #[error(
        "headings need a map of at most {MAX_POINT_SIDE} cells a side, but this one is {width} x {height}"
    )]
    MapTooLong {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

/// How headings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HeadingOptions {
    /// How many border crossings of a sight line are tested, 1 or more; what lies farther on is tested by the cells that
    /// are nearer. It bounds the work per cell, not how far a heading may look. Default 64.
    pub sight: u32,
}

impl HeadingOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another number of tested crossings; 0 counts as 1.
    #[must_use]
    pub const fn with_sight(mut self, crossings: u32) -> Self {
        self.sight = if crossings == 0 { 1 } else { crossings };
        self
    }
}

impl Default for HeadingOptions {
    fn default() -> Self {
        Self { sight: 64 }
    }
}

/// Buffers of the heading pass, reused from call to call; 13 bytes a cell.
#[derive(Debug, Default)]
pub struct HeadingScratch {
    order: OrderScratch,
    /// The cell that a cell walks to.
    target: Vec<u32>,
    /// Straight-line length of the way over targets, in cells.
    length: Vec<f32>,
}

impl HeadingScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The heading of every cell; two bytes a cell.
#[derive(Clone, PartialEq, Eq)]
pub struct HeadingField {
    grid: Grid,
    /// The cell to walk to, as an offset in cells; (0, 0) where there is none.
    offsets: Vec<[i8; 2]>,
}

impl HeadingField {
    /// A field without headings.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            grid,
            offsets: vec![[0; 2]; grid.len()],
        }
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cell to walk to from the centre of a cell, as an offset `(dx, dy)` in cells, each -127 to 127; `None` for
    /// goals and cells without a way. A point farther off is replaced by the lattice point nearest to the line to it.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn offset(&self, id: CellId) -> Option<(i32, i32)> {
        let [dx, dy] = self.offsets[id.index()];
        ((dx, dy) != (0, 0)).then_some((i32::from(dx), i32::from(dy)))
    }

    /// The heading at the centre of a cell: a vector of length 1 in map axes (y downward).
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn heading(&self, id: CellId) -> Option<[f32; 2]> {
        self.offset(id).map(unit)
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.offsets.len() * size_of::<[i8; 2]>()
    }
}

impl fmt::Debug for HeadingField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeadingField")
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// The vector of length 1 along a whole-number offset other than (0, 0). Only `+ * /` and a square root: the same bits on
/// every machine.
#[inline]
#[expect(
    clippy::cast_precision_loss,
    reason = "below 2^24 exact, beyond rounded the same everywhere"
)]
pub(super) fn unit((dx, dy): (i32, i32)) -> [f32; 2] {
    let (x, y) = (dx as f32, dy as f32);
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}

/// What both passes ask of the ground.
#[derive(Clone, Copy)]
pub(super) struct Downhill<'a> {
    pub(super) movement: &'a Movement,
    pub(super) field: &'a IntegrationField,
    pub(super) flow: &'a FlowField,
}

impl Downhill<'_> {
    /// Whether `to` is nearer to a goal than `from` in the order (cost-to-goal, hops), as far as can be told: its
    /// cost-to-goal is smaller, or it is a successor. Nothing can go round in a circle along such pairs.
    #[inline]
    pub(super) fn is_lower(&self, from: CellId, to: CellId) -> bool {
        let values = self.field.raw();
        let (here, there) = (values[from.index()], values[to.index()]);
        there < here || (there == here && self.is_successor(from, to))
    }

    fn is_successor(&self, from: CellId, to: CellId) -> bool {
        let successors = self.flow.successors(from);
        successors
            .iter()
            .any(|direction| self.movement.step_target(from, direction) == Some(to))
    }

    /// Whether a body anywhere in the cell may walk to the centre that a direction leads to: both cells beside a
    /// diagonal can be entered and left, and both are lower. A straight direction is always broad.
    #[inline]
    pub(super) fn is_broad(&self, cell: CellId, direction: Direction) -> bool {
        let Some((vertical, horizontal)) = direction.sides() else {
            return true;
        };
        let through = |first: Direction, second: Direction| {
            self.movement
                .step_target(cell, first)
                .is_some_and(|side| self.is_lower(cell, side) && self.movement.exits(side).contains(second))
        };
        through(vertical, horizontal) && through(horizontal, vertical)
    }
}

/// Fills `out` with headings. `field` and `flow` must have been made over the same `movement`.
///
/// O(cells × tested crossings), usually far less: one sight line a cell.
///
/// # Errors
/// [`HeadingError::MapTooLong`].
///
/// # Panics
/// If the grids differ.
pub fn look_ahead(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
    options: &HeadingOptions,
    scratch: &mut HeadingScratch,
    out: &mut HeadingField,
) -> Result<(), HeadingError> {
    let grid = *movement.grid();
    assert!(
        grid == *field.grid() && grid == *flow.grid(),
        "headings need the movement of the field"
    );
    if grid.width().max(grid.height()) > MAX_POINT_SIDE {
        return Err(HeadingError::MapTooLong {
            width: grid.width(),
            height: grid.height(),
        });
    }
    out.grid = grid;
    out.offsets.clear();
    out.offsets.resize(grid.len(), [0; 2]);
    let HeadingScratch {
        order,
        target,
        length,
    } = scratch;
    target.clear();
    target.resize(grid.len(), 0);
    length.clear();
    length.resize(grid.len(), 0.0);
    let look = Look {
        ground: Downhill {
            movement,
            field,
            flow,
        },
        offsets: grid.id_offsets(),
        sight: options.sight.max(1),
    };
    for &cell in order.downhill_last(movement, flow) {
        let Some(direction) = flow.direction(CellId(cell)) else {
            target[cell as usize] = cell;
            continue;
        };
        let best = look.best_target(CellId(cell), direction, target, length);
        target[cell as usize] = best.target;
        length[cell as usize] = best.length;
        let (from, to) = (
            grid.column_row_of(CellId(cell)),
            grid.column_row_of(CellId(best.target)),
        );
        out.offsets[cell as usize] = stored(offset_between(from, to));
    }
    Ok(())
}

/// Columns and rows of maps that have map points are far below 2^31.
#[expect(clippy::cast_possible_wrap, reason = "both are below 32,767")]
const fn offset_between(from: (u32, u32), to: (u32, u32)) -> (i32, i32) {
    (to.0 as i32 - from.0 as i32, to.1 as i32 - from.1 as i32)
}

/// An offset in two bytes: as it is, or cut to 127 cells along its longer side, the other side rounded.
fn stored((dx, dy): (i32, i32)) -> [i8; 2] {
    const FAR: i32 = i8::MAX as i32;
    let longer = dx.abs().max(dy.abs());
    let cut = |part: i32| {
        let part = if longer <= FAR {
            part
        } else {
            // To the nearest, halves away from zero; below 2^23.
            (2 * part * FAR + part.signum() * longer) / (2 * longer)
        };
        i8::try_from(part).unwrap_or(0)
    };
    [cut(dx), cut(dy)]
}

/// A cell to walk to, and how long the way over it is.
#[derive(Clone, Copy)]
struct Choice {
    target: u32,
    length: f32,
}

struct Look<'a> {
    ground: Downhill<'a>,
    offsets: [i32; 8],
    sight: u32,
}

impl Look<'_> {
    fn best_target(&self, cell: CellId, first: Direction, target: &[u32], length: &[f32]) -> Choice {
        let step = |direction: Direction| {
            let next = cell.0.wrapping_add_signed(self.offsets[direction.index()]);
            let way = if direction.is_diagonal() {
                core::f32::consts::SQRT_2
            } else {
                1.0
            };
            Choice {
                target: next,
                length: way + length[next as usize],
            }
        };
        let exact = step(first);
        if !self.ground.is_broad(cell, first) {
            return exact;
        }
        let cost = self.ground.movement.costs();
        let mut best = exact;
        for direction in self.ground.flow.successors(cell) {
            let next = step(direction);
            if next.length < best.length {
                best = next;
            }
            // The points ahead of a successor: each is taken if it is seen and shortens the way.
            let mut ahead = target[next.target as usize];
            while ahead != next.target && cost[ahead as usize] == cost[cell.index()] {
                let shorter = Choice {
                    target: ahead,
                    length: self.distance(cell, ahead) + length[ahead as usize],
                };
                // Where the way goes straight on it is as long over the successor, up to rounding; the farther point is
                // the better one, because a body that is off the centre then need not turn.
                let is_better = shorter.length < best.length || best.target == next.target;
                if !is_better || !self.sees(cell, first, ahead) {
                    break;
                }
                best = shorter;
                let further = target[ahead as usize];
                if further == ahead {
                    break;
                }
                ahead = further;
            }
        }
        best
    }

    #[expect(clippy::cast_precision_loss, reason = "below 32,767: exact")]
    fn distance(&self, from: CellId, to: u32) -> f32 {
        let grid = self.ground.movement.grid();
        let (dx, dy) = offset_between(grid.column_row_of(from), grid.column_row_of(CellId(to)));
        ((dx as f32) * (dx as f32) + (dy as f32) * (dy as f32)).sqrt()
    }

    /// Whether a cell sees another over ground of its own cost, does not turn away from its exact direction, and lowers
    /// cost-to-goal with the first two crossings, more than which no step shorter than a cell can make.
    fn sees(&self, from: CellId, first: Direction, to: u32) -> bool {
        let movement = self.ground.movement;
        let grid = movement.grid();
        let (start, end) = (grid.column_row_of(from), grid.column_row_of(CellId(to)));
        let (dx, dy) = offset_between(start, end);
        let (ahead_x, ahead_y) = first.offset();
        if dx * ahead_x + dy * ahead_y <= 0 {
            return false;
        }
        let costs = movement.costs();
        let mut crossings = 0;
        is_clear(
            movement,
            MapPoint::centre_of(start.0, start.1),
            MapPoint::centre_of(end.0, end.1),
            from,
            |crossing| {
                crossings += 1;
                let one_cost = costs[crossing.to.index()] == costs[from.index()];
                if !one_cost || (crossings <= 2 && !self.ground.is_lower(from, crossing.to)) {
                    Verdict::Refuse
                } else if crossings >= self.sight {
                    Verdict::Enough
                } else {
                    Verdict::Go
                }
            },
        )
    }
}
