//! The flow field: the tied best exits per cell, in 1.25 bytes a cell.

use crate::grid::{CellId, Direction, DirectionSet, Grid};
use crate::movement::PortalIndex;
use crate::shared_cells::SharedCells;
use core::fmt;

/// What a flow field says at a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Guidance {
    /// Take this exit: the first of the tied best ones in the fixed direction order.
    Toward(Direction),
    /// Take this portal: no step is as good, and it is the first of the tied best ones.
    Through(PortalIndex),
    /// A goal cell: arrived.
    Goal,
    /// A wall.
    Impassable,
    /// No way leads to a goal from here.
    Unreachable,
    /// Not surveyed, or beyond the cost limit.
    Unknown,
}

impl Guidance {
    /// The direction to take, if there is one.
    #[inline]
    #[must_use]
    pub const fn direction(self) -> Option<Direction> {
        if let Self::Toward(direction) = self {
            Some(direction)
        } else {
            None
        }
    }

    /// Whether a way leads from the cell or ends there.
    pub(super) const fn leads_on_or_arrives(self) -> bool {
        matches!(self, Self::Toward(_) | Self::Through(_) | Self::Goal)
    }
}

/// Why a cell has no successor; two bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Still {
    Goal = 0,
    Impassable = 1,
    Unreachable = 2,
    Unknown = 3,
}

/// Directions of a whole map.
///
/// One byte per cell holds *all* tied best exits (that is what lets an agent take another equal way when the first is
/// taken); the direction is the first of them. Two more bits tell the cells without exits apart. It needs no
/// cost-to-goal to be read.
#[derive(Clone, PartialEq, Eq)]
pub struct FlowField {
    pub(super) grid: Grid,
    pub(super) successors: SharedCells<DirectionSet>,
    /// Two bits per cell, four cells a byte; 0 where a cell has successors.
    pub(super) still: SharedCells<u8>,
    /// Tied best portals by the cell they leave, sorted; most maps have none.
    pub(super) portals: Vec<(CellId, PortalIndex)>,
}

impl FlowField {
    /// A field in which every cell is unknown.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        Self {
            successors: SharedCells::filled(grid.len(), DirectionSet::EMPTY),
            still: SharedCells::filled(grid.len().div_ceil(4), 0xff),
            grid,
            portals: Vec::new(),
        }
    }

    /// A field from what all its cells say.
    pub(super) fn assembled(
        grid: Grid,
        successors: Vec<DirectionSet>,
        still: Vec<u8>,
        portals: Vec<(CellId, PortalIndex)>,
    ) -> Self {
        Self {
            grid,
            successors: successors.into(),
            still: still.into(),
            portals,
        }
    }

    /// The rectangle of cells.
    #[inline]
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What the field says at a cell. O(1).
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn guidance(&self, id: CellId) -> Guidance {
        if let Some(direction) = self.successors.get(id.index()).first() {
            return Guidance::Toward(direction);
        }
        if let Some(&(_, portal)) = self.portals_at(id).first() {
            return Guidance::Through(portal);
        }
        match (self.still.get(id.index() / 4) >> (2 * (id.index() % 4))) & 3 {
            0 => Guidance::Goal,
            1 => Guidance::Impassable,
            2 => Guidance::Unreachable,
            _ => Guidance::Unknown,
        }
    }

    /// The direction to take from a cell, if there is one.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn direction(&self, id: CellId) -> Option<Direction> {
        self.successors.get(id.index()).first()
    }

    /// All exits that keep the least cost-to-goal; empty for cells without a direction.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn successors(&self, id: CellId) -> DirectionSet {
        self.successors.get(id.index())
    }

    /// All portals from a cell that keep the least cost-to-goal, in order of their index.
    ///
    /// They stand beside [`Self::successors`]: where a step and a portal are equally good, both are offered and the step
    /// comes first.
    pub fn portal_successors(&self, id: CellId) -> impl ExactSizeIterator<Item = PortalIndex> + '_ {
        self.portals_at(id).iter().map(|&(_, portal)| portal)
    }

    pub(super) fn portals_at(&self, id: CellId) -> &[(CellId, PortalIndex)] {
        portals_at(&self.portals, id)
    }

    /// The successor masks of all cells, in id order. For passes over the whole map: on a repaired field the first call puts
    /// the slice together.
    #[must_use]
    pub fn all_successors(&self) -> &[DirectionSet] {
        self.successors.flat()
    }

    /// Writes what the field says at a cell; `still` counts where there is no successor.
    pub(super) fn set(&mut self, cell: usize, successors: DirectionSet, still: Still) {
        if self.successors.get(cell) != successors {
            self.successors.set(cell, successors);
        }
        let shift = 2 * (cell % 4);
        let byte = self.still.get(cell / 4);
        let new = byte & !(3 << shift) | (still as u8) << shift;
        if new != byte {
            self.still.set(cell / 4, new);
        }
    }

    /// The cells whose directions or portals differ, some of them twice.
    pub(crate) fn for_each_difference(&self, other: &Self, mut found: impl FnMut(CellId)) {
        self.successors
            .for_each_difference(&other.successors, |cell| found(CellId::from_index(cell)));
        self.still.for_each_difference(&other.still, |four| {
            let cells = 4 * four..(4 * four + 4).min(self.successors.len());
            cells.for_each(|cell| found(CellId::from_index(cell)));
        });
        for (ours, theirs) in [(self, other), (other, self)] {
            let only = ours
                .portals
                .iter()
                .filter(|portal| theirs.portals.binary_search(portal).is_err());
            only.for_each(|&(cell, _)| found(cell));
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.successors.len() + self.still.len() + self.portals.len() * size_of::<(CellId, PortalIndex)>()
    }

    /// Makes room for another map; cells hold anything, for the direction pass writes each.
    pub(super) fn restart(&mut self, grid: &Grid) -> (&mut [DirectionSet], &mut [u8]) {
        self.grid.clone_from(grid);
        self.portals.clear();
        let successors = self.successors.restart();
        successors.resize(grid.len(), DirectionSet::EMPTY);
        let still = self.still.restart();
        still.resize(grid.len().div_ceil(4), 0);
        (successors, still)
    }
}

/// Those of sorted portals that leave a cell.
pub(super) fn portals_at(portals: &[(CellId, PortalIndex)], id: CellId) -> &[(CellId, PortalIndex)] {
    let first = portals.partition_point(|&(cell, _)| cell < id);
    let len = portals[first..].partition_point(|&(cell, _)| cell == id);
    &portals[first..first + len]
}

impl fmt::Debug for FlowField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowField")
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}
