//! Keeps directions from going round in a circle where steps may cost nothing.

use super::{FlowField, FlowScratch};
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::{EdgeKind, Movement};

/// Takes out edges that do not lower (D, hops), so that following directions always ends.
pub(super) fn break_free_circles(
    movement: &Movement,
    field: &IntegrationField,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    let values = field.raw();
    let steps = movement.grid().id_steps();
    let FlowScratch { hops, open, next } = scratch;
    hops.clear();
    hops.resize(values.len(), u32::MAX);
    open.clear();
    // Cells from which a paid edge leads on, and goals, have no hops to go.
    for (cell, &value) in (0u32..).zip(values) {
        if value > MAX_COST_TO_GOAL {
            continue;
        }
        let id = CellId(cell);
        let tight = out.successors.get(id.index());
        let is_sink = tight.is_empty() && out.portals_at(id).is_empty();
        let pays = || {
            movement
                .edges_from(id)
                .any(|edge| edge.cost > 0 && value.checked_sub(edge.cost) == Some(values[edge.other.index()]))
        };
        if is_sink || pays() {
            hops[cell as usize] = 0;
            open.push(cell);
        }
    }
    // Breadth-first, backwards over free edges between cells of equal cost.
    let mut depth = 0;
    while !open.is_empty() {
        depth += 1;
        next.clear();
        for &cell in open.iter() {
            for edge in movement.edges_into(CellId(cell)) {
                let from = edge.other.index();
                if edge.cost == 0 && values[from] == values[cell as usize] && hops[from] == u32::MAX {
                    hops[from] = depth;
                    next.push(edge.other.0);
                }
            }
        }
        core::mem::swap(open, next);
    }
    let lowers = |from: usize, to: usize| values[to] < values[from] || hops[to] < hops[from];
    let cells = values.len();
    let successors = out.successors.resize(cells, DirectionSet::EMPTY);
    for (cell, tight) in (0u32..).zip(successors.iter_mut()) {
        *tight = tight
            .iter()
            .filter(|&direction| lowers(cell as usize, steps.onward(CellId(cell), direction).index()))
            .collect();
    }
    out.portals.retain(|&(cell, portal)| {
        let taken = movement
            .edges_from(cell)
            .find(|edge| edge.kind == EdgeKind::Portal(portal));
        taken.is_some_and(|edge| lowers(cell.index(), edge.other.index()))
    });
}
