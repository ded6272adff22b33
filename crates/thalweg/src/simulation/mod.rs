//! A running scene: map, fields and crowd, stepped tick by tick, whether the crowd moves freely or from cell to cell.
//!
//! Order of a tick: events and moving goals; [inputs](Input) from outside; crowding is priced, if it is its turn; the [navigator](crate::navigator)
//! makes or repairs fields whose costs or goals changed, all of them or as much as the scene's work per tick allows; agents
//! on cells that became walls are put beside them; who is due enters; who is in a waiting zone is held, or let go; agents of
//! groups that ask for it look for paths of their own while their field is in the making; the crowd steps; what is to be
//! recorded is recorded.
//! Nothing depends on the clock or the number of threads: the same scene gives the same state hash after every tick.

mod course;
mod crowd;
mod fields;
mod input;
mod paths;
mod placement;
mod sources;
mod strict;
mod waiting;

use crate::bundle::FieldBundle;
use crate::congestion::{Congestion, CongestionError, CongestionReport};
use crate::living_map::LivingMap;
use crate::navigator::{Navigator, NavigatorError, NavigatorOptions};
use crate::recorders::{RecorderError, Recorders};
use crate::scene::{GroundError, NoRoom, Scene, SceneError, SceneGround, one_line};
use crate::stuck::{StuckError, StuckWatch, WatchedField};
pub use course::{Course, Happened};
pub use crowd::SceneCrowd;
use fields::FieldSet;
pub use fields::SharedField;
use input::Door;
pub use input::{Input, InputError, InputReport, Place, RefusedInput};
use paths::GroupPaths;
use sources::Sources;
use std::sync::Arc;
use thalweg_core::cost::CostField;
use thalweg_core::grid::Cell;
use thalweg_core::workers::Workers;
use thalweg_crowd::strict::{StrictError, StrictReport};
use thalweg_crowd::{CrowdError, StateHash, StepReport};
use thiserror::Error;
use waiting::Waiting;

/// Why a simulation cannot start or go on.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The scene does not fit.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// The navigator refused something; for a checked scene it does not.
    #[error(transparent)]
    Navigator(#[from] NavigatorError),
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
    /// Agents of a strict scene find no cells of their own; a checked scene has none.
    #[error("group `{}`: {source}", one_line(.group))]
    NoCells {
        /// Name of the group.
        group: String,
        /// How many found some.
        source: NoRoom,
    },
    /// The strict crowd refused something.
    #[error(transparent)]
    Strict(#[from] StrictError),
    /// Somebody who waits in a zone cannot be held or let go; of whoever is in the crowd this is not so.
    #[error(transparent)]
    Hold(#[from] InputError),
    /// A recorder refused something; those of a checked scene do not.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// The price of crowding cannot be made; for a checked scene it can.
    #[error(transparent)]
    Congestion(#[from] CongestionError),
}

/// What one tick did.
#[derive(Clone, Debug)]
pub struct TickReport {
    /// The tick, from 0.
    pub tick: u64,
    /// Events that happened before it.
    pub events: usize,
    /// What became of the inputs before it.
    pub inputs: InputReport,
    /// Fields made from nothing before it.
    pub fields_built: usize,
    /// Fields made from older ones before it.
    pub fields_repaired: usize,
    /// Fields published without work before it: the same was known already, as for goals that come back.
    pub fields_restored: usize,
    /// Cells relaxed by builds and repairs that ended before it; on large maps with several threads it may differ from run to run.
    pub cells_expanded: u64,
    /// Agents that walked on paths of their own, because their field is in the making.
    pub on_paths: usize,
    /// Searches for such paths; others were answered from what earlier searches told, or by components.
    pub paths_searched: u64,
    /// Why fields cannot be made, for each that has begun to fail: their agents stand until one can.
    pub field_failures: Vec<String>,
    /// Agents put beside walls that came down on them.
    pub ejected: usize,
    /// Agents that entered by a source before it.
    pub entered: usize,
    /// What was done about the price of crowding before it; `None` if it was not its turn.
    pub congestion: Option<CongestionReport>,
    /// What the crowd did. In strict mode its sweeps, neighbours and overlaps are 0: nobody leaves a reserved edge.
    pub step: StepReport,
    /// What was reserved and refused; `None` where bodies move freely.
    pub strict: Option<StrictReport>,
    /// Hash of the crowd's state after the tick.
    pub hash: StateHash,
}

/// A running scene.
#[derive(Debug)]
pub struct Simulation {
    scene: Scene,
    course: Course,
    navigator: Navigator,
    fields: FieldSet,
    paths: GroupPaths,
    crowd: SceneCrowd,
    sources: Sources,
    waiting: Waiting,
    recorders: Recorders,
    congestion: Option<Congestion>,
    /// How many inputs have added somebody.
    added: u64,
    tick: u64,
}

impl Simulation {
    /// Builds the fields and places the agents. The scene is at tick 0 and nothing has moved.
    ///
    /// # Errors
    /// [`SimulationError`] naming the group or the field that does not work.
    pub fn new(scene: Scene, workers: &dyn Workers) -> Result<Self, SimulationError> {
        let (course, map) = Course::begin(&scene)?;
        let mut navigator = Navigator::new(map, NavigatorOptions::new());
        let mut fields = FieldSet::new(&scene, &mut navigator, course.goal_cells())?;
        let made = fields.make(&mut navigator, None, workers)?;
        if let Some(reason) = made.failures.into_iter().next() {
            return Err(SimulationError::Field { reason });
        }
        let crowd = SceneCrowd::new(&scene, &fields)?;
        let congestion = scene.congestion.as_ref().map(|plan| {
            Congestion::new(
                scene.costs.grid().to_owned(),
                scene.transform.cell_size(),
                plan.options,
            )
        });
        let mut recorders = Recorders::new(scene.transform.cell_size())?;
        for plan in &scene.count_lines {
            recorders.add_line(plan.line.clone());
        }
        for area in &scene.measure_areas {
            recorders.add_area(area.clone());
        }
        if !recorders.is_empty() {
            recorders.note(&crowd);
        }
        Ok(Self {
            paths: GroupPaths::new(&scene),
            sources: Sources::new(&scene),
            waiting: Waiting::default(),
            congestion: congestion.transpose()?,
            recorders,
            scene,
            course,
            navigator,
            fields,
            crowd,
            added: 0,
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
        self.map().costs()
    }

    /// The map as it is now.
    #[must_use]
    pub const fn map(&self) -> &LivingMap {
        self.navigator.map()
    }

    /// What a profile of the scene pays now: everything but edges.
    ///
    /// # Panics
    /// If there is no such profile.
    #[must_use]
    pub fn profile_costs(&self, profile: usize) -> &CostField {
        self.map().profile_costs(SceneGround::profile_id(profile))
    }

    /// Who owns the map and keeps the fields.
    #[must_use]
    pub const fn navigator(&self) -> &Navigator {
        &self.navigator
    }

    /// The crowd, of whichever kind.
    #[must_use]
    pub const fn crowd(&self) -> &SceneCrowd {
        &self.crowd
    }

    /// What the scene's lines and areas have recorded.
    #[must_use]
    pub const fn recorders(&self) -> &Recorders {
        &self.recorders
    }

    /// The price of crowding, if the scene has one.
    #[must_use]
    pub const fn congestion(&self) -> Option<&Congestion> {
        self.congestion.as_ref()
    }

    /// How many have entered, by source.
    #[must_use]
    pub fn entered(&self) -> &[u64] {
        self.sources.entered()
    }

    /// How many are due and wait outside for room, by source.
    #[must_use]
    pub fn waiting_to_enter(&self) -> Vec<u64> {
        self.sources.waiting(&self.scene, self.tick)
    }

    /// Shows a watch for stuck agents the tick that was stepped last.
    ///
    /// # Errors
    /// [`StuckError`]; a checked scene has none.
    pub fn watch_stuck(&self, watch: &mut StuckWatch) -> Result<(), StuckError> {
        let fields = (0..self.scene.groups.len()).map(|group| {
            let field = self.fields.of_group(group);
            let bundle = field.bundle().ok()?;
            Some(WatchedField {
                movement: bundle.movement(),
                field: bundle.integration(),
                // Also where only prices changed.
                version: field.versions().map_or(0, |versions| versions.field.0),
            })
        });
        let fields: Vec<_> = fields.collect();
        watch.observe(&self.crowd, &fields, self.scene.tick_s)
    }

    /// How many agents wait in waiting zones.
    #[must_use]
    pub fn waiting_in_zones(&self) -> usize {
        self.waiting.len()
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

    /// Steps one tick into which nothing comes from outside.
    ///
    /// # Errors
    /// [`SimulationError`]; only for what a checked scene excludes.
    pub fn step(&mut self, workers: &dyn Workers) -> Result<TickReport, SimulationError> {
        self.step_with(&[], workers)
    }

    /// Steps one tick. Inputs are applied before it, in their order and after the scene's own events; the same inputs in the
    /// same order give the same state on every machine. One that does not fit is skipped, has changed nothing, and is told
    /// in [`TickReport::inputs`].
    ///
    /// # Errors
    /// [`SimulationError`]; only for what a checked scene excludes, whatever the inputs are.
    pub fn step_with(
        &mut self,
        inputs: &[Input],
        workers: &dyn Workers,
    ) -> Result<TickReport, SimulationError> {
        let Self {
            scene,
            course,
            navigator,
            fields,
            paths,
            crowd,
            sources,
            waiting,
            recorders,
            congestion,
            added,
            tick,
        } = self;
        let before = changes(navigator.map());
        let happened = course.happen(scene, *tick, navigator.map_mut())?;
        let mut door = Door {
            scene,
            course,
            navigator,
            crowd,
            waiting,
            added,
            goals_moved: false,
            report: InputReport::default(),
        };
        door.take_in(inputs)?;
        let goals_moved = happened.goals_moved || door.goals_moved;
        let inputs = door.report;
        let map_changed = changes(navigator.map()) != before;
        if goals_moved {
            fields.goals_moved(scene, navigator, course.goal_cells())?;
        }
        if map_changed || goals_moved {
            fields.ground_changed();
        }
        let priced = match (congestion, &scene.congestion, crowd.free()) {
            (Some(congestion), Some(plan), Some(crowd))
                if *tick > 0 && tick.is_multiple_of(plan.interval_ticks) =>
            {
                let report = congestion.update(crowd, navigator.map_mut());
                Some(report.map_err(GroundError::from)?)
            }
            _ => None,
        };
        let made = fields.make(navigator, scene.work_per_tick, workers)?;
        let ejected = if map_changed {
            crowd.eject(scene, fields, paths)
        } else {
            0
        };
        let entered = sources.enter(scene, fields, crowd, *tick)?;
        if (entered > 0 || !inputs.added.is_empty()) && !recorders.is_empty() {
            recorders.note(crowd);
        }
        waiting.mind(scene, course.holds(), crowd)?;
        let searched = navigator.stats().paths_searched;
        paths.find(scene, fields, crowd, navigator)?;
        let (step, strict) = crowd.step(scene, fields, paths, workers)?;
        if !recorders.is_empty() {
            recorders.observe(crowd, scene.tick_s)?;
        }
        let report = TickReport {
            tick: *tick,
            events: happened.events,
            inputs,
            fields_built: made.built,
            fields_repaired: made.repaired,
            fields_restored: made.restored,
            cells_expanded: made.cells_expanded,
            on_paths: paths.agents,
            paths_searched: navigator.stats().paths_searched - searched,
            field_failures: made.failures,
            ejected,
            entered,
            congestion: priced,
            step,
            strict,
            hash: crowd.state_hash(),
        };
        *tick += 1;
        Ok(report)
    }
}

/// Raised by every change that reaches somebody's costs.
fn changes(map: &LivingMap) -> u64 {
    let profiles = (0..map.profiles_len()).map(SceneGround::profile_id);
    let of_profiles: u64 = profiles.map(|id| map.versions(id).cost.0).sum();
    of_profiles + map.costs().version().0
}
