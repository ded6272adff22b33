//! The scenes of `bench crowd --strict`: a map, fields, and a strict crowd whose members are given goal after goal.

use super::StrictSceneKind;
use crate::random::Random;
use std::sync::Arc;
use thalweg::core::components::Components;
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::flow::{FlowField, FlowScratch, extract};
use thalweg::core::grid::{Cell, CellId, Grid};
use thalweg::core::integrate::{GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate};
use thalweg::core::movement::{Connectivity, Movement, MovementProfile, StepScale};
use thalweg::core::workers::{Serial, Workers};
use thalweg::crowd::strict::{
    StrictCrowd, StrictGroup, StrictObserver, StrictOptions, StrictReport, StrictSpec,
};
use thalweg::crowd::{GroupId, Outcome};

/// Goals, each with a field of its own that all who go there share.
const GOALS: u32 = 64;
/// Cells of a goal. With a single one each, not the crowd but the doors to the goals would be measured: 10,000 agents come
/// to some 50 goals a tick.
const GOAL_CELLS: usize = 16;
/// Shelves: cells along and across.
const SHELF: [u32; 2] = [10, 2];
/// Free cells around the shelves.
const MARGIN: u32 = 4;

/// A map, its fields, and a crowd on its way.
#[derive(Clone)]
pub(super) struct StrictScene {
    kind: StrictSceneKind,
    ground: Arc<Ground>,
    crowd: StrictCrowd,
    random: Random,
}

struct Ground {
    movement: Movement,
    fields: Vec<(IntegrationField, FlowField)>,
    free: usize,
}

fn told<T, E: std::fmt::Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

impl StrictScene {
    /// A square map of which the agents take the given part, with everybody on a free cell and a goal drawn for each.
    pub(super) fn new(kind: StrictSceneKind, agents: u32, density: f64) -> Result<Self, String> {
        let costs = costs(kind, f64::from(agents) / density)?;
        let grid = costs.grid().clone();
        let scale = StepScale::new(1, 1).unwrap_or_default();
        let profile = MovementProfile::new()
            .with_connectivity(Connectivity::Four)
            .with_scale(scale);
        let movement = Movement::compile(&costs, &profile);
        let mut random = Random::new(1);
        let mut free: Vec<CellId> = grid.ids().filter(|&id| movement.is_passable(id)).collect();
        if free.len() <= agents as usize + GOAL_CELLS {
            return Err(format!(
                "{agents} agents have no room on {} free cells",
                free.len()
            ));
        }
        debug_assert!(Components::of(&movement).can_reach(free[0], free[free.len() - 1]));
        let mut fields = Vec::new();
        for _ in 0..GOALS {
            let centre = free[random.below(u32::try_from(free.len()).unwrap_or(u32::MAX)) as usize];
            fields.push(field(&movement, centre)?);
        }
        let mut crowd = told(StrictCrowd::new(grid.clone(), StrictOptions::default()))?;
        for place in 0..agents as usize {
            let left = u32::try_from(free.len() - place).unwrap_or(u32::MAX);
            free.swap(place, place + random.below(left) as usize);
            let group = GroupId(u16::try_from(random.below(GOALS)).unwrap_or(0));
            told(crowd.add(&StrictSpec::new(grid.cell(free[place]), group), &movement))?;
        }
        Ok(Self {
            kind,
            ground: Arc::new(Ground {
                movement,
                fields,
                free: free.len(),
            }),
            crowd,
            random,
        })
    }

    /// One tick.
    pub(super) fn step(
        &mut self,
        workers: &dyn Workers,
        observer: &mut impl StrictObserver,
    ) -> Result<StrictReport, String> {
        let ground = &self.ground;
        let groups = ground.fields.iter();
        let groups: Vec<_> = groups
            .map(|(field, flow)| StrictGroup::new(&ground.movement, field, flow))
            .collect();
        told(self.crowd.step_observed(&groups, workers, observer))
    }

    /// Gives another goal to whoever has come to one.
    pub(super) fn hand_out(&mut self) -> Result<(), String> {
        let there = self.crowd.agents();
        let there = there.filter(|(_, agent)| agent.outcome == Outcome::Arrived);
        let there: Vec<_> = there.map(|(id, agent)| (id, agent.group)).collect();
        for (id, before) in there {
            // One of the others, each as likely.
            let other = (u32::from(before.0) + 1 + self.random.below(GOALS - 1)) % GOALS;
            told(
                self.crowd
                    .set_group(id, GroupId(u16::try_from(other).unwrap_or(0))),
            )?;
        }
        Ok(())
    }

    pub(super) const fn kind(&self) -> StrictSceneKind {
        self.kind
    }

    pub(super) const fn crowd(&self) -> &StrictCrowd {
        &self.crowd
    }

    /// Free cells of the map.
    pub(super) fn free(&self) -> usize {
        self.ground.free
    }
}

/// The field to the cells nearest to a centre.
fn field(movement: &Movement, centre: CellId) -> Result<(IntegrationField, FlowField), String> {
    let grid = movement.grid();
    let mut cells = vec![centre];
    let mut next = 0;
    while cells.len() < GOAL_CELLS && next < cells.len() {
        for edge in movement.edges_from(cells[next]) {
            if cells.len() < GOAL_CELLS && !cells.contains(&edge.other) {
                cells.push(edge.other);
            }
        }
        next += 1;
    }
    let cells: Vec<Cell> = cells.into_iter().map(|id| grid.cell(id)).collect();
    let goals = told(GoalSet::from_cells(cells).resolve(movement))?;
    let mut field = IntegrationField::new(grid.clone());
    told(integrate(
        movement,
        &goals,
        &IntegrateOptions::new(),
        &mut IntegrateScratch::new(),
        &mut field,
    ))?;
    let mut flow = FlowField::new(grid.clone());
    extract(movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    Ok((field, flow))
}

/// A square map of about so many free cells, all connected.
fn costs(kind: StrictSceneKind, free: f64) -> Result<CostField, String> {
    match kind {
        StrictSceneKind::Open => {
            let side = free.sqrt().ceil() as u32;
            let grid = told(Grid::new(side, side))?;
            Ok(CostField::filled(grid, Cost::PLAIN))
        }
        StrictSceneKind::Warehouse => {
            let mut side = 2 * MARGIN + SHELF[0];
            loop {
                let costs = shelves(side)?;
                let ids = costs.grid().ids();
                let is_free = |&id: &CellId| costs.get(id).is_some_and(Cost::is_passable);
                if ids.filter(is_free).count() as f64 >= free {
                    return Ok(costs);
                }
                side += 1 + side / 64;
            }
        }
    }
}

/// Shelves that are whole, with a lane between every two of them and a margin around.
fn shelves(side: u32) -> Result<CostField, String> {
    let grid = told(Grid::new(side, side))?;
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let [pitch_x, pitch_y] = SHELF.map(|cells| cells + 1);
    let [columns, rows] = [pitch_x, pitch_y].map(|pitch| (side - 2 * MARGIN + 1) / pitch);
    for y in 0..rows * pitch_y {
        for x in 0..columns * pitch_x {
            let is_shelf = x % pitch_x < SHELF[0] && y % pitch_y < SHELF[1];
            let cell = Cell::new((MARGIN + x).cast_signed(), (MARGIN + y).cast_signed());
            if let Some(id) = grid.id(cell).filter(|_| is_shelf) {
                costs.write(id, Some(Cost::IMPASSABLE));
            }
        }
    }
    Ok(costs)
}
