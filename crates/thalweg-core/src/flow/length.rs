//! Geometric length of the chosen way, apart from its cost.

use super::order::portal_target;
use super::{ChannelRepair, ChannelStats, FlowField, Guidance, OrderScratch};
use crate::grid::{CellId, Grid};
use crate::movement::{EdgeKind, Movement};
use crate::shared_cells::SharedCells;
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
const NONE: WayLength = WayLength {
    straight: u32::MAX,
    diagonal: 0,
};

/// For every cell, the length of the way that following first directions takes to a goal; 8 bytes a cell. A
/// clone shares them.
///
/// Portals count as nothing. It measures the way that is chosen by cost, not the shortest way: on ground of several costs a longer way may be the
/// cheaper one.
#[derive(Clone, PartialEq, Eq)]
pub struct LengthField {
    grid: Grid,
    lengths: SharedCells<WayLength>,
}

impl LengthField {
    /// A field in which no cell has a way.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            lengths: SharedCells::filled(grid.len(), NONE),
            grid,
        }
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
        let length = self.lengths.get(id.index());
        (length != NONE).then_some(length)
    }

    /// Bytes held, as if nobody shared them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lengths.bytes()
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
    out.grid.clone_from(flow.grid());
    let lengths = out.lengths.refill(flow.grid().len(), NONE);
    for &cell in scratch.downhill_last(movement, flow) {
        lengths[cell as usize] = length_of(movement, flow, CellId(cell), |next| lengths[next.index()]);
    }
}

/// The length of the way from a cell that has one, by the length of the cell it leads to next.
fn length_of(
    movement: &Movement,
    flow: &FlowField,
    cell: CellId,
    onward: impl Fn(CellId) -> WayLength,
) -> WayLength {
    match flow.direction(cell) {
        // A portal has no length of its own.
        None => match flow.guidance(cell) {
            Guidance::Through(portal) => {
                portal_target(movement, cell, portal).map_or_else(WayLength::default, onward)
            }
            _ => WayLength::default(),
        },
        Some(direction) => {
            let mut length = onward(movement.grid().id_steps().onward(cell, direction));
            if direction.is_diagonal() {
                length.diagonal += 1;
            } else {
                length.straight += 1;
            }
            length
        }
    }
}

/// Repairs lengths after the field they belong to was repaired: bit for bit those of [`measure_lengths`], in time that goes
/// with what changed. `lengths` are those of the field before; a clone of them is written page by page.
///
/// A length follows first directions alone. So the refreshed cells are measured anew, nearest to the goals first, and where a
/// length differs, the cells whose first direction or portal leads there.
///
/// # Panics
/// If `field`, `flow` and `movement` are not of the same grid.
pub fn repair_lengths(
    input: &ChannelRepair<'_>,
    scratch: &mut OrderScratch,
    lengths: &mut LengthField,
) -> ChannelStats {
    let (movement, flow) = (input.movement, input.flow);
    assert!(
        movement.grid() == flow.grid() && movement.grid() == input.field.grid(),
        "lengths need the movement of the field"
    );
    let mut stats = ChannelStats::default();
    let limit = input.limit();
    if lengths.grid != *movement.grid() || input.refreshed.len() as u64 > limit {
        return rebuilt(input, scratch, lengths, stats);
    }
    let stream = input.stream();
    let queue = &mut scratch.upstream;
    queue.restart(movement.grid().len());
    for cell in input.refreshed {
        queue.push(&stream, cell.0);
    }
    while let Some(cell) = queue.pop() {
        if queue.work > limit {
            return rebuilt(input, scratch, lengths, stats);
        }
        stats.remade += 1;
        let length = if flow.guidance(CellId(cell)).leads_on_or_arrives() {
            length_of(movement, flow, CellId(cell), |next| {
                lengths.lengths.get(next.index())
            })
        } else {
            NONE
        };
        if length == lengths.lengths.get(cell as usize) {
            continue;
        }
        stats.changed += 1;
        lengths.lengths.set(cell as usize, length);
        stream.each_predecessor(cell, |from, edge| {
            let is_first = match edge {
                EdgeKind::Step(direction) => flow.direction(CellId(from)) == Some(direction),
                EdgeKind::Portal(portal) => flow.guidance(CellId(from)) == Guidance::Through(portal),
            };
            if is_first {
                queue.push(&stream, from);
            }
        });
    }
    stats
}

fn rebuilt(
    input: &ChannelRepair<'_>,
    scratch: &mut OrderScratch,
    lengths: &mut LengthField,
    stats: ChannelStats,
) -> ChannelStats {
    measure_lengths(input.movement, input.flow, scratch, lengths);
    ChannelStats {
        rebuilt: true,
        ..stats
    }
}
