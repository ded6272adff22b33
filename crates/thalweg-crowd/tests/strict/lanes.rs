//! Lanes one cell wide: rooms that change places, dead ends, puzzles.

use crate::world::{World, eight, four};
use thalweg_crowd::strict::StrictOptions;
use thalweg_crowd::{ArrivalRule, Outcome};

const ROOMS: [&str; 6] = [
    "......############......",
    "......############......",
    "........................",
    "......############......",
    "......############......",
    "......############......",
];

fn rooms(arrival: ArrivalRule, profile: thalweg_core::movement::MovementProfile) -> World {
    let mut world = World::new(&ROOMS, profile, StrictOptions::default());
    let area = |x: i32| {
        (0..6)
            .flat_map(move |y| (x..x + 3).map(move |x| (x, y)))
            .collect::<Vec<_>>()
    };
    let east = world.group(&area(21), arrival);
    let west = world.group(&area(0), arrival);
    for index in 0..10 {
        world.add((index % 4, index / 4), east);
        world.add((23 - index % 4, index / 4), west);
    }
    world
}

#[test]
fn two_rooms_change_places_through_a_lane_for_one() {
    for profile in [four(), eight()] {
        for arrival in [ArrivalRule::Rest, ArrivalRule::Leave] {
            let mut world = rooms(arrival, profile);
            let ticks = world.run(400).expect("all change places");
            // Two turns of ten through a lane of twelve take some 45 ticks; pushing each other through and back took 168.
            assert!(ticks <= 60, "{arrival:?}: {ticks} ticks");
        }
    }
}

#[test]
fn a_facing_pair_in_a_dead_end_lane_is_told_that_it_is_deadlocked() {
    for arrival in [ArrivalRule::Rest, ArrivalRule::Leave] {
        let mut world = World::new(&["........"], four(), StrictOptions::default());
        let (east, west) = (world.group(&[(7, 0)], arrival), world.group(&[(0, 0)], arrival));
        let a = world.add((1, 0), east);
        let b = world.add((6, 0), west);
        let mut knotted_at = None;
        for tick in 0..60 {
            let report = world.step();
            if report.knotted > 0 && knotted_at.is_none() {
                knotted_at = Some(tick);
                assert_eq!(world.crowd.knots(), [vec![a, b]]);
            }
        }
        assert!(knotted_at.is_some_and(|tick| tick < 16), "{knotted_at:?}");
        for id in [a, b] {
            assert_eq!(world.crowd.get(id).unwrap().outcome, Outcome::Deadlocked);
        }
        // One of them is taken out: nothing that was proved holds any more.
        world.crowd.remove(b).unwrap();
        world.step();
        assert_eq!(world.crowd.get(a).unwrap().outcome, Outcome::Moved);
    }
}

#[test]
fn with_a_side_cell_the_pair_passes() {
    for rows in [
        ["........", "###.####"],
        ["........", "#.######"],
        ["........", "######.#"],
    ] {
        let mut world = World::new(&rows, four(), StrictOptions::default());
        let a = world.lone((1, 0), (7, 0));
        let b = world.lone((6, 0), (0, 0));
        let ticks = world.run(60);
        assert!(ticks.is_some(), "{}", world.picture());
        assert_eq!((world.at(a), world.at(b)), ((7, 0), (0, 0)));
    }
}

#[test]
fn a_queue_before_one_who_failed_is_no_knot() {
    let mut world = World::new(&["......"], four(), StrictOptions::default());
    let east = world.group(&[(5, 0)], ArrivalRule::Leave);
    let ids: Vec<_> = (0..3).map(|x| world.add((x, 0), east)).collect();
    let failed = world.add((3, 0), east);
    world.crowd.hold(failed, true).unwrap();
    for _ in 0..100 {
        let report = world.step();
        assert_eq!(report.knotted, 0);
    }
    assert_eq!(
        world.crowd.get(ids[2]).unwrap().blocker,
        thalweg_crowd::Blocker::Agent(failed)
    );
    world.crowd.hold(failed, false).unwrap();
    for _ in 0..12 {
        world.step();
    }
    assert!(world.crowd.is_empty());
}
