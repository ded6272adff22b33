//! A fingerprint of the state, to compare runs by.

use core::fmt;

/// FNV-1a over the defined fields in slot order. Equal states have equal hashes on every machine and for any number of
/// threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct StateHash(pub u64);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Feeds whole numbers into FNV-1a, 64 bits, byte by byte, little end first.
#[derive(Debug)]
pub(crate) struct Hasher(u64);

impl Hasher {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes(&value.to_le_bytes());
    }

    pub(crate) fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    /// The bits of a number; both zeros are one, so that a sign that no computation can tell apart does not count.
    pub(crate) fn f32(&mut self, value: f32) {
        self.u32(if value == 0.0 { 0 } else { value.to_bits() });
    }

    pub(crate) const fn finish(&self) -> StateHash {
        StateHash(self.0)
    }
}
