//! Which cells are asked for, and up to which cost a field answers because of it.

use super::IntegrateError;
use super::field::{MAX_COST_TO_GOAL, UNKNOWN, UNREACHABLE};
use crate::grid::CellId;
use crate::movement::Movement;
use crate::workers::{Workers, for_each_part};
use core::ops::Range;

/// The cells whose answers are wanted, so that an integration may stop as soon as they are final.
///
/// Cells may be named in any order and more than once. Cells that are walls or not surveyed are answered without a search.
#[derive(Clone, Copy, Debug)]
pub enum Asked<'a> {
    /// Single cells, such as those that agents are on.
    Cells(&'a [CellId]),
    /// Half-open runs of ids, such as the rows of rectangles; an empty run asks for nothing.
    Runs(&'a [Range<CellId>]),
}

impl Asked<'_> {
    /// The runs of ids asked for.
    pub(super) fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let (cells, runs) = match *self {
            Self::Cells(cells) => (cells, &[][..]),
            Self::Runs(runs) => (&[][..], runs),
        };
        let runs = runs.iter().map(|run| run.start.index()..run.end.index());
        let cells = cells.iter().map(|cell| cell.index()..cell.index() + 1);
        cells.chain(runs).filter(|run| run.start < run.end)
    }

    pub(super) fn check(&self, cells: usize) -> Result<(), IntegrateError> {
        let foreign = self.runs().find(|run| run.end > cells);
        foreign.map_or(Ok(()), |run| {
            Err(IntegrateError::ForeignAsked {
                id: CellId::from_index(run.start.max(cells)).0,
                cells,
            })
        })
    }
}

const _: () = assert!(UNREACHABLE == UNKNOWN + 1 && MAX_COST_TO_GOAL < UNKNOWN);

/// Up to which cost a field answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Answers {
    /// Every cell is answered.
    All,
    /// Passable cells beyond this cost, and those without one, are unknown.
    UpTo(u32),
    /// Every passable cell is unknown, because none was asked for.
    Nothing,
}

impl Answers {
    /// What the costs of the asked cells come to: the largest of them, or everything if one of them has none. A pure
    /// function of finished costs; costs above it need not be finished.
    pub(super) fn of(asked: &Asked<'_>, movement: &Movement, values: &[u32]) -> Self {
        let mut answers = Self::Nothing;
        for run in asked.runs() {
            for (&value, &cost) in values[run.clone()].iter().zip(&movement.costs()[run]) {
                if cost == 255 {
                    continue;
                }
                if value > MAX_COST_TO_GOAL {
                    return Self::All;
                }
                answers = answers.and(value);
            }
        }
        answers
    }

    /// With one more asked cell of this cost.
    pub(super) const fn and(self, cost: u32) -> Self {
        match self {
            Self::UpTo(other) if other >= cost => self,
            Self::All => Self::All,
            _ => Self::UpTo(cost),
        }
    }

    /// What stands in the field for a cost that an engine left, beyond all costs if it left none. Without branches, so that
    /// whole rows are done by vectors; it serves where not all cells are answered.
    #[inline(always)]
    pub(super) const fn value(below: u32, value: u32, terrain: u8) -> u32 {
        // Walls are unreachable, which is one above unknown.
        let without = UNKNOWN + (terrain == 255) as u32;
        if value < below { value } else { without }
    }

    /// The least cost that is not answered.
    pub(super) const fn below(self) -> u32 {
        match self {
            Self::All => UNKNOWN,
            Self::UpTo(cost) => cost + 1,
            Self::Nothing => 0,
        }
    }

    /// Makes unknown what is not answered.
    pub(super) fn apply(self, movement: &Movement, workers: &dyn Workers, values: &mut [u32]) {
        const PART: usize = 1 << 16;
        if self == Self::All {
            return;
        }
        let below = self.below();
        let parts: Vec<_> = values.chunks_mut(PART).collect();
        for_each_part(workers, parts, |index, part| {
            let terrain = &movement.costs()[index * PART..];
            for (value, &terrain) in part.iter_mut().zip(terrain) {
                *value = Self::value(below, *value, terrain);
            }
        });
    }
}
