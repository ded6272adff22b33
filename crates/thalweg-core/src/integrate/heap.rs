//! Dijkstra's algorithm (1959) with a binary heap: slow, plain, and the oracle of every other engine.

use super::run_options::Pace;
use super::wave::{Best, Relax};
use super::{IntegrateStats, Seed};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// The heap's storage.
pub(super) type HeapQueue = BinaryHeap<Reverse<(u32, u32)>>;

/// Empties the queue and puts the seeds into it.
pub(super) fn begin<const LABELS: bool>(
    graph: &impl Relax,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut HeapQueue,
) {
    queue.clear();
    for seed in seeds {
        if seed.bias <= graph.limit() && best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
            queue.push(Reverse((seed.bias, seed.cell.0)));
        }
    }
}

pub(super) fn run<const LABELS: bool>(
    graph: &impl Relax,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut HeapQueue,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
) {
    begin::<LABELS>(graph, seeds, best, queue);
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if cost != best.costs[cell as usize] {
            stats.stale += 1;
            continue;
        }
        if !pace.goes_on(cost, best.costs, stats.expanded) {
            return;
        }
        stats.expanded += 1;
        graph.relax_into::<LABELS>(cell, cost, best, |from, sum, _| queue.push(Reverse((sum, from))));
    }
}
