//! Pushes bodies apart that overlap after the walk.

use super::{PART, Scratch};
use crate::fixed::subcells_from_cells;
use crate::mate::Role;
use crate::plan::View;
use crate::separation::{Touching, contact_push};
use crate::walk::Walk;
use thalweg_core::workers::{Workers, for_each_part};

impl Scratch {
    /// One contact pass: reads `to`, writes `pushed`, and swaps them.
    pub(crate) fn push_apart(&mut self, view: &View<'_>, workers: &dyn Workers) {
        let (options, stride) = (view.options, view.stride());
        // A push is spread over the passes and never carries a centre farther than a walk may.
        let by_speed = options.max_push * view.seconds;
        let most = if by_speed < options.max_travel {
            by_speed
        } else {
            options.max_travel
        };
        self.pushed.resize(self.to.len(), Default::default());
        let touching = Touching {
            mates: view.mates,
            roles: &self.roles,
            at: &self.to,
        };
        let (plans, near, counts) = (&self.plans, &self.near, &self.counts);
        let parts: Vec<_> = self.pushed.chunks_mut(PART).zip(&mut self.tallies).collect();
        for_each_part(workers, parts, |part, (pushed, tally)| {
            for (rank, pushed) in (part * PART..).zip(pushed) {
                let at = touching.at[rank];
                *pushed = at;
                let first = rank * stride;
                let near = &near[first..first + usize::from(counts[rank])];
                if near.is_empty() || touching.roles[rank].0 == Role::Fixed {
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
    }
}
