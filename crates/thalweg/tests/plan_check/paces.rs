//! Steps that take more than a tick.

use crate::kit::Case;
use thalweg::plan_check::ConflictKind::{Crossing, Following, Footprint, Pace, Squeeze, Swap, Vertex};

#[test]
fn a_step_takes_as_long_as_the_pace_says() {
    let walk = |plan| Case::new(plan).paces(&[3]);
    walk("0,0\n 0,0\n 0,0\n 1,0\n 1,0\n 1,0\n 2,0").is_right();
    walk("0,0\n 0,0\n 1,0").has(&[(Pace, 2, 0, None, "1,0")]);
    walk("0,0\n 0,0\n 0,0\n 1,0\n 1,0\n 2,0").has(&[(Pace, 5, 0, None, "2,0")]);
    // Waiting between steps is as long as one likes.
    walk("0,0\n 0,0\n 0,0\n 0,0\n 1,0\n 1,0\n 1,0\n 1,0\n 2,0\n 2,0").is_right();
}

#[test]
fn somebody_on_the_way_holds_both_ends() {
    // Pace 2 from (0,0) to (1,0): at tick 1 both are its own.
    let on_the_way = |plan: &str| Case::new(plan).paces(&[2, 1]);
    on_the_way("0,0 2,0\n 0,0 1,0\n 1,0 1,1").has(&[(Vertex, 1, 0, Some(1), "1,0")]);
    on_the_way("0,0 0,1\n 0,0 0,0\n 1,0 0,0").has(&[(Vertex, 1, 0, Some(1), "0,0")]);
    // In the tick in which it arrives others may follow into what it leaves.
    on_the_way("0,0 0,1\n 0,0 0,1\n 1,0 0,0").is_right();
    on_the_way("0,0 0,1\n 0,0 0,1\n 1,0 0,0")
        .without_following()
        .has(&[(Following, 2, 1, Some(0), "0,0")]);
    on_the_way("0,0 0,1\n 0,0 0,1\n 1,0 0,1\n 1,0 0,0")
        .without_following()
        .is_right();
    // It may itself follow into what another leaves: when it sets out.
    on_the_way("0,0 1,0\n 0,0 2,0\n 1,0 2,0").is_right();
    on_the_way("0,0 1,0\n 0,0 1,0\n 1,0 2,0").has(&[(Vertex, 1, 0, Some(1), "1,0")]);
    on_the_way("0,0 1,0\n 0,0 2,0\n 1,0 2,0")
        .without_following()
        .has(&[(Following, 1, 0, Some(1), "1,0")]);
}

#[test]
fn a_convoy_of_one_pace_moves_as_one() {
    let convoy = "0,0 1,0 2,0\n 0,0 1,0 2,0\n 1,0 2,0 3,0";
    // They set out together, so each would hold what the one before it still holds.
    Case::new(convoy).paces(&[2, 2, 2]).names(Vertex, (0, 1));
    // One by one, each in the tick in which the one before it arrives.
    let one_by_one = || Case::new("0,0 1,0\n 0,0 1,0\n 0,0 2,0\n 1,0 2,0").paces(&[2, 2]);
    one_by_one().is_right();
    one_by_one()
        .without_following()
        .has(&[(Following, 2, 0, Some(1), "1,0")]);
}

#[test]
fn large_bodies_of_other_paces() {
    // 2 × 2 at pace 3 to the east: (2,0) and (2,1) are its own from tick 1 on.
    let wide = |plan: &str| Case::new(plan).sides(&[2, 1]).paces(&[3, 1]);
    wide("0,0 2,0\n 0,0 2,0\n 0,0 3,0\n 1,0 3,0").has(&[(Footprint, 1, 0, Some(1), "2,0")]);
    wide("0,0 2,0\n 0,0 3,0\n 0,0 3,0\n 1,0 3,0").is_right();
    // Behind it (0,0) is free at tick 3.
    wide("0,0 0,2\n 0,0 0,2\n 0,0 0,2\n 1,0 0,1").is_right();
    wide("0,0 0,2\n 0,0 0,2\n 0,0 0,1\n 1,0 0,1").has(&[(Footprint, 2, 0, Some(1), "0,1")]);
}

#[test]
fn slow_bodies_that_exchange_are_named() {
    for paces in [[2, 2], [3, 3]] {
        let waits = "0,0 1,0\n".repeat(usize::from(paces[0]));
        Case::new(&format!("{waits}1,0 0,0"))
            .paces(&paces)
            .names(Swap, (0, 1));
    }
    Case::new("0,0 1,0\n 0,0 1,0\n 0,0 1,0\n 1,0 0,0")
        .paces(&[3, 1])
        .names(Swap, (0, 1));
    Case::new("0,0 3,0\n 0,0 3,0\n 3,0 0,0")
        .portal("0,0", "3,0")
        .paces(&[2, 2])
        .names(Swap, (0, 1));
}

#[test]
fn side_cells_are_kept_free_in_every_tick_of_a_slow_diagonal() {
    let slow = |plan: &str| Case::new(plan).paces(&[3, 1]);
    // At the start, between, at the end.
    slow("0,0 1,0\n 0,0 2,0\n 0,0 2,0\n 1,1 2,0").has(&[(Squeeze, 0, 0, Some(1), "1,0")]);
    slow("0,0 2,0\n 0,0 1,0\n 0,0 2,0\n 1,1 2,0").has(&[(Squeeze, 1, 0, Some(1), "1,0")]);
    slow("0,0 2,0\n 0,0 2,0\n 0,0 1,0\n 1,1 2,0").has(&[(Squeeze, 2, 0, Some(1), "1,0")]);
    slow("0,0 2,0\n 0,0 2,0\n 0,0 2,0\n 1,1 1,0").has(&[(Squeeze, 3, 0, Some(1), "1,0")]);
    slow("0,0 2,0\n 0,0 2,0\n 0,0 2,0\n 1,1 2,0\n 1,1 1,0").is_right();
    // Before it sets out the cell is nobody's.
    slow("0,0 1,0\n 0,0 2,0\n 0,0 2,0\n 0,0 2,0\n 1,1 2,0").is_right();
    // Told once a step.
    slow("0,0 1,0\n 0,0 1,0\n 0,0 1,0\n 1,1 1,0").has(&[(Squeeze, 0, 0, Some(1), "1,0")]);
    for plan in [
        "0,0 1,0\n 0,0 2,0\n 0,0 2,0\n 1,1 2,0",
        "0,0 2,0\n 0,0 1,0\n 0,0 2,0\n 1,1 2,0",
    ] {
        slow(plan).squeezing().is_right();
    }
}

#[test]
fn slow_diagonals_cross() {
    // Their times overlap by one tick.
    Case::new("0,0 1,0\n 0,0 1,0\n 1,1 1,0\n 1,1 0,1")
        .paces(&[2, 2])
        .squeezing()
        .has(&[(Crossing, 2, 0, Some(1), "1,0")]);
    // A quick one across a slow one.
    Case::new("0,0 1,0\n 0,0 1,0\n 0,0 0,1\n 1,1 0,1")
        .paces(&[3, 1])
        .squeezing()
        .has(&[(Crossing, 2, 0, Some(1), "0,1")]);
    // One after the other.
    Case::new("0,0 1,0\n 0,0 1,0\n 1,1 1,0\n 1,1 1,0\n 1,1 0,1")
        .paces(&[2, 2])
        .squeezing()
        .is_right();
}

#[test]
fn large_slow_bodies_sweep_their_corners_as_long() {
    // 3 × 3 at pace 2 to the south-east sweeps (3,0) and (0,3).
    let large = |plan: &str| Case::new(plan).sides(&[3, 1]).paces(&[2, 1]);
    large("0,0 4,0\n 0,0 3,0\n 1,1 4,0").has(&[(Squeeze, 1, 0, Some(1), "3,0")]);
    large("0,0 4,0\n 0,0 4,0\n 1,1 4,0").is_right();
    // Two that sweep one cell, at times that overlap and at times that only touch.
    let two = |plan: &str| Case::new(plan).sides(&[2, 1]).paces(&[2, 1]);
    two("1,0 3,2\n 1,0 2,3\n 0,1 2,3").has(&[(Squeeze, 1, 0, Some(1), "2,2")]);
    two("1,0 3,2\n 1,0 3,2\n 0,1 2,3").has(&[(Squeeze, 2, 0, Some(1), "2,2")]);
    two("1,0 3,2\n 1,0 3,2\n 0,1 3,2\n 0,1 2,3").is_right();
}
