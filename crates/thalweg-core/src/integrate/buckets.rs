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
pub(super) struct Waiting {
    pub(super) cell: u32,
    pub(super) cost: u32,
}

/// Cells that are expanded before what they found is sorted into the ring: two simple loops instead of one with a loop
/// of unpredictable length inside. Between two batches a wave may rest.
pub(super) const BATCH: usize = 512;

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

/// Where a wave is between two batches. With the ring and the costs it is all that a wave needs to go on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) bucket: u32,
    /// Whether what comes to the bucket from outside the ring is still entering it.
    pub(super) is_entering: bool,
    /// The next seed in their order.
    pub(super) next_seed: usize,
    /// How much of what was taken out of the bucket is done.
    pub(super) done: usize,
    /// Seeds and far entries that have entered the ring, and 512 places each that were passed over on the way to an
    /// occupied one.
    pub(super) moved: u64,
}

/// What a wave has done by these counts where settling a cell takes so much, in [units of
/// work](super::SteppedIntegration#units-of-work).
#[inline(always)]
pub(super) const fn work_done(stats: &IntegrateStats, place: &Place, settling: u64) -> u64 {
    settling * stats.expanded + stats.stale + stats.buckets + place.moved
}

/// Whether a wave that is to rest once it has done so much has; one that runs to its end does not count.
#[inline(always)]
pub(super) const fn is_to_rest(stats: &IntegrateStats, place: &Place, settling: u64, until: u64) -> bool {
    until != u64::MAX && work_done(stats, place, settling) >= until
}

/// What settling a cell takes, in units of work.
pub(super) const SETTLING: u64 = 8;

/// A ring of buckets with a bitmap of the occupied ones.
#[derive(Debug, Default)]
pub(super) struct BucketQueue {
    ring: Vec<Vec<Waiting>>,
    occupied: Vec<u64>,
    shift: u32,
    /// Ring length minus one; the length is a power of two and at least 64.
    mask: u32,
    pub(super) place: Place,
    /// What was taken out of the bucket that is worked.
    pub(super) taken: Vec<Waiting>,
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
        self.place = Place::default();
        self.taken.clear();
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

    /// Moves what waits in a bucket to the empty `taken`. Returns whether there was anything; if not, the bucket is marked as
    /// empty.
    #[inline(always)]
    pub(super) fn take(&mut self, bucket: u32, taken: &mut Vec<Waiting>) -> bool {
        let slot = (bucket & self.mask) as usize;
        if self.ring[slot].is_empty() {
            self.retire(slot);
            return false;
        }
        core::mem::swap(taken, &mut self.ring[slot]);
        true
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

/// Makes the queue ready for the seeds and edges of a map. O(seeds), and sorts them.
pub(super) fn begin(edge_range: (u32, u32), seeds: &[Seed], limit: u32, queue: &mut BucketQueue) {
    queue.reset(edge_range.0, edge_range.1);
    let order = &mut queue.seed_order;
    order.clear();
    order.extend(
        (0u32..)
            .zip(seeds)
            .filter(|(_, seed)| seed.bias <= limit)
            .map(|(position, _)| position),
    );
    order.sort_by_key(|&position| seeds[position as usize].bias);
}

/// Which of the kernels relaxes a map: whether all passable cells cost the same, and whether hardly one of them lacks an exit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    pub(super) is_flat: bool,
    pub(super) is_open: bool,
}

/// [`advance`] with a kernel.
#[expect(
    clippy::too_many_arguments,
    reason = "what is relaxed, how, with what, into what, how far"
)]
pub(super) fn advance_with<const LABELS: bool, C: ChargeRule>(
    kernel: Kernel,
    terrain: &Terrain<'_, C>,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut BucketQueue,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
    until: u64,
) -> bool {
    // Called by name, not through one pointer: inlined, they keep the terrain in registers, worth a tenth.
    match (kernel.is_flat, kernel.is_open) {
        (true, true) => advance::<LABELS, true, true, C>(terrain, seeds, best, queue, pace, stats, until),
        (true, false) => advance::<LABELS, true, false, C>(terrain, seeds, best, queue, pace, stats, until),
        (false, _) => advance::<LABELS, false, false, C>(terrain, seeds, best, queue, pace, stats, until),
    }
}

/// Goes on with a wave that has begun, until [`work_done`] has come to `until`: it then rests before the next batch, and
/// what it does later does not depend on where it rested. Returns whether it is over.
fn advance<const LABELS: bool, const FLAT: bool, const OPEN: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut BucketQueue,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
    until: u64,
) -> bool {
    let order = core::mem::take(&mut queue.seed_order);
    let mut taken = core::mem::take(&mut queue.taken);
    let [mut straight, mut diagonal] = core::mem::take(&mut queue.found);
    straight.resize(4 * BATCH, 0);
    diagonal.resize(4 * BATCH, 0);
    let mut place = queue.place;
    let is_over = 'wave: loop {
        if !place.is_entering {
            // Edges of cost 0 lead back into the same bucket: it is emptied until nothing new comes.
            loop {
                while place.done < taken.len() {
                    if is_to_rest(stats, &place, SETTLING, until) {
                        break 'wave false;
                    }
                    let end = taken.len().min(place.done + BATCH);
                    let batch = &taken[place.done..end];
                    place.done = end;
                    let (mut straight_len, mut diagonal_len, mut stale) = (0, 0, 0);
                    for &Waiting { cell, cost } in batch {
                        if cost != best.costs[cell as usize] {
                            stale += 1;
                            continue;
                        }
                        debug_assert_eq!(
                            cost >> queue.shift,
                            place.bucket,
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
                place.done = 0;
                if !queue.take(place.bucket, &mut taken) {
                    break;
                }
                if !pace.goes_on(queue.first_cost_of(place.bucket), best.costs, stats.expanded) {
                    break 'wave true;
                }
            }
            // Seeds enter when the ring has come near enough to hold their starting cost without aliasing.
            let distance = queue.distance_to_occupied(place.bucket);
            let waiting_seed = order
                .get(place.next_seed)
                .map(|&position| seeds[position as usize].bias >> queue.shift);
            place.moved += u64::from(distance.unwrap_or(0) / 512);
            place.bucket = match (distance, waiting_seed) {
                (None, None) => break true,
                (Some(distance), None) => place.bucket + distance,
                (None, Some(seed_bucket)) => seed_bucket,
                (Some(distance), Some(seed_bucket)) => (place.bucket + distance).min(seed_bucket),
            };
            stats.buckets += 1;
            place.is_entering = true;
        }
        while let Some(&position) = order.get(place.next_seed) {
            let seed = seeds[position as usize];
            if seed.bias >> queue.shift != place.bucket {
                break;
            }
            if is_to_rest(stats, &place, SETTLING, until) {
                break 'wave false;
            }
            if best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
                queue.push(seed.cell.0, seed.bias);
            }
            place.next_seed += 1;
            place.moved += 1;
        }
        place.is_entering = false;
    };
    queue.place = place;
    queue.seed_order = order;
    queue.taken = taken;
    queue.found = [straight, diagonal];
    is_over
}
