//! Sight lines: what can be seen is what a point body could walk straight.

use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile, Sight, sight};
use thalweg_testkit::any_angle::AnyAngle;
use thalweg_testkit::cases::{Row, SightRow, cases_file, read_rows, say, skipped};
use thalweg_testkit::literal::{map, map_with};
use thalweg_testkit::random_map::small_map;

/// One letter per cell, as the case file has them: v free, t touches a corner, x enters a wall, # blocked.
fn picture(costs: &CostField, goal: Cell, corner_rule: CornerRule) -> Vec<String> {
    let movement = Movement::compile(costs, &MovementProfile::new().with_corner_rule(corner_rule));
    let grid = costs.grid();
    let goal = grid.id(goal).expect("on the map");
    let letter = |x, y| {
        let id = grid.id_at(x, y).expect("on the map");
        match sight(&movement, id, goal) {
            _ if !movement.is_passable(id) => '#',
            Sight::Clear => 'v',
            Sight::Touches => 't',
            Sight::Blocked => 'x',
        }
    };
    (0..grid.height())
        .map(|y| (0..grid.width()).map(|x| letter(x, y)).collect())
        .collect()
}

#[test]
fn round_a_pillar_sight_is_clear_touching_or_blocked() {
    let rows = [".....", "..#..", "....."];
    let goal = Cell::new(4, 0);
    let touching = picture(&map(&rows), goal, CornerRule::OneFree);
    // From (1,1) and (0,2) the lines rise too slowly and enter the pillar; from (3,1) one diagonal is free; from (2,2) the
    // diagonal passes the pillar's corner.
    assert_eq!(touching, ["vvvvv", "xx#vv", "xxtvv"]);
    // Where a diagonal may not pass a wall's corner, touching is not seeing.
    let strict = picture(&map(&rows), goal, CornerRule::BothFree);
    assert_eq!(strict, ["vvvvv", "xx#vv", "xxxvv"]);
}

#[test]
fn four_neighbours_see_past_an_exact_corner_only_where_all_four_cells_are_open() {
    let profile = MovementProfile::new().with_connectivity(Connectivity::Four);
    for (rows, wanted) in [([".#", ".."], Sight::Blocked), (["..", ".."], Sight::Clear)] {
        let movement = Movement::compile(&map(&rows), &profile);
        let grid = movement.grid();
        let (from, to) = (
            grid.id(Cell::new(0, 0)).unwrap(),
            grid.id(Cell::new(1, 1)).unwrap(),
        );
        assert_eq!(sight(&movement, from, to), wanted, "{rows:?}");
    }
}

#[test]
fn sight_is_the_same_from_both_ends_and_agrees_with_the_oracle() {
    let (mut clear, mut blocked) = (0, 0);
    for seed in 0..200 {
        let drawn = small_map(seed + 32_000_000);
        let oracle = AnyAngle::new(&drawn.costs);
        for rule in [CornerRule::BothFree, CornerRule::OneFree] {
            let profile = MovementProfile::new().with_corner_rule(rule);
            let movement = Movement::compile(&drawn.costs, &profile);
            let grid = movement.grid();
            for from in grid.ids().filter(|&id| movement.is_passable(id)).step_by(3) {
                for to in grid.ids().filter(|&id| movement.is_passable(id)).step_by(2) {
                    let got = sight(&movement, from, to);
                    assert_eq!(got, sight(&movement, to, from), "seed {seed}: {from:?} {to:?}");
                    let half = |id| {
                        let (column, row) = grid.column_row_of(id);
                        (2 * i64::from(column) + 1, 2 * i64::from(row) + 1)
                    };
                    let seen = oracle.sees(half(from), half(to));
                    match (rule, got) {
                        // The oracle lets a line touch one corner, as this rule does.
                        (CornerRule::OneFree, _) => {
                            assert_eq!(got != Sight::Blocked, seen, "seed {seed}: {from:?} {to:?}");
                        }
                        (_, Sight::Clear) => assert!(seen, "seed {seed}: {from:?} {to:?}"),
                        (_, Sight::Touches) => panic!("seed {seed}: touching is not legal under {rule}"),
                        (_, Sight::Blocked) => {}
                    }
                    if seen {
                        clear += 1;
                    } else {
                        blocked += 1;
                    }
                }
            }
        }
    }
    assert!(
        clear > 5_000 && blocked > 5_000,
        "{clear} clear, {blocked} blocked"
    );
}

#[test]
fn the_sight_rows_of_the_case_file_hold() {
    let Some(path) = cases_file() else {
        skipped("cases.jsonl");
        return;
    };
    let rows = read_rows(&std::fs::read_to_string(path).unwrap());
    let mut checked = 0;
    for row in &rows {
        if let Row::Sight(row) = row {
            check(row);
            checked += 1;
        }
    }
    assert!(checked >= 2, "only {checked} sight rows");
    say(&format!("cases: {checked} sight rows hold"));
}

fn check(row: &SightRow) {
    let costs = match (&row.map, &row.r#gen) {
        (Some(rows), None) => map_with(rows, &[]),
        (None, Some(spec)) => spec.build(),
        _ => panic!("{}: a map or a description of one", row.id),
    };
    let goal = Cell::new(row.goal[0], row.goal[1]);
    // Under this rule a line may touch anything that it does not enter.
    let touching = picture(&costs, goal, CornerRule::Always);
    assert_eq!(touching, row.sight, "{}", row.id);
    let count = |picture: &[String], letters: &[char]| {
        let all = picture.iter().flat_map(|row| row.chars());
        all.filter(|letter| letters.contains(letter)).count()
    };
    assert_eq!(count(&touching, &['v']), row.visible_strict, "{}", row.id);
    assert_eq!(
        count(&touching, &['v', 't']),
        row.visible_if_touching_is_allowed,
        "{}",
        row.id
    );
    let strict = picture(&costs, goal, CornerRule::BothFree);
    assert_eq!(count(&strict, &['v']), row.visible_strict, "{}", row.id);
}

#[test]
fn a_grid_beyond_the_reach_of_map_points_sees_nothing_there() {
    let grid = Grid::new(40_000, 1).unwrap();
    let costs = CostField::filled(grid.clone(), thalweg_core::cost::Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let id = |x| grid.id_at(x, 0).unwrap();
    assert_eq!(sight(&movement, id(0), id(100)), Sight::Clear);
    assert_eq!(sight(&movement, id(0), id(39_000)), Sight::Blocked);
}
