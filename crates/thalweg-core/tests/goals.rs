//! Goal sets: the nearest wins, ties and duplicates are settled by fixed rules, and what cannot be used is reported.

use thalweg_core::grid::{Cell, Direction, DirectionSet};
use thalweg_core::integrate::{
    BlockedGoals, CostToGoal, Goal, GoalError, GoalSet, RouteStatus, nearest_reachable, route_status,
};
use thalweg_core::movement::{Connectivity, Movement, MovementProfile};
use thalweg_testkit::literal::{cells_of, map};
use thalweg_testkit::solve::{engines_for, scale, solve, solve_by_all};

fn four() -> MovementProfile {
    MovementProfile::new()
        .with_connectivity(Connectivity::Four)
        .with_scale(scale(1, 1))
}

#[test]
fn the_nearest_goal_wins_and_ties_go_to_the_first() {
    let rows = ["G...G", ".....", "....."];
    let solved = solve_by_all(&map(&rows), &four(), &GoalSet::from_cells(cells_of(&rows, 'G')));
    assert_eq!(
        [1, 2, 3].map(|x| solved.goal_at(x, 2)),
        [Some(0), Some(0), Some(1)]
    );
    // The middle column keeps both ways open.
    assert_eq!(solved.successors_at(2, 0), [Direction::E, Direction::W]);
    // A starting cost moves the border: goal 1 now also wins where it was level.
    let costs = map(&rows);
    let goals = GoalSet::new()
        .with_goal(Goal::cell(Cell::new(0, 0)).with_bias(1))
        .with_goal(Goal::cell(Cell::new(4, 0)));
    let biased = solve_by_all(&costs, &four(), &goals);
    assert_eq!(biased.goal_at(2, 2), Some(1));
}

#[test]
fn a_start_that_is_a_goal_costs_nothing_and_duplicates_are_counted_once() {
    let costs = map(&["..."]);
    let goals = GoalSet::new().with_goal(Goal::area([(1, 0), (1, 0), (2, 0)].map(Cell::from)));
    let movement = Movement::compile(&costs, &four());
    let resolved = goals.resolve(&movement).unwrap();
    assert_eq!((resolved.seeds().len(), resolved.report().duplicates), (2, 1));
    let solved = solve_by_all(&costs, &four(), &goals);
    assert_eq!(solved.cost_at(1, 0), Some(0));
    assert_eq!(solved.cost_at(0, 0), Some(1));
}

#[test]
fn a_cell_that_several_goals_name_is_one_sink_of_the_cheapest_and_then_the_first() {
    let costs = map(&["...."]);
    let at = |bias| Goal::cell(Cell::new(1, 0)).with_bias(bias);
    for (goals, winner, start) in [
        (vec![at(0), at(0)], 0, 0),
        (vec![at(5), at(2), at(2)], 1, 2),
        (vec![at(2), at(5)], 0, 2),
    ] {
        let goals = goals.into_iter().fold(GoalSet::new(), GoalSet::with_goal);
        for engine in engines_for(&costs, &four()) {
            let solved = solve(&costs, &four(), &goals, engine);
            let sinks: Vec<_> = solved
                .field
                .sinks()
                .iter()
                .map(|seed| (seed.cell.0, seed.bias, seed.goal))
                .collect();
            assert_eq!(sinks, [(1, start, winner)], "{engine}");
            let goals = goals.resolve(&solved.movement);
            assert!(goals.as_ref().is_ok_and(|goals| goals.seeds().is_sorted()));
            let status = route_status(
                &solved.movement,
                goals.as_ref(),
                Some(&solved.field),
                Cell::new(3, 0),
            );
            assert_eq!(status, RouteStatus::Ok(CostToGoal(start + 2)), "{engine}");
        }
    }
}

#[test]
fn a_goal_in_a_wall_is_refused_or_replaced_by_distance_and_not_by_travel_cost() {
    // A ring of walls round (3,2); mud on the west side makes the west dear to walk, not far.
    let costs = map(&[".......", ".9###..", ".9###..", ".9###..", "......."]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let inside = Cell::new(3, 2);
    let refuse = GoalSet::from_cells([inside]);
    assert!(matches!(
        refuse.resolve(&movement),
        Err(GoalError::Blocked { goal: 0, cell, known: true }) if cell == inside
    ));
    let from = costs.grid().id(Cell::new(6, 2)).unwrap();
    // (3,0), (1,2), (5,2) and (3,4) are two cells away: the first in row order serves.
    assert_eq!(
        nearest_reachable(&movement, from, inside),
        costs.grid().id(Cell::new(3, 0))
    );
    let moved = GoalSet::from_cells([inside])
        .with_blocked_goals(BlockedGoals::NearestPassable)
        .resolve(&movement)
        .unwrap();
    assert_eq!(moved.report().moved, [(0, inside, Cell::new(3, 0))]);
    let skip = GoalSet::from_cells([inside, Cell::new(0, 0), Cell::new(9, 9)])
        .with_blocked_goals(BlockedGoals::Skip)
        .resolve(&movement)
        .unwrap();
    assert_eq!(skip.seeds().len(), 1);
    assert_eq!((skip.report().blocked.len(), skip.report().outside.len()), (1, 1));
    let only = GoalSet::from_cells([inside])
        .with_blocked_goals(BlockedGoals::Skip)
        .resolve(&movement);
    assert_eq!(only, Err(GoalError::NoneUsable { goals: 1 }));
}

#[test]
fn no_field_no_goal_and_no_cell_is_an_error_and_not_a_panic() {
    let costs = map(&["..", ".?"]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    assert_eq!(GoalSet::new().resolve(&movement), Err(GoalError::NoGoals));
    let empty = GoalSet::new().with_goal(Goal::area([]));
    assert_eq!(empty.resolve(&movement), Err(GoalError::EmptyGoal { goal: 0 }));
    let outside = GoalSet::from_cells([Cell::new(2, 0)]);
    assert!(matches!(
        outside.resolve(&movement),
        Err(GoalError::Outside { goal: 0, .. })
    ));
    let unknown = GoalSet::from_cells([Cell::new(1, 1)]);
    assert!(matches!(
        unknown.resolve(&movement),
        Err(GoalError::Blocked { known: false, .. })
    ));
    assert_eq!(
        movement.exits(costs.grid().id(Cell::new(1, 1)).unwrap()),
        DirectionSet::EMPTY
    );
}
