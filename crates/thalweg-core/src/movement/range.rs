//! What the passable costs of a map span.

use crate::shared_cells::SharedCells;
use crate::vectors::on_widest_vectors;

/// Cells of a map for each cell that may leave an end of the range before the map is looked at again: some tens of
/// microseconds for a million cells, every 256th time.
const LOOK_AGAIN: usize = 4096;

/// What the passable costs of a map span; the engines size their buckets by it, and pick ways of their own where all cells cost
/// the same or some cost nothing.
///
/// Made anew it is exact. Kept up cell by cell it holds every cost, but may be wider than it need be for a while: it is not
/// known whether a cost that left was the last of its kind. Rejected: a count per cost. It would cost every compilation a
/// pass that vectors cannot help with, and no result depends on it, only which engine finds it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CostRange {
    pub(super) smallest_positive: Option<u8>,
    pub(super) largest: Option<u8>,
    pub(super) has_zero: bool,
    /// How many cells have left an end of it since it was exact.
    left: usize,
}

impl CostRange {
    /// Of all cells; 255 stands for those that nobody can be on.
    pub(super) fn of(costs: &SharedCells<u8>) -> Self {
        on_widest_vectors(
            #[inline(always)]
            || range_of(costs.pages()),
        )
    }

    /// After a cell's cost has changed.
    pub(super) fn change(&mut self, before: u8, after: u8) {
        match after {
            255 => {}
            0 => self.has_zero = true,
            cost => {
                self.smallest_positive = Some(self.smallest_positive.map_or(cost, |least| least.min(cost)));
                self.largest = Some(self.largest.map_or(cost, |most| most.max(cost)));
            }
        }
        if after == 0 {
            self.largest = Some(self.largest.unwrap_or(0));
        }
        let was_at_an_end =
            before == 0 || Some(before) == self.smallest_positive || Some(before) == self.largest;
        self.left += usize::from(was_at_an_end);
    }

    /// Looks at the map again if much has changed; `costs` are those of all cells now.
    pub(super) fn settle(&mut self, costs: &SharedCells<u8>) {
        if self.left > costs.len() / LOOK_AGAIN {
            *self = Self::of(costs);
        }
    }
}

/// Lane by lane, so that the compiler turns it into byte vectors; a table of the costs that were seen took a third of a
/// nanosecond a cell.
#[inline(always)]
fn range_of<'a>(pages: impl Iterator<Item = &'a [u8]>) -> CostRange {
    const LANES: usize = 64;
    // Zero, the one cost that is not positive, wraps around to the dearest for the least, and walls to the cheapest for the
    // largest.
    let (mut least, mut above, mut zeros) = ([u8::MAX; LANES], [0u8; LANES], [0u8; LANES]);
    let mut take = |costs: &[u8]| {
        let lanes = least.iter_mut().zip(&mut above).zip(&mut zeros);
        for (((least, above), zero), &cost) in lanes.zip(costs) {
            *least = (*least).min(cost.wrapping_sub(1));
            *above = (*above).max(cost.wrapping_add(1));
            *zero |= u8::from(cost == 0);
        }
    };
    for page in pages {
        let chunks = page.chunks_exact(LANES);
        let rest = chunks.remainder();
        chunks.for_each(&mut take);
        take(rest);
    }
    let least = least.into_iter().min().unwrap_or(u8::MAX);
    let largest = above.into_iter().max().unwrap_or(0).checked_sub(1);
    CostRange {
        // 254 stands for walls, which are not passable, and 255 for zeros.
        smallest_positive: (least < 254).then(|| least + 1),
        largest,
        has_zero: zeros.iter().any(|&zero| zero != 0),
        left: 0,
    }
}
