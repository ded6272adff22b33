//! Heights: one per cell, known or unknown, and the costs of the ground under a slope rule.

use super::field::{check_same_grid, id_or_error};
use super::store::{CellStore, check_length, unknown_where};
use super::{Cost, CostField, CostFieldError, DirtyRegion, SlopeRule, Steepness};
use crate::grid::{Cell, CellId, Grid};
use core::fmt;
use thiserror::Error;

/// Why a height map cannot be made or written.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum HeightError {
    /// A cell or the number of values does not fit.
    #[error(transparent)]
    Field(#[from] CostFieldError),
    /// A height is NaN or infinite, and not the nodata value.
    #[error("the height of cell {cell} is {height}, which is neither a finite number nor the nodata value")]
    NotFinite {
        /// The first such cell in row order.
        cell: Cell,
        /// Its height.
        height: f32,
    },
    /// The cell size is not a positive finite number.
    #[error("cell size {0} of the height map is not a positive finite number in the unit of the heights")]
    CellSize(f64),
}

/// Counts the writes that changed a height map. Monotonic within one map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct HeightVersion(pub u64);

/// One height per cell, known or unknown, and the side of a cell in the same unit.
///
/// Cloning is cheap and copy-on-write. Every writer goes through one private door that marks the dirty region and
/// raises the version, and only when a height really changes.
#[derive(Clone, PartialEq)]
pub struct HeightMap {
    store: CellStore<f32>,
    cell_size: f64,
}

impl HeightMap {
    /// A map of heights, row by row from north to south.
    ///
    /// `cell_size` is the side of a cell in the unit of the heights: degrees must be turned into it first, or every
    /// slope is wrong. Cells that hold exactly the `nodata` value are unknown; it may be NaN or infinite.
    ///
    /// # Errors
    /// [`HeightError::NotFinite`] naming the first cell, [`HeightError::CellSize`], or
    /// [`WrongLength`](crate::grid::GridError::WrongLength).
    pub fn new(
        grid: Grid,
        cell_size: f64,
        heights: Vec<f32>,
        nodata: Option<f32>,
    ) -> Result<Self, HeightError> {
        if !(cell_size.is_finite() && cell_size > 0.0) {
            return Err(HeightError::CellSize(cell_size));
        }
        check_heights(&grid, &heights, nodata)?;
        let unknown = unknown_where(heights.len(), |index| is_nodata(heights[index], nodata));
        let store = CellStore::new(grid, heights, 0.0).map_err(CostFieldError::from)?;
        Ok(Self {
            store: store.with_unknown(unknown),
            cell_size,
        })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.store.grid()
    }

    /// The side of a cell, in the unit of the heights.
    #[must_use]
    pub const fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Raised by every write that changed something.
    #[must_use]
    pub const fn version(&self) -> HeightVersion {
        HeightVersion(self.store.version())
    }

    /// The height of a known cell, or `None` for an unknown one.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn height(&self, id: CellId) -> Option<f32> {
        self.store.get(id)
    }

    /// How many cells are unknown.
    #[must_use]
    pub fn unknown_len(&self) -> usize {
        self.store.unknown_len()
    }

    /// Makes a cell known with this height.
    ///
    /// # Errors
    /// [`HeightError::NotFinite`] or [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set(&mut self, cell: Cell, height: f32) -> Result<(), HeightError> {
        let id = id_or_error(self.grid(), cell)?;
        if !height.is_finite() {
            return Err(HeightError::NotFinite { cell, height });
        }
        self.store.write(id, Some(height));
        Ok(())
    }

    /// Makes a cell unknown.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_unknown(&mut self, cell: Cell) -> Result<(), HeightError> {
        let id = id_or_error(self.grid(), cell)?;
        self.store.write(id, None);
        Ok(())
    }

    /// Gives every cell a new height, row by row, as [`Self::new`] reads them. Only cells that differ are marked.
    ///
    /// # Errors
    /// [`HeightError::NotFinite`] or [`WrongLength`](crate::grid::GridError::WrongLength); nothing is changed then.
    pub fn set_all(&mut self, heights: &[f32], nodata: Option<f32>) -> Result<(), HeightError> {
        check_heights(self.grid(), heights, nodata)?;
        for (id, &height) in self.grid().ids().zip(heights) {
            self.store
                .write(id, (!is_nodata(height, nodata)).then_some(height));
        }
        Ok(())
    }

    /// The regions changed since the last call, at most one for each layer, which are forgotten.
    ///
    /// Take it once, then update the costs of every profile and its [`EdgeCharges`](super::EdgeCharges).
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        self.store.take_dirty()
    }

    /// Ground of one cost wherever the height is known, unknown elsewhere: what a height map alone says.
    #[must_use]
    pub fn ground(&self, cost: Cost) -> CostField {
        CostField::filled(self.grid().clone(), cost).with_unknown_bits(self.store.shared_unknown())
    }

    /// The costs of the ground once its heights are looked at, over base costs. O(cells). By [`Self::cost_over`].
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`].
    pub fn costs_over(&self, base: &CostField, rule: &SlopeRule) -> Result<CostField, CostFieldError> {
        check_same_grid(self.grid(), base.grid())?;
        let costs: Vec<Option<Cost>> = self
            .grid()
            .ids()
            .map(|id| self.cost_over(base.get(id), rule, id))
            .collect();
        let bytes = costs
            .iter()
            .map(|cost| cost.map_or(Cost::IMPASSABLE.byte(), Cost::byte))
            .collect();
        let unknown = unknown_where(costs.len(), |index| costs[index].is_none());
        Ok(CostField::from_bytes(self.grid().clone(), bytes)?.with_unknown_bits(unknown))
    }

    /// Brings costs made by [`Self::costs_over`] up to date after heights or base costs changed in a region: its
    /// cells and their neighbours. O(cells of the region).
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn update_costs(
        &self,
        base: &CostField,
        rule: &SlopeRule,
        region: DirtyRegion,
        costs: &mut CostField,
    ) -> Result<(), CostFieldError> {
        check_same_grid(self.grid(), base.grid())?;
        check_same_grid(self.grid(), costs.grid())?;
        for id in region.expanded(1, self.grid()).ids(self.grid()) {
            costs.write(id, self.cost_over(base.get(id), rule, id));
        }
        Ok(())
    }

    /// What the ground of a cell costs once its height is looked at, over a base cost; `None` is unknown:
    /// - impassable in the base: impassable, height known or not (assumed ground must not open a known wall);
    /// - height or base unknown: unknown;
    /// - [`Steepness::BlocksCell`] and some edge of the cell too steep, in either direction of travel: impassable;
    /// - else the base.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn cost_over(&self, base: Option<Cost>, rule: &SlopeRule, id: CellId) -> Option<Cost> {
        if base == Some(Cost::IMPASSABLE) {
            return base;
        }
        self.height(id)?;
        let cost = base?;
        if rule.steepness() == Steepness::BlocksCell && rule.is_steep(self, id) {
            return Some(Cost::IMPASSABLE);
        }
        Some(cost)
    }
}

impl fmt::Debug for HeightMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeightMap")
            .field("grid", self.grid())
            .field("cell_size", &self.cell_size)
            .field("version", &self.version())
            .field("unknown", &self.unknown_len())
            .finish_non_exhaustive()
    }
}

#[expect(
    clippy::float_cmp,
    reason = "nodata is a mark, not a measurement: formats promise that value exactly, and a tolerance would eat heights"
)]
fn is_nodata(height: f32, nodata: Option<f32>) -> bool {
    nodata.is_some_and(|nodata| height == nodata || (height.is_nan() && nodata.is_nan()))
}

fn check_heights(grid: &Grid, heights: &[f32], nodata: Option<f32>) -> Result<(), HeightError> {
    check_length(grid, heights.len()).map_err(CostFieldError::from)?;
    let bad = grid
        .ids()
        .zip(heights)
        .find(|&(_, &height)| !height.is_finite() && !is_nodata(height, nodata));
    bad.map_or(Ok(()), |(id, &height)| {
        Err(HeightError::NotFinite {
            cell: grid.cell(id),
            height,
        })
    })
}
