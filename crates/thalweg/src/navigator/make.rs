//! The making of a bundle: from the old one where that pays, else from nothing; in one go, or in steps.

use super::cache::{Outcome, Wanted};
use crate::bundle::{BuildError, BuildScratch, FieldBundle};
use crate::bundle_repair::Making;
use crate::version::BundleVersions;
use std::sync::Arc;
use thalweg_core::grid::CellId;
use thalweg_core::integrate::{Engine, IntegrateError, RunOptions};
use thalweg_core::movement::Movement;
use thalweg_core::repair::RepairOptions;

/// What is to be made. It never changes once the making has begun: what the map and the goals become meanwhile is for the
/// next order.
#[derive(Clone, Debug)]
pub(super) struct Order {
    pub(super) movement: Arc<Movement>,
    pub(super) wanted: Wanted,
    /// What the bundle will belong to; its field version is told when it is published.
    pub(super) versions: BundleVersions,
    /// What the field has now, made for other costs or goals: what a repair starts from.
    pub(super) old: Option<Arc<FieldBundle>>,
}

/// How a bundle was made, for the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Rebuilt,
    Repaired,
}

/// What an order came to.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) order: Order,
    pub(super) outcome: Outcome,
    pub(super) way: Way,
}

/// What a repair starts from.
pub(super) struct Base {
    pub(super) old: Arc<FieldBundle>,
    /// The cells that differ between its movement and the new one.
    pub(super) changed: Vec<CellId>,
}

impl Order {
    /// Whether a repair is tried, and from what. Whether it pays is seen on the way: it gives up for a rebuild.
    ///
    /// Reuse is decided before: whoever has the bundle of these very goals and this movement orders nothing.
    pub(super) fn base(&self) -> Option<Base> {
        let integrate = &self.wanted.options.integrate;
        // A build would refuse what a repair does not look at: an engine that cannot run on the new costs, too little memory.
        // One and the same order must not fail or not depending on what was there before.
        let is_refused = (integrate.engine != Engine::Auto && !integrate.engine.supports(&self.movement))
            || integrate.memory_limit.is_some();
        let old = self.old.as_ref().filter(|_| !is_refused)?;
        // Fails if the profile has become another one.
        let worth = RepairOptions::work_worth(self.movement.grid().len());
        let few = usize::try_from(worth).unwrap_or(usize::MAX);
        let change = self.movement.few_changes_since(old.movement(), few).ok()??;
        Some(Base {
            old: Arc::clone(old),
            changed: change.cells,
        })
    }

    /// Makes it in one go: repaired where that pays, else by the fastest engine. Gives the order back if who watches ended it.
    pub(super) fn make(
        self: Box<Self>,
        run: &RunOptions<'_>,
        scratch: &mut BuildScratch,
    ) -> Result<Made, Box<Self>> {
        let (movement, goals) = (Arc::clone(&self.movement), &self.wanted.goals);
        let made = match self.base() {
            Some(Base { old, changed }) => old.remake(movement, &changed, goals, run, scratch),
            None => FieldBundle::build_with(movement, goals, &self.wanted.options, run, scratch)
                .map(|bundle| (bundle, Making::Rebuilt)),
        };
        if matches!(made, Err(BuildError::Integrate(IntegrateError::Cancelled))) {
            return Err(self);
        }
        let way = match &made {
            Ok((_, Making::Repaired(_))) => Way::Repaired,
            _ => Way::Rebuilt,
        };
        Ok(Made {
            outcome: made.map(|(bundle, _)| Arc::new(bundle)).map_err(Into::into),
            way,
            order: *self,
        })
    }
}
