//! What is kept of an agent where others read it.

use crate::Outcome;
use thalweg_core::grid::LayerIndex;

/// What an agent is to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub(crate) enum Role {
    #[default]
    Walking,
    /// Arrived.
    Resting,
    /// Arrived, in a pack that is awake; only told apart where bodies are pushed.
    Closing,
    /// Has no direction; gives way like one at rest.
    Idle,
    /// Does not move whatever happens.
    Fixed,
}

impl Role {
    /// The role that an outcome makes.
    pub(crate) const fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Arrived => Self::Resting,
            Outcome::NoDirection => Self::Idle,
            Outcome::StaleField | Outcome::Outside => Self::Fixed,
            _ => Self::Walking,
        }
    }
}

/// Everything of an agent that every substep reads and writes, but its coordinates: one line of the cache.
///
/// Mates lie in the order of the bins and move with it, so that neighbours in space are neighbours in memory. What only
/// some agents need is in [`Record`](crate::slots::Record).
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct Mate {
    /// The velocity it steers by, before pushes; cells per second.
    pub(crate) steer: [f32; 2],
    /// Where it wants to go; length 1 or 0.
    pub(crate) intent: [f32; 2],
    /// What of the last displacement was less than a subcell, in subcells: slow agents get on however short steps are.
    pub(crate) carry: [f32; 2],
    /// Where it was when the step began, in subcells; a leap through a portal moves it along.
    pub(crate) start: [i32; 2],
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    /// How long it has got on at less than a quarter of the pace it wants, in seconds.
    pub(crate) stalled: f32,
    /// How far it wanted to get in this step so far and how far it got that way, in cells.
    pub(crate) wanted: f32,
    pub(crate) gained: f32,
    pub(crate) slot: u32,
    pub(crate) group: u16,
    pub(crate) layer: LayerIndex,
    pub(crate) outcome: Outcome,
    /// Its outcome when the step began.
    pub(crate) before: Outcome,
    /// Whether its record names a blocker.
    pub(crate) is_blocked: bool,
}

const _: () = assert!(size_of::<Mate>() == 64, "a mate is one line of the cache");

impl Mate {
    /// Fills buffers.
    pub(crate) const NOBODY: Self = Self {
        steer: [0.0; 2],
        intent: [0.0; 2],
        carry: [0.0; 2],
        start: [0; 2],
        radius: 0.0,
        max_speed: 0.0,
        stalled: 0.0,
        wanted: 0.0,
        gained: 0.0,
        slot: 0,
        group: 0,
        layer: 0,
        outcome: Outcome::Moved,
        before: Outcome::Moved,
        is_blocked: false,
    };

    #[inline]
    pub(crate) const fn role(&self) -> Role {
        Role::of(self.outcome)
    }
}
