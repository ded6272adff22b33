//! What a profile of a living map is.

use core::fmt;
use thalweg_core::cost::{ClassCosts, SlopeRule, UnknownGround};
use thalweg_core::movement::MovementProfile;

/// Names a profile of one living map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct ProfileId(pub u32);

impl fmt::Display for ProfileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "profile {}", self.0)
    }
}

/// Who moves on a living map, and what the ground is to them.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct ProfileSpec {
    /// Neighbours, corners, charges, step scale and body.
    pub movement: MovementProfile,
    /// What terrain classes cost it; `None`, the default, if the map's own costs hold.
    pub classes: Option<ClassCosts>,
    /// What slopes do to it; `None`, the default, if it does not look at heights. A map without heights is level.
    pub slopes: Option<SlopeRule>,
    /// What unknown ground is to it; default blocked.
    pub unknown: UnknownGround,
}

impl ProfileSpec {
    /// A profile for which the map's own costs hold, that does not look at heights, and to which unknown ground is blocked.
    #[must_use]
    pub fn new(movement: MovementProfile) -> Self {
        Self {
            movement,
            ..Self::default()
        }
    }

    /// The spec with a table of what terrain classes cost.
    #[must_use]
    pub fn with_classes(mut self, table: ClassCosts) -> Self {
        self.classes = Some(table);
        self
    }

    /// The spec with a rule of what slopes do.
    #[must_use]
    pub fn with_slopes(mut self, rule: SlopeRule) -> Self {
        self.slopes = Some(rule);
        self
    }

    /// The spec with another answer to what unknown ground is.
    #[must_use]
    pub const fn with_unknown(mut self, ground: UnknownGround) -> Self {
        self.unknown = ground;
        self
    }
}
