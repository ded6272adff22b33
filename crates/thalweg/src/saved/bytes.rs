//! The frame around what is saved, and numbers in it.

use super::{LoadError, SavedKind};
use xxhash_rust::xxh3::xxh3_64;

/// How every file of this project's own begins. In the manner of PNG: a byte above 127, line ends of two systems and an end of
/// file are what transfers as text change.
pub(crate) const MAGIC: [u8; 8] = *b"\x89THW\r\n\x1a\n";
/// Where the length stands.
const LENGTH_AT: usize = 12;
const HEAD: usize = 20;
const CHECKSUM: usize = 8;

/// Bytes in the making.
pub(super) struct Writer(Vec<u8>);

impl Writer {
    pub(super) fn new(kind: SavedKind) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(kind.code().to_le_bytes());
        bytes.extend(SavedKind::VERSION.to_le_bytes());
        // The length, written at the end.
        bytes.extend([0; HEAD - LENGTH_AT]);
        Self(bytes)
    }

    pub(super) fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub(super) fn u32(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn i16(&mut self, value: i16) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn u128(&mut self, value: u128) {
        self.0.extend(value.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.0.extend(bytes);
    }

    /// Makes room beforehand, so that the list does not double.
    pub(super) fn reserve(&mut self, bytes: usize) {
        self.0.reserve_exact(bytes + CHECKSUM);
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        let length = (self.0.len() + CHECKSUM) as u64;
        self.0[LENGTH_AT..HEAD].copy_from_slice(&length.to_le_bytes());
        let checksum = xxh3_64(&self.0);
        self.0.extend(checksum.to_le_bytes());
        self.0
    }
}

/// Bytes whose frame is right, read from the beginning.
pub(super) struct Reader<'a> {
    /// Without the checksum.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Checks magic, kind, version, length and checksum.
    pub(super) fn new(bytes: &'a [u8], wanted: SavedKind) -> Result<Self, LoadError> {
        let differs = bytes.iter().zip(MAGIC).position(|(&byte, magic)| byte != magic);
        if let Some(at) = differs {
            return Err(LoadError::NotSaved { at });
        }
        let mut reader = Self { bytes, at: 0 };
        reader.take(MAGIC.len() as u64, "the mark")?;
        let found = reader.u16("the kind")?;
        if found != wanted.code() {
            return Err(LoadError::OtherKind { found, wanted });
        }
        let found = reader.u16("the version")?;
        if found != SavedKind::VERSION {
            return Err(LoadError::Version { found });
        }
        let length = reader.u64("the length")?;
        let len = bytes.len();
        if length > len as u64 {
            return Err(LoadError::Truncated {
                what: "all",
                at: 0,
                needs: length,
                len,
            });
        }
        if length < (len as u64) {
            return Err(LoadError::TooLong {
                what: "all",
                at: usize::try_from(length).unwrap_or(len),
                len,
            });
        }
        let Some(at) = len.checked_sub(CHECKSUM).filter(|&at| at >= HEAD) else {
            return Err(LoadError::Truncated {
                what: "the checksum",
                at: HEAD,
                needs: CHECKSUM as u64,
                len,
            });
        };
        let (before, checksum) = bytes.split_at(at);
        let stored = u64::from_le_bytes(array(checksum));
        let computed = xxh3_64(before);
        if stored != computed {
            return Err(LoadError::Altered { at, stored, computed });
        }
        reader.bytes = before;
        Ok(reader)
    }

    /// Where the next number stands.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// So many bytes; nothing is allocated for them.
    pub(super) fn take(&mut self, needs: u64, what: &'static str) -> Result<&'a [u8], LoadError> {
        let rest = &self.bytes[self.at..];
        let Some(needs) = usize::try_from(needs).ok().filter(|&needs| needs <= rest.len()) else {
            return Err(LoadError::Truncated {
                what,
                at: self.at,
                needs,
                len: self.bytes.len(),
            });
        };
        self.at += needs;
        Ok(&rest[..needs])
    }

    pub(super) fn u8(&mut self, what: &'static str) -> Result<u8, LoadError> {
        Ok(u8::from_le_bytes(array(self.take(1, what)?)))
    }

    pub(super) fn u16(&mut self, what: &'static str) -> Result<u16, LoadError> {
        Ok(u16::from_le_bytes(array(self.take(2, what)?)))
    }

    pub(super) fn u32(&mut self, what: &'static str) -> Result<u32, LoadError> {
        Ok(u32::from_le_bytes(array(self.take(4, what)?)))
    }

    pub(super) fn u64(&mut self, what: &'static str) -> Result<u64, LoadError> {
        Ok(u64::from_le_bytes(array(self.take(8, what)?)))
    }

    pub(super) fn u128(&mut self, what: &'static str) -> Result<u128, LoadError> {
        Ok(u128::from_le_bytes(array(self.take(16, what)?)))
    }

    /// Flags, of which only those in `known` may be set.
    pub(super) fn flags(&mut self, known: u8) -> Result<u8, LoadError> {
        let at = self.at;
        let flags = self.u8("the flags")?;
        if flags & !known != 0 {
            let what = "a flag that version 1 does not have is set";
            return Err(LoadError::Value { at, what });
        }
        Ok(flags)
    }

    /// Nothing may follow.
    pub(super) const fn finish(self, what: &'static str) -> Result<(), LoadError> {
        if self.at == self.bytes.len() {
            return Ok(());
        }
        Err(LoadError::TooLong {
            what,
            at: self.at,
            len: self.bytes.len(),
        })
    }
}

/// As many bytes as a number has, the first of a slice that is as long.
pub(super) fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}
