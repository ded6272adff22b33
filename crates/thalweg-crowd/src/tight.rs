//! Bodies with extent near walls: they walk the exact chain of cell centres.
//!
//! Where all anchors around a body are free, any short step is clear and it steers as points do. Where one is not, a body
//! may fit in exactly one line (a square of two cells in a corridor of two), and no steering by angles hits a line of
//! whole subcells. The field promises its steps between the centres of cells and nothing else, so that is what is walked
//! there: to the next centre where that is clear, else onto the line that leads there. Which of the
//! two ways of walking holds depends on the cell alone, so that the two cannot take turns at undoing each other.

use crate::fixed::{SUBCELLS_F, cells_from_subcells, length, whole};
use crate::guide::Lead;
use crate::sweep::{SweepStop, sweep};
use crate::walk::{Walk, way};
use thalweg_core::grid::{CellId, DIRECTIONS, MapPoint};
use thalweg_core::movement::{Connectivity, Movement};

/// Centres passed in one substep at most: one to come back to, one to go on to, and one to spare.
const LEGS: usize = 4;

/// Whether a body on this cell must mind where exactly it is.
#[inline]
pub(crate) fn is_tight(movement: &Movement, cell: CellId) -> bool {
    let profile = movement.profile();
    if profile.footprint.is_point() {
        return false;
    }
    match profile.connectivity {
        Connectivity::Eight => movement.exits(cell).bits() != 0xff,
        // The diagonals have no exits, so the anchors are asked.
        Connectivity::Four => DIRECTIONS.into_iter().any(|direction| {
            let next = movement.grid().neighbour(cell, direction);
            next.is_none_or(|next| !movement.is_passable(next))
        }),
    }
}

/// Where the chain leads from a point of a cell: to the centre of the next cell if the way there is clear, else straight
/// across onto the line between the two centres, else to the centre of its own cell.
///
/// Rejected: back to the own centre at once. One that is a hair off the line would have to step back before a door, into
/// those who queue behind it.
pub(crate) fn target(movement: &Movement, lead: Lead<'_>, cell: CellId, walk: &mut Walk) -> MapPoint {
    let next = lead
        .direction(cell)
        .and_then(|direction| movement.step_target(cell, direction));
    let own = MapPoint::centre_of_id(movement.grid(), cell);
    if let Some(next) = next {
        let next = MapPoint::centre_of_id(movement.grid(), next);
        for to in [next, across(walk.at, own, next)] {
            walk.sweeps += 1;
            if to != walk.at && sweep(movement, walk.at, to).stop == SweepStop::Clear {
                return to;
            }
        }
    }
    own
}

/// The point of the line from one centre to a neighbouring one that is straight across from `at`, in whole subcells on the
/// line; the first centre if that is behind it.
fn across(at: MapPoint, own: MapPoint, next: MapPoint) -> MapPoint {
    let (step_x, step_y) = ((next.x - own.x).signum(), (next.y - own.y).signum());
    let steps = step_x.abs() + step_y.abs();
    let along = (step_x * (at.x - own.x) + step_y * (at.y - own.y)) / steps.max(1);
    let along = along.max(0);
    own.at(own.x + step_x * along, own.y + step_y * along)
}

/// Walks `distance` cells along the chain.
pub(crate) fn along_chain(movement: &Movement, lead: Lead<'_>, walk: &mut Walk, distance: f32) {
    let mut left = distance;
    for _ in 0..LEGS {
        let Some(cell) = walk.at.cell_id(movement.grid()) else {
            return;
        };
        let to = target(movement, lead, cell, walk);
        let gap = length(way(walk.at, to));
        if gap == 0.0 || left <= 0.0 {
            return;
        }
        if gap > left {
            let part = left / gap;
            let towards =
                |from: i32, to: i32| from + whole(cells_from_subcells(to - from) * part * SUBCELLS_F);
            let to = walk.at.at(towards(walk.at.x, to.x), towards(walk.at.y, to.y));
            walk.slide_to(movement, to);
            return;
        }
        walk.slide_to(movement, to);
        if walk.at != to {
            return;
        }
        left -= gap;
    }
}
