//! Validators: facts that hold of every finished field, checked cell by cell. For tests, fuzzing and doubt; O(cells).

mod extent;
mod violation;

use crate::flow::{FlowField, Guidance};
use crate::grid::CellId;
use crate::integrate::{IntegrationField, Reach};
use crate::movement::{Edge, EdgeKind, Movement};
pub use extent::check_extent;
pub use violation::Violation;

/// Checks everything that this module can check of a field and its directions.
///
/// # Errors
/// The first [`Violation`] in id order of the first check that fails.
pub fn check_field(movement: &Movement, field: &IntegrationField, flow: &FlowField) -> Result<(), Violation> {
    check_extent(movement)?;
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
        let best = edges_with_cost(movement, field, id)
            .map(|(_, through)| through)
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
        let exits = movement.exits(id);
        if let Some(direction) = successors.iter().find(|&direction| !exits.contains(direction)) {
            return Err(Violation::IllegalSuccessor {
                cell,
                edge: EdgeKind::Step(direction),
            });
        }
        let offered = |portal| {
            movement
                .edges_from(id)
                .any(|edge| edge.kind == EdgeKind::Portal(portal))
        };
        if let Some(portal) = flow.portal_successors(id).find(|&portal| !offered(portal)) {
            return Err(Violation::IllegalSuccessor {
                cell,
                edge: EdgeKind::Portal(portal),
            });
        }
        let cost = field.cost(id).map(|cost| u64::from(cost.0));
        for (edge, through) in edges_with_cost(movement, field, id) {
            let tight = cost == Some(through) && !is_sink(field, id);
            // A free edge is a successor only if it also lowers the hop count, so its absence is legal.
            let free = cost == Some(through) && edge.cost == 0;
            let is_successor = is_successor(flow, id, edge.kind);
            if is_successor != tight && (is_successor || !free) {
                return Err(Violation::WrongSuccessor {
                    cell,
                    edge: edge.kind,
                    is_successor,
                });
            }
        }
        let expected = match field.reach(id) {
            Reach::Reached(_) if is_sink(field, id) => Guidance::Goal,
            Reach::Reached(_) => match (successors.first(), flow.portal_successors(id).next()) {
                (Some(direction), _) => Guidance::Toward(direction),
                (None, Some(portal)) => Guidance::Through(portal),
                (None, None) => return Err(Violation::NoSuccessor { cell }),
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
    let successors = |id| flow.successors(id).len() as usize + flow.portal_successors(id).len();
    let mut waiting: Vec<usize> = grid.ids().map(successors).collect();
    let mut ready: Vec<CellId> = grid.ids().filter(|id| waiting[id.index()] == 0).collect();
    let mut taken = 0;
    while let Some(id) = ready.pop() {
        taken += 1;
        for edge in movement.edges_into(id) {
            if is_successor(flow, edge.other, edge.kind) {
                let waits = &mut waiting[edge.other.index()];
                *waits -= 1;
                if *waits == 0 {
                    ready.push(edge.other);
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
        let through = edges_with_cost(movement, field, id)
            .filter(|&(_, through)| through == u64::from(cost.0))
            .filter_map(|(edge, _)| field.goal(edge.other));
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

fn is_successor(flow: &FlowField, id: CellId, kind: EdgeKind) -> bool {
    match kind {
        EdgeKind::Step(direction) => flow.successors(id).contains(direction),
        EdgeKind::Portal(portal) => flow.portal_successors(id).any(|other| other == portal),
    }
}

/// Every edge that leads to a reached cell, with the cost-to-goal through it.
fn edges_with_cost<'a>(
    movement: &'a Movement,
    field: &'a IntegrationField,
    id: CellId,
) -> impl Iterator<Item = (Edge, u64)> + 'a {
    movement.edges_from(id).filter_map(move |edge| {
        let cost = field.cost(edge.other)?;
        Some((edge, u64::from(edge.cost) + u64::from(cost.0)))
    })
}
