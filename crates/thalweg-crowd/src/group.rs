//! What a step is told about a group of agents: its world, its field and its rules.

use thalweg_core::flow::FlowField;
use thalweg_core::movement::Movement;

/// The index of a group in the slice that [`Crowd::step`](crate::Crowd::step) is given. Agents of a group share a
/// movement profile and goals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[repr(transparent)]
pub struct GroupId(pub u16);

/// What becomes of an agent that has reached its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ArrivalRule {
    /// It comes to rest at the goal, or against mates that already rest there.
    #[default]
    Rest,
    /// It is taken out of the simulation when it enters a goal cell, and counted; its id goes stale.
    Leave,
}

/// What agents do while their field does not belong to the current world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StalePolicy {
    /// Stand still, and not even be pushed, until the field is current.
    #[default]
    Stop,
    /// Follow the old directions. The sweep still reads the current world, so no new wall is crossed.
    KeepOld,
}

/// Everything a step needs to know about one group.
#[derive(Clone, Copy, Debug)]
pub struct GroupInput<'a> {
    /// The *current* world for this group's profile: the sweep reads it.
    pub movement: &'a Movement,
    /// The group's field; `None` while nothing has been built yet, then its agents stand with
    /// [`Outcome::StaleField`](crate::Outcome::StaleField).
    pub flow: Option<&'a FlowField>,
    /// Whether `flow` belongs to the current world and goals.
    pub is_current: bool,
    /// What to do while it does not.
    pub stale: StalePolicy,
    /// Changes whenever the goals or the field change: arrived agents of the group wake up.
    pub field_version: u64,
    /// What becomes of agents that reach a goal.
    pub arrival: ArrivalRule,
}
