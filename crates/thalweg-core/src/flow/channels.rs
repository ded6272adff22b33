//! What the repairs of headings and lengths are given, and what they say they did.

use super::FlowField;
use super::upstream::Stream;
use crate::grid::CellId;
use crate::integrate::IntegrationField;
use crate::movement::Movement;

/// A repaired field, and what differs from the one that headings or lengths were made for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ChannelRepair<'a> {
    /// The movement as it is now, of the same map and profile.
    pub movement: &'a Movement,
    /// The field as it is now.
    pub field: &'a IntegrationField,
    /// Its directions.
    pub flow: &'a FlowField,
    /// Every cell whose cost-to-goal, state, outgoing edges, successors or portal successors differ, in any order; more do no
    /// harm. [`RepairScratch::refreshed`](crate::repair::RepairScratch::refreshed) has them.
    pub refreshed: &'a [CellId],
    /// Every cell whose exits, cost ([`Movement::cost`]) or ground ([`Movement::ground_cost`]) differ, in any order; more do no
    /// harm. [`Movement::ground_change_since`] tells them. Only headings ask: a sight line reads exits and costs of cells whose cost-to-goal is as it was.
    pub changed: &'a [CellId],
    /// How many cells may be made anew before everything is; default [`ChannelRepair::work_worth`] of the map.
    pub work_limit: Option<u64>,
}

impl<'a> ChannelRepair<'a> {
    /// A repair with the default limit.
    #[must_use]
    pub const fn new(
        movement: &'a Movement,
        field: &'a IntegrationField,
        flow: &'a FlowField,
        refreshed: &'a [CellId],
        changed: &'a [CellId],
    ) -> Self {
        Self {
            movement,
            field,
            flow,
            refreshed,
            changed,
            work_limit: None,
        }
    }

    /// The repair with a limit of cells that are made anew. `u64::MAX` never gives up, 0 always.
    #[must_use]
    pub const fn with_work_limit(mut self, cells: u64) -> Self {
        self.work_limit = Some(cells);
        self
    }

    /// How many cells of a map of so many are worth making anew one by one: what takes about a quarter of the time of a
    /// pass over the map (`tests/repair_cost.rs` prints how long either takes).
    #[must_use]
    pub const fn work_worth(cells: usize) -> u64 {
        (cells as u64 / 24).saturating_add(64)
    }

    pub(super) fn limit(&self) -> u64 {
        self.work_limit
            .unwrap_or_else(|| Self::work_worth(self.movement.grid().len()))
    }

    pub(super) const fn stream(&self) -> Stream<'a> {
        Stream {
            movement: self.movement,
            field: self.field,
            flow: self.flow,
        }
    }
}

/// What a repair of headings or lengths did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct ChannelStats {
    /// Whether everything was made anew, because a repair was not possible or not worth it.
    pub rebuilt: bool,
    /// Cells that were made anew one by one.
    pub remade: u64,
    /// Cells among them whose value differs in the end; of headings, the way that is kept.
    pub changed: u64,
}
