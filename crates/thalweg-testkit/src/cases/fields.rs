//! Compares one field with the numbers of a row.

use super::generate::cell_of_key;
use super::row::ByCell;
use crate::oracle::Oracle;
use crate::solve::{SolveError, Solved, engines_for, try_solve};
use thalweg_core::cost::CostField;
use thalweg_core::grid::CellId;
use thalweg_core::integrate::{
    Engine, GoalError, GoalSet, IntegrateError, IntegrateOptions, MAX_COST_TO_GOAL,
};
use thalweg_core::movement::{MovementProfile, StepScale};

/// How far a number may lie from one rounded to six decimals.
fn is_near(got: f64, wanted: f64) -> bool {
    (got - wanted).abs() <= 1e-5 * wanted.max(1.0)
}

/// What a row says of one field in real numbers.
#[derive(Clone, Copy, Default)]
pub(super) struct Answers<'a> {
    /// Cost by cell.
    pub(super) expect: Option<&'a ByCell<f64>>,
    /// Cost of all cells, row by row.
    pub(super) table: Option<&'a Vec<Vec<Option<f64>>>>,
    /// How many cells have a cost.
    pub(super) reached: Option<usize>,
}

impl<'a> Answers<'a> {
    pub(super) fn plain(expect: &'a ByCell<f64>) -> Self {
        Self {
            expect: Some(expect),
            ..Self::default()
        }
    }
}

/// Solves with an engine; `None` where the row's goals give no field.
pub(super) fn solved(
    costs: &CostField,
    profile: &MovementProfile,
    goals: &GoalSet,
    engine: Engine,
) -> Option<Solved> {
    match try_solve(
        costs,
        profile,
        goals,
        &IntegrateOptions::new().with_engine(engine),
    ) {
        Ok(solved) => Some(solved),
        Err(SolveError::Goals(GoalError::Blocked { .. } | GoalError::NoRoom { .. })) => None,
        Err(error) => panic!("{profile:?} {engine}: {error:?}"),
    }
}

/// Cost of every cell as the engine gives it.
pub(super) fn values(costs: &CostField, solved: Option<&Solved>) -> Vec<Option<u64>> {
    let cost = |id: CellId| Some(u64::from(solved?.field.cost(id)?.0));
    costs.grid().ids().map(cost).collect()
}

/// Checks the real numbers of a row under a profile: the oracle in floats, and every engine at the finest scale, whose
/// diagonal is right to 1.5e-6. Returns how many numbers were compared.
pub(super) fn check_fields(
    name: &str,
    costs: &CostField,
    profile: MovementProfile,
    goals: &GoalSet,
    answers: &Answers<'_>,
) -> usize {
    let profile = profile.with_scale(StepScale::FINE);
    let oracle = Oracle::new(costs, &profile);
    let real = oracle.real_cost_to_goals(&oracle.goals_of(costs, goals));
    let mut comparisons = compare(
        &format!("{name} {} oracle", profile.charge),
        costs,
        &real,
        answers,
    );
    let exact = oracle.cost_to_goals(&oracle.goals_of(costs, goals));
    if exact
        .iter()
        .flatten()
        .any(|&cost| cost > u64::from(MAX_COST_TO_GOAL))
    {
        return comparisons + check_overflow(name, costs, profile, goals);
    }
    for engine in engines_for(costs, &profile) {
        let solved = solved(costs, &profile, goals, engine);
        let unit = solved
            .as_ref()
            .map_or(1.0, |solved| f64::from(solved.field.cost_unit()));
        let cost = |id: CellId| Some(f64::from(solved.as_ref()?.field.cost(id)?.0) / unit);
        let values: Vec<Option<f64>> = costs.grid().ids().map(cost).collect();
        let context = format!("{name} {} {engine}", profile.charge);
        comparisons += compare(&context, costs, &values, answers);
    }
    comparisons
}

/// A row whose costs do not fit at the finest scale: every engine says so there, and agrees with the oracle at a
/// coarser one.
fn check_overflow(name: &str, costs: &CostField, finest: MovementProfile, goals: &GoalSet) -> usize {
    let coarse = finest.with_scale(StepScale::TEN_FOURTEEN);
    let oracle = Oracle::new(costs, &coarse);
    let exact = oracle.cost_to_goals(&oracle.goals_of(costs, goals));
    for engine in engines_for(costs, &finest) {
        let options = IntegrateOptions::new().with_engine(engine);
        let got = try_solve(costs, &finest, goals, &options).map(|_| ());
        assert!(
            matches!(
                got,
                Err(SolveError::Integrate(IntegrateError::CostOverflow { .. }))
            ),
            "{name} {} {engine}: {got:?}",
            finest.charge
        );
        let coarse_values = values(costs, solved(costs, &coarse, goals, engine).as_ref());
        assert_eq!(coarse_values, exact, "{name} {} {engine}", coarse.charge);
    }
    exact.len()
}

fn compare(context: &str, costs: &CostField, values: &[Option<f64>], answers: &Answers<'_>) -> usize {
    let agree = |got: Option<f64>, wanted: Option<f64>| match (got, wanted) {
        (Some(got), Some(wanted)) => is_near(got, wanted),
        (got, wanted) => got == wanted,
    };
    let mut comparisons = 0;
    for (key, &wanted) in answers.expect.into_iter().flatten() {
        let id = costs.grid().id(cell_of_key(key)).expect("a cell of the map");
        let got = values[id.index()];
        assert!(agree(got, wanted), "{context}: {key} is {got:?}, not {wanted:?}");
        comparisons += 1;
    }
    if let Some(table) = answers.table {
        let wanted: Vec<Option<f64>> = table.iter().flatten().copied().collect();
        assert_eq!(wanted.len(), values.len(), "{context}: the table's size");
        for (id, (&got, &wanted)) in costs.grid().ids().zip(values.iter().zip(&wanted)) {
            assert!(
                agree(got, wanted),
                "{context}: {} is {got:?}, not {wanted:?}",
                costs.grid().cell(id)
            );
            comparisons += 1;
        }
    }
    if let Some(reached) = answers.reached {
        let got = values.iter().flatten().count();
        assert_eq!(got, reached, "{context}: reached cells");
        comparisons += 1;
    }
    comparisons
}
