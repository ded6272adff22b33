//! Which cells are in which tile.

use super::SIDE;
use crate::grid::{CellId, Grid, Layer};

/// A tile's place in the list of all tiles.
pub(super) type TileIndex = usize;

/// The tiles of a map: those of a layer row by row, layer after layer.
#[derive(Clone, Debug, Default)]
pub(super) struct TileMap {
    layers: Vec<LayerTiles>,
    len: usize,
}

#[derive(Clone, Debug)]
struct LayerTiles {
    layer: Layer,
    first: TileIndex,
    across: usize,
    down: usize,
}

/// Where a tile lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub(super) layer: &'a Layer,
    /// Column and row of its first cell.
    pub(super) at: (u32, u32),
    /// Column and row of the tile among the tiles of its layer.
    tile: (usize, usize),
    tiles: &'a LayerTiles,
}

impl TileMap {
    pub(super) fn reset(&mut self, grid: &Grid) {
        self.layers.clear();
        self.len = 0;
        for layer in grid.layers() {
            let across = layer.width().div_ceil(SIDE as u32) as usize;
            let down = layer.height().div_ceil(SIDE as u32) as usize;
            self.layers.push(LayerTiles {
                layer: *layer,
                first: self.len,
                across,
                down,
            });
            self.len += across * down;
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn place(&self, tile: TileIndex) -> Place<'_> {
        let at = self.layers.partition_point(|layer| layer.first <= tile) - 1;
        let tiles = &self.layers[at];
        let (column, row) = (
            (tile - tiles.first) % tiles.across,
            (tile - tiles.first) / tiles.across,
        );
        Place {
            layer: &tiles.layer,
            // Below the sides of the layer.
            at: ((column * SIDE) as u32, (row * SIDE) as u32),
            tile: (column, row),
            tiles,
        }
    }

    /// The tile of a cell, and the cell's column and row in it.
    pub(super) fn locate(&self, grid: &Grid, id: CellId) -> (TileIndex, (usize, usize)) {
        let layer = usize::from(grid.layer_of(id).index());
        let (column, row) = grid.column_row_of(id);
        let (column, row) = (column as usize, row as usize);
        let tiles = &self.layers[layer];
        let tile = tiles.first + row / SIDE * tiles.across + column / SIDE;
        (tile, (column % SIDE, row % SIDE))
    }
}

impl Place<'_> {
    /// The tile beside it on the same layer.
    pub(super) fn beside(&self, dx: isize, dy: isize) -> Option<TileIndex> {
        let column = self.tile.0.checked_add_signed(dx)?;
        let row = self.tile.1.checked_add_signed(dy)?;
        (column < self.tiles.across && row < self.tiles.down)
            .then(|| self.tiles.first + row * self.tiles.across + column)
    }
}
