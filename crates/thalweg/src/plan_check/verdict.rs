//! What came of a check.

use super::conflict::{CONFLICT_KINDS, Conflict, ConflictKind};

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PlanVerdict {
    /// The first conflicts, by tick.
    pub conflicts: Vec<Conflict>,
    /// How many there are of each kind, as [`CONFLICT_KINDS`] lists them. A pair that stays in conflict is counted in every
    /// tick of a vertex or footprint conflict, and once per step in all others.
    pub counts: [u64; CONFLICT_KINDS.len()],
    /// Agents of the plan.
    pub agents: usize,
    /// The number of the last tick; 0 also for a plan without ticks.
    pub last_tick: u32,
    /// Agents with a goal that are there in the last line, or left there. Tasks: see [`Self::tasks_done`].
    pub at_goal: usize,
    /// The largest cost of an agent, in ticks.
    pub makespan: u64,
    /// Sum over agents of their cost in ticks: the first tick from which an agent stays at its goal, until the last tick or
    /// until it leaves. Who is not there in the end costs all ticks. Agents without a goal cost nothing, and so do those with
    /// tasks.
    pub sum_of_costs: u64,
    /// Agent-ticks without a step of agents that were not at their goal.
    pub waits: u64,
    /// The most of these that one agent had without a step between, in ticks.
    pub longest_wait: u64,
    /// Whose they were.
    pub longest_waiter: Option<u32>,
    /// Steps that were finished.
    pub steps: u64,
    /// Tasks given.
    pub tasks: usize,
    /// Tasks that were reached as told.
    pub tasks_done: usize,
}

impl PlanVerdict {
    /// How many conflicts there are of a kind.
    #[must_use]
    pub fn count(&self, kind: ConflictKind) -> u64 {
        let place = CONFLICT_KINDS.iter().position(|&listed| listed == kind);
        place.map_or(0, |place| self.counts[place])
    }

    /// How many conflicts there are of all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Whether there is no conflict of any kind.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.total() == 0
    }

    pub(super) fn add(&mut self, conflict: Conflict, told: usize) {
        if let Some(place) = CONFLICT_KINDS.iter().position(|&kind| kind == conflict.kind) {
            self.counts[place] += 1;
        }
        if self.conflicts.len() < told {
            self.conflicts.push(conflict);
        }
    }
}
