//! Numbers as bytes, in as few as they need.

use super::RecordingError;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read, Write};

/// What is wrong with bytes whose checksum is right.
pub(super) type Wrong = &'static str;

const ENDS_EARLY: Wrong = "a list ends before its last number";

/// A whole number in groups of seven bits, the lowest first.
pub(super) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// A number with a sign, small where it is near 0: 0, -1, 1, -2 become 0, 1, 2, 3.
pub(super) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, (value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned());
}

pub(super) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend(bytes);
}

/// Bytes read from the beginning; nothing is allocated that is not there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn take(&mut self, len: usize) -> Result<&'a [u8], Wrong> {
        let (bytes, rest) = self.0.split_at_checked(len).ok_or(ENDS_EARLY)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Wrong> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(ENDS_EARLY)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Wrong> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Wrong> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Wrong> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn u128(&mut self) -> Result<u128, Wrong> {
        self.array().map(u128::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Result<f32, Wrong> {
        self.u32().map(f32::from_bits)
    }

    pub(super) fn number(&mut self) -> Result<u64, Wrong> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = u64::from(self.u8()?);
            let part = byte & 0x7f;
            if (part << shift) >> shift != part {
                break;
            }
            value |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err("a number needs more than 64 bits")
    }

    pub(super) fn signed(&mut self) -> Result<i64, Wrong> {
        let value = self.number()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    /// A number that is narrower in memory.
    pub(super) fn narrow<T: TryFrom<u64>>(&mut self) -> Result<T, Wrong> {
        T::try_from(self.number()?).map_err(|_| "a number is too large for what it counts")
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Wrong> {
        let len = self.narrow()?;
        self.take(len)
    }

    pub(super) fn text(&mut self) -> Result<&'a str, Wrong> {
        core::str::from_utf8(self.bytes()?).map_err(|_| "a text is not in UTF-8")
    }

    pub(super) const fn finish(self) -> Result<(), Wrong> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err("bytes are left behind the last number")
        }
    }
}

pub(super) fn pack(out: &mut Vec<u8>, bytes: &[u8]) -> Result<(), RecordingError> {
    put(out, bytes.len() as u64);
    let mut packer = DeflateEncoder::new(out, Compression::fast());
    packer.write_all(bytes)?;
    packer.finish()?;
    Ok(())
}

/// What was packed, if it is as long as it says. It takes no more memory than packed bytes can come to, 1,032 for one, whatever
/// length they state.
pub(super) fn unpack(mut packed: Cursor<'_>, out: &mut Vec<u8>) -> Result<(), Wrong> {
    let len = packed.number()?;
    out.clear();
    let mut unpacker = DeflateDecoder::new(packed.0).take(len.saturating_add(1));
    unpacker
        .read_to_end(out)
        .map_err(|_| "bytes cannot be unpacked")?;
    if out.len() as u64 != len {
        return Err("bytes are unpacked to another length than is stated");
    }
    // What follows the end of the packed bytes is nobody's.
    if unpacker.into_inner().total_in() != packed.len() as u64 {
        return Err("bytes are left behind the packed ones");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_as_they_were() {
        let mut out = Vec::new();
        let unsigned = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let signed = [0, -1, 1, -64, 64, i64::MIN, i64::MAX];
        for number in unsigned {
            put(&mut out, number);
        }
        for number in signed {
            put_signed(&mut out, number);
        }
        let mut cursor = Cursor::new(&out);
        for number in unsigned {
            assert_eq!(cursor.number(), Ok(number));
        }
        for number in signed {
            assert_eq!(cursor.signed(), Ok(number));
        }
        assert_eq!(cursor.finish(), Ok(()));
    }

    #[test]
    fn a_number_of_more_than_64_bits_is_refused() {
        let mut bytes = vec![0xff; 9];
        bytes.push(0x02);
        assert!(Cursor::new(&bytes).number().is_err());
        assert!(Cursor::new(&[0xff; 30]).number().is_err());
        assert!(Cursor::new(&[0x80]).number().is_err());
    }

    #[test]
    fn packed_bytes_come_back_and_cannot_be_more_than_they_can_hold() {
        let bytes = vec![7; 100_000];
        let mut packed = Vec::new();
        pack(&mut packed, &bytes).expect("memory can be written");
        let mut out = Vec::new();
        assert_eq!(unpack(Cursor::new(&packed), &mut out), Ok(()));
        assert_eq!(out, bytes);
        let mut bomb = Vec::new();
        put(&mut bomb, u64::MAX);
        bomb.extend([0; 10]);
        assert!(unpack(Cursor::new(&bomb), &mut out).is_err());
        packed.push(0);
        assert!(unpack(Cursor::new(&packed), &mut out).is_err());
    }
}
