//! Where a crowd gets on: how often agents came nearer to their goals of late, per block of the map.
//!
//! An agent that waits in a queue is not stuck while the queue moves. So whether a group is stuck is asked of places: of
//! those who want to move around here, how many have come nearer to their goals than ever before? Asking whether *anybody*
//! has was rejected: in a crowd of hundreds that turn in circles somebody now and then does.

use thalweg_core::grid::{CellId, Grid};

/// Side of a block, in cells.
const SIDE: u32 = 16;
/// A place gets on if in two windows together at least every so-manieth agent that wants to move came nearer.
const SHARE: u32 = 4;

#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// Agents that came nearer in this window, and in the one before.
    now: u32,
    before: u32,
    /// Agents that want to move, in this tick.
    wanting: u32,
}

/// What happened of late, by block.
#[derive(Clone, Debug)]
pub(super) struct Headway {
    /// Where the blocks of each layer begin, and how many there are in a row.
    layers: Vec<(u32, u32)>,
    blocks: Vec<Block>,
    /// When this window began.
    began: u64,
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
            blocks: vec![Block::default(); blocks as usize],
            began: 0,
        }
    }

    /// Begins a tick, and a window if the last one has lasted so many ticks.
    pub(super) fn begin(&mut self, tick: u64, window: u16) {
        let is_over = self.began + u64::from(window) <= tick;
        for block in &mut self.blocks {
            block.wanting = 0;
            if is_over {
                block.before = core::mem::take(&mut block.now);
            }
        }
        if is_over {
            self.began = tick;
        }
    }

    fn place(&self, grid: &Grid, cell: CellId) -> (u32, u32, u32, u32) {
        let layer = grid.layer_of(cell);
        let (column, row) = grid.column_row_of(cell);
        let (first, per_row) = self.layers[usize::from(layer.index())];
        (column / SIDE, row / SIDE, first, per_row)
    }

    /// Somebody on this cell wants to move, and came nearer than ever or did not.
    pub(super) fn note(&mut self, grid: &Grid, cell: CellId, is_nearer: bool) {
        let (column, row, first, per_row) = self.place(grid, cell);
        let block = &mut self.blocks[(first + row * per_row + column) as usize];
        block.wanting += 1;
        block.now += u32::from(is_nearer);
    }

    /// Whether those in the block of a cell and beside it hardly get on; after all of the tick were noted.
    pub(super) fn is_stalled(&self, grid: &Grid, cell: CellId) -> bool {
        let (column, row, first, per_row) = self.place(grid, cell);
        let rows = grid.layer_of(cell).height().div_ceil(SIDE);
        let (mut nearer, mut wanting) = (0, 0);
        for row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
            for column in column.saturating_sub(1)..=(column + 1).min(per_row - 1) {
                let block = &self.blocks[(first + row * per_row + column) as usize];
                nearer += block.now + block.before;
                wanting += block.wanting;
            }
        }
        nearer * SHARE < wanting
    }

    /// Whether those on the whole map hardly get on.
    pub(super) fn is_stalled_everywhere(&self) -> bool {
        let nearer: u32 = self.blocks.iter().map(|block| block.now + block.before).sum();
        let wanting: u32 = self.blocks.iter().map(|block| block.wanting).sum();
        nearer * SHARE < wanting
    }

    pub(super) fn hash_into(&self, hasher: &mut crate::hash::Hasher) {
        hasher.u64(self.began);
        for block in &self.blocks {
            hasher.u32(block.now);
            hasher.u32(block.before);
        }
    }
}
