//! The validators find every field that does not belong to its movement: a check that never fails proves nothing.

use thalweg_core::check::{
    Violation, check_acyclic, check_directions, check_field, check_labels, check_relaxation,
};
use thalweg_core::cost::Cost;
use thalweg_core::grid::Cell;
use thalweg_core::integrate::{Engine, Goal, GoalSet};
use thalweg_core::movement::MovementProfile;
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::{SplitMix64, small_map};
use thalweg_testkit::solve::{profiles, scale, solve};

#[test]
fn a_field_from_before_an_edit_fails_exactly_when_the_edit_changed_it() {
    let (mut caught, mut same) = (0, 0);
    for seed in 0..600 {
        let drawn = small_map(seed + 10_000_000);
        // Where steps may cost nothing, a stale field can still satisfy every local equation.
        if drawn.palette.has_zero() {
            continue;
        }
        let grid = drawn.costs.grid().clone();
        let mut random = SplitMix64::new(seed);
        let cell = grid.cell(
            grid.id_at(random.below(grid.width()), random.below(grid.height()))
                .unwrap(),
        );
        if drawn.goals.iter().any(|goal| goal.cells.contains(&cell)) {
            continue;
        }
        let mut edited = drawn.costs.clone();
        let cost = random.pick(&[Cost::IMPASSABLE, Cost::PLAIN, Cost::from_byte(7)]);
        edited.set(cell, cost).unwrap();
        let goals = drawn
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal);
        for profile in profiles(scale(10, 14)) {
            let old = solve(&drawn.costs, &profile, &goals, Engine::Auto);
            let new = solve(&edited, &profile, &goals, Engine::Auto);
            let context = format!("seed {} {profile:?} {cell} becomes {cost}", drawn.seed);
            // `D` and the sinks decide; versions differ after every edit.
            let is_same = old.field.reaches().eq(new.field.reaches());
            let was_unknown = !old.movement.is_known(grid.id(cell).unwrap());
            if is_same {
                assert_eq!(check_relaxation(&new.movement, &old.field), Ok(()), "{context}");
                same += 1;
            } else if !was_unknown {
                assert!(check_relaxation(&new.movement, &old.field).is_err(), "{context}");
                caught += 1;
            }
            if old.flow != new.flow {
                assert!(
                    check_directions(&new.movement, &new.field, &old.flow).is_err(),
                    "{context}"
                );
            }
            let labels = |solved: &thalweg_testkit::solve::Solved| -> Vec<_> {
                grid.ids().map(|id| solved.field.goal(id)).collect()
            };
            if is_same && labels(&old) != labels(&new) {
                assert!(check_labels(&new.movement, &old.field).is_err(), "{context}");
            }
        }
    }
    assert!(
        caught > 500 && same > 100,
        "{caught} stale fields, {same} that still hold"
    );
}

#[test]
fn each_kind_of_fault_is_named_with_its_cell() {
    let profile = MovementProfile::new();
    let goals = GoalSet::new().with_goal(Goal::cell(Cell::new(0, 0)));
    let open = solve(&map(&["...", "..."]), &profile, &goals, Engine::Auto);
    let walled = solve(&map(&["..#", "..."]), &profile, &goals, Engine::Auto);
    let dear = solve(&map(&["..9", "..."]), &profile, &goals, Engine::Auto);
    let cell = Cell::new(2, 0);
    assert!(matches!(
        check_relaxation(&walled.movement, &open.field),
        Err(Violation::WallReached { cell: at, .. }) if at == cell
    ));
    assert!(matches!(
        check_relaxation(&open.movement, &walled.field),
        Err(Violation::ReachableCellNotReached { cell: at, .. }) if at == cell
    ));
    assert!(matches!(
        check_relaxation(&open.movement, &dear.field),
        Err(Violation::NotLeast { cell: at, .. }) if at == cell
    ));
    assert!(matches!(
        check_relaxation(&dear.movement, &open.field),
        Err(Violation::NoExitKeepsCost { cell: at, .. }) if at == cell
    ));
    assert!(matches!(
        check_directions(&walled.movement, &walled.field, &open.flow),
        Err(Violation::IllegalSuccessor { cell: at, .. }) if at == Cell::new(2, 0) || at == Cell::new(2, 1)
    ));
    let away = GoalSet::from_cells([Cell::new(2, 1)]);
    let elsewhere = solve(&map(&["...", "..."]), &profile, &away, Engine::Auto);
    assert!(matches!(
        check_directions(&open.movement, &open.field, &elsewhere.flow),
        Err(Violation::WrongSuccessor { cell: at, .. }) if at == Cell::new(0, 0)
    ));
    assert_eq!(check_acyclic(&open.movement, &open.field, &open.flow), Ok(()));
    assert!(check_field(&open.movement, &open.field, &elsewhere.flow).is_err());
}
