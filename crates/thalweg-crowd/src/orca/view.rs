//! The hook of velocity obstacles into the step: what an agent sees of others, as [`Neighbour`]s.

use super::{Chooser, Neighbour, choose};
use crate::fixed::{SUBCELLS_F, cells_from_subcells};
use crate::neighbours::Near;
use crate::options::MAX_NEIGHBOURS;
use crate::plan::{Aim, View};
use crate::separation::see;
use crate::step::{Mate, Role};
use thalweg_core::grid::MapPoint;

impl View<'_> {
    /// The velocity by velocity obstacles, and the index of the neighbour that is most in the way.
    ///
    /// Walls make no obstacles: agents keep clear of them in their walk, as with separation. Rejected: a half plane per
    /// wall; a field's way often leads along one, and a program with walls is infeasible where a door must be passed.
    pub(crate) fn clear_velocity(
        &self,
        me: &Mate,
        at: MapPoint,
        aim: &Aim,
        near: &[Near],
    ) -> ([f32; 2], Option<usize>) {
        let headway = self.headway();
        let horizon = if self.seconds > self.options.horizon {
            self.seconds
        } else {
            self.options.horizon
        };
        let mut neighbours = [NOBODY; MAX_NEIGHBOURS];
        for (out, near) in neighbours.iter_mut().zip(near) {
            let other = &self.mates[near.rank as usize];
            let its = self.at[near.rank as usize];
            let apart = [its.x.wrapping_sub(at.x), its.y.wrapping_sub(at.y)];
            let walks = other.role == Role::Walking;
            *out = Neighbour {
                offset: if apart == [0, 0] {
                    // Two on one point part by slot, one subcell apart.
                    see(me, at, other, its).toward.map(|part| part / SUBCELLS_F)
                } else {
                    apart.map(cells_from_subcells)
                },
                velocity: if walks { other.steer } else { [0.0; 2] },
                radius: me.radius + other.radius,
                share: if walks { 0.5 } else { 1.0 },
                // A pack is what a member wants to get to: over a long horizon it would come near ever more slowly.
                horizon: if !walks && other.group == me.group {
                    headway
                } else {
                    horizon
                },
            };
        }
        let neighbours = &neighbours[..near.len()];
        let response = if self.seconds < self.options.response {
            self.seconds / self.options.response
        } else {
            1.0
        };
        let ease = |from: f32, to: f32| from + (to - from) * response;
        let chooser = Chooser {
            velocity: me.steer,
            wanted: [
                ease(me.steer[0], aim.intent[0] * aim.speed),
                ease(me.steer[1], aim.intent[1] * aim.speed),
            ],
            max_speed: me.max_speed,
            parting: headway,
        };
        let chosen = choose(&chooser, neighbours);
        (chosen.velocity, chosen.most_broken)
    }
}

const NOBODY: Neighbour = Neighbour {
    offset: [0.0; 2],
    velocity: [0.0; 2],
    radius: 0.0,
    share: 0.0,
    horizon: 1.0,
};
