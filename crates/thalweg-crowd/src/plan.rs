//! What the stages of a substep hand on to each other.

use crate::arrival::Packs;
use crate::fixed::{dot, offset, subcells_from_cells};
use crate::mate::Mate;
use crate::neighbours::Bins;
use crate::slots::Record;
use crate::tiers::Rota;
use crate::walk::Walk;
use crate::{AgentId, Blocker, CrowdOptions, GroupInput, Outcome};
use thalweg_core::grid::{CellId, Direction, Grid, MapPoint};

/// The least time in which an agent covers what is left to the goal's centre, in seconds: it slows down before it.
pub(crate) const BRAKING: f32 = 0.15;

/// What all agents of a substep read: the state before it, in bin order.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) groups: &'a [GroupInput<'a>],
    pub(crate) options: &'a CrowdOptions,
    /// Length of the substep in seconds.
    pub(crate) seconds: f32,
    pub(crate) packs: &'a Packs,
    /// By slot.
    pub(crate) generation: &'a [u32],
    pub(crate) records: &'a [Record],
    pub(crate) bins: &'a Bins,
    /// With [`PADDING`](crate::neighbours::PADDING).
    pub(crate) xs: &'a [i32],
    pub(crate) ys: &'a [i32],
    pub(crate) mates: &'a [Mate],
    /// The largest radius in the crowd, in cells.
    pub(crate) largest: f32,
    /// Which agents look in this tick.
    pub(crate) rota: Rota,
}

impl View<'_> {
    /// Where the agent of a rank is.
    #[inline]
    pub(crate) fn at(&self, rank: usize) -> MapPoint {
        MapPoint::new(self.xs[rank], self.ys[rank]).on(self.mates[rank].layer)
    }

    /// The squared distance between the centres of two agents, in square cells.
    pub(crate) fn square(&self, rank: usize, other: usize) -> f32 {
        let way = offset([self.xs[rank], self.ys[rank]], [self.xs[other], self.ys[other]]);
        dot(way, way)
    }

    /// Whether an agent goes on as it did, without a look at its field and its neighbours.
    #[inline(always)]
    pub(crate) const fn coasts(&self, me: &Mate) -> bool {
        me.outcome as u8 == Outcome::Moved as u8 && !me.is_held() && !self.rota.looks(me)
    }

    /// The agent of a rank, as what stands in somebody's way.
    pub(crate) fn blocker(&self, rank: u32) -> Blocker {
        let slot = self.mates[rank as usize].slot;
        Blocker::Agent(AgentId {
            index: slot,
            generation: self.generation[slot as usize],
        })
    }

    /// Places per agent where its neighbours are listed.
    pub(crate) fn stride(&self) -> usize {
        usize::from(self.options.neighbours)
    }

    /// The time in which a gap may close: never less than a substep.
    pub(crate) fn headway(&self) -> f32 {
        if self.seconds > self.options.headway {
            self.seconds
        } else {
            self.options.headway
        }
    }
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
    /// It goes on as it did: it is far from everything of interest, and its turn to look is later.
    Coasts,
    /// It is held where it is.
    Holds,
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
    /// How far a portal moved it, in subcells of two layers; no walking.
    pub(crate) leap: [i32; 2],
}

/// What is left to do after an agent has asked its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Todo {
    /// Nothing; its plan is made.
    #[default]
    Nothing,
    /// To mind the others and to walk.
    Walk,
    /// To lean towards the goal at which it has arrived.
    CloseRanks,
    /// To go on as before, minding walls only.
    Coast,
}

/// Where an agent wants to go and how fast, and then how fast the others let it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) intent: [f32; 2],
    /// Cells per second.
    pub(crate) speed: f32,
    /// See [`Course::within`](crate::guide::Course::within).
    pub(crate) within: f32,
    /// The velocity after avoidance.
    pub(crate) velocity: [f32; 2],
    /// The cell it is on.
    pub(crate) cell: CellId,
    /// The goal cell it is on, if it is on one.
    pub(crate) goal: Option<CellId>,
    /// The rank of the neighbour that is most in the way.
    pub(crate) in_the_way: Option<u32>,
    /// See [`Course::pinch`](crate::guide::Course::pinch).
    pub(crate) pinch: Option<Direction>,
    pub(crate) todo: Todo,
}

impl Default for Aim {
    fn default() -> Self {
        Self {
            intent: [0.0; 2],
            speed: 0.0,
            within: f32::INFINITY,
            velocity: [0.0; 2],
            cell: CellId(0),
            goal: None,
            in_the_way: None,
            pinch: None,
            todo: Todo::Nothing,
        }
    }
}

/// What is counted on the way; sums of whole numbers and one maximum, so their order does not show.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) queries: u64,
    pub(crate) sweeps: u64,
    pub(crate) refusals: u64,
    pub(crate) deepest: i32,
    /// The farthest that the walk moved anybody along one axis, in subcells.
    pub(crate) farthest: u32,
    /// How many coasted, and how many neighbours all others minded.
    pub(crate) coasted: u64,
    pub(crate) neighbours: u64,
    /// How many had each outcome.
    pub(crate) outcomes: [u32; Outcome::ALL.len()],
    /// How many records change.
    pub(crate) changed: u32,
}

impl Tally {
    pub(crate) fn walk(&mut self, walk: &Walk) {
        self.sweeps += u64::from(walk.sweeps);
        self.refusals += u64::from(walk.refusals);
    }

    /// Takes an overlap in, of so many cells; not above 0 if there is none.
    pub(crate) fn overlap(&mut self, depth: f32) {
        self.deepest = self.deepest.max(subcells_from_cells(depth));
    }

    /// Adds what another counted; outcomes and records are of the last substep only.
    pub(crate) fn join(&mut self, other: &Self) {
        self.queries += other.queries;
        self.sweeps += other.sweeps;
        self.refusals += other.refusals;
        self.deepest = self.deepest.max(other.deepest);
        self.coasted += other.coasted;
        self.neighbours += other.neighbours;
    }
}
