//! How fast each agent goes, so that it minds its neighbours.
//!
//! Sixteen agents at a time, each in a lane of its own, with their nearest neighbours side by side, then their second
//! nearest, and so on: the rule goes through the neighbours of an agent in order, so lanes across agents are what can be
//! done at once. The loops over lanes have no branches and are left to the compiler to turn into vectors; whether it does
//! decides the speed and never the result.

#![expect(
    clippy::needless_range_loop,
    reason = "one lane of many arrays at once; loops over lanes are what becomes vectors"
)]

use super::{Part, near_of};
use crate::Avoidance;
use crate::fixed::{cells_from_subcells, length, limited};
use crate::mate::Role;
use crate::options::MAX_NEIGHBOURS;
use crate::plan::{Todo, View};
use crate::separation::{BEHIND, CLOSE, LEANS_BESIDE, LEANS_ON, parting, precedence, share_of};
use thalweg_core::grid::{CellId, Direction, SUBCELLS};

/// Agents that are worked together.
const LANES: usize = 16;
/// From which sine of the angle between their ways on another comes across, to the right.
const ACROSS: f32 = 0.8;
/// From which cosine of the angle to its way on another is ahead of an agent.
const AHEAD: f32 = 0.3;
type Floats = [f32; LANES];

/// The agents of a block.
struct Own {
    intent: [Floats; 2],
    steer: [Floats; 2],
    radius: Floats,
    max_speed: Floats,
    impatience: Floats,
    speed: Floats,
    /// The least and the most speed along each axis that keeps the body off the walls of its cell, in cells per second.
    walls: [[Floats; 2]; 2],
}

/// One neighbour of each agent of a block.
struct Other {
    /// From the agent to its neighbour, in cells.
    offset: [Floats; 2],
    /// The same if they are on one point: a rule instead.
    parting: [Floats; 2],
    intent: [Floats; 2],
    steer: [Floats; 2],
    radius: Floats,
    /// See [`WALKS`] and its sisters; 0 where there is no neighbour.
    is: [u32; LANES],
}

/// What a neighbour is, as bits, so that one number is handed over. It walks.
const WALKS: u32 = 1;
/// It is at rest or without a way, and of another group: it is leaned on.
const IS_LEANED_ON: u32 = 2;
/// It is at rest, of the same group.
const IS_RESTING_MATE: u32 = 4;
/// Its slot is the higher one.
const IS_HIGHER: u32 = 8;
/// It walks, and is of another group.
const GOES_ELSEWHERE: u32 = 32;
/// There is one.
const IS_THERE: u32 = 16;

/// What the agents of a block mind of one neighbour each.
#[derive(Clone, Copy)]
struct Limits {
    toward: [Floats; 2],
    /// The fastest the agent may go towards it, in cells per second.
    most: Floats,
    /// The part of an excess that this agent gives up.
    share: Floats,
    /// Whether it goes before the neighbour, see [`precedence`].
    first: Floats,
    gap: Floats,
}

const NO_LIMITS: Limits = Limits {
    toward: [[0.0; LANES]; 2],
    most: [0.0; LANES],
    share: [0.0; LANES],
    first: [0.0; LANES],
    gap: [0.0; LANES],
};

impl Part<'_> {
    /// Chooses the velocities of those who walk.
    pub(super) fn avoid(&mut self, view: &View<'_>) {
        if view.options.avoidance == Avoidance::Off {
            for (aim, index) in self.aims.iter_mut().zip(0..) {
                if aim.todo == Todo::Walk {
                    aim.velocity = limited(view.eased(self.first + index, aim.intent, aim.speed), aim.speed);
                }
            }
            return;
        }
        self.note_rest(view);
        if view.options.avoidance == Avoidance::VelocityObstacles {
            self.avoid_obstacles(view);
            return;
        }
        let walkers = core::mem::take(self.walkers);
        view.options.vectors.run(
            #[inline(always)]
            || {
                for block in walkers.chunks(LANES) {
                    self.avoid_block(view, block);
                }
            },
        );
        *self.walkers = walkers;
    }

    /// What the contact passes are to know of those who do not walk.
    fn note_rest(&mut self, view: &View<'_>) {
        for (index, aim) in self.aims.iter().enumerate() {
            if aim.todo == Todo::Walk {
                continue;
            }
            let is_apart = aim.todo == Todo::Coast || self.counts[index] == 0;
            self.gaps[index] = if is_apart {
                f32::INFINITY
            } else {
                f32::NEG_INFINITY
            };
            let rank = self.first + index;
            for &other in near_of(self.near, self.counts, index, view.stride()) {
                let touching = view.mates[rank].radius + view.mates[other as usize].radius;
                let square = view.square(rank, other as usize);
                if square < touching * touching {
                    self.tally.overlap(touching - square.sqrt());
                }
            }
        }
    }

    /// Up to as many walkers as there are lanes, by their indices in this part.
    #[inline(always)]
    fn avoid_block(&mut self, view: &View<'_>, block: &[u16]) {
        let stride = view.stride();
        let mut own = Own {
            intent: [[0.0; LANES]; 2],
            steer: [[0.0; LANES]; 2],
            radius: [0.0; LANES],
            max_speed: [0.0; LANES],
            impatience: [0.0; LANES],
            speed: [0.0; LANES],
            walls: [[[f32::NEG_INFINITY; LANES], [f32::INFINITY; LANES]]; 2],
        };
        let mut most_neighbours = 0;
        for (lane, &index) in block.iter().enumerate().take(LANES) {
            let index = usize::from(index);
            let (aim, me) = (&self.aims[index], &view.mates[self.first + index]);
            own.intent[0][lane] = aim.intent[0];
            own.intent[1][lane] = aim.intent[1];
            own.steer[0][lane] = me.steer[0];
            own.steer[1][lane] = me.steer[1];
            own.radius[lane] = me.radius;
            own.max_speed[lane] = me.max_speed;
            own.impatience[lane] = me.stalled.clamp(0.0, 1.0);
            own.speed[lane] = aim.speed;
            let clearance = self.plans[index].clearance;
            if clearance > 0 && aim.pinch.is_none() {
                let walls = view.walls(self.first + index, aim.cell, clearance);
                for (own, [least, most]) in own.walls.iter_mut().zip(walls) {
                    own[0][lane] = least;
                    own[1][lane] = most;
                }
            }
            most_neighbours = most_neighbours.max(self.counts[index]);
        }
        let mut limits = [NO_LIMITS; MAX_NEIGHBOURS];
        let limits = &mut limits[..usize::from(most_neighbours).min(MAX_NEIGHBOURS)];
        let mut aside = [0.0f32; LANES];
        let mut least_gap = [f32::INFINITY; LANES];
        let mut touching = [-1i32; LANES];
        for (limits, index) in limits.iter_mut().zip(0u8..) {
            let other = self.neighbours_at(view, block, usize::from(index));
            own.limit(&other, view, limits, &mut aside);
            for lane in 0..LANES {
                let ahead = limits.toward[0][lane] * own.intent[0][lane]
                    + limits.toward[1][lane] * own.intent[1][lane];
                let is_first = (limits.gap[lane] < 0.0) & (ahead > AHEAD) & (touching[lane] < 0);
                touching[lane] = if is_first {
                    i32::from(index)
                } else {
                    touching[lane]
                };
                let gap = limits.gap[lane];
                least_gap[lane] = pick(gap < least_gap[lane], gap, least_gap[lane]);
            }
        }
        let mut least = f32::INFINITY;
        for (&index, gap) in block.iter().zip(least_gap) {
            self.gaps[usize::from(index)] = gap;
            least = pick(gap < least, gap, least);
        }
        self.tally.overlap(-least);
        own.lean(limits);
        let (velocity, worst) = own.velocity(view, limits, &aside);
        for (lane, &index) in block.iter().enumerate().take(LANES) {
            let index = usize::from(index);
            let aim = &mut self.aims[index];
            aim.velocity = [velocity[0][lane], velocity[1][lane]];
            // Whom no limit slows down may still be held by a body that it presses on.
            let is_cut = worst[lane] >= 0;
            let blocker = if is_cut { worst[lane] } else { touching[lane] };
            if let Ok(blocker) = usize::try_from(blocker) {
                let rank = self.near[index * stride + blocker];
                if is_cut {
                    aim.in_the_way = Some(rank);
                }
                self.plans[index].blocker = view.blocker(rank);
            }
        }
    }

    /// The nearest, second nearest, ... neighbour of each agent of a block.
    #[inline(always)]
    fn neighbours_at(&self, view: &View<'_>, block: &[u16], which: usize) -> Other {
        let mut other = Other {
            offset: [[0.0; LANES]; 2],
            parting: [[0.0; LANES]; 2],
            intent: [[0.0; LANES]; 2],
            steer: [[0.0; LANES]; 2],
            radius: [0.0; LANES],
            is: [0; LANES],
        };
        for (lane, &index) in block.iter().enumerate().take(LANES) {
            let index = usize::from(index);
            if which >= usize::from(self.counts[index]) {
                continue;
            }
            let rank = self.first + index;
            let its_rank = self.near[index * view.stride() + which] as usize;
            let (me, its) = (&view.mates[rank], &view.mates[its_rank]);
            let (dx, dy) = (
                view.xs[its_rank].wrapping_sub(view.xs[rank]),
                view.ys[its_rank].wrapping_sub(view.ys[rank]),
            );
            other.offset[0][lane] = cells_from_subcells(dx);
            other.offset[1][lane] = cells_from_subcells(dy);
            if dx == 0 && dy == 0 {
                let [x, y] = parting(me.slot, its.slot);
                other.parting[0][lane] = x;
                other.parting[1][lane] = y;
            }
            other.intent[0][lane] = its.intent[0];
            other.intent[1][lane] = its.intent[1];
            other.steer[0][lane] = its.steer[0];
            other.steer[1][lane] = its.steer[1];
            other.radius[lane] = its.radius;
            let role = match (its.role(), its.group == me.group) {
                (Role::Walking, true) => WALKS,
                (Role::Walking, false) => WALKS | GOES_ELSEWHERE,
                (Role::Resting, true) => IS_RESTING_MATE,
                (Role::Resting | Role::Idle, false) => IS_LEANED_ON,
                _ => 0,
            };
            other.is[lane] = IS_THERE | role | if me.slot < its.slot { IS_HIGHER } else { 0 };
        }
        other
    }
}

impl Own {
    /// How fast each agent may go towards its neighbour, and how much it keeps to the right of it.
    #[inline(always)]
    fn limit(&self, other: &Other, view: &View<'_>, limits: &mut Limits, aside: &mut Floats) {
        let (headway, look_ahead) = (view.headway(), view.options.look_ahead);
        let time_gap = view.options.time_gap / headway;
        for lane in 0..LANES {
            let intent = [self.intent[0][lane], self.intent[1][lane]];
            let its_intent = [other.intent[0][lane], other.intent[1][lane]];
            let offset = [other.offset[0][lane], other.offset[1][lane]];
            let distance = length(offset);
            let is_apart = distance > 0.0;
            let toward = [
                pick(is_apart, offset[0] / distance, other.parting[0][lane]),
                pick(is_apart, offset[1] / distance, other.parting[1][lane]),
            ];
            let gap = distance - (self.radius[lane] + other.radius[lane]);
            let along = its_intent[0] * intent[0] + its_intent[1] * intent[1];
            let its = other.is[lane];
            let is_walking = its & WALKS != 0;
            // 0 for one that goes the same way or crosses gently, 1 for one that comes straight on.
            let opposed = pick(
                is_walking,
                (0.5 - along).clamp(0.0, 1.5) / 1.5,
                pick(its & IS_RESTING_MATE != 0, 0.0, 1.0),
            );
            // Others that stand in the way are leaned on, and give way. A knot of agents that go different ways opens only
            // if they push; a queue must not.
            let impatience = self.impatience[lane];
            let max_speed = self.max_speed[lane];
            let presses = pick(
                its & IS_LEANED_ON != 0,
                LEANS_ON * max_speed,
                opposed * impatience * LEANS_ON * max_speed,
            );
            let closing = pick(gap > 0.0, gap / headway, 0.0);
            let first = pick(
                is_walking,
                precedence(toward, its & IS_HIGHER != 0, intent, its_intent),
                0.0,
            );
            let share = pick(is_walking, share_of(first), 1.0);
            // Half of the gap is everybody's own, however fast the other comes: two who both gave way to what the other did
            // a substep ago would take turns in stopping.
            let its_speed = other.steer[0][lane] * toward[0] + other.steer[1][lane] * toward[1];
            // Solved for the speed at which the gap that is left to close is that beyond what the speed itself keeps.
            // Distance is kept from who goes the same way; who comes across or towards one is passed.
            let kept = 1.0 + time_gap * pick(is_walking & (along > 0.0), along, 0.0);
            let follow = (its_speed + closing) / kept;
            let own = 0.5 * closing;
            let is_there = its != 0;
            limits.toward[0][lane] = toward[0];
            limits.toward[1][lane] = toward[1];
            limits.most[lane] = pick(is_there, pick(follow > own, follow, own) + presses, f32::INFINITY);
            limits.share[lane] = pick(is_there, share, 0.0);
            limits.first[lane] = pick(is_there, first, 0.0);
            limits.gap[lane] = pick(is_there, gap, f32::INFINITY);
            let ahead = toward[0] * intent[0] + toward[1] * intent[1];
            let nearness = 1.0 - pick(gap > 0.0, gap / look_ahead, 0.0);
            let pull = nearness * ahead * opposed * (1.0 + impatience);
            let is_met = is_there & (opposed > 0.0) & (ahead > AHEAD) & (gap < look_ahead);
            // Who comes across is passed behind: one that turned to its right before somebody from the left would walk along
            // with it, and two such streams would end in a corner together. Not so among mates, who only come together.
            let to_right = intent[0] * its_intent[1] - intent[1] * its_intent[0];
            let comes_across = (its & GOES_ELSEWHERE != 0) & (to_right > ACROSS);
            let turn = pick(comes_across, -pull, pull);
            aside[lane] = pick(is_met & (pull > aside[lane].abs()), turn, aside[lane]);
        }
    }

    /// Lets an agent that nobody is close ahead of lean on those beside it that it goes before: two who reach a door at once
    /// would hold each other up for ever. Inside a queue nobody leans; there it would only be jostling.
    #[inline(always)]
    fn lean(&self, limits: &mut [Limits]) {
        let mut is_led = [false; LANES];
        for limits in &*limits {
            for lane in 0..LANES {
                is_led[lane] |= (limits.first[lane] < -BEHIND) & (limits.gap[lane] < CLOSE);
            }
        }
        for limits in limits {
            for lane in 0..LANES {
                let first = limits.first[lane];
                let leaning = first * LEANS_BESIDE * self.max_speed[lane];
                limits.most[lane] += pick((first > 0.0) & !is_led[lane], leaning, 0.0);
            }
        }
    }

    /// The velocity nearest to the wanted one (within the passes) that keeps the limits, and the index of the neighbour whose
    /// limit took most out of it; −1 if none took anything.
    #[inline(always)]
    fn velocity(&self, view: &View<'_>, limits: &[Limits], aside: &Floats) -> ([Floats; 2], [i32; LANES]) {
        let response = view.response();
        let [mut vx, mut vy] = [[0.0f32; LANES]; 2];
        for lane in 0..LANES {
            // Everybody keeps to the right of what comes towards them: a rule that needs no agreement.
            let (x, y) = (self.intent[0][lane], self.intent[1][lane]);
            let turned = [x - y * aside[lane], y + x * aside[lane]];
            let turned_length = length(turned);
            let scale = pick(turned_length > 0.0, self.speed[lane] / turned_length, 0.0);
            let wanted = [turned[0] * scale, turned[1] * scale];
            let (sx, sy) = (self.steer[0][lane], self.steer[1][lane]);
            vx[lane] = sx + (wanted[0] - sx) * response;
            vy[lane] = sy + (wanted[1] - sy) * response;
        }
        let mut worst = [-1i32; LANES];
        let mut worst_cut = [0.0f32; LANES];
        for pass in 0..2 {
            for (limits, index) in limits.iter().zip(0i32..) {
                for lane in 0..LANES {
                    let toward = [limits.toward[0][lane], limits.toward[1][lane]];
                    let excess = vx[lane] * toward[0] + vy[lane] * toward[1] - limits.most[lane];
                    let cut = pick(excess > 0.0, excess * limits.share[lane], 0.0);
                    vx[lane] -= toward[0] * cut;
                    vy[lane] -= toward[1] * cut;
                    let is_worst = (pass == 0) & (cut > worst_cut[lane]);
                    worst[lane] = if is_worst { index } else { worst[lane] };
                    worst_cut[lane] = pick(is_worst, cut, worst_cut[lane]);
                }
            }
            // What is taken out towards a neighbour must not lead into a wall: the rest of such a velocity would wedge the
            // agent in between the two. Whom nobody cuts short is stopped by the wall itself, and told so.
            for lane in 0..LANES {
                let is_cut = worst[lane] >= 0;
                let x = within(vx[lane], self.walls[0][0][lane], self.walls[0][1][lane]);
                let y = within(vy[lane], self.walls[1][0][lane], self.walls[1][1][lane]);
                vx[lane] = pick(is_cut, x, vx[lane]);
                vy[lane] = pick(is_cut, y, vy[lane]);
            }
        }
        for lane in 0..LANES {
            // An agent does not walk backwards by itself: that is what pushes are for. Without this, the limits of two who
            // retreat from each other feed on each other.
            let (x, y) = (self.intent[0][lane], self.intent[1][lane]);
            let along = vx[lane] * x + vy[lane] * y;
            let back = pick((worst[lane] >= 0) & (along < 0.0), along, 0.0);
            vx[lane] -= x * back;
            vy[lane] -= y * back;
        }
        // Between several neighbours projections can go round in circles; then the agent slows down until all limits hold.
        let mut scale = [1.0f32; LANES];
        for limits in limits {
            for lane in 0..LANES {
                let toward = vx[lane] * limits.toward[0][lane] + vy[lane] * limits.toward[1][lane];
                let most = pick(limits.most[lane] > 0.0, limits.most[lane], 0.0);
                let is_over = (limits.share[lane] >= 0.5) & (toward * scale[lane] > most);
                scale[lane] = pick(is_over, most / toward, scale[lane]);
            }
        }
        for lane in 0..LANES {
            let scale = pick(worst[lane] >= 0, scale[lane], 1.0);
            let [x, y] = limited([vx[lane] * scale, vy[lane] * scale], self.speed[lane]);
            vx[lane] = x;
            vy[lane] = y;
        }
        ([vx, vy], worst)
    }
}

impl View<'_> {
    /// The part of the way to a new velocity that one substep takes an agent.
    #[inline(always)]
    fn response(&self) -> f32 {
        if self.seconds < self.options.response {
            self.seconds / self.options.response
        } else {
            1.0
        }
    }

    /// How fast an agent may go along each axis, least and most, so that its body comes up to the closed sides of its cell
    /// and not beyond. Corners are left to [`Walk::keep_clear`](crate::walk::Walk::keep_clear).
    fn walls(&self, rank: usize, cell: CellId, clearance: i32) -> [[f32; 2]; 2] {
        let exits = self.groups[usize::from(self.mates[rank].group)]
            .movement
            .exits(cell);
        if exits.bits() == u8::MAX {
            return [[f32::NEG_INFINITY, f32::INFINITY]; 2];
        }
        let speed = |room: i32| cells_from_subcells(room.max(0)) / self.seconds;
        let along = |at: i32, low: Direction, high: Direction| {
            let local = at & (SUBCELLS - 1);
            [
                pick(exits.contains(low), f32::NEG_INFINITY, -speed(local - clearance)),
                pick(
                    exits.contains(high),
                    f32::INFINITY,
                    speed(SUBCELLS - clearance - local),
                ),
            ]
        };
        [
            along(self.xs[rank], Direction::W, Direction::E),
            along(self.ys[rank], Direction::N, Direction::S),
        ]
    }

    /// The velocity of an agent that minds nobody.
    pub(super) fn eased(&self, rank: usize, intent: [f32; 2], speed: f32) -> [f32; 2] {
        let (steer, response) = (self.mates[rank].steer, self.response());
        let ease = |from: f32, to: f32| from + (to * speed - from) * response;
        [ease(steer[0], intent[0]), ease(steer[1], intent[1])]
    }
}

/// A number cut to a range.
#[inline(always)]
const fn within(value: f32, least: f32, most: f32) -> f32 {
    pick(value < least, least, pick(value > most, most, value))
}

/// A choice without a branch.
#[inline(always)]
const fn pick(condition: bool, yes: f32, no: f32) -> f32 {
    if condition { yes } else { no }
}
