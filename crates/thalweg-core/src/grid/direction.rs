//! The eight directions in the one fixed order that is also the tie order and the bit order of every mask.

use core::fmt;

/// One of the eight directions, in the fixed order N, E, S, W, NE, SE, SW, NW.
///
/// The order is part of the contract: it breaks ties, it is the bit order of [`DirectionSet`], and it is part of every
/// golden hash. North is `y - 1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Direction {
    /// North, (0, -1).
    N = 0,
    /// East, (1, 0).
    E = 1,
    /// South, (0, 1).
    S = 2,
    /// West, (-1, 0).
    W = 3,
    /// North-east, (1, -1).
    NE = 4,
    /// South-east, (1, 1).
    SE = 5,
    /// South-west, (-1, 1).
    SW = 6,
    /// North-west, (-1, -1).
    NW = 7,
}

/// All directions in the fixed order.
pub const DIRECTIONS: [Direction; 8] = [
    Direction::N,
    Direction::E,
    Direction::S,
    Direction::W,
    Direction::NE,
    Direction::SE,
    Direction::SW,
    Direction::NW,
];

impl Direction {
    /// The direction of an index `0..8` in the fixed order.
    #[inline]
    #[must_use]
    pub const fn from_index(index: u8) -> Option<Self> {
        if index < 8 {
            Some(DIRECTIONS[index as usize])
        } else {
            None
        }
    }

    /// The index `0..8` in the fixed order.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The step in cells, `(dx, dy)`, y growing downward.
    #[inline]
    #[must_use]
    pub const fn offset(self) -> (i32, i32) {
        const OFFSETS: [(i32, i32); 8] = [
            (0, -1),
            (1, 0),
            (0, 1),
            (-1, 0),
            (1, -1),
            (1, 1),
            (-1, 1),
            (-1, -1),
        ];
        OFFSETS[self as usize]
    }

    /// The direction of a step in cells, if it is one of the eight.
    #[inline]
    #[must_use]
    pub fn from_offset(dx: i32, dy: i32) -> Option<Self> {
        // By rows from the north-west; it is asked for every agent in every step.
        const AROUND: [Option<Direction>; 9] = [
            Some(Direction::NW),
            Some(Direction::N),
            Some(Direction::NE),
            Some(Direction::W),
            None,
            Some(Direction::E),
            Some(Direction::SW),
            Some(Direction::S),
            Some(Direction::SE),
        ];
        let place = |step: i32| {
            usize::try_from(step.checked_add(1)?)
                .ok()
                .filter(|&place| place < 3)
        };
        AROUND[3 * place(dy)? + place(dx)?]
    }

    /// Whether the direction is one of NE, SE, SW, NW.
    #[inline]
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= 4
    }

    /// The direction that leads back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        // Straight and diagonal directions each go clockwise, so the opposite is two places on within its four.
        DIRECTIONS[(self as usize & 4) | ((self as usize + 2) & 3)]
    }

    /// The two straight directions a diagonal is made of, `(vertical, horizontal)`; `None` for a straight direction.
    #[inline]
    #[must_use]
    pub const fn sides(self) -> Option<(Self, Self)> {
        match self {
            Self::NE => Some((Self::N, Self::E)),
            Self::SE => Some((Self::S, Self::E)),
            Self::SW => Some((Self::S, Self::W)),
            Self::NW => Some((Self::N, Self::W)),
            Self::N | Self::E | Self::S | Self::W => None,
        }
    }

    /// The vector of length 1 in map axes (y downward).
    #[inline]
    #[must_use]
    pub const fn unit_vector(self) -> [f32; 2] {
        const D: f32 = core::f32::consts::FRAC_1_SQRT_2;
        const VECTORS: [[f32; 2]; 8] = [
            [0.0, -1.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
            [D, -D],
            [D, D],
            [-D, D],
            [-D, -D],
        ];
        VECTORS[self as usize]
    }

    /// The usual short name: `N`, `E`, `S`, `W`, `NE`, `SE`, `SW`, `NW`.
    #[inline]
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["N", "E", "S", "W", "NE", "SE", "SW", "NW"][self as usize]
    }

    /// The arrow that points this way on a map printed with north at the top.
    #[inline]
    #[must_use]
    pub const fn arrow(self) -> char {
        ['↑', '→', '↓', '←', '↗', '↘', '↙', '↖'][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of directions in one byte: bit `i` is the direction with index `i`.
///
/// Used as *exits mask* (legal steps that leave a cell), *entries mask* (legal steps that enter it, named by their
/// direction of travel) and *successor mask* (the tied best exits).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct DirectionSet(u8);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: Self = Self(0);
    /// N, E, S, W.
    pub const STRAIGHT: Self = Self(0x0f);
    /// All eight.
    pub const ALL: Self = Self(0xff);

    /// The set with these bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The bits, in the fixed direction order.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether no direction is in the set.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many directions are in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the direction is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction as u8) != 0
    }

    /// The set with the direction added.
    #[inline]
    #[must_use]
    pub const fn with(self, direction: Direction) -> Self {
        Self(self.0 | (1 << direction as u8))
    }

    /// The set with the direction taken out.
    #[inline]
    #[must_use]
    pub const fn without(self, direction: Direction) -> Self {
        Self(self.0 & !(1 << direction as u8))
    }

    /// The directions in both sets.
    #[inline]
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The first direction in the fixed order, which is how ties are broken.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Direction> {
        if self.0 == 0 {
            None
        } else {
            Some(DIRECTIONS[self.0.trailing_zeros() as usize])
        }
    }

    /// The directions in the fixed order.
    #[inline]
    #[must_use]
    pub const fn iter(self) -> DirectionSetIter {
        DirectionSetIter(self.0)
    }
}

impl fmt::Debug for DirectionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl IntoIterator for DirectionSet {
    type Item = Direction;
    type IntoIter = DirectionSetIter;
    fn into_iter(self) -> DirectionSetIter {
        self.iter()
    }
}

impl FromIterator<Direction> for DirectionSet {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Self {
        directions.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Iterator over a [`DirectionSet`] in the fixed order.
#[derive(Clone, Debug)]
pub struct DirectionSetIter(u8);

impl Iterator for DirectionSetIter {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        let first = DirectionSet(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for DirectionSetIter {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_leads_back_and_sides_add_up() {
        for direction in DIRECTIONS {
            let (dx, dy) = direction.offset();
            assert_eq!(
                direction.opposite().offset(),
                (-dx, -dy),
                "opposite of {direction}"
            );
            assert_eq!(Direction::from_offset(dx, dy), Some(direction));
            if let Some((vertical, horizontal)) = direction.sides() {
                assert_eq!(
                    (horizontal.offset().0, vertical.offset().1),
                    (dx, dy),
                    "sides of {direction}"
                );
            }
        }
    }

    #[test]
    fn a_set_lists_its_directions_in_the_fixed_order() {
        let set: DirectionSet = [Direction::NW, Direction::E, Direction::S].into_iter().collect();
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [Direction::E, Direction::S, Direction::NW]
        );
        assert_eq!(set.first(), Some(Direction::E));
        assert_eq!(DirectionSet::EMPTY.first(), None);
    }
}
