//! The undirected graph that decides what is connected both ways: what cut cells, blocks and corridors are read from.
//!
//! An edge of it is an edge of the movement that has a way back *of its own kind*: a step by the opposite step, a portal
//! by a portal; edges that join the same two cells count once. Edges without a way back are not in it.
//!
//! Blocking a cell is more than taking a node out of the graph: it also takes away diagonals that pass it. But under
//! [`CornerRule::BothFree`] and [`CornerRule::OneFree`] a diagonal is legal only beside a side cell that makes the same
//! way in two straight steps, and if that cell is blocked the diagonal was not to be counted on. So such diagonals are left
//! out: the graph of straight steps connects what all steps connect, before and after, and in it blocking *is* taking a
//! node out. Under [`CornerRule::Always`] no diagonal depends on its sides, and all are kept; so is, under every rule, a
//! diagonal whose straight ways round are one-way, or cells would fall apart that are connected.

use super::graph::Graph;
use crate::grid::{CellId, Direction, DirectionSet, IdSteps};
use crate::movement::without::has_detour;
use crate::movement::{CornerRule, EdgeKind, Movement, entries_from_exits};

/// Which diagonals are edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Diagonals {
    /// No rule of the map can take a straight way round away from a diagonal, so none is needed.
    Never,
    /// Those that no two straight steps replace both ways.
    WithoutDetour,
    Always,
}

/// See the head of this file.
pub(super) struct TwoWay<'a> {
    movement: &'a Movement,
    steps: IdSteps<'a>,
    diagonals: Diagonals,
}

impl<'a> TwoWay<'a> {
    pub(super) fn of(movement: &'a Movement) -> Self {
        let diagonals = if movement.profile().corner_rule_in_force() == CornerRule::Always {
            Diagonals::Always
        } else if movement.is_plain() {
            Diagonals::Never
        } else {
            Diagonals::WithoutDetour
        };
        Self {
            movement,
            steps: movement.grid().id_steps(),
            diagonals,
        }
    }

    /// Whether taking a node out is blocking its cell: every diagonal that depends on its sides has a straight way round,
    /// each way.
    pub(super) fn is_exact(&self) -> bool {
        self.diagonals != Diagonals::WithoutDetour
            || self.movement.grid().ids().all(|id| {
                let diagonals = self.movement.exits(id).iter().filter_map(Direction::sides);
                let detour = |first, second| has_detour(self.movement, id, first, second);
                diagonals
                    .into_iter()
                    .all(|(first, second)| detour(first, second) || detour(second, first))
            })
    }

    /// The steps that leave a cell and can be taken back.
    #[inline]
    fn paired_steps(&self, id: CellId) -> DirectionSet {
        let exits = self.movement.exits(id);
        if self.movement.is_plain() {
            return exits;
        }
        // Entries are named by their direction of travel, so their opposites are the ways out.
        exits.intersection(entries_from_exits(self.movement.entries(id)))
    }

    /// The steps of a cell that are edges.
    #[inline]
    fn kept_steps(&self, id: CellId) -> DirectionSet {
        let paired = self.paired_steps(id);
        match self.diagonals {
            Diagonals::Always => paired,
            Diagonals::Never => paired.intersection(DirectionSet::STRAIGHT),
            Diagonals::WithoutDetour => paired
                .iter()
                .filter(|direction| {
                    direction
                        .sides()
                        .is_none_or(|(a, b)| !self.goes_round(id, a, b) && !self.goes_round(id, b, a))
                })
                .collect(),
        }
    }

    /// Whether two straight steps lead on and back.
    fn goes_round(&self, id: CellId, first: Direction, second: Direction) -> bool {
        self.paired_steps(id).contains(first)
            && self.paired_steps(self.steps.onward(id, first)).contains(second)
    }

    /// Appends the other ends of portals that have a portal back, each once.
    fn portals(&self, id: CellId, out: &mut Vec<u32>) {
        let before = out.len();
        for portal in self.movement.portals_of(id) {
            let other = portal.other;
            let has_way_back = self.movement.portals_of(other).any(|back| back.other == id);
            if has_way_back && !out[before..].contains(&other.0) {
                out.push(other.0);
            }
        }
    }

    /// Where a diagonal leads that can be taken both ways and is not an edge here, because straight steps replace it.
    pub(super) fn replaced_diagonals(&self, id: CellId) -> impl Iterator<Item = CellId> + '_ {
        let kept = self.kept_steps(id);
        let diagonals = self.paired_steps(id).iter();
        diagonals
            .filter(move |&direction| direction.is_diagonal() && !kept.contains(direction))
            .map(move |direction| self.steps.onward(id, direction))
    }

    /// Whether an edge leaves or enters the cell that has no way back of its kind.
    pub(super) fn has_one_way(&self, id: CellId) -> bool {
        if self.movement.is_plain() {
            return false;
        }
        let paired = self.paired_steps(id);
        if self.movement.exits(id) != paired || self.movement.entries(id).len() != paired.len() {
            return true;
        }
        let is_portal = |kind| matches!(kind, EdgeKind::Portal(_));
        let leads = |from: CellId, to: CellId| self.movement.portals_of(from).any(|edge| edge.other == to);
        let into = self.movement.edges_into(id);
        self.movement.portals_of(id).any(|edge| !leads(edge.other, id))
            || into
                .filter(|edge| is_portal(edge.kind))
                .any(|edge| !leads(id, edge.other))
    }
}

impl Graph for TwoWay<'_> {
    fn len(&self) -> usize {
        self.movement.grid().len()
    }

    #[inline]
    fn has(&self, node: u32) -> bool {
        self.movement.is_passable(CellId(node))
    }

    #[inline]
    fn targets(&self, node: u32, out: &mut Vec<u32>) {
        let id = CellId(node);
        let before = out.len();
        if !self.movement.is_plain() {
            self.portals(id, out);
        }
        let portals = out.len();
        for direction in self.kept_steps(id) {
            let next = self.steps.onward(id, direction).0;
            // A step to where a portal leads as well is the same edge.
            if portals == before || !out[before..portals].contains(&next) {
                out.push(next);
            }
        }
    }

    fn sources(&self, node: u32, out: &mut Vec<u32>) {
        self.targets(node, out);
    }
}
