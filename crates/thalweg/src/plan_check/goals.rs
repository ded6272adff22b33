//! Goals, tasks and leaving: what agents are there for, and what it cost them.

use super::conflict::{Conflict, ConflictKind};
use super::input::{PlannedAgent, PlannedRun, PlannedTask};
use super::moves::Spot;
use super::verdict::PlanVerdict;
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::Movement;

/// The tasks of an agent that were not come to yet, and how it has been doing.
#[derive(Debug, Default)]
struct Course {
    /// In the order in which they were given, the next one last.
    tasks: Vec<PlannedTask>,
    has_tasks: bool,
    /// The tick from which it has been at its goal without a break.
    there_since: Option<u32>,
    /// Where it was last seen, and when.
    seen: Option<(Spot, u32)>,
    /// Ticks since its last step that it was not at its goal.
    waiting: u64,
}

/// What all agents are there for.
#[derive(Debug)]
pub(super) struct Goals {
    courses: Vec<Course>,
    told: usize,
}

impl Goals {
    /// Sorts tasks by agent, and says which goals nobody can be at.
    pub(super) fn new(run: &PlannedRun, movements: &[&Movement], verdict: &mut PlanVerdict) -> Self {
        let mut courses: Vec<Course> = run.agents.iter().map(|_| Course::default()).collect();
        let mut blocked = |agent: u32, tick: u32, cell: Cell| {
            let movement = movements[agent as usize];
            let can_be_met = movement
                .grid()
                .id(cell)
                .is_some_and(|id| movement.is_passable(id));
            if !can_be_met {
                let (kind, other) = (ConflictKind::Blocked, None);
                verdict.add(
                    Conflict {
                        kind,
                        tick,
                        agent,
                        other,
                        cell,
                    },
                    run.told,
                );
            }
        };
        for (index, agent) in (0..).zip(&run.agents) {
            if let Some(goal) = agent.goal {
                blocked(index, 0, goal);
            }
        }
        for &task in run.tasks.iter().rev() {
            blocked(task.agent, task.from, task.goal);
            let course = &mut courses[task.agent as usize];
            course.has_tasks = true;
            course.tasks.push(task);
        }
        verdict.tasks = run.tasks.len();
        Self {
            courses,
            told: run.told,
        }
    }

    /// Looks at where an agent is in a tick; `has_moved` tells whether a step of it was under way since the tick before.
    pub(super) fn look(
        &mut self,
        (index, agent): (u32, &PlannedAgent),
        (tick, spot): (u32, Spot),
        has_moved: bool,
        grid: &Grid,
        verdict: &mut PlanVerdict,
    ) {
        let course = &mut self.courses[index as usize];
        let told = self.told;
        let add = |verdict: &mut PlanVerdict, kind, tick, cell| {
            let (agent, other) = (index, None);
            verdict.add(
                Conflict {
                    kind,
                    tick,
                    agent,
                    other,
                    cell,
                },
                told,
            );
        };
        let last = course.seen;
        if spot == Spot::Gone {
            if let Some((before, seen)) = last.filter(|&(_, seen)| seen + 1 == tick) {
                let is_there = course.there_since.is_some() || course.goal(agent, seen).is_none();
                if !is_there || agent.left.is_some_and(|left| left != seen) {
                    add(verdict, ConflictKind::Left, seen, shown(before, grid));
                }
            }
            return;
        }
        let cell = shown(spot, grid);
        // Seen after it was told to have left, or after it was not seen for a while.
        let is_back = last.map_or(tick > 0, |(_, seen)| seen + 1 < tick);
        if is_back || agent.left.is_some_and(|left| left + 1 == tick) {
            add(verdict, ConflictKind::Left, tick, cell);
        }
        course.seen = Some((spot, tick));
        course.wait(agent, (tick, spot), has_moved, grid, index, verdict);
        while let Some(&task) = course.tasks.last() {
            let Some(reached) = task.reached.filter(|&reached| reached <= tick) else {
                break;
            };
            course.tasks.pop();
            let next = course.tasks.last();
            let in_order = task.from <= reached && next.is_none_or(|next| next.from >= reached);
            if reached == tick && in_order && cell == task.goal {
                verdict.tasks_done += 1;
            } else {
                add(verdict, ConflictKind::Task, reached, task.goal);
            }
        }
        // Before its first task and after its last one an agent has no goal that it could be at.
        let is_there = !course.has_tasks && agent.goal == Some(cell);
        course.there_since = is_there.then(|| course.there_since.unwrap_or(tick));
        if agent.left == Some(tick) && !is_there && course.goal(agent, tick).is_some() {
            add(verdict, ConflictKind::Left, tick, cell);
        }
    }

    /// Adds up costs after the last line, and says who is not where it should be.
    pub(super) fn finish(&self, run: &PlannedRun, last_tick: u32, grid: &Grid, verdict: &mut PlanVerdict) {
        for (index, (agent, course)) in (0..).zip(run.agents.iter().zip(&self.courses)) {
            let mut add = |kind, tick, cell| {
                let (agent, other) = (index, None);
                verdict.add(
                    Conflict {
                        kind,
                        tick,
                        agent,
                        other,
                        cell,
                    },
                    run.told,
                );
            };
            // Told as reached, but after the end, or behind one that was not reached.
            for task in course.tasks.iter().rev().filter(|task| task.reached.is_some()) {
                add(ConflictKind::Task, task.reached.unwrap_or(last_tick), task.goal);
            }
            let Some(goal) = agent.goal.filter(|_| !course.has_tasks) else {
                continue;
            };
            let cost = match course.there_since {
                Some(since) => since,
                None => {
                    if run.solved {
                        let cell = course.seen.map_or(goal, |(spot, _)| shown(spot, grid));
                        add(ConflictKind::Goal, last_tick, cell);
                    }
                    last_tick
                }
            };
            verdict.at_goal += usize::from(course.there_since.is_some());
            verdict.sum_of_costs += u64::from(cost);
            verdict.makespan = verdict.makespan.max(u64::from(cost));
        }
    }
}

impl Course {
    /// Where it was to go after a tick.
    fn goal(&self, agent: &PlannedAgent, tick: u32) -> Option<Cell> {
        if !self.has_tasks {
            return agent.goal;
        }
        let task = self.tasks.last()?;
        (task.from <= tick).then_some(task.goal)
    }

    /// Counts a tick that it stood although it was not at its goal.
    fn wait(
        &mut self,
        agent: &PlannedAgent,
        (tick, spot): (u32, Spot),
        has_moved: bool,
        grid: &Grid,
        index: u32,
        verdict: &mut PlanVerdict,
    ) {
        let Some(before) = tick.checked_sub(1) else { return };
        let goal = self.goal(agent, before);
        if has_moved || goal.is_none_or(|goal| shown(spot, grid) == goal) {
            self.waiting = 0;
            return;
        }
        self.waiting += 1;
        verdict.waits += 1;
        if self.waiting > verdict.longest_wait {
            verdict.longest_wait = self.waiting;
            verdict.longest_waiter = Some(index);
        }
    }
}

/// The cell of a spot, for messages and comparisons; a cell of no map for who is on none.
fn shown(spot: Spot, grid: &Grid) -> Cell {
    const NOWHERE: Cell = Cell::on(u16::MAX, i32::MIN, i32::MIN);
    spot.id().map_or(NOWHERE, |id: CellId| grid.cell(id))
}
