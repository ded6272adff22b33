//! The distance bodies keep from walls.
//!
//! The sweep guards the centre and is what nothing gets past; this keeps the body's rim out of walls as well, as far as
//! the narrowest way on a grid allows (half a cell). It only proposes a point; the way there is swept like any other.

use crate::fixed::{cells_from_subcells, subcells_from_cells};
use thalweg_core::grid::{CellId, Direction, MapPoint, SUBCELLS};
use thalweg_core::movement::Movement;

/// The nearest point that keeps `distance` subcells (at most half a cell) from the sides and corners of the walls around
/// the point's cell. The point itself where nothing is too near.
///
/// Corners come before sides: a push away from a corner that meets a side is cut back by the side, and is then still far
/// enough from the corner, because no two walls of a passable way are nearer than a cell.
#[inline]
pub(crate) fn cleared(movement: &Movement, cell: CellId, at: MapPoint, distance: i32) -> MapPoint {
    let exits = movement.exits(cell);
    if distance == 0 || exits.bits() == 0xff {
        return at;
    }
    let local = (at.x & (SUBCELLS - 1), at.y & (SUBCELLS - 1));
    let (near_low, near_high) = (
        (local.0 < distance, local.1 < distance),
        (SUBCELLS - local.0 < distance, SUBCELLS - local.1 < distance),
    );
    if !(near_low.0 || near_low.1 || near_high.0 || near_high.1) {
        return at;
    }
    let (mut x, mut y) = local;
    let corners = [
        (Direction::NE, near_high.0 && near_low.1, SUBCELLS, 0),
        (Direction::SE, near_high.0 && near_high.1, SUBCELLS, SUBCELLS),
        (Direction::SW, near_low.0 && near_high.1, 0, SUBCELLS),
        (Direction::NW, near_low.0 && near_low.1, 0, 0),
    ];
    for (diagonal, is_near, corner_x, corner_y) in corners {
        if is_near && is_wall_corner(movement, cell, diagonal) {
            let away = [
                cells_from_subcells(x - corner_x),
                cells_from_subcells(y - corner_y),
            ];
            let length = crate::fixed::length(away);
            let wanted = cells_from_subcells(distance);
            // A point exactly on a corner has no way "away"; sides and the field move it on.
            if length > 0.0 && length < wanted {
                x = corner_x + subcells_from_cells(away[0] / length * wanted);
                y = corner_y + subcells_from_cells(away[1] / length * wanted);
            }
        }
    }
    let within = |value: i32, low_closed: bool, high_closed: bool| {
        if low_closed && value < distance {
            distance
        } else if high_closed && value > SUBCELLS - distance {
            SUBCELLS - distance
        } else {
            value
        }
    };
    x = within(x, !exits.contains(Direction::W), !exits.contains(Direction::E));
    y = within(y, !exits.contains(Direction::N), !exits.contains(Direction::S));
    at.at(at.x - local.0 + x, at.y - local.1 + y)
}

/// Whether the corner of a cell whose both sides are open is the corner of a wall cell.
fn is_wall_corner(movement: &Movement, cell: CellId, diagonal: Direction) -> bool {
    let exits = movement.exits(cell);
    let Some((vertical, horizontal)) = diagonal.sides() else {
        return false;
    };
    exits.contains(vertical)
        && exits.contains(horizontal)
        && !exits.contains(diagonal)
        && movement
            .grid()
            .neighbour(cell, diagonal)
            .is_none_or(|id| !movement.is_passable(id))
}
