//! Single ways against fields: the same costs, the same cells, every kind of "no".

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{BlockedGoals, Engine, GoalSet};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::route::{RouteError, RouteOptions, RouteScratch, find_route, find_route_to_goals};
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::solve::{Solved, profiles, scale, solve};

/// The cells that following first directions visits.
fn followed(solved: &Solved, start: CellId) -> Vec<CellId> {
    let mut cells = vec![start];
    let mut cell = start;
    while let Some(direction) = solved.flow.direction(cell) {
        cell = solved
            .movement
            .step_target(cell, direction)
            .expect("a legal exit");
        cells.push(cell);
    }
    cells
}

#[test]
fn a_single_way_costs_what_the_field_says_and_takes_its_cells() {
    let mut scratch = RouteScratch::new();
    let mut path = Vec::new();
    let (mut found, mut refused) = (0, 0);
    for seed in 0..150 {
        let drawn = small_map(seed + 30_000_000);
        let grid = drawn.costs.grid().clone();
        let goal = drawn.goals[0].cells[0];
        for (straight, diagonal) in [(10, 14), (1, 1), (1, 2)] {
            for profile in profiles(scale(straight, diagonal)) {
                let solved = solve(&drawn.costs, &profile, &GoalSet::from_cells([goal]), Engine::Auto);
                for id in grid.ids().step_by(5) {
                    let context = format!("seed {seed} {profile:?} from {}", grid.cell(id));
                    let got = find_route(
                        &solved.movement,
                        grid.cell(id),
                        goal,
                        &RouteOptions::new(),
                        &mut scratch,
                        &mut path,
                    );
                    let wanted = solved.field.cost(id);
                    assert_eq!(got.ok().map(|route| route.cost), wanted, "{context}: {got:?}");
                    if wanted.is_none() {
                        assert!(path.is_empty());
                        refused += 1;
                        continue;
                    }
                    found += 1;
                    check_path(&solved, &path, id, &context);
                    if !solved.movement.has_zero_steps() {
                        assert_eq!(path, followed(&solved, id), "{context}");
                    }
                }
            }
        }
    }
    assert!(
        found > 10_000 && refused > 1_000,
        "{found} found, {refused} refused"
    );
}

#[test]
fn a_way_to_the_nearest_of_several_goals_is_the_one_the_field_leads_along() {
    let mut scratch = RouteScratch::new();
    let mut path = Vec::new();
    let (mut found, mut refused, mut biased) = (0, 0, 0);
    for seed in 0..400 {
        let drawn = small_map(seed + 32_000_000);
        let grid = drawn.costs.grid().clone();
        let mut goals = GoalSet::new().with_blocked_goals(BlockedGoals::Skip);
        for goal in &drawn.goals {
            goals = goals.with_goal(goal.clone());
            biased += u32::from(goal.bias > 0);
        }
        for profile in profiles(scale(10, 14)) {
            let movement = Movement::compile(&drawn.costs, &profile);
            let Ok(resolved) = goals.resolve(&movement) else {
                continue;
            };
            let solved = solve(&drawn.costs, &profile, &goals, Engine::Heap);
            for id in grid.ids().step_by(7).filter(|&id| movement.is_passable(id)) {
                let context = format!("seed {seed} {profile:?} from {}", grid.cell(id));
                let (start, options) = (grid.cell(id), RouteOptions::new());
                let got = find_route_to_goals(&movement, start, &resolved, &options, &mut scratch, &mut path);
                assert_eq!(
                    got.ok().map(|route| route.cost),
                    solved.field.cost(id),
                    "{context}"
                );
                if let Err(error) = got {
                    assert_eq!(error, RouteError::Unreachable, "{context}");
                    for other in grid.ids() {
                        let reached = solved.field.cost(other).is_some();
                        assert_eq!(scratch.has_reached(other), reached, "{context}: {other:?}");
                    }
                    refused += 1;
                    continue;
                }
                found += 1;
                if !movement.has_zero_steps() {
                    assert_eq!(path, followed(&solved, id), "{context}");
                }
            }
        }
    }
    assert!(
        found > 5_000 && refused > 500 && biased > 50,
        "{found} found, {refused} refused, {biased} starting costs"
    );
}

/// Every step is legal and keeps the least cost; the last cell is the goal; no cell comes twice.
fn check_path(solved: &Solved, path: &[CellId], start: CellId, context: &str) {
    assert_eq!(path.first(), Some(&start), "{context}");
    for pair in path.windows(2) {
        let edge = solved
            .movement
            .edges_from(pair[0])
            .find(|edge| edge.other == pair[1]);
        let edge = edge.unwrap_or_else(|| panic!("{context}: {pair:?} is no step"));
        let (here, there) = (solved.field.cost(pair[0]), solved.field.cost(pair[1]));
        let (here, there) = (here.expect("reached").0, there.expect("reached").0);
        assert_eq!(there + edge.cost, here, "{context}: {pair:?} is not tight");
    }
    let last = *path.last().expect("not empty");
    assert_eq!(solved.field.cost(last).map(|cost| cost.0), Some(0), "{context}");
    let mut cells = path.to_vec();
    cells.sort_unstable();
    cells.dedup();
    assert_eq!(cells.len(), path.len(), "{context}: a cell twice");
}

#[test]
fn every_no_is_told_apart() {
    let movement = Movement::compile(&map(&["..#.", ".?#."]), &MovementProfile::new());
    let search = |start: (i32, i32), goal: (i32, i32)| {
        let mut path = vec![CellId(99)];
        let got = find_route(
            &movement,
            start.into(),
            goal.into(),
            &RouteOptions::new(),
            &mut RouteScratch::new(),
            &mut path,
        );
        assert_eq!(path.is_empty(), got.is_err(), "an old way is not left standing");
        got.map(|found| found.cost.0)
    };
    let cell = Cell::new;
    assert_eq!(
        search((-1, 0), (9, 9)),
        Err(RouteError::StartOutside(cell(-1, 0)))
    );
    assert_eq!(search((1, 1), (9, 9)), Err(RouteError::StartBlocked(cell(1, 1))));
    assert_eq!(search((2, 0), (2, 0)), Err(RouteError::StartBlocked(cell(2, 0))));
    assert_eq!(search((0, 0), (9, 9)), Err(RouteError::GoalOutside(cell(9, 9))));
    assert_eq!(search((0, 0), (2, 0)), Err(RouteError::GoalBlocked(cell(2, 0))));
    assert_eq!(search((0, 0), (3, 1)), Err(RouteError::Unreachable));
    assert_eq!(search((0, 0), (0, 0)), Ok(0));
    assert_eq!(search((1, 0), (0, 1)), Ok(20));
}

#[test]
fn limits_say_that_the_answer_is_not_known_and_never_that_there_is_no_way() {
    let movement = Movement::compile(&map(&["....."]), &MovementProfile::new());
    let mut scratch = RouteScratch::new();
    let mut path = Vec::new();
    let mut search = |options: RouteOptions| {
        let (start, goal) = (Cell::new(0, 0), Cell::new(4, 0));
        find_route(&movement, start, goal, &options, &mut scratch, &mut path).map(|found| found.cost.0)
    };
    assert_eq!(search(RouteOptions::new().with_cost_limit(40)), Ok(40));
    assert_eq!(
        search(RouteOptions::new().with_cost_limit(39)),
        Err(RouteError::BeyondCostLimit { limit: 39 })
    );
    assert_eq!(search(RouteOptions::new().with_node_limit(4)), Ok(40));
    assert_eq!(
        search(RouteOptions::new().with_node_limit(3)),
        Err(RouteError::BeyondNodeLimit { limit: 3 })
    );
}

#[test]
fn a_search_looks_only_at_the_cells_it_needs() {
    let grid = Grid::new(200, 200).expect("a grid");
    let movement = Movement::compile(&CostField::filled(grid, Cost::PLAIN), &MovementProfile::new());
    let mut path = Vec::new();
    let (start, goal) = (Cell::new(100, 100), Cell::new(140, 110));
    let found = find_route(
        &movement,
        start,
        goal,
        &RouteOptions::new(),
        &mut RouteScratch::new(),
        &mut path,
    )
    .expect("open ground");
    assert_eq!(found.cost.0, 10 * 14 + 30 * 10);
    // The cells on ways of the least cost: a parallelogram of 31 by 11.
    assert!(found.expanded <= 31 * 11, "{} cells expanded", found.expanded);
}

#[test]
fn the_way_does_not_depend_on_what_the_buffers_were_used_for_before() {
    let mut used = RouteScratch::new();
    let mut random = SplitMix64::new(5);
    for seed in 0..100 {
        let drawn = small_map(seed + 31_000_000);
        let movement = Movement::compile(&drawn.costs, &MovementProfile::new());
        let grid = movement.grid();
        let mut any = || grid.cell(CellId(random.below(grid.width() * grid.height())));
        let (start, goal) = (any(), any());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let options = RouteOptions::new();
        let with_used = find_route(&movement, start, goal, &options, &mut used, &mut a);
        let with_new = find_route(&movement, start, goal, &options, &mut RouteScratch::new(), &mut b);
        assert_eq!((with_used, a), (with_new, b), "seed {seed}");
    }
}
