//! Loads maps with the command line's options.

use crate::args::GreyArgument;
use crate::error::CliError;
use crate::scene_files::SceneFiles;
use std::path::Path;
use thalweg::scene::SceneMap;
use thalweg_io::{
    GreyCosts, LoadOptions, MAX_FILE_BYTES, MAX_TILED_BYTES, MapLink, Polarity, TiledOptions, map_from_bytes,
    tiled_costs_from_bytes, tileset_path,
};

/// The tile property that holds the costs of Tiled maps unless another is named.
pub(crate) const TILE_PROPERTY: &str = "cost";

/// What a map file cannot say about itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MapOptions<'a> {
    pub(crate) grey: GreyArgument,
    /// The tile property of Tiled maps.
    pub(crate) property: &'a str,
}

impl MapOptions<'_> {
    pub(crate) const fn grey(grey: GreyArgument) -> Self {
        Self {
            grey,
            property: TILE_PROPERTY,
        }
    }
}

pub(crate) fn load(path: &Path, options: MapOptions<'_>) -> Result<SceneMap, CliError> {
    load_from(path, options, &mut SceneFiles::on_disk())
}

/// Loads a map from wherever its file and those beside it are.
pub(crate) fn load_from(
    path: &Path,
    options: MapOptions<'_>,
    files: &mut SceneFiles<'_>,
) -> Result<SceneMap, CliError> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    if matches!(ending.as_deref(), Some("tmx" | "tmj")) {
        return tiled(path, options.property, files);
    }
    let grey_costs = match options.grey {
        GreyArgument::WhiteCheap => GreyCosts::ramp(Polarity::WhiteIsCheap),
        GreyArgument::WhiteDear => GreyCosts::ramp(Polarity::WhiteIsDear),
        GreyArgument::Level => GreyCosts::LevelIsCost,
    };
    let options = LoadOptions {
        grey_costs,
        ..LoadOptions::default()
    };
    let loaded = map_from_bytes(path, &files.read(path, MAX_FILE_BYTES)?, &options)?;
    Ok(SceneMap {
        costs: loaded.costs,
        goals: loaded.goals,
        marks: loaded.marks,
        links: loaded.links.iter().flat_map(MapLink::ways).collect(),
    })
}

fn tiled(path: &Path, property: &str, files: &mut SceneFiles<'_>) -> Result<SceneMap, CliError> {
    let bytes = files.read(path, MAX_TILED_BYTES)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let mut failure = None;
    let open = |source: &str| {
        let opened = tileset_path(&path.display().to_string(), source)
            .map_err(CliError::from)
            .and_then(|relative| files.read_if_there(&folder.join(relative), MAX_TILED_BYTES));
        opened.unwrap_or_else(|error| {
            failure.get_or_insert(error);
            None
        })
    };
    let read = tiled_costs_from_bytes(path, &bytes, open, &TiledOptions::new(property));
    // What went wrong with a tileset comes before what its absence led to.
    failure.map_or(Ok(()), Err)?;
    Ok(SceneMap::new(read?.map))
}
