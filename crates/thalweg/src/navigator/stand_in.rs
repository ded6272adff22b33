//! Temporary: the published slot until its own module arrives.
#![allow(missing_docs, reason = "temporary")]

use std::sync::{Arc, Mutex, PoisonError};

pub trait HeldBytes {
    fn held_bytes(&self) -> usize;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PublishCounters {
    pub live_bytes: usize,
    pub retired_bytes: usize,
}

#[derive(Debug)]
pub struct Published<T> {
    slot: Arc<Mutex<Arc<T>>>,
    current: Arc<T>,
    retired: Vec<Arc<T>>,
}

#[derive(Debug)]
pub struct Reader<T> {
    slot: Arc<Mutex<Arc<T>>>,
    held: Option<Arc<T>>,
}

impl<T> Clone for Reader<T> {
    fn clone(&self) -> Self {
        Self {
            slot: Arc::clone(&self.slot),
            held: self.held.clone(),
        }
    }
}

impl<T> Published<T> {
    pub fn new(value: impl Into<Arc<T>>) -> Self {
        let value = value.into();
        Self {
            slot: Arc::new(Mutex::new(Arc::clone(&value))),
            current: value,
            retired: Vec::new(),
        }
    }
    pub fn publish(&mut self, value: impl Into<Arc<T>>) {
        self.current = value.into();
        let old = core::mem::replace(
            &mut *self.slot.lock().unwrap_or_else(PoisonError::into_inner),
            Arc::clone(&self.current),
        );
        self.retired.push(old);
    }
    pub fn current(&self) -> &Arc<T> {
        &self.current
    }
    pub fn reader(&self) -> Reader<T> {
        Reader {
            slot: Arc::clone(&self.slot),
            held: None,
        }
    }
    pub fn collect(&mut self) -> u64 {
        self.retired.retain(|value| Arc::strong_count(value) > 1);
        0
    }
    pub fn counters(&self) -> PublishCounters
    where
        T: HeldBytes,
    {
        PublishCounters {
            live_bytes: self.current().held_bytes(),
            retired_bytes: self.retired.iter().map(|value| value.held_bytes()).sum(),
        }
    }
}

impl<T> Reader<T> {
    pub fn latest(&mut self) -> &Arc<T> {
        let new = self.slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.held.insert(new)
    }
    pub fn snapshot(&mut self) -> Arc<T> {
        self.latest().clone()
    }
    pub fn release(&mut self) {
        self.held = None;
    }
}
