//! What cells without a cost mean, once an engine has ended.

use super::engine::limit_of;
use super::field::{UNKNOWN, UNREACHABLE};
use super::{IntegrateError, IntegrateOptions, IntegrationField, MAX_COST_TO_GOAL, ResolvedGoals};
use crate::grid::CellId;
use crate::movement::Movement;
use core::ops::Range;

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
    if may_drop(movement, goals, options) {
        let all = 0..values.len();
        let lost = find_lost(movement, values, all.clone());
        if is_cut(movement, goals, options, values, lost)? {
            mark_cut_off(movement, values, all);
        }
    }
    Ok(())
}

/// Whether an engine may have dropped anything at all.
pub(super) fn may_drop(movement: &Movement, goals: &ResolvedGoals, options: &IntegrateOptions) -> bool {
    let cells = movement.grid().len() as u64;
    let dearest_seed = goals.seeds().iter().map(|seed| seed.bias).max().unwrap_or(0);
    // No shortest way visits a cell twice; if even the dearest such way fits, nothing was dropped.
    let bound = cells
        .saturating_mul(u64::from(movement.largest_edge()))
        .saturating_add(u64::from(dearest_seed));
    bound > u64::from(limit_of(options))
}

/// The first of some cells that was lost.
pub(super) fn find_lost(movement: &Movement, values: &[u32], cells: Range<usize>) -> Option<CellId> {
    cells.map(CellId::from_index).find(|&id| {
        values[id.index()] == UNREACHABLE
            && movement
                .edges_from(id)
                .any(|edge| values[edge.other.index()] <= MAX_COST_TO_GOAL)
    })
}

/// Whether the cells without a cost are cut off, where `lost` is the first that was lost; an error if that was not the
/// caller's wish.
pub(super) fn is_cut(
    movement: &Movement,
    goals: &ResolvedGoals,
    options: &IntegrateOptions,
    values: &[u32],
    lost: Option<CellId>,
) -> Result<bool, IntegrateError> {
    let limit = limit_of(options);
    let cut_seed = || {
        let mut seeds = goals.seeds().iter();
        seeds.any(|seed| seed.bias > limit && values[seed.cell.index()] == UNREACHABLE)
    };
    match (lost, options.cost_limit) {
        (None, _) => Ok(cut_seed()),
        (Some(id), None) => Err(IntegrateError::CostOverflow {
            cell: movement.grid().cell(id),
        }),
        (Some(_), Some(_)) => Ok(true),
    }
}

/// Makes those of some passable cells unknown that have no cost.
pub(super) fn mark_cut_off(movement: &Movement, values: &mut [u32], cells: Range<usize>) {
    for id in cells
        .map(CellId::from_index)
        .filter(|&id| movement.is_passable(id))
    {
        let value = &mut values[id.index()];
        if *value == UNREACHABLE {
            *value = UNKNOWN;
        }
    }
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
        let all = 0..values.len();
        mark_unsurveyed_among(movement, values, all);
    }
}

/// Makes those of some cells unknown that have not been surveyed.
pub(super) fn mark_unsurveyed_among(movement: &Movement, values: &mut [u32], cells: Range<usize>) {
    let ids = cells.clone().map(CellId::from_index);
    for (value, id) in values[cells].iter_mut().zip(ids) {
        if !movement.is_known(id) {
            *value = UNKNOWN;
        }
    }
}
