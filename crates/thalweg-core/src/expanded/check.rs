//! Validators of expanded fields: facts that hold of every finished one, checked state by state.

use super::turn::IncomingState;
use super::{Beyond, TimeField, TurnField, bias_at};
use crate::grid::{Cell, Direction};
use crate::integrate::Reach;
use crate::movement::Movement;
use thiserror::Error;

/// A broken invariant of an expanded field. It means a bug in the library, or a field that was not made from the movement
/// it is checked against.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the message of each variant says what its values are")]
pub enum StateViolation {
    #[error("cell {cell} after {incoming:?} says {got:?}, but its goals and exits give {expected:?}")]
    Turn {
        cell: Cell,
        incoming: Option<Direction>,
        got: Reach,
        expected: Option<u64>,
    },
    #[error("cell {cell} after {incoming:?} is reached and no goal, but no best edge leads on")]
    NoBestEdge { cell: Cell, incoming: Option<Direction> },
    #[error("cell {cell} at tick {tick} says {got:?}, but its goals and actions give {expected:?}")]
    Time {
        cell: Cell,
        tick: u32,
        got: Reach,
        expected: Option<u64>,
    },
}

/// Checks that every state has the least cost that a goal here or one of its exits gives, and that every reached state that
/// is no goal has a best edge. Best edges lower the cost, or keep it and lower the hops, so that together this proves the
/// costs exact. O(states).
///
/// # Errors
/// The first [`StateViolation`] in id order.
pub fn check_turns(movement: &Movement, field: &TurnField) -> Result<(), StateViolation> {
    for id in field.grid().ids() {
        let cell = field.grid().cell(id);
        for state in IncomingState::of_cell(id) {
            let own = bias_at(field.seeds(), id).map(u64::from);
            let through = field.exits(movement, state).map(|exit| exit.through);
            let expected = own.into_iter().chain(through).min();
            let got = field.reach(state);
            let incoming = state.incoming;
            if !agrees(got, expected, movement.is_known(id)) {
                return Err(StateViolation::Turn {
                    cell,
                    incoming,
                    got,
                    expected,
                });
            }
            let has_edge = field.best_edges(movement, state).next().is_some();
            if got.cost().is_some() && !field.is_goal(state) && !has_edge {
                return Err(StateViolation::NoBestEdge { cell, incoming });
            }
        }
    }
    Ok(())
}

/// Checks that every cell has at every tick before the horizon the least cost that a goal here or one of its actions gives.
/// Actions lead to later ticks only, so that this proves the costs exact as far as those of the horizon are. O(states).
///
/// # Errors
/// The first [`StateViolation`], by tick and id.
pub fn check_time(movement: &Movement, field: &TimeField) -> Result<(), StateViolation> {
    let horizon = field.options().horizon;
    let last = match field.options().beyond {
        // From here on it is a plain field, which has a validator of its own.
        Beyond::Static => horizon,
        Beyond::Nothing => horizon.saturating_add(1),
    };
    for tick in 0..last {
        for id in field.grid().ids() {
            let is_open = field.closures().is_cell_open(id, tick) && movement.is_passable(id);
            let own = bias_at(field.seeds(), id).filter(|_| is_open).map(u64::from);
            let through = field.actions(movement, id, tick).map(|(_, through)| through);
            let expected = own.into_iter().chain(through).min();
            let got = field.reach(id, tick);
            if !agrees(got, expected, movement.is_known(id)) {
                return Err(StateViolation::Time {
                    cell: field.grid().cell(id),
                    tick,
                    got,
                    expected,
                });
            }
        }
    }
    Ok(())
}

fn agrees(got: Reach, expected: Option<u64>, is_known: bool) -> bool {
    match got {
        Reach::Reached(cost) => expected == Some(u64::from(cost.0)),
        Reach::Unreachable => expected.is_none() && is_known,
        Reach::Unknown => !is_known,
    }
}
