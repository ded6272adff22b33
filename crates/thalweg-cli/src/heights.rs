//! Reads height maps by what was typed, or what a scene says, about them.

use crate::error::CliError;
use std::path::Path;
use thalweg::core::cost::HeightMap;
use thalweg::scene::{HeightFile, HeightScale};
use thalweg_io::{HeightOptions, ReadReason, VerticalScale, height_map_from_bytes};

pub(crate) fn read(path: &Path, typed: &HeightFile) -> Result<HeightMap, CliError> {
    let bytes = thalweg_io::read_limited(path, thalweg_io::MAX_FILE_BYTES)?;
    from_bytes(path, &bytes, typed)
}

/// The same from bytes; the path is only a name here.
pub(crate) fn from_bytes(path: &Path, bytes: &[u8], typed: &HeightFile) -> Result<HeightMap, CliError> {
    let mut options = HeightOptions::new();
    options.nodata = typed.nodata;
    options.vertical_scale = typed.scale.map(|scale| match scale {
        HeightScale::Linear { base, per_unit } => VerticalScale::Linear { base, per_unit },
        HeightScale::Range { black, white } => VerticalScale::Range { black, white },
    });
    if let Some(cell_size) = typed.cell_size {
        options = options.with_cell_size(cell_size);
        return Ok(height_map_from_bytes(path, bytes, &options)?.heights);
    }
    // The file's own cell size comes first. What it states is only known once it has been read, and files that state
    // none are refused without one, so those are read a second time.
    match height_map_from_bytes(path, bytes, &options) {
        Ok(loaded) => Ok(loaded.heights),
        Err(error) if matches!(error.reason(), ReadReason::NoCellSize) => {
            let options = options.with_cell_size(typed.usual_cell_size);
            Ok(height_map_from_bytes(path, bytes, &options)?.heights)
        }
        Err(error) => Err(error.into()),
    }
}
