//! Where the layers of a map lie on a picture.

use thalweg_core::grid::{CellId, Grid, LayerIndex};

/// Cells between two layers.
const GAP: u32 = 1;

/// The layers of a map side by side, the first at the left, their first rows in line; one cell between them.
///
/// Coordinates are columns and rows of the sheet. For a map of one layer they are those of the map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet<'a> {
    grid: &'a Grid,
    /// The first column of each layer.
    first_columns: Vec<u32>,
    width: u32,
    height: u32,
}

impl<'a> Sheet<'a> {
    /// The sheet of a map. Sheets wider than 2^32 - 1 cells end there; no picture is that large.
    #[must_use]
    pub fn of(grid: &'a Grid) -> Self {
        let (mut width, mut height) = (0u32, 0);
        let mut first_columns = Vec::with_capacity(grid.layers().len());
        for layer in grid.layers() {
            if layer.index() > 0 {
                width = width.saturating_add(GAP);
            }
            first_columns.push(width);
            width = width.saturating_add(layer.width());
            height = height.max(layer.height());
        }
        Self {
            grid,
            first_columns,
            width,
            height,
        }
    }

    /// Cells from left to right, gaps included.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the tallest layer.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The first column of a layer; 0 if there are not so many layers.
    #[must_use]
    pub fn first_column(&self, layer: LayerIndex) -> u32 {
        self.first_columns.get(usize::from(layer)).copied().unwrap_or(0)
    }

    /// The cell at a column and row, or `None` between and below layers.
    #[must_use]
    pub fn id_at(&self, column: u32, row: u32) -> Option<CellId> {
        let at = self
            .first_columns
            .partition_point(|&first| first <= column)
            .checked_sub(1)?;
        self.grid
            .layers()
            .get(at)?
            .id_at(column - self.first_columns[at], row)
    }

    /// Column and row of a cell.
    ///
    /// # Panics
    /// If the id is not of this map.
    #[must_use]
    pub fn place(&self, id: CellId) -> (u32, u32) {
        let (column, row) = self.grid.column_row_of(id);
        (self.first_column(self.grid.layer_of(id).index()) + column, row)
    }
}
