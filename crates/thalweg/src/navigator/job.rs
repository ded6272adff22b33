//! Builds that run elsewhere: a job goes out, its result comes back through an inbox.

use super::FieldHandle;
use super::make::{Made, Order};
use super::status::Progress;
use crate::bundle::BuildScratch;
use core::fmt;
use core::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thalweg_core::integrate::{RunOptions, Watch};
use thalweg_core::workers::Workers;

/// The build of one field, to be run on any thread. Get it from [`Navigator::take_jobs`](super::Navigator::take_jobs).
///
/// What it came to is published by the navigator's next update. A job that is dropped gives its work back. One whose field
/// is released, or whose navigator is gone, ends early.
#[derive(Debug)]
pub struct FieldJob {
    field: FieldHandle,
    /// `None` once it has run.
    order: Option<Box<Order>>,
    ticket: u64,
    watch: Arc<JobWatch>,
    inbox: Arc<Inbox>,
}

impl FieldJob {
    pub(super) fn new(
        field: FieldHandle,
        order: Box<Order>,
        ticket: u64,
        watch: Arc<JobWatch>,
        inbox: Arc<Inbox>,
    ) -> Self {
        Self {
            field,
            order: Some(order),
            ticket,
            watch,
            inbox,
        }
    }

    /// The field it is for.
    #[must_use]
    pub const fn field(&self) -> FieldHandle {
        self.field
    }

    /// Makes the bundle, on this thread and those of the workers. The bits do not depend on them.
    pub fn run(mut self, workers: &dyn Workers) {
        let Some(order) = self.order.take() else {
            return;
        };
        if self.watch.is_cancelled() {
            self.order = Some(order);
            return;
        }
        let mut scratch = self.inbox.take_scratch();
        let run = RunOptions::new().with_workers(workers).with_watch(&*self.watch);
        match order.make(&run, &mut scratch) {
            Ok(made) => self.inbox.send(self.ticket, self.field, Some(made)),
            Err(order) => self.order = Some(order),
        }
        self.inbox.give_scratch(scratch);
    }
}

impl Drop for FieldJob {
    fn drop(&mut self) {
        if self.order.is_some() {
            self.inbox.send(self.ticket, self.field, None);
        }
    }
}

/// What navigator and job tell each other while it runs.
#[derive(Debug, Default)]
pub(super) struct JobWatch {
    is_cancelled: AtomicBool,
    done: AtomicU64,
    of: AtomicU64,
}

impl JobWatch {
    pub(super) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn progress(&self) -> Progress {
        Progress {
            done: self.done.load(Ordering::Relaxed),
            of: self.of.load(Ordering::Relaxed),
        }
    }
}

impl Watch for JobWatch {
    fn progress(&self, done: u64, of: u64) -> ControlFlow<()> {
        self.done.fetch_max(done, Ordering::Relaxed);
        self.of.store(of, Ordering::Relaxed);
        if self.is_cancelled() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// What came back from a job.
#[derive(Debug)]
pub(super) struct Returned {
    pub(super) ticket: u64,
    pub(super) field: FieldHandle,
    /// `None` if it was dropped or ended early.
    pub(super) made: Option<Made>,
}

/// Where results wait for the next update, and buffers for the next job.
#[derive(Default)]
pub(super) struct Inbox {
    returned: Mutex<Vec<Returned>>,
    scratches: Mutex<Vec<BuildScratch>>,
}

impl Inbox {
    fn send(&self, ticket: u64, field: FieldHandle, made: Option<Made>) {
        lock(&self.returned).push(Returned { ticket, field, made });
    }

    /// Everything that has come back, in the order in which the jobs were given out: which thread was faster must not show.
    pub(super) fn take(&self) -> Vec<Returned> {
        let mut returned = core::mem::take(&mut *lock(&self.returned));
        returned.sort_unstable_by_key(|returned| returned.ticket);
        returned
    }

    fn take_scratch(&self) -> BuildScratch {
        lock(&self.scratches).pop().unwrap_or_default()
    }

    fn give_scratch(&self, scratch: BuildScratch) {
        lock(&self.scratches).push(scratch);
    }
}

impl fmt::Debug for Inbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inbox")
            .field("returned", &lock(&self.returned).len())
            .finish_non_exhaustive()
    }
}

/// Nothing is left half-done under these locks, so a panic elsewhere spoils nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
