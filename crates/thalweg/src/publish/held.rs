//! Bytes that are held by what is published, live and retired.

/// Something that can say how much memory it holds.
pub trait HeldBytes {
    /// Bytes on the heap that are freed, or may be, when it is dropped.
    ///
    /// Parts that are shared with other values (pages of a field that were not changed) count in full for each: the sum over
    /// several values is an upper bound.
    fn held_bytes(&self) -> usize;
}

/// What a [`Published`](super::Published) has done, and what it holds. Running totals, and the state now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PublishCounters {
    /// Values published, the first included.
    pub published: u64,
    /// Replaced values that were freed or handed on by [`collect`](super::Published::collect).
    pub collected: u64,
    /// Replaced values that wait until no reader holds them.
    pub waiting: usize,
    /// Bytes of the current value.
    pub live_bytes: usize,
    /// Bytes of those that wait; an upper bound where they share memory with each other or with the current one.
    pub retired_bytes: usize,
}
