//! The exact shortest length of a way at any angle, for a point body on ground of one cost.
//!
//! A shortest way among polygons bends only at their corners (Lozano-Pérez and Wesley 1979), so a graph of mutually
//! visible corners holds it. Visibility is decided in whole numbers, in half cells, and shares no code with the core's
//! sweep.
//!
//! What counts as free here: a way may touch a wall and bend at its corner, and run along its side, but not enter it, and
//! not slip between two walls that touch at a corner. The map ends in walls. This is the infimum of what a body may walk
//! that has to stay off corners.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use thalweg_core::cost::{Cost, CostField};

/// A point in half cells from the map's north-west corner: cell centres are odd, cell corners even.
pub type HalfPoint = (i64, i64);

/// A map and the corners at which shortest ways bend.
#[derive(Clone, Debug)]
pub struct AnyAngle {
    width: i64,
    height: i64,
    free: Vec<bool>,
    corners: Vec<HalfPoint>,
    /// For every corner, the corners it sees with their distance.
    seen: Vec<Vec<(usize, f64)>>,
}

impl AnyAngle {
    /// The graph of a map; costs do not matter, only where a body may be. O(corners² × side).
    #[must_use]
    pub fn new(costs: &CostField) -> Self {
        let grid = costs.grid();
        let free = grid.ids().map(|id| costs.get(id).is_some_and(Cost::is_passable));
        let mut graph = Self {
            width: i64::from(grid.width()),
            height: i64::from(grid.height()),
            free: free.collect(),
            corners: Vec::new(),
            seen: Vec::new(),
        };
        for y in 1..graph.height {
            for x in 1..graph.width {
                let walls = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)]
                    .into_iter()
                    .filter(|&(x, y)| !graph.is_free(x, y))
                    .count();
                // A way bends round one wall; between two that touch it does not pass, along two it does not bend.
                if walls == 1 {
                    graph.corners.push((2 * x, 2 * y));
                }
            }
        }
        graph.seen = (graph.corners.iter())
            .map(|&from| graph.corners_seen_from(from).collect())
            .collect();
        graph
    }

    /// How many corners the map has.
    #[must_use]
    pub const fn corners(&self) -> usize {
        self.corners.len()
    }

    fn is_free(&self, x: i64, y: i64) -> bool {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside && self.free[usize::try_from(y * self.width + x).expect("inside the map")]
    }

    fn corners_seen_from(&self, from: HalfPoint) -> impl Iterator<Item = (usize, f64)> + '_ {
        let seen = self.corners.iter().enumerate();
        seen.filter(move |&(_, &to)| to != from && self.sees(from, to))
            .map(move |(index, &to)| (index, distance(from, to)))
    }

    /// The shortest length in cells between the centres of two cells, by column and row; `None` if no way exists.
    #[must_use]
    pub fn shortest(&self, start: (u32, u32), goal: (u32, u32)) -> Option<f64> {
        let centre = |(x, y): (u32, u32)| (2 * i64::from(x) + 1, 2 * i64::from(y) + 1);
        let (start, goal) = (centre(start), centre(goal));
        if !self.is_free(start.0 / 2, start.1 / 2) || !self.is_free(goal.0 / 2, goal.1 / 2) {
            return None;
        }
        if self.sees(start, goal) {
            return Some(distance(start, goal));
        }
        let mut to_goal = vec![None; self.corners.len()];
        for (corner, length) in self.corners_seen_from(goal) {
            to_goal[corner] = Some(length);
        }
        // A queue in the order of non-negative floats, which their bits keep; by length plus straight distance left.
        let mut best = vec![f64::INFINITY; self.corners.len()];
        let mut queue = BinaryHeap::new();
        let mut shortest = f64::INFINITY;
        let push = |queue: &mut BinaryHeap<_>, best: &mut [f64], corner: usize, length: f64| {
            if length < best[corner] {
                best[corner] = length;
                let estimate = length + distance(self.corners[corner], goal);
                queue.push(Reverse((estimate.to_bits(), corner, length.to_bits())));
            }
        };
        for (corner, length) in self.corners_seen_from(start) {
            push(&mut queue, &mut best, corner, length);
        }
        while let Some(Reverse((estimate, corner, length))) = queue.pop() {
            let length = f64::from_bits(length);
            if f64::from_bits(estimate) >= shortest {
                break;
            }
            if length > best[corner] {
                continue;
            }
            if let Some(rest) = to_goal[corner] {
                shortest = shortest.min(length + rest);
            }
            for &(next, step) in &self.seen[corner] {
                push(&mut queue, &mut best, next, length + step);
            }
        }
        shortest.is_finite().then_some(shortest)
    }

    /// Whether the straight line between two different points, each a centre or a corner of cells, is free.
    #[must_use]
    pub fn sees(&self, from: HalfPoint, to: HalfPoint) -> bool {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        match (dx, dy) {
            (0, 0) => true,
            (_, 0) => self.along(from.0.min(to.0), from.0.max(to.0), from.1, |x, y| {
                self.is_free(x, y)
            }),
            (0, _) => self.along(from.1.min(to.1), from.1.max(to.1), from.0, |y, x| {
                self.is_free(x, y)
            }),
            _ => self.slanted(from, to),
        }
    }

    /// A line along an axis from `low` to `high`, at `across` on the other axis.
    fn along(&self, low: i64, high: i64, across: i64, free: impl Fn(i64, i64) -> bool) -> bool {
        let cells = low.div_euclid(2)..(high + 1).div_euclid(2);
        if across.rem_euclid(2) == 1 {
            return cells.into_iter().all(|at| free(at, across.div_euclid(2)));
        }
        // On a border: one side must be free everywhere, and the same one before and after every corner it passes.
        let line = across.div_euclid(2);
        let sides = |at: i64| [free(at, line - 1), free(at, line)];
        cells.clone().all(|at| sides(at) != [false, false])
            && cells.clone().zip(cells.skip(1)).all(|(before, after)| {
                let (before, after) = (sides(before), sides(after));
                (before[0] && after[0]) || (before[1] && after[1])
            })
    }

    /// A slanted line: column by column, every cell whose inside it meets, and every corner it passes.
    fn slanted(&self, from: HalfPoint, to: HalfPoint) -> bool {
        let (from, to) = if from.0 < to.0 { (from, to) } else { (to, from) };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        // The height at x, times dx.
        let height = |x: i64| from.1 * dx + dy * (x - from.0);
        for column in from.0.div_euclid(2)..(to.0 + 1).div_euclid(2) {
            let (left, right) = ((2 * column).max(from.0), (2 * column + 2).min(to.0));
            let (low, high) = if dy > 0 {
                (height(left), height(right))
            } else {
                (height(right), height(left))
            };
            // Open interval of heights: rows whose inside it meets.
            let first = low.div_euclid(2 * dx);
            let last = -(-high).div_euclid(2 * dx) - 1;
            if !(first..=last).all(|row| self.is_free(column, row)) {
                return false;
            }
            // The corner at the right end of the column, if the line passes it before its own end.
            let at = height(2 * column + 2);
            if 2 * column + 2 < to.0 && at.rem_euclid(2 * dx) == 0 {
                let row = at.div_euclid(2 * dx);
                // The two cells beside the line; the two on it are tested as cells.
                let beside = if dy > 0 {
                    [(column, row), (column + 1, row - 1)]
                } else {
                    [(column, row - 1), (column + 1, row)]
                };
                if !beside.into_iter().any(|(x, y)| self.is_free(x, y)) {
                    return false;
                }
            }
        }
        true
    }
}

#[expect(clippy::cast_precision_loss, reason = "differences of small maps are exact")]
fn distance(from: HalfPoint, to: HalfPoint) -> f64 {
    let (dx, dy) = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
    (dx * dx + dy * dy).sqrt() / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::map;

    fn length(rows: &[&str], start: (u32, u32), goal: (u32, u32)) -> Option<f64> {
        AnyAngle::new(&map(rows)).shortest(start, goal)
    }

    #[test]
    fn on_open_ground_the_way_is_straight() {
        let rows = ["....", "....", "...."];
        assert_eq!(length(&rows, (0, 0), (3, 2)), Some(13f64.sqrt()));
        assert_eq!(length(&rows, (3, 2), (0, 0)), Some(13f64.sqrt()));
        assert_eq!(length(&rows, (1, 1), (1, 1)), Some(0.0));
    }

    #[test]
    fn round_a_wall_the_way_bends_at_its_corners() {
        // From (0.5, 2.5) over the corners (1, 1) and (2, 1) to (2.5, 2.5).
        let rows = ["...", ".#.", ".#."];
        let half = (0.25f64 + 1.5 * 1.5).sqrt();
        let got = length(&rows, (0, 2), (2, 2)).expect("a way");
        assert!((got - (2.0 * half + 1.0)).abs() < 1e-12, "{got}");
    }

    #[test]
    fn a_way_may_touch_one_corner_but_not_pass_between_two() {
        assert_eq!(length(&[".#", ".."], (0, 0), (1, 1)), Some(2f64.sqrt()));
        assert_eq!(length(&[".#", "#."], (0, 0), (1, 1)), None);
        // Slanted, between two walls that touch.
        assert!(!AnyAngle::new(&map(&["..#.", "##.."])).sees((1, 1), (7, 3)));
        let pinched = AnyAngle::new(&map(&[".#", "#."]));
        assert!(!pinched.sees((0, 2), (4, 2)));
        let wall = AnyAngle::new(&map(&["##", ".."]));
        assert!(wall.sees((0, 2), (4, 2)) && !wall.sees((0, 0), (4, 0)));
    }

    #[test]
    fn sight_agrees_with_many_points_along_the_line() {
        use crate::random_map::SplitMix64;
        let mut random = SplitMix64::new(77);
        let mut seen = [0, 0];
        for _ in 0..300 {
            let rows: Vec<String> = (0..7)
                .map(|_| {
                    (0..8)
                        .map(|_| if random.percent(20) { '#' } else { '.' })
                        .collect()
                })
                .collect();
            let graph = AnyAngle::new(&crate::literal::map_with(&rows, &[]));
            for _ in 0..20 {
                let mut centre = || {
                    (
                        2 * i64::from(random.below(8)) + 1,
                        2 * i64::from(random.below(7)) + 1,
                    )
                };
                let (a, b) = (centre(), centre());
                // A point sees itself, in a wall too; ways begin on free cells.
                if a == b {
                    continue;
                }
                let got = graph.sees(a, b);
                // Points that lie on no border: 1009 shares no factor with the differences.
                let enters = (0..=1008).any(|part| {
                    let at = |a: i64, b: i64| ((a * 1009 + (b - a) * part) as f64 / 2018.0).floor() as i64;
                    !graph.is_free(at(a.0, b.0), at(a.1, b.1))
                });
                seen[usize::from(got)] += 1;
                // Only two walls that touch at a corner of the line can make a difference; sampling cannot see them.
                assert!(
                    !got || !enters,
                    "{rows:?} {a:?} {b:?}: a free line that enters a wall"
                );
            }
        }
        assert!(seen[0] > 1000 && seen[1] > 500, "{seen:?}");
    }
}
