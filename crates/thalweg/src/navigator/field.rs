//! One field of a navigator: what is wanted, what there is, and what is in the making.

use super::cache::Wanted;
use super::job::JobWatch;
use super::paths::Paths;
use super::reader::FieldReader;
use super::status::{FieldStatus, MakeError, Progress, VersionedBundle};
use super::steps::Steps;
use crate::bundle::FieldBundle;
use crate::living_map::ProfileId;
use crate::publish::Published;
use crate::version::{BundleVersions, FieldVersion, GoalVersion};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Field {
    pub(super) profile: ProfileId,
    pub(super) wanted: Wanted,
    pub(super) goal_version: GoalVersion,
    /// Whether no request for the same goals gets it.
    pub(super) is_own: bool,
    /// Nothing before the first publication.
    published: Option<Published<VersionedBundle>>,
    /// What readers are cloned from.
    reader: FieldReader,
    /// Why it could not be made for these versions.
    pub(super) failed: Option<(BundleVersions, MakeError)>,
    pub(super) making: Option<Making>,
    /// Whether it stands in the queue.
    pub(super) is_queued: bool,
    /// When it was last made or asked for, by the navigator's count of turns: who has waited longest is queued first.
    pub(super) turn: u64,
    pub(super) paths: Paths,
}

/// A build that has begun.
#[derive(Debug)]
pub(super) enum Making {
    Here(Box<Steps>),
    Away(Away),
}

/// A job that is out. Dropping it, with its field or its navigator, ends the job early.
#[derive(Debug)]
pub(super) struct Away {
    pub(super) ticket: u64,
    pub(super) watch: Arc<JobWatch>,
}

impl Drop for Away {
    fn drop(&mut self) {
        self.watch.cancel();
    }
}

impl Field {
    pub(super) fn new(profile: ProfileId, wanted: Wanted, turn: u64) -> Self {
        Self {
            profile,
            wanted,
            goal_version: GoalVersion::default(),
            is_own: false,
            published: None,
            reader: FieldReader::new(),
            failed: None,
            making: None,
            is_queued: false,
            turn,
            paths: Paths::default(),
        }
    }

    /// What was published last.
    pub(super) fn current(&self) -> Option<&Arc<VersionedBundle>> {
        Some(self.published.as_ref()?.current())
    }

    pub(super) fn have(&self) -> Option<BundleVersions> {
        self.current().map(|current| current.versions)
    }

    /// The versions that a bundle made now would have, given those of the map.
    pub(super) fn want(&self, map: BundleVersions) -> BundleVersions {
        let field = self.have().map_or(FieldVersion::default(), |have| have.field);
        BundleVersions {
            goal: self.goal_version,
            field: field.next(),
            ..map
        }
    }

    pub(super) fn is_served(&self, want: &BundleVersions) -> bool {
        self.have().is_some_and(|have| have.serves(want))
    }

    pub(super) fn failure(&self, want: &BundleVersions) -> Option<&MakeError> {
        let (versions, error) = self.failed.as_ref()?;
        versions.serves(want).then_some(error)
    }

    /// Whether there is nothing to make: it is right, or cannot be made.
    pub(super) fn is_settled(&self, want: &BundleVersions) -> bool {
        self.is_served(want) || self.failure(want).is_some()
    }

    pub(super) const fn is_away(&self) -> bool {
        matches!(self.making, Some(Making::Away(_)))
    }

    pub(super) fn progress(&self) -> Progress {
        match &self.making {
            None => Progress::default(),
            Some(Making::Here(steps)) => steps.progress(),
            Some(Making::Away(away)) => away.watch.progress(),
        }
    }

    pub(super) fn status(&self, want: BundleVersions) -> FieldStatus {
        let have = self.have();
        if let Some(have) = have.filter(|have| have.serves(&want)) {
            return FieldStatus::Ready(have);
        }
        if let Some(error) = self.failure(&want) {
            let error = error.clone();
            return FieldStatus::Failed { error, have };
        }
        match have {
            Some(have) => FieldStatus::Stale { have, want },
            None => FieldStatus::Building(self.progress()),
        }
    }

    /// Makes a bundle the current one and returns the one before.
    pub(super) fn publish(
        &mut self,
        bundle: Arc<FieldBundle>,
        versions: BundleVersions,
        wanted: Wanted,
    ) -> Option<Arc<VersionedBundle>> {
        let before = self.current().cloned();
        let field = before
            .as_ref()
            .map_or(FieldVersion::default(), |before| before.versions.field);
        let new = VersionedBundle {
            bundle,
            versions: BundleVersions {
                field: field.next(),
                ..versions
            },
            wanted,
        };
        match &mut self.published {
            Some(published) => {
                published.publish(new);
            }
            None => {
                let published = Published::new(new);
                self.reader.open(published.reader());
                self.published = Some(published);
            }
        }
        before
    }

    pub(super) fn reader(&self) -> FieldReader {
        self.reader.clone()
    }

    pub(super) fn collect(&mut self) {
        if let Some(published) = &mut self.published {
            published.collect();
        }
    }

    /// Bytes of the current bundle, and of those before it that are not freed yet.
    pub(super) fn bytes(&self) -> (usize, usize) {
        self.published.as_ref().map_or((0, 0), |published| {
            let counters = published.counters();
            (counters.live_bytes, counters.retired_bytes)
        })
    }
}
