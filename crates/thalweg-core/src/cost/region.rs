//! Rectangles of cells that changed.

use crate::grid::{Cell, CellId, Grid, Layer, LayerIndex};

/// A rectangle of columns and rows of one layer, half-open, that holds every cell that changed there.
///
/// Columns and rows are counted from the first cell of the layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DirtyRegion {
    /// The layer.
    pub layer: LayerIndex,
    /// First column and first row.
    pub min: (u32, u32),
    /// One past the last column and row.
    pub max: (u32, u32),
}

impl DirtyRegion {
    /// A region for each layer that holds all its cells: what a caller updates when a table changed and not the map.
    pub fn whole(grid: &Grid) -> impl Iterator<Item = Self> + '_ {
        grid.layers().iter().map(|layer| Self {
            layer: layer.index(),
            min: (0, 0),
            max: (layer.width(), layer.height()),
        })
    }

    /// The region of one cell, or `None` outside the grid.
    #[must_use]
    pub fn of_cell(grid: &Grid, cell: Cell) -> Option<Self> {
        let (column, row) = grid.column_row(cell)?;
        Some(Self {
            layer: cell.layer,
            min: (column, row),
            max: (column + 1, row + 1),
        })
    }

    /// The smallest region that holds both, or `None` if they are on different layers.
    #[must_use]
    pub fn join(self, other: Self) -> Option<Self> {
        (self.layer == other.layer).then(|| Self {
            layer: self.layer,
            min: (self.min.0.min(other.min.0), self.min.1.min(other.min.1)),
            max: (self.max.0.max(other.max.0), self.max.1.max(other.max.1)),
        })
    }

    /// Adds a region to a list that holds at most one for each layer, in the order of layers.
    pub(super) fn add_to(self, regions: &mut Vec<Self>) {
        match regions.binary_search_by_key(&self.layer, |region| region.layer) {
            Ok(at) => {
                if let Some(joined) = regions[at].join(self) {
                    regions[at] = joined;
                }
            }
            Err(at) => regions.insert(at, self),
        }
    }

    /// Whether the cell lies in the region.
    #[must_use]
    pub fn contains(&self, grid: &Grid, id: CellId) -> bool {
        let layer = grid.layer_of(id);
        let (column, row) = grid.column_row_of(id);
        self.layer == layer.index()
            && (self.min.0..self.max.0).contains(&column)
            && (self.min.1..self.max.1).contains(&row)
    }

    /// The region with `cells` more cells on every side, as far as its layer reaches.
    ///
    /// What a cell's neighbours have at stake (edges, corners) changes one cell further out than the cell itself.
    #[must_use]
    pub fn expanded(self, cells: u32, grid: &Grid) -> Self {
        let (width, height) = self.sides(grid);
        Self {
            layer: self.layer,
            min: (self.min.0.saturating_sub(cells), self.min.1.saturating_sub(cells)),
            max: (
                self.max.0.saturating_add(cells).min(width),
                self.max.1.saturating_add(cells).min(height),
            ),
        }
    }

    /// The ids of the region's cells, row by row; what lies outside the grid is left out.
    pub fn ids(self, grid: &Grid) -> impl Iterator<Item = CellId> + use<> {
        let layer: Option<Layer> = grid.layer(self.layer).copied();
        let (width, height) = self.sides(grid);
        let columns = self.min.0..self.max.0.min(width);
        (self.min.1..self.max.1.min(height)).flat_map(move |row| {
            columns
                .clone()
                .filter_map(move |column| layer.and_then(|layer| layer.id_at(column, row)))
        })
    }

    fn sides(&self, grid: &Grid) -> (u32, u32) {
        grid.layer(self.layer)
            .map_or((0, 0), |layer| (layer.width(), layer.height()))
    }
}
