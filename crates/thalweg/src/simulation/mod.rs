//! A running scene: map, fields and crowd, stepped tick by tick.
//!
//! Order of a tick: events and moving goals; the map's new rules, if it changed; agents on cells that became walls are
//! put beside them; fields whose costs or goals changed are rebuilt; the crowd steps. Nothing depends on the clock or
//! the number of threads: the same scene gives the same state hash after every tick.

mod fields;
mod placement;

use crate::bundle::FieldBundle;
use crate::scene::{EventAction, Scene, SceneError, one_line};
use fields::FieldSet;
pub use fields::SharedField;
use std::sync::Arc;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Cell;
use thalweg_core::movement::EdgeRuleError;
use thalweg_core::workers::Workers;
use thalweg_crowd::{Crowd, CrowdError, CrowdOptions, GroupInput, StateHash, StepReport};
use thiserror::Error;

/// Why a simulation cannot start or go on.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The scene does not fit.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// One-way borders or portals that do not fit the map or a profile; a checked scene has none.
    #[error(transparent)]
    Edges(#[from] EdgeRuleError),
    /// A field cannot be built, so its agents would have no way from the start.
    #[error("a field cannot be built: {reason}")]
    Field {
        /// The sentence of the build error.
        reason: String,
    },
    /// The crowd refused something.
    #[error("group `{}`: {source}", one_line(.group))]
    Agent {
        /// Name of the group.
        group: String,
        /// What the crowd says.
        source: CrowdError,
    },
    /// The crowd cannot be made or stepped.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
}

/// What one tick did.
#[derive(Clone, Debug)]
pub struct TickReport {
    /// The tick, from 0.
    pub tick: u64,
    /// Events that happened before it.
    pub events: usize,
    /// Fields rebuilt before it.
    pub fields_built: usize,
    /// Cells relaxed by those builds.
    pub cells_expanded: u64,
    /// Why builds failed, if any did: their agents stand until a later build succeeds.
    pub field_failures: Vec<String>,
    /// Agents put beside walls that came down on them.
    pub ejected: usize,
    /// What the crowd did.
    pub step: StepReport,
    /// Hash of the crowd's state after the tick.
    pub hash: StateHash,
}

/// A running scene.
#[derive(Debug)]
pub struct Simulation {
    scene: Scene,
    costs: CostField,
    goal_cells: Vec<Vec<Cell>>,
    fields: FieldSet,
    crowd: Crowd,
    tick: u64,
    next_event: usize,
}

impl Simulation {
    /// Builds the fields and places the agents. The scene is at tick 0 and nothing has moved.
    ///
    /// # Errors
    /// [`SimulationError`] naming the group or the field that does not work.
    pub fn new(scene: Scene, workers: &dyn Workers) -> Result<Self, SimulationError> {
        let costs = scene.costs.clone();
        let goal_cells: Vec<Vec<Cell>> = scene.goals.iter().map(|goal| goal.cells.clone()).collect();
        let mut fields = FieldSet::new(&scene, &costs)?;
        let built = fields.rebuild(&scene, &goal_cells, workers);
        if let Some(reason) = built.failures.into_iter().next() {
            return Err(SimulationError::Field { reason });
        }
        let options = CrowdOptions::new().with_avoidance(scene.avoidance);
        let mut crowd = Crowd::new(costs.grid().clone(), options)?;
        for (index, group) in (0u16..).zip(&scene.groups) {
            let movement = fields.of_group(usize::from(index)).movement();
            placement::place(&mut crowd, &scene, index, movement).map_err(|source| {
                SimulationError::Agent {
                    group: group.name.clone(),
                    source,
                }
            })?;
        }
        Ok(Self {
            scene,
            costs,
            goal_cells,
            fields,
            crowd,
            tick: 0,
            next_event: 0,
        })
    }

    /// The scene as it was given.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The costs as they are now.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        &self.costs
    }

    /// The crowd.
    #[must_use]
    pub const fn crowd(&self) -> &Crowd {
        &self.crowd
    }

    /// Ticks stepped so far.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Whether the scene's last tick has been stepped.
    #[must_use]
    pub const fn is_finished(&self) -> bool {
        self.tick >= self.scene.ticks
    }

    /// The cells of every goal as they are now, by goal index.
    #[must_use]
    pub fn goal_cells(&self) -> &[Vec<Cell>] {
        &self.goal_cells
    }

    /// The field a group follows, or why it has none at the moment.
    ///
    /// # Errors
    /// The sentence of the [`BuildError`](crate::bundle::BuildError) that the last build ended with.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn field_of_group(&self, group: usize) -> Result<&Arc<FieldBundle>, &str> {
        self.fields.of_group(group).bundle()
    }

    /// The distinct fields of the scene, each with the indices of the groups that follow it.
    pub fn fields(&self) -> impl Iterator<Item = (&SharedField, Vec<usize>)> {
        self.fields.iter()
    }

    /// Steps one tick.
    ///
    /// # Errors
    /// [`SimulationError::Crowd`] or [`SimulationError::Edges`]; only for what a checked scene excludes.
    pub fn step(&mut self, workers: &dyn Workers) -> Result<TickReport, SimulationError> {
        let (events, goals_moved) = self.happen();
        let version_before = self.fields.cost_version();
        let map_changed = self.costs.version() != version_before;
        if map_changed {
            self.fields.recompile(&self.scene, &self.costs)?;
        }
        if goals_moved {
            self.fields.goals_moved(&self.goal_cells);
        }
        let built = self.fields.rebuild(&self.scene, &self.goal_cells, workers);
        let Self {
            scene, fields, crowd, ..
        } = self;
        let inputs: Vec<GroupInput<'_>> = scene
            .groups
            .iter()
            .enumerate()
            .map(|(index, plan)| fields.of_group(index).input(plan))
            .collect();
        let ejected = if map_changed { crowd.eject(&inputs) } else { 0 };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a tick length needs no more than f32"
        )]
        let step = crowd.step(&inputs, scene.tick_s as f32, workers)?;
        let report = TickReport {
            tick: self.tick,
            events,
            fields_built: built.fields,
            cells_expanded: built.cells_expanded,
            field_failures: built.failures,
            ejected,
            step,
            hash: self.crowd.state_hash(),
        };
        self.tick += 1;
        Ok(report)
    }

    /// Applies the events of this tick and moves the goals that walk. Returns how many events happened and whether a
    /// goal moved.
    fn happen(&mut self) -> (usize, bool) {
        let mut goals_moved = false;
        let first = self.next_event;
        while let Some(event) = self
            .scene
            .events
            .get(self.next_event)
            .filter(|event| event.at_tick <= self.tick)
        {
            self.next_event += 1;
            match event.action {
                EventAction::Close(door) => {
                    let (a, b) = self.scene.doors[door].corners;
                    // The scene is checked: its corners are on the map.
                    let _on_map = self.costs.set_rect(a, b, Cost::IMPASSABLE);
                }
                EventAction::Open(door) => {
                    let (a, b) = self.scene.doors[door].corners;
                    restore(&mut self.costs, &self.scene.costs, a, b);
                }
                EventAction::SetCost {
                    corners: (a, b),
                    cost,
                } => {
                    let _on_map = self.costs.set_rect(a, b, cost);
                }
                EventAction::MoveGoal { goal, to } => {
                    self.goal_cells[goal] = vec![to];
                    goals_moved = true;
                }
            }
        }
        for (cells, goal) in self.goal_cells.iter_mut().zip(&self.scene.goals) {
            if let Some(moving) = &goal.moving
                && self.tick > 0
                && self.tick.is_multiple_of(moving.every_ticks)
            {
                let moves = usize::try_from(self.tick / moving.every_ticks).unwrap_or(usize::MAX);
                let position = moves.wrapping_mul(moving.step_cells) % moving.path.len();
                *cells = vec![moving.path[position]];
                goals_moved = true;
            }
        }
        (self.next_event - first, goals_moved)
    }
}

/// Gives every cell of a rectangle the cost it has in `original`.
fn restore(costs: &mut CostField, original: &CostField, a: Cell, b: Cell) {
    for y in a.y.min(b.y)..=a.y.max(b.y) {
        for x in a.x.min(b.x)..=a.x.max(b.x) {
            let cell = Cell::new(x, y);
            let Some(id) = original.grid().id(cell) else {
                continue;
            };
            let _on_map = match original.get(id) {
                Some(cost) => costs.set(cell, cost),
                None => costs.set_unknown(cell),
            };
        }
    }
}
