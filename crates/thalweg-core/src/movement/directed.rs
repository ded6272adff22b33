//! The compiled form of edge rules: entries that are not the mirror of exits, and portals by both of their ends.

use super::body::BodyEdges;
use super::edge_rules::{EdgeInputs, EdgeRules, PortalIndex};
use super::{Connectivity, CornerRule, MovementProfile};
use crate::cost::EdgeCharges;
use crate::grid::{CellId, DIRECTIONS, Direction, DirectionSet, Grid};
use crate::shared_cells::SharedCells;

/// A portal that a profile can use, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PortalEdge {
    pub(super) here: CellId,
    pub(super) other: CellId,
    pub(super) cost: u32,
    pub(super) index: PortalIndex,
}

/// What a movement needs to know beyond exits when its graph is directed.
#[derive(Clone, Debug, Default)]
pub(super) struct Directed {
    pub(super) entries: SharedCells<DirectionSet>,
    /// Sorted by the cell they leave, then by index.
    pub(super) leaving: Vec<PortalEdge>,
    /// Sorted by the cell they enter, then by index.
    pub(super) entering: Vec<PortalEdge>,
    /// The largest cost of a portal; 0 without portals.
    pub(super) dearest_portal: u32,
    /// Whether a portal is free. Kept, because samples ask for it per agent and substep.
    pub(super) has_free_portal: bool,
    /// What each step costs beside the charge of its cells, per cell and direction; empty without edge charges.
    pub(super) extra: SharedCells<[u8; 8]>,
    /// The largest of them.
    pub(super) largest_extra: u8,
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
        let portals = edges.rules.into_iter().flat_map(EdgeRules::portals);
        let usable = portals
            .filter(|(_, portal)| costs[portal.from.index()] != 255 && costs[portal.to.index()] != 255);
        let (mut leaving, mut entering) = (Vec::new(), Vec::new());
        for (index, portal) in usable {
            let edge = |here, other| PortalEdge {
                here,
                other,
                cost: portal.cost.units(profile),
                index,
            };
            leaving.push(edge(portal.from, portal.to));
            entering.push(edge(portal.to, portal.from));
        }
        leaving.sort_by_key(|edge| (edge.here, edge.index));
        entering.sort_by_key(|edge| (edge.here, edge.index));
        Self {
            dearest_portal: leaving.iter().map(|edge| edge.cost).max().unwrap_or(0),
            has_free_portal: leaving.iter().any(|edge| edge.cost == 0),
            entries: SharedCells::new(entries),
            leaving,
            entering,
            extra: match (body, edges.charges) {
                (Some(body), _) => SharedCells::new(body.extra),
                (None, Some(charges)) => SharedCells::new(charges.charges().to_vec()),
                (None, None) => SharedCells::default(),
            },
            largest_extra: edges.charges.map_or(0, EdgeCharges::largest_extra),
        }
    }

    /// The portals of `list` at a cell.
    pub(super) fn at(list: &[PortalEdge], cell: CellId) -> &[PortalEdge] {
        let first = list.partition_point(|edge| edge.here < cell);
        let len = list[first..].partition_point(|edge| edge.here == cell);
        &list[first..first + len]
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
    let body = BodyEdges::of(edges, grid, &profile.footprint);
    let open_at = |id: CellId| {
        body.as_ref()
            .map_or_else(|| edges.open(id), |body| body.open[id.index()])
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
