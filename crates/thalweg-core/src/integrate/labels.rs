//! Which goal won, per cell, in as few bytes as the number of goals needs.

use super::{LOOK_AT_EDGES, MAX_COST_TO_GOAL, Seed};
use crate::grid::CellId;
use crate::movement::Movement;
use crate::shared_cells::SharedCells;

/// The index of the winning goal per cell.
///
/// Stored as narrow as the goal count allows: nothing for one goal, one byte for up to 256, two for up to 65,536.
/// Values of cells that are not reached mean nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum GoalLabels {
    /// One goal: every reached cell leads to it.
    #[default]
    Single,
    /// Up to 256 goals.
    U8(SharedCells<u8>),
    /// Up to 65,536 goals.
    U16(SharedCells<u16>),
    /// More.
    U32(SharedCells<u32>),
}

impl GoalLabels {
    /// The label of a cell, or `None` if there is but one goal.
    #[inline]
    pub(super) fn get(&self, id: CellId) -> Option<u32> {
        match self {
            Self::Single => None,
            Self::U8(labels) => Some(u32::from(labels.get(id.index()))),
            Self::U16(labels) => Some(u32::from(labels.get(id.index()))),
            Self::U32(labels) => Some(labels.get(id.index())),
        }
    }

    /// The label of a cell, 0 if there is but one goal.
    #[inline]
    pub(crate) fn raw_at(&self, cell: usize) -> u32 {
        match self {
            Self::Single => 0,
            Self::U8(labels) => u32::from(labels.get(cell)),
            Self::U16(labels) => u32::from(labels.get(cell)),
            Self::U32(labels) => labels.get(cell),
        }
    }

    /// Writes the label of a cell; nothing if there is but one goal.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "labels are goal indices, below the goal count that the width was chosen for"
    )]
    pub(crate) fn set_raw(&mut self, cell: usize, label: u32) {
        match self {
            Self::Single => {}
            Self::U8(labels) => labels.set(cell, label as u8),
            Self::U16(labels) => labels.set(cell, label as u16),
            Self::U32(labels) => labels.set(cell, label),
        }
    }

    /// The same labels as wide as `goals` goals need, for `cells` cells. O(1) if that is as wide as they are.
    pub(crate) fn for_goals(&self, goals: u32, cells: usize) -> Self {
        let fits = match self {
            Self::Single => goals <= 1,
            Self::U8(_) => (2..=256).contains(&goals),
            Self::U16(_) => (257..=65_536).contains(&goals),
            Self::U32(_) => goals > 65_536,
        };
        if fits {
            return self.clone();
        }
        let wide: Vec<u32> = (0..cells).map(|cell| self.raw_at(cell)).collect();
        Self::narrowed(&wide, |_| true, goals)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Self::Single => 0,
            Self::U8(labels) => labels.bytes(),
            Self::U16(labels) => labels.bytes(),
            Self::U32(labels) => labels.bytes(),
        }
    }

    /// Narrows wide labels; `goals` is the number of goals. Cells that are not reached get 0, so that equal fields
    /// have equal bytes.
    pub(super) fn narrowed(wide: &[u32], reached: impl Fn(usize) -> bool, goals: u32) -> Self {
        let clean = clean(wide, reached);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "labels are goal indices, below the checked goal count"
        )]
        match goals {
            0..=1 => Self::Single,
            2..=256 => Self::U8(clean.map(|label| label as u8).collect::<Vec<_>>().into()),
            257..=65_536 => Self::U16(clean.map(|label| label as u16).collect::<Vec<_>>().into()),
            _ => Self::U32(clean.collect::<Vec<_>>().into()),
        }
    }
}

/// Labels that are narrowed part by part.
#[derive(Debug)]
pub(super) enum Narrowing {
    Single,
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Narrowing {
    /// For so many goals and cells; only makes room.
    pub(super) fn new(goals: u32, cells: usize) -> Self {
        match goals {
            0..=1 => Self::Single,
            2..=256 => Self::U8(Vec::with_capacity(cells)),
            257..=65_536 => Self::U16(Vec::with_capacity(cells)),
            _ => Self::U32(Vec::with_capacity(cells)),
        }
    }

    /// Goes on with the labels of the next cells, whose costs are these.
    pub(super) fn extend(&mut self, wide: &[u32], values: &[u32]) {
        let reached = |index: usize| values[index] <= MAX_COST_TO_GOAL;
        let clean = clean(wide, reached);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "labels are goal indices, below the checked goal count"
        )]
        match self {
            Self::Single => {}
            Self::U8(labels) => labels.extend(clean.map(|label| label as u8)),
            Self::U16(labels) => labels.extend(clean.map(|label| label as u16)),
            Self::U32(labels) => labels.extend(clean),
        }
    }

    pub(super) fn finish(self) -> GoalLabels {
        match self {
            Self::Single => GoalLabels::Single,
            Self::U8(labels) => GoalLabels::U8(labels.into()),
            Self::U16(labels) => GoalLabels::U16(labels.into()),
            Self::U32(labels) => GoalLabels::U32(labels.into()),
        }
    }
}

/// Labels in which cells that are not reached have 0.
fn clean(wide: &[u32], reached: impl Fn(usize) -> bool) -> impl Iterator<Item = u32> {
    wide.iter()
        .enumerate()
        .map(move |(index, &label)| if reached(index) { label } else { 0 })
}

/// Which goal wins, from finished costs: goal by goal, lowest index first, backwards over the edges that keep the least
/// cost. Whatever a goal reaches so is won by it or by an earlier one.
pub(crate) fn flood_labels(movement: &Movement, seeds: &[Seed], values: &[u32], labels: &mut [u32]) {
    LabelFlood::new(seeds).advance(movement, seeds, values, labels, u64::MAX);
}

/// A spreading of labels that may rest between two cells.
#[derive(Debug, Default)]
pub(super) struct LabelFlood {
    /// The places of the seeds, lowest goal first.
    order: Vec<u32>,
    next: usize,
    goal: u32,
    /// Cells that the goal has won and whose neighbours have not been looked at.
    open: Vec<CellId>,
    /// What it has done, in [units of work](super::SteppedIntegration#units-of-work).
    pub(super) work: u64,
}

impl LabelFlood {
    /// O(seeds), and sorts them.
    pub(super) fn new(seeds: &[Seed]) -> Self {
        let mut order: Vec<u32> = (0u32..).zip(seeds).map(|(place, _)| place).collect();
        order.sort_by_key(|&place| {
            let seed = &seeds[place as usize];
            (seed.goal, seed.cell)
        });
        Self {
            order,
            ..Self::default()
        }
    }

    /// Goes on until its work has come to `until`; what it does later does not depend on where it rested. Returns whether it
    /// is over. Labels that are not set are `u32::MAX`.
    pub(super) fn advance(
        &mut self,
        movement: &Movement,
        seeds: &[Seed],
        values: &[u32],
        labels: &mut [u32],
        until: u64,
    ) -> bool {
        while self.work < until {
            if let Some(cell) = self.open.pop() {
                self.work += LOOK_AT_EDGES;
                let cost = values[cell.index()];
                for edge in movement.edges_into(cell) {
                    let from = edge.other.index();
                    if labels[from] == u32::MAX && cost.checked_add(edge.cost) == Some(values[from]) {
                        labels[from] = self.goal;
                        self.open.push(edge.other);
                    }
                }
                continue;
            }
            let Some(&place) = self.order.get(self.next) else {
                return true;
            };
            self.next += 1;
            self.work += 1;
            let seed = &seeds[place as usize];
            if values[seed.cell.index()] == seed.bias && labels[seed.cell.index()] == u32::MAX {
                labels[seed.cell.index()] = seed.goal;
                self.goal = seed.goal;
                self.open.push(seed.cell);
            }
        }
        false
    }
}
