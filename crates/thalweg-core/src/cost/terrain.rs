//! Terrain classes: what the ground is, apart from what it costs whom.

use super::field::{check_same_grid, id_or_error, region_between};
use super::store::{CellStore, check_length, unknown_where};
use super::{Cost, CostField, CostFieldError, DirtyRegion};
use crate::grid::{Cell, CellId, Grid};
use core::fmt;
use thiserror::Error;

/// Why a terrain map cannot be made, written, or turned into costs.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// A cell, a rectangle or the number of values does not fit.
    #[error(transparent)]
    Field(#[from] CostFieldError),
    /// A cell has a class that the table of a profile does not list.
    #[error(
        "cell {cell} has terrain class {class}, which the table of class costs does not list; give it a cost, or all unlisted classes one cost"
    )]
    UnlistedClass {
        /// The first such cell in row order.
        cell: Cell,
        /// Its class.
        class: u8,
    },
}

/// What each terrain class costs one kind of agent: the same wall may be impassable for one table and cost 20 in
/// another.
///
/// A class that is not listed is an error when costs are made. Rejected: impassable by default (a forgotten class
/// closes half a map without a word) and plain by default (units walk into the sea).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ClassCosts {
    costs: [Option<Cost>; 256],
}

impl ClassCosts {
    /// A table that lists no class.
    #[must_use]
    pub const fn new() -> Self {
        Self { costs: [None; 256] }
    }

    /// The table with a class listed; a cost it had is replaced.
    #[must_use]
    pub const fn with_class(mut self, class: u8, cost: Cost) -> Self {
        self.costs[class as usize] = Some(cost);
        self
    }

    /// The table with every class that is not listed yet at this cost.
    #[must_use]
    pub fn with_rest(mut self, cost: Cost) -> Self {
        for slot in &mut self.costs {
            slot.get_or_insert(cost);
        }
        self
    }

    /// What a class costs, or `None` if it is not listed.
    #[must_use]
    pub const fn cost(&self, class: u8) -> Option<Cost> {
        self.costs[class as usize]
    }
}

impl Default for ClassCosts {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ClassCosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = (0u8..=255).filter_map(|class| Some((class, self.cost(class)?)));
        f.debug_map().entries(listed).finish()
    }
}

/// Counts the writes that changed a terrain map. Monotonic within one map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TerrainVersion(pub u64);

/// One terrain class per cell, known or unknown.
///
/// Cloning is cheap and copy-on-write. Every writer goes through one private door that marks the dirty region and
/// raises the version, and only when a class really changes. The map knows no profile: each has a cost field of its
/// own, made by [`Self::costs`] and kept up by [`Self::update`].
#[derive(Clone, PartialEq, Eq)]
pub struct TerrainMap {
    store: CellStore<u8>,
}

impl TerrainMap {
    /// A map with the same known class everywhere.
    #[must_use]
    pub fn filled(grid: Grid, class: u8) -> Self {
        Self {
            store: CellStore::filled(grid, class, 0),
        }
    }

    /// A map of known classes, row by row.
    ///
    /// # Errors
    /// [`WrongLength`](crate::grid::GridError::WrongLength) if there is not exactly one class per cell.
    pub fn from_classes(grid: Grid, classes: Vec<u8>) -> Result<Self, TerrainError> {
        let store = CellStore::new(grid, classes, 0).map_err(CostFieldError::from)?;
        Ok(Self { store })
    }

    /// A map of classes, row by row, in which every cell of class `unknown` is unknown instead.
    ///
    /// # Errors
    /// As [`Self::from_classes`].
    pub fn from_classes_with_unknown(
        grid: Grid,
        classes: Vec<u8>,
        unknown: u8,
    ) -> Result<Self, TerrainError> {
        let bits = unknown_where(classes.len(), |index| classes[index] == unknown);
        let map = Self::from_classes(grid, classes)?;
        Ok(Self {
            store: map.store.with_unknown(bits),
        })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        self.store.grid()
    }

    /// Raised by every write that changed something.
    #[must_use]
    pub const fn version(&self) -> TerrainVersion {
        TerrainVersion(self.store.version())
    }

    /// The class of a known cell, or `None` for an unknown one.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn class(&self, id: CellId) -> Option<u8> {
        self.store.get(id)
    }

    /// How many cells are unknown.
    #[must_use]
    pub fn unknown_len(&self) -> usize {
        self.store.unknown_len()
    }

    /// Makes a cell known as this class.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set(&mut self, cell: Cell, class: u8) -> Result<(), TerrainError> {
        let id = id_or_error(self.grid(), cell)?;
        self.store.write(id, Some(class));
        Ok(())
    }

    /// Makes a cell unknown.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_unknown(&mut self, cell: Cell) -> Result<(), TerrainError> {
        let id = id_or_error(self.grid(), cell)?;
        self.store.write(id, None);
        Ok(())
    }

    /// Makes all cells of a rectangle known as this class. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`] if a corner is off the map; nothing is changed then.
    pub fn set_rect(&mut self, a: Cell, b: Cell, class: u8) -> Result<(), TerrainError> {
        for id in region_between(self.grid(), a, b)?.ids(self.grid()) {
            self.store.write(id, Some(class));
        }
        Ok(())
    }

    /// Makes every cell known as the given class, row by row. Only cells that differ are marked.
    ///
    /// # Errors
    /// [`WrongLength`](crate::grid::GridError::WrongLength); nothing is changed then.
    pub fn set_all(&mut self, classes: &[u8]) -> Result<(), TerrainError> {
        check_length(self.grid(), classes.len()).map_err(CostFieldError::from)?;
        for (id, &class) in self.grid().ids().zip(classes) {
            self.store.write(id, Some(class));
        }
        Ok(())
    }

    /// The regions changed since the last call, at most one for each layer, which are forgotten.
    ///
    /// With several profiles: take them once, then [`Self::update`] the cost field of each.
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        self.store.take_dirty()
    }

    /// The costs of this terrain for one table. Unknown cells stay unknown, whatever the table says: what unknown
    /// ground is to a profile has a place of its own ([`UnknownGround`](super::UnknownGround)). O(cells).
    ///
    /// # Errors
    /// [`TerrainError::UnlistedClass`] with the first cell whose class the table does not list.
    pub fn costs(&self, table: &ClassCosts) -> Result<CostField, TerrainError> {
        let mut bytes = Vec::with_capacity(self.grid().len());
        for id in self.grid().ids() {
            bytes.push(
                self.cost_of(table, id)?
                    .map_or(Cost::IMPASSABLE.byte(), Cost::byte),
            );
        }
        let unknown = self.store.shared_unknown();
        Ok(CostField::from_bytes(self.grid().clone(), bytes)?.with_unknown_bits(unknown))
    }

    /// Brings the cells of a region up to date in a cost field made from this terrain. O(cells of the region).
    ///
    /// After a change of the table, update [`DirtyRegion::whole`].
    ///
    /// # Errors
    /// [`TerrainError::UnlistedClass`] as in [`Self::costs`], or [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn update(
        &self,
        table: &ClassCosts,
        region: DirtyRegion,
        costs: &mut CostField,
    ) -> Result<(), TerrainError> {
        check_same_grid(self.grid(), costs.grid())?;
        // Looked up twice, so that a class missing half way leaves no field that is half new.
        for id in region.ids(self.grid()) {
            self.cost_of(table, id)?;
        }
        for id in region.ids(self.grid()) {
            costs.write(id, self.cost_of(table, id)?);
        }
        Ok(())
    }

    fn cost_of(&self, table: &ClassCosts, id: CellId) -> Result<Option<Cost>, TerrainError> {
        let Some(class) = self.class(id) else {
            return Ok(None);
        };
        let cost = table.cost(class).ok_or_else(|| TerrainError::UnlistedClass {
            cell: self.grid().cell(id),
            class,
        })?;
        Ok(Some(cost))
    }
}

impl fmt::Debug for TerrainMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TerrainMap")
            .field("grid", self.grid())
            .field("version", &self.version())
            .field("unknown", &self.unknown_len())
            .finish_non_exhaustive()
    }
}
