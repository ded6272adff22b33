//! Work: what is done in an update, and in which order.

use super::field::{Away, Field, Making};
use super::job::{FieldJob, JobWatch};
use super::make::Order;
use super::owner::Navigator;
use super::stats::UpdateReport;
use super::steps::Steps;
use std::sync::Arc;
use thalweg_core::integrate::RunOptions;
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
