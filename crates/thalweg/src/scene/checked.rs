//! A scene checked against its map: everything in it is in range and on the map.

use super::file::{AreaTable, CellTable, GoalTable, GroupTable, SpeedTable};
use super::{SceneEdges, SceneError, SceneFile};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, MAX_POINT_SIDE, WorldTransform, YAxis};
use thalweg_core::movement::MovementProfile;
use thalweg_crowd::{ArrivalRule, Avoidance, MAX_RADIUS, MAX_SPEED, MIN_RADIUS, MIN_SPEED, StalePolicy};
use toml::Spanned;

/// A map as a scene needs it: costs, and the marks of a text map.
#[derive(Clone, Debug)]
pub struct SceneMap {
    /// The costs.
    pub costs: CostField,
    /// Cells marked as goals (`G`); a scene without goals of its own uses them.
    pub goals: Vec<Cell>,
    /// Cells marked with a letter.
    pub marks: Vec<(char, Cell)>,
}

/// A rectangle of cells that can be closed and opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Door {
    /// Its name.
    pub name: String,
    /// Two opposite corners, both included.
    pub corners: (Cell, Cell),
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
    /// Radius in world units.
    pub radius: f64,
    /// Slowest and fastest speed in world units per second.
    pub speed: (f64, f64),
    /// What happens on arrival.
    pub arrival: ArrivalRule,
    /// What happens while the field is out of date.
    pub when_stale: StalePolicy,
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
    /// The map at the start.
    pub costs: CostField,
    /// World units.
    pub transform: WorldTransform,
    /// Profiles by index.
    pub profiles: Vec<(String, MovementProfile)>,
    /// Goals by index.
    pub goals: Vec<SceneGoal>,
    /// Doors by index.
    pub doors: Vec<Door>,
    /// One-way borders and portals.
    pub edges: SceneEdges,
    /// Groups by index.
    pub groups: Vec<GroupPlan>,
    /// Events in order of their tick; equal ticks keep the file's order.
    pub events: Vec<Event>,
    /// How agents keep apart.
    pub avoidance: Avoidance,
    /// Ticks between frames.
    pub frame_every: u64,
    /// The most frames an animation may have.
    pub frames_max: u64,
}

/// The largest starting cost of a goal: the other half of the range is left for the ways to it.
const MAX_BIAS: u32 = u32::MAX / 2;
/// The most agents a scene may have.
const MAX_AGENTS: u64 = 10_000_000;
/// The most ticks a scene may have.
const MAX_TICKS: f64 = 100_000_000.0;

impl Scene {
    /// Checks a scene file against its map.
    ///
    /// # Errors
    /// [`SceneError`] naming the table, its line and the limit that is broken.
    pub fn new(file: &SceneFile, map: SceneMap) -> Result<Self, SceneError> {
        Checker { file, map: &map }.scene()
    }

    /// The scene with another tick length. Its duration and the times of its events and moves stay, to the nearest
    /// new tick.
    ///
    /// # Errors
    /// [`SceneError`] if the length is not above 0 and at most 60 seconds, or there would be too many ticks.
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
        self.tick_s = tick_s;
        Ok(self)
    }
}

fn check_tick(tick_s: f64) -> Result<(), String> {
    if tick_s.is_finite() && tick_s > 0.0 && tick_s <= 60.0 {
        Ok(())
    } else {
        Err(format!(
            "a tick of {tick_s} s is not possible; it must be above 0 and at most 60 seconds"
        ))
    }
}

/// How many ticks a duration has, at least 1; `None` if it is not a positive number or the ticks are too many.
fn ticks_of(duration: f64, tick_s: f64) -> Option<u64> {
    let ticks = (duration / tick_s).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "range checked"
    )]
    (duration.is_finite() && duration > 0.0 && ticks <= MAX_TICKS).then(|| (ticks as u64).max(1))
}

fn scaled(ticks: u64, ratio: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a non-negative count; the cast saturates"
    )]
    let scaled = (ticks as f64 * ratio).round() as u64;
    scaled
}

pub(super) struct Checker<'a> {
    pub(super) file: &'a SceneFile,
    pub(super) map: &'a SceneMap,
}

impl Checker<'_> {
    fn scene(&self) -> Result<Scene, SceneError> {
        let file = self.file;
        let grid = self.map.costs.grid();
        if grid.width() > MAX_POINT_SIDE || grid.height() > MAX_POINT_SIDE {
            return Err(SceneError::new(format!(
                "a map of {} x {} is too large for a crowd, whose positions allow {MAX_POINT_SIDE} cells a side",
                grid.width(),
                grid.height()
            )));
        }
        let (tick_s, ticks) = self.time()?;
        let profiles = self.profiles()?;
        let goals = self.goals(tick_s)?;
        let doors = self.doors()?;
        let edges = self.edges(&profiles)?;
        let groups = self.groups(&profiles, &goals)?;
        let events = self.events(&doors, &goals)?;
        let avoidance = match file
            .crowd
            .as_ref()
            .map(|table| (table, table.get_ref().avoidance.as_deref()))
        {
            None | Some((_, None | Some("separation"))) => Avoidance::Separation,
            Some((_, Some("off"))) => Avoidance::Off,
            Some((table, Some(other))) => {
                return Err(SceneError::at_line(
                    file.line(table),
                    format!("[crowd] avoidance is `{other}`; it must be off or separation"),
                ));
            }
        };
        let output = file.output.as_ref().map(Spanned::get_ref);
        let frame_every = output.and_then(|table| table.frame_every).unwrap_or(2);
        let frames_max = output.and_then(|table| table.frames_max).unwrap_or(600);
        if frame_every == 0 || frames_max < 2 {
            return Err(SceneError::at_line(
                file.output.as_ref().map_or(1, |table| file.line(table)),
                "[output] frame_every must be at least 1 and frames_max at least 2",
            ));
        }
        Ok(Scene {
            name: file.name.clone(),
            seed: file.seed,
            tick_s,
            ticks,
            costs: self.map.costs.clone(),
            transform: self.transform()?,
            profiles,
            goals,
            doors,
            edges,
            groups,
            events,
            avoidance,
            frame_every,
            frames_max,
        })
    }

    fn time(&self) -> Result<(f64, u64), SceneError> {
        let file = self.file;
        let tick_s = file.tick_s.as_ref().map_or(0.05, |tick| *tick.get_ref());
        check_tick(tick_s).map_err(|reason| {
            let line = file.tick_s.as_ref().map_or(1, |tick| file.line(tick));
            SceneError::at_line(line, format!("tick_s: {reason}"))
        })?;
        let duration = *file.duration_s.get_ref();
        let ticks = ticks_of(duration, tick_s).ok_or_else(|| {
            SceneError::at_line(
                file.line(&file.duration_s),
                format!("duration_s is {duration}; it must be above 0 and at most {MAX_TICKS} ticks long"),
            )
        })?;
        Ok((tick_s, ticks))
    }

    fn transform(&self) -> Result<WorldTransform, SceneError> {
        let table = self.file.map.get_ref();
        let y_axis = if table.y_up { YAxis::Up } else { YAxis::Down };
        WorldTransform::new(
            table.origin.unwrap_or([0.0, 0.0]),
            table.cell_size.unwrap_or(1.0),
            y_axis,
        )
        .map_err(|error| SceneError::at_line(self.file.line(&self.file.map), format!("[map] {error}")))
    }

    pub(super) fn profiles(&self) -> Result<Vec<(String, MovementProfile)>, SceneError> {
        let mut profiles: Vec<(String, MovementProfile)> = Vec::new();
        for table in &self.file.profiles {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            let fail = |reason: String| SceneError::at_line(line, format!("profile `{name}`: {reason}"));
            if profiles.iter().any(|(other, _)| other == name) {
                return Err(fail("this name is used twice".to_owned()));
            }
            let mut profile = MovementProfile::new();
            if let Some(neighbours) = table.neighbours {
                profile.connectivity = neighbours
                    .to_string()
                    .parse()
                    .map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(corner) = &table.corner {
                profile.corner_rule = corner.parse().map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(charge) = &table.charge {
                profile.charge = charge.parse().map_err(|error| fail(format!("{error}")))?;
            }
            if let Some(scale) = &table.scale {
                profile.scale = scale.parse().map_err(|error| fail(format!("{error}")))?;
            }
            profiles.push((name.clone(), profile));
        }
        if !profiles.iter().any(|(name, _)| name == "default") {
            profiles.push(("default".to_owned(), MovementProfile::new()));
        }
        Ok(profiles)
    }

    fn goals(&self, tick_s: f64) -> Result<Vec<SceneGoal>, SceneError> {
        let mut goals: Vec<SceneGoal> = Vec::new();
        for table in &self.file.goals {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if goals.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("goal `{name}`: this name is used twice"),
                ));
            }
            let goal = self
                .goal(table, tick_s)
                .map_err(|reason| SceneError::at_line(line, format!("goal `{name}`: {reason}")))?;
            goals.push(goal);
        }
        if self.file.goals.is_empty() {
            // A text map may mark its goals itself.
            let marked = self.map.goals.iter().zip(1..).map(|(&cell, number)| SceneGoal {
                name: format!("G{number}"),
                cells: vec![cell],
                bias: 0,
                moving: None,
            });
            goals.extend(marked);
        }
        if goals.is_empty() {
            return Err(SceneError::new(
                "the scene has no goals: add a [[goal]], or mark one with G on a text map",
            ));
        }
        Ok(goals)
    }

    fn goal(&self, table: &GoalTable, tick_s: f64) -> Result<SceneGoal, String> {
        let (cells, moving) = match (&table.cells, table.area, &table.path) {
            (Some(cells), None, None) => (self.passable_each(cells)?, None),
            (None, Some(area), None) => {
                let cells = self.passable_in(area)?;
                (
                    cells
                        .into_iter()
                        .map(|id| self.map.costs.grid().cell(id))
                        .collect(),
                    None,
                )
            }
            (None, None, Some(path)) => {
                let path = self.passable_each(path)?;
                let every_s = table.move_every_s.unwrap_or(0.5);
                if !(every_s.is_finite() && every_s > 0.0) {
                    return Err(format!("move_every_s is {every_s}; it must be above 0"));
                }
                let step_cells = table.step_cells.unwrap_or(1) as usize;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "saturates, positive"
                )]
                let every_ticks = ((every_s / tick_s).round() as u64).max(1);
                let start = path.first().copied().ok_or("path has no cells")?;
                (
                    vec![start],
                    Some(MovingGoal {
                        path,
                        every_ticks,
                        step_cells,
                    }),
                )
            }
            _ => return Err("needs exactly one of `cells`, `area` and `path`".to_owned()),
        };
        if moving.is_none() && (table.move_every_s.is_some() || table.step_cells.is_some()) {
            return Err("move_every_s and step_cells need a `path`".to_owned());
        }
        if cells.is_empty() {
            return Err("has no cells".to_owned());
        }
        if table.bias > MAX_BIAS {
            return Err(format!(
                "bias is {}; it must be at most {MAX_BIAS} step units",
                table.bias
            ));
        }
        Ok(SceneGoal {
            name: table.name.get_ref().clone(),
            cells,
            bias: table.bias,
            moving,
        })
    }

    fn doors(&self) -> Result<Vec<Door>, SceneError> {
        let mut doors: Vec<Door> = Vec::new();
        for table in &self.file.doors {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if doors.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("door `{name}`: this name is used twice"),
                ));
            }
            let corners = self
                .corners(table.area)
                .map_err(|reason| SceneError::at_line(line, format!("door `{name}`: {reason}")))?;
            doors.push(Door {
                name: name.clone(),
                corners,
            });
        }
        Ok(doors)
    }

    fn groups(
        &self,
        profiles: &[(String, MovementProfile)],
        goals: &[SceneGoal],
    ) -> Result<Vec<GroupPlan>, SceneError> {
        let mut groups: Vec<GroupPlan> = Vec::new();
        for table in &self.file.groups {
            let line = self.file.line(&table.name);
            let name = table.name.get_ref();
            if groups.iter().any(|other| other.name == *name) {
                return Err(SceneError::at_line(
                    line,
                    format!("group `{name}`: this name is used twice"),
                ));
            }
            let group = self
                .group(table, profiles, goals)
                .map_err(|reason| SceneError::at_line(line, format!("group `{name}`: {reason}")))?;
            groups.push(group);
        }
        if groups.is_empty() {
            return Err(SceneError::new("the scene has no agents: add a [[group]]"));
        }
        if groups.len() > usize::from(u16::MAX) {
            return Err(SceneError::new(format!(
                "{} groups were given, above the limit of {}",
                groups.len(),
                u16::MAX
            )));
        }
        let agents: u64 = groups.iter().map(|group| u64::from(group.count)).sum();
        if agents > MAX_AGENTS {
            return Err(SceneError::new(format!(
                "{agents} agents were asked for, above the limit of {MAX_AGENTS}"
            )));
        }
        Ok(groups)
    }

    fn group(
        &self,
        table: &GroupTable,
        profiles: &[(String, MovementProfile)],
        goals: &[SceneGoal],
    ) -> Result<GroupPlan, String> {
        let grid = self.map.costs.grid();
        let ids = |cells: Vec<Cell>| {
            cells
                .into_iter()
                .filter_map(|cell| grid.id(cell))
                .collect::<Vec<_>>()
        };
        let placement = match (&table.cells, table.area, table.mark) {
            (Some(cells), None, None) => Placement::Each(ids(self.passable_each(cells)?)),
            (None, Some(area), None) => Placement::Drawn(self.passable_in(area)?),
            (None, None, Some(mark)) => {
                let marked = self
                    .map
                    .marks
                    .iter()
                    .filter(|(letter, _)| *letter == mark)
                    .map(|&(_, cell)| cell);
                Placement::Each(ids(marked.collect()))
            }
            _ => return Err("needs exactly one of `cells`, `area` and `mark`".to_owned()),
        };
        let (Placement::Each(places) | Placement::Drawn(places)) = &placement;
        let count = match (table.count, &placement) {
            (Some(count), _) => count,
            (None, Placement::Each(cells)) => {
                u32::try_from(cells.len()).map_err(|_| "too many cells".to_owned())?
            }
            (None, Placement::Drawn(_)) => return Err("`area` needs a `count`".to_owned()),
        };
        if count == 0 || places.is_empty() {
            return Err("has no agents: no count, no cells or no such mark on the map".to_owned());
        }
        // The crowd's limits are in cells; a scene's numbers are in world units.
        let cell = self.file.map.get_ref().cell_size.unwrap_or(1.0);
        // By way of their text, so that 0.01 stays 0.01 in a message.
        let exact = |limit: f32| limit.to_string().parse::<f64>().unwrap_or(f64::from(limit)) * cell;
        let limits = |least: f32, most: f32| (exact(least), exact(most));
        let radius = table.radius.unwrap_or(0.3);
        let (least, most) = limits(MIN_RADIUS, MAX_RADIUS);
        if !(radius >= least && radius <= most) {
            return Err(format!(
                "radius is {radius}; it must be {least} to {most} world units at this cell size"
            ));
        }
        let speed = match table.speed.unwrap_or(SpeedTable::One(1.34)) {
            SpeedTable::One(speed) => (speed, speed),
            SpeedTable::Range([slowest, fastest]) => (slowest, fastest),
        };
        let (least, most) = limits(MIN_SPEED, MAX_SPEED);
        if !(speed.0 >= least && speed.0 <= speed.1 && speed.1 <= most) {
            return Err(format!(
                "speed is {} to {}; both must be {least} to {most} world units per second at this cell size, the slowest first",
                speed.0, speed.1
            ));
        }
        let profile_name = table.profile.as_deref().unwrap_or("default");
        let profile = profiles
            .iter()
            .position(|(name, _)| name == profile_name)
            .ok_or_else(|| format!("there is no profile `{profile_name}`"))?;
        if table.goals.is_empty() {
            return Err("has no goals".to_owned());
        }
        let goal_index = |name: &String| {
            goals
                .iter()
                .position(|goal| goal.name == *name)
                .ok_or_else(|| format!("there is no goal `{name}`"))
        };
        Ok(GroupPlan {
            name: table.name.get_ref().clone(),
            count,
            profile,
            goals: table.goals.iter().map(goal_index).collect::<Result<_, _>>()?,
            radius,
            speed,
            arrival: match table.arrival.as_deref() {
                None | Some("rest") => ArrivalRule::Rest,
                Some("leave") => ArrivalRule::Leave,
                Some(other) => return Err(format!("arrival is `{other}`; it must be rest or leave")),
            },
            when_stale: match table.when_stale.as_deref() {
                None | Some("stop") => StalePolicy::Stop,
                Some("keep-old") => StalePolicy::KeepOld,
                Some(other) => return Err(format!("when_stale is `{other}`; it must be stop or keep-old")),
            },
            steer: super::SteerBy::parse(table.steer.as_deref())?,
            placement,
        })
    }

    fn events(&self, doors: &[Door], goals: &[SceneGoal]) -> Result<Vec<Event>, SceneError> {
        let mut events = Vec::new();
        for table in &self.file.events {
            let line = self.file.line(&table.at_tick);
            let at_tick = *table.at_tick.get_ref();
            let fail =
                |reason: String| SceneError::at_line(line, format!("event at tick {at_tick}: {reason}"));
            let door = |name: &String| {
                doors
                    .iter()
                    .position(|door| door.name == *name)
                    .ok_or_else(|| fail(format!("there is no door `{name}`")))
            };
            let action = match (&table.close, &table.open, &table.cost, &table.move_goal) {
                (Some(name), None, None, None) => EventAction::Close(door(name)?),
                (None, Some(name), None, None) => EventAction::Open(door(name)?),
                (None, None, Some(cost), None) => EventAction::SetCost {
                    corners: self.corners(cost.area).map_err(fail)?,
                    cost: Cost::try_from(cost.value).map_err(|error| fail(error.to_string()))?,
                },
                (None, None, None, Some(moved)) => EventAction::MoveGoal {
                    goal: goals
                        .iter()
                        .position(|goal| goal.name == moved.goal)
                        .ok_or_else(|| fail(format!("there is no goal `{}`", moved.goal)))?,
                    to: self.on_map(moved.to).map_err(fail)?,
                },
                _ => {
                    return Err(fail(
                        "needs exactly one of `close`, `open`, `cost` and `move_goal`".to_owned(),
                    ));
                }
            };
            events.push(Event { at_tick, action });
        }
        events.sort_by_key(|event| event.at_tick);
        Ok(events)
    }

    pub(super) fn on_map(&self, [x, y]: CellTable) -> Result<Cell, String> {
        let grid = self.map.costs.grid();
        let cell = Cell::new(x, y);
        if grid.contains(cell) {
            Ok(cell)
        } else {
            Err(format!(
                "cell {cell} lies outside the map of {} x {} cells that begins at {}",
                grid.width(),
                grid.height(),
                grid.first_cell()
            ))
        }
    }

    fn corners(&self, [x0, y0, x1, y1]: AreaTable) -> Result<(Cell, Cell), String> {
        Ok((self.on_map([x0, y0])?, self.on_map([x1, y1])?))
    }

    fn passable_each(&self, cells: &[CellTable]) -> Result<Vec<Cell>, String> {
        cells
            .iter()
            .map(|&cell| {
                let cell = self.on_map(cell)?;
                let cost = self
                    .map
                    .costs
                    .grid()
                    .id(cell)
                    .and_then(|id| self.map.costs.get(id));
                match cost {
                    Some(cost) if cost.is_passable() => Ok(cell),
                    Some(_) => Err(format!("cell {cell} is impassable")),
                    None => Err(format!("cell {cell} is unknown")),
                }
            })
            .collect()
    }

    /// Every cell of a rectangle, row by row.
    pub(super) fn cells_in(&self, area: AreaTable) -> Result<Vec<Cell>, String> {
        let (a, b) = self.corners(area)?;
        let columns = a.x.min(b.x)..=a.x.max(b.x);
        Ok((a.y.min(b.y)..=a.y.max(b.y))
            .flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
            .collect())
    }

    fn passable_in(&self, area: AreaTable) -> Result<Vec<CellId>, String> {
        let grid = self.map.costs.grid();
        let (a, b) = self.corners(area)?;
        let ids: Vec<CellId> = self
            .cells_in(area)?
            .into_iter()
            .filter_map(|cell| grid.id(cell))
            .filter(|&id| self.map.costs.get(id).is_some_and(Cost::is_passable))
            .collect();
        if ids.is_empty() {
            Err(format!("no cell from {a} to {b} is passable"))
        } else {
            Ok(ids)
        }
    }
}
