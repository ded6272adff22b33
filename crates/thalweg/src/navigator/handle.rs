//! Names of fields that stay safe when the field is gone.

use core::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// The name of a field in the navigator that gave it out. After the field is released, and in any other navigator, every
/// question about it is answered with an error.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FieldHandle {
    navigator: u32,
    index: u32,
    generation: u32,
}

impl FieldHandle {
    /// The place of the field, for arrays beside the navigator: below the most fields that there ever were at once. It is
    /// given to another field once this one is released.
    #[must_use]
    pub const fn index(self) -> usize {
        self.index as usize
    }
}

impl fmt::Display for FieldHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "field {}.{}", self.index, self.generation)
    }
}

/// Why a handle names nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lookup {
    Foreign,
    Released,
}

/// Values by handle. A place is used again under another generation.
#[derive(Debug)]
pub(super) struct Slots<T> {
    navigator: u32,
    slots: Vec<(u32, Option<T>)>,
    /// Free places, the one freed last taken first.
    free: Vec<u32>,
}

impl<T> Slots<T> {
    pub(super) fn new() -> Self {
        // Only tells navigators of one program apart; it is in no result.
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self {
            navigator: NEXT.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(super) fn insert(&mut self, value: T) -> FieldHandle {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push((0, None));
            u32::try_from(self.slots.len() - 1).unwrap_or(u32::MAX)
        });
        self.slots[index as usize].1 = Some(value);
        self.handle(index)
    }

    /// Frees a place. After 2^32 fields in one place it is used no more, so that no old handle comes to life again.
    pub(super) fn remove(&mut self, index: u32) -> Option<T> {
        let (generation, value) = self.slots.get_mut(index as usize)?;
        let value = value.take()?;
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(index);
        }
        Some(value)
    }

    pub(super) fn find(&self, handle: FieldHandle) -> Result<u32, Lookup> {
        if handle.navigator != self.navigator {
            return Err(Lookup::Foreign);
        }
        match self.slots.get(handle.index as usize) {
            Some((generation, Some(_))) if *generation == handle.generation => Ok(handle.index),
            _ => Err(Lookup::Released),
        }
    }

    pub(super) fn handle(&self, index: u32) -> FieldHandle {
        FieldHandle {
            navigator: self.navigator,
            index,
            generation: self.slots[index as usize].0,
        }
    }

    pub(super) fn get(&self, index: u32) -> Option<&T> {
        self.slots.get(index as usize)?.1.as_ref()
    }

    pub(super) fn get_mut(&mut self, index: u32) -> Option<&mut T> {
        self.slots.get_mut(index as usize)?.1.as_mut()
    }

    /// Values with their places, in order of place.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        (0u32..)
            .zip(&self.slots)
            .filter_map(|(index, (_, value))| Some((index, value.as_ref()?)))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        (0u32..)
            .zip(&mut self.slots)
            .filter_map(|(index, (_, value))| Some((index, value.as_mut()?)))
    }

    pub(super) fn len(&self) -> usize {
        self.iter().count()
    }
}
