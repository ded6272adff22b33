//! Where the crowd keeps its agents: slots that are given out again, with generations.
//!
//! Knows nothing of movement. Its one invariant: all arrays are as long as there are slots, and an id names an agent
//! exactly while its generation is the slot's and the slot is live.

use crate::hash::Hasher;
use crate::{AgentId, AgentSpec, AgentView, Blocker, GroupId, Outcome};
use thalweg_core::grid::{CellId, LayerIndex, MapPoint};

/// What an agent is, beside what other agents and callers read in bulk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    /// The velocity it steers by, before pushes; cells per second.
    pub(crate) steer: [f32; 2],
    /// What of the last displacement was less than a subcell, in subcells: slow agents get on however short steps are.
    pub(crate) carry: [f32; 2],
    /// Where it wants to go; length 1 or 0.
    pub(crate) intent: [f32; 2],
    /// As moved over the last step; cells per second.
    pub(crate) velocity: [f32; 2],
    /// How long it has got on at less than a quarter of the pace it wants, in seconds.
    pub(crate) stalled: f32,
    /// Since which tick it has had its outcome.
    pub(crate) since: u64,
    pub(crate) blocker: Blocker,
    /// The goal cell it rests at; only while arrived.
    pub(crate) anchor: CellId,
    /// Where it came to rest; only while arrived.
    pub(crate) rest: MapPoint,
    /// Where it was when the step began.
    pub(crate) start: MapPoint,
    /// How far it wanted to get in this step so far and how far it got that way, in cells.
    pub(crate) wanted: f32,
    pub(crate) gained: f32,
    /// Its outcome when the step began.
    pub(crate) before: Outcome,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    pub(crate) generation: Vec<u32>,
    pub(crate) live: Vec<bool>,
    pub(crate) x: Vec<i32>,
    pub(crate) y: Vec<i32>,
    pub(crate) layer: Vec<LayerIndex>,
    pub(crate) group: Vec<GroupId>,
    pub(crate) outcome: Vec<Outcome>,
    pub(crate) body: Vec<Body>,
    /// Slots to give out again; the last freed first.
    free: Vec<u32>,
    len: usize,
}

impl Slots {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Slots, live or not.
    pub(crate) fn slots(&self) -> usize {
        self.live.len()
    }

    /// Gives out a slot, or `None` if all ids are in use.
    pub(crate) fn insert(&mut self, spec: &AgentSpec, tick: u64) -> Option<AgentId> {
        let body = Body {
            radius: spec.radius,
            max_speed: spec.max_speed,
            steer: [0.0; 2],
            carry: [0.0; 2],
            intent: [0.0; 2],
            velocity: [0.0; 2],
            stalled: 0.0,
            since: tick,
            blocker: Blocker::Nothing,
            anchor: CellId(0),
            rest: spec.position,
            start: spec.position,
            wanted: 0.0,
            gained: 0.0,
            before: Outcome::Moved,
        };
        let index = if let Some(index) = self.free.pop() {
            index
        } else {
            let index = u32::try_from(self.slots())
                .ok()
                .filter(|&index| index != u32::MAX)?;
            self.generation.push(0);
            self.live.push(false);
            self.x.push(0);
            self.y.push(0);
            self.layer.push(0);
            self.group.push(GroupId(0));
            self.outcome.push(Outcome::Moved);
            self.body.push(body);
            index
        };
        let slot = index as usize;
        self.live[slot] = true;
        self.x[slot] = spec.position.x;
        self.y[slot] = spec.position.y;
        self.layer[slot] = spec.position.layer;
        self.group[slot] = spec.group;
        self.outcome[slot] = Outcome::Moved;
        self.body[slot] = body;
        self.len += 1;
        Some(AgentId {
            index,
            generation: self.generation[slot],
        })
    }

    /// The slot of an agent that is in the crowd.
    pub(crate) fn slot(&self, id: AgentId) -> Option<usize> {
        let slot = id.index as usize;
        (self.live.get(slot) == Some(&true) && self.generation[slot] == id.generation).then_some(slot)
    }

    pub(crate) fn id(&self, slot: usize) -> AgentId {
        AgentId {
            // Slots are given out by u32.
            index: u32::try_from(slot).unwrap_or(u32::MAX),
            generation: self.generation[slot],
        }
    }

    /// Takes an agent out; its id names nobody from now on.
    pub(crate) fn remove(&mut self, slot: usize) {
        self.live[slot] = false;
        self.len -= 1;
        // A slot whose generations are used up is retired: giving it out again would revive an old id.
        if let Some(next) = self.generation[slot].checked_add(1) {
            self.generation[slot] = next;
            self.free.push(self.id(slot).index);
        }
    }

    pub(crate) fn position(&self, slot: usize) -> MapPoint {
        MapPoint::new(self.x[slot], self.y[slot]).on(self.layer[slot])
    }

    pub(crate) fn view(&self, slot: usize) -> AgentView {
        let body = &self.body[slot];
        AgentView {
            position: self.position(slot),
            velocity: body.velocity,
            heading: body.intent,
            outcome: self.outcome[slot],
            blocker: body.blocker,
            since: body.since,
            group: self.group[slot],
            radius: body.radius,
            max_speed: body.max_speed,
        }
    }

    /// Live slots in order.
    pub(crate) fn live_slots(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.slots()).filter(|&slot| self.live[slot])
    }

    pub(crate) fn hash_into(&self, hasher: &mut Hasher) {
        hasher.u64(self.slots() as u64);
        for slot in 0..self.slots() {
            hasher.u32(self.generation[slot]);
            hasher.u32(u32::from(self.live[slot]));
            if !self.live[slot] {
                continue;
            }
            let body = &self.body[slot];
            hasher.i32(self.x[slot]);
            hasher.i32(self.y[slot]);
            hasher.u32(u32::from(self.layer[slot]) << 16 | u32::from(self.group[slot].0));
            hasher.u32(self.outcome[slot] as u32);
            for value in [body.radius, body.max_speed, body.stalled]
                .into_iter()
                .chain(body.steer)
                .chain(body.carry)
                .chain(body.intent)
                .chain(body.velocity)
            {
                hasher.f32(value);
            }
            hasher.u64(body.since);
            if self.outcome[slot] == Outcome::Arrived {
                hasher.u32(body.anchor.0);
                hasher.i32(body.rest.x);
                hasher.i32(body.rest.y);
            }
        }
        // The order in which slots are given out again decides later ids.
        for &slot in &self.free {
            hasher.u32(slot);
        }
    }
}
