//! Circular buckets for graphs with portals: steps go into the ring, edges that reach beyond it into a heap.
//!
//! A portal may cost a million steps; a ring for its cost would be mostly empty. The ring stays as long as the grid's own
//! steps need, and the few entries beyond it wait in a binary heap until the ring has come near enough.

use super::buckets::BucketQueue;
use super::heap::HeapQueue;
use super::run_options::Pace;
use super::wave::{Best, Relax};
use super::{IntegrateStats, Seed};
use core::cmp::Reverse;

pub(super) fn run<const LABELS: bool>(
    graph: &impl Relax,
    step_range: (u32, u32),
    seeds: &[Seed],
    best: &mut Best<'_>,
    (queue, far): (&mut BucketQueue, &mut HeapQueue),
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
) {
    queue.reset(step_range.0, step_range.1);
    far.clear();
    for seed in seeds {
        if seed.bias <= graph.limit() && best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
            far.push(Reverse((seed.bias, seed.cell.0)));
        }
    }
    let mut bucket = 0u32;
    let mut taken = Vec::new();
    loop {
        let near = queue
            .distance_to_occupied(bucket)
            .map(|distance| bucket + distance);
        let waiting = far.peek().map(|&Reverse((cost, _))| queue.bucket_of(cost));
        bucket = match (near, waiting) {
            (None, None) => break,
            (Some(bucket), None) | (None, Some(bucket)) => bucket,
            (Some(near), Some(waiting)) => near.min(waiting),
        };
        while let Some(&Reverse((cost, cell))) = far.peek() {
            if queue.bucket_of(cost) != bucket {
                break;
            }
            far.pop();
            queue.push(cell, cost);
        }
        stats.buckets += 1;
        // Edges cheaper than a bucket is wide lead back into it: it is emptied until nothing new comes.
        while queue.take(bucket, &mut taken) {
            if !pace.goes_on(queue.first_cost_of(bucket), best.costs, stats.expanded) {
                return;
            }
            for &(cell, cost) in &taken {
                if cost != best.costs[cell as usize] {
                    stats.stale += 1;
                    continue;
                }
                stats.expanded += 1;
                graph.relax_into::<LABELS>(cell, cost, best, |from, sum, _| {
                    if queue.bucket_of(sum) - bucket < queue.ring_len() {
                        queue.push(from, sum);
                    } else {
                        far.push(Reverse((sum, from)));
                    }
                });
            }
        }
    }
}
