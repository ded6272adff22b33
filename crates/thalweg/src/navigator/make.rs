//! The making of a bundle: from the old one where that pays, else from nothing; in one go, or in steps.

use super::cache::{Outcome, Wanted};
use super::status::Progress;
use crate::bundle::{BuildError, BuildScratch, FieldBundle};
use crate::version::BundleVersions;
use std::sync::Arc;
use thalweg_core::integrate::{IntegrateError, RunOptions};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Workers;

/// What is to be made. It never changes once the making has begun: what the map and the goals become meanwhile is for the
/// next order.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) movement: Arc<Movement>,
    pub(super) wanted: Wanted,
    /// What the bundle will belong to; its field version is told when it is published.
    pub(super) versions: BundleVersions,
    /// What the field has now, made for other costs or goals.
    pub(super) old: Option<Arc<FieldBundle>>,
}

/// How a bundle was made, for the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Rebuilt,
    #[expect(dead_code, reason = "until bundles are repaired")]
    Repaired,
}

/// What an order came to.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) order: Order,
    pub(super) outcome: Outcome,
    pub(super) way: Way,
}

impl Order {
    /// About how much work it is, in units.
    fn expected_work(&self) -> u64 {
        3 * self.movement.grid().len() as u64
    }

    /// Makes it in one go, by the fastest engine. Gives the order back if who watches ended it.
    pub(super) fn make(self, run: &RunOptions<'_>, scratch: &mut BuildScratch) -> Result<Made, Self> {
        // The seam for repair: with `self.old` and the cells that changed since, decide here.
        let movement = Arc::clone(&self.movement);
        let built = FieldBundle::build_with(movement, &self.wanted.goals, &self.wanted.options, run, scratch);
        if matches!(built, Err(BuildError::Integrate(IntegrateError::Cancelled))) {
            return Err(self);
        }
        Ok(Made {
            outcome: built.map(Arc::new).map_err(Into::into),
            way: Way::Rebuilt,
            order: self,
        })
    }
}

/// A making that goes on by as much work per call as is allowed.
#[derive(Debug)]
pub(super) struct Steps {
    order: Order,
    done: u64,
}

impl Steps {
    pub(super) const fn begin(order: Order) -> Self {
        Self { order, done: 0 }
    }

    pub(super) fn progress(&self) -> Progress {
        Progress {
            done: self.done,
            of: self.order.expected_work(),
        }
    }

    /// Goes on by `budget` units of work and tells what was spent. With the last of them it hands out what was made.
    pub(super) fn advance(
        mut self: Box<Self>,
        budget: u64,
        workers: &dyn Workers,
        scratch: &mut BuildScratch,
    ) -> (u64, Result<Made, Box<Self>>) {
        let spent = budget.min(self.order.expected_work() - self.done);
        self.done += spent;
        if self.done < self.order.expected_work() {
            return (spent, Err(self));
        }
        let run = RunOptions::new().with_workers(workers);
        let done = self.done;
        let made = self.order.make(&run, scratch);
        (spent, made.map_err(|order| Box::new(Self { order, done })))
    }
}
