//! What an agent of strict mode is made of and what can be asked about it.

use super::board::Unit;
use crate::{ArrivalRule, Blocker, GroupId, Outcome, StalePolicy};
use thalweg_core::flow::FlowField;
use thalweg_core::grid::{Cell, CellId, MapPoint};
use thalweg_core::integrate::IntegrationField;
use thalweg_core::movement::Movement;

/// What a new agent is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrictSpec {
    /// The cell of its anchor.
    pub cell: Cell,
    /// Its group: its goals and its body.
    pub group: GroupId,
    /// Ticks that a step takes it, straight or diagonal, 1 to 255.
    pub pace: u8,
    /// Higher goes first, however long others have waited.
    pub priority: i32,
}

impl StrictSpec {
    /// One step a tick, priority 0.
    #[must_use]
    pub const fn new(cell: Cell, group: GroupId) -> Self {
        Self {
            cell,
            group,
            pace: 1,
            priority: 0,
        }
    }
}

/// Everything a step needs to know about one group.
#[derive(Clone, Copy, Debug)]
pub struct StrictGroup<'a> {
    /// The *current* world for this group's profile. Its footprint is the body of the group's agents.
    pub movement: &'a Movement,
    /// Cost-to-goal and the directions made from it; `None` while nothing has been built yet, then its agents stand with
    /// [`Outcome::StaleField`], and for agents without a goal, see [`Self::is_idle`].
    pub field: Option<(&'a IntegrationField, &'a FlowField)>,
    /// Whether its agents have no goal at all. They stand, and make way for others.
    pub is_idle: bool,
    /// Whether the field belongs to the current world and goals.
    pub is_current: bool,
    /// What to do while it does not.
    pub stale: StalePolicy,
    /// Changes whenever the goals or the field change; what claims are compared with.
    pub field_version: u64,
    /// What becomes of agents that reach a goal. With [`ArrivalRule::Rest`] they stay as long as nobody needs the cell, and
    /// come back after they have made way.
    pub arrival: ArrivalRule,
}

impl<'a> StrictGroup<'a> {
    /// A group with a current field, whose agents rest at the goal.
    #[must_use]
    pub const fn new(movement: &'a Movement, field: &'a IntegrationField, flow: &'a FlowField) -> Self {
        Self {
            movement,
            field: Some((field, flow)),
            is_idle: false,
            is_current: true,
            stale: StalePolicy::Stop,
            field_version: 0,
            arrival: ArrivalRule::Rest,
        }
    }

    /// A group without a goal.
    #[must_use]
    pub const fn idle(movement: &'a Movement) -> Self {
        Self {
            movement,
            field: None,
            is_idle: true,
            is_current: true,
            stale: StalePolicy::Stop,
            field_version: 0,
            arrival: ArrivalRule::Rest,
        }
    }
}

/// What can be asked about an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StrictView {
    /// The anchor cell that it last reached.
    pub cell: CellId,
    /// The anchor cell that it is on its way to; the same while it stands.
    pub to: CellId,
    /// Ticks until it is there; 0 while it stands.
    pub ticks_left: u8,
    /// Ticks that a step takes it.
    pub pace: u8,
    /// Its group.
    pub group: GroupId,
    /// Its priority.
    pub priority: i32,
    /// Waiting age: ticks since it was last at a goal, or was added, or was given other goals. The older goes first.
    pub age: u32,
    /// Ticks in a row in which it stood although it would rather have moved.
    pub waited: u32,
    /// What became of it in the last step.
    pub outcome: Outcome,
    /// What keeps it from moving as it wants.
    pub blocker: Blocker,
    /// The tick since which it has had this outcome.
    pub since: u64,
    /// Whether it is held where it is.
    pub is_held: bool,
}

/// What of an agent is not on the board; by slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub(super) is_live: bool,
    pub(super) is_held: bool,
    /// Whether it asked for a new way since it last moved.
    pub(super) has_asked: bool,
    pub(super) group: u16,
    pub(super) priority: i32,
    pub(super) age: u32,
    pub(super) waited: u32,
    /// The least cost-to-goal it has had in its task.
    pub(super) nearest: u32,
    /// Ticks in which it was neither nearer than ever nor settled at its goal, since it last was.
    pub(super) unsettled: u32,
    /// Ticks in a row at its goal.
    pub(super) settled: u32,
    /// How wide the next zone around it is, see `rescue`.
    pub(super) level: u8,
    /// How often everything was searched in vain.
    pub(super) patience: u8,
    /// How often its task or its hold was changed from outside.
    pub(super) touched: u32,
    /// Whether it was proved that it cannot get there.
    pub(super) is_deadlocked: bool,
    /// Whether it follows a way that was searched, in this tick.
    pub(super) is_rescued: bool,
    /// Whether it stands while a way is searched, in this tick.
    pub(super) is_searched_for: bool,
    pub(super) outcome: Outcome,
    pub(super) blocker: Blocker,
    pub(super) since: u64,
    /// Where it was when the last tick began.
    pub(super) came_from: MapPoint,
}

impl Mover {
    pub(super) fn view(&self, unit: &Unit) -> StrictView {
        StrictView {
            cell: CellId(unit.cell),
            to: CellId(unit.to),
            ticks_left: unit.left,
            pace: unit.pace,
            group: GroupId(self.group),
            priority: self.priority,
            age: self.age,
            waited: self.waited,
            outcome: self.outcome,
            blocker: self.blocker,
            since: self.since,
            is_held: self.is_held,
        }
    }

    /// Its task begins anew.
    pub(super) const fn begin_task(&mut self) {
        self.age = 0;
        self.waited = 0;
        self.nearest = u32::MAX;
        self.has_asked = false;
        self.unsettled = 0;
        self.settled = 0;
        self.level = 0;
        self.patience = 0;
        self.touched = self.touched.wrapping_add(1);
    }
}
