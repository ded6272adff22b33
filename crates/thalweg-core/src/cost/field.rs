//! The dense costs of a map, with a version and the region that changed.

use super::store::{CellStore, check_length};
use super::{Cost, CostError, DirtyRegion};
use crate::grid::{Cell, CellId, Grid, GridError};
use crate::shared_cells::SharedCells;
use core::fmt;
use thiserror::Error;

/// Why a cost field cannot be made or written.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CostFieldError {
    /// The rectangle or the number of values does not fit.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A cell is not on the map.
    #[error("cell {cell} lies outside {grid}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// The map.
        grid: Grid,
    },
    /// A value is not a cost.
    #[error("cell {cell}: {reason}")]
    BadCost {
        /// The cell.
        cell: Cell,
        /// What is wrong with the value.
        reason: CostError,
    },
    /// Two things that belong together cover different cells.
    #[error("{grid} cannot be combined with {other}")]
    OtherGrid {
        /// The one.
        grid: Grid,
        /// The other.
        other: Grid,
    },
    /// The corners of a rectangle are on two layers.
    #[error("the corners {a} and {b} are on different layers; a rectangle lies on one")]
    Layers {
        /// One corner.
        a: Cell,
        /// The other.
        b: Cell,
    },
}

impl CostFieldError {
    /// The error of a cell that is not on a grid.
    pub(super) fn outside(grid: &Grid, cell: Cell) -> Self {
        Self::Outside {
            cell,
            grid: grid.clone(),
        }
    }
}

/// Refuses two grids that are not the same.
pub(super) fn check_same_grid(grid: &Grid, other: &Grid) -> Result<(), CostFieldError> {
    if grid == other {
        return Ok(());
    }
    Err(CostFieldError::OtherGrid {
        grid: grid.clone(),
        other: other.clone(),
    })
}

/// The id of a cell that must be on the grid.
pub(super) fn id_or_error(grid: &Grid, cell: Cell) -> Result<CellId, CostFieldError> {
    grid.id(cell).ok_or_else(|| CostFieldError::outside(grid, cell))
}

/// The region between two corners, both included, in any order.
pub(super) fn region_between(grid: &Grid, a: Cell, b: Cell) -> Result<DirtyRegion, CostFieldError> {
    let corner = |cell| DirtyRegion::of_cell(grid, cell).ok_or_else(|| CostFieldError::outside(grid, cell));
    corner(a)?.join(corner(b)?).ok_or(CostFieldError::Layers { a, b })
}

/// What unknown ground is to a profile. Unknown ground is never passable unless a profile says so explicitly, here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum UnknownGround {
    /// No body may be on it.
    #[default]
    Blocked,
    /// Passed at this cost, as if it were known ("drive on sight"). [`Cost::IMPASSABLE`] makes it a known wall.
    Assumed(Cost),
}

impl UnknownGround {
    /// What a cell is to the profile; `None` is unknown.
    #[inline]
    #[must_use]
    pub const fn seen(self, cost: Option<Cost>) -> Option<Cost> {
        match (cost, self) {
            (None, Self::Assumed(assumed)) => Some(assumed),
            _ => cost,
        }
    }
}

/// Counts the writes that changed a cost field. Monotonic within one field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct CostVersion(pub u64);

/// One cost per cell, known or unknown.
///
/// Cloning is cheap and copy-on-write: a clone is a snapshot that later writes do not touch. Every writer goes through
/// one private door that marks the dirty region and raises the version, and only when a value really changes.
#[derive(Clone, PartialEq, Eq)]
pub struct CostField {
    /// Unknown cells hold 255 here, so that code that only asks "may a body be here?" is right without a second look.
    store: CellStore<u8>,
}

impl CostField {
    /// A field with the same known cost everywhere.
    #[must_use]
    pub fn filled(grid: Grid, cost: Cost) -> Self {
        Self {
            store: CellStore::filled(grid, cost.byte(), Cost::IMPASSABLE.byte()),
        }
    }

    /// A field of known costs from bytes, row by row; 255 is impassable.
    ///
    /// # Errors
    /// [`GridError::WrongLength`] if there is not exactly one byte per cell.
    pub fn from_bytes(grid: Grid, bytes: Vec<u8>) -> Result<Self, CostFieldError> {
        Ok(Self {
            store: CellStore::new(grid, bytes, Cost::IMPASSABLE.byte())?,
        })
    }

    /// The field with exactly these cells unknown. For making new fields: it marks nothing and raises no version.
    pub(super) fn with_unknown_bits(self, unknown: Option<SharedCells<u64>>) -> Self {
        Self {
            store: self.store.with_unknown(unknown),
        }
    }

    /// A field of known costs from wider numbers, row by row.
    ///
    /// # Errors
    /// [`CostFieldError::BadCost`] naming the first cell whose value is not a cost (negative, above 255, NaN, not
    /// whole), or [`GridError::WrongLength`].
    pub fn from_values<T>(grid: Grid, values: &[T]) -> Result<Self, CostFieldError>
    where
        T: Copy,
        Cost: TryFrom<T, Error = CostError>,
    {
        check_length(&grid, values.len())?;
        let mut bytes = Vec::with_capacity(values.len());
        for (id, &value) in grid.ids().zip(values) {
            let cost = Cost::try_from(value).map_err(|reason| CostFieldError::BadCost {
                cell: grid.cell(id),
                reason,
            })?;
            bytes.push(cost.byte());
        }
        Self::from_bytes(grid, bytes)
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.store.grid()
    }

    /// Raised by every write that changed something.
    #[must_use]
    pub const fn version(&self) -> CostVersion {
        CostVersion(self.store.version())
    }

    /// The costs as bytes, one per cell in id order; unknown cells hold 255. O(1), but O(cells) the first time after writes
    /// to a field that has clones; [`Self::get`] is O(1) always.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.store.values()
    }

    /// The bytes as a shared snapshot.
    #[must_use]
    pub const fn shared_bytes(&self) -> &SharedCells<u8> {
        self.store.shared_values()
    }

    /// The unknown bits as a shared snapshot: bit `id % 64` of word `id / 64`; `None` while all cells are known.
    #[must_use]
    pub fn shared_unknown(&self) -> Option<SharedCells<u64>> {
        self.store.shared_unknown()
    }

    /// The cells that are different in another field, in id order, each once. Next to nothing where one came from the other
    /// by a few writes.
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`].
    pub fn differences(&self, other: &Self) -> Result<Vec<CellId>, CostFieldError> {
        check_same_grid(self.grid(), other.grid())?;
        Ok(self.store.differences(&other.store))
    }

    /// Whether the cell has been surveyed.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_known(&self, id: CellId) -> bool {
        self.store.is_known(id)
    }

    /// The cost of a known cell, or `None` for an unknown one.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn get(&self, id: CellId) -> Option<Cost> {
        self.store.get(id).map(Cost::from_byte)
    }

    /// How many cells are unknown.
    #[must_use]
    pub fn unknown_len(&self) -> usize {
        self.store.unknown_len()
    }

    /// The field as a profile sees it that takes unknown ground for what `ground` says; the version stays.
    ///
    /// A copy is made only if there is unknown ground and it is not [`UnknownGround::Blocked`]. In the result assumed
    /// cells count as known: under such a profile a cell without a way is unreachable, not unknown.
    #[must_use]
    pub fn with_unknown_ground(&self, ground: UnknownGround) -> Self {
        let store = self.store.clone();
        Self {
            store: match ground {
                UnknownGround::Blocked => store,
                UnknownGround::Assumed(cost) => store.known_as(cost.byte()),
            },
        }
    }

    /// Makes a cell known with this cost.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set(&mut self, cell: Cell, cost: Cost) -> Result<(), CostFieldError> {
        let id = id_or_error(self.grid(), cell)?;
        self.write(id, Some(cost));
        Ok(())
    }

    /// Makes a cell unknown.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_unknown(&mut self, cell: Cell) -> Result<(), CostFieldError> {
        let id = id_or_error(self.grid(), cell)?;
        self.write(id, None);
        Ok(())
    }

    /// Makes all cells of a rectangle known with this cost. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`] if a corner is off the map, [`CostFieldError::Layers`]; nothing is changed then.
    pub fn set_rect(&mut self, a: Cell, b: Cell, cost: Cost) -> Result<(), CostFieldError> {
        for id in region_between(self.grid(), a, b)?.ids(self.grid()) {
            self.write(id, Some(cost));
        }
        Ok(())
    }

    /// Makes every cell known with the given bytes, row by row; 255 is impassable. Only cells that differ are marked.
    ///
    /// # Errors
    /// [`GridError::WrongLength`]; nothing is changed then.
    pub fn set_all(&mut self, bytes: &[u8]) -> Result<(), CostFieldError> {
        check_length(self.grid(), bytes.len())?;
        for (id, &byte) in self.grid().ids().zip(bytes) {
            self.write(id, Some(Cost::from_byte(byte)));
        }
        Ok(())
    }

    /// Makes every cell what it is in another field, unknown cells included. Only cells that differ are marked.
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn copy_from(&mut self, other: &Self) -> Result<(), CostFieldError> {
        check_same_grid(self.grid(), other.grid())?;
        for id in self.grid().ids() {
            self.write(id, other.get(id));
        }
        Ok(())
    }

    /// The regions changed since the last call, at most one for each layer, which are forgotten.
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        self.store.take_dirty()
    }

    /// The one door: every write passes here. `None` makes the cell unknown.
    ///
    /// # Panics
    /// If the id is not of this grid.
    pub fn write(&mut self, id: CellId, cost: Option<Cost>) {
        self.store.write(id, cost.map(Cost::byte));
    }
}

impl fmt::Debug for CostField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CostField")
            .field("grid", self.grid())
            .field("version", &self.version())
            .field("unknown", &self.unknown_len())
            .finish_non_exhaustive()
    }
}
