//! Work: what is done in an update, and in which order.

use super::cache::Wanted;
use super::field::{Away, Field, Making};
use super::job::{FieldJob, JobWatch};
use super::make::{Made, Order, Way};
use super::owner::Navigator;
use super::stats::UpdateReport;
use super::status::MakeError;
use super::steps::Steps;
use crate::bundle::FieldBundle;
use crate::version::BundleVersions;
use std::sync::Arc;
use thalweg_core::integrate::RunOptions;
use thalweg_core::movement::Movement;
use thalweg_core::workers::Workers;

impl Navigator {
    /// Does all that waits, now: publishes what jobs have brought back and makes every field that is not right, on the
    /// workers. Afterwards only fields whose job is out are not settled.
    pub fn update(&mut self, workers: &dyn Workers) -> UpdateReport {
        let mut report = self.begin_update();
        while let Some(&index) = self.queue.front() {
            self.work_on(index, u64::MAX, workers, &mut report);
        }
        self.end_update(report)
    }

    /// Publishes what jobs have brought back, then does at most this much work on fields that are not right; the rest goes
    /// on at the next call. 0 only publishes.
    ///
    /// The unit is that of [`SteppedIntegration`], two to four nanoseconds of a present processor: on open ground a field of n
    /// cells takes about 2 n, in mazes and on directed maps several times that, and where a bundle is repaired each cell that is
    /// looked at is taken for 32. A call ends as soon as its budget is used up, or by less than
    /// [`SteppedIntegration::LARGEST_STEP`] later on maps up to 2,048 cells wide. What is spent per call is a pure function of map,
    /// goals and budgets: the same ticks do the same work on every machine.
    ///
    /// Made in one piece, beyond any budget, are: the movement of a profile that was edited, once for each build of it; what a
    /// repair needs before it begins, and all of it where steps are free or a cost limit holds; lengths and headings (better
    /// made by [jobs](Self::take_jobs)); fields with a memory limit that the steps would exceed; and the search for what takes the
    /// place of a blocked goal.
    ///
    /// [`SteppedIntegration`]: thalweg_core::integrate::SteppedIntegration
    /// [`SteppedIntegration::LARGEST_STEP`]: thalweg_core::integrate::SteppedIntegration::LARGEST_STEP
    pub fn update_within(&mut self, budget: u64, workers: &dyn Workers) -> UpdateReport {
        let mut report = self.begin_update();
        while report.spent < budget
            && let Some(&index) = self.queue.front()
        {
            let left = budget - report.spent;
            self.work_on(index, left, workers, &mut report);
        }
        self.end_update(report)
    }

    /// Hands out up to so many fields that wait, to be made elsewhere, in the order of the queue. A field has one job at a
    /// time. Fields that were begun by [`Self::update_within`] go on there.
    ///
    /// Each job holds buffers of its own while it runs: about as many bytes as a bundle and a half.
    pub fn take_jobs(&mut self, at_most: usize) -> Vec<FieldJob> {
        // What is restored here is not reported; it is counted in the stats, as everything is.
        self.find_work(&mut UpdateReport::default());
        let mut jobs = Vec::new();
        for index in core::mem::take(&mut self.queue) {
            let is_begun = self.fields.get(index).is_some_and(|field| field.making.is_some());
            if is_begun || jobs.len() == at_most {
                self.queue.push_back(index);
                continue;
            }
            self.unqueue(index);
            if let Some(order) = self.order(index, &mut UpdateReport::default()) {
                jobs.extend(self.job(index, order));
            }
        }
        jobs
    }

    fn job(&mut self, index: u32, order: Box<Order>) -> Option<FieldJob> {
        let ticket = self.next_ticket;
        let handle = self.fields.handle(index);
        let watch = Arc::<JobWatch>::default();
        let field = self.fields.get_mut(index)?;
        field.making = Some(Making::Away(Away {
            ticket,
            watch: Arc::clone(&watch),
        }));
        self.next_ticket += 1;
        self.stats.jobs_given += 1;
        let inbox = Arc::clone(&self.inbox);
        Some(FieldJob::new(handle, order, ticket, watch, inbox))
    }

    fn begin_update(&mut self) -> UpdateReport {
        let mut report = UpdateReport::default();
        let now = (self.map.map_version(), self.map.overlay_version());
        let edits = now.0.0.saturating_sub(self.seen.0.0) + now.1.0.saturating_sub(self.seen.1.0);
        self.stats.edits_coalesced += edits.saturating_sub(1);
        self.seen = now;
        for returned in self.inbox.take() {
            // The field may have been released, and its place taken.
            let Ok(index) = self.find(returned.field) else {
                continue;
            };
            let is_awaited = self.fields.get(index).is_some_and(
                |field| matches!(&field.making, Some(Making::Away(away)) if away.ticket == returned.ticket),
            );
            if !is_awaited {
                continue;
            }
            if let Some(field) = self.fields.get_mut(index) {
                field.making = None;
            }
            match returned.made {
                Some(made) => self.finish(index, made, &mut report),
                None => {
                    self.stats.jobs_dropped += 1;
                    self.enqueue_unless_settled(index);
                }
            }
        }
        self.find_work(&mut report);
        report
    }

    /// Forgets what belongs to movements that are no more, restores what can be, and queues every field that is not right.
    fn find_work(&mut self, report: &mut UpdateReport) {
        let profiles = Vec::from_iter(self.profiles.keys().copied());
        let current: Vec<_> = profiles
            .iter()
            .filter_map(|&profile| self.known_movement(profile).cloned())
            .collect();
        self.cache.keep_only(&current);
        let waits = |(index, field): (u32, &Field)| {
            let is_settled = field.is_settled(&self.want_of(field));
            (!is_settled && !field.is_away()).then_some((field.turn, index))
        };
        // Not by place: of fields that go wrong with every edit, those in front would be made more often.
        let mut waiting = Vec::from_iter(self.fields.iter().filter_map(waits));
        waiting.sort_unstable();
        for (_, index) in waiting {
            if self.restore_if_known(index) {
                report.published += 1;
                report.restored += 1;
            }
            self.enqueue_unless_settled(index);
        }
    }

    fn end_update(&mut self, mut report: UpdateReport) -> UpdateReport {
        for (_, field) in self.fields.iter_mut() {
            field.collect();
        }
        report.waiting = self.queue.len();
        report.away = self.fields.iter().filter(|(_, field)| field.is_away()).count();
        report
    }

    /// Works on the field at the front of the queue; it leaves the front, or the budget is spent.
    fn work_on(&mut self, index: u32, budget: u64, workers: &dyn Workers, report: &mut UpdateReport) {
        let making = self.fields.get_mut(index).and_then(|field| field.making.take());
        let steps = match making {
            Some(Making::Here(steps)) => steps,
            // Fields whose job is out do not stand in the queue.
            Some(away @ Making::Away(_)) => {
                if let Some(field) = self.fields.get_mut(index) {
                    field.making = Some(away);
                }
                self.unqueue(index);
                return;
            }
            None => match self.order(index, report) {
                None => {
                    self.unqueue(index);
                    return;
                }
                Some(order) if budget == u64::MAX => {
                    self.unqueue(index);
                    let run = RunOptions::new().with_workers(workers);
                    // Nobody watches, so nobody ends it.
                    if let Ok(made) = order.make(&run, &mut self.scratch) {
                        self.finish(index, made, report);
                    }
                    return;
                }
                Some(order) => Box::new(Steps::begin(order)),
            },
        };
        let (spent, made) = steps.advance(budget, workers, &mut self.scratch);
        report.spent = report.spent.saturating_add(spent);
        match made {
            Ok(made) => {
                self.unqueue(index);
                self.finish(index, made, report);
            }
            Err(steps) => {
                if let Some(field) = self.fields.get_mut(index) {
                    field.making = Some(Making::Here(steps));
                }
            }
        }
    }

    /// What is to be made for a field as things are now, or nothing if that is settled, perhaps by what is remembered.
    fn order(&mut self, index: u32, report: &mut UpdateReport) -> Option<Box<Order>> {
        let field = self.fields.get(index)?;
        let (profile, wanted) = (field.profile, field.wanted.clone());
        if field.is_settled(&self.want_of(field)) {
            return None;
        }
        let movement = match self.compiled(profile) {
            Ok(movement) => movement,
            Err(error) => {
                self.fail(index, error.into());
                report.failed += 1;
                return None;
            }
        };
        if self.restore_if_known(index) {
            report.published += 1;
            report.restored += 1;
        }
        let field = self.fields.get(index)?;
        let want = self.want_of(field);
        if field.is_settled(&want) {
            return None;
        }
        Some(Box::new(Order {
            movement,
            wanted,
            versions: want,
            old: field.current().map(|current| Arc::clone(&current.bundle)),
        }))
    }

    /// Takes in what was made: publishes it, or sets it aside if the field has become right otherwise.
    fn finish(&mut self, index: u32, made: Made, report: &mut UpdateReport) {
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

    fn fail(&mut self, index: u32, error: MakeError) {
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

    pub(super) fn enqueue_unless_settled(&mut self, index: u32) {
        let Some(field) = self.fields.get(index) else {
            return;
        };
        if field.is_queued || field.is_away() || field.is_settled(&self.want_of(field)) {
            return;
        }
        if let Some(field) = self.fields.get_mut(index) {
            field.is_queued = true;
        }
        self.queue.push_back(index);
    }

    fn unqueue(&mut self, index: u32) {
        if let Some(field) = self.fields.get_mut(index) {
            field.is_queued = false;
        }
        if self.queue.front() == Some(&index) {
            self.queue.pop_front();
        }
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
