//! What cells without a cost mean, once an engine has ended.

use super::engine::limit_of;
use super::field::{UNKNOWN, UNREACHABLE};
use super::{IntegrateError, IntegrateOptions, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals};
use crate::grid::CellId;
use crate::movement::Movement;

/// Decides what cells without a cost are: unreachable, unknown, or proof that a cost did not fit.
///
/// Engines drop relaxations beyond their limit. A passable cell that ends without a cost although a legal exit leads
/// to a reached cell was lost that way, whatever the engine; so the decision does not depend on the engine.
pub(super) fn settle_unreached(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    values: &mut [u32],
) -> Result<(), IntegrateError> {
    let limit = limit_of(options);
    let cells = u64::try_from(values.len()).unwrap_or(u64::MAX);
    let dearest_seed = goals.seeds().iter().map(|seed| seed.bias).max().unwrap_or(0);
    // No shortest way visits a cell twice; if even the dearest such way fits, nothing was dropped.
    let bound = cells
        .saturating_mul(u64::from(movement.largest_edge()))
        .saturating_add(u64::from(dearest_seed));
    if bound > u64::from(limit) {
        let grid = movement.grid();
        let lost = grid.ids().find(|&id| {
            values[id.index()] == UNREACHABLE
                && movement
                    .edges_from(id)
                    .any(|edge| values[edge.other.index()] <= MAX_COST_TO_GOAL)
        });
        let cut_seed = goals
            .seeds()
            .iter()
            .any(|seed| seed.bias > limit && values[seed.cell.index()] == UNREACHABLE);
        match (lost, options.cost_limit) {
            (None, _) if !cut_seed => {}
            (Some(id), None) => return Err(IntegrateError::CostOverflow { cell: grid.cell(id) }),
            _ => {
                for id in grid.ids().filter(|&id| movement.is_passable(id)) {
                    let value = &mut values[id.index()];
                    if *value == UNREACHABLE {
                        *value = UNKNOWN;
                    }
                }
            }
        }
    }
    Ok(())
}

/// Decides once more what cells without a cost are, after some of the values were made anew.
pub(crate) fn settle_again(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    field: &mut IntegrationField,
) -> Result<(), IntegrateError> {
    let values = field.raw_mut();
    for value in &mut *values {
        if *value == UNKNOWN {
            *value = UNREACHABLE;
        }
    }
    settle_unreached(movement, goals, options, values)?;
    mark_unsurveyed(movement, values);
    Ok(())
}

pub(super) fn mark_unsurveyed(movement: &Movement, values: &mut [u32]) {
    if movement.has_unknown() {
        for (value, id) in values.iter_mut().zip((0..).map(CellId)) {
            if !movement.is_known(id) {
                *value = UNKNOWN;
            }
        }
    }
}
