//! Where a crowd gets on: the tick of the last progress per block of the map.
//!
//! An agent that waits in a queue is not stuck while the queue moves, however slowly it does. So whether a group is stuck is
//! asked of places: has anybody around here come nearer to a goal than ever before?

use thalweg_core::grid::{CellId, Grid};

/// Side of a block, in cells.
const SIDE: u32 = 16;

/// The tick of the last progress, by block.
#[derive(Clone, Debug)]
pub(super) struct Headway {
    /// Where the blocks of each layer begin, and how many there are in a row.
    layers: Vec<(u32, u32)>,
    ticks: Vec<u64>,
}

impl Headway {
    pub(super) fn new(grid: &Grid) -> Self {
        let mut blocks = 0;
        let layers = grid.layers().iter().map(|layer| {
            let (first, row) = (blocks, layer.width().div_ceil(SIDE));
            blocks += row * layer.height().div_ceil(SIDE);
            (first, row)
        });
        let layers = layers.collect();
        Self {
            layers,
            ticks: vec![0; blocks as usize],
        }
    }

    fn block(&self, grid: &Grid, cell: CellId) -> (u32, u32, u32, u32) {
        let layer = grid.layer_of(cell);
        let (column, row) = grid.column_row_of(cell);
        let (first, per_row) = self.layers[usize::from(layer.index())];
        (column / SIDE, row / SIDE, first, per_row)
    }

    /// Somebody on this cell got on.
    pub(super) fn note(&mut self, grid: &Grid, cell: CellId, tick: u64) {
        let (column, row, first, per_row) = self.block(grid, cell);
        self.ticks[(first + row * per_row + column) as usize] = tick;
    }

    /// The last tick in which anybody got on in the block of a cell or beside it.
    pub(super) fn last(&self, grid: &Grid, cell: CellId) -> u64 {
        let (column, row, first, per_row) = self.block(grid, cell);
        let rows = grid.layer_of(cell).height().div_ceil(SIDE);
        let mut last = 0;
        for row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(per_row - 1) {
                last = last.max(self.ticks[(first + row * per_row + column) as usize]);
            }
        }
        last
    }
}
