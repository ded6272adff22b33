//! The side that reads.

use super::slot::{Generation, Slot, Snapshot};
use crate::sync::Arc;
use core::fmt;

/// Reads what a [`Published`](super::Published) has published. One per thread: it remembers what it saw last, so reading
/// needs `&mut`. Clones are independent from then on.
///
/// It holds the value it saw last until it sees a later one, is dropped, or [releases](Self::release) it.
pub struct Reader<T> {
    slot: Arc<Slot<T>>,
    seen: Generation,
    /// The value of the generation `seen`.
    held: Option<Snapshot<T>>,
}

impl<T> Reader<T> {
    pub(super) fn new(slot: &Arc<Slot<T>>) -> Self {
        Self {
            slot: Arc::clone(slot),
            seen: Generation::default(),
            held: None,
        }
    }

    /// The newest value, to keep. Costs an atomic load and a clone of the handle where nothing new was published since the
    /// last look; else a short mutex too.
    ///
    /// It is never of an earlier generation than what this reader returned before, and at least of the one that was the
    /// newest when [`publish`](super::Published::publish) last returned before this call.
    #[must_use]
    #[inline]
    pub fn snapshot(&mut self) -> Snapshot<T> {
        Snapshot::clone(self.latest())
    }

    /// [`Self::snapshot`] without a handle of its own: nothing that others write is touched where nothing is new.
    #[inline]
    pub fn latest(&mut self) -> &Snapshot<T> {
        let Self { slot, seen, held } = self;
        if *seen != slot.newest() {
            // The writer has a handle to it: nothing is freed here.
            *held = None;
        }
        held.get_or_insert_with(|| {
            let (generation, value) = slot.current();
            *seen = generation;
            value
        })
    }

    /// Whether something newer was published than what this reader saw last.
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.seen != self.slot.newest()
    }

    /// The generation of the value that this reader saw last; 0 if it has not looked yet.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.seen
    }

    /// Lets go of the value seen last, so that a reader who rests does not keep it alive. The next look takes the newest.
    pub fn release(&mut self) {
        self.held = None;
    }
}

impl<T> Clone for Reader<T> {
    fn clone(&self) -> Self {
        Self {
            slot: Arc::clone(&self.slot),
            seen: self.seen,
            held: self.held.clone(),
        }
    }
}

impl<T> fmt::Debug for Reader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("seen", &self.seen)
            .field("holds", &self.held.is_some())
            .finish_non_exhaustive()
    }
}
