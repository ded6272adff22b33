//! Who is near whom: a counting sort of agents into square bins, and a scan of 3 × 3 bins.
//!
//! Bins wrap around: the table has a bounded number of bins on maps of any size, and agents of far places that share a
//! bin are told apart by their distance. Rejected: bins that grow with the map, in which a crowd that stands together on
//! a huge map falls into one bin; and a comparison sort (DESIGN 2.9, 8).
//!
//! The neighbours of an agent are a pure function of positions: the nearest ones, ties by slot. How bins lie does not
//! show in them.

use crate::fixed::{dot, offset};
use crate::kernel::{Kernel, LANES};
use crate::options::MAX_NEIGHBOURS;
use thalweg_core::integrate::Vectors;

/// Bins per agent at most, before rounding up to powers of two.
const BINS_PER_AGENT: usize = 4;

/// Places beyond the last agent that may be read along with it.
pub(crate) const PADDING: usize = LANES;
/// Rows of bins around an agent.
const ROWS: usize = 3;
/// Up to so many within reach are sorted by counting how many are nearer.
const FEW: usize = 4 * LANES;

/// The table and the agents in bin order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bins {
    /// 2^32 over a bin's side in subcells, rounded down: bins are at least as wide as asked for. A product and a shift
    /// instead of a division; a power of two as side would scan up to four times the ground.
    reciprocal: u32,
    /// Log2 of the table's columns and rows; each at least 2, so that three bins in a row are three different ones.
    columns_log2: u32,
    rows_log2: u32,
    /// Rank of the first agent of each bin, and one past the last.
    first: Vec<u32>,
    keys: Vec<u32>,
    /// Places before the sort, in bin order; inside a bin in their own order.
    pub(crate) order: Vec<u32>,
}

impl Bins {
    /// Sorts the agents at `xs`, `ys` into bins with sides of at least `reach` subcells.
    pub(crate) fn sort(&mut self, xs: &[i32], ys: &[i32], reach: i32, sides: (u32, u32), vectors: Vectors) {
        let len = xs.len();
        self.shape(len, reach, sides);
        let bins = 1usize << (self.columns_log2 + self.rows_log2);
        self.first.clear();
        self.first.resize(bins + 1, 0);
        self.keys.resize(len, 0);
        self.order.resize(len, 0);
        let mut keys = core::mem::take(&mut self.keys);
        vectors.run(
            #[inline(always)]
            || {
                for ((key, &x), &y) in keys.iter_mut().zip(xs).zip(ys) {
                    *key = self.key(self.bin(x), self.bin(y));
                }
            },
        );
        for &key in &keys {
            self.first[key as usize + 1] += 1;
        }
        let mut sum = 0;
        for first in &mut self.first {
            sum += *first;
            *first = sum;
        }
        // Filled from `first`, which afterwards is one bin ahead and is shifted back.
        for (&key, old) in keys.iter().zip(0u32..) {
            let place = &mut self.first[key as usize];
            self.order[*place as usize] = old;
            *place += 1;
        }
        self.first.copy_within(0..bins, 1);
        self.first[0] = 0;
        self.keys = keys;
    }

    fn shape(&mut self, len: usize, reach: i32, sides: (u32, u32)) {
        // At least 1/4 cell, so that the reciprocal fits and tiny agents do not need huge tables.
        let side = u64::from(reach.unsigned_abs().max(1 << 14));
        self.reciprocal = u32::try_from((1 << 32) / side).unwrap_or(u32::MAX);
        let bins_along = |cells: u32| -> u32 {
            let bins = (u64::from(cells) << 16) / side;
            (bins + 1).next_power_of_two().trailing_zeros()
        };
        let budget = (len * BINS_PER_AGENT)
            .max(1 << 10)
            .next_power_of_two()
            .trailing_zeros();
        let (columns, rows) = (bins_along(sides.0), bins_along(sides.1));
        // Both sides get half of the budget; what one does not need goes to the other.
        let half = budget / 2;
        let columns_cut = columns.min(half.max(budget.saturating_sub(rows)));
        self.columns_log2 = columns_cut.max(2);
        self.rows_log2 = rows.min(budget.saturating_sub(columns_cut)).max(2);
    }

    /// The column or row of bins that holds a coordinate.
    #[inline(always)]
    fn bin(&self, coordinate: i32) -> i32 {
        // Positions are on the map, where coordinates are not negative.
        let product = u64::from(coordinate.max(0).cast_unsigned()) * u64::from(self.reciprocal);
        // Below 2^17: 2^31 · 2^18 / 2^32.
        ((product >> 32) as u32).cast_signed()
    }

    #[inline(always)]
    fn key(&self, column: i32, row: i32) -> u32 {
        let wrap = |value: i32, log2: u32| value.cast_unsigned() & ((1 << log2) - 1);
        wrap(row, self.rows_log2) << self.columns_log2 | wrap(column, self.columns_log2)
    }

    /// Ranges of ranks that together hold everyone within `reach` of the position, each once; some may be empty.
    ///
    /// Three bins side by side are one range, unless the row wraps between them.
    #[inline(always)]
    fn around(&self, x: i32, y: i32) -> ([[u32; 2]; 9], usize) {
        let (column, row) = (self.bin(x), self.bin(y));
        let last_column = (1u32 << self.columns_log2) - 1;
        let middle = column.cast_unsigned() & last_column;
        let mut ranges = [[0u32; 2]; 9];
        let range = |from: u32, to: u32| [self.first[from as usize], self.first[to as usize + 1]];
        if middle == 0 || middle == last_column {
            for (at, ranges) in (0..).zip(ranges.chunks_exact_mut(3)) {
                for (offset, out) in (0..).zip(ranges) {
                    let key = self.key(column - 1 + offset, row - 1 + at);
                    *out = range(key, key);
                }
            }
            return (ranges, 9);
        }
        for (at, out) in (0..).zip(&mut ranges[..3]) {
            let key = self.key(column, row - 1 + at);
            *out = range(key - 1, key + 1);
        }
        (ranges, 3)
    }
}

/// Another agent near one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) rank: u32,
    /// Squared distance between centres, in square cells.
    pub(crate) square: f32,
}

/// The nearest agents found so far, nearest first, ties by slot.
#[derive(Debug)]
pub(crate) struct Nearest {
    near: [Near; MAX_NEIGHBOURS],
    len: usize,
    cap: usize,
}

impl Nearest {
    pub(crate) fn new(cap: usize) -> Self {
        Self {
            near: [Near {
                rank: 0,
                square: f32::INFINITY,
            }; MAX_NEIGHBOURS],
            len: 0,
            cap: cap.clamp(1, MAX_NEIGHBOURS),
        }
    }

    /// Takes one in if it is among the nearest. `slot_of` maps a rank to its slot.
    #[inline]
    pub(crate) fn offer(&mut self, new: Near, slot_of: impl Fn(u32) -> u32) {
        let before = |a: &Near, b: &Near| {
            a.square < b.square || (a.square == b.square && slot_of(a.rank) < slot_of(b.rank))
        };
        if self.len == self.cap {
            if !before(&new, &self.near[self.cap - 1]) {
                return;
            }
        } else {
            self.len += 1;
        }
        let mut place = self.len - 1;
        while place > 0 && before(&new, &self.near[place - 1]) {
            self.near[place] = self.near[place - 1];
            place -= 1;
        }
        self.near[place] = new;
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[Near] {
        &self.near[..self.len]
    }
}

/// Who is within reach of one agent, in bin order.
struct Found {
    /// What lies behind the first `len` means nothing.
    ranks: [u32; FEW],
    squares: [f32; FEW],
    len: usize,
}

/// Where everybody is, in bin order.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) bins: &'a Bins,
    /// With [`PADDING`].
    pub(crate) xs: &'a [i32],
    pub(crate) ys: &'a [i32],
}

impl Around<'_> {
    /// Writes the ranks of those within `reach` cells of the agent of `rank` that `counts` lets pass, if there is one, to
    /// `out`, as many as it holds: the nearest first, ties by slot. Returns how many they are.
    #[inline(always)]
    pub(crate) fn nearest(
        self,
        kernel: impl Kernel,
        rank: usize,
        reach: f32,
        out: &mut [u32],
        counts: Option<impl Fn(u32) -> bool>,
        slot_of: impl Fn(u32) -> u32,
    ) -> usize {
        let square = reach * reach;
        let few = if counts.is_none() {
            self.find_few(kernel, rank, square)
        } else {
            None
        };
        let Some(found) = few else {
            return self.nearest_of_many(rank, square, out, counts, slot_of);
        };
        let len = found.len;
        // How many come before each; that is faster than a sort that has to guess.
        for first in (0..len).step_by(LANES) {
            let Some(squares) = found.squares[first..].first_chunk() else {
                break;
            };
            let (before, ties) = kernel.smaller(squares, &found.squares[..len]);
            let here = (len - first).min(LANES);
            if ties & ((1 << here) - 1) != 0 {
                return self.nearest_of_many(rank, square, out, counts, slot_of);
            }
            for (&rank, &before) in found.ranks[first..first + here].iter().zip(&before) {
                if let Some(out) = out.get_mut(before as usize) {
                    *out = rank;
                }
            }
        }
        len.min(out.len())
    }

    /// Those within reach, if they are few: nearly always.
    #[inline(always)]
    fn find_few(self, kernel: impl Kernel, rank: usize, square: f32) -> Option<Found> {
        let (x, y) = (self.xs[rank], self.ys[rank]);
        let (ranges, len) = self.bins.around(x, y);
        if len > ROWS {
            return None;
        }
        // Room for what is written behind the last one.
        let mut squares = [0.0f32; FEW];
        let mut numbers = [0u32; FEW];
        let mut found = 0;
        for [first, end] in ranges.into_iter().take(ROWS) {
            // One round nearly always.
            for first in (first..end).step_by(LANES) {
                let from = first as usize;
                let xs: &[i32; LANES] = self.xs.get(from..from + LANES)?.try_into().ok()?;
                let ys: &[i32; LANES] = self.ys.get(from..from + LANES)?.try_into().ok()?;
                let here = (end - first).min(16);
                let own = rank.wrapping_sub(from);
                let others = !(u32::from(own < LANES) << (own % LANES));
                let candidates = ((1u32 << here) - 1) & others;
                let out = (
                    squares.get_mut(found..found + LANES)?.try_into().ok()?,
                    numbers.get_mut(found..found + LANES)?.try_into().ok()?,
                );
                found += kernel.within([xs, ys], [x, y], square, candidates, first, out);
            }
        }
        Some(Found {
            ranks: numbers,
            squares,
            len: found,
        })
    }

    /// The same by insertion: for crowds of which more are within reach than can be minded, and for ties.
    #[inline(never)]
    fn nearest_of_many(
        self,
        rank: usize,
        square: f32,
        out: &mut [u32],
        counts: Option<impl Fn(u32) -> bool>,
        slot_of: impl Fn(u32) -> u32,
    ) -> usize {
        let mut nearest = Nearest::new(out.len());
        self.scan(rank, square, |rank, square| {
            if counts.as_ref().is_none_or(|counts| counts(rank)) {
                nearest.offer(Near { rank, square }, &slot_of);
            }
        });
        let near = nearest.as_slice();
        for (out, near) in out.iter_mut().zip(near) {
            *out = near.rank;
        }
        near.len()
    }

    /// Calls `each` with the rank and the squared distance of everybody whose squared distance from the agent of `rank` is
    /// below `square`, but itself.
    fn scan(self, rank: usize, square: f32, mut each: impl FnMut(u32, f32)) {
        let at = [self.xs[rank], self.ys[rank]];
        let (ranges, len) = self.bins.around(at[0], at[1]);
        for [from, end] in ranges.into_iter().take(len) {
            for other in from..end {
                let way = offset(at, [self.xs[other as usize], self.ys[other as usize]]);
                let its = dot(way, way);
                if its < square && other as usize != rank {
                    each(other, its);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scan_finds_everyone_within_reach_once_on_any_table() {
        // A fixed linear congruence stands in for randomness.
        let mut state = 1u32;
        let mut next = |limit: i32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from((i64::from(state >> 4) * i64::from(limit)) >> 28).unwrap()
        };
        for (sides, reach) in [
            ((9u32, 7u32), 70_000),
            ((300, 2), 20_000),
            ((2_000, 3_000), 65_536),
        ] {
            let x: Vec<i32> = (0..500).map(|_| next((sides.0.cast_signed()) << 16)).collect();
            let y: Vec<i32> = (0..500).map(|_| next((sides.1.cast_signed()) << 16)).collect();
            let mut bins = Bins::default();
            bins.sort(&x, &y, reach, sides, Vectors::Best);
            for i in 0..500 {
                let mut found = Vec::new();
                let (ranges, len) = bins.around(x[i], y[i]);
                for [from, end] in &ranges[..len] {
                    found.extend((*from..*end).map(|rank| bins.order[rank as usize] as usize));
                }
                found.sort_unstable();
                let before = found.len();
                found.dedup();
                assert_eq!(found.len(), before, "nobody is found twice");
                for j in 0..500 {
                    if x[i].abs_diff(x[j]) < reach.unsigned_abs()
                        && y[i].abs_diff(y[j]) < reach.unsigned_abs()
                    {
                        assert!(
                            found.binary_search(&j).is_ok(),
                            "agent {j} is within reach of {i}"
                        );
                    }
                }
            }
        }
    }
}
