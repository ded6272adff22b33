//! Parallel work on threads that somebody else owns.
//!
//! The core and the crowd have no threads of their own: a caller hands in a [`Workers`]. Results never depend on it;
//! tasks write to disjoint places and are combined in a fixed order.

use std::sync::Mutex;

/// A pool of threads, or none.
pub trait Workers: Sync {
    /// How many tasks may run at once; at least 1. Only used to choose how finely to split work whose result does not
    /// depend on the split.
    fn threads(&self) -> usize;

    /// Runs `task(0)`, …, `task(tasks - 1)`, in any order and possibly at once, and returns when all have ended.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

/// No pool: every task runs on the calling thread, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Workers for Serial {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// Runs `job(index, part)` for every part, each exactly once, on the workers.
///
/// The parts are usually disjoint mutable slices of one array. Each is taken out of a mutex that nobody else asks for,
/// which costs some 20 ns a part; the unchecked alternative would need `unsafe` for no measurable gain.
///
/// # Panics
/// If a job panics (the panic is passed on by the pool).
pub fn for_each_part<P: Send>(workers: &dyn Workers, parts: Vec<P>, job: impl Fn(usize, P) + Sync) {
    let parts: Vec<Mutex<Option<P>>> = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
    workers.run(parts.len(), &|index| {
        let part = parts[index]
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .take();
        if let Some(part) = part {
            job(index, part);
        }
    });
}
