//! What one agent does in one substep, from the state before it: the order of DESIGN 2.7 up to the sweep.

use crate::arrival::Packs;
use crate::fixed::{cells_from_subcells, subcells_from_cells};
use crate::guide::{Asked, Lead, ask};
use crate::neighbours::{Bins, Near, Nearest};
use crate::step::{Mate, Role};
use crate::walk::Walk;
use crate::{
    AgentId, ArrivalRule, Avoidance, Blocker, CrowdOptions, GroupInput, Outcome, StalePolicy, Steering,
};
use thalweg_core::grid::{CellId, Direction, Grid, MapPoint};
use thalweg_core::movement::{EdgeKind, Movement, PortalIndex, has_room};

/// The least time in which an agent covers what is left to the goal's centre, in seconds: it slows down before it.
pub(crate) const BRAKING: f32 = 0.15;

/// What all agents of a substep read.
pub(crate) struct View<'a> {
    pub(crate) grid: &'a Grid,
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
    /// How far a portal moved it, in subcells of two layers; no walking.
    pub(crate) leap: [i32; 2],
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
pub(crate) struct Aim {
    pub(crate) intent: [f32; 2],
    /// Cells per second.
    pub(crate) speed: f32,
    /// The goal cell it is on, if it is on one.
    pub(crate) goal: Option<CellId>,
    /// See [`Course::within`](crate::guide::Course::within).
    pub(crate) within: f32,
    /// See [`Course::pinch`](crate::guide::Course::pinch).
    pub(crate) pinch: Option<Direction>,
}

impl View<'_> {
    /// Plans the agent of `rank`. Returns the plan and where it leads; `near_out` gets its neighbours' ranks.
    pub(crate) fn plan(&self, rank: usize, near_out: &mut [u32], tally: &mut Tally) -> (Plan, MapPoint) {
        let (me, at) = (&self.mates[rank], self.at[rank]);
        let group = &self.groups[usize::from(me.group)];
        let movement = group.movement;
        let mut plan = Plan {
            clearance: subcells_from_cells(if !movement.profile().footprint.is_point() {
                // The sweep keeps its whole body off walls.
                0.0
            } else if me.radius < self.options.wall_clearance {
                me.radius
            } else {
                self.options.wall_clearance
            }),
            ..Plan::default()
        };
        let cell = at.cell_id(self.grid).filter(|&cell| movement.is_passable(cell));
        let Some(cell) = cell else {
            plan.fate = Fate::Stands(Outcome::Outside);
            plan.blocker = at.cell_id(self.grid).map_or(Blocker::MapBorder, Blocker::Cell);
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
                within: f32::INFINITY,
                pinch: None,
            };
            plan.fate = Fate::ClosesRanks;
            let to = self.close_ranks(me, at, cell, &aim, near, &mut plan, tally);
            return (plan, to);
        }
        let lead = match (group.steering, group.flow) {
            (Steering::Paths(paths), _) => Lead::Paths(paths),
            (_, Some(flow)) if group.is_current || group.stale == StalePolicy::KeepOld => Lead::Field(flow),
            (_, missing_or_stale) => {
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
        let steering = match group.steering {
            Steering::Headings { .. } if self.is_in_crush(me, near) => Steering::Directions,
            steering => steering,
        };
        let aim = match ask(movement, lead, steering, cell, at) {
            Asked::Walk(course) => Aim {
                intent: course.intent,
                speed: me.max_speed,
                goal: None,
                within: course.within,
                pinch: course.pinch,
            },
            Asked::Arrive if group.arrival == ArrivalRule::Leave => {
                plan.fate = Fate::Leaves;
                return (plan, at);
            }
            Asked::Arrive => self.aim_at_centre(me, at, cell),
            Asked::Pass(portal) => match self.beyond(movement, cell, portal, at) {
                Some(beyond) => {
                    plan.leap = [beyond.x - at.x, beyond.y - at.y];
                    return (plan, beyond);
                }
                None => {
                    plan.fate = Fate::Stands(Outcome::NoDirection);
                    plan.blocker = Blocker::Cell(cell);
                    return (plan, at);
                }
            },
            Asked::Nothing => {
                plan.fate = Fate::Stands(Outcome::NoDirection);
                plan.blocker = Blocker::Cell(cell);
                return (plan, at);
            }
            Asked::Later => {
                plan.fate = Fate::Stands(Outcome::StaleField);
                plan.blocker = Blocker::FieldStale;
                return (plan, at);
            }
        };
        plan.intent = aim.intent;
        let wanted = aim.speed * self.seconds;
        plan.wanted = if wanted < aim.within { wanted } else { aim.within };
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
            lead,
            &aim,
            velocity,
            in_the_way.is_some(),
            &mut plan,
            tally,
        );
        (plan, to)
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

    pub(crate) fn aim_at_centre(&self, me: &Mate, at: MapPoint, goal: CellId) -> Aim {
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
            within: f32::INFINITY,
            pinch: None,
        }
    }

    /// The time in which a gap may close: never less than a substep.
    pub(crate) fn headway(&self) -> f32 {
        if self.seconds > self.options.headway {
            self.seconds
        } else {
            self.options.headway
        }
    }

    /// The nearest agents within reach.
    pub(crate) fn neighbours(&self, rank: usize, tally: &mut Tally) -> Nearest {
        let mut nearest = Nearest::new(usize::from(self.options.neighbours));
        if self.options.avoidance == Avoidance::Off {
            return nearest;
        }
        let (me, at) = (&self.mates[rank], self.at[rank]);
        let widest = me.radius + self.largest + self.options.reach();
        let reach = widest * widest;
        self.bins.around(at.x, at.y, |ranks| {
            for (other, its) in ranks.clone().zip(&self.at[ranks]) {
                let (dx, dy) = (
                    cells_from_subcells(its.x.wrapping_sub(at.x)),
                    cells_from_subcells(its.y.wrapping_sub(at.y)),
                );
                let square = dx * dx + dy * dy;
                if square < reach && other != rank && its.layer == at.layer {
                    // Ranks are as many as slots.
                    let other = u32::try_from(other).unwrap_or(u32::MAX);
                    nearest.offer(Near { rank: other, square }, |rank| {
                        self.mates[rank as usize].slot
                    });
                }
            }
        });
        for near in nearest.as_slice() {
            let touching = me.radius + self.mates[near.rank as usize].radius;
            if near.square < touching * touching {
                let depth = touching - near.square.sqrt();
                tally.deepest = tally.deepest.max(subcells_from_cells(depth));
            }
        }
        nearest
    }
}
