//! Who is in the crowd: ids, what an agent is made of, and what can be asked about it.

use crate::{GroupId, Outcome};
use core::fmt;
use thalweg_core::grid::{CellId, Direction, MapPoint};

/// The least radius of an agent, in cells.
pub const MIN_RADIUS: f32 = 0.01;
/// The largest radius of an agent, in cells.
pub const MAX_RADIUS: f32 = 8.0;
/// The least top speed of an agent, in cells per second.
pub const MIN_SPEED: f32 = 0.001;
/// The largest top speed of an agent, in cells per second.
pub const MAX_SPEED: f32 = 256.0;
/// The least mass of an agent.
pub const MIN_MASS: f32 = 0.001;
/// The largest mass of an agent.
pub const MAX_MASS: f32 = 1000.0;

/// The name of an agent: a slot and how often the slot has been given out. An id is never given out twice, so the id of
/// an agent that is gone names nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AgentId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

impl AgentId {
    /// The id of a slot that had been given out so often before. Any numbers are safe, as in [`Self::from_bits`].
    #[must_use]
    pub const fn from_parts(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// The slot: a number below the most agents there ever were at once, for tables of a caller's own. Slots are given out
    /// again.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// How often the slot had been given out before.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// The id as one number, for foreign interfaces: the generation in the high half.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        (self.generation as u64) << 32 | self.index as u64
    }

    /// The id of a number made by [`Self::to_bits`]. Any number is safe: one that names nobody is refused where it is
    /// used.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the halves are taken apart")]
    pub const fn from_bits(bits: u64) -> Self {
        Self::from_parts(bits as u32, (bits >> 32) as u32)
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index, self.generation)
    }
}

/// What a new agent is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentSpec {
    /// Where its centre is; on a passable cell.
    pub position: MapPoint,
    /// Radius of its body, in cells, [`MIN_RADIUS`] to [`MAX_RADIUS`]. It matters to other agents and, up to
    /// [`CrowdOptions::wall_clearance`](crate::CrowdOptions::wall_clearance), to walls.
    pub radius: f32,
    /// The speed it walks at when nothing is in the way, in cells per second, [`MIN_SPEED`] to [`MAX_SPEED`].
    pub max_speed: f32,
    /// Its group.
    pub group: GroupId,
}

/// What keeps an agent from moving as it wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Blocker {
    /// Nothing does.
    #[default]
    Nothing,
    /// The border of a cell that has no exit that way.
    Wall {
        /// The cell the agent is on.
        cell: CellId,
        /// The exit it lacks.
        direction: Direction,
    },
    /// The cell the agent is on: no way leads on from it, or no body may be on it.
    Cell(CellId),
    /// Another agent.
    Agent(AgentId),
    /// There is no field yet.
    FieldMissing,
    /// The field is of an older world.
    FieldStale,
    /// The agent is off the map.
    MapBorder,
    /// It is held, see [`Crowd::hold`](crate::Crowd::hold).
    Held,
}

/// Somebody who left the simulation at a goal; see [`Crowd::departures`](crate::Crowd::departures).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Departure {
    /// Who it was; the id names nobody any more.
    pub id: AgentId,
    /// Where it left.
    pub position: MapPoint,
    /// How it moved in its last step, in cells per second, as [`AgentView::velocity`].
    pub velocity: [f32; 2],
}

/// What can be asked about an agent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentView {
    /// Where its centre is.
    pub position: MapPoint,
    /// How it moved over the last step, in cells per second: pushed apart by others included, portals and
    /// [`Crowd::push`](crate::Crowd::push) not.
    pub velocity: [f32; 2],
    /// Where it wants to go: a vector of length 1, or (0,0) if nowhere.
    pub heading: [f32; 2],
    /// What became of it in the last step.
    pub outcome: Outcome,
    /// What keeps it from moving as it wants.
    pub blocker: Blocker,
    /// The tick since which it has had this outcome; [`Crowd::tick`](crate::Crowd::tick) is now.
    pub since: u64,
    /// Its group.
    pub group: GroupId,
    /// Radius, in cells.
    pub radius: f32,
    /// Speed it walks at when nothing is in the way, in cells per second.
    pub max_speed: f32,
    /// How hard it is to push, against others; see [`Crowd::set_mass`](crate::Crowd::set_mass).
    pub mass: f32,
    /// Whether it is held where it is.
    pub is_held: bool,
    /// Its tier: 0 looks every tick, see [`TierOptions`](crate::TierOptions).
    pub tier: u8,
    /// For how long it has got on at less than a quarter of the pace it wants, in seconds; good time counts back twice as
    /// fast. 0 for whoever does not walk.
    pub stalled: f32,
}
