//! Fields whose cost depends on more than the cell: on how one came ([`TurnField`]) or on when one is there
//! ([`TimeField`]).
//!
//! A plain [`IntegrationField`](crate::integrate::IntegrationField) holds one number per cell and says nothing about such
//! costs. These hold one per `(cell, incoming direction)` and per `(cell, tick)`, and are exact for what they hold; what
//! is best here is a property of the whole state, so nothing is claimed for the cell alone.
//!
//! Both are larger than a plain field by the number of states per cell, so both say beforehand how many bytes they need
//! and refuse above a limit the caller sets.

mod check;
mod error;
mod text;
mod time;
mod time_options;
mod timetable;
mod turn;
mod turn_costs;

pub use check::{StateViolation, check_time, check_turns};
pub use error::ExpandedError;
pub use text::{print_tick, print_turns};
pub use time::{TimeAction, TimeField};
pub use time_options::{Beyond, Presence, StepTicks, TimeOptions};
pub use timetable::{TickSpan, Timetable, TimetableError};
pub use turn::{IncomingState, TurnField};
pub use turn_costs::TurnCosts;

use crate::integrate::{CostToGoal, MAX_COST_TO_GOAL, Reach, UNKNOWN, UNREACHABLE};
use crate::integrate::{IntegrateError, ResolvedGoals, Seed};
use crate::movement::Movement;

/// What a stored value means.
const fn reach_of(value: u32) -> Reach {
    match value {
        UNREACHABLE => Reach::Unreachable,
        UNKNOWN => Reach::Unknown,
        cost => Reach::Reached(CostToGoal(cost)),
    }
}

/// The sum as a stored value, or `None` if it does not fit.
fn fitting(sum: u64) -> Option<u32> {
    u32::try_from(sum).ok().filter(|&sum| sum <= MAX_COST_TO_GOAL)
}

/// Refuses goals that were resolved on another map or on other costs.
fn check_goals(movement: &Movement, goals: &ResolvedGoals) -> Result<(), IntegrateError> {
    let cells = movement.grid().len();
    for seed in goals.seeds() {
        if seed.cell.index() >= cells {
            return Err(IntegrateError::ForeignGoals {
                id: seed.cell.0,
                cells,
            });
        }
        if !movement.is_passable(seed.cell) {
            return Err(IntegrateError::BlockedGoal {
                cell: movement.grid().cell(seed.cell),
            });
        }
    }
    Ok(())
}

/// The cheapest seed of each goal cell, in cell order.
fn cheapest_seeds(goals: &ResolvedGoals) -> Vec<Seed> {
    let mut seeds = goals.seeds().to_vec();
    // Seeds are in order of (cell, bias, goal).
    seeds.dedup_by_key(|seed| seed.cell);
    seeds
}

/// The starting cost of a goal cell.
fn bias_at(seeds: &[Seed], cell: crate::grid::CellId) -> Option<u32> {
    let place = seeds.binary_search_by_key(&cell, |seed| seed.cell).ok()?;
    Some(seeds[place].bias)
}
