//! Which edges are left when more cells are blocked, told from the edges there are.
//!
//! Rejected: compiling the map again with the cells blocked. It is right by construction, but costs a pass over the whole
//! map for each question, and the question comes with every barricade a player holds over the ground.
//!
//! Cells here are anchors. Who blocks *ground* asks first which anchors of a body that takes away
//! ([`Movement::anchors_covering`]); the diagonals that would sweep over it then go by the corner rule in force, as
//! they do when the map is compiled.

use super::{CornerRule, Edge, EdgeKind, Movement};
use crate::grid::{CellId, Direction};

/// The direction an edge is travelled in, or `None` for edges that are no step to a neighbour.
#[inline]
pub(crate) const fn travel_direction(kind: EdgeKind) -> Option<Direction> {
    match kind {
        EdgeKind::Step(direction) => Some(direction),
        EdgeKind::Portal(_) => None,
    }
}

/// Whether a legal edge is still legal when the cells for which `is_blocked` holds are blocked too.
pub(crate) fn edge_survives(
    movement: &Movement,
    from: CellId,
    edge: &Edge,
    is_blocked: impl Fn(CellId) -> bool,
) -> bool {
    !is_blocked(from) && !is_blocked(edge.other) && corner_survives(movement, from, edge, is_blocked)
}

/// Whether the corner rule still allows a legal edge when the cells for which `is_blocked` holds are blocked too; its own
/// two cells are not looked at. True for all edges but diagonals.
pub(crate) fn corner_survives(
    movement: &Movement,
    from: CellId,
    edge: &Edge,
    is_blocked: impl Fn(CellId) -> bool,
) -> bool {
    let rule = movement.profile().corner_rule_in_force();
    let Some((first, second)) = travel_direction(edge.kind).and_then(Direction::sides) else {
        return true;
    };
    if rule == CornerRule::Always {
        return true;
    }
    let side = |direction| movement.grid().neighbour(from, direction);
    let is_free = |direction| side(direction).is_none_or(|cell| !is_blocked(cell));
    match (is_free(first), is_free(second)) {
        // Nothing beside it changes: what was legal stays legal.
        (true, true) => true,
        (false, false) => false,
        _ if rule == CornerRule::BothFree => false,
        // One side is taken away; the other must serve on its own, as a way of two straight steps.
        (true, false) => has_detour(movement, from, first, second),
        (false, true) => has_detour(movement, from, second, first),
    }
}

/// Whether a body may go from a cell in two straight directions, one after the other.
pub(crate) fn has_detour(movement: &Movement, from: CellId, first: Direction, second: Direction) -> bool {
    movement
        .step_target(from, first)
        .is_some_and(|side| movement.exits(side).contains(second))
}
