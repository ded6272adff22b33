//! The rectangle of cells that a map covers.

use super::{Cell, CellId, Direction};
use thiserror::Error;

/// The largest number of cells a grid may have: 2^30, four times the 16,384 × 16,384 the engine is built for.
///
/// It keeps dense ids in 32 bits with room for the expanded states that turn costs need.
pub const MAX_CELLS: u32 = 1 << 30;

/// Why a grid cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is zero.
    #[error("a map needs at least one cell, but {width} x {height} was asked for")]
    Empty {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// More cells than [`MAX_CELLS`].
    #[error("a map of {width} x {height} has {} cells, above the limit of {MAX_CELLS}", u64::from(*width) * u64::from(*height))]
    TooLarge {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The last cell's coordinate does not fit 32 bits.
    #[error(
        "a map of {width} x {height} that begins at cell ({first_x},{first_y}) ends beyond the largest cell coordinate {}",
        i32::MAX
    )]
    OriginTooFar {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Column of the first cell.
        first_x: i32,
        /// Row of the first cell.
        first_y: i32,
    },
    /// A row count and cell count that do not agree, when per-cell data is attached to a grid.
    #[error("{got} values were given for a map of {width} x {height}, which needs {}", u64::from(*width) * u64::from(*height))]
    WrongLength {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// Values given.
        got: usize,
    },
}

/// A rectangle of square cells with a first cell (its north-west corner), which may have negative coordinates.
///
/// Today a grid is one layer; the type is the only place that knows how ids are laid out, so that more layers can be
/// added behind the same calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    width: u32,
    height: u32,
    first_x: i32,
    first_y: i32,
}

impl Grid {
    /// A grid whose first cell is (0,0).
    ///
    /// # Errors
    /// [`GridError::Empty`] or [`GridError::TooLarge`].
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        Self::with_first_cell(width, height, Cell::new(0, 0))
    }

    /// A grid whose north-west cell is `first`; its layer must be 0.
    ///
    /// # Errors
    /// [`GridError`] if a side is zero, there are too many cells, or a coordinate leaves `i32`.
    pub fn with_first_cell(width: u32, height: u32, first: Cell) -> Result<Self, GridError> {
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
        })
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

    /// Number of layers; 1 today.
    #[inline]
    #[must_use]
    pub const fn layers(&self) -> u32 {
        1
    }

    /// Number of cells over all layers.
    #[inline]
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a grid is never empty")]
    pub const fn len(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// The north-west cell.
    #[inline]
    #[must_use]
    pub const fn first_cell(&self) -> Cell {
        Cell::new(self.first_x, self.first_y)
    }

    /// Column and row of a cell counted from the first cell, or `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn column_row(&self, cell: Cell) -> Option<(u32, u32)> {
        if cell.layer != 0 {
            return None;
        }
        let column = u32::try_from(i64::from(cell.x) - i64::from(self.first_x)).ok()?;
        let row = u32::try_from(i64::from(cell.y) - i64::from(self.first_y)).ok()?;
        (column < self.width && row < self.height).then_some((column, row))
    }

    /// The dense id of a cell, or `None` outside the grid.
    #[inline]
    #[must_use]
    pub fn id(&self, cell: Cell) -> Option<CellId> {
        self.column_row(cell)
            .map(|(column, row)| CellId(row * self.width + column))
    }

    /// The id of column `column` and row `row`, counted from the first cell, or `None` outside.
    #[inline]
    #[must_use]
    pub fn id_at(&self, column: u32, row: u32) -> Option<CellId> {
        (column < self.width && row < self.height).then(|| CellId(row * self.width + column))
    }

    /// The cell of a dense id.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn cell(&self, id: CellId) -> Cell {
        let (column, row) = self.column_row_of(id);
        // Both sums fit: the constructor checked the last cell.
        Cell::new(
            self.first_x.wrapping_add_unsigned(column),
            self.first_y.wrapping_add_unsigned(row),
        )
    }

    /// Column and row of a dense id, counted from the first cell.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn column_row_of(&self, id: CellId) -> (u32, u32) {
        assert!(
            id.index() < self.len(),
            "cell id {} is not of a grid of {} cells",
            id.0,
            self.len()
        );
        (id.0 % self.width, id.0 / self.width)
    }

    /// Whether the cell lies on the grid.
    #[inline]
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        self.column_row(cell).is_some()
    }

    /// The neighbour in a direction, or `None` beyond the border.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn neighbour(&self, id: CellId, direction: Direction) -> Option<CellId> {
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
        super::DIRECTIONS.map(|direction| {
            let (dx, dy) = direction.offset();
            dy * row + dx
        })
    }

    /// All ids in order.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = CellId> + use<> {
        (0..self.width * self.height).map(CellId)
    }
}
