//! Reads height maps: the one place that knows which files they come in.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::maps;
use std::path::Path;
use thalweg::core::cost::{Cost, HeightMap};
use thalweg::scene::{HeightFile, HeightScale};

/// Reads a height map: whatever holds one number from 0 to 255 per cell. Cells that are unknown there have no height.
pub(crate) fn read(path: &Path, options: &HeightFile) -> Result<HeightMap, CliError> {
    let numbers = maps::load(path, GreyArgument::Level)?.costs;
    let height = |cost: Option<Cost>| {
        let stored = f64::from(cost?.byte());
        if options.nodata == Some(stored) {
            return None;
        }
        Some(match options.scale {
            None => stored,
            Some(HeightScale::Linear { base, per_unit }) => base + stored * per_unit,
            Some(HeightScale::Range { black, white }) => black + (white - black) * stored / 255.0,
        })
    };
    #[expect(clippy::cast_possible_truncation, reason = "heights are f32")]
    let heights = numbers
        .grid()
        .ids()
        .map(|id| height(numbers.get(id)).map_or(f32::NAN, |height| height as f32))
        .collect();
    // These files do not say how large a cell is.
    let cell_size = options.cell_size.unwrap_or(options.usual_cell_size);
    HeightMap::new(numbers.grid().to_owned(), cell_size, heights, Some(f32::NAN))
        .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}
