//! The sweep is exact: compared with a rational walk that shares no code with it, on random maps and segments.

mod common;

use common::*;
use proptest::prelude::*;
use thalweg_core::grid::{CellId, Direction, MapPoint, SUBCELLS};
use thalweg_core::movement::{Connectivity, CornerRule, Movement};
use thalweg_crowd::{SweepStop, sweep};

const S: i128 = SUBCELLS as i128;

/// Where a segment first does something illegal: the last legal cell, or `None` if it never does.
///
/// Collects the parameter of every border crossing as a fraction over the common denominator |dx|·|dy|, sorts them and
/// walks from cell to cell.
fn refused_by_rationals(movement: &Movement, from: MapPoint, to: MapPoint) -> Option<CellId> {
    let (dx, dy) = (
        i128::from(to.x) - i128::from(from.x),
        i128::from(to.y) - i128::from(from.y),
    );
    let crossings = |start: i32, end: i32, delta: i128, other: i128| -> Vec<i128> {
        // Borders b with the segment on both sides in the half-open sense: floor changes between start and end.
        let (low, high) = (i128::from(start.min(end)), i128::from(start.max(end)));
        let mut out = Vec::new();
        for border in low.div_euclid(S) + 1..=high.div_euclid(S) {
            let distance = (border * S - i128::from(start)).abs();
            out.push(distance * other.abs().max(1));
            assert!(delta != 0, "a segment that crosses borders has a length");
        }
        out.sort_unstable();
        out
    };
    let xs = crossings(from.x, to.x, dx, dy);
    let ys = crossings(from.y, to.y, dy, dx);
    let mut events: Vec<(i128, bool, bool)> = Vec::new();
    for &t in &xs {
        events.push((t, true, ys.contains(&t) && dx != 0 && dy != 0));
    }
    for &t in &ys {
        if !(xs.contains(&t) && dx != 0 && dy != 0) {
            events.push((t, false, false));
        }
    }
    events.sort_unstable_by_key(|event| event.0);
    let (sx, sy) = (dx.signum() as i32, dy.signum() as i32);
    let mut cell = from.cell_id(movement.grid()).unwrap();
    for (_, is_x, is_corner) in events {
        let way = |dx: i32, dy: i32| Direction::from_offset(dx, dy).unwrap();
        let next = if is_corner {
            let direct = movement.step_target(cell, way(sx, sy));
            let around = |a: Direction, b: Direction| {
                movement
                    .step_target(cell, a)
                    .and_then(|side| movement.step_target(side, b))
            };
            direct.or_else(|| around(way(sx, 0), way(0, sy)).and(around(way(0, sy), way(sx, 0))))
        } else if is_x {
            movement.step_target(cell, way(sx, 0))
        } else {
            movement.step_target(cell, way(0, sy))
        };
        match next {
            Some(next) => cell = next,
            None => return Some(cell),
        }
    }
    assert_eq!(
        Some(cell),
        to.cell_id(movement.grid()),
        "the walk ends in the cell of the end"
    );
    None
}

fn check(movement: &Movement, from: MapPoint, to: MapPoint) -> Result<(), TestCaseError> {
    let swept = sweep(movement, from, to);
    match refused_by_rationals(movement, from, to) {
        None => {
            prop_assert_eq!(swept.stop, SweepStop::Clear);
            prop_assert_eq!(swept.end, to);
        }
        Some(last) => {
            let SweepStop::Wall { cell, direction } = swept.stop else {
                return Err(TestCaseError::fail(format!(
                    "{from:?} to {to:?} is refused in {last:?}, not {:?}",
                    swept.stop
                )));
            };
            prop_assert_eq!(cell, last);
            prop_assert!(
                !movement.exits(cell).contains(direction),
                "the exit that is named is closed"
            );
            let end = swept.end.cell_id(movement.grid());
            prop_assert!(
                end == Some(last) || swept.end == from,
                "the end is in the last legal cell"
            );
            prop_assert_eq!(
                refused_by_rationals(movement, from, swept.end),
                None,
                "the segment to the end is legal"
            );
            // The end is on the segment up to rounding.
            let (ax, ay) = (
                i128::from(to.x) - i128::from(from.x),
                i128::from(to.y) - i128::from(from.y),
            );
            let (bx, by) = (
                i128::from(swept.end.x) - i128::from(from.x),
                i128::from(swept.end.y) - i128::from(from.y),
            );
            let cross = (ax * by - ay * bx).abs();
            prop_assert!(
                cross <= 2 * (ax.abs() + ay.abs()),
                "the end is within two subcells of the segment"
            );
        }
    }
    Ok(())
}

fn random_map(walls: &[bool], width: usize) -> Vec<String> {
    walls
        .chunks(width)
        .map(|row| row.iter().map(|&wall| if wall { '#' } else { '.' }).collect())
        .collect()
}

/// Coordinates in 0..limit cells that often lie on borders, one subcell beside them, or on halves.
fn coordinate(limit: i32) -> impl Strategy<Value = i32> {
    let top = limit * SUBCELLS;
    prop_oneof![
        0..top,
        (0..limit, -1..=1i32).prop_map(|(cell, by)| cell * SUBCELLS + by),
        (0..limit * 2).prop_map(|half| half * SUBCELLS / 2),
        (0..limit * 8).prop_map(|eighth| eighth * SUBCELLS / 8),
    ]
    .prop_map(move |value| value.clamp(0, top - 1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_sweep_agrees_with_an_exact_rational_walk(
        walls in proptest::collection::vec(proptest::bool::weighted(0.3), 42),
        points in proptest::collection::vec((coordinate(7), coordinate(6), coordinate(7), coordinate(6)), 40),
    ) {
        for profile in profiles() {
            let costs = costs_of(&random_map(&walls, 7));
            let movement = Movement::compile(&costs, &profile);
            for &(ax, ay, bx, by) in &points {
                let (from, to) = (MapPoint::new(ax, ay), MapPoint::new(bx, by));
                if from.cell_id(movement.grid()).is_some_and(|cell| movement.is_passable(cell)) {
                    check(&movement, from, to)?;
                }
            }
        }
    }

    #[test]
    fn segments_that_leave_the_map_end_inside_it(
        width in 1u32..4, height in 1u32..4,
        x in 0i32..4 * SUBCELLS, y in 0i32..4 * SUBCELLS, dx: i32, dy: i32,
    ) {
        let map: Vec<String> = (0..height).map(|_| ".".repeat(width as usize)).collect();
        let movement = Movement::compile(&costs_of(&map), &profile(Connectivity::Eight, CornerRule::Always));
        let from = MapPoint::new(x % (width as i32 * SUBCELLS), y % (height as i32 * SUBCELLS));
        let to = MapPoint::new(from.x.saturating_add(dx), from.y.saturating_add(dy));
        let swept = sweep(&movement, from, to);
        prop_assert!(swept.end.cell_id(movement.grid()).is_some());
        check_same_end(&movement, from, swept.end)?;
    }
}

fn check_same_end(movement: &Movement, from: MapPoint, end: MapPoint) -> Result<(), TestCaseError> {
    let again = sweep(movement, from, end);
    prop_assert_eq!((again.end, again.stop), (end, SweepStop::Clear));
    Ok(())
}

#[test]
fn a_corner_between_two_walls_is_passed_exactly_or_not_at_all() {
    for (map, from, to) in [
        (["A#", "#G"], (0.5, 0.5), (1.5, 1.5)),
        (["A#", "#G"], (1.5, 1.5), (0.5, 0.5)),
        (["#A", "G#"], (1.5, 0.5), (0.5, 1.5)),
        (["#A", "G#"], (0.5, 1.5), (1.5, 0.5)),
    ] {
        let (from, to) = (at(from.0, from.1), at(to.0, to.1));
        let clear = |rule, shift: i32| {
            let movement = Movement::compile(&costs_of(&map), &profile(Connectivity::Eight, rule));
            let moved = |p: MapPoint| MapPoint::new(p.x + shift, p.y);
            sweep(&movement, moved(from), moved(to)).stop == SweepStop::Clear
        };
        assert!(clear(CornerRule::Always, 0));
        assert!(
            !clear(CornerRule::Always, 1),
            "one subcell beside the corner is a wall"
        );
        assert!(!clear(CornerRule::Always, -1));
        assert!(!clear(CornerRule::OneFree, 0));
        assert!(!clear(CornerRule::BothFree, 0));
    }
}

#[test]
fn with_one_side_free_only_the_rule_that_says_so_lets_the_exact_corner_pass() {
    let map = ["A.", "#G"];
    let clear = |connectivity, rule| {
        let movement = Movement::compile(&costs_of(&map), &profile(connectivity, rule));
        sweep(&movement, at(0.5, 0.5), at(1.5, 1.5)).stop == SweepStop::Clear
    };
    assert!(clear(Connectivity::Eight, CornerRule::OneFree));
    assert!(!clear(Connectivity::Eight, CornerRule::BothFree));
    assert!(!clear(Connectivity::Four, CornerRule::BothFree));
}

#[test]
fn with_four_neighbours_an_exact_corner_is_two_straight_crossings() {
    let open = Movement::compile(
        &costs_of(&["..", ".."]),
        &profile(Connectivity::Four, CornerRule::BothFree),
    );
    for (from, to) in [
        ((0.5, 0.5), (1.5, 1.5)),
        ((1.5, 0.5), (0.5, 1.5)),
        ((0.5, 1.5), (1.5, 0.5)),
        ((1.5, 1.5), (0.5, 0.5)),
    ] {
        assert_eq!(
            sweep(&open, at(from.0, from.1), at(to.0, to.1)).stop,
            SweepStop::Clear
        );
    }
}

#[test]
fn a_point_on_a_border_belongs_to_the_cell_east_or_south_of_it() {
    let movement = Movement::compile(
        &costs_of(&["#.", ".."]),
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    // Exactly on the border: already in the eastern cell, so a step west is refused at once and a step along is not.
    let border = MapPoint::new(SUBCELLS, SUBCELLS / 2);
    let west = sweep(&movement, border, MapPoint::new(SUBCELLS - 1, SUBCELLS / 2));
    assert_eq!(west.end, border);
    assert!(matches!(
        west.stop,
        SweepStop::Wall {
            direction: Direction::W,
            ..
        }
    ));
    let along = MapPoint::new(SUBCELLS, SUBCELLS - 1);
    assert_eq!(sweep(&movement, border, along).stop, SweepStop::Clear);
    // To the corner itself: it belongs to the south-eastern cell, one straight step south.
    let corner = MapPoint::new(SUBCELLS, SUBCELLS);
    assert_eq!(sweep(&movement, border, corner).stop, SweepStop::Clear);
    // From the south-western cell onto the corner: one step east, although the corner touches the wall.
    assert_eq!(sweep(&movement, at(0.5, 1.5), corner).stop, SweepStop::Clear);
}

#[test]
fn the_longest_map_is_swept_from_end_to_end() {
    let map = [".".repeat(32_767)];
    let movement = Movement::compile(
        &costs_of(&map),
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let (west, east) = (
        MapPoint::new(0, 5),
        MapPoint::new(32_767 * SUBCELLS - 1, SUBCELLS - 1),
    );
    assert_eq!(sweep(&movement, west, east).stop, SweepStop::Clear);
    assert_eq!(sweep(&movement, east, west).stop, SweepStop::Clear);
}

#[test]
fn a_sweep_that_begins_off_the_map_stays_where_it_is() {
    let movement = Movement::compile(
        &costs_of(&["."]),
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let off = MapPoint::new(-1, 0);
    let swept = sweep(&movement, off, at(0.5, 0.5));
    assert_eq!((swept.end, swept.stop), (off, SweepStop::Outside));
}
