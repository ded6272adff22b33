//! Rectangles of cells that changed.

use crate::grid::{Cell, CellId, Grid};

/// A rectangle of columns and rows, half-open, that holds every cell that changed.
///
/// Columns and rows are counted from the grid's first cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DirtyRegion {
    /// First column and first row.
    pub min: (u32, u32),
    /// One past the last column and row.
    pub max: (u32, u32),
}

impl DirtyRegion {
    /// The whole of a grid: what a caller updates when a table changed and not the map.
    #[must_use]
    pub const fn whole(grid: &Grid) -> Self {
        Self {
            min: (0, 0),
            max: (grid.width(), grid.height()),
        }
    }

    /// The region of one cell, or `None` outside the grid.
    #[must_use]
    pub fn of_cell(grid: &Grid, cell: Cell) -> Option<Self> {
        let (column, row) = grid.column_row(cell)?;
        Some(Self {
            min: (column, row),
            max: (column + 1, row + 1),
        })
    }

    /// The smallest region that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self {
            min: (self.min.0.min(other.min.0), self.min.1.min(other.min.1)),
            max: (self.max.0.max(other.max.0), self.max.1.max(other.max.1)),
        }
    }

    /// Whether the column and row lie in the region.
    #[must_use]
    pub const fn contains(&self, column: u32, row: u32) -> bool {
        self.min.0 <= column && column < self.max.0 && self.min.1 <= row && row < self.max.1
    }

    /// The region with `cells` more cells on every side, as far as the grid reaches.
    ///
    /// What a cell's neighbours have at stake (edges, corners) changes one cell further out than the cell itself.
    #[must_use]
    pub fn expanded(self, cells: u32, grid: &Grid) -> Self {
        Self {
            min: (self.min.0.saturating_sub(cells), self.min.1.saturating_sub(cells)),
            max: (
                self.max.0.saturating_add(cells).min(grid.width()),
                self.max.1.saturating_add(cells).min(grid.height()),
            ),
        }
    }

    /// The ids of the region's cells, row by row; what lies outside the grid is left out.
    pub fn ids(self, grid: &Grid) -> impl Iterator<Item = CellId> + use<> {
        let grid = *grid;
        let columns = self.min.0..self.max.0.min(grid.width());
        (self.min.1..self.max.1.min(grid.height()))
            .flat_map(move |row| columns.clone().filter_map(move |column| grid.id_at(column, row)))
    }
}
