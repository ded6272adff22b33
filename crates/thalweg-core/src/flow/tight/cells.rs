//! Tight exits cell by cell: what the faster ways are compared with.

use super::Tight;
use crate::grid::{CellId, Direction, DirectionSet};
use crate::integrate::MAX_COST_TO_GOAL;
use crate::movement::{ChargeRule, EdgeKind};

impl Tight<'_> {
    pub(super) fn fill_by_cells<C: ChargeRule>(&self, first: usize, successors: &mut [DirectionSet]) {
        for (layer, cells) in self.in_layers(first..first + successors.len()) {
            let offsets = layer.id_offsets();
            for cell in cells {
                successors[cell - first] = self.successors::<C>(cell, &offsets);
            }
        }
    }

    #[inline]
    pub(super) fn successors<C: ChargeRule>(&self, cell: usize, offsets: &[i32; 8]) -> DirectionSet {
        let value = self.values[cell];
        if value > MAX_COST_TO_GOAL {
            return DirectionSet::EMPTY;
        }
        let tight = |direction: &Direction| {
            let direction = direction.index();
            let next = cell.wrapping_add_signed(offsets[direction] as isize);
            let step = C::step(self.lengths[direction], self.costs[cell], self.costs[next]);
            is_tight(value, step, self.values[next])
        };
        self.exits[cell].iter().filter(tight).collect()
    }

    /// Edge by edge: for steps that cost something beside the charge of their cells.
    pub(super) fn fill_by_edges(&self, first: usize, successors: &mut [DirectionSet]) {
        for (cell, out) in (first..).zip(successors) {
            let value = self.values[cell];
            *out = DirectionSet::EMPTY;
            if value > MAX_COST_TO_GOAL {
                continue;
            }
            let edges = self.movement.edges_from(CellId::from_index(cell));
            *out = edges
                .filter_map(|edge| match edge.kind {
                    EdgeKind::Step(direction) => (value.checked_sub(edge.cost)
                        == Some(self.values[edge.other.index()]))
                    .then_some(direction),
                    EdgeKind::Portal(_) => None,
                })
                .collect();
        }
    }
}

/// Compared as a difference: a neighbour that is not reached holds a value above every cost, which no difference can
/// equal, while a sum could wrap onto one.
#[inline(always)]
pub(super) const fn is_tight(value: u32, step: u32, next: u32) -> bool {
    (value.wrapping_sub(step) == next) & (step <= value)
}
