//! What the passable costs of a map span.

use crate::shared_cells::SharedCells;
use crate::vectors::on_widest_vectors;
use std::sync::Arc;

/// What the passable costs of a map span; the engines size their buckets by it, and go ways of their own where all cells cost
/// the same or some cost nothing.
///
/// It is exact, also when kept up cell by cell: how cells are sampled and which of two equally good ways is shown goes by it,
/// and that must follow from the map alone, not from what it was before. Cells are counted by their cost from the first time
/// on that one changes. Rejected: counting when a movement is compiled; that is one more pass, which vectors cannot help
/// with, and most movements never change.
#[derive(Clone, Debug)]
pub(super) struct CostRange {
    pub(super) smallest_positive: Option<u8>,
    pub(super) largest: Option<u8>,
    pub(super) has_zero: bool,
    /// How many cells have each cost.
    counts: Option<Arc<[u32; 256]>>,
}

impl CostRange {
    /// Of all cells; 255 stands for those that nobody can be on.
    pub(super) fn of(costs: &SharedCells<u8>) -> Self {
        on_widest_vectors(
            #[inline(always)]
            || range_of(costs.pages()),
        )
    }

    /// The range after cells have changed from one cost to another; `before` are those of all cells until then. The first
    /// time it takes a pass over them.
    pub(super) fn changed(&self, before: &SharedCells<u8>, changes: impl Iterator<Item = (u8, u8)>) -> Self {
        let mut changes = changes.filter(|(old, new)| old != new).peekable();
        if changes.peek().is_none() {
            return self.clone();
        }
        let counts = self.counts.as_deref();
        let mut counts = counts.copied().unwrap_or_else(|| counted(before.pages()));
        let mut is_same = true;
        for (old, new) in changes {
            counts[usize::from(old)] -= 1;
            counts[usize::from(new)] += 1;
            is_same &= old == 255 || counts[usize::from(old)] > 0;
            is_same &= new == 255 || counts[usize::from(new)] > 1;
        }
        if is_same {
            // No cost came or went.
            return Self {
                counts: Some(Arc::new(counts)),
                ..*self
            };
        }
        let passable = || (0u8..255).filter(|&cost| counts[usize::from(cost)] > 0);
        Self {
            smallest_positive: passable().find(|&cost| cost > 0),
            largest: passable().next_back(),
            has_zero: counts[0] > 0,
            counts: Some(Arc::new(counts)),
        }
    }
}

/// In four tables by turns: cells beside each other mostly cost the same, and a count waits for the one before it.
fn counted<'a>(pages: impl Iterator<Item = &'a [u8]>) -> [u32; 256] {
    let mut tables = [[0u32; 256]; 4];
    for page in pages {
        let quads = page.chunks_exact(4);
        for &cost in quads.remainder() {
            tables[0][usize::from(cost)] += 1;
        }
        for quad in quads {
            for (table, &cost) in tables.iter_mut().zip(quad) {
                table[usize::from(cost)] += 1;
            }
        }
    }
    core::array::from_fn(|cost| tables.iter().map(|table| table[cost]).sum())
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
        counts: None,
    }
}
