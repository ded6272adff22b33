//! The entry point of a batch: spreads its parts over the workers.

use super::lanes::{self, Ground, LaneScratch};
use super::plan::Plan;
use super::{BatchError, BatchFailure, BatchOptions, BatchStats};
use crate::integrate::engine::limit_of;
use crate::integrate::labels::flood_labels;
use crate::integrate::unreached::{mark_unsurveyed, settle_unreached};
use crate::integrate::{
    GoalLabels, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField, MAX_COST_TO_GOAL,
    ResolvedGoals, UNKNOWN, integrate_on,
};
use crate::movement::Movement;
use crate::workers::{Serial, Workers};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Buffers that batches reuse from call to call; nothing in them carries over into a result. For every worker that has had
/// something to do: those of [`IntegrateScratch`], and 64 bytes per cell of the map once lanes have been used; for all
/// together 2 bytes per cell (32 where the cell entered pays and costs differ).
#[derive(Debug, Default)]
pub struct BatchScratch {
    ground: Ground,
    hands: Vec<Mutex<Hand>>,
}

impl BatchScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// What one worker uses.
#[derive(Debug, Default)]
struct Hand {
    integrate: IntegrateScratch,
    lanes: LaneScratch,
    labels: Vec<u32>,
}

/// One goal set and where its field goes.
struct Job<'a> {
    set: usize,
    goals: &'a ResolvedGoals,
    out: &'a mut IntegrationField,
}

/// What a worker takes at a time.
enum Part<'a> {
    Group(Vec<Job<'a>>),
    Single(Job<'a>),
}

/// Computes the cost-to-goal of every cell for every goal set into `out`, which is made as long as `goal_sets`; fields that
/// it has already are reused.
///
/// Field `i` has the bits of [`integrate`](crate::integrate::integrate) for goal set `i`, whatever the method, the vectors and
/// the number of workers. Goal sets, or groups of [`LANES`](super::LANES) of them, are spread over the workers, which need one
/// [`IntegrateScratch`] each (kept in `scratch`); a batch of one goal set is left to [`integrate_on`] with all of them.
///
/// # Errors
/// [`BatchError`] names every goal set that failed, with the error that `integrate` gives for it. Only the fields of these
/// hold nothing; all others are finished.
pub fn integrate_batch(
    movement: &Movement,
    goal_sets: &[ResolvedGoals],
    options: &BatchOptions,
    workers: &dyn Workers,
    scratch: &mut BatchScratch,
    out: &mut Vec<IntegrationField>,
) -> Result<BatchStats, BatchError> {
    out.resize_with(goal_sets.len(), || IntegrationField::new(movement.grid().clone()));
    let lanes_failed = scratch.ground.has_failed(movement);
    let plan = Plan::new(movement, goal_sets, options, workers.threads(), lanes_failed);
    if !plan.groups.is_empty() {
        scratch.ground.read(movement);
    }
    let mut jobs: Vec<Option<Job<'_>>> = goal_sets
        .iter()
        .zip(out)
        .enumerate()
        .map(|(set, (goals, out))| Some(Job { set, goals, out }))
        .collect();
    let mut take = |set: usize| jobs[set].take();
    // The last is taken first: groups take longest.
    let singles = plan.singles.iter().rev().filter_map(|&set| take(set));
    let mut parts: Vec<Part<'_>> = singles.map(Part::Single).collect();
    let groups = plan.groups.iter().rev();
    parts.extend(groups.map(|group| Part::Group(group.iter().filter_map(|&set| take(set)).collect())));

    let tasks = workers.threads().clamp(1, parts.len().max(1));
    if scratch.hands.len() < tasks {
        scratch.hands.resize_with(tasks, Mutex::default);
    }
    let is_alone = parts.len() == 1;
    let batch = Batch {
        movement,
        options: &options.integrate,
        ground: &scratch.ground,
        inner: if is_alone { workers } else { &Serial },
        parts: Mutex::new(parts),
        outcome: Mutex::default(),
    };
    if tasks == 1 {
        batch.work(&mut lock(&scratch.hands[0]));
    } else {
        workers.run(tasks, &|task| batch.work(&mut lock(&scratch.hands[task])));
    }
    let outcome = batch.outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
    BatchError::of(outcome.failures).map_or(Ok(outcome.stats), Err)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked passes the panic on through the pool; what it left is not read again.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug, Default)]
struct Outcome {
    stats: BatchStats,
    failures: Vec<BatchFailure>,
}

/// A batch that is being worked.
struct Batch<'a> {
    movement: &'a Movement,
    options: &'a IntegrateOptions,
    ground: &'a Ground,
    /// Who works on one goal set.
    inner: &'a dyn Workers,
    parts: Mutex<Vec<Part<'a>>>,
    outcome: Mutex<Outcome>,
}

impl<'a> Batch<'a> {
    /// Takes parts until none is left.
    fn work(&self, hand: &mut Hand) {
        loop {
            // Not held while a part is worked.
            let part = lock(&self.parts).pop();
            match part {
                None => return,
                Some(Part::Single(job)) => self.work_single(job, hand),
                Some(Part::Group(jobs)) => self.work_group(jobs, hand),
            }
        }
    }

    fn work_single(&self, job: Job<'a>, hand: &mut Hand) {
        let scratch = &mut hand.integrate;
        let result = integrate_on(
            self.movement,
            job.goals,
            self.options,
            self.inner,
            scratch,
            job.out,
        );
        let mut outcome = lock(&self.outcome);
        outcome.stats.one_by_one += 1;
        if let Err(error) = result {
            outcome.failures.push(BatchFailure { set: job.set, error });
        }
    }

    fn work_group(&self, mut jobs: Vec<Job<'a>>, hand: &mut Hand) {
        let movement = self.movement;
        let options = self.options;
        let (mut goals, mut values) = (Vec::new(), Vec::new());
        for job in &mut jobs {
            job.out.begin(movement);
            // Every value is written, or none is read.
            let costs = job.out.values.restart();
            costs.resize(movement.grid().len(), UNKNOWN);
            goals.push(job.goals);
            values.push(costs.as_mut_slice());
        }
        let level = options.vectors.level().flatten();
        let scratch = &mut hand.lanes;
        let done = lanes::run(
            movement,
            self.ground,
            &goals,
            limit_of(options),
            level,
            scratch,
            &mut values,
        );
        if !done {
            lock(&self.outcome).stats.gave_up += jobs.len();
            // Back to where others can take them.
            lock(&self.parts).extend(jobs.into_iter().rev().map(Part::Single));
            return;
        }
        for job in jobs {
            let result = self.finish(job.goals, job.out, &mut hand.labels);
            let mut outcome = lock(&self.outcome);
            outcome.stats.in_lanes += 1;
            if let Err(error) = result {
                outcome.failures.push(BatchFailure { set: job.set, error });
            }
        }
    }

    /// From costs to a field: what unreached cells mean, which goal won, where agents arrive.
    fn finish(
        &self,
        goals: &ResolvedGoals,
        out: &mut IntegrationField,
        labels: &mut Vec<u32>,
    ) -> Result<(), IntegrateError> {
        let settled = settle_unreached(self.movement, goals, self.options, out.raw_mut());
        if let Err(error) = settled {
            out.raw_mut().fill(UNKNOWN);
            return Err(error);
        }
        mark_unsurveyed(self.movement, out.raw_mut());
        out.keep_sinks(goals);
        if goals.goal_count() > 1 {
            labels.clear();
            labels.resize(out.values.len(), u32::MAX);
            let values = out.values.flat();
            flood_labels(self.movement, goals.seeds(), values, labels);
            let reached = |index: usize| values[index] <= MAX_COST_TO_GOAL;
            out.labels = GoalLabels::narrowed(labels, reached, goals.goal_count());
        }
        Ok(())
    }
}
