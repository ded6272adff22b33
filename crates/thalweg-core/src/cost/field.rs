//! The dense costs of a map, with a version and the region that changed.

use super::{Cost, CostError};
use crate::grid::{Cell, CellId, Grid, GridError};
use core::fmt;
use std::sync::Arc;
use thiserror::Error;

/// Why a cost field cannot be made or written.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CostFieldError {
    /// The rectangle or the number of values does not fit.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A cell is not on the map.
    #[error("cell {cell} lies outside the map of {width} x {height} cells that begins at {first}")]
    Outside {
        /// The cell.
        cell: Cell,
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The map's first cell.
        first: Cell,
    },
    /// A value is not a cost.
    #[error("cell {cell}: {reason}")]
    BadCost {
        /// The cell.
        cell: Cell,
        /// What is wrong with the value.
        reason: CostError,
    },
}

/// Counts the writes that changed a cost field. Monotonic within one field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct CostVersion(pub u64);

/// The smallest rectangle of columns and rows that holds every cell changed since it was last taken; half-open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct DirtyRegion {
    /// First column and first row.
    pub min: (u32, u32),
    /// One past the last column and row.
    pub max: (u32, u32),
}

impl DirtyRegion {
    fn join(self, other: Self) -> Self {
        Self {
            min: (self.min.0.min(other.min.0), self.min.1.min(other.min.1)),
            max: (self.max.0.max(other.max.0), self.max.1.max(other.max.1)),
        }
    }
}

/// One cost per cell, known or unknown.
///
/// Cloning is cheap and copy-on-write: a clone is a snapshot that later writes do not touch. Every writer goes through
/// one private door that marks the dirty region and raises the version, and only when a value really changes.
#[derive(Clone, PartialEq, Eq)]
pub struct CostField {
    grid: Grid,
    /// Unknown cells hold 255 here, so that code that only asks "may a body be here?" is right without a second look.
    bytes: Arc<Vec<u8>>,
    /// Bit per cell, set where the cell is unknown; `None` while all cells are known.
    unknown: Option<Arc<Vec<u64>>>,
    version: CostVersion,
    dirty: Option<DirtyRegion>,
}

impl CostField {
    /// A field with the same known cost everywhere.
    #[must_use]
    pub fn filled(grid: Grid, cost: Cost) -> Self {
        Self {
            grid,
            bytes: Arc::new(vec![cost.byte(); grid.len()]),
            unknown: None,
            version: CostVersion(0),
            dirty: None,
        }
    }

    /// A field of known costs from bytes, row by row; 255 is impassable.
    ///
    /// # Errors
    /// [`GridError::WrongLength`] if there is not exactly one byte per cell.
    pub fn from_bytes(grid: Grid, bytes: Vec<u8>) -> Result<Self, CostFieldError> {
        if bytes.len() != grid.len() {
            return Err(GridError::WrongLength {
                width: grid.width(),
                height: grid.height(),
                got: bytes.len(),
            }
            .into());
        }
        Ok(Self {
            grid,
            bytes: Arc::new(bytes),
            unknown: None,
            version: CostVersion(0),
            dirty: None,
        })
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
        if values.len() != grid.len() {
            return Err(GridError::WrongLength {
                width: grid.width(),
                height: grid.height(),
                got: values.len(),
            }
            .into());
        }
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
        &self.grid
    }

    /// Raised by every write that changed something.
    #[must_use]
    pub const fn version(&self) -> CostVersion {
        self.version
    }

    /// The costs as bytes, one per cell in id order; unknown cells hold 255.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as a shared snapshot.
    #[must_use]
    pub fn shared_bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.bytes)
    }

    /// The unknown bits as a shared snapshot: bit `id % 64` of word `id / 64`; `None` while all cells are known.
    #[must_use]
    pub fn shared_unknown(&self) -> Option<Arc<Vec<u64>>> {
        self.unknown.clone()
    }

    /// Whether the cell has been surveyed.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn is_known(&self, id: CellId) -> bool {
        assert!(
            id.index() < self.bytes.len(),
            "cell id {} is not of this map",
            id.0
        );
        self.unknown
            .as_ref()
            .is_none_or(|words| words[id.index() / 64] & (1 << (id.index() % 64)) == 0)
    }

    /// The cost of a known cell, or `None` for an unknown one.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn get(&self, id: CellId) -> Option<Cost> {
        self.is_known(id).then(|| Cost::from_byte(self.bytes[id.index()]))
    }

    /// How many cells are unknown.
    #[must_use]
    pub fn unknown_len(&self) -> usize {
        self.unknown.as_ref().map_or(0, |words| {
            words.iter().map(|word| word.count_ones() as usize).sum()
        })
    }

    /// Makes a cell known with this cost.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set(&mut self, cell: Cell, cost: Cost) -> Result<(), CostFieldError> {
        let id = self.id_or_error(cell)?;
        self.write(id, Some(cost));
        Ok(())
    }

    /// Makes a cell unknown.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_unknown(&mut self, cell: Cell) -> Result<(), CostFieldError> {
        let id = self.id_or_error(cell)?;
        self.write(id, None);
        Ok(())
    }

    /// Makes all cells of a rectangle known with this cost. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`] if a corner is off the map; nothing is changed then.
    pub fn set_rect(&mut self, a: Cell, b: Cell, cost: Cost) -> Result<(), CostFieldError> {
        let (a_id, b_id) = (self.id_or_error(a)?, self.id_or_error(b)?);
        let ((ax, ay), (bx, by)) = (self.grid.column_row_of(a_id), self.grid.column_row_of(b_id));
        for row in ay.min(by)..=ay.max(by) {
            for column in ax.min(bx)..=ax.max(bx) {
                if let Some(id) = self.grid.id_at(column, row) {
                    self.write(id, Some(cost));
                }
            }
        }
        Ok(())
    }

    /// Makes every cell known with the given bytes, row by row; 255 is impassable. Only cells that differ are marked.
    ///
    /// # Errors
    /// [`GridError::WrongLength`]; nothing is changed then.
    pub fn set_all(&mut self, bytes: &[u8]) -> Result<(), CostFieldError> {
        let (width, height) = (self.grid.width(), self.grid.height());
        if bytes.len() != self.grid.len() {
            return Err(GridError::WrongLength {
                width,
                height,
                got: bytes.len(),
            }
            .into());
        }
        for (id, &byte) in self.grid.ids().zip(bytes) {
            self.write(id, Some(Cost::from_byte(byte)));
        }
        Ok(())
    }

    /// The region changed since the last call, which is forgotten; `None` if nothing changed.
    pub fn take_dirty(&mut self) -> Option<DirtyRegion> {
        self.dirty.take()
    }

    fn id_or_error(&self, cell: Cell) -> Result<CellId, CostFieldError> {
        self.grid.id(cell).ok_or(CostFieldError::Outside {
            cell,
            width: self.grid.width(),
            height: self.grid.height(),
            first: self.grid.first_cell(),
        })
    }

    /// The one door: every write passes here. `None` makes the cell unknown.
    fn write(&mut self, id: CellId, cost: Option<Cost>) {
        if self.get(id) == cost {
            return;
        }
        let (word, bit) = (id.index() / 64, 1u64 << (id.index() % 64));
        if let Some(cost) = cost {
            Arc::make_mut(&mut self.bytes)[id.index()] = cost.byte();
            if let Some(unknown) = &mut self.unknown {
                Arc::make_mut(unknown)[word] &= !bit;
            }
        } else {
            Arc::make_mut(&mut self.bytes)[id.index()] = Cost::IMPASSABLE.byte();
            let words = self.grid.len().div_ceil(64);
            let unknown = self.unknown.get_or_insert_with(|| Arc::new(vec![0; words]));
            Arc::make_mut(unknown)[word] |= bit;
        }
        let (column, row) = self.grid.column_row_of(id);
        let here = DirtyRegion {
            min: (column, row),
            max: (column + 1, row + 1),
        };
        self.dirty = Some(self.dirty.map_or(here, |dirty| dirty.join(here)));
        self.version.0 += 1;
    }
}

impl fmt::Debug for CostField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CostField")
            .field("grid", &self.grid)
            .field("version", &self.version)
            .field("unknown", &self.unknown_len())
            .finish_non_exhaustive()
    }
}
