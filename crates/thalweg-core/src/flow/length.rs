//! Geometric length of the chosen way, apart from its cost.

use super::order::portal_target;
use super::{FlowField, Guidance, OrderScratch};
use crate::grid::{CellId, Grid};
use crate::movement::Movement;
use core::fmt;

/// The length of a way over cell centres, exact: how many straight and how many diagonal steps it has.
///
/// Rejected: a float sum. It depends on the order of the steps, and two ways of one length would compare unequal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WayLength {
    /// Straight steps, each 1 cell long.
    pub straight: u32,
    /// Diagonal steps, each √2 cells long.
    pub diagonal: u32,
}

impl WayLength {
    /// The length in cells.
    #[must_use]
    pub fn cells(self) -> f64 {
        f64::from(self.straight) + f64::from(self.diagonal) * core::f64::consts::SQRT_2
    }
}

/// Stored as the straight count where no way is chosen. No way has so many steps: a map has at most 2^30 cells.
const NONE: u32 = u32::MAX;

/// For every cell, the length of the way that following first directions takes to a goal; 8 bytes a cell.
///
/// Portals count as nothing. It measures the way that is chosen by cost, not the shortest way: on ground of several costs a longer way may be the
/// cheaper one.
#[derive(Clone, PartialEq, Eq)]
pub struct LengthField {
    grid: Grid,
    lengths: Vec<WayLength>,
}

impl LengthField {
    /// A field in which no cell has a way.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        let mut field = Self {
            grid: grid.clone(),
            lengths: Vec::new(),
        };
        field.reset(&grid);
        field
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The length of the way from a cell: zero at goals, `None` where there is no way or none is known.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn length(&self, id: CellId) -> Option<WayLength> {
        let length = self.lengths[id.index()];
        (length.straight != NONE).then_some(length)
    }

    /// Bytes held.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.lengths.len() * size_of::<WayLength>()
    }

    fn reset(&mut self, grid: &Grid) {
        self.grid.clone_from(grid);
        self.lengths.clear();
        self.lengths.resize(
            grid.len(),
            WayLength {
                straight: NONE,
                diagonal: 0,
            },
        );
    }
}

impl fmt::Debug for LengthField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LengthField")
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// Fills `out` with the lengths of the ways of `flow`, which must have been extracted over the same `movement`. O(cells),
/// without recursion; right on free ground too, because following successors ends there as well.
///
/// # Panics
/// If `flow` and `movement` are not of the same grid.
pub fn measure_lengths(
    movement: &Movement,
    flow: &FlowField,
    scratch: &mut OrderScratch,
    out: &mut LengthField,
) {
    assert_eq!(
        movement.grid(),
        flow.grid(),
        "lengths need the movement of the field"
    );
    out.reset(flow.grid());
    let steps = movement.grid().id_steps();
    for &cell in scratch.downhill_last(movement, flow) {
        let length = match flow.direction(CellId(cell)) {
            // A portal has no length of its own.
            None => match flow.guidance(CellId(cell)) {
                Guidance::Through(portal) => portal_target(movement, CellId(cell), portal)
                    .map_or(WayLength::default(), |other| out.lengths[other.index()]),
                _ => WayLength::default(),
            },
            Some(direction) => {
                let next = steps.onward(CellId(cell), direction);
                let mut length = out.lengths[next.index()];
                if direction.is_diagonal() {
                    length.diagonal += 1;
                } else {
                    length.straight += 1;
                }
                length
            }
        };
        out.lengths[cell as usize] = length;
    }
}
