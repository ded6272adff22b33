//! Reads height maps: the one place that knows which files they come in.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::maps;
use std::path::Path;
use thalweg::core::cost::{Cost, HeightMap};

/// Reads a height map. `cell_size` is the side of a cell in the unit of the heights, where the caller knows it better than
/// the file; a file that does not say counts as 1.
///
/// Whatever holds one number from 0 to 255 per cell is read, and cells that are unknown there have no height.
pub(crate) fn read(path: &Path, cell_size: Option<f64>) -> Result<HeightMap, CliError> {
    let numbers = maps::load(path, GreyArgument::Level)?.costs;
    let height = |cost: Option<Cost>| cost.map_or(f32::NAN, |cost| f32::from(cost.byte()));
    let heights = numbers.grid().ids().map(|id| height(numbers.get(id))).collect();
    let grid = numbers.grid().to_owned();
    HeightMap::new(grid, cell_size.unwrap_or(1.0), heights, Some(f32::NAN))
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}
