//! Directions of single cells anew, after some costs-to-goal or exits changed.

use super::FlowField;
use super::extract::tight_portals;
use super::tight::still::why;
use crate::grid::{CellId, Direction, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::Movement;

/// Writes the directions of one cell from finished costs-to-goal: what [`extract`](super::extract()) writes there, free
/// circles and portals apart.
pub(crate) fn refresh_cell(movement: &Movement, field: &IntegrationField, cell: CellId, out: &mut FlowField) {
    let value = field.raw_at(cell.index());
    let is_sink = value <= MAX_COST_TO_GOAL
        && field
            .sinks()
            .binary_search_by_key(&cell, |seed| seed.cell)
            .is_ok();
    let successors = if value > MAX_COST_TO_GOAL || is_sink {
        DirectionSet::EMPTY
    } else {
        tight_exits(movement, field, cell, value)
    };
    out.set(cell.index(), successors, why(value, movement.cost(cell)));
}

fn tight_exits(movement: &Movement, field: &IntegrationField, cell: CellId, value: u32) -> DirectionSet {
    let steps = movement.grid().id_steps();
    let is_tight = |direction: &Direction| {
        let next = steps.onward(cell, *direction);
        let step = movement.legal_step_cost(cell, *direction, next);
        value.checked_sub(step) == Some(field.raw_at(next.index()))
    };
    movement.exits(cell).iter().filter(is_tight).collect()
}

/// The tied best portals of the whole map anew; there are few.
pub(crate) fn refresh_portals(movement: &Movement, field: &IntegrationField, out: &mut FlowField) {
    out.portals.clear();
    tight_portals(movement, field, &mut out.portals);
}
