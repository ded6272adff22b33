//! What a step of strict mode returns.

use crate::OutcomeCounts;

/// What happened in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StrictReport {
    /// How many agents had each outcome.
    pub outcomes: OutcomeCounts,
    /// Moves asked for, staying included; the resolver's tries.
    pub asked: u64,
    /// Moves refused because of others.
    pub refused: u64,
    /// Agents that were asked to make way by whoever needed their place.
    pub pushed: u64,
    /// Agents that left the simulation at a goal in this step.
    pub left: u32,
    /// Agents that reached a goal in this step, those who left included.
    pub arrived: u32,
    /// The longest that anybody stands now although it would rather move, in ticks.
    pub longest_wait: u32,
    /// The largest waiting age.
    pub oldest: u32,
    /// Members of knots.
    pub knotted: u32,
    /// What searches of configurations took in this step, in agent-steps.
    pub searched: u64,
}
