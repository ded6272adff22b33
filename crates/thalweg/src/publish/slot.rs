//! What a writer and its readers share.

use crate::sync::{Arc, AtomicU64, Mutex, Ordering};
use core::fmt;

/// A handle to a published value: an `Arc`. Its value stays as it is, and alive, for as long as it is held.
pub type Snapshot<T> = Arc<T>;

/// How many values were published in a slot up to this one, it included: 1 for the first. Says nothing about other slots.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Generation(pub u64);

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The published value and its generation. They change together, under the mutex.
pub(super) struct Slot<T> {
    /// The generation under the mutex, for readers to see whether a look there is worth it.
    newest: AtomicU64,
    current: Mutex<(Generation, Snapshot<T>)>,
}

impl<T> Slot<T> {
    pub(super) fn new(value: Snapshot<T>) -> Self {
        let first = Generation(1);
        Self {
            newest: AtomicU64::new(first.0),
            current: Mutex::new((first, value)),
        }
    }

    /// The newest generation, perhaps a moment late.
    ///
    /// Acquire, so that a reader who sees the number also sees what the writer did before it published. The value needs
    /// nothing of the kind: it is handed over under the mutex.
    pub(super) fn newest(&self) -> Generation {
        Generation(self.newest.load(Ordering::Acquire))
    }

    /// The current value with its generation.
    #[cold]
    pub(super) fn current(&self) -> (Generation, Snapshot<T>) {
        self.current
            .with(|(generation, value)| (*generation, Snapshot::clone(value)))
    }

    /// Replaces the value, and returns its generation and the handle to the one before.
    ///
    /// The handle is returned, and not dropped here, so that nothing is freed under the mutex.
    pub(super) fn replace(&self, value: Snapshot<T>) -> (Generation, Snapshot<T>) {
        self.current.with(|current| {
            current.0 = Generation(current.0.0 + 1);
            let before = core::mem::replace(&mut current.1, value);
            self.newest.store(current.0.0, Ordering::Release);
            (current.0, before)
        })
    }
}
