//! The tile engine: blocks of 32 × 32 cells, each relaxed to its fixpoint in cache, in order of what waits at their rims.
//!
//! With whole-number costs cost-to-goal is the least fixpoint of "a cell costs no more than a step and the cell it leads to",
//! and any order of relaxation ends in the same bits; so tiles may be worked in any order, with vectors, by any number of
//! threads. A tile that lowered cells at its rim tells the tiles beside it, with the least of those costs; the tile with the
//! least waiting cost is next, which on most maps is late enough that a tile is worked two to four times. A tile is told
//! only what can be news to it: a cell beside it that is not below all it touches lowers nothing.
//!
//! Cells pull along their own exits, so one-way borders need nothing special. A portal is an exit that leads elsewhere: a
//! tile that lowered a cell at the far end of one offers the sum to the near end.
//!
//! Rejected: letting a visit spread only what is below the waiting cost plus a slice, the rest to wait. It is what keeps a
//! cell-by-cell engine from working ahead of itself; where a whole row costs as much as one cell it saves no row and adds
//! visits (`benches/README.md`).

#[cfg(feature = "vectors")]
mod by_rows;
mod exchange;
#[cfg(feature = "vectors")]
mod lanes;
mod lowered;
mod map;
mod maze;
mod news;
mod output;
mod packing;
mod prices;
mod queue;
#[cfg(feature = "vectors")]
mod relax;
mod slots;
mod solve;
mod stepped;
mod tile;
mod visit;
mod wanted;

use crate::movement::StepScale;

pub(super) use packing::Packing;
pub(super) use solve::{Outcome, Task, TileScratch, memory, run};
pub(super) use stepped::{LARGEST_VISIT, Standing, SteppedTiles};
pub(super) use tile::MAZE_EXITS;

/// The side of a tile in cells: two of the widest vectors, and a bit per row and column in 32-bit masks.
const SIDE: usize = 32;
const SIDE_U32: u32 = 32;

/// The cost of cells that nothing has reached. It and the steps of a whole row together fit 32 bits.
const NONE: u32 = (1 << 31) - 1;

/// No cost above this is kept. It and the dearest steps of a whole row together are below [`NONE`], so that what is beyond
/// can be told from what is unreached.
const LARGEST: u32 = 1 << 30;

const _: () = {
    let dearest_step = 2 * 254 * StepScale::MAX_STRAIGHT;
    assert!(LARGEST + SIDE_U32 * dearest_step < NONE);
    assert!(LARGEST + 2 * dearest_step < NONE);
};
