//! A strict crowd as a scene runs it: in seconds and world units, and looked at like any other crowd.

use super::SimulationError;
use super::fields::FieldSet;
use super::placement::group_id;
use crate::random::Random;
use crate::scene::{Scene, StrictPlan, places};
use thalweg_core::grid::{Cell, MapPoint, SUBCELLS};
use thalweg_core::movement::Movement;
use thalweg_core::workers::Workers;
use thalweg_crowd::strict::{StrictCrowd, StrictError, StrictGroup, StrictReport, StrictSpec, StrictView};
use thalweg_crowd::{AgentId, AgentView, Departure, Outcome, StepReport};

/// A strict crowd, and what it does not know itself.
#[derive(Clone, Debug)]
pub(super) struct StrictAgents {
    crowd: StrictCrowd,
    tick_s: f64,
    /// In cells, by group.
    radii: Vec<f32>,
    /// Where everybody was before the last step, by slot: of those who left the crowd itself knows nothing any more.
    before: Vec<MapPoint>,
    departures: Vec<Departure>,
    /// Who left in the first tick because it began on a goal: the crowd itself calls only those arrived who came there.
    began_there: u64,
}

impl StrictAgents {
    pub(super) fn new(scene: &Scene, plan: &StrictPlan, fields: &FieldSet) -> Result<Self, SimulationError> {
        let crowd = StrictCrowd::new(scene.costs.grid().to_owned(), plan.options)?;
        let cell = scene.transform.cell_size();
        #[expect(clippy::cast_possible_truncation, reason = "a radius needs no more than f32")]
        let radii = scene.groups.iter().map(|group| (group.radius / cell) as f32);
        let mut agents = Self {
            crowd,
            tick_s: scene.tick_s,
            radii: radii.collect(),
            before: Vec::new(),
            departures: Vec::new(),
            began_there: 0,
        };
        let places = places(scene).map_err(|error| SimulationError::NoCells {
            group: scene.groups[error.group].name.clone(),
            source: error,
        })?;
        for (index, cells) in places.into_iter().enumerate() {
            let movement = fields.of_group(index).movement();
            for (agent, cell) in (0u64..).zip(cells) {
                let part = Random::new(scene.seed, index as u64, agent).unit();
                agents.enter(scene, index, movement, cell, part)?;
            }
        }
        Ok(agents)
    }

    /// Adds an agent of a group, `part` of the way from its slowest to its fastest speed.
    pub(super) fn enter(
        &mut self,
        scene: &Scene,
        group: usize,
        movement: &Movement,
        cell: Cell,
        part: f64,
    ) -> Result<AgentId, StrictError> {
        let (slowest, fastest) = scene.groups[group].speed;
        let speed = slowest + (fastest - slowest) * part;
        let spec = StrictSpec {
            // A checked scene has nobody slower.
            pace: scene.pace(speed).unwrap_or(u8::MAX),
            ..StrictSpec::new(cell, group_id(group))
        };
        self.crowd.add(&spec, movement)
    }

    pub(super) const fn crowd(&self) -> &StrictCrowd {
        &self.crowd
    }

    pub(super) const fn crowd_mut(&mut self) -> &mut StrictCrowd {
        &mut self.crowd
    }

    pub(super) fn departures(&self) -> &[Departure] {
        &self.departures
    }

    pub(super) fn get(&self, agent: AgentId) -> Option<AgentView> {
        Some(self.view(agent, &self.crowd.get(agent)?))
    }

    pub(super) fn agents(&self) -> impl Iterator<Item = (AgentId, AgentView)> + '_ {
        self.crowd
            .agents()
            .map(|(agent, view)| (agent, self.view(agent, &view)))
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "speeds and times need no more than f32"
    )]
    fn view(&self, agent: AgentId, view: &StrictView) -> AgentView {
        let place = |moment| self.crowd.position(agent, moment).unwrap_or_default();
        let (start, position) = (place(0.0), place(1.0));
        let grid = self.crowd.grid();
        let towards = |to| {
            let (from, to) = (grid.cell(view.cell), grid.cell(to));
            let (x, y) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
            let length = x.hypot(y);
            if from.layer == to.layer && length > 0.0 {
                [x / length, y / length]
            } else {
                [0.0, 0.0]
            }
        };
        AgentView {
            position,
            velocity: self.velocity(start, position),
            heading: towards(view.to),
            outcome: view.outcome,
            blocker: view.blocker,
            since: view.since,
            group: view.group,
            radius: self.radii[usize::from(view.group.0)],
            max_speed: (1.0 / (f64::from(view.pace) * self.tick_s)) as f32,
            mass: 1.0,
            is_held: view.is_held,
            tier: 0,
            stalled: (f64::from(view.waited) * self.tick_s) as f32,
        }
    }

    /// In cells per second. A portal is a leap and no motion, as in crowds that move freely.
    #[expect(clippy::cast_possible_truncation, reason = "a speed needs no more than f32")]
    fn velocity(&self, start: MapPoint, end: MapPoint) -> [f32; 2] {
        let (x, y) = (end.x - start.x, end.y - start.y);
        if start.layer != end.layer || x.abs().max(y.abs()) > SUBCELLS {
            return [0.0, 0.0];
        }
        [x, y].map(|along| (f64::from(along) / f64::from(SUBCELLS) / self.tick_s) as f32)
    }

    pub(super) fn step(
        &mut self,
        groups: &[StrictGroup<'_>],
        workers: &dyn Workers,
    ) -> Result<(StepReport, StrictReport), StrictError> {
        let mut before = core::mem::take(&mut self.before);
        for (agent, _) in self.crowd.agents() {
            let slot = agent.index() as usize;
            if before.len() <= slot {
                before.resize(slot + 1, MapPoint::default());
            }
            before[slot] = self.crowd.position(agent, 1.0).unwrap_or_default();
        }
        self.before = before;
        let report = self.crowd.step(groups, workers)?;
        let left = self.crowd.departures().iter().map(|&(id, cell)| {
            let position = MapPoint::centre_of_id(self.crowd.grid(), cell);
            Departure {
                id,
                position,
                velocity: self.velocity(self.before[id.index() as usize], position),
            }
        });
        self.departures = left.collect();
        for departure in &self.departures {
            let before = self.before[departure.id.index() as usize];
            self.began_there += u64::from(before == departure.position);
        }
        let mut step = StepReport::default();
        step.outcomes = report.outcomes;
        step.substeps = 1;
        step.resting = report.outcomes[Outcome::Arrived].saturating_sub(report.left);
        step.left = report.left;
        step.arrived_total = self.crowd.arrived_total() + self.began_there;
        step.left_total = self.crowd.left_total();
        Ok((step, report))
    }
}
