//! The edges of the movement graph, for code that walks it one edge at a time.
//!
//! Engines have loops of their own over masks; everything else (searches, validators, tools) should come here, because
//! here every kind of edge passes.

use super::{Movement, PortalIndex};
use crate::grid::{CellId, Direction};

/// How an edge is taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum EdgeKind {
    /// A step to a neighbour.
    Step(Direction),
    /// A portal.
    Portal(PortalIndex),
}

/// A directed edge, seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// How it is taken.
    pub kind: EdgeKind,
    /// The cell at the other end: where it leads for edges that leave, where it comes from for edges that enter.
    pub other: CellId,
    /// What it costs, in step units.
    pub cost: u32,
}

impl Movement {
    /// The legal edges that leave a cell, in the fixed order that breaks ties.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn edges_from(&self, id: CellId) -> impl Iterator<Item = Edge> + '_ {
        let portals = self.portals_from(id).iter().map(|portal| Edge {
            kind: EdgeKind::Portal(portal.index),
            other: portal.other,
            cost: portal.cost,
        });
        let steps = self.exits(id).iter().filter_map(move |direction| {
            let other = self.step_target(id, direction)?;
            let cost = self.step_cost(id, direction)?;
            Some(Edge {
                kind: EdgeKind::Step(direction),
                other,
                cost,
            })
        });
        steps.chain(portals)
    }

    /// The legal edges that enter a cell, each with the cost of its forward direction.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn edges_into(&self, id: CellId) -> impl Iterator<Item = Edge> + '_ {
        let portals = self.portals_into(id).iter().map(|portal| Edge {
            kind: EdgeKind::Portal(portal.index),
            other: portal.other,
            cost: portal.cost,
        });
        let steps = self.entries(id).iter().filter_map(move |direction| {
            let other = self.grid().neighbour(id, direction.opposite())?;
            let cost = self.step_cost(other, direction)?;
            Some(Edge {
                kind: EdgeKind::Step(direction),
                other,
                cost,
            })
        });
        steps.chain(portals)
    }
}
