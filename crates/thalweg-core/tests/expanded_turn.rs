//! Turn-cost fields equal a brute force over states, reduce to the plain field without turn costs, and lead to a goal.
//!
//! Many more worlds: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test expanded_turn`.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::expanded::{
    ExpandedError, IncomingState, StateViolation, TurnCosts, TurnField, check_turns, print_turns,
};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Direction, DirectionSet, Grid};
use thalweg_core::integrate::{Engine, Goal, GoalSet, MAX_COST_TO_GOAL, Reach};
use thalweg_core::movement::{Movement, MovementProfile, StepScale};
use thalweg_testkit::cases::say;
use thalweg_testkit::expanded::turn_cost_to_goals;
use thalweg_testkit::literal::map;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::solve::{profiles, scale, solve};

const NO_LIMIT: u64 = u64::MAX;

fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

fn goal_set(goals: &[Goal]) -> GoalSet {
    goals.iter().cloned().fold(GoalSet::new(), GoalSet::with_goal)
}

fn incoming() -> impl Iterator<Item = Option<Direction>> {
    DIRECTIONS.into_iter().map(Some).chain([None])
}

#[test]
fn every_state_costs_what_a_forward_search_from_it_finds() {
    let (mut worlds, mut states, mut dearer) = (0u64, 0u32, 0u32);
    let mut seed = 0;
    while worlds < rounds(1_000) {
        seed += 1;
        let drawn = small_map(seed + 30_000_000);
        if drawn.costs.grid().len() > 36 {
            continue;
        }
        worlds += 1;
        let mut random = SplitMix64::new(seed);
        let all = profiles(random.pick(&[scale(10, 14), scale(1, 1), scale(29, 41)]));
        let profile = random.pick(&all);
        let mut by_eighths = [0; 5];
        let most = random.pick(&[3, 20, 500]);
        by_eighths[1..].fill_with(|| if random.percent(25) { 0 } else { random.below(most) });
        let movement = Movement::compile(&drawn.costs, &profile);
        let goals = goal_set(&drawn.goals).resolve(&movement).unwrap();
        let turns = TurnCosts::new(by_eighths).unwrap();
        let field = TurnField::build(&movement, &goals, &turns, NO_LIMIT).unwrap();
        let context = format!("seed {seed} {profile:?} {by_eighths:?}");
        assert_eq!(check_turns(&movement, &field), Ok(()), "{context}");
        let oracle = Oracle::new(&drawn.costs, &profile);
        let oracle_goals = oracle.goals(&drawn.goals);
        for cell in drawn.costs.grid().ids().filter(|id| oracle.is_free(id.index())) {
            for incoming in incoming() {
                let state = IncomingState { cell, incoming };
                let expected = turn_cost_to_goals(&oracle, &oracle_goals, by_eighths, cell.index(), incoming);
                let got = field.cost(state).map(|cost| u64::from(cost.0));
                assert_eq!(
                    got,
                    expected,
                    "{context} {state:?}\n{}",
                    print_turns(&field, incoming)
                );
                states += 1;
                dearer += u32::from(field.cost(state) > field.cost(IncomingState::at_rest(cell)));
                assert_eq!(arrives(&movement, &field, state), got, "{context} {state:?}");
            }
        }
    }
    say(&format!(
        "turns: {worlds} worlds, {states} states, {dearer} dearer than at rest"
    ));
    assert!(
        states > 60_000 && dearer > 15_000,
        "{states} states, {dearer} dearer"
    );
}

/// What following the first best edge pays, up to a goal and with its starting cost.
fn arrives(movement: &Movement, field: &TurnField, mut state: IncomingState) -> Option<u64> {
    field.cost(state)?;
    let mut paid = 0;
    for _ in 0..10_000 {
        if field.is_goal(state) {
            return Some(paid + u64::from(field.cost(state)?.0));
        }
        let edge = field.best_edges(movement, state).next()?;
        let next = IncomingState::after(&edge);
        paid += u64::from(edge.cost) + u64::from(field.turns().between(state.incoming, next.incoming));
        state = next;
    }
    panic!("{state:?} leads in circles");
}

#[test]
fn without_turn_costs_every_state_of_a_cell_is_the_plain_field() {
    for seed in 0..rounds(150) {
        let drawn = small_map(seed + 31_000_000);
        for profile in profiles(scale(10, 14)) {
            let goals = goal_set(&drawn.goals);
            let plain = solve(&drawn.costs, &profile, &goals, Engine::Auto);
            let resolved = goals.resolve(&plain.movement).unwrap();
            let field = TurnField::build(&plain.movement, &resolved, &TurnCosts::FREE, NO_LIMIT).unwrap();
            for cell in drawn.costs.grid().ids() {
                for incoming in incoming() {
                    let state = IncomingState { cell, incoming };
                    let context = format!("seed {seed} {profile:?} {state:?}");
                    assert_eq!(field.reach(state), plain.field.reach(cell), "{context}");
                    let successors = field.successors(&plain.movement, state);
                    assert_eq!(successors, plain.flow.successors(cell), "{context}");
                }
            }
        }
    }
}

#[test]
fn a_dear_turn_makes_two_bodies_on_one_cell_take_two_ways() {
    // The goal lies both three steps ahead of one who walks east and three steps ahead of one who walks south.
    let costs = map(&["...G", ".##.", ".##.", "G..."]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(3, 0), Cell::new(0, 3)]);
    let resolved = goals.resolve(&movement).unwrap();
    let turns = TurnCosts::per_eighth(3).unwrap();
    let field = TurnField::build(&movement, &resolved, &turns, NO_LIMIT).unwrap();
    let ask = |incoming| {
        let state = IncomingState {
            cell: CellId(0),
            incoming,
        };
        (field.cost(state).unwrap().0, field.successors(&movement, state))
    };
    let only = |direction| DirectionSet::EMPTY.with(direction);
    assert_eq!(ask(Some(Direction::E)), (30, only(Direction::E)));
    assert_eq!(ask(Some(Direction::S)), (30, only(Direction::S)));
    assert_eq!(ask(Some(Direction::N)), (36, only(Direction::E)));
    assert_eq!(ask(None), (30, only(Direction::E).with(Direction::S)));
    assert!(print_turns(&field, None).starts_with("30 20 10  0\n"));
}

#[test]
fn a_field_that_is_too_large_or_too_dear_is_refused_with_its_numbers() {
    let costs = map(&["...."]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let resolved = goals.resolve(&movement).unwrap();
    assert_eq!(TurnField::bytes_for(&movement), 4 * 36);
    let refused = TurnField::build(&movement, &resolved, &TurnCosts::FREE, 143).unwrap_err();
    assert_eq!(
        refused,
        ExpandedError::TooLarge {
            states: 36,
            bytes: 144,
            limit: 143
        }
    );
    assert!(TurnField::build(&movement, &resolved, &TurnCosts::FREE, 144).is_ok());

    let far = Grid::new(400, 1).unwrap();
    let costs = CostField::filled(far, Cost::from_byte(254));
    let dear = MovementProfile::new().with_scale(scale(StepScale::MAX_STRAIGHT, StepScale::MAX_STRAIGHT));
    let movement = Movement::compile(&costs, &dear);
    let resolved = goals.resolve(&movement).unwrap();
    let refused = TurnField::build(&movement, &resolved, &TurnCosts::FREE, NO_LIMIT).unwrap_err();
    let first = MAX_COST_TO_GOAL / (254 * StepScale::MAX_STRAIGHT) + 1;
    let cell = Cell::new(first.cast_signed(), 0);
    assert_eq!(refused, ExpandedError::CostOverflow { cell });

    let mut walled = costs.clone();
    walled.set(Cell::new(0, 0), Cost::IMPASSABLE).unwrap();
    let edited = Movement::compile(&walled, &dear);
    let refused = TurnField::build(&edited, &resolved, &TurnCosts::FREE, NO_LIMIT);
    assert!(matches!(refused, Err(ExpandedError::Integrate(_))));
}

#[test]
fn unknown_cells_stay_unknown_and_the_validator_catches_a_field_of_another_map() {
    let (old, new) = (map(&["G.?", "..."]), map(&["G3?", "..."]));
    let profile = MovementProfile::new();
    let movement = Movement::compile(&old, &profile);
    let goals = GoalSet::from_cells([Cell::new(0, 0)]).resolve(&movement).unwrap();
    let turns = TurnCosts::per_eighth(2).unwrap();
    let field = TurnField::build(&movement, &goals, &turns, NO_LIMIT).unwrap();
    assert_eq!(field.reach(IncomingState::at_rest(CellId(2))), Reach::Unknown);
    assert_eq!(check_turns(&movement, &field), Ok(()));
    let edited = Movement::compile(&new, &profile);
    assert!(matches!(
        check_turns(&edited, &field),
        Err(StateViolation::Turn { cell, .. }) if cell == Cell::new(1, 0)
    ));
}
