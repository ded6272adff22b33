//! A field together with the map it belongs to, checked once, for writers and pictures.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{FlowField, Guidance};
use thalweg_core::grid::{CellId, Grid};
use thalweg_core::integrate::{IntegrationField, Reach};
use thiserror::Error;

/// What a field says about one cell: never one number that may also mean "no way".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldCell {
    /// A goal can be reached at this cost, in step units.
    Reached(u32),
    /// Passable ground from which no goal can be reached.
    Unreachable,
    /// Not surveyed, not computed, or beyond a cost limit.
    Unknown,
    /// A wall.
    Impassable,
    /// Passable ground on which the body has no room. Tables and arrays call it impassable. Told only by views with
    /// directions.
    NoRoom,
}

impl FieldCell {
    /// The cost, if a goal can be reached.
    #[must_use]
    pub const fn reached(self) -> Option<u32> {
        match self {
            Self::Reached(cost) => Some(cost),
            Self::Unreachable | Self::Unknown | Self::Impassable | Self::NoRoom => None,
        }
    }
}

/// A field is not of the map that it is shown with.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {part} is of {got}, but the costs are of {costs}")]
pub struct MapMismatch {
    /// What does not fit.
    pub part: &'static str,
    /// The map of the costs.
    pub costs: Grid,
    /// The map of the part that does not fit.
    pub got: Grid,
}

/// Costs, cost-to-goal and, on request, directions of one and the same map.
#[derive(Debug, Clone, Copy)]
pub struct FieldView<'a> {
    costs: &'a CostField,
    field: &'a IntegrationField,
    flow: Option<&'a FlowField>,
}

impl<'a> FieldView<'a> {
    /// A map and its cost-to-goal.
    ///
    /// # Errors
    /// [`MapMismatch`] if they are not of the same grid.
    pub fn new(costs: &'a CostField, field: &'a IntegrationField) -> Result<Self, MapMismatch> {
        check(costs, field.grid(), "cost-to-goal")?;
        let flow = None;
        Ok(Self { costs, field, flow })
    }

    /// The same with directions.
    ///
    /// # Errors
    /// [`MapMismatch`] if they are not of the same grid.
    pub fn with_flow(self, flow: &'a FlowField) -> Result<Self, MapMismatch> {
        check(self.costs, flow.grid(), "flow field")?;
        let flow = Some(flow);
        Ok(Self { flow, ..self })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &'a Grid {
        self.costs.grid()
    }

    /// The costs.
    #[must_use]
    pub const fn costs(&self) -> &'a CostField {
        self.costs
    }

    /// The cost-to-goal.
    #[must_use]
    pub const fn field(&self) -> &'a IntegrationField {
        self.field
    }

    /// The directions, if they are part of the view.
    #[must_use]
    pub const fn flow(&self) -> Option<&'a FlowField> {
        self.flow
    }

    /// What the field says about a cell. A way that was found counts more than the cost of the cell, since a profile
    /// may break through walls.
    ///
    /// # Panics
    /// If the id is not of this map.
    #[must_use]
    pub fn cell(&self, id: CellId) -> FieldCell {
        match self.field.reach(id) {
            Reach::Reached(cost) => FieldCell::Reached(cost.0),
            _ if self.costs.get(id) == Some(Cost::IMPASSABLE) => FieldCell::Impassable,
            _ if !self.costs.is_known(id) => FieldCell::Unknown,
            _ if self.flow.map(|flow| flow.guidance(id)) == Some(Guidance::Impassable) => FieldCell::NoRoom,
            Reach::Unreachable => FieldCell::Unreachable,
            Reach::Unknown => FieldCell::Unknown,
        }
    }
}

fn check(costs: &CostField, grid: &Grid, part: &'static str) -> Result<(), MapMismatch> {
    if costs.grid() == grid {
        return Ok(());
    }
    Err(MapMismatch {
        part,
        costs: costs.grid().clone(),
        got: grid.clone(),
    })
}
