//! What a step is told about a group of agents: its world, its field and its rules.

use thalweg_core::flow::{FlowField, Guidance, HeadingField};
use thalweg_core::grid::{CellId, Grid};
use thalweg_core::integrate::IntegrationField;
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

/// What a group reads its way from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Steering<'a> {
    /// The exact directions, blended between cells ([`sample`](thalweg_core::flow::sample())). Ways are up to 8.2 % too
    /// long on open ground.
    #[default]
    Directions,
    /// Headings: agents walk to the points that [`aim`](thalweg_core::flow::aim()) names, which makes ways nearly the
    /// shortest in every direction. Where no heading holds the exact directions serve, and in a crush the blended ones:
    /// there lanes matter more than lengths.
    ///
    /// Both parts must have been made with [`GroupInput::flow`], of one generation: parts of different ones can lead
    /// agents round in circles (never through walls). They grow old with it, see [`GroupInput::is_current`].
    Headings {
        /// The cost-to-goal that the directions and headings were made from.
        field: &'a IntegrationField,
        /// The headings. Made with a [`clearance`](thalweg_core::flow::HeadingOptions::clearance) of the agents' radius
        /// they keep bodies off the corners they turn at.
        headings: &'a HeadingField,
    },
    /// Single paths: what each cell on somebody's path says, in the order of the cells. For agents whose field is in the
    /// making: [`GroupInput::flow`] is not looked at then, and [`GroupInput::stale`] does not hold.
    ///
    /// An agent walks to the centre of the next cell, or as its footprint asks. On a cell that is not listed it stands
    /// with [`Outcome::StaleField`](crate::Outcome::StaleField) until it is, so list as many cells of its path as it may
    /// cross in a step. Of a list in another order some cells may not be found.
    ///
    /// Rejected: one direction for each agent. It may cross a border within a step, and has none there.
    Paths(&'a [(CellId, Guidance)]),
}

impl Steering<'_> {
    /// The first part that is not of this map, by name.
    pub(crate) fn foreign_part(&self, grid: &Grid) -> Option<&'static str> {
        match self {
            Self::Headings { field, .. } if field.grid() != grid => Some("integration field"),
            Self::Headings { headings, .. } if headings.grid() != grid => Some("heading field"),
            _ => None,
        }
    }
}

/// Everything a step needs to know about one group.
#[derive(Clone, Copy, Debug)]
pub struct GroupInput<'a> {
    /// The *current* world for this group's profile: the sweep reads it.
    pub movement: &'a Movement,
    /// The group's field; `None` while nothing has been built yet, then its agents stand with
    /// [`Outcome::StaleField`](crate::Outcome::StaleField).
    pub flow: Option<&'a FlowField>,
    /// By what its agents steer; not looked at without a `flow`.
    pub steering: Steering<'a>,
    /// Whether `flow` (and what `steering` holds) belongs to the current world and goals.
    pub is_current: bool,
    /// What to do while it does not.
    pub stale: StalePolicy,
    /// Changes whenever the goals or the field change: arrived agents of the group wake up.
    pub field_version: u64,
    /// What becomes of agents that reach a goal.
    pub arrival: ArrivalRule,
}
