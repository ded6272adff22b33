//! What comes from outside into a running scene: doors that a player closes, agents that a game adds, pushes.
//!
//! Inputs are handed to a tick as a list ([`Simulation::step_with`](super::Simulation::step_with)) and applied in its
//! order, after the scene's own events and before anything is made of them. An input that does not fit is **skipped and
//! reported**, and the tick goes on: where players send inputs over a network, one that names an agent who died while it
//! was under way is no mistake but the rule, and every machine must go on from it in the same way. Whether an input fits
//! follows from the state alone, so all machines skip the same ones. Rejected: a tick that fails as a whole. Every caller
//! would have to try, take out and try again, and the machine of one player could hold up those of all.

use super::placement::group_id;
use super::waiting::Waiting;
use super::{Course, SceneCrowd};
use crate::navigator::{Navigator, NavigatorError};
use crate::random::Random;
use crate::scene::{EventAction, GroundError, MAX_AGENTS, Scene, SceneGround};
use core::fmt;
use std::sync::Arc;
use thalweg_core::cost::CostFieldError;
use thalweg_core::grid::{Cell, MapPoint};
use thalweg_core::movement::{Footprint, Movement};
use thalweg_crowd::strict::StrictError;
use thalweg_crowd::{AgentId, CrowdError};
use thiserror::Error;

/// Those who are added have streams of random numbers of their own: neither groups nor sources have such an index.
const STREAM: u64 = 1 << 33;

/// Something from outside that changes a run.
///
/// Doors, overlays, zones, goals and groups are named by their index in the [`Scene`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Input {
    /// What an event of the scene could do as well. Putting down an overlay that lies there, and taking away one that does
    /// not, changes nothing. A goal that walks goes on from its path at its next move.
    Act(EventAction),
    /// One more agent of a group. Its speed is drawn as those of the group are; its radius is the group's.
    Add {
        /// Index of the group.
        group: usize,
        /// Where: on a cell that the group's profile can be on. In strict mode it must be free.
        place: Place,
    },
    /// An agent is taken out. It has not arrived and is in no list of [departures](SceneCrowd::departures).
    Remove(AgentId),
    /// An agent is pushed by a way in cells, swept like a step ([`Crowd::push`](thalweg_crowd::Crowd::push)). Not in strict
    /// mode, where nobody leaves a reserved edge.
    Push {
        /// Who.
        agent: AgentId,
        /// How far along x and y.
        way: [f32; 2],
    },
    /// An agent is held where it is. A waiting zone that releases it does not let it go.
    HoldAgent(AgentId),
    /// An agent that was held by an input may go on, unless it waits in a zone that holds.
    LetGo(AgentId),
    /// An agent gets another group, and so other goals. It keeps its pace. In strict mode both groups must have the same
    /// body.
    SetGroup {
        /// Who.
        agent: AgentId,
        /// Index of the group.
        group: usize,
    },
}

/// Where an agent is added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In the middle of a cell.
    Cell(Cell),
    /// At a point. In strict mode, where agents stand on cells, this is refused.
    Point(MapPoint),
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Act(action) => match action {
                EventAction::Close(door) => write!(f, "close door {door}"),
                EventAction::Open(door) => write!(f, "open door {door}"),
                EventAction::Put(overlay) => write!(f, "put overlay {overlay}"),
                EventAction::Take(overlay) => write!(f, "take overlay {overlay}"),
                EventAction::Hold(zone) => write!(f, "hold waiting zone {zone}"),
                EventAction::Release(zone) => write!(f, "release waiting zone {zone}"),
                EventAction::SetCost {
                    corners: (a, b),
                    cost,
                } => write!(f, "set cost {} from {a} to {b}", cost.byte()),
                EventAction::MoveGoal { goal, to } => write!(f, "move goal {goal} to {to}"),
            },
            Self::Add { group, place } => match place {
                Place::Cell(cell) => write!(f, "add to group {group} on {cell}"),
                Place::Point(point) => write!(f, "add to group {group} at {point:?}"),
            },
            Self::Remove(agent) => write!(f, "remove agent {agent}"),
            Self::Push { agent, way: [x, y] } => write!(f, "push agent {agent} by ({x}, {y})"),
            Self::HoldAgent(agent) => write!(f, "hold agent {agent}"),
            Self::LetGo(agent) => write!(f, "let agent {agent} go"),
            Self::SetGroup { agent, group } => write!(f, "agent {agent} joins group {group}"),
        }
    }
}

/// Why an input was skipped; it changed nothing.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A door, an overlay, a waiting zone, a goal or a group that the scene does not have.
    #[error("there is no {what} {index}: the scene has {len}")]
    NoSuch {
        /// What it would be.
        what: &'static str,
        /// Its index.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// A place off the map.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// A crowd that moves freely refuses it.
    #[error(transparent)]
    Crowd(#[from] CrowdError),
    /// A crowd of strict mode refuses it.
    #[error(transparent)]
    Strict(#[from] StrictError),
    /// Something that strict mode does not have.
    #[error("{0}, which strict mode does not have")]
    NotStrict(&'static str),
    /// A group whose agents have another body.
    #[error("agent {agent} has a body of {has} (in cells), and group {group} one of {wants}")]
    OtherBody {
        /// Who.
        agent: AgentId,
        /// Its body.
        has: Footprint,
        /// The group.
        group: usize,
        /// The group's body.
        wants: Footprint,
    },
    /// A crowd as large as it may get.
    #[error("the crowd has {0} agents, the most it may have")]
    Full(usize),
}

/// An input that was skipped.
#[derive(Debug, Clone, PartialEq)]
pub struct RefusedInput {
    /// Its index in the list that was handed in.
    pub index: usize,
    /// Why.
    pub error: InputError,
}

/// What became of the inputs of a tick.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputReport {
    /// Those who were added, each with the index of the input.
    pub added: Vec<(usize, AgentId)>,
    /// Those that were skipped, in order. They changed nothing.
    pub refused: Vec<RefusedInput>,
}

/// Whom an input may change, and what became of the inputs so far.
pub(super) struct Door<'a> {
    pub(super) scene: &'a Scene,
    pub(super) course: &'a mut Course,
    pub(super) navigator: &'a mut Navigator,
    pub(super) crowd: &'a mut SceneCrowd,
    pub(super) waiting: &'a mut Waiting,
    /// How many inputs have ever added somebody.
    pub(super) added: &'a mut u64,
    pub(super) goals_moved: bool,
    pub(super) report: InputReport,
}

impl Door<'_> {
    pub(super) fn take_in(&mut self, inputs: &[Input]) -> Result<(), NavigatorError> {
        for (index, input) in inputs.iter().enumerate() {
            match self.apply(input) {
                Ok(None) => {}
                Ok(Some(agent)) => self.report.added.push((index, agent)),
                Err(Refusal::Skip(error)) => self.report.refused.push(RefusedInput { index, error }),
                Err(Refusal::Stop(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// Whom it added, if anybody.
    fn apply(&mut self, input: &Input) -> Result<Option<AgentId>, Refusal> {
        match *input {
            Input::Act(ref action) => self.act(action)?,
            Input::Add { group, place } => return self.add(group, place).map(Some),
            Input::Remove(agent) => self.crowd.remove(agent)?,
            Input::Push { agent, way } => self.push(agent, way)?,
            Input::HoldAgent(agent) => self.waiting.hold(agent, self.crowd)?,
            Input::LetGo(agent) => self.waiting.let_go(agent, self.crowd)?,
            Input::SetGroup { agent, group } => self.set_group(agent, group)?,
        }
        Ok(None)
    }

    fn act(&mut self, action: &EventAction) -> Result<(), Refusal> {
        let scene = self.scene;
        let (what, index, len) = match *action {
            EventAction::Close(door) | EventAction::Open(door) => ("door", door, scene.doors.len()),
            EventAction::Put(overlay) | EventAction::Take(overlay) => {
                ("overlay", overlay, scene.overlays.len())
            }
            EventAction::Hold(zone) | EventAction::Release(zone) => {
                ("waiting zone", zone, scene.waiting_zones.len())
            }
            EventAction::MoveGoal { goal, to } => {
                let grid = scene.costs.grid();
                if grid.id(to).is_none() {
                    let grid = grid.to_owned();
                    let outside = CostFieldError::Outside { cell: to, grid };
                    return Err(InputError::Ground(outside.into()).into());
                }
                ("goal", goal, scene.goals.len())
            }
            // Judged by the map.
            EventAction::SetCost { .. } => ("", 0, 1),
        };
        if index >= len {
            return Err(InputError::NoSuch { what, index, len }.into());
        }
        let map = self.navigator.map_mut();
        self.goals_moved |= self.course.act(scene, action, map).map_err(InputError::from)?;
        Ok(())
    }

    /// The world of a group, with everything that inputs before this one have made of it.
    fn movement_of(&mut self, group: usize) -> Result<Arc<Movement>, Refusal> {
        let len = self.scene.groups.len();
        let plan = self.scene.groups.get(group).ok_or(InputError::NoSuch {
            what: "group",
            index: group,
            len,
        })?;
        let profile = SceneGround::profile_id(plan.profile);
        self.navigator.movement(profile).map_err(Refusal::Stop)
    }

    fn add(&mut self, group: usize, place: Place) -> Result<AgentId, Refusal> {
        let movement = self.movement_of(group)?;
        if self.crowd.len() as u64 >= MAX_AGENTS {
            return Err(InputError::Full(self.crowd.len()).into());
        }
        let part = Random::new(self.scene.seed, STREAM, *self.added).unit();
        let agent = self.crowd.add(self.scene, group, &movement, place, part)?;
        *self.added += 1;
        Ok(agent)
    }

    fn push(&mut self, agent: AgentId, way: [f32; 2]) -> Result<(), Refusal> {
        let group = self.group_of(agent)?;
        let movement = self.movement_of(group)?;
        let crowd = self
            .crowd
            .free_mut()
            .ok_or(InputError::NotStrict("an agent is pushed"))?;
        crowd.push(agent, &movement, way).map_err(InputError::from)?;
        Ok(())
    }

    fn set_group(&mut self, agent: AgentId, group: usize) -> Result<(), Refusal> {
        let before = self.group_of(agent)?;
        let movement = self.movement_of(group)?;
        if self.crowd.strict().is_some() {
            let has = self.movement_of(before)?.profile().footprint;
            let wants = movement.profile().footprint;
            if has != wants {
                let body = InputError::OtherBody {
                    agent,
                    has,
                    group,
                    wants,
                };
                return Err(body.into());
            }
        }
        self.crowd.set_group(agent, &movement, group_id(group))?;
        Ok(())
    }

    fn group_of(&self, agent: AgentId) -> Result<usize, InputError> {
        let view = self.crowd.get(agent).ok_or(CrowdError::NoSuchAgent(agent))?;
        Ok(usize::from(view.group.0))
    }
}

/// What ends the work on an input.
enum Refusal {
    /// The input, which is skipped.
    Skip(InputError),
    /// The simulation, which cannot go on; of a checked scene never.
    Stop(NavigatorError),
}

impl<E: Into<InputError>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Skip(error.into())
    }
}
