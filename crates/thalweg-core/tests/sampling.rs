//! Directions between cell centres: full length, never into a wall, and the plain direction at centres.

use thalweg_core::cost::CostField;
use thalweg_core::debug::print_all;
use thalweg_core::flow::{Guidance, Sample, sample};
use thalweg_core::grid::{Cell, Direction, MapPoint, SUBCELLS};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::{Charge, CornerRule, MovementProfile};
use thalweg_testkit::corpus::{Scene, corpus};
use thalweg_testkit::literal::{cells_of, map};
use thalweg_testkit::random_map::small_map;
use thalweg_testkit::solve::{Solved, profiles, scale, solve};

fn solved(rows: &[&str]) -> Solved {
    let goals = GoalSet::from_cells(cells_of(rows, 'G'));
    solve(&map(rows), &MovementProfile::new(), &goals, Engine::Auto)
}

fn sample_at(solved: &Solved, x: f64, y: f64) -> Sample {
    let at = MapPoint::from_map([x, y]).expect("a finite position");
    sample(&solved.movement, &solved.flow, at)
}

/// Every neighbourhood and corner rule. The charge changes the field, not how it is read.
fn rules() -> Vec<MovementProfile> {
    let mut rules = profiles(scale(10, 14));
    rules.retain(|profile| profile.charge == Charge::Depart);
    rules
}

/// The corpus, and random maps with their single goals.
fn scenes() -> Vec<Scene> {
    let mut scenes = corpus();
    scenes.extend((0..300).map(|seed| {
        let drawn = small_map(seed + 11_000_000);
        Scene {
            name: "random",
            goals: vec![drawn.goals[0].cells[0]],
            costs: drawn.costs,
        }
    }));
    scenes
}

/// Places within a cell, in subcells: both borders, the centre and some between.
fn places() -> Vec<i32> {
    let mut places: Vec<i32> = (0..4).map(|quarter| quarter * SUBCELLS / 4).collect();
    places.extend([1, SUBCELLS / 2 - 1, SUBCELLS / 2 + 1, SUBCELLS - 1]);
    places
}

#[test]
fn a_wall_beside_the_cell_takes_no_part_in_the_blend() {
    let solved = solved(&["..#", "G.#", "..#"]);
    assert_eq!(sample_at(&solved, 1.9, 1.5), Sample::Toward([-1.0, 0.0]));
}

#[test]
fn where_opposite_directions_cancel_the_own_cell_decides() {
    let solved = solved(&["G..G"]);
    assert_eq!(sample_at(&solved, 2.0, 0.5), Sample::Toward([1.0, 0.0]));
    assert_eq!(sample_at(&solved, 1.999_99, 0.5), Sample::Toward([-1.0, 0.0]));
}

#[test]
fn cells_without_a_direction_say_why_at_every_position() {
    let solved = solved(&["G#.?"]);
    for place in [0.0, 0.25, 0.5, 0.999_9] {
        assert_eq!(sample_at(&solved, place, place), Sample::Goal);
        assert_eq!(sample_at(&solved, 1.0 + place, place), Sample::Impassable);
        assert_eq!(sample_at(&solved, 2.0 + place, place), Sample::Unreachable);
        assert_eq!(sample_at(&solved, 3.0 + place, place), Sample::Unknown);
    }
    for (x, y) in [(-1e-9, 0.5), (4.0, 0.5), (0.5, 1.0), (0.5, -0.1)] {
        assert_eq!(sample_at(&solved, x, y), Sample::Outside, "({x}, {y})");
    }
}

#[test]
fn at_cell_centres_the_sample_is_the_plain_direction() {
    for scene in corpus() {
        for profile in rules() {
            let goals = GoalSet::from_cells(scene.goals.clone());
            let solved = solve(&scene.costs, &profile, &goals, Engine::Auto);
            for id in scene.costs.grid().ids() {
                let Some(direction) = solved.flow.direction(id) else {
                    continue;
                };
                // A diagonal past one wall is bent away from the wall.
                if !both_sides_open(&solved, id, direction) {
                    continue;
                }
                let (column, row) = scene.costs.grid().column_row_of(id);
                let got = sample(&solved.movement, &solved.flow, MapPoint::centre_of(column, row));
                let Sample::Toward([x, y]) = got else {
                    panic!("{} ({column},{row}): {got:?}", scene.name);
                };
                let [wanted_x, wanted_y] = direction.unit_vector();
                assert!(
                    (x - wanted_x).abs() < 1e-6 && (y - wanted_y).abs() < 1e-6,
                    "{} ({column},{row}): {got:?} instead of {direction}",
                    scene.name
                );
            }
        }
    }
}

fn both_sides_open(solved: &Solved, id: thalweg_core::grid::CellId, direction: Direction) -> bool {
    direction.sides().is_none_or(|(vertical, horizontal)| {
        let exits = solved.movement.exits(id);
        exits.contains(vertical) && exits.contains(horizontal)
    })
}

#[test]
fn no_sample_is_zero_or_not_a_number_or_leads_into_a_wall() {
    let mut samples = 0;
    for scene in scenes() {
        for profile in rules() {
            let goals = GoalSet::from_cells(scene.goals.clone());
            let solved = solve(&scene.costs, &profile, &goals, Engine::Auto);
            for id in scene.costs.grid().ids() {
                samples += check_cell(scene.name, &scene.costs, &profile, &solved, id);
            }
        }
    }
    assert!(samples > 100_000, "only {samples} samples");
}

fn check_cell(
    name: &str,
    costs: &CostField,
    profile: &MovementProfile,
    solved: &Solved,
    id: thalweg_core::grid::CellId,
) -> usize {
    let Guidance::Toward(direction) = solved.flow.guidance(id) else {
        return 0;
    };
    let (column, row) = costs.grid().column_row_of(id);
    let corner = [column, row].map(|cells| i32::try_from(cells).unwrap() * SUBCELLS);
    let mut samples = 0;
    for y in places() {
        for x in places() {
            let at = MapPoint::new(corner[0] + x, corner[1] + y);
            let context = format!("{name} {profile:?} at {at:?}");
            let got = sample(&solved.movement, &solved.flow, at);
            let Sample::Toward(vector) = got else {
                panic!("{context}: {got:?}");
            };
            let length = vector[0].hypot(vector[1]);
            assert!((length - 1.0).abs() < 1e-5, "{context}: length {length}");
            let own = direction.unit_vector();
            assert!(
                vector[0] * own[0] + vector[1] * own[1] > 0.0,
                "{context}: {vector:?} turns against {direction}"
            );
            // A lone diagonal between walls is passed on as it is.
            if !is_lone_diagonal(solved, id, direction) {
                check_small_step(costs, solved, at, vector, &context);
            }
            samples += 1;
        }
    }
    samples
}

fn is_lone_diagonal(solved: &Solved, id: thalweg_core::grid::CellId, direction: Direction) -> bool {
    direction.sides().is_some_and(|(vertical, horizontal)| {
        let exits = solved.movement.exits(id);
        !exits.contains(vertical) && !exits.contains(horizontal)
    })
}

/// A step of 1/64 of a cell along a sample ends on ground, and passes no wall on the way.
fn check_small_step(costs: &CostField, solved: &Solved, at: MapPoint, vector: [f32; 2], context: &str) {
    let mut before = at.cell_id(costs.grid());
    for part in [1i16, 4, 16] {
        let length = f32::from(part) * 64.0;
        #[expect(clippy::cast_possible_truncation, reason = "a step of at most 1,024 subcells")]
        let step = vector.map(|component| (component * length).round() as i32);
        let there = MapPoint::new(at.x + step[0], at.y + step[1]);
        let now = there.cell_id(costs.grid());
        let is_ground = now.is_some_and(|id| solved.movement.is_passable(id));
        assert!(
            is_ground,
            "{context}: {vector:?} leads to {:?} at {there:?}",
            now.map(|id| costs.grid().cell(id))
        );
        before = before.and(now);
    }
    assert!(before.is_some(), "{context}");
}

#[test]
fn a_sample_far_from_walls_blends_its_four_neighbours() {
    let rows = ["........", "........", "........", "........", "...G...."];
    let solved = solved(&rows);
    // Half-way between a cell that goes south-east and one that goes south.
    let cell = |x: i32, y: i32| {
        solved
            .flow
            .direction(solved.field.grid().id(Cell::new(x, y)).unwrap())
    };
    assert_eq!(cell(2, 3), Some(Direction::SE));
    assert_eq!(cell(3, 3), Some(Direction::S));
    let Sample::Toward([x, y]) = sample_at(&solved, 3.0, 3.5) else {
        panic!("a direction");
    };
    let angle = f64::from(x).atan2(f64::from(y)).to_degrees();
    assert!(
        (angle - 22.5).abs() < 0.01,
        "half-way between 45 and 0 degrees, not {angle}"
    );
}

#[test]
fn walking_along_samples_in_small_steps_arrives_from_every_cell() {
    for scene in scenes() {
        for profile in profiles(scale(10, 14)) {
            // A lone diagonal can only be walked by a body that first goes to the cell's centre.
            if profile.corner_rule == CornerRule::Always {
                continue;
            }
            let goals = GoalSet::from_cells(scene.goals.clone());
            let solved = solve(&scene.costs, &profile, &goals, Engine::Auto);
            // On free ground a diagonal may cross a side cell that is no dearer and leads back: there a body has to walk
            // from centre to centre.
            if solved.movement.has_zero_steps() {
                continue;
            }
            for id in scene.costs.grid().ids().step_by(3) {
                if solved.flow.direction(id).is_some() {
                    walk(scene.name, &scene.costs, &profile, &solved, id);
                }
            }
        }
    }
}

fn walk(
    name: &str,
    costs: &CostField,
    profile: &MovementProfile,
    solved: &Solved,
    from: thalweg_core::grid::CellId,
) {
    let (column, row) = costs.grid().column_row_of(from);
    let mut at = MapPoint::centre_of(column, row);
    // No way is longer than all cells; a sixteenth of a cell a step.
    for _ in 0..costs.grid().len() * 32 {
        match sample(&solved.movement, &solved.flow, at) {
            Sample::Toward(vector) => {
                #[expect(clippy::cast_possible_truncation, reason = "a step of 4,096 subcells")]
                let step = vector.map(|component| (component * 4096.0).round() as i32);
                at = MapPoint::new(at.x + step[0], at.y + step[1]);
            }
            Sample::Goal => return,
            other => panic!("{name} {profile:?} from ({column},{row}): {other:?} at {at:?}"),
        }
    }
    panic!(
        "{name} {profile:?} from ({column},{row}) is still on the way at {at:?}\n{}",
        print_all(costs, &solved.field, &solved.flow)
    );
}
