//! When an agent has arrived, and how it moves while its pack closes ranks.

use crate::ArrivalRule;
use crate::fixed::{length, subcells_from_cells};
use crate::guide::Lead;
use crate::mate::Role;
use crate::options::MAX_NEIGHBOURS;
use crate::pinch::pinched;
use crate::plan::{Aim, BRAKING, Plan, Tally, View};
use crate::separation::{Limit, limit_in_pack, obey, see};
use crate::sweep::{SweepStop, sweep};
use crate::walk::{Walk, moved, way};
use thalweg_core::flow::{Sample, sample};
use thalweg_core::grid::{CellId, MapPoint};

/// Distance from the centre of a goal cell at which an agent has arrived, in cells.
const AT_GOAL: f32 = 0.03;
/// A gap up to this part of the summed radii counts as touching.
const TOUCH: f32 = 0.15;
/// How long an agent that is stopped by a pack farther from the goal than the pack should reach waits before it joins, in
/// seconds.
const PATIENCE: f32 = 3.0;
/// An agent pushed farther than this from where it came to rest walks back, in cells.
const DISPLACED: f32 = 1.0;

impl View<'_> {
    /// The direction (length 1, or 0 on the spot) and distance to the centre of a cell.
    pub(crate) fn toward_centre(&self, at: MapPoint, cell: CellId) -> ([f32; 2], f32) {
        let offset = way(at, MapPoint::centre_of_id(self.grid, cell));
        let distance = length(offset);
        if distance > 0.0 {
            ([offset[0] / distance, offset[1] / distance], distance)
        } else {
            ([0.0; 2], 0.0)
        }
    }

    /// Whether an agent that rests has been pushed out of its place and its pack. A pack that spreads does not break up.
    pub(crate) fn is_displaced(&self, rank: usize, near: &[u32]) -> bool {
        let limit = subcells_from_cells(DISPLACED).unsigned_abs();
        let (at, rest) = (self.at(rank), self.records[self.mates[rank].slot as usize].rest);
        (at.x.abs_diff(rest.x) > limit || at.y.abs_diff(rest.y) > limit) && self.touched(rank, near).is_none()
    }

    /// The goal cell of the nearest mate of the same group that has arrived and that the agent touches.
    fn touched(&self, rank: usize, near: &[u32]) -> Option<CellId> {
        let me = &self.mates[rank];
        let mates = near
            .iter()
            .map(|&other| (other as usize, &self.mates[other as usize]));
        let mut touched = mates.filter(|&(its_rank, other)| {
            let reach = (me.radius + other.radius) * (1.0 + TOUCH);
            other.role() == Role::Resting
                && other.group == me.group
                && self.square(rank, its_rank) <= reach * reach
        });
        touched
            .next()
            .map(|(_, other)| self.records[other.slot as usize].anchor)
    }

    /// The goal cell at which the agent has arrived, if it has: by standing on its centre, by being stopped on it, or by
    /// being stopped by mates that have arrived.
    pub(crate) fn arrives(&self, rank: usize, aim: &Aim, near: &[u32]) -> Option<CellId> {
        let me = &self.mates[rank];
        if me.role() == Role::Resting || self.groups[usize::from(me.group)].arrival != ArrivalRule::Rest {
            // One pushed off its place walks at least one substep before it may rest elsewhere.
            return None;
        }
        let is_stopped = me.stalled >= self.options.settle;
        if aim.goal.is_some() && aim.speed * BRAKING <= AT_GOAL {
            return aim.goal;
        }
        if !is_stopped {
            return None;
        }
        let joined = self.touched(rank, near).filter(|&goal| {
            // A queue that reaches the pack walks on as long as it can; where walls keep it out it joins in the end.
            let (_, distance) = self.toward_centre(self.at(rank), goal);
            self.packs.reaches(me.group, goal, distance, me.radius) || me.stalled >= PATIENCE
        });
        joined.or(aim.goal)
    }

    /// Where a member of a pack that closes ranks moves: towards the goal, leaning on others; contact does the rest.
    pub(crate) fn close_ranks(
        &self,
        rank: usize,
        aim: &Aim,
        near: &[u32],
        plan: &mut Plan,
        tally: &mut Tally,
    ) -> MapPoint {
        let (me, at) = (&self.mates[rank], self.at(rank));
        let group = &self.groups[usize::from(me.group)];
        let centre = MapPoint::centre_of_id(self.grid, self.records[me.slot as usize].anchor);
        tally.sweeps += 1;
        let intent = if sweep(group.movement, at, centre).stop == SweepStop::Clear {
            aim.intent
        } else if let Some(flow) = group.flow
            && let Sample::Toward(direction) = sample(group.movement, flow, at)
            && pinched(group.movement, Lead::Field(flow), aim.cell).is_none()
        {
            tally.queries += 1;
            direction
        } else {
            return at;
        };
        let mut limits = [Limit::default(); MAX_NEIGHBOURS];
        for (out, &its_rank) in limits.iter_mut().zip(near) {
            let other = &self.mates[its_rank as usize];
            let seen = see(me, at, other, self.at(its_rank as usize));
            *out = limit_in_pack(me, &seen, other, self.headway());
        }
        let wanted = [intent[0] * aim.speed, intent[1] * aim.speed];
        let velocity = obey(wanted, intent, &limits[..near.len()]);
        let step = [velocity[0] * self.seconds, velocity[1] * self.seconds];
        let mut walk = Walk::at(at);
        walk.slide_to(group.movement, moved(at, step.map(subcells_from_cells)));
        walk.keep_clear(
            group.movement,
            plan.clearance,
            subcells_from_cells(self.options.max_push * self.seconds),
        );
        tally.walk(&walk);
        plan.intent = intent;
        plan.wanted = aim.speed * self.seconds;
        walk.at
    }
}
