//! The grid of a saved map or bundle.

use super::LoadError;
use super::bytes::{Reader, Writer};
use thalweg_core::grid::{Cell, Grid};

pub(super) fn write(out: &mut Writer, grid: &Grid) {
    let layers = grid.layers();
    // At most 65,536.
    out.u32(u32::try_from(layers.len()).unwrap_or(u32::MAX));
    for layer in layers {
        out.u32(layer.width());
        out.u32(layer.height());
        out.i32(layer.first_cell().x);
        out.i32(layer.first_cell().y);
    }
}

pub(super) fn read(bytes: &mut Reader<'_>) -> Result<Grid, LoadError> {
    let begin = bytes.at();
    let layers = bytes.u32("the number of layers")?;
    let mut list = bytes.take(u64::from(layers) * 16, "the layers")?;
    // What a layer takes here it takes in the bytes too, so that a large number is refused above.
    let mut grids = Vec::new();
    while let Some((layer, rest)) = list.split_at_checked(16) {
        list = rest;
        let number = |at: usize| u32::from_le_bytes(super::bytes::array(&layer[at..]));
        let first = Cell::new(number(8).cast_signed(), number(12).cast_signed());
        let at = begin + 4 + 16 * grids.len();
        let grid = Grid::with_first_cell(number(0), number(4), first);
        grids.push(grid.map_err(|reason| LoadError::Grid { at, reason })?);
    }
    Grid::stacked(&grids).map_err(|reason| LoadError::Grid { at: begin, reason })
}
