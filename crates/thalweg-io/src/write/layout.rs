//! How layers lie one after the other in tables and arrays.

use std::io;
use thalweg_core::grid::{CellId, Grid};

/// What comes after a cell in a table: the next value, the next row, or an empty line before the next layer.
pub(super) fn after(grid: &Grid, id: CellId) -> &'static [u8] {
    let layer = grid.layer_of(id);
    let last_of_layer = id.index() + 1 == layer.range().end;
    let last_of_row = (id.index() + 1 - layer.range().start).is_multiple_of(layer.width() as usize);
    match (last_of_row, last_of_layer && id.index() + 1 < grid.len()) {
        (_, true) => b"\n\n",
        (true, _) => b"\n",
        (false, _) => b",",
    }
}

/// The shape of an array over all cells.
pub(super) fn shape(grid: &Grid) -> io::Result<Vec<u64>> {
    let (width, height) = (grid.width(), grid.height());
    let layers = grid.layers();
    if let Some(other) = layers
        .iter()
        .find(|layer| (layer.width(), layer.height()) != (width, height))
    {
        return Err(io::Error::other(format!(
            "an array needs layers of one size, but layer 0 is {width} x {height} and layer {} is {} x {}",
            other.index(),
            other.width(),
            other.height()
        )));
    }
    let rows_columns = [u64::from(height), u64::from(width)];
    let depth = (layers.len() > 1).then_some(layers.len() as u64);
    Ok(depth.into_iter().chain(rows_columns).collect())
}
