//! Passing a diagonal exactly through its corner: between two walls, or over free ground.
//!
//! Where the corner rule lets a step pass between two wall cells that touch at a corner, a centre can only get through
//! exactly at that corner. Steering by angles never hits it; so the agent walks to the subcell in front of the corner
//! and hops along the exact diagonal. The bend is inside its cell and the hop passes exactly through the corner, which is
//! what the sweep asks for.

use crate::fixed::{SUBCELLS_F, cells_from_subcells, length};
use crate::guide::Lead;
use crate::sweep::{SweepStop, sweep};
use crate::walk::Walk;
use thalweg_core::grid::{CellId, Direction, MapPoint, SUBCELLS};
use thalweg_core::movement::Movement;

/// The direction of a cell if it is a diagonal that must be taken exactly through the corner: both its sides are closed,
/// or free ground is near.
///
/// On free ground cells beside each other have the same cost-to-goal and only their hops tell which is nearer. A diagonal
/// taken from off the centre crosses a side cell, whose own way can lead back, and the agent would go to and fro.
#[inline]
pub(crate) fn pinched(movement: &Movement, lead: Lead<'_>, cell: CellId) -> Option<Direction> {
    let direction = lead.direction(cell)?;
    let (vertical, horizontal) = direction.sides()?;
    let exits = movement.exits(cell);
    if !exits.contains(direction) {
        return None;
    }
    let is_closed = !exits.contains(vertical) && !exits.contains(horizontal);
    let is_free = |to: Direction| {
        movement
            .grid()
            .neighbour(cell, to)
            .is_some_and(|next| movement.cost(next) == 0)
    };
    let near_free = || {
        movement.has_zero_steps()
            && (movement.cost(cell) == 0 || [direction, vertical, horizontal].into_iter().any(is_free))
    };
    (is_closed || near_free()).then_some(direction)
}

/// Whether a line from `at` to `point` leads exactly along the diagonal through the corner of `cell`, and a step beside it
/// could not: not all four cells at that corner are open to each other.
pub(crate) fn lies_on_shut_diagonal(
    movement: &Movement,
    cell: CellId,
    at: MapPoint,
    point: MapPoint,
    diagonal: Direction,
) -> bool {
    let (step_x, step_y) = diagonal.offset();
    let half = SUBCELLS / 2;
    let (off_x, off_y) = ((at.x & (SUBCELLS - 1)) - half, (at.y & (SUBCELLS - 1)) - half);
    let ((column, row), next) = (at.column_row(), point.column_row());
    off_x * step_x == off_y * step_y
        && next == (column + step_x, row + step_y)
        && !is_open_diagonal(movement, cell, diagonal)
}

/// Whether all four cells at a corner are open to each other, so that it need not be passed exactly.
pub(crate) fn is_open_diagonal(movement: &Movement, cell: CellId, diagonal: Direction) -> bool {
    let is_round = |first: Direction, second: Direction| {
        movement
            .step_target(cell, first)
            .is_some_and(|side| movement.exits(side).contains(second))
    };
    diagonal.sides().is_some_and(|(vertical, horizontal)| {
        is_round(vertical, horizontal) && is_round(horizontal, vertical)
    })
}

/// The last point of the cell that holds `at` on the diagonal into its corner.
///
/// One subcell before the corner in both axes: the corner itself belongs to this cell, a side cell or the cell beyond,
/// depending on the direction.
pub(crate) fn lip(at: MapPoint, diagonal: Direction) -> MapPoint {
    let (column, row) = at.column_row();
    let (step_x, step_y) = diagonal.offset();
    let inside = |low: i32, step: i32| if step > 0 { low + (SUBCELLS - 1) } else { low + 1 };
    at.at(inside(column * SUBCELLS, step_x), inside(row * SUBCELLS, step_y))
}

/// Walks `distance` cells towards the corner and, once there, through it.
pub(crate) fn hop(movement: &Movement, walk: &mut Walk, diagonal: Direction, distance: f32) {
    if distance <= 0.0 {
        return;
    }
    let lip = lip(walk.at, diagonal);
    let to_lip = [
        cells_from_subcells(lip.x - walk.at.x),
        cells_from_subcells(lip.y - walk.at.y),
    ];
    let gap = length(to_lip);
    if gap > distance {
        let part = distance / gap;
        // Inside one convex cell, so no sweep can refuse it; at least one subcell, so that the lip is reached.
        walk.at = walk
            .at
            .at(towards(walk.at.x, lip.x, part), towards(walk.at.y, lip.y, part));
        walk.sweeps += 1;
        return;
    }
    walk.at = lip;
    // What is left of the step, along the exact diagonal; at least the two subcells that lie across the corner, at most
    // half a cell, so that the cell beyond is not crossed.
    let left = (distance - gap) * core::f32::consts::FRAC_1_SQRT_2 * SUBCELLS_F;
    let count = crate::fixed::whole(left).clamp(2, SUBCELLS / 2);
    let (step_x, step_y) = diagonal.offset();
    let beyond = lip.at(lip.x + step_x * count, lip.y + step_y * count);
    let swept = sweep(movement, lip, beyond);
    walk.sweeps += 2;
    walk.at = swept.end;
    if let SweepStop::Wall { cell, direction } = swept.stop {
        walk.refusals += 1;
        walk.hit.get_or_insert((cell, direction));
    }
}

/// A coordinate moved by a part of the way, at least one subcell if there is any way to go.
fn towards(from: i32, to: i32, part: f32) -> i32 {
    let way = to - from;
    let step = crate::fixed::whole(cells_from_subcells(way) * part * SUBCELLS_F);
    if step == 0 {
        from + way.signum()
    } else {
        from + step
    }
}
