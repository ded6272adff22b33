//! What must happen to a field when its map is turned, walled or scaled, and when its scratch is used again.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Charge, Movement, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::solve::{engines_for, profiles, scale, solve};
use thalweg_testkit::symmetry::Symmetry;
use thalweg_testkit::threads::TestThreads;

fn goal_set(goals: &[Goal]) -> GoalSet {
    goals.iter().cloned().fold(GoalSet::new(), GoalSet::with_goal)
}

/// The map with its first cell moved to (0,0), and the goals with it.
fn at_origin(costs: &CostField, goals: &[Goal]) -> (CostField, Vec<Goal>) {
    let grid = costs.grid();
    let first = grid.first_cell();
    let mut moved = CostField::filled(Grid::new(grid.width(), grid.height()).unwrap(), Cost::PLAIN);
    let shift = |cell: Cell| Cell::new(cell.x - first.x, cell.y - first.y);
    for id in grid.ids() {
        let to = shift(grid.cell(id));
        match costs.get(id) {
            Some(cost) => moved.set(to, cost).unwrap(),
            None => moved.set_unknown(to).unwrap(),
        }
    }
    let goals = goals
        .iter()
        .map(|goal| Goal {
            cells: goal.cells.iter().copied().map(shift).collect(),
            bias: goal.bias,
        })
        .collect();
    (moved, goals)
}

#[test]
fn a_turned_or_mirrored_map_gives_the_turned_field_and_successors() {
    for seed in 0..150 {
        let drawn = small_map(seed + 3_000_000);
        let (costs, goals) = at_origin(&drawn.costs, &drawn.goals);
        let (width, height) = (costs.grid().width(), costs.grid().height());
        for profile in profiles(scale(10, 14)) {
            let original = solve(&costs, &profile, &goal_set(&goals), Engine::Auto);
            for symmetry in Symmetry::all() {
                let image_costs = symmetry.map(&costs);
                let image_goals: Vec<Goal> = goals
                    .iter()
                    .map(|goal| Goal {
                        cells: goal
                            .cells
                            .iter()
                            .map(|&cell| symmetry.cell(width, height, cell))
                            .collect(),
                        bias: goal.bias,
                    })
                    .collect();
                let image = solve(&image_costs, &profile, &goal_set(&image_goals), Engine::Auto);
                for id in costs.grid().ids() {
                    let cell = costs.grid().cell(id);
                    let to = image_costs.grid().id(symmetry.cell(width, height, cell)).unwrap();
                    let context = format!("seed {} {symmetry:?} {profile:?} {cell}", drawn.seed);
                    assert_eq!(original.field.reach(id), image.field.reach(to), "{context}");
                    assert_eq!(original.field.goal(id), image.field.goal(to), "{context}");
                    let turned = symmetry.directions(original.flow.successors(id));
                    assert_eq!(turned, image.flow.successors(to), "{context}");
                }
            }
        }
    }
}

#[test]
fn a_new_wall_never_lowers_a_cost_and_a_taken_wall_never_raises_one() {
    for seed in 0..300 {
        let drawn = small_map(seed + 4_000_000);
        let mut random = SplitMix64::new(seed);
        let free: Vec<Cell> = drawn
            .costs
            .grid()
            .ids()
            .filter(|id| drawn.costs.bytes()[id.index()] != 255)
            .map(|id| drawn.costs.grid().cell(id))
            .filter(|cell| !drawn.goals.iter().any(|goal| goal.cells.contains(cell)))
            .collect();
        if free.is_empty() {
            continue;
        }
        let mut walled = drawn.costs.clone();
        walled.set(random.pick(&free), Cost::IMPASSABLE).unwrap();
        for profile in profiles(scale(10, 14)) {
            let before = solve(&drawn.costs, &profile, &goal_set(&drawn.goals), Engine::Auto);
            let after = solve(&walled, &profile, &goal_set(&drawn.goals), Engine::Auto);
            for id in drawn.costs.grid().ids() {
                let (old, new) = (before.field.cost(id), after.field.cost(id));
                let cell = drawn.costs.grid().cell(id);
                assert!(
                    new.is_none() || old.is_some_and(|old| Some(old) <= new),
                    "seed {} {profile:?} {cell}: {old:?} before the wall, {new:?} after",
                    drawn.seed
                );
            }
        }
    }
}

#[test]
fn scaling_all_costs_scales_the_field_and_keeps_reach_and_successors() {
    for seed in 0..400 {
        let drawn = small_map(seed + 6_000_000);
        let dearest = drawn
            .costs
            .bytes()
            .iter()
            .filter(|&&byte| byte != 255)
            .max()
            .copied();
        let Some(factor) = dearest
            .map(|dearest| 254 / dearest.max(1))
            .filter(|&factor| factor > 1)
        else {
            continue;
        };
        let unbiased: Vec<Goal> = drawn
            .goals
            .iter()
            .cloned()
            .map(|goal| goal.with_bias(0))
            .collect();
        let mut scaled = drawn.costs.clone();
        for id in drawn.costs.grid().ids() {
            if let Some(cost) = drawn.costs.get(id).filter(|cost| cost.is_passable()) {
                let dearer = Cost::from_byte(cost.byte() * factor);
                scaled.set(drawn.costs.grid().cell(id), dearer).unwrap();
            }
        }
        for profile in profiles(scale(12, 17)) {
            let once = solve(&drawn.costs, &profile, &goal_set(&unbiased), Engine::Auto);
            let dear = solve(&scaled, &profile, &goal_set(&unbiased), Engine::Auto);
            let longer = solve(
                &drawn.costs,
                &profile.with_scale(scale(36, 51)),
                &goal_set(&unbiased),
                Engine::Auto,
            );
            for id in drawn.costs.grid().ids() {
                let cost = |solved: &thalweg_testkit::solve::Solved| solved.field.cost(id).map(|cost| cost.0);
                assert_eq!(
                    cost(&dear),
                    cost(&once).map(|cost| cost * u32::from(factor)),
                    "seed {}",
                    drawn.seed
                );
                assert_eq!(
                    cost(&longer),
                    cost(&once).map(|cost| cost * 3),
                    "seed {}",
                    drawn.seed
                );
                assert_eq!(dear.flow.successors(id), once.flow.successors(id));
                assert_eq!(longer.flow.successors(id), once.flow.successors(id));
            }
        }
    }
}

#[test]
fn a_trip_costs_the_same_both_ways_under_the_mean_and_swaps_its_charge_otherwise() {
    for seed in 0..200 {
        let drawn = small_map(seed + 7_000_000);
        let mut random = SplitMix64::new(seed);
        let grid = drawn.costs.grid().clone();
        let free: Vec<_> = grid
            .ids()
            .filter(|id| drawn.costs.bytes()[id.index()] != 255)
            .collect();
        let (a, b) = (random.pick(&free), random.pick(&free));
        for profile in profiles(scale(10, 14)) {
            let cost = |profile: &MovementProfile, from, to| {
                let goals = GoalSet::from_cells([grid.cell(to)]);
                solve(&drawn.costs, profile, &goals, Engine::Auto)
                    .field
                    .cost(from)
            };
            let back = match profile.charge {
                Charge::Mean => profile,
                Charge::Depart => profile.with_charge(Charge::Arrive),
                Charge::Arrive => profile.with_charge(Charge::Depart),
            };
            // What is left on the way there is entered on the way back.
            assert_eq!(
                cost(&profile, a, b),
                cost(&back, b, a),
                "seed {} {profile:?}",
                drawn.seed
            );
        }
    }
}

#[test]
fn the_order_of_the_goals_decides_labels_and_nothing_else() {
    for seed in 0..300 {
        let drawn = small_map(seed + 9_000_000);
        let reversed: Vec<Goal> = drawn.goals.iter().rev().cloned().collect();
        for profile in profiles(scale(10, 14)) {
            let one = solve(&drawn.costs, &profile, &goal_set(&drawn.goals), Engine::Auto);
            let two = solve(&drawn.costs, &profile, &goal_set(&reversed), Engine::Auto);
            assert!(one.field.reaches().eq(two.field.reaches()), "seed {}", drawn.seed);
            assert_eq!(one.flow, two.flow, "seed {}", drawn.seed);
        }
    }
}

#[test]
fn one_scratch_for_many_maps_leaves_no_trace_of_the_query_before() {
    let mut scratch = IntegrateScratch::new();
    let mut flow_scratch = FlowScratch::new();
    let mut field = IntegrationField::new(Grid::new(1, 1).unwrap());
    let mut flow = FlowField::new(Grid::new(1, 1).unwrap());
    for seed in 0..200 {
        let drawn = small_map(seed + 8_000_000);
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&drawn.costs, &profile);
            let goals = goal_set(&drawn.goals);
            let resolved = goals.resolve(&movement).unwrap();
            for engine in engines_for(&drawn.costs, &profile) {
                let options = IntegrateOptions::new().with_engine(engine);
                let fresh = solve(&drawn.costs, &profile, &goals, engine);
                // Between two equal queries: one cut short by a limit, and one with another goal.
                for _ in 0..2 {
                    integrate(&movement, &resolved, &options, &mut scratch, &mut field).unwrap();
                    extract(&movement, &field, &Serial, &mut flow_scratch, &mut flow);
                    assert_eq!(field, fresh.field, "seed {} {engine} {profile:?}", drawn.seed);
                    assert_eq!(flow, fresh.flow, "seed {} {engine} {profile:?}", drawn.seed);
                    let short = options.with_cost_limit(15);
                    integrate(&movement, &resolved, &short, &mut scratch, &mut field).unwrap();
                }
            }
        }
    }
}

#[test]
fn directions_do_not_depend_on_the_number_of_threads() {
    let mut random = SplitMix64::new(99);
    let grid = Grid::new(601, 457).unwrap();
    let bytes = (0..grid.len())
        .map(|_| {
            if random.percent(25) {
                255
            } else {
                u8::try_from(random.below(4)).unwrap()
            }
        })
        .collect();
    let mut costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
    costs.set(Cell::new(300, 200), Cost::PLAIN).unwrap();
    let solved = solve(
        &costs,
        &MovementProfile::new(),
        &GoalSet::from_cells([Cell::new(300, 200)]),
        Engine::Auto,
    );
    for threads in [1, 2, 8] {
        let mut flow = FlowField::new(grid.clone());
        let mut scratch = FlowScratch::new();
        extract(
            &solved.movement,
            &solved.field,
            &TestThreads(threads),
            &mut scratch,
            &mut flow,
        );
        assert_eq!(flow, solved.flow, "{threads} threads");
    }
}

#[test]
fn the_whole_corpus_is_the_same_under_every_engine() {
    for scene in corpus() {
        for profile in profiles(scale(10, 14)) {
            let goals = GoalSet::from_cells(scene.goals.clone());
            let reference = solve(&scene.costs, &profile, &goals, Engine::Heap);
            for engine in engines_for(&scene.costs, &profile) {
                let solved = solve(&scene.costs, &profile, &goals, engine);
                assert_eq!(
                    solved.field, reference.field,
                    "{} {engine} {profile:?}",
                    scene.name
                );
                assert_eq!(solved.flow, reference.flow, "{} {engine} {profile:?}", scene.name);
            }
        }
    }
}
