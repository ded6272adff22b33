//! What happened in a tick, held against the plain rules; the fuzz target `strict` includes this file.

use std::collections::BTreeMap;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::Movement;
use thalweg_crowd::strict::{ConflictKind, Leg, StrictCrowd, conflict};
use thalweg_crowd::{AgentId, GroupId};

/// What an agent holds, and from and to where it is under way.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Track {
    pub(crate) cells: Vec<CellId>,
    pub(crate) cell: CellId,
    pub(crate) to: CellId,
    pub(crate) left: u8,
    pub(crate) group: GroupId,
}

pub(crate) fn tracks(crowd: &StrictCrowd) -> BTreeMap<AgentId, Track> {
    crowd
        .agents()
        .map(|(id, view)| {
            let track = Track {
                cells: crowd.cells(id).unwrap(),
                cell: view.cell,
                to: view.to,
                left: view.ticks_left,
                group: view.group,
            };
            (id, track)
        })
        .collect()
}

/// One agent's part in a tick.
struct Part {
    id: AgentId,
    before: Vec<CellId>,
    after: Vec<CellId>,
    passed: Vec<CellId>,
    is_single: bool,
}

impl Part {
    fn leg(&self) -> Leg<'_> {
        Leg {
            is_single: self.is_single,
            before: &self.before,
            after: &self.after,
            passed: &self.passed,
        }
    }
}

/// Every conflict between two moments, by the plain rules over pairs that are near each other. Panics at a step where no exit
/// leads, or one that does not go on as it began.
pub(crate) fn conflicts<'a>(
    crowd: &StrictCrowd,
    movement: impl Fn(GroupId) -> &'a Movement,
    before: &BTreeMap<AgentId, Track>,
    after: &BTreeMap<AgentId, Track>,
) -> Vec<(AgentId, AgentId, ConflictKind)> {
    let grid = crowd.grid();
    let rules = crowd.options().rules;
    let mut parts = Vec::new();
    for (id, was) in before {
        let movement = movement(was.group);
        let footprint = movement.profile().footprint;
        let body = |cell: Cell| -> Vec<CellId> {
            footprint
                .covered_offsets()
                .filter_map(|(x, y)| grid.id(Cell::on(cell.layer, cell.x + x, cell.y + y)))
                .collect()
        };
        // Who has left did so at the end of the tick, from a cell that was its own until then.
        let left_from = || crowd.departures().iter().find(|(gone, _)| gone == id);
        let (cell, to, cells) = match (after.get(id), left_from()) {
            (Some(is), _) => (is.cell, is.to, is.cells.clone()),
            (None, Some(&(_, cell))) => (cell, cell, body(grid.cell(cell))),
            (None, None) => panic!("agent {id} is gone and has not left"),
        };
        // The step that the tick was part of.
        let from = was.cell;
        if was.left > 0 {
            assert!(
                to == was.to && cell == if was.left == 1 { was.to } else { was.cell },
                "agent {id} did not go on from {from:?} to {:?}, but is at {cell:?} for {to:?}",
                was.to
            );
        } else {
            let is_legal = from == to || movement.edges_from(from).any(|edge| edge.other == to);
            assert!(is_legal, "agent {id} goes from {from:?} to {to:?}");
        }
        let mut passed = Vec::new();
        let (a, b) = (grid.cell(from), grid.cell(to));
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let is_step = |direction| movement.step_target(from, direction) == Some(to);
        let is_diagonal = a.layer == b.layer && dx.abs() == 1 && dy.abs() == 1;
        // The end of a portal may lie where a step would end; then there is no such step, or the step was taken.
        let is_known = was.left > 0 || thalweg_core::grid::DIRECTIONS.into_iter().any(is_step);
        if is_diagonal && is_known {
            let ends = [body(a), body(b)].concat();
            for side in [Cell::on(a.layer, a.x + dx, a.y), Cell::on(a.layer, a.x, a.y + dy)] {
                passed.extend(body(side).into_iter().filter(|cell| !ends.contains(cell)));
            }
        }
        parts.push(Part {
            id: *id,
            before: was.cells.clone(),
            after: cells,
            passed,
            is_single: footprint.covered_offsets().count() == 1,
        });
    }
    // Pairs that share any cell of what they touch.
    let mut touching: BTreeMap<CellId, Vec<usize>> = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        let mut cells = [&part.before[..], &part.after, &part.passed].concat();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            touching.entry(cell).or_default().push(index);
        }
    }
    let mut pairs: Vec<(usize, usize)> = touching
        .values()
        .flat_map(|near| near.iter().flat_map(|&a| near.iter().map(move |&b| (a, b))))
        .filter(|(a, b)| a < b)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let found = pairs.into_iter().filter_map(|(a, b)| {
        let kind = conflict(rules, parts[a].leg(), parts[b].leg())?;
        Some((parts[a].id, parts[b].id, kind))
    });
    found.collect()
}
