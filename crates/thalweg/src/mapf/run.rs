//! An instance that is stepped.

use super::error::MapfError;
use super::tasks::MapfTasks;
use super::world::MapfWorld;
use crate::plan_check::{PlannedAgent, PlannedRun, PlannedTask};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::workers::Workers;
use thalweg_crowd::strict::{StrictCrowd, StrictGroup, StrictOptions, StrictReport, StrictSpec};
use thalweg_crowd::{AgentId, StateHash};

/// What happened in one tick.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct MapfTick {
    /// What strict mode reports.
    pub report: StrictReport,
    /// Agents at their goals after it; in a lifelong run those that have no task any more.
    pub at_goal: usize,
    /// Tasks that were done in it.
    pub tasks_done: usize,
}

/// A run of strict mode over an instance. Agents rest at their goals, and make way for others there; in a lifelong run they
/// are given the next task in the tick in which they come to a goal.
#[derive(Debug)]
pub struct MapfRun<'w> {
    world: &'w MapfWorld,
    crowd: StrictCrowd,
    ids: Vec<AgentId>,
    groups: Vec<StrictGroup<'w>>,
    /// For each agent where it is going.
    goals: Vec<Option<Cell>>,
    /// The cell that each agent has reached.
    cells: Vec<Cell>,
    /// For each agent the tick from which it has been at its goal without a break.
    there_since: Vec<Option<u32>>,
    lifelong: Option<Lifelong>,
    tick: u32,
}

#[derive(Debug)]
struct Lifelong {
    source: MapfTasks,
    /// All tasks so far, in the order in which they were given.
    given: Vec<PlannedTask>,
    /// For each agent the index of its task in `given`.
    current: Vec<Option<usize>>,
    done: usize,
}

impl<'w> MapfRun<'w> {
    /// Puts the agents at their starts. With `tasks` the run is lifelong: the goals of the instance are the first tasks.
    ///
    /// # Errors
    /// [`MapfError::Strict`] for options that are out of range, and for maps too long for positions.
    ///
    /// # Panics
    /// If the instance has no agents: it has no map then.
    pub fn new(
        world: &'w MapfWorld,
        options: StrictOptions,
        tasks: Option<MapfTasks>,
    ) -> Result<Self, MapfError> {
        let grid: &Grid = world.grid().expect("an instance has agents");
        let mut crowd = StrictCrowd::new(grid.clone(), options)?;
        let of_fields = world
            .fields
            .iter()
            .map(|field| StrictGroup::new(&world.movements()[field.body], &field.costs, &field.flow));
        let groups = of_fields.chain(world.movements().iter().map(StrictGroup::idle));
        let mut ids = Vec::with_capacity(world.agents().len());
        for (index, agent) in world.agents().iter().enumerate() {
            // Every goal of an agent has a field, or the instance had been refused.
            let group = world
                .group(index, agent.goal)
                .unwrap_or_else(|| world.idle_group(index));
            let spec = StrictSpec {
                pace: agent.pace,
                ..StrictSpec::new(agent.start, group)
            };
            ids.push(crowd.add(&spec, world.movement(index))?);
        }
        let mut run = Self {
            groups: groups.collect(),
            crowd,
            ids,
            goals: world.agents().iter().map(|agent| Some(agent.goal)).collect(),
            cells: world.agents().iter().map(|agent| agent.start).collect(),
            there_since: vec![None; world.agents().len()],
            lifelong: None,
            world,
            tick: 0,
        };
        run.note_arrivals();
        if let Some(source) = tasks {
            let first = (0u32..).zip(world.agents()).map(|(agent, planned)| PlannedTask {
                agent,
                from: 0,
                goal: planned.goal,
                reached: None,
            });
            run.lifelong = Some(Lifelong {
                given: first.collect(),
                current: (0..world.agents().len()).map(Some).collect(),
                source,
                done: 0,
            });
            // Whoever starts at its first goal is done with it.
            run.hand_out()?;
        }
        Ok(run)
    }

    /// Steps everybody by one tick. The result does not depend on the workers.
    ///
    /// # Errors
    /// [`MapfError::Task`] for a task that its agent cannot get to; [`MapfError::Strict`] never, as long as the instance is
    /// what it was.
    pub fn step(&mut self, workers: &dyn Workers) -> Result<MapfTick, MapfError> {
        let report = self.crowd.step(&self.groups, workers)?;
        self.tick += 1;
        let grid = self.crowd.grid();
        for (cell, &id) in self.cells.iter_mut().zip(&self.ids) {
            if let Some(view) = self.crowd.get(id) {
                *cell = grid.cell(view.cell);
            }
        }
        self.note_arrivals();
        let tasks_done = self.hand_out()?;
        Ok(MapfTick {
            report,
            at_goal: self.at_goal(),
            tasks_done,
        })
    }

    fn note_arrivals(&mut self) {
        let places = self.cells.iter().zip(&self.goals);
        for (since, (&cell, &goal)) in self.there_since.iter_mut().zip(places) {
            let is_there = goal == Some(cell);
            *since = is_there.then(|| since.unwrap_or(self.tick));
        }
    }

    /// The cost of each agent so far, in ticks: the first tick from which it has been at its goal, or all ticks.
    fn costs(&self) -> impl Iterator<Item = u64> + '_ {
        let costs = self.there_since.iter();
        costs.map(|since| u64::from(since.unwrap_or(self.tick)))
    }

    /// The sum over agents of their costs, in ticks: for each the first tick from which it has been at its goal, or all
    /// ticks if it is not there. Means nothing in a lifelong run.
    #[must_use]
    pub fn sum_of_costs(&self) -> u64 {
        self.costs().sum()
    }

    /// The largest of these costs, in ticks.
    #[must_use]
    pub fn makespan(&self) -> u64 {
        self.costs().max().unwrap_or(0)
    }

    /// Takes note of tasks that are done and gives the next ones.
    fn hand_out(&mut self) -> Result<usize, MapfError> {
        let Some(lifelong) = &mut self.lifelong else {
            return Ok(0);
        };
        let before = lifelong.done;
        for (index, &at) in self.cells.iter().enumerate() {
            if self.goals[index] != Some(at) {
                continue;
            }
            if let Some(task) = lifelong.current[index].take() {
                lifelong.given[task].reached = Some(self.tick);
                lifelong.done += 1;
            }
            let next = lifelong.source.next(self.world, index, at)?;
            self.goals[index] = next;
            let group = match next {
                Some(goal) => {
                    lifelong.current[index] = Some(lifelong.given.len());
                    lifelong.given.push(PlannedTask {
                        agent: u32::try_from(index).unwrap_or(u32::MAX),
                        from: self.tick,
                        goal,
                        reached: None,
                    });
                    self.world.group(index, goal)
                }
                None => None,
            };
            let group = group.unwrap_or_else(|| self.world.idle_group(index));
            self.crowd.set_group(self.ids[index], group)?;
        }
        Ok(lifelong.done - before)
    }

    fn at_goal(&self) -> usize {
        let places = self.cells.iter().zip(&self.goals);
        places
            .filter(|&(&cell, &goal)| goal.is_none_or(|goal| goal == cell))
            .count()
    }

    /// Whether there is nothing left to do: all agents are at their goals, or have had their last task.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.at_goal() == self.cells.len()
    }

    /// The cell that each agent has reached: the line of this tick in a plan.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Ticks stepped.
    #[must_use]
    pub const fn tick(&self) -> u32 {
        self.tick
    }

    /// Tasks so far, in the order in which they were given; empty unless the run is lifelong.
    #[must_use]
    pub fn tasks(&self) -> &[PlannedTask] {
        self.lifelong.as_ref().map_or(&[], |lifelong| &lifelong.given)
    }

    /// The crowd.
    #[must_use]
    pub const fn crowd(&self) -> &StrictCrowd {
        &self.crowd
    }

    /// The state of everybody as one number.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        self.crowd.state_hash()
    }

    /// What a plan of the run so far claims, for [`PlanCheck`](crate::plan_check::PlanCheck).
    #[must_use]
    pub fn planned(&self) -> PlannedRun {
        let rules = self.crowd.options().rules;
        let agents = self.world.agents().iter().map(|agent| {
            PlannedAgent::new()
                .with_start(agent.start)
                .with_goal(agent.goal)
                .with_side(agent.side)
                .with_pace(agent.pace)
        });
        PlannedRun {
            agents: agents.collect(),
            tasks: self.tasks().to_vec(),
            solved: self.lifelong.is_none() && self.is_done(),
            following: rules.following,
            squeezing: rules.squeezing,
            ..PlannedRun::new()
        }
    }
}
