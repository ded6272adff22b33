//! Crowds on maps of several layers: up the stairs, each floor for itself, and the same bits for any number of threads.

mod common;

use common::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid, MapPoint};
use thalweg_core::movement::{Connectivity, CornerRule, EdgeRules, Movement};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{AgentSpec, Crowd, CrowdError, CrowdOptions, GroupId, Outcome, StateHash};

/// Three floors of different sizes and origins. A stair of three cells leads from the east of the ground floor to the
/// west of the upper one, and one of one cell from there to the roof; both up and down.
fn house() -> (CostField, Movement) {
    let ground = Grid::new(30, 16).unwrap();
    let upper = Grid::with_first_cell(14, 20, Cell::new(25, -6)).unwrap();
    let roof = Grid::with_first_cell(6, 5, Cell::new(-40, 100)).unwrap();
    let grid = Grid::stacked([&ground, &upper, &roof]).unwrap();
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    // A wall with a door on each of the lower floors.
    for y in (0..16).filter(|y| !(6..9).contains(y)) {
        costs.set(Cell::new(15, y), Cost::IMPASSABLE).unwrap();
    }
    for x in (25..39).filter(|x| !(33..35).contains(x)) {
        costs.set(Cell::on(1, x, 5), Cost::IMPASSABLE).unwrap();
    }
    let mut rules = EdgeRules::new(grid);
    let mut stair = |low: Cell, high: Cell| {
        rules.add_portal(low, high, 30).unwrap();
        rules.add_portal(high, low, 20).unwrap();
    };
    for step in 0..3 {
        stair(Cell::new(29, 12 + step), Cell::on(1, 25, 9 + step));
    }
    stair(Cell::on(1, 30, -6), Cell::on(2, -36, 104));
    let eight = profile(Connectivity::Eight, CornerRule::BothFree);
    let movement = Movement::compile_with(&costs, &rules, &eight).unwrap();
    (costs, movement)
}

fn world(goal: Cell) -> World {
    let (costs, movement) = house();
    World::of_movement(&costs, movement, &[goal])
}

/// Scatters agents over a rectangle of a layer, counted from the layer's corner.
fn people(crowd: &mut Crowd, world: &World, layer: u16, count: usize, rect: [f64; 4], group: u16) {
    let mut random = Random(u64::from(layer) + 9);
    let mut added = 0;
    while added < count {
        let (x, y) = (
            rect[0] + random.unit() * rect[2],
            rect[1] + random.unit() * rect[3],
        );
        let agent = AgentSpec {
            position: at(x, y).on(layer),
            radius: 0.25,
            max_speed: 1.2 + 0.4 * random.unit() as f32,
            group: GroupId(group),
        };
        added += usize::from(crowd.add(&world.movement, agent).is_ok());
    }
}

#[test]
fn a_crowd_walks_up_the_stairs_to_the_roof_and_down_again() {
    let roof = Cell::on(2, -40, 100);
    let street = Cell::new(0, 0);
    for (goal, layer, rect) in [
        (roof, 0, [0.0, 0.0, 12.0, 16.0]),
        (street, 1, [6.0, 0.0, 8.0, 8.0]),
    ] {
        for world in world(goal).leaving().both_ways() {
            let mut crowd = crowd_of(&world);
            people(&mut crowd, &world, layer, 80, rect, 0);
            let mut watch = Watch::new(&crowd);
            let mut seen = [false; 3];
            let mut ticks = 0;
            while !crowd.is_empty() {
                step(&mut crowd, &world, 0.1);
                watch.check(&crowd, &world.movement, 0.1);
                for (_, agent) in crowd.agents() {
                    seen[usize::from(agent.position.layer)] = true;
                    let speed = agent.velocity[0].hypot(agent.velocity[1]);
                    assert!(speed < 6.0, "a stair is no leap: {agent:?}");
                }
                ticks += 1;
                assert!(
                    ticks < 3_000,
                    "headings {}: {:?}",
                    world.headings.is_some(),
                    crowd
                        .agents()
                        .map(|(_, agent)| (agent.position, agent.outcome))
                        .collect::<Vec<_>>()
                );
            }
            assert!(seen[0] && seen[1], "they were on their way");
        }
    }
}

#[test]
fn floors_do_not_push_each_other() {
    let world = world(Cell::on(1, 25, -6));
    // Forty agents on one spot of the ground floor, with and without forty at the same place of the upper one.
    let run = |both: bool| {
        let mut crowd = crowd_of(&world);
        let mut ids = Vec::new();
        for index in 0..40 {
            let agent = spec(3.5 + 0.01 * f64::from(index), 3.5);
            ids.push(crowd.add(&world.movement, agent).unwrap());
        }
        for index in (0..40).filter(|_| both) {
            let agent = AgentSpec {
                position: at(3.5, 3.5 + 0.01 * f64::from(index)).on(1),
                ..spec(0.0, 0.0)
            };
            crowd.add(&world.movement, agent).unwrap();
        }
        for _ in 0..60 {
            step(&mut crowd, &world, 1.0 / 30.0);
        }
        ids.into_iter()
            .map(|id| crowd.get(id).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn the_layer_is_part_of_the_state_and_of_the_place() {
    let world = world(Cell::new(0, 0));
    let hash = |layer: u16| {
        let mut crowd = crowd_of(&world);
        let agent = AgentSpec {
            position: at(3.5, 3.5).on(layer),
            ..spec(0.0, 0.0)
        };
        let id = crowd.add(&world.movement, agent).unwrap();
        assert_eq!(crowd.get(id).unwrap().position.layer, layer);
        assert!(crowd.agents().all(|(_, view)| view.position.layer == layer));
        crowd.state_hash()
    };
    assert_ne!(hash(0), hash(1));
    assert_ne!(hash(1), hash(2));
    // On the ground floor but off the roof; and on no floor at all.
    let mut crowd = crowd_of(&world);
    for position in [at(20.5, 10.5).on(2), at(0.5, 0.5).on(3)] {
        let agent = AgentSpec {
            position,
            ..spec(0.0, 0.0)
        };
        let error = crowd.add(&world.movement, agent).unwrap_err();
        assert!(matches!(error, CrowdError::Outside { .. }), "{error}");
    }
}

#[test]
fn a_pack_at_the_head_of_a_stair_rests_on_its_floor() {
    for world in world(Cell::on(2, -36, 104)).both_ways() {
        let mut crowd = crowd_of(&world);
        people(&mut crowd, &world, 1, 12, [0.0, 0.0, 14.0, 10.0], 0);
        let mut watch = Watch::new(&crowd);
        for _ in 0..1_200 {
            step(&mut crowd, &world, 0.1);
            watch.check(&crowd, &world.movement, 0.1);
        }
        let arrived = crowd
            .agents()
            .filter(|(_, agent)| agent.outcome == Outcome::Arrived);
        assert_eq!(arrived.count(), 12);
        for (_, agent) in crowd.agents() {
            assert!(agent.position.cell_id(crowd.grid()).is_some());
        }
    }
}

#[test]
fn the_hash_on_floors_is_the_same_for_any_number_of_threads() {
    let worlds = [
        world(Cell::on(2, -40, 100)).with_headings(5),
        world(Cell::new(0, 0)).leaving(),
        world(Cell::on(1, 38, 13)).with_headings(1),
    ];
    let run = |workers: &dyn Workers| -> Vec<StateHash> {
        let mut crowd = Crowd::new(worlds[0].movement.grid().clone(), CrowdOptions::default()).unwrap();
        for (group, world) in (0u16..).zip(&worlds) {
            people(&mut crowd, world, 0, 300, [0.0, 0.0, 30.0, 16.0], group);
            people(&mut crowd, world, 1, 200, [0.0, 0.0, 14.0, 20.0], group);
            people(&mut crowd, world, 2, 20, [0.0, 0.0, 6.0, 5.0], group);
        }
        let inputs: Vec<_> = worlds.iter().map(World::input).collect();
        let mut watch = Watch::new(&crowd);
        [1.0 / 240.0, 1.0 / 30.0, 0.2, 1.0, 5.0]
            .into_iter()
            .cycle()
            .take(20)
            .map(|dt| {
                crowd.step(&inputs, dt, workers).unwrap();
                watch.check(&crowd, &worlds[0].movement, dt);
                crowd.state_hash()
            })
            .collect()
    };
    let alone = run(&Serial);
    for threads in [1, 2, 8] {
        assert_eq!(run(&Threads(threads)), alone, "{threads} threads");
    }
}

/// The centre of a cell of any floor is where an agent stands that is put there by its cell.
#[test]
fn positions_count_from_the_corner_of_their_layer() {
    let (_, movement) = house();
    let grid = movement.grid();
    let point = MapPoint::centre_of_cell(grid, Cell::on(2, -36, 104)).unwrap();
    assert_eq!(point, at(4.5, 4.5).on(2));
}
