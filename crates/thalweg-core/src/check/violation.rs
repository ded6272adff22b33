//! What a validator found wrong.

use crate::flow::Guidance;
use crate::grid::{Cell, Direction};
use crate::integrate::CostToGoal;
use crate::movement::EdgeKind;
use thiserror::Error;

/// A broken invariant of a field, with the cell where it was found. It means a bug in the library, or a field that was
/// not made from the movement it is checked against.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of each variant says what its values are")]
pub enum Violation {
    #[error("the anchor {cell} costs {cost}, but the ground its body covers gives {expected}")]
    WrongAnchor { cell: Cell, cost: u8, expected: u8 },
    #[error("a body on anchor {cell} that steps {direction} sweeps over blocked ground")]
    SweptStep { cell: Cell, direction: Direction },
    #[error("cell {cell} is a wall but has cost-to-goal {cost}")]
    WallReached { cell: Cell, cost: CostToGoal },
    #[error("cell {cell} has cost-to-goal {cost}, but an exit gives {through}")]
    NotLeast {
        cell: Cell,
        cost: CostToGoal,
        through: u64,
    },
    #[error("cell {cell} has cost-to-goal {cost}, but its best exit gives {best:?}")]
    NoExitKeepsCost {
        cell: Cell,
        cost: CostToGoal,
        best: Option<u64>,
    },
    #[error("cell {cell} is called unreachable, but an exit gives {through}")]
    ReachableCellNotReached { cell: Cell, through: u64 },
    #[error("cell {cell} has successor {edge:?}, which is no legal edge")]
    IllegalSuccessor { cell: Cell, edge: EdgeKind },
    #[error("cell {cell}, {edge:?}: successor is {is_successor}, which contradicts the costs")]
    WrongSuccessor {
        cell: Cell,
        edge: EdgeKind,
        is_successor: bool,
    },
    #[error("cell {cell} is reached and no goal, but has no successor")]
    NoSuccessor { cell: Cell },
    #[error("cell {cell} says {got:?} and should say {expected:?}")]
    WrongGuidance {
        cell: Cell,
        expected: Guidance,
        got: Guidance,
    },
    #[error("following successors from cell {cell} can go round in a circle")]
    Circle { cell: Cell },
    #[error("cell {cell} is labelled with goal {got:?} and should be with {expected:?}")]
    WrongLabel {
        cell: Cell,
        expected: Option<u32>,
        got: Option<u32>,
    },
}
