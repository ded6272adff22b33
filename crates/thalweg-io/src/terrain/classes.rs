//! The terrain map that a reader is in the middle of reading.

use crate::error::ReadReason;
use thalweg_core::cost::{CostFieldError, TerrainError, TerrainMap};
use thalweg_core::grid::{Cell, Grid};

/// A map of these classes, row by row; `None` is unknown. Readers check the number of cells themselves, with better
/// messages than this has.
pub(crate) fn terrain_map(grid: Grid, classes: &[Option<u8>]) -> Result<TerrainMap, ReadReason> {
    let broken = |error: TerrainError| match error {
        TerrainError::Field(CostFieldError::Grid(error)) => ReadReason::Grid(error),
        error => ReadReason::Io(std::io::Error::other(error)),
    };
    // All 256 numbers may be classes, so none is free to mark unknown cells with.
    let cells = grid.ids().zip(classes);
    let unknown: Vec<Cell> = cells
        .filter(|(_, class)| class.is_none())
        .map(|(id, _)| grid.cell(id))
        .collect();
    let known = classes.iter().map(|class| class.unwrap_or(0)).collect();
    let mut map = TerrainMap::from_classes(grid, known).map_err(broken)?;
    for cell in unknown {
        map.set_unknown(cell).map_err(broken)?;
    }
    // Loading is not an edit.
    let _ = map.take_dirty();
    Ok(map)
}
