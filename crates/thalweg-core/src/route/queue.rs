//! The buffers of a single search: labels with generation stamps, and the queue.

use crate::grid::CellId;
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Buffers that searches reuse from call to call; nothing in them carries over into a result.
///
/// Labels are stamped with the search they belong to, so that a search touches only the cells it visits: clearing a large
/// map would cost more than a short search.
#[derive(Debug, Default)]
pub struct RouteScratch {
    /// Cost from the cell to the goal, valid where the stamp is the current one.
    costs: Vec<u32>,
    stamps: Vec<u32>,
    /// The cell over which the cost was found.
    next: Vec<u32>,
    generation: u32,
    /// (estimate over the cell, cost so far from above, cell).
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl RouteScratch {
    /// Empty buffers; they grow on first use, to 12 bytes a cell.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether the last search found a way from a cell to a goal; false for ids that are not of its map.
    ///
    /// After a search that ended with [`Unreachable`](super::RouteError::Unreachable) this is the whole truth: no other
    /// cell can get there, for the search went on until nothing was left.
    #[must_use]
    pub fn has_reached(&self, id: CellId) -> bool {
        self.stamps
            .get(id.index())
            .is_some_and(|&stamp| stamp == self.generation)
    }

    /// Begins a search on a map of so many cells.
    pub(super) fn begin(&mut self, cells: usize) {
        self.queue.clear();
        if self.stamps.len() != cells {
            self.stamps.clear();
            self.stamps.resize(cells, 0);
            self.costs.resize(cells, 0);
            self.next.resize(cells, 0);
            self.generation = 0;
        }
        if self.generation == u32::MAX {
            self.stamps.fill(0);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// The least cost found so far from a cell to the goal.
    #[inline]
    pub(super) fn cost(&self, cell: u32) -> Option<u32> {
        let index = cell as usize;
        (self.stamps[index] == self.generation).then(|| self.costs[index])
    }

    /// The cell over which the cost of a visited cell was found; the goal itself at the goal.
    pub(super) fn next(&self, cell: u32) -> Option<u32> {
        self.cost(cell)?;
        Some(self.next[cell as usize])
    }

    /// Notes a cost if it is less than the one known, and queues the cell.
    #[inline]
    pub(super) fn improve(&mut self, cell: u32, cost: u32, next: u32, estimate: u64) {
        if self.cost(cell).is_none_or(|old| cost < old) {
            self.stamps[cell as usize] = self.generation;
            self.costs[cell as usize] = cost;
            self.next[cell as usize] = next;
            // Among equal estimates the cell nearest to the start comes first, then the lowest id.
            self.queue.push(Reverse((estimate, u32::MAX - cost, cell)));
        }
    }

    /// The queued cell with the least estimate that has not been improved since, with its cost and estimate.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32, u64)> {
        while let Some(Reverse((estimate, from_above, cell))) = self.queue.pop() {
            let cost = u32::MAX - from_above;
            if self.costs[cell as usize] == cost {
                return Some((cell, cost, estimate));
            }
        }
        None
    }

    /// Jumps to the last generation, so that a test can see what follows.
    #[cfg(test)]
    pub(super) const fn exhaust_generations(&mut self) {
        self.generation = u32::MAX;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_an_earlier_search_are_forgotten_even_when_the_generations_run_out() {
        let mut scratch = RouteScratch::new();
        for _ in 0..3 {
            scratch.begin(4);
            assert_eq!(scratch.cost(2), None);
            scratch.improve(2, 7, 3, 9);
            assert_eq!((scratch.cost(2), scratch.next(2)), (Some(7), Some(3)));
            assert_eq!(scratch.pop(), Some((2, 7, 9)));
            scratch.exhaust_generations();
        }
    }
}
