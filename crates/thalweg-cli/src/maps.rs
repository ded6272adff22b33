//! Loads maps with the command line's options.

use crate::args::GreyArgument;
use crate::error::CliError;
use std::path::Path;
use thalweg::scene::SceneMap;
use thalweg_io::{GreyCosts, Polarity, TiledOptions};
use thalweg_io::{LoadOptions, MapLink, load_map_with, read_tiled_costs};

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
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    if matches!(ending.as_deref(), Some("tmx" | "tmj")) {
        let tiled = read_tiled_costs(path, &TiledOptions::new(options.property))?;
        return Ok(SceneMap::new(tiled.map));
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
    let loaded = load_map_with(path, &options)?;
    Ok(SceneMap {
        costs: loaded.costs,
        goals: loaded.goals,
        marks: loaded.marks,
        links: loaded.links.iter().flat_map(MapLink::ways).collect(),
    })
}
