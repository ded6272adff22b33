//! How time counts in a [`TimeField`](super::TimeField).

use super::ExpandedError;

/// How many ticks an edge takes; at least 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StepTicks {
    /// The same for every edge.
    Fixed(u32),
    /// One for every started so many step units of the edge's cost: dear ground is slow ground.
    PerCost(u32),
}

impl StepTicks {
    /// The ticks that an edge of this cost takes, at least 1.
    #[must_use]
    pub fn of(self, cost: u32) -> u32 {
        match self {
            Self::Fixed(ticks) => ticks.max(1),
            Self::PerCost(units) => cost.div_ceil(units.max(1)).max(1),
        }
    }
}

impl Default for StepTicks {
    fn default() -> Self {
        Self::Fixed(1)
    }
}

/// Where a body counts as being while it moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Presence {
    /// On both cells in every tick of the move, so that it never overlaps anything that is closed.
    #[default]
    Both,
    /// On the cell it left until it arrives, which is how multi-agent path finding counts: one may step after a patrol
    /// onto the cell that it leaves in the same tick.
    LeftUntilArrival,
}

/// What holds from the horizon on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Beyond {
    /// The timetable ends: everything is open, and the cost-to-goal is that of the plain field.
    #[default]
    Static,
    /// Time ends: who has not arrived at the horizon never does.
    Nothing,
}

/// How time counts in a [`TimeField`](super::TimeField).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct TimeOptions {
    /// Ticks `0..horizon` follow the timetable.
    pub horizon: u32,
    /// What waiting for one tick costs, in step units; `None` if nobody may wait. Where it is dearer than a step, the
    /// cheapest way to wait is to pace to and fro, and the field says so.
    pub wait_cost: Option<u32>,
    /// How long edges take.
    pub step_ticks: StepTicks,
    /// Where a moving body counts as being.
    pub presence: Presence,
    /// What holds from the horizon on.
    pub beyond: Beyond,
    /// The most bytes the field may hold.
    pub max_bytes: u64,
}

impl TimeOptions {
    /// Options with a horizon, a cost of waiting for a tick and a limit in bytes; steps take one tick, a moving body is
    /// on both cells, and beyond the horizon the map is static.
    #[must_use]
    pub const fn new(horizon: u32, wait_cost: u32, max_bytes: u64) -> Self {
        Self {
            horizon,
            wait_cost: Some(wait_cost),
            step_ticks: StepTicks::Fixed(1),
            presence: Presence::Both,
            beyond: Beyond::Static,
            max_bytes,
        }
    }

    /// The options with no waiting.
    #[must_use]
    pub const fn without_waiting(mut self) -> Self {
        self.wait_cost = None;
        self
    }

    /// The options with other durations.
    #[must_use]
    pub const fn with_step_ticks(mut self, step_ticks: StepTicks) -> Self {
        self.step_ticks = step_ticks;
        self
    }

    /// The options with another presence.
    #[must_use]
    pub const fn with_presence(mut self, presence: Presence) -> Self {
        self.presence = presence;
        self
    }

    /// The options with another rule beyond the horizon.
    #[must_use]
    pub const fn with_beyond(mut self, beyond: Beyond) -> Self {
        self.beyond = beyond;
        self
    }

    pub(super) const fn check(&self) -> Result<(), ExpandedError> {
        match self.step_ticks {
            StepTicks::Fixed(0) => Err(ExpandedError::NoDuration { what: "a fixed" }),
            StepTicks::PerCost(0) => Err(ExpandedError::NoDuration {
                what: "one per cost of",
            }),
            StepTicks::Fixed(_) | StepTicks::PerCost(_) => Ok(()),
        }
    }
}
