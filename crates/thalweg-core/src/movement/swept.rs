//! Whether a body with extent, swept along a straight segment, keeps out of blocked ground: exact, in whole numbers.
//!
//! Anchors say where a body may stand on cell centres. Between them it covers other cells, and a line through free anchors
//! is not enough. Here the blocked squares near the segment are looked at one by one:
//! - a **disc** keeps out of a square if no point of the segment is nearer to it than the radius;
//! - a **rectangle**, whose position is the centre of its anchor's cell wherever it goes, keeps out of a square if the
//!   segment keeps out of the square grown by the sides of the body (their Minkowski sum), an open box.
//!
//! Touching is allowed, and off the map everything is blocked.
//!
//! **A body that overlaps** a square at the start (a wall has been put up there, or it was set down so) may leave: a disc
//! may not come nearer to that square than it is, a rectangle may not go deeper over the side it has the shortest way out
//! by. Rejected: refusing every step until somebody sets it free; a door that closes on a heel would hold it for good.
//!
//! **Shortcut.** A disc or rectangle anywhere between up to four neighbouring anchors covers no cell that none of these
//! covers: along each axis the square of a cell is no nearer to a place between two columns than to one of the two. So
//! where all anchors around a segment are free, so is the segment.

use super::{Footprint, Movement, RectangleBody};
use crate::grid::{CellId, Layer, MapPoint, SUBCELLS};

/// The square of a cell in subcells, its borders included.
#[derive(Clone, Copy)]
struct Square {
    low: (i64, i64),
    high: (i64, i64),
}

type Point = (i64, i64);

/// Whether the body of a movement may be swept from one point to another as far as its extent goes. True for points,
/// which have none.
pub(crate) fn is_swept_clear(movement: &Movement, from: MapPoint, to: MapPoint) -> bool {
    movement.profile().footprint.is_point()
        || is_among_free_anchors(movement, from, to)
        || keeps_out_of_all(movement, from, to)
}

/// [`is_swept_clear`] by a look at the squares themselves, whatever the anchors say.
pub(crate) fn keeps_out_of_all(movement: &Movement, from: MapPoint, to: MapPoint) -> bool {
    let footprint = movement.profile().footprint;
    let (a, b) = (point(from), point(to));
    all_blocked_near(movement, from, to, |square| keeps_out(&footprint, a, b, square))
}

/// Whether the body of a movement overlaps no blocked ground with its position at a point; touching is allowed. Exact; true
/// for points, which have no extent, anywhere on a layer of the map.
///
/// It is where a body may be set down: sweeps from such a place never lead into blocked ground.
#[must_use]
pub fn has_room(movement: &Movement, at: MapPoint) -> bool {
    let footprint = movement.profile().footprint;
    let here = point(at);
    all_blocked_near(movement, at, at, |square| !overlaps(&footprint, here, square))
}

/// Whether something holds for all blocked squares that a body swept along a segment might meet; false off the map's layers.
fn all_blocked_near(
    movement: &Movement,
    from: MapPoint,
    to: MapPoint,
    holds: impl Fn(&Square) -> bool,
) -> bool {
    let footprint = movement.profile().footprint;
    let Some(layer) = movement.grid().layer(from.layer) else {
        return false;
    };
    let (from, to) = (point(from), point(to));
    let reach = Reach::of(&footprint);
    let rows = rows_between(from.1.min(to.1) - reach.north, from.1.max(to.1) + reach.south);
    for row in rows {
        let (low, high) = (row * SIZE, (row + 1) * SIZE);
        let Some((west, east)) = part_within(from, to, low - reach.south, high + reach.north) else {
            continue;
        };
        for column in rows_between(west - reach.west, east + reach.east) {
            let square = Square {
                low: (column * SIZE, low),
                high: ((column + 1) * SIZE, high),
            };
            if is_blocked(movement, layer, column, row) && !holds(&square) {
                return false;
            }
        }
    }
    true
}

/// The most anchors around a segment that are looked at before the squares themselves.
const FEW: i64 = 16;

/// Whether all anchors around a segment are free, if they are few: those between which its box lies.
pub(crate) fn is_among_free_anchors(movement: &Movement, from: MapPoint, to: MapPoint) -> bool {
    let Some(layer) = movement.grid().layer(from.layer) else {
        return false;
    };
    let (from, to) = (point(from), point(to));
    let around = |a: i64, b: i64| {
        let first = (a.min(b) - SIZE / 2).div_euclid(SIZE);
        let last = -(SIZE / 2 - a.max(b)).div_euclid(SIZE);
        first..=last
    };
    let (columns, rows) = (around(from.0, to.0), around(from.1, to.1));
    let len = |range: &core::ops::RangeInclusive<i64>| range.end() - range.start() + 1;
    len(&columns) * len(&rows) <= FEW
        && rows.into_iter().all(|row| {
            columns
                .clone()
                .all(|column| cell_at(layer, column, row).is_some_and(|id| movement.is_passable(id)))
        })
}

const SIZE: i64 = SUBCELLS as i64;

fn point(at: MapPoint) -> Point {
    (i64::from(at.x), i64::from(at.y))
}

fn cell_at(layer: &Layer, column: i64, row: i64) -> Option<CellId> {
    layer.id_at(u32::try_from(column).ok()?, u32::try_from(row).ok()?)
}

fn is_blocked(movement: &Movement, layer: &Layer, column: i64, row: i64) -> bool {
    cell_at(layer, column, row).is_none_or(|id| movement.ground_cost(id) == 255)
}

/// How far a body reaches from its position, in subcells.
struct Reach {
    north: i64,
    east: i64,
    south: i64,
    west: i64,
}

impl Reach {
    fn of(footprint: &Footprint) -> Self {
        let same = |reach| Self {
            north: reach,
            east: reach,
            south: reach,
            west: reach,
        };
        match footprint {
            Footprint::Point => same(0),
            Footprint::Disc(body) => same(i64::from(body.radius_subcells())),
            Footprint::Rectangle(body) => Self {
                north: SIZE / 2,
                west: SIZE / 2,
                east: i64::from(body.width()) * SIZE - SIZE / 2,
                south: i64::from(body.height()) * SIZE - SIZE / 2,
            },
        }
    }
}

/// The rows (or columns) whose squares lie at least in part between two places.
fn rows_between(low: i64, high: i64) -> core::ops::RangeInclusive<i64> {
    low.div_euclid(SIZE)..=high.div_euclid(SIZE)
}

/// The smallest and the largest x of the part of a segment within `low..=high` of y, rounded outwards; `None` if no part of
/// it is.
fn part_within(from: Point, to: Point, low: i64, high: i64) -> Option<(i64, i64)> {
    let (top, bottom) = if from.1 <= to.1 { (from, to) } else { (to, from) };
    if bottom.1 < low || top.1 > high {
        return None;
    }
    let run = bottom.0 - top.0;
    let fall = bottom.1 - top.1;
    if fall == 0 {
        return Some((from.0.min(to.0), from.0.max(to.0)));
    }
    // Products stay below 2^66.
    let along = |y: i64| {
        let product = i128::from(y - top.1) * i128::from(run);
        let x = product.div_euclid(i128::from(fall));
        top.0 + i64::try_from(x).unwrap_or(run)
    };
    let (a, b) = (along(low.max(top.1)), along(high.min(bottom.1)));
    // Rounded down both; one more is beyond the exact place.
    Some((a.min(b), a.max(b) + 1))
}

/// Whether a body overlaps a square.
fn overlaps(footprint: &Footprint, at: Point, square: &Square) -> bool {
    match footprint {
        Footprint::Point => false,
        Footprint::Disc(body) => {
            let radius = i128::from(body.radius_subcells());
            square.distance_squared(at) < radius * radius
        }
        Footprint::Rectangle(body) => square.grown_by(body).holds(at),
    }
}

/// Whether a body swept along a segment keeps out of one blocked square.
fn keeps_out(footprint: &Footprint, from: Point, to: Point, square: &Square) -> bool {
    match footprint {
        Footprint::Point => true,
        Footprint::Disc(body) => {
            let radius = i128::from(body.radius_subcells());
            let start = square.distance_squared(from);
            let least = start.min(radius * radius);
            disc_keeps_out(least, from, to, square)
        }
        Footprint::Rectangle(body) => {
            let grown = square.grown_by(body);
            if grown.holds(from) {
                grown.is_left_by(from, to)
            } else {
                !grown.is_entered_by(from, to)
            }
        }
    }
}

/// Whether no point of a segment is nearer to a square than the root of `least`.
///
/// Two convex figures that do not meet are nearest to each other at a corner of one of them: at an end of the segment or
/// at a corner of the square.
fn disc_keeps_out(least: i128, from: Point, to: Point, square: &Square) -> bool {
    if least == 0 {
        return true;
    }
    if square.distance_squared(from) < least
        || square.distance_squared(to) < least
        || square.is_met_by(from, to)
    {
        return false;
    }
    let along = (i128::from(to.0 - from.0), i128::from(to.1 - from.1));
    let length = along.0 * along.0 + along.1 * along.1;
    square.corners().into_iter().all(|corner| {
        let off = (i128::from(corner.0 - from.0), i128::from(corner.1 - from.1));
        let forward = off.0 * along.0 + off.1 * along.1;
        if forward <= 0 || forward >= length {
            // Nearest to an end, which has been looked at.
            return true;
        }
        let across = (off.0 * along.1 - off.1 * along.0).abs();
        // Far corners first, whose squares would not fit: the radius is below 2^23, a segment no longer than its two legs
        // of less than 2^33 each.
        across >= (along.0.abs() + along.1.abs()) << 23 || across * across >= least * length
    })
}

impl Square {
    /// The positions at which a rectangle overlaps it, as an open box.
    fn grown_by(&self, body: &RectangleBody) -> Self {
        Self {
            low: (
                self.low.0 - i64::from(body.width()) * SIZE + SIZE / 2,
                self.low.1 - i64::from(body.height()) * SIZE + SIZE / 2,
            ),
            high: (self.high.0 + SIZE / 2, self.high.1 + SIZE / 2),
        }
    }

    fn corners(&self) -> [Point; 4] {
        [
            self.low,
            (self.high.0, self.low.1),
            self.high,
            (self.low.0, self.high.1),
        ]
    }

    /// The square of the distance of a point from it; 0 inside.
    fn distance_squared(&self, at: Point) -> i128 {
        let off = |low: i64, high: i64, at: i64| i128::from((low - at).max(at - high).max(0));
        let (x, y) = (
            off(self.low.0, self.high.0, at.0),
            off(self.low.1, self.high.1, at.1),
        );
        x * x + y * y
    }

    /// On which side of a segment's line each corner lies: negative, 0, positive.
    fn sides_of(&self, from: Point, to: Point) -> [i128; 4] {
        let along = (i128::from(to.0 - from.0), i128::from(to.1 - from.1));
        self.corners().map(|corner| {
            let off = (i128::from(corner.0 - from.0), i128::from(corner.1 - from.1));
            off.0 * along.1 - off.1 * along.0
        })
    }

    /// Whether a segment meets it, its border included.
    fn is_met_by(&self, from: Point, to: Point) -> bool {
        let apart = from.0.max(to.0) < self.low.0
            || from.0.min(to.0) > self.high.0
            || from.1.max(to.1) < self.low.1
            || from.1.min(to.1) > self.high.1;
        !apart && {
            let sides = self.sides_of(from, to);
            !(sides.iter().all(|&side| side > 0) || sides.iter().all(|&side| side < 0))
        }
    }

    /// Whether a point lies inside, the border left out.
    const fn holds(&self, at: Point) -> bool {
        self.low.0 < at.0 && at.0 < self.high.0 && self.low.1 < at.1 && at.1 < self.high.1
    }

    /// Whether a segment meets its inside.
    fn is_entered_by(&self, from: Point, to: Point) -> bool {
        if from == to {
            return self.holds(from);
        }
        let apart = from.0.max(to.0) <= self.low.0
            || from.0.min(to.0) >= self.high.0
            || from.1.max(to.1) <= self.low.1
            || from.1.min(to.1) >= self.high.1;
        !apart && {
            let sides = self.sides_of(from, to);
            !(sides.iter().all(|&side| side >= 0) || sides.iter().all(|&side| side <= 0))
        }
    }

    /// Whether a segment from a point inside goes no deeper over the side that is nearest to that point; among equals one
    /// is enough.
    fn is_left_by(&self, from: Point, to: Point) -> bool {
        let ways_out = [
            (from.0 - self.low.0, from.0 - to.0),
            (self.high.0 - from.0, to.0 - from.0),
            (from.1 - self.low.1, from.1 - to.1),
            (self.high.1 - from.1, to.1 - from.1),
        ];
        let shortest = ways_out.iter().map(|&(depth, _)| depth).min().unwrap_or(0);
        ways_out
            .iter()
            .any(|&(depth, outward)| depth == shortest && outward >= 0)
    }
}
