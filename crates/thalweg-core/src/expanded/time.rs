//! Cost-to-goal where doors open and patrols walk: one number per cell and tick.

use super::turn::check_bytes;
use super::{
    Beyond, ExpandedError, Presence, TimeOptions, Timetable, bias_at, cheapest_seeds, check_goals, fitting,
    reach_of,
};
use crate::components::corner_survives;
use crate::cost::CostVersion;
use crate::grid::{CellId, DIRECTIONS, Grid};
use crate::integrate::{
    CostToGoal, IntegrateOptions, IntegrateScratch, IntegrationField, MAX_COST_TO_GOAL, Reach, ResolvedGoals,
    Seed, UNKNOWN, UNREACHABLE, integrate,
};
use crate::movement::{Edge, Movement};
use core::fmt;

/// What to do next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TimeAction {
    /// Take this edge now; it ends `ticks` later.
    Move {
        /// The edge.
        edge: Edge,
        /// How many ticks it takes.
        ticks: u32,
    },
    /// Stay for a tick.
    Wait,
}

/// Cost-to-goal per `(cell, tick)`: the least sum of step costs and waiting costs from standing on the cell at the
/// beginning of the tick to a goal.
///
/// The rules:
/// - A body may stand on a cell at the beginning of tick `t` only if the cell is open in tick `t`.
/// - A body with extent may stand and move only where every cell it covers is open, and pass an edge only where it is open
///   for every cell it covers.
/// - Waiting leads from `t` to `t + 1` on the same cell.
/// - A move leaves at `t` and arrives at `t + ticks`. In every tick between, this last one not included, the cell left and
///   the edge must be open, and the corner rule must allow it beside the cells closed then; under [`Presence::Both`] the
///   cell entered must be open as well.
/// - Standing on a goal ends the way at the goal's starting cost, at any tick, if the cell is open then.
/// - From [`TimeOptions::horizon`] on [`Beyond`] holds: either everything is open and the plain field counts, or there is
///   no time left. A move may lead over the horizon only in the first case.
///
/// It holds 4 bytes a cell for each tick and for the horizon itself; while it is built, some 100 bytes a cell for edges.
#[derive(Clone)]
pub struct TimeField {
    grid: Grid,
    cost_version: CostVersion,
    options: TimeOptions,
    timetable: Timetable,
    /// What it closes for a body with extent.
    for_body: Option<Timetable>,
    seeds: Vec<Seed>,
    /// Tick by tick; the last row is the horizon's.
    values: Vec<u32>,
    /// Bit per cell: something on the timetable may bear on a move from here.
    touched: Vec<u64>,
}

impl TimeField {
    /// Bytes that the costs of a field take; `None` if the number does not fit.
    #[must_use]
    pub fn bytes_for(grid: &Grid, horizon: u32) -> Option<u64> {
        (grid.len() as u64)
            .checked_mul(u64::from(horizon) + 1)?
            .checked_mul(4)
    }

    /// Builds the field by backward induction: every action takes at least a tick, so a tick depends on later ones only.
    /// O(horizon · edges); near cells with timetables also times the ticks of a step.
    ///
    /// # Errors
    /// [`ExpandedError::TooLarge`], [`ExpandedError::NoDuration`], [`ExpandedError::ForeignTimetable`],
    /// [`ExpandedError::CostOverflow`], and [`ExpandedError::Integrate`] if the goals do not fit the movement or the plain
    /// field cannot be made.
    pub fn build(
        movement: &Movement,
        goals: &ResolvedGoals,
        timetable: &Timetable,
        options: &TimeOptions,
    ) -> Result<Self, ExpandedError> {
        options.check()?;
        let grid = movement.grid();
        if timetable.grid() != grid {
            return Err(ExpandedError::ForeignTimetable);
        }
        let states = (grid.len() as u64).saturating_mul(u64::from(options.horizon) + 1);
        let bytes = Self::bytes_for(grid, options.horizon).unwrap_or(u64::MAX);
        let too_large = ExpandedError::TooLarge {
            states,
            bytes,
            limit: options.max_bytes,
        };
        check_bytes(states, bytes, options.max_bytes)?;
        check_goals(movement, goals)?;
        // A machine whose addresses are shorter than the caller's limit.
        let len = usize::try_from(states).map_err(|_| too_large)?;
        let for_body = timetable.for_body_of(movement);
        let mut field = Self {
            grid: grid.clone(),
            cost_version: movement.cost_version(),
            options: *options,
            timetable: timetable.clone(),
            seeds: cheapest_seeds(goals),
            values: vec![UNREACHABLE; len],
            touched: touched(movement, for_body.as_ref().unwrap_or(timetable)),
            for_body,
        };
        field.fill_horizon(movement, goals)?;
        field.fill_ticks(movement)?;
        Ok(field)
    }

    fn fill_horizon(&mut self, movement: &Movement, goals: &ResolvedGoals) -> Result<(), ExpandedError> {
        let start = self.values.len() - self.grid.len();
        match self.options.beyond {
            Beyond::Static => {
                let mut plain = IntegrationField::new(self.grid.clone());
                integrate(
                    movement,
                    goals,
                    &IntegrateOptions::new(),
                    &mut IntegrateScratch::new(),
                    &mut plain,
                )?;
                self.values[start..].copy_from_slice(plain.raw());
            }
            Beyond::Nothing => {
                for seed in &self.seeds {
                    if self.closures().is_cell_open(seed.cell, self.options.horizon) {
                        self.values[start + seed.cell.index()] = seed.bias;
                    }
                }
            }
        }
        for id in self.grid.ids().filter(|&id| !movement.is_known(id)) {
            self.values[start + id.index()] = UNKNOWN;
        }
        Ok(())
    }

    fn fill_ticks(&mut self, movement: &Movement) -> Result<(), ExpandedError> {
        let mut edges: Vec<(Edge, u32)> = Vec::new();
        let mut ends = Vec::with_capacity(self.grid.len());
        for id in self.grid.ids() {
            let ticks = |edge: Edge| (edge, self.options.step_ticks.of(edge.cost));
            edges.extend(movement.edges_from(id).map(ticks));
            ends.push(edges.len());
        }
        for tick in (0..self.options.horizon).rev() {
            let mut begin = 0;
            for (id, &end) in self.grid.ids().zip(&ends) {
                let range = core::mem::replace(&mut begin, end)..end;
                let index = self.index(id, tick);
                if !movement.is_known(id) {
                    self.values[index] = UNKNOWN;
                    continue;
                }
                if !movement.is_passable(id) || !self.is_open(id, tick) {
                    continue;
                }
                let mut best = bias_at(&self.seeds, id);
                let mut dropped = false;
                let mut offer = |paid: u32, later: u32| {
                    if later > MAX_COST_TO_GOAL {
                        return;
                    }
                    match fitting(u64::from(paid) + u64::from(later)) {
                        Some(sum) => best = Some(best.map_or(sum, |best| best.min(sum))),
                        None => dropped = true,
                    }
                };
                for (edge, ticks) in &edges[range] {
                    let later = self.later(edge.other, tick.saturating_add(*ticks));
                    // The look at the timetable comes last: most edges are no better anyway, or never closed.
                    if later <= MAX_COST_TO_GOAL && self.may_move(movement, id, tick, edge, *ticks) {
                        offer(edge.cost, later);
                    }
                }
                if let Some(wait) = self.options.wait_cost {
                    offer(wait, self.later(id, tick + 1));
                }
                match best {
                    Some(best) => self.values[index] = best,
                    None if dropped => {
                        return Err(ExpandedError::CostOverflow {
                            cell: self.grid.cell(id),
                        });
                    }
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// What stands at a cell from a tick on, which may lie beyond the horizon.
    fn later(&self, id: CellId, tick: u32) -> u32 {
        let horizon = self.options.horizon;
        if tick > horizon && self.options.beyond == Beyond::Nothing {
            return UNREACHABLE;
        }
        self.values[self.index(id, tick.min(horizon))]
    }

    fn index(&self, id: CellId, tick: u32) -> usize {
        tick as usize * self.grid.len() + id.index()
    }

    /// Whether the timetable leaves a cell open in a tick; from the horizon on, if the map is static then, it does.
    fn is_open(&self, id: CellId, tick: u32) -> bool {
        !self.is_timed(tick) || self.closures().is_cell_open(id, tick)
    }

    fn is_timed(&self, tick: u32) -> bool {
        tick < self.options.horizon || self.options.beyond == Beyond::Nothing
    }

    fn may_move(&self, movement: &Movement, from: CellId, tick: u32, edge: &Edge, ticks: u32) -> bool {
        if self.touched[from.index() / 64] & (1 << (from.index() % 64)) == 0 {
            return true;
        }
        let table = self.closures();
        // Where time ends at the horizon, no move that is asked about goes beyond it.
        let end = tick.saturating_add(ticks).min(self.options.horizon);
        (tick..end).all(|tick| {
            let closed = |id| !table.is_cell_open(id, tick);
            let entered = self.options.presence == Presence::LeftUntilArrival || !closed(edge.other);
            !closed(from)
                && entered
                && table.is_edge_open(from, edge.other, tick)
                && corner_survives(movement, from, edge, closed)
        })
    }

    /// What is known about standing on a cell at the beginning of a tick. Beyond the horizon: the plain field, or
    /// unreachable, as [`Beyond`] says.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn reach(&self, id: CellId, tick: u32) -> Reach {
        assert!(
            id.index() < self.grid.len(),
            "cell id {} is not of this map",
            id.0
        );
        reach_of(self.later(id, tick))
    }

    /// The cost-to-goal at a cell and tick, if reached.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn cost(&self, id: CellId, tick: u32) -> Option<CostToGoal> {
        self.reach(id, tick).cost()
    }

    /// Whether a body has arrived: a goal is here, and going on to another one is no better.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_goal(&self, id: CellId, tick: u32) -> bool {
        self.cost(id, tick)
            .is_some_and(|cost| bias_at(&self.seeds, id) == Some(cost.0))
    }

    /// Every legal action at a cell and tick that leads to a reached state, with the cost-to-goal through it: moves in the
    /// fixed order, then waiting. Empty from the horizon on.
    pub(super) fn actions<'a>(
        &'a self,
        movement: &'a Movement,
        id: CellId,
        tick: u32,
    ) -> impl Iterator<Item = (TimeAction, u64)> + 'a {
        let may_act = tick < self.options.horizon && self.is_open(id, tick);
        let moves = movement.edges_from(id).filter_map(move |edge| {
            let ticks = self.options.step_ticks.of(edge.cost);
            let later = self.cost(edge.other, tick.saturating_add(ticks))?;
            let through = u64::from(edge.cost) + u64::from(later.0);
            self.may_move(movement, id, tick, &edge, ticks)
                .then_some((TimeAction::Move { edge, ticks }, through))
        });
        let wait = self.options.wait_cost.and_then(|wait| {
            let later = self.cost(id, tick.saturating_add(1))?;
            let through = u64::from(wait) + u64::from(later.0);
            movement.is_passable(id).then_some((TimeAction::Wait, through))
        });
        moves.chain(wait).filter(move |_| may_act)
    }

    /// The best actions at a cell and tick: all that keep the cost-to-goal, moves in the fixed order before waiting.
    /// Following any of them ends at a goal or at the horizon, where the plain field leads on. Empty at goals, where no
    /// goal is reached, and from the horizon on.
    ///
    /// `movement` must be the one the field was built from.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn best_actions<'a>(
        &'a self,
        movement: &'a Movement,
        id: CellId,
        tick: u32,
    ) -> impl Iterator<Item = TimeAction> + 'a {
        let own = self.cost(id, tick).filter(|_| !self.is_goal(id, tick));
        self.actions(movement, id, tick)
            .filter(move |&(_, through)| own.is_some_and(|own| u64::from(own.0) == through))
            .map(|(action, _)| action)
    }

    /// The first of the best actions.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn next(&self, movement: &Movement, id: CellId, tick: u32) -> Option<TimeAction> {
        self.best_actions(movement, id, tick).next()
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How time counts in this field.
    #[must_use]
    pub const fn options(&self) -> &TimeOptions {
        &self.options
    }

    /// What the timetable closes for the body: cells are anchors.
    pub(super) fn closures(&self) -> &Timetable {
        self.for_body.as_ref().unwrap_or(&self.timetable)
    }

    /// The timetable, as it was given: of the ground.
    #[must_use]
    pub const fn timetable(&self) -> &Timetable {
        &self.timetable
    }

    /// The version of the costs it was built over.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// Bytes held by the costs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * self.values.len() + 8 * self.touched.len()
    }

    pub(super) fn seeds(&self) -> &[Seed] {
        &self.seeds
    }
}

/// The cells from which a move may meet something on the timetable.
fn touched(movement: &Movement, timetable: &Timetable) -> Vec<u64> {
    let grid = movement.grid();
    let mut words = vec![0u64; grid.len().div_ceil(64)];
    let mut mark = |id: CellId| words[id.index() / 64] |= 1 << (id.index() % 64);
    for id in timetable.cells() {
        mark(id);
        // Neighbours that no edge joins to it may still pass its corner.
        DIRECTIONS
            .into_iter()
            .filter_map(|direction| grid.neighbour(id, direction))
            .for_each(&mut mark);
        movement.edges_into(id).for_each(|edge| mark(edge.other));
    }
    timetable.edges().for_each(|(from, _)| mark(from));
    words
}

impl fmt::Debug for TimeField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TimeField")
            .field("grid", &self.grid)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
