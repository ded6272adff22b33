//! Who makes no progress step by step is searched a way for.

use crate::world::{World, four};
use thalweg_crowd::strict::StrictOptions;

#[test]
fn who_rests_makes_way_and_comes_back() {
    let mut world = World::new(&["#.#", "...", "###"], four(), StrictOptions::default());
    let rests = world.lone((1, 1), (1, 1));
    let passes = world.lone((0, 1), (2, 1));
    let ticks = world.run(60).expect("both are at their goals in the end");
    assert!(ticks <= 40, "{ticks}");
    assert_eq!((world.at(rests), world.at(passes)), ((1, 1), (2, 1)));
}
