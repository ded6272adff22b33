//! One way to reach what is kept per tile for a worker that is alone, and for several.
//!
//! A lock that nobody else wants costs two atomic instructions, and a visit takes six of them, which is a tenth of a visit
//! on open ground. Who works alone holds the list itself and needs none.

use core::ops::DerefMut;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A list of things of which one worker holds some for a while.
pub(super) trait Slots<T> {
    type Held<'a>: DerefMut<Target = T>
    where
        Self: 'a;

    /// Waits until nobody else holds the thing.
    fn hold(&mut self, index: usize) -> Self::Held<'_>;

    /// `None` if somebody else holds it.
    fn try_hold(&mut self, index: usize) -> Option<Self::Held<'_>>;
}

/// For several workers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared<'a, T>(pub(super) &'a [Mutex<T>]);

impl<T> Slots<T> for Shared<'_, T> {
    type Held<'a>
        = MutexGuard<'a, T>
    where
        Self: 'a;

    #[inline]
    fn hold(&mut self, index: usize) -> Self::Held<'_> {
        lock(&self.0[index])
    }

    #[inline]
    fn try_hold(&mut self, index: usize) -> Option<Self::Held<'_>> {
        self.0[index].try_lock().ok()
    }
}

/// For one worker.
#[derive(Debug)]
pub(super) struct Alone<'a, T>(pub(super) &'a mut [Mutex<T>]);

impl<T> Slots<T> for Alone<'_, T> {
    type Held<'a>
        = &'a mut T
    where
        Self: 'a;

    #[inline]
    fn hold(&mut self, index: usize) -> Self::Held<'_> {
        self.0[index].get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn try_hold(&mut self, index: usize) -> Option<Self::Held<'_>> {
        Some(self.hold(index))
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A worker that panicked passes the panic on through the pool; what it left is not read again.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
