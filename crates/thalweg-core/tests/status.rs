//! Every kind of "no" has its own word, tested in one fixed order.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Cell;
use thalweg_core::integrate::{
    CostToGoal, Engine, Goal, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField,
    RouteStatus, integrate, route_status,
};
use thalweg_core::movement::{Charge, Movement, MovementProfile};
use thalweg_testkit::literal::map;
use thalweg_testkit::solve::try_solve;

fn status(costs: &CostField, goal: Cell, agent: Cell) -> RouteStatus {
    let profile = MovementProfile::new();
    let goals = GoalSet::from_cells([goal]);
    let movement = Movement::compile(costs, &profile);
    let field = try_solve(costs, &profile, &goals, &IntegrateOptions::new())
        .ok()
        .map(|solved| solved.field);
    route_status(
        &movement,
        goals.resolve(&movement).as_ref(),
        field.as_ref(),
        agent,
    )
}

#[test]
fn agent_and_goal_faults_and_missing_ways_are_told_apart() {
    let costs = map(&["..#.?"]);
    let at = |x| Cell::new(x, 0);
    assert_eq!(status(&costs, at(0), at(1)), RouteStatus::Ok(CostToGoal(10)));
    assert_eq!(status(&costs, at(1), at(1)), RouteStatus::Ok(CostToGoal(0)));
    assert_eq!(status(&costs, at(0), at(3)), RouteStatus::Unreachable);
    assert_eq!(status(&costs, at(0), at(5)), RouteStatus::AgentOutside);
    assert_eq!(status(&costs, at(0), at(2)), RouteStatus::AgentBlocked);
    assert_eq!(status(&costs, at(0), at(4)), RouteStatus::AgentBlocked);
    assert_eq!(status(&costs, at(9), at(1)), RouteStatus::GoalOutside);
    assert_eq!(status(&costs, at(2), at(1)), RouteStatus::GoalBlocked);
    assert_eq!(status(&costs, at(4), at(1)), RouteStatus::GoalBlocked);
    // The order of the tests: the agent's faults come first.
    assert_eq!(status(&costs, at(2), at(-1)), RouteStatus::AgentOutside);
    assert_eq!(status(&costs, at(2), at(2)), RouteStatus::AgentBlocked);
}

#[test]
fn a_field_that_is_missing_or_failed_is_not_ready() {
    let costs = map(&["G.."]);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]).resolve(&movement);
    let agent = Cell::new(2, 0);
    assert_eq!(
        route_status(&movement, goals.as_ref(), None, agent),
        RouteStatus::NotReady
    );
    let fresh = IntegrationField::new(costs.grid().clone());
    assert_eq!(
        route_status(&movement, goals.as_ref(), Some(&fresh), agent),
        RouteStatus::NotReady
    );
}

#[test]
fn a_field_made_for_other_costs_profiles_or_goals_is_stale() {
    let mut costs = map(&["G....", "....."]);
    let profile = MovementProfile::new();
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let solved = try_solve(&costs, &profile, &goals, &IntegrateOptions::new()).unwrap();
    let agent = Cell::new(3, 0);
    let ask = |movement: &Movement, goals: &GoalSet| {
        route_status(
            movement,
            goals.resolve(movement).as_ref(),
            Some(&solved.field),
            agent,
        )
    };
    assert_eq!(ask(&solved.movement, &goals), RouteStatus::Ok(CostToGoal(30)));

    let other_profile = Movement::compile(&costs, &profile.with_charge(Charge::Mean));
    assert_eq!(ask(&other_profile, &goals), RouteStatus::Stale);
    let moved_goal = GoalSet::from_cells([Cell::new(1, 0)]);
    assert_eq!(ask(&solved.movement, &moved_goal), RouteStatus::Stale);
    let one_more = goals.clone().with_goal(Goal::cell(Cell::new(4, 0)));
    assert_eq!(ask(&solved.movement, &one_more), RouteStatus::Stale);
    // A goal that changes no cost does not make the field stale.
    let too_dear = goals
        .clone()
        .with_goal(Goal::cell(Cell::new(4, 0)).with_bias(1000));
    assert_eq!(ask(&solved.movement, &too_dear), RouteStatus::Ok(CostToGoal(30)));

    costs.set(Cell::new(2, 1), Cost::IMPASSABLE).unwrap();
    let edited = Movement::compile(&costs, &profile);
    assert_eq!(ask(&edited, &goals), RouteStatus::Stale);
}

#[test]
fn a_cell_beyond_the_cost_limit_is_cut_off_and_not_unreachable() {
    let costs = map(&["G....#."]);
    let profile = MovementProfile::new();
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let limited = IntegrateOptions::new().with_cost_limit(20);
    let solved = try_solve(&costs, &profile, &goals, &limited).unwrap();
    let goals = goals.resolve(&solved.movement);
    let ask = |x| {
        route_status(
            &solved.movement,
            goals.as_ref(),
            Some(&solved.field),
            Cell::new(x, 0),
        )
    };
    assert_eq!(ask(2), RouteStatus::Ok(CostToGoal(20)));
    assert_eq!(ask(3), RouteStatus::CutOff);
}

#[test]
fn goals_resolved_before_an_edit_that_walls_them_in_are_refused() {
    let mut costs = map(&["G.."]);
    let profile = MovementProfile::new();
    let goals = GoalSet::from_cells([Cell::new(0, 0)])
        .resolve(&Movement::compile(&costs, &profile))
        .unwrap();
    costs.set(Cell::new(0, 0), Cost::IMPASSABLE).unwrap();
    let movement = Movement::compile(&costs, &profile);
    for engine in Engine::ALL {
        let mut field = IntegrationField::new(costs.grid().clone());
        let result = integrate(
            &movement,
            &goals,
            &IntegrateOptions::new().with_engine(engine),
            &mut IntegrateScratch::new(),
            &mut field,
        );
        assert_eq!(
            result,
            Err(IntegrateError::BlockedGoal {
                cell: Cell::new(0, 0)
            }),
            "engine {engine}: a wall must never have cost-to-goal 0"
        );
        assert_eq!(field.max_cost(), None);
    }
}
