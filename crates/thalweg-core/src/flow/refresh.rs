//! Directions of single cells anew, after some costs-to-goal or exits changed.

use super::FlowField;
use super::extract::tight_portals;
use super::tight::still::why;
use crate::grid::{CellId, Direction, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::{EdgeKind, Movement, PortalIndex};

/// Writes the directions of one cell from finished costs-to-goal: what [`extract`](super::extract()) writes there, free
/// circles and portals apart.
pub(crate) fn refresh_cell(movement: &Movement, field: &IntegrationField, cell: CellId, out: &mut FlowField) {
    let value = field.raw_at(cell.index());
    let successors = if value > MAX_COST_TO_GOAL || is_sink(field, cell) {
        DirectionSet::EMPTY
    } else {
        tight_exits(movement, field, cell, value)
    };
    out.set(cell.index(), successors, why(value, movement.cost(cell)));
}

fn is_sink(field: &IntegrationField, cell: CellId) -> bool {
    field
        .sinks()
        .binary_search_by_key(&cell, |seed| seed.cell)
        .is_ok()
}

/// The portals of a cell with `cost + D[other end] = D[cell]`, if it is reached and no goal, with their other ends.
pub(super) fn tight_portals_with_ends<'a>(
    movement: &'a Movement,
    field: &'a IntegrationField,
    cell: CellId,
) -> impl Iterator<Item = (PortalIndex, CellId)> + 'a {
    let value = field.raw_at(cell.index());
    let edges = (value <= MAX_COST_TO_GOAL && !is_sink(field, cell)).then(|| movement.portals_of(cell));
    edges
        .into_iter()
        .flatten()
        .filter_map(move |edge| match edge.kind {
            EdgeKind::Portal(portal)
                if value.checked_sub(edge.cost) == Some(field.raw_at(edge.other.index())) =>
            {
                Some((portal, edge.other))
            }
            _ => None,
        })
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
