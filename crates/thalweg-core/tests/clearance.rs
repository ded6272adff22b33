//! Clearance equals a look at every blocked square, and says exactly where a disc can stand.

use thalweg_core::cost::{ClearanceField, Cost, CostField, UnknownGround};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Footprint, Movement, MovementProfile};
use thalweg_testkit::literal::map;
use thalweg_testkit::random_map::{SplitMix64, large_map, small_map};

/// The same by brute force, in quarters of a squared cell: the nearest point of every blocked square and of the border.
fn by_looking(costs: &CostField) -> Vec<i64> {
    let grid = costs.grid();
    let place = |id| {
        let (column, row) = grid.column_row_of(id);
        (2 * i64::from(column) + 1, 2 * i64::from(row) + 1)
    };
    let (right, bottom) = (2 * i64::from(grid.width()), 2 * i64::from(grid.height()));
    let blocked: Vec<(i64, i64)> = grid
        .ids()
        .filter(|id| costs.bytes()[id.index()] == 255)
        .map(place)
        .collect();
    let one = |id| {
        let (x, y) = place(id);
        let border = x.min(y).min(right - x).min(bottom - y);
        let squares = blocked.iter().map(|&(a, b)| {
            let (dx, dy) = (x - x.clamp(a - 1, a + 1), y - y.clamp(b - 1, b + 1));
            dx * dx + dy * dy
        });
        squares.min().unwrap_or(i64::MAX).min(border * border)
    };
    grid.ids().map(one).collect()
}

fn check(costs: &CostField, context: &str) {
    let field = ClearanceField::of(costs);
    for (id, wanted) in costs.grid().ids().zip(by_looking(costs)) {
        let got = i64::from(field.quarters(id));
        assert_eq!(got, wanted, "{context} at {}", costs.grid().cell(id));
    }
}

#[test]
fn clearance_equals_a_look_at_every_blocked_square() {
    for seed in 0..600 {
        check(&small_map(seed + 64_000_000).costs, &format!("seed {seed}"));
    }
    for seed in 0..40 {
        let mut costs = large_map(seed + 64_100_000).costs;
        check(&costs, &format!("large seed {seed}"));
        // Few walls: distances are long and parabolas overtake each other.
        let grid = costs.grid().clone();
        let mut random = SplitMix64::new(seed);
        for id in grid.ids() {
            let cost = if random.below(300) == 0 {
                Cost::IMPASSABLE
            } else {
                Cost::PLAIN
            };
            costs.set(grid.cell(id), cost).unwrap();
        }
        check(&costs, &format!("sparse seed {seed}"));
    }
}

#[test]
fn a_disc_can_stand_exactly_where_the_clearance_is_at_least_its_radius() {
    let (mut stands, mut does_not) = (0, 0);
    for seed in 0..200 {
        let costs = small_map(seed + 65_000_000).costs;
        let field = ClearanceField::of(&costs);
        for quarter in 1..24 {
            let radius = f64::from(quarter) / 4.0;
            let profile = MovementProfile::new().with_footprint(Footprint::disc(radius, 1.0).unwrap());
            let movement = Movement::compile(&costs, &profile);
            for id in costs.grid().ids() {
                // Radii are multiples of a quarter, so the squares are whole sixteenths.
                let fits = 4 * field.quarters(id) >= quarter * quarter;
                assert_eq!(
                    movement.is_passable(id),
                    fits && field.quarters(id) > 0,
                    "seed {seed} radius {radius}"
                );
                if fits {
                    stands += 1;
                } else {
                    does_not += 1;
                }
            }
        }
    }
    assert!(stands > 10_000 && does_not > 10_000, "{stands} {does_not}");
}

#[test]
fn clearance_is_measured_to_squares_the_border_and_unknown_ground() {
    let costs = map(&[".....", ".....", "..#..", ".....", "....?"]);
    let field = ClearanceField::of(&costs);
    let at = |x, y| field.clearance(costs.grid().id(Cell::new(x, y)).unwrap());
    assert_eq!(at(2, 2), 0.0);
    assert_eq!(at(1, 2), 0.5);
    // The corner of the square is half a diagonal away.
    assert_eq!(at(1, 1), 0.5f64.sqrt());
    assert_eq!(at(0, 0), 0.5);
    assert_eq!(at(4, 4), 0.0);
    assert_eq!(at(3, 3), 0.5f64.sqrt());
    assert_eq!(field.bytes(), 100);
    let known = costs.with_unknown_ground(UnknownGround::Assumed(Cost::PLAIN));
    let field = ClearanceField::of(&known);
    assert_eq!(field.clearance(costs.grid().id(Cell::new(4, 4)).unwrap()), 0.5);
    // An open map is bounded by its border, however long it is.
    let long = CostField::filled(Grid::new(9, 20_000).unwrap(), Cost::PLAIN);
    let field = ClearanceField::of(&long);
    assert_eq!(field.clearance(long.grid().id_at(4, 10_000).unwrap()), 4.5);
    let square = CostField::filled(Grid::new(2_001, 2_001).unwrap(), Cost::PLAIN);
    let field = ClearanceField::of(&square);
    assert_eq!(
        field.clearance(square.grid().id_at(1_000, 1_000).unwrap()),
        1_000.5
    );
}
