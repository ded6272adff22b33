//! An integration that is spread over many calls: for who has a budget per tick and no threads to spare.
//!
//! Where the tile engine pays it does the work (`tiles/stepped`): one tile after the other, and it rests between two visits.
//! Elsewhere (mazes, slopes, processors without vectors, small maps), and where tiles give up, the wave is that of circular
//! buckets (`buckets`, and `far_buckets` over directed graphs), run by the same loop as ever, which rests between two batches.
//! A budget decides how many visits or batches a call makes, and never which come. What is around the wave (filling arrays,
//! what unreached cells mean, labels) is done in strips of cells.
//!
//! Rejected: labels in the wave of buckets. Each cell would be settled again for every goal that ties there, so no bound
//! could be told; spread afterwards, they take one look at each cell.

mod work;

use self::work::{Stage, Strip};
use super::buckets::{self, BucketQueue, Kernel};
use super::engine::{TILES_FROM, check_inputs, limit_of, step_range};
use super::far_buckets;
use super::field::UNREACHABLE;
use super::heap::HeapQueue;
use super::labels::{LabelFlood, Narrowing};
use super::run_options::Pace;
use super::sample::{is_maze_among, is_open_among};
use super::tiles::{LARGEST_VISIT, Packing, Standing, SteppedTiles, Task};
use super::unreached::{find_lost, is_cut, mark_cut_off, mark_unsurveyed_among, may_drop};
use super::wave::{Best, Edges, Terrain};
use super::{
    Engine, IntegrateError, IntegrateOptions, IntegrateStats, IntegrationField, ResolvedGoals, RunOptions,
    memory,
};
use crate::grid::CellId;
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, FlatGround, MeanCharge, Movement};
use crate::vectors::Level;
use core::fmt;
use std::sync::Arc;

/// What looking at the edges of a cell one by one takes, in units of work.
pub(crate) const LOOK_AT_EDGES: u64 = 64;

/// How far work in steps has come, in units of work.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// What has been done.
    pub done: u64,
    /// About how much it will have been at the end: exactly that once it is finished, never below `done` before.
    pub of: u64,
    /// Whether nothing is left to do.
    pub is_finished: bool,
}

impl Progress {
    pub(crate) const fn new(done: u64, expected: u64, is_finished: bool) -> Self {
        let of = if is_finished || expected < done {
            done
        } else {
            expected
        };
        Self {
            done,
            of,
            is_finished,
        }
    }
}

/// An integration that goes on by as much work per call as the caller allows, and ends in the bits of
/// [`integrate`](super::integrate).
///
/// It owns all it needs and may be dropped half-way. What it has done after some calls is a pure function of its inputs
/// and the sum of the budgets spent; the field, its labels and the counts at the end do not depend on budgets at all.
///
/// # Units of work
/// A unit is two to four nanoseconds of a present processor. These are counted:
///
/// | what | units |
/// | --- | --- |
/// | visiting a tile: row by row, and cell by cell in corridors or without vectors | 64, and 8 a row or cell relaxed |
/// | making a tile, writing it, its first visit | 64, 256, 256 |
/// | settling a cell by buckets; where edges are looked at one by one, because the graph is directed | 8; 64 |
/// | spreading a label from a cell, if goals were not told apart on the way | 64 |
/// | dropping a queue entry whose cell had become cheaper, opening a bucket, entering a goal cell | 1 |
/// | looking over four cells of an array in order: filling it, what is not surveyed, narrowing labels | 1 |
/// | putting 4,096 cells of the ground together, where the movement was made from another one | 512 |
/// | an unreached cell of a map on which costs exceeded the limit | 64 |
///
/// A call ends as soon as its budget is used up, or by less than [`Self::LARGEST_STEP`] later. A tile is not cut in two: that
/// none takes more is what maps have shown, not what can be proved; whatever the map, it is 1,024 cells relaxed to their
/// fixpoint. Not counted are: edges through portals beyond the first few of a cell; what [`Self::begin`] and
/// [`Self::finish`] do, and the first call after the arrays have been filled, which is O(goal cells and portals) with a
/// sort of them; and room for arrays that is asked of the system but not touched.
pub struct SteppedIntegration {
    movement: Arc<Movement>,
    goals: ResolvedGoals,
    options: IntegrateOptions,
    ground: FlatGround,
    level: Option<Level>,
    packing: Packing,
    /// Only while tiles are at it.
    tiles: Option<Box<SteppedTiles>>,
    takes_tiles: bool,
    are_labels_known: bool,
    kernel: Kernel,
    stage: Stage,
    /// Where the stage has got to, where it goes through the cells in order.
    at: usize,
    values: Vec<u32>,
    queue: BucketQueue,
    far: HeapQueue,
    stats: IntegrateStats,
    /// The first cell that was lost, see `unreached`.
    lost: Option<CellId>,
    /// The winning goal of each cell while they spread; empty for one goal.
    labels: Vec<u32>,
    flood: LabelFlood,
    narrowed: Narrowing,
    /// Work of the stages before this one, or before the last strip.
    work: u64,
    expected: u64,
    error: Option<IntegrateError>,
}

impl SteppedIntegration {
    /// A call does less than this beyond its budget, in units of work.
    pub const LARGEST_STEP: u64 = LARGEST_VISIT + 1024;

    /// Checks the inputs and asks for room; integrates nothing yet.
    ///
    /// The engine is tiles where they pay, and buckets elsewhere; one of these two that is asked for by name is taken wherever
    /// it can run, any other name means the same as [`Engine::Auto`]. Under a [memory
    /// limit](IntegrateOptions::memory_limit) that tiles would exceed it is buckets.
    ///
    /// # Errors
    /// As [`integrate`](super::integrate) does before it begins: [`IntegrateError::MemoryLimit`],
    /// [`IntegrateError::NoVectors`], [`IntegrateError::ForeignGoals`], [`IntegrateError::BlockedGoal`].
    pub fn begin(
        movement: Arc<Movement>,
        goals: ResolvedGoals,
        options: IntegrateOptions,
    ) -> Result<Self, IntegrateError> {
        memory::stepped_within(Engine::Buckets, &movement, &goals, &options)?;
        let level = check_inputs(&movement, &goals, Engine::Buckets, &options, &RunOptions::new())?;
        let packing = Packing::for_goals(goals.goal_count(), &movement).filter(|_| goals.goal_count() > 1);
        let (mut queue, mut far) = (BucketQueue::default(), HeapQueue::new());
        if movement.is_plain() {
            buckets::begin(
                step_range(&movement),
                goals.seeds(),
                limit_of(&options),
                &mut queue,
            );
        } else {
            far_buckets::begin(step_range(&movement), &mut queue, &mut far);
        }
        let cells = movement.grid().len();
        let several = goals.goal_count() > 1;
        Ok(Self {
            ground: FlatGround::default(),
            // Looked at once the ground is there in one piece.
            kernel: Kernel {
                is_flat: movement.uniform_cost().is_some(),
                is_open: false,
            },
            level,
            packing: packing.unwrap_or(Packing::COSTS),
            tiles: None,
            takes_tiles: false,
            are_labels_known: false,
            stage: Stage::Ground,
            at: 0,
            values: Vec::with_capacity(cells),
            queue,
            far,
            stats: IntegrateStats {
                engine: Engine::Buckets,
                ..IntegrateStats::default()
            },
            lost: None,
            labels: Vec::with_capacity(if several { cells } else { 0 }),
            flood: if several {
                LabelFlood::new(goals.seeds())
            } else {
                LabelFlood::default()
            },
            narrowed: Narrowing::new(goals.goal_count(), cells),
            work: 0,
            expected: Self::expected_work(&movement, &goals, &options),
            error: None,
            movement,
            goals,
            options,
        })
    }

    /// Goes on for a budget in [units of work](Self#units-of-work); 0 does nothing.
    ///
    /// # Errors
    /// [`IntegrateError::CostOverflow`], then and in every later call.
    pub fn advance(&mut self, budget: u64) -> Result<Progress, IntegrateError> {
        let until = self.done().saturating_add(budget);
        while self.error.is_none() && self.stage != Stage::Finished && self.done() < until {
            if let Err(error) = self.step(until) {
                self.error = Some(error);
            }
        }
        match &self.error {
            Some(error) => Err(error.clone()),
            None => Ok(self.progress()),
        }
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress::new(self.done(), self.expected, self.stage == Stage::Finished)
    }

    /// The field and what making it took. What is left to do is done first, in one go.
    ///
    /// # Errors
    /// [`IntegrateError::CostOverflow`].
    pub fn finish(mut self) -> Result<(IntegrationField, IntegrateStats), IntegrateError> {
        self.advance(u64::MAX)?;
        let labels = self.narrowed.finish();
        let field = IntegrationField::assembled(&self.movement, &self.goals, self.values, labels);
        Ok((field, self.stats))
    }

    fn settling(&self) -> u64 {
        work::settling(&self.movement)
    }

    fn done(&self) -> u64 {
        match self.stage {
            Stage::Wave => self.work + buckets::work_done(&self.stats, &self.queue.place, self.settling()),
            Stage::Tiles => self.work + self.tiles.as_ref().map_or(0, |tiles| tiles.work()),
            Stage::Spread => self.work + self.flood.work,
            _ => self.work,
        }
    }

    /// One strip of a stage, or as much of the wave or the labels as the budget allows.
    fn step(&mut self, until: u64) -> Result<(), IntegrateError> {
        let cells = self.movement.grid().len();
        let strip = Strip::at(self.at, cells, self.stage);
        match self.stage {
            Stage::Ground => {
                self.work += work::PAGE;
                if self.movement.flatten(&mut self.ground) {
                    self.kernel.is_open = self.kernel.is_flat && is_open_among(&self.movement, work::SAMPLE);
                    self.takes_tiles = self.do_tiles_pay();
                    self.enter(Stage::Room);
                }
                return Ok(());
            }
            Stage::Room => self.values.resize(strip.cells.end, UNREACHABLE),
            Stage::LabelRoom => {
                if self.goals.goal_count() < 2 {
                    self.begin_wave();
                    return Ok(());
                }
                self.labels.resize(strip.cells.end, u32::MAX);
                if strip.is_last {
                    self.work += strip.work;
                    self.begin_wave();
                    return Ok(());
                }
            }
            Stage::Tiles => {
                self.advance_tiles(until - self.work);
                return Ok(());
            }
            Stage::Wave => {
                if self.advance_wave(until - self.work) {
                    self.work = self.done();
                    self.enter(if may_drop(&self.movement, &self.goals, &self.options) {
                        Stage::Lost
                    } else {
                        Stage::Unsurveyed
                    });
                }
                return Ok(());
            }
            Stage::Lost => {
                let unreached = self.values[strip.cells.clone()].iter();
                let unreached = unreached.filter(|&&value| value == UNREACHABLE).count();
                self.work += LOOK_AT_EDGES * unreached as u64;
                self.lost = find_lost(&self.movement, &self.values, strip.cells.clone());
                if strip.is_last || self.lost.is_some() {
                    self.work += strip.work;
                    let Self {
                        movement,
                        goals,
                        options,
                        ..
                    } = &*self;
                    let is_cut = is_cut(movement, goals, options, &self.values, self.lost)?;
                    self.enter(if is_cut { Stage::CutOff } else { Stage::Unsurveyed });
                    return Ok(());
                }
            }
            Stage::CutOff => mark_cut_off(&self.movement, &mut self.values, strip.cells.clone()),
            Stage::Unsurveyed => {
                if !self.movement.has_unknown() {
                    self.after_costs();
                    return Ok(());
                }
                mark_unsurveyed_among(&self.movement, &mut self.values, strip.cells.clone());
                if strip.is_last {
                    self.work += strip.work;
                    self.after_costs();
                    return Ok(());
                }
            }
            Stage::Spread => {
                let seeds = self.goals.seeds();
                let (values, labels) = (&self.values, &mut self.labels);
                if (self.flood).advance(&self.movement, seeds, values, labels, until - self.work) {
                    self.work = self.done();
                    self.enter(Stage::Narrow);
                }
                return Ok(());
            }
            Stage::Narrow => {
                let cells = strip.cells.clone();
                self.narrowed
                    .extend(&self.labels[cells.clone()], &self.values[cells]);
            }
            Stage::Finished => return Ok(()),
        }
        self.work += strip.work;
        self.at = strip.cells.end;
        if strip.is_last {
            self.enter(self.stage.next());
        }
        Ok(())
    }

    /// Whether the tile engine is the better choice, and allowed.
    fn do_tiles_pay(&self) -> bool {
        let Self {
            movement,
            goals,
            options,
            ..
        } = self;
        let pays = match options.engine {
            Engine::Tiles => true,
            Engine::Buckets => false,
            _ => options.vectors.are_wide() && movement.grid().len() >= TILES_FROM,
        };
        pays && Engine::Tiles.supports(movement)
            && memory::stepped_within(Engine::Tiles, movement, goals, options).is_ok()
            && !is_maze_among(movement, work::SAMPLE)
    }

    fn begin_wave(&mut self) {
        if self.takes_tiles {
            self.tiles = Some(Box::new(SteppedTiles::begin(&self.task())));
            self.enter(Stage::Tiles);
        } else {
            self.enter(Stage::Wave);
        }
    }

    fn task(&self) -> Task<'_> {
        Task {
            movement: &self.movement,
            seeds: self.goals.seeds(),
            limit: limit_of(&self.options),
            level: self.level,
            packing: self.packing,
        }
    }

    fn advance_tiles(&mut self, until: u64) {
        let Some(mut tiles) = self.tiles.take() else {
            return self.enter(Stage::Wave);
        };
        let (mut values, mut labels) = (
            core::mem::take(&mut self.values),
            core::mem::take(&mut self.labels),
        );
        let is_packed = self.packing != Packing::COSTS;
        let told_apart = if is_packed { &mut labels[..] } else { &mut [] };
        let standing = tiles.advance(&self.task(), &mut values, told_apart, until);
        (self.values, self.labels) = (values, labels);
        match standing {
            Standing::Rests => self.tiles = Some(tiles),
            Standing::Done => {
                self.work += tiles.work();
                self.stats = IntegrateStats {
                    engine: Engine::Tiles,
                    ..tiles.stats()
                };
                self.are_labels_known = is_packed;
                // Where nothing was dropped no cell was lost.
                let is_lossy = tiles.dropped && may_drop(&self.movement, &self.goals, &self.options);
                self.enter(if is_lossy { Stage::Lost } else { Stage::Unsurveyed });
            }
            Standing::GaveUp => {
                self.work += tiles.work();
                self.enter(Stage::Wave);
            }
        }
    }

    /// Costs are finished; labels come next.
    fn after_costs(&mut self) {
        self.enter(match (self.goals.goal_count(), self.are_labels_known) {
            (0..=1, _) => Stage::Finished,
            (_, true) => Stage::Narrow,
            (_, false) => Stage::Spread,
        });
    }

    fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.at = 0;
    }

    fn advance_wave(&mut self, until: u64) -> bool {
        match self.movement.steps().charge() {
            _ if !self.movement.is_plain() => self.advance_over_edges(until),
            Charge::Depart => self.advance_plain::<DepartCharge>(until),
            Charge::Arrive => self.advance_plain::<ArriveCharge>(until),
            Charge::Mean => self.advance_plain::<MeanCharge>(until),
        }
    }

    fn advance_plain<C: ChargeRule>(&mut self, until: u64) -> bool {
        let terrain = Terrain::<'_, C>::of(&self.movement, limit_of(&self.options));
        let mut best = Best {
            costs: &mut self.values,
            labels: &mut [],
        };
        buckets::advance_with::<false, C>(
            self.kernel,
            &terrain,
            self.goals.seeds(),
            &mut best,
            &mut self.queue,
            &mut Pace::new(&self.movement, &RunOptions::new()),
            &mut self.stats,
            until,
        )
    }

    fn advance_over_edges(&mut self, until: u64) -> bool {
        let graph = Edges {
            movement: &self.movement,
            limit: limit_of(&self.options),
        };
        let mut best = Best {
            costs: &mut self.values,
            labels: &mut [],
        };
        far_buckets::advance::<false>(
            &graph,
            self.goals.seeds(),
            &mut best,
            (&mut self.queue, &mut self.far),
            &mut Pace::new(&self.movement, &RunOptions::new()),
            &mut self.stats,
            until,
        )
    }
}

impl fmt::Debug for SteppedIntegration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SteppedIntegration")
            .field("grid", self.movement.grid())
            .field("stage", &self.stage)
            .field("progress", &self.progress())
            .finish_non_exhaustive()
    }
}
