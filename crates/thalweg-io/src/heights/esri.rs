//! ESRI ASCII grids (`.asc`), as the ArcGIS documentation describes the "Esri ASCII raster format": a header of keys
//! and numbers, then the heights from north to south. Line ends among the heights mean nothing.

use super::builder::{HeightBuilder, Stated, Stored};
use super::csv::number;
use super::options::HeightOptions;
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::source_text::SourceText;
use thalweg_core::cost::{HeightError, HeightMap};
use thalweg_core::grid::Grid;

/// The nodata value of a file that states none, by the format's own rule.
const DEFAULT_NODATA: f64 = -9999.0;

const KEYS: [&str; 10] = [
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
];

/// Whether a word is a key of the header, in any case.
pub(super) fn is_key(word: &[u8]) -> bool {
    KEYS.iter().any(|key| word.eq_ignore_ascii_case(key.as_bytes()))
}

pub(super) fn read(
    name: &str,
    bytes: &[u8],
    options: &HeightOptions,
) -> Result<(HeightMap, Stated), ReadError> {
    let source = SourceText::new(name, bytes)?;
    let fail = |reason| source.error(Place::WholeFile, reason);
    let mut lines = source.lines().peekable();
    let mut header = Header::default();
    while let Some((line, text)) = lines.next_if(|(_, text)| !begins_with_number(text)) {
        header
            .take(text)
            .map_err(|reason| source.error(Place::Line(line), reason))?;
    }
    let size = header.size().map_err(fail)?;
    let grid = Grid::new(size.0, size.1).map_err(|error| fail(error.into()))?;
    let stated = header.stated().map_err(fail)?;

    let want = grid.len();
    // A height and its blank are two bytes at least, so the file's own length bounds the buffer.
    let cells = want.min(source.len().div_ceil(2));
    let nodata = header.get("nodata_value").unwrap_or(DEFAULT_NODATA);
    let mut heights = HeightBuilder::new(cells, Stored::Numbers, Some(nodata), options).map_err(fail)?;
    // Rows need not be lines, but where they are, the first line of another length is where a height is missing.
    let mut odd_line = None;
    for (line, text) in lines {
        let begin = heights.len();
        for (column, word) in text.split_whitespace().enumerate() {
            let place = Place::LineColumn(line, column + 1);
            if heights.len() == want {
                return Err(source.error(place, ReadReason::TooManyHeights { want }));
            }
            number(word, "a number")
                .and_then(|number| heights.push(number))
                .map_err(|reason| source.error(place, reason))?;
        }
        if heights.len() - begin != size.0 as usize && odd_line.is_none() {
            odd_line = Some(line);
        }
    }
    let got = heights.len();
    if got < want {
        let place = odd_line.map_or(Place::WholeFile, Place::Line);
        return Err(source.error(place, ReadReason::TooFewHeights { got, want }));
    }
    let map = heights.finish(size, stated.cell_size, options).map_err(fail)?;
    Ok((map, stated))
}

/// Whether a line belongs to the heights. `nan` is a height too, which no key begins like.
fn begins_with_number(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.is_empty() || word.parse::<f64>().is_ok() || word.starts_with(|letter: char| !letter.is_alphabetic())
}

/// The numbers of the header, in the order of [`KEYS`].
#[derive(Debug, Default)]
struct Header {
    values: [Option<f64>; KEYS.len()],
}

impl Header {
    fn take(&mut self, text: &str) -> Result<(), ReadReason> {
        let wrong = |wanted| ReadReason::Header {
            wanted,
            got: quoted(text),
        };
        let mut words = text.split_whitespace();
        let (Some(key), Some(value), None) = (words.next(), words.next(), words.next()) else {
            return Err(wrong("one key and one number on each line of the header"));
        };
        let index = KEYS
            .iter()
            .position(|known| known.eq_ignore_ascii_case(key))
            .ok_or_else(|| {
                wrong("a key of the format (ncols, nrows, xllcorner, yllcorner, cellsize, NODATA_value)")
            })?;
        let value = value.parse().map_err(|_| wrong("a number after the key"))?;
        if self.values[index].replace(value).is_some() {
            return Err(wrong("every key once"));
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<f64> {
        let index = KEYS.iter().position(|&known| known == key)?;
        self.values[index]
    }

    /// Columns and rows.
    fn size(&self) -> Result<(u32, u32), ReadReason> {
        let side = |what, key| {
            let number = self.get(key);
            // A side beyond 32 bits is refused by the same sentence: no map has it.
            number
                .filter(|number| number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(number))
                .map(|number| number as u32)
                .ok_or_else(|| ReadReason::Number {
                    what,
                    got: number.map_or_else(|| String::from("missing"), |number| quoted(&number.to_string())),
                    wanted: "a whole number, 1 or more",
                })
        };
        Ok((
            side("ncols in the header", "ncols")?,
            side("nrows in the header", "nrows")?,
        ))
    }

    /// Cell size and corner. Other tools write `dx` and `dy`, which are a cell size only where they are equal.
    fn stated(&self) -> Result<Stated, ReadReason> {
        let cell_size = match (self.get("cellsize"), self.get("dx"), self.get("dy")) {
            (Some(size), ..) => Some(size),
            #[expect(clippy::float_cmp, reason = "two sides written alike, not computed")]
            (None, Some(dx), Some(dy)) if dx == dy => Some(dx),
            _ => None,
        };
        if let Some(size) = cell_size
            && !(size.is_finite() && size > 0.0)
        {
            return Err(HeightError::CellSize(size).into());
        }
        let corner = |corner, centre| {
            self.get(corner)
                .or_else(|| Some(self.get(centre)? - cell_size? / 2.0))
        };
        let south_west = corner("xllcorner", "xllcenter").zip(corner("yllcorner", "yllcenter"));
        Ok(Stated {
            cell_size,
            south_west: south_west.map(<[f64; 2]>::from),
        })
    }
}
