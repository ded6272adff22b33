//! Many agents, few goals: sinks, areas to park in, and places scattered over the map.

use crate::world::{World, eight, four};
use thalweg_crowd::ArrivalRule;

#[test]
fn an_area_fills_from_the_far_side() {
    for profile in [four(), eight()] {
        let mut world = World::open(12, 8, profile);
        let area: Vec<(i32, i32)> = (0..8).flat_map(|y| (8..12).map(move |x| (x, y))).collect();
        let park = world.group(&area, ArrivalRule::Rest);
        for index in 0..32 {
            world.add((index % 4, index / 4), park);
        }
        let ticks = world.run(60).expect("thirty-two agents fill thirty-two cells");
        assert!(ticks < 40, "{ticks}");
    }
}

#[test]
fn scattered_places_are_all_taken() {
    for profile in [four(), eight()] {
        let mut world = World::open(16, 16, profile);
        let places: Vec<(i32, i32)> = (0..10).map(|i| (1 + (i * 7) % 14, 1 + (i * 5) % 13)).collect();
        let park = world.group(&places, ArrivalRule::Rest);
        for index in 0..10 {
            world.add((index, 15), park);
        }
        let ticks = world.run(400);
        assert!(ticks.is_some(), "{}", world.picture());
    }
}

#[test]
fn a_sink_takes_one_a_tick_from_each_side() {
    let mut world = World::open(20, 1, four());
    let sink = world.group(&[(10, 0)], ArrivalRule::Leave);
    for x in (0..20).filter(|x| *x != 10) {
        world.add((x, 0), sink);
    }
    for _ in 0..20 {
        world.step();
    }
    assert!(world.crowd.is_empty(), "{}", world.picture());
}
