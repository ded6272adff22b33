//! Writes down what became of each agent.

use super::{HINDERED, PART, Scratch};
use crate::fixed::dot;
use crate::mate::{Flag, Mate};
use crate::plan::{Fate, Plan};
use crate::slots::{Record, Slots};
use crate::step::Turn;
use crate::walk::way;
use crate::{Blocker, Outcome};
use thalweg_core::grid::MapPoint;
use thalweg_core::workers::{Workers, for_each_part};

/// Below this part of the way it wants, an agent's stall clock runs.
const STALLED: f32 = 0.25;
/// A member of a pack that gets on at more than this part of the way it wants keeps the pack awake.
const STIRRING: f32 = 0.1;

impl Scratch {
    /// Takes the plans over.
    pub(crate) fn commit(&mut self, slots: &mut Slots, turn: &Turn, workers: &dyn Workers) {
        let len = slots.len();
        self.events.resize_with(len.div_ceil(PART), Vec::new);
        self.changed.resize(len, false);
        let (plans, to) = (&self.plans, &self.to);
        let parts: Vec<_> = slots.xs[..len]
            .chunks_mut(PART)
            .zip(slots.ys[..len].chunks_mut(PART))
            .zip(slots.mates.chunks_mut(PART))
            .zip(self.changed.chunks_mut(PART))
            .zip(&mut self.events)
            .zip(&mut self.tallies)
            .collect();
        for_each_part(
            workers,
            parts,
            |part, (((((xs, ys), mates), changed), events), tally)| {
                events.clear();
                let first = part * PART;
                let agents = xs.iter_mut().zip(ys).zip(mates).zip(changed);
                for (((((x, y), mate), changed), plan), &at) in agents.zip(&plans[first..]).zip(&to[first..])
                {
                    let old = MapPoint::new(*x, *y).on(mate.layer);
                    (*x, *y, mate.layer) = (at.x, at.y, at.layer);
                    let was = mate.outcome;
                    let gained = gained(old, at, plan);
                    *changed = settle(mate, old, gained, plan, turn);
                    tally.outcomes[mate.outcome as usize] += 1;
                    tally.changed += u32::from(*changed);
                    let is_event = match plan.fate {
                        Fate::Leaves => true,
                        Fate::ClosesRanks => plan.wanted > 0.0 && gained > STIRRING * plan.wanted,
                        _ => (was == Outcome::Arrived) != (mate.outcome == Outcome::Arrived),
                    };
                    if is_event {
                        events.push((mate.slot, plan.fate));
                    }
                }
            },
        );
        if self.tallies.iter().any(|tally| tally.changed > 0) {
            self.commit_records(slots, turn, workers);
        }
    }

    /// The same for what changes seldom, which lies by slot.
    fn commit_records(&self, slots: &mut Slots, turn: &Turn, workers: &dyn Workers) {
        let mut records = core::mem::take(&mut slots.records);
        let state = &*slots;
        let parts: Vec<_> = records.chunks_mut(PART).collect();
        for_each_part(workers, parts, |part, records| {
            for (slot, record) in (part * PART..).zip(records) {
                if let Some(place) = state.place_of(slot).filter(|&place| self.changed[place]) {
                    note(
                        record,
                        &state.mates[place],
                        state.position(place),
                        &self.plans[place],
                        turn,
                    );
                }
            }
        });
        slots.records = records;
    }
}

/// How far an agent got along its intent, in cells.
fn gained(old: MapPoint, at: MapPoint, plan: &Plan) -> f32 {
    dot(way(old, at), plan.intent)
}

/// Takes a plan over into an agent. Returns whether its record changes as well.
fn settle(mate: &mut Mate, old: MapPoint, gained: f32, plan: &Plan, turn: &Turn) -> bool {
    if turn.is_first {
        mate.start = [old.x, old.y];
        mate.wanted = 0.0;
        mate.gained = 0.0;
        mate.before = mate.outcome;
    }
    mate.steer = plan.steer;
    mate.carry = plan.carry;
    mate.intent = plan.intent;
    mate.wanted += plan.wanted;
    mate.gained += gained;
    // A leap is not counted as speed: the start leaps along, perhaps beyond what a number holds.
    mate.start[0] = mate.start[0].wrapping_add(plan.leap[0]);
    mate.start[1] = mate.start[1].wrapping_add(plan.leap[1]);
    mate.outcome = match plan.fate {
        Fate::Walks => {
            if gained < STALLED * plan.wanted {
                mate.stalled += turn.seconds;
            } else {
                let left = mate.stalled - 2.0 * turn.seconds;
                mate.stalled = if left > 0.0 { left } else { 0.0 };
            }
            match plan.blocker {
                Blocker::Agent(_) if mate.gained < HINDERED * mate.wanted => Outcome::Waiting,
                Blocker::Wall { .. } if mate.gained < HINDERED * mate.wanted => Outcome::BlockedBySweep,
                _ => Outcome::Moved,
            }
        }
        Fate::Rests | Fate::ClosesRanks | Fate::Leaves | Fate::Arrives(_) => Outcome::Arrived,
        Fate::Stands(outcome) => outcome,
        Fate::Holds => Outcome::Waiting,
        Fate::Coasts => mate.outcome,
    };
    if !matches!(plan.fate, Fate::Walks | Fate::Coasts) {
        mate.stalled = 0.0;
    }
    let was_blocked = mate.has(Flag::Blocked);
    let is_blocked = mate.outcome != Outcome::Moved && plan.blocker != Blocker::Nothing;
    mate.set(Flag::Blocked, is_blocked);
    was_blocked
        || is_blocked
        || matches!(plan.fate, Fate::ClosesRanks | Fate::Arrives(_))
        || (turn.is_last && mate.outcome != mate.before)
}

/// Takes a plan over into the record of an agent.
fn note(record: &mut Record, mate: &Mate, at: MapPoint, plan: &Plan, turn: &Turn) {
    match plan.fate {
        Fate::ClosesRanks => record.rest = at,
        Fate::Arrives(goal) => (record.anchor, record.rest) = (goal, at),
        _ => {}
    }
    record.blocker = if mate.has(Flag::Blocked) {
        plan.blocker
    } else {
        Blocker::Nothing
    };
    if turn.is_last && mate.outcome != mate.before {
        record.since = turn.tick;
    }
}
