//! What two single cells can do to each other in one tick.

use crate::kit::Case;
use thalweg::plan_check::ConflictKind::{Crossing, Following, Squeeze, Swap, Vertex};

#[test]
fn two_in_one_cell() {
    Case::new("0,0 2,0\n 1,0 1,0").has(&[(Vertex, 1, 0, Some(1), "1,0")]);
    Case::new("0,0 0,0").has(&[(Vertex, 0, 0, Some(1), "0,0")]);
    // Somebody who stands counts like somebody who comes, and every tick counts.
    Case::new("0,0 1,0\n 1,0 1,0\n 1,0 1,0")
        .has(&[(Vertex, 1, 0, Some(1), "1,0"), (Vertex, 2, 0, Some(1), "1,0")]);
    Case::new("0,0 2,0 4,0\n 1,0 2,0 3,0").is_right();
}

#[test]
fn two_exchange_their_cells() {
    Case::new("0,0 1,0\n 1,0 0,0").has(&[(Swap, 1, 0, Some(1), "1,0")]);
    Case::new("0,0 1,1\n 1,1 0,0").has(&[(Swap, 1, 0, Some(1), "1,1")]);
    // With a tick between it is none.
    Case::new("0,0 1,0\n 0,1 0,0\n 1,1 0,0\n 1,0 0,0").is_right();
}

#[test]
fn two_exchange_their_cells_by_portals() {
    let plan = "0,0 5,5\n 5,5 0,0";
    Case::new(plan)
        .portal("0,0", "5,5")
        .has(&[(Swap, 1, 0, Some(1), "5,5")]);
    let floors = &["... ...", ".. .. .."];
    let stairs = |plan| Case::on(floors, plan).portal("2,0", "1,1,1");
    stairs("2,0 1,1,1\n 1,1,1 2,0").has(&[(Swap, 1, 0, Some(1), "1,1,1")]);
    stairs("2,0 1,1,1\n 1,1,1 0,1,1").is_right();
    // The same x and y on two floors is no vertex, and no swap.
    stairs("1,1 1,1,1\n 1,0 1,0,1\n 1,1 1,1,1").is_right();
    stairs("0,0 1,0,1\n 1,0 0,0,1").is_right();
}

#[test]
fn two_cross_on_the_diagonals_of_a_block() {
    Case::new("0,0 1,0\n 1,1 0,1").names(Crossing, (0, 1));
    // Also where squeezing is allowed, and then nothing else is wrong.
    Case::new("0,0 1,0\n 1,1 0,1")
        .squeezing()
        .has(&[(Crossing, 1, 0, Some(1), "1,0")]);
    Case::new("1,0 1,1\n 0,1 0,0")
        .squeezing()
        .has(&[(Crossing, 1, 0, Some(1), "0,0")]);
    // Without the other kind there is no squeeze told of the same pair.
    Case::new("0,0 1,0\n 1,1 0,1").has(&[(Crossing, 1, 0, Some(1), "1,0")]);
    // One after the other is no crossing.
    Case::new("0,0 1,0\n 1,1 1,0\n 1,1 1,0").squeezing().is_right();
}

#[test]
fn a_diagonal_past_somebody_at_its_side() {
    // Somebody who stands there is told once, though it is there in both ticks.
    Case::new("0,0 1,0\n 1,1 1,0").has(&[(Squeeze, 0, 0, Some(1), "1,0")]);
    Case::new("0,0 0,1\n 1,1 0,1").has(&[(Squeeze, 0, 0, Some(1), "0,1")]);
    // Who leaves in this tick, and who comes.
    Case::new("0,0 1,0\n 1,1 2,0").has(&[(Squeeze, 0, 0, Some(1), "1,0")]);
    Case::new("0,0 2,0\n 1,1 1,0").has(&[(Squeeze, 1, 0, Some(1), "1,0")]);
    // One on each side.
    Case::new("0,0 1,0 0,1\n 1,1 1,0 0,1")
        .has(&[(Squeeze, 0, 0, Some(1), "1,0"), (Squeeze, 0, 0, Some(2), "0,1")]);
    for plan in ["0,0 1,0\n 1,1 1,0", "0,0 1,0\n 1,1 2,0", "0,0 2,0\n 1,1 1,0"] {
        Case::new(plan).squeezing().is_right();
    }
    // Every step of a walk along somebody is told.
    Case::new("0,0 1,0\n 1,1 1,0\n 0,0 1,0")
        .has(&[(Squeeze, 0, 0, Some(1), "1,0"), (Squeeze, 1, 0, Some(1), "1,0")]);
}

#[test]
fn two_singles_may_share_a_side_cell() {
    // Both sweep (1,1), and nothing else of the one is the other's.
    Case::new("0,1 1,2\n 1,0 2,1").is_right();
    Case::new("1,0 2,1\n 0,1 1,2").is_right();
    Case::new("0,1 2,1\n 1,2 1,0").is_right();
    // Three at once.
    Case::new("0,1 1,2 3,1\n 1,0 2,1 3,2").is_right();
}

#[test]
fn following_is_right_unless_it_is_forbidden() {
    let convoy = || Case::new("0,0 1,0 2,0\n 1,0 2,0 3,0");
    convoy().is_right();
    convoy().without_following().has(&[
        (Following, 1, 0, Some(1), "1,0"),
        (Following, 1, 1, Some(2), "2,0"),
    ]);
    // A cell later it is none.
    Case::new("0,0 2,0\n 1,0 3,0").without_following().is_right();
    // A swap stays a swap.
    Case::new("0,0 1,0\n 1,0 0,0")
        .without_following()
        .has(&[(Swap, 1, 0, Some(1), "1,0")]);
}

#[test]
fn a_rotation_is_a_move() {
    let four = || Case::new("0,0 1,0 1,1 0,1\n 1,0 1,1 0,1 0,0").four();
    four().is_right();
    let verdict = four().without_following().verdict();
    assert_eq!(verdict.count(Following), 4);
    assert_eq!(verdict.total(), 4);
    // Three of them need a diagonal, and whoever takes it squeezes past who leaves and who comes at its side.
    let three = || Case::new("0,0 1,0 0,1\n 1,0 0,1 0,0");
    three().squeezing().is_right();
    three().names(Squeeze, (0, 1));
}

#[test]
fn whoever_left_for_good_is_not_followed() {
    Case::new("0,0 1,0\n 1,0 -")
        .goals("1,0 1,0")
        .without_following()
        .is_right();
}

#[test]
fn every_tick_of_a_long_plan_is_looked_at() {
    // Two lanes of eight that end in a swap, so that the last tick matters.
    let mut plan = String::new();
    for x in 0..5 {
        plan.push_str(&format!("{x},0 {},1\n", 5 - x));
    }
    plan.push_str("4,0 5,1\n");
    Case::new(&plan).has(&[(thalweg::plan_check::ConflictKind::Step, 5, 1, None, "5,1")]);
}
