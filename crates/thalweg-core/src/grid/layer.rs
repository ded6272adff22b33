//! One floor of a map: a rectangle of cells.

use super::{Cell, CellId, DIRECTIONS, Direction, GridError, LayerIndex, MAX_CELLS};
use core::ops::Range;

/// A floor: a rectangle of square cells with its own size and its own first cell (the north-west corner), which may have
/// negative coordinates.
///
/// Layers of a grid hold consecutive ranges of ids, row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layer {
    width: u32,
    height: u32,
    first_x: i32,
    first_y: i32,
    first_id: u32,
    index: LayerIndex,
}

impl Layer {
    /// A layer that stands alone: layer 0, ids from 0. The layer of `first` is not looked at.
    pub(super) fn alone(width: u32, height: u32, first: Cell) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty { width, height });
        }
        if u64::from(width) * u64::from(height) > u64::from(MAX_CELLS) {
            return Err(GridError::TooLarge { width, height });
        }
        let fits = |start: i32, len: u32| i64::from(start) + i64::from(len) - 1 <= i64::from(i32::MAX);
        if !fits(first.x, width) || !fits(first.y, height) {
            return Err(GridError::OriginTooFar {
                width,
                height,
                first_x: first.x,
                first_y: first.y,
            });
        }
        Ok(Self {
            width,
            height,
            first_x: first.x,
            first_y: first.y,
            first_id: 0,
            index: 0,
        })
    }

    /// The same rectangle at another place in the grid.
    pub(super) const fn placed(mut self, index: LayerIndex, first_id: u32) -> Self {
        self.index = index;
        self.first_id = first_id;
        self
    }

    /// Which layer of its grid it is.
    #[inline]
    #[must_use]
    pub const fn index(&self) -> LayerIndex {
        self.index
    }

    /// Cells in a row.
    #[inline]
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[inline]
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a layer is never empty")]
    pub const fn len(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The north-west cell.
    #[inline]
    #[must_use]
    pub const fn first_cell(&self) -> Cell {
        Cell::on(self.index, self.first_x, self.first_y)
    }

    /// The ids of its cells as a range of array elements.
    #[inline]
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.first_id as usize..self.first_id as usize + self.len()
    }

    /// The ids of its cells, row by row.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CellId> + use<> {
        (self.first_id..self.first_id + self.width * self.height).map(CellId)
    }

    /// Column and row of a cell counted from the first cell, or `None` outside the layer.
    #[inline]
    #[must_use]
    pub fn column_row(&self, cell: Cell) -> Option<(u32, u32)> {
        if cell.layer != self.index {
            return None;
        }
        let column = u32::try_from(i64::from(cell.x) - i64::from(self.first_x)).ok()?;
        let row = u32::try_from(i64::from(cell.y) - i64::from(self.first_y)).ok()?;
        (column < self.width && row < self.height).then_some((column, row))
    }

    /// The id of column `column` and row `row`, counted from the first cell, or `None` outside.
    #[inline]
    #[must_use]
    pub const fn id_at(&self, column: u32, row: u32) -> Option<CellId> {
        if column < self.width && row < self.height {
            Some(CellId(self.first_id + row * self.width + column))
        } else {
            None
        }
    }

    /// Column and row of an id of this layer.
    #[inline]
    pub(super) const fn column_row_of(&self, id: CellId) -> (u32, u32) {
        let index = id.0 - self.first_id;
        (index % self.width, index / self.width)
    }

    /// The cell of a column and row of this layer.
    #[inline]
    pub(super) const fn cell_at(&self, column: u32, row: u32) -> Cell {
        // Both sums fit: the constructor checked the last cell.
        Cell::on(
            self.index,
            self.first_x.wrapping_add_unsigned(column),
            self.first_y.wrapping_add_unsigned(row),
        )
    }

    /// The neighbour of an id of this layer.
    #[inline]
    pub(super) fn neighbour(&self, id: CellId, direction: Direction) -> Option<CellId> {
        let (column, row) = self.column_row_of(id);
        let (dx, dy) = direction.offset();
        self.id_at(column.checked_add_signed(dx)?, row.checked_add_signed(dy)?)
    }

    /// The step in ids that each direction makes, in direction order; only valid where the neighbour exists.
    #[inline]
    #[must_use]
    pub fn id_offsets(&self) -> [i32; 8] {
        // MAX_CELLS is 2^30, so a row length fits i32.
        let row = i32::try_from(self.width).expect("a row is at most MAX_CELLS long");
        DIRECTIONS.map(|direction| {
            let (dx, dy) = direction.offset();
            dy * row + dx
        })
    }
}
