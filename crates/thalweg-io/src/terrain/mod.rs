//! Terrain classes from pictures and from letters, by a legend.

mod classes;
mod legend;

use crate::detect::{extension, first_line_and_word, refuse_binary};
use crate::error::{Place, ReadError, ReadReason};
use crate::png_pixels::{self, Png, grey_level};
use crate::read_file::{MAX_FILE_BYTES, read_limited};
use crate::source_text::SourceText;
pub(crate) use classes::terrain_map;
pub use legend::Legend;
use std::path::Path;
use thalweg_core::cost::TerrainMap;
use thalweg_core::grid::Grid;

/// What a terrain file cannot say about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerrainOptions {
    /// Which letters and colours stand for which class. Default: none, so that every letter and colour is refused.
    pub legend: Legend,
    /// The most bytes a file may have. Default: [`MAX_FILE_BYTES`].
    pub max_bytes: u64,
}

impl TerrainOptions {
    /// Options with this legend.
    #[must_use]
    pub const fn new(legend: Legend) -> Self {
        Self {
            legend,
            max_bytes: MAX_FILE_BYTES,
        }
    }
}

impl Default for TerrainOptions {
    fn default() -> Self {
        Self::new(Legend::new())
    }
}

/// Reads terrain classes from a PNG picture or from text of one letter per cell, told by content.
///
/// Pictures may be grey, coloured or indexed, of up to 16 bits a level, interlaced or not; fully transparent pixels are
/// unknown. Text has one line per row, LF or CRLF. The first cell is (0,0). Tiled maps are read by
/// [`read_tiled_terrain`](crate::read_tiled_terrain), since they need other options and files beside them.
///
/// # Errors
/// [`ReadError`] naming the pixel for colours that the legend does not list and for half transparency, line and column
/// for letters that it does not list, the line for rows of another length than the first; for damaged files, and for
/// a size that the file cannot possibly hold or that no map may have.
pub fn read_terrain_map(path: impl AsRef<Path>, options: &TerrainOptions) -> Result<TerrainMap, ReadError> {
    let path = path.as_ref();
    let bytes = read_limited(path, options.max_bytes)?;
    terrain_map_from_bytes(path, &bytes, options)
}

/// Reads terrain classes from bytes; the path is only a name here.
///
/// # Errors
/// As [`read_terrain_map`], except for those of opening a file.
pub fn terrain_map_from_bytes(
    name: &Path,
    bytes: &[u8],
    options: &TerrainOptions,
) -> Result<TerrainMap, ReadError> {
    let shown = name.display().to_string();
    let fail = |reason| ReadError::new(&shown, Place::WholeFile, reason);
    if bytes.starts_with(png_pixels::MAGIC) {
        return read_picture(&shown, bytes, &options.legend);
    }
    refuse_binary(bytes).map_err(fail)?;
    let is_tiled_name = matches!(extension(name).as_deref(), Some("tmx" | "tmj" | "tsx" | "tsj"));
    if is_tiled_name || first_line_and_word(bytes).1.starts_with(b"<?xml") {
        return Err(fail(ReadReason::Unsupported(
            "this looks like a file of the Tiled editor: read it as a Tiled map",
        )));
    }
    read_letters(&shown, bytes, &options.legend)
}

fn read_picture(name: &str, bytes: &[u8], legend: &Legend) -> Result<TerrainMap, ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let png = Png::open(name, bytes)?;
    // Grows with the rows that really decode.
    let mut classes = Vec::new();
    let grid = if !legend.numbers_are_classes() {
        png.read(|pixel| {
            classes.push(colour_class(pixel, legend)?);
            Ok(())
        })?
    } else if png.is_indexed() {
        let png = Png::open_indexed(name, bytes)?;
        let transparent = png.transparent_entries();
        png.read_indices(|number| {
            let hidden = transparent.get(usize::from(number)) == Some(&true);
            classes.push((!hidden).then_some(number));
            Ok(())
        })?
    } else if png.stores_bytes() {
        png.read(|pixel| {
            let level = grey_level(pixel)?;
            classes.push(level.map(|level| (level / 257) as u8));
            Ok(())
        })?
    } else {
        return Err(fail(ReadReason::Unsupported(
            "the numbers of a picture are classes only if it is indexed or has levels of 8 bits",
        )));
    };
    terrain_map(grid, &classes).map_err(fail)
}

fn colour_class(
    [red, green, blue, alpha]: png_pixels::Pixel,
    legend: &Legend,
) -> Result<Option<u8>, ReadReason> {
    match alpha {
        0 => Ok(None),
        u16::MAX => legend
            .colour([red, green, blue])
            .ok_or(ReadReason::UnlistedColour { red, green, blue }),
        _ => Err(ReadReason::HalfTransparent(alpha)),
    }
}

fn read_letters(name: &str, bytes: &[u8], legend: &Legend) -> Result<TerrainMap, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let fail = |reason| source.error(Place::WholeFile, reason);
    // A letter is a byte at least.
    let mut classes = Vec::with_capacity(source.len());
    let mut width = None;
    let mut height = 0u32;
    for (line, row) in source.lines() {
        let begin = classes.len();
        for (column, letter) in row.chars().enumerate() {
            let allowed = "those of the legend";
            let class = legend.letter(letter).ok_or_else(|| {
                source.error(
                    Place::LineColumn(line, column + 1),
                    ReadReason::Letter { letter, allowed },
                )
            })?;
            classes.push(class);
        }
        let got = classes.len() - begin;
        let want = *width.get_or_insert(got);
        if got != want {
            return Err(source.error(Place::Line(line), ReadReason::RowLength { got, want }));
        }
        height = height.saturating_add(1);
    }
    let width = u32::try_from(width.unwrap_or(0)).unwrap_or(u32::MAX);
    let grid = Grid::new(width, height).map_err(|error| fail(error.into()))?;
    terrain_map(grid, &classes).map_err(fail)
}
