//! The compiled form of edge rules and edge charges: which steps are open, entries that are not the mirror of exits, portals.

use super::body::BodyEdges;
use super::edge_rules::EdgeInputs;
use super::portals::Portals;
use super::{Connectivity, CornerRule, MovementProfile};
use crate::cost::EdgeCharges;
use crate::grid::{CellId, DIRECTIONS, Direction, DirectionSet, Grid};
use crate::shared_cells::SharedCells;
use std::sync::Arc;

/// Stands in charges for a step that is closed.
pub(super) const CLOSED: u8 = 255;

/// What edges are to a cell of the ground, as a snapshot that shares its pages with the inputs.
#[derive(Clone, Debug, Default)]
pub(super) struct GroundEdges {
    pub(super) closed: Option<SharedCells<DirectionSet>>,
    pub(super) charges: Option<SharedCells<[u8; 8]>>,
}

impl GroundEdges {
    pub(super) fn of(edges: &EdgeInputs<'_>) -> Self {
        Self {
            closed: edges.rules.and_then(|rules| rules.all_closed().cloned()),
            charges: edges.charges.map(|charges| charges.shared().clone()),
        }
    }

    /// The directions that are not closed at a cell.
    #[inline]
    pub(super) fn open(&self, index: usize) -> DirectionSet {
        let closed = self.closed.as_ref().map_or(0, |closed| closed.get(index).bits());
        let steep = self.charges.as_ref().map_or(0, |charges| {
            let charges = charges.get(index).into_iter().enumerate();
            charges.fold(0, |bits, (at, charge)| bits | u8::from(charge == CLOSED) << at)
        });
        DirectionSet::from_bits(!(closed | steep))
    }

    /// What a step adds to the charge of the cells it joins, [`CLOSED`] if it may not be taken.
    pub(super) fn charge(&self, index: usize, direction: Direction) -> u8 {
        if self.open(index).contains(direction) {
            let charges = self.charges.as_ref();
            charges.map_or(0, |charges| charges.get(index)[direction.index()])
        } else {
            CLOSED
        }
    }
}

/// What a movement needs to know beyond exits when its graph is directed.
#[derive(Clone, Debug, Default)]
pub(super) struct Directed {
    pub(super) entries: SharedCells<DirectionSet>,
    pub(super) portals: Arc<Portals>,
    /// What each step costs beside the charge of its cells, per anchor and direction; empty without edge charges.
    pub(super) extra: SharedCells<[u8; 8]>,
    /// At least the largest of them.
    pub(super) largest_extra: u8,
    /// What it was made from.
    pub(super) ground: GroundEdges,
    /// The steps that are open for a body on an anchor, for bodies that cover more than one cell.
    pub(super) open: Option<SharedCells<DirectionSet>>,
}

impl Directed {
    /// What a graph needs beyond its exits, which are final; `costs` are those of anchors, `body` is what edges are to it.
    pub(super) fn new(
        edges: &EdgeInputs<'_>,
        grid: &Grid,
        costs: &[u8],
        exits: &[DirectionSet],
        body: Option<BodyEdges>,
        profile: &MovementProfile,
    ) -> Self {
        let mut entries = vec![DirectionSet::EMPTY; exits.len()];
        for id in grid.ids() {
            for direction in exits[id.index()] {
                if let Some(next) = grid.neighbour(id, direction) {
                    entries[next.index()] = entries[next.index()].with(direction);
                }
            }
        }
        let portals = Portals::of(edges.rules, profile, |id| costs[id.index()] != 255);
        let (open, extra) = body.map_or((None, None), |body| {
            (
                Some(SharedCells::new(body.open)),
                Some(SharedCells::new(body.extra)),
            )
        });
        Self {
            entries: SharedCells::new(entries),
            portals: Arc::new(portals),
            extra: extra
                .or_else(|| edges.charges.map(|charges| charges.shared().clone()))
                .unwrap_or_default(),
            largest_extra: edges.charges.map_or(0, EdgeCharges::largest_extra),
            ground: GroundEdges::of(edges),
            open,
        }
    }

    /// The steps that no border and no slope closes for a body on an anchor.
    #[inline]
    pub(super) fn open(&self, index: usize) -> DirectionSet {
        match &self.open {
            Some(open) => open.get(index),
            None => self.ground.open(index),
        }
    }
}

/// Takes the exits away that rules or steepness close from what the profile alone allows, and compiles what the graph then needs.
///
/// A diagonal stays legal if its detours by two straight steps are legal as the corner rule asks: both detours for
/// `BothFree`, one for `OneFree`, none for `Always`. On maps without one-way borders that is the rule about free side
/// cells, step by step. `costs` are those of anchors.
pub(super) fn apply(
    edges: &EdgeInputs<'_>,
    grid: &Grid,
    costs: &[u8],
    profile: &MovementProfile,
    exits: &mut [DirectionSet],
) -> Directed {
    let ground = GroundEdges::of(edges);
    let body = BodyEdges::of(&ground, grid, &profile.footprint);
    let open_at = |id: CellId| {
        body.as_ref()
            .map_or_else(|| ground.open(id.index()), |body| body.open[id.index()])
    };
    let corner_rule = profile.corner_rule_in_force();
    let straight: Vec<DirectionSet> = grid
        .ids()
        .map(|id| {
            let open = exits[id.index()].bits() & open_at(id).bits();
            DirectionSet::from_bits(open).intersection(DirectionSet::STRAIGHT)
        })
        .collect();
    for id in grid.ids() {
        let mut open = straight[id.index()];
        if profile.connectivity == Connectivity::Eight {
            for direction in DIRECTIONS.into_iter().filter(|direction| direction.is_diagonal()) {
                // What the profile forbids on free ground stays forbidden; one-way borders only take away.
                if exits[id.index()].contains(direction)
                    && open_at(id).contains(direction)
                    && detours_allow(grid, &straight, corner_rule, id, direction)
                {
                    open = open.with(direction);
                }
            }
        }
        exits[id.index()] = open;
    }
    Directed::new(edges, grid, costs, exits, body, profile)
}

fn detours_allow(
    grid: &Grid,
    straight: &[DirectionSet],
    corner_rule: CornerRule,
    id: CellId,
    diagonal: Direction,
) -> bool {
    let Some((vertical, horizontal)) = diagonal.sides() else {
        return true;
    };
    let detour = |first: Direction, second: Direction| {
        straight[id.index()].contains(first)
            && grid
                .neighbour(id, first)
                .is_some_and(|side| straight[side.index()].contains(second))
    };
    match corner_rule {
        CornerRule::BothFree => detour(vertical, horizontal) && detour(horizontal, vertical),
        CornerRule::OneFree => detour(vertical, horizontal) || detour(horizontal, vertical),
        CornerRule::Always => true,
    }
}
