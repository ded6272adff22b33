//! The making of a bundle: from the old one where that pays, else from nothing; in one go, or in steps.

use super::cache::{Outcome, Wanted};
use crate::bundle::{BuildError, BuildScratch, FieldBundle};
use crate::version::BundleVersions;
use std::sync::Arc;
use thalweg_core::integrate::{IntegrateError, RunOptions};
use thalweg_core::movement::Movement;

/// What is to be made. It never changes once the making has begun: what the map and the goals become meanwhile is for the
/// next order.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) movement: Arc<Movement>,
    pub(super) wanted: Wanted,
    /// What the bundle will belong to; its field version is told when it is published.
    pub(super) versions: BundleVersions,
    /// What the field has now, made for other costs or goals: what a repair starts from.
    #[expect(dead_code, reason = "until bundles are repaired")]
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
    /// Makes it in one go, by the fastest engine. Gives the order back if who watches ended it.
    pub(super) fn make(
        self: Box<Self>,
        run: &RunOptions<'_>,
        scratch: &mut BuildScratch,
    ) -> Result<Made, Box<Self>> {
        // The seam for repair: with `self.old` and the cells that changed since, decide here.
        let movement = Arc::clone(&self.movement);
        let built = FieldBundle::build_with(movement, &self.wanted.goals, &self.wanted.options, run, scratch);
        if matches!(built, Err(BuildError::Integrate(IntegrateError::Cancelled))) {
            return Err(self);
        }
        Ok(Made {
            outcome: built.map(Arc::new).map_err(Into::into),
            way: Way::Rebuilt,
            order: *self,
        })
    }
}
