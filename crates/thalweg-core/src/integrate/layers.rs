//! Breadth-first layers for maps whose passable cells all cost the same.
//!
//! All steps of one length then cost the same, and cells are settled in order of their cost, so the cells waiting for
//! a straight step come in order of cost by themselves, and those waiting for a diagonal step do too: each is a list
//! that is only appended to, cut into runs of one cost. The next layer is the cheapest run of either list. With four
//! neighbours this is plain breadth-first search. Seeds with starting costs are a third list.

use super::run_options::Pace;
use super::wave::{Best, Terrain};
use super::{IntegrateStats, Seed};
use crate::movement::ChargeRule;
use core::ops::Range;

/// The lists' storage.
#[derive(Debug, Default)]
pub(super) struct LayerQueues {
    /// Seeds, cells waiting for a straight step, cells waiting for a diagonal step.
    fronts: [Front; 3],
    /// Starting cost and cell of each seed, for sorting.
    seeds: Vec<(u32, u32)>,
}

const SEEDS: usize = 0;
const STRAIGHT: usize = 1;
const DIAGONAL: usize = 2;

/// Cells in order of the cost they wait for, cut into runs of one cost.
///
/// Cells that are done stay until the next field. Rejected: rings of `(cost, cell)` pairs, which are smaller but make
/// every single cell look at all fronts; with them layers took 1.3 times as long as buckets.
#[derive(Debug, Default)]
struct Front {
    /// Only the first `len` are valid.
    cells: Vec<u32>,
    len: usize,
    /// The cost of each run and the index of its last cell plus one; runs that are done are dropped now and then.
    runs: Vec<(u32, usize)>,
    next_run: usize,
    next_cell: usize,
    /// How many cells are in runs.
    closed: usize,
}

/// So many runs that are done are dropped at once. Few are waiting at any time, while a corridor or a fine step scale makes
/// a run for every other cell.
const DONE_RUNS: usize = 256;

/// The room of a list on a map of so many cells.
///
/// With one goal no cell waits twice for steps of one length: cells are settled in order of their cost, so the first sum is
/// the least. With several a cell may wait again for a lower goal at the same cost; twice the room was always enough on the
/// maps measured, and where it is not, lists grow. Rejected: lists that double when they are full, which held up to three
/// times as much.
pub(super) const fn front_cells(cells: usize, has_labels: bool) -> usize {
    if has_labels {
        2 * cells + WINDOW
    } else {
        cells + WINDOW
    }
}

/// The cells that a window shows.
const WINDOW: usize = 4;

impl Front {
    /// Empties it, with room for so many cells.
    fn clear(&mut self, room: usize) {
        if self.cells.len() < room {
            // Freed first, so that both are never there at once; and fresh zeros cost nothing until they are touched.
            self.cells = Vec::new();
            self.cells = vec![0; room];
        }
        self.len = 0;
        self.runs.clear();
        self.next_run = 0;
        self.next_cell = 0;
        self.closed = 0;
    }

    /// Room for four more cells.
    #[inline(always)]
    fn window(&mut self) -> &mut [u32; WINDOW] {
        if self.cells.len() < self.len + WINDOW {
            // Seeds, and cells that change from goal to goal at one cost.
            self.cells.resize(2 * self.len + 1024, 0);
        }
        self.cells[self.len..]
            .first_chunk_mut()
            .expect("room for more than four cells was made")
    }

    /// Makes a run of the cells appended since the last one.
    #[inline]
    fn close_run(&mut self, cost: u32) {
        let end = self.len;
        if self.closed < end {
            if self.next_run >= DONE_RUNS {
                self.runs.drain(..self.next_run);
                self.next_run = 0;
            }
            self.runs.push((cost, end));
            self.closed = end;
        }
    }

    #[inline]
    fn next_cost(&self) -> Option<u32> {
        self.runs.get(self.next_run).map(|run| run.0)
    }

    /// Takes the first run off if it has this cost: the indices of its cells.
    #[inline]
    fn take_run(&mut self, cost: u32) -> Range<usize> {
        match self.runs.get(self.next_run) {
            Some(&(run_cost, end)) if run_cost == cost => {
                self.next_run += 1;
                core::mem::replace(&mut self.next_cell, end)..end
            }
            _ => 0..0,
        }
    }
}

pub(super) fn run<const LABELS: bool, const OPEN: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    has_diagonals: bool,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queues: &mut LayerQueues,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
) {
    let [straight_step, diagonal_step] = terrain.flat_steps;
    let LayerQueues {
        fronts,
        seeds: sorted_seeds,
    } = queues;
    let cells = best.costs.len();
    let diagonals = if has_diagonals { cells } else { 0 };
    fronts[SEEDS].clear(0);
    fronts[STRAIGHT].clear(front_cells(cells, LABELS));
    fronts[DIAGONAL].clear(front_cells(diagonals, LABELS));
    sorted_seeds.clear();
    for seed in seeds {
        if seed.bias <= terrain.limit && best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
            sorted_seeds.push((seed.bias, seed.cell.0));
        }
    }
    sorted_seeds.sort_unstable();
    for same_cost in sorted_seeds.chunk_by(|a, b| a.0 == b.0) {
        for seed in same_cost {
            fronts[SEEDS].window()[0] = seed.1;
            fronts[SEEDS].len += 1;
        }
        fronts[SEEDS].close_run(same_cost[0].0);
    }
    while let Some(cost) = fronts.iter().filter_map(Front::next_cost).min() {
        if !pace.goes_on(cost, best.costs, stats.expanded) {
            return;
        }
        for which in [SEEDS, STRAIGHT, DIAGONAL] {
            for index in fronts[which].take_run(cost) {
                let cell = fronts[which].cells[index];
                if cost != best.costs[cell as usize] {
                    stats.stale += 1;
                    continue;
                }
                stats.expanded += 1;
                let [_, straight, diagonal] = &mut *fronts;
                let windows = [straight.window(), diagonal.window()];
                let found = terrain.relax_near::<LABELS, true, OPEN>(cell, cost, best, windows);
                straight.len += found[0];
                diagonal.len += found[1];
            }
        }
        // Empty runs are not made, so a sum that does not fit is never used.
        fronts[STRAIGHT].close_run(cost.saturating_add(straight_step));
        fronts[DIAGONAL].close_run(cost.saturating_add(diagonal_step));
    }
}
