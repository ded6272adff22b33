//! The linear program of velocity obstacles: at most a few half planes and a disc, in two dimensions.
//!
//! Half planes are added one by one. As long as the best velocity so far keeps the next one nothing changes; else the new best
//! velocity lies on its border, and finding it there is a program in one dimension. The textbook (de Berg and others,
//! "Computational Geometry", chapter 4) adds them in random order, which makes the expected time linear. Here the order
//! is the caller's: with n at most 16 the worst order costs n (n - 1) / 2 = 120 intersections, the nearest neighbours,
//! which come first, decide most programs anyway, and a random order would need a generator and make the answer depend
//! on its state wherever two orders round differently.
//!
//! Where no velocity is in all half planes, the one is taken whose worst shortfall is least. This is a program in three
//! dimensions (velocity and shortfall), solved in the same way: a half plane that is broken by more than the worst so
//! far is the worst of the new optimum, so that all others bound the velocity by where they are as short as this one.

use crate::fixed::dot;
use crate::options::MAX_NEIGHBOURS;

/// Velocities `v` with `normal · v >= least`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfPlane {
    /// Of length 1, pointing inward; or 0, and every velocity is in it.
    pub normal: [f32; 2],
    /// In cells per second.
    pub least: f32,
}

impl HalfPlane {
    /// Bounds nothing.
    pub const EVERYTHING: Self = Self {
        normal: [0.0; 2],
        least: 0.0,
    };

    /// How far a velocity is from being in the half plane, in cells per second; not above 0 for one that is in it.
    #[inline]
    #[must_use]
    pub fn shortfall(&self, velocity: [f32; 2]) -> f32 {
        self.least - dot(self.normal, velocity)
    }

    #[inline]
    pub(super) fn is_finite(&self) -> bool {
        self.normal[0].is_finite() && self.normal[1].is_finite() && self.least.is_finite()
    }
}

/// What a program came to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Solution {
    /// In cells per second; always finite, and not longer than the top speed but for rounding.
    pub velocity: [f32; 2],
    /// Of [`choose`](super::choose): the neighbour most in the way of the wanted velocity. Of [`solve`]: the first half
    /// plane that could not be kept with those before it.
    pub most_broken: Option<usize>,
    /// Whether the velocity is in every half plane, but for rounding.
    pub is_feasible: bool,
}

/// Two normals whose cross product is below this are parallel. Of a program with borders that cross at less than this angle
/// the answer is off by what the borders are apart there: 1e-5 of a speed.
const PARALLEL: f32 = 1e-5;

/// The velocity of at most `max_speed` nearest to `wanted` in all half planes; if none is in all of them, the one whose worst
/// shortfall is least.
///
/// Only the first [`MAX_NEIGHBOURS`] half planes count. Those that are not finite bound nothing; a `wanted` or `max_speed`
/// that is not finite counts as 0. The time goes with the square of the number of half planes, with its cube where no velocity
/// is in all of them.
#[must_use]
pub fn solve(planes: &[HalfPlane], wanted: [f32; 2], max_speed: f32) -> Solution {
    // Written so that NaN counts as 0.
    let max_speed = if max_speed > 0.0 && max_speed.is_finite() {
        max_speed
    } else {
        0.0
    };
    let wanted = if wanted[0].is_finite() && wanted[1].is_finite() {
        wanted
    } else {
        [0.0; 2]
    };
    let planes = match planes.split_at_checked(MAX_NEIGHBOURS) {
        Some((first, _)) => first,
        None => planes,
    };
    let mut solution = solve_finite(planes, wanted, max_speed);
    if !(solution.velocity[0].is_finite() && solution.velocity[1].is_finite()) {
        // From speeds that overflow when squared; such numbers run through all comparisons to here.
        solution.velocity = [0.0; 2];
    }
    solution
}

fn solve_finite(planes: &[HalfPlane], wanted: [f32; 2], max_speed: f32) -> Solution {
    let objective = Objective::Near(wanted);
    let mut velocity = objective.alone(max_speed);
    for (index, plane) in planes.iter().enumerate() {
        if plane.shortfall(velocity) > 0.0 && plane.is_finite() {
            match on_border(plane, &planes[..index], &objective, max_speed) {
                Some(best) => velocity = best,
                None => {
                    return Solution {
                        velocity: least_short(planes, index, velocity, max_speed),
                        most_broken: Some(index),
                        is_feasible: false,
                    };
                }
            }
        }
    }
    Solution {
        velocity,
        most_broken: None,
        is_feasible: true,
    }
}

/// What is best.
enum Objective {
    /// Nearest to this velocity.
    Near([f32; 2]),
    /// Farthest along this direction, of length 1.
    Along([f32; 2]),
}

impl Objective {
    /// The best velocity where only the top speed bounds it.
    fn alone(&self, max_speed: f32) -> [f32; 2] {
        match *self {
            Self::Near(wanted) => {
                // Scaled down first: the square of a large velocity overflows.
                let most = larger(larger(wanted[0], -wanted[0]), larger(wanted[1], -wanted[1]));
                if most > 2.0 * max_speed {
                    let part = [wanted[0] / most, wanted[1] / most];
                    let scale = max_speed / dot(part, part).sqrt();
                    [part[0] * scale, part[1] * scale]
                } else {
                    crate::fixed::limited(wanted, max_speed)
                }
            }
            Self::Along(direction) => [direction[0] * max_speed, direction[1] * max_speed],
        }
    }

    /// The best place of a border from `low` to `high`, where the border is `t * along` and a constant.
    fn on(&self, along: [f32; 2], low: f32, high: f32) -> f32 {
        match *self {
            Self::Near(wanted) => {
                let t = dot(along, wanted);
                if t < low {
                    low
                } else if t > high {
                    high
                } else {
                    t
                }
            }
            Self::Along(direction) => {
                if dot(along, direction) > 0.0 {
                    high
                } else {
                    low
                }
            }
        }
    }
}

/// The best velocity on the border of a half plane that is in all of `others` too, if there is one.
fn on_border(
    plane: &HalfPlane,
    others: &[HalfPlane],
    objective: &Objective,
    max_speed: f32,
) -> Option<[f32; 2]> {
    let foot = [plane.normal[0] * plane.least, plane.normal[1] * plane.least];
    let along = [-plane.normal[1], plane.normal[0]];
    // Half of the chord that the border cuts from the disc.
    let square = max_speed * max_speed - plane.least * plane.least;
    if square < 0.0 {
        return None;
    }
    let half = square.sqrt();
    let (mut low, mut high) = (-half, half);
    for other in others {
        let slope = dot(other.normal, along);
        let short = other.shortfall(foot);
        if slope > PARALLEL {
            low = larger(low, short / slope);
        } else if slope < -PARALLEL {
            high = -larger(-high, -(short / slope));
        } else if short > 0.0 {
            return None;
        }
        if low > high {
            return None;
        }
    }
    let t = objective.on(along, low, high);
    Some([foot[0] + along[0] * t, foot[1] + along[1] * t])
}

/// The velocity whose worst shortfall is least, where half plane `first` cannot be kept with those before it, and `velocity`
/// keeps those.
fn least_short(planes: &[HalfPlane], first: usize, mut velocity: [f32; 2], max_speed: f32) -> [f32; 2] {
    let mut worst = 0.0f32;
    for (index, plane) in planes.iter().enumerate().skip(first) {
        if plane.shortfall(velocity) <= worst || !plane.is_finite() {
            continue;
        }
        let objective = Objective::Along(plane.normal);
        // Where the others are not shorter than this one.
        let mut bounds = [HalfPlane::EVERYTHING; MAX_NEIGHBOURS];
        for (bound, other) in bounds.iter_mut().zip(&planes[..index]) {
            let apart = [
                other.normal[0] - plane.normal[0],
                other.normal[1] - plane.normal[1],
            ];
            let length = dot(apart, apart).sqrt();
            // Where both are parallel this one is the stricter, being broken by more, and the other bounds nothing.
            if length > PARALLEL && other.is_finite() {
                *bound = HalfPlane {
                    normal: [apart[0] / length, apart[1] / length],
                    least: (other.least - plane.least) / length,
                };
            }
        }
        let mut best = Some(objective.alone(max_speed));
        for (place, bound) in bounds[..index].iter().enumerate() {
            if best.is_some_and(|best| bound.shortfall(best) > 0.0) {
                best = on_border(bound, &bounds[..place], &objective, max_speed);
            }
        }
        // There is one but for rounding: at the last velocity this half plane was broken by more than any before it.
        if let Some(best) = best {
            velocity = best;
        }
        worst = plane.shortfall(velocity);
    }
    velocity
}

/// The larger of two numbers that are not NaN. Not `f32::max`: which of two zeros that returns is left open.
#[inline]
fn larger(a: f32, b: f32) -> f32 {
    if b > a { b } else { a }
}
