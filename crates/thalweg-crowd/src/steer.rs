//! How fast and where an agent steers, and the swept step that follows from it.

use crate::fixed::{SUBCELLS_F, cells_from_subcells, dot, length, limited, subcells_from_cells, whole};
use crate::guide::Lead;
use crate::neighbours::Near;
use crate::options::MAX_NEIGHBOURS;
use crate::passes::HINDERED;
use crate::pinch::hop;
use crate::plan::{Aim, Plan, Tally, View};
use crate::separation::{Limit, lean, limit, obey, see};
use crate::step::{Mate, Role};
use crate::tight::{along_chain, is_tight, target};
use crate::walk::{Walk, moved, way};
use crate::{Avoidance, Blocker};
use thalweg_core::grid::{CellId, Direction, DirectionSet, MapPoint};
use thalweg_core::movement::Movement;

/// The part of its top speed at which an agent leans on others that stand in its way.
const LEANS: f32 = 0.3;

impl View<'_> {
    /// The velocity after avoidance, and the index of the neighbour that is most in the way.
    pub(crate) fn velocity(
        &self,
        me: &Mate,
        at: MapPoint,
        aim: &Aim,
        near: &[Near],
    ) -> ([f32; 2], Option<usize>) {
        if self.options.avoidance == Avoidance::VelocityObstacles {
            return self.clear_velocity(me, at, aim, near);
        }
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

    /// The velocity, slowed so that one substep does not lead past the point of a heading.
    fn stopping(&self, velocity: [f32; 2], aim: &Aim) -> [f32; 2] {
        let along = dot(velocity, aim.intent) * self.seconds;
        if along > aim.within {
            let part = aim.within / along;
            [velocity[0] * part, velocity[1] * part]
        } else {
            velocity
        }
    }

    /// Integrates, sweeps and keeps clear of walls.
    #[expect(
        clippy::too_many_arguments,
        reason = "one agent's state, taken apart by the caller already"
    )]
    pub(crate) fn walk(
        &self,
        me: &Mate,
        at: MapPoint,
        cell: CellId,
        movement: &Movement,
        lead: Lead<'_>,
        aim: &Aim,
        velocity: [f32; 2],
        is_hindered: bool,
        plan: &mut Plan,
        tally: &mut Tally,
    ) -> MapPoint {
        let mut walk = Walk::at(at);
        // How far along its intent it asks to get, in cells: less than it wants while it gathers speed.
        let mut tried = 0.0f32;
        if is_tight(movement, cell) {
            let to = way(at, target(movement, lead, cell, &mut walk));
            let gap = length(to);
            if gap > 0.0 {
                plan.intent = [to[0] / gap, to[1] / gap];
            }
            plan.steer = velocity;
            if is_hindered {
                // Others are in the way: it steps aside as far as walls allow, and finds back to the chain later.
                let exact = velocity.map(|along| along * self.seconds * SUBCELLS_F);
                walk.slide_to(movement, moved(at, exact.map(whole)));
                tried = dot(velocity, plan.intent) * self.seconds;
            } else {
                tried = length(velocity) * self.seconds;
                along_chain(movement, lead, &mut walk, tried);
            }
        } else if let Some(diagonal) = aim.pinch {
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
            // It stops at the point of its heading but keeps its pace: to gather speed anew at every turn would cost a
            // fifth of a second each.
            let (exact, whole_step) = step(self.stopping(velocity, aim), me.carry);
            walk.slide_to(movement, moved(at, whole_step));
            walk.keep_clear(movement, plan.clearance, reach);
            plan.steer = velocity;
            plan.carry = kept(exact, whole_step);
            // Aimed straight at a corner or into one by blending: the exact direction of the cell serves.
            let asked = |whole_step: [i32; 2]| whole_step.map(cells_from_subcells);
            tried = dot(asked(whole_step), plan.intent);
            let got = dot(way(at, walk.at), plan.intent);
            if got < 0.25 * tried
                && !is_hindered
                && let Some(direct) = straight_on(movement, lead, cell, at)
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
                    tried = dot(asked(whole_step), direct);
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
        if plan.blocker == Blocker::Nothing && dot(way(at, walk.at), plan.intent) < HINDERED * tried {
            plan.blocker = Blocker::Wall {
                cell,
                direction: closed_exit(movement, lead, cell, plan.intent),
            };
        }
        tally.walk(&walk);
        walk.at
    }
}

/// The straight exit that is closed and that the intent most points at; the field's own direction if none is.
fn closed_exit(movement: &Movement, lead: Lead<'_>, cell: CellId, intent: [f32; 2]) -> Direction {
    let exits = movement.exits(cell);
    let mut best = (0.0, lead.direction(cell).unwrap_or(Direction::N));
    for direction in DirectionSet::STRAIGHT {
        let along = dot(intent, direction.unit_vector());
        if !exits.contains(direction) && along > best.0 {
            best = (along, direction);
        }
    }
    best.1
}

/// The way to the centre of the next cell on the exact direction; length 1.
fn straight_on(movement: &Movement, lead: Lead<'_>, cell: CellId, at: MapPoint) -> Option<[f32; 2]> {
    let next = movement.step_target(cell, lead.direction(cell)?)?;
    let offset = way(at, MapPoint::centre_of_id(movement.grid(), next));
    let length = length(offset);
    Some([offset[0] / length, offset[1] / length])
}

/// What whole subcells leave over of a step.
#[expect(
    clippy::cast_precision_loss,
    reason = "steps are below half a cell, 2^15 subcells"
)]
fn kept(exact: [f32; 2], whole: [i32; 2]) -> [f32; 2] {
    [exact[0] - whole[0] as f32, exact[1] - whole[1] as f32]
}
