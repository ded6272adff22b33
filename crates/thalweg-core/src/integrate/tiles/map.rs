//! Which cells are in which tile.

use super::{SIDE, SIDE_U32};
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
    tile: (u32, u32),
    tiles: &'a LayerTiles,
}

impl TileMap {
    pub(super) fn reset(&mut self, grid: &Grid) {
        self.layers.clear();
        self.len = 0;
        for layer in grid.layers() {
            let across = layer_tiles(layer.width()) as usize;
            let down = layer_tiles(layer.height()) as usize;
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
        // Tiles of a layer are fewer than its cells.
        let of_layer = u32::try_from(tile - tiles.first).unwrap_or(u32::MAX);
        let across = layer_tiles(tiles.layer.width());
        let (column, row) = (of_layer % across, of_layer / across);
        Place {
            layer: &tiles.layer,
            at: (column * SIDE_U32, row * SIDE_U32),
            tile: (column, row),
            tiles,
        }
    }

    /// Column and row of a tile among the tiles of its layer.
    pub(super) fn column_row(&self, tile: TileIndex) -> (u32, u32) {
        self.place(tile).tile
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

/// How many tiles cover a side of a layer.
const fn layer_tiles(side: u32) -> u32 {
    side.div_ceil(SIDE_U32)
}

impl Place<'_> {
    /// The tile beside it on the same layer.
    pub(super) fn beside(&self, dx: isize, dy: isize) -> Option<TileIndex> {
        let column = (self.tile.0 as usize).checked_add_signed(dx)?;
        let row = (self.tile.1 as usize).checked_add_signed(dy)?;
        (column < self.tiles.across && row < self.tiles.down)
            .then(|| self.tiles.first + row * self.tiles.across + column)
    }
}
