//! Going upstream from cells that changed: each cell once, after all its successors.
//!
//! The order is that of (cost-to-goal, hops): every successor is lower in it. Rejected: Kahn's algorithm as in `order.rs`. It
//! counts the successors that have not come, and which of them come at all is known only when they have.

use super::{FlowField, Guidance};
use crate::grid::CellId;
use crate::integrate::IntegrationField;
use crate::movement::{EdgeKind, Movement};
use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// A finished field, its directions and the movement of both.
#[derive(Clone, Copy)]
pub(super) struct Stream<'a> {
    pub(super) movement: &'a Movement,
    pub(super) field: &'a IntegrationField,
    pub(super) flow: &'a FlowField,
}

impl Stream<'_> {
    /// The cells of which a cell is a successor, each with the edge that leads here.
    #[inline]
    pub(super) fn each_predecessor(&self, cell: u32, mut found: impl FnMut(u32, EdgeKind)) {
        let Self { movement, flow, .. } = *self;
        if movement.is_plain() {
            let steps = movement.grid().id_steps();
            for direction in movement.entries(CellId(cell)) {
                let from = steps.back(CellId(cell), direction);
                if flow.successors(from).contains(direction) {
                    found(from.0, EdgeKind::Step(direction));
                }
            }
            return;
        }
        for edge in movement.edges_into(CellId(cell)) {
            let is_successor = match edge.kind {
                EdgeKind::Step(direction) => flow.successors(edge.other).contains(direction),
                EdgeKind::Portal(portal) => flow.portal_successors(edge.other).any(|other| other == portal),
            };
            if is_successor {
                found(edge.other.0, edge.kind);
            }
        }
    }

    /// How many free steps a cell is from one with a paid way down, and so from a smaller cost-to-goal: where one successor
    /// costs nothing all do, and all have one hop less.
    fn hops(&self, cell: u32) -> u32 {
        let Self {
            movement,
            field,
            flow,
        } = *self;
        let (mut at, mut hops) = (CellId(cell), 0);
        loop {
            let next = match flow.guidance(at) {
                Guidance::Toward(direction) => movement.step_target(at, direction),
                Guidance::Through(portal) => super::order::portal_target(movement, at, portal),
                _ => None,
            };
            match next {
                Some(next) if field.raw_at(next.index()) == field.raw_at(at.index()) => at = next,
                _ => return hops,
            }
            hops += 1;
        }
    }
}

/// The cells to be made anew. Between repairs a byte for every cell of the map.
#[derive(Debug, Default)]
pub(super) struct Upstream {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    marks: Vec<u8>,
    marked: Vec<u32>,
    /// Cells that came, and free steps that were counted to find their order.
    pub(super) work: u64,
}

/// The cell is or was waiting.
const CAME: u8 = 1;
/// What a cell reads of this one may have changed.
const FLAGGED: u8 = 2;

impl Upstream {
    /// Forgets the last repair, in time that goes with what it touched.
    pub(super) fn restart(&mut self, cells: usize) {
        for cell in self.marked.drain(..) {
            self.marks[cell as usize] = 0;
        }
        self.marks.resize(cells, 0);
        self.heap.clear();
        self.work = 0;
    }

    /// Lets a cell wait for its turn.
    #[inline]
    pub(super) fn push(&mut self, stream: &Stream<'_>, cell: u32) {
        let mark = &mut self.marks[cell as usize];
        if *mark & CAME != 0 {
            return;
        }
        *mark |= CAME;
        self.marked.push(cell);
        let hops = if stream.movement.has_zero_steps() {
            stream.hops(cell)
        } else {
            0
        };
        self.work += u64::from(hops);
        let cost = u64::from(stream.field.raw_at(cell as usize));
        self.heap.push(Reverse((cost << 32 | u64::from(hops), cell)));
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        let Reverse((_, cell)) = self.heap.pop()?;
        self.work += 1;
        Some(cell)
    }

    /// Cells that have come or wait, each once.
    pub(super) const fn marked_len(&self) -> usize {
        self.marked.len()
    }

    /// Flags a cell that came.
    pub(super) fn flag(&mut self, cell: u32) {
        self.marks[cell as usize] |= FLAGGED;
    }

    pub(super) fn is_flagged(&self, cell: u32) -> bool {
        self.marks[cell as usize] & FLAGGED != 0
    }
}
