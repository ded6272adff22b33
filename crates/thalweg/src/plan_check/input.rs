//! What a plan claims, beside its ticks.

use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::Footprint;
use thiserror::Error;

/// Why a plan cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanCheckError {
    /// An agent whose body no movement is for.
    #[error("agent {agent} has a body of {side} x {side} cells, for which no movement was given")]
    NoMovement {
        /// The agent.
        agent: usize,
        /// The side of its body in cells.
        side: u8,
    },
    /// A movement of a body that is no square.
    #[error("a movement for {footprint} was given, but bodies of plans are points and squares")]
    NoSquare {
        /// The body.
        footprint: Footprint,
    },
    /// Movements of different maps.
    #[error("one movement is of {one}, another of {other}")]
    ForeignMap {
        /// The map of the first one.
        one: Grid,
        /// The other map.
        other: Grid,
    },
    /// A body of no cell.
    #[error("agent {agent} has a body of 0 cells or a pace of 0 ticks; both must be at least 1")]
    Zero {
        /// The agent.
        agent: usize,
    },
    /// A task of an agent that is not there.
    #[error("a task is given to agent {agent}, but there are {agents} agents, counted from 0")]
    NoAgent {
        /// The agent.
        agent: u32,
        /// Agents of the plan.
        agents: usize,
    },
    /// A line that is too short or too long.
    #[error("tick {tick} has {got} agents, but the plan has {want}")]
    AgentCount {
        /// The tick.
        tick: u32,
        /// Cells in the line.
        got: usize,
        /// Agents of the plan.
        want: usize,
    },
    /// More agents or ticks than 32 bits count.
    #[error("a plan has at most {} agents and ticks", u32::MAX - 1)]
    TooLong,
}

/// What a plan says of one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlannedAgent {
    /// Where it must be in the first line; `None` if that is left open.
    pub start: Option<Cell>,
    /// Where it shall be in the end; `None` if it has no goal, or tasks.
    pub goal: Option<Cell>,
    /// The side of its square body in cells, 1 to 64; its cell is the north-west one. Default 1.
    pub side: u8,
    /// Ticks that a step takes, 1 to 255. Default 1.
    pub pace: u8,
    /// The tick in which it is last seen, if the plan says that it leaves.
    pub left: Option<u32>,
}

impl PlannedAgent {
    /// A single cell of pace 1 without start and goal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            start: None,
            goal: None,
            side: 1,
            pace: 1,
            left: None,
        }
    }

    /// The agent with a start.
    #[must_use]
    pub const fn with_start(mut self, start: Cell) -> Self {
        self.start = Some(start);
        self
    }

    /// The agent with a goal.
    #[must_use]
    pub const fn with_goal(mut self, goal: Cell) -> Self {
        self.goal = Some(goal);
        self
    }

    /// The agent with a square body of so many cells a side.
    #[must_use]
    pub const fn with_side(mut self, side: u8) -> Self {
        self.side = side;
        self
    }

    /// The agent with a pace in ticks.
    #[must_use]
    pub const fn with_pace(mut self, pace: u8) -> Self {
        self.pace = pace;
        self
    }

    /// The agent, last seen in a tick.
    #[must_use]
    pub const fn with_left(mut self, tick: u32) -> Self {
        self.left = Some(tick);
        self
    }
}

impl Default for PlannedAgent {
    fn default() -> Self {
        Self::new()
    }
}

/// A task that was given to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedTask {
    /// Whose, counted from 0.
    pub agent: u32,
    /// The tick from which it holds.
    pub from: u32,
    /// Where to.
    pub goal: Cell,
    /// The tick in whose line the agent is there; `None` if it did not get there.
    pub reached: Option<u32>,
}

/// What a plan claims, beside its ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRun {
    /// The agents.
    pub agents: Vec<PlannedAgent>,
    /// Tasks of all agents; those of one agent in the order in which they were given.
    pub tasks: Vec<PlannedTask>,
    /// Whether the plan claims that all agents are at their goals at the end. Agents with tasks are not asked.
    pub solved: bool,
    /// Whether a cell may be entered in the tick in which another agent leaves it.
    pub following: bool,
    /// Whether a diagonal step of a single cell may pass a body on one of its side cells. Larger bodies never may.
    pub squeezing: bool,
    /// How many conflicts are told one by one; all are counted. Default 100.
    pub told: usize,
}

impl PlannedRun {
    /// No agents, no claim; following is allowed, squeezing is not.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            agents: Vec::new(),
            tasks: Vec::new(),
            solved: false,
            following: true,
            squeezing: false,
            told: 100,
        }
    }
}

impl Default for PlannedRun {
    fn default() -> Self {
        Self::new()
    }
}
