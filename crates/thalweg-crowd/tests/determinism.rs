//! The same inputs give the same bits: for any number of threads, in debug and in release, on every target.

mod common;

use common::*;
use thalweg_core::grid::Cell;
use thalweg_core::integrate::Vectors;
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{AgentSpec, Crowd, CrowdOptions, GroupId, GroupInput, Stage, StageObserver, StateHash};

/// A scene with everything in it: two groups that cross, a door, a pinch, mixed sizes, agents that rest and leave, an
/// edit, removals and additions. Returns the hash of every 10th tick.
fn run(workers: &dyn Workers) -> Vec<StateHash> {
    run_on(workers, Vectors::Best)
}

fn run_on(workers: &dyn Workers, vectors: Vectors) -> Vec<StateHash> {
    let map: Vec<String> = (0..30)
        .map(|y| {
            (0..40)
                .map(|x| match (x, y) {
                    (20, y) if !(13..16).contains(&y) && y != 4 => '#',
                    (x, y) if x + y == 12 && (4..9).contains(&x) => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    let costs = costs_of(&map);
    let mut worlds = [
        World::new(
            &costs,
            &profile(Connectivity::Eight, CornerRule::Always),
            &[Cell::new(23, 15), Cell::new(10, 22)],
        ),
        World::new(
            &costs,
            &profile(Connectivity::Four, CornerRule::BothFree),
            &[Cell::new(3, 20), Cell::new(30, 5)],
        )
        .leaving(),
    ];
    let mut options = CrowdOptions::default();
    options.vectors = vectors;
    let mut crowd = Crowd::new(costs.grid().clone(), options).unwrap();
    let mut random = Random(11);
    scatter(
        &mut crowd,
        &worlds[0].movement,
        &mut random,
        700,
        [0.0, 0.0, 19.0, 30.0],
        0.25,
        GroupId(0),
    );
    let west = scatter(
        &mut crowd,
        &worlds[1].movement,
        &mut random,
        500,
        [21.0, 0.0, 19.0, 30.0],
        0.3,
        GroupId(1),
    );
    for agent in 0..50 {
        let agent = AgentSpec {
            radius: 0.2 + agent as f32 * 0.01,
            ..spec(10.5, 25.5)
        };
        crowd.add(&worlds[0].movement, agent).unwrap();
    }
    let mut hashes = Vec::new();
    for tick in 0..200 {
        if tick == 60 {
            for world in &mut worlds {
                world.set_wall(Cell::new(20, 14), true);
                let rests = world.arrival == thalweg_crowd::ArrivalRule::Rest;
                let goals = if rests {
                    [Cell::new(23, 15), Cell::new(10, 22)]
                } else {
                    [Cell::new(3, 20), Cell::new(30, 5)]
                };
                world.flow = flow_of(&world.movement, &goals);
                world.version += 1;
            }
            let groups: Vec<GroupInput<'_>> = worlds.iter().map(World::input).collect();
            crowd.eject(&groups);
        }
        if tick == 100 {
            for &id in west.iter().step_by(7) {
                let _ = crowd.remove(id);
            }
            crowd.add(&worlds[0].movement, spec(1.5, 1.5)).unwrap();
        }
        let groups: Vec<GroupInput<'_>> = worlds.iter().map(World::input).collect();
        let dt = if tick % 50 == 49 { 0.7 } else { 1.0 / 30.0 };
        if tick == 130 {
            // Everything a step depends on is in the crowd: a copy goes on the same way, with fresh buffers or not.
            crowd = crowd.clone();
        }
        let report = crowd.step(&groups, dt, workers).unwrap();
        if tick == 199 {
            assert!(
                report.resting > 20 && report.left_total > 20,
                "packs and exits are part of the run: {report:?}"
            );
        }
        if tick % 10 == 9 {
            hashes.push(crowd.state_hash());
        }
    }
    hashes
}

#[test]
fn the_hash_is_the_same_for_one_two_three_and_eight_threads() {
    let serial = run(&Serial);
    for threads in [1, 2, 3, 8] {
        assert_eq!(run(&Threads(threads)), serial, "{threads} threads");
    }
}

#[test]
fn the_hash_is_the_same_with_every_instruction_set() {
    let plain = run_on(&Serial, Vectors::Plain);
    for vectors in Vectors::ALL.into_iter().filter(|vectors| vectors.is_available()) {
        assert_eq!(run_on(&Serial, vectors), plain, "{vectors}");
    }
}

/// A caller that watches gets the stages one after the other; the state is the same.
#[test]
fn a_watched_step_ends_in_the_same_bits_and_tells_of_every_stage() {
    struct Watching(Vec<Stage>);
    impl StageObserver for Watching {
        fn ended(&mut self, stage: Stage) {
            self.0.push(stage);
        }
    }
    let world = World::of_map(
        &["..........", "....#.....", ".........G"],
        &profile(Connectivity::Eight, CornerRule::BothFree),
    );
    let mut plain = Crowd::new(world.movement.grid().clone(), CrowdOptions::default()).unwrap();
    let mut random = Random(3);
    scatter(
        &mut plain,
        &world.movement,
        &mut random,
        12,
        [0.0, 0.0, 10.0, 3.0],
        0.3,
        GroupId(0),
    );
    let mut watched = plain.clone();
    for _ in 0..50 {
        let mut watching = Watching(Vec::new());
        let one = plain.step(&[world.input()], 0.05, &Serial).unwrap();
        let two = watched
            .step_observed(&[world.input()], 0.05, &Threads(2), &mut watching)
            .unwrap();
        assert_eq!((one, plain.state_hash()), (two, watched.state_hash()));
        assert_eq!(watching.0, Stage::ALL.repeat(one.substeps as usize));
    }
}

/// The golden hash. It moves when the rules of movement change on purpose; then run this test, copy the hash it prints
/// here, run it again with `--release`, and say in the change log why it moved. If it moved without a change of rules,
/// the build, the target or the code is not deterministic: find out, do not re-mint.
const GOLDEN: u64 = 0x75e6_7255_b7cf_2019;

#[test]
fn the_hash_is_the_golden_one_in_every_build() {
    let last = *run(&Serial).last().unwrap();
    assert_eq!(last, StateHash(GOLDEN), "the golden hash moved: it is {last} now");
}
