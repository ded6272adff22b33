//! MovingAI `.map` files.

use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Grid;

const LETTERS: &str = "passable: . G S; blocked: @ O T W";

/// Reads a MovingAI map. `name` stands for the file in messages.
///
/// `.`, `G` and `S` become plain ground (cost 1), `@`, `O`, `T` and `W` become impassable. Line ends may be LF or
/// CRLF, the last one may be missing, blank lines may follow the last row. Height and width may come in either order,
/// since each is named.
///
/// # Errors
/// [`ReadError`] naming the line for a wrong header, an unknown letter, a row of the wrong length, and for more or
/// fewer rows than the header states. Nothing is allocated on the word of the header alone.
pub fn read_movingai_map(name: &str, bytes: &[u8]) -> Result<CostField, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let mut lines = source.lines();
    let header = read_header(&source, &mut lines)?;
    let grid = Grid::new(header.width, header.height)
        .map_err(|error| source.error(Place::WholeFile, error.into()))?;
    let (width, height) = (header.width as usize, header.height as usize);

    // A cell is at least one byte of text, so the file's own length bounds the buffer.
    let mut costs = MapBuilder::with_capacity(grid.len().min(source.len()));
    let mut rows = 0;
    for (line, row) in lines {
        if rows == height {
            if row.trim().is_empty() {
                continue;
            }
            return Err(source.error(Place::Line(line), ReadReason::ExtraRow { want: height }));
        }
        for (column, letter) in row.chars().enumerate() {
            let cost = cost_of(letter).ok_or_else(|| {
                let allowed = LETTERS;
                source.error(
                    Place::LineColumn(line, column + 1),
                    ReadReason::Letter { letter, allowed },
                )
            })?;
            costs.push(Some(cost));
        }
        // All letters are ASCII by now, so bytes are letters.
        if row.len() != width {
            let reason = ReadReason::RowLength {
                got: row.len(),
                want: width,
            };
            return Err(source.error(Place::Line(line), reason));
        }
        rows += 1;
    }
    if rows < height {
        let reason = ReadReason::MissingRows {
            got: rows,
            want: height,
        };
        return Err(source.error(Place::WholeFile, reason));
    }
    costs
        .finish(header.width, header.height)
        .map_err(|reason| source.error(Place::WholeFile, reason))
}

/// Reads a MovingAI map from a file.
///
/// # Errors
/// As [`read_movingai_map`], and for files that cannot be read.
pub fn read_movingai_map_file(path: &Path) -> Result<CostField, ReadError> {
    read_with(path, read_movingai_map)
}

fn cost_of(letter: char) -> Option<Cost> {
    match letter {
        '.' | 'G' | 'S' => Some(Cost::PLAIN),
        '@' | 'O' | 'T' | 'W' => Some(Cost::IMPASSABLE),
        _ => None,
    }
}

struct Header {
    width: u32,
    height: u32,
}

fn read_header<'a>(
    source: &SourceText<'_>,
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
) -> Result<Header, ReadError> {
    let mut next = |wanted: &'static str| {
        lines.next().ok_or_else(|| {
            let got = String::from("missing");
            source.error(Place::WholeFile, ReadReason::Header { wanted, got })
        })
    };
    let wrong = |line: usize, wanted: &'static str, got: &str| {
        let got = quoted(got);
        source.error(Place::Line(line), ReadReason::Header { wanted, got })
    };

    let wanted = "'type octile'";
    let (line, text) = next(wanted)?;
    if !matches!(words(text), Some(("type", "octile" | "tile"))) {
        return Err(wrong(line, wanted, text));
    }

    let (mut width, mut height) = (None, None);
    for _ in 0..2 {
        let wanted = "'height' or 'width' with a whole number, each once";
        let (line, text) = next(wanted)?;
        let slot = match words(text) {
            Some(("height", number)) if height.is_none() => Some((&mut height, number)),
            Some(("width", number)) if width.is_none() => Some((&mut width, number)),
            _ => None,
        };
        let parsed = slot.and_then(|(slot, number)| Some((slot, number.parse::<u32>().ok()?)));
        let Some((slot, number)) = parsed else {
            return Err(wrong(line, wanted, text));
        };
        *slot = Some(number);
    }

    let wanted = "'map'";
    let (line, text) = next(wanted)?;
    if text.trim() != "map" {
        return Err(wrong(line, wanted, text));
    }
    match (width, height) {
        (Some(width), Some(height)) => Ok(Header { width, height }),
        // Two different keys were read, so both are there; said as an error rather than assumed.
        _ => Err(wrong(line, "'height' and 'width' before 'map'", text)),
    }
}

/// The two words of a header line.
fn words(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    let pair = (words.next()?, words.next()?);
    words.next().is_none().then_some(pair)
}
