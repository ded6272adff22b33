//! Dial's circular buckets (R. Dial, CACM 1969), as wide as the smallest positive edge allows.
//!
//! With buckets no wider than the smallest positive edge, a cell in the lowest occupied bucket can only be improved by
//! edges of cost 0 (Dinitz's caliber argument), so a bucket may be emptied in any order. On terrain this needs 10 to
//! 30 times fewer buckets than one per unit. The width is a power of two, so that finding a bucket is a shift.
//!
//! Rejected: the fixed 362 buckets of one unit that circulate in articles on flow fields. They hold ⌈255·√2⌉ and are
//! right only without a step scale; with 10/14 the largest edge is 3,556 and numbers alias. Here the ring is made for
//! the largest edge of the map and checked.

use super::run_options::Pace;
use super::wave::{Best, Terrain};
use super::{IntegrateStats, Seed};
use crate::movement::ChargeRule;

/// One waiting cell with the cost it waits for; stale if the cell has become cheaper since.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    cell: u32,
    cost: u32,
}

/// Cells that are expanded before what they found is sorted into the ring: two simple loops instead of one with a loop
/// of unpredictable length inside.
const BATCH: usize = 512;

/// How many buckets the ring for such edges has.
pub(super) const fn ring_len(smallest: u32, largest: u32) -> u32 {
    let shift = if smallest > 1 { smallest.ilog2() } else { 0 };
    // From the first cost of the current bucket to the last that an edge can produce from it.
    let len = ((largest >> shift) + 2).next_power_of_two();
    if len < 64 { 64 } else { len }
}

#[inline(always)]
fn window(found: &mut [u32], first: usize) -> &mut [u32; 4] {
    found[first..]
        .first_chunk_mut()
        .expect("a batch finds at most four neighbours of a kind per cell")
}

/// A ring of buckets with a bitmap of the occupied ones.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    ring: Vec<Vec<Waiting>>,
    occupied: Vec<u64>,
    shift: u32,
    /// Ring length minus one; the length is a power of two and at least 64.
    mask: u32,
    taken: Vec<Waiting>,
    /// The storage of buckets that have been emptied. Without it every bucket of the ring would come to hold as much as the
    /// fullest one ever did, though only those that the longest edge reaches are in use at once.
    spare: Vec<Vec<Waiting>>,
    /// Neighbours that got better, by straight and by diagonal steps, before they are sorted into the ring.
    found: [Vec<u32>; 2],
    /// Seed positions in order of starting cost.
    seed_order: Vec<u32>,
}

impl BucketQueue {
    /// Sizes the ring for edges between `smallest` and `largest`: every cost that can wait at once has its own bucket.
    pub(super) fn reset(&mut self, smallest: u32, largest: u32) {
        self.shift = smallest.max(1).ilog2();
        let len = ring_len(smallest, largest);
        self.mask = len - 1;
        for bucket in &mut self.ring {
            bucket.clear();
            if bucket.capacity() > 0 {
                self.spare.push(core::mem::take(bucket));
            }
        }
        if self.ring.len() < len as usize {
            self.ring.resize_with(len as usize, Vec::new);
        }
        self.occupied.clear();
        self.occupied.resize(len as usize / 64, 0);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, cell: u32, cost: u32) {
        let slot = (cost >> self.shift) & self.mask;
        let bucket = &mut self.ring[slot as usize];
        if bucket.is_empty() {
            self.occupied[slot as usize / 64] |= 1 << (slot % 64);
            if bucket.capacity() == 0 {
                *bucket = self.spare.pop().unwrap_or_default();
            }
        }
        bucket.push(Waiting { cell, cost });
    }

    /// Marks a bucket as empty, which it is, and takes its storage for others.
    #[inline]
    fn retire(&mut self, slot: usize) {
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        if self.ring[slot].capacity() > 0 {
            self.spare.push(core::mem::take(&mut self.ring[slot]));
        }
    }

    /// The number of the bucket that holds a cost.
    #[inline]
    pub(super) const fn bucket_of(&self, cost: u32) -> u32 {
        cost >> self.shift
    }

    /// The least cost that a bucket can hold.
    #[inline]
    pub(super) const fn first_cost_of(&self, bucket: u32) -> u32 {
        bucket << self.shift
    }

    /// How many buckets in a row the ring can tell apart.
    pub(super) const fn ring_len(&self) -> u32 {
        self.mask + 1
    }

    /// Moves what waits in a bucket to `taken`, as cells and costs. Returns whether there was anything; if not, the
    /// bucket is marked as empty.
    pub(super) fn take(&mut self, bucket: u32, taken: &mut Vec<(u32, u32)>) -> bool {
        let slot = (bucket & self.mask) as usize;
        taken.clear();
        taken.extend(
            self.ring[slot]
                .drain(..)
                .map(|waiting| (waiting.cell, waiting.cost)),
        );
        if taken.is_empty() {
            self.retire(slot);
        }
        !taken.is_empty()
    }

    /// How many buckets on from `bucket` the next occupied one is, `bucket` itself included.
    #[inline]
    pub(super) fn distance_to_occupied(&self, bucket: u32) -> Option<u32> {
        let start = bucket & self.mask;
        let words = self.occupied.len();
        let first_word = start as usize / 64;
        // Bits below the start belong to the far end of the ring: they are looked at last.
        let rest = self.occupied[first_word] >> (start % 64);
        if rest != 0 {
            return Some(rest.trailing_zeros());
        }
        let mut distance = 64 - start % 64;
        for step in 1..=words {
            let word = self.occupied[(first_word + step) % words];
            if word != 0 {
                return Some(distance + word.trailing_zeros());
            }
            distance += 64;
        }
        None
    }
}

pub(super) fn run<const LABELS: bool, const FLAT: bool, const OPEN: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    edge_range: (u32, u32),
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut BucketQueue,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
) {
    queue.reset(edge_range.0, edge_range.1);
    let mut order = core::mem::take(&mut queue.seed_order);
    order.clear();
    order.extend(
        (0u32..)
            .zip(seeds)
            .filter(|(_, seed)| seed.bias <= terrain.limit)
            .map(|(position, _)| position),
    );
    order.sort_by_key(|&position| seeds[position as usize].bias);
    let mut taken = core::mem::take(&mut queue.taken);
    let [mut straight, mut diagonal] = core::mem::take(&mut queue.found);
    straight.resize(4 * BATCH, 0);
    diagonal.resize(4 * BATCH, 0);

    let mut next_seed = 0;
    let mut bucket = 0u32;
    'waves: loop {
        // Seeds enter when the ring has come near enough to hold their starting cost without aliasing.
        let occupied = queue
            .distance_to_occupied(bucket)
            .map(|distance| bucket + distance);
        let waiting_seed = order
            .get(next_seed)
            .map(|&position| seeds[position as usize].bias >> queue.shift);
        bucket = match (occupied, waiting_seed) {
            (None, None) => break,
            (Some(bucket), None) => bucket,
            (None, Some(seed_bucket)) => seed_bucket,
            (Some(bucket), Some(seed_bucket)) => bucket.min(seed_bucket),
        };
        while let Some(&position) = order.get(next_seed) {
            let seed = seeds[position as usize];
            if seed.bias >> queue.shift != bucket {
                break;
            }
            if best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
                queue.push(seed.cell.0, seed.bias);
            }
            next_seed += 1;
        }
        stats.buckets += 1;
        let slot = (bucket & queue.mask) as usize;
        // Edges of cost 0 lead back into the same bucket: it is emptied until nothing new comes.
        while !queue.ring[slot].is_empty() {
            if !pace.goes_on(queue.first_cost_of(bucket), best.costs, stats.expanded) {
                break 'waves;
            }
            core::mem::swap(&mut taken, &mut queue.ring[slot]);
            for batch in taken.chunks(BATCH) {
                let (mut straight_len, mut diagonal_len, mut stale) = (0, 0, 0);
                for &Waiting { cell, cost } in batch {
                    if cost != best.costs[cell as usize] {
                        stale += 1;
                        continue;
                    }
                    debug_assert_eq!(
                        cost >> queue.shift,
                        bucket,
                        "the ring is long enough that costs never alias"
                    );
                    let windows = [
                        window(&mut straight, straight_len),
                        window(&mut diagonal, diagonal_len),
                    ];
                    let found = terrain.relax_near::<LABELS, FLAT, OPEN>(cell, cost, best, windows);
                    straight_len += found[0];
                    diagonal_len += found[1];
                }
                // A cell found twice in a batch goes into the ring twice at its last cost, and is then expanded twice: it
                // is rare, and cheaper than to carry every cost along.
                for found in [&straight[..straight_len], &diagonal[..diagonal_len]] {
                    for &cell in found {
                        queue.push(cell, best.costs[cell as usize]);
                    }
                }
                stats.stale += stale;
                stats.expanded += batch.len() as u64 - stale;
            }
            taken.clear();
        }
        queue.retire(slot);
    }
    queue.seed_order = order;
    queue.taken = taken;
    queue.found = [straight, diagonal];
}
