//! Crowds under any script: nobody in a wall, nobody through a wall, no ghost ids, and the same state for any workers.

use crate::make::{self, LastFirst, number, rarely};
use arbitrary::{Result, Unstructured};
use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{
    FlowField, FlowScratch, HeadingField, HeadingOptions, HeadingScratch, extract, look_ahead,
};
use thalweg_core::grid::{Cell, MapPoint, SUBCELLS};
use thalweg_core::integrate::{
    BlockedGoals, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{
    AgentId, AgentSpec, ArrivalRule, Avoidance, Crowd, CrowdError, CrowdOptions, GroupId, GroupInput,
    MAX_RADIUS, MAX_SPEED, MIN_RADIUS, MIN_SPEED, StageObserver, StalePolicy, StateHash, Steering,
    StepReport, TierOptions,
};

/// What an input may take, in substeps times [`weight`]; steps beyond are left out.
const MAX_WORK: f32 = 6_000.0;
/// The same for a crowd of [`MANY`]: a few substeps.
const MAX_WORK_OF_MANY: f32 = 450_000.0;
/// More agents than one task takes, so that the work is really split.
const MANY: u32 = 1_100;

/// A map, options, groups and agents, then a script. It runs twice, on one worker and on three, and every state must
/// be the same; the second run also shows that the first one can be repeated.
pub fn run(data: &[u8]) {
    let serial = play(data, &Serial);
    let other = play(data, &LastFirst);
    assert_eq!(
        serial, other,
        "the state depends on the workers, or a run cannot be repeated"
    );
}

fn play(data: &[u8], workers: &dyn Workers) -> Vec<StateHash> {
    let mut hashes = Vec::new();
    // Running out of bytes is no finding: the input is then only shorter than it wants to be.
    let _ = script(&mut Unstructured::new(data), workers, &mut hashes);
    hashes
}

/// What a group is told, kept between steps.
struct Group {
    profile: MovementProfile,
    movement: Movement,
    goals: GoalSet,
    flow: Option<FlowField>,
    field: IntegrationField,
    /// The clearance its headings are made with, if it steers by headings.
    clearance: Option<u8>,
    headings: Option<HeadingField>,
    is_current: bool,
    stale: StalePolicy,
    version: u64,
    arrival: ArrivalRule,
}

impl Group {
    fn new(u: &mut Unstructured<'_>, costs: &CostField) -> Result<Self> {
        let profile = make::profile(u)?;
        let movement = Movement::compile(costs, &profile);
        let mut group = Self {
            profile,
            field: IntegrationField::new(movement.grid().clone()),
            movement,
            goals: GoalSet::new(),
            flow: None,
            clearance: *u.choose(&[None, Some(1), Some(5), Some(8)])?,
            headings: None,
            is_current: false,
            stale: *u.choose(&[StalePolicy::KeepOld, StalePolicy::Stop])?,
            version: 0,
            arrival: *u.choose(&[ArrivalRule::Rest, ArrivalRule::Leave])?,
        };
        group.move_goals(u)?;
        if !rarely(u, 16)? {
            group.rebuild();
        }
        Ok(group)
    }

    fn move_goals(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let mut goals = GoalSet::new().with_blocked_goals(BlockedGoals::NearestPassable);
        for _ in 0..u.int_in_range(1..=2)? {
            goals = goals.with_goal(Goal::cell(make::cell_of(u, self.movement.grid())?));
        }
        self.goals = goals;
        self.is_current = false;
        Ok(())
    }

    /// The field of the world as it is now; none if there is nothing to stand on or a cost does not fit.
    fn rebuild(&mut self) {
        let field = &mut self.field;
        let built = self.goals.resolve(&self.movement).is_ok_and(|goals| {
            integrate(
                &self.movement,
                &goals,
                &IntegrateOptions::new(),
                &mut IntegrateScratch::new(),
                field,
            )
            .is_ok()
        });
        self.flow = built.then(|| {
            let mut flow = FlowField::new(self.movement.grid().clone());
            extract(
                &self.movement,
                &self.field,
                &Serial,
                &mut FlowScratch::new(),
                &mut flow,
            );
            flow
        });
        self.headings = self.flow.as_ref().zip(self.clearance).map(|(flow, clearance)| {
            let mut headings = HeadingField::new(self.movement.grid().clone());
            look_ahead(
                &self.movement,
                &self.field,
                flow,
                &HeadingOptions::new().with_clearance(clearance),
                &mut HeadingScratch::new(),
                &mut headings,
            )
            .expect("the map is small");
            headings
        });
        self.version += 1;
        self.is_current = true;
    }

    fn input(&self) -> GroupInput<'_> {
        GroupInput {
            movement: &self.movement,
            flow: self.flow.as_ref(),
            steering: match &self.headings {
                Some(headings) => Steering::Headings {
                    field: &self.field,
                    headings,
                },
                None => Steering::Directions,
            },
            is_current: self.is_current,
            stale: self.stale,
            field_version: self.version,
            arrival: self.arrival,
        }
    }
}

/// Keeps stages apart and does nothing else.
struct Watching;

impl StageObserver for Watching {
    fn ended(&mut self, _stage: thalweg_crowd::Stage) {}
}

/// A crowd with what the script knows about it.
struct Stage {
    costs: CostField,
    groups: Vec<Group>,
    crowd: Crowd,
    live: BTreeSet<AgentId>,
    gone: BTreeSet<AgentId>,
    work: f32,
}

fn script(u: &mut Unstructured<'_>, workers: &dyn Workers, hashes: &mut Vec<StateHash>) -> Result<()> {
    let costs = make::costs(u, 10, Cell::new(0, 0))?;
    let groups = (0..u.int_in_range(1..=2)?)
        .map(|_| Group::new(u, &costs))
        .collect::<Result<Vec<_>>>()?;
    let crowd = match Crowd::new(costs.grid().clone(), options(u)?) {
        Ok(crowd) => crowd,
        Err(error) => {
            make::check_sentence(&error);
            return Ok(());
        }
    };
    let mut stage = Stage {
        costs,
        groups,
        crowd,
        live: BTreeSet::new(),
        gone: BTreeSet::new(),
        work: MAX_WORK,
    };
    let agents = if rarely(u, 64)? {
        stage.work = MAX_WORK_OF_MANY;
        MANY
    } else {
        u.int_in_range(1..=24)?
    };
    for nth in 0..agents as usize {
        // Even when the bytes run out, a large crowd is spread over the map.
        stage.add(u, if agents == MANY { nth } else { 0 })?;
    }
    for _ in 0..u.int_in_range(1..=30)? {
        match u.int_in_range(0..=11)? {
            0..=4 => stage.step(u, workers)?,
            5 => stage.door(u)?,
            6 => stage.add(u, 0)?,
            7 => stage.remove(u)?,
            8 => {
                let group = u.choose_index(stage.groups.len())?;
                stage.groups[group].move_goals(u)?;
                if u.arbitrary()? {
                    stage.groups[group].rebuild();
                }
            }
            9 => {
                let group = u.choose_index(stage.groups.len())?;
                stage.groups[group].rebuild();
            }
            _ => stage.change(u)?,
        }
        stage.check();
        hashes.push(stage.crowd.state_hash());
    }
    Ok(())
}

/// What a substep of so many agents takes, roughly: where bodies are large, everybody looks at everybody.
#[expect(clippy::cast_precision_loss, reason = "a rough measure")]
fn weight(agents: usize) -> f32 {
    let agents = agents as f32;
    agents * (1.0 + agents / 8.0)
}

fn options(u: &mut Unstructured<'_>) -> Result<CrowdOptions> {
    let mut options = CrowdOptions::new();
    if u.arbitrary()? {
        return Ok(options);
    }
    options.avoidance = *u.choose(&[Avoidance::Separation, Avoidance::Off])?;
    options.neighbours = u.int_in_range(1..=17)?;
    options.look_ahead = number(u, 0.0..=4.0)?;
    options.headway = number(u, 0.01..=5.0)?;
    options.response = number(u, 0.0..=5.0)?;
    options.stiffness = number(u, 0.0..=1.0)?;
    options.contact_passes = u.int_in_range(0..=4)?;
    options.max_push = number(u, 0.0..=64.0)?;
    options.max_travel = number(u, 0.05..=0.5)?;
    options.wall_clearance = number(u, 0.0..=0.5)?;
    options.settle = number(u, 0.0..=60.0)?;
    options.closing = number(u, 0.0..=600.0)?;
    Ok(options)
}

impl Stage {
    fn has_ground(&self) -> bool {
        self.costs.bytes().iter().any(|&byte| byte != 255)
    }

    fn add(&mut self, u: &mut Unstructured<'_>, skip: usize) -> Result<()> {
        let grid = self.costs.grid().clone();
        let cell = make::cell_of(u, &grid)?;
        let id = grid.id(cell).expect("a cell of the map");
        // The next passable cell serves where the drawn one is a wall; most adds shall succeed.
        let place = (0..grid.len())
            .map(|step| (id.index() + skip + step) % grid.len())
            .find(|&index| self.costs.bytes()[index] != 255)
            .filter(|_| !matches!(rarely(u, 32), Ok(true)));
        let index = u32::try_from(place.unwrap_or(id.index())).expect("the map is small");
        let (column, row) = (index % grid.width(), index / grid.width());
        let mut inside = || -> Result<i32> {
            Ok(match u.int_in_range(0..=4)? {
                0 | 1 => SUBCELLS / 2,
                2 => 0,
                3 => SUBCELLS - 1,
                _ => i32::from(u.arbitrary::<u16>()?),
            })
        };
        let position = MapPoint::new(
            column.cast_signed() * SUBCELLS + inside()?,
            row.cast_signed() * SUBCELLS + inside()?,
        );
        let radius = if rarely(u, 4)? {
            number(u, MIN_RADIUS..=MAX_RADIUS)?
        } else {
            number(u, 0.1..=0.5)?
        };
        let max_speed = if rarely(u, 8)? {
            number(u, MIN_SPEED..=MAX_SPEED)?
        } else {
            number(u, 0.5..=6.0)?
        };
        let group = u.choose_index(self.groups.len())?;
        let spec = AgentSpec {
            position,
            radius,
            max_speed,
            group: GroupId(u16::try_from(group).expect("there are two groups at most")),
        };
        let before = self.crowd.state_hash();
        match self.crowd.add(&self.groups[group].movement, spec) {
            Ok(id) => {
                assert!(
                    self.live.insert(id) && !self.gone.contains(&id),
                    "id {id} was given out twice"
                );
            }
            Err(error) => {
                make::check_sentence(&error);
                assert_eq!(self.crowd.state_hash(), before, "a refused add changed the crowd");
            }
        }
        Ok(())
    }

    fn remove(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if self.live.is_empty() {
            return Ok(());
        }
        let index = u.choose_index(self.live.len())?;
        let id = *self
            .live
            .iter()
            .nth(index)
            .expect("the index is below the length");
        self.crowd.remove(id).expect("the agent is in the crowd");
        self.live.remove(&id);
        self.gone.insert(id);
        Ok(())
    }

    /// Changes somebody in flight, or who looks how often.
    fn change(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if self.live.is_empty() || rarely(u, 8)? {
            return self.tiers(u);
        }
        let index = u.choose_index(self.live.len())?;
        let id = *self
            .live
            .iter()
            .nth(index)
            .expect("the index is below the length");
        let view = self.crowd.get(id).expect("the agent is in the crowd");
        let before = self.crowd.state_hash();
        let changed = match u.int_in_range(0..=4)? {
            0 => self.crowd.hold(id, u.arbitrary()?),
            1 => self.crowd.set_mass(id, number(u, 0.001..=1000.0)?),
            2 => self.crowd.set_max_speed(id, number(u, 0.5..=6.0)?),
            3 => {
                let group = u.choose_index(self.groups.len())?;
                let id_of_group = GroupId(u16::try_from(group).expect("there are two groups at most"));
                self.crowd
                    .set_group(id, &self.groups[group].movement, id_of_group)
            }
            _ => {
                let movement = &self.groups[usize::from(view.group.0)].movement;
                let way = [number(u, -12.0..=12.0)?, number(u, -12.0..=12.0)?];
                let parts = make::parts(movement);
                let pushed = self.crowd.push(id, movement, way);
                if let Ok(swept) = &pushed {
                    let part = |at: MapPoint| at.cell_id(self.costs.grid()).and_then(|id| parts[id.index()]);
                    assert_eq!(
                        part(swept.end),
                        part(view.position),
                        "agent {id} was pushed by {way:?} to where no legal steps lead: {view:?}"
                    );
                }
                pushed.map(|_| ())
            }
        };
        if let Err(error) = changed {
            make::check_sentence(&error);
            assert_eq!(
                self.crowd.state_hash(),
                before,
                "a refused change changed the crowd"
            );
        }
        Ok(())
    }

    fn tiers(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if rarely(u, 4)? {
            self.crowd.clear_tiers();
            return Ok(());
        }
        let mut options = TierOptions::new();
        let near = number(u, 0.0..=8.0)?;
        options.from = [near, near + number(u, 0.0..=4.0)?, number(u, 0.0..=16.0)?];
        options.hysteresis = number(u, 0.0..=2.0)?;
        options.changes_per_tick = u.int_in_range(0..=40)?;
        let point = MapPoint::centre_of_id(
            self.costs.grid(),
            self.costs
                .grid()
                .id(make::cell_of(u, self.costs.grid())?)
                .expect("a cell of the map"),
        );
        let before = self.crowd.state_hash();
        if let Err(error) = self.crowd.set_tiers(options, &[point]) {
            make::check_sentence(&error);
            assert_eq!(self.crowd.state_hash(), before, "refused tiers changed the crowd");
        }
        Ok(())
    }

    /// Changes the ground of a rectangle, and puts those aside on whom a wall came down.
    fn door(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let grid = self.costs.grid().clone();
        let a = make::cell_of(u, &grid)?;
        let b = if u.arbitrary()? {
            a
        } else {
            make::cell_of(u, &grid)?
        };
        if rarely(u, 8)? {
            self.costs.set_unknown(a).expect("the cell is on the map");
        } else {
            let cost = *u.choose(&[Cost::IMPASSABLE, Cost::PLAIN])?;
            self.costs
                .set_rect(a, b, cost)
                .expect("the corners are on the map");
        }
        for group in &mut self.groups {
            group.movement = Movement::compile(&self.costs, &group.profile);
            group.is_current = false;
        }
        let inputs: Vec<_> = self.groups.iter().map(Group::input).collect();
        self.crowd.eject(&inputs);
        if u.arbitrary()? {
            self.groups.iter_mut().for_each(Group::rebuild);
        }
        Ok(())
    }

    fn step(&mut self, u: &mut Unstructured<'_>, workers: &dyn Workers) -> Result<()> {
        let dt = if rarely(u, 4)? {
            number(u, 0.001..=5.0)?
        } else {
            number(u, 0.01..=0.5)?
        };
        let inputs: Vec<_> = self.groups.iter().map(Group::input).collect();
        let fastest = self
            .crowd
            .agents()
            .map(|(_, agent)| agent.max_speed)
            .fold(0.0, f32::max);
        let substeps = fastest * dt / self.crowd.options().max_travel + 1.0;
        let work = substeps * weight(self.crowd.len());
        let in_range = dt > 0.0 && dt <= 60.0;
        if in_range && work > self.work {
            return Ok(());
        }
        let before: BTreeMap<AgentId, _> = self
            .crowd
            .agents()
            .map(|(id, agent)| (id, agent.position.cell_id(self.costs.grid())))
            .collect();
        let hash = self.crowd.state_hash();
        // On several workers somebody watches, so that stages are kept apart; the state must not tell.
        let stepped = if workers.threads() == 1 {
            self.crowd.step(&inputs, dt, workers)
        } else {
            self.crowd.step_observed(&inputs, dt, workers, &mut Watching)
        };
        match stepped {
            Ok(report) => {
                assert!(in_range);
                self.work -= work;
                self.check_step(&before, &report);
            }
            Err(error) => {
                make::check_sentence(&error);
                assert!(!in_range, "refused: {error}");
                assert!(matches!(error, CrowdError::Step(_)));
                assert_eq!(self.crowd.state_hash(), hash, "a refused step changed the crowd");
            }
        }
        Ok(())
    }

    /// Everybody took part once, left for a reason, or stands where legal steps lead from where they stood.
    fn check_step(
        &mut self,
        before: &BTreeMap<AgentId, Option<thalweg_core::grid::CellId>>,
        report: &StepReport,
    ) {
        assert_eq!(report.outcomes.total() as usize, before.len(), "{report:?}");
        let parts: Vec<_> = self
            .groups
            .iter()
            .map(|group| make::parts(&group.movement))
            .collect();
        let mut left = 0;
        for (&id, cell) in before {
            let Some(agent) = self.crowd.get(id) else {
                left += 1;
                assert!(self.live.remove(&id));
                self.gone.insert(id);
                continue;
            };
            let part = |cell: Option<thalweg_core::grid::CellId>| {
                cell.and_then(|cell| parts[usize::from(agent.group.0)][cell.index()])
            };
            let now = agent.position.cell_id(self.costs.grid());
            assert!(
                now == *cell || part(now) == part(*cell),
                "agent {id} went from {cell:?} to {now:?}, where no legal steps lead: {agent:?}"
            );
        }
        assert_eq!(report.left, left, "{report:?}");
    }

    fn check(&self) {
        let seen: BTreeSet<_> = self.crowd.agents().map(|(id, _)| id).collect();
        assert!(
            seen == self.live,
            "the crowd holds {seen:?} instead of {:?}",
            self.live
        );
        assert_eq!(self.crowd.len(), seen.len());
        for &id in &self.gone {
            assert!(
                self.crowd.get(id).is_none(),
                "agent {id} is gone but is answered for"
            );
        }
        if let Some(&id) = self.gone.first() {
            let mut crowd = self.crowd.clone();
            assert_eq!(crowd.remove(id), Err(CrowdError::NoSuchAgent(id)));
            assert_eq!(crowd.state_hash(), self.crowd.state_hash());
        }
        let has_ground = self.has_ground();
        for (id, agent) in self.crowd.agents() {
            let numbers = agent.velocity.into_iter().chain(agent.heading);
            assert!(numbers.into_iter().all(f32::is_finite), "agent {id}: {agent:?}");
            let cell = agent.position.cell_id(self.costs.grid());
            let is_on_ground = cell.is_some_and(|cell| self.costs.bytes()[cell.index()] != 255);
            assert!(
                is_on_ground || !has_ground,
                "agent {id} is where no body may be: {agent:?}"
            );
        }
    }
}
