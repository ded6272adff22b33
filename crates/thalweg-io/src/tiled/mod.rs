//! Maps of the Tiled editor: tile layers as costs or terrain classes, by a property of the tiles.

mod json;
mod merge;
mod model;
mod options;
mod unpack;
mod values;
mod xml;

use crate::error::{Place, ReadError, ReadReason, one_line, quoted};
use crate::map_builder::cost_map;
use crate::read_file::read_limited;
use crate::source_text::SourceText;
use crate::terrain::terrain_map;
use merge::merge;
use model::{RawMap, Tiles};
pub use options::{LayerRule, MAX_TILED_BYTES, TileDefault, TiledOptions};
use std::path::{Component, Path};
use thalweg_core::cost::{CostField, TerrainMap};
use thalweg_core::grid::Grid;
use values::Values;

/// A Tiled map as costs or classes, with whatever else the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TiledMap<T> {
    /// Costs or classes. The first cell is (0,0), in infinite maps the north-west corner of the chunks, which may be
    /// negative.
    pub map: T,
    /// Width and height of a tile in pixels; 0 where the file does not say.
    pub tile_size: [u32; 2],
    /// Names of the layers that were read, from the lowest drawn to the highest.
    pub layers: Vec<String>,
    /// Tileset files that the map names and that are not there. Their tiles have no property.
    pub missing_tilesets: Vec<String>,
}

/// Reads a Tiled map as costs: property values 0 to 254, 255 is impassable.
///
/// `.tmx` (XML) and `.tmj` (JSON) are told by content; tilesets may stand in the map or in `.tsx` and `.tsj` files
/// beside it, named by relative paths. Tile layers may be lists, CSV, or base64 plain or packed by zlib or gzip, whole
/// or in chunks. Flip flags are dropped; layers of objects and images are passed over. Maps must be orthogonal.
///
/// # Errors
/// [`ReadError`] naming the file and, where the file is XML, the line: other orientations, layers that are missing,
/// moved by pixels or packed otherwise (zstd), damaged data, tile numbers of no tileset, property values that are no
/// cost, and cells that the options refuse. Stated sizes are checked against the length of the data before memory is
/// taken for them.
pub fn read_tiled_costs(
    path: impl AsRef<Path>,
    options: &TiledOptions,
) -> Result<TiledMap<CostField>, ReadError> {
    from_file(path.as_ref(), options)?.finish(cost_map)
}

/// Reads a Tiled map as terrain classes: property values 0 to 255.
///
/// # Errors
/// As [`read_tiled_costs`].
pub fn read_tiled_terrain(
    path: impl AsRef<Path>,
    options: &TiledOptions,
) -> Result<TiledMap<TerrainMap>, ReadError> {
    from_file(path.as_ref(), options)?.finish(|grid, cells| terrain_map(grid, &cells))
}

/// Reads a Tiled map as costs from bytes; the path is only a name here. `tilesets` is asked for tileset files by the
/// name that stands in the map and answers with their bytes, or `None` for those that are not there.
///
/// # Errors
/// As [`read_tiled_costs`], except for those of opening a file.
pub fn tiled_costs_from_bytes(
    name: &Path,
    bytes: &[u8],
    mut tilesets: impl FnMut(&str) -> Option<Vec<u8>>,
    options: &TiledOptions,
) -> Result<TiledMap<CostField>, ReadError> {
    from_bytes(name, bytes, &mut |source| Ok(tilesets(source)), options)?.finish(cost_map)
}

/// Reads a Tiled map as terrain classes from bytes, as [`tiled_costs_from_bytes`] does.
///
/// # Errors
/// As [`read_tiled_costs`], except for those of opening a file.
pub fn tiled_terrain_from_bytes(
    name: &Path,
    bytes: &[u8],
    mut tilesets: impl FnMut(&str) -> Option<Vec<u8>>,
    options: &TiledOptions,
) -> Result<TiledMap<TerrainMap>, ReadError> {
    from_bytes(name, bytes, &mut |source| Ok(tilesets(source)), options)?
        .finish(|grid, cells| terrain_map(grid, &cells))
}

/// A map whose cells have values, before these become costs or classes.
struct Merged {
    name: String,
    grid: Grid,
    cells: Vec<Option<u8>>,
    tile_size: [u32; 2],
    layers: Vec<String>,
    missing_tilesets: Vec<String>,
}

impl Merged {
    fn finish<T>(
        self,
        make: impl FnOnce(Grid, Vec<Option<u8>>) -> Result<T, ReadReason>,
    ) -> Result<TiledMap<T>, ReadError> {
        let map = make(self.grid, self.cells)
            .map_err(|reason| ReadError::new(&self.name, Place::WholeFile, reason))?;
        Ok(TiledMap {
            map,
            tile_size: self.tile_size,
            layers: self.layers,
            missing_tilesets: self.missing_tilesets,
        })
    }
}

/// Answers with the bytes of a tileset file, or `None` if it is not there.
type OpenTileset<'a> = dyn FnMut(&str) -> Result<Option<Vec<u8>>, ReadError> + 'a;

fn from_file(path: &Path, options: &TiledOptions) -> Result<Merged, ReadError> {
    let bytes = read_limited(path, options.max_bytes)?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let mut open = |source: &str| {
        let relative = tileset_path(&path.display().to_string(), source)?;
        match read_limited(&folder.join(relative), options.max_bytes) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.reason(), ReadReason::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    };
    from_bytes(path, &bytes, &mut open, options)
}

/// The path of a tileset file as a map names it, for those who open it themselves: relative to the map.
///
/// # Errors
/// [`ReadError`] naming the map, if it is no relative path to a tileset file: a map from anywhere must not make anybody open
/// devices or files of the system.
pub fn tileset_path<'a>(map: &str, source: &'a str) -> Result<&'a Path, ReadError> {
    let relative = Path::new(source);
    let is_relative = relative.components().all(|part| {
        matches!(
            part,
            Component::Normal(_) | Component::ParentDir | Component::CurDir
        )
    });
    let is_tileset = relative.extension().is_some_and(|ending| {
        ["tsx", "tsj", "json", "xml"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    });
    if is_relative && is_tileset {
        return Ok(relative);
    }
    let reason = ReadReason::Tiled(format!(
        "tileset {} is not a relative path to a .tsx or .tsj file, and others are not opened",
        quoted(source)
    ));
    Err(ReadError::new(map, Place::WholeFile, reason))
}

fn from_bytes(
    name: &Path,
    bytes: &[u8],
    open: &mut OpenTileset<'_>,
    options: &TiledOptions,
) -> Result<Merged, ReadError> {
    let name = name.display().to_string();
    let fail = |what| ReadError::new(&name, Place::WholeFile, ReadReason::Tiled(what));
    let source = SourceText::new(&name, bytes)?;
    let map = match first_letter(source.text()) {
        Some('<') => xml::read_map(&name, source.text())?,
        Some('{') => json::read_map(&name, source.text())?,
        _ => {
            return Err(fail(String::from(
                "the file is neither the XML nor the JSON of a Tiled map",
            )));
        }
    };
    if map.orientation != "orthogonal" {
        return Err(fail(format!(
            "the map is {}, but only orthogonal maps have the square cells that are read",
            quoted(&map.orientation)
        )));
    }
    let mut missing_tilesets = Vec::new();
    let values = values(&name, &map, open, options, &mut missing_tilesets)?;
    let flat = merge(&map, &values, options).map_err(|fault| {
        let at = fault.layer.and_then(|index| map.layers[index].at);
        let line = |at| {
            1 + source
                .text()
                .bytes()
                .take(at)
                .filter(|&byte| byte == b'\n')
                .count()
        };
        ReadError::new(
            &name,
            at.map_or(Place::WholeFile, |at| Place::Line(line(at))),
            fault.reason,
        )
    })?;
    Ok(Merged {
        grid: flat.grid,
        cells: flat.cells,
        tile_size: map.tile_size,
        layers: flat
            .layers
            .iter()
            .map(|&index| map.layers[index].name.clone())
            .collect(),
        missing_tilesets,
        name,
    })
}

fn first_letter(text: &str) -> Option<char> {
    text.trim_start().chars().next()
}

/// What the tiles of all tilesets are worth.
fn values(
    name: &str,
    map: &RawMap,
    open: &mut OpenTileset<'_>,
    options: &TiledOptions,
    missing: &mut Vec<String>,
) -> Result<Values, ReadError> {
    let mut values = Values::default();
    for tileset in &map.tilesets {
        let (loaded, shown);
        let (tiles, file) = match &tileset.source {
            None => (&tileset.tiles, name),
            Some(source) => {
                // The name is the map's own text, so it must not break a message into lines.
                shown = one_line(source);
                loaded = match open(source)? {
                    Some(bytes) => read_tileset(&shown, &bytes)?,
                    None => {
                        missing.push(source.clone());
                        Tiles::new()
                    }
                };
                (&loaded, shown.as_str())
            }
        };
        values
            .add(tileset.first, tiles, options)
            .map_err(|what| ReadError::new(file, Place::WholeFile, ReadReason::Tiled(what)))?;
    }
    Ok(values)
}

fn read_tileset(name: &str, bytes: &[u8]) -> Result<Tiles, ReadError> {
    let source = SourceText::new(name, bytes)?;
    if first_letter(source.text()) == Some('{') {
        json::read_tileset(name, source.text())
    } else {
        xml::read_tileset(name, source.text())
    }
}
