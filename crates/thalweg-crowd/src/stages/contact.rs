//! Pushes bodies apart that overlap after the walk.

use super::{PART, Scratch, near_of};
use crate::fixed::{cells_from_subcells, subcells_from_cells};
use crate::mate::Role;
use crate::plan::{Fate, View};
use crate::separation::{Touching, contact_push};
use crate::walk::Walk;
use thalweg_core::workers::{Workers, for_each_part};

/// A little more than the longest way whose parts along both axes are at most 1.
const DIAGONAL: f32 = 1.415;

impl Scratch {
    /// The contact passes of a substep.
    pub(crate) fn push_apart(&mut self, view: &View<'_>, workers: &dyn Workers) {
        // How far anybody can be from where it was before the walk, in cells.
        let farthest = self.tallies.iter().map(|tally| tally.farthest).max().unwrap_or(0);
        let mut shifted = cells_from_subcells(i32::try_from(farthest).unwrap_or(i32::MAX)) * DIAGONAL;
        for _ in 0..view.options.contact_passes {
            shifted += self.contact_pass(view, shifted, workers);
        }
    }

    /// One pass: reads `to`, writes `pushed`, and swaps them. `shifted` tells how far anybody is at most from where it was before
    /// the walk, in cells; returns by how much that may have grown.
    fn contact_pass(&mut self, view: &View<'_>, shifted: f32, workers: &dyn Workers) -> f32 {
        let (options, stride) = (view.options, view.stride());
        // A push is spread over the passes and never carries a centre farther than a walk may.
        let by_speed = options.max_push * view.seconds;
        let most = if by_speed < options.max_travel {
            by_speed
        } else {
            options.max_travel
        };
        self.pushed.resize(self.to.len(), Default::default());
        // Whoever had more room than two can close between them touches nobody now.
        let room = 2.0 * shifted + 0.001;
        let touching = Touching {
            mates: view.mates,
            records: view.records,
            roles: &self.roles,
            at: &self.to,
            largest: view.largest,
        };
        let (plans, near, counts, gaps) = (&self.plans, &self.near, &self.counts, &self.gaps);
        let parts: Vec<_> = self.pushed.chunks_mut(PART).zip(&mut self.tallies).collect();
        for_each_part(workers, parts, |part, (pushed, tally)| {
            for (rank, pushed) in (part * PART..).zip(pushed) {
                let at = touching.at[rank];
                *pushed = at;
                if gaps[rank] > room {
                    continue;
                }
                let near = near_of(near, counts, rank, stride);
                let leaves = plans[rank].fate == Fate::Leaves;
                if near.is_empty() || leaves || touching.roles[rank].0 == Role::Fixed {
                    continue;
                }
                let push = contact_push(rank, near, &touching, options, view.seconds, most);
                let step = [subcells_from_cells(push[0]), subcells_from_cells(push[1])];
                if step == [0, 0] {
                    continue;
                }
                let movement = view.groups[usize::from(view.mates[rank].group)].movement;
                let mut walk = Walk::at(at);
                walk.slide_to(movement, crate::walk::moved(at, step));
                walk.keep_clear(movement, plans[rank].clearance, subcells_from_cells(most));
                tally.walk(&walk);
                *pushed = walk.at;
            }
        });
        core::mem::swap(&mut self.to, &mut self.pushed);
        // A push, and what keeps it clear of walls after it.
        most * (1.0 + DIAGONAL)
    }
}
