//! What one agent does in one substep, from the state before it: the order of DESIGN 2.7 up to the sweep.

use crate::arrival::Packs;
use crate::fixed::{SUBCELLS_F, cells_from_subcells, dot, length, limited, subcells_from_cells, whole};
use crate::neighbours::{Bins, Near, Nearest};
use crate::options::MAX_NEIGHBOURS;
use crate::pinch::{hop, pinched};
use crate::separation::{Limit, lean, limit, limit_in_pack, obey, see};
use crate::step::{HINDERED, Mate, Role};
use crate::sweep::{SweepStop, sweep};
use crate::walk::Walk;
use crate::{AgentId, ArrivalRule, Avoidance, Blocker, CrowdOptions, GroupInput, Outcome, StalePolicy};
use thalweg_core::flow::{FlowField, Sample, sample};
use thalweg_core::grid::{CellId, Direction, DirectionSet, Grid, MapPoint};
use thalweg_core::movement::Movement;

/// Distance from the centre of a goal cell at which an agent has arrived, in cells.
const AT_GOAL: f32 = 0.03;
/// The least time in which an agent covers what is left to the goal's centre, in seconds: it slows down before it.
const BRAKING: f32 = 0.15;
/// A gap up to this part of the summed radii counts as touching.
const TOUCH: f32 = 0.15;
/// How long an agent that is stopped by a pack farther from the goal than the pack should reach waits before it joins, in
/// seconds.
const PATIENCE: f32 = 3.0;
/// The part of its top speed at which an agent leans on others that stand in its way.
const LEANS: f32 = 0.3;
/// An agent pushed farther than this from where it came to rest walks back, in cells.
const DISPLACED: f32 = 1.0;

/// What all agents of a substep read.
pub(crate) struct View<'a> {
    pub(crate) grid: Grid,
    pub(crate) groups: &'a [GroupInput<'a>],
    pub(crate) options: &'a CrowdOptions,
    /// Length of the substep in seconds.
    pub(crate) seconds: f32,
    pub(crate) packs: &'a Packs,
    pub(crate) generation: &'a [u32],
    pub(crate) bins: &'a Bins,
    pub(crate) at: &'a [MapPoint],
    pub(crate) mates: &'a [Mate],
    /// The largest radius in the crowd, in cells.
    pub(crate) largest: f32,
}

/// What becomes of an agent's state after the substep.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) enum Fate {
    /// It walks; how far it gets decides its outcome.
    #[default]
    Walks,
    /// It rests on.
    Rests,
    /// It has arrived and leans towards its goal, until its pack sleeps.
    ClosesRanks,
    /// It comes to rest at this goal cell.
    Arrives(CellId),
    /// It leaves the simulation.
    Leaves,
    /// It stands, for this reason.
    Stands(Outcome),
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) steer: [f32; 2],
    pub(crate) carry: [f32; 2],
    pub(crate) intent: [f32; 2],
    /// How far it wants to get along its intent, in cells.
    pub(crate) wanted: f32,
    pub(crate) fate: Fate,
    pub(crate) blocker: Blocker,
    /// Distance to keep from walls, in subcells.
    pub(crate) clearance: i32,
    /// How many neighbours it minds.
    pub(crate) neighbours: u8,
}

/// What is counted on the way; sums of whole numbers and one maximum, so their order does not show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) queries: u64,
    pub(crate) sweeps: u64,
    pub(crate) refusals: u64,
    pub(crate) deepest: i32,
}

impl Tally {
    pub(crate) fn walk(&mut self, walk: &Walk) {
        self.sweeps += u64::from(walk.sweeps);
        self.refusals += u64::from(walk.refusals);
    }

    pub(crate) fn join(&mut self, other: &Self) {
        self.queries += other.queries;
        self.sweeps += other.sweeps;
        self.refusals += other.refusals;
        self.deepest = self.deepest.max(other.deepest);
    }
}

/// Where an agent wants to go, and how fast.
struct Aim {
    intent: [f32; 2],
    /// Cells per second.
    speed: f32,
    /// The goal cell it is on, if it is on one.
    goal: Option<CellId>,
}

impl View<'_> {
    /// Plans the agent of `rank`. Returns the plan and where it leads; `near_out` gets its neighbours' ranks.
    pub(crate) fn plan(&self, rank: usize, near_out: &mut [u32], tally: &mut Tally) -> (Plan, MapPoint) {
        let (me, at) = (&self.mates[rank], self.at[rank]);
        let group = &self.groups[usize::from(me.group)];
        let movement = group.movement;
        let mut plan = Plan {
            clearance: subcells_from_cells(if me.radius < self.options.wall_clearance {
                me.radius
            } else {
                self.options.wall_clearance
            }),
            ..Plan::default()
        };
        let cell = at.cell_id(&self.grid).filter(|&cell| movement.is_passable(cell));
        let Some(cell) = cell else {
            plan.fate = Fate::Stands(Outcome::Outside);
            plan.blocker = at.cell_id(&self.grid).map_or(Blocker::MapBorder, Blocker::Cell);
            return (plan, at);
        };
        let near = self.neighbours(rank, tally);
        let near = near.as_slice();
        plan.neighbours = u8::try_from(near.len()).unwrap_or(u8::MAX);
        crate::separation::store_ranks(near, near_out);
        if me.role == Role::Resting && group.arrival == ArrivalRule::Rest && !self.is_displaced(me, at, near)
        {
            let (straight, distance) = self.toward_centre(at, me.anchor);
            let leaning = self
                .packs
                .leaning(me.group, me.anchor, distance, me.radius, self.options.closing);
            let Some(leaning) = leaning else {
                plan.fate = Fate::Rests;
                return (plan, at);
            };
            let braked = distance
                / if self.seconds > BRAKING {
                    self.seconds
                } else {
                    BRAKING
                };
            let leaning = leaning * me.max_speed;
            let aim = Aim {
                intent: straight,
                speed: if braked < leaning { braked } else { leaning },
                goal: None,
            };
            plan.fate = Fate::ClosesRanks;
            let to = self.close_ranks(me, at, cell, &aim, near, &mut plan, tally);
            return (plan, to);
        }
        let flow = match group.flow {
            Some(flow) if group.is_current || group.stale == StalePolicy::KeepOld => flow,
            missing_or_stale => {
                plan.fate = Fate::Stands(Outcome::StaleField);
                plan.blocker = if missing_or_stale.is_some() {
                    Blocker::FieldStale
                } else {
                    Blocker::FieldMissing
                };
                return (plan, at);
            }
        };
        tally.queries += 1;
        let aim = match sample(movement, flow, at) {
            Sample::Toward(intent) => Aim {
                intent,
                speed: me.max_speed,
                goal: None,
            },
            Sample::Goal if group.arrival == ArrivalRule::Leave => {
                plan.fate = Fate::Leaves;
                return (plan, at);
            }
            Sample::Goal => self.aim_at_centre(me, at, cell),
            Sample::Impassable | Sample::Unreachable | Sample::Unknown | Sample::Outside => {
                plan.fate = Fate::Stands(Outcome::NoDirection);
                plan.blocker = Blocker::Cell(cell);
                return (plan, at);
            }
        };
        plan.intent = aim.intent;
        plan.wanted = aim.speed * self.seconds;
        if let Some(goal) = self.arrives(me, at, &aim, near) {
            plan.fate = Fate::Arrives(goal);
            return (plan, at);
        }
        let (velocity, in_the_way) = self.velocity(me, at, &aim, near);
        if let Some(index) = in_the_way {
            let slot = self.mates[near[index].rank as usize].slot;
            plan.blocker = Blocker::Agent(AgentId {
                index: slot,
                generation: self.generation[slot as usize],
            });
        }
        let to = self.walk(
            me,
            at,
            cell,
            movement,
            flow,
            velocity,
            in_the_way.is_some(),
            &mut plan,
            tally,
        );
        (plan, to)
    }

    fn aim_at_centre(&self, me: &Mate, at: MapPoint, goal: CellId) -> Aim {
        let (intent, distance) = self.toward_centre(at, goal);
        let braking = if self.seconds > BRAKING {
            self.seconds
        } else {
            BRAKING
        };
        let speed = distance / braking;
        Aim {
            intent,
            speed: if speed < me.max_speed { speed } else { me.max_speed },
            goal: Some(goal),
        }
    }

    /// The time in which a gap may close: never less than a substep.
    fn headway(&self) -> f32 {
        if self.seconds > self.options.headway {
            self.seconds
        } else {
            self.options.headway
        }
    }

    /// The direction (length 1, or 0 on the spot) and distance to the centre of a cell.
    fn toward_centre(&self, at: MapPoint, cell: CellId) -> ([f32; 2], f32) {
        let (column, row) = self.grid.column_row_of(cell);
        let offset = way(at, MapPoint::centre_of(column, row));
        let distance = length(offset);
        if distance > 0.0 {
            ([offset[0] / distance, offset[1] / distance], distance)
        } else {
            ([0.0; 2], 0.0)
        }
    }

    /// Whether an agent that rests has been pushed out of its place and its pack. A pack that spreads does not break up.
    fn is_displaced(&self, me: &Mate, at: MapPoint, near: &[Near]) -> bool {
        let limit = subcells_from_cells(DISPLACED).unsigned_abs();
        (at.x.abs_diff(me.rest.x) > limit || at.y.abs_diff(me.rest.y) > limit)
            && self.touched(me, near).is_none()
    }

    /// The nearest mate of the same group that has arrived and that the agent touches.
    fn touched(&self, me: &Mate, near: &[Near]) -> Option<&Mate> {
        near.iter()
            .map(|near| (near.square, &self.mates[near.rank as usize]))
            .find(|&(square, other)| {
                let reach = (me.radius + other.radius) * (1.0 + TOUCH);
                other.role == Role::Resting && other.group == me.group && square <= reach * reach
            })
            .map(|(_, other)| other)
    }

    /// The nearest agents within reach.
    fn neighbours(&self, rank: usize, tally: &mut Tally) -> Nearest {
        let mut nearest = Nearest::new(usize::from(self.options.neighbours));
        if self.options.avoidance == Avoidance::Off {
            return nearest;
        }
        let (me, at) = (&self.mates[rank], self.at[rank]);
        let widest = me.radius + self.largest + self.options.look_ahead;
        let reach = widest * widest;
        self.bins.around(at.x, at.y, |ranks| {
            for (other, its) in ranks.clone().zip(&self.at[ranks]) {
                let (dx, dy) = (
                    cells_from_subcells(its.x.wrapping_sub(at.x)),
                    cells_from_subcells(its.y.wrapping_sub(at.y)),
                );
                let square = dx * dx + dy * dy;
                if square < reach && other != rank {
                    // Ranks are as many as slots.
                    let other = u32::try_from(other).unwrap_or(u32::MAX);
                    nearest.offer(Near { rank: other, square }, |rank| {
                        self.mates[rank as usize].slot
                    });
                }
            }
        });
        if let Some(first) = nearest.as_slice().first() {
            let depth = me.radius + self.mates[first.rank as usize].radius - first.square.sqrt();
            tally.deepest = tally.deepest.max(subcells_from_cells(depth));
        }
        nearest
    }

    /// The goal cell at which the agent has arrived, if it has: by standing on its centre, by being stopped on it, or by
    /// being stopped by mates that have arrived.
    fn arrives(&self, me: &Mate, at: MapPoint, aim: &Aim, near: &[Near]) -> Option<CellId> {
        if me.role == Role::Resting || me.groups_arrival != ArrivalRule::Rest {
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
        let joined = self.touched(me, near).map(|other| other.anchor).filter(|&goal| {
            // A queue that reaches the pack walks on as long as it can; where walls keep it out it joins in the end.
            let (_, distance) = self.toward_centre(at, goal);
            self.packs.reaches(me.group, goal, distance, me.radius) || me.stalled >= PATIENCE
        });
        joined.or(aim.goal)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one agent's state, taken apart by the caller already"
    )]
    /// Where a member of a pack that closes ranks moves: towards the goal, leaning on others; contact does the rest.
    fn close_ranks(
        &self,
        me: &Mate,
        at: MapPoint,
        cell: CellId,
        aim: &Aim,
        near: &[Near],
        plan: &mut Plan,
        tally: &mut Tally,
    ) -> MapPoint {
        let group = &self.groups[usize::from(me.group)];
        let (column, row) = self.grid.column_row_of(me.anchor);
        let centre = MapPoint::centre_of(column, row);
        tally.sweeps += 1;
        let intent = if sweep(group.movement, at, centre).stop == SweepStop::Clear {
            aim.intent
        } else if let Some(flow) = group.flow
            && let Sample::Toward(direction) = sample(group.movement, flow, at)
            && pinched(group.movement, flow, cell).is_none()
        {
            tally.queries += 1;
            direction
        } else {
            return at;
        };
        let mut limits = [Limit::default(); MAX_NEIGHBOURS];
        for (out, near) in limits.iter_mut().zip(near) {
            let other = &self.mates[near.rank as usize];
            let seen = see(me, at, other, self.at[near.rank as usize]);
            *out = limit_in_pack(me, &seen, other, self.headway());
        }
        let wanted = [intent[0] * aim.speed, intent[1] * aim.speed];
        let (velocity, _) = obey(wanted, intent, &limits[..near.len()]);
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

    /// The velocity after avoidance, and the index of the neighbour that is most in the way.
    fn velocity(&self, me: &Mate, at: MapPoint, aim: &Aim, near: &[Near]) -> ([f32; 2], Option<usize>) {
        let headway = self.headway();
        let mut limits = [Limit::default(); MAX_NEIGHBOURS];
        let mut gaps = [0.0f32; MAX_NEIGHBOURS];
        let mut aside = 0.0f32;
        let impatience = me.stalled.clamp(0.0, 1.0);
        for ((out, gap), near) in limits.iter_mut().zip(&mut gaps).zip(near) {
            let other = &self.mates[near.rank as usize];
            let seen = see(me, at, other, self.at[near.rank as usize]);
            let mate = other.group == me.group;
            // 0 for one that goes the same way or crosses gently, 1 for one that comes straight on.
            let opposed = match other.role {
                Role::Walking => (0.5 - dot(other.intent, aim.intent)).clamp(0.0, 1.5) / 1.5,
                Role::Resting | Role::Closing if mate => 0.0,
                Role::Resting | Role::Closing | Role::Idle | Role::Fixed => 1.0,
            };
            let presses = match other.role {
                // Others that stand in the way are leaned on, and give way.
                Role::Resting | Role::Idle if !mate => LEANS * me.max_speed,
                // A knot of agents that go different ways opens only if they push; a queue must not.
                _ => opposed * impatience * LEANS * me.max_speed,
            };
            *gap = seen.gap;
            *out = limit(me, &seen, other, aim.intent, headway, presses);
            let ahead = dot(seen.toward, aim.intent);
            if opposed > 0.0 && ahead > 0.3 && seen.gap < self.options.look_ahead {
                let nearness = 1.0
                    - if seen.gap > 0.0 {
                        seen.gap / self.options.look_ahead
                    } else {
                        0.0
                    };
                let pull = nearness * ahead * opposed * (1.0 + impatience);
                if pull > aside {
                    aside = pull;
                }
            }
        }
        let limits = &mut limits[..near.len()];
        lean(limits, gaps.iter().copied(), me.max_speed);
        // Everybody keeps to the right of what comes towards them: a rule that needs no agreement.
        let right = [-aim.intent[1], aim.intent[0]];
        let turned = [aim.intent[0] + right[0] * aside, aim.intent[1] + right[1] * aside];
        let turned_length = length(turned);
        let scale = if turned_length > 0.0 {
            aim.speed / turned_length
        } else {
            0.0
        };
        let wanted = [turned[0] * scale, turned[1] * scale];
        let response = if self.seconds < self.options.response {
            self.seconds / self.options.response
        } else {
            1.0
        };
        let eased = [
            me.steer[0] + (wanted[0] - me.steer[0]) * response,
            me.steer[1] + (wanted[1] - me.steer[1]) * response,
        ];
        let (velocity, worst) = obey(eased, aim.intent, limits);
        (limited(velocity, aim.speed), worst)
    }

    /// Integrates, sweeps and keeps clear of walls.
    #[expect(
        clippy::too_many_arguments,
        reason = "one agent's state, taken apart by the caller already"
    )]
    fn walk(
        &self,
        me: &Mate,
        at: MapPoint,
        cell: CellId,
        movement: &Movement,
        flow: &FlowField,
        velocity: [f32; 2],
        is_hindered: bool,
        plan: &mut Plan,
        tally: &mut Tally,
    ) -> MapPoint {
        let mut walk = Walk::at(at);
        if let Some(diagonal) = pinched(movement, flow, cell) {
            // In a pinch the only way is through the corner; avoidance may slow it but not turn it.
            plan.clearance = 0;
            let lip = crate::pinch::lip(at, diagonal);
            let to_lip = [
                cells_from_subcells(lip.x - at.x),
                cells_from_subcells(lip.y - at.y),
            ];
            let gap = length(to_lip);
            plan.intent = if gap > 0.0 {
                [to_lip[0] / gap, to_lip[1] / gap]
            } else {
                diagonal.unit_vector()
            };
            let speed = if is_hindered {
                dot(velocity, plan.intent)
            } else {
                me.max_speed
            };
            hop(movement, &mut walk, diagonal, speed * self.seconds);
            plan.steer = velocity;
        } else {
            let step = |velocity: [f32; 2], carry: [f32; 2]| {
                let exact = [
                    velocity[0] * self.seconds * SUBCELLS_F + carry[0],
                    velocity[1] * self.seconds * SUBCELLS_F + carry[1],
                ];
                (exact, [whole(exact[0]), whole(exact[1])])
            };
            let reach = subcells_from_cells((me.max_speed + self.options.max_push) * self.seconds);
            let (exact, whole_step) = step(velocity, me.carry);
            walk.slide_to(movement, moved(at, whole_step));
            walk.keep_clear(movement, plan.clearance, reach);
            plan.steer = velocity;
            plan.carry = kept(exact, whole_step);
            // Aimed straight at a corner or into one by blending: the exact direction of the cell serves.
            let wants = dot(velocity, plan.intent) * self.seconds;
            let got = dot(way(at, walk.at), plan.intent);
            if got < 0.25 * wants
                && !is_hindered
                && let Some(direct) = straight_on(movement, flow, cell, at)
            {
                let speed = length(velocity);
                let velocity = [direct[0] * speed, direct[1] * speed];
                let (exact, whole_step) = step(velocity, me.carry);
                let mut other = Walk::at(at);
                other.slide_to(movement, moved(at, whole_step));
                other.keep_clear(movement, plan.clearance, reach);
                if dot(way(at, other.at), direct) > got {
                    (other.sweeps, other.refusals) =
                        (other.sweeps + walk.sweeps, other.refusals + walk.refusals);
                    walk = other;
                    plan.steer = velocity;
                    plan.intent = direct;
                    plan.carry = kept(exact, whole_step);
                }
            }
        }
        if let Some((cell, direction)) = walk.hit {
            plan.carry = [0.0; 2];
            if plan.blocker == Blocker::Nothing {
                plan.blocker = Blocker::Wall { cell, direction };
            }
        }
        // A body can be kept from a wall by its clearance, before the centre meets it; it is the wall that stops it.
        if plan.blocker == Blocker::Nothing && dot(way(at, walk.at), plan.intent) < HINDERED * plan.wanted {
            plan.blocker = Blocker::Wall {
                cell,
                direction: closed_exit(movement, flow, cell, plan.intent),
            };
        }
        tally.walk(&walk);
        walk.at
    }
}

/// The straight exit that is closed and that the intent most points at; the field's own direction if none is.
fn closed_exit(movement: &Movement, flow: &FlowField, cell: CellId, intent: [f32; 2]) -> Direction {
    let exits = movement.exits(cell);
    let mut best = (0.0, flow.direction(cell).unwrap_or(Direction::N));
    for direction in DirectionSet::STRAIGHT {
        let along = dot(intent, direction.unit_vector());
        if !exits.contains(direction) && along > best.0 {
            best = (along, direction);
        }
    }
    best.1
}

/// The way to the centre of the next cell on the exact direction; length 1.
fn straight_on(movement: &Movement, flow: &FlowField, cell: CellId, at: MapPoint) -> Option<[f32; 2]> {
    let next = movement.step_target(cell, flow.direction(cell)?)?;
    let (column, row) = movement.grid().column_row_of(next);
    let offset = way(at, MapPoint::centre_of(column, row));
    let length = length(offset);
    Some([offset[0] / length, offset[1] / length])
}

/// From one point to another, in cells.
fn way(from: MapPoint, to: MapPoint) -> [f32; 2] {
    [
        cells_from_subcells(to.x - from.x),
        cells_from_subcells(to.y - from.y),
    ]
}

/// What whole subcells leave over of a step.
#[expect(
    clippy::cast_precision_loss,
    reason = "steps are below half a cell, 2^15 subcells"
)]
fn kept(exact: [f32; 2], whole: [i32; 2]) -> [f32; 2] {
    [exact[0] - whole[0] as f32, exact[1] - whole[1] as f32]
}

fn moved(at: MapPoint, step: [i32; 2]) -> MapPoint {
    MapPoint {
        x: at.x.saturating_add(step[0]),
        y: at.y.saturating_add(step[1]),
    }
}
