//! Integrates the velocities, sweeps the steps and keeps bodies clear of walls.

use super::{HINDERED, Part, near_of};
use crate::fixed::{SUBCELLS_F, cells_from_subcells, dot, length, subcells_from_cells, whole};
use crate::guide::Lead;
use crate::mate::{Mate, Role};
use crate::pinch::hop;
use crate::plan::{Aim, Fate, Plan, Tally, Todo, View};
use crate::tight::{along_chain, is_tight, target};
use crate::walk::{Walk, moved, way};
use crate::{Blocker, Outcome};
use thalweg_core::grid::{CellId, Direction, DirectionSet, MapPoint};
use thalweg_core::movement::Movement;

impl Part<'_> {
    /// Moves those who walk, and those who close ranks.
    pub(super) fn walk(&mut self, view: &View<'_>) {
        for index in 0..self.plans.len() {
            let rank = self.first + index;
            let plan = &mut self.plans[index];
            let aim = &self.aims[index];
            match aim.todo {
                Todo::Nothing => {}
                Todo::Walk => self.to[index] = view.walk(rank, aim, plan, self.tally),
                Todo::Coast => {
                    self.tally.coasted += 1;
                    self.to[index] = view.coast(rank, plan, self.tally);
                }
                Todo::CloseRanks => {
                    let near = near_of(self.near, self.counts, index, view.stride());
                    self.to[index] = view.close_ranks(rank, aim, near, plan, self.tally);
                }
            }
            let (from, to) = (view.at(rank), self.to[index]);
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            self.tally.farthest = self.tally.farthest.max(dx).max(dy);
            let role = match plan.fate {
                Fate::Walks | Fate::Coasts => Role::Walking,
                Fate::Rests => Role::Resting,
                Fate::ClosesRanks | Fate::Arrives(_) => Role::Closing,
                Fate::Leaves | Fate::Holds | Fate::Stands(Outcome::NoDirection) => Role::Idle,
                Fate::Stands(_) => Role::Fixed,
            };
            self.roles[index] = (role, plan.intent);
        }
    }
}

impl View<'_> {
    /// Where the velocity takes an agent.
    fn walk(&self, rank: usize, aim: &Aim, plan: &mut Plan, tally: &mut Tally) -> MapPoint {
        let (me, at) = (&self.mates[rank], self.at(rank));
        let movement = self.groups[usize::from(me.group)].movement;
        let (cell, velocity) = (aim.cell, aim.velocity);
        let is_hindered = aim.in_the_way.is_some();
        let Ok(lead) = self.lead(me) else {
            return at;
        };
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
            let to_lip = way(at, crate::pinch::lip(at, diagonal));
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
            let reach = self.reach_of(me);
            // It stops at the point of its heading but keeps its pace: to gather speed anew at every turn would cost a
            // fifth of a second each.
            let (exact, whole_step) = self.step_of(me, self.stopping(velocity, aim));
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
                let (exact, whole_step) = self.step_of(me, velocity);
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

    /// The step of an agent at a velocity, in subcells: exactly, with what the last one left over, and in whole ones.
    fn step_of(&self, me: &Mate, velocity: [f32; 2]) -> ([f32; 2], [i32; 2]) {
        let exact = [
            velocity[0] * self.seconds * SUBCELLS_F + me.carry[0],
            velocity[1] * self.seconds * SUBCELLS_F + me.carry[1],
        ];
        (exact, exact.map(whole))
    }

    /// How far an agent may be moved to keep clear of walls in one substep, in subcells along each axis.
    fn reach_of(&self, me: &Mate) -> i32 {
        subcells_from_cells((me.max_speed + self.options.max_push) * self.seconds)
    }

    /// Where an agent gets that goes on as it did.
    fn coast(&self, rank: usize, plan: &mut Plan, tally: &mut Tally) -> MapPoint {
        let (me, at) = (&self.mates[rank], self.at(rank));
        let movement = self.groups[usize::from(me.group)].movement;
        let (exact, whole_step) = self.step_of(me, me.steer);
        let mut walk = Walk::at(at);
        walk.slide_to(movement, moved(at, whole_step));
        walk.keep_clear(movement, plan.clearance, self.reach_of(me));
        plan.steer = me.steer;
        plan.intent = me.intent;
        plan.carry = if walk.hit.is_some() {
            [0.0; 2]
        } else {
            kept(exact, whole_step)
        };
        tally.walk(&walk);
        walk.at
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
