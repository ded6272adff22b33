//! What directions and what follows from them take.

use crate::memory::{MemoryEstimate, MemoryPart};
use crate::movement::Movement;

/// The bytes that extracting directions takes at its peak, the flow field included: 1.25 a cell, and where steps may cost
/// nothing, up to twelve more.
#[must_use]
pub fn estimate_memory(movement: &Movement) -> MemoryEstimate {
    let cells = movement.grid().len() as u64;
    let hops = if movement.has_zero_steps() { 12 * cells } else { 0 };
    // Portals taken, in a list that has just grown; parts of the work.
    let portals = 32 * movement.portal_cells().count() as u64 + 4096;
    MemoryEstimate::new().with(MemoryPart::Directions, cells + cells.div_ceil(4) + hops + portals)
}

/// The bytes that looking ahead takes at its peak, the headings included: 4 a cell, and 28 while they are made.
#[must_use]
pub fn estimate_heading_memory(movement: &Movement) -> MemoryEstimate {
    let cells = movement.grid().len() as u64;
    MemoryEstimate::new().with(MemoryPart::Headings, 32 * cells)
}

/// The bytes that looking ahead takes beside [`estimate_heading_memory`] where ways are kept for repairs
/// ([`HeadingOptions::keeps_ways`](super::HeadingOptions::keeps_ways)): 20 a cell.
#[must_use]
pub fn estimate_kept_ways_memory(movement: &Movement) -> MemoryEstimate {
    let cells = movement.grid().len() as u64;
    MemoryEstimate::new().with(MemoryPart::Headings, 20 * cells)
}

/// The bytes that measuring ways takes at its peak, the lengths included: 8 a cell, and 8 while they are made.
#[must_use]
pub fn estimate_length_memory(movement: &Movement) -> MemoryEstimate {
    let cells = movement.grid().len() as u64;
    MemoryEstimate::new().with(MemoryPart::Lengths, 16 * cells)
}
