//! The side that writes.

use super::held::{HeldBytes, PublishCounters};
use super::reader::Reader;
use super::retired::Retired;
use super::slot::{Generation, Slot, Snapshot};
use crate::sync::Arc;
use core::fmt;

/// A slot with a published value, owned by its only writer. See the [module](super) for what is promised to whom.
pub struct Published<T> {
    slot: Arc<Slot<T>>,
    /// The writer's own handle to the current value.
    current: Snapshot<T>,
    generation: Generation,
    retired: Retired<T>,
    collected: u64,
}

impl<T> Published<T> {
    /// A slot with its first value, of generation 1.
    #[must_use]
    pub fn new(value: impl Into<Snapshot<T>>) -> Self {
        let current = value.into();
        let slot = Arc::new(Slot::new(Snapshot::clone(&current)));
        Self {
            generation: slot.newest(),
            slot,
            current,
            retired: Retired::new(),
            collected: 0,
        }
    }

    /// A reader of this slot that has not looked yet. May be sent to another thread and cloned there.
    #[must_use]
    pub fn reader(&self) -> Reader<T> {
        Reader::new(&self.slot)
    }

    /// Replaces the value for every reader at once, and returns its generation. The value before is kept until
    /// [`Self::collect`] finds that nobody holds it.
    ///
    /// A value that was published before may be published again, by its handle: a cache gives back what it has.
    pub fn publish(&mut self, value: impl Into<Snapshot<T>>) -> Generation {
        let value = value.into();
        self.retired.remove(&value);
        let (generation, before) = self.slot.replace(Snapshot::clone(&value));
        self.generation = generation;
        self.current = value;
        if !Snapshot::ptr_eq(&before, &self.current) {
            self.retired.add(before);
        }
        generation
    }

    /// The current value.
    #[must_use]
    pub const fn current(&self) -> &Snapshot<T> {
        &self.current
    }

    /// The generation of the current value.
    #[must_use]
    pub const fn generation(&self) -> Generation {
        self.generation
    }

    /// Frees the replaced values that nobody holds any more, on this thread, and returns how many.
    ///
    /// A value is held by a snapshot, by a reader that saw it last, and by any other handle to it, weak ones too.
    pub fn collect(&mut self) -> u64 {
        self.collect_into(drop)
    }

    /// [`Self::collect`], but hands the values on: to be freed elsewhere, or to be filled again.
    pub fn collect_into(&mut self, take: impl FnMut(T)) -> u64 {
        let taken = self.retired.take_free(take);
        self.collected += taken;
        taken
    }

    /// How many replaced values wait until nobody holds them.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.retired.values().len()
    }

    /// Running totals, and the bytes held now.
    #[must_use]
    pub fn counters(&self) -> PublishCounters
    where
        T: HeldBytes,
    {
        PublishCounters {
            published: self.generation.0,
            collected: self.collected,
            waiting: self.waiting(),
            live_bytes: self.current.held_bytes(),
            retired_bytes: self.retired.values().iter().map(|value| value.held_bytes()).sum(),
        }
    }
}

impl<T> fmt::Debug for Published<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Published")
            .field("generation", &self.generation)
            .field("waiting", &self.waiting())
            .field("collected", &self.collected)
            .finish_non_exhaustive()
    }
}
