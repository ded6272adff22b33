//! The shared-memory types of [`publish`](crate::publish), in one place.
//!
//! `tests/publish_model.rs` compiles the files of that module again with the types of the same name of a model checker
//! instead of these, so that what is checked is the product's own text and not a copy of it.

pub(crate) use std::sync::Arc;
use std::sync::MutexGuard;
pub(crate) use std::sync::atomic::{AtomicU64, Ordering};

/// A mutex without poisoning: what stands under ours is a pair that is written in one go.
#[derive(Debug)]
pub(crate) struct Mutex<T>(std::sync::Mutex<T>);

impl<T> Mutex<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self(std::sync::Mutex::new(value))
    }

    /// Runs `job` with the value while nobody else has it.
    pub(crate) fn with<R>(&self, job: impl FnOnce(&mut T) -> R) -> R {
        job(&mut self.lock())
    }

    #[cfg(not(thread_sanitizer))]
    fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Waits in the open. The path of the standard library's mutex for who has to wait is compiled without the sanitizer,
    /// which therefore would not see that the value was handed over, and report a race. Set by `fuzz/sanitize`.
    #[cfg(thread_sanitizer)]
    fn lock(&self) -> MutexGuard<'_, T> {
        loop {
            match self.0.try_lock() {
                Ok(value) => return value,
                Err(std::sync::TryLockError::Poisoned(value)) => return value.into_inner(),
                Err(std::sync::TryLockError::WouldBlock) => std::thread::yield_now(),
            }
        }
    }
}
