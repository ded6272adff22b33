//! Where the crowd keeps its agents: slots that are given out again, with generations, and places in the order of the bins.
//!
//! An id names a slot for as long as the agent is in the crowd. Where its state lies is its *place*, which changes from
//! substep to substep: agents are kept in spatial order as they drift. Knows nothing of movement. Its invariants: a slot is
//! live exactly while it has a place, and the mate at that place names the slot.

use crate::fixed::cells_from_subcells;
use crate::hash::Hasher;
use crate::mate::Mate;
use crate::neighbours::PADDING;
use crate::{AgentId, AgentSpec, AgentView, Blocker, GroupId, Outcome};
use core::sync::atomic::{AtomicU32, Ordering};
use thalweg_core::grid::{CellId, MapPoint};

/// The place of a slot without an agent.
const NOWHERE: u32 = u32::MAX;

/// What of an agent changes seldom; by slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Since which tick it has had its outcome.
    pub(crate) since: u64,
    pub(crate) blocker: Blocker,
    /// The goal cell it rests at; only while arrived.
    pub(crate) anchor: CellId,
    /// Where it came to rest; only while arrived.
    pub(crate) rest: MapPoint,
    /// How hard it is to push, against others.
    pub(crate) mass: f32,
}

/// The place of each slot. Atomic so that all parts of the crowd can note their new places at once: each slot is written
/// by one of them, and nobody reads meanwhile.
#[derive(Debug, Default)]
struct Places(Vec<AtomicU32>);

impl Clone for Places {
    fn clone(&self) -> Self {
        Self(
            self.0
                .iter()
                .map(|place| AtomicU32::new(place.load(Ordering::Relaxed)))
                .collect(),
        )
    }
}

/// What is true of the crowd as a whole.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Census {
    /// The largest top speed, in cells per second.
    pub(crate) fastest: f32,
    /// The largest radius, in cells.
    pub(crate) largest: f32,
    /// The largest group, if there is anybody.
    pub(crate) last_group: Option<u16>,
}

impl Census {
    fn count(&mut self, mate: &Mate) {
        if mate.max_speed > self.fastest {
            self.fastest = mate.max_speed;
        }
        if mate.radius > self.largest {
            self.largest = mate.radius;
        }
        self.last_group = self.last_group.max(Some(mate.group));
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Slots {
    pub(crate) generation: Vec<u32>,
    places: Places,
    pub(crate) records: Vec<Record>,
    /// Slots to give out again; the last freed first.
    free: Vec<u32>,
    /// Coordinates in subcells, by place, and [`PADDING`] more.
    pub(crate) xs: Vec<i32>,
    pub(crate) ys: Vec<i32>,
    /// By place.
    pub(crate) mates: Vec<Mate>,
    /// `None` if somebody left since it was taken.
    census: Option<Census>,
    /// Length of the last step, in seconds.
    pub(crate) last_dt: f32,
}

impl Slots {
    pub(crate) const fn len(&self) -> usize {
        self.mates.len()
    }

    /// Slots, live or not.
    pub(crate) const fn slots(&self) -> usize {
        self.generation.len()
    }

    /// Gives out a slot, or `None` if all ids are in use.
    pub(crate) fn insert(&mut self, spec: &AgentSpec, tick: u64) -> Option<AgentId> {
        let record = Record {
            since: tick,
            blocker: Blocker::Nothing,
            anchor: CellId(0),
            rest: spec.position,
            mass: 1.0,
        };
        let place = u32::try_from(self.len()).ok().filter(|&place| place != NOWHERE)?;
        let index = if let Some(index) = self.free.pop() {
            self.records[index as usize] = record;
            index
        } else {
            let index = u32::try_from(self.slots())
                .ok()
                .filter(|&index| index != u32::MAX)?;
            self.generation.push(0);
            self.records.push(record);
            self.places.0.push(AtomicU32::new(NOWHERE));
            index
        };
        let mate = Mate {
            start: [spec.position.x, spec.position.y],
            radius: spec.radius,
            max_speed: spec.max_speed,
            slot: index,
            group: spec.group.0,
            layer: spec.position.layer,
            ..Mate::NOBODY
        };
        if self.mates.is_empty() {
            self.census = Some(Census::default());
        }
        if let Some(census) = &mut self.census {
            census.count(&mate);
        }
        self.xs.resize(self.len() + 1 + PADDING, 0);
        self.ys.resize(self.len() + 1 + PADDING, 0);
        self.xs[self.mates.len()] = spec.position.x;
        self.ys[self.mates.len()] = spec.position.y;
        self.mates.push(mate);
        self.note_place(index, place);
        Some(AgentId {
            index,
            generation: self.generation[index as usize],
        })
    }

    /// Notes where the state of a slot lies now.
    #[inline]
    pub(crate) fn note_place(&self, slot: u32, place: u32) {
        self.places.0[slot as usize].store(place, Ordering::Relaxed);
    }

    /// The place of a slot, if it is live.
    #[inline]
    pub(crate) fn place_of(&self, slot: usize) -> Option<usize> {
        let place = self.places.0.get(slot)?.load(Ordering::Relaxed);
        (place != NOWHERE).then_some(place as usize)
    }

    /// The place of an agent that is in the crowd.
    pub(crate) fn place(&self, id: AgentId) -> Option<usize> {
        let slot = id.index as usize;
        self.place_of(slot)
            .filter(|_| self.generation[slot] == id.generation)
    }

    pub(crate) fn id(&self, slot: u32) -> AgentId {
        AgentId {
            index: slot,
            generation: self.generation[slot as usize],
        }
    }

    /// Takes an agent out; its id names nobody from now on. The one at the last place takes its place.
    pub(crate) fn remove(&mut self, place: usize) {
        let slot = self.mates[place].slot;
        let last = self.len() - 1;
        self.xs[place] = self.xs[last];
        self.ys[place] = self.ys[last];
        self.mates.swap_remove(place);
        self.xs.pop();
        self.ys.pop();
        if let Some(moved) = self.mates.get(place) {
            // Places are counted by u32, see `insert`.
            self.note_place(moved.slot, u32::try_from(place).unwrap_or(NOWHERE));
        }
        self.note_place(slot, NOWHERE);
        self.census = None;
        // A slot whose generations are used up is retired: giving it out again would revive an old id.
        let generation = &mut self.generation[slot as usize];
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(slot);
        }
    }

    /// What is true of all.
    pub(crate) fn census(&mut self) -> Census {
        *self.census.get_or_insert_with(|| {
            let mut census = Census::default();
            self.mates.iter().for_each(|mate| census.count(mate));
            census
        })
    }

    pub(crate) fn position(&self, place: usize) -> MapPoint {
        MapPoint::new(self.xs[place], self.ys[place]).on(self.mates[place].layer)
    }

    pub(crate) fn set_position(&mut self, place: usize, at: MapPoint) {
        self.xs[place] = at.x;
        self.ys[place] = at.y;
        self.mates[place].layer = at.layer;
    }

    fn velocity(&self, place: usize) -> [f32; 2] {
        let [x, y] = self.mates[place].start;
        let speed = |to: i32, from: i32| {
            if to == from {
                0.0
            } else {
                cells_from_subcells(to.wrapping_sub(from)) / self.last_dt
            }
        };
        [speed(self.xs[place], x), speed(self.ys[place], y)]
    }

    pub(crate) fn view(&self, place: usize) -> AgentView {
        let mate = &self.mates[place];
        let record = &self.records[mate.slot as usize];
        AgentView {
            position: self.position(place),
            velocity: self.velocity(place),
            heading: mate.intent,
            outcome: mate.outcome,
            blocker: record.blocker,
            since: record.since,
            group: GroupId(mate.group),
            radius: mate.radius,
            max_speed: mate.max_speed,
            mass: record.mass,
            is_held: mate.is_held(),
            tier: mate.tier(),
            stalled: mate.stalled,
        }
    }

    /// Has what is true of all found out anew before the next step.
    pub(crate) const fn forget_census(&mut self) {
        self.census = None;
    }

    /// Places of live slots, in the order of the slots.
    pub(crate) fn places_by_slot(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots()).filter_map(|slot| self.place_of(slot))
    }

    pub(crate) fn hash_into(&self, hasher: &mut Hasher) {
        hasher.u64(self.slots() as u64);
        for slot in 0..self.slots() {
            let place = self.place_of(slot);
            hasher.u32(self.generation[slot]);
            hasher.u32(u32::from(place.is_some()));
            let Some(place) = place else {
                continue;
            };
            let (mate, record) = (&self.mates[place], &self.records[slot]);
            hasher.i32(self.xs[place]);
            hasher.i32(self.ys[place]);
            hasher.u32(u32::from(mate.layer) << 16 | u32::from(mate.group));
            // Without holds and tiers this is the outcome alone.
            hasher.u32(mate.outcome as u32 | u32::from(mate.marks()) << 8);
            for value in [mate.radius, mate.max_speed, mate.stalled]
                .into_iter()
                .chain(mate.steer)
                .chain(mate.carry)
                .chain(mate.intent)
                .chain(self.velocity(place))
            {
                hasher.f32(value);
            }
            hasher.u64(record.since);
            if record.mass != 1.0 {
                hasher.f32(record.mass);
            }
            if mate.outcome == Outcome::Arrived {
                hasher.u32(record.anchor.0);
                hasher.i32(record.rest.x);
                hasher.i32(record.rest.y);
            }
        }
        // The order in which slots are given out again decides later ids.
        for &slot in &self.free {
            hasher.u32(slot);
        }
    }
}
