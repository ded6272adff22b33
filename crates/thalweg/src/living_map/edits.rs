//! Edits of the ground: costs, terrain classes, heights and stamps.
//!
//! None of them changes anything if it is refused, and none raises a version if it writes what is there.

use super::{LivingMap, LivingMapError};
use thalweg_core::cost::{
    Cost, CostField, CostFieldError, DirtyRegion, HeightError, Stamp, StampId, TerrainError,
};
use thalweg_core::grid::{Cell, CellId};

impl LivingMap {
    /// Makes a cell known with this cost, for everybody: also for profiles that pay by terrain class, until it is given
    /// back by [`Self::restore_rect`].
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if the cell is not on the map.
    pub fn set(&mut self, cell: Cell, cost: Cost) -> Result<(), LivingMapError> {
        self.set_rect(cell, cell, cost)
    }

    /// Makes a cell unknown, for everybody.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if the cell is not on the map.
    pub fn set_unknown(&mut self, cell: Cell) -> Result<(), LivingMapError> {
        let region = self.region(cell, cell)?;
        self.write(region, None);
        Ok(())
    }

    /// Makes all cells of a rectangle known with this cost, for everybody. Both corners are included and may come in any
    /// order.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if a corner is not on the map or they are on two layers.
    pub fn set_rect(&mut self, a: Cell, b: Cell, cost: Cost) -> Result<(), LivingMapError> {
        let region = self.region(a, b)?;
        self.write(region, Some(cost));
        Ok(())
    }

    /// Gives every cell of a rectangle back what it had in the beginning: the map's own cost, and each profile what its
    /// terrain class is to it. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if a corner is not on the map or they are on two layers.
    pub fn restore_rect(&mut self, a: Cell, b: Cell) -> Result<(), LivingMapError> {
        let region = self.region(a, b)?;
        for id in region.ids(self.ground.own.grid()) {
            self.other_changes += u64::from(self.ground.restore(id));
        }
        self.refresh(region);
        Ok(())
    }

    /// Makes the map's own costs equal to another field, unknown cells included. What differs is written for everybody, as
    /// by [`Self::set`] and [`Self::set_unknown`]; what does not, stays as it is to everybody.
    ///
    /// # Errors
    /// [`LivingMapError::Costs`] if the field is of another grid.
    pub fn copy_costs(&mut self, costs: &CostField) -> Result<(), LivingMapError> {
        for id in self.ground.own.differences(costs)? {
            self.ground.write(id, costs.get(id));
            self.refresh_cell(id);
        }
        Ok(())
    }

    /// Makes a cell known as this terrain class. Where a cost has been written over the map, that holds until it is given
    /// back.
    ///
    /// # Errors
    /// [`LivingMapError::NoTerrain`], or [`LivingMapError::Terrain`] if the cell is not on the map or a profile's table
    /// does not list the class.
    pub fn set_class(&mut self, cell: Cell, class: u8) -> Result<(), LivingMapError> {
        self.set_class_rect(cell, cell, class)
    }

    /// Makes all cells of a rectangle known as this terrain class. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// As [`Self::set_class`].
    pub fn set_class_rect(&mut self, a: Cell, b: Cell, class: u8) -> Result<(), LivingMapError> {
        let region = self.region(a, b)?;
        let terrain = self.ground.terrain.as_mut().ok_or(LivingMapError::NoTerrain)?;
        let mut tables = self.kinds.iter().filter_map(|kind| kind.spec().classes.as_ref());
        if tables.any(|table| table.cost(class).is_none()) {
            return Err(TerrainError::UnlistedClass { cell: a, class }.into());
        }
        terrain.set_rect(a, b, class)?;
        self.refresh(region);
        Ok(())
    }

    /// Makes the terrain class of a cell unknown.
    ///
    /// # Errors
    /// [`LivingMapError::NoTerrain`], or [`LivingMapError::Costs`] if the cell is not on the map.
    pub fn set_class_unknown(&mut self, cell: Cell) -> Result<(), LivingMapError> {
        let region = self.region(cell, cell)?;
        let terrain = self.ground.terrain.as_mut().ok_or(LivingMapError::NoTerrain)?;
        terrain.set_unknown(cell)?;
        self.refresh(region);
        Ok(())
    }

    /// Gives a cell this height, in the unit of the height map.
    ///
    /// # Errors
    /// [`LivingMapError::NoHeights`], or [`LivingMapError::Heights`] if the height is not a finite number, or
    /// [`LivingMapError::Costs`] if the cell is not on the map.
    pub fn set_height(&mut self, cell: Cell, height: f32) -> Result<(), LivingMapError> {
        self.edit_height(cell, Some(height))
    }

    /// Makes the height of a cell unknown.
    ///
    /// # Errors
    /// As [`Self::set_height`].
    pub fn set_height_unknown(&mut self, cell: Cell) -> Result<(), LivingMapError> {
        self.edit_height(cell, None)
    }

    fn edit_height(&mut self, cell: Cell, height: Option<f32>) -> Result<(), LivingMapError> {
        let region = self.region(cell, cell)?;
        let heights = self.ground.heights.as_mut().ok_or(LivingMapError::NoHeights)?;
        let set: Result<(), HeightError> = match height {
            Some(height) => heights.set(cell, height),
            None => heights.set_unknown(cell),
        };
        set?;
        for kind in &mut self.kinds {
            kind.refresh_charges(heights, region)?;
        }
        // How steep a cell is depends on its neighbours.
        let region = region.expanded(1, self.grid());
        self.refresh(region);
        Ok(())
    }

    /// Lays a stamp down, on top of the others, for everybody.
    ///
    /// # Errors
    /// [`LivingMapError::Overlay`] if its layer is not on the map.
    pub fn put(&mut self, stamp: Stamp) -> Result<StampId, LivingMapError> {
        let id = self.ground.overlays.put(stamp)?;
        self.refresh_stamps();
        Ok(id)
    }

    /// Takes a stamp away and gives it back; what was under it comes back.
    ///
    /// # Errors
    /// [`LivingMapError::Overlay`] if it does not lie on the map.
    pub fn take(&mut self, id: StampId) -> Result<Stamp, LivingMapError> {
        let stamp = self.ground.overlays.take(id)?;
        self.refresh_stamps();
        Ok(stamp)
    }

    fn refresh_stamps(&mut self) {
        for region in self.ground.overlays.take_dirty() {
            self.refresh(region);
        }
    }

    fn write(&mut self, region: DirtyRegion, cost: Option<Cost>) {
        for id in region.ids(self.ground.own.grid()) {
            self.other_changes += u64::from(self.ground.write(id, cost));
        }
        self.refresh(region);
    }

    fn refresh_cell(&mut self, id: CellId) {
        if let Some(region) = DirtyRegion::of_cell(self.grid(), self.grid().cell(id)) {
            self.refresh(region);
        }
    }

    /// The region between two corners, both included, in any order.
    fn region(&self, a: Cell, b: Cell) -> Result<DirtyRegion, CostFieldError> {
        let corner = |cell| {
            DirtyRegion::of_cell(self.grid(), cell).ok_or_else(|| CostFieldError::Outside {
                cell,
                grid: self.grid().clone(),
            })
        };
        corner(a)?.join(corner(b)?).ok_or(CostFieldError::Layers { a, b })
    }
}
