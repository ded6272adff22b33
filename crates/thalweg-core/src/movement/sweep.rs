//! The exact sweep: which part of a straight segment a centre may walk.
//!
//! A grid traversal in the manner of Amanatides and Woo (1987), but in whole numbers: border crossings are ordered by
//! cross-multiplication of fixed-point coordinates, so the order is exact and an exact corner passage is recognised as
//! one. Its one invariant: the point returned lies on a cell that is reached from the start by legal crossings only, and
//! the straight segment to it is itself clear. It reads nothing but exits masks; what the extent of a body adds is in
//! `swept.rs`. Sight lines are the same walk: what can be seen is what could be walked straight.
//!
//! Cells are half-open: a point on a border belongs to the cell east or south of it. A segment that goes east therefore
//! crosses a border when it *reaches* it, one that goes west only when it goes *beyond* it; counting the crossings by the
//! cells of both ends gets this right without a special case.

use super::{Movement, is_swept_clear};
use crate::grid::{CellId, Direction, MapPoint, SUBCELLS};

/// Why a sweep ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SweepStop {
    /// The whole segment is legal.
    Clear,
    /// A border without an exit, or ground that a body with extent would touch.
    Wall {
        /// The last legal cell.
        cell: CellId,
        /// The exit it lacks; a diagonal one if the segment passes exactly through a corner. The straight direction nearest
        /// to the way where a body's extent is refused beside a border that its position may cross.
        direction: Direction,
    },
    /// The segment begins off the map, or its ends are on different layers.
    Outside,
}

/// How far a segment may be walked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sweep {
    /// The last legal point: the end of the segment, or just inside the last legal cell.
    pub end: MapPoint,
    /// Why the sweep ended there.
    pub stop: SweepStop,
}

/// Sweeps the straight segment between two points, of any length.
///
/// Crossing a side needs that exit of the cell being left. Passing exactly through a corner needs the diagonal exit, or
/// else that both ways around the corner are legal step by step; one way around is not enough, because the corner then
/// belongs to a wall that the rule says may not be touched. With four neighbours an exact corner is thus passed where
/// all four cells are open. A segment that only *ends* on a corner enters the one cell that holds this point.
///
/// Where the way is blocked after other borders have been crossed, the point just inside the last legal cell can lie a
/// subcell off the segment; in the rare case that the segment to *that* point is not clear, the start is returned.
///
/// **Bodies with extent** obey the same crossings with their position (the centre of a disc, the centre of the anchor's
/// cell of a rectangle), and besides keep their whole extent out of blocked ground, exactly and all along the segment.
/// Where that is refused, the end is the farthest point of the segment, in whole subcells, that halving finds and both
/// tests allow; at least the start. A body that overlaps blocked ground at the start may move away from it.
///
/// O(cells crossed); for bodies times the cells they cover across and, where something is in the way, the logarithm of the
/// length.
#[must_use]
pub fn sweep(movement: &Movement, from: MapPoint, to: MapPoint) -> Sweep {
    let clear = Sweep {
        end: to,
        stop: SweepStop::Clear,
    };
    let start = from.cell_id(movement.grid());
    let Some(start) = start.filter(|_| from.layer == to.layer) else {
        return Sweep {
            end: from,
            stop: SweepStop::Outside,
        };
    };
    if !movement.profile().footprint.is_point() {
        return sweep_body(movement, from, to, start);
    }
    if from.column_row() == to.column_row() {
        return clear;
    }
    let all = |_: Crossing| Verdict::Go;
    let Some(refusal) = first_refusal(movement, from, to, start, all) else {
        return clear;
    };
    let mut end = refusal.last_point(from, to);
    if refusal.crossed && first_refusal(movement, from, end, start, all).is_some() {
        end = from;
    }
    Sweep {
        end,
        stop: SweepStop::Wall {
            cell: refusal.cell,
            direction: refusal.direction,
        },
    }
}

/// The sweep of a body with extent from a point in the cell `start`.
fn sweep_body(movement: &Movement, from: MapPoint, to: MapPoint, start: CellId) -> Sweep {
    let refusal = |end| first_refusal(movement, from, end, start, |_| Verdict::Go);
    let is_legal = |end| refusal(end).is_none() && is_swept_clear(movement, from, end);
    if is_legal(to) {
        return Sweep {
            end: to,
            stop: SweepStop::Clear,
        };
    }
    let (dx, dy) = (
        i64::from(to.x) - i64::from(from.x),
        i64::from(to.y) - i64::from(from.y),
    );
    let steps = dx.abs().max(dy.abs());
    let at = |step: i64| {
        // To the nearest; the products stay below 2^66.
        let part = |whole: i64| {
            let twice = 2 * i128::from(whole) * i128::from(step) + i128::from(steps);
            i32::try_from(twice.div_euclid(2 * i128::from(steps))).unwrap_or(0)
        };
        from.at(from.x + part(dx), from.y + part(dy))
    };
    // Every candidate is tested from the start, so that rounding can cost a subcell but never let anything through.
    let (mut legal, mut refused) = (0, steps);
    while refused - legal > 1 {
        let middle = legal + (refused - legal) / 2;
        if is_legal(at(middle)) {
            legal = middle;
        } else {
            refused = middle;
        }
    }
    let end = if legal == 0 { from } else { at(legal) };
    let stop = match refusal(at(refused)) {
        Some(Refusal { cell, direction, .. }) => SweepStop::Wall { cell, direction },
        None => SweepStop::Wall {
            cell: end.cell_id(movement.grid()).unwrap_or(start),
            direction: main_direction(dx, dy),
        },
    };
    Sweep { end, stop }
}

/// The straight direction along the longer side of a way, which is not empty.
const fn main_direction(dx: i64, dy: i64) -> Direction {
    if dx.abs() >= dy.abs() {
        if dx > 0 { Direction::E } else { Direction::W }
    } else if dy > 0 {
        Direction::S
    } else {
        Direction::N
    }
}

/// What a sight line between two cell centres meets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sight {
    /// Nothing: a point body can walk it.
    Clear,
    /// A point body can walk it, but it touches the corner of a cell where no body may be. Only under corner rules that
    /// let a diagonal pass such a corner; under the others it is blocked.
    Touches,
    /// A crossing that is not legal.
    Blocked,
}

/// Whether the centre of one cell can be walked to in a straight line from the centre of another, under the rules of
/// `movement` by the body it was compiled for.
///
/// For bodies with extent cells are anchors, and the whole body keeps out of blocked ground all along the line. They touch
/// whatever they slide along, so touching is not told apart and is [`Sight::Clear`].
///
/// O(cells crossed). Cells beyond [`MAX_POINT_SIDE`](crate::grid::MAX_POINT_SIDE) see nothing.
///
/// # Panics
/// If an id is not of this grid.
#[must_use]
pub fn sight(movement: &Movement, from: CellId, to: CellId) -> Sight {
    let grid = movement.grid();
    let centre = |id: CellId| MapPoint::centre_of_cell(grid, grid.cell(id));
    let (Some(start), Some(end)) = (centre(from), centre(to)) else {
        return Sight::Blocked;
    };
    if !movement.is_passable(from) || start.layer != end.layer {
        return Sight::Blocked;
    }
    let mut touches = false;
    let refusal = first_refusal(movement, start, end, from, |crossing| {
        // The side cells of an exact corner exist, because both cells of the diagonal do.
        touches |= crossing.direction.sides().is_some_and(|(vertical, horizontal)| {
            [vertical, horizontal].into_iter().any(|side| {
                grid.neighbour(crossing.from, side)
                    .is_none_or(|side| !movement.is_passable(side))
            })
        });
        Verdict::Go
    });
    match (refusal, touches) {
        (Some(_), _) => Sight::Blocked,
        _ if !is_swept_clear(movement, start, end) => Sight::Blocked,
        _ if !movement.profile().footprint.is_point() => Sight::Clear,
        (None, true) => Sight::Touches,
        (None, false) => Sight::Clear,
    }
}

/// A legal crossing from one cell to the next; diagonal if it passes exactly through a corner.
#[derive(Clone, Copy)]
pub(crate) struct Crossing {
    pub(crate) from: CellId,
    pub(crate) to: CellId,
    pub(crate) direction: Direction,
}

/// What a visitor says of a crossing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Go on.
    Go,
    /// The segment is refused here although the crossing is legal.
    Refuse,
    /// The segment counts as clear; the rest is not looked at.
    Enough,
}

/// The first crossing of a segment from the passable cell `start` that is not legal or not let through by `visit`: the
/// cell it leaves and its direction. `None` if the segment is clear.
#[inline]
pub(crate) fn refused(
    movement: &Movement,
    from: MapPoint,
    to: MapPoint,
    start: CellId,
    visit: impl FnMut(Crossing) -> Verdict,
) -> Option<(CellId, Direction)> {
    first_refusal(movement, from, to, start, visit).map(|refusal| (refusal.cell, refusal.direction))
}

/// Where a traversal was refused.
struct Refusal {
    cell: CellId,
    column_row: (i32, i32),
    direction: Direction,
    /// Whether a border was crossed before.
    crossed: bool,
}

impl Refusal {
    /// The whole-numbered point nearest to the segment just inside the last legal cell.
    fn last_point(&self, from: MapPoint, to: MapPoint) -> MapPoint {
        let (step_x, step_y) = self.direction.offset();
        let low = (self.column_row.0 * SUBCELLS, self.column_row.1 * SUBCELLS);
        let inside = |low: i32, step: i32| if step > 0 { low + (SUBCELLS - 1) } else { low };
        // Along the other axis: where the segment is when it has come so far along the blocked one, towards the start.
        let along = |blocked: i32, from: (i32, i32), to: (i32, i32), low: i32| -> i32 {
            let part = i128::from(blocked - from.0) * (i128::from(to.1) - i128::from(from.1))
                / (i128::from(to.0) - i128::from(from.0));
            let at = i128::from(from.1) + part;
            // The last legal cell can begin a subcell further on; the point must lie in it.
            i32::try_from(at.clamp(i128::from(low), i128::from(low) + i128::from(SUBCELLS) - 1))
                .unwrap_or(low)
        };
        match (step_x, step_y) {
            (_, 0) => {
                let x = inside(low.0, step_x);
                let y = along(x, (from.x, from.y), (to.x, to.y), low.1);
                from.at(x, y)
            }
            (0, _) => {
                let y = inside(low.1, step_y);
                let x = along(y, (from.y, from.x), (to.y, to.x), low.0);
                from.at(x, y)
            }
            _ => from.at(inside(low.0, step_x), inside(low.1, step_y)),
        }
    }
}

/// Walks the cells of a segment and stops at the first crossing that is not legal.
#[inline]
fn first_refusal(
    movement: &Movement,
    from: MapPoint,
    to: MapPoint,
    start: CellId,
    mut visit: impl FnMut(Crossing) -> Verdict,
) -> Option<Refusal> {
    let (mut column, mut row) = from.column_row();
    let (last_column, last_row) = to.column_row();
    let (length_x, length_y) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
    let (step_x, step_y) = ((last_column - column).signum(), (last_row - row).signum());
    let horizontal = if step_x > 0 { Direction::E } else { Direction::W };
    let vertical = if step_y > 0 { Direction::S } else { Direction::N };
    let to_border = |cell: i32, step: i32, start: i32| -> u64 {
        let border = i64::from(cell + i32::from(step > 0)) * i64::from(SUBCELLS);
        border.abs_diff(i64::from(start))
    };
    let offsets = movement.grid().layer_of(start).id_offsets();
    let mut cell = start;
    let mut crossed = false;
    loop {
        let (more_x, more_y) = (column != last_column, row != last_row);
        let (cross_x, cross_y) = if more_x && more_y {
            // Which border comes first: distance over length, compared crosswise. A distance is at most the length,
            // and a length below 2^32, so the products fit.
            let x = to_border(column, step_x, from.x) * length_y;
            let y = to_border(row, step_y, from.y) * length_x;
            (x <= y, y <= x)
        } else {
            (more_x, more_y)
        };
        let (direction, legal) = match (cross_x, cross_y) {
            (false, false) => return None,
            (true, false) => (horizontal, movement.exits(cell).contains(horizontal)),
            (false, true) => (vertical, movement.exits(cell).contains(vertical)),
            (true, true) => {
                let diagonal = diagonal_of(horizontal, vertical);
                (diagonal, corner_is_legal(movement, cell, diagonal))
            }
        };
        let refusal = Refusal {
            cell,
            column_row: (column, row),
            direction,
            crossed,
        };
        if !legal {
            return Some(refusal);
        }
        // A legal step leads to a cell of the map.
        let next = CellId(cell.0.wrapping_add_signed(offsets[direction.index()]));
        let crossing = Crossing {
            from: cell,
            to: next,
            direction,
        };
        match visit(crossing) {
            Verdict::Go => {}
            Verdict::Refuse => return Some(refusal),
            Verdict::Enough => return None,
        }
        cell = next;
        crossed = true;
        column += i32::from(cross_x) * step_x;
        row += i32::from(cross_y) * step_y;
    }
}

/// The diagonal made of a straight horizontal and a straight vertical direction.
const fn diagonal_of(horizontal: Direction, vertical: Direction) -> Direction {
    match (vertical, horizontal) {
        (Direction::N, Direction::E) => Direction::NE,
        (Direction::S, Direction::E) => Direction::SE,
        (Direction::S, _) => Direction::SW,
        _ => Direction::NW,
    }
}

/// Whether a centre may pass exactly through a corner.
fn corner_is_legal(movement: &Movement, cell: CellId, diagonal: Direction) -> bool {
    if movement.exits(cell).contains(diagonal) {
        return true;
    }
    let Some((vertical, horizontal)) = diagonal.sides() else {
        return false;
    };
    let around = |first: Direction, second: Direction| {
        movement
            .step_target(cell, first)
            .is_some_and(|side| movement.exits(side).contains(second))
    };
    around(vertical, horizontal) && around(horizontal, vertical)
}
