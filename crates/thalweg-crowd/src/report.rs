//! What a step did, in numbers.

use crate::OutcomeCounts;

/// What a step did. Numbers are kept apart; none is an estimate.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct StepReport {
    /// How many agents had each outcome; those that left count as arrived.
    pub outcomes: OutcomeCounts,
    /// Into how many substeps the step was cut.
    pub substeps: u32,
    /// Times a direction was read from a field.
    pub direction_queries: u64,
    /// Segments swept.
    pub sweeps: u64,
    /// Segments of which the sweep refused a part.
    pub sweep_refusals: u64,
    /// Times an agent went on as it did, because it is far from everything of interest; see
    /// [`TierOptions`](crate::TierOptions).
    pub coasted: u64,
    /// Neighbours that were minded, summed over agents and substeps.
    pub neighbours: u64,
    /// Agents at rest at their goals now.
    pub resting: u32,
    /// Agents that left the simulation in this step.
    pub left: u32,
    /// Agents that came to rest or left since the crowd was made; an agent that wakes and arrives again counts again.
    pub arrived_total: u64,
    /// Agents that left since the crowd was made.
    pub left_total: u64,
    /// The deepest overlap of an agent with one of the neighbours it minds, at the beginning of a substep, in cells.
    /// 0 without avoidance.
    pub deepest_overlap: f32,
}
