//! Our side of a comparison: a map with a profile, and the stages as calls.

use crate::GeneratedMap;
use std::hint::black_box;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, integrate_on,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};

/// A map ready to be integrated, with the buffers of one caller, which are reused from run to run.
#[derive(Debug)]
pub struct Subject {
    costs: CostField,
    movement: Movement,
    goals: ResolvedGoals,
    goal: CellId,
    scratch: IntegrateScratch,
    field: IntegrationField,
    flow_scratch: FlowScratch,
    flow: FlowField,
    /// What a step in each direction adds to an id.
    offsets: [i32; 8],
}

impl Subject {
    /// Compiles a map for a profile.
    ///
    /// # Panics
    /// If the map has no cells, or its goal is not usable; generated maps and maps read from files always are.
    #[must_use]
    pub fn new(map: &GeneratedMap, profile: &MovementProfile) -> Self {
        let grid = Grid::new(map.width, map.height).expect("a bench map has cells");
        let costs =
            CostField::from_bytes(grid.clone(), map.costs.clone()).expect("a bench map has one cost a cell");
        let movement = Movement::compile(&costs, profile);
        let goal = Cell::new(map.goal.0.cast_signed(), map.goal.1.cast_signed());
        let goals = GoalSet::from_cells([goal])
            .resolve(&movement)
            .expect("the goal of a bench map is passable");
        Self {
            costs,
            movement,
            goals,
            goal: grid.id(goal).expect("the goal of a bench map lies on it"),
            scratch: IntegrateScratch::new(),
            field: IntegrationField::new(grid.clone()),
            flow_scratch: FlowScratch::new(),
            flow: FlowField::new(grid.clone()),
            offsets: grid.layers()[0].id_offsets(),
        }
    }

    /// The compiled rules.
    #[must_use]
    pub const fn movement(&self) -> &Movement {
        &self.movement
    }

    /// The goal cell.
    #[must_use]
    pub const fn goal(&self) -> CellId {
        self.goal
    }

    /// The last field.
    #[must_use]
    pub const fn field(&self) -> &IntegrationField {
        &self.field
    }

    /// The last directions.
    #[must_use]
    pub const fn flow(&self) -> &FlowField {
        &self.flow
    }

    /// Integrates once.
    ///
    /// # Panics
    /// If the engine does not support the map.
    pub fn integrate(&mut self, engine: Engine) {
        self.integrate_on(engine, &Serial);
    }

    /// Integrates once on the threads of a pool.
    ///
    /// # Panics
    /// If the engine does not support the map.
    pub fn integrate_on(&mut self, engine: Engine, workers: &dyn Workers) {
        let options = IntegrateOptions::new().with_engine(engine);
        integrate_on(
            black_box(&self.movement),
            &self.goals,
            &options,
            workers,
            &mut self.scratch,
            &mut self.field,
        )
        .expect("the engine supports the map and its costs fit");
    }

    /// From costs to directions once, with the engine that Auto picks.
    pub fn pipeline(&mut self) {
        let profile = *self.movement.profile();
        self.movement = Movement::compile(black_box(&self.costs), &profile);
        self.field_and_directions();
    }

    /// Cost-to-goal with the engine that Auto picks and all directions, under the rules compiled before.
    pub fn field_and_directions(&mut self) {
        self.integrate(Engine::Auto);
        self.extract();
    }

    /// Directions of the last field once.
    pub fn extract(&mut self) {
        extract(
            &self.movement,
            &self.field,
            &Serial,
            &mut self.flow_scratch,
            &mut self.flow,
        );
    }

    /// How many cells have a way to the goal.
    #[must_use]
    pub fn reached(&self) -> usize {
        self.field
            .reaches()
            .filter(|reach| reach.cost().is_some())
            .count()
    }

    /// Every step that enters a cell, as (cell it comes from, its cost): the graph that the wave runs over, for peers
    /// that take a graph as a function.
    pub fn entries(&self, cell: CellId) -> impl Iterator<Item = (CellId, u32)> + '_ {
        self.movement.entries(cell).iter().map(move |direction| {
            // A legal step stays on the map, so that no coordinates need to be made: peers are not to pay for them.
            let from = CellId(cell.0.wrapping_add_signed(-self.offsets[direction.index()]));
            let costs = self.movement.costs();
            let step = self
                .movement
                .steps()
                .step(direction, costs[from.index()], costs[cell.index()]);
            (from, step)
        })
    }
}
