//! Cells and rectangles that must lie on the map.

use super::Checker;
use crate::scene::places::{AreaTable, CellTable};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};

/// What a map is, in a few words: its size, or those of its layers.
pub(super) fn size_of(grid: &Grid) -> String {
    match grid.layers() {
        [only] => format!("{} x {}", only.width(), only.height()),
        layers => {
            let sizes: Vec<String> = layers
                .iter()
                .map(|layer| format!("{} x {}", layer.width(), layer.height()))
                .collect();
            format!("{} layers ({})", layers.len(), sizes.join(", "))
        }
    }
}

/// The cells of a rectangle, row by row, on the layer of its first corner.
pub(in crate::scene) fn cells_between(a: Cell, b: Cell) -> impl Iterator<Item = Cell> {
    (a.y.min(b.y)..=a.y.max(b.y))
        .flat_map(move |y| (a.x.min(b.x)..=a.x.max(b.x)).map(move |x| Cell::on(a.layer, x, y)))
}

impl Checker<'_> {
    pub(in crate::scene) fn on_map(&self, CellTable(cell): CellTable) -> Result<Cell, String> {
        let grid = self.map.costs.grid();
        if grid.contains(cell) {
            return Ok(cell);
        }
        let several = grid.layers().len() > 1;
        Err(match grid.layer(cell.layer) {
            None => format!(
                "cell {cell} is on layer {}, but the map has {} layer{}, counted from 0",
                cell.layer,
                grid.layers().len(),
                if several { "s" } else { "" }
            ),
            Some(layer) => format!(
                "cell {cell} lies outside {} of {} x {} cells that begins at {}",
                if several {
                    format!("layer {}", cell.layer)
                } else {
                    "the map".to_owned()
                },
                layer.width(),
                layer.height(),
                layer.first_cell()
            ),
        })
    }

    pub(super) fn corners(&self, AreaTable(a, b): AreaTable) -> Result<(Cell, Cell), String> {
        Ok((self.on_map(CellTable(a))?, self.on_map(CellTable(b))?))
    }

    /// Cells that are passable in these costs.
    pub(super) fn passable_each(
        &self,
        cells: impl IntoIterator<Item = CellTable>,
        costs: &CostField,
    ) -> Result<Vec<Cell>, String> {
        cells
            .into_iter()
            .map(|cell| {
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
        Ok(cells_between(a, b).collect())
    }

    pub(super) fn passable_in(&self, area: AreaTable, costs: &CostField) -> Result<Vec<CellId>, String> {
        let grid = self.map.costs.grid();
        let (a, b) = self.corners(area)?;
        let ids: Vec<CellId> = cells_between(a, b)
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
