//! The portals that a profile can use, by both of their ends.

use super::{EdgeRules, MovementProfile, Portal, PortalIndex};
use crate::grid::CellId;
use std::sync::Arc;

/// A portal that a profile can use, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PortalEdge {
    pub(super) here: CellId,
    pub(super) other: CellId,
    pub(super) cost: u32,
    pub(super) index: PortalIndex,
}

/// The portals of a map that a profile can use. All of them are sorted again when one of them changes: maps have few.
#[derive(Clone, Debug, Default)]
pub(super) struct Portals {
    /// What the map has, usable or not.
    given: Arc<Vec<Option<Portal>>>,
    /// The cells that a portal begins or ends on, usable or not, in id order.
    ends: Vec<CellId>,
    /// Sorted by the cell they leave, then by index.
    pub(super) leaving: Vec<PortalEdge>,
    /// Sorted by the cell they enter, then by index.
    pub(super) entering: Vec<PortalEdge>,
    /// The largest cost of a portal; 0 without portals.
    pub(super) dearest: u32,
    /// Whether a portal is free. Kept, because samples ask for it per agent and substep.
    pub(super) has_free: bool,
}

impl Portals {
    /// The portals both of whose ends are free.
    pub(super) fn of(
        rules: Option<&EdgeRules>,
        profile: &MovementProfile,
        is_free: impl Fn(CellId) -> bool,
    ) -> Self {
        let Some(rules) = rules else {
            return Self::default();
        };
        let mut portals = Self {
            given: Arc::clone(rules.shared_portals()),
            ..Self::default()
        };
        for (index, portal) in rules.portals() {
            portals.ends.extend([portal.from, portal.to]);
            if !is_free(portal.from) || !is_free(portal.to) {
                continue;
            }
            let edge = |here, other| PortalEdge {
                here,
                other,
                cost: portal.cost.units(profile),
                index,
            };
            portals.leaving.push(edge(portal.from, portal.to));
            portals.entering.push(edge(portal.to, portal.from));
        }
        portals.ends.sort_unstable();
        portals.ends.dedup();
        portals
            .leaving
            .sort_unstable_by_key(|edge| (edge.here, edge.index));
        portals
            .entering
            .sort_unstable_by_key(|edge| (edge.here, edge.index));
        portals.dearest = portals.leaving.iter().map(|edge| edge.cost).max().unwrap_or(0);
        portals.has_free = portals.leaving.iter().any(|edge| edge.cost == 0);
        portals
    }

    /// Whether they are of these rules.
    pub(super) fn are_of(&self, rules: Option<&EdgeRules>) -> bool {
        rules.map_or(self.given.is_empty(), |rules| {
            Arc::ptr_eq(&self.given, rules.shared_portals())
        })
    }

    /// Whether one begins or ends on a cell.
    pub(super) fn have_end_at(&self, cell: CellId) -> bool {
        self.ends.binary_search(&cell).is_ok()
    }

    /// The portals of `list` at a cell.
    pub(super) fn at(list: &[PortalEdge], cell: CellId) -> &[PortalEdge] {
        let first = list.partition_point(|edge| edge.here < cell);
        let len = list[first..].partition_point(|edge| edge.here == cell);
        &list[first..first + len]
    }
}
