//! Where a body walks from any position: to the point its cell's heading names, or else along the exact direction.

use super::extent::{centre_around, exact_target, may_begin};
use super::heading::{PARTS, unit};
use super::look::Downhill;
use super::{FlowField, Guidance, HeadingField, Sample};
use crate::grid::{CellId, Direction, MapPoint, SUBCELLS};
use crate::integrate::IntegrationField;
use crate::movement::{Movement, Verdict, refused};

/// Where a body walks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// In a straight line to this point, which lies on the map; it is never the body's own position.
    Point(MapPoint),
    /// Nowhere: what the field says of the own cell, which is no direction.
    Still(Guidance),
    /// Off the map.
    Outside,
}

/// The point to walk to from a position, of any body in the cell and not only one at its centre. O(1).
///
/// In this order, the first that serves:
/// 1. the point of the cell's heading, if the next two crossings of the line to it are legal, lead to cells that are
///    nearer to the goal in exact cost-to-goal (or successors of the own cell), and have the own cell's cost;
/// 2. the centre of the first successor, if the next two crossings are legal and lead to nearer cells;
/// 3. the own centre, from which the exact direction leads through the corner.
///
/// So a body that walks steps shorter than a cell, and stops where a step would carry it beyond the point, lands in its
/// own cell or in a nearer one: it cannot go round in a circle of cells. The third case occurs only beside a diagonal
/// with a side that is closed or no nearer, which headings leave alone; there the point should be reached exactly.
///
/// **Bodies with extent** take the first and the second only where their whole extent may begin to walk the line, and go to
/// their own centre else, if need be round a corner along the axes. From every cell centre they so end at a goal without
/// touching anything, as points do. Pushed off its line a body can come to a place from which none of this is clear; then
/// the own centre is named all the same, and the sweep decides how far it gets.
///
/// # Panics
/// If the grids differ (checked in debug builds) and the position's cell is not on all of them.
#[must_use]
pub fn aim(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
    headings: &HeadingField,
    at: MapPoint,
) -> Aim {
    debug_assert!(
        movement.grid() == flow.grid() && flow.grid() == headings.grid() && flow.grid() == field.grid(),
        "the aim needs one grid"
    );
    let grid = movement.grid();
    let Some(own) = at.cell_id(grid) else {
        return Aim::Outside;
    };
    let guidance = flow.guidance(own);
    let Guidance::Toward(direction) = guidance else {
        return Aim::Still(guidance);
    };
    let ground = Downhill {
        movement,
        field,
        flow,
    };
    let centre = centre_around(at);
    let beyond = |(dx, dy): (i32, i32), unit: i32| centre.at(centre.x + dx * unit, centre.y + dy * unit);
    let next = beyond(direction.offset(), SUBCELLS);
    if let Some(offset) = headings.offset(own) {
        let point = beyond(offset, SUBCELLS / PARTS);
        let serves = point != next && ground.lets_through(at, point, own, true);
        if serves && may_begin(movement, centre, at, point) {
            return Aim::Point(point);
        }
    }
    if at == centre {
        return Aim::Point(next);
    }
    let next_serves = ground.lets_through(at, next, own, false);
    Aim::Point(exact_target(movement, centre, at, next_serves, next))
}

/// [`aim`] as a vector of length 1, for bodies that steer by vectors.
///
/// A point within a step must be stopped at, which a vector cannot say: a body that steers by it swings round a centre
/// that it has to pass exactly (the third case of [`aim`]).
///
/// # Panics
/// As [`aim`].
#[must_use]
pub fn sample_heading(
    movement: &Movement,
    field: &IntegrationField,
    flow: &FlowField,
    headings: &HeadingField,
    at: MapPoint,
) -> Sample {
    match aim(movement, field, flow, headings, at) {
        Aim::Point(point) => Sample::Toward(unit((point.x - at.x, point.y - at.y))),
        Aim::Still(Guidance::Goal) => Sample::Goal,
        Aim::Still(Guidance::Impassable) => Sample::Impassable,
        Aim::Still(Guidance::Unreachable) => Sample::Unreachable,
        Aim::Still(Guidance::Through(portal)) => Sample::Through(portal),
        // A cell with a direction has a point.
        Aim::Still(Guidance::Unknown | Guidance::Toward(_)) => Sample::Unknown,
        Aim::Outside => Sample::Outside,
    }
}

/// How far from a closed corner a line has to cross a border, in subcells. A step along it ends on whole subcells, up to
/// 0.71 of one beside it: nearer to the corner it could pass on the other side.
const MARGIN: i64 = 2;

impl Downhill<'_> {
    /// Whether the next two crossings of a line are legal, keep off closed corners and lead to nearer cells; for a heading
    /// they must also be of the own cost, and an exact corner must be open on both sides.
    #[inline]
    fn lets_through(&self, at: MapPoint, to: MapPoint, own: CellId, is_heading: bool) -> bool {
        let movement = self.movement;
        let mut crossings = 0;
        refused(self.movement, at, to, own, |crossing| {
            crossings += 1;
            let wrong_ground = is_heading && movement.cost(crossing.to) != movement.cost(own);
            let clips = match crossing.direction.sides() {
                None => self.is_by_closed_corner(at, to, crossing.from, crossing.direction),
                Some((vertical, horizontal)) => {
                    is_heading && !self.is_open_square(crossing.from, vertical, horizontal)
                }
            };
            if wrong_ground || clips || !self.is_lower(own, crossing.to) {
                Verdict::Refuse
            } else if crossings == 2 {
                Verdict::Enough
            } else {
                Verdict::Go
            }
        })
        .is_none()
    }

    /// Whether a line crosses a side of a cell within the margin of a corner that is not open all round.
    fn is_by_closed_corner(&self, at: MapPoint, to: MapPoint, from: CellId, direction: Direction) -> bool {
        let (column, row) = self.movement.grid().column_row_of(from);
        let (dx, dy) = direction.offset();
        let border = |cells: u32, step: i32| (i64::from(cells) + i64::from(step > 0)) * i64::from(SUBCELLS);
        // Along the border: where the line is when it reaches it, rounded down.
        let along = |border: i64, a: (i32, i32), b: (i32, i32)| {
            let (from, other) = (i64::from(a.0), i64::from(a.1));
            let (run, rise) = (i64::from(b.0) - from, i64::from(b.1) - other);
            other + ((border - from) * rise).div_euclid(run)
        };
        let (place, sides) = if dx != 0 {
            let place = along(border(column, dx), (at.x, at.y), (to.x, to.y));
            (place, [Direction::N, Direction::S])
        } else {
            let place = along(border(row, dy), (at.y, at.x), (to.y, to.x));
            (place, [Direction::W, Direction::E])
        };
        let within = place & i64::from(SUBCELLS - 1);
        let side = if within < MARGIN {
            sides[0]
        } else if within >= i64::from(SUBCELLS) - MARGIN {
            sides[1]
        } else {
            return false;
        };
        !self.is_open_square(from, side, direction)
    }

    /// Whether the four cells at a corner are open to each other: both ways round it are legal.
    fn is_open_square(&self, cell: CellId, one: Direction, other: Direction) -> bool {
        let round = |first: Direction, second: Direction| {
            self.movement
                .step_target(cell, first)
                .is_some_and(|side| self.movement.exits(side).contains(second))
        };
        round(one, other) && round(other, one)
    }
}
