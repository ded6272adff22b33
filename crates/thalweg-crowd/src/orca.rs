//! Velocity obstacles: optimal reciprocal collision avoidance (ORCA).
//!
//! The model is that of van den Berg, Guy, Lin and Manocha, "Reciprocal n-body collision avoidance" (2011). Seen from an
//! agent, another one makes a **velocity obstacle**: all velocities relative to it that lead to contact within a horizon. It is
//! a cone whose tip is cut off by a disc. The least change that brings the present relative velocity out of it (or keeps
//! it out) is shared between the two, and what is left to each is a half plane of velocities. An agent takes the
//! velocity nearest to the one it wants that lies in all of them ([`solve`]); where there is none, the one that breaks them
//! least.
//!
//! This module is plain arithmetic on one agent and its neighbours, open to callers who keep their own agents. Only
//! `+ - * /`, square roots and comparisons are used, so that the answer has the same bits on every machine. Nothing panics
//! and every answer is finite, whatever is handed in.
//!
//! Fixed rules where the paper leaves a choice:
//!
//! - Two on one point have no direction between them; the caller gives one that is opposite for the other of the two.
//! - What comes straight on is passed on the right: a way that is not free is wanted [a little](RIGHTWARD) to the right.
//!   Without this two who meet head-on slow down and stand, and a circle of many does too.
//! - Bodies that overlap part within a time of their own, not within one substep as in the paper. At 60 steps a second
//!   that would ask for speeds nobody has, and everything else would give way to it.

mod program;

use crate::fixed::{dot, length};
use crate::options::MAX_NEIGHBOURS;
pub use program::{HalfPlane, Solution, solve};

/// How far an agent whose way is not free turns what it wants to the right, as a part of its length: enough to decide a tie,
/// four degrees.
pub const RIGHTWARD: f32 = 0.0625;

/// What an agent minds of another one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Neighbour {
    /// From the agent to the neighbour, in cells. Two on one point need some direction: the caller gives a tiny offset that
    /// is opposite for the other of the two. With zero both step to the same side.
    pub offset: [f32; 2],
    /// The neighbour's velocity, in cells per second.
    pub velocity: [f32; 2],
    /// The sum of both radii, in cells.
    pub radius: f32,
    /// The part of what must change that the agent takes: 1/2 between two who both mind each other, 1 for what minds
    /// nobody.
    pub share: f32,
    /// The time without contact that the velocity must allow, in seconds; above 0.
    pub horizon: f32,
}

/// The agent that chooses.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Chooser {
    /// Its velocity now, in cells per second.
    pub velocity: [f32; 2],
    /// The velocity it would take if it were alone.
    pub wanted: [f32; 2],
    /// In cells per second.
    pub max_speed: f32,
    /// The time in which an overlap is to be gone, in seconds; above 0.
    pub parting: f32,
}

/// The velocity that an agent takes, in cells per second, and the neighbour most in its way: the index of the half plane that
/// the wanted velocity breaks most.
///
/// Neighbours are taken in the order given, nearest first by custom, and only the first [`MAX_NEIGHBOURS`]; those with
/// numbers that are not finite are left out.
#[must_use]
pub fn choose(chooser: &Chooser, neighbours: &[Neighbour]) -> Solution {
    let mut planes = [HalfPlane::EVERYTHING; MAX_NEIGHBOURS];
    let mut worst = (0.0f32, None);
    for (index, (plane, neighbour)) in planes.iter_mut().zip(neighbours).enumerate() {
        *plane = half_plane(chooser.velocity, chooser.parting, neighbour);
        let short = plane.shortfall(chooser.wanted);
        if short > worst.0 {
            worst = (short, Some(index));
        }
    }
    let planes = planes.get(..neighbours.len()).unwrap_or(&planes);
    if worst.1.is_none() {
        return solve(planes, chooser.wanted, chooser.max_speed);
    }
    let [x, y] = chooser.wanted;
    let aside = [x - y * RIGHTWARD, y + x * RIGHTWARD];
    Solution {
        most_broken: worst.1,
        ..solve(planes, aside, chooser.max_speed)
    }
}

/// The half plane of velocities that a neighbour leaves to an agent of this `velocity`.
///
/// `parting` is the time in which an overlap is to be gone. What is not finite leaves everything.
#[must_use]
pub fn half_plane(velocity: [f32; 2], parting: f32, neighbour: &Neighbour) -> HalfPlane {
    let (p, radius) = (neighbour.offset, neighbour.radius);
    let relative = [
        velocity[0] - neighbour.velocity[0],
        velocity[1] - neighbour.velocity[1],
    ];
    let square = dot(p, p);
    let overlaps = square < radius * radius;
    // The disc of relative velocities that lead to contact at just this time; the front of the obstacle.
    let time = if overlaps { parting } else { neighbour.horizon };
    let per_time = 1.0 / time;
    let from_centre = [relative[0] - p[0] * per_time, relative[1] - p[1] * per_time];
    let distance = length(from_centre);
    // Which part of the border is nearest: seen from the disc's centre, the front is what lies between the points where
    // the legs touch, at an angle to -p whose cosine is radius / |p|.
    let is_front = overlaps || -dot(from_centre, p) > radius * distance;
    // The outward normal, and how far along it the relative velocity must still go (less than 0: how far it is beyond).
    let (normal, change) = if is_front {
        let normal = if distance > 0.0 {
            let per_distance = 1.0 / distance;
            [from_centre[0] * per_distance, from_centre[1] * per_distance]
        } else {
            away(p)
        };
        (normal, radius * per_time - distance)
    } else {
        // The legs are p turned by the angle whose sine is radius / |p|; their normals are at right angles to them.
        let leg = (square - radius * radius).sqrt();
        // To the right where y points down; a tie is passed there.
        let to_right = p[0] * from_centre[1] - p[1] * from_centre[0] >= 0.0;
        let leg = if to_right { leg } else { -leg };
        let per_square = 1.0 / square;
        let normal = [
            -(p[0] * radius + p[1] * leg) * per_square,
            (p[0] * leg - p[1] * radius) * per_square,
        ];
        (normal, -dot(relative, normal))
    };
    let plane = HalfPlane {
        normal,
        least: dot(velocity, normal) + neighbour.share * change,
    };
    if plane.is_finite() {
        plane
    } else {
        HalfPlane::EVERYTHING
    }
}

/// The direction away from an offset; a fixed one if there is none.
fn away(offset: [f32; 2]) -> [f32; 2] {
    let distance = length(offset);
    if distance > 0.0 {
        [-offset[0] / distance, -offset[1] / distance]
    } else {
        [1.0, 0.0]
    }
}
