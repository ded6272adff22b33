//! Tight exits of 16 cells at a time, in 32 bits.

use super::cells::is_tight;
use super::{Tight, still};
use crate::grid::DirectionSet;
use crate::integrate::MAX_COST_TO_GOAL;
use crate::movement::ChargeRule;

/// Cells whose directions are computed side by side: four vectors of the smallest kind, which stay in registers. 32 took
/// 1.4 times as long, with AVX-512 1.3 to 6 times. Rejected: the same with explicit vectors of 32 bits, which with AVX-512
/// took 1.2 times as long as what the compiler makes of these loops.
const LANES: usize = 16;

/// Cells worked between two looks at why they are still, few enough that their costs-to-goal stay in the first cache.
const CHUNK: usize = 1 << 12;

impl Tight<'_> {
    /// Blocks of cells that have a full row above and below are done without branches, so that the compiler turns them
    /// into vectors; a neighbour beyond a side of the map is then the cell that stands there in the array, and its bit
    /// is masked away by the exits. Cell by cell, the branches on costs and walls took ten times as long.
    #[inline(always)]
    pub(super) fn fill_by_blocks<C: ChargeRule>(
        &self,
        first: usize,
        successors: &mut [DirectionSet],
        still: &mut [u8],
    ) {
        let mut start = first;
        for (out, still) in successors.chunks_mut(CHUNK).zip(still.chunks_mut(CHUNK / 4)) {
            for (layer, cells) in self.in_layers(start..start + out.len()) {
                let offsets = layer.id_offsets();
                let margin = offsets[2].unsigned_abs() as usize + 1;
                let mut cell = cells.start;
                while cell < cells.end {
                    let block = &mut out[cell - start..cells.end - start];
                    let has_rows = cell >= margin && cell + LANES + margin <= self.values.len();
                    if has_rows && let Some(block) = block.first_chunk_mut::<LANES>() {
                        self.block_successors::<C>(cell, &offsets, block);
                        cell += LANES;
                    } else {
                        block[0] = self.successors::<C>(cell, &offsets);
                        cell += 1;
                    }
                }
            }
            still::tell(self.values, self.costs, start..start + out.len(), still);
            start += out.len();
        }
    }

    #[inline(always)]
    fn block_successors<C: ChargeRule>(
        &self,
        first: usize,
        offsets: &[i32; 8],
        out: &mut [DirectionSet; LANES],
    ) {
        let values: &[u32; LANES] = lanes(self.values, first);
        let costs: &[u8; LANES] = lanes(self.costs, first);
        let exits: &[DirectionSet; LANES] = lanes(self.exits, first);
        // Which directions a cell's cost is high enough for, see `is_tight`.
        let mut fits = [0u8; LANES];
        let mut tight = [0u8; LANES];
        for (length, directions) in [(self.lengths[0], 0..4), (self.lengths[4], 4..8)] {
            // A charge that does not ask for the cell entered gives all steps of one length the same price.
            let price_is_own = C::step(1, 0, 1) == 0;
            let mut after = [0u32; LANES];
            if price_is_own {
                for lane in 0..LANES {
                    let step = C::step(length, costs[lane], 0);
                    after[lane] = values[lane].wrapping_sub(step);
                    fits[lane] |= if step <= values[lane] {
                        0x0f << directions.start
                    } else {
                        0
                    };
                }
            }
            let mut tight32 = [0u32; LANES];
            for direction in directions {
                let next_first = first.wrapping_add_signed(offsets[direction] as isize);
                let next_values: &[u32; LANES] = lanes(self.values, next_first);
                let bit = 1 << direction;
                if price_is_own {
                    for lane in 0..LANES {
                        tight32[lane] |= if after[lane] == next_values[lane] { bit } else { 0 };
                    }
                } else {
                    let next_costs: &[u8; LANES] = lanes(self.costs, next_first);
                    for lane in 0..LANES {
                        let step = C::step(length, costs[lane], next_costs[lane]);
                        let is_tight = is_tight(values[lane], step, next_values[lane]);
                        tight32[lane] |= if is_tight { bit } else { 0 };
                    }
                }
            }
            for lane in 0..LANES {
                tight[lane] |= tight32[lane].to_le_bytes()[0];
            }
        }
        for lane in 0..LANES {
            let reached = u8::from(values[lane] <= MAX_COST_TO_GOAL).wrapping_neg();
            let fits = if C::step(1, 0, 1) == 0 { fits[lane] } else { 0xff };
            out[lane] = DirectionSet::from_bits(tight[lane] & fits & reached & exits[lane].bits());
        }
    }
}

#[inline(always)]
fn lanes<T>(values: &[T], first: usize) -> &[T; LANES] {
    values[first..]
        .first_chunk()
        .expect("the caller leaves a full row and more beyond the block")
}
