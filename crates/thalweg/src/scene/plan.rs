//! A scene that fits its map: everything in it is in range and on the map.

use super::check::{Checker, MAX_TICKS, check_tick, scaled, ticks_of};
use super::{
    CongestionPlan, CountLinePlan, SceneEdges, SceneError, SceneFile, SceneInputs, SourcePlan, WaitingZone,
};
use crate::navigator::WhileMaking;
use crate::recorders::MeasureArea;
use thalweg_core::cost::{
    ClassCosts, Cost, CostField, HeightMap, SlopeRule, Stamp, TerrainMap, UnknownGround,
};
use thalweg_core::expanded::{StepTicks, TurnCosts};
use thalweg_core::grid::{Cell, CellId, WorldTransform};
use thalweg_core::movement::MovementProfile;
use thalweg_crowd::{ArrivalRule, Avoidance, CrowdOptions};

/// A map as a scene needs it: costs, and the marks of a text map.
#[derive(Clone, Debug)]
pub struct SceneMap {
    /// The costs.
    pub costs: CostField,
    /// Cells marked as goals (`G`); a scene without goals of its own uses them.
    pub goals: Vec<Cell>,
    /// Cells marked with a letter.
    pub marks: Vec<(char, Cell)>,
    /// Links that the map brings: from, to, and the cost in plain straight steps. They become portals.
    pub links: Vec<(Cell, Cell, u32)>,
}

impl SceneMap {
    /// A map without marks and links.
    #[must_use]
    pub const fn new(costs: CostField) -> Self {
        Self {
            costs,
            goals: Vec::new(),
            marks: Vec::new(),
            links: Vec::new(),
        }
    }
}

/// A rectangle of cells that can be closed and opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Door {
    /// Its name.
    pub name: String,
    /// Two opposite corners, both included.
    pub corners: (Cell, Cell),
}

/// Who moves, and what the ground is to them.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SceneProfile {
    /// Its name.
    pub name: String,
    /// Steps, corners, charges.
    pub movement: MovementProfile,
    /// What terrain classes cost it; `None` if the map's own costs hold.
    pub classes: Option<ClassCosts>,
    /// What unknown ground is to it.
    pub unknown: UnknownGround,
    /// What slopes do to it; `None` if it does not look at heights.
    pub slopes: Option<SlopeRule>,
    /// What turns cost it. Only turn fields know; crowds leave turning to the steering.
    pub turns: Option<TurnCosts>,
    /// Cells beyond this cost-to-goal stay unknown to it, in step units.
    pub cost_limit: Option<u32>,
}

impl SceneProfile {
    /// A profile for which the map's own costs hold, unknown ground is blocked and heights are not looked at.
    #[must_use]
    pub const fn new(name: String, movement: MovementProfile) -> Self {
        Self {
            name,
            movement,
            classes: None,
            unknown: UnknownGround::Blocked,
            slopes: None,
            turns: None,
            cost_limit: None,
        }
    }
}

/// Terrain classes by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SceneTerrain {
    /// The class of every cell, as an index into the names.
    pub map: TerrainMap,
    /// Names of the classes, in alphabetical order.
    pub names: Vec<String>,
    /// Red, green and blue of the classes in pictures, where the scene says so.
    pub colours: Vec<Option<[u8; 3]>>,
}

/// A stamp with a name, to be put down and taken away.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneOverlay {
    /// Its name.
    pub name: String,
    /// Shape and effect.
    pub stamp: Stamp,
    /// Whether it makes what it covers impassable.
    pub blocks: bool,
    /// Whether it lies there from the start.
    pub standing: bool,
}

/// Somebody who walks and is in the way; only time fields know about patrols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patrol {
    /// Its name.
    pub name: String,
    /// The cells it stands on, one after the other.
    pub path: Vec<Cell>,
    /// The tick in which it stands on the first one.
    pub from_tick: u32,
    /// Ticks it stands on each.
    pub ticks_per_cell: u32,
    /// How often it walks the path.
    pub rounds: u32,
}

/// How time counts in a time field of the scene; what is `None` is for the caller to choose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimePlan {
    /// Ticks that follow the timetable.
    pub horizon: Option<u32>,
    /// How long steps take.
    pub step_ticks: Option<StepTicks>,
    /// What waiting for a tick costs, in step units; `Some(None)` if nobody may wait.
    pub wait_cost: Option<Option<u32>>,
}

/// A goal that walks along a path.
#[derive(Clone, PartialEq, Debug)]
pub struct MovingGoal {
    /// The cells it visits, one after the other, round and round.
    pub path: Vec<Cell>,
    /// Ticks between two moves.
    pub every_ticks: u64,
    /// Cells of the path it advances per move.
    pub step_cells: usize,
}

/// A named goal.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneGoal {
    /// Its name.
    pub name: String,
    /// Its cells at the start.
    pub cells: Vec<Cell>,
    /// Starting cost in step units.
    pub bias: u32,
    /// How it moves, if it does.
    pub moving: Option<MovingGoal>,
}

/// Where agents of a group start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// Drawn from these passable cells.
    Drawn(Vec<CellId>),
    /// One on each of these cells, in order, round and round.
    Each(Vec<CellId>),
}

/// A group of agents of one kind.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupPlan {
    /// Its name.
    pub name: String,
    /// How many agents.
    pub count: u32,
    /// Where they start.
    pub placement: Placement,
    /// Index of its profile.
    pub profile: usize,
    /// Indices of its goals.
    pub goals: Vec<usize>,
    /// Radius in world units; of agents that are rectangles, half their shorter side by default.
    pub radius: f64,
    /// Slowest and fastest speed in world units per second.
    pub speed: (f64, f64),
    /// What happens on arrival.
    pub arrival: ArrivalRule,
    /// What happens while the field is out of date.
    pub when_stale: WhileMaking,
    /// By what its agents steer.
    pub steer: super::SteerBy,
}

/// Something that happens before a tick is stepped.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// The tick, from 0.
    pub at_tick: u64,
    /// What happens.
    pub action: EventAction,
}

/// What an event does.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum EventAction {
    /// Every cell of the door becomes impassable.
    Close(usize),
    /// Every cell of the door gets back the cost it had at the start.
    Open(usize),
    /// An overlay is put down, on top of the others.
    Put(usize),
    /// An overlay is taken away.
    Take(usize),
    /// Agents in a waiting zone, and those who come into it from now on, wait.
    Hold(usize),
    /// Those who wait in a waiting zone go on, and nobody waits there any more.
    Release(usize),
    /// Every cell of the rectangle gets this cost.
    SetCost {
        /// Two opposite corners, both included.
        corners: (Cell, Cell),
        /// The cost.
        cost: Cost,
    },
    /// A goal is put somewhere else.
    MoveGoal {
        /// Index of the goal.
        goal: usize,
        /// Its new cell.
        to: Cell,
    },
}

/// The most agents a scene may have, and the most that inputs may bring its crowd to.
pub const MAX_AGENTS: u64 = 10_000_000;

/// A scene that fits its map.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name, or an empty text.
    pub name: String,
    /// Seed of everything drawn.
    pub seed: u64,
    /// Length of one tick in seconds.
    pub tick_s: f64,
    /// Number of ticks.
    pub ticks: u64,
    /// The map's own costs at the start, without overlays.
    pub costs: CostField,
    /// Terrain classes, for profiles that have a table for them.
    pub terrain: Option<SceneTerrain>,
    /// Heights.
    pub heights: Option<HeightMap>,
    /// Overlays by index.
    pub overlays: Vec<SceneOverlay>,
    /// Patrols, for time fields.
    pub patrols: Vec<Patrol>,
    /// How time counts in time fields.
    pub time: TimePlan,
    /// World units.
    pub transform: WorldTransform,
    /// Profiles by index.
    pub profiles: Vec<SceneProfile>,
    /// Goals by index.
    pub goals: Vec<SceneGoal>,
    /// Doors by index.
    pub doors: Vec<Door>,
    /// One-way borders and portals.
    pub edges: SceneEdges,
    /// Groups by index.
    pub groups: Vec<GroupPlan>,
    /// Who enters while it runs.
    pub sources: Vec<SourcePlan>,
    /// Where agents wait, by index.
    pub waiting_zones: Vec<WaitingZone>,
    /// Events in order of their tick; equal ticks keep the file's order.
    pub events: Vec<Event>,
    /// Lines that count who passes.
    pub count_lines: Vec<CountLinePlan>,
    /// Areas in which density and speed are measured.
    pub measure_areas: Vec<MeasureArea>,
    /// What crowding costs; `None` if nothing.
    pub congestion: Option<CongestionPlan>,
    /// Work on fields per tick, in the units of [`Navigator::update_within`](crate::navigator::Navigator::update_within);
    /// `None` if every field is right before each tick.
    pub work_per_tick: Option<u64>,
    /// How agents keep apart.
    pub avoidance: Avoidance,
    /// How a crowd goes from cell to cell, every step reserved; `None` if it moves freely. Then `avoidance` and `time_gap`
    /// mean nothing.
    pub strict: Option<super::StrictPlan>,
    /// The time gap that agents keep from who walks before them, in seconds.
    pub time_gap: f32,
    /// Ticks between frames.
    pub frame_every: u64,
    /// The most frames an animation may have.
    pub frames_max: u64,
}

impl Scene {
    /// Checks a scene file against its map.
    ///
    /// # Errors
    /// [`SceneError`] naming the table, its line and the limit that is broken.
    pub fn new(file: &SceneFile, inputs: impl Into<SceneInputs>) -> Result<Self, SceneError> {
        let inputs = &inputs.into();
        Checker::new(file, inputs).scene()
    }

    /// Checks a scene file of which only fields are wanted: it may be without goals and groups, and larger than a crowd's
    /// map. Such a scene must not be simulated.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn for_fields(file: &SceneFile, inputs: impl Into<SceneInputs>) -> Result<Self, SceneError> {
        let inputs = &inputs.into();
        Checker::new(file, inputs).scene_for_fields()
    }

    /// A scene that is only a map: its marked goals, the default profile, no agents and nothing that happens. For asking
    /// fields about a map by the same ways as about a scene; it must not be simulated.
    #[must_use]
    pub fn of_map(map: SceneMap) -> Self {
        let goals = (1..).zip(map.goals).map(|(number, cell)| SceneGoal {
            name: format!("G{number}"),
            cells: vec![cell],
            bias: 0,
            moving: None,
        });
        Self {
            name: String::new(),
            seed: 0,
            tick_s: 0.05,
            ticks: 1,
            costs: map.costs,
            terrain: None,
            heights: None,
            overlays: Vec::new(),
            patrols: Vec::new(),
            time: TimePlan::default(),
            transform: WorldTransform::default(),
            profiles: vec![SceneProfile::new("default".to_owned(), MovementProfile::new())],
            goals: goals.collect(),
            doors: Vec::new(),
            edges: SceneEdges {
                portals: map.links,
                ..SceneEdges::default()
            },
            groups: Vec::new(),
            sources: Vec::new(),
            waiting_zones: Vec::new(),
            events: Vec::new(),
            count_lines: Vec::new(),
            measure_areas: Vec::new(),
            congestion: None,
            work_per_tick: None,
            avoidance: Avoidance::Separation,
            strict: None,
            time_gap: CrowdOptions::default().time_gap,
            frame_every: 2,
            frames_max: 600,
        }
    }

    /// The index of the profile of this name.
    #[must_use]
    pub fn profile(&self, name: &str) -> Option<usize> {
        self.profiles.iter().position(|profile| profile.name == name)
    }

    /// The scene with another tick length. Its duration, the times of its events and moves, and its work on fields in a
    /// second stay, to the nearest new tick and whole unit.
    ///
    /// # Errors
    /// [`SceneError`] if the length is not above 0 and at most 60 seconds, there would be too many ticks, or a step of strict
    /// mode would take more than 255 of them.
    pub fn with_tick(mut self, tick_s: f64) -> Result<Self, SceneError> {
        check_tick(tick_s).map_err(SceneError::new)?;
        let ratio = self.tick_s / tick_s;
        #[expect(clippy::cast_precision_loss, reason = "tick counts are far below 2^53")]
        let duration = self.ticks as f64 * self.tick_s;
        self.ticks = ticks_of(duration, tick_s).ok_or_else(|| {
            SceneError::new(format!(
                "{duration} s in ticks of {tick_s} s are more than {MAX_TICKS} ticks"
            ))
        })?;
        for event in &mut self.events {
            event.at_tick = scaled(event.at_tick, ratio);
        }
        for moving in self.goals.iter_mut().filter_map(|goal| goal.moving.as_mut()) {
            moving.every_ticks = scaled(moving.every_ticks, ratio).max(1);
        }
        if let Some(congestion) = &mut self.congestion {
            congestion.interval_ticks = scaled(congestion.interval_ticks, ratio).max(1);
        }
        for line in &mut self.count_lines {
            line.window_s = line.window_s.max(tick_s);
        }
        let of_time_fields = |ticks: u32| u32::try_from(scaled(u64::from(ticks), ratio)).unwrap_or(u32::MAX);
        for patrol in &mut self.patrols {
            patrol.from_tick = of_time_fields(patrol.from_tick);
            patrol.ticks_per_cell = of_time_fields(patrol.ticks_per_cell).max(1);
        }
        self.time.horizon = self.time.horizon.map(of_time_fields);
        if let Some(StepTicks::Fixed(ticks)) = self.time.step_ticks {
            self.time.step_ticks = Some(StepTicks::Fixed(of_time_fields(ticks).max(1)));
        }
        // As much in a second as before.
        self.work_per_tick = self.work_per_tick.map(|work| scaled(work, 1.0 / ratio).max(1));
        self.tick_s = tick_s;
        self.check_paces()?;
        Ok(self)
    }
}
