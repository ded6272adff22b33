//! Walking by headings: nearly the shortest way, never through a wall, always to a goal.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{
    Aim, HeadingError, HeadingField, HeadingOptions, HeadingScratch, Sample, look_ahead, sample_heading,
};
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::{CornerRule, MovementProfile};
use thalweg_testkit::any_angle::AnyAngle;
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;
use thalweg_testkit::literal::{cells_of, map};
use thalweg_testkit::random_map::{SplitMix64, large_map, small_map};
use thalweg_testkit::solve::{profiles, scale, solve};
use thalweg_testkit::walker::Ways;

fn ways(costs: &CostField, profile: &MovementProfile, goals: &[Cell]) -> Ways {
    let goals = GoalSet::from_cells(goals.iter().copied());
    Ways::new(solve(costs, profile, &goals, Engine::Auto))
}

fn open(width: u32, height: u32) -> CostField {
    CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN)
}

#[test]
fn on_open_ground_a_walk_is_one_straight_line() {
    let ways = ways(&open(30, 10), &MovementProfile::new(), &[Cell::new(29, 9)]);
    for step in [SUBCELLS / 2, SUBCELLS / 10, 777] {
        let walked = ways.walk_from(ways.solved.id(0, 0), step).unwrap();
        assert_eq!(walked.turns, 0, "{walked:?}");
        assert!(walked.length <= 30.364 * 1.001, "{walked:?}");
    }
    let octile = ways.lengths.length(ways.solved.id(0, 0)).unwrap();
    assert_eq!((octile.straight, octile.diagonal), (20, 9));
}

#[test]
fn travel_is_equal_in_all_directions_of_open_ground() {
    let centre = Cell::new(60, 60);
    let ways = ways(&open(121, 121), &MovementProfile::new(), &[centre]);
    let mut worst = 0.0f64;
    for id in ways.solved.field.grid().ids() {
        let (column, row) = ways.solved.field.grid().column_row_of(id);
        let straight = (f64::from(column) - 60.0).hypot(f64::from(row) - 60.0);
        if straight > 55.0 && straight < 60.0 {
            let walked = ways.walk_from(id, SUBCELLS / 4).unwrap();
            worst = worst.max(walked.length / straight);
        }
    }
    say(&format!(
        "open ground: the longest walk is {worst:.5} of the straight line"
    ));
    assert!((1.0..1.002).contains(&worst), "{worst}");
}

/// A corridor of a width and length, turned by an angle: the cells whose centre lies in it.
fn corridor(degrees: f64, half_width: f64) -> (CostField, Cell, Cell) {
    const SIDE: i32 = 160;
    let (sin, cos) = degrees.to_radians().sin_cos();
    let origin = [20.5, 20.5];
    let mut costs = CostField::filled(
        Grid::new(SIDE.unsigned_abs(), SIDE.unsigned_abs()).unwrap(),
        Cost::IMPASSABLE,
    );
    for y in 0..SIDE {
        for x in 0..SIDE {
            let (dx, dy) = (f64::from(x) + 0.5 - origin[0], f64::from(y) + 0.5 - origin[1]);
            let (along, across) = (dx * cos + dy * sin, dy * cos - dx * sin);
            if (-2.0..=122.0).contains(&along) && across.abs() <= half_width {
                costs.set(Cell::new(x, y), Cost::PLAIN).unwrap();
            }
        }
    }
    #[expect(clippy::cast_possible_truncation, reason = "on the map")]
    let end = [
        (origin[0] + 120.0 * cos).floor() as i32,
        (origin[1] + 120.0 * sin).floor() as i32,
    ];
    (costs, Cell::new(20, 20), Cell::new(end[0], end[1]))
}

#[test]
fn a_corridor_takes_as_long_whichever_way_it_is_turned() {
    for half_width in [1.5, 4.0] {
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        for degrees in 0..=90 {
            let (costs, start, goal) = corridor(f64::from(degrees), half_width);
            let ways = ways(&costs, &MovementProfile::new(), &[goal]);
            let walked = ways
                .walk_from(ways.solved.id(start.x, start.y), SUBCELLS / 4)
                .unwrap();
            // The ends are cell centres, so the corridors differ by up to a cell in length.
            let between = f64::from(goal.x - start.x).hypot(f64::from(goal.y - start.y));
            least = least.min(walked.length / between);
            most = most.max(walked.length / between);
        }
        say(&format!(
            "corridor of half width {half_width}: {least:.5} to {most:.5} of its length"
        ));
        assert!(least > 0.999 && most < 1.02, "{least} to {most}");
    }
}

/// Walks from every cell in every `stride`, from its centre and from a drawn place in it.
fn walk_all(name: &str, costs: &CostField, ways: &Ways, stride: usize, random: &mut SplitMix64) -> usize {
    let grid = ways.solved.field.grid().clone();
    let mut walks = 0;
    let side = u32::try_from(SUBCELLS).unwrap();
    for id in grid.ids().step_by(stride) {
        if ways.solved.flow.direction(id).is_none() {
            assert_eq!(ways.headings.heading(id), None, "{name}");
            continue;
        }
        let (column, row) = grid.column_row_of(id);
        let mut place = |cell: u32| i32::try_from(cell * side + random.below(side)).unwrap();
        let starts = [
            MapPoint::centre_of(column, row),
            MapPoint::new(place(column), place(row)),
        ];
        for start in starts {
            for step in [SUBCELLS / 2, SUBCELLS / 7] {
                if let Err(error) = ways.walk(start, step) {
                    panic!(
                        "{name} {:?} from {start:?} by {step}: {error}\n{}",
                        ways.solved.movement.profile(),
                        thalweg_core::debug::print_all(costs, &ways.solved.field, &ways.solved.flow)
                    );
                }
                walks += 1;
            }
        }
    }
    walks
}

#[test]
fn every_walk_on_every_kind_of_ground_ends_at_a_goal_and_passes_no_wall() {
    let long = std::env::var_os("THALWEG_LONG").is_some();
    let mut random = SplitMix64::new(99);
    let mut walks = 0;
    for scene in corpus() {
        for profile in profiles(scale(10, 14)) {
            let ways = ways(&scene.costs, &profile, &scene.goals);
            walks += walk_all(
                scene.name,
                &scene.costs,
                &ways,
                if long { 1 } else { 7 },
                &mut random,
            );
        }
    }
    for seed in 0..if long { 1000 } else { 150 } {
        let drawn = if seed % 10 == 0 {
            large_map(seed + 33_000_000)
        } else {
            small_map(seed + 33_000_000)
        };
        for profile in profiles(scale(10, 14)) {
            let goals = drawn
                .goals
                .iter()
                .cloned()
                .fold(GoalSet::new(), GoalSet::with_goal);
            let ways = Ways::new(solve(&drawn.costs, &profile, &goals, Engine::Auto));
            walks += walk_all(
                &format!("seed {seed}"),
                &drawn.costs,
                &ways,
                if long { 1 } else { 3 },
                &mut random,
            );
        }
    }
    say(&format!("{walks} walks ended at a goal"));
    assert!(walks > 50_000, "only {walks} walks");
}

#[test]
fn on_random_maps_walks_are_between_the_shortest_and_the_eight_direction_way() {
    let (mut sum, mut octile_sum, mut walks, mut worst) = (0.0, 0.0, 0u32, 0.0f64);
    for seed in 0..40u64 {
        let mut random = SplitMix64::new(seed + 500);
        let mut costs = open(40, 40);
        for id in costs.grid().ids() {
            if random.percent(20) {
                let cell = costs.grid().cell(id);
                costs.set(cell, Cost::IMPASSABLE).unwrap();
            }
        }
        let goal = Cell::new(20, 20);
        costs.set(goal, Cost::PLAIN).unwrap();
        let ways = ways(&costs, &MovementProfile::new(), &[goal]);
        let oracle = AnyAngle::new(&costs);
        for id in costs.grid().ids().step_by(37) {
            let (Some(octile), (column, row)) = (ways.lengths.length(id), costs.grid().column_row_of(id))
            else {
                continue;
            };
            if octile.cells() == 0.0 {
                continue;
            }
            let best = oracle.shortest((column, row), (20, 20)).unwrap();
            let walked = ways.walk_from(id, SUBCELLS / 8).unwrap().length;
            assert!(walked >= best * 0.999_9, "seed {seed}: {walked} < {best}");
            sum += walked / best;
            octile_sum += octile.cells() / best;
            worst = worst.max(walked / octile.cells());
            walks += 1;
        }
    }
    let (mean, octile) = (sum / f64::from(walks), octile_sum / f64::from(walks));
    say(&format!(
        "{walks} walks: mean {mean:.4} of the shortest, eight directions {octile:.4}, longest {worst:.4} of those"
    ));
    // Among scattered blocks nearly every step turns; the shortest way touches corners that this rule keeps off.
    assert!(mean < 1.03, "{mean}");
    assert!(worst < 1.001, "{worst}");
}

#[test]
fn a_heading_does_not_cut_across_dear_ground() {
    let rows = ["1111111", "1999991", "1999991", "199999G"];
    let ways = ways(&map(&rows), &MovementProfile::new(), &cells_of(&rows, 'G'));
    let at = MapPoint::from_map([0.5, 3.5]).unwrap();
    // The cheap way is up and round; the straight line to the goal would wade through.
    let Aim::Point(point) = ways.aim(at) else {
        panic!("a way")
    };
    assert_eq!(point.column_row().0, 0, "{point:?}");
    let walked = ways.walk(at, SUBCELLS / 8).unwrap();
    assert!(walked.length > 10.0, "{walked:?}");
}

#[test]
fn a_sampled_heading_has_length_one_and_says_why_there_is_none() {
    let rows = ["G#.?", "...."];
    let mut rows_free = rows;
    rows_free[1] = "..##";
    let ways = ways(&map(&rows_free), &MovementProfile::new(), &cells_of(&rows, 'G'));
    let at = |x: f64, y: f64| {
        sample_heading(
            &ways.solved.movement,
            &ways.solved.field,
            &ways.solved.flow,
            &ways.headings,
            MapPoint::from_map([x, y]).unwrap(),
        )
    };
    assert_eq!(at(0.2, 0.9), Sample::Goal);
    assert_eq!(at(1.2, 0.9), Sample::Impassable);
    assert_eq!(at(2.2, 0.9), Sample::Unreachable);
    assert_eq!(at(3.2, 0.9), Sample::Unknown);
    assert_eq!(at(-0.1, 0.9), Sample::Outside);
    assert_eq!(at(0.5, 1.5), Sample::Toward([0.0, -1.0]));
    let Sample::Toward([x, y]) = at(1.3, 1.1) else {
        panic!("a way")
    };
    assert!((x.hypot(y) - 1.0).abs() < 1e-6);
}

#[test]
fn headings_are_four_bytes_a_cell_and_reach_beyond_their_offset() {
    let ways = ways(&open(3000, 100), &MovementProfile::new(), &[Cell::new(2999, 99)]);
    assert_eq!(ways.headings.bytes(), 4 * 3000 * 100);
    let (dx, dy) = ways.headings.offset(ways.solved.id(0, 0)).unwrap();
    assert_eq!(
        (dx, dy),
        (32_767, 1082),
        "2999 by 99 cells, cut to 32,767 sixteenths"
    );
    assert_eq!(
        ways.headings.offset(ways.solved.id(2990, 95)),
        Some((9 * 16, 4 * 16)),
        "near points are exact"
    );
    let walked = ways.walk_from(ways.solved.id(0, 0), SUBCELLS / 4).unwrap();
    let straight = 2999f64.hypot(99.0);
    assert!(walked.length / straight < 1.000_5, "{walked:?}");
}

#[test]
fn a_map_that_positions_do_not_reach_is_refused() {
    let solved = solve(
        &open(40_000, 1),
        &MovementProfile::new(),
        &GoalSet::from_cells([Cell::new(0, 0)]),
        Engine::Auto,
    );
    let grid = solved.field.grid().clone();
    let got = look_ahead(
        &solved.movement,
        &solved.field,
        &solved.flow,
        &HeadingOptions::new(),
        &mut HeadingScratch::new(),
        &mut HeadingField::new(grid.clone()),
    );
    assert_eq!(got, Err(HeadingError::MapTooLong { grid }));
}

#[test]
fn out_of_a_trap_the_walk_turns_at_the_corners() {
    let rows = [
        "..........",
        ".#######..",
        ".......#..",
        "..A....#.G",
        ".......#..",
        ".#######..",
        "..........",
    ];
    let solved = solve(
        &map(&rows),
        &MovementProfile::new(),
        &GoalSet::from_cells(cells_of(&rows, 'G')),
        Engine::Auto,
    );
    let best = AnyAngle::new(&map(&rows)).shortest((2, 3), (9, 3)).unwrap();
    let mut before = best;
    for clearance in [1, 4, 8] {
        let options = HeadingOptions::new().with_clearance(clearance);
        let ways = Ways::with_options(solved.clone(), &options);
        let walked = ways.walk_from(solved.id(2, 3), SUBCELLS / 16).unwrap();
        say(&format!("clearance {clearance}: {walked:?}, shortest {best:.3}"));
        assert!(walked.length > before && walked.length < 15.829, "{walked:?}");
        before = walked.length;
    }
}

#[test]
fn walks_end_whatever_the_sight_and_the_clearance() {
    for seed in 0..60 {
        let drawn = small_map(seed + 36_000_000);
        let goals = drawn
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal);
        let solved = solve(&drawn.costs, &MovementProfile::new(), &goals, Engine::Auto);
        for (sight, clearance) in [(0, 0), (1, 3), (5, 8), (10_000, 255)] {
            let options = HeadingOptions::new().with_sight(sight).with_clearance(clearance);
            let ways = Ways::with_options(solved.clone(), &options);
            for id in drawn.costs.grid().ids() {
                if solved.flow.direction(id).is_some() {
                    let end = ways.walk_from(id, SUBCELLS / 3);
                    assert!(end.is_ok(), "seed {seed} {options:?} {id:?}: {end:?}");
                }
            }
        }
    }
}

#[test]
fn used_buffers_leave_no_trace() {
    let mut scratch = HeadingScratch::new();
    for seed in 0..40 {
        let drawn = small_map(seed + 34_000_000);
        let goals = drawn
            .goals
            .iter()
            .cloned()
            .fold(GoalSet::new(), GoalSet::with_goal);
        let profile = MovementProfile::new().with_corner_rule(CornerRule::OneFree);
        let ways = Ways::new(solve(&drawn.costs, &profile, &goals, Engine::Auto));
        let solved = &ways.solved;
        let mut again = HeadingField::new(Grid::new(1, 1).unwrap());
        let options = HeadingOptions::new();
        look_ahead(
            &solved.movement,
            &solved.field,
            &solved.flow,
            &options,
            &mut scratch,
            &mut again,
        )
        .unwrap();
        assert_eq!(again, ways.headings, "seed {seed}");
    }
}
