//! Where random numbers come from.

use crate::random_map::SplitMix64;

/// A source of numbers: a seed, or the bytes of a fuzzer.
///
/// A source that runs out answers 0 for ever, so 0 must mean the simplest of everything.
pub trait Draw {
    /// A number below `end`, which must not be 0.
    fn below(&mut self, end: u32) -> u32;

    /// True with a probability of `percent` in 100; false when the source has run out.
    fn percent(&mut self, percent: u32) -> bool {
        self.below(100) >= 100 - percent
    }

    /// One of several values, the first when the source has run out.
    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.index(values.len())]
    }

    /// A place in a list of this length, which must not be empty.
    ///
    /// # Panics
    /// If the list is empty or longer than 2^32.
    fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).expect("a short list")) as usize
    }
}

impl Draw for SplitMix64 {
    fn below(&mut self, end: u32) -> u32 {
        Self::below(self, end)
    }
}
