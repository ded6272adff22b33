//! Bodies of more than one cell.

use crate::kit::Case;
use thalweg::plan_check::ConflictKind::{Blocked, Crossing, Following, Footprint, Squeeze, Step, Swap};

#[test]
fn bodies_that_cover_a_cell_both() {
    Case::new("0,0 3,0\n 1,0 2,0")
        .sides(&[2, 2])
        .has(&[(Footprint, 1, 0, Some(1), "2,0")]);
    Case::new("0,0 3,3\n 1,1 3,3")
        .sides(&[3, 1])
        .has(&[(Footprint, 1, 0, Some(1), "3,3")]);
    Case::new("0,0 2,2")
        .sides(&[3, 1])
        .has(&[(Footprint, 0, 0, Some(1), "2,2")]);
    Case::new("0,0 2,0\n 0,0 2,0").sides(&[2, 2]).is_right();
    Case::new("0,0 3,3").sides(&[3, 3]).is_right();
    // Told once, however many cells they share.
    Case::new("0,0 0,1")
        .sides(&[3, 3])
        .has(&[(Footprint, 0, 0, Some(1), "0,1")]);
}

#[test]
fn large_bodies_follow_each_other() {
    let convoy = || Case::new("0,0 2,0\n 1,0 3,0").sides(&[2, 2]);
    convoy().is_right();
    convoy()
        .without_following()
        .has(&[(Following, 1, 0, Some(1), "2,0")]);
    let three = || Case::new("0,0 3,0\n 0,0 3,1\n 0,0 3,2\n 0,0 3,3\n 1,0 3,3").sides(&[3, 3]);
    three().without_following().is_right();
    // A single cell behind a large body, and before one.
    Case::new("0,1 1,0\n 1,1 2,0").sides(&[1, 3]).is_right();
    Case::new("3,2 0,0\n 4,2 1,0").sides(&[1, 3]).is_right();
}

#[test]
fn large_bodies_that_pass_through_each_other_swap() {
    // Along a line they also overlap. On two diagonals side by side they share no cell at either end.
    let past = || Case::new("0,1 2,1\n 1,0 1,2").sides(&[2, 2]);
    past().names(Swap, (0, 1));
    past().squeezing().names(Swap, (0, 1));
    let doors = |plan| Case::on(&["....... ....... ......."], plan).portal("0,0", "4,0");
    doors("0,0 4,0\n 4,0 0,0")
        .sides(&[3, 3])
        .has(&[(Swap, 1, 0, Some(1), "4,0")]);
    // A single cell under the feet of a body that takes the portal the other way.
    Case::on(&["....... ....... ......."], "0,0 5,1\n 4,0 1,1")
        .portal("0,0", "4,0")
        .portal("5,1", "1,1")
        .sides(&[3, 1])
        .has(&[(Swap, 1, 0, Some(1), "4,0")]);
}

#[test]
fn a_large_diagonal_sweeps_two_corners() {
    // South-east: north-east and south-west of the square of three.
    for corner in ["2,0", "0,2"] {
        let plan = format!("0,0 {corner}\n 1,1 {corner}");
        Case::new(&plan)
            .sides(&[2, 1])
            .has(&[(Squeeze, 0, 0, Some(1), corner)]);
        // Where single cells may squeeze, larger bodies still sweep their corners.
        Case::new(&plan)
            .sides(&[2, 1])
            .squeezing()
            .has(&[(Squeeze, 0, 0, Some(1), corner)]);
    }
    for corner in ["0,0", "3,3"] {
        let plan = format!("0,1 {corner}\n 1,0 {corner}");
        Case::new(&plan)
            .sides(&[3, 1])
            .has(&[(Squeeze, 0, 0, Some(1), corner)]);
    }
    // Cells beside the square are not swept.
    for beside in ["3,0", "0,3", "3,3"] {
        let plan = format!("0,0 {beside}\n 1,1 {beside}");
        Case::new(&plan).sides(&[2, 1]).is_right();
    }
    // A large body in the corner counts by every cell it covers.
    Case::new("0,1 3,0\n 1,2 3,0")
        .sides(&[3, 2])
        .has(&[(Squeeze, 0, 0, Some(1), "3,1")]);
}

#[test]
fn large_bodies_may_not_share_a_side_cell() {
    // Both sweep (2,2): one on its way south-west, the other north-west.
    let both = |sides: &[u8]| Case::new("1,0 3,2\n 0,1 2,3").sides(sides);
    both(&[2, 1]).has(&[(Squeeze, 1, 0, Some(1), "2,2")]);
    both(&[2, 1]).squeezing().has(&[(Squeeze, 1, 0, Some(1), "2,2")]);
    // The corners of 1 by 1 are elsewhere.
    both(&[1, 1]).is_right();
}

#[test]
fn singles_cross_also_beside_large_ones() {
    Case::new("0,0 1,0 3,3\n 1,1 0,1 3,3")
        .sides(&[1, 1, 3])
        .names(Crossing, (0, 1));
}

#[test]
fn bodies_keep_to_the_exits_of_their_size() {
    let door = |plan| Case::on(&["..#.. ..... ..#.."], plan);
    door("1,1\n 2,1\n 3,1").is_right();
    door("0,0\n 1,0")
        .sides(&[2])
        .has(&[(Blocked, 1, 0, None, "1,0"), (Step, 1, 0, None, "1,0")]);
    // Between two walls a diagonal is cut off for every body.
    Case::on(&[".#. ... ..."], "0,0\n 1,1").has(&[(Step, 1, 0, None, "1,1")]);
    // Over the border.
    Case::new("4,0\n 5,0")
        .sides(&[2])
        .has(&[(Blocked, 1, 0, None, "5,0"), (Step, 1, 0, None, "5,0")]);
}
