//! A running scene: map, fields and crowd, stepped tick by tick.
//!
//! Order of a tick: events and moving goals; the map's new rules, if it changed; agents on cells that became walls are
//! put beside them; fields whose costs or goals changed are rebuilt; the crowd steps. Nothing depends on the clock or
//! the number of threads: the same scene gives the same state hash after every tick.

mod course;
mod fields;
mod placement;

use crate::bundle::FieldBundle;
use crate::scene::{GroundError, Scene, SceneError, SceneGround, one_line};
pub use course::{Course, Happened};
use fields::FieldSet;
pub use fields::SharedField;
use std::sync::Arc;
use thalweg_core::cost::CostField;
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
    /// Ground that does not fit the map; a checked scene has none.
    #[error(transparent)]
    Ground(#[from] GroundError),
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
    /// Cells relaxed by those builds; on large maps with several threads it may differ from run to run.
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
    course: Course,
    fields: FieldSet,
    crowd: Crowd,
    tick: u64,
}

impl Simulation {
    /// Builds the fields and places the agents. The scene is at tick 0 and nothing has moved.
    ///
    /// # Errors
    /// [`SimulationError`] naming the group or the field that does not work.
    pub fn new(scene: Scene, workers: &dyn Workers) -> Result<Self, SimulationError> {
        let course = Course::new(&scene)?;
        let mut fields = FieldSet::new(&scene, course.ground())?;
        let built = fields.rebuild(&scene, course.goal_cells(), workers);
        if let Some(reason) = built.failures.into_iter().next() {
            return Err(SimulationError::Field { reason });
        }
        let options = CrowdOptions::new().with_avoidance(scene.avoidance);
        let mut crowd = Crowd::new(scene.costs.grid().to_owned(), options)?;
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
            course,
            fields,
            crowd,
            tick: 0,
        })
    }

    /// The scene as it was given.
    #[must_use]
    pub const fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The map's own costs as they are now, overlays included, whatever profiles make of the map.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        self.course.ground().costs()
    }

    /// The ground as it is now, also for each profile.
    #[must_use]
    pub const fn ground(&self) -> &SceneGround {
        self.course.ground()
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
        self.course.goal_cells()
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
        let happened = self.course.happen(&self.scene, self.tick)?;
        let ground = self.course.ground();
        let map_changed = ground.version() != self.fields.ground_version();
        if map_changed {
            self.fields.recompile(&self.scene, ground)?;
        }
        if happened.goals_moved {
            self.fields.goals_moved(self.course.goal_cells());
        }
        let built = self
            .fields
            .rebuild(&self.scene, self.course.goal_cells(), workers);
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
            events: happened.events,
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
}
