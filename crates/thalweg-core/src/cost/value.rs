//! The cost of one cell.

use core::fmt;
use thiserror::Error;

/// The largest passable cost.
pub const MAX_COST: u8 = 254;

/// Why a number is not a cost.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum CostError {
    /// A whole number outside `0..=255`.
    #[error("cost {0} is outside 0..=255 (0 to 254 passable, 255 impassable)")]
    OutOfRange(i64),
    /// NaN, infinite or not whole.
    #[error("cost {0} is not a whole number in 0..=255 (0 to 254 passable, 255 impassable)")]
    NotWhole(f64),
}

/// The cost of a known cell: passable `0..=254`, or [`Cost::IMPASSABLE`] (255).
///
/// 1 is plain ground, 2-4 rough, 5-10 heavy; 0 is legal (free passage).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Cost(u8);

impl Cost {
    /// A wall: no body is ever on it.
    pub const IMPASSABLE: Self = Self(255);
    /// Plain ground.
    pub const PLAIN: Self = Self(1);

    /// The cost with this byte; 255 is [`Cost::IMPASSABLE`].
    #[inline]
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte)
    }

    /// The byte.
    #[inline]
    #[must_use]
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// Whether a body may be on ground of this cost.
    #[inline]
    #[must_use]
    pub const fn is_passable(self) -> bool {
        self.0 != 255
    }
}

impl TryFrom<i64> for Cost {
    type Error = CostError;

    /// Refuses negative numbers and numbers above 255 instead of clamping them.
    fn try_from(value: i64) -> Result<Self, CostError> {
        u8::try_from(value)
            .map(Self)
            .map_err(|_| CostError::OutOfRange(value))
    }
}

impl TryFrom<f64> for Cost {
    type Error = CostError;

    /// Refuses NaN, infinities, fractions and out-of-range numbers instead of rounding or clamping them.
    fn try_from(value: f64) -> Result<Self, CostError> {
        if !(value.is_finite() && value == value.trunc()) {
            return Err(CostError::NotWhole(value));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the cast saturates and the range is checked next"
        )]
        Self::try_from(value as i64)
    }
}

impl fmt::Debug for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_passable() {
            write!(f, "{}", self.0)
        } else {
            f.write_str("impassable")
        }
    }
}
