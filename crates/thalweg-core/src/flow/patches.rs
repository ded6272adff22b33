//! Directions of free ground anew, where some cells of it are not what they were.

use super::field::portals_at;
use super::refresh::{refresh_cell, tight_portals_with_ends};
use super::{FlowField, FlowScratch};
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::{Movement, PortalIndex};

/// Stands for the hops of cells of other patches.
const NOT_HERE: u32 = u32::MAX - 1;

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
    let ground = FreeGround { movement, field };
    let looked_at = ground.flood(refreshed, hops, patch, most).then(|| {
        let masks: Vec<DirectionSet> = patch
            .iter()
            .map(|&cell| out.successors.get(cell as usize))
            .collect();
        let portals = core::mem::take(&mut out.portals);
        for &cell in patch.iter() {
            refresh_cell(movement, field, CellId(cell), out);
        }
        ground.count_hops(patch, hops, (open, next), out);
        let mut differs = |cell: u32| {
            if marks[cell as usize] & mark == 0 {
                marks[cell as usize] |= mark;
                refreshed.push(cell);
            }
        };
        ground.keep_lowering_portals(&portals, hops, out, &mut differs);
        for (&cell, &before) in patch.iter().zip(&masks) {
            if ground.keep_lowering(CellId(cell), hops, out) != before {
                differs(cell);
            }
        }
        patch.len()
    });
    for &cell in patch.iter() {
        hops[cell as usize] = NOT_HERE;
    }
    looked_at
}

/// What decides hops.
#[derive(Clone, Copy)]
struct FreeGround<'a> {
    movement: &'a Movement,
    field: &'a IntegrationField,
}

impl FreeGround<'_> {
    fn value(&self, cell: CellId) -> u32 {
        self.field.raw_at(cell.index())
    }

    /// Fills the patch with cells, and with those that free edges between cells of equal cost-to-goal join to them, in
    /// either direction; false if there are more than `most`.
    fn flood(&self, from: &[u32], hops: &mut [u32], patch: &mut Vec<u32>, most: usize) -> bool {
        let Self { movement, .. } = *self;
        let mut add = |cell: u32, patch: &mut Vec<u32>| {
            let hops = &mut hops[cell as usize];
            if *hops == NOT_HERE {
                *hops = u32::MAX;
                patch.push(cell);
            }
        };
        for &cell in from {
            add(cell, patch);
        }
        let mut done = 0;
        while let Some(&cell) = patch.get(done) {
            done += 1;
            let id = CellId(cell);
            let value = self.value(id);
            if value > MAX_COST_TO_GOAL {
                continue;
            }
            for edge in movement.edges_from(id).chain(movement.edges_into(id)) {
                if edge.cost == 0 && self.value(edge.other) == value {
                    add(edge.other.0, patch);
                }
            }
            if patch.len() > most {
                return false;
            }
        }
        true
    }

    /// As for the whole map, with the cells of the patch alone. `out` has all exits that keep the least cost.
    fn count_hops(
        &self,
        patch: &[u32],
        hops: &mut [u32],
        (open, next): (&mut Vec<u32>, &mut Vec<u32>),
        out: &FlowField,
    ) {
        let Self { movement, field } = *self;
        open.clear();
        for &cell in patch {
            let id = CellId(cell);
            let value = self.value(id);
            if value > MAX_COST_TO_GOAL {
                continue;
            }
            let is_sink = out.successors(id).is_empty()
                && tight_portals_with_ends(movement, field, id).next().is_none();
            let pays = || {
                movement
                    .edges_from(id)
                    .any(|edge| edge.cost > 0 && value.checked_sub(edge.cost) == Some(self.value(edge.other)))
            };
            if is_sink || pays() {
                hops[id.index()] = 0;
                open.push(cell);
            }
        }
        let mut depth = 0;
        while !open.is_empty() {
            depth += 1;
            next.clear();
            for &cell in open.iter() {
                for edge in movement.edges_into(CellId(cell)) {
                    let is_level = edge.cost == 0 && self.value(edge.other) == self.value(CellId(cell));
                    let hops = &mut hops[edge.other.index()];
                    if is_level && *hops == u32::MAX {
                        *hops = depth;
                        next.push(edge.other.0);
                    }
                }
            }
            core::mem::swap(open, next);
        }
        // The last level stands there; whoever uses the buffers next may not expect it.
        next.clear();
    }

    /// Whether an edge that keeps the least cost lowers (D, hops). Where it is free, both ends are of one patch.
    fn lowers(&self, hops: &[u32], from: CellId, to: CellId) -> bool {
        self.value(to) < self.value(from) || hops[to.index()] < hops[from.index()]
    }

    /// Takes the successors of a cell out that do not lower; returns those that stay.
    fn keep_lowering(&self, cell: CellId, hops: &[u32], out: &mut FlowField) -> DirectionSet {
        let steps = self.movement.grid().id_steps();
        let tight = out.successors(cell);
        let kept = tight
            .iter()
            .filter(|&direction| self.lowers(hops, cell, steps.onward(cell, direction)))
            .collect();
        if kept != tight {
            out.successors.set(cell.index(), kept);
        }
        kept
    }

    /// Puts the list of portals together: of the cells of the patch anew, of all others as they were.
    fn keep_lowering_portals(
        &self,
        before: &[(CellId, PortalIndex)],
        hops: &[u32],
        out: &mut FlowField,
        differs: &mut impl FnMut(u32),
    ) {
        for cell in self.movement.portal_cells() {
            let before = portals_at(before, cell);
            if hops[cell.index()] == NOT_HERE {
                out.portals.extend_from_slice(before);
                continue;
            }
            let first = out.portals.len();
            let tight = tight_portals_with_ends(self.movement, self.field, cell);
            let kept = tight.filter(|&(_, to)| self.lowers(hops, cell, to));
            out.portals.extend(kept.map(|(portal, _)| (cell, portal)));
            if out.portals[first..] != *before {
                differs(cell.0);
            }
        }
    }
}
