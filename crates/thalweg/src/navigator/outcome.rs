//! What becomes of what was made: published, kept for later, or told as a failure; and what is remembered.

use super::cache::Wanted;
use super::field::Field;
use super::make::{Made, Order, Way};
use super::owner::Navigator;
use super::stats::UpdateReport;
use super::status::MakeError;
use crate::bundle::FieldBundle;
use crate::version::BundleVersions;
use std::sync::Arc;
use thalweg_core::movement::Movement;

impl Navigator {
    /// Takes in what was made: publishes it, or sets it aside if the field has become right otherwise.
    pub(super) fn finish(&mut self, index: u32, made: Made, report: &mut UpdateReport) {
        self.count(&made);
        self.turns += 1;
        if let Some(field) = self.fields.get_mut(index) {
            field.turn = self.turns;
        }
        let Some(field) = self.fields.get(index) else {
            return;
        };
        let want = self.want_of(field);
        let Order {
            movement,
            wanted,
            versions,
            ..
        } = made.order;
        match made.outcome {
            Ok(bundle) => {
                if may_follow(field.have(), &versions, &want) {
                    self.publish(index, bundle, versions, wanted);
                    report.published += 1;
                } else {
                    self.stats.bundles_set_aside += 1;
                    self.keep(&wanted, &bundle);
                }
            }
            Err(error) => {
                self.stats.builds_failed += 1;
                if self.is_current_movement(&movement) {
                    self.cache.put(&movement, &wanted, Err(error.clone()));
                }
                if versions.serves(&want) {
                    self.fail(index, error);
                    report.failed += 1;
                }
            }
        }
        self.enqueue_unless_settled(index);
    }

    fn count(&mut self, made: &Made) {
        match (&made.outcome, made.way) {
            (Err(_), _) => {}
            (Ok(bundle), way) => {
                self.stats.cells_expanded += bundle.stats().expanded;
                let (integrations, directions) = match way {
                    Way::Rebuilt => (
                        &mut self.stats.integrations_built,
                        &mut self.stats.directions_extracted,
                    ),
                    Way::Repaired => (
                        &mut self.stats.integrations_repaired,
                        &mut self.stats.directions_repaired,
                    ),
                };
                *integrations += 1;
                *directions += 1;
            }
        }
    }

    fn publish(&mut self, index: u32, bundle: Arc<FieldBundle>, versions: BundleVersions, wanted: Wanted) {
        let Some(field) = self.fields.get_mut(index) else {
            return;
        };
        self.stats.bundles_published += 1;
        field.paths.forget();
        let before = field.publish(bundle, versions, wanted);
        let current = field.current().map(|current| current.wanted.clone());
        // What the same goals had before is for costs that are no more.
        if let Some(before) = before
            && current.is_some_and(|current| current != before.wanted)
        {
            self.keep(&before.wanted, &before.bundle);
        }
    }

    pub(super) fn fail(&mut self, index: u32, error: MakeError) {
        let Some(field) = self.fields.get(index) else {
            return;
        };
        let want = self.want_of(field);
        if let Some(field) = self.fields.get_mut(index) {
            field.failed = Some((want, error));
        }
    }

    /// Keeps a bundle for goals that come back, unless its movement is of the past.
    pub(super) fn keep(&mut self, wanted: &Wanted, bundle: &Arc<FieldBundle>) {
        if self.is_current_movement(bundle.movement()) {
            self.cache.put(bundle.movement(), wanted, Ok(Arc::clone(bundle)));
        }
    }

    fn is_current_movement(&self, movement: &Arc<Movement>) -> bool {
        let mut profiles = self.profiles.keys();
        profiles.any(|&profile| {
            self.known_movement(profile)
                .is_some_and(|known| Arc::ptr_eq(known, movement))
        })
    }

    /// Answers a field from what is known already, without work: a bundle or a failure of the same goals on the same
    /// movement. Tells whether a bundle was published.
    pub(super) fn restore_if_known(&mut self, index: u32) -> bool {
        let Some(field) = self.fields.get(index) else {
            return false;
        };
        let want = self.want_of(field);
        if field.is_settled(&want) {
            return false;
        }
        let Some(movement) = self.known_movement(field.profile).cloned() else {
            return false;
        };
        let wanted = field.wanted.clone();
        let outcome = self
            .live_bundle(&movement, &wanted)
            .map(Ok)
            .or_else(|| self.cache.get(&movement, &wanted));
        match outcome {
            None => false,
            Some(Ok(bundle)) => {
                self.stats.bundles_restored += 1;
                self.publish(index, bundle, want, wanted);
                true
            }
            Some(Err(error)) => {
                self.stats.failures_restored += 1;
                self.fail(index, error);
                false
            }
        }
    }

    /// A bundle that some field, perhaps the same one for goals it had before, has published for these goals.
    fn live_bundle(&self, movement: &Arc<Movement>, wanted: &Wanted) -> Option<Arc<FieldBundle>> {
        let is_it = |field: &Field| {
            let current = field.current()?;
            (Arc::ptr_eq(current.bundle.movement(), movement) && current.wanted == *wanted)
                .then(|| Arc::clone(&current.bundle))
        };
        let profiles = self.profiles.keys();
        let keys = profiles.map(|&profile| (profile, wanted.fingerprint()));
        keys.filter_map(|key| self.by_goals.get(&key))
            .flatten()
            .find_map(|&index| self.fields.get(index).and_then(is_it))
    }
}

/// Whether a finished bundle is published over what a field has: if it is right and the other is not, or if neither is and
/// it is not older in anything. So versions never go back.
fn may_follow(have: Option<BundleVersions>, made: &BundleVersions, want: &BundleVersions) -> bool {
    let Some(have) = have else {
        return true;
    };
    let age = |versions: &BundleVersions| (versions.profile, versions.cost, versions.goal);
    let (old, new) = (age(&have), age(made));
    let is_newer = (old.0, old.1) <= (new.0, new.1) && old.2 <= new.2;
    !have.serves(want) && is_newer
}
