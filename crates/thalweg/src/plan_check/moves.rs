//! From lines to steps: who takes which step from when to when, and what is wrong with a line by itself.

use super::bodies::{Way, way};
use super::conflict::{Conflict, ConflictKind};
use super::input::PlannedAgent;
use std::collections::VecDeque;
use thalweg_core::grid::{Cell, CellId, Direction};
use thalweg_core::movement::Movement;

/// Where an agent is in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spot {
    /// On an anchor of the map, passable or not.
    At(CellId),
    /// On a cell that the map does not have.
    Outside,
    /// It has left the run.
    Gone,
}

impl Spot {
    pub(super) const fn id(self) -> Option<CellId> {
        match self {
            Self::At(id) => Some(id),
            Self::Outside | Self::Gone => None,
        }
    }
}

/// A step: after tick `start` and until tick `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) agent: u32,
    pub(super) from: CellId,
    pub(super) to: CellId,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) diagonal: Option<Direction>,
}

impl Step {
    /// What an agent has that has not taken any.
    pub(super) const NONE: Self = Self {
        agent: 0,
        from: CellId(0),
        to: CellId(0),
        start: 0,
        end: 0,
        diagonal: None,
    };

    /// Whether it is under way between a tick and the one before.
    pub(super) const fn is_under_way(&self, tick: u32) -> bool {
        self.start < tick && tick <= self.end
    }

    /// The first tick before which two steps are under way both.
    pub(super) fn first_with(&self, other: &Self) -> u32 {
        self.start.max(other.start) + 1
    }
}

/// A line with what is known of it.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) spots: Vec<Spot>,
    /// The steps that begin in its tick.
    pub(super) starting: Vec<Step>,
    /// What is wrong with it by itself.
    pub(super) faults: Vec<Conflict>,
}

/// The lines from the last that was judged to the last that was read.
#[derive(Debug)]
pub(super) struct Lines {
    lines: VecDeque<Line>,
    /// The tick of the first of them.
    first: u32,
    /// For each agent the tick in which its last step ended.
    ended: Vec<u32>,
    /// Lines to be used again.
    spare: Option<Line>,
}

impl Lines {
    pub(super) fn new(agents: usize) -> Self {
        Self {
            lines: VecDeque::new(),
            first: 0,
            ended: vec![0; agents],
            spare: None,
        }
    }

    /// The line of a tick that is still here.
    pub(super) fn line(&self, tick: u32) -> &Line {
        &self.lines[(tick - self.first) as usize]
    }

    /// Lets go of the first line.
    pub(super) fn drop_first(&mut self) {
        self.spare = self.lines.pop_front();
        self.first += 1;
    }

    /// Reads a line and finds the steps that end in it. All lines from the tick before the first step may have begun must
    /// still be here.
    pub(super) fn read(
        &mut self,
        tick: u32,
        cells: &[Option<Cell>],
        agents: &[PlannedAgent],
        movements: &[&Movement],
    ) {
        let mut line = self.spare.take().unwrap_or_default();
        line.spots.clear();
        line.starting.clear();
        line.faults.clear();
        for (index, ((&cell, agent), movement)) in (0..).zip(cells.iter().zip(agents).zip(movements)) {
            let spot = match cell {
                None => Spot::Gone,
                Some(cell) => movement.grid().id(cell).map_or(Spot::Outside, Spot::At),
            };
            line.spots.push(spot);
            let mut fault = |kind, cell| {
                let (agent, other) = (index, None);
                line.faults.push(Conflict {
                    kind,
                    tick,
                    agent,
                    other,
                    cell,
                });
            };
            let before = match tick.checked_sub(1) {
                None => None,
                Some(_) => self.lines.back().map(|before| before.spots[index as usize]),
            };
            if before == Some(spot) && spot != Spot::Outside {
                continue;
            }
            let Some(cell) = cell else { continue };
            let Spot::At(to) = spot else {
                fault(ConflictKind::Blocked, cell);
                continue;
            };
            if !movement.is_passable(to) {
                fault(ConflictKind::Blocked, cell);
            }
            let Some(Spot::At(from)) = before else { continue };
            let Some(way) = way(movement, from, to) else {
                fault(ConflictKind::Step, cell);
                self.ended[index as usize] = tick;
                continue;
            };
            let ended = &mut self.ended[index as usize];
            let start = i64::from(tick) - i64::from(agent.pace);
            if start < i64::from(*ended) {
                fault(ConflictKind::Pace, cell);
            }
            // Judged as if it had begun as early as it could.
            let start = u32::try_from(start).unwrap_or(0).max(*ended);
            *ended = tick;
            let step = Step {
                agent: index,
                from,
                to,
                start,
                end: tick,
                diagonal: match way {
                    Way::Direct => None,
                    Way::Diagonal(direction) => Some(direction),
                },
            };
            let place = (start - self.first) as usize;
            if let Some(begun) = self.lines.get_mut(place) {
                begun.starting.push(step);
            }
        }
        self.lines.push_back(line);
    }
}
