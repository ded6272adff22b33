//! The sources' claim of 20,000 agents: on 500 x 500 cells, for tick lengths from 1/120 s to 5 s, nobody ever stands in
//! a wall and nobody crosses one; the state hash is the same for any number of threads.
//!
//! The walls are checked from outside: a cell after a tick must be reachable from the cell before it over legal exits,
//! within the distance that an agent can have walked. What the crowd says about itself plays no part.

use std::collections::VecDeque;
use thalweg::core::grid::{CellId, MapPoint};
use thalweg::core::movement::Movement;
use thalweg::generate::MapKind;
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};

const SCENE: &str = include_str!("../../../scenes/twenty_thousand.toml");

/// State hash after 12 ticks of 1/20 s. It moves when the step of the crowd, the placement or the map changes; the
/// reason belongs here.
///
/// 2026-11-30: first minted.
/// 2026-12-01: agents keep a time gap, walls count among what avoidance minds, and a blend of directions is summed so that
/// turned maps round alike.
const GOLDEN: u64 = 0xeb9e_0852_a3a5_961b;

fn scene() -> Scene {
    let file = SceneFile::parse(SCENE).unwrap();
    let Ok(MapSource::Generate { kind, side, seed }) = file.map_source() else {
        panic!("the map is generated")
    };
    assert_eq!((kind, side), (MapKind::Town, 500));
    let map = kind.generate(side, seed).unwrap();
    Scene::new(
        &file,
        SceneMap {
            costs: map.cost_field(),
            goals: vec![map.goal_cell()],
            marks: Vec::new(),
            links: Vec::new(),
        },
    )
    .unwrap()
}

/// Whether `to` can be reached from `from` over legal exits in at most `steps` steps.
fn reachable_within(movement: &Movement, from: CellId, to: CellId, steps: u32) -> bool {
    let mut seen = vec![from];
    let mut open = VecDeque::from([(from, 0)]);
    while let Some((cell, depth)) = open.pop_front() {
        if cell == to {
            return true;
        }
        if depth == steps {
            continue;
        }
        for direction in movement.exits(cell) {
            let next = movement.step_target(cell, direction).unwrap();
            if !seen.contains(&next) {
                seen.push(next);
                open.push_back((next, depth + 1));
            }
        }
    }
    false
}

#[test]
fn nobody_stands_in_a_wall_or_crosses_one_whatever_the_tick() {
    let workers = RayonWorkers::new(0).unwrap();
    let movement = Movement::compile(&scene().costs, &MovementProfile::new());
    let grid = movement.grid().clone();
    for (tick_s, ticks) in [(1.0 / 120.0, 24), (1.0 / 30.0, 10), (0.25, 4), (1.0, 2), (5.0, 1)] {
        let mut simulation = Simulation::new(scene().with_tick(tick_s).unwrap(), &workers).unwrap();
        assert_eq!(simulation.crowd().len(), 20_000);
        let cell_of = |point: MapPoint| point.cell_id(&grid).expect("on the map");
        for tick in 0..ticks {
            let before: Vec<_> = simulation
                .crowd()
                .agents()
                .map(|(id, agent)| (id, agent.position))
                .collect();
            simulation.step(&workers).unwrap();
            let mut moved = 0;
            for (id, from) in before {
                let Some(agent) = simulation.crowd().get(id) else {
                    continue;
                };
                let (from, to) = (cell_of(from), cell_of(agent.position));
                assert!(
                    movement.is_passable(to),
                    "tick {tick} of {tick_s} s: {id:?} stands in {}",
                    grid.cell(to)
                );
                // At most the fastest walk, as much again for pushes, and the cells at both ends.
                let steps = (tick_s * 1.8 * 2.0).ceil() + 2.0;
                if from != to {
                    moved += 1;
                    assert!(
                        reachable_within(&movement, from, to, steps as u32),
                        "tick {tick} of {tick_s} s: {id:?} went from {} to {} through a wall",
                        grid.cell(from),
                        grid.cell(to)
                    );
                }
            }
            assert!(
                tick_s < 0.25 || moved > 1000,
                "only {moved} agents changed their cell in a tick of {tick_s} s"
            );
        }
    }
}

#[test]
fn the_state_hash_is_the_same_for_any_number_of_threads_and_equals_the_golden_one() {
    let run = |workers: &dyn Workers| {
        let mut simulation = Simulation::new(scene(), workers).unwrap();
        let mut hashes = Vec::new();
        for _ in 0..12 {
            hashes.push(simulation.step(workers).unwrap().hash.0);
        }
        hashes
    };
    let alone = run(&Serial);
    for threads in [1, 2, 8] {
        assert_eq!(
            run(&RayonWorkers::new(threads).unwrap()),
            alone,
            "{threads} threads"
        );
    }
    let last = alone.last().copied().unwrap();
    assert_eq!(
        last, GOLDEN,
        "got {last:#018x}: see CONTRIBUTING, re-mint a golden"
    );
}
