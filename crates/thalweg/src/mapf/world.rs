//! An instance, ready to be stepped.

use super::error::MapfError;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    BatchOptions, BatchScratch, Goal, GoalMeeting, GoalSet, IntegrationField, Reach, integrate_batch,
};
use thalweg_core::movement::{
    Connectivity, CornerRule, EdgeRules, Footprint, FootprintError, Movement, MovementProfile, StepScale,
};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::GroupId;

/// The body of a side in cells, as plans have them: a point for 1, which obeys the corner rule; a square for more.
///
/// # Errors
/// [`FootprintError::Side`] for 0 and above the limit of bodies.
pub const fn body_of(side: u8) -> Result<Footprint, FootprintError> {
    match side {
        1 => Ok(Footprint::Point),
        side => Footprint::square(side as u32),
    }
}

/// An agent of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapfAgent {
    /// The cell of its anchor at tick 0.
    pub start: Cell,
    /// The cell that its anchor is to get to.
    pub goal: Cell,
    /// The side of its square body in cells, default 1; its anchor is the north-west one.
    pub side: u8,
    /// Ticks that a step takes, 1 to 255, default 1.
    pub pace: u8,
}

impl MapfAgent {
    /// A single cell of pace 1.
    #[must_use]
    pub const fn new(start: Cell, goal: Cell) -> Self {
        Self {
            start,
            goal,
            side: 1,
            pace: 1,
        }
    }

    /// The agent with a square body of so many cells a side.
    #[must_use]
    pub const fn with_side(mut self, side: u8) -> Self {
        self.side = side;
        self
    }

    /// The agent with a pace in ticks.
    #[must_use]
    pub const fn with_pace(mut self, pace: u8) -> Self {
        self.pace = pace;
        self
    }
}

/// The rules of steps. Every passable cell costs the same, and a diagonal as much as a straight step: what counts is ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapfOptions {
    /// Which steps there are; default four, as in the benchmarks of the field.
    pub neighbours: Connectivity,
    /// When a diagonal may pass walls; default both side cells free.
    pub corner: CornerRule,
}

impl Default for MapfOptions {
    fn default() -> Self {
        Self {
            neighbours: Connectivity::Four,
            corner: CornerRule::BothFree,
        }
    }
}

impl MapfOptions {
    /// Four neighbours.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with another neighbourhood.
    #[must_use]
    pub const fn with_neighbours(mut self, neighbours: Connectivity) -> Self {
        self.neighbours = neighbours;
        self
    }

    /// The options with another corner rule.
    #[must_use]
    pub const fn with_corner_rule(mut self, corner: CornerRule) -> Self {
        self.corner = corner;
        self
    }
}

/// The field that leads to a goal cell, for one size of body.
#[derive(Debug)]
pub(super) struct GoalField {
    /// Index of the movement.
    pub(super) body: usize,
    pub(super) costs: IntegrationField,
    pub(super) flow: FlowField,
}

/// An instance, ready to be stepped: a movement for each size of body, and a field for each distinct goal of each of them.
///
/// A field takes 5.25 bytes per cell of the map and goal; agents of one body that have a goal in common share it.
#[derive(Debug)]
pub struct MapfWorld {
    movements: Vec<Movement>,
    agents: Vec<MapfAgent>,
    /// For each agent the index of its movement.
    bodies: Vec<usize>,
    pub(super) fields: Vec<GoalField>,
    by_goal: BTreeMap<(usize, Cell), u16>,
}

/// One group is left for agents without a goal, for each size of body at most one.
const MOST_FIELDS: usize = u16::MAX as usize - 64;

impl MapfWorld {
    /// Compiles movements and builds the fields of all goals over the workers. `further` are goals that agents may be given
    /// later; where a body has no room at one of them, agents of that body are never sent there.
    ///
    /// # Errors
    /// [`MapfError`] naming the first agent whose start or goal is not free for its body or cannot be reached, or who has
    /// its start where another one has it; for goals in number above what groups can name; for rules of another map.
    /// Goals may be shared or overlap: [`Self::check_goals`] asks for that.
    pub fn new(
        costs: &CostField,
        rules: Option<&EdgeRules>,
        options: &MapfOptions,
        agents: Vec<MapfAgent>,
        further: &[Cell],
        workers: &dyn Workers,
    ) -> Result<Self, MapfError> {
        let costs = &in_ticks(costs);
        let (mut sides, mut bodies, mut movements) = (Vec::new(), Vec::new(), Vec::new());
        for (index, agent) in agents.iter().enumerate() {
            let known = sides.iter().position(|&side| side == agent.side);
            let body = match known {
                Some(body) => body,
                None => {
                    let compiled = compile(costs, rules, options, agent.side);
                    movements.push(compiled.map_err(|error| error.of_agent(index))?);
                    sides.push(agent.side);
                    sides.len() - 1
                }
            };
            bodies.push(body);
        }
        let mut world = Self {
            movements,
            agents,
            bodies,
            fields: Vec::new(),
            by_goal: BTreeMap::new(),
        };
        world.check_places()?;
        world.build_fields(further, workers)?;
        for (index, agent) in world.agents.iter().enumerate() {
            if !world.can_reach(index, agent.start, agent.goal) {
                return Err(MapfError::Unreachable {
                    agent: index,
                    start: agent.start,
                    goal: agent.goal,
                });
            }
        }
        Ok(world)
    }

    fn check_places(&self) -> Result<(), MapfError> {
        for (agent, (planned, &body)) in self.agents.iter().zip(&self.bodies).enumerate() {
            let movement = &self.movements[body];
            let is_free = |cell| {
                movement
                    .grid()
                    .id(cell)
                    .is_some_and(|id| movement.is_passable(id))
            };
            let footprint = movement.profile().footprint;
            if !is_free(planned.start) {
                let cell = planned.start;
                return Err(MapfError::Start {
                    agent,
                    cell,
                    footprint,
                });
            }
            if !is_free(planned.goal) {
                let cell = planned.goal;
                return Err(MapfError::Goal {
                    agent,
                    cell,
                    footprint,
                });
            }
        }
        self.check_apart("starts", |agent| agent.start)
    }

    /// Whether all agents can be at their goals at once.
    ///
    /// # Errors
    /// [`MapfError::Overlap`] with the first two who cannot.
    pub fn check_goals(&self) -> Result<(), MapfError> {
        self.check_apart("goals", |agent| agent.goal)
    }

    fn check_apart(&self, what: &'static str, place: impl Fn(&MapfAgent) -> Cell) -> Result<(), MapfError> {
        let Some(grid) = self.movements.first().map(Movement::grid) else {
            return Ok(());
        };
        let mut holders: Vec<u32> = vec![u32::MAX; grid.len()];
        for (index, agent) in self.agents.iter().enumerate() {
            let (anchor, side) = (place(agent), i32::from(agent.side));
            for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
                let covered = Cell::on(anchor.layer, anchor.x + dx, anchor.y + dy);
                let Some(id) = grid.id(covered) else { continue };
                let holder = &mut holders[id.index()];
                if *holder != u32::MAX {
                    return Err(MapfError::Overlap {
                        what,
                        one: *holder as usize,
                        other: index,
                        cell: anchor,
                    });
                }
                *holder = u32::try_from(index).unwrap_or(u32::MAX - 1);
            }
        }
        Ok(())
    }

    /// One batch for each size of body: sets of one goal on one movement are what batches are fast at.
    fn build_fields(&mut self, further: &[Cell], workers: &dyn Workers) -> Result<(), MapfError> {
        let mut scratch = BatchScratch::new();
        for (body, movement) in self.movements.iter().enumerate() {
            let own = self
                .agents
                .iter()
                .zip(&self.bodies)
                .filter(|&(_, &of)| of == body);
            let is_free = |cell: &Cell| {
                movement
                    .grid()
                    .id(*cell)
                    .is_some_and(|id| movement.is_passable(id))
            };
            let further = further.iter().copied().filter(is_free);
            let mut goals: Vec<Cell> = own.map(|(agent, _)| agent.goal).chain(further).collect();
            goals.sort_unstable();
            goals.dedup();
            let got = self.fields.len() + goals.len();
            if got > MOST_FIELDS {
                let most = MOST_FIELDS;
                return Err(MapfError::TooManyGoals { got, most });
            }
            let sets = goals.iter().map(|&goal| {
                // Plans speak of anchors: a body is at its goal when its anchor is.
                let set = GoalSet::new().with_goal(Goal::cell(goal));
                set.with_meeting(GoalMeeting::ByAnchor).resolve(movement)
            });
            let sets = sets.collect::<Result<Vec<_>, _>>()?;
            let mut costs = Vec::new();
            let options = BatchOptions::new();
            integrate_batch(movement, &sets, &options, workers, &mut scratch, &mut costs).map_err(
                |error| {
                    let first = error.first();
                    MapfError::Costs {
                        goal: goals[first.set],
                        reason: first.error.to_string(),
                    }
                },
            )?;
            let flows = directions(movement, &costs, workers);
            for ((goal, costs), flow) in goals.into_iter().zip(costs).zip(flows) {
                // Below the limit that was just checked.
                let group = u16::try_from(self.fields.len()).unwrap_or(u16::MAX);
                self.by_goal.insert((body, goal), group);
                self.fields.push(GoalField { body, costs, flow });
            }
        }
        Ok(())
    }

    /// The agents, in order.
    #[must_use]
    pub fn agents(&self) -> &[MapfAgent] {
        &self.agents
    }

    /// The movements, one for each size of body that there is.
    #[must_use]
    pub fn movements(&self) -> &[Movement] {
        &self.movements
    }

    /// The movement of an agent.
    ///
    /// # Panics
    /// If there are not so many agents.
    #[must_use]
    pub fn movement(&self, agent: usize) -> &Movement {
        &self.movements[self.bodies[agent]]
    }

    /// The map; `None` without agents.
    #[must_use]
    pub fn grid(&self) -> Option<&Grid> {
        self.movements.first().map(Movement::grid)
    }

    /// How many fields there are.
    #[must_use]
    pub fn field_count(&self) -> usize {
        self.fields.len()
    }

    /// The field that leads an agent to a goal: cost-to-goal and directions. `None` if no field was asked for that goal, or
    /// its body has no room there.
    ///
    /// # Panics
    /// If there are not so many agents.
    #[must_use]
    pub fn field(&self, agent: usize, goal: Cell) -> Option<(&IntegrationField, &FlowField)> {
        let field = &self.fields[usize::from(self.group(agent, goal)?.0)];
        Some((&field.costs, &field.flow))
    }

    /// Whether an agent can get from a cell to a goal that has a field, if nobody is in its way.
    ///
    /// # Panics
    /// If there are not so many agents.
    #[must_use]
    pub fn can_reach(&self, agent: usize, from: Cell, goal: Cell) -> bool {
        let id: Option<CellId> = self.movement(agent).grid().id(from);
        let field = self.field(agent, goal);
        id.zip(field)
            .is_some_and(|(id, (costs, _))| matches!(costs.reach(id), Reach::Reached(_)))
    }

    pub(super) fn group(&self, agent: usize, goal: Cell) -> Option<GroupId> {
        let key = (self.bodies[agent], goal);
        self.by_goal.get(&key).map(|&group| GroupId(group))
    }

    /// The group of an agent that has no goal; these come after those of all fields.
    pub(super) fn idle_group(&self, agent: usize) -> GroupId {
        let group = self.fields.len() + self.bodies[agent];
        // Sides are at most 64, and so are the sizes of bodies.
        GroupId(u16::try_from(group).unwrap_or(u16::MAX))
    }
}

/// The movement of a body of a side, on a map in ticks.
pub(super) fn compile(
    costs: &CostField,
    rules: Option<&EdgeRules>,
    options: &MapfOptions,
    side: u8,
) -> Result<Movement, MapfError> {
    let footprint = body_of(side).map_err(|error| MapfError::Body { agent: 0, error })?;
    // One unit for every step; portals keep their price.
    let scale = StepScale::new(1, 1).unwrap_or_default();
    let profile = MovementProfile::new()
        .with_connectivity(options.neighbours)
        .with_corner_rule(options.corner)
        .with_scale(scale)
        .with_footprint(footprint);
    Ok(match rules {
        Some(rules) => Movement::compile_with(costs, rules, &profile)?,
        None => Movement::compile(costs, &profile),
    })
}

/// The map with all ground that can be passed at one price.
pub(super) fn in_ticks(costs: &CostField) -> CostField {
    let grid = costs.grid();
    let mut flat = CostField::filled(grid.clone(), Cost::PLAIN);
    for id in grid.ids() {
        if !costs.get(id).is_some_and(Cost::is_passable) {
            flat.write(id, Some(Cost::IMPASSABLE));
        }
    }
    flat
}

/// The directions of many fields, spread over the workers field by field: each is small.
fn directions(movement: &Movement, costs: &[IntegrationField], workers: &dyn Workers) -> Vec<FlowField> {
    let flows: Vec<Mutex<FlowField>> = costs
        .iter()
        .map(|_| Mutex::new(FlowField::new(movement.grid().clone())))
        .collect();
    let tasks = workers.threads().clamp(1, costs.len().max(1));
    workers.run(tasks, &|task| {
        let mut scratch = FlowScratch::new();
        for (field, flow) in costs.iter().zip(&flows).skip(task).step_by(tasks) {
            let mut flow = flow.lock().unwrap_or_else(PoisonError::into_inner);
            extract(movement, field, &Serial, &mut scratch, &mut flow);
        }
    });
    let flows = flows.into_iter();
    flows
        .map(|flow| flow.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}
