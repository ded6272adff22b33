//! Reads height maps by what was typed, or what a scene says, about them.

use crate::error::CliError;
use std::path::Path;
use thalweg::core::cost::HeightMap;
use thalweg::scene::{HeightFile, HeightScale};
use thalweg_io::{HeightOptions, ReadReason, VerticalScale, read_height_map};

pub(crate) fn read(path: &Path, typed: &HeightFile) -> Result<HeightMap, CliError> {
    let mut options = HeightOptions::new();
    options.nodata = typed.nodata;
    options.vertical_scale = typed.scale.map(|scale| match scale {
        HeightScale::Linear { base, per_unit } => VerticalScale::Linear { base, per_unit },
        HeightScale::Range { black, white } => VerticalScale::Range { black, white },
    });
    if let Some(cell_size) = typed.cell_size {
        options = options.with_cell_size(cell_size);
        return Ok(read_height_map(path, &options)?.heights);
    }
    // The file's own cell size comes first. What it states is only known once it has been read, and files that state
    // none are refused without one, so those are read a second time.
    match read_height_map(path, &options) {
        Ok(loaded) => Ok(loaded.heights),
        Err(error) if matches!(error.reason(), ReadReason::NoCellSize) => {
            let options = options.with_cell_size(typed.usual_cell_size);
            Ok(read_height_map(path, &options)?.heights)
        }
        Err(error) => Err(error.into()),
    }
}
