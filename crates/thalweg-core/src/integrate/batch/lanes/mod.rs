//! Up to 16 goal sets at once: the costs-to-goal of a cell for all of them are the lanes of one vector.
//!
//! On open ground a map is at its fixpoint after three or four sweeps of a few instructions a cell, whatever the goals are,
//! so a set costs a sixteenth of that. Where ways turn often (mazes) every turn is one more sweep; there a group gives up
//! after a bounded number of segments, and its sets are integrated one by one.

mod ground;
mod sweep;
mod write;

use crate::grid::CellId;
use crate::integrate::ResolvedGoals;
use crate::movement::{Movement, StepScale};
use fearless_simd::{Level, Simd, SimdBase, u32x16};
use ground::LaneGround;
use sweep::{Cut, RowNews, Sweeps};

/// How many goal sets are integrated at once where they are lanes: one vector of the widest kind.
pub const LANES: usize = 16;

/// The cost of cells that nothing has reached, where no limit is below it.
const NONE: u32 = (1 << 31) - 1;
/// Costs above this give up, unless they are beyond the caller's limit: one step more might look unreached.
const LARGEST: u32 = 1 << 30;

/// A group gives up when its segments were worked more often than this on average.
const SWEEPS: u64 = 40;

const _: () = {
    let dearest_step = 2 * 254 * StepScale::MAX_STRAIGHT;
    assert!(LARGEST + 2 * dearest_step < NONE);
};

/// What a cell costs in each lane.
#[derive(Clone, Copy, Debug)]
// One line of the cache, so that no cell lies in two.
#[repr(C, align(64))]
struct Lanes([u32; LANES]);

impl Lanes {
    #[inline(always)]
    fn load<V: Simd>(&self, simd: V) -> u32x16<V> {
        u32x16::load_array_ref(simd, &self.0)
    }

    #[inline(always)]
    fn store<V: Simd>(&mut self, lanes: u32x16<V>) {
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
}

/// What one worker reuses from group to group.
#[derive(Debug, Default)]
pub(super) struct LaneScratch {
    values: Vec<Lanes>,
    rows: Vec<RowNews>,
}

/// Integrates up to [`LANES`] goal sets into as many lists of values, where it leaves the unreached value in every cell above
/// `limit`. Returns how many cells were relaxed, a cell each time, or `None` if it gave up (a cost exceeds 2^30 although
/// `limit` is beyond, or another way is the better choice), or if there are no vectors; the values mean nothing then.
pub(super) fn run(
    ground: &Ground,
    group: &[&ResolvedGoals],
    limit: u32,
    level: Option<Level>,
    scratch: &mut LaneScratch,
    values: &mut [&mut [u32]],
) -> Option<u64> {
    let ground = &ground.0;
    let limit_is_ours = limit > LARGEST;
    let bias_of = |goals: &&ResolvedGoals| goals.seeds().iter().map(|seed| seed.bias).max();
    if limit_is_ours && group.iter().filter_map(bias_of).any(|bias| bias > LARGEST) {
        return None;
    }
    let unreached = if limit_is_ours { NONE } else { limit + 1 };
    let cut = Cut::of(ground.width);
    scratch.begin(ground, cut, group, unreached);
    let job = Job {
        ground,
        cut,
        unreached,
        largest: if limit_is_ours { LARGEST } else { u32::MAX },
        most: SWEEPS * (cut.count * ground.height) as u64,
    };
    with_vectors(level, &job, scratch, values)
}

impl LaneScratch {
    fn begin(&mut self, ground: &LaneGround, cut: Cut, group: &[&ResolvedGoals], unreached: u32) {
        let stride = ground.width + 2;
        self.values.clear();
        self.values
            .resize(stride * (ground.height + 2), Lanes([unreached; LANES]));
        self.rows.clear();
        self.rows.resize(ground.height, RowNews::default());
        for (lane, goals) in group.iter().enumerate().take(LANES) {
            for seed in goals.seeds() {
                let (column, row) = place(ground, seed.cell);
                let value = &mut self.values[(row + 1) * stride + column + 1].0[lane];
                if seed.bias < *value {
                    *value = seed.bias;
                    self.rows[row].seeded |= cut.bit(column);
                }
            }
        }
    }
}

fn place(ground: &LaneGround, cell: CellId) -> (usize, usize) {
    (cell.index() % ground.width, cell.index() / ground.width)
}

/// What does not change while a group is worked.
struct Job<'a> {
    ground: &'a LaneGround,
    cut: Cut,
    /// What cells hold that nothing has reached.
    unreached: u32,
    /// The largest cost that can be told from an unreached cell.
    largest: u32,
    /// So many segments at most.
    most: u64,
}

/// Runs a job with the vectors of a level, if it has any that pay.
fn with_vectors(
    level: Option<Level>,
    job: &Job<'_>,
    scratch: &mut LaneScratch,
    values: &mut [&mut [u32]],
) -> Option<u64> {
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
    None
}

impl Job<'_> {
    #[inline(always)]
    fn work<V: Simd>(&self, simd: V, scratch: &mut LaneScratch, values: &mut [&mut [u32]]) -> Option<u64> {
        let mut sweeps = Sweeps {
            simd,
            ground: self.ground,
            cut: self.cut,
            values: &mut scratch.values,
            rows: &mut scratch.rows,
            worked: 0,
        };
        let is_done = sweeps.run(self.most);
        let worked = sweeps.worked;
        let is_right = is_done && write::write_out(simd, self, &scratch.values, values);
        is_right.then(|| worked * (self.ground.width / self.cut.count) as u64)
    }
}
