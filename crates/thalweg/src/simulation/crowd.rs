//! The crowd of a running scene: bodies that move freely, or bodies that go from cell to cell.
//!
//! Everything around it (events, fields, sources, zones, recorders, pictures) is the same for both; what differs is here.
//! Rejected: a simulation of its own for strict mode. Two loops over the same plan would drift apart.

use super::fields::FieldSet;
use super::paths::GroupPaths;
use super::strict::StrictAgents;
use super::{InputError, Place, SimulationError, placement};
use crate::crowd_view::CrowdView;
use crate::scene::{GroundError, Scene};
use thalweg_core::cost::CostFieldError;
use thalweg_core::grid::{Grid, MapPoint};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Workers;
use thalweg_crowd::strict::{StrictCrowd, StrictReport};
use thalweg_crowd::{AgentId, AgentView, Crowd, CrowdOptions, Departure, GroupId, StateHash, StepReport};

/// The crowd of a scene.
#[derive(Clone, Debug)]
pub struct SceneCrowd(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Free(Box<Crowd>),
    Strict(Box<StrictAgents>),
}

impl SceneCrowd {
    /// The crowd that the scene asks for, with everybody at the start.
    pub(super) fn new(scene: &Scene, fields: &FieldSet) -> Result<Self, SimulationError> {
        if let Some(plan) = &scene.strict {
            let agents = StrictAgents::new(scene, plan, fields)?;
            return Ok(Self(Kind::Strict(Box::new(agents))));
        }
        let mut options = CrowdOptions::new().with_avoidance(scene.avoidance);
        options.time_gap = scene.time_gap;
        let mut crowd = Crowd::new(scene.costs.grid().to_owned(), options)?;
        for (index, group) in (0u16..).zip(&scene.groups) {
            let movement = fields.of_group(usize::from(index)).movement();
            placement::place(&mut crowd, scene, index, movement).map_err(|source| {
                SimulationError::Agent {
                    group: group.name.clone(),
                    source,
                }
            })?;
        }
        Ok(Self(Kind::Free(Box::new(crowd))))
    }

    /// The crowd, if its bodies move freely.
    #[must_use]
    pub fn free(&self) -> Option<&Crowd> {
        match &self.0 {
            Kind::Free(crowd) => Some(crowd),
            Kind::Strict(_) => None,
        }
    }

    /// The crowd, if its bodies go from cell to cell.
    #[must_use]
    pub fn strict(&self) -> Option<&StrictCrowd> {
        match &self.0 {
            Kind::Free(_) => None,
            Kind::Strict(agents) => Some(agents.crowd()),
        }
    }

    pub(super) fn free_mut(&mut self) -> Option<&mut Crowd> {
        match &mut self.0 {
            Kind::Free(crowd) => Some(crowd),
            Kind::Strict(_) => None,
        }
    }

    pub(super) fn strict_mut(&mut self) -> Option<&mut StrictAgents> {
        match &mut self.0 {
            Kind::Free(_) => None,
            Kind::Strict(agents) => Some(agents),
        }
    }

    /// The rectangles of cells that it is on.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        match &self.0 {
            Kind::Free(crowd) => crowd.grid(),
            Kind::Strict(agents) => agents.crowd().grid(),
        }
    }

    /// How many agents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Free(crowd) => crowd.len(),
            Kind::Strict(agents) => agents.crowd().len(),
        }
    }

    /// Whether nobody is in the crowd.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known about an agent; `None` if it is not in the crowd (any more).
    ///
    /// In strict mode its position is that of its anchor cell's centre, evenly along the step that it is on; its speed is
    /// that of straight steps at its pace; and it is stalled as long as it has waited.
    #[must_use]
    pub fn get(&self, agent: AgentId) -> Option<AgentView> {
        match &self.0 {
            Kind::Free(crowd) => crowd.get(agent),
            Kind::Strict(agents) => agents.get(agent),
        }
    }

    /// Everybody in slot order.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, AgentView)> + '_ {
        let (free, strict) = match &self.0 {
            Kind::Free(crowd) => (Some(crowd.agents()), None),
            Kind::Strict(agents) => (None, Some(agents.agents())),
        };
        free.into_iter().flatten().chain(strict.into_iter().flatten())
    }

    /// Those who left in the last step.
    #[must_use]
    pub fn departures(&self) -> &[Departure] {
        match &self.0 {
            Kind::Free(crowd) => crowd.departures(),
            Kind::Strict(agents) => agents.departures(),
        }
    }

    /// A fingerprint of everything that later steps depend on.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        match &self.0 {
            Kind::Free(crowd) => crowd.state_hash(),
            Kind::Strict(agents) => agents.crowd().state_hash(),
        }
    }

    /// Holds an agent where it is, or lets it go.
    pub(super) fn hold(&mut self, agent: AgentId, held: bool) -> Result<(), InputError> {
        match &mut self.0 {
            Kind::Free(crowd) => Ok(crowd.hold(agent, held)?),
            Kind::Strict(agents) => Ok(agents.crowd_mut().hold(agent, held)?),
        }
    }

    /// Adds an agent of a group, `part` of the way from its slowest to its fastest speed. `movement` is the group's world.
    pub(super) fn add(
        &mut self,
        scene: &Scene,
        group: usize,
        movement: &Movement,
        place: Place,
        part: f64,
    ) -> Result<AgentId, InputError> {
        match &mut self.0 {
            Kind::Free(crowd) => {
                let position = match place {
                    Place::Point(point) => point,
                    Place::Cell(cell) => {
                        let grid = crowd.grid();
                        let outside = || CostFieldError::Outside {
                            cell,
                            grid: grid.to_owned(),
                        };
                        MapPoint::centre_of_cell(grid, cell).ok_or_else(|| GroundError::from(outside()))?
                    }
                };
                let spec = placement::spec_of(scene, placement::group_id(group), position, part);
                Ok(crowd.add(movement, spec)?)
            }
            Kind::Strict(agents) => match place {
                Place::Cell(cell) => Ok(agents.enter(scene, group, movement, cell, part)?),
                Place::Point(_) => Err(InputError::NotStrict("an agent is added at a point")),
            },
        }
    }

    /// Takes an agent out.
    pub(super) fn remove(&mut self, agent: AgentId) -> Result<(), InputError> {
        match &mut self.0 {
            Kind::Free(crowd) => Ok(crowd.remove(agent)?),
            Kind::Strict(agents) => Ok(agents.crowd_mut().remove(agent)?),
        }
    }

    /// Gives an agent another group; `movement` is that group's world.
    pub(super) fn set_group(
        &mut self,
        agent: AgentId,
        movement: &Movement,
        group: GroupId,
    ) -> Result<(), InputError> {
        match &mut self.0 {
            Kind::Free(crowd) => Ok(crowd.set_group(agent, movement, group)?),
            Kind::Strict(agents) => Ok(agents.crowd_mut().set_group(agent, group)?),
        }
    }

    /// Puts agents beside walls that came down on them. Of strict mode nobody: a body that is put elsewhere would have
    /// reserved nothing. It stands where it is, *outside*, until the wall goes.
    pub(super) fn eject(&mut self, scene: &Scene, fields: &FieldSet, paths: &GroupPaths) -> usize {
        match &mut self.0 {
            Kind::Free(crowd) => crowd.eject(&fields.inputs(scene, paths.of_group())),
            Kind::Strict(_) => 0,
        }
    }

    /// Steps one tick.
    pub(super) fn step(
        &mut self,
        scene: &Scene,
        fields: &FieldSet,
        paths: &GroupPaths,
        workers: &dyn Workers,
    ) -> Result<(StepReport, Option<StrictReport>), SimulationError> {
        match &mut self.0 {
            Kind::Free(crowd) => {
                let inputs = fields.inputs(scene, paths.of_group());
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "a tick length needs no more than f32"
                )]
                let step = crowd.step(&inputs, scene.tick_s as f32, workers)?;
                Ok((step, None))
            }
            Kind::Strict(agents) => {
                let (step, report) = agents.step(&fields.strict_inputs(scene), workers)?;
                Ok((step, Some(report)))
            }
        }
    }
}

impl CrowdView for SceneCrowd {
    fn grid(&self) -> &Grid {
        Self::grid(self)
    }

    fn view(&self, agent: AgentId) -> Option<AgentView> {
        self.get(agent)
    }

    fn views(&self) -> impl Iterator<Item = (AgentId, AgentView)> {
        let (free, strict) = match &self.0 {
            Kind::Free(crowd) => (Some(crowd.agents_by_place()), None),
            Kind::Strict(agents) => (None, Some(agents.agents())),
        };
        free.into_iter().flatten().chain(strict.into_iter().flatten())
    }

    fn departed(&self) -> &[Departure] {
        self.departures()
    }
}
