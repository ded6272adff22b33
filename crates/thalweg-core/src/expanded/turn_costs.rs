//! What a turn costs.

use super::ExpandedError;
use crate::grid::Direction;

/// What changing direction costs, in step units, by how far one turns.
///
/// A turn by `n` eighths is one by `n` × 45°, to either side: 0 is straight on, 4 is about face. A body at rest, or one
/// that came by no step (a portal), has no incoming direction and starts into any direction for nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TurnCosts {
    by_eighths: [u32; 5],
}

impl TurnCosts {
    /// The largest cost of a turn: 2^28 step units, twice the dearest step of any profile.
    pub const MAX: u32 = 1 << 28;

    /// No turn costs anything.
    pub const FREE: Self = Self { by_eighths: [0; 5] };

    /// Costs for turns by 0, 1, 2, 3 and 4 eighths. They need not grow: a body may find a right angle easier than half of
    /// one.
    ///
    /// # Errors
    /// [`ExpandedError::StraightCost`] if going straight on has a cost (that would be a step cost), and
    /// [`ExpandedError::TurnCost`] if one is above [`Self::MAX`].
    pub fn new(by_eighths: [u32; 5]) -> Result<Self, ExpandedError> {
        if by_eighths[0] != 0 {
            return Err(ExpandedError::StraightCost { cost: by_eighths[0] });
        }
        for (eighths, &cost) in (0u8..).zip(&by_eighths) {
            if cost > Self::MAX {
                return Err(ExpandedError::TurnCost {
                    eighths,
                    cost,
                    limit: Self::MAX,
                });
            }
        }
        Ok(Self { by_eighths })
    }

    /// The same cost for every eighth turned.
    ///
    /// # Errors
    /// [`ExpandedError::TurnCost`] if a half turn would cost more than [`Self::MAX`].
    pub fn per_eighth(cost: u32) -> Result<Self, ExpandedError> {
        Self::new([0, 1, 2, 3, 4].map(|eighths: u32| cost.saturating_mul(eighths)))
    }

    /// The costs by eighths.
    #[must_use]
    pub const fn by_eighths(&self) -> [u32; 5] {
        self.by_eighths
    }

    /// How many eighths lie between two directions, 0 to 4.
    #[must_use]
    pub const fn eighths(from: Direction, to: Direction) -> u8 {
        // Directions are ordered straight ones first; a turn needs them clockwise.
        const CLOCKWISE: [u8; 8] = [0, 2, 4, 6, 1, 3, 5, 7];
        let apart = CLOCKWISE[from.index()].abs_diff(CLOCKWISE[to.index()]);
        if apart > 4 { 8 - apart } else { apart }
    }

    /// What it costs to leave in a direction after coming in another; 0 if either is none.
    #[inline]
    #[must_use]
    pub const fn between(&self, incoming: Option<Direction>, outgoing: Option<Direction>) -> u32 {
        match (incoming, outgoing) {
            (Some(from), Some(to)) => self.by_eighths[Self::eighths(from, to) as usize],
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::DIRECTIONS;

    #[test]
    fn eighths_are_the_angle_between_the_vectors() {
        for from in DIRECTIONS {
            for to in DIRECTIONS {
                let ((ax, ay), (bx, by)) = (from.offset(), to.offset());
                let (dot, cross) = (ax * bx + ay * by, ax * by - ay * bx);
                let expected = match (dot.signum(), cross) {
                    (1, 0) => 0,
                    (1, _) => 1,
                    (0, _) => 2,
                    (_, 0) => 4,
                    _ => 3,
                };
                assert_eq!(TurnCosts::eighths(from, to), expected, "{from} to {to}");
            }
        }
    }

    #[test]
    fn costs_that_cannot_be_are_refused_by_name() {
        assert_eq!(
            TurnCosts::new([1, 0, 0, 0, 0]),
            Err(ExpandedError::StraightCost { cost: 1 })
        );
        assert!(matches!(
            TurnCosts::per_eighth(u32::MAX),
            Err(ExpandedError::TurnCost { eighths: 1, .. })
        ));
        assert!(TurnCosts::per_eighth(TurnCosts::MAX / 4).is_ok());
    }
}
