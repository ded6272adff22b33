//! One base, the stamps over it, and the costs that come of both, kept in step.

use super::{
    ClassCosts, Cost, CostField, CostFieldError, CostVersion, DirtyRegion, OverlayError, Overlays, Stamp,
    StampId, TerrainError, TerrainMap,
};
use crate::grid::Cell;

/// Costs with stamps over a base. Whatever is written, to the base or by a stamp, is in [`Self::costs`] at once.
///
/// For one profile. Several profiles share one [`Overlays`] and update their own cost fields from it.
#[derive(Clone, Debug)]
pub struct OverlaidCosts {
    base: CostField,
    overlays: Overlays,
    costs: CostField,
}

impl OverlaidCosts {
    /// A base without stamps.
    #[must_use]
    pub fn new(mut base: CostField) -> Self {
        // What happened to the base before is not a change of this value.
        base.take_dirty();
        Self {
            overlays: Overlays::new(base.grid().clone()),
            costs: base.clone(),
            base,
        }
    }

    /// The costs under the stamps.
    #[must_use]
    pub const fn base(&self) -> &CostField {
        &self.base
    }

    /// The stamps.
    #[must_use]
    pub const fn overlays(&self) -> &Overlays {
        &self.overlays
    }

    /// The costs with the stamps over them: what movement is compiled from.
    #[must_use]
    pub const fn costs(&self) -> &CostField {
        &self.costs
    }

    /// The version of [`Self::costs`].
    #[must_use]
    pub const fn version(&self) -> CostVersion {
        self.costs.version()
    }

    /// The regions of [`Self::costs`] changed since the last call, at most one for each layer, which are forgotten.
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        self.costs.take_dirty()
    }

    /// Lays a stamp down, on top of the others.
    ///
    /// # Errors
    /// As [`Overlays::put`]; nothing is changed then.
    pub fn put(&mut self, stamp: Stamp) -> Result<StampId, OverlayError> {
        let id = self.overlays.put(stamp)?;
        self.refresh();
        Ok(id)
    }

    /// Takes a stamp away and gives it back; what was under it comes back.
    ///
    /// # Errors
    /// As [`Overlays::take`]; nothing is changed then.
    pub fn take(&mut self, id: StampId) -> Result<Stamp, OverlayError> {
        let stamp = self.overlays.take(id)?;
        self.refresh();
        Ok(stamp)
    }

    /// Makes a base cell known with this cost, or unknown with `None`.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_base(&mut self, cell: Cell, cost: Option<Cost>) -> Result<(), CostFieldError> {
        match cost {
            Some(cost) => self.base.set(cell, cost)?,
            None => self.base.set_unknown(cell)?,
        }
        self.refresh();
        Ok(())
    }

    /// Makes all base cells of a rectangle known with this cost. Both corners are included and may come in any order.
    ///
    /// # Errors
    /// [`CostFieldError::Outside`]; nothing is changed then.
    pub fn set_base_rect(&mut self, a: Cell, b: Cell, cost: Cost) -> Result<(), CostFieldError> {
        self.base.set_rect(a, b, cost)?;
        self.refresh();
        Ok(())
    }

    /// Makes the base equal to another field, unknown cells included.
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn copy_base_from(&mut self, base: &CostField) -> Result<(), CostFieldError> {
        self.base.copy_from(base)?;
        self.refresh();
        Ok(())
    }

    /// Brings a region of the base up to date with a terrain map.
    ///
    /// # Errors
    /// As [`TerrainMap::update`]; nothing is changed then.
    pub fn update_base(
        &mut self,
        terrain: &TerrainMap,
        table: &ClassCosts,
        region: DirtyRegion,
    ) -> Result<(), TerrainError> {
        terrain.update(table, region, &mut self.base)?;
        self.refresh();
        Ok(())
    }

    /// Rejected: lending the base out as `&mut CostField`. A caller could put a new field in its place, whose changes
    /// no dirty region tells.
    fn refresh(&mut self) {
        let regions = self.overlays.take_dirty();
        for region in regions.into_iter().chain(self.base.take_dirty()) {
            let updated = self.overlays.update(&self.base, region, &mut self.costs);
            debug_assert!(updated.is_ok(), "all three are of one grid");
        }
    }
}
