//! Cells and rectangles that must lie on the map.

use super::Checker;
use crate::scene::file::{AreaTable, CellTable};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId};

impl Checker<'_> {
    pub(in crate::scene) fn on_map(&self, [x, y]: CellTable) -> Result<Cell, String> {
        let grid = self.map.costs.grid();
        let cell = Cell::new(x, y);
        if grid.contains(cell) {
            Ok(cell)
        } else {
            Err(format!(
                "cell {cell} lies outside the map of {} x {} cells that begins at {}",
                grid.width(),
                grid.height(),
                grid.first_cell()
            ))
        }
    }

    pub(super) fn corners(&self, [x0, y0, x1, y1]: AreaTable) -> Result<(Cell, Cell), String> {
        Ok((self.on_map([x0, y0])?, self.on_map([x1, y1])?))
    }

    /// Cells that are passable in these costs.
    pub(super) fn passable_each(&self, cells: &[CellTable], costs: &CostField) -> Result<Vec<Cell>, String> {
        cells
            .iter()
            .map(|&cell| {
                let cell = self.on_map(cell)?;
                match costs.grid().id(cell).and_then(|id| costs.get(id)) {
                    Some(cost) if cost.is_passable() => Ok(cell),
                    Some(_) => Err(format!("cell {cell} is impassable")),
                    None => Err(format!("cell {cell} is unknown")),
                }
            })
            .collect()
    }

    /// Every cell of a rectangle, row by row.
    pub(in crate::scene) fn cells_in(&self, area: AreaTable) -> Result<Vec<Cell>, String> {
        let (a, b) = self.corners(area)?;
        let columns = a.x.min(b.x)..=a.x.max(b.x);
        Ok((a.y.min(b.y)..=a.y.max(b.y))
            .flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)))
            .collect())
    }

    pub(super) fn passable_in(&self, area: AreaTable, costs: &CostField) -> Result<Vec<CellId>, String> {
        let grid = self.map.costs.grid();
        let (a, b) = self.corners(area)?;
        let ids: Vec<CellId> = self
            .cells_in(area)?
            .into_iter()
            .filter_map(|cell| grid.id(cell))
            .filter(|&id| costs.get(id).is_some_and(Cost::is_passable))
            .collect();
        if ids.is_empty() {
            Err(format!("no cell from {a} to {b} is passable"))
        } else {
            Ok(ids)
        }
    }
}
