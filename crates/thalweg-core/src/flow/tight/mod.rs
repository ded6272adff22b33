//! Which exits are tight, `step + D[next] = D[cell]`, and why the other cells have none: band by band of the map, each of
//! which reads finished costs-to-goal and writes its own cells only.
//!
//! There are three ways to the same bits. **Cells**, one by one, are the plainest, and the only one for steps that cost
//! something beside the charge of their cells. **Blocks** compare 16 cells at a time in 32 bits, in loops that the compiler
//! turns into the vectors of the processor. **Lowest bits** compare 64 cells at a time in 8 or 16 bits, which is exact where
//! steps may be taken both ways and are short (see `narrow`), as on most maps. Builds without the feature `vectors` have
//! cells alone.
//!
//! A band needs no more than the finished rows beside it, so it could be filled right after an integration wrote it, while
//! it is in cache. Rejected: on maps of up to 1024 × 1024 cells that gained nothing, and `integrate` would have to know
//! directions (`benches/README.md`).

#[cfg(feature = "vectors")]
mod blocks;
#[cfg(feature = "vectors")]
mod by_level;
mod cells;
#[cfg(feature = "vectors")]
mod lowest;
#[cfg(feature = "vectors")]
mod narrow;
pub(super) mod still;

use crate::grid::{DirectionSet, Layer};
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, MeanCharge, Movement};
use crate::vectors::Level;
use crate::workers::{Workers, for_each_part};
use core::ops::Range;

/// Cells that vectors of bytes hold; bands begin at multiples of it.
const BLOCK: usize = 64;

/// Cells per task, at least: enough to drown the cost of handing a task out.
const PART: usize = 1 << 16;

/// Cells of a short band, where nothing is to be read beside it but single cells.
const SHORT: usize = 1 << 10;

/// What the pass reads.
pub(super) struct Tight<'a> {
    movement: &'a Movement,
    exits: &'a [DirectionSet],
    costs: &'a [u8],
    values: &'a [u32],
    lengths: &'a [u32; 8],
    level: Option<Level>,
}

/// In how many cells at a time a map is done where that shall be few, a multiple of [`BLOCK`], and what a cell of them
/// takes, in quarters of a unit of work.
pub(super) fn short_band(movement: &Movement, level: Option<Level>) -> (usize, u64) {
    match level {
        #[cfg(feature = "vectors")]
        Some(_) if !movement.has_edge_charges() => match narrow::bits_needed(movement) {
            // The rows beside a band are read as well: it is long enough that they are the smaller part.
            Some(_) => (narrow::short_band(movement.grid().width() as usize), 2),
            None => (SHORT, 4),
        },
        _ if movement.has_edge_charges() => (SHORT / 4, 256),
        _ => (SHORT, 32),
    }
}

impl<'a> Tight<'a> {
    /// For the costs-to-goal of a map, with vectors or, without a level, cell by cell.
    pub(super) fn new(movement: &'a Movement, values: &'a [u32], level: Option<Level>) -> Self {
        Self {
            movement,
            exits: movement.all_exits(),
            costs: movement.costs(),
            values,
            lengths: movement.steps().lengths(),
            level,
        }
    }

    /// Writes the tight exits of every cell, and two bits a cell that say why a cell has none.
    pub(super) fn fill(&self, workers: &dyn Workers, successors: &mut [DirectionSet], still: &mut [u8]) {
        // A band reads a row above and below; for long rows it is longer, so that it does not read mostly those.
        let row = self.movement.grid().layers().iter().map(Layer::width).max();
        let part = if workers.threads() == 1 {
            self.values.len().next_multiple_of(BLOCK)
        } else {
            PART.max(16 * row.unwrap_or(0) as usize).next_multiple_of(BLOCK)
        };
        let parts: Vec<_> = successors
            .chunks_mut(part)
            .zip(still.chunks_mut(part / 4))
            .collect();
        for_each_part(workers, parts, |index, (successors, still)| {
            self.fill_band(index * part, successors, still);
        });
    }

    /// The same for the cells from `first` on, a multiple of [`BLOCK`]. Costs-to-goal must be final in these cells and
    /// wherever their exits lead.
    pub(super) fn fill_band(&self, first: usize, successors: &mut [DirectionSet], still: &mut [u8]) {
        if self.movement.has_edge_charges() {
            self.fill_by_edges(first, successors);
            still::tell(self.values, self.costs, first..first + successors.len(), still);
        } else {
            match self.movement.steps().charge() {
                Charge::Depart => self.fill_charged::<DepartCharge>(first, successors, still),
                Charge::Arrive => self.fill_charged::<ArriveCharge>(first, successors, still),
                Charge::Mean => self.fill_charged::<MeanCharge>(first, successors, still),
            }
        }
    }

    /// With the vectors of the run, or cell by cell.
    fn fill_charged<C: ChargeRule>(&self, first: usize, successors: &mut [DirectionSet], still: &mut [u8]) {
        let level = self.level;
        match level {
            #[cfg(feature = "vectors")]
            Some(level) => self.fill_at_level::<C>(level, first, successors, still),
            None => {
                self.fill_by_cells::<C>(first, successors);
                still::tell(self.values, self.costs, first..first + successors.len(), still);
            }
        }
    }

    /// The parts of a range of cells that lie in one layer each, with the layer.
    #[inline(always)]
    fn in_layers(&self, cells: Range<usize>) -> impl Iterator<Item = (&'a Layer, Range<usize>)> {
        self.movement.grid().layers().iter().filter_map(move |layer| {
            let of_layer = layer.range();
            let common = cells.start.max(of_layer.start)..cells.end.min(of_layer.end);
            (!common.is_empty()).then_some((layer, common))
        })
    }
}
