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
            for t in 0..400 {
                world.step();
                if t % 20 == 0 {
                    eprintln!("{t}\n{}", world.picture());
                }
                if world.crowd.agents().all(|(_, v)| v.outcome == Outcome::Arrived) {
                    eprintln!("done {t}");
                    break;
                }
            }
            let ticks = world.run(400).expect("all change places");
            eprintln!(
                "{arrival:?}: {ticks} ticks, longest wait {}",
                world.crowd.longest_wait()
            );
        }
    }
}
