//! The sources' worked examples, and small maps of our own with numbers worked out by hand: one for each kind of thing
//! that goes wrong in grid path engines.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::debug::{print_arrows, print_cost_to_goal};
use thalweg_core::grid::{Cell, Direction, Grid};
use thalweg_core::integrate::{GoalSet, Reach, reachable_from};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, MovementProfile};
use thalweg_testkit::literal::{cells_of, map, map_with};
use thalweg_testkit::solve::{Solved, scale, solve_by_all};

fn four() -> MovementProfile {
    MovementProfile::new()
        .with_connectivity(Connectivity::Four)
        .with_scale(scale(1, 1))
}

/// Solves under every engine, which must agree, toward the `G`s of a drawn map.
fn drawn(rows: &[&str], profile: MovementProfile) -> Solved {
    on(&map(rows), profile, cells_of(rows, 'G'))
}

fn on(costs: &CostField, profile: MovementProfile, goals: Vec<Cell>) -> Solved {
    solve_by_all(costs, &profile, &GoalSet::from_cells(goals))
}

#[test]
fn the_articles_open_table_has_straight_arrows_with_four_neighbours() {
    let solved = drawn(&[".....", ".....", "..G..", ".....", "....."], four());
    assert_eq!(
        print_cost_to_goal(&solved.field),
        "43234\n32123\n21012\n32123\n43234\n"
    );
    // Ties go to the first of N, E, S, W: the printed diagonals of the sources cannot come from four neighbours.
    assert_eq!(print_arrows(&solved.flow), "→→↓↓↓\n→→↓↓↓\n→→●←←\n↑↑↑↑↑\n↑↑↑↑↑\n");
    assert_eq!(solved.successors_at(0, 0), [Direction::E, Direction::S]);
}

#[test]
fn with_eight_neighbours_the_articles_eight_straight_arrows_tie_with_diagonals() {
    use Direction::{E, N, NE, NW, S, SE, SW, W};
    let solved = drawn(
        &[".....", ".....", "..G..", ".....", "....."],
        MovementProfile::new(),
    );
    let tied = [
        ((1, 0), [S, SE]),
        ((3, 0), [S, SW]),
        ((0, 1), [E, SE]),
        ((4, 1), [W, SW]),
        ((0, 3), [E, NE]),
        ((4, 3), [W, NW]),
        ((1, 4), [N, NE]),
        ((3, 4), [N, NW]),
    ];
    for ((x, y), directions) in tied {
        assert_eq!(solved.cost_at(x, y), Some(24), "({x},{y})");
        assert_eq!(solved.successors_at(x, y), directions, "({x},{y})");
    }
    assert_eq!(print_arrows(&solved.flow), "↘↓↓↓↙\n→↘↓↙←\n→→●←←\n→↗↑↖←\n↗↑↑↑↖\n");
}

#[test]
fn the_articles_walled_table_with_eight_neighbours() {
    let solved = drawn(
        &[".....", ".##..", ".#G..", ".....", "....."],
        MovementProfile::new(),
    );
    assert_eq!(
        print_cost_to_goal(&solved.field),
        "60 50 40 30 34\n50  -  - 20 24\n40  -  0 10 20\n30 20 10 14 24\n34 24 20 24 28\n"
    );
}

#[test]
fn the_design_chapters_map_with_four_neighbours() {
    let solved = drawn(&["...#.", ".#.#.", "..G..", "#.##.", "....."], four());
    assert_eq!(
        print_cost_to_goal(&solved.field),
        "432-4\n3-1-3\n21012\n-2--3\n43454\n"
    );
    // Two ways of four steps meet in the corner of the map; east comes before south.
    assert_eq!(solved.successors_at(0, 0), [Direction::E, Direction::S]);
}

#[test]
fn dear_ground_in_the_central_corridor_changes_the_way() {
    let rows = ["...#.", ".#4#.", "..G..", "#.##.", "....."];
    let weighted = drawn(&rows, four());
    // Leaving (2,1) costs 4. From (1,0) the corridor now costs 1 + 1 + 4, the way round by the west 5.
    assert_eq!(weighted.cost_at(2, 1), Some(4));
    assert_eq!(weighted.cost_at(2, 0), Some(5));
    assert_eq!(weighted.cost_at(1, 0), Some(5));
    assert_eq!(weighted.successors_at(1, 0), [Direction::W]);
    let plain = drawn(&["...#.", ".#.#.", "..G..", "#.##.", "....."], four());
    assert_eq!(plain.cost_at(1, 0), Some(3));
    assert_eq!(plain.successors_at(1, 0), [Direction::E]);
}

#[test]
fn the_direction_keeps_the_cost_and_is_not_the_lowest_neighbour() {
    let arrive = four().with_charge(Charge::Arrive);
    let goals = || vec![Cell::new(2, 0), Cell::new(0, 2)];
    // East: D 3 by a step of 4, which keeps D = 7. South: D 5 by a step of 3, which gives 8.
    let east = on(&map(&["143", "3##", "5##"]), arrive, goals());
    assert_eq!(
        [east.cost_at(0, 0), east.cost_at(1, 0), east.cost_at(0, 1)],
        [Some(7), Some(3), Some(5)]
    );
    assert_eq!(east.successors_at(0, 0), [Direction::E]);
    // A dearer step east: the lowest neighbour is still in the east, the way is not.
    let south = on(&map(&["193", "3##", "5##"]), arrive, goals());
    assert_eq!(
        [south.cost_at(0, 0), south.cost_at(1, 0), south.cost_at(0, 1)],
        [Some(8), Some(3), Some(5)]
    );
    assert_eq!(south.successors_at(0, 0), [Direction::S]);
}

#[test]
fn a_diagonal_wall_leaks_only_where_corners_are_not_checked() {
    let rows = ["...#", "..#.", ".#..", "#..G"];
    for (rule, corner) in [
        (CornerRule::BothFree, None),
        (CornerRule::OneFree, None),
        (CornerRule::Always, Some(42)),
    ] {
        let solved = drawn(&rows, MovementProfile::new().with_corner_rule(rule));
        assert_eq!(solved.cost_at(0, 0), corner, "{rule}");
    }
    let one_wall = ["G.", "#."];
    for (rule, cost) in [
        (CornerRule::BothFree, 20),
        (CornerRule::OneFree, 14),
        (CornerRule::Always, 14),
    ] {
        let solved = drawn(&one_wall, MovementProfile::new().with_corner_rule(rule));
        assert_eq!(solved.cost_at(1, 1), Some(cost), "{rule}");
    }
}

#[test]
fn the_three_charges_differ_by_the_ground_at_the_two_ends() {
    let costs = map_with(&["A.X.G"], &[('A', Some(3)), ('X', Some(254)), ('G', Some(9))]);
    let goal = vec![Cell::new(4, 0)];
    for (charge, cost) in [
        (Charge::Depart, 10 * (3 + 1 + 254 + 1)),
        (Charge::Arrive, 10 * (1 + 254 + 1 + 9)),
        // Doubled: each step by both its cells.
        (Charge::Mean, 10 * (3 + 2 * (1 + 254 + 1) + 9)),
    ] {
        let solved = on(&costs, MovementProfile::new().with_charge(charge), goal.clone());
        assert_eq!(solved.cost_at(0, 0), Some(cost), "{charge}");
    }
}

#[test]
fn mud_is_walked_round_when_that_is_cheaper() {
    let solved = drawn(&["1999G", "11111"], MovementProfile::new());
    // SE, E, E, NE against four steps of which three leave mud.
    assert_eq!(solved.cost_at(0, 0), Some(14 + 10 + 10 + 14));
    assert_eq!(solved.successors_at(0, 0), [Direction::SE]);
}

#[test]
fn the_dearest_step_does_not_alias_in_the_buckets() {
    let costs = map_with(&["AXG", ".#.", "..."], &[('X', Some(254))]);
    let solved = on(&costs, MovementProfile::new(), vec![Cell::new(2, 0)]);
    // Six steps round; a ring of 362 buckets of width 1 would settle the start by the bridge first.
    assert_eq!(solved.cost_at(0, 0), Some(60));
    assert_eq!(solved.successors_at(0, 0), [Direction::S]);
    assert_eq!(solved.cost_at(1, 0), Some(2540));
}

#[test]
fn costs_beyond_two_bytes_are_kept() {
    let costs = CostField::filled(Grid::new(500, 500).unwrap(), Cost::from_byte(10));
    let solved = on(&costs, MovementProfile::new(), vec![Cell::new(0, 0)]);
    assert_eq!(solved.cost_at(499, 499), Some(499 * 14 * 10));
}

#[test]
fn what_cannot_be_reached_what_is_unknown_and_what_is_a_wall_are_told_apart() {
    let costs = map(&["G.#.?", "..#.."]);
    let solved = on(&costs, MovementProfile::new(), vec![Cell::new(0, 0)]);
    let reach = |x, y| solved.field.reach(costs.grid().id(Cell::new(x, y)).unwrap());
    assert_eq!(reach(3, 0), Reach::Unreachable);
    assert_eq!(reach(2, 0), Reach::Unreachable);
    assert_eq!(reach(4, 0), Reach::Unknown);
    assert_eq!(print_arrows(&solved.flow), "●←#-?\n↑↖#--\n");
    let island = reachable_from(&solved.movement, costs.grid().id(Cell::new(3, 0)).unwrap());
    assert_eq!(island.len(), 3);
    assert!(reachable_from(&solved.movement, costs.grid().id(Cell::new(2, 0)).unwrap()).is_empty());
}

#[test]
fn maps_one_cell_wide_work_in_both_directions() {
    for rows in [&["G......"][..], &["G", ".", ".", ".", ".", ".", "."]] {
        let solved = drawn(rows, MovementProfile::new());
        assert_eq!(solved.field.max_cost().map(|cost| cost.0), Some(60));
    }
    let one = drawn(&["G"], MovementProfile::new());
    assert_eq!(print_arrows(&one.flow), "●\n");
    let cut = drawn(&["G", ".", "#", ".", "."], MovementProfile::new());
    assert_eq!(cut.cost_at(0, 4), None);
}

#[test]
fn the_field_leads_out_of_a_trap_whose_inside_is_nearer_to_the_goal() {
    let rows = [
        ".......", //
        ".####..", "....#.G", ".####..", ".......",
    ];
    let solved = drawn(&rows, MovementProfile::new());
    // Straight at the goal is east into the wall; the way out is west.
    assert_eq!(solved.successors_at(3, 2), [Direction::W]);
    // Three west to (0,2), two north round the corner, five east along the top, one diagonal and one south.
    assert_eq!(solved.cost_at(3, 2), Some(30 + 20 + 50 + 14 + 10));
}

#[test]
fn opening_and_shutting_a_door_changes_the_field_and_changes_it_back() {
    let rows = ["........", "#.####.#", ".G......"];
    let mut costs = map(&rows);
    let goal = cells_of(&rows, 'G');
    let cost = |costs: &CostField| on(costs, MovementProfile::new(), goal.clone()).cost_at(1, 0);
    let open = on(&costs, MovementProfile::new(), goal.clone()).field;
    assert_eq!(cost(&costs), Some(20));
    costs.set(Cell::new(1, 1), Cost::IMPASSABLE).unwrap();
    assert_eq!(cost(&costs), Some(120));
    costs.set(Cell::new(6, 1), Cost::IMPASSABLE).unwrap();
    assert_eq!(cost(&costs), None);
    costs.set(Cell::new(6, 1), Cost::PLAIN).unwrap();
    costs.set(Cell::new(1, 1), Cost::PLAIN).unwrap();
    let again = on(&costs, MovementProfile::new(), goal.clone()).field;
    assert!(open.reaches().eq(again.reaches()));
}

#[test]
fn free_ground_forms_no_circle() {
    let solved = drawn(&["0000", "0000", "000G"], MovementProfile::new());
    // Everything costs nothing; the directions still end at the goal, by the fewest steps.
    assert_eq!(solved.field.max_cost().map(|cost| cost.0), Some(0));
    let mut id = solved.field.grid().id(Cell::new(0, 0)).unwrap();
    let mut steps = 0;
    while let Some(direction) = solved.flow.direction(id) {
        id = solved.movement.step_target(id, direction).unwrap();
        steps += 1;
    }
    assert_eq!(solved.field.grid().cell(id), Cell::new(3, 2));
    assert_eq!(steps, 3);
}
