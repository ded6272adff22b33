//! One call that reads a map of any known format.

use crate::cost_csv::read_cost_csv;
use crate::cost_npy::read_cost_npy;
use crate::cost_png::{GreyCosts, read_cost_png};
use crate::detect::{MapFormat, detect_format};
use crate::error::{Place, ReadError};
use crate::movingai::read_movingai_map;
use crate::read_file::{MAX_FILE_BYTES, read_limited};
use crate::text_grid::{MapLink, TextGrid, read_text_grid};
use std::path::Path;
use thalweg_core::cost::CostField;
use thalweg_core::grid::Cell;

/// A map from a file, with whatever else the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedMap {
    /// What the ground costs; the first cell is (0,0) unless a text grid says otherwise.
    pub costs: CostField,
    /// Goals drawn into the map (text grids only).
    pub goals: Vec<Cell>,
    /// Agent marks drawn into the map (text grids only).
    pub marks: Vec<(char, Cell)>,
    /// The names of the layers, empty where none is given.
    pub layer_names: Vec<String>,
    /// Links between cells, also of different layers (text grids only).
    pub links: Vec<MapLink>,
    /// The format the file turned out to have.
    pub format: MapFormat,
}

/// What a file cannot say about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadOptions {
    /// How grey levels of pictures become costs. Default: white is cost 1, black is impassable.
    pub grey_costs: GreyCosts,
    /// The most bytes a file may have. Default: [`MAX_FILE_BYTES`].
    pub max_bytes: u64,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            grey_costs: GreyCosts::default(),
            max_bytes: MAX_FILE_BYTES,
        }
    }
}

/// Reads a map of any known format, told by content and name (see [`detect_format`]).
///
/// # Errors
/// [`ReadError`] naming the file, the place in it and the reason.
pub fn load_map(path: impl AsRef<Path>) -> Result<LoadedMap, ReadError> {
    load_map_with(path, &LoadOptions::default())
}

/// Reads a map of any known format with options.
///
/// # Errors
/// As [`load_map`].
pub fn load_map_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<LoadedMap, ReadError> {
    let path = path.as_ref();
    let bytes = read_limited(path, options.max_bytes)?;
    map_from_bytes(path, &bytes, options)
}

/// Reads a map of any known format from bytes; the path is only a name here.
///
/// # Errors
/// As [`load_map`], except for those of opening a file.
pub fn map_from_bytes(name: &Path, bytes: &[u8], options: &LoadOptions) -> Result<LoadedMap, ReadError> {
    let shown = name.display().to_string();
    let format =
        detect_format(name, bytes).map_err(|reason| ReadError::new(&shown, Place::WholeFile, reason))?;
    let costs = match format {
        MapFormat::MovingAi => read_movingai_map(&shown, bytes)?,
        MapFormat::Csv => read_cost_csv(&shown, bytes)?,
        MapFormat::Npy => read_cost_npy(&shown, bytes)?,
        MapFormat::Png => read_cost_png(&shown, bytes, options.grey_costs)?,
        MapFormat::TextGrid => {
            let TextGrid {
                costs,
                goals,
                marks,
                layer_names,
                links,
            } = read_text_grid(&shown, bytes)?;
            return Ok(LoadedMap {
                costs,
                goals,
                marks,
                layer_names,
                links,
                format,
            });
        }
    };
    Ok(LoadedMap {
        costs,
        goals: Vec::new(),
        marks: Vec::new(),
        layer_names: vec![String::new()],
        links: Vec::new(),
        format,
    })
}
