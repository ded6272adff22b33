//! How many bytes something takes, told before it is made.
//!
//! This module only knows how to say it; each module that allocates for every cell of a map has an `estimate_memory` of its
//! own. An estimate is an upper bound wherever the number of bytes follows from the size of the map. Queues, whose length
//! depends on the map, are taken as long as the longest that was measured (`integrate/memory.rs`).

use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// What bytes are taken for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum MemoryPart {
    /// What cells cost, and which are unknown.
    Costs,
    /// Exits, entries and charges of a compiled movement, and what compiling needs beside them.
    Movement,
    /// Cost-to-goal of every cell.
    CostToGoal,
    /// Which goal wins, and what finding it out needs.
    Labels,
    /// Buffers of the engine.
    Engine,
    /// Directions, and what extracting them needs.
    Directions,
    /// Headings, and what looking ahead needs.
    Headings,
    /// Lengths of ways, and what measuring them needs.
    Lengths,
}

impl MemoryPart {
    /// Every part, in the order in which they are made.
    pub const ALL: [Self; 8] = [
        Self::Costs,
        Self::Movement,
        Self::CostToGoal,
        Self::Labels,
        Self::Engine,
        Self::Directions,
        Self::Headings,
        Self::Lengths,
    ];
}

impl fmt::Display for MemoryPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Costs => "costs",
            Self::Movement => "movement",
            Self::CostToGoal => "cost-to-goal",
            Self::Labels => "labels",
            Self::Engine => "engine",
            Self::Directions => "directions",
            Self::Headings => "headings",
            Self::Lengths => "lengths",
        })
    }
}

/// The bytes that are taken at once at the peak of something, part by part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct MemoryEstimate {
    bytes: [u64; MemoryPart::ALL.len()],
}

impl MemoryEstimate {
    /// An estimate of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The estimate with so many bytes more for a part.
    #[must_use]
    pub const fn with(mut self, part: MemoryPart, bytes: u64) -> Self {
        let place = part as usize;
        self.bytes[place] = self.bytes[place].saturating_add(bytes);
        self
    }

    /// What both take together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        MemoryPart::ALL
            .into_iter()
            .fold(self, |sum, part| sum.with(part, other.of(part)))
    }

    /// Bytes of a part.
    #[must_use]
    pub const fn of(&self, part: MemoryPart) -> u64 {
        self.bytes[part as usize]
    }

    /// Bytes of all parts.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.bytes.iter().fold(0, |sum, &part| sum.saturating_add(part))
    }
}

impl fmt::Display for MemoryEstimate {
    /// The sum and its parts: `5.1 GiB (cost-to-goal 1.0 GiB, engine 1.7 GiB, …)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Bytes(self.total()), f)?;
        let mut separator = " (";
        for part in MemoryPart::ALL.into_iter().filter(|&part| self.of(part) > 0) {
            write!(f, "{separator}{part} {}", Bytes(self.of(part)))?;
            separator = ", ";
        }
        f.write_str(if separator == ", " { ")" } else { "" })
    }
}

/// A number of bytes for people: `2 GiB`, `1.5 MiB`, `300 bytes`; read with or without a space, and in powers of ten too
/// (`KB`, `MB`, `GB`, `TB`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bytes(pub u64);

/// A text that is no number of bytes.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is not a number of bytes; write it like 800MB, 2GiB or 1.5 GiB, at most 16,777,215 TiB")]
pub struct BytesError(pub String);

const UNITS: [(&str, u64); 11] = [
    ("", 1),
    ("b", 1),
    ("bytes", 1),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
];

impl fmt::Display for Bytes {
    /// Rounded up to tenths, so that an estimate never looks smaller than it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [
            ("TiB", 1u64 << 40),
            ("GiB", 1 << 30),
            ("MiB", 1 << 20),
            ("KiB", 1 << 10),
        ];
        let Some((name, unit)) = units.into_iter().find(|&(_, unit)| self.0 >= unit) else {
            return write!(f, "{} bytes", self.0);
        };
        let tenths = (u128::from(self.0) * 10).div_ceil(u128::from(unit));
        match tenths % 10 {
            0 => write!(f, "{} {name}", tenths / 10),
            tenth => write!(f, "{}.{tenth} {name}", tenths / 10),
        }
    }
}

impl FromStr for Bytes {
    type Err = BytesError;

    fn from_str(text: &str) -> Result<Self, BytesError> {
        let wrong = || BytesError(text.to_owned());
        let word = text.trim();
        let end = word
            .find(|letter: char| !letter.is_ascii_digit() && letter != '.')
            .unwrap_or(word.len());
        let (number, unit) = word.split_at(end);
        let unit = unit.trim().to_ascii_lowercase();
        let &(_, unit) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if whole.is_empty() || part.len() > 9 || part.contains('.') {
            return Err(wrong());
        }
        let digits = |text: &str| text.parse::<u128>().map_err(|_| wrong());
        let ten = 10u128.pow(u32::try_from(part.len()).unwrap_or(0));
        let part = if part.is_empty() { 0 } else { digits(part)? };
        let parts = digits(whole)?
            .checked_mul(ten)
            .and_then(|whole| whole.checked_add(part))
            .and_then(|parts| parts.checked_mul(u128::from(unit)))
            .ok_or_else(wrong)?;
        u64::try_from(parts / ten).map(Self).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_and_written_in_units_of_both_kinds() {
        let read = |text: &str| text.parse::<Bytes>().map(|bytes| bytes.0);
        for (text, wanted) in [
            ("0", 0),
            ("300", 300),
            ("300 bytes", 300),
            ("2GiB", 2 << 30),
            (" 2 gib ", 2 << 30),
            ("1.5 MiB", 3 << 19),
            ("800MB", 800_000_000),
            ("0.1kb", 100),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(read(text), Ok(wanted), "{text}");
        }
        for text in [
            "",
            "GiB",
            "-1",
            "1.2.3GiB",
            "2 GiBs",
            "1e9",
            "18446744073709551616",
            ".5GiB",
        ] {
            assert_eq!(read(text), Err(BytesError(text.to_owned())), "{text}");
        }
        for (bytes, wanted) in [
            (300, "300 bytes"),
            (1024, "1 KiB"),
            (1025, "1.1 KiB"),
            (3 << 19, "1.5 MiB"),
            ((1 << 31) + 1, "2.1 GiB"),
        ] {
            assert_eq!(Bytes(bytes).to_string(), wanted);
        }
    }

    #[test]
    fn an_estimate_names_its_parts_in_their_order() {
        let estimate = MemoryEstimate::new()
            .with(MemoryPart::Engine, 2048)
            .with(MemoryPart::CostToGoal, 1024);
        assert_eq!(estimate.total(), 3072);
        assert_eq!(estimate.to_string(), "3 KiB (cost-to-goal 1 KiB, engine 2 KiB)");
        assert_eq!(MemoryEstimate::new().to_string(), "0 bytes");
        assert_eq!(estimate.and(estimate).of(MemoryPart::Engine), 4096);
    }
}
