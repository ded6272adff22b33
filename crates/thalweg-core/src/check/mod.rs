//! Validators: facts that hold of every finished field, checked cell by cell. For tests, fuzzing and doubt; O(cells).

mod violation;

use crate::flow::{FlowField, Guidance};
use crate::grid::{CellId, Direction};
use crate::integrate::{IntegrationField, Reach};
use crate::movement::Movement;
pub use violation::Violation;

/// Checks everything that this module can check of a field and its directions.
///
/// # Errors
/// The first [`Violation`] in id order of the first check that fails.
pub fn check_field(movement: &Movement, field: &IntegrationField, flow: &FlowField) -> Result<(), Violation> {
    check_relaxation(movement, field)?;
    check_directions(movement, field, flow)?;
    check_acyclic(movement, field, flow)?;
    check_labels(movement, field)
}

/// Checks that `D` is the least fixpoint: no exit gives less, every reached cell that is not a goal has an exit that
/// gives exactly its cost, walls have no cost, and no unreachable cell has an exit to a reached one.
///
/// # Errors
/// The first [`Violation`] in id order.
pub fn check_relaxation(movement: &Movement, field: &IntegrationField) -> Result<(), Violation> {
    for id in field.grid().ids() {
        let cell = field.grid().cell(id);
        let best = exits_with_cost(movement, field, id)
            .map(|(_, _, through)| through)
            .min();
        let is_sink = is_sink(field, id);
        match (field.reach(id), best) {
            (Reach::Reached(cost), _) if !movement.is_passable(id) => {
                return Err(Violation::WallReached { cell, cost });
            }
            (Reach::Reached(cost), Some(through)) if through < u64::from(cost.0) => {
                return Err(Violation::NotLeast { cell, cost, through });
            }
            (Reach::Reached(cost), best) if !is_sink && best != Some(u64::from(cost.0)) => {
                return Err(Violation::NoExitKeepsCost { cell, cost, best });
            }
            (Reach::Unreachable, Some(through)) => {
                return Err(Violation::ReachableCellNotReached { cell, through });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks that the successors of a cell are exits, keep its cost, and exist exactly where they should; that the
/// direction is the first of them; and that cells without a direction say why.
///
/// # Errors
/// The first [`Violation`] in id order.
pub fn check_directions(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
) -> Result<(), Violation> {
    for id in field.grid().ids() {
        let cell = field.grid().cell(id);
        let successors = flow.successors(id);
        if let Some(direction) = successors
            .iter()
            .find(|&direction| !movement.exits(id).contains(direction))
        {
            return Err(Violation::IllegalSuccessor { cell, direction });
        }
        let cost = field.cost(id).map(|cost| u64::from(cost.0));
        for (direction, _, through) in exits_with_cost(movement, field, id) {
            let free = through == cost.unwrap_or(u64::MAX) && movement.step_cost(id, direction) == Some(0);
            let tight = cost == Some(through) && !is_sink(field, id);
            // A free step is a successor only if it also lowers the hop count, so its absence is legal.
            let is_successor = successors.contains(direction);
            if is_successor != tight && (is_successor || !free) {
                return Err(Violation::WrongSuccessor {
                    cell,
                    direction,
                    is_successor: !tight,
                });
            }
        }
        let expected = match field.reach(id) {
            Reach::Reached(_) if is_sink(field, id) => Guidance::Goal,
            Reach::Reached(_) => match successors.first() {
                Some(direction) => Guidance::Toward(direction),
                None => return Err(Violation::NoSuccessor { cell }),
            },
            Reach::Unknown => Guidance::Unknown,
            Reach::Unreachable if movement.is_passable(id) => Guidance::Unreachable,
            Reach::Unreachable => Guidance::Impassable,
        };
        let got = flow.guidance(id);
        if got != expected {
            return Err(Violation::WrongGuidance { cell, expected, got });
        }
    }
    Ok(())
}

/// Checks that following any choice of successors from any cell ends at a goal: the successor graph has no circle.
///
/// # Errors
/// [`Violation::Circle`] with a cell that lies on one.
pub fn check_acyclic(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
) -> Result<(), Violation> {
    // Cells are taken away once all their successors are; what is left lies on or before a circle.
    let grid = field.grid();
    let mut waiting: Vec<u32> = grid.ids().map(|id| flow.successors(id).len()).collect();
    let mut ready: Vec<CellId> = grid.ids().filter(|id| waiting[id.index()] == 0).collect();
    let mut taken = 0;
    while let Some(id) = ready.pop() {
        taken += 1;
        for direction in movement.entries(id) {
            let Some(from) = grid.neighbour(id, direction.opposite()) else {
                continue;
            };
            if flow.successors(from).contains(direction) {
                waiting[from.index()] -= 1;
                if waiting[from.index()] == 0 {
                    ready.push(from);
                }
            }
        }
    }
    if taken == grid.len() {
        return Ok(());
    }
    let id = grid.ids().find(|id| waiting[id.index()] > 0).unwrap_or(CellId(0));
    Err(Violation::Circle { cell: grid.cell(id) })
}

/// Checks that the winning goal of a cell is the lowest index among the goals that give its cost.
///
/// # Errors
/// The first [`Violation`] in id order.
pub fn check_labels(movement: &Movement, field: &IntegrationField) -> Result<(), Violation> {
    for id in field.grid().ids() {
        let Some(cost) = field.cost(id) else { continue };
        let own = field
            .sinks()
            .iter()
            .filter(|seed| seed.cell == id)
            .map(|seed| seed.goal);
        let through = exits_with_cost(movement, field, id)
            .filter(|&(_, _, through)| through == u64::from(cost.0))
            .filter_map(|(_, next, _)| field.goal(next));
        let expected = own.chain(through).min();
        if field.goal(id) != expected {
            return Err(Violation::WrongLabel {
                cell: field.grid().cell(id),
                expected,
                got: field.goal(id),
            });
        }
    }
    Ok(())
}

fn is_sink(field: &IntegrationField, id: CellId) -> bool {
    field.sinks().binary_search_by_key(&id, |seed| seed.cell).is_ok()
}

/// Every exit that leads to a reached cell, with that cell and the cost-to-goal through it.
fn exits_with_cost<'a>(
    movement: &'a Movement,
    field: &'a IntegrationField,
    id: CellId,
) -> impl Iterator<Item = (Direction, CellId, u64)> + 'a {
    movement.exits(id).iter().filter_map(move |direction| {
        let next = movement.step_target(id, direction)?;
        let step = movement.step_cost(id, direction)?;
        let cost = field.cost(next)?;
        Some((direction, next, u64::from(step) + u64::from(cost.0)))
    })
}
