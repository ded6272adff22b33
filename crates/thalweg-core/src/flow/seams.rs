//! The seams of a map: the lines of cells along which tiles meet, and the cost-to-goal of the cells on them.

use crate::grid::{Grid, Layer};

/// The side of a tile in cells; the first row and the first column of a tile are seams, where another tile lies beyond.
pub(super) const TILE: usize = 32;

/// A value for every cell on a seam.
///
/// A step is one cell long along either axis, so no way out of the inside of a tile jumps over a line one cell wide. One
/// line between two tiles is therefore enough, and the sides of the map need none: 63 of the 1,024 cells of a tile.
///
/// Rejected: keeping the whole rim of every tile, 124 of 1,024 cells. It is the same line twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Seams {
    /// For each layer, where its rows and where its columns begin among the values.
    layers: Vec<(usize, usize)>,
    /// Of each layer the rows, then the columns, each from its first cell to its last.
    values: Vec<u32>,
}

/// How many seams cross a side of so many cells.
const fn seams_across(side: u32) -> usize {
    (side as usize - 1) / TILE
}

impl Seams {
    /// Copies the seams out of a dense array.
    pub(super) fn of(grid: &Grid, dense: &[u32]) -> Self {
        let mut layers = Vec::with_capacity(grid.layers().len());
        let mut values = Vec::with_capacity(Self::len_for(grid));
        for layer in grid.layers() {
            let width = layer.width() as usize;
            let cells = &dense[layer.range()];
            let rows = values.len();
            for seam in 1..=seams_across(layer.height()) {
                values.extend_from_slice(&cells[seam * TILE * width..][..width]);
            }
            layers.push((rows, values.len()));
            for seam in 1..=seams_across(layer.width()) {
                values.extend(cells.iter().skip(seam * TILE).step_by(width));
            }
        }
        Self { layers, values }
    }

    /// How many values the seams of a map have; the cells where two cross count twice.
    pub(super) fn len_for(grid: &Grid) -> usize {
        let of_layer = |layer: &Layer| {
            seams_across(layer.height()) * layer.width() as usize
                + seams_across(layer.width()) * layer.height() as usize
        };
        grid.layers().iter().map(of_layer).sum()
    }

    /// The values of a row, if it is a seam: one for each column.
    pub(super) fn row(&self, layer: &Layer, row: usize) -> Option<&[u32]> {
        let width = layer.width() as usize;
        let before = Self::seams_before(row, layer.height())?;
        let (rows, _) = self.layers[usize::from(layer.index())];
        self.values.get(rows + before * width..)?.get(..width)
    }

    /// The values of a column, if it is a seam: one for each row.
    pub(super) fn column(&self, layer: &Layer, column: usize) -> Option<&[u32]> {
        let height = layer.height() as usize;
        let before = Self::seams_before(column, layer.width())?;
        let (_, columns) = self.layers[usize::from(layer.index())];
        self.values.get(columns + before * height..)?.get(..height)
    }

    /// How many seams lie before a line of a side, if the line is one itself.
    fn seams_before(line: usize, side: u32) -> Option<usize> {
        let is_seam = line.is_multiple_of(TILE) && line > 0 && line < side as usize;
        is_seam.then(|| line / TILE - 1)
    }

    /// The value of a cell, if it lies on a seam.
    #[inline(always)]
    pub(super) fn at(&self, layer: &Layer, (column, row): (usize, usize)) -> Option<u32> {
        let (rows, columns) = self.layers[usize::from(layer.index())];
        let index = if row % TILE == 0 && row > 0 {
            rows + (row / TILE - 1) * layer.width() as usize + column
        } else if column % TILE == 0 && column > 0 {
            columns + (column / TILE - 1) * layer.height() as usize + row
        } else {
            return None;
        };
        Some(self.values[index])
    }

    pub(super) fn bytes(&self) -> usize {
        self.values.len() * size_of::<u32>() + self.layers.len() * size_of::<(usize, usize)>()
    }
}
