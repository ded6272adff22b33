//! Which generation of what a field belongs to: one type per thing that can change, so that none is compared with another.
//!
//! Versions count changes within one living map and one navigator; they say nothing about
//! another map. Across programs a map is known by its hash, see `saved`.

use core::fmt;
pub use thalweg_core::cost::CostVersion;

macro_rules! versions {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
            #[repr(transparent)]
            pub struct $name(pub u64);

            impl $name {
                /// The version after this one.
                #[must_use]
                pub const fn next(self) -> Self {
                    Self(self.0 + 1)
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(&self.0, f)
                }
            }
        )*
    };
}

versions! {
    /// Raised by every change of the base: costs, terrain classes, heights, one-way borders, portals.
    MapVersion,
    /// Raised whenever a stamp is put down or taken away.
    OverlayVersion,
    /// Raised whenever what a profile is changes: its movement rules, class table or slopes.
    ProfileVersion,
    /// Raised whenever the goals of a field change.
    GoalVersion,
    /// Raised with every bundle that is published for a field, whatever the reason.
    FieldVersion,
}

/// Everything a bundle belongs to. Two bundles of one navigator with the same versions (field version apart) hold the same
/// bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct BundleVersions {
    /// Of the base of the map.
    pub map: MapVersion,
    /// Of the stamps over it.
    pub overlay: OverlayVersion,
    /// Of the profile.
    pub profile: ProfileVersion,
    /// Of the costs that the profile has on this map. It stays where a change of the map does not reach the profile.
    pub cost: CostVersion,
    /// Of the goals.
    pub goal: GoalVersion,
    /// Of the field itself: how many were published before it, and 1.
    pub field: FieldVersion,
}

impl BundleVersions {
    /// Whether a field made for `self` is right for `wanted`: costs, profile and goals are the same. A change of the map or
    /// of an overlay that does not reach the profile's costs makes no field wrong.
    #[must_use]
    pub fn serves(&self, wanted: &Self) -> bool {
        (self.profile, self.cost, self.goal) == (wanted.profile, wanted.cost, wanted.goal)
    }
}

impl fmt::Display for BundleVersions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            map,
            overlay,
            profile,
            cost,
            goal,
            field,
        } = self;
        write!(
            f,
            "map {map}, overlay {overlay}, profile {profile}, cost {}, goal {goal}, field {field}",
            cost.0
        )
    }
}
