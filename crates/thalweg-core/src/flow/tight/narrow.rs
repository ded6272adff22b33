//! Tight exits of 64 cells at a time, by the lowest bits of costs-to-goal.
//!
//! Where every step may be taken both ways, D of two cells that a step joins differs by no more than the steps between
//! them: `−step(v→u) ≤ D[u] − D[v] ≤ step(u→v)`. So `D[u] − step(u→v) − D[v]` lies between minus two dearest steps and 0:
//! with steps of at most 127 units it is 0 exactly if its lowest byte is, with steps of at most 32,767 if its lowest 16 bits
//! are. Bytes do for flat ground at 10/14 and for rough ground up to cost 9, 16 bits for every cost at 10/14. Comparing in
//! 32 bits took four times as many instructions as bytes.
//!
//! What the bound needs is that both cells are reached. A cell from which an exit leads to a reached one is reached too,
//! unless a cost limit cut it off: bands that hold such cells are left to the blocks. Where steps are free, two unreached
//! cells may come out tight to each other; whoever keeps directions from going in a circle there takes such exits out.

use super::lowest::Lowest;
use super::{BLOCK, Tight};
use crate::flow::field::Still;
use crate::grid::DirectionSet;
use crate::integrate::{MAX_COST_TO_GOAL, UNKNOWN, UNREACHABLE};
use crate::movement::{ChargeRule, Movement};
use core::ops::Range;
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdMask, u8x64, u32x16};

/// Cells narrowed ahead, at least.
const AHEAD: usize = 1 << 13;

/// A row of neighbours of a block: one more cell at both ends.
const ROW: usize = BLOCK + 2;

/// The fewest cells in a row for which the rows beside them do not count much, on a map so many cells wide.
pub(super) fn short_band(width: usize) -> usize {
    AHEAD.max(4 * width).next_multiple_of(BLOCK)
}

/// How many of the lowest bits of costs-to-goal tell tight exits apart on a map, if 8 or 16 do.
pub(super) fn bits_needed(movement: &Movement) -> Option<u32> {
    if !movement.is_plain() {
        return None;
    }
    let two_steps = u64::from(movement.largest_step()) * 2;
    [8, 16].into_iter().find(|&bits| two_steps < 1 << bits)
}

/// Lowest bits of the cells around those that are worked, with their neighbours' charges added where steps pay them.
struct Window<T> {
    /// Cells before the first one: a row and one cell, in whole blocks.
    lead: usize,
    ahead: usize,
    own: Vec<T>,
    /// `D[v]` and what entering `v` costs, straight and diagonally; empty where that is nothing.
    straight: Vec<T>,
    diagonal: Vec<T>,
}

impl<T: Copy + Default> Window<T> {
    fn new(width: usize, is_entry_charged: bool) -> Self {
        let lead = (width + 1).next_multiple_of(BLOCK);
        let ahead = AHEAD.max(2 * lead).next_multiple_of(BLOCK);
        let len = ahead + 2 * lead;
        let charged = if is_entry_charged { len } else { 0 };
        Self {
            lead,
            ahead,
            own: vec![T::default(); len],
            straight: vec![T::default(); charged],
            diagonal: vec![T::default(); charged],
        }
    }

    /// Moves on by what was worked: the last rows become the first.
    fn advance(&mut self) {
        for numbers in [&mut self.own, &mut self.straight, &mut self.diagonal] {
            if !numbers.is_empty() {
                numbers.copy_within(self.ahead.., 0);
            }
        }
    }
}

/// How steps are priced.
struct Prices<L> {
    straight: L,
    diagonal: L,
    /// Whether these are the prices of all steps; otherwise they are lengths.
    is_flat: bool,
}

impl Tight<'_> {
    /// Fills cells from `first` on as far as their lowest bits suffice; returns how many, a multiple of [`BLOCK`]. What is left is
    /// no more than the end of a map, unless a cost limit cut cells off.
    #[inline(always)]
    pub(super) fn fill_by_lowest<C: ChargeRule, S: Simd, L: Lowest<S>>(
        &self,
        simd: S,
        first: usize,
        successors: &mut [DirectionSet],
        still: &mut [u8],
    ) -> usize {
        let width = self.movement.grid().width() as usize;
        let last = first + successors.len() / BLOCK * BLOCK;
        let flat = self.movement.uniform_cost();
        let price = |length: u32| flat.map_or(length, |cost| C::step(length, cost, cost));
        let prices = Prices {
            straight: L::filled(simd, price(self.lengths[0])),
            diagonal: L::filled(simd, price(self.lengths[4])),
            is_flat: flat.is_some(),
        };
        let mut window = Window::new(width, flat.is_none() && pays_entry::<C>());
        let (lead, ahead) = (window.lead, window.ahead);
        // What lies around the band is told by others.
        let around = self.narrow::<C, S, L>(
            simd,
            &prices,
            first.saturating_sub(lead)..first,
            &mut window,
            first,
            &mut [],
        );
        if around {
            return 0;
        }
        let mut narrowed = first;
        for start in (first..last).step_by(ahead) {
            if start > first {
                window.advance();
            }
            let end = (start + ahead).min(last);
            let own = narrowed..(end + lead).min(last);
            let beyond = own.end..(end + lead).min(self.values.len());
            narrowed = own.end;
            let told = &mut still[(own.start - first) / 4..(own.end - first) / 4];
            if self.narrow::<C, S, L>(simd, &prices, own, &mut window, start, told)
                || self.narrow::<C, S, L>(simd, &prices, beyond, &mut window, start, &mut [])
            {
                return start - first;
            }
            let out = successors[start - first..end - first].as_chunks_mut().0;
            self.compare::<C, S, L>(simd, &prices, start, &window, out);
        }
        last - first
    }

    /// Takes the lowest bits of cells into a window whose cells begin at `start`, and says why those that are not reached
    /// are still, if there is room for it. Returns whether a cell that has exits was cut off; then it has not finished.
    #[inline(always)]
    fn narrow<C: ChargeRule, S: Simd, L: Lowest<S>>(
        &self,
        simd: S,
        prices: &Prices<L>,
        cells: Range<usize>,
        window: &mut Window<L::Number>,
        start: usize,
        still: &mut [u8],
    ) -> bool {
        let (value_blocks, values) = self.values[cells.clone()].as_chunks::<BLOCK>();
        let (cost_blocks, costs) = self.costs[cells.clone()].as_chunks::<BLOCK>();
        let (exit_blocks, exits) = self.exits[cells.clone()].as_chunks::<BLOCK>();
        let at = cells.start + window.lead - start;
        let bytes = at..at + BLOCK * value_blocks.len();
        let own_blocks = window.own[bytes.clone()].as_chunks_mut::<BLOCK>().0;
        let none = u8x64::splat(simd, 0);
        let mut cut = none;
        let mut still = still.as_chunks_mut::<{ BLOCK / 4 }>().0.iter_mut();
        let blocks = value_blocks
            .iter()
            .zip(cost_blocks)
            .zip(exit_blocks)
            .zip(own_blocks);
        for (((values, costs), exits), own) in blocks {
            let load = |from: usize| u32x16::from_slice(simd, &values[from..from + 16]);
            let quarters = [load(0), load(16), load(32), load(48)];
            L::of_words(simd, quarters).store(own);
            let largest = quarters[0].max(quarters[1]).max(quarters[2].max(quarters[3]));
            let largest_cost = u32x16::splat(simd, MAX_COST_TO_GOAL);
            let mut why = [0; BLOCK / 4];
            if largest.simd_gt(largest_cost).any_true() {
                let exits = load_exits(simd, exits);
                let unreached = unreached(simd, quarters);
                why = why_still(simd, unreached, u8x64::from_slice(simd, costs));
                cut |= unreached.simd_eq(1).select(exits, none);
            }
            if let Some(still) = still.next() {
                *still = why;
            }
        }
        if pays_entry::<C>() && !prices.is_flat {
            let charged = window.straight[bytes.clone()].as_chunks_mut::<BLOCK>().0;
            let charged = charged
                .iter_mut()
                .zip(window.diagonal[bytes.clone()].as_chunks_mut::<BLOCK>().0);
            let own_blocks = window.own[bytes].as_chunks::<BLOCK>().0;
            for ((own, costs), (straight, diagonal)) in own_blocks.iter().zip(cost_blocks).zip(charged) {
                let (own, costs) = (L::load(simd, own), L::of_bytes(simd, costs));
                own.plus(prices.straight.times(costs)).store(straight);
                own.plus(prices.diagonal.times(costs)).store(diagonal);
            }
        }
        let mut is_cut = cut.simd_ne(none).any_true();
        // The last cells of a map may be no whole block.
        for (((&value, &cost), exits), at) in values
            .iter()
            .zip(costs)
            .zip(exits)
            .zip(at + BLOCK * value_blocks.len()..)
        {
            let entered = |length: u32| L::number(value.wrapping_add(C::step(length, 0, cost)));
            window.own[at] = L::number(value);
            if !window.straight.is_empty() {
                window.straight[at] = entered(self.lengths[0]);
                window.diagonal[at] = entered(self.lengths[4]);
            }
            is_cut |= value == UNKNOWN && !exits.is_empty();
        }
        is_cut
    }

    /// Compares blocks of cells from `start` on with their neighbours.
    #[inline(always)]
    fn compare<C: ChargeRule, S: Simd, L: Lowest<S>>(
        &self,
        simd: S,
        prices: &Prices<L>,
        start: usize,
        window: &Window<L::Number>,
        out: &mut [[DirectionSet; BLOCK]],
    ) {
        let width = self.movement.grid().width() as usize;
        let (straight, diagonal) = if window.straight.is_empty() {
            (&window.own, &window.own)
        } else {
            (&window.straight, &window.diagonal)
        };
        let costs = self.costs[start..].as_chunks::<BLOCK>().0;
        let exits = self.exits[start..].as_chunks::<BLOCK>().0;
        let own = window.own[window.lead..].as_chunks::<BLOCK>().0;
        let first = (window.lead - width - 1..).step_by(BLOCK);
        for ((((out, exits), costs), own), first) in out.iter_mut().zip(exits).zip(costs).zip(own).zip(first)
        {
            let own = L::load(simd, own);
            let from = if prices.is_flat {
                [own.minus(prices.straight), own.minus(prices.diagonal)]
            } else if C::step(1, 1, 0) != 0 {
                let costs = L::of_bytes(simd, costs);
                [
                    own.minus(prices.straight.times(costs)),
                    own.minus(prices.diagonal.times(costs)),
                ]
            } else {
                [own, own]
            };
            // One by one: `array::map` was called as a function.
            let (north, far_north) = (row(straight, first), row(diagonal, first));
            let here = row(straight, first + width);
            let south = first + 2 * width;
            let (south, far_south) = (row(straight, south), row(diagonal, south));
            // In the fixed order of directions, the column counted from one west of the block.
            let neighbours = [
                (north, 1),
                (here, 2),
                (south, 1),
                (here, 0),
                (far_north, 2),
                (far_south, 2),
                (far_south, 0),
                (far_north, 0),
            ];
            let mut tight = L::filled(simd, 0);
            for (direction, (row, column)) in neighbours.into_iter().enumerate() {
                let to = L::load(simd, shifted(row, column));
                tight = tight.or(from[direction / 4].bit_if_equal(simd, to, 1 << direction));
            }
            let mut bits = [0; BLOCK];
            (tight.to_bytes(simd) & load_exits(simd, exits)).store_slice(&mut bits);
            for (out, bits) in out.iter_mut().zip(bits) {
                *out = DirectionSet::from_bits(bits);
            }
        }
    }
}

/// Whether steps cost what the cell entered does.
#[inline(always)]
fn pays_entry<C: ChargeRule>() -> bool {
    C::step(1, 0, 1) != 0
}

#[inline(always)]
fn row<T>(numbers: &[T], first: usize) -> &[T; ROW] {
    numbers[first..]
        .first_chunk()
        .expect("the window reaches a row and more beyond the block")
}

/// A block out of a row, from a column 0 to 2.
#[inline(always)]
fn shifted<T>(row: &[T; ROW], column: usize) -> &[T; BLOCK] {
    row[column..].first_chunk().expect("a row has two more cells")
}

#[inline(always)]
fn load_exits<S: Simd>(simd: S, exits: &[DirectionSet; BLOCK]) -> u8x64<S> {
    let mut bits = [0; BLOCK];
    for (bits, exits) in bits.iter_mut().zip(exits) {
        *bits = exits.bits();
    }
    u8x64::from_slice(simd, &bits)
}

/// 0 for reached cells, 1 for unknown and 2 for unreachable ones.
#[inline(always)]
fn unreached<S: Simd>(simd: S, quarters: [u32x16<S>; 4]) -> u8x64<S> {
    const { assert!(UNKNOWN == MAX_COST_TO_GOAL + 1 && UNREACHABLE == MAX_COST_TO_GOAL + 2) };
    let reached = u32x16::splat(simd, MAX_COST_TO_GOAL);
    let [a, b, c, d] = quarters;
    let over = [
        a.max(reached) - reached,
        b.max(reached) - reached,
        c.max(reached) - reached,
        d.max(reached) - reached,
    ];
    Lowest::of_words(simd, over)
}

/// Why unreached cells are still, four cells a byte.
#[inline(always)]
fn why_still<S: Simd>(simd: S, unreached: u8x64<S>, costs: u8x64<S>) -> [u8; BLOCK / 4] {
    let splat = |why: Still| u8x64::splat(simd, why as u8);
    let if_unreachable = costs
        .simd_eq(255)
        .select(splat(Still::Impassable), splat(Still::Unreachable));
    let if_unknown = unreached
        .simd_eq(1)
        .select(splat(Still::Unknown), splat(Still::Goal));
    let by_cell = unreached.simd_eq(2).select(if_unreachable, if_unknown);
    // Four cells are a 32-bit number, of which the lowest byte takes the other three up.
    let fours: u32x16<S> = by_cell.bitcast();
    let packed = fours | fours >> 6 | fours >> 12 | fours >> 18;
    let mut wide = [0u32; BLOCK / 4];
    packed.store_slice(&mut wide);
    let mut why = [0; BLOCK / 4];
    for (why, wide) in why.iter_mut().zip(wide) {
        *why = wide.to_le_bytes()[0];
    }
    why
}
