//! Keeps directions from going round in a circle where steps may cost nothing.

use super::field::portals_at;
use super::{FlowField, FlowScratch};
use crate::grid::{CellId, DirectionSet};
use crate::integrate::{IntegrationField, MAX_COST_TO_GOAL};
use crate::movement::{EdgeKind, Movement, PortalIndex};
use core::ops::Range;

/// Takes out edges that do not lower (D, hops), so that following directions always ends.
pub(super) fn break_free_circles(
    movement: &Movement,
    field: &IntegrationField,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    let circles = Circles {
        movement,
        values: field.raw(),
    };
    let all = 0..circles.values.len();
    let FlowScratch { hops, open, next, .. } = scratch;
    hops.clear();
    open.clear();
    next.clear();
    circles.begin_hops(all.clone(), out.successors.flat(), &out.portals, hops, open);
    let mut hopping = Hopping {
        open: core::mem::take(open),
        next: core::mem::take(next),
        ..Hopping::default()
    };
    circles.spread_hops(&mut hopping, hops, u64::MAX);
    (*open, *next) = (hopping.open, hopping.next);
    let successors = out.successors.resize(all.len(), DirectionSet::EMPTY);
    circles.keep_lowering(all, hops, successors);
    out.portals.retain(|portal| circles.portal_lowers(portal, hops));
}

/// The cells that have as many hops to go as the others that were found with them; may rest between two cells.
#[derive(Debug, Default)]
pub(super) struct Hopping {
    pub(super) open: Vec<u32>,
    next: Vec<u32>,
    /// How many of the open ones are done.
    done: usize,
    depth: u32,
    /// Cells done in all.
    pub(super) spread: u64,
}

/// What the search for circles reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circles<'a> {
    pub(super) movement: &'a Movement,
    pub(super) values: &'a [u32],
}

impl Circles<'_> {
    /// Adds the hops of the next cells, and opens those that have none to go: cells from which a paid edge leads on, and
    /// goals. Successors and portals are those that keep the least cost.
    pub(super) fn begin_hops(
        &self,
        cells: Range<usize>,
        successors: &[DirectionSet],
        portals: &[(CellId, PortalIndex)],
        hops: &mut Vec<u32>,
        open: &mut Vec<u32>,
    ) {
        let Self { movement, values } = *self;
        hops.resize(cells.end, u32::MAX);
        for id in cells.map(CellId::from_index) {
            let value = values[id.index()];
            if value > MAX_COST_TO_GOAL {
                continue;
            }
            let is_sink = successors[id.index()].is_empty() && portals_at(portals, id).is_empty();
            let pays = || {
                movement.edges_from(id).any(|edge| {
                    edge.cost > 0 && value.checked_sub(edge.cost) == Some(values[edge.other.index()])
                })
            };
            if is_sink || pays() {
                hops[id.index()] = 0;
                open.push(id.0);
            }
        }
    }

    /// Breadth-first, backwards over free edges between cells of equal cost, until so many cells are done. Returns whether
    /// all are.
    pub(super) fn spread_hops(&self, hopping: &mut Hopping, hops: &mut [u32], until: u64) -> bool {
        let Hopping {
            open,
            next,
            done,
            depth,
            spread,
        } = hopping;
        while *spread < until {
            let Some(&cell) = open.get(*done) else {
                if next.is_empty() {
                    return true;
                }
                open.clear();
                core::mem::swap(open, next);
                *done = 0;
                *depth += 1;
                continue;
            };
            *done += 1;
            *spread += 1;
            for edge in self.movement.edges_into(CellId(cell)) {
                let from = edge.other.index();
                let is_level = edge.cost == 0 && self.values[from] == self.values[cell as usize];
                if is_level && hops[from] == u32::MAX {
                    hops[from] = *depth + 1;
                    next.push(edge.other.0);
                }
            }
        }
        false
    }

    /// Takes the successors out that do not lower (D, hops), in some cells.
    pub(super) fn keep_lowering(&self, cells: Range<usize>, hops: &[u32], successors: &mut [DirectionSet]) {
        let steps = self.movement.grid().id_steps();
        let ids = cells.clone().map(CellId::from_index);
        for (id, tight) in ids.zip(&mut successors[cells]) {
            *tight = tight
                .iter()
                .filter(|&direction| self.lowers(hops, id.index(), steps.onward(id, direction).index()))
                .collect();
        }
    }

    /// Whether a portal that keeps the least cost lowers (D, hops).
    pub(super) fn portal_lowers(&self, &(cell, portal): &(CellId, PortalIndex), hops: &[u32]) -> bool {
        let mut edges = self.movement.edges_from(cell);
        let taken = edges.find(|edge| edge.kind == EdgeKind::Portal(portal));
        taken.is_some_and(|edge| self.lowers(hops, cell.index(), edge.other.index()))
    }

    #[inline]
    fn lowers(&self, hops: &[u32], from: usize, to: usize) -> bool {
        self.values[to] < self.values[from] || hops[to] < hops[from]
    }
}
