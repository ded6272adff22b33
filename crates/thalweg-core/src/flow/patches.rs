//! Directions of free ground anew, where some cells of it are not what they were.

use super::field::portals_at;
use super::refresh::{refresh_cell, tight_portals_with_ends};
use super::{FlowField, FlowScratch};
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::Movement;

/// Breadth-first, backwards over free edges between cells of equal cost, from the cells without hops in `open`.
fn spread(
    movement: &Movement,
    field: &IntegrationField,
    hops: &mut [u32],
    open: &mut Vec<u32>,
    next: &mut Vec<u32>,
) {
    let mut depth = 0;
    while !open.is_empty() {
        depth += 1;
        next.clear();
        for &cell in open.iter() {
            for edge in movement.edges_into(CellId(cell)) {
                let from = edge.other.index();
                let is_level = field.raw_at(from) == field.raw_at(cell as usize);
                if edge.cost == 0 && is_level && hops[from] == u32::MAX {
                    hops[from] = depth;
                    next.push(edge.other.0);
                }
            }
        }
        core::mem::swap(open, next);
    }
}

/// Writes the directions of refreshed cells anew where steps may cost nothing, and of all cells whose hops may differ with
/// them: what [`extract`](super::extract()) writes there. `refreshed` are the cells whose cost-to-goal or outgoing edges
/// differ, and those that an edge leads from to a cell whose cost-to-goal does; all of them must be marked with `mark` in
/// `marks`. Cells whose directions differ besides are marked too and put behind them.
///
/// Hops count free steps between cells of equal cost-to-goal, so they are a matter of the patch that such steps join: patches
/// without a refreshed cell have the hops they had. Looks at no more than `most` cells; `None` if there are more, and then
/// `out` has to be extracted anew. Returns how many it looked at.
pub(crate) fn refresh_patches(
    movement: &Movement,
    field: &IntegrationField,
    (marks, mark): (&mut [u8], u8),
    refreshed: &mut Vec<u32>,
    most: usize,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) -> Option<usize> {
    let FlowScratch {
        patch_hops: hops,
        open,
        next,
        patch,
        ..
    } = scratch;
    if hops.len() != field.grid().len() {
        hops.clear();
        hops.resize(field.grid().len(), NOT_HERE);
    }
    patch.clear();
    for &cell in refreshed.iter() {
        if hops[cell as usize] == NOT_HERE {
            hops[cell as usize] = u32::MAX;
            patch.push(cell);
        }
    }
    let is_whole = flood(movement, field, hops, patch, most);
    let result = is_whole.then(|| {
        let value = |cell: CellId| field.raw_at(cell.index());
        let old_portals = core::mem::take(&mut out.portals);
        let old_masks: Vec<DirectionSet> = patch
            .iter()
            .map(|&cell| out.successors.get(cell as usize))
            .collect();
        for &cell in patch.iter() {
            refresh_cell(movement, field, CellId(cell), out);
        }
        // The same as for the whole map, with the cells of the patches alone.
        open.clear();
        for &cell in patch.iter() {
            let id = CellId(cell);
            if value(id) > MAX_COST_TO_GOAL {
                continue;
            }
            let is_sink = out.successors.get(id.index()).is_empty()
                && tight_portals_with_ends(movement, field, id).next().is_none();
            let pays = || {
                movement
                    .edges_from(id)
                    .any(|edge| edge.cost > 0 && value(id).checked_sub(edge.cost) == Some(value(edge.other)))
            };
            if is_sink || pays() {
                hops[id.index()] = 0;
                open.push(cell);
            }
        }
        spread(movement, field, hops, open, next);
        let lowers = |from: CellId, to: CellId| {
            value(to) < value(from) || value(to) == value(from) && hops[to.index()] < hops[from.index()]
        };
        let steps = movement.grid().id_steps();
        for &cell in patch.iter() {
            let id = CellId(cell);
            let tight = out.successors.get(id.index());
            let kept = tight
                .iter()
                .filter(|&direction| lowers(id, steps.onward(id, direction)))
                .collect();
            if kept != tight {
                out.successors.set(id.index(), kept);
            }
        }
        for from in movement.portal_cells() {
            let before = portals_at(&old_portals, from);
            if hops[from.index()] == NOT_HERE {
                out.portals.extend_from_slice(before);
                continue;
            }
            let first = out.portals.len();
            let tight = tight_portals_with_ends(movement, field, from).filter(|&(_, to)| lowers(from, to));
            out.portals.extend(tight.map(|(portal, _)| (from, portal)));
            if out.portals[first..] != *before && marks[from.index()] & mark == 0 {
                marks[from.index()] |= mark;
                refreshed.push(from.0);
            }
        }
        for (&cell, &old) in patch.iter().zip(&old_masks) {
            let at = cell as usize;
            if out.successors.get(at) != old && marks[at] & mark == 0 {
                marks[at] |= mark;
                refreshed.push(cell);
            }
        }
        patch.len()
    });
    for &cell in patch.iter() {
        hops[cell as usize] = NOT_HERE;
    }
    result
}

/// Stands for the hops of cells of other patches.
const NOT_HERE: u32 = u32::MAX - 1;

/// Adds the cells that free edges between cells of equal cost-to-goal join to those of a patch, in either direction; false
/// if there are more than `most`.
fn flood(
    movement: &Movement,
    field: &IntegrationField,
    hops: &mut [u32],
    patch: &mut Vec<u32>,
    most: usize,
) -> bool {
    let mut done = 0;
    while let Some(&cell) = patch.get(done) {
        done += 1;
        let id = CellId(cell);
        let value = field.raw_at(id.index());
        if value > MAX_COST_TO_GOAL {
            continue;
        }
        for edge in movement.edges_from(id).chain(movement.edges_into(id)) {
            let other = edge.other.index();
            if edge.cost == 0 && field.raw_at(other) == value && hops[other] == NOT_HERE {
                hops[other] = u32::MAX;
                patch.push(edge.other.0);
            }
        }
        if patch.len() > most {
            return false;
        }
    }
    true
}
