//! The lane rule: on a path nobody ever passes anybody, so what can be reached is told by counting.
//!
//! A lane is a path of cells that are connected with nothing else
//! ([`Blocks::is_path`](thalweg_core::components::Blocks::is_path)). Bodies of one cell keep their order in it (where a
//! diagonal cuts across a bend: as long as they may not squeeze past each other). Whoever has `r` of the `n` bodies of a
//! lane on one side can stand on any cell that leaves `r` cells on that side and `n - 1 - r` on the other, because all
//! others can be pushed to either end; and on no other cell. Following makes that faster and changes nothing else. A body
//! that is held divides the lane into two.
//!
//! Rejected: searching. It finds the same, but the number of ways to put bodies into a lane grows beyond any budget just
//! where lanes are long and full, which is where somebody asks.

#[cfg(test)]
mod tests;

use core::ops::Range;
use thiserror::Error;

/// A body in a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LaneAgent<'a> {
    /// The cell it is on, counted from one end of the lane.
    pub(crate) position: u32,
    /// The cells it wants to be on, any of them, in any order. Cells beyond the lane are none; who wants none at all of
    /// the lane never gets there.
    pub(crate) goals: &'a [u32],
    /// Whether it will never move again.
    pub(crate) is_held: bool,
}

/// What becomes of a body on its goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LaneEnding {
    /// It stays in the lane, on the goal or not.
    Rest,
    /// It leaves the lane, at the end of the tick in which it comes there; who starts on a goal leaves at once.
    Sink,
}

/// Why a lane is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub(crate) enum LaneError {
    /// A body is beyond the end.
    #[error("agent {agent} is on cell {position} of a lane of {length} cells")]
    Outside {
        /// Its place in the list.
        agent: usize,
        /// The cell given.
        position: u32,
        /// How many cells there are.
        length: u32,
    },
    /// Bodies are not in the order in which they stand, or on one cell.
    #[error(
        "agent {agent} on cell {position} does not stand behind the one before it in the list, on cell {before}"
    )]
    Order {
        /// Its place in the list.
        agent: usize,
        /// Its cell.
        position: u32,
        /// The cell of the one before it.
        before: u32,
    },
}

/// What can be reached in a lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LaneTruth {
    /// For each body whether it can be on a goal of its own at some time; exact, either way.
    pub(crate) can_reach: Vec<bool>,
    /// Whether all can be: with [`LaneEnding::Rest`] at the same time, with [`LaneEnding::Sink`] one after the other.
    pub(crate) all: bool,
}

/// Tells who can get to a goal in a lane of `length` cells, given the bodies in the order in which they stand.
///
/// O(bodies + goals); with sinks as often as somebody's leaving lets others through who could not before, so at most once
/// for each body.
///
/// # Errors
/// [`LaneError`] if the bodies are not in order on cells of the lane.
pub(crate) fn lane_truth(
    length: u32,
    agents: &[LaneAgent<'_>],
    ending: LaneEnding,
) -> Result<LaneTruth, LaneError> {
    check(length, agents)?;
    let mut can_reach = vec![false; agents.len()];
    let mut present: Vec<usize> = (0..agents.len()).collect();
    loop {
        for (&agent, range) in present.iter().zip(ranges(length, agents, &present)) {
            can_reach[agent] = agents[agent].goals.iter().any(|goal| range.contains(goal));
        }
        let before = present.len();
        if ending == LaneEnding::Sink {
            // Who leaves gives room to others and takes none, so nobody's leaving has to be put off.
            present.retain(|&agent| !can_reach[agent]);
        }
        if present.len() == before {
            break;
        }
    }
    let all = match ending {
        LaneEnding::Rest => is_placeable(length, agents),
        LaneEnding::Sink => present.is_empty(),
    };
    Ok(LaneTruth { can_reach, all })
}

fn check(length: u32, agents: &[LaneAgent<'_>]) -> Result<(), LaneError> {
    let mut before = None;
    for (agent, &LaneAgent { position, .. }) in agents.iter().enumerate() {
        if position >= length {
            return Err(LaneError::Outside {
                agent,
                position,
                length,
            });
        }
        if let Some(before) = before.filter(|&before| before >= position) {
            return Err(LaneError::Order {
                agent,
                position,
                before,
            });
        }
        before = Some(position);
    }
    Ok(())
}

/// The cells that each of those present can be on.
fn ranges(length: u32, agents: &[LaneAgent<'_>], present: &[usize]) -> Vec<Range<u32>> {
    let mut ranges = Vec::with_capacity(present.len());
    // The part of the lane up to the next body that is held, and how many are in it so far.
    let (mut start, mut waiting) = (0, 0);
    let close = |ranges: &mut Vec<Range<u32>>, waiting: u32, cells: Range<u32>| {
        // Each in its order as far to one end as it goes; what is not taken is how much further it can go.
        let spare = cells.end - cells.start - waiting;
        ranges.extend((0..waiting).map(|rank| cells.start + rank..cells.start + rank + spare + 1));
    };
    for &agent in present {
        let LaneAgent {
            position, is_held, ..
        } = agents[agent];
        if is_held {
            close(&mut ranges, waiting, start..position);
            ranges.push(position..position + 1);
            (start, waiting) = (position + 1, 0);
        } else {
            waiting += 1;
        }
    }
    close(&mut ranges, waiting, start..length);
    ranges
}

/// Whether all can be on goals at the same time: each takes the first of its goals behind the one before it and before the
/// next one that is held.
///
/// Room is not asked for: different cells in order are room, and any such placing can be reached from any other one.
fn is_placeable(length: u32, agents: &[LaneAgent<'_>]) -> bool {
    let mut end = length;
    let mut ends = vec![0; agents.len()];
    for (agent, own) in agents.iter().zip(&mut ends).rev() {
        *own = if agent.is_held { agent.position + 1 } else { end };
        if agent.is_held {
            end = agent.position;
        }
    }
    let mut next = 0;
    agents.iter().zip(ends).all(|(agent, end)| {
        let start = if agent.is_held { agent.position } else { next };
        let free = agent.goals.iter().filter(|&goal| (start..end).contains(goal));
        let place = free.min();
        next = place.map_or(end, |place| place + 1);
        place.is_some()
    })
}
