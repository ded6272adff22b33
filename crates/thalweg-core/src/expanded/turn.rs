//! Cost-to-goal where turning costs something: one number per cell and incoming direction.

use super::{ExpandedError, TurnCosts, bias_at, cheapest_seeds, check_goals, fitting, reach_of};
use crate::components::travel_direction;
use crate::cost::CostVersion;
use crate::grid::{CellId, Direction, DirectionSet, Grid};
use crate::integrate::{CostToGoal, MAX_COST_TO_GOAL, Reach, ResolvedGoals, Seed, UNKNOWN, UNREACHABLE};
use crate::movement::{Edge, Movement, MovementProfile};
use core::cmp::Reverse;
use core::fmt;
use std::collections::{BinaryHeap, VecDeque};

/// States of a cell: eight directions one may have come in, and none.
pub(super) const STATES: usize = 9;

/// A cell and the direction one came in; `None` for a body at rest or one that came by no step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct IncomingState {
    /// The cell.
    pub cell: CellId,
    /// The direction of travel of the step that led here.
    pub incoming: Option<Direction>,
}

impl IncomingState {
    /// A body at rest on a cell.
    #[must_use]
    pub const fn at_rest(cell: CellId) -> Self {
        Self { cell, incoming: None }
    }

    /// The state after an edge.
    #[must_use]
    pub const fn after(edge: &Edge) -> Self {
        Self {
            cell: edge.other,
            incoming: travel_direction(edge.kind),
        }
    }

    pub(super) const fn index(self) -> usize {
        let incoming = match self.incoming {
            Some(direction) => direction.index(),
            None => STATES - 1,
        };
        self.cell.index() * STATES + incoming
    }

    /// The states of a cell, in direction order, none last.
    pub(super) fn of_cell(cell: CellId) -> impl Iterator<Item = Self> {
        (0..9u8).map(move |index| Self {
            cell,
            incoming: Direction::from_index(index),
        })
    }
}

/// Cost-to-goal per `(cell, incoming direction)`: the least sum of step costs and turn costs from that state to a goal,
/// reached in any direction.
///
/// Every state of a passable cell has its own answer, also those no step leads to. It holds 36 bytes a cell (9 numbers of
/// 32 bits), and 36 more where some step costs nothing. While it is built, a queue of 8 bytes per improvement is held
/// besides.
///
/// Nothing is claimed for a cell without its incoming direction.
#[derive(Clone, PartialEq, Eq)]
pub struct TurnField {
    grid: Grid,
    profile: MovementProfile,
    cost_version: CostVersion,
    cost_unit: u32,
    turns: TurnCosts,
    values: Vec<u32>,
    /// Fewest free steps to a state with a paid way down or a goal; empty if no step is free.
    hops: Vec<u32>,
    seeds: Vec<Seed>,
}

impl TurnField {
    /// Bytes that a field for this movement holds.
    #[must_use]
    pub fn bytes_for(movement: &Movement) -> u64 {
        let states = movement.grid().len() as u64 * STATES as u64;
        let arrays = if movement.has_zero_steps() { 2 } else { 1 };
        states * 4 * arrays
    }

    /// Builds the field by Dijkstra's algorithm backwards over the states. O(states · log states), some 72 relaxations a
    /// cell.
    ///
    /// # Errors
    /// [`ExpandedError::TooLarge`] above `max_bytes`, [`ExpandedError::TooManyStates`] above 2^32 states (477 million
    /// cells), [`ExpandedError::CostOverflow`], and [`ExpandedError::Integrate`] if the goals do not fit the movement.
    pub fn build(
        movement: &Movement,
        goals: &ResolvedGoals,
        turns: &TurnCosts,
        max_bytes: u64,
    ) -> Result<Self, ExpandedError> {
        let states = movement.grid().len() as u64 * STATES as u64;
        if states > u64::from(u32::MAX) {
            return Err(ExpandedError::TooManyStates { states });
        }
        check_bytes(states, Self::bytes_for(movement), max_bytes)?;
        check_goals(movement, goals)?;
        let mut field = Self {
            grid: movement.grid().clone(),
            profile: *movement.profile(),
            cost_version: movement.cost_version(),
            cost_unit: movement.steps().unit(),
            turns: *turns,
            values: vec![UNREACHABLE; movement.grid().len() * STATES],
            hops: Vec::new(),
            seeds: cheapest_seeds(goals),
        };
        let found = field.search(movement);
        if found.dropped {
            field.check_fits(movement)?;
        }
        if found.free_steps {
            check_bytes(states, 2 * 4 * states, max_bytes)?;
            field.count_hops(movement);
        }
        for id in movement.grid().ids().filter(|&id| !movement.is_known(id)) {
            for state in IncomingState::of_cell(id) {
                field.values[state.index()] = UNKNOWN;
            }
        }
        Ok(field)
    }

    fn search(&mut self, movement: &Movement) -> Found {
        let mut found = Found::default();
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        let improve = |values: &mut [u32], queue: &mut BinaryHeap<_>, state: IncomingState, cost: u32| {
            let index = state.index();
            if cost < values[index] {
                values[index] = cost;
                // `build` has checked that indices fit.
                queue.push(Reverse((cost, u32::try_from(index).unwrap_or(u32::MAX))));
            }
        };
        for seed in &self.seeds {
            for state in IncomingState::of_cell(seed.cell) {
                improve(&mut self.values, &mut queue, state, seed.bias);
            }
        }
        while let Some(Reverse((cost, index))) = queue.pop() {
            if cost != self.values[index as usize] {
                continue;
            }
            let state = IncomingState {
                cell: CellId(index / 9),
                incoming: Direction::from_index(u8::try_from(index % 9).unwrap_or(8)),
            };
            for edge in movement.edges_into(state.cell) {
                // Of the edges that enter the cell, those that leave a body in this state.
                let outgoing = travel_direction(edge.kind);
                if outgoing != state.incoming {
                    continue;
                }
                found.free_steps |= edge.cost == 0;
                for from in IncomingState::of_cell(edge.other) {
                    let turn = self.turns.between(from.incoming, outgoing);
                    match fitting(u64::from(cost) + u64::from(edge.cost) + u64::from(turn)) {
                        Some(sum) => improve(&mut self.values, &mut queue, from, sum),
                        None => found.dropped = true,
                    }
                }
            }
        }
        found
    }

    /// A state without a cost although an exit leads to one with a cost was lost to the limit.
    fn check_fits(&self, movement: &Movement) -> Result<(), ExpandedError> {
        for id in movement.grid().ids() {
            for state in IncomingState::of_cell(id) {
                if self.values[state.index()] == UNREACHABLE && self.exits(movement, state).next().is_some() {
                    return Err(ExpandedError::CostOverflow {
                        cell: self.grid.cell(id),
                    });
                }
            }
        }
        Ok(())
    }

    fn count_hops(&mut self, movement: &Movement) {
        const NOT_YET: u32 = u32::MAX;
        let mut hops = vec![NOT_YET; self.values.len()];
        let mut open = VecDeque::new();
        for id in self.grid.ids() {
            for state in IncomingState::of_cell(id) {
                let Some(own) = self.cost(state) else { continue };
                let is_base = self.is_goal(state)
                    || self
                        .exits(movement, state)
                        .any(|exit| exit.paid > 0 && exit.through == u64::from(own.0));
                if is_base {
                    hops[state.index()] = 0;
                    open.push_back(state);
                }
            }
        }
        while let Some(state) = open.pop_front() {
            let value = self.values[state.index()];
            let steps = hops[state.index()];
            for edge in movement.edges_into(state.cell) {
                let outgoing = travel_direction(edge.kind);
                if outgoing != state.incoming || edge.cost > 0 {
                    continue;
                }
                for from in IncomingState::of_cell(edge.other) {
                    let index = from.index();
                    let is_free = self.turns.between(from.incoming, outgoing) == 0;
                    if is_free && self.values[index] == value && hops[index] == NOT_YET {
                        hops[index] = steps.saturating_add(1);
                        open.push_back(from);
                    }
                }
            }
        }
        self.hops = hops;
    }

    /// Every exit of a state that leads to a reached one.
    pub(super) fn exits<'a>(
        &'a self,
        movement: &'a Movement,
        state: IncomingState,
    ) -> impl Iterator<Item = Exit> + 'a {
        movement.edges_from(state.cell).filter_map(move |edge| {
            let next = IncomingState::after(&edge);
            let cost = self.cost(next)?;
            let turn = self.turns.between(state.incoming, next.incoming);
            let paid = u64::from(edge.cost) + u64::from(turn);
            Some(Exit {
                edge,
                next,
                paid,
                through: paid + u64::from(cost.0),
            })
        })
    }

    /// What is known about a state.
    ///
    /// # Panics
    /// If the cell id is not of this grid.
    #[inline]
    #[must_use]
    pub fn reach(&self, state: IncomingState) -> Reach {
        reach_of(self.values[state.index()])
    }

    /// The cost-to-goal of a state, if reached.
    ///
    /// # Panics
    /// If the cell id is not of this grid.
    #[inline]
    #[must_use]
    pub fn cost(&self, state: IncomingState) -> Option<CostToGoal> {
        self.reach(state).cost()
    }

    /// Whether a body in this state has arrived: a goal is here, and going on to another one is no better.
    ///
    /// # Panics
    /// If the cell id is not of this grid.
    #[must_use]
    pub fn is_goal(&self, state: IncomingState) -> bool {
        let value = self.values[state.index()];
        value <= MAX_COST_TO_GOAL && bias_at(&self.seeds, state.cell) == Some(value)
    }

    /// The best edges out of a state, in the fixed order: all that keep its cost-to-goal and, where steps may cost
    /// nothing, lead on. Following any of them from any state ends at a goal. Empty at goals and where no goal is
    /// reached. O(1): it looks at the exits of one cell.
    ///
    /// `movement` must be the one the field was built from.
    ///
    /// # Panics
    /// If the cell id is not of this grid.
    pub fn best_edges<'a>(
        &'a self,
        movement: &'a Movement,
        state: IncomingState,
    ) -> impl Iterator<Item = Edge> + 'a {
        let own = self.cost(state).filter(|_| !self.is_goal(state));
        let hops = |state: IncomingState| self.hops.get(state.index()).copied().unwrap_or(0);
        self.exits(movement, state)
            .filter(move |exit| {
                own.is_some_and(|own| u64::from(own.0) == exit.through)
                    && (exit.paid > 0 || hops(exit.next) < hops(state))
            })
            .map(|exit| exit.edge)
    }

    /// The directions of the best steps out of a state; see [`Self::best_edges`], whose edges that are no steps are left
    /// out.
    ///
    /// # Panics
    /// If the cell id is not of this grid.
    #[must_use]
    pub fn successors(&self, movement: &Movement, state: IncomingState) -> DirectionSet {
        self.best_edges(movement, state)
            .filter_map(|edge| travel_direction(edge.kind))
            .collect()
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What turns cost in this field.
    #[must_use]
    pub const fn turns(&self) -> &TurnCosts {
        &self.turns
    }

    /// The profile the field was built for.
    #[must_use]
    pub const fn profile(&self) -> &MovementProfile {
        &self.profile
    }

    /// The version of the costs it was built over.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// The cost of one straight step at cost 1.
    #[must_use]
    pub const fn cost_unit(&self) -> u32 {
        self.cost_unit
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.values.len() + self.hops.len()) + self.seeds.len() * size_of::<Seed>()
    }

    pub(super) fn seeds(&self) -> &[Seed] {
        &self.seeds
    }
}

/// An exit of a state: what it costs, turn included, and the cost-to-goal through it.
pub(super) struct Exit {
    pub(super) edge: Edge,
    next: IncomingState,
    paid: u64,
    pub(super) through: u64,
}

#[derive(Default)]
struct Found {
    /// A sum did not fit.
    dropped: bool,
    /// A step cost nothing.
    free_steps: bool,
}

pub(super) fn check_bytes(states: u64, bytes: u64, limit: u64) -> Result<(), ExpandedError> {
    if bytes > limit {
        return Err(ExpandedError::TooLarge { states, bytes, limit });
    }
    Ok(())
}

impl fmt::Debug for TurnField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnField")
            .field("grid", &self.grid)
            .field("turns", &self.turns)
            .finish_non_exhaustive()
    }
}
