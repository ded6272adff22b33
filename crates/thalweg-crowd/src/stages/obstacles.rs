//! How fast each agent goes by velocity obstacles: what it sees of others, as the neighbours of [`orca`](crate::orca).

use super::{Part, near_of};
use crate::fixed::{SUBCELLS_F, cells_from_subcells, length};
use crate::mate::Role;
use crate::options::MAX_NEIGHBOURS;
use crate::orca::{Chooser, Neighbour, choose};
use crate::plan::View;
use crate::separation::parting;

impl Part<'_> {
    /// Chooses the velocities of those who walk.
    ///
    /// Walls make no obstacles: agents keep clear of them in their walk, as with separation. Rejected: a half plane per
    /// wall; a field's way often leads along one, and a program with walls is infeasible where a door must be passed.
    pub(super) fn avoid_obstacles(&mut self, view: &View<'_>) {
        let (headway, stride) = (view.headway(), view.stride());
        let horizon = if view.seconds > view.options.horizon {
            view.seconds
        } else {
            view.options.horizon
        };
        let mut least = f32::INFINITY;
        for &index in &*self.walkers {
            let index = usize::from(index);
            let rank = self.first + index;
            let me = &view.mates[rank];
            let near = near_of(self.near, self.counts, index, stride);
            let mut least_gap = f32::INFINITY;
            let mut neighbours = [NOBODY; MAX_NEIGHBOURS];
            for (out, &other) in neighbours.iter_mut().zip(near) {
                let other = other as usize;
                let its = &view.mates[other];
                let apart = [
                    view.xs[other].wrapping_sub(view.xs[rank]),
                    view.ys[other].wrapping_sub(view.ys[rank]),
                ];
                let walks = its.role() == Role::Walking;
                *out = Neighbour {
                    offset: if apart == [0, 0] {
                        // Two on one point part by slot, one subcell apart.
                        parting(me.slot, its.slot).map(|part| part / SUBCELLS_F)
                    } else {
                        apart.map(cells_from_subcells)
                    },
                    velocity: if walks { its.steer } else { [0.0; 2] },
                    radius: me.radius + its.radius,
                    share: if walks { 0.5 } else { 1.0 },
                    // A pack is what a member wants to get to: over a long horizon it would come near ever more slowly.
                    horizon: if !walks && its.group == me.group {
                        headway
                    } else {
                        horizon
                    },
                };
                let gap = length(out.offset) - out.radius;
                least_gap = if gap < least_gap { gap } else { least_gap };
            }
            self.gaps[index] = least_gap;
            least = if least_gap < least { least_gap } else { least };
            let aim = &mut self.aims[index];
            let chooser = Chooser {
                velocity: me.steer,
                wanted: view.eased(rank, aim.intent, aim.speed),
                max_speed: me.max_speed,
                parting: headway,
            };
            let chosen = choose(&chooser, &neighbours[..near.len()]);
            aim.velocity = chosen.velocity;
            if let Some(worst) = chosen.most_broken {
                aim.in_the_way = Some(near[worst]);
                self.plans[index].blocker = view.blocker(near[worst]);
            }
        }
        self.tally.overlap(-least);
    }
}

const NOBODY: Neighbour = Neighbour {
    offset: [0.0; 2],
    velocity: [0.0; 2],
    radius: 0.0,
    share: 0.0,
    horizon: 1.0,
};
