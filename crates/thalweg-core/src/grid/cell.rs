//! The two names of a square: [`Cell`] for people, [`CellId`] for arrays.

use core::fmt;

/// The index of a layer (floor) of a map, from 0.
pub type LayerIndex = u16;

/// One square of a map, as people name it.
///
/// `x` grows to the right and `y` grows downward, so north is `y - 1`. Both are counted from the map's own origin and
/// may be negative (see [`Grid::with_first_cell`](super::Grid::with_first_cell)); each layer has an origin of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    /// The layer (floor) the cell lies on.
    pub layer: LayerIndex,
    /// Column, growing to the right (east).
    pub x: i32,
    /// Row, growing downward (south).
    pub y: i32,
}

impl Cell {
    /// A cell of layer 0.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self::on(0, x, y)
    }

    /// A cell of a layer.
    #[must_use]
    pub const fn on(layer: LayerIndex, x: i32, y: i32) -> Self {
        Self { layer, x, y }
    }
}

impl From<(i32, i32)> for Cell {
    fn from((x, y): (i32, i32)) -> Self {
        Self::new(x, y)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.layer == 0 {
            write!(f, "({},{})", self.x, self.y)
        } else {
            write!(f, "({},{},{})", self.x, self.y, self.layer)
        }
    }
}

/// The dense index of a cell over all layers of one grid: layer by layer, row by row, from 0.
///
/// Ids of different grids must not be mixed; within one grid they are `0..grid.len()`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct CellId(pub u32);

impl CellId {
    /// The id as an index into a per-cell array.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of the array element `index`.
    ///
    /// # Panics
    /// If `index` does not fit 32 bits, which no grid allows ([`MAX_CELLS`](super::MAX_CELLS)).
    #[inline]
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("a cell index fits 32 bits because grids are limited to MAX_CELLS"))
    }
}
