//! What a caller may change while agents are on their way: pushes, groups, holds, masses.

mod common;

use common::*;
use thalweg_core::grid::{Cell, Direction, MapPoint};
use thalweg_core::movement::{Connectivity, CornerRule, SweepStop};
use thalweg_core::workers::Serial;
use thalweg_crowd::{AgentSpec, Blocker, CrowdError, GroupId, MAX_PUSH, Outcome};

fn eight() -> thalweg_core::movement::MovementProfile {
    profile(Connectivity::Eight, CornerRule::BothFree)
}

#[test]
fn a_push_moves_at_once_and_ends_before_the_first_wall() {
    let world = World::of_map(&["......#..", ".........", "G.....#.."], &eight());
    let mut crowd = crowd_of(&world);
    let agent = crowd.add(&world.movement, spec(1.5, 0.5)).unwrap();
    let free = crowd.push(agent, &world.movement, [2.25, 0.0]).unwrap();
    assert_eq!((free.end, free.stop), (at(3.75, 0.5), SweepStop::Clear));
    let stopped = crowd.push(agent, &world.movement, [1000.0, 0.0]).unwrap();
    let wall = SweepStop::Wall {
        cell: Cell::new(5, 0).id_in(&world),
        direction: Direction::E,
    };
    assert_eq!(stopped.stop, wall);
    assert_eq!(crowd.get(agent).unwrap().position, stopped.end);
    assert_eq!(stopped.end.column_row(), (5, 0), "beside the wall, not in it");
    for bad in [f32::NAN, f32::INFINITY, MAX_PUSH * 1.01, -MAX_PUSH * 1.01] {
        let before = crowd.state_hash();
        assert!(matches!(
            crowd.push(agent, &world.movement, [0.0, bad]),
            Err(CrowdError::Push(_))
        ));
        assert_eq!(crowd.state_hash(), before, "a refused push changes nothing");
    }
    crowd.remove(agent).unwrap();
    assert_eq!(
        crowd.push(agent, &world.movement, [0.1, 0.0]),
        Err(CrowdError::NoSuchAgent(agent))
    );
}

/// Named by its cell, for a one-layer world.
trait IdIn {
    fn id_in(self, world: &World) -> thalweg_core::grid::CellId;
}

impl IdIn for Cell {
    fn id_in(self, world: &World) -> thalweg_core::grid::CellId {
        world.movement.grid().id(self).unwrap()
    }
}

/// Found by fuzzing: a push before the first step was divided by a step of no length.
#[test]
fn a_push_is_no_speed() {
    let world = World::of_map(&["..........", ".........G"], &eight());
    let mut crowd = crowd_of(&world);
    let agent = crowd.add(&world.movement, spec(1.5, 0.5)).unwrap();
    crowd.push(agent, &world.movement, [3.0, 0.5]).unwrap();
    assert_eq!(crowd.get(agent).unwrap().velocity, [0.0; 2]);
    step(&mut crowd, &world, 0.1);
    let before = crowd.get(agent).unwrap().velocity;
    crowd.push(agent, &world.movement, [-2.0, 0.0]).unwrap();
    assert_eq!(crowd.get(agent).unwrap().velocity, before);
}

#[test]
fn pushes_of_any_length_and_direction_lead_through_no_pinched_diagonal() {
    // Walls that touch at corners: a leak would be in the other half at once.
    let map = ["....#....", "...#.....", "..#......", ".#.......", "#.......G"];
    for profile in profiles().into_iter().filter(|profile| {
        profile.connectivity == Connectivity::Four || profile.corner_rule != CornerRule::Always
    }) {
        let world = World::of_map(&map, &profile);
        let mut random = Random(7);
        for _ in 0..2_000 {
            let mut crowd = crowd_of(&world);
            let (x, y) = (random.unit() * 9.0, random.unit() * 5.0);
            let Ok(agent) = crowd.add(&world.movement, spec(x, y)) else {
                continue;
            };
            let is_west = x.floor() + y.floor() < 4.0;
            for _ in 0..4 {
                let way = [(random.unit() - 0.5) * 20.0, (random.unit() - 0.5) * 20.0];
                crowd
                    .push(agent, &world.movement, way.map(|along| along as f32))
                    .unwrap();
                let (column, row) = crowd.get(agent).unwrap().position.column_row();
                assert!(column + row != 4, "in a wall");
                assert_eq!(
                    column + row < 4,
                    is_west,
                    "through the wall by {way:?} from {x}, {y}"
                );
            }
        }
    }
}

#[test]
fn an_agent_takes_another_group_in_flight_and_gets_up_for_it() {
    let costs = costs_of(&[".........", ".........", "........."]);
    let west = World::new(&costs, &eight(), &[Cell::new(0, 1)]);
    let east = World::new(&costs, &eight(), &[Cell::new(8, 1)]);
    let mut crowd = crowd_of(&west);
    let groups = [west.input(), east.input()];
    let agent = crowd.add(&west.movement, spec(4.5, 1.5)).unwrap();
    for _ in 0..300 {
        crowd.step(&groups, 1.0 / 30.0, &Serial).unwrap();
    }
    assert_eq!(crowd.get(agent).unwrap().outcome, Outcome::Arrived);
    crowd.set_group(agent, &east.movement, GroupId(1)).unwrap();
    assert_eq!(crowd.get(agent).unwrap().outcome, Outcome::Moved);
    for _ in 0..400 {
        crowd.step(&groups, 1.0 / 30.0, &Serial).unwrap();
    }
    let view = crowd.get(agent).unwrap();
    assert_eq!(
        (view.outcome, view.position.column_row()),
        (Outcome::Arrived, (8, 1))
    );
    // A group that the step does not know is told of, not indexed.
    crowd.set_group(agent, &east.movement, GroupId(7)).unwrap();
    assert!(matches!(
        crowd.step(&groups, 0.1, &Serial),
        Err(CrowdError::MissingGroup { group: 7, .. })
    ));
    // Where the new group cannot be, the agent keeps its own.
    let walled = World::new(
        &costs_of(&["........#", "........#", "........#"]),
        &eight(),
        &[Cell::new(0, 0)],
    );
    assert!(matches!(
        crowd.set_group(agent, &walled.movement, GroupId(0)),
        Err(CrowdError::Blocked { .. })
    ));
    assert_eq!(crowd.get(agent).unwrap().group, GroupId(7));
}

#[test]
fn one_that_is_held_stands_gives_way_and_goes_on_when_let_go() {
    let world = World::of_map(&["............", "...........G", "............"], &eight());
    let mut crowd = crowd_of(&world);
    let held = crowd.add(&world.movement, spec(4.5, 1.5)).unwrap();
    let behind = crowd.add(&world.movement, spec(2.5, 1.5)).unwrap();
    crowd.hold(held, true).unwrap();
    for _ in 0..60 {
        step(&mut crowd, &world, 1.0 / 30.0);
    }
    let view = crowd.get(held).unwrap();
    assert_eq!(
        (view.outcome, view.blocker, view.is_held),
        (Outcome::Waiting, Blocker::Held, true)
    );
    assert!(view.position.x < at(6.0, 0.0).x, "it does not walk");
    let passed = crowd.get(behind).unwrap();
    assert!(
        passed.position.x > view.position.x,
        "others get past it: {passed:?}"
    );
    crowd.hold(held, false).unwrap();
    for _ in 0..600 {
        step(&mut crowd, &world, 1.0 / 30.0);
    }
    assert_eq!(crowd.get(held).unwrap().outcome, Outcome::Arrived);
}

#[test]
fn the_heavier_of_two_gives_way_by_less() {
    let world = World::of_map(&["...........", "...........", "..........G"], &eight());
    let shift = |masses: [f32; 2]| {
        let mut crowd = crowd_of(&world);
        // Less deep than what one push may be, which is bounded for both alike.
        let ids = [4.63, 5.37].map(|x| {
            let agent = AgentSpec {
                radius: 0.4,
                max_speed: 0.001,
                ..spec(x, 1.5)
            };
            crowd.add(&world.movement, agent).unwrap()
        });
        for (id, mass) in ids.into_iter().zip(masses) {
            crowd.set_mass(id, mass).unwrap();
            crowd.hold(id, true).unwrap();
        }
        for _ in 0..60 {
            step(&mut crowd, &world, 1.0 / 30.0);
        }
        let cells = |index: usize| f64::from(crowd.get(ids[index]).unwrap().position.x) / 65536.0;
        [4.63 - cells(0), cells(1) - 5.37]
    };
    let [left, right] = shift([1.0, 1.0]);
    assert!((left - right).abs() < 0.001 && left > 0.02, "{left} {right}");
    let [left, right] = shift([9.0, 1.0]);
    assert!((right / left - 9.0).abs() < 1.0, "{left} {right}");
    let [left, right] = shift([1.0, 1000.0]);
    assert!(right < 0.001 && left > 0.04, "{left} {right}");
    let mut crowd = crowd_of(&world);
    let agent = crowd.add(&world.movement, spec(1.5, 1.5)).unwrap();
    for bad in [f32::NAN, 0.0, -1.0, 1e9] {
        assert!(matches!(crowd.set_mass(agent, bad), Err(CrowdError::Mass(_))));
        assert!(matches!(
            crowd.set_max_speed(agent, bad),
            Err(CrowdError::Speed(_))
        ));
    }
}

#[test]
fn a_new_top_speed_holds_from_the_next_step_and_cuts_steps_finer() {
    let world = World::of_map(&["....................", "...................G"], &eight());
    let mut crowd = crowd_of(&world);
    let agent = crowd.add(&world.movement, spec(0.5, 0.5)).unwrap();
    assert_eq!(step(&mut crowd, &world, 0.1).substeps, 1);
    crowd.set_max_speed(agent, 25.0).unwrap();
    assert_eq!(
        step(&mut crowd, &world, 0.1).substeps,
        10,
        "2.5 cells by quarters"
    );
    let far: MapPoint = crowd.get(agent).unwrap().position;
    assert!(far.x > at(1.0, 0.0).x);
}
