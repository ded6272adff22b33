//! What the extent of a body asks of the lines that headings, aims and samples propose.
//!
//! A body with extent may stand on the centre of every cell it has a direction in, and walk from centre to centre along
//! the exact directions: that is what its masks were compiled for. Anywhere else more is asked, so that it does not end
//! where no line leads on:
//! - a line is taken if all anchors around the part of it that lies in or next to the own cell are free. Every step along
//!   it stays among these, rounded to whole subcells as it may be, so the next look finds the same; and from anywhere
//!   among free anchors the centre of the cell that holds the place can be walked to;
//! - or if it is straight along the grid or exactly diagonal, where steps are not rounded off the line, and its swept part
//!   is clear.
//!
//! Rejected: the swept test alone. A line that is clear by less than a subcell is no longer clear after the first step is
//! rounded, and a body that then turns back to its centre sees it clear again, for ever.

use crate::grid::{CellId, Direction, MapPoint, SUBCELLS};
use crate::movement::{Movement, is_among_free_anchors, is_swept_clear};

/// Whether a body may begin to walk a line from a place in the cell with this centre, as far as its extent goes. True for
/// points.
pub(super) fn may_begin(movement: &Movement, centre: MapPoint, at: MapPoint, to: MapPoint) -> bool {
    if movement.profile().footprint.is_point() {
        return true;
    }
    let near = clipped(centre, at, to, SUBCELLS + SUBCELLS / 2);
    is_among_free_anchors(movement, at, near)
        || (is_along_the_grid(at, to) && is_swept_clear(movement, at, near))
}

/// How far the extent of a body is looked after, in cells. Beyond, free anchors along the line are enough: the cells there
/// look for themselves, and a line that the extent then refuses costs them a turn and nothing else. To the whole range of
/// sight it took three times as long.
const LOOKED_AFTER: i32 = 6;

/// Whether a body sees a point from the centre of a cell, as far as its extent goes: it may begin to walk there, and nothing
/// is in the way of its extent in the cells nearby.
pub(super) fn sees(movement: &Movement, centre: MapPoint, to: MapPoint) -> bool {
    movement.profile().footprint.is_point()
        || (may_begin(movement, centre, centre, to) && {
            let far = clipped(centre, centre, to, LOOKED_AFTER * SUBCELLS);
            is_swept_clear(movement, centre, far)
        })
}

/// How many cells to each side of its own [`sees`] may look at on behalf of the extent of a body; 0 for points.
pub(super) fn looked_after(movement: &Movement) -> u32 {
    let footprint = &movement.profile().footprint;
    if footprint.is_point() {
        return 0;
    }
    // The part of a line that is looked after, and the farthest that a body reaches from its position; halves rounded up.
    LOOKED_AFTER.unsigned_abs() + 2 + footprint.reach_cells()
}

/// Where a body that is not on its cell's centre walks if no heading serves: to the centre of the next cell, or back to
/// its own, if need be along the axes one after the other.
pub(super) fn exact_target(
    movement: &Movement,
    centre: MapPoint,
    at: MapPoint,
    next_serves: bool,
    next: MapPoint,
) -> MapPoint {
    if next_serves && may_begin(movement, centre, at, next) {
        return next;
    }
    if movement.profile().footprint.is_point() || is_swept_clear(movement, at, centre) {
        return centre;
    }
    // Round the corner of a square that stands between: straight along one axis, then along the other.
    let bends = [MapPoint { x: centre.x, ..at }, MapPoint { y: centre.y, ..at }];
    let serves = |&bend: &MapPoint| {
        bend != at && is_swept_clear(movement, at, bend) && is_swept_clear(movement, bend, centre)
    };
    bends.into_iter().find(serves).unwrap_or(centre)
}

/// Whether steps along a line are not rounded off it.
const fn is_along_the_grid(from: MapPoint, to: MapPoint) -> bool {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    dx == 0 || dy == 0 || dx == dy
}

/// The end of a line, or where it leaves the box of `half` subcells to each side of a centre; `from` lies in that box.
fn clipped(centre: MapPoint, from: MapPoint, to: MapPoint, half: i32) -> MapPoint {
    let (dx, dy) = (
        i64::from(to.x) - i64::from(from.x),
        i64::from(to.y) - i64::from(from.y),
    );
    // How much of the way along an axis lies inside.
    let inside = |centre: i32, from: i32, way: i64| {
        let off = i64::from(from) - i64::from(centre);
        let room = i64::from(half) - if way > 0 { off } else { -off };
        room.max(0).min(way.abs())
    };
    let (x, y) = (inside(centre.x, from.x, dx), inside(centre.y, from.y, dy));
    // The shorter share of the two, compared crosswise.
    let (part, whole) = match (dx, dy) {
        (0, 0) => return to,
        (0, _) => (y, dy.abs()),
        (_, 0) => (x, dx.abs()),
        _ if i128::from(x) * i128::from(dy.abs()) <= i128::from(y) * i128::from(dx.abs()) => (x, dx.abs()),
        _ => (y, dy.abs()),
    };
    let along = |from: i32, way: i64| {
        let moved = i128::from(way) * i128::from(part) / i128::from(whole);
        i32::try_from(i128::from(from) + moved).unwrap_or(from)
    };
    from.at(along(from.x, dx), along(from.y, dy))
}

/// The centre of the cell that holds a place.
pub(super) const fn centre_around(at: MapPoint) -> MapPoint {
    let (column, row) = at.column_row();
    at.at(column * SUBCELLS + SUBCELLS / 2, row * SUBCELLS + SUBCELLS / 2)
}

/// Where a body between centres walks by a direction alone, as an offset from where it is; `None` for points, on the centre
/// itself, where the direction is closed, and where no anchor within a cell is taken: there directions can be read as they
/// are.
///
/// A body on the way to the centre that its cell's direction leads to may cross a cell beside a diagonal. From there the
/// exact direction leads to a cell that is nearer to the goal than the own one, because the straight step to the diagonal's
/// end would; so that it comes to no circle. A vector does not say where to stop, so what is offered are ways that do no
/// harm when they are overrun: on to the next centre as soon as that is clear, else along one axis until it is.
pub(super) fn correction(
    movement: &Movement,
    at: MapPoint,
    own: CellId,
    direction: Direction,
) -> Option<(i32, i32)> {
    if movement.profile().footprint.is_point() {
        return None;
    }
    let centre = centre_around(at);
    // A direction that is closed is of a field older than the map: what stands in the way is for the sweep to say.
    let is_closed = !movement.exits(own).contains(direction);
    if at == centre || is_closed || is_in_the_open(movement, at) {
        return None;
    }
    let (dx, dy) = direction.offset();
    let next = centre.at(centre.x + dx * SUBCELLS, centre.y + dy * SUBCELLS);
    let clear = |from: MapPoint, to: MapPoint| is_swept_clear(movement, from, to);
    let bends = [MapPoint { x: centre.x, ..at }, MapPoint { y: centre.y, ..at }];
    let bend_to = |end: MapPoint| {
        bends
            .into_iter()
            .find(|&bend| bend != at && clear(at, bend) && clear(bend, end))
    };
    let target = if clear(at, next) {
        next
    } else {
        bend_to(next).or_else(|| bend_to(centre)).unwrap_or(centre)
    };
    Some((target.x - at.x, target.y - at.y))
}

/// Whether all anchors around a place, and those around them, are free.
fn is_in_the_open(movement: &Movement, at: MapPoint) -> bool {
    let off = |sign: i32| {
        at.at(
            at.x.saturating_add(sign * SUBCELLS),
            at.y.saturating_add(sign * SUBCELLS),
        )
    };
    is_among_free_anchors(movement, off(-1), off(1))
}
