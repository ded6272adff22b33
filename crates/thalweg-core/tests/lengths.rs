//! The length channel: the length of the way that is chosen by cost.

use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::{CornerRule, MovementProfile};
use thalweg_testkit::literal::{cells_of, map};
use thalweg_testkit::random_map::small_map;
use thalweg_testkit::solve::{profiles, scale, solve};
use thalweg_testkit::walker::Ways;

#[test]
fn lengths_count_the_steps_of_the_way_that_is_chosen() {
    for seed in 0..60 {
        let drawn = small_map(seed + 35_000_000);
        for profile in profiles(scale(10, 14)) {
            let goals = drawn
                .goals
                .iter()
                .cloned()
                .fold(GoalSet::new(), GoalSet::with_goal);
            let ways = Ways::new(solve(&drawn.costs, &profile, &goals, Engine::Auto));
            let solved = &ways.solved;
            for id in drawn.costs.grid().ids() {
                let (mut straight, mut diagonal, mut cell) = (0, 0, id);
                while let Some(direction) = solved.flow.direction(cell) {
                    *(if direction.is_diagonal() {
                        &mut diagonal
                    } else {
                        &mut straight
                    }) += 1;
                    cell = solved.movement.step_target(cell, direction).unwrap();
                }
                let got = ways.lengths.length(id).map(|way| (way.straight, way.diagonal));
                let wanted = solved.field.cost(id).map(|_| (straight, diagonal));
                assert_eq!(got, wanted, "seed {seed} {profile:?} {id:?}");
            }
        }
    }
}

#[test]
fn a_cheap_way_round_is_measured_by_its_own_length() {
    // Through the mud it is 6 steps at cost 9, round it 6 straight and 2 diagonal ones at cost 1.
    let rows = ["1111111", "1999991", "A99999G"];
    let profile = MovementProfile::new().with_corner_rule(CornerRule::Always);
    let ways = Ways::new(solve(
        &map(&rows),
        &profile,
        &GoalSet::from_cells(cells_of(&rows, 'G')),
        Engine::Auto,
    ));
    let at = |x, y| ways.lengths.length(ways.solved.id(x, y));
    let length = at(0, 2).expect("a way");
    assert_eq!((length.straight, length.diagonal), (6, 2));
    assert!((length.cells() - 8.828_427).abs() < 1e-6);
    assert_eq!(at(6, 2).map(|goal| goal.cells()), Some(0.0));
    assert_eq!(ways.lengths.bytes(), 8 * 21);
}
