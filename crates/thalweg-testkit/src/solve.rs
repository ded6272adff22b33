//! One call from costs and goals to a checked field with directions.

use thalweg_core::check::check_field;
use thalweg_core::cost::CostField;
use thalweg_core::debug::print_all;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, CellId, Direction};
use thalweg_core::integrate::{
    Engine, GoalError, GoalSet, IntegrateError, IntegrateOptions, IntegrateScratch, IntegrationField,
    integrate,
};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Serial;

/// A finished field with everything it was made from.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The compiled rules.
    pub movement: Movement,
    /// Cost-to-goal.
    pub field: IntegrationField,
    /// Directions.
    pub flow: FlowField,
}

impl Solved {
    /// The cost-to-goal of a cell, if it is reached.
    ///
    /// # Panics
    /// If the cell is not on the map.
    #[must_use]
    pub fn cost_at(&self, x: i32, y: i32) -> Option<u32> {
        self.field.cost(self.id(x, y)).map(|cost| cost.0)
    }

    /// The successors of a cell in the fixed order.
    ///
    /// # Panics
    /// If the cell is not on the map.
    #[must_use]
    pub fn successors_at(&self, x: i32, y: i32) -> Vec<Direction> {
        self.flow.successors(self.id(x, y)).iter().collect()
    }

    /// The winning goal of a cell, if it is reached.
    ///
    /// # Panics
    /// If the cell is not on the map.
    #[must_use]
    pub fn goal_at(&self, x: i32, y: i32) -> Option<u32> {
        self.field.goal(self.id(x, y))
    }

    /// The id of a cell.
    ///
    /// # Panics
    /// If the cell is not on the map.
    #[must_use]
    pub fn id(&self, x: i32, y: i32) -> CellId {
        self.field
            .grid()
            .id(Cell::new(x, y))
            .unwrap_or_else(|| panic!("({x},{y}) is not on the map"))
    }
}

/// Why a field could not be made.
#[derive(Clone, PartialEq, Debug)]
pub enum SolveError {
    /// The goals cannot be used.
    Goals(GoalError),
    /// The integration failed.
    Integrate(IntegrateError),
}

/// Integrates, extracts and validates.
///
/// # Errors
/// [`SolveError`] as the core reports it.
///
/// # Panics
/// If a validator finds the field wrong; the message shows the map.
pub fn try_solve(
    costs: &CostField,
    profile: &MovementProfile,
    goals: &GoalSet,
    options: &IntegrateOptions,
) -> Result<Solved, SolveError> {
    try_solve_movement(Movement::compile(costs, profile), costs, goals, options)
}

/// [`try_solve`] for a movement that is compiled already, say with edge rules.
///
/// # Errors
/// [`SolveError`] as the core reports it.
///
/// # Panics
/// If a validator finds the field wrong; the message shows the map.
pub fn try_solve_movement(
    movement: Movement,
    costs: &CostField,
    goals: &GoalSet,
    options: &IntegrateOptions,
) -> Result<Solved, SolveError> {
    let goals = goals.resolve(&movement).map_err(SolveError::Goals)?;
    let mut field = IntegrationField::new(costs.grid().clone());
    integrate(
        &movement,
        &goals,
        options,
        &mut IntegrateScratch::new(),
        &mut field,
    )
    .map_err(SolveError::Integrate)?;
    let mut flow = FlowField::new(costs.grid().clone());
    extract(&movement, &field, &Serial, &mut FlowScratch::new(), &mut flow);
    if let Err(violation) = check_field(&movement, &field, &flow) {
        panic!(
            "{violation}\n{:?} {options:?}\n{}",
            movement.profile(),
            print_all(costs, &field, &flow)
        );
    }
    Ok(Solved {
        movement,
        field,
        flow,
    })
}

/// [`try_solve`] for inputs that must work.
///
/// # Panics
/// If the field cannot be made or a validator finds it wrong.
#[must_use]
pub fn solve(costs: &CostField, profile: &MovementProfile, goals: &GoalSet, engine: Engine) -> Solved {
    try_solve(
        costs,
        profile,
        goals,
        &IntegrateOptions::new().with_engine(engine),
    )
    .unwrap_or_else(|error| panic!("{engine}: {error:?}"))
}

/// [`solve`] under every engine that can run on these costs; all must agree.
///
/// # Panics
/// If one fails, or two differ.
#[must_use]
pub fn solve_by_all(costs: &CostField, profile: &MovementProfile, goals: &GoalSet) -> Solved {
    let first = solve(costs, profile, goals, Engine::Heap);
    for engine in engines_for(costs, profile) {
        let other = solve(costs, profile, goals, engine);
        assert_eq!(first.field, other.field, "heap and {engine} differ");
        assert_eq!(first.flow, other.flow, "directions of heap and {engine} differ");
    }
    first
}

/// The engines that can run on these costs under this profile.
#[must_use]
pub fn engines_for(costs: &CostField, profile: &MovementProfile) -> Vec<Engine> {
    let movement = Movement::compile(costs, profile);
    Engine::ALL
        .into_iter()
        .filter(|engine| engine.supports(&movement))
        .collect()
}

/// Every pairing of neighbourhood, corner rule and charge, at one scale. With four neighbours the corner rule says
/// nothing and is left at its default.
#[must_use]
pub fn profiles(scale: StepScale) -> Vec<MovementProfile> {
    let base = MovementProfile::new().with_scale(scale);
    let mut shapes = vec![base.with_connectivity(Connectivity::Four)];
    shapes.extend(
        [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]
            .map(|rule| base.with_corner_rule(rule)),
    );
    let charges = [Charge::Depart, Charge::Arrive, Charge::Mean];
    shapes
        .into_iter()
        .flat_map(|shape| charges.map(|charge| shape.with_charge(charge)))
        .collect()
}

/// A scale that must be valid.
///
/// # Panics
/// If it is not.
#[must_use]
pub fn scale(straight: u32, diagonal: u32) -> StepScale {
    StepScale::new(straight, diagonal).expect("a valid step scale")
}
