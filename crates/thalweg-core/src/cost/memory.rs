//! What a cost field takes.

use crate::grid::Grid;
use crate::memory::{MemoryEstimate, MemoryPart};

/// The bytes a cost field of a grid holds: one a cell, and an eighth where cells are unknown.
#[must_use]
pub fn estimate_memory(grid: &Grid, has_unknown: bool) -> MemoryEstimate {
    let cells = grid.len() as u64;
    let unknown = if has_unknown { 8 * cells.div_ceil(64) } else { 0 };
    MemoryEstimate::new().with(MemoryPart::Costs, cells + unknown)
}
