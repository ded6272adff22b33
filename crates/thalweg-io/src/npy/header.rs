//! The header of a `.npy` file: a Python dictionary with exactly three keys.

use super::MAGIC;
use crate::error::{ReadReason, quoted};

/// The longest header text that is read. NumPy itself stops trusting headers beyond 10,000 bytes.
const MAX_HEADER_BYTES: usize = 10_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

/// An element type of numbers; integers with their length in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Unsigned(u8),
    Signed(u8),
    Float32,
    Float64,
}

impl Kind {
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::Unsigned(bytes) | Self::Signed(bytes) => bytes as usize,
            Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) order: ByteOrder,
    pub(super) kind: Kind,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
}

/// Splits a file into its header and the bytes of its data.
pub(super) fn read_header(bytes: &[u8]) -> Result<(Header, &[u8]), ReadReason> {
    let damaged = |text: &str| ReadReason::ArrayHeader(text.to_owned());
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or_else(|| damaged("it does not begin with the magic of an array file"))?;
    let cut = || damaged("the file ends inside it");
    let (&[major, _minor], rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
    let (length, rest) = match major {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or_else(cut)?;
            let length = u32::from_le_bytes(*length);
            (usize::try_from(length).unwrap_or(usize::MAX), rest)
        }
        _ => {
            return Err(ReadReason::ArrayHeader(format!(
                "its version is {major}, but 1 to 3 are read"
            )));
        }
    };
    if length > MAX_HEADER_BYTES {
        return Err(ReadReason::ArrayHeader(format!(
            "it states {length} bytes of text, above the limit of {MAX_HEADER_BYTES}"
        )));
    }
    let (text, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let text = core::str::from_utf8(text).map_err(|_| damaged("its text is not UTF-8"))?;
    Ok((parse(text)?, data))
}

/// Reads `{'descr': '<u1', 'fortran_order': False, 'shape': (3, 5), }` in any order of keys.
fn parse(text: &str) -> Result<Header, ReadReason> {
    let mut scanner = Scanner { rest: text };
    let (mut dtype, mut fortran_order, mut shape) = (None, None, None);
    scanner.expect("{")?;
    while !scanner.take("}") {
        let key = scanner.string()?;
        scanner.expect(":")?;
        let fresh = match key {
            "descr" => dtype.replace(scanner.dtype()?).is_none(),
            "fortran_order" => fortran_order.replace(scanner.boolean()?).is_none(),
            "shape" => shape.replace(scanner.shape()?).is_none(),
            _ => {
                let key = quoted(key);
                return Err(ReadReason::ArrayHeader(format!("key {key} is not known")));
            }
        };
        if !fresh {
            let key = quoted(key);
            return Err(ReadReason::ArrayHeader(format!("key {key} comes twice")));
        }
        if !scanner.take(",") {
            scanner.expect("}")?;
            break;
        }
    }
    if !scanner.rest.trim().is_empty() {
        return Err(scanner.unexpected("the end"));
    }
    match (dtype, fortran_order, shape) {
        (Some((order, kind)), Some(fortran_order), Some(shape)) => Ok(Header {
            order,
            kind,
            fortran_order,
            shape,
        }),
        _ => Err(ReadReason::ArrayHeader(String::from(
            "one of the keys 'descr', 'fortran_order' and 'shape' is missing",
        ))),
    }
}

/// Reads a text from the left, token by token. It never recurses.
struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, token: &str) -> bool {
        let trimmed = self.rest.trim_start();
        let after = trimmed.strip_prefix(token);
        self.rest = after.unwrap_or(trimmed);
        after.is_some()
    }

    fn expect(&mut self, token: &'static str) -> Result<(), ReadReason> {
        if self.take(token) {
            Ok(())
        } else {
            Err(self.unexpected(token))
        }
    }

    fn unexpected(&self, wanted: &str) -> ReadReason {
        let got = quoted(self.rest.trim());
        ReadReason::ArrayHeader(format!("{got} stands where {wanted} is expected"))
    }

    /// A quoted string without escapes, which no key and no simple element type needs.
    fn string(&mut self) -> Result<&'a str, ReadReason> {
        let text = self.rest.trim_start();
        for quote in ['\'', '"'] {
            if let Some((string, rest)) = text.strip_prefix(quote).and_then(|text| text.split_once(quote)) {
                self.rest = rest;
                return Ok(string);
            }
        }
        Err(self.unexpected("a string"))
    }

    fn boolean(&mut self) -> Result<bool, ReadReason> {
        if self.take("True") {
            Ok(true)
        } else if self.take("False") {
            Ok(false)
        } else {
            Err(self.unexpected("True or False"))
        }
    }

    fn dtype(&mut self) -> Result<(ByteOrder, Kind), ReadReason> {
        if self.rest.trim_start().starts_with('[') {
            return Err(ReadReason::ArrayType(String::from("'record'")));
        }
        let text = self.string()?;
        let (order, name) = match text.split_at_checked(1) {
            Some((">", name)) => (ByteOrder::Big, name),
            Some(("<" | "|" | "=", name)) => (ByteOrder::Little, name),
            _ => (ByteOrder::Little, text),
        };
        let kind = match name {
            "b1" => Kind::Bool,
            "u1" => Kind::Unsigned(1),
            "u2" => Kind::Unsigned(2),
            "u4" => Kind::Unsigned(4),
            "u8" => Kind::Unsigned(8),
            "i1" => Kind::Signed(1),
            "i2" => Kind::Signed(2),
            "i4" => Kind::Signed(4),
            "i8" => Kind::Signed(8),
            "f4" => Kind::Float32,
            "f8" => Kind::Float64,
            _ => return Err(ReadReason::ArrayType(quoted(text))),
        };
        Ok((order, kind))
    }

    /// A tuple of whole numbers: `()`, `(5,)` or `(3, 5)`.
    fn shape(&mut self) -> Result<Vec<u64>, ReadReason> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            let text = self.rest.trim_start();
            let digits = text.len()
                - text
                    .trim_start_matches(|letter: char| letter.is_ascii_digit())
                    .len();
            let (number, rest) = text.split_at(digits);
            shape.push(
                number
                    .parse()
                    .map_err(|_| self.unexpected("a whole number below 2^64"))?,
            );
            self.rest = rest;
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}
