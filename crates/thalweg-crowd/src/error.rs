//! Why the crowd refuses what it is asked.

use crate::AgentId;
use crate::agent::{MAX_MASS, MAX_RADIUS, MAX_SPEED, MIN_MASS, MIN_RADIUS, MIN_SPEED};
use crate::change::MAX_PUSH;
use thalweg_core::grid::{Cell, Grid, MAX_POINT_SIDE, MapPoint};
use thalweg_core::movement::Footprint;
use thiserror::Error;

/// Why a call on a [`Crowd`](crate::Crowd) was refused; nothing was changed then.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CrowdError {
    /// The map is too long for fixed-point positions.
    #[error("{grid} has a side above the {MAX_POINT_SIDE} cells that positions reach")]
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
        got: f32,
        /// The least allowed.
        least: f32,
        /// The most allowed.
        most: f32,
    },
    /// A radius is NaN or out of range.
    #[error("agent radius {0} is outside {MIN_RADIUS} to {MAX_RADIUS} cells")]
    Radius(f32),
    /// A speed is NaN or out of range.
    #[error("agent speed {0} is outside {MIN_SPEED} to {MAX_SPEED} cells per second")]
    Speed(f32),
    /// A mass is NaN or out of range.
    #[error("agent mass {0} is outside {MIN_MASS} to {MAX_MASS}")]
    Mass(f32),
    /// A push is NaN or too long.
    #[error("a push by ({}, {}) cells is longer than {MAX_PUSH} along an axis", .0[0], .0[1])]
    Push([f32; 2]),
    /// A position is off the map.
    #[error("agent position {position:?} lies outside {grid}")]
    Outside {
        /// The position, in cells from the map's north-west corner.
        position: MapPoint,
        /// The map.
        grid: Grid,
    },
    /// A position is on a cell where no body may be.
    #[error("agent position {position:?} is on cell {cell}, which is {}", if *.known { "impassable" } else { "unknown" })]
    Blocked {
        /// The position, in cells from the map's north-west corner.
        position: MapPoint,
        /// The cell.
        cell: Cell,
        /// Whether the cell has been surveyed (and then is impassable).
        known: bool,
    },
    /// A body would reach into a wall or over the border of the map.
    #[error("agent position {position:?} has no room for a body of {footprint} (in cells)")]
    NoRoom {
        /// The position, in cells from the map's north-west corner.
        position: MapPoint,
        /// The body.
        footprint: Footprint,
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
        /// `movement`, `flow field`, `integration field` or `heading field`.
        what: &'static str,
        /// The group's index.
        group: usize,
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
    /// A step length is NaN, not positive or too long.
    #[error("a step of {0} seconds is outside the range above 0 up to 60 seconds")]
    Step(f32),
}
