//! Who gets nowhere, and why.
//!
//! An agent makes progress while its cost-to-goal falls. [`StuckWatch`] is shown the crowd after every step and sums up, for
//! every agent, by how much its cost has fallen (read between the centres of cells, from the field that its group follows).
//! Who has not arrived, is not held, and has gained less than a stated amount over a stated time is **stuck**: whoever stands, is carried
//! to and fro, or walks in a circle. A queue that moves is not, however slowly, if it gains that amount.
//!
//! In strict mode, whoever is told *deadlocked* is stuck at once: that is proved, and no time will help.
//!
//! A field that is replaced, goals that move and prices that rise are no progress and no set-back: a step is always judged by
//! one field, that of its end. An agent without a cost gains nothing.
//!
//! Why it is stuck is told by [`StuckWatch::stuck`] from what the crowd says of it and of those in its way, followed from
//! blocker to blocker to the one at the root ([`StuckReason`]).
//!
//! Rejected: a speed below a limit. Whoever waits at a red light, or is pushed back and forth in a crush, may be fast or slow;
//! and walking in a circle would be fine.

mod reason;

pub use reason::{StuckCause, StuckReason, reason_of};

use crate::crowd_view::CrowdView;
use thalweg_core::grid::{CellId, Direction, Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::IntegrationField;
use thalweg_core::movement::Movement;
use thalweg_crowd::{AgentId, AgentView, Outcome};
use thiserror::Error;

/// Parts of the time without progress. At the end of each one everybody's progress is noted.
const PARTS: usize = 4;

/// When an agent is stuck. Start from [`StuckOptions::new`] and change fields.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StuckOptions {
    /// By how much the cost-to-goal must have fallen, in straight steps at cost 1 (cells of plain ground); above 0, default
    /// 0.5.
    pub progress: f64,
    /// Over which time, in seconds; above 0, default 30: in the arch before a narrow gap somebody may well stand for ten, and
    /// get through. It is measured in quarters: who is found stuck has gained less over
    /// this time up to a quarter more.
    pub seconds: f64,
}

impl Default for StuckOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl StuckOptions {
    /// The default options.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            progress: 0.5,
            seconds: 30.0,
        }
    }
}

/// Why nobody can be watched in this way.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum StuckError {
    /// An amount or a time that is not above 0.
    #[error("{name} is {got}; it must be above 0 and finite")]
    NotAboveZero {
        /// What it is.
        name: &'static str,
        /// The value given.
        got: f64,
    },
}

/// What the watch is told about a group: the field that its agents follow.
#[derive(Clone, Copy, Debug)]
pub struct WatchedField<'a> {
    /// The rules of the field.
    pub movement: &'a Movement,
    /// The costs-to-goal.
    pub field: &'a IntegrationField,
    /// Another number for another field.
    pub version: u64,
}

/// Somebody who is stuck.
#[derive(Clone, PartialEq, Debug)]
pub struct StuckAgent {
    /// Who.
    pub agent: AgentId,
    /// What the crowd says of it.
    pub view: AgentView,
    /// Why.
    pub reason: StuckReason,
}

/// What is known about one agent.
#[derive(Clone, Copy, Debug)]
struct Track {
    agent: AgentId,
    at: MapPoint,
    cost: Option<f64>,
    version: u64,
    /// The sum of what it gained, in straight steps.
    gained: f64,
    /// The sum at the end of each of the last parts, the newest first.
    marks: [f64; PARTS + 1],
    /// How many parts it has been watched without having arrived, up to all of them.
    parts: usize,
    is_stuck: bool,
    seen: u64,
}

/// Watches a crowd for agents that get nowhere.
#[derive(Clone, Debug)]
pub struct StuckWatch {
    options: StuckOptions,
    tracks: Vec<Option<Track>>,
    /// Time in the part that has begun, in seconds.
    in_part: f64,
    observations: u64,
    stuck: usize,
}

impl StuckWatch {
    /// Nobody is watched yet.
    ///
    /// # Errors
    /// [`StuckError::NotAboveZero`].
    pub fn new(options: StuckOptions) -> Result<Self, StuckError> {
        for (name, got) in [("progress", options.progress), ("seconds", options.seconds)] {
            if !(got.is_finite() && got > 0.0) {
                return Err(StuckError::NotAboveZero { name, got });
            }
        }
        Ok(Self {
            options,
            tracks: Vec::new(),
            in_part: 0.0,
            observations: 0,
            stuck: 0,
        })
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &StuckOptions {
        &self.options
    }

    /// Takes in a crowd after a step of `dt` seconds; `fields` by group, `None` where a group has none. Every step must be
    /// shown. O(agents); whoever is in a group that is not given has no cost.
    ///
    /// # Errors
    /// [`StuckError::NotAboveZero`] if `dt` is not above 0.
    pub fn observe(
        &mut self,
        crowd: &impl CrowdView,
        fields: &[Option<WatchedField<'_>>],
        dt: f64,
    ) -> Result<(), StuckError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(StuckError::NotAboveZero { name: "dt", got: dt });
        }
        self.in_part += dt;
        let ends_part = self.in_part >= self.options.seconds / PARTS_F;
        if ends_part {
            self.in_part = 0.0;
        }
        self.observations += 1;
        self.stuck = 0;
        for (agent, view) in crowd.views() {
            let field = fields.get(usize::from(view.group.0)).copied().flatten();
            let slot = agent.index() as usize;
            if self.tracks.len() <= slot {
                self.tracks.resize(slot + 1, None);
            }
            let known = self.tracks[slot].filter(|track| track.agent == agent);
            let mut track = known.unwrap_or(Track {
                agent,
                at: view.position,
                cost: None,
                version: 0,
                gained: 0.0,
                marks: [0.0; PARTS + 1],
                parts: 0,
                is_stuck: false,
                seen: 0,
            });
            track.walk(crowd.grid(), &view, field);
            track.judge(&view, ends_part, self.options.progress);
            track.seen = self.observations;
            self.stuck += usize::from(track.is_stuck);
            self.tracks[slot] = Some(track);
        }
        Ok(())
    }

    /// How many were stuck at the end of the last step.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.stuck
    }

    /// Whether somebody was stuck at the end of the last step.
    #[must_use]
    pub fn is_stuck(&self, agent: AgentId) -> bool {
        self.tracks
            .get(agent.index() as usize)
            .is_some_and(|track| track.is_some_and(|track| track.agent == agent && self.is_now(&track)))
    }

    /// Those who were stuck at the end of the last step, in the order of slots, with the reason. The crowd must be the one
    /// that was shown last.
    pub fn stuck<'a>(&'a self, crowd: &'a impl CrowdView) -> impl Iterator<Item = StuckAgent> + 'a {
        let now = self.tracks.iter().flatten().filter(|track| self.is_now(track));
        now.filter_map(move |track| {
            Some(StuckAgent {
                agent: track.agent,
                view: crowd.view(track.agent)?,
                reason: reason_of(crowd, track.agent)?,
            })
        })
    }

    /// Tracks of agents that have left stay behind until their slot is given out again.
    const fn is_now(&self, track: &Track) -> bool {
        track.is_stuck && track.seen == self.observations
    }
}

const PARTS_F: f64 = 4.0;

impl Track {
    /// Adds what the last step gained.
    fn walk(&mut self, grid: &Grid, view: &AgentView, field: Option<WatchedField<'_>>) {
        let Some(field) = field else {
            self.at = view.position;
            self.cost = None;
            return;
        };
        let before = if self.version == field.version && self.cost.is_some() {
            self.cost
        } else {
            // The step before it is judged by the field of its end.
            cost_at(grid, &field, self.at)
        };
        self.cost = cost_at(grid, &field, view.position);
        if let (Some(before), Some(after)) = (before, self.cost) {
            self.gained += before - after;
        }
        self.at = view.position;
        self.version = field.version;
    }

    fn judge(&mut self, view: &AgentView, ends_part: bool, progress: f64) {
        // Whoever is held stands on purpose.
        if view.outcome == Outcome::Arrived || view.is_held {
            self.parts = 0;
            self.is_stuck = false;
            self.marks = [self.gained; PARTS + 1];
            return;
        }
        if ends_part {
            self.marks.rotate_right(1);
            self.marks[0] = self.gained;
            self.parts = (self.parts + 1).min(PARTS + 1);
        }
        // The oldest mark was made four parts before the end of the last one.
        self.is_stuck = view.outcome == Outcome::Deadlocked
            || self.parts > PARTS && self.gained - self.marks[PARTS] < progress;
    }
}

/// The cost-to-goal at a position, in straight steps at cost 1: between the centres of the cells around it, as far as a step
/// leads there or back from the cell it is in; `None` where that has none.
fn cost_at(grid: &Grid, field: &WatchedField<'_>, at: MapPoint) -> Option<f64> {
    let own = at.cell_id(grid)?;
    let here = field.field.cost(own)?.0;
    let centre = MapPoint::centre_of_id(grid, own);
    let (dx, dy) = (at.x - centre.x, at.y - centre.y);
    let part = |offset: i32| f64::from(offset.abs()) / f64::from(SUBCELLS);
    let (x, y) = (part(dx), part(dy));
    let corners = [
        ((dx.signum(), 0), x * (1.0 - y)),
        ((0, dy.signum()), (1.0 - x) * y),
        ((dx.signum(), dy.signum()), x * y),
    ];
    let own_weight = (1.0 - x) * (1.0 - y);
    let (mut sum, mut weights) = (f64::from(here) * own_weight, own_weight);
    for ((step_x, step_y), weight) in corners {
        let direction = Direction::from_offset(step_x, step_y);
        let next = direction.and_then(|direction| joined(field.movement, own, direction));
        if let Some(cost) = next.and_then(|next| field.field.cost(next)) {
            sum += f64::from(cost.0) * weight;
            weights += weight;
        }
    }
    Some(sum / weights / f64::from(field.field.cost_unit()))
}

/// The cell beside one in this direction, if a step leads there or back.
fn joined(movement: &Movement, from: CellId, direction: Direction) -> Option<CellId> {
    let is_joined =
        movement.exits(from).contains(direction) || movement.entries(from).contains(direction.opposite());
    movement.grid().neighbour(from, direction).filter(|_| is_joined)
}
