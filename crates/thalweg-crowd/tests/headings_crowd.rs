//! Headings in a crowd: the same bits for any number of threads, old ones after the map has changed, and turns.

mod common;

use common::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{AgentSpec, Avoidance, Crowd, CrowdOptions, GroupId, Outcome, StalePolicy, StateHash};
use thalweg_testkit::cases::say;

fn eight() -> MovementProfile {
    profile(Connectivity::Eight, CornerRule::BothFree)
}

/// A plain town of blocks for a few thousand: three groups cross each other, one by directions.
fn thousands(workers: &dyn Workers, dt: f32, ticks: usize) -> Vec<StateHash> {
    const SIDE: u32 = 90;
    let grid = Grid::new(SIDE, SIDE).unwrap();
    let is_block = |x: u32, y: u32| x % 15 > 9 && y % 15 > 9 && !(x + y).is_multiple_of(7);
    let bytes = (0..grid.len() as u32)
        .map(|index| match (index % SIDE, index / SIDE) {
            (x, y) if is_block(x, y) => 255,
            (x, _) if x > 70 => 3,
            _ => 1,
        })
        .collect();
    let costs = CostField::from_bytes(grid, bytes).unwrap();
    let worlds = [
        World::new(&costs, &eight(), &[Cell::new(5, 5), Cell::new(80, 40)]).with_headings(5),
        World::new(
            &costs,
            &profile(Connectivity::Eight, CornerRule::OneFree),
            &[Cell::new(44, 84)],
        )
        .leaving()
        .with_headings(1),
        World::new(&costs, &eight(), &[Cell::new(2, 60)]),
    ];
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::default()).unwrap();
    let mut random = Random(77);
    for (group, world) in (0u16..).zip(&worlds) {
        let everywhere = [0.0, 0.0, f64::from(SIDE), f64::from(SIDE)];
        scatter(
            &mut crowd,
            &world.movement,
            &mut random,
            1_000,
            everywhere,
            0.3,
            GroupId(group),
        );
    }
    assert_eq!(crowd.len(), 3_000);
    let inputs: Vec<_> = worlds.iter().map(World::input).collect();
    let mut watch = Watch::new(&crowd);
    (0..ticks)
        .map(|_| {
            crowd.step(&inputs, dt, workers).unwrap();
            watch.check(&crowd, &worlds[1].movement, dt);
            crowd.state_hash()
        })
        .collect()
}

#[test]
fn three_thousand_by_headings_are_the_same_for_any_number_of_threads_and_cross_no_wall() {
    for (dt, ticks) in [(1.0 / 240.0, 24), (1.0 / 30.0, 12), (0.2, 6), (1.0, 3), (5.0, 1)] {
        let alone = thousands(&Serial, dt, ticks);
        for threads in [1, 2, 8] {
            assert_eq!(
                thousands(&Threads(threads), dt, ticks),
                alone,
                "{threads} threads, {dt} s"
            );
        }
    }
}

/// The map changes under agents that keep the old headings: nobody gets through a new wall, and with the new field all
/// arrive.
#[test]
fn old_headings_lead_nobody_through_new_walls() {
    for seed in 0..24 {
        let mut random = Random(seed);
        let grid = Grid::new(16, 16).unwrap();
        let bytes = (0..grid.len())
            .map(|_| if random.below(100) < 20 { 255 } else { 1 })
            .collect();
        let mut costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let goal = Cell::new(8, 8);
        costs.set(goal, Cost::PLAIN).unwrap();
        let mut world = World::new(&costs, &profiles()[seed as usize % 4], &[goal])
            .leaving()
            .with_headings(5);
        world.stale = StalePolicy::KeepOld;
        let mut crowd = crowd_of(&world);
        scatter(
            &mut crowd,
            &world.movement,
            &mut random,
            60,
            [0.0, 0.0, 16.0, 16.0],
            0.25,
            GroupId(0),
        );
        for _ in 0..12 {
            step(&mut crowd, &world, 0.1);
        }
        let occupied: Vec<_> = crowd
            .agents()
            .map(|(_, view)| view.position.cell_id(&grid))
            .collect();
        for id in grid
            .ids()
            .filter(|&id| random.below(8) == 0 && !occupied.contains(&Some(id)))
        {
            let is_wall = world.movement.is_passable(id) && grid.cell(id) != goal;
            world.set_wall(grid.cell(id), is_wall);
        }
        world.is_current = false;
        let mut watch = Watch::new(&crowd);
        for _ in 0..60 {
            step(&mut crowd, &world, 0.1);
            watch.check(&crowd, &world.movement, 0.1);
        }
        world.rebuild(&[goal]);
        for _ in 0..600 {
            step(&mut crowd, &world, 0.1);
            watch.check(&crowd, &world.movement, 0.1);
        }
        let left: Vec<_> = crowd
            .agents()
            .filter(|(_, view)| view.outcome != Outcome::NoDirection)
            .map(|(_, view)| (view.position, view.outcome, view.blocker))
            .collect();
        assert!(left.is_empty(), "seed {seed}: {left:?}");
    }
}

#[test]
fn an_agent_stops_at_the_point_of_its_heading_and_keeps_its_pace() {
    // The way turns by a right angle at the corner of the wall; one step would lead 0.24 cells past the point.
    let world = World::of_map(&["A......", "######.", "G......"], &eight()).with_headings(5);
    let options = CrowdOptions::default().with_avoidance(Avoidance::Off);
    let mut crowd = Crowd::new(world.movement.grid().clone(), options).unwrap();
    let agent = AgentSpec {
        max_speed: 2.4,
        ..spec(0.5, 0.5)
    };
    let id = crowd.add(&world.movement, agent).unwrap();
    let mut slowest = f32::INFINITY;
    for tick in 0.. {
        let before = crowd.get(id).unwrap().position;
        step(&mut crowd, &world, 0.1);
        let view = crowd.get(id).unwrap();
        if view.outcome == Outcome::Arrived {
            break;
        }
        assert!(tick < 120, "{view:?}");
        if (4.0..6.5).contains(&before.to_map()[0]) && before.to_map()[1] < 2.0 {
            slowest = slowest.min(view.velocity[0].hypot(view.velocity[1]));
        }
        // The point lies 5/16 of a cell off the corner at (6, 1).
        assert!(view.position.to_map()[0] < 6.5, "{view:?}");
    }
    say(&format!("slowest at the turn: {slowest:.2} of 2.4 cells/s"));
    assert!(slowest > 0.2, "{slowest}");
}

/// What the options say of the response: a right angle costs about speed times response, on the old way and on the new.
#[test]
fn a_turn_costs_the_response() {
    let costs = CostField::filled(Grid::new(41, 41).unwrap(), Cost::PLAIN);
    let [east, south] = [Cell::new(40, 20), Cell::new(20, 40)]
        .map(|goal| World::new(&costs, &eight(), &[goal]).with_headings(1));
    for response in [0.0, 0.1, 0.5] {
        let mut options = CrowdOptions::default();
        options.response = response;
        let mut crowd = Crowd::new(costs.grid().clone(), options).unwrap();
        let agent = AgentSpec {
            max_speed: 1.0,
            ..spec(15.5, 20.5)
        };
        let id = crowd.add(&east.movement, agent).unwrap();
        let place = |crowd: &Crowd| crowd.get(id).unwrap().position.to_map();
        for _ in 0..500 {
            step(&mut crowd, &east, 0.01);
        }
        let [x, y] = place(&crowd);
        for _ in 0..500 {
            step(&mut crowd, &south, 0.01);
        }
        let [on, lost] = [place(&crowd)[0] - x, 5.0 - (place(&crowd)[1] - y)];
        say(&format!("response {response}: {on:.3} cells on, {lost:.3} lost"));
        let cost = f64::from(response);
        assert!((on - cost).abs() < 0.02 + 0.2 * cost && (lost - cost).abs() < 0.02 + 0.2 * cost);
    }
}

/// Fast agents swing far beyond the points they aim at, slow ones move by less than a subcell a substep; all arrive.
#[test]
fn lone_agents_of_any_speed_arrive() {
    for (seed, profile) in (0..8).flat_map(|seed| profiles().map(move |profile| (seed, profile))) {
        let mut random = Random(seed + 900);
        let grid = Grid::new(13, 11).unwrap();
        let bytes = (0..grid.len())
            .map(|_| [255, 255, 1, 1, 1, 1, 2, 4][random.below(8) as usize])
            .collect();
        let mut costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let goal = Cell::new(random.below(13) as i32, random.below(11) as i32);
        costs.set(goal, Cost::PLAIN).unwrap();
        let world = World::new(&costs, &profile, &[goal]).leaving().with_headings(3);
        for (speed, dt) in [(0.02, 5.0), (9.0, 1.0 / 30.0), (100.0, 0.5)] {
            let options = CrowdOptions::default().with_avoidance(Avoidance::Off);
            let mut crowd = Crowd::new(grid.clone(), options).unwrap();
            for id in grid.ids().filter(|&id| world.flow.direction(id).is_some()) {
                let cell = grid.cell(id);
                let (x, y) = (
                    f64::from(cell.x) + random.unit(),
                    f64::from(cell.y) + random.unit(),
                );
                let agent = AgentSpec {
                    max_speed: speed,
                    radius: 0.2,
                    ..spec(x, y)
                };
                crowd.add(&world.movement, agent).unwrap();
            }
            let mut watch = Watch::new(&crowd);
            // No way is longer than the map has cells.
            let steps = (f64::from(2.0 / (speed * dt)) * grid.len() as f64) as usize + 200;
            for _ in 0..steps {
                step(&mut crowd, &world, dt);
                watch.check(&crowd, &world.movement, dt);
                if crowd.is_empty() {
                    break;
                }
            }
            let stuck: Vec<_> = crowd
                .agents()
                .map(|(_, view)| (view.position, view.outcome))
                .collect();
            assert!(
                stuck.is_empty(),
                "seed {seed}, {speed} cells/s, {profile:?}: {stuck:?}"
            );
        }
    }
}
