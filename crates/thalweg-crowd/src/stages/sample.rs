//! Where each agent wants to go: the order of DESIGN 2.7 up to the desired velocity.

use super::{Part, near_of};
use crate::fixed::subcells_from_cells;
use crate::guide::{Asked, Lead, ask};
use crate::mate::{Mate, Role};
use crate::plan::{Aim, BRAKING, Fate, Plan, Tally, Todo, View};
use crate::{ArrivalRule, Blocker, Outcome, StalePolicy, Steering};
use thalweg_core::grid::{CellId, MapPoint};
use thalweg_core::movement::{EdgeKind, Movement, PortalIndex, has_room};

impl Part<'_> {
    /// Asks for each agent where to go. Whoever does not walk has its final plan then.
    pub(super) fn sample(&mut self, view: &View<'_>) {
        let stride = view.stride();
        self.walkers.clear();
        for index in 0..self.plans.len() {
            let rank = self.first + index;
            let near = near_of(self.near, self.counts, index, stride);
            let (plan, aim) = (&mut self.plans[index], &mut self.aims[index]);
            (*plan, *aim) = (Plan::default(), Aim::default());
            self.to[index] = view.consider(rank, near, plan, aim, self.tally);
            if aim.todo == Todo::Walk {
                // A part has few agents.
                self.walkers.push(u16::try_from(index).unwrap_or(u16::MAX));
            }
        }
    }
}

impl View<'_> {
    /// Decides what the agent of `rank` does. Returns where it is then, unless it walks.
    fn consider(
        &self,
        rank: usize,
        near: &[u32],
        plan: &mut Plan,
        aim: &mut Aim,
        tally: &mut Tally,
    ) -> MapPoint {
        let (me, at) = (&self.mates[rank], self.at(rank));
        let group = &self.groups[usize::from(me.group)];
        let movement = group.movement;
        plan.clearance = subcells_from_cells(if !movement.profile().footprint.is_point() {
            // The sweep keeps its whole body off walls.
            0.0
        } else if me.radius < self.options.wall_clearance {
            me.radius
        } else {
            self.options.wall_clearance
        });
        let cell = at.cell_id(self.grid);
        let Some(cell) = cell.filter(|&cell| movement.is_passable(cell)) else {
            plan.fate = Fate::Stands(Outcome::Outside);
            plan.blocker = cell.map_or(Blocker::MapBorder, Blocker::Cell);
            return at;
        };
        aim.cell = cell;
        if self.coasts(me) {
            plan.fate = Fate::Coasts;
            aim.todo = Todo::Coast;
            return at;
        }
        if me.is_held() && me.outcome != Outcome::Arrived {
            plan.fate = Fate::Holds;
            plan.blocker = Blocker::Held;
            return at;
        }
        if me.role() == Role::Resting && group.arrival == ArrivalRule::Rest && !self.is_displaced(rank, near)
        {
            self.rest(me, at, plan, aim);
            return at;
        }
        let lead = match self.lead(me) {
            Ok(lead) => lead,
            Err(blocker) => {
                plan.fate = Fate::Stands(Outcome::StaleField);
                plan.blocker = blocker;
                return at;
            }
        };
        tally.queries += 1;
        let steering = match group.steering {
            Steering::Headings { .. } if self.is_in_crush(rank, near) => Steering::Directions,
            steering => steering,
        };
        let nothing = |plan: &mut Plan| {
            plan.fate = Fate::Stands(Outcome::NoDirection);
            plan.blocker = Blocker::Cell(cell);
            at
        };
        match ask(movement, lead, steering, cell, at) {
            Asked::Walk(course) => {
                aim.intent = course.intent;
                aim.speed = me.max_speed;
                aim.within = course.within;
                aim.pinch = course.pinch;
            }
            Asked::Arrive if group.arrival == ArrivalRule::Leave => {
                plan.fate = Fate::Leaves;
                return at;
            }
            Asked::Arrive => self.aim_at_centre(me, at, cell, aim),
            Asked::Pass(portal) => {
                let Some(beyond) = self.beyond(movement, cell, portal, at) else {
                    return nothing(plan);
                };
                plan.leap = [beyond.x - at.x, beyond.y - at.y];
                return beyond;
            }
            Asked::Nothing => return nothing(plan),
            Asked::Later => {
                plan.fate = Fate::Stands(Outcome::StaleField);
                plan.blocker = Blocker::FieldStale;
                return at;
            }
        }
        plan.intent = aim.intent;
        let wanted = aim.speed * self.seconds;
        plan.wanted = if wanted < aim.within { wanted } else { aim.within };
        if let Some(goal) = self.arrives(rank, aim, near) {
            plan.fate = Fate::Arrives(goal);
            return at;
        }
        aim.todo = Todo::Walk;
        at
    }

    /// One that has arrived rests on, or closes ranks while its pack is awake.
    fn rest(&self, me: &Mate, at: MapPoint, plan: &mut Plan, aim: &mut Aim) {
        let anchor = self.records[me.slot as usize].anchor;
        let (straight, distance) = self.toward_centre(at, anchor);
        let leaning = self
            .packs
            .leaning(me.group, anchor, distance, me.radius, self.options.closing);
        let Some(leaning) = leaning else {
            plan.fate = Fate::Rests;
            return;
        };
        let braked = distance / self.braking();
        let leaning = leaning * me.max_speed;
        aim.intent = straight;
        aim.speed = if braked < leaning { braked } else { leaning };
        aim.todo = Todo::CloseRanks;
        plan.fate = Fate::ClosesRanks;
    }

    /// What tells an agent the way, or why nothing does.
    pub(super) fn lead(&self, me: &Mate) -> Result<Lead<'_>, Blocker> {
        let group = &self.groups[usize::from(me.group)];
        match (group.steering, group.flow) {
            (Steering::Paths(paths), _) => Ok(Lead::Paths(paths)),
            (_, Some(flow)) if group.is_current || group.stale == StalePolicy::KeepOld => {
                Ok(Lead::Field(flow))
            }
            (_, Some(_)) => Err(Blocker::FieldStale),
            (_, None) => Err(Blocker::FieldMissing),
        }
    }

    /// Where a portal leads: the same place in the cell at its other end. An agent is there in the same substep; what the
    /// portal costs is a matter of the field, not of time.
    ///
    /// The whole cell is the way in. Rejected: to pass at its centre only; three agents that reach it together hold each
    /// other off for ever.
    fn beyond(
        &self,
        movement: &Movement,
        cell: CellId,
        portal: PortalIndex,
        at: MapPoint,
    ) -> Option<MapPoint> {
        let mut edges = movement.edges_from(cell);
        let edge = edges.find(|edge| edge.kind == EdgeKind::Portal(portal))?;
        let here = MapPoint::centre_of_id(self.grid, cell);
        let there = MapPoint::centre_of_id(self.grid, edge.other);
        let same_place = there.at(at.x + (there.x - here.x), at.y + (there.y - here.y));
        // Where there is less room than here, a body comes out in the middle.
        Some(if has_room(movement, same_place) {
            same_place
        } else {
            there
        })
    }

    fn aim_at_centre(&self, me: &Mate, at: MapPoint, goal: CellId, aim: &mut Aim) {
        let (intent, distance) = self.toward_centre(at, goal);
        let speed = distance / self.braking();
        aim.intent = intent;
        aim.speed = if speed < me.max_speed { speed } else { me.max_speed };
        aim.goal = Some(goal);
    }

    /// The time in which what is left to a centre is covered, in seconds: never less than a substep.
    fn braking(&self) -> f32 {
        if self.seconds > BRAKING {
            self.seconds
        } else {
            BRAKING
        }
    }
}
