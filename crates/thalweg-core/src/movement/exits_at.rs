//! The exits of one anchor, by the rules that passes over a whole map go by (`compile.rs`, `directed.rs`).
//!
//! Rejected: having the passes ask here, cell by cell. They take eight rows at a time in vectors; that both say the same of
//! every cell is what the tests of recompiling look at.

use super::directed::Directed;
use super::{Connectivity, CornerRule, MovementProfile};
use crate::grid::{CellId, DIRECTIONS, Direction, DirectionSet, Grid, Layer};
use crate::shared_cells::SharedCells;

/// What the exits of an anchor follow from.
pub(super) struct ExitRules<'a> {
    pub(super) grid: &'a Grid,
    /// Of anchors.
    pub(super) costs: &'a SharedCells<u8>,
    pub(super) directed: Option<&'a Directed>,
    pub(super) profile: &'a MovementProfile,
}

impl ExitRules<'_> {
    pub(super) fn exits(&self, id: CellId) -> DirectionSet {
        let layer = self.grid.layer_of(id);
        let (column, row) = self.grid.column_row_of(id);
        if self.costs.get(id.index()) == 255 {
            return DirectionSet::EMPTY;
        }
        let free = DIRECTIONS
            .into_iter()
            .filter(|&direction| self.free_beside(layer, column, row, direction).is_some())
            .collect::<DirectionSet>();
        let open = self.open(id);
        let mut exits = free.intersection(open).intersection(DirectionSet::STRAIGHT);
        if self.profile.connectivity == Connectivity::Four {
            return exits;
        }
        let straight = exits;
        for diagonal in free.intersection(open) {
            let Some((vertical, horizontal)) = diagonal.sides() else {
                continue;
            };
            // The far cell is free, and so is the side cell where the first step leads.
            let detour = |first: Direction, second: Direction| {
                straight.contains(first)
                    && self.directed.is_none_or(|directed| {
                        let side = self.free_beside(layer, column, row, first);
                        side.is_some_and(|side| directed.open(side.index()).contains(second))
                    })
            };
            let allowed = match self.profile.corner_rule_in_force() {
                CornerRule::BothFree => detour(vertical, horizontal) && detour(horizontal, vertical),
                CornerRule::OneFree => detour(vertical, horizontal) || detour(horizontal, vertical),
                CornerRule::Always => true,
            };
            if allowed {
                exits = exits.with(diagonal);
            }
        }
        exits
    }

    fn open(&self, id: CellId) -> DirectionSet {
        self.directed
            .map_or(DirectionSet::ALL, |directed| directed.open(id.index()))
    }

    /// The neighbour in a direction, if a body may be on it.
    #[inline]
    fn free_beside(&self, layer: &Layer, column: u32, row: u32, direction: Direction) -> Option<CellId> {
        let (dx, dy) = direction.offset();
        // Beyond the first column or row is a number that no layer reaches.
        let (column, row) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
        layer
            .id_at(column, row)
            .filter(|id| self.costs.get(id.index()) != 255)
    }
}
