//! Why an edit of a living map, or a question about one of its profiles, is refused.

use super::ProfileId;
use thalweg_core::cost::{CostFieldError, HeightError, OverlayError, TerrainError};
use thalweg_core::movement::{EdgeRuleError, OtherMovement};

/// Why a living map refuses something; nothing has changed then.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LivingMapError {
    /// A cell or a rectangle that is not on the map, or another map than this one.
    #[error(transparent)]
    Costs(#[from] CostFieldError),
    /// A terrain class that a profile has no cost for, or a place off the map.
    #[error(transparent)]
    Terrain(#[from] TerrainError),
    /// A height that is not a number, or a place off the map.
    #[error(transparent)]
    Heights(#[from] HeightError),
    /// A stamp that does not fit the map, or that does not lie on it.
    #[error(transparent)]
    Overlay(#[from] OverlayError),
    /// A one-way border or a portal that does not fit the map.
    #[error(transparent)]
    Edges(#[from] EdgeRuleError),
    /// A movement that is not of the profile it is compared with.
    #[error(transparent)]
    OtherMovement(#[from] OtherMovement),
    /// Terrain classes are asked for, but the map has none.
    #[error("the map has no terrain classes; give it some before profiles that have a table of them")]
    NoTerrain,
    /// Heights are asked for, but the map has none.
    #[error("the map has no heights to set")]
    NoHeights,
    /// An id that is none of this map's.
    #[error("there is no {profile} on this map")]
    NoProfile {
        /// The id.
        profile: ProfileId,
    },
    /// More profiles than ids.
    #[error("a map has at most {} profiles", u32::MAX)]
    TooManyProfiles,
}
