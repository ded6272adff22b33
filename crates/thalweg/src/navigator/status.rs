//! What a navigator says about its fields.

use super::FieldHandle;
use super::cache::Wanted;
use crate::bundle::{BuildError, FieldBundle};
use crate::living_map::LivingMapError;
use crate::publish::HeldBytes;
use crate::version::BundleVersions;
use core::fmt;
use std::sync::Arc;
use thalweg_core::integrate::{GoalError, GoalSet};
use thiserror::Error;

/// Why a navigator cannot answer.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum NavigatorError {
    /// The field was released.
    #[error("{0} was released")]
    Released(FieldHandle),
    /// The handle was given out by another navigator.
    #[error("{0} is of another navigator")]
    Foreign(FieldHandle),
    /// The map does not know the profile, or cannot compile it.
    #[error(transparent)]
    Map(#[from] LivingMapError),
    /// The policy for blocked goals names a cell that is not on the map.
    #[error("the goals name cell id {id}, but the map has only {cells} cells")]
    ForeignCell {
        /// The id.
        id: u32,
        /// Cells of the map.
        cells: usize,
    },
}

/// Why a field cannot be made as things are. It is tried again when the goals, or the costs of its profile, change.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MakeError {
    /// The map cannot compile the profile.
    #[error(transparent)]
    Map(#[from] LivingMapError),
    /// The goals cannot be used, a cost does not fit, or the memory limit is too low.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl MakeError {
    /// What is wrong with the goals, if that is it: often no fault, but how the map is.
    #[must_use]
    pub const fn goal_error(&self) -> Option<&GoalError> {
        match self {
            Self::Build(BuildError::Goals(error)) => Some(error),
            _ => None,
        }
    }
}

/// Nothing has been published for this field yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the field is not ready: nothing has been published for it yet")]
pub struct NotReady;

/// How far a build is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Work done. 0 if the build has not begun. In units of work (see
    /// [`Navigator::update_within`](super::Navigator::update_within)) for a build by budget, in cells for a job.
    pub done: u64,
    /// About how much there is in all, in the same unit. A build may end before.
    pub of: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.done, self.of)
    }
}

/// The state of a field, against the map and the goals as they are now.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum FieldStatus {
    /// What is published is right.
    Ready(BundleVersions),
    /// What is published was made for other costs or goals; a new bundle waits to be made, or is in the making.
    Stale {
        /// Of what is published.
        have: BundleVersions,
        /// Of what is to come. Its field version is the next one.
        want: BundleVersions,
    },
    /// Nothing has been published yet; the first bundle waits to be made, or is in the making.
    Building(Progress),
    /// It cannot be made as things are.
    Failed {
        /// Why.
        error: MakeError,
        /// Of what is still published, if anything is. It was made for other costs or goals.
        have: Option<BundleVersions>,
    },
}

impl FieldStatus {
    /// Whether what is published is right.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        matches!(self, Self::Ready(_))
    }
}

/// A bundle as it was published: with all its versions, which never change afterwards.
#[derive(Clone, Debug)]
pub struct VersionedBundle {
    pub(super) bundle: Arc<FieldBundle>,
    pub(super) versions: BundleVersions,
    pub(super) wanted: Wanted,
}

impl VersionedBundle {
    /// The bundle. Two generations may share one, when goals come back while nothing else has changed.
    #[must_use]
    pub const fn bundle(&self) -> &Arc<FieldBundle> {
        &self.bundle
    }

    /// What it was made for.
    #[must_use]
    pub const fn versions(&self) -> BundleVersions {
        self.versions
    }

    /// The goals it leads to.
    #[must_use]
    pub const fn goals(&self) -> &Arc<GoalSet> {
        &self.wanted.goals
    }
}

impl HeldBytes for VersionedBundle {
    fn held_bytes(&self) -> usize {
        self.bundle.held_bytes()
    }
}
