//! What can be wrong with an instance.

use thalweg_core::grid::Cell;
use thalweg_core::integrate::GoalError;
use thalweg_core::movement::{EdgeRuleError, Footprint, FootprintError};
use thalweg_crowd::strict::StrictError;
use thiserror::Error;

/// Why an instance cannot be made or stepped.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum MapfError {
    /// A body that cannot be.
    #[error("agent {agent}: {error}")]
    Body {
        /// The agent.
        agent: usize,
        /// Why.
        error: FootprintError,
    },
    /// A start where the body may not be.
    #[error("the start {cell} of agent {agent} is not free for a body of {footprint} (in cells)")]
    Start {
        /// The agent.
        agent: usize,
        /// Its start.
        cell: Cell,
        /// Its body.
        footprint: Footprint,
    },
    /// A goal where the body may not be.
    #[error("the goal {cell} of agent {agent} is not free for a body of {footprint} (in cells)")]
    Goal {
        /// The agent.
        agent: usize,
        /// Its goal.
        cell: Cell,
        /// Its body.
        footprint: Footprint,
    },
    /// A goal that cannot be reached from where the agent starts.
    #[error("agent {agent} cannot get from {start} to its goal {goal}, whatever others do")]
    Unreachable {
        /// The agent.
        agent: usize,
        /// Its start.
        start: Cell,
        /// Its goal.
        goal: Cell,
    },
    /// Two bodies that overlap at the start or at the goals.
    #[error("agents {one} and {other} have {what} in each other's way, at {cell}")]
    Overlap {
        /// `starts` or `goals`.
        what: &'static str,
        /// The first agent.
        one: usize,
        /// The second agent.
        other: usize,
        /// The cell of the second.
        cell: Cell,
    },
    /// A task of an agent that is not there.
    #[error("a task is given to agent {agent}, but there are {agents} agents, counted from 0")]
    NoAgent {
        /// The agent.
        agent: u32,
        /// How many there are.
        agents: usize,
    },
    /// A task that the agent it is given to cannot get to.
    #[error("the task at {goal} cannot be reached by agent {agent}")]
    Task {
        /// The agent.
        agent: u32,
        /// The cell.
        goal: Cell,
    },
    /// Fewer agents fit the map than are asked for.
    #[error(
        "{wanted} bodies of {side} x {side} cells are asked for, but only {got} of {of} starts and goals fit together"
    )]
    TooFew {
        /// Agents asked for.
        wanted: usize,
        /// The side of their bodies in cells.
        side: u8,
        /// Agents that fit.
        got: usize,
        /// Starts and goals to choose from.
        of: usize,
    },
    /// More distinct goals than groups can be named.
    #[error("the agents have {got} distinct goals, above the limit of {most}")]
    TooManyGoals {
        /// Goals asked for.
        got: usize,
        /// The most there can be.
        most: usize,
    },
    /// A goal that has no field.
    #[error(transparent)]
    Field(#[from] GoalError),
    /// Costs beyond what a field can hold.
    #[error("the field of the goal {goal} cannot be made: {reason}")]
    Costs {
        /// The goal.
        goal: Cell,
        /// Why.
        reason: String,
    },
    /// Rules of edges that do not fit the map.
    #[error(transparent)]
    Edges(#[from] EdgeRuleError),
    /// Strict mode refuses.
    #[error(transparent)]
    Strict(#[from] StrictError),
}

impl MapfError {
    /// The same error, told of an agent.
    pub(super) fn of_agent(self, agent: usize) -> Self {
        match self {
            Self::Body { error, .. } => Self::Body { agent, error },
            other => other,
        }
    }
}
