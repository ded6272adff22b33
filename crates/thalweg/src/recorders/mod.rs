//! Measuring a crowd: lines that count who passes them, and areas that tell density and speed.
//!
//! [`Recorders`] is shown the crowd after every step ([`Recorders::observe`]) and changes nothing. It looks at every agent
//! once, and at lines and areas only where the boxes around them say so. Whoever has positions from elsewhere, such as
//! measured trajectories, shows them by [`Recorders::observe_sightings`].
//!
//! Lines and areas lie in map space (cells of one layer, in fixed point). What comes out is in world units, by the size of a
//! cell: densities per square unit, speeds in units per second, specific flows per unit of width and second.
//!
//! Leaps are no walks: who goes through a portal, is put elsewhere, or changes its layer, passes nothing on the way. Whoever
//! enters is known from its first sighting on ([`Recorders::note`] tells where a newcomer stands before it first steps).
//! Whoever leaves a crowd at a goal is followed up to where it left ([`CrowdView::departed`]), so a line may lie a hair before it.
//! On the very border of a goal some leave standing on the line, and have not passed it.
//!
//! ```
//! use thalweg::prelude::*;
//! use thalweg::crowd::{AgentSpec, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering, ArrivalRule};
//! use thalweg::recorders::{CountLine, MeasureArea, Recorders, Way};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // A corridor of 20 x 3 cells of half a metre, and somebody who walks from west to east.
//! let costs = CostField::filled(Grid::new(20, 3)?, Cost::PLAIN);
//! let movement = Movement::compile(&costs, &MovementProfile::new());
//! let goals = GoalSet::from_cells([Cell::new(19, 1)]);
//! let field = FieldBundle::build(movement, &goals, &BuildOptions::new(), &mut BuildScratch::new(), &Serial)?;
//! let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new())?;
//! let position = MapPoint::from_map([0.5, 1.5]).ok_or("off the map")?;
//! let spec = AgentSpec { position, radius: 0.4, max_speed: 2.0, group: GroupId(0) };
//! crowd.add(field.movement(), spec)?;
//!
//! let point = |x, y| MapPoint::from_map([x, y]).ok_or("off the map");
//! let mut recorders = Recorders::new(0.5)?;
//! // Drawn from north to south, so that eastward is forward.
//! recorders.add_line(CountLine::new("middle", point(10.0, 0.0)?, point(10.0, 3.0)?)?);
//! recorders.add_area(MeasureArea::rectangle("west half", point(0.0, 0.0)?, point(10.0, 3.0)?)?);
//! recorders.note(&crowd);
//! let group = GroupInput {
//!     movement: field.movement(),
//!     flow: Some(field.flow()),
//!     steering: Steering::Directions,
//!     is_current: true,
//!     stale: StalePolicy::Stop,
//!     field_version: 1,
//!     arrival: ArrivalRule::Rest,
//! };
//! for _ in 0..200 {
//!     crowd.step(&[group], 0.05, &Serial)?;
//!     recorders.observe(&crowd, 0.05)?;
//! }
//! let line = &recorders.lines()[0];
//! assert_eq!((line.count(Way::Forward), line.count(Way::Backward)), (1, 0));
//! // 9.5 cells at two cells a second, and a moment to get going.
//! assert!((4.7..5.2).contains(&line.passages()[0].time_s));
//! let first_seconds = recorders.areas()[0].means(1.0, 4.0);
//! assert!((first_seconds.speed - 1.0).abs() < 0.01, "two cells of half a metre a second");
//! assert!((first_seconds.density - 1.0 / 7.5).abs() < 1e-9, "one in 5 m x 1.5 m");
//! # Ok(())
//! # }
//! ```

mod area;
mod error;
mod geometry;
mod line;

pub use area::{AreaMeans, AreaSample, MeasureArea};
pub use error::RecorderError;
pub use line::{CountLine, Passage, Way};

use crate::crowd_view::CrowdView;
use line::{Step, count_as_f64};
use thalweg_core::grid::{MapPoint, SUBCELLS};
use thalweg_crowd::AgentId;

/// Where somebody is and how it moves, when an observation ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sighting {
    /// Who. For people of a file: a number of one's own choice by [`AgentId::from_bits`], small ones first, as each takes
    /// a place in a list.
    pub agent: AgentId,
    /// Where its centre is.
    pub position: MapPoint,
    /// How it moves, in cells per second.
    pub velocity: [f64; 2],
    /// Whether it came here otherwise than on foot; then it passes no line.
    pub leapt: bool,
}

/// Where a slot was last seen.
#[derive(Clone, Copy, Debug)]
struct Seen {
    agent: AgentId,
    position: MapPoint,
    /// The number of observations that had ended then, and 1; 0 if it never was.
    at: u64,
}

/// Lines and areas, and what they have recorded.
#[derive(Clone, Debug)]
pub struct Recorders {
    cell_size: f64,
    lines: Vec<CountLine>,
    areas: Vec<MeasureArea>,
    seen: Vec<Option<Seen>>,
    observations: u64,
    clock: Clock,
}

/// The time that has passed: sums of many small steps would drift, so steps of one length are counted.
#[derive(Clone, Copy, Debug, Default)]
struct Clock {
    /// Until steps had their length of now.
    before_s: f64,
    step_s: f64,
    steps: u64,
}

impl Clock {
    fn now(&self) -> f64 {
        self.before_s + count_as_f64(self.steps) * self.step_s
    }

    fn pass(&mut self, dt: f64) {
        if dt.to_bits() != self.step_s.to_bits() {
            *self = Self {
                before_s: self.now(),
                step_s: dt,
                steps: 0,
            };
        }
        self.steps += 1;
    }
}

impl Recorders {
    /// No recorders yet; `cell_size` in world units.
    ///
    /// # Errors
    /// [`RecorderError::CellSize`].
    pub fn new(cell_size: f64) -> Result<Self, RecorderError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(RecorderError::CellSize(cell_size));
        }
        Ok(Self {
            cell_size,
            lines: Vec::new(),
            areas: Vec::new(),
            seen: Vec::new(),
            observations: 0,
            clock: Clock::default(),
        })
    }

    /// Adds a line; its index is the number of lines before it.
    pub fn add_line(&mut self, line: CountLine) {
        self.lines.push(line);
    }

    /// Adds an area; its index is the number of areas before it.
    pub fn add_area(&mut self, area: MeasureArea) {
        self.areas.push(area);
    }

    /// The lines, in the order in which they were added.
    #[must_use]
    pub fn lines(&self) -> &[CountLine] {
        &self.lines
    }

    /// The areas, in the order in which they were added.
    #[must_use]
    pub fn areas(&self) -> &[MeasureArea] {
        &self.areas
    }

    /// Whether there is nothing to record.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.areas.is_empty()
    }

    /// Side of a cell in world units.
    #[must_use]
    pub const fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Observations so far.
    #[must_use]
    pub const fn observations(&self) -> u64 {
        self.observations
    }

    /// The time that has passed in them, in seconds.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.clock.now()
    }

    /// The length of a line in world units.
    #[must_use]
    pub fn length(&self, line: &CountLine) -> f64 {
        line.length_cells() * self.cell_size
    }

    /// Passages a second and world unit of a line's length, over the time after `after_s` and up to `until_s`.
    #[must_use]
    pub fn specific_flow(&self, line: &CountLine, way: Way, after_s: f64, until_s: f64) -> f64 {
        line.flow(way, after_s, until_s) / self.length(line)
    }

    /// Notes where everybody stands whom no observation has seen yet, without letting time pass: before the first step, and
    /// when agents were added. Without it the first step of a newcomer passes no line.
    pub fn note(&mut self, crowd: &impl CrowdView) {
        for (agent, view) in crowd.views() {
            let slot = agent.index() as usize;
            let is_known = self
                .seen
                .get(slot)
                .is_some_and(|seen| seen.is_some_and(|seen| seen.agent == agent));
            if !is_known {
                self.remember_at(agent, view.position, self.observations);
            }
        }
    }

    /// Takes in a crowd after a step of `dt` seconds. Every step must be shown, in order.
    ///
    /// # Errors
    /// [`RecorderError::Time`] if `dt` is not above 0; nothing is recorded then.
    pub fn observe(&mut self, crowd: &impl CrowdView, dt: f64) -> Result<(), RecorderError> {
        let starts = self.begin(dt)?;
        for (agent, view) in crowd.views() {
            let velocity = view.velocity.map(f64::from);
            let leapt = self
                .last(agent)
                .is_some_and(|from| has_leapt(from, view.position, velocity, dt));
            let sighting = Sighting {
                agent,
                position: view.position,
                velocity,
                leapt,
            };
            self.take_in(&sighting, dt);
        }
        // Who left may have crossed a line on the way to the goal.
        for departure in crowd.departed() {
            let (agent, to) = (departure.id, departure.position);
            let velocity = departure.velocity.map(f64::from);
            if let Some(from) = self.last(agent)
                && from.layer == to.layer
                && !has_leapt(from, to, velocity, dt)
            {
                self.walk(agent, from, to, dt);
            }
        }
        self.end(dt, &starts);
        Ok(())
    }

    /// Takes in who is there after `dt` seconds. Whoever was not there at the end of the observation before has come anew;
    /// whoever is missing has gone.
    ///
    /// # Errors
    /// [`RecorderError::Time`] if `dt` is not above 0; nothing is recorded then.
    pub fn observe_sightings(
        &mut self,
        sightings: impl IntoIterator<Item = Sighting>,
        dt: f64,
    ) -> Result<(), RecorderError> {
        let starts = self.begin(dt)?;
        for sighting in sightings {
            self.take_in(&sighting, dt);
        }
        self.end(dt, &starts);
        Ok(())
    }

    /// How many passages each line had.
    fn begin(&self, dt: f64) -> Result<Vec<usize>, RecorderError> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(RecorderError::Time(dt));
        }
        Ok(self.lines.iter().map(|line| line.passages().len()).collect())
    }

    fn end(&mut self, dt: f64, starts: &[usize]) {
        self.clock.pass(dt);
        let time_s = self.clock.now();
        for (line, &first) in self.lines.iter_mut().zip(starts) {
            line.sort_from(first);
            // Whoever has gone is on no line any more.
            let seen = &self.seen;
            line.forget_unless(|agent| {
                let track = seen.get(agent.index() as usize).copied().flatten();
                track.is_some_and(|seen| seen.agent == agent && seen.at > self.observations)
            });
        }
        for area in &mut self.areas {
            area.end(self.observations, time_s, dt, self.cell_size);
        }
        self.observations += 1;
    }

    /// Where somebody was when the last observation ended.
    fn last(&self, agent: AgentId) -> Option<MapPoint> {
        let seen = (*self.seen.get(agent.index() as usize)?)?;
        (seen.agent == agent && seen.at == self.observations).then_some(seen.position)
    }

    fn remember_at(&mut self, agent: AgentId, position: MapPoint, at: u64) {
        let slot = agent.index() as usize;
        if self.seen.len() <= slot {
            self.seen.resize(slot + 1, None);
        }
        self.seen[slot] = Some(Seen { agent, position, at });
    }

    fn take_in(&mut self, sighting: &Sighting, dt: f64) {
        let Sighting {
            agent,
            position,
            velocity,
            leapt,
        } = *sighting;
        match self.last(agent) {
            Some(from) if !leapt && from.layer == position.layer => self.walk(agent, from, position, dt),
            // Nobody is on a line whose side is not known.
            _ => self.lines.iter_mut().for_each(|line| line.forget(agent)),
        }
        for area in &mut self.areas {
            area.take_in(position, velocity);
        }
        self.remember_at(agent, position, self.observations + 1);
    }

    fn walk(&mut self, agent: AgentId, from: MapPoint, to: MapPoint, dt: f64) {
        let step = Step {
            agent,
            from,
            to,
            tick: self.observations,
            begins_s: self.clock.now(),
            takes_s: dt,
        };
        for line in self.lines.iter_mut().filter(|line| line.layer() == to.layer) {
            line.take_in(&step);
        }
    }
}

/// In cells.
fn difference(a: MapPoint, b: MapPoint) -> [f64; 2] {
    let cells = |from: i32, to: i32| (f64::from(to) - f64::from(from)) / f64::from(SUBCELLS);
    [cells(a.x, b.x), cells(a.y, b.y)]
}

/// Whether an agent got somewhere otherwise than by its velocity, which counts no leaps.
fn has_leapt(from: MapPoint, to: MapPoint, velocity: [f64; 2], dt: f64) -> bool {
    let [x, y] = difference(from, to);
    let (off_x, off_y) = (x - velocity[0] * dt, y - velocity[1] * dt);
    // The velocity is rounded to 24 bits, and so is the length of the crowd's step; a leap is as a rule a cell or more.
    let slack = 0.001 + 1e-5 * (x.abs() + y.abs());
    off_x * off_x + off_y * off_y > slack * slack
}
