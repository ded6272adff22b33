//! The cells of a flow field in an order in which every cell comes after all its successors.
//!
//! Kahn's algorithm (1962) on the successor masks, backwards from the goals. Rejected: sorting by cost-to-goal. It needs
//! the hops where steps are free, and a sort; this is O(steps), needs the masks only, and is right wherever following
//! successors ends.

use super::upstream::Upstream;
use super::{FlowField, Guidance};
use crate::grid::CellId;
use crate::movement::{EdgeKind, Movement, PortalIndex};

/// Buffers of the passes that go through a field from the goals outward, reused from call to call.
#[derive(Debug, Default)]
pub struct OrderScratch {
    order: Vec<u32>,
    /// Successors of a cell that have not come yet.
    missing: Vec<u32>,
    /// For repairs.
    pub(super) upstream: Upstream,
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
        let steps = movement.grid().id_steps();
        self.order.clear();
        self.missing.clear();
        // At once: lists that double hold up to three times as much.
        self.order.reserve_exact(successors.len());
        self.missing.reserve_exact(successors.len());
        for (id, mask) in movement.grid().ids().zip(successors) {
            self.missing.push(mask.len());
            if mask.is_empty() && flow.guidance(id) == Guidance::Goal {
                self.order.push(id.0);
            }
        }
        for &(cell, _) in &flow.portals {
            self.missing[cell.index()] += 1;
        }
        let mut done = 0;
        while let Some(&cell) = self.order.get(done) {
            done += 1;
            if movement.is_plain() {
                for direction in movement.entries(CellId(cell)) {
                    let from = steps.back(CellId(cell), direction);
                    if successors[from.index()].contains(direction) {
                        self.count_down(from.0);
                    }
                }
                continue;
            }
            for edge in movement.edges_into(CellId(cell)) {
                let is_successor = match edge.kind {
                    EdgeKind::Step(direction) => successors[edge.other.index()].contains(direction),
                    EdgeKind::Portal(portal) => {
                        flow.portal_successors(edge.other).any(|other| other == portal)
                    }
                };
                if is_successor {
                    self.count_down(edge.other.0);
                }
            }
        }
        &self.order
    }

    /// One successor of a cell has come; the last one lets the cell come.
    fn count_down(&mut self, cell: u32) {
        let missing = &mut self.missing[cell as usize];
        *missing -= 1;
        if *missing == 0 {
            self.order.push(cell);
        }
    }
}

/// Where a portal leads from a cell.
pub(super) fn portal_target(movement: &Movement, from: CellId, portal: PortalIndex) -> Option<CellId> {
    movement
        .edges_from(from)
        .find(|edge| edge.kind == EdgeKind::Portal(portal))
        .map(|edge| edge.other)
}
