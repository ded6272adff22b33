//! The states of agents, as differences to what the tick before lets expect.
//!
//! Expected of an agent is that it goes on as it went, with the same heading, outcome and blocker; and that its velocity is
//! what its way comes to in a tick. What is otherwise is marked in a mask and written. Nothing is rounded: every number
//! comes back to the bit.

use super::bytes::{Cursor, Wrong, put, put_signed};
use super::columns::{Column, ColumnCursors, Columns};
use super::scene::Motion;
use thalweg_core::grid::{CellId, Direction, MapPoint, SUBCELLS};
use thalweg_crowd::{AgentId, AgentView, Blocker, GroupId, Outcome};

/// Bits of the mask.
const X: u8 = 1;
const Y: u8 = 2;
const HEADING: u8 = 4;
const VELOCITY: u8 = 8;
const STALLED: u8 = 16;
const OUTCOME: u8 = 32;
const BLOCKER: u8 = 64;
const RARE: u8 = 128;

/// Bits of the mask of what changes seldom.
const LAYER: u8 = 1;
const GROUP: u8 = 2;
const RADIUS: u8 = 4;
const MAX_SPEED: u8 = 8;
const MASS: u8 = 16;
const IS_HELD: u8 = 32;
const TIER: u8 = 64;

/// An agent as it was last written or read.
#[derive(Clone, Copy, Debug)]
struct Kept {
    id: AgentId,
    view: AgentView,
    /// How far it went in the last tick that was kept, in subcells.
    way: [i32; 2],
}

impl Kept {
    /// Somebody of whom nothing is known.
    fn new(id: AgentId) -> Self {
        let view = AgentView {
            position: MapPoint::default(),
            velocity: [0.0; 2],
            heading: [0.0; 2],
            outcome: Outcome::Moved,
            blocker: Blocker::Nothing,
            since: 0,
            group: GroupId(0),
            radius: 0.0,
            max_speed: 0.0,
            mass: 1.0,
            is_held: false,
            tier: 0,
            stalled: 0.0,
        };
        Self {
            id,
            view,
            way: [0; 2],
        }
    }
}

impl Motion {
    /// The velocity that a way comes to, in cells per second: as crowds compute it.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the same casts as in the crowds"
    )]
    fn velocity(self, way: [i32; 2]) -> [f32; 2] {
        if self.is_strict {
            return way.map(|along| (f64::from(along) / f64::from(SUBCELLS) / self.tick_s) as f32);
        }
        way.map(|along| {
            if along == 0 {
                return 0.0;
            }
            along as f32 * (1.0 / SUBCELLS as f32) / self.tick_s as f32
        })
    }
}

/// The second part of a unit vector that begins so, but for its sign.
fn beside(first: f32) -> f32 {
    (1.0 - first * first).max(0.0).sqrt()
}

/// A float as a whole number in whose order neighbouring floats are neighbours.
const fn ordered(value: f32) -> i32 {
    let bits = value.to_bits().cast_signed();
    if bits < 0 { i32::MIN - bits - 1 } else { bits }
}

const fn unordered(value: i32) -> f32 {
    let bits = if value < 0 { i32::MIN - value - 1 } else { value };
    f32::from_bits(bits.cast_unsigned())
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
}

fn both_same(a: [f32; 2], b: [f32; 2]) -> bool {
    same(a[0], b[0]) && same(a[1], b[1])
}

/// Writes states.
#[derive(Clone, Debug)]
pub(super) struct StateWriter {
    motion: Motion,
    last: Vec<Kept>,
    next: Vec<Kept>,
}

impl StateWriter {
    pub(super) const fn new(motion: Motion) -> Self {
        Self {
            motion,
            last: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Writes everybody, in the order of slots, as they are when so many ticks have been stepped.
    pub(super) fn write(
        &mut self,
        agents: impl Iterator<Item = (AgentId, AgentView)>,
        tick: u64,
        out: &mut Columns,
    ) {
        let mut gone = Vec::new();
        let mut fresh = Vec::new();
        let (mut goners, mut newcomers) = (0, 0);
        self.next.clear();
        let mut at = 0;
        let mut last_gone = 0;
        let mut last_new = 0;
        let mut leave = |at: usize| {
            put(&mut gone, (at - last_gone) as u64);
            last_gone = at;
            goners += 1;
        };
        for (id, view) in agents {
            // Whoever stood in a slot before this one is gone, and so is another in this slot.
            while let Some(before) = self.last.get(at).filter(|before| before.id.index() <= id.index()) {
                if before.id == id {
                    break;
                }
                leave(at);
                at += 1;
            }
            let before = match self.last.get(at).filter(|before| before.id == id) {
                Some(before) => {
                    at += 1;
                    *before
                }
                None => {
                    put(&mut fresh, u64::from(id.index()) - last_new);
                    put(&mut fresh, u64::from(id.generation()));
                    last_new = u64::from(id.index());
                    newcomers += 1;
                    Kept::new(id)
                }
            };
            let way = self.write_one(&before, &view, tick, out);
            self.next.push(Kept { id, view, way });
        }
        for at in at..self.last.len() {
            leave(at);
        }
        let who = out.of(Column::Who);
        put(who, goners);
        who.append(&mut gone);
        put(who, newcomers);
        who.append(&mut fresh);
        core::mem::swap(&mut self.last, &mut self.next);
    }

    fn write_one(&self, before: &Kept, now: &AgentView, tick: u64, out: &mut Columns) -> [i32; 2] {
        let was = &before.view;
        let way = [
            now.position.x.wrapping_sub(was.position.x),
            now.position.y.wrapping_sub(was.position.y),
        ];
        let mut mask = 0;
        for (axis, (bit, column)) in [(X, Column::X), (Y, Column::Y)].into_iter().enumerate() {
            let off = way[axis].wrapping_sub(before.way[axis]);
            if off != 0 {
                mask |= bit;
                put_signed(out.of(column), off.into());
            }
        }
        if !both_same(now.heading, was.heading) {
            mask |= HEADING;
            let [x, y] = now.heading;
            let off = ordered(x).wrapping_sub(ordered(was.heading[0]));
            put_signed(out.of(Column::HeadingX), off.into());
            let expected = beside(x).copysign(was.heading[1]);
            let off = ordered(y).wrapping_sub(ordered(expected));
            put_signed(out.of(Column::HeadingY), off.into());
        }
        if !both_same(now.velocity, self.motion.velocity(way)) {
            mask |= VELOCITY;
            put_floats(out.of(Column::Velocity), now.velocity);
        }
        if !same(now.stalled, was.stalled) {
            mask |= STALLED;
            put_floats(out.of(Column::Stalled), [now.stalled]);
        }
        if (now.outcome, now.since) != (was.outcome, was.since) {
            mask |= OUTCOME;
            out.of(Column::Outcome).push(now.outcome as u8);
            // Small, because it is as a rule since now.
            put_signed(
                out.of(Column::Outcome),
                tick.wrapping_sub(now.since).cast_signed(),
            );
        }
        if now.blocker != was.blocker {
            mask |= BLOCKER;
            put_blocker(out.of(Column::Blocker), now.blocker);
        }
        if write_rare(was, now, out.of(Column::Rare)) {
            mask |= RARE;
        }
        out.of(Column::Mask).push(mask);
        way
    }
}

/// Whether anything was written.
fn write_rare(was: &AgentView, now: &AgentView, out: &mut Vec<u8>) -> bool {
    let mut mask = 0;
    let mut differs = |bit: u8, is_other: bool| {
        if is_other {
            mask |= bit;
        }
        is_other
    };
    let layer = differs(LAYER, now.position.layer != was.position.layer);
    let group = differs(GROUP, now.group != was.group);
    let radius = differs(RADIUS, !same(now.radius, was.radius));
    let max_speed = differs(MAX_SPEED, !same(now.max_speed, was.max_speed));
    let mass = differs(MASS, !same(now.mass, was.mass));
    differs(IS_HELD, now.is_held != was.is_held);
    let tier = differs(TIER, now.tier != was.tier);
    if mask == 0 {
        return false;
    }
    out.push(mask);
    if layer {
        put(out, now.position.layer.into());
    }
    if group {
        put(out, now.group.0.into());
    }
    for (is_other, value) in [(radius, now.radius), (max_speed, now.max_speed), (mass, now.mass)] {
        if is_other {
            put_floats(out, [value]);
        }
    }
    if tier {
        out.push(now.tier);
    }
    true
}

fn put_floats<const N: usize>(out: &mut Vec<u8>, values: [f32; N]) {
    out.extend(values.into_iter().flat_map(|value| value.to_bits().to_le_bytes()));
}

const NOTHING: u8 = 0;
const CELL: u8 = 1;
const AGENT: u8 = 2;
const FIELD_MISSING: u8 = 3;
const FIELD_STALE: u8 = 4;
const MAP_BORDER: u8 = 5;
const HELD: u8 = 6;
/// A blocker of a kind that came after this format; read as none.
const OTHER: u8 = 7;
/// And seven more, for the direction of a wall.
const WALL: u8 = 8;

fn put_blocker(out: &mut Vec<u8>, blocker: Blocker) {
    match blocker {
        Blocker::Nothing => out.push(NOTHING),
        Blocker::Wall { cell, direction } => {
            out.push(WALL + direction as u8);
            put(out, cell.0.into());
        }
        Blocker::Cell(cell) => {
            out.push(CELL);
            put(out, cell.0.into());
        }
        Blocker::Agent(agent) => {
            out.push(AGENT);
            put(out, agent.index().into());
            put(out, agent.generation().into());
        }
        Blocker::FieldMissing => out.push(FIELD_MISSING),
        Blocker::FieldStale => out.push(FIELD_STALE),
        Blocker::MapBorder => out.push(MAP_BORDER),
        Blocker::Held => out.push(HELD),
        _ => out.push(OTHER),
    }
}

fn read_blocker(cursor: &mut Cursor<'_>) -> Result<Blocker, Wrong> {
    Ok(match cursor.u8()? {
        NOTHING | OTHER => Blocker::Nothing,
        CELL => Blocker::Cell(CellId(cursor.narrow()?)),
        AGENT => Blocker::Agent(AgentId::from_parts(cursor.narrow()?, cursor.narrow()?)),
        FIELD_MISSING => Blocker::FieldMissing,
        FIELD_STALE => Blocker::FieldStale,
        MAP_BORDER => Blocker::MapBorder,
        HELD => Blocker::Held,
        wall => Blocker::Wall {
            direction: Direction::from_index(wall - WALL).ok_or("there is no such blocker")?,
            cell: CellId(cursor.narrow()?),
        },
    })
}

/// Reads states.
#[derive(Clone, Debug)]
pub(super) struct StateReader {
    motion: Motion,
    last: Vec<Kept>,
    next: Vec<Kept>,
}

impl StateReader {
    pub(super) const fn new(motion: Motion) -> Self {
        Self {
            motion,
            last: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Everybody as they were when states were last read, in the order of slots.
    pub(super) fn agents(&self) -> impl ExactSizeIterator<Item = (AgentId, AgentView)> + '_ {
        self.last.iter().map(|kept| (kept.id, kept.view))
    }

    /// Reads everybody as they were when so many ticks had been stepped.
    pub(super) fn read(&mut self, tick: u64, from: &mut ColumnCursors<'_>) -> Result<(), Wrong> {
        let who = from.of(Column::Who);
        let mut gone = Vec::new();
        let mut at = 0usize;
        for number in 0..who.number()? {
            let step: usize = who.narrow()?;
            if number > 0 && step == 0 {
                return Err("an agent is gone twice");
            }
            at = at.checked_add(step).ok_or("somebody is gone who was not there")?;
            if at >= self.last.len() {
                return Err("somebody is gone who was not there");
            }
            gone.push(at);
        }
        let mut fresh = Vec::new();
        let mut slot = 0u64;
        for number in 0..who.number()? {
            let step = who.number()?;
            if number > 0 && step == 0 {
                return Err("two agents are new in one slot");
            }
            slot = slot.saturating_add(step);
            let index = u32::try_from(slot).map_err(|_| "an agent is new in a slot beyond 32 bits")?;
            fresh.push(AgentId::from_parts(index, who.narrow()?));
        }
        self.next.clear();
        let mut gone = gone.into_iter().peekable();
        let mut fresh = fresh.into_iter().peekable();
        for at in 0..self.last.len() {
            if gone.next_if_eq(&at).is_some() {
                continue;
            }
            let kept = self.last[at];
            while let Some(id) = fresh.next_if(|id| id.index() <= kept.id.index()) {
                if id.index() == kept.id.index() {
                    return Err("an agent is new in a slot where somebody is");
                }
                let read = self.read_one(&Kept::new(id), tick, from)?;
                self.next.push(read);
            }
            let read = self.read_one(&kept, tick, from)?;
            self.next.push(read);
        }
        for id in fresh {
            let read = self.read_one(&Kept::new(id), tick, from)?;
            self.next.push(read);
        }
        core::mem::swap(&mut self.last, &mut self.next);
        Ok(())
    }

    fn read_one(&self, before: &Kept, tick: u64, from: &mut ColumnCursors<'_>) -> Result<Kept, Wrong> {
        let mask = from.of(Column::Mask).u8()?;
        let mut now = before.view;
        let mut way = before.way;
        for (axis, (bit, column)) in [(X, Column::X), (Y, Column::Y)].into_iter().enumerate() {
            if mask & bit != 0 {
                way[axis] = way[axis].wrapping_add(whole(from.of(column))?);
            }
        }
        now.position.x = now.position.x.wrapping_add(way[0]);
        now.position.y = now.position.y.wrapping_add(way[1]);
        if mask & HEADING != 0 {
            let off = whole(from.of(Column::HeadingX))?;
            let x = unordered(ordered(now.heading[0]).wrapping_add(off));
            let off = whole(from.of(Column::HeadingY))?;
            let expected = beside(x).copysign(now.heading[1]);
            now.heading = [x, unordered(ordered(expected).wrapping_add(off))];
        }
        now.velocity = if mask & VELOCITY != 0 {
            let column = from.of(Column::Velocity);
            [column.f32()?, column.f32()?]
        } else {
            self.motion.velocity(way)
        };
        if mask & STALLED != 0 {
            now.stalled = from.of(Column::Stalled).f32()?;
        }
        if mask & OUTCOME != 0 {
            let column = from.of(Column::Outcome);
            let outcome = Outcome::ALL.get(usize::from(column.u8()?));
            now.outcome = *outcome.ok_or("there is no such outcome")?;
            now.since = tick.wrapping_sub(column.signed()?.cast_unsigned());
        }
        if mask & BLOCKER != 0 {
            now.blocker = read_blocker(from.of(Column::Blocker))?;
        }
        if mask & RARE != 0 {
            read_rare(&mut now, from.of(Column::Rare))?;
        }
        Ok(Kept {
            id: before.id,
            view: now,
            way,
        })
    }
}

fn read_rare(now: &mut AgentView, from: &mut Cursor<'_>) -> Result<(), Wrong> {
    let mask = from.u8()?;
    if mask & LAYER != 0 {
        now.position.layer = from.narrow()?;
    }
    if mask & GROUP != 0 {
        now.group = GroupId(from.narrow()?);
    }
    if mask & RADIUS != 0 {
        now.radius = from.f32()?;
    }
    if mask & MAX_SPEED != 0 {
        now.max_speed = from.f32()?;
    }
    if mask & MASS != 0 {
        now.mass = from.f32()?;
    }
    now.is_held ^= mask & IS_HELD != 0;
    if mask & TIER != 0 {
        now.tier = from.u8()?;
    }
    Ok(())
}

fn whole(from: &mut Cursor<'_>) -> Result<i32, Wrong> {
    i32::try_from(from.signed()?).map_err(|_| "a difference is beyond 32 bits")
}
