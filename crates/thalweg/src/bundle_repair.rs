//! A bundle after an edit, from the bundle before it.

use crate::bundle::{BuildError, BuildScratch, FieldBundle, Parts};
use std::sync::Arc;
use thalweg_core::flow::{ChannelRepair, repair_headings, repair_lengths};
use thalweg_core::grid::CellId;
use thalweg_core::integrate::{GoalSet, IntegrateStats, ResolvedGoals, RunOptions};
use thalweg_core::movement::Movement;
use thalweg_core::repair::{Rebuild, Repair, RepairInput, RepairOptions, RepairScratch, RepairStats};
use thiserror::Error;

/// How a bundle came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Making {
    /// From the bundle before it.
    Repaired(RepairStats),
    /// From nothing, as far as the fields go.
    Rebuilt,
}

/// Why a bundle cannot be repaired; it can be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RepairError {
    /// It does not pay, or not this bundle.
    #[error(transparent)]
    Rebuild(#[from] Rebuild),
    /// The bundle answers only the cells that were asked for.
    #[error("the bundle was made for some cells only")]
    NotWhole,
    /// The goals do not fit the map, or a channel cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// The repair of a bundle, in steps: every call of [`Self::advance`] does a part of the work.
#[derive(Debug)]
pub struct BundleRepair {
    old: Arc<FieldBundle>,
    movement: Arc<Movement>,
    changed: Vec<CellId>,
    resolved: ResolvedGoals,
    repair: Repair,
}

impl BundleRepair {
    /// Begins to repair a bundle for the movement and the goals as they are now. `changed` are the cells that differ between
    /// the movement of the bundle and the new one ([`RepairInput::changed`]).
    ///
    /// # Errors
    /// [`RepairError::NotWhole`], [`BuildError::Goals`] if the goals do not fit the map, [`Rebuild::OtherMap`].
    pub fn begin(
        old: Arc<FieldBundle>,
        movement: Arc<Movement>,
        changed: Vec<CellId>,
        goals: &GoalSet,
        options: &RepairOptions,
        scratch: RepairScratch,
    ) -> Result<Self, RepairError> {
        if !old.is_whole() {
            return Err(RepairError::NotWhole);
        }
        let resolved = goals.resolve(&movement).map_err(BuildError::from)?;
        let options = options.with_cost_limit(old.options().integrate.cost_limit);
        let input = input_of(&old, &movement, &changed, &resolved);
        let repair = Repair::begin(&input, &options, scratch)?;
        Ok(Self {
            repair,
            old,
            movement,
            changed,
            resolved,
        })
    }

    /// Goes on for about `budget` cells looked at; tells whether the repair is done.
    ///
    /// # Errors
    /// [`Rebuild`]; then the repair is over.
    pub fn advance(&mut self, budget: u64) -> Result<bool, Rebuild> {
        let input = input_of(&self.old, &self.movement, &self.changed, &self.resolved);
        self.repair.advance(&input, budget)
    }

    /// How many cells it has looked at.
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.repair.work()
    }

    /// The bundle, once [`Self::advance`] said that the repair is done; the buffers go back to the scratch.
    ///
    /// # Errors
    /// [`BuildError::Headings`].
    pub fn finish(self, scratch: &mut BuildScratch) -> Result<(FieldBundle, RepairStats), BuildError> {
        let (repaired, used) = self.repair.end();
        let has_channels = self.old.headings().is_some() || self.old.lengths().is_some();
        let refreshed: Vec<CellId> = if has_channels {
            used.refreshed().collect()
        } else {
            Vec::new()
        };
        scratch.repair = used;
        let (old, movement) = (self.old, self.movement);
        let (mut limit, mut ground) = (None, Vec::new());
        if old.headings().is_some() {
            // Both are of one profile and map, or the repair would not have begun; were they not, nothing of the old would do.
            match movement.ground_change_since(old.movement()) {
                Ok(changed) => ground = changed,
                Err(_) => limit = Some(0),
            }
        }
        let (field, flow) = (&repaired.field, &repaired.flow);
        let mut channels = ChannelRepair::new(&movement, field, flow, &refreshed, &ground);
        channels.work_limit = limit;
        let headings = match (&old.options().headings, old.headings()) {
            (Some(options), Some(headings)) => {
                let mut headings = headings.clone();
                repair_headings(&channels, options, &mut scratch.headings, &mut headings)?;
                Some(headings)
            }
            _ => None,
        };
        let lengths = old.lengths().map(|lengths| {
            let mut lengths = lengths.clone();
            repair_lengths(&channels, &mut scratch.order, &mut lengths);
            lengths
        });
        let mut stats = IntegrateStats::default();
        stats.engine = old.stats().engine;
        stats.expanded = repaired.stats.work;
        let parts = Parts {
            movement: Arc::clone(&movement),
            integration: repaired.field,
            flow: repaired.flow,
            resolved: self.resolved,
            stats,
        };
        let bundle = parts.with_channels(headings, lengths, old.options(), true);
        Ok((bundle, repaired.stats))
    }

    /// Gives the repair up; the buffers go back to the scratch.
    pub fn give_up(self, scratch: &mut BuildScratch) {
        scratch.repair = self.repair.end().1;
    }
}

impl FieldBundle {
    /// The bundle of the same options for a changed movement or other goals, repaired where that pays, else built.
    ///
    /// Whichever it is, every channel holds the same bits. `changed` are the cells that differ between the movement of this
    /// bundle and the new one ([`RepairInput::changed`]).
    ///
    /// # Errors
    /// As [`Self::build_with`].
    pub fn remake(
        self: &Arc<Self>,
        movement: Arc<Movement>,
        changed: &[CellId],
        goals: &GoalSet,
        run: &RunOptions<'_>,
        scratch: &mut BuildScratch,
    ) -> Result<(Self, Making), BuildError> {
        let rebuild = |movement, scratch: &mut BuildScratch| {
            let built = Self::build_with(movement, goals, self.options(), run, scratch)?;
            Ok((built, Making::Rebuilt))
        };
        let begun = BundleRepair::begin(
            Arc::clone(self),
            Arc::clone(&movement),
            changed.to_vec(),
            goals,
            &RepairOptions::new(),
            core::mem::take(&mut scratch.repair),
        );
        let mut repair = match begun {
            Ok(repair) => repair,
            Err(RepairError::Build(error)) => return Err(error),
            Err(_) => return rebuild(movement, scratch),
        };
        if repair.advance(u64::MAX).is_ok() {
            let (bundle, stats) = repair.finish(scratch)?;
            return Ok((bundle, Making::Repaired(stats)));
        }
        repair.give_up(scratch);
        rebuild(movement, scratch)
    }
}

fn input_of<'a>(
    old: &'a FieldBundle,
    movement: &'a Movement,
    changed: &'a [CellId],
    resolved: &'a ResolvedGoals,
) -> RepairInput<'a> {
    RepairInput {
        field: old.integration(),
        flow: old.flow(),
        goals_before: old.resolved_goals(),
        movement,
        changed,
        goals: resolved,
    }
}
