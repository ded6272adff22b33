//! A field bundle: everything agents read about one goal set and one movement profile, made together and immutable.

use crate::publish::HeldBytes;
use std::sync::Arc;
use thalweg_core::cost::CostVersion;
use thalweg_core::flow::{
    FlowField, FlowScratch, Guidance, HeadingError, HeadingField, HeadingOptions, HeadingScratch,
    LengthField, OrderScratch, estimate_heading_memory, estimate_length_memory,
    estimate_memory as estimate_direction_memory, extract, look_ahead, measure_lengths,
};
use thalweg_core::grid::{Cell, Direction, DirectionSet, Grid};
use thalweg_core::integrate::{
    CostToGoal, Engine, GoalError, GoalReport, GoalSet, IntegrateError, IntegrateEstimate, IntegrateOptions,
    IntegrateScratch, IntegrateStats, IntegrationField, Reach, ResolvedGoals, RunOptions, estimate_memory,
    integrate_with,
};
use thalweg_core::memory::{Bytes, MemoryEstimate};
use thalweg_core::movement::{Movement, PortalIndex};
use thalweg_core::repair::RepairScratch;
use thalweg_core::workers::Workers;
use thalweg_crowd::Steering;
use thiserror::Error;

/// Why a bundle cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The goals do not fit the map.
    #[error(transparent)]
    Goals(#[from] GoalError),
    /// The integration failed.
    #[error(transparent)]
    Integrate(#[from] IntegrateError),
    /// The build would take more memory than the options allow. None of it has been allocated.
    #[error("building the field by engine {} takes {}, above the memory limit of {limit}", .estimate.engine, .estimate.memory)]
    MemoryLimit {
        /// What it takes, by the engine asked for, or the leanest of those that can run.
        estimate: IntegrateEstimate,
        /// What the options allow.
        limit: Bytes,
    },
    /// Headings were asked for and cannot be made.
    #[error(transparent)]
    Headings(#[from] HeadingError),
}

/// How to build a bundle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct BuildOptions {
    /// Engine, cost limit and memory limit. The memory limit is that of the whole build, not of the integration alone.
    pub integrate: IntegrateOptions,
    /// Whether headings are made, and how; default not. They take 4 bytes a cell, and ten to fifty times as long as all
    /// else (measured on maps of 128 x 80 and 500 x 500 cells): they are for goals that rarely move.
    pub headings: Option<HeadingOptions>,
    /// Whether the lengths of the ways are measured; default not. They take 8 bytes a cell.
    pub lengths: bool,
}

impl BuildOptions {
    /// Default options: the engine is picked by map and goals, no cost limit.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another engine.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.integrate.engine = engine;
        self
    }

    /// The options with a cost limit in step units; cells beyond it are unknown.
    #[must_use]
    pub fn with_cost_limit(mut self, limit: u32) -> Self {
        self.integrate.cost_limit = Some(limit);
        self
    }

    /// The options with a memory limit, in bytes, for all that a build allocates ([`FieldBundle::estimate_memory`]).
    #[must_use]
    pub fn with_memory_limit(mut self, limit: u64) -> Self {
        self.integrate.memory_limit = Some(limit);
        self
    }

    /// The options with headings.
    #[must_use]
    pub fn with_headings(mut self, headings: HeadingOptions) -> Self {
        self.headings = Some(headings);
        self
    }

    /// The options with lengths of ways.
    #[must_use]
    pub fn with_lengths(mut self) -> Self {
        self.lengths = true;
        self
    }
}

/// Buffers that builds reuse; nothing in them carries over into a result.
#[derive(Debug, Default)]
pub struct BuildScratch {
    integrate: IntegrateScratch,
    pub(crate) flow: FlowScratch,
    pub(crate) headings: HeadingScratch,
    pub(crate) order: OrderScratch,
    pub(crate) repair: RepairScratch,
}

impl BuildScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Cost-to-goal, directions and goal labels of one map version, goal set and profile, and on request headings and lengths
/// of ways. Immutable: the parts cannot be of different generations.
#[derive(Clone, Debug)]
pub struct FieldBundle {
    movement: Arc<Movement>,
    integration: IntegrationField,
    flow: FlowField,
    headings: Option<HeadingField>,
    lengths: Option<LengthField>,
    resolved: ResolvedGoals,
    stats: IntegrateStats,
    options: BuildOptions,
    /// Whether every cell was answered, not only those that were asked for.
    is_whole: bool,
}

impl FieldBundle {
    /// Builds a bundle: integrates the goals over the movement, extracts the directions, and makes what else the options
    /// ask for, on the threads of the workers.
    ///
    /// The fields do not depend on the engine, the scratch or the workers (what [`Self::stats`] counts may).
    ///
    /// # Errors
    /// [`BuildError`] if the goals do not fit the map, a cost does not fit, or the map is too long for the headings asked for.
    pub fn build(
        movement: impl Into<Arc<Movement>>,
        goals: &GoalSet,
        options: &BuildOptions,
        scratch: &mut BuildScratch,
        workers: &dyn Workers,
    ) -> Result<Self, BuildError> {
        let run = RunOptions::new().with_workers(workers);
        Self::build_with(movement, goals, options, &run, scratch)
    }

    /// [`Self::build`], only as far as the cells that are asked for need it, and watched by somebody who may end the
    /// integration: see [`RunOptions`]. Cells that are not answered are unknown in every part of the bundle.
    ///
    /// # Errors
    /// As [`Self::build`], and if it was ended or a cell is asked for that the map does not have.
    pub fn build_with(
        movement: impl Into<Arc<Movement>>,
        goals: &GoalSet,
        options: &BuildOptions,
        run: &RunOptions<'_>,
        scratch: &mut BuildScratch,
    ) -> Result<Self, BuildError> {
        let movement = movement.into();
        let resolved = goals.resolve(&movement)?;
        let mut integrate_options = options.integrate;
        if let Some(limit) = options.integrate.memory_limit {
            let estimate = Self::estimate_of(&movement, &resolved, options, run.workers);
            if estimate.memory.total() > limit {
                let limit = Bytes(limit);
                return Err(BuildError::MemoryLimit { estimate, limit });
            }
            integrate_options.memory_limit = None;
            integrate_options.engine = estimate.engine;
        }
        let mut integration = IntegrationField::new(movement.grid().clone());
        let stats = integrate_with(
            &movement,
            &resolved,
            &integrate_options,
            run,
            &mut scratch.integrate,
            &mut integration,
        )?;
        let mut flow = FlowField::new(movement.grid().clone());
        extract(&movement, &integration, run.workers, &mut scratch.flow, &mut flow);
        let parts = Parts {
            movement,
            integration,
            flow,
            resolved,
            stats,
        };
        let is_whole = run.asked.is_none();
        parts.into_bundle(options, is_whole, scratch)
    }

    /// The bytes that a build with these options takes at its peak, the bundle included, and the engine it would run. The
    /// movement, which the bundle shares, is not counted; buffers that the scratch holds already are.
    ///
    /// With a memory limit, the automatic engine goes on to leaner ones until one fits beside all else.
    ///
    /// # Errors
    /// [`BuildError::Goals`] if the goals do not fit the map.
    pub fn estimate_memory(
        movement: &Movement,
        goals: &GoalSet,
        options: &BuildOptions,
        workers: &dyn Workers,
    ) -> Result<IntegrateEstimate, BuildError> {
        let resolved = goals.resolve(movement)?;
        Ok(Self::estimate_of(movement, &resolved, options, workers))
    }

    fn estimate_of(
        movement: &Movement,
        goals: &ResolvedGoals,
        options: &BuildOptions,
        workers: &dyn Workers,
    ) -> IntegrateEstimate {
        let beside = Self::estimate_beside(movement, options);
        let mut integrate = options.integrate;
        if let Some(limit) = &mut integrate.memory_limit {
            *limit = limit.saturating_sub(beside.total());
        }
        let mut estimate = estimate_memory(movement, goals, &integrate, workers.threads());
        estimate.memory = estimate.memory.and(beside);
        estimate
    }

    /// What is taken beside the integration.
    pub(crate) fn estimate_beside(movement: &Movement, options: &BuildOptions) -> MemoryEstimate {
        let mut beside = estimate_direction_memory(movement);
        if options.headings.is_some() {
            beside = beside.and(estimate_heading_memory(movement));
        }
        if options.lengths {
            beside = beside.and(estimate_length_memory(movement));
        }
        beside
    }

    /// The rectangle of cells.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.flow.grid()
    }

    /// The compiled rules the bundle was made from.
    #[must_use]
    pub fn movement(&self) -> &Arc<Movement> {
        &self.movement
    }

    /// The version of the costs the bundle was made from.
    #[must_use]
    pub fn cost_version(&self) -> CostVersion {
        self.movement.cost_version()
    }

    /// Cost-to-goal of every cell.
    #[must_use]
    pub const fn integration(&self) -> &IntegrationField {
        &self.integration
    }

    /// Directions of every cell.
    #[must_use]
    pub const fn flow(&self) -> &FlowField {
        &self.flow
    }

    /// The point to walk to of every cell, if headings were asked for.
    #[must_use]
    pub const fn headings(&self) -> Option<&HeadingField> {
        self.headings.as_ref()
    }

    /// The geometric length of the way of every cell, if lengths were asked for.
    #[must_use]
    pub const fn lengths(&self) -> Option<&LengthField> {
        self.lengths.as_ref()
    }

    /// What a crowd steers by: the headings if the bundle has them, else its directions. For
    /// [`GroupInput::steering`](thalweg_crowd::GroupInput::steering), beside [`Self::flow`].
    #[must_use]
    pub const fn steering(&self) -> Steering<'_> {
        match &self.headings {
            Some(headings) => Steering::Headings {
                field: &self.integration,
                headings,
            },
            None => Steering::Directions,
        }
    }

    /// What became of the goals: left out, moved, duplicated.
    #[must_use]
    pub const fn goals(&self) -> &GoalReport {
        self.resolved.report()
    }

    /// The cells the goals came to on this map.
    #[must_use]
    pub const fn resolved_goals(&self) -> &ResolvedGoals {
        &self.resolved
    }

    /// How the bundle was built.
    #[must_use]
    pub const fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// Whether every cell was answered, not only those that were asked for ([`RunOptions::asked`]).
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// What the integration did.
    #[must_use]
    pub const fn stats(&self) -> &IntegrateStats {
        &self.stats
    }

    /// Bytes held for cost-to-goal, labels, directions, headings and lengths; the compiled movement is shared and not
    /// counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.integration.bytes()
            + self.flow.bytes()
            + self.headings.as_ref().map_or(0, HeadingField::bytes)
            + self.lengths.as_ref().map_or(0, LengthField::bytes)
    }

    /// Everything the bundle says about a cell. O(1).
    #[must_use]
    pub fn query(&self, cell: Cell) -> CellReport {
        let Some(id) = self.grid().id(cell) else {
            return CellReport {
                cell,
                state: CellState::Outside,
            };
        };
        let state = match self.flow.guidance(id) {
            Guidance::Impassable => CellState::Impassable,
            Guidance::Unreachable => CellState::Unreachable,
            Guidance::Unknown => CellState::Unknown,
            Guidance::Toward(_) | Guidance::Through(_) | Guidance::Goal => match self.integration.reach(id) {
                Reach::Reached(cost) => CellState::Reached {
                    cost,
                    successors: self.flow.successors(id),
                    portal: self.flow.portal_successors(id).next(),
                    goal: self.integration.goal(id).unwrap_or(0),
                },
                Reach::Unreachable => CellState::Unreachable,
                Reach::Unknown => CellState::Unknown,
            },
        };
        CellReport { cell, state }
    }

    /// How many cells are in each state.
    #[must_use]
    pub fn cell_counts(&self) -> CellCounts {
        let mut counts = CellCounts::default();
        for id in self.grid().ids() {
            match self.flow.guidance(id) {
                Guidance::Toward(_) | Guidance::Through(_) | Guidance::Goal => counts.reached += 1,
                Guidance::Unreachable => counts.unreachable += 1,
                Guidance::Unknown => counts.unknown += 1,
                Guidance::Impassable => counts.impassable += 1,
            }
        }
        counts
    }
}

/// What a bundle is put together from, once the integration and its directions are there.
pub(crate) struct Parts {
    pub(crate) movement: Arc<Movement>,
    pub(crate) integration: IntegrationField,
    pub(crate) flow: FlowField,
    pub(crate) resolved: ResolvedGoals,
    pub(crate) stats: IntegrateStats,
}

impl Parts {
    /// Makes what else the options ask for.
    pub(crate) fn into_bundle(
        self,
        options: &BuildOptions,
        is_whole: bool,
        scratch: &mut BuildScratch,
    ) -> Result<FieldBundle, BuildError> {
        let headings = match &options.headings {
            Some(options) => {
                let mut headings = HeadingField::new(self.movement.grid().clone());
                look_ahead(
                    &self.movement,
                    &self.integration,
                    &self.flow,
                    options,
                    &mut scratch.headings,
                    &mut headings,
                )?;
                Some(headings)
            }
            None => None,
        };
        let lengths = self.lengths_if(options, scratch);
        Ok(self.with_channels(headings, lengths, options, is_whole))
    }

    /// The lengths of the ways, if the options ask for them.
    pub(crate) fn lengths_if(
        &self,
        options: &BuildOptions,
        scratch: &mut BuildScratch,
    ) -> Option<LengthField> {
        options.lengths.then(|| {
            let mut lengths = LengthField::new(self.movement.grid().clone());
            measure_lengths(&self.movement, &self.flow, &mut scratch.order, &mut lengths);
            lengths
        })
    }

    /// The bundle with these headings and lengths, which must be those of the options.
    pub(crate) fn with_channels(
        self,
        headings: Option<HeadingField>,
        lengths: Option<LengthField>,
        options: &BuildOptions,
        is_whole: bool,
    ) -> FieldBundle {
        let Self {
            movement,
            integration,
            flow,
            resolved,
            stats,
        } = self;
        FieldBundle {
            movement,
            integration,
            flow,
            headings,
            lengths,
            resolved,
            stats,
            options: *options,
            is_whole,
        }
    }
}

impl HeldBytes for FieldBundle {
    fn held_bytes(&self) -> usize {
        self.bytes()
    }
}

/// How many cells of a bundle are in each state; the four add up to the cells of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CellCounts {
    /// A way to a goal is known.
    pub reached: usize,
    /// Passable, but no way leads to a goal.
    pub unreachable: usize,
    /// Not surveyed, or beyond the cost limit.
    pub unknown: usize,
    /// Walls.
    pub impassable: usize,
}

/// What a bundle says about a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellState {
    /// A way to a goal is known.
    Reached {
        /// Cost-to-goal.
        cost: CostToGoal,
        /// All tied best exits; empty in a goal cell.
        successors: DirectionSet,
        /// The first of the tied best portals, if any is as good as the exits.
        portal: Option<PortalIndex>,
        /// Index of the nearest goal; among equals the lowest.
        goal: u32,
    },
    /// Passable, but no way leads to a goal.
    Unreachable,
    /// Not surveyed, or beyond the cost limit.
    Unknown,
    /// A wall.
    Impassable,
    /// Not on the map.
    Outside,
}

/// The answer to a question about one cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CellReport {
    /// The cell asked for.
    pub cell: Cell,
    /// What is known about it.
    pub state: CellState,
}

impl CellReport {
    /// The cost-to-goal, if reached.
    #[must_use]
    pub const fn cost(&self) -> Option<CostToGoal> {
        if let CellState::Reached { cost, .. } = self.state {
            Some(cost)
        } else {
            None
        }
    }

    /// The direction to take; `None` in a goal cell and where no way is known.
    #[must_use]
    pub const fn direction(&self) -> Option<Direction> {
        if let CellState::Reached { successors, .. } = self.state {
            successors.first()
        } else {
            None
        }
    }

    /// Whether the cell is a goal.
    #[must_use]
    pub const fn is_goal(&self) -> bool {
        matches!(self.state, CellState::Reached { successors, portal: None, .. } if successors.is_empty())
    }
}
