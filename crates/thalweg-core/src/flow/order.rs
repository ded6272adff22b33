//! The cells of a flow field in an order in which every cell comes after all its successors.
//!
//! Kahn's algorithm (1962) on the successor masks, backwards from the goals. Rejected: sorting by cost-to-goal. It needs
//! the hops where steps are free, and a sort; this is O(steps), needs the masks only, and is right wherever following
//! successors ends.

use super::{FlowField, Guidance};
use crate::grid::CellId;
use crate::movement::Movement;

/// Buffers of the passes that go through a field from the goals outward, reused from call to call.
#[derive(Debug, Default)]
pub struct OrderScratch {
    order: Vec<u32>,
    /// Successors of a cell that have not come yet.
    missing: Vec<u8>,
}

impl OrderScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The goal cells in id order, then every other cell that has a direction, each after all its successors.
    pub(super) fn downhill_last(&mut self, movement: &Movement, flow: &FlowField) -> &[u32] {
        let successors = flow.all_successors();
        let offsets = movement.grid().id_offsets();
        self.order.clear();
        self.missing.clear();
        for (id, mask) in movement.grid().ids().zip(successors) {
            // At most eight bits are set.
            self.missing.push(u8::try_from(mask.len()).unwrap_or(u8::MAX));
            if mask.is_empty() && flow.guidance(id) == Guidance::Goal {
                self.order.push(id.0);
            }
        }
        let mut done = 0;
        while let Some(&cell) = self.order.get(done) {
            done += 1;
            for direction in movement.entries(CellId(cell)) {
                let from = cell.wrapping_add_signed(-offsets[direction.index()]);
                if successors[from as usize].contains(direction) {
                    let missing = &mut self.missing[from as usize];
                    *missing -= 1;
                    if *missing == 0 {
                        self.order.push(from);
                    }
                }
            }
        }
        &self.order
    }
}
