//! The map that a reader is in the middle of reading.

use crate::error::ReadReason;
use thalweg_core::cost::{Cost, CostField, CostFieldError};
use thalweg_core::grid::{Cell, CellId, Grid};

/// Costs in row order, one push per cell. It takes one byte per cell that was really read, and one bit more per cell
/// once an unknown one was.
#[derive(Debug, Default)]
pub(crate) struct MapBuilder {
    bytes: Vec<u8>,
    /// Bit `index % 64` of word `index / 64` is set where a cell is unknown; only as long as the last unknown cell needs.
    unknown: Vec<u64>,
}

impl MapBuilder {
    /// `cells` is how many cells will come at most; it must follow from bytes that are there, not from a header.
    pub(crate) fn with_capacity(cells: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(cells),
            unknown: Vec::new(),
        }
    }

    /// Adds the next cell; `None` is unknown.
    pub(crate) fn push(&mut self, cost: Option<Cost>) {
        if cost.is_none() {
            let index = self.bytes.len();
            self.unknown.resize(index / 64 + 1, 0);
            self.unknown[index / 64] |= 1 << (index % 64);
        }
        self.bytes.push(cost.unwrap_or(Cost::IMPASSABLE).byte());
    }

    /// Cells so far.
    pub(crate) const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The finished map. Readers check the number of cells themselves, with better messages than this has.
    pub(crate) fn finish(self, width: u32, height: u32) -> Result<CostField, ReadReason> {
        self.finish_on(Grid::new(width, height)?)
    }

    /// The same for a grid that is there already.
    pub(crate) fn finish_on(self, grid: Grid) -> Result<CostField, ReadReason> {
        let broken = |error: CostFieldError| match error {
            CostFieldError::Grid(error) => ReadReason::Grid(error),
            error => ReadReason::Io(std::io::Error::other(error)),
        };
        let mut costs = CostField::from_bytes(grid.clone(), self.bytes).map_err(broken)?;
        for (word, bits) in (0u32..).zip(&self.unknown) {
            for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                let cell = grid.cell(CellId(64 * word + bit));
                costs.set_unknown(cell).map_err(broken)?;
            }
        }
        // Loading is not an edit: whoever repairs fields after edits must not see the unknown cells as one.
        let _ = costs.take_dirty();
        Ok(costs)
    }
}

/// A map of these bytes, row by row, 255 impassable; `None` is unknown. The grid may begin at any cell.
pub(crate) fn cost_map(grid: Grid, cells: Vec<Option<u8>>) -> Result<CostField, ReadReason> {
    let broken = |error: CostFieldError| ReadReason::Io(std::io::Error::other(error));
    let unknown: Vec<Cell> = grid
        .ids()
        .zip(&cells)
        .filter(|(_, cell)| cell.is_none())
        .map(|(id, _)| grid.cell(id))
        .collect();
    let bytes = cells
        .into_iter()
        .map(|cell| cell.unwrap_or(Cost::IMPASSABLE.byte()))
        .collect();
    let mut costs = CostField::from_bytes(grid, bytes).map_err(broken)?;
    for cell in unknown {
        costs.set_unknown(cell).map_err(broken)?;
    }
    // Loading is not an edit.
    let _ = costs.take_dirty();
    Ok(costs)
}
