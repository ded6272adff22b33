//! A finished field from costs-to-goal that somebody kept, say in a file.
//!
//! What is handed in is checked to be the answer, cell by cell, and not merely to look like one: whoever reads a field relies
//! on every way ending at a goal. With whole-number costs the answer is unique, so a field that passes has the bits of the one that
//! [`integrate`](super::integrate) would make. The check looks at every edge once.
//!
//! Rejected: taking labels, states of unreached cells and goal cells in too. They follow from the costs, and what is not
//! handed in cannot contradict.

use super::engine::limit_of;
use super::field::{UNKNOWN, UNREACHABLE};
use super::labels::flood_labels;
use super::unreached::settle_again;
use super::{
    CostToGoal, IntegrateError, IntegrateOptions, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals,
};
use crate::grid::{Cell, CellId};
use crate::movement::Movement;
use thiserror::Error;

/// Why costs-to-goal are not those of a movement and a goal set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FieldPartsError {
    /// Not one cost, or none, per cell.
    #[error("a map of {cells} cells needs as many costs-to-goal, but {got} were given")]
    WrongLength {
        /// Cells of the map.
        cells: usize,
        /// What was given, counted as far as the cells of the map and one more.
        got: usize,
    },
    /// A seed is of another map.
    #[error("a goal is on cell {cell}, beyond the {cells} cells of the map")]
    ForeignGoals {
        /// The id of the cell.
        cell: u32,
        /// Cells of the map.
        cells: usize,
    },
    /// A cost is not the least one.
    #[error("cell {cell} has cost-to-goal {got:?} and should have {expected:?}")]
    WrongCost {
        /// The first such cell.
        cell: Cell,
        /// What was given; `None` is no cost.
        got: Option<u32>,
        /// What the cells around it say.
        expected: Option<u64>,
    },
    /// A circle of free steps whose cells give each other a cost that no goal gives.
    #[error("cell {cell} has cost-to-goal {got}, but no way that keeps it ends at a goal")]
    NoGoal {
        /// The first such cell.
        cell: Cell,
        /// Its cost.
        got: u32,
    },
    /// The costs would not fit a field.
    #[error(transparent)]
    Integrate(#[from] IntegrateError),
}

impl IntegrationField {
    /// The field of a movement and goals, from the cost-to-goal of every cell in id order; `None` where there is none. The
    /// options are those the field was made with; only the cost limit counts.
    ///
    /// O(edges), on one thread.
    ///
    /// # Errors
    /// [`FieldPartsError`] if the costs are not those that [`integrate`](super::integrate) finds for all cells.
    pub fn from_costs(
        movement: &Movement,
        goals: &ResolvedGoals,
        options: &IntegrateOptions,
        costs: impl IntoIterator<Item = Option<CostToGoal>>,
    ) -> Result<Self, FieldPartsError> {
        let cells = movement.grid().len();
        let values = collect(cells, costs)?;
        if let Some(seed) = goals.seeds().iter().find(|seed| seed.cell.index() >= cells) {
            let cell = seed.cell.0;
            return Err(FieldPartsError::ForeignGoals { cell, cells });
        }
        check_least(movement, goals, limit_of(options), &values)?;
        let mut labels = Vec::new();
        // Costs that fall with every step lead to a goal by themselves.
        if goals.goal_count() > 1 || movement.has_zero_steps() {
            labels.resize(cells, u32::MAX);
            flood_labels(movement, goals.seeds(), &values, &mut labels);
            let lost = |&index: &usize| labels[index] == u32::MAX && values[index] <= MAX_COST_TO_GOAL;
            if let Some(index) = (0..cells).find(lost) {
                let (cell, got) = (cell_at(movement, index), values[index]);
                return Err(FieldPartsError::NoGoal { cell, got });
            }
        }
        let mut field = Self::new(movement.grid().clone());
        field.raw_mut().copy_from_slice(&values);
        field.belong_to(movement, goals);
        let sinks = field.sinks().to_vec();
        field.set_goals(&sinks, &labels, goals.goal_count());
        settle_again(movement, goals, options, &mut field)?;
        Ok(field)
    }
}

fn cell_at(movement: &Movement, index: usize) -> Cell {
    let mut ids = movement.grid().ids();
    movement.grid().cell(ids.nth(index).unwrap_or(CellId(0)))
}

/// The costs as they are stored, one per cell.
fn collect(
    cells: usize,
    costs: impl IntoIterator<Item = Option<CostToGoal>>,
) -> Result<Vec<u32>, FieldPartsError> {
    let mut values = Vec::with_capacity(cells);
    for cost in costs.into_iter().take(cells + 1) {
        // What is no cost is refused with the others, as one that is not the least.
        values.push(cost.map_or(UNREACHABLE, |cost| cost.0.min(UNKNOWN)));
    }
    if values.len() != cells {
        let got = values.len();
        return Err(FieldPartsError::WrongLength { cells, got });
    }
    Ok(values)
}

/// Checks that every cell has the least of what its edges and its own goals give, if that is within the limit, and nothing
/// else.
fn check_least(
    movement: &Movement,
    goals: &ResolvedGoals,
    limit: u32,
    values: &[u32],
) -> Result<(), FieldPartsError> {
    // Sorted by cell, then by bias: the first of a cell is its least.
    let mut seeds = goals.seeds().iter().peekable();
    for (id, &value) in movement.grid().ids().zip(values) {
        let mut best = u64::MAX;
        while let Some(seed) = seeds.next_if(|seed| seed.cell == id) {
            best = best.min(u64::from(seed.bias));
        }
        for edge in movement.edges_from(id) {
            let onward = values[edge.other.index()];
            if onward <= MAX_COST_TO_GOAL {
                best = best.min(u64::from(onward) + u64::from(edge.cost));
            }
        }
        let expected = (best <= u64::from(limit) && movement.is_passable(id)).then_some(best);
        let got = (value != UNREACHABLE).then_some(value);
        if got.map(u64::from) != expected {
            let cell = movement.grid().cell(id);
            return Err(FieldPartsError::WrongCost { cell, got, expected });
        }
    }
    Ok(())
}
