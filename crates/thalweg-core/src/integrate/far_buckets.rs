//! Circular buckets for graphs with portals: steps go into the ring, edges that reach beyond it into a heap.
//!
//! A portal may cost a million steps; a ring for its cost would be mostly empty. The ring stays as long as the grid's own
//! steps need, and the few entries beyond it wait in a binary heap until the ring has come near enough.

use super::buckets::{BucketQueue, Waiting, is_to_rest};
use super::heap::HeapQueue;
use super::run_options::Pace;
use super::wave::{Best, Relax};
use super::{IntegrateStats, LOOK_AT_EDGES, Seed};
use core::cmp::Reverse;

/// Makes the queues ready for a map whose steps, portals left out, cost so much.
pub(super) fn begin(step_range: (u32, u32), queue: &mut BucketQueue, far: &mut HeapQueue) {
    queue.reset(step_range.0, step_range.1);
    // Seeds come first of all.
    queue.place.is_entering = true;
    far.clear();
}

/// Goes on with a wave that has begun, until [`work_done`](super::buckets::work_done) has come to `until`; what it does later does not depend on where it
/// rested. Returns whether it is over.
pub(super) fn advance<const LABELS: bool>(
    graph: &impl Relax,
    seeds: &[Seed],
    best: &mut Best<'_>,
    (queue, far): (&mut BucketQueue, &mut HeapQueue),
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
    until: u64,
) -> bool {
    let mut taken = core::mem::take(&mut queue.taken);
    let mut place = queue.place;
    let is_over = 'wave: loop {
        while let Some(seed) = seeds.get(place.next_seed) {
            if is_to_rest(stats, &place, LOOK_AT_EDGES, until) {
                break 'wave false;
            }
            if seed.bias <= graph.limit() && best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
                far.push(Reverse((seed.bias, seed.cell.0)));
            }
            place.next_seed += 1;
            place.moved += 1;
            if place.next_seed == seeds.len() {
                place.is_entering = false;
            }
        }
        if !place.is_entering {
            // Edges cheaper than a bucket is wide lead back into it: it is emptied until nothing new comes.
            loop {
                while let Some(&Waiting { cell, cost }) = taken.get(place.done) {
                    if is_to_rest(stats, &place, LOOK_AT_EDGES, until) {
                        break 'wave false;
                    }
                    place.done += 1;
                    if cost != best.costs[cell as usize] {
                        stats.stale += 1;
                        continue;
                    }
                    stats.expanded += 1;
                    graph.relax_into::<LABELS>(cell, cost, best, |from, sum, _| {
                        if queue.bucket_of(sum) - place.bucket < queue.ring_len() {
                            queue.push(from, sum);
                        } else {
                            far.push(Reverse((sum, from)));
                        }
                    });
                }
                taken.clear();
                place.done = 0;
                if !queue.take(place.bucket, &mut taken) {
                    break;
                }
                if !pace.goes_on(queue.first_cost_of(place.bucket), best.costs, stats.expanded) {
                    break 'wave true;
                }
            }
            let distance = queue.distance_to_occupied(place.bucket);
            let waiting = far.peek().map(|&Reverse((cost, _))| queue.bucket_of(cost));
            place.moved += u64::from(distance.unwrap_or(0) / 512);
            place.bucket = match (distance, waiting) {
                (None, None) => break true,
                (Some(distance), None) => place.bucket + distance,
                (None, Some(waiting)) => waiting,
                (Some(distance), Some(waiting)) => (place.bucket + distance).min(waiting),
            };
            stats.buckets += 1;
            place.is_entering = true;
        }
        while let Some(&Reverse((cost, cell))) = far.peek() {
            if queue.bucket_of(cost) != place.bucket {
                break;
            }
            if is_to_rest(stats, &place, LOOK_AT_EDGES, until) {
                break 'wave false;
            }
            far.pop();
            queue.push(cell, cost);
            place.moved += 1;
        }
        place.is_entering = false;
    };
    queue.place = place;
    queue.taken = taken;
    is_over
}
