//! Strict crowds under any script: nobody shares a place, and nothing is promised that does not hold.

use crate::make::{self, LastFirst, rarely};
use arbitrary::{Result, Unstructured};
use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, FlowScratch, Guidance, extract};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Grid};
use thalweg_core::integrate::{
    BlockedGoals, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{
    Connectivity, CornerRule, EdgeRules, Footprint, Movement, MovementProfile,
};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::strict::{
    ConflictRules, StrictCrowd, StrictError, StrictGroup, StrictOptions, StrictSpec, StrictView,
};
use thalweg_crowd::{AgentId, ArrivalRule, GroupId, Outcome, StalePolicy, StateHash};
use thalweg_testkit::joint::{Ending, JointAgent, JointRules, joint_truth};

#[path = "../../crates/thalweg-crowd/tests/strict/conflicts.rs"]
mod conflicts;

use conflicts::tracks;

/// Worlds of so many agents and cells at most are held against all their joint configurations.
const JOINT_AGENTS: usize = 3;
const JOINT_CELLS: usize = 9;
/// Steps of one input.
const MAX_STEPS: u32 = 400;

/// A map, rules, groups and agents, then a script. It runs twice, on one worker and on three, and every state must be the
/// same.
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

struct Group {
    profile: MovementProfile,
    movement: Movement,
    goals: GoalSet,
    field: Option<(IntegrationField, FlowField)>,
    is_idle: bool,
    is_current: bool,
    stale: StalePolicy,
    version: u64,
    arrival: ArrivalRule,
}

impl Group {
    fn new(u: &mut Unstructured<'_>, costs: &CostField, rules: &EdgeRules) -> Result<Self> {
        let profile = profile(u)?;
        let movement = compile(costs, rules, &profile);
        let mut group = Self {
            profile,
            movement,
            goals: GoalSet::new(),
            field: None,
            is_idle: rarely(u, 6)?,
            is_current: true,
            stale: *u.choose(&[StalePolicy::KeepOld, StalePolicy::Stop])?,
            version: 1,
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
        for _ in 0..*u.choose(&[1, 1, 2, 4])? {
            goals = goals.with_goal(Goal::cell(cell_of(u, self.movement.grid())?));
        }
        self.goals = goals;
        self.is_current = false;
        Ok(())
    }

    /// The field of the world as it is now; none if there is nothing to stand on.
    fn rebuild(&mut self) {
        let mut field = IntegrationField::new(self.movement.grid().clone());
        let built = self.goals.resolve(&self.movement).is_ok_and(|goals| {
            integrate(
                &self.movement,
                &goals,
                &IntegrateOptions::new(),
                &mut IntegrateScratch::new(),
                &mut field,
            )
            .is_ok()
        });
        self.field = built.then(|| {
            let mut flow = FlowField::new(self.movement.grid().clone());
            extract(&self.movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
            (field, flow)
        });
        self.version += 1;
        self.is_current = true;
    }

    fn input(&self) -> StrictGroup<'_> {
        let mut input = StrictGroup::idle(&self.movement);
        input.field = self.field.as_ref().map(|(field, flow)| (field, flow));
        input.is_idle = self.is_idle;
        input.is_current = self.is_current;
        input.stale = self.stale;
        input.field_version = self.version;
        input.arrival = self.arrival;
        input
    }

    fn is_at_goal(&self, cell: CellId) -> bool {
        let flow = self.field.as_ref().map(|(_, flow)| flow);
        flow.is_some_and(|flow| flow.guidance(cell) == Guidance::Goal)
    }
}

fn compile(costs: &CostField, rules: &EdgeRules, profile: &MovementProfile) -> Movement {
    Movement::compile_with(costs, rules, profile).expect("portals are cheap and of this map")
}

fn profile(u: &mut Unstructured<'_>) -> Result<MovementProfile> {
    let footprint = match u.int_in_range(0..=9)? {
        0..=5 => MovementProfile::new().footprint,
        6 => Footprint::square(2).expect("a small square"),
        7 => Footprint::rectangle(*u.choose(&[2, 3])?, 1).expect("a small rectangle"),
        8 => Footprint::rectangle(1, 2).expect("a small rectangle"),
        _ => Footprint::disc(*u.choose(&[0.4, 0.8, 1.2])?, 1.0).expect("a small disc"),
    };
    Ok(MovementProfile::new()
        .with_connectivity(*u.choose(&[Connectivity::Four, Connectivity::Eight])?)
        .with_corner_rule(*u.choose(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always])?)
        .with_footprint(footprint))
}

/// A cell of any layer.
fn cell_of(u: &mut Unstructured<'_>, grid: &Grid) -> Result<Cell> {
    let index = u.int_in_range(0..=u8::try_from(grid.len() - 1).unwrap_or(u8::MAX))?;
    Ok(grid.cell(CellId(u32::from(index))))
}

fn ground(u: &mut Unstructured<'_>) -> Result<(CostField, EdgeRules)> {
    let plane = |u: &mut Unstructured<'_>, most: u8| -> Result<Grid> {
        let (width, height) = match u.int_in_range(0..=3)? {
            0 => (u.int_in_range(1..=2 * most)?, 1),
            1 => (3, 3),
            _ => (u.int_in_range(2..=most)?, u.int_in_range(2..=most)?),
        };
        Ok(Grid::new(u32::from(width), u32::from(height)).expect("a small map"))
    };
    let grid = if rarely(u, 4)? {
        Grid::stacked([&plane(u, 4)?, &plane(u, 4)?]).expect("two small layers")
    } else {
        plane(u, 7)?
    };
    let palette: &[u8] = match u.int_in_range(0..=4)? {
        0 => &[1],
        1 => &[1, 1, 1, 255],
        2 => &[1, 255],
        3 => &[1, 1, 255],
        _ => &[0, 1, 5, 1, 255],
    };
    let mut bytes = Vec::with_capacity(grid.len());
    for _ in grid.ids() {
        bytes.push(palette[usize::from(u.arbitrary::<u8>()?) % palette.len()]);
    }
    let costs = CostField::from_bytes(grid.clone(), bytes).expect("one byte per cell");
    let mut rules = EdgeRules::new(grid.clone());
    if rarely(u, 3)? {
        for _ in 0..u.int_in_range(1..=3)? {
            close(u, &mut rules)?;
        }
    }
    if grid.layers().len() > 1 || rarely(u, 6)? {
        for _ in 0..u.int_in_range(1..=3)? {
            link(u, &mut rules)?;
        }
    }
    Ok((costs, rules))
}

fn close(u: &mut Unstructured<'_>, rules: &mut EdgeRules) -> Result<()> {
    let cell = cell_of(u, rules.grid())?;
    let direction = *u.choose(&DIRECTIONS)?;
    if u.arbitrary()? {
        rules.close_exit(cell, direction).expect("a cell of the map");
    } else {
        rules.open_exit(cell, direction).expect("a cell of the map");
    }
    Ok(())
}

fn link(u: &mut Unstructured<'_>, rules: &mut EdgeRules) -> Result<()> {
    let (a, b) = (cell_of(u, &rules.grid().clone())?, cell_of(u, &rules.grid().clone())?);
    // What looks like a step is told apart by the crowd, but not by the checks.
    if a.layer == b.layer && (a.x - b.x).abs() <= 1 && (a.y - b.y).abs() <= 1 {
        return Ok(());
    }
    // Not every pair may be joined.
    let _ = rules.add_portal(a, b, 10);
    if u.arbitrary()? {
        let _ = rules.add_portal(b, a, 10);
    }
    Ok(())
}

fn options(u: &mut Unstructured<'_>) -> Result<StrictOptions> {
    let mut options = StrictOptions::default();
    options.rules = ConflictRules {
        following: !rarely(u, 3)?,
        squeezing: rarely(u, 3)?,
    };
    options.search_after = *u.choose(&[1, 2, 4, 24])?;
    options.search_budget = *u.choose(&[100_000, 100, 20, 0])?;
    options.search_limit = *u.choose(&[20_000, 500])?;
    options.horizon = *u.choose(&[64, 4, 1])?;
    options.replan_after = *u.choose(&[4, 1])?;
    options.seed = u64::from(u.arbitrary::<u8>()?);
    Ok(options)
}

struct Stage {
    costs: CostField,
    rules: EdgeRules,
    groups: Vec<Group>,
    crowd: StrictCrowd,
    live: BTreeSet<AgentId>,
    gone: BTreeSet<AgentId>,
    /// What was asked for in this tick, by agent.
    asked: BTreeMap<AgentId, Vec<CellId>>,
    /// Where those who follow a claim will be, tick by tick, as long as nothing happens.
    promised: BTreeMap<AgentId, Vec<CellId>>,
    /// Agents under whom the map has changed.
    stranded: BTreeSet<AgentId>,
    steps: u32,
}

fn script(u: &mut Unstructured<'_>, workers: &dyn Workers, hashes: &mut Vec<StateHash>) -> Result<()> {
    let (costs, rules) = ground(u)?;
    let groups = (0..u.int_in_range(1..=4)?)
        .map(|_| Group::new(u, &costs, &rules))
        .collect::<Result<Vec<_>>>()?;
    let crowd = StrictCrowd::new(costs.grid().clone(), options(u)?).expect("a small map and right options");
    let mut stage = Stage {
        costs,
        rules,
        groups,
        crowd,
        live: BTreeSet::new(),
        gone: BTreeSet::new(),
        asked: BTreeMap::new(),
        promised: BTreeMap::new(),
        stranded: BTreeSet::new(),
        steps: MAX_STEPS,
    };
    for _ in 0..u.int_in_range(1..=14)? {
        stage.add(u)?;
    }
    for _ in 0..u.int_in_range(1..=40)? {
        match u.int_in_range(0..=15)? {
            0..=3 => stage.step(workers),
            4 => (0..8).for_each(|_| stage.step(workers)),
            5 => (0..40).for_each(|_| stage.step(workers)),
            6..=8 => stage.claim(u)?,
            9 => stage.change(u)?,
            10 => stage.add(u)?,
            11 => stage.remove(u)?,
            12 => stage.edit(u)?,
            13 => {
                let group = u.choose_index(stage.groups.len())?;
                stage.groups[group].move_goals(u)?;
                if u.arbitrary()? {
                    stage.groups[group].rebuild();
                }
                stage.promised.clear();
            }
            _ => {
                let group = u.choose_index(stage.groups.len())?;
                stage.groups[group].rebuild();
                stage.promised.clear();
            }
        }
        stage.check();
        hashes.push(stage.crowd.state_hash());
    }
    Ok(())
}

impl Stage {
    fn add(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let grid = self.costs.grid().clone();
        let group = u.choose_index(self.groups.len())?;
        let movement = &self.groups[group].movement;
        let drawn = grid.id(cell_of(u, &grid)?).expect("a cell of the map").index();
        // The next cell that is free serves where the drawn one is not; most adds shall succeed.
        let place = (0..grid.len())
            .map(|step| CellId::from_index((drawn + step) % grid.len()))
            .find(|&id| movement.is_passable(id) && self.crowd.holder(grid.cell(id)).is_none());
        let place = place.unwrap_or(CellId::from_index(drawn));
        let spec = StrictSpec {
            cell: grid.cell(place),
            group: GroupId(u16::try_from(group).expect("there are few groups")),
            pace: *u.choose(&[1, 1, 1, 1, 2, 3, 4])?,
            priority: *u.choose(&[0, 0, 0, 1, -1])?,
        };
        let before = self.crowd.state_hash();
        match self.crowd.add(&spec, movement) {
            Ok(id) => {
                assert!(
                    self.live.insert(id) && !self.gone.contains(&id),
                    "id {id} was given out twice"
                );
                // It may stand on a way that was promised.
                self.promised.clear();
            }
            Err(error) => {
                make::check_sentence(&error);
                assert!(matches!(
                    error,
                    StrictError::Blocked { .. } | StrictError::Taken { .. }
                ));
                assert_eq!(self.crowd.state_hash(), before, "a refused add changed the crowd");
            }
        }
        Ok(())
    }

    fn any(&self, u: &mut Unstructured<'_>) -> Result<Option<AgentId>> {
        if self.live.is_empty() {
            return Ok(None);
        }
        let index = u.choose_index(self.live.len())?;
        Ok(self.live.iter().nth(index).copied())
    }

    fn remove(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        if let Some(id) = self.any(u)? {
            self.crowd.remove(id).expect("the agent is in the crowd");
            assert!(self.crowd.remove(id).is_err());
            self.forget(id);
        }
        Ok(())
    }

    fn forget(&mut self, id: AgentId) {
        assert!(self.live.remove(&id));
        self.gone.insert(id);
        self.asked.remove(&id);
        self.promised.remove(&id);
        self.stranded.remove(&id);
    }

    fn change(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let Some(id) = self.any(u)? else {
            return Ok(());
        };
        let view = self.crowd.get(id).expect("the agent is in the crowd");
        match u.int_in_range(0..=2)? {
            0 => {
                self.crowd.hold(id, u.arbitrary()?).expect("it is there");
                self.promised.clear();
            }
            1 => self
                .crowd
                .set_priority(id, u.int_in_range(-2..=2)?)
                .expect("it is there"),
            _ => {
                let group = u.choose_index(self.groups.len())?;
                let (old, new) = (&self.groups[usize::from(view.group.0)], &self.groups[group]);
                if old.profile.footprint == new.profile.footprint {
                    let group = GroupId(u16::try_from(group).expect("there are few groups"));
                    self.crowd.set_group(id, group).expect("it is there");
                    self.promised.clear();
                    // The other kind may not be allowed to stand there.
                    self.strand();
                }
            }
        }
        Ok(())
    }

    /// A way by exits or, now and then, any cells.
    fn claim(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let Some(id) = self.any(u)? else {
            return Ok(());
        };
        let view = self.crowd.get(id).expect("the agent is in the crowd");
        let group = &self.groups[usize::from(view.group.0)];
        let mut way = Vec::new();
        let mut at = view.cell;
        for _ in 0..u.int_in_range(0..=8)? {
            let edges: Vec<CellId> = group.movement.edges_from(at).map(|edge| edge.other).collect();
            at = if rarely(u, 24)? {
                CellId(u.int_in_range(0..=120)?)
            } else if edges.is_empty() || rarely(u, 4)? {
                at
            } else {
                *u.choose(&edges)?
            };
            way.push(at);
            if at.index() >= self.costs.grid().len() {
                break;
            }
        }
        let version = group.version.wrapping_sub(u64::from(rarely(u, 12)?));
        self.crowd.claim(id, &way, version).expect("the agent is in the crowd");
        // Of the claims of one agent the last counts.
        self.asked.insert(id, way);
        Ok(())
    }

    /// Walls, ground, one-way borders and portals; fields are made anew or left behind.
    fn edit(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        match u.int_in_range(0..=5)? {
            0 => close(u, &mut self.rules)?,
            1 => link(u, &mut self.rules)?,
            _ => {
                let cell = cell_of(u, self.costs.grid())?;
                let cost = *u.choose(&[Cost::IMPASSABLE, Cost::PLAIN])?;
                self.costs.set(cell, cost).expect("the cell is on the map");
            }
        }
        let is_rebuilt: bool = u.arbitrary()?;
        for group in &mut self.groups {
            group.movement = compile(&self.costs, &self.rules, &group.profile);
            group.is_current = false;
            if is_rebuilt {
                group.rebuild();
            }
        }
        self.promised.clear();
        self.strand();
        Ok(())
    }

    fn strand(&mut self) {
        for (id, view) in self.crowd.agents() {
            let movement = &self.groups[usize::from(view.group.0)].movement;
            if !movement.is_passable(view.cell) || !movement.is_passable(view.to) {
                self.stranded.insert(id);
            }
        }
    }

    fn step(&mut self, workers: &dyn Workers) {
        if self.steps == 0 {
            return;
        }
        self.steps -= 1;
        let before = tracks(&self.crowd);
        let inputs: Vec<StrictGroup<'_>> = self.groups.iter().map(Group::input).collect();
        let report = self.crowd.step(&inputs, workers).expect("groups and bodies fit");
        let after = tracks(&self.crowd);
        let movement = |group: GroupId| &self.groups[usize::from(group.0)].movement;
        let found = conflicts::conflicts(&self.crowd, movement, &before, &after);
        assert!(found.is_empty(), "tick {}: {found:?}", self.crowd.tick());
        assert_eq!(report.outcomes.total() as usize, before.len(), "{report:?}");
        assert_eq!(report.left as usize, before.len() - after.len(), "{report:?}");
        let gone: Vec<AgentId> = before.keys().filter(|id| !after.contains_key(id)).copied().collect();
        self.follow(&before);
        for id in gone {
            self.forget(id);
        }
        for (id, view) in self.crowd.agents().collect::<Vec<_>>() {
            let group = &self.groups[usize::from(view.group.0)];
            if group.movement.is_passable(view.cell) && group.movement.is_passable(view.to) {
                self.stranded.remove(&id);
            } else {
                assert!(
                    self.stranded.contains(&id),
                    "agent {id} went where no body may be: {view:?}"
                );
            }
        }
        let knotted: BTreeSet<AgentId> = self.crowd.knots().iter().flatten().copied().collect();
        assert!(knotted.is_subset(&self.live), "a knot names somebody who is gone");
        assert_eq!(knotted.len(), report.knotted as usize);
        self.check_deadlocks();
    }

    /// Granted ways are followed, for as long as nothing happens to anybody.
    fn follow(&mut self, before: &BTreeMap<AgentId, conflicts::Track>) {
        let decided = self.crowd.claims().to_vec();
        assert_eq!(decided.len(), self.asked.len(), "every claim is decided once");
        for (id, answer) in decided {
            let way = self.asked.get(&id).expect("only what was asked for is decided").clone();
            match answer {
                Err(refusal) => make::check_sentence(&refusal),
                Ok(()) => {
                    let pace = match self.crowd.get(id) {
                        Some(view) => view.pace,
                        None => 1,
                    };
                    let mut at = before[&id].cell;
                    let mut cells = Vec::new();
                    for next in way {
                        let ticks = if next == at { 1 } else { pace };
                        cells.extend((1..ticks).map(|_| at));
                        cells.push(next);
                        at = next;
                    }
                    cells.reverse();
                    self.promised.insert(id, cells);
                }
            }
        }
        self.asked.clear();
        let mut kept = BTreeMap::new();
        for (id, mut cells) in core::mem::take(&mut self.promised) {
            let Some(expected) = cells.pop() else { continue };
            if let Some(view) = self.crowd.get(id) {
                assert_eq!(view.cell, expected, "agent {id} does not follow its claim: {view:?}");
                if !cells.is_empty() {
                    assert!(self.crowd.follows_claim(id));
                    kept.insert(id, cells);
                }
            }
        }
        self.promised = kept;
    }

    /// Who is called deadlocked is held against all joint configurations, if the world is small and of one kind.
    fn check_deadlocks(&self) {
        let agents: Vec<(AgentId, StrictView)> = self.crowd.agents().collect();
        let is_called = |view: &StrictView| view.outcome == Outcome::Deadlocked;
        if agents.len() > JOINT_AGENTS || !agents.iter().any(|(_, view)| is_called(view)) {
            return;
        }
        let group = |view: &StrictView| &self.groups[usize::from(view.group.0)];
        let arrival = group(&agents[0].1).arrival;
        let is_plain = agents.iter().all(|(_, view)| {
            let group = group(view);
            view.pace == 1
                && view.ticks_left == 0
                && !view.is_held
                && group.is_current
                && group.arrival == arrival
                && group.movement.is_passable(view.cell)
                && (group.is_idle || group.field.is_some())
                && !(group.is_idle && arrival == ArrivalRule::Leave)
        });
        let cells = self.costs.bytes().iter().filter(|&&byte| byte != 255).count();
        if !is_plain || cells > JOINT_CELLS {
            return;
        }
        let joint: Vec<JointAgent<'_>> = agents
            .iter()
            .map(|(_, view)| {
                let group = group(view);
                let goals = |id: &CellId| {
                    group.movement.is_passable(*id) && (group.is_idle || group.is_at_goal(*id))
                };
                JointAgent {
                    movement: &group.movement,
                    start: view.cell,
                    goals: self.costs.grid().ids().filter(goals).collect(),
                }
            })
            .collect();
        let rules = self.crowd.options().rules;
        let joint_rules = JointRules {
            following: rules.following,
            squeezing: rules.squeezing,
        };
        let ending = match arrival {
            ArrivalRule::Rest => Ending::Together,
            ArrivalRule::Leave => Ending::Sinks,
        };
        let truth = joint_truth(&joint, joint_rules, ending);
        for ((id, view), ever) in agents.iter().zip(&truth.ever) {
            let can = match arrival {
                ArrivalRule::Rest => truth.plan.is_some(),
                ArrivalRule::Leave => *ever,
            };
            assert!(
                !(is_called(view) && can),
                "agent {id} is called deadlocked at tick {} and can get there: {view:?}",
                self.crowd.tick()
            );
        }
    }

    /// Who is in the crowd, and that both ways of asking agree.
    fn check(&self) {
        let seen: BTreeSet<AgentId> = self.crowd.agents().map(|(id, _)| id).collect();
        assert_eq!(seen, self.live);
        assert_eq!(self.crowd.len(), self.live.len());
        let grid = self.costs.grid();
        let mut held = BTreeMap::new();
        for &id in &self.live {
            for cell in self.crowd.cells(id).expect("it is there") {
                assert_eq!(held.insert(cell, id), None, "two hold {cell:?}");
            }
            for moment in [-1.0, 0.0, 0.5, 1.0, 2.0, f64::NAN] {
                assert!(self.crowd.position(id, moment).is_some());
            }
        }
        for id in grid.ids() {
            assert_eq!(self.crowd.holder(grid.cell(id)), held.get(&id).copied(), "{id:?}");
        }
        for &id in &self.gone {
            assert!(self.crowd.get(id).is_none() && self.crowd.cells(id).is_none());
        }
    }
}
