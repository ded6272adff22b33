//! What the search must find, and prove, in worlds small enough to be looked through by other means.

#![expect(
    clippy::cast_possible_truncation,
    reason = "worlds of tests have few cells and agents"
)]

mod completeness;
mod improvement;
mod load;
mod puzzles;
mod slices;
mod world;

use super::improve::Measure;
use super::{Answer, Limits, Search, Status};
use world::World;

/// More than any of these tests takes.
const PLENTY: Limits = Limits {
    agent_steps: u64::MAX,
    nodes: 1 << 24,
    edges: 1 << 24,
    measure: Measure::AgentTicks,
};

/// The answer of a search that may take whatever it wants.
fn solve(world: &mut World, start: &[u16]) -> Answer<Vec<u16>> {
    let mut search = Search::new(world, start.to_vec(), PLENTY);
    let status = search.advance(world, u64::MAX);
    assert_ne!(status, Status::Running, "a search without a limit has an end");
    search.answer().expect("it has ended")
}
