//! What fuzzing found, each once.

use crate::world::{World, four};
use thalweg_core::grid::CellId;
use thalweg_crowd::ArrivalRule;

/// The claim of one who was taken out was decided for whoever was given its slot.
#[test]
fn a_claim_does_not_outlive_its_agent() {
    let mut world = World::open(4, 1, four());
    let group = world.group(&[(3, 0)], ArrivalRule::Rest);
    let first = world.add((0, 0), group);
    world.crowd.claim(first, &[CellId(1)], 1).unwrap();
    world.crowd.remove(first).unwrap();
    let second = world.add((3, 0), group);
    assert_eq!(second.index(), first.index());
    world.step();
    assert!(world.crowd.claims().is_empty());
}
