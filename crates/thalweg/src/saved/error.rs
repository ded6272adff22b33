//! Why bytes cannot be loaded.

use core::fmt;
use thalweg_core::flow::HeadingPartsError;
use thalweg_core::grid::GridError;
use thalweg_core::integrate::{FieldPartsError, GoalError};
use thalweg_core::movement::EdgeRuleError;
use thiserror::Error;

/// What bytes were saved from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SavedKind {
    /// A map: [`load_map`](super::load_map).
    Map,
    /// A bundle: [`load_bundle`](super::load_bundle).
    Bundle,
}

impl SavedKind {
    /// The version that this build writes and reads.
    pub const VERSION: u16 = 1;

    pub(super) const fn code(self) -> u16 {
        match self {
            Self::Map => 1,
            Self::Bundle => 2,
        }
    }
}

impl fmt::Display for SavedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Map => "map",
            Self::Bundle => "bundle",
        })
    }
}

/// What a bundle was made for and is not there any more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Mismatch {
    /// The profile.
    Profile,
    /// The map, as the profile sees it: cells, costs, exits or portals.
    Map,
    /// The goals, as they lie on the map.
    Goals,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Profile => "profile",
            Self::Map => "map",
            Self::Goals => "goals",
        })
    }
}

/// Why bytes cannot be loaded. Places are counted in bytes from the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Something else.
    #[error("byte {at} is not that of a saved map or bundle")]
    NotSaved {
        /// The first byte that is another.
        at: usize,
    },
    /// The other kind.
    #[error("bytes 8 to 10 say kind {found}, which is not a saved {wanted}")]
    OtherKind {
        /// What they hold.
        found: u16,
        /// What was asked for.
        wanted: SavedKind,
    },
    /// A version that this build does not know.
    #[error(
        "bytes 10 to 12 say version {found}; this build reads version {}",
        SavedKind::VERSION
    )]
    Version {
        /// The version.
        found: u16,
    },
    /// Too few bytes.
    #[error("the bytes end at {len}, but {what} from byte {at} on takes {needs}")]
    Truncated {
        /// What does not fit.
        what: &'static str,
        /// Where it begins.
        at: usize,
        /// How many bytes it takes.
        needs: u64,
        /// Where the bytes end.
        len: usize,
    },
    /// Too many bytes.
    #[error("{what} ends at byte {at}, but the bytes end at {len}")]
    TooLong {
        /// What ends.
        what: &'static str,
        /// Where it ends.
        at: usize,
        /// Where the bytes end.
        len: usize,
    },
    /// Bytes were changed.
    #[error("bytes 0 to {at} were changed: their checksum is {computed:016x}, and {stored:016x} was kept")]
    Altered {
        /// Where the checksum stands.
        at: usize,
        /// The checksum that was kept.
        stored: u64,
        /// That of the bytes.
        computed: u64,
    },
    /// The bundle was made for something else: build it anew.
    #[error("the bundle was made for another {what}")]
    Mismatch {
        /// What differs. The first that does, in the order of [`Mismatch`].
        what: Mismatch,
    },
    /// A grid that cannot be.
    #[error("the grid at byte {at}: {reason}")]
    Grid {
        /// Where it begins.
        at: usize,
        /// What is wrong with it.
        reason: GridError,
    },
    /// A number that cannot be.
    #[error("byte {at}: {what}")]
    Value {
        /// Where it stands.
        at: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A portal that cannot be.
    #[error("the portal at byte {at}: {reason}")]
    Portal {
        /// Where it begins.
        at: usize,
        /// What is wrong with it.
        reason: EdgeRuleError,
    },
    /// Costs-to-goal that are not the answer.
    #[error("the costs-to-goal from byte {at} on: {reason}")]
    Field {
        /// Where they begin.
        at: usize,
        /// What is wrong with them.
        reason: FieldPartsError,
    },
    /// Headings that cannot be.
    #[error("the headings from byte {at} on: {reason}")]
    Headings {
        /// Where they begin.
        at: usize,
        /// What is wrong with them.
        reason: HeadingPartsError,
    },
    /// The goals that the bundle is loaded for do not fit the map.
    #[error(transparent)]
    Goals(#[from] GoalError),
}
