//! Agents on single paths: cells that say where to go next, without a field.

mod common;

use common::{Watch, World, at, crowd_of, profiles, spec};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{Cell, CellId, Direction};
use thalweg_core::movement::{Footprint, MovementProfile};
use thalweg_core::workers::Serial;
use thalweg_crowd::{Blocker, Crowd, GroupInput, Outcome, StalePolicy, Steering, StepReport};

const MAP: [&str; 7] = [
    "..........",
    ".##.#.###.",
    ".#..#...#.",
    ".#.##.#.#.",
    ".#....#.#.",
    ".###.##.#.",
    "........#G",
];

/// A stale field and the policy to stop: neither holds for who is on a path.
fn on_paths<'a>(world: &'a World, paths: &'a [(CellId, Guidance)]) -> GroupInput<'a> {
    GroupInput {
        flow: None,
        steering: Steering::Paths(paths),
        is_current: false,
        stale: StalePolicy::Stop,
        ..world.input()
    }
}

fn step(crowd: &mut Crowd, input: GroupInput<'_>) -> StepReport {
    crowd.step(&[input], 0.05, &Serial).unwrap()
}

#[test]
fn what_every_cell_says_leads_everybody_to_the_goal_and_nobody_into_a_wall() {
    for profile in profiles() {
        for footprint in [Footprint::Point, Footprint::disc(0.4, 1.0).unwrap()] {
            let world = World::of_map(&MAP, &profile.with_footprint(footprint)).leaving();
            let grid = world.movement.grid();
            let all: Vec<(CellId, Guidance)> = grid.ids().map(|id| (id, world.flow.guidance(id))).collect();
            let mut crowd = crowd_of(&world);
            for (x, y) in [(0, 6), (2, 2), (5, 5), (7, 6), (0, 0), (3, 0), (6, 2)] {
                let cell = grid.id(Cell::new(x, y)).unwrap();
                if world.flow.guidance(cell).direction().is_some() {
                    crowd
                        .add(&world.movement, spec(f64::from(x) + 0.5, f64::from(y) + 0.5))
                        .unwrap();
                }
            }
            let (count, mut watch) = (crowd.len(), Watch::new(&crowd));
            assert!(count >= 4, "{profile:?} {footprint}: only {count} have a way");
            for _ in 0..1500 {
                step(&mut crowd, on_paths(&world, &all));
                watch.check(&crowd, &world.movement, 0.05);
            }
            assert_eq!(
                crowd.len(),
                0,
                "{profile:?} {footprint}: all of {count} get there"
            );
        }
    }
}

#[test]
fn cells_that_are_not_listed_and_cells_without_a_way_are_told_apart() {
    let world = World::of_map(&["....G"], &MovementProfile::new());
    let grid = world.movement.grid();
    let id = |x| grid.id(Cell::new(x, 0)).unwrap();
    let paths = [
        (id(0), Guidance::Toward(Direction::E)),
        (id(1), Guidance::Toward(Direction::E)),
        (id(3), Guidance::Unreachable),
    ];
    let mut crowd = crowd_of(&world);
    let walker = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    let lost = crowd.add(&world.movement, spec(3.5, 0.5)).unwrap();
    step(&mut crowd, on_paths(&world, &paths));
    assert_eq!(crowd.get(walker).unwrap().outcome, Outcome::Moved);
    for _ in 0..100 {
        step(&mut crowd, on_paths(&world, &paths));
    }
    let view = crowd.get(lost).unwrap();
    assert_eq!(
        (view.outcome, view.position),
        (Outcome::NoDirection, at(3.5, 0.5))
    );
    // It got as far as the list goes, over the border of the next cell, and waits for more.
    let view = crowd.get(walker).unwrap();
    assert_eq!(view.position.column_row(), (2, 0));
    assert_eq!(
        (view.outcome, view.blocker),
        (Outcome::StaleField, Blocker::FieldStale)
    );
}

#[test]
fn a_path_that_leads_into_a_wall_is_not_followed_there() {
    let map = ["..#.G"];
    let world = World::of_map(&map, &MovementProfile::new());
    let grid = world.movement.grid();
    let east = |x| (grid.id(Cell::new(x, 0)).unwrap(), Guidance::Toward(Direction::E));
    let paths = [east(0), east(1), east(2), east(3)];
    let mut crowd = crowd_of(&world);
    let id = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    for _ in 0..100 {
        step(&mut crowd, on_paths(&world, &paths));
    }
    let view = crowd.get(id).unwrap();
    assert_eq!(view.position.column_row(), (1, 0));
    assert_eq!(
        view.outcome,
        Outcome::NoDirection,
        "a step that is closed is no way"
    );
}

#[test]
fn it_arrives_where_its_path_ends() {
    let world = World::of_map(&["...G"], &MovementProfile::new());
    let grid = world.movement.grid();
    let all: Vec<(CellId, Guidance)> = grid.ids().map(|id| (id, world.flow.guidance(id))).collect();
    let mut crowd = crowd_of(&world);
    let id = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    for _ in 0..200 {
        step(&mut crowd, on_paths(&world, &all));
    }
    assert_eq!(crowd.get(id).unwrap().outcome, Outcome::Arrived);
}
