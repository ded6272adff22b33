//! The stages of a stepped integration, and how much work they are.

use super::{LOOK_AT_EDGES, SteppedIntegration};
use crate::integrate::buckets::SETTLING;
use crate::integrate::buckets::ring_len;
use crate::integrate::engine::{TILES_FROM, step_range};
use crate::integrate::tiles::SteppedTiles;
use crate::integrate::unreached::may_drop;
use crate::integrate::{Engine, IntegrateOptions, ResolvedGoals};
use crate::movement::{Connectivity, Movement};
use core::ops::Range;

/// What copying a page of the ground takes, and a look at so many cells of it at the end.
pub(super) const PAGE: u64 = 512;
/// Cells of the map that are looked at to tell what sort it is, at most.
pub(super) const SAMPLE: usize = 1 << 11;

/// Cells of a strip, and of one in which each cell may take as much as settling it.
const STRIP: usize = 1 << 12;
const DEAR_STRIP: usize = 1 << 8;

/// What is being done, in this order; some stages are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// Costs and exits are put together, if they are in pages.
    Ground,
    /// The array of costs is filled.
    Room,
    /// That of labels is.
    LabelRoom,
    Tiles,
    /// Of buckets.
    Wave,
    /// A cell is looked for that has no cost although it should.
    Lost,
    /// Cells without a cost become unknown.
    CutOff,
    Unsurveyed,
    /// Labels spread.
    Spread,
    Narrow,
    Finished,
}

impl Stage {
    /// What comes after a stage that goes through all cells.
    pub(super) const fn next(self) -> Self {
        match self {
            Self::Ground => Self::Room,
            Self::Room => Self::LabelRoom,
            Self::LabelRoom | Self::Tiles => Self::Wave,
            Self::Wave => Self::Lost,
            Self::Lost | Self::CutOff => Self::Unsurveyed,
            Self::Unsurveyed => Self::Spread,
            Self::Spread => Self::Narrow,
            Self::Narrow | Self::Finished => Self::Finished,
        }
    }
}

/// Some cells in a row.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) cells: Range<usize>,
    /// What looking over them takes.
    pub(super) work: u64,
    pub(super) is_last: bool,
}

impl Strip {
    pub(super) fn at(first: usize, cells: usize, stage: Stage) -> Self {
        let len = if stage == Stage::Lost { DEAR_STRIP } else { STRIP };
        let end = cells.min(first + len);
        Self {
            work: ((end - first) as u64).div_ceil(4),
            is_last: end == cells,
            cells: first..end,
        }
    }
}

impl SteppedIntegration {
    /// About how much a whole integration is, in [units of work](Self#units-of-work): what it comes to where every cell is
    /// reached and hardly any gets cheaper once it waits. Maps with many walls take less. O(1) but for goal cells.
    #[must_use]
    pub fn expected_work(movement: &Movement, goals: &ResolvedGoals, options: &IntegrateOptions) -> u64 {
        let cells = movement.grid().len() as u64;
        let may_take_tiles = options.engine != Engine::Buckets
            && options.vectors.are_wide()
            && Engine::Tiles.supports(movement)
            && movement.grid().len() >= TILES_FROM;
        if may_take_tiles {
            // Goals are mostly told apart on the way.
            return passes(movement, goals, options) + SteppedTiles::expected_work(movement);
        }
        passes(movement, goals, options) + (settling(movement) + 1) * cells + labels(goals, cells)
    }

    /// No integration is more work than this, in the same units; several times what to expect, because a cell may get
    /// cheaper by each of its exits in turn. O(portals).
    #[must_use]
    pub fn most_work(movement: &Movement, goals: &ResolvedGoals, options: &IntegrateOptions) -> u64 {
        let cells = movement.grid().len() as u64;
        let exits = match movement.profile().connectivity {
            Connectivity::Four => 4,
            Connectivity::Eight => 8,
        };
        let (smallest, largest) = step_range(movement);
        let portals = movement.portal_cells().flat_map(|cell| movement.portals_of(cell));
        let (mut edges, mut has_short) = (exits * cells, movement.has_zero_steps());
        for portal in portals {
            edges += 1;
            has_short |= portal.cost < smallest;
        }
        // A cell is settled once for each cost it has while its bucket is open. That is one, but where edges lead on
        // inside a bucket.
        let costs_per_bucket = if has_short { 1 << smallest.ilog2() } else { 1 };
        let seeds = goals.seeds().len() as u64;
        let entries = (edges.saturating_mul(costs_per_bucket)).saturating_add(seeds);
        let opening = 1 + u64::from(ring_len(smallest, largest) / 512);
        // Each entry is settled or dropped, may open a bucket and come from afar.
        let wave = entries
            .saturating_mul(settling(movement) + opening + 1)
            .saturating_add(2 * seeds);
        let lost = if may_drop(movement, goals, options) {
            8 * cells
        } else {
            0
        };
        let tiles = SteppedTiles::most_work(movement).saturating_add(2 * seeds);
        let wave = wave.saturating_add(tiles);
        wave.saturating_add(passes(movement, goals, options) + lost + labels(goals, cells) + seeds)
    }
}

/// What settling a cell by buckets takes.
pub(super) fn settling(movement: &Movement) -> u64 {
    if movement.is_plain() {
        SETTLING
    } else {
        LOOK_AT_EDGES
    }
}

/// Passes over all cells.
fn passes(movement: &Movement, goals: &ResolvedGoals, options: &IntegrateOptions) -> u64 {
    let ground = PAGE * movement.pages_to_flatten() as u64;
    let fill = 1;
    let lost = if may_drop(movement, goals, options) { 2 } else { 0 };
    let unsurveyed = u64::from(movement.has_unknown());
    let labels = if goals.goal_count() > 1 { 2 } else { 0 };
    PAGE + ground + (fill + lost + unsurveyed + labels) * (movement.grid().len() as u64).div_ceil(4)
}

/// The spreading of labels.
fn labels(goals: &ResolvedGoals, cells: u64) -> u64 {
    if goals.goal_count() > 1 {
        LOOK_AT_EDGES * cells
    } else {
        0
    }
}
