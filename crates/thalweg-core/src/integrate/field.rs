//! The integration field: cost-to-goal per cell, in three states.

use super::{GoalLabels, ResolvedGoals, Seed};
use crate::cost::CostVersion;
use crate::grid::{CellId, Grid};
use crate::movement::{Movement, MovementProfile};
use crate::shared_cells::{Flattening, SharedCells};
use core::fmt;

/// The largest cost-to-goal a field can hold, in step units. What would not fit is an error, never a wrap.
pub const MAX_COST_TO_GOAL: u32 = u32::MAX - 2;

/// Stored where no way leads to a goal. While an engine runs: not reached yet.
pub(crate) const UNREACHABLE: u32 = u32::MAX;
/// Stored where the answer is not known: not surveyed, cut off by a cost limit, or not asked for.
pub(crate) const UNKNOWN: u32 = u32::MAX - 1;

/// Accumulated cost to the nearest goal, in step units ([`IntegrationField::cost_unit`] is one straight step at cost 1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct CostToGoal(pub u32);

impl fmt::Display for CostToGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// What is known about the way from a cell to a goal. Three states, never one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reach {
    /// A way exists; this is the least cost.
    Reached(CostToGoal),
    /// Under these rules no way exists.
    Unreachable,
    /// Not surveyed, beyond the cost limit, or dearer than every cell that was asked for.
    Unknown,
}

impl Reach {
    /// The cost, if reached.
    #[inline]
    #[must_use]
    pub const fn cost(self) -> Option<CostToGoal> {
        if let Self::Reached(cost) = self {
            Some(cost)
        } else {
            None
        }
    }
}

/// Cost-to-goal of every cell of a map for one goal set and one movement profile.
#[derive(Clone, PartialEq, Eq)]
pub struct IntegrationField {
    pub(super) grid: Grid,
    pub(super) profile: MovementProfile,
    pub(super) cost_version: CostVersion,
    pub(super) cost_unit: u32,
    pub(super) values: SharedCells<u32>,
    pub(super) labels: GoalLabels,
    pub(super) sinks: Vec<Seed>,
}

impl IntegrationField {
    /// A field to integrate into. It holds nothing until [`integrate`](super::integrate) has succeeded: every cell is
    /// unknown.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            profile: MovementProfile::default(),
            cost_version: CostVersion(0),
            cost_unit: 1,
            values: SharedCells::filled(grid.len(), UNKNOWN),
            grid,
            labels: GoalLabels::Single,
            sinks: Vec::new(),
        }
    }

    /// A field from finished costs and labels. O(goal cells).
    pub(super) fn assembled(
        movement: &Movement,
        goals: &ResolvedGoals,
        values: Vec<u32>,
        labels: GoalLabels,
    ) -> Self {
        let mut field = Self {
            grid: movement.grid().clone(),
            profile: *movement.profile(),
            cost_version: movement.cost_version(),
            cost_unit: movement.steps().unit(),
            values: values.into(),
            labels,
            sinks: Vec::new(),
        };
        field.keep_sinks(goals);
        field
    }

    /// Takes over what a movement says about its fields. The values are left to whoever integrates.
    pub(super) fn begin(&mut self, movement: &Movement) {
        self.grid.clone_from(movement.grid());
        self.profile = *movement.profile();
        self.cost_version = movement.cost_version();
        self.cost_unit = movement.steps().unit();
        self.labels = GoalLabels::Single;
        self.sinks.clear();
    }

    /// Keeps the seeds whose starting cost is their cost-to-goal. The values must be finished.
    pub(super) fn keep_sinks(&mut self, goals: &ResolvedGoals) {
        let values = &self.values;
        let kept = goals.seeds().iter();
        self.sinks
            .extend(kept.filter(|seed| values.get(seed.cell.index()) == seed.bias));
        // Seeds are in order of (cell, bias, goal): the first of a cell is the one that counts.
        self.sinks.dedup_by_key(|seed| seed.cell);
    }

    /// The rectangle of cells.
    #[inline]
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The profile the field was integrated for.
    #[must_use]
    pub const fn profile(&self) -> &MovementProfile {
        &self.profile
    }

    /// The version of the costs the field was integrated over.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// The cost of one straight step at cost 1: divide by it to get cells.
    #[inline]
    #[must_use]
    pub const fn cost_unit(&self) -> u32 {
        self.cost_unit
    }

    /// What is known about a cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn reach(&self, id: CellId) -> Reach {
        match self.values.get(id.index()) {
            UNREACHABLE => Reach::Unreachable,
            UNKNOWN => Reach::Unknown,
            cost => Reach::Reached(CostToGoal(cost)),
        }
    }

    /// The cost-to-goal of a cell, if reached.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn cost(&self, id: CellId) -> Option<CostToGoal> {
        self.reach(id).cost()
    }

    /// The index of the goal that is nearest to a reached cell; among equals, the lowest index.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn goal(&self, id: CellId) -> Option<u32> {
        let single = self.sinks.first().map_or(0, |seed| seed.goal);
        self.cost(id).map(|_| self.labels.get(id).unwrap_or(single))
    }

    /// The labels of all cells.
    #[must_use]
    pub const fn labels(&self) -> &GoalLabels {
        &self.labels
    }

    /// The goal cells whose starting cost is their cost-to-goal: where agents arrive. In id order.
    #[must_use]
    pub fn sinks(&self) -> &[Seed] {
        &self.sinks
    }

    /// What is known about every cell, in id order.
    pub fn reaches(&self) -> impl ExactSizeIterator<Item = Reach> + '_ {
        self.grid.ids().map(|id| self.reach(id))
    }

    /// The largest cost-to-goal of a reached cell, or `None` if no cell is reached.
    #[must_use]
    pub fn max_cost(&self) -> Option<CostToGoal> {
        self.raw()
            .iter()
            .copied()
            .filter(|&value| value <= MAX_COST_TO_GOAL)
            .max()
            .map(CostToGoal)
    }

    /// Bytes held per field, labels included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.values.bytes() + self.labels.bytes()
    }

    /// The raw values: at most [`MAX_COST_TO_GOAL`] where reached. Crate-private on purpose: callers must not meet
    /// sentinels.
    #[inline]
    pub(crate) fn raw(&self) -> &[u32] {
        self.values.flat()
    }

    /// One of the raw values. For code that asks about few cells of a field that may have been repaired.
    #[inline]
    pub(crate) fn raw_at(&self, cell: usize) -> u32 {
        self.values.get(cell)
    }

    /// Puts the next page of the raw values together. Once it returns `true`, [`Self::raw`] costs nothing.
    pub(crate) fn flatten(&self, values: &mut Flattening<u32>) -> bool {
        values.advance(&self.values)
    }

    /// The raw values, to be filled in.
    pub(crate) fn raw_mut(&mut self) -> &mut [u32] {
        let cells = self.values.len();
        self.values.resize(cells, UNKNOWN)
    }

    /// Writes one of the raw values.
    #[inline]
    pub(crate) fn set_raw(&mut self, cell: usize, value: u32) {
        self.values.set(cell, value);
    }

    /// The labels, to be written.
    pub(crate) const fn labels_mut(&mut self) -> &mut GoalLabels {
        &mut self.labels
    }

    /// The values, for comparing generations.
    pub(crate) const fn shared_values(&self) -> &SharedCells<u32> {
        &self.values
    }

    /// Takes over what a movement and goals say about their fields, once all values and labels are those of them.
    pub(crate) fn belong_to(&mut self, movement: &Movement, goals: &ResolvedGoals) {
        let labels = core::mem::take(&mut self.labels);
        self.begin(movement);
        self.labels = labels;
        self.keep_sinks(goals);
    }

    /// Makes it an empty field of a movement: no cell is reached, and there are no goals.
    pub(crate) fn reset_for(&mut self, movement: &Movement) {
        self.grid.clone_from(movement.grid());
        self.profile = *movement.profile();
        self.cost_version = movement.cost_version();
        self.cost_unit = movement.steps().unit();
        self.labels = GoalLabels::Single;
        self.sinks.clear();
        self.values.refill(movement.grid().len(), UNREACHABLE);
    }

    /// Says which goals there are; `labels` are those of all cells, empty for one goal.
    pub(crate) fn set_goals(&mut self, sinks: &[Seed], labels: &[u32], goals: u32) {
        self.sinks.clear();
        self.sinks.extend_from_slice(sinks);
        if goals > 1 {
            let values = self.values.flat();
            let reached = |index: usize| values[index] <= MAX_COST_TO_GOAL;
            self.labels = GoalLabels::narrowed(labels, reached, goals);
        }
    }
}

impl fmt::Debug for IntegrationField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntegrationField")
            .field("grid", &self.grid)
            .field("cost_unit", &self.cost_unit)
            .field("max_cost", &self.max_cost())
            .finish_non_exhaustive()
    }
}
