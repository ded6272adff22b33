//! A build that is spread over many calls, by a budget of work per call.

use super::make::{Base, Made, Order, Way};
use super::status::{MakeError, Progress};
use crate::bundle::{BuildError, BuildScratch, FieldBundle, Parts};
use crate::bundle_repair::{BundleRepair, RepairError};
use std::sync::Arc;
use thalweg_core::flow::{ExtractOptions, SteppedExtraction};
use thalweg_core::integrate::{
    Engine, IntegrateError, IntegrateOptions, IntegrateStats, IntegrationField, ResolvedGoals, RunOptions,
    SteppedIntegration,
};
use thalweg_core::repair::RepairOptions;
use thalweg_core::workers::Workers;

/// What headings take, in units of work a cell: about thirty times all else. They are made in one piece.
const HEADING_WORK: u64 = 300;
/// What lengths take, in units of work a cell. They are made in one piece.
const LENGTH_WORK: u64 = 8;
/// What a repair takes for each cell it looks at, in units of work.
const REPAIR_WORK: u64 = 32;

/// A making that goes on by as much work per call as is allowed.
#[derive(Debug)]
pub(super) struct Steps {
    order: Box<Order>,
    stage: Stage,
    /// Work of the stages before this one.
    done: u64,
}

#[derive(Debug)]
enum Stage {
    Begun,
    Repairing(Box<BundleRepair>),
    Integrating {
        goals: ResolvedGoals,
        integration: Box<SteppedIntegration>,
    },
    Extracting {
        goals: ResolvedGoals,
        /// Shared with the extraction until that ends.
        integration: Arc<IntegrationField>,
        stats: IntegrateStats,
        extraction: Box<SteppedExtraction>,
    },
}

/// Where a step has led.
enum Step {
    /// The stage goes on, or the next one has begun.
    On(Stage),
    Failed(MakeError),
    Built(Arc<FieldBundle>, Way),
    /// It cannot be made in steps: it has been made in one go, or not.
    Whole,
}

impl Steps {
    pub(super) const fn begin(order: Box<Order>) -> Self {
        Self {
            order,
            stage: Stage::Begun,
            done: 0,
        }
    }

    pub(super) fn progress(&self) -> Progress {
        let cells = self.order.movement.grid().len() as u64;
        // What directions will take is told once they are begun: half a unit a cell on most maps.
        let (done, of) = match &self.stage {
            Stage::Begun => (0, 0),
            // It ends before, or is given up for a rebuild.
            Stage::Repairing(repair) => {
                let done = REPAIR_WORK * repair.work();
                (
                    done,
                    done.max(REPAIR_WORK * RepairOptions::work_worth(self.order.movement.grid().len())),
                )
            }
            Stage::Integrating { integration, .. } => {
                let progress = integration.progress();
                (progress.done, progress.of + cells / 2)
            }
            Stage::Extracting { extraction, .. } => {
                let progress = extraction.progress();
                (progress.done, progress.of)
            }
        };
        Progress {
            done: self.done + done,
            of: self.done + of + self.work_in_one_piece(),
        }
    }

    fn work_in_one_piece(&self) -> u64 {
        let options = &self.order.wanted.options;
        let headings = u64::from(options.headings.is_some()) * HEADING_WORK;
        let lengths = u64::from(options.lengths) * LENGTH_WORK;
        (headings + lengths) * self.order.movement.grid().len() as u64
    }

    /// Goes on by `budget` units of work and tells what was spent. With the last of them it hands out what was made.
    pub(super) fn advance(
        mut self: Box<Self>,
        budget: u64,
        workers: &dyn Workers,
        scratch: &mut BuildScratch,
    ) -> (u64, Result<Made, Box<Self>>) {
        let before = self.progress().done;
        let mut spent = 0;
        while spent < budget {
            let stage = core::mem::replace(&mut self.stage, Stage::Begun);
            match self.step(stage, budget - spent, scratch) {
                Step::On(stage) => {
                    self.stage = stage;
                    spent = self.progress().done - before;
                }
                Step::Failed(error) => {
                    return (self.done - before, Ok(self.made(Err(error), Way::Rebuilt)));
                }
                Step::Built(bundle, way) => {
                    let spent = self.done + self.work_in_one_piece() - before;
                    return (spent, Ok(self.made(Ok(bundle), way)));
                }
                Step::Whole => {
                    let run = RunOptions::new().with_workers(workers);
                    let made = self.order.make(&run, scratch);
                    let cells = |made: &Made| made.order.movement.grid().len() as u64;
                    let spent = made.as_ref().map_or(1, |made| 8 * cells(made));
                    return (spent, made.map_err(|order| Box::new(Self::begin(order))));
                }
            }
        }
        (spent, Err(self))
    }

    fn made(self, outcome: Result<Arc<FieldBundle>, MakeError>, way: Way) -> Made {
        Made {
            order: *self.order,
            outcome,
            way,
        }
    }

    fn step(&mut self, stage: Stage, budget: u64, scratch: &mut BuildScratch) -> Step {
        match stage {
            Stage::Begun => match self.order.base() {
                Some(base) => self.repair(base, scratch),
                None => self.integrate(),
            },
            Stage::Repairing(mut repair) => {
                let before = repair.work();
                let advanced = repair.advance((budget / REPAIR_WORK).max(1));
                match advanced {
                    Ok(false) => {
                        // A call that found nothing to look at is work too, or a budget would never end.
                        self.done += u64::from(repair.work() == before);
                        Step::On(Stage::Repairing(repair))
                    }
                    Ok(true) => {
                        self.done += REPAIR_WORK * repair.work();
                        match repair.finish(scratch) {
                            Ok((bundle, _)) => Step::Built(Arc::new(bundle), Way::Repaired),
                            Err(error) => Step::Failed(error.into()),
                        }
                    }
                    Err(_) => {
                        self.done += REPAIR_WORK * repair.work();
                        repair.give_up(scratch);
                        self.integrate()
                    }
                }
            }
            Stage::Integrating {
                goals,
                mut integration,
            } => match integration.advance(budget) {
                Err(error) => {
                    self.done += integration.progress().done;
                    Step::Failed(BuildError::from(error).into())
                }
                Ok(progress) if progress.is_finished => {
                    self.done += progress.done;
                    self.extract(goals, *integration)
                }
                Ok(_) => Step::On(Stage::Integrating { goals, integration }),
            },
            Stage::Extracting {
                goals,
                integration,
                stats,
                mut extraction,
            } => {
                let progress = extraction.advance(budget);
                if !progress.is_finished {
                    return Step::On(Stage::Extracting {
                        goals,
                        integration,
                        stats,
                        extraction,
                    });
                }
                self.done += progress.done;
                let flow = extraction.finish();
                let (movement, options) = (Arc::clone(&self.order.movement), &self.order.wanted.options);
                // Nobody else holds it any more.
                let integration = Arc::unwrap_or_clone(integration);
                let parts = Parts {
                    movement,
                    integration,
                    flow,
                    resolved: goals,
                    stats,
                };
                let built = parts.into_bundle(options, true, scratch);
                built.map_or_else(
                    |error| Step::Failed(error.into()),
                    |bundle| Step::Built(Arc::new(bundle), Way::Rebuilt),
                )
            }
        }
    }

    fn repair(&self, base: Base, scratch: &mut BuildScratch) -> Step {
        let begun = BundleRepair::begin(
            base.old,
            Arc::clone(&self.order.movement),
            base.changed,
            &self.order.wanted.goals,
            &RepairOptions::new(),
            core::mem::take(&mut scratch.repair),
        );
        match begun {
            Ok(repair) => Step::On(Stage::Repairing(Box::new(repair))),
            Err(RepairError::Build(error)) => Step::Failed(error.into()),
            Err(_) => self.integrate(),
        }
    }

    fn integrate(&self) -> Step {
        let (movement, wanted) = (&self.order.movement, &self.order.wanted);
        let goals = match wanted.goals.resolve(movement) {
            Ok(goals) => goals,
            Err(error) => return Step::Failed(BuildError::from(error).into()),
        };
        let mut options: IntegrateOptions = wanted.options.integrate;
        // An engine that was asked for by name and cannot run is the same error in every way of making a field.
        if options.engine != Engine::Auto && !options.engine.supports(movement) {
            return Step::Whole;
        }
        if let Some(limit) = &mut options.memory_limit {
            let beside = FieldBundle::estimate_beside(movement, &wanted.options);
            *limit = limit.saturating_sub(beside.total());
        }
        match SteppedIntegration::begin(Arc::clone(movement), goals.clone(), options) {
            Ok(integration) => Step::On(Stage::Integrating {
                goals,
                integration: Box::new(integration),
            }),
            // Another engine may do with less memory.
            Err(IntegrateError::MemoryLimit { .. }) => Step::Whole,
            Err(error) => Step::Failed(BuildError::from(error).into()),
        }
    }

    fn extract(&self, goals: ResolvedGoals, integration: SteppedIntegration) -> Step {
        let (integration, stats) = match integration.finish() {
            Ok(finished) => finished,
            Err(error) => return Step::Failed(BuildError::from(error).into()),
        };
        let integration = Arc::new(integration);
        let movement = Arc::clone(&self.order.movement);
        // The widest vectors are always there, and the field is of this movement; were it otherwise, it would be made in one
        // go.
        match SteppedExtraction::begin(movement, Arc::clone(&integration), ExtractOptions::new()) {
            Ok(extraction) => Step::On(Stage::Extracting {
                goals,
                integration,
                stats,
                extraction: Box::new(extraction),
            }),
            Err(_) => Step::Whole,
        }
    }
}
