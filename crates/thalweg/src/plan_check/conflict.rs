//! What can be wrong with a plan.

use core::fmt;
use thalweg_core::grid::Cell;

/// A kind of conflict, or of another fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ConflictKind {
    /// Two bodies of one cell hold the same cell in one tick.
    Vertex,
    /// Two bodies hold the same cell in one tick, and one of them is larger than a cell.
    Footprint,
    /// Two agents exchange their cells.
    Swap,
    /// Two agents take both diagonals of one block of 2 × 2 cells at once.
    Crossing,
    /// A diagonal step passes a body that is on one of its side cells, or sweeps a cell that another sweeps.
    Squeeze,
    /// A cell is entered in the tick in which another agent leaves it, where that is forbidden.
    Following,
    /// An agent is where its body may not be: off the map, or on an anchor that is not passable. Starts, goals and tasks
    /// included.
    Blocked,
    /// A step that is neither a legal exit nor a portal.
    Step,
    /// A step that began before the one before it had ended, or before the first tick.
    Pace,
    /// The first line is not at the starts.
    Start,
    /// Not at the goal in the last line, although the plan claims to be solved.
    Goal,
    /// An agent left the run elsewhere than at its goal, in another tick than stated, or came back.
    Left,
    /// A task was not reached when the plan says so, or before the one before it.
    Task,
}

/// All kinds, in the order in which they are counted.
pub const CONFLICT_KINDS: [ConflictKind; 13] = [
    ConflictKind::Vertex,
    ConflictKind::Footprint,
    ConflictKind::Swap,
    ConflictKind::Crossing,
    ConflictKind::Squeeze,
    ConflictKind::Following,
    ConflictKind::Blocked,
    ConflictKind::Step,
    ConflictKind::Pace,
    ConflictKind::Start,
    ConflictKind::Goal,
    ConflictKind::Left,
    ConflictKind::Task,
];

impl ConflictKind {
    /// One word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Footprint => "footprint",
            Self::Swap => "swap",
            Self::Crossing => "crossing",
            Self::Squeeze => "squeeze",
            Self::Following => "following",
            Self::Blocked => "blocked",
            Self::Step => "step",
            Self::Pace => "pace",
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Left => "left",
            Self::Task => "task",
        }
    }

    /// What happened, behind who did it and before where.
    const fn words(self, is_pair: bool) -> &'static str {
        match self {
            Self::Vertex => "are both in",
            Self::Footprint => "both cover",
            Self::Swap => "exchange their cells at",
            Self::Crossing => "cross on the diagonals beside",
            Self::Squeeze => "squeeze past each other at",
            Self::Following => "follow each other, which is forbidden, into",
            Self::Blocked => "may not be at",
            Self::Step => "has no step to",
            Self::Pace => "is too early at",
            Self::Start => "does not begin at its start, but at",
            Self::Goal if is_pair => "are not at their goals, but at",
            Self::Goal => "is not at its goal in the end, but at",
            Self::Left => "leaves, stays away or comes back against what the plan says, last seen at",
            Self::Task => "does not reach its task as told at",
        }
    }
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A conflict between two agents, or a fault of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conflict {
    /// What.
    pub kind: ConflictKind,
    /// The tick in whose line it shows, or in which it is there for the first time during a step that takes several.
    pub tick: u32,
    /// Who, counted from 0.
    pub agent: u32,
    /// With whom, if there is somebody else.
    pub other: Option<u32>,
    /// Where: the cell that both want, the end of a step, the goal that was missed.
    pub cell: Cell,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = self.kind.words(self.other.is_some());
        let Self {
            tick, agent, cell, ..
        } = self;
        match self.other {
            Some(other) => write!(f, "tick {tick}: agents {agent} and {other} {words} {cell}"),
            None => write!(f, "tick {tick}: agent {agent} {words} {cell}"),
        }
    }
}
