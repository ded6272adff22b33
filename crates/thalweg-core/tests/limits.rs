//! Costs that do not fit, and cost limits: an error or an honest "unknown", never a wrap, never "unreachable".

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Engine, Goal, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField,
    MAX_COST_TO_GOAL, Reach, integrate,
};
use thalweg_core::movement::{Charge, Connectivity, Movement, MovementProfile, StepScale};
use thalweg_testkit::corpus::serpentine;
use thalweg_testkit::literal::map;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::random_map::small_map;
use thalweg_testkit::solve::{SolveError, engines_for, profiles, scale, solve, try_solve};

fn strip(cells: u32, cost: u8) -> CostField {
    CostField::filled(Grid::new(cells, 1).unwrap(), Cost::from_byte(cost))
}

fn goal_at(x: i32, y: i32) -> GoalSet {
    GoalSet::from_cells([Cell::new(x, y)])
}

#[test]
fn a_serpentine_at_the_largest_scale_overflows_under_every_engine_and_never_wraps() {
    let huge = scale(StepScale::MAX_STRAIGHT, 2 * StepScale::MAX_STRAIGHT);
    // 254 x 65,535 a step, doubled for the mean: 32 bits hold 258 (129) steps, the corridor has 299.
    let scene = serpentine("serpentine", 15, 37, 254);
    for profile in profiles(huge) {
        let oracle = Oracle::new(&scene.costs, &profile);
        let goals = [Goal::cell(scene.goals[0])];
        let exact = oracle.cost_to_goals(&oracle.goals(&goals));
        let fits = exact
            .iter()
            .flatten()
            .all(|&cost| cost <= u64::from(MAX_COST_TO_GOAL));
        for engine in engines_for(&scene.costs, &profile) {
            let options = IntegrateOptions::new().with_engine(engine);
            let result = try_solve(
                &scene.costs,
                &profile,
                &GoalSet::from_cells(scene.goals.clone()),
                &options,
            );
            // Without a corner check the corridor's ends can be cut, but not by enough.
            assert!(!fits, "{profile:?}");
            match result {
                Err(SolveError::Integrate(IntegrateError::CostOverflow { cell })) => {
                    let cost = exact[oracle.index_of(cell).unwrap()];
                    assert!(
                        cost > Some(u64::from(MAX_COST_TO_GOAL)),
                        "{engine} {profile:?}: {cell} {cost:?}"
                    );
                }
                other => panic!("{engine} {profile:?}: {:?}", other.map(|solved| solved.field)),
            }
        }
    }
}

#[test]
fn every_engine_names_the_same_cell_when_a_cost_does_not_fit() {
    let costs = strip(400, 254);
    let profile = MovementProfile::new().with_scale(scale(StepScale::MAX_STRAIGHT, StepScale::MAX_STRAIGHT));
    let mut named = Vec::new();
    for engine in Engine::ALL {
        let options = IntegrateOptions::new().with_engine(engine);
        match try_solve(&costs, &profile, &goal_at(0, 0), &options) {
            Err(SolveError::Integrate(error)) => named.push(error),
            other => panic!("{engine}: {:?}", other.map(|solved| solved.field)),
        }
    }
    // 258 steps of 254 x 65,535 fit, 259 do not.
    assert_eq!(
        named,
        vec![
            IntegrateError::CostOverflow {
                cell: Cell::new(259, 0)
            };
            Engine::ALL.len()
        ]
    );
}

#[test]
fn a_cost_exactly_at_the_limit_is_reached_and_one_more_is_an_error() {
    let costs = map(&["...", "###"]);
    let profile = MovementProfile::new();
    for engine in Engine::ALL {
        let options = IntegrateOptions::new().with_engine(engine);
        let with_bias = |bias| GoalSet::new().with_goal(Goal::cell(Cell::new(0, 0)).with_bias(bias));
        let solved = try_solve(&costs, &profile, &with_bias(MAX_COST_TO_GOAL - 20), &options).unwrap();
        let values: Vec<_> = solved
            .field
            .reaches()
            .map(|reach| reach.cost().map(|cost| cost.0))
            .collect();
        assert_eq!(
            values[..3],
            [
                Some(MAX_COST_TO_GOAL - 20),
                Some(MAX_COST_TO_GOAL - 10),
                Some(MAX_COST_TO_GOAL)
            ],
            "{engine}"
        );
        let one_more = try_solve(&costs, &profile, &with_bias(MAX_COST_TO_GOAL - 19), &options);
        assert!(
            matches!(
                one_more,
                Err(SolveError::Integrate(IntegrateError::CostOverflow { cell })) if cell == Cell::new(2, 0)
            ),
            "{engine}"
        );
    }
}

#[test]
fn a_starting_cost_no_field_can_hold_is_refused_and_the_largest_is_not() {
    let costs = strip(1, 1);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let with_bias = |bias| {
        GoalSet::new()
            .with_goal(Goal::cell(Cell::new(0, 0)).with_bias(bias))
            .resolve(&movement)
    };
    assert!(with_bias(MAX_COST_TO_GOAL).is_ok());
    assert!(with_bias(MAX_COST_TO_GOAL + 1).is_err());
}

#[test]
fn a_failed_integration_leaves_no_numbers_of_the_field_before() {
    let costs = strip(400, 254);
    let profile = MovementProfile::new().with_connectivity(Connectivity::Four);
    let mut field = solve(&costs, &profile, &goal_at(0, 0), Engine::Auto).field;
    assert!(field.max_cost().is_some());
    let huge = profile.with_scale(scale(StepScale::MAX_STRAIGHT, StepScale::MAX_STRAIGHT));
    let movement = Movement::compile(&costs, &huge);
    let goals = goal_at(0, 0).resolve(&movement).unwrap();
    let result = integrate(
        &movement,
        &goals,
        &IntegrateOptions::new(),
        &mut IntegrateScratch::new(),
        &mut field,
    );
    assert!(result.is_err());
    assert!(field.reaches().all(|reach| reach == Reach::Unknown));
    assert!(field.sinks().is_empty());
}

#[test]
fn a_cost_limit_keeps_what_is_within_and_calls_the_rest_unknown() {
    for seed in 0..300 {
        let drawn = small_map(seed + 5_000_000);
        for profile in profiles(scale(10, 14)) {
            let goals = drawn
                .goals
                .iter()
                .cloned()
                .fold(GoalSet::new(), GoalSet::with_goal);
            let full = solve(&drawn.costs, &profile, &goals, Engine::Heap).field;
            let Some(max) = full.max_cost() else { continue };
            for limit in [0, 13, max.0 / 3, max.0.saturating_sub(1), max.0] {
                for engine in engines_for(&drawn.costs, &profile) {
                    let options = IntegrateOptions::new().with_engine(engine).with_cost_limit(limit);
                    let solved = try_solve(&drawn.costs, &profile, &goals, &options).unwrap();
                    let cuts = full
                        .reaches()
                        .any(|reach| reach.cost().is_some_and(|cost| cost.0 > limit));
                    for id in drawn.costs.grid().ids() {
                        let expected = match full.reach(id) {
                            Reach::Reached(cost) if cost.0 > limit => Reach::Unknown,
                            // Once something is cut off, a way might lie beyond: then nobody can say "unreachable".
                            Reach::Unreachable if cuts && solved.movement.is_passable(id) => Reach::Unknown,
                            reach => reach,
                        };
                        let cell = drawn.costs.grid().cell(id);
                        assert_eq!(
                            solved.field.reach(id),
                            expected,
                            "seed {} limit {limit} {engine} {profile:?} at {cell}",
                            drawn.seed
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_dearest_edge_of_every_charge_does_not_alias_in_the_bucket_ring() {
    // A dear short cut beside a long cheap way: a ring that is too short settles the dear cell early.
    let costs = map(&["..........", ".########.", ".########.", ".#........"]);
    let mut costs = costs;
    for y in 1..3 {
        costs.set(Cell::new(0, y), Cost::from_byte(254)).unwrap();
    }
    for charge in [Charge::Depart, Charge::Arrive, Charge::Mean] {
        for step_scale in [
            scale(10, 14),
            scale(1, 1),
            scale(7, 9),
            scale(32_768, 65_535),
            scale(32_767, 65_533),
        ] {
            let profile = MovementProfile::new().with_charge(charge).with_scale(step_scale);
            let goals = goal_at(0, 3);
            let heap = solve(&costs, &profile, &goals, Engine::Heap);
            let buckets = solve(&costs, &profile, &goals, Engine::Buckets);
            assert_eq!(heap.field, buckets.field, "{charge} {step_scale}");
        }
    }
}

#[test]
fn every_engine_relaxes_each_cell_once_also_when_goals_start_at_different_costs() {
    let costs = strip(60, 1);
    // In cell order the dear goal comes first; no cell is level between two goals.
    let goals = GoalSet::new()
        .with_goal(Goal::cell(Cell::new(0, 0)).with_bias(205))
        .with_goal(Goal::cell(Cell::new(59, 0)))
        .with_goal(Goal::cell(Cell::new(30, 0)).with_bias(101));
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let resolved = goals.resolve(&movement).unwrap();
    // Tiles count other things.
    for engine in [Engine::Heap, Engine::Buckets, Engine::Layers] {
        let mut field = IntegrationField::new(costs.grid().clone());
        let options = IntegrateOptions::new().with_engine(engine);
        let stats = integrate(
            &movement,
            &resolved,
            &options,
            &mut IntegrateScratch::new(),
            &mut field,
        )
        .unwrap();
        assert_eq!(
            (stats.engine, stats.expanded, stats.stale),
            (engine, 60, 0),
            "{engine}"
        );
    }
}
