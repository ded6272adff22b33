//! The check itself: line after line, what the bodies of all agents do to each other.

use super::bodies::{Body, side_cells};
use super::conflict::{Conflict, ConflictKind};
use super::goals::Goals;
use super::input::{PlanCheckError, PlannedRun};
use super::moves::{Lines, Spot, Step};
use super::planes::Plane;
use super::verdict::PlanVerdict;
use std::collections::BTreeSet;
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::{Footprint, Movement};

/// A check under way: it takes the lines of a plan one by one.
///
/// It holds as many lines as the slowest agent has ticks a step, and 24 bytes per cell of the map.
#[derive(Debug)]
pub struct PlanCheck<'a> {
    grid: &'a Grid,
    /// For each agent.
    movements: Vec<&'a Movement>,
    run: PlannedRun,
    lines: Lines,
    /// For each agent the step that it is on, or the last one.
    steps: Vec<Step>,
    /// For each agent whom its step was told to squeeze past, by side cell.
    squeezed: Vec<[Option<u32>; 2]>,
    /// Who holds which cell in the tick that is judged and in the one before, by turns.
    holders: [Plane; 2],
    /// Who sweeps which side cell.
    sweepers: Plane,
    /// Pairs that were told to swap or cross in the tick that is judged: both find each other, if nobody hides one of them.
    told: BTreeSet<(ConflictKind, u32, u32)>,
    goals: Goals,
    verdict: PlanVerdict,
    read: u32,
    judged: u32,
    /// Lines that must be known beyond the one that is judged.
    ahead: u32,
}

impl<'a> PlanCheck<'a> {
    /// Begins a check. `movements` are compiled for one map, one for each size of body: a point or a square of one cell for
    /// side 1, a square of n cells for side n; neighbours, corner rule, borders and portals are theirs.
    ///
    /// # Errors
    /// [`PlanCheckError`] if an agent's body has no movement, a movement is for something else than a square, they are of
    /// different maps, or a task is given to an agent that is not there.
    ///
    /// # Panics
    /// If `movements` is empty although the plan has no agents: there is no map then.
    pub fn new(movements: &[&'a Movement], run: PlannedRun) -> Result<Self, PlanCheckError> {
        let mut by_side = Vec::new();
        for &movement in movements {
            by_side.push((side_of(movement)?, movement));
        }
        let of_agents: Result<Vec<&Movement>, PlanCheckError> = { run.agents.iter().enumerate() }
            .map(|(agent, planned)| {
                if planned.side == 0 || planned.pace == 0 {
                    return Err(PlanCheckError::Zero { agent });
                }
                let side = planned.side;
                let fitting = by_side.iter().find(|&&(of, _)| of == u32::from(side));
                fitting
                    .map(|&(_, movement)| movement)
                    .ok_or(PlanCheckError::NoMovement { agent, side })
            })
            .collect();
        let of_agents = of_agents?;
        let grid = movements.first().expect("a plan is checked on some map").grid();
        if let Some(other) = movements.iter().find(|movement| movement.grid() != grid) {
            return Err(PlanCheckError::ForeignMap {
                one: grid.clone(),
                other: other.grid().clone(),
            });
        }
        let agents = run.agents.len();
        if u32::try_from(agents).is_err() {
            return Err(PlanCheckError::TooLong);
        }
        if let Some(task) = run.tasks.iter().find(|task| task.agent as usize >= agents) {
            let agent = task.agent;
            return Err(PlanCheckError::NoAgent { agent, agents });
        }
        let mut verdict = PlanVerdict {
            agents,
            ..PlanVerdict::default()
        };
        let slowest = run.agents.iter().map(|agent| agent.pace).max().unwrap_or(1);
        Ok(Self {
            grid,
            lines: Lines::new(agents),
            steps: vec![Step::NONE; agents],
            squeezed: vec![[None; 2]; agents],
            holders: [Plane::new(grid.len()), Plane::new(grid.len())],
            sweepers: Plane::new(grid.len()),
            told: BTreeSet::new(),
            goals: Goals::new(&run, &of_agents, &mut verdict),
            movements: of_agents,
            verdict,
            read: 0,
            judged: 0,
            ahead: u32::from(slowest) - 1,
            run,
        })
    }

    /// Takes the line of the next tick: the cell that each agent has reached, `None` for those that have left.
    ///
    /// # Errors
    /// [`PlanCheckError::AgentCount`] if the line has another number of agents, [`PlanCheckError::TooLong`] after 2³² - 2
    /// ticks; the line is not taken then.
    pub fn tick(&mut self, cells: &[Option<Cell>]) -> Result<(), PlanCheckError> {
        let tick = self.read;
        if cells.len() != self.run.agents.len() {
            return Err(PlanCheckError::AgentCount {
                tick,
                got: cells.len(),
                want: self.run.agents.len(),
            });
        }
        if tick >= u32::MAX - 1 {
            return Err(PlanCheckError::TooLong);
        }
        if tick == 0 {
            self.look_at_starts(cells);
        }
        self.lines.read(tick, cells, &self.run.agents, &self.movements);
        self.read += 1;
        if tick >= self.ahead {
            self.judge();
        }
        Ok(())
    }

    /// Says whether the plan claims to be solved, for files that tell it behind the ticks.
    pub const fn claims_solved(&mut self, solved: bool) {
        self.run.solved = solved;
    }

    /// Judges what is left and adds everything up.
    #[must_use]
    pub fn finish(mut self) -> PlanVerdict {
        while self.judged < self.read {
            self.judge();
        }
        self.verdict.last_tick = self.read.saturating_sub(1);
        let last = self.verdict.last_tick;
        self.goals.finish(&self.run, last, self.grid, &mut self.verdict);
        self.verdict
    }

    fn look_at_starts(&mut self, cells: &[Option<Cell>]) {
        for (agent, (planned, &cell)) in (0..).zip(self.run.agents.iter().zip(cells)) {
            if let Some(start) = planned.start.filter(|&start| cell != Some(start)) {
                let conflict = Conflict {
                    kind: ConflictKind::Start,
                    tick: 0,
                    agent,
                    other: None,
                    cell: cell.unwrap_or(start),
                };
                self.verdict.add(conflict, self.run.told);
            }
        }
    }

    /// Judges the next tick, all steps that are under way in it being known.
    fn judge(&mut self) {
        let tick = self.judged;
        for &fault in &self.lines.line(tick).faults {
            self.verdict.add(fault, self.run.told);
        }
        if let Some(before) = tick.checked_sub(1) {
            for &step in &self.lines.line(before).starting {
                self.steps[step.agent as usize] = step;
                self.squeezed[step.agent as usize] = [None; 2];
            }
        }
        self.hold_cells(tick);
        self.told.clear();
        if tick > 0 {
            for agent in 0..self.steps.len() {
                let step = self.steps[agent];
                if step.is_under_way(tick) {
                    self.judge_entry(tick, &step);
                    self.judge_sides(tick, &step);
                    self.verdict.steps += u64::from(step.end == tick);
                }
            }
        }
        let spots = &self.lines.line(tick).spots;
        for (index, ((planned, &spot), step)) in (0..).zip(self.run.agents.iter().zip(spots).zip(&self.steps))
        {
            let has_moved = step.is_under_way(tick);
            self.goals.look(
                (index, planned),
                (tick, spot),
                has_moved,
                self.grid,
                &mut self.verdict,
            );
        }
        if tick > 0 {
            self.lines.drop_first();
        }
        self.judged += 1;
    }

    fn side(&self, agent: u32) -> u8 {
        self.run.agents[agent as usize].side
    }

    fn body(&self, agent: u32, anchor: CellId) -> Body {
        Body {
            anchor: self.grid.cell(anchor),
            side: self.side(agent),
        }
    }

    /// The cells that an agent's body covers on an anchor.
    fn covered(&self, agent: u32, anchor: CellId, into: &mut Vec<CellId>) {
        into.clear();
        if self.side(agent) == 1 {
            into.push(anchor);
        } else {
            into.extend(self.body(agent, anchor).cells(self.grid));
        }
    }

    fn add(&mut self, kind: ConflictKind, tick: u32, agent: u32, other: u32, cell: CellId) {
        let conflict = Conflict {
            kind,
            tick,
            agent,
            other: Some(other),
            cell: self.grid.cell(cell),
        };
        self.verdict.add(conflict, self.run.told);
    }

    /// Tells of two steps once, in the first tick in which both are under way.
    fn add_pair(&mut self, kind: ConflictKind, tick: u32, step: &Step, others: &Step, cell: CellId) {
        let (agent, other) = (step.agent.min(others.agent), step.agent.max(others.agent));
        if tick == step.first_with(others) && self.told.insert((kind, agent, other)) {
            self.add(kind, tick, agent, other, cell);
        }
    }

    /// Writes down who holds which cell in a tick, and tells who holds one together.
    fn hold_cells(&mut self, tick: u32) {
        let now = (tick % 2) as usize;
        let (mut cells, mut met) = (Vec::new(), Vec::new());
        for agent in 0..u32::try_from(self.steps.len()).unwrap_or(u32::MAX) {
            let Spot::At(at) = self.lines.line(tick).spots[agent as usize] else {
                continue;
            };
            let step = self.steps[agent as usize];
            // Until the tick in which it arrives a body holds the cells of both ends.
            let is_between = step.is_under_way(tick) && tick < step.end;
            met.clear();
            for anchor in [Some(at), is_between.then_some(step.to)].into_iter().flatten() {
                self.covered(agent, anchor, &mut cells);
                for &cell in &cells {
                    if let Some(other) = self.holders[now].hold(cell, tick, agent)
                        && !met.contains(&other)
                    {
                        met.push(other);
                        let is_single = self.side(agent) == 1 && self.side(other) == 1;
                        let kind = if is_single {
                            ConflictKind::Vertex
                        } else {
                            ConflictKind::Footprint
                        };
                        self.add(kind, tick, other, agent, cell);
                    }
                }
            }
        }
    }

    /// Whom a step swaps with, and whom it follows where that is forbidden.
    fn judge_entry(&mut self, tick: u32, step: &Step) {
        let before = ((tick - 1) % 2) as usize;
        let (mut cells, mut met) = (Vec::new(), Vec::new());
        self.covered(step.agent, step.to, &mut cells);
        for &cell in &cells {
            let Some(other) = self.holders[before].holder(cell, tick - 1) else {
                continue;
            };
            let others = self.steps[other as usize];
            if other == step.agent || !others.is_under_way(tick) || met.contains(&other) {
                continue;
            }
            let body = |agent, anchor| self.body(agent, anchor);
            let is_swap = body(step.agent, step.to).meets(body(other, others.from))
                && body(other, others.to).meets(body(step.agent, step.from));
            if is_swap {
                met.push(other);
                self.add_pair(ConflictKind::Swap, tick, step, &others, step.to);
            } else if !self.run.following
                && tick == step.start + 1
                && others.end == tick
                && !body(other, others.to).covers(self.grid.cell(cell))
            {
                met.push(other);
                self.add(ConflictKind::Following, tick, step.agent, other, cell);
            }
        }
    }

    /// Whom a diagonal step crosses or squeezes past.
    fn judge_sides(&mut self, tick: u32, step: &Step) {
        let Some(direction) = step.diagonal else { return };
        let sides = side_cells(self.grid.cell(step.from), direction, self.side(step.agent));
        let ids = sides.map(|cell| self.grid.id(cell));
        let may_squeeze = self.run.squeezing && self.side(step.agent) == 1;
        for (place, side) in ids.into_iter().enumerate() {
            let Some(side) = side else { continue };
            // Side cells are kept free in every tick of the step, the one in which it begins included.
            let begins = (tick == step.start + 1).then_some(tick - 1);
            for at in begins.into_iter().chain([tick]) {
                let Some(other) = self.holders[(at % 2) as usize].holder(side, at) else {
                    continue;
                };
                if other == step.agent {
                    continue;
                }
                let others = self.steps[other as usize];
                if others.is_under_way(tick) && self.is_across(&others, sides) {
                    self.add_pair(ConflictKind::Crossing, tick, step, &others, side);
                } else if !may_squeeze && self.squeezed[step.agent as usize][place] != Some(other) {
                    self.squeezed[step.agent as usize][place] = Some(other);
                    self.add(ConflictKind::Squeeze, at, step.agent, other, side);
                }
            }
            if let Some(other) = self.sweepers.hold(side, tick, step.agent) {
                let is_single = self.side(step.agent) == 1 && self.side(other) == 1;
                let others = self.steps[other as usize];
                if !is_single && tick == step.first_with(&others) {
                    self.add(ConflictKind::Squeeze, tick, other, step.agent, side);
                }
            }
        }
    }

    /// Whether a step leads from one side cell of a diagonal to the other.
    fn is_across(&self, step: &Step, sides: [Cell; 2]) -> bool {
        let (from, to) = (self.body(step.agent, step.from), self.body(step.agent, step.to));
        let leads = |one: Cell, two: Cell| from.covers(one) && to.covers(two);
        leads(sides[0], sides[1]) || leads(sides[1], sides[0])
    }
}

/// The side of the square that a movement is for.
fn side_of(movement: &Movement) -> Result<u32, PlanCheckError> {
    match movement.profile().footprint {
        Footprint::Point => Ok(1),
        Footprint::Rectangle(body) if body.width() == body.height() => Ok(body.width()),
        footprint => Err(PlanCheckError::NoSquare { footprint }),
    }
}
