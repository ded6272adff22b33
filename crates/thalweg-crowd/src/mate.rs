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
    /// Its [`Flag`]s, and its tier in the two highest bits.
    pub(crate) flags: u8,
}

/// What is true of an agent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Flag {
    /// Its record names a blocker.
    Blocked = 1,
    /// It is held where it is.
    Held = 2,
}

/// Tiers are told apart by two bits.
const TIER_SHIFT: u32 = 6;

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
        flags: 0,
    };

    #[inline]
    pub(crate) const fn role(&self) -> Role {
        if self.is_held() && !matches!(self.outcome, Outcome::Arrived) {
            return Role::Idle;
        }
        Role::of(self.outcome)
    }

    #[inline]
    pub(crate) const fn has(&self, flag: Flag) -> bool {
        self.flags & flag as u8 != 0
    }

    #[inline]
    pub(crate) const fn set(&mut self, flag: Flag, is_set: bool) {
        if is_set {
            self.flags |= flag as u8;
        } else {
            self.flags &= !(flag as u8);
        }
    }

    #[inline]
    pub(crate) const fn is_held(&self) -> bool {
        self.has(Flag::Held)
    }

    /// Its tier, 0 to 3: the higher, the less often it looks.
    #[inline]
    pub(crate) const fn tier(&self) -> u8 {
        self.flags >> TIER_SHIFT
    }

    pub(crate) const fn set_tier(&mut self, tier: u8) {
        self.flags = self.flags & !(3 << TIER_SHIFT) | (tier & 3) << TIER_SHIFT;
    }

    /// Flags and tier as one number, for hashes.
    pub(crate) const fn marks(&self) -> u8 {
        self.flags & !(Flag::Blocked as u8)
    }
}
