//! What became of an agent in a step, and how many fared so.

use core::fmt;
use core::ops::{Index, IndexMut};

/// What became of an agent in the last step. Exactly one holds for every agent after every step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(u8)]
pub enum Outcome {
    /// It moved (or may, if it was only just added).
    #[default]
    Moved = 0,
    /// It is at its goal and rests, or has just left the simulation there.
    Arrived = 1,
    /// Other agents are in its way; it stands or creeps.
    Waiting = 2,
    /// A wall stopped it that its field did not know of.
    BlockedBySweep = 3,
    /// Its reservation was refused (strict mode).
    ReservationRefused = 4,
    /// Its field is missing or belongs to an older world, and the policy is to stop.
    StaleField = 5,
    /// No way leads from its cell to a goal, or the cell is not known.
    NoDirection = 6,
    /// It is off the map or on a cell where no body may be.
    Outside = 7,
    /// A new way has been asked for.
    Replanning = 8,
    /// It is part of a knot that no free cell can open.
    Deadlocked = 9,
}

impl Outcome {
    /// Every outcome, in the order of their numbers.
    pub const ALL: [Self; 10] = [
        Self::Moved,
        Self::Arrived,
        Self::Waiting,
        Self::BlockedBySweep,
        Self::ReservationRefused,
        Self::StaleField,
        Self::NoDirection,
        Self::Outside,
        Self::Replanning,
        Self::Deadlocked,
    ];

    /// A short name in lower case, words joined by underscores; used in reports and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Arrived => "arrived",
            Self::Waiting => "waiting",
            Self::BlockedBySweep => "blocked_by_sweep",
            Self::ReservationRefused => "reservation_refused",
            Self::StaleField => "stale_field",
            Self::NoDirection => "no_direction",
            Self::Outside => "outside",
            Self::Replanning => "replanning",
            Self::Deadlocked => "deadlocked",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many agents had each outcome. Index it with an [`Outcome`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct OutcomeCounts([u32; Outcome::ALL.len()]);

impl OutcomeCounts {
    /// The sum over all outcomes: the agents that took part.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Every outcome with its count, in the order of their numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Outcome, u32)> + '_ {
        Outcome::ALL.into_iter().map(|outcome| (outcome, self[outcome]))
    }
}

impl Index<Outcome> for OutcomeCounts {
    type Output = u32;
    fn index(&self, outcome: Outcome) -> &u32 {
        &self.0[outcome as usize]
    }
}

impl IndexMut<Outcome> for OutcomeCounts {
    fn index_mut(&mut self, outcome: Outcome) -> &mut u32 {
        &mut self.0[outcome as usize]
    }
}
