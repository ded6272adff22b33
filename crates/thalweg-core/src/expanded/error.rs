//! Why an expanded field cannot be made.

use crate::grid::Cell;
use crate::integrate::{IntegrateError, MAX_COST_TO_GOAL};
use thiserror::Error;

/// Why an expanded field cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExpandedError {
    /// The field would need more memory than the caller allows.
    #[error("a field of {states} states needs {bytes} bytes, above the limit of {limit} bytes")]
    TooLarge {
        /// States of the field.
        states: u64,
        /// Bytes it would hold.
        bytes: u64,
        /// The caller's limit.
        limit: u64,
    },
    /// More states than a number of 32 bits can name.
    #[error("a field of {states} states is above the limit of {} states", u32::MAX)]
    TooManyStates {
        /// States of the field.
        states: u64,
    },
    /// The cost of a turn is too high.
    #[error("a turn by {eighths} eighths costs {cost}, above the limit of {limit}")]
    TurnCost {
        /// Eighths of a full turn, 0 to 4.
        eighths: u8,
        /// The cost.
        cost: u32,
        /// The limit.
        limit: u32,
    },
    /// Going straight on has a cost.
    #[error("going straight on is a turn by 0 eighths and must cost 0, but {cost} was given")]
    StraightCost {
        /// The cost.
        cost: u32,
    },
    /// Steps of no duration.
    #[error("a step must take at least 1 tick, but its length in ticks was given as {what} 0")]
    NoDuration {
        /// What was 0.
        what: &'static str,
    },
    /// A timetable of another map.
    #[error("the timetable was made for another map than the movement")]
    ForeignTimetable,
    /// A cost-to-goal does not fit 32 bits.
    #[error(
        "a cost-to-goal of cell {cell} is above the limit of {MAX_COST_TO_GOAL}; use a smaller step scale or lower costs"
    )]
    CostOverflow {
        /// The first cell found whose cost does not fit in some state although an exit leads to one whose cost does.
        cell: Cell,
    },
    /// The goals do not fit the movement, or the plain field beyond a horizon cannot be made.
    #[error(transparent)]
    Integrate(#[from] IntegrateError),
}
