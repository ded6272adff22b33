//! Height maps: ESRI ASCII grids, TIFF and GeoTIFF, grey PNG pictures, NumPy arrays and comma-separated values.

mod builder;
mod csv;
mod esri;
mod npy;
mod options;
mod png;
mod tiff;

use crate::detect::{extension, first_line_and_word, refuse_binary};
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::read_file::read_limited;
use crate::{npy as npy_array, png_pixels};
use builder::Stated;
use core::fmt;
pub use options::{HeightOptions, VerticalScale};
use std::path::Path;
use thalweg_core::cost::HeightMap;

/// A height format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeightFormat {
    /// An ESRI ASCII grid (`.asc`).
    EsriAscii,
    /// A TIFF or GeoTIFF of one number per pixel.
    Tiff,
    /// A PNG picture whose grey levels are heights.
    Png,
    /// A NumPy array.
    Npy,
    /// A table of comma-separated numbers.
    Csv,
}

impl fmt::Display for HeightFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EsriAscii => "ESRI ASCII grid",
            Self::Tiff => "TIFF heights",
            Self::Png => "PNG heights",
            Self::Npy => "NumPy array",
            Self::Csv => "CSV heights",
        })
    }
}

/// Heights from a file, with whatever else the file says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LoadedHeights {
    /// The heights; the first cell is (0,0), rows go from north to south. The cell size in it is the caller's if one
    /// was given, else the file's.
    pub heights: HeightMap,
    /// The side of a cell as the file states it, in the file's horizontal unit. `None` where the file does not say,
    /// or says it in degrees or with two different sides.
    pub stated_cell_size: Option<f64>,
    /// The south-west corner of the map in the file's coordinates, x and y (ESRI ASCII grids only).
    pub south_west: Option<[f64; 2]>,
    /// The format the file turned out to have.
    pub format: HeightFormat,
}

/// Reads a height map of any known format, told by content and name.
///
/// - **ESRI ASCII grid**: keys in any order and case, `xllcorner` or `xllcenter`; `NODATA_value` (default -9999, as
///   the format says) is unknown.
/// - **TIFF, GeoTIFF**: one sample per pixel of 8 to 32 bits with or without sign, float32 or float64; not packed,
///   or packed as deflate, LZW or PackBits; only the first picture of the file. `GDAL_NODATA` is unknown. The cell
///   size is that of the GeoTIFF tags, unless they are in degrees.
/// - **PNG**: grey of 8 or 16 bits (colour pictures whose pixels are all grey count); transparent is unknown. The
///   options must say what the levels mean.
/// - **NumPy**: two dimensions, integers or floats; `array[y, x]` is the cell in column x, row y.
/// - **CSV**: numbers, `?` for unknown, no header line.
///
/// # Errors
/// [`ReadError`] naming the file, the place in it and the reason: damaged files, numbers that are not finite and not
/// the nodata value, a cell size that neither the file nor the options state, a picture without a vertical scale.
/// What a header states is checked against the length of the file before memory is taken for it.
pub fn read_height_map(path: impl AsRef<Path>, options: &HeightOptions) -> Result<LoadedHeights, ReadError> {
    let path = path.as_ref();
    let bytes = read_limited(path, options.max_bytes)?;
    height_map_from_bytes(path, &bytes, options)
}

/// Reads a height map of any known format from bytes; the path is only a name here.
///
/// # Errors
/// As [`read_height_map`], except for those of opening a file.
pub fn height_map_from_bytes(
    name: &Path,
    bytes: &[u8],
    options: &HeightOptions,
) -> Result<LoadedHeights, ReadError> {
    let shown = name.display().to_string();
    let fail = |reason| ReadError::new(&shown, Place::WholeFile, reason);
    options.check().map_err(fail)?;
    let format = detect(name, bytes).map_err(fail)?;
    let (heights, stated) = match format {
        HeightFormat::EsriAscii => esri::read(&shown, bytes, options)?,
        HeightFormat::Tiff => tiff::read(&shown, bytes, options)?,
        HeightFormat::Png => (png::read(&shown, bytes, options)?, Stated::default()),
        HeightFormat::Npy => (npy::read(&shown, bytes, options)?, Stated::default()),
        HeightFormat::Csv => (csv::read(&shown, bytes, options)?, Stated::default()),
    };
    Ok(LoadedHeights {
        heights,
        stated_cell_size: stated.cell_size,
        south_west: stated.south_west,
        format,
    })
}

fn detect(name: &Path, bytes: &[u8]) -> Result<HeightFormat, ReadReason> {
    if bytes.starts_with(png_pixels::MAGIC) {
        return Ok(HeightFormat::Png);
    }
    if bytes.starts_with(npy_array::MAGIC) {
        return Ok(HeightFormat::Npy);
    }
    if tiff::MAGICS.iter().any(|magic| bytes.starts_with(magic)) {
        return Ok(HeightFormat::Tiff);
    }
    refuse_binary(bytes)?;
    let (first_line, first_word) = first_line_and_word(bytes);
    if esri::is_key(first_word) {
        return Ok(HeightFormat::EsriAscii);
    }
    match extension(name).as_deref() {
        Some("asc") => Ok(HeightFormat::EsriAscii),
        Some("csv") => Ok(HeightFormat::Csv),
        _ if first_line.contains(&b',') => Ok(HeightFormat::Csv),
        _ if bytes.is_empty() => Err(ReadReason::Empty),
        _ => Err(ReadReason::Header {
            wanted: "a height map (ESRI ASCII grid, TIFF, PNG, NumPy array or comma-separated numbers)",
            got: quoted(&String::from_utf8_lossy(first_word)),
        }),
    }
}
