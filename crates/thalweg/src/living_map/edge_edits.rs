//! Edits of one-way borders and portals.

use super::{LivingMap, LivingMapError};
use thalweg_core::grid::{Cell, Direction, DirectionSet};
use thalweg_core::movement::{EdgeRuleError, MAX_PORTAL_COST, Portal, PortalCost, PortalIndex};

impl LivingMap {
    /// Closes a step in one direction, for everybody; the way back stays as it is.
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if the cell is not on the map.
    pub fn close_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), LivingMapError> {
        Ok(self.rules.close_exit(cell, direction)?)
    }

    /// Opens a step that was closed.
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if the cell is not on the map.
    pub fn open_exit(&mut self, cell: Cell, direction: Direction) -> Result<(), LivingMapError> {
        Ok(self.rules.open_exit(cell, direction)?)
    }

    /// Lets a cell be entered by straight steps only from these sides, see
    /// [`EdgeRules::only_enter_from`](thalweg_core::movement::EdgeRules::only_enter_from).
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if the cell is not on the map.
    pub fn only_enter_from(&mut self, cell: Cell, sides: DirectionSet) -> Result<(), LivingMapError> {
        Ok(self.rules.only_enter_from(cell, sides)?)
    }

    /// Adds a portal in one direction.
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if a cell is not on the map, the portal leads to itself, or it is too dear for a profile.
    pub fn add_portal(
        &mut self,
        from: Cell,
        to: Cell,
        cost: PortalCost,
    ) -> Result<PortalIndex, LivingMapError> {
        let dearest = self.kinds.iter().map(|kind| cost.units(&kind.spec().movement));
        if let Some(cost) = dearest.max().filter(|&cost| cost > MAX_PORTAL_COST) {
            return Err(EdgeRuleError::PortalCost { from, to, cost }.into());
        }
        Ok(self.rules.add_priced_portal(from, to, cost)?)
    }

    /// Takes a portal away and gives it back. The indices of the others stay, and its own is never used again.
    ///
    /// # Errors
    /// [`LivingMapError::Edges`] if there is no such portal.
    pub fn remove_portal(&mut self, portal: PortalIndex) -> Result<Portal, LivingMapError> {
        Ok(self.rules.remove_portal(portal)?)
    }
}
