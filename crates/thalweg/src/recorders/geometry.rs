//! Sides and insides in whole numbers: no rounding decides who has passed.

use thalweg_core::grid::MapPoint;

/// On which hand of the way from `a` to `b` a point lies, as the map is drawn: above 0 to the right, below 0 to the left,
/// 0 on the straight line through both.
pub(super) fn hand(a: MapPoint, b: MapPoint, p: MapPoint) -> i128 {
    let difference = |to: i32, from: i32| i128::from(to) - i128::from(from);
    difference(b.x, a.x) * difference(p.y, a.y) - difference(b.y, a.y) * difference(p.x, a.x)
}

/// A rectangle around points, both corners included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Box2 {
    low: [i32; 2],
    high: [i32; 2],
}

impl Box2 {
    pub(super) fn around(points: &[MapPoint]) -> Self {
        let mut around = Self {
            low: [i32::MAX; 2],
            high: [i32::MIN; 2],
        };
        for point in points {
            for (axis, value) in [point.x, point.y].into_iter().enumerate() {
                around.low[axis] = around.low[axis].min(value);
                around.high[axis] = around.high[axis].max(value);
            }
        }
        around
    }

    pub(super) const fn holds(&self, point: MapPoint) -> bool {
        self.low[0] <= point.x && point.x <= self.high[0] && self.low[1] <= point.y && point.y <= self.high[1]
    }

    /// Whether the rectangle around a segment meets this one.
    pub(super) fn meets(&self, from: MapPoint, to: MapPoint) -> bool {
        let apart = |axis: usize, a: i32, b: i32| a.max(b) < self.low[axis] || self.high[axis] < a.min(b);
        !(apart(0, from.x, to.x) || apart(1, from.y, to.y))
    }
}

/// Whether a point is inside a ring, by the number of edges to its right. Half-open: of two areas that share an edge every
/// point of it belongs to exactly one.
pub(super) fn is_inside(ring: &[MapPoint], point: MapPoint) -> bool {
    let mut inside = false;
    let mut previous = ring.last().copied().unwrap_or_default();
    for &corner in ring {
        if (corner.y > point.y) != (previous.y > point.y) {
            let (upper, lower) = if corner.y < previous.y {
                (corner, previous)
            } else {
                (previous, corner)
            };
            // Downward along the edge, what lies to its right hand is west of it.
            if hand(upper, lower, point) > 0 {
                inside = !inside;
            }
        }
        previous = corner;
    }
    inside
}

/// Twice the area of a ring in square subcells, above 0 whichever way it is walked.
pub(super) fn doubled_area(ring: &[MapPoint]) -> u128 {
    let mut sum = 0i128;
    let mut previous = ring.last().copied().unwrap_or_default();
    for &corner in ring {
        sum += i128::from(previous.x) * i128::from(corner.y) - i128::from(corner.x) * i128::from(previous.y);
        previous = corner;
    }
    sum.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::{Box2, doubled_area, hand, is_inside};
    use thalweg_core::grid::{MapPoint, SUBCELLS};

    #[test]
    fn whoever_walks_south_has_west_to_the_right() {
        let (north, south) = (MapPoint::new(5, 0), MapPoint::new(5, 10));
        assert!(hand(north, south, MapPoint::new(4, 3)) > 0);
        assert!(hand(north, south, MapPoint::new(6, 3)) < 0);
        assert_eq!(hand(north, south, MapPoint::new(5, 99)), 0);
    }

    #[test]
    fn the_far_corners_of_the_number_range_do_not_overflow() {
        let (low, high) = (
            MapPoint::new(i32::MIN, i32::MIN),
            MapPoint::new(i32::MAX, i32::MAX),
        );
        assert!(hand(low, high, MapPoint::new(i32::MIN, i32::MAX)) > 0);
        let square = [
            low,
            MapPoint::new(i32::MAX, i32::MIN),
            high,
            MapPoint::new(i32::MIN, i32::MAX),
        ];
        let side = u128::from(u32::MAX);
        assert_eq!(doubled_area(&square), 2 * side * side);
        assert!(is_inside(&square, MapPoint::new(0, 0)));
    }

    #[test]
    fn points_of_a_shared_edge_belong_to_one_of_two_areas() {
        let s = SUBCELLS;
        let rect = |x0: i32, y0: i32, x1: i32, y1: i32| {
            [
                MapPoint::new(x0, y0),
                MapPoint::new(x1, y0),
                MapPoint::new(x1, y1),
                MapPoint::new(x0, y1),
            ]
        };
        let parts = [
            rect(0, 0, s, s),
            rect(s, 0, 2 * s, s),
            rect(0, s, s, 2 * s),
            rect(s, s, 2 * s, 2 * s),
        ];
        for y in 0..2 * 8 {
            for x in 0..2 * 8 {
                let point = MapPoint::new(x * s / 8, y * s / 8);
                let owners = parts.iter().filter(|part| is_inside(&part[..], point)).count();
                assert_eq!(owners, 1, "{point:?}");
                // Walked the other way round it is the same area.
                let turned: Vec<_> = parts[0].iter().rev().copied().collect();
                assert_eq!(is_inside(&parts[0], point), is_inside(&turned, point));
            }
        }
    }

    #[test]
    fn a_box_meets_what_touches_it() {
        let around = Box2::around(&[MapPoint::new(0, 0), MapPoint::new(10, 0)]);
        assert!(around.meets(MapPoint::new(5, -5), MapPoint::new(5, 0)));
        assert!(!around.meets(MapPoint::new(5, -5), MapPoint::new(5, -1)));
        assert!(around.holds(MapPoint::new(10, 0)) && !around.holds(MapPoint::new(11, 0)));
    }
}
