//! Turn fields and time fields, state by state.

use super::Checker;
use super::check::Made;
use super::timed::time_costs;
use super::turned::{STATES, state_of, turn_costs};
use crate::body::Under;
use thalweg_core::expanded::{
    IncomingState, TimeAction, TimeField, TurnCosts, TurnField, check_time, check_turns, print_tick,
};
use thalweg_core::grid::{CellId, DIRECTIONS};
use thalweg_core::integrate::{MAX_COST_TO_GOAL, Reach, ResolvedGoals};

impl Made<'_> {
    /// Expanded fields know no limit; their costs are higher than plain ones, and one that does not fit refuses the field.
    fn has_room(&self) -> bool {
        let dearest = self.truth.edges.iter().map(|edge| edge.cost).max().unwrap_or(0);
        let highest = self
            .truth
            .best
            .iter()
            .flatten()
            .map(|best| best.0)
            .max()
            .unwrap_or(0);
        let dearest_seed = self.truth.starts.iter().map(|seed| seed.1).max().unwrap_or(0);
        highest.max(dearest_seed) + 9 * dearest + 1_000_000 <= u64::from(MAX_COST_TO_GOAL)
    }

    fn wanted(&self, anchor: usize, cost: Option<u64>) -> Option<u64> {
        cost.filter(|_| matches!(self.truth.rules.under(anchor), Under::Free(_)))
    }
}

/// The number of a reach, after checking what it says where there is none.
fn number(reach: Reach, is_known: bool) -> Option<u64> {
    assert_eq!(
        reach == Reach::Unknown,
        !is_known,
        "unknown exactly where the anchor is"
    );
    reach.cost().map(|cost| u64::from(cost.0))
}

impl Checker {
    pub(super) fn check_turns(&mut self, made: &Made<'_>, goals: &ResolvedGoals) {
        let Some(by_eighths) = made.world.turns.filter(|_| made.has_room()) else {
            return;
        };
        let turns = TurnCosts::new(by_eighths).expect("small costs");
        let field = TurnField::build(made.movement, goals, &turns, u64::MAX)
            .unwrap_or_else(|error| panic!("{error} of {:?}", made.world));
        if let Err(violation) = check_turns(made.movement, &field) {
            panic!("{violation} of {:?}", made.world);
        }
        let wanted = turn_costs(made.truth, by_eighths);
        for id in field.grid().ids() {
            for incoming in DIRECTIONS.into_iter().map(Some).chain([None]) {
                let state = IncomingState { cell: id, incoming };
                let wanted = wanted[id.index() * STATES + state_of(incoming)];
                let got = number(field.reach(state), made.movement.is_known(id));
                assert_eq!(
                    got,
                    made.wanted(id.index(), wanted),
                    "{state:?} of {:?}",
                    made.world
                );
                assert_eq!(
                    follow_turns(made, &field, state),
                    got,
                    "{state:?} of {:?}",
                    made.world
                );
                self.counts.turn_states += 1;
            }
        }
    }

    pub(super) fn check_times(&mut self, made: &Made<'_>, goals: &ResolvedGoals) {
        let Some(times) = made.world.times.as_ref().filter(|_| made.has_room()) else {
            return;
        };
        let table = made.world.timetable(made.field.grid(), times);
        let field = TimeField::build(made.movement, goals, &table, &times.options())
            .unwrap_or_else(|error| panic!("{error} of {:?}", made.world));
        if let Err(violation) = check_time(made.movement, &field) {
            panic!("{violation} of {:?}", made.world);
        }
        let wanted = time_costs(made.truth, times);
        for (tick, row) in (0u32..).zip(&wanted) {
            for (id, &cost) in field.grid().ids().zip(row) {
                let got = number(field.reach(id, tick), made.movement.is_known(id));
                let context = || {
                    let cell = made.world.floors.cell(id.index());
                    format!(
                        "{cell} at tick {tick}\n{}{:?}",
                        print_tick(&field, tick),
                        made.world
                    )
                };
                assert_eq!(got, made.wanted(id.index(), cost), "{}", context());
                let followed = follow_times(made, &field, id, tick);
                assert_eq!(followed, got, "followed from {}", context());
                self.counts.time_states += 1;
                self.counts.time_matters += u64::from(cost != wanted[wanted.len() - 1][id.index()]);
            }
        }
    }
}

/// What following first best edges pays, up to a goal and with its starting cost.
fn follow_turns(made: &Made<'_>, field: &TurnField, mut state: IncomingState) -> Option<u64> {
    field.cost(state)?;
    let mut paid = 0;
    for _ in 0..=STATES * made.truth.best.len() {
        if field.is_goal(state) {
            return Some(paid + u64::from(field.cost(state)?.0));
        }
        let edge = field.best_edges(made.movement, state).next()?;
        let next = IncomingState::after(&edge);
        paid += u64::from(edge.cost) + u64::from(field.turns().between(state.incoming, next.incoming));
        state = next;
    }
    None
}

/// What following first best actions pays, up to a goal or the horizon and with the cost there.
fn follow_times(made: &Made<'_>, field: &TimeField, mut id: CellId, mut tick: u32) -> Option<u64> {
    let mut paid = 0;
    while tick < field.options().horizon && !field.is_goal(id, tick) {
        match field.next(made.movement, id, tick)? {
            TimeAction::Move { edge, ticks } => {
                paid += u64::from(edge.cost);
                id = edge.other;
                tick += ticks;
            }
            _ => {
                paid += u64::from(field.options().wait_cost?);
                tick += 1;
            }
        }
    }
    Some(paid + u64::from(field.cost(id, tick)?.0))
}
