//! Why strict mode refuses what it is asked.

use super::rules::ConflictKind;
use crate::AgentId;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::Footprint;
use thiserror::Error;

/// Why a call on a [`StrictCrowd`](super::StrictCrowd) was refused; nothing was changed then.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrictError {
    /// The map is too long for fixed-point positions.
    #[error(
        "{grid} has a side above the {} cells that positions reach",
        thalweg_core::grid::MAX_POINT_SIDE
    )]
    MapTooLarge {
        /// The map.
        grid: Grid,
    },
    /// An option is out of its range.
    #[error("option {name} is {got}, outside {least} to {most}")]
    Option {
        /// The option's field name.
        name: &'static str,
        /// The value given.
        got: u32,
        /// The least allowed.
        least: u32,
        /// The most allowed.
        most: u32,
    },
    /// A pace of 0.
    #[error("a pace of 0 ticks a step is not usable: it must be 1 to 255")]
    Pace,
    /// A cell is off the map.
    #[error("agent cell {cell} lies outside {grid}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map.
        grid: Grid,
    },
    /// A cell on which the body may not be.
    #[error("agent cell {cell} is not free for a body of {footprint} (in cells)")]
    Blocked {
        /// The anchor cell.
        cell: Cell,
        /// The body.
        footprint: Footprint,
    },
    /// Somebody is there already, or passes on its way.
    #[error("agent cell {cell} is taken: agent {by} holds or passes a cell of the body")]
    Taken {
        /// The anchor cell.
        cell: Cell,
        /// Who holds or passes it.
        by: AgentId,
    },
    /// No more agents can be named.
    #[error("the crowd already has {0} agents, the most it can name")]
    Full(u32),
    /// The id's agent has been removed or has left, or the id is of another crowd.
    #[error("agent {0} is not in the crowd")]
    NoSuchAgent(AgentId),
    /// A world or field is of another map.
    #[error("the {what} of group {group} is for another map than the crowd's")]
    ForeignMap {
        /// `movement`, `flow field` or `integration field`.
        what: &'static str,
        /// The group's index.
        group: usize,
    },
    /// An agent's group has another body now than the agent had when it was added.
    #[error("agent {agent} was added with a body of {added} (in cells), but group {group} moves as {given}")]
    OtherBody {
        /// The first such agent in slot order.
        agent: AgentId,
        /// Its group.
        group: u16,
        /// Its body.
        added: Footprint,
        /// The body of the group's movement.
        given: Footprint,
    },
    /// An agent's group was not described.
    #[error("agent {agent} is of group {group}, but only {groups} groups were given")]
    MissingGroup {
        /// The first such agent in slot order.
        agent: AgentId,
        /// Its group.
        group: u16,
        /// Groups given.
        groups: usize,
    },
}

/// Why a claim was refused; it changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClaimRefusal {
    /// The field changed between the query and the claim.
    #[error("the claim was made by field version {have} and the field is at {want} now")]
    StaleVersion {
        /// The version it was made by.
        have: u64,
        /// The version now.
        want: u64,
    },
    /// It reaches beyond the horizon.
    #[error("the claim takes {ticks} ticks and the horizon is {horizon}")]
    BeyondHorizon {
        /// Ticks it takes.
        ticks: u32,
        /// The horizon.
        horizon: u16,
    },
    /// A step leads where no exit leads.
    #[error("the claim steps from cell {} to cell {}, where no exit leads", from.0, to.0)]
    NoSuchStep {
        /// Where the step begins.
        from: thalweg_core::grid::CellId,
        /// Where it would end.
        to: thalweg_core::grid::CellId,
    },
    /// Somebody else has reserved it.
    #[error("{kind} with agent {by} at tick {tick}")]
    Conflict {
        /// How the two would meet.
        kind: ConflictKind,
        /// Who holds the reservation.
        by: AgentId,
        /// The tick at whose end they would.
        tick: u64,
    },
    /// It is under way, held, or follows another claim.
    #[error("the agent cannot begin anything new in this tick")]
    NotFree,
}
