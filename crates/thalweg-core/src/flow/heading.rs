//! Headings: per cell, the point to walk to in a straight line, instead of one of eight directions.
//!
//! A way along eight directions is up to 8.2 % too long on open ground, and more beside corners, because it turns at cell
//! centres. A heading looks ahead to the farthest point of the exact way that can be seen; how it is found is told in
//! `look.rs`.
//!
//! A heading is a hint and never more: [`aim`](super::aim()) takes it only where the next crossings are legal and lower
//! the exact cost-to-goal, and goes back to the exact direction elsewhere. So it cannot trap anyone.
//!
//! **Stored** as an offset in sixteenths of a cell, four bytes a cell. Rejected: one of 256 angles in one byte. A body
//! that is off its cell's centre drifts with an angle, which then changes in every cell; with a point the line to the
//! goal stays one line. And an offset needs no table of sines: its vector is one division by a square root. Rejected: an
//! offset in whole cells in two bytes. Turning at centres costs 2 % on a map of caves and 5 % among scattered blocks.

use super::kept::{Kept, KeptWay};
use super::look::{Look, ReadWays, Ways};
use super::seen::{Seen, SeenBox};
use super::{FlowField, OrderScratch};
use crate::grid::{CellId, Grid, MAX_POINT_SIDE, MapPoint, SUBCELLS};
use crate::integrate::IntegrationField;
use crate::movement::Movement;
use crate::shared_cells::SharedCells;
use core::fmt;
use thiserror::Error;

/// Why headings cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HeadingError {
    /// A side of the map is longer than positions reach.
    #[error("headings need sides of at most {MAX_POINT_SIDE} cells, which {grid} exceeds")]
    MapTooLong {
        /// The map.
        grid: Grid,
    },
}

/// How headings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct HeadingOptions {
    /// How many border crossings of a sight line are tested, 1 or more; what lies farther on is tested by the cells that
    /// are nearer. It bounds the work per cell, not how far a heading may look. Default 32.
    pub sight: u32,
    /// How far from a wall's corner the ways turn, along each axis, in sixteenths of a cell: 1 to 8, where 8 turns at cell
    /// centres. Default 1. For crowds of points that are drawn with a radius; a footprint with extent turns at centres
    /// whatever this says.
    pub clearance: u8,
    /// Whether to keep what [`repair_headings`](super::repair_headings()) begins with: 20 bytes a cell beside the 4 of the
    /// headings. Headings are the same. Default no.
    pub keeps_ways: bool,
}

/// Parts of a cell in which offsets are stored.
pub(super) const PARTS: i32 = 16;

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

    /// The options with another distance from corners, in sixteenths of a cell; brought to 1 to 8.
    #[must_use]
    pub const fn with_clearance(mut self, sixteenths: u8) -> Self {
        self.clearance = match sixteenths {
            0 => 1,
            1..=8 => sixteenths,
            9.. => 8,
        };
        self
    }

    /// The options with what repairs begin with kept or not.
    #[must_use]
    pub const fn with_ways_kept(mut self, keeps: bool) -> Self {
        self.keeps_ways = keeps;
        self
    }
}

impl Default for HeadingOptions {
    fn default() -> Self {
        Self {
            sight: 32,
            clearance: 1,
            keeps_ways: false,
        }
    }
}

/// Buffers of the heading pass, reused from call to call; 28 bytes a cell.
#[derive(Debug, Default)]
pub struct HeadingScratch {
    pub(super) order: OrderScratch,
    ways: Ways,
}

impl HeadingScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// The heading of every cell; four bytes a cell, and 20 more if ways are kept for repairs. A clone shares them.
///
/// Equal fields have the same headings and, kept or not, the same ways.
#[derive(Clone, PartialEq, Eq)]
pub struct HeadingField {
    pub(super) grid: Grid,
    /// The point to walk to, as an offset from the centre in sixteenths of a cell; (0, 0) where there is none.
    pub(super) offsets: SharedCells<[i16; 2]>,
    pub(super) kept: Option<Kept>,
}

impl HeadingField {
    /// A field without headings.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            offsets: SharedCells::filled(grid.len(), [0; 2]),
            grid,
            kept: None,
        }
    }

    /// A field of checked parts.
    pub(super) fn of_parts(grid: Grid, offsets: Vec<[i16; 2]>) -> Self {
        Self {
            grid,
            offsets: offsets.into(),
            kept: None,
        }
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The point to walk to, as an offset `(dx, dy)` from the centre of the cell in sixteenths of a cell, y downward, each
    /// -32,767 to 32,767 (2,047 cells); `None` for goals and cells without a way. A point farther off is replaced by a
    /// nearer one on the line to it.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn offset(&self, id: CellId) -> Option<(i32, i32)> {
        let [dx, dy] = self.offsets.get(id.index());
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

    /// Whether it can be repaired: its ways were kept.
    #[must_use]
    pub const fn keeps_ways(&self) -> bool {
        self.kept.is_some()
    }

    /// Bytes held, kept ways included, as if nobody shared them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.offsets.bytes() + self.kept.as_ref().map_or(0, Kept::bytes)
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
    let grid = movement.grid();
    assert!(
        grid == field.grid() && grid == flow.grid(),
        "headings need the movement of the field"
    );
    if grid.longest_side() > MAX_POINT_SIDE {
        return Err(HeadingError::MapTooLong { grid: grid.clone() });
    }
    out.grid.clone_from(grid);
    if !options.keeps_ways {
        out.kept = None;
        pass(
            movement,
            field,
            flow,
            options,
            scratch,
            &mut out.offsets,
            |_, ()| {},
        );
        return Ok(());
    }
    let mut kept = out.kept.take().unwrap_or_else(|| Kept::new(options, movement));
    kept.belong_to(options, movement);
    let seen = kept.seen.refill(grid.len(), SeenBox::default());
    pass(
        movement,
        field,
        flow,
        options,
        scratch,
        &mut out.offsets,
        |cell, sees| seen[cell] = sees,
    );
    let ways = kept.ways.restart();
    ways.clear();
    ways.extend((0..scratch.ways.len()).map(|cell| KeptWay::of(scratch.ways.way(cell))));
    out.kept = Some(kept);
    Ok(())
}

/// The pass over the map; what each cell saw goes to `keep`.
fn pass<S: Seen>(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
    options: &HeadingOptions,
    scratch: &mut HeadingScratch,
    offsets: &mut SharedCells<[i16; 2]>,
    mut keep: impl FnMut(usize, S),
) {
    let cells = movement.grid().len();
    let offsets = offsets.refill(cells, [0; 2]);
    let HeadingScratch { order, ways } = scratch;
    ways.reset(cells);
    let look = Look::new(movement, field, flow, options);
    for &cell in order.downhill_last(movement, flow) {
        let (way, seen) = look.way(CellId(cell), ways);
        ways.set(cell, way);
        keep(cell as usize, seen);
        let centre = MapPoint::centre_of_id(movement.grid(), CellId(cell));
        offsets[cell as usize] = offset_to(centre, way.point);
    }
}

/// The offset that is stored for a point.
pub(super) fn offset_to(centre: MapPoint, point: MapPoint) -> [i16; 2] {
    // Points lie on the lattice of sixteenths.
    let part = SUBCELLS / PARTS;
    stored(((point.x - centre.x) / part, (point.y - centre.y) / part))
}

/// An offset in four bytes: as it is, or cut along its longer side, the other side rounded.
fn stored((dx, dy): (i32, i32)) -> [i16; 2] {
    const FAR: i64 = i16::MAX as i64;
    let (dx, dy) = (i64::from(dx), i64::from(dy));
    let longer = dx.abs().max(dy.abs());
    let cut = |part: i64| {
        let part = if longer <= FAR {
            part
        } else {
            // To the nearest, halves away from zero.
            (2 * part * FAR + part.signum() * longer) / (2 * longer)
        };
        i16::try_from(part).unwrap_or(0)
    };
    [cut(dx), cut(dy)]
}
