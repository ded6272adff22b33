//! The passes of a substep over all agents: gather, plan, push apart, commit.
//!
//! Each reads what the one before has written and writes only places of its own, one part of agents per task.

use crate::crowd::Crowd;
use crate::fixed::{cells_from_subcells, dot, subcells_from_cells, subcells_up};
use crate::neighbours::Bins;
use crate::plan::{Fate, Plan, Tally, View};
use crate::separation::contact_push;
use crate::slots::{Body, Slots};
use crate::step::{Mate, Role, Turn};
use crate::walk::Walk;
use crate::{ArrivalRule, Blocker, GroupInput, Outcome};
use thalweg_core::grid::{CellId, Layer, MapPoint};
use thalweg_core::workers::{Workers, for_each_part};

/// Agents per task: some 100 µs of work, many tasks for eight threads at 20,000 agents.
const PART: usize = 512;
/// Below this part of the way it wants, an agent counts as waiting or blocked.
pub(crate) const HINDERED: f32 = 0.2;
/// Below this part of the way it wants, an agent's stall clock runs.
const STALLED: f32 = 0.25;
/// A member of a pack that gets on at more than this part of the way it wants keeps the pack awake.
const STIRRING: f32 = 0.1;

/// Buffers of a step, reused from step to step; nothing in them outlives one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) bins: Bins,
    /// Rank of each live slot.
    pub(crate) rank_of: Vec<u32>,
    pub(crate) at: Vec<MapPoint>,
    pub(crate) mates: Vec<Mate>,
    pub(crate) plans: Vec<Plan>,
    pub(crate) roles: Vec<(Role, [f32; 2])>,
    /// Ranks of the neighbours, a fixed number of places per rank.
    pub(crate) near: Vec<u32>,
    pub(crate) to: Vec<MapPoint>,
    pub(crate) pushed: Vec<MapPoint>,
    pub(crate) tallies: Vec<Tally>,
    /// Slots that arrived, woke, leave or stir their pack, per part.
    pub(crate) events: Vec<Vec<u32>>,
}

impl Scratch {
    /// Sorts the agents into bins and gathers what others read of them.
    pub(crate) fn gather(
        &mut self,
        crowd: &Crowd,
        groups: &[GroupInput<'_>],
        largest: f32,
        workers: &dyn Workers,
    ) {
        let slots = &crowd.slots;
        let reach = subcells_up(2.0 * largest + crowd.options.reach());
        let longest = |side: fn(&Layer) -> u32| crowd.grid.layers().iter().map(side).max().unwrap_or(1);
        let sides = (longest(Layer::width), longest(Layer::height));
        self.bins
            .sort(&slots.x, &slots.y, slots.live_slots(), slots.len(), reach, sides);
        self.rank_of.resize(slots.slots(), 0);
        for (rank, &slot) in (0u32..).zip(&self.bins.order) {
            self.rank_of[slot as usize] = rank;
        }
        let len = slots.len();
        self.at.resize(len, MapPoint::default());
        self.mates.resize(len, NOBODY);
        let parts: Vec<_> = self
            .at
            .chunks_mut(PART)
            .zip(self.mates.chunks_mut(PART))
            .zip(self.bins.order.chunks(PART))
            .collect();
        for_each_part(workers, parts, |_, ((at, mates), order)| {
            for ((at, mate), &slot) in at.iter_mut().zip(mates).zip(order) {
                let index = slot as usize;
                let body = &slots.body[index];
                *at = slots.position(index);
                *mate = Mate {
                    steer: body.steer,
                    intent: body.intent,
                    carry: body.carry,
                    radius: body.radius,
                    max_speed: body.max_speed,
                    stalled: body.stalled,
                    slot,
                    anchor: body.anchor,
                    rest: body.rest,
                    group: slots.group[index].0,
                    role: role_of(slots.outcome[index]),
                    groups_arrival: groups[usize::from(slots.group[index].0)].arrival,
                };
            }
        });
    }

    pub(crate) fn plan<'a>(
        &'a mut self,
        view_of: impl FnOnce(&'a Bins, &'a [MapPoint], &'a [Mate]) -> View<'a>,
        stride: usize,
        workers: &dyn Workers,
    ) {
        let len = self.at.len();
        self.plans.resize(len, Plan::default());
        self.roles.resize(len, (Role::Walking, [0.0; 2]));
        self.near.resize(len * stride, 0);
        self.to.resize(len, MapPoint::default());
        self.pushed.resize(len, MapPoint::default());
        self.tallies.clear();
        self.tallies.resize(len.div_ceil(PART), Tally::default());
        let view = view_of(&self.bins, &self.at, &self.mates);
        let parts: Vec<_> = self
            .plans
            .chunks_mut(PART)
            .zip(self.roles.chunks_mut(PART))
            .zip(self.near.chunks_mut(PART * stride))
            .zip(self.to.chunks_mut(PART))
            .zip(&mut self.tallies)
            .collect();
        for_each_part(workers, parts, |part, ((((plans, roles), near), to), tally)| {
            let ranks = part * PART..;
            for ((((rank, plan), role), near), to) in
                ranks.zip(plans).zip(roles).zip(near.chunks_mut(stride)).zip(to)
            {
                (*plan, *to) = view.plan(rank, near, tally);
                *role = (
                    match plan.fate {
                        Fate::Walks => Role::Walking,
                        Fate::Rests => Role::Resting,
                        Fate::ClosesRanks | Fate::Arrives(_) => Role::Closing,
                        Fate::Leaves | Fate::Stands(Outcome::NoDirection) => Role::Idle,
                        Fate::Stands(_) => Role::Fixed,
                    },
                    plan.intent,
                );
            }
        });
    }

    /// One contact pass: reads `to`, writes `pushed`, and swaps them.
    pub(crate) fn push_apart(
        &mut self,
        crowd: &Crowd,
        groups: &[GroupInput<'_>],
        seconds: f32,
        workers: &dyn Workers,
    ) {
        let options = &crowd.options;
        let stride = usize::from(options.neighbours);
        // A push is spread over the passes and never carries a centre farther than a walk may.
        let by_speed = options.max_push * seconds;
        let most = if by_speed < options.max_travel {
            by_speed
        } else {
            options.max_travel
        };
        let (to, mates, roles, plans, near) = (&self.to, &self.mates, &self.roles, &self.plans, &self.near);
        let parts: Vec<_> = self.pushed.chunks_mut(PART).zip(&mut self.tallies).collect();
        for_each_part(workers, parts, |part, (pushed, tally)| {
            for (rank, pushed) in (part * PART..).zip(pushed) {
                let (at, plan) = (to[rank], &plans[rank]);
                *pushed = at;
                if roles[rank].0 == Role::Fixed || plan.neighbours == 0 {
                    continue;
                }
                let first = rank * stride;
                let near = &near[first..first + usize::from(plan.neighbours)];
                let push = contact_push(rank, near, mates, roles, to, options, seconds, most);
                let step = [subcells_from_cells(push[0]), subcells_from_cells(push[1])];
                if step == [0, 0] {
                    continue;
                }
                let movement = groups[usize::from(mates[rank].group)].movement;
                let mut walk = Walk::at(at);
                let target = crate::walk::moved(at, step);
                walk.slide_to(movement, target);
                walk.keep_clear(movement, plan.clearance, subcells_from_cells(most));
                tally.walk(&walk);
                *pushed = walk.at;
            }
        });
        core::mem::swap(&mut self.to, &mut self.pushed);
    }

    /// Writes the plans back, by slot.
    pub(crate) fn commit(&mut self, slots: &mut Slots, turn: &Turn, workers: &dyn Workers) {
        self.events.resize_with(slots.slots().div_ceil(PART), Vec::new);
        let (rank_of, plans, to, live) = (&self.rank_of, &self.plans, &self.to, &slots.live);
        let parts: Vec<_> = slots
            .x
            .chunks_mut(PART)
            .zip(slots.y.chunks_mut(PART))
            .zip(slots.layer.chunks_mut(PART))
            .zip(slots.outcome.chunks_mut(PART))
            .zip(slots.body.chunks_mut(PART))
            .zip(&mut self.events)
            .collect();
        for_each_part(
            workers,
            parts,
            |part, (((((xs, ys), layers), outcomes), bodies), events)| {
                events.clear();
                let first = part * PART;
                let agents = xs.iter_mut().zip(ys).zip(layers).zip(outcomes).zip(bodies);
                for (offset, ((((x, y), layer), outcome), body)) in agents.enumerate() {
                    let slot = first + offset;
                    if !live[slot] {
                        continue;
                    }
                    let rank = rank_of[slot] as usize;
                    let old = MapPoint::new(*x, *y).on(*layer);
                    (*x, *y, *layer) = (to[rank].x, to[rank].y, to[rank].layer);
                    let was = *outcome;
                    *outcome = settle_body(body, was, old, to[rank], &plans[rank], turn);
                    let plan = &plans[rank];
                    let is_event = match plan.fate {
                        Fate::Leaves => true,
                        Fate::ClosesRanks => {
                            plan.wanted > 0.0 && gained(old, to[rank], plan) > STIRRING * plan.wanted
                        }
                        _ => (was == Outcome::Arrived) != (*outcome == Outcome::Arrived),
                    };
                    if is_event {
                        events.push(u32::try_from(slot).unwrap_or(u32::MAX));
                    }
                }
            },
        );
    }
}

/// How far an agent got along its intent, in cells.
fn gained(old: MapPoint, at: MapPoint, plan: &Plan) -> f32 {
    let moved = [
        cells_from_subcells(at.x - old.x),
        cells_from_subcells(at.y - old.y),
    ];
    dot(moved, plan.intent)
}

/// Takes a plan over into an agent and says what became of it.
fn settle_body(
    body: &mut Body,
    was: Outcome,
    old: MapPoint,
    at: MapPoint,
    plan: &Plan,
    turn: &Turn,
) -> Outcome {
    if turn.is_first {
        body.start = old;
        body.wanted = 0.0;
        body.gained = 0.0;
        body.before = was;
    }
    body.steer = plan.steer;
    body.carry = plan.carry;
    body.intent = plan.intent;
    let gained = gained(old, at, plan);
    body.wanted += plan.wanted;
    body.gained += gained;
    let outcome = match plan.fate {
        Fate::Walks => {
            if gained < STALLED * plan.wanted {
                body.stalled += turn.seconds;
            } else {
                let left = body.stalled - 2.0 * turn.seconds;
                body.stalled = if left > 0.0 { left } else { 0.0 };
            }
            match plan.blocker {
                Blocker::Agent(_) if body.gained < HINDERED * body.wanted => Outcome::Waiting,
                Blocker::Wall { .. } if body.gained < HINDERED * body.wanted => Outcome::BlockedBySweep,
                _ => Outcome::Moved,
            }
        }
        Fate::Rests => Outcome::Arrived,
        Fate::ClosesRanks => {
            body.rest = at;
            Outcome::Arrived
        }
        Fate::Leaves => Outcome::Arrived,
        Fate::Arrives(goal) => {
            body.anchor = goal;
            body.rest = at;
            Outcome::Arrived
        }
        Fate::Stands(outcome) => outcome,
    };
    if plan.fate != Fate::Walks {
        body.stalled = 0.0;
    }
    body.blocker = if outcome == Outcome::Moved {
        Blocker::Nothing
    } else {
        plan.blocker
    };
    // A leap is not counted as speed: the start leaps along, perhaps beyond what a number holds.
    body.start = at.at(
        body.start.x.wrapping_add(plan.leap[0]),
        body.start.y.wrapping_add(plan.leap[1]),
    );
    if turn.is_last {
        let moved = [
            cells_from_subcells(at.x.wrapping_sub(body.start.x)),
            cells_from_subcells(at.y.wrapping_sub(body.start.y)),
        ];
        body.velocity = [moved[0] / turn.dt, moved[1] / turn.dt];
        if outcome != body.before {
            body.since = turn.tick;
        }
    }
    outcome
}

const fn role_of(outcome: Outcome) -> Role {
    match outcome {
        Outcome::Arrived => Role::Resting,
        Outcome::NoDirection => Role::Idle,
        Outcome::StaleField | Outcome::Outside => Role::Fixed,
        _ => Role::Walking,
    }
}

/// Fills buffers before agents are gathered into them.
const NOBODY: Mate = Mate {
    steer: [0.0; 2],
    intent: [0.0; 2],
    carry: [0.0; 2],
    radius: 0.0,
    max_speed: 0.0,
    stalled: 0.0,
    slot: 0,
    anchor: CellId(0),
    rest: MapPoint::new(0, 0),
    group: 0,
    role: Role::Walking,
    groups_arrival: ArrivalRule::Rest,
};
