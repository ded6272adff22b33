//! An integration that is spread over many calls: for who has a budget per tick and no threads to spare.
//!
//! The wave is that of circular buckets (`buckets`, and `far_buckets` over directed graphs), run by the same loop as ever. Between
//! two batches all that it needs to go on is in its queue and in the costs, so it rests there and nowhere else: a budget
//! decides how many batches a call makes, and never which come. What is around the wave (filling arrays, what unreached
//! cells mean, labels) is done in strips of cells.
//!
//! Rejected: resuming the tile engine, which is several times as fast on most maps. What one visit of a tile costs depends on how
//! the ways wind in it, it leaves mazes, steep ground and large costs to others half-way, and how often tiles are visited
//! cannot be told before; a budget per tick is there for the worst tick, and Dijkstra's order settles every cell once.
//! Rejected as well: labels in the wave. Each cell would be settled again for every goal that ties there, so no bound could be
//! told; spread afterwards, they take one look at each cell.

mod work;

use self::work::{Stage, Strip};
use super::buckets::{self, BucketQueue, Kernel};
use super::engine::{check_inputs, limit_of, step_range};
use super::far_buckets;
use super::field::UNREACHABLE;
use super::heap::HeapQueue;
use super::labels::{LabelFlood, Narrowing};
use super::run_options::Pace;
use super::sample::is_open_among;
use super::unreached::{find_lost, is_cut, mark_cut_off, mark_unsurveyed_among, may_drop};
use super::wave::{Best, Edges, Terrain};
use super::{
    Engine, IntegrateError, IntegrateOptions, IntegrateStats, IntegrationField, ResolvedGoals, RunOptions,
    memory,
};
use crate::grid::CellId;
use crate::movement::{ArriveCharge, Charge, ChargeRule, DepartCharge, FlatGround, MeanCharge, Movement};
use core::fmt;
use std::sync::Arc;

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
/// A unit is about two nanoseconds of a present processor. These are counted:
///
/// | what | units |
/// | --- | --- |
/// | settling a cell, that is looking at all edges into it; spreading a label from a cell | 8 |
/// | dropping a queue entry whose cell had become cheaper, opening a bucket, entering a goal cell | 1 |
/// | looking over four cells of an array in order: filling it, what is not surveyed, narrowing labels | 1 |
/// | putting 4,096 cells of the ground together, where the movement was made from another one | 512 |
/// | an unreached cell of a map on which costs may exceed the limit | 8 |
///
/// A call ends as soon as its budget is used up, or by less than [`Self::LARGEST_STEP`] later. Not counted are: edges
/// through portals beyond the first few of a cell; what [`Self::begin`] and [`Self::finish`] do, which is O(goal cells) with
/// a sort of them, and room for arrays that is asked of the system but not touched.
pub struct SteppedIntegration {
    movement: Arc<Movement>,
    goals: ResolvedGoals,
    options: IntegrateOptions,
    ground: FlatGround,
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
    pub const LARGEST_STEP: u64 = 8 * buckets::BATCH as u64 + 256;

    /// Checks the inputs and asks for room; integrates nothing yet.
    ///
    /// The engine is always buckets, whatever the options name: the answer does not depend on it. Under a
    /// [memory limit](IntegrateOptions::memory_limit) it is what buckets take that is compared.
    ///
    /// # Errors
    /// As [`integrate`](super::integrate) does before it begins: [`IntegrateError::MemoryLimit`],
    /// [`IntegrateError::NoVectors`], [`IntegrateError::ForeignGoals`], [`IntegrateError::BlockedGoal`].
    pub fn begin(
        movement: Arc<Movement>,
        goals: ResolvedGoals,
        options: IntegrateOptions,
    ) -> Result<Self, IntegrateError> {
        memory::stepped_within(&movement, &goals, &options)?;
        check_inputs(&movement, &goals, Engine::Buckets, &options, &RunOptions::new())?;
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

    fn done(&self) -> u64 {
        match self.stage {
            Stage::Wave => self.work + buckets::work_done(&self.stats, &self.queue.place),
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
                    self.enter(Stage::Room);
                }
                return Ok(());
            }
            Stage::Room => self.values.resize(strip.cells.end, UNREACHABLE),
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
                self.work += 8 * unreached as u64;
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
                    self.enter(Stage::LabelRoom);
                    return Ok(());
                }
                mark_unsurveyed_among(&self.movement, &mut self.values, strip.cells.clone());
            }
            Stage::LabelRoom => {
                if self.goals.goal_count() < 2 {
                    self.enter(Stage::Finished);
                    return Ok(());
                }
                self.labels.resize(strip.cells.end, u32::MAX);
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
