//! Up to 32 goal sets at once: the costs-to-goal of a cell for all of them are the lanes of one vector.
//!
//! On open ground a map is at its fixpoint after three or four sweeps of a few instructions a cell, whatever the goals are,
//! so a set costs a thirty-second of that. Where ways turn often (mazes) every turn is one more sweep; there a group gives up
//! after a bounded number of segments, and its sets are integrated one by one.
//!
//! A lane has 16 bits and uses 15, which hold the costs of most maps that are small enough for lanes to pay (at 10/14 and
//! cost 1 some 2,300 cells of way). Where a cost is so large that one more step might not fit, the group gives up too.
//!
//! Rejected: lanes of 32 bits, which take twice the memory and twice the work a set, for costs that other engines do as well.
//! All 16 bits with saturating sums would hold twice the costs; at 64 × 64 they took up to 4 % longer.

mod ground;
mod sweep;
mod write;

use super::LANES;
use crate::integrate::ResolvedGoals;
use crate::movement::Movement;
use crate::vectors::Level;
use core::sync::atomic::Ordering;
use fearless_simd::{Simd, SimdBase, u16x32};
use ground::LaneGround;
use sweep::{Cut, RowNews, Sweeps};

/// The cost of cells that nothing has reached, where no limit is below it. It and any price fit 16 bits.
const NONE: u16 = (1 << 15) - 1;

/// A group gives up when its segments were worked more often than this on average. Open maps need 3, towns up to 5, every
/// fifth cell a wall 6 to 9; twelve take about as long as the sets of a full group one by one.
const SWEEPS: u64 = 12;

/// What a cell costs in each lane.
#[derive(Clone, Copy, Debug)]
// One line of the cache, so that no cell lies in two.
#[repr(C, align(64))]
struct Lanes([u16; LANES]);

impl Lanes {
    #[inline(always)]
    fn load<V: Simd>(&self, simd: V) -> u16x32<V> {
        u16x32::load_array_ref(simd, &self.0)
    }

    #[inline(always)]
    fn store<V: Simd>(&mut self, lanes: u16x32<V>) {
        lanes.store_array(&mut self.0);
    }
}

/// What the lanes of one map share: read once, used by every group and worker.
#[derive(Debug, Default)]
pub(super) struct Ground(LaneGround);

impl Ground {
    /// Reads a movement, unless it was the last one read. It must be plain.
    pub(super) fn read(&mut self, movement: &Movement) {
        self.0.read(movement);
    }

    /// Whether a group has given up on this movement, which is then the last one read.
    pub(super) fn has_failed(&self, movement: &Movement) -> bool {
        self.0.has_failed.load(Ordering::Relaxed) && self.0.is_of(movement)
    }
}

/// What one worker reuses from group to group.
#[derive(Debug, Default)]
pub(super) struct LaneScratch {
    values: Vec<Lanes>,
    rows: Vec<RowNews>,
}

/// Whether lanes can hold the steps of a movement, of which it must be one layer without portals or edge charges.
pub(super) fn fits(movement: &Movement) -> bool {
    movement.is_plain() && movement.largest_step() < u32::from(NONE)
}

/// Integrates up to [`LANES`] goal sets into as many lists of values, where it leaves the unreached value in every cell above
/// `limit`. `false` if it gave up (a cost is too large for lanes although not above `limit`, or it took too long), or if
/// there are no vectors; the values mean nothing then.
pub(super) fn run(
    movement: &Movement,
    ground: &Ground,
    group: &[&ResolvedGoals],
    limit: u32,
    level: Option<Level>,
    scratch: &mut LaneScratch,
    values: &mut [&mut [u32]],
) -> bool {
    let ground = &ground.0;
    // Beyond the caller's limit a cost may be lost, below it not.
    let caller_limit = u16::try_from(limit).ok().filter(|&limit| limit < NONE);
    let seeds = group.iter().flat_map(|goals| goals.seeds());
    if caller_limit.is_none() && seeds.clone().any(|seed| seed.bias >= u32::from(NONE)) {
        return false;
    }
    let unreached = caller_limit.map_or(NONE, |limit| limit + 1);
    let cut = Cut::of(ground.width);
    let job = Job {
        ground,
        cut,
        group,
        unreached,
        // A cost that is lost lies one step behind a cost above this.
        largest: match caller_limit {
            Some(_) => None,
            None => Some(
                NONE - 1 - u16::try_from(movement.largest_step()).map_or(NONE - 1, |step| step.min(NONE - 1)),
            ),
        },
        most: SWEEPS * (cut.count * ground.height) as u64,
    };
    let done = with_vectors(level, &job, scratch, values);
    if !done {
        ground.has_failed.store(true, Ordering::Relaxed);
    }
    done
}

impl LaneScratch {
    #[inline(always)]
    fn begin(&mut self, job: &Job<'_>) {
        let (width, height) = (job.ground.width, job.ground.height);
        let stride = width + 2;
        let none = Lanes([job.unreached; LANES]);
        self.values.resize(stride * (height + 2), none);
        self.values.fill(none);
        self.rows.clear();
        self.rows.resize(height, RowNews::default());
        for (lane, goals) in job.group.iter().enumerate().take(LANES) {
            for seed in goals.seeds() {
                let (column, row) = (seed.cell.index() % width, seed.cell.index() / width);
                let value = &mut self.values[(row + 1) * stride + column + 1].0[lane];
                let bias = u16::try_from(seed.bias).unwrap_or(NONE);
                if bias < *value {
                    *value = bias;
                    self.rows[row].seeded |= job.cut.bit(column);
                }
            }
        }
    }
}

/// What does not change while a group is worked.
struct Job<'a> {
    ground: &'a LaneGround,
    cut: Cut,
    group: &'a [&'a ResolvedGoals],
    /// What cells hold that nothing has reached.
    unreached: u16,
    /// The largest cost that hides no other, if costs may be lost.
    largest: Option<u16>,
    /// So many segments at most.
    most: u64,
}

/// Runs a job with the vectors of a level, if it has any that pay.
fn with_vectors(
    level: Option<Level>,
    job: &Job<'_>,
    scratch: &mut LaneScratch,
    values: &mut [&mut [u32]],
) -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(level) = level {
        if let Some(simd) = level.as_avx512() {
            return simd.vectorize(
                #[inline(always)]
                || job.work(simd, scratch, values),
            );
        }
        if let Some(simd) = level.as_avx2() {
            return simd.vectorize(
                #[inline(always)]
                || job.work(simd, scratch, values),
            );
        }
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(simd) = level.and_then(Level::as_neon) {
        return simd.vectorize(
            #[inline(always)]
            || job.work(simd, scratch, values),
        );
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(simd) = level.and_then(Level::as_wasm_simd128) {
        return simd.vectorize(
            #[inline(always)]
            || job.work(simd, scratch, values),
        );
    }
    let _ = (level, job, scratch, values);
    false
}

impl Job<'_> {
    #[inline(always)]
    fn work<V: Simd>(&self, simd: V, scratch: &mut LaneScratch, values: &mut [&mut [u32]]) -> bool {
        scratch.begin(self);
        let mut sweeps = Sweeps {
            simd,
            ground: self.ground,
            cut: self.cut,
            values: &mut scratch.values,
            rows: &mut scratch.rows,
            worked: 0,
        };
        let is_done = sweeps.run(self.most);
        is_done && write::write_out(simd, self, &scratch.values, values)
    }
}
