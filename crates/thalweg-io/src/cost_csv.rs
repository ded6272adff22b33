//! Tables of costs as comma-separated values: one line per row of the map, 255 impassable.

use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};

/// What an unknown cell is written as, in costs and in fields.
pub(crate) const UNKNOWN: &str = "?";

/// Reads a table of costs. `name` stands for the file in messages.
///
/// Values are whole numbers 0 to 254, 255 for impassable, or `?` for unknown; `1.0` counts as 1, because numerical
/// tools write it so. Line ends may be LF or CRLF, the last one may be missing, values may be quoted or have blanks
/// around them. There is no header line.
///
/// # Errors
/// [`ReadError`] naming line and column (counted in values) for anything else: negative numbers, 256 and above, NaN,
/// fractions, words, empty values; and the line for blank lines between rows and for rows of another length than the
/// first.
pub fn read_cost_csv(name: &str, bytes: &[u8]) -> Result<CostField, ReadError> {
    let source = SourceText::new(name, bytes)?;
    // The CSV reader drops blank lines without a word, which would shift the map: they are looked for first.
    let mut lines = 0;
    for (line, text) in source.lines() {
        if text.trim().is_empty() {
            return Err(source.error(Place::Line(line), ReadReason::BlankLine));
        }
        lines = line;
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(source.text().as_bytes());
    let mut record = csv::StringRecord::new();
    // A value and its comma are two bytes at least.
    let mut costs = MapBuilder::with_capacity(source.len().div_ceil(2));
    let mut width = None;
    let mut line = 0usize;
    loop {
        line += 1;
        let more = reader.read_record(&mut record).map_err(|error| {
            let reason = ReadReason::Header {
                wanted: "a line of comma-separated costs",
                got: quoted(&error.to_string()),
            };
            source.error(Place::Line(line), reason)
        })?;
        if !more {
            break;
        }
        for (column, value) in record.iter().enumerate() {
            let cost = cost_from_text(value)
                .map_err(|reason| source.error(Place::LineColumn(line, column + 1), reason))?;
            costs.push(cost);
        }
        let got = record.len();
        let want = *width.get_or_insert(got);
        if got != want {
            return Err(source.error(Place::Line(line), ReadReason::RowLength { got, want }));
        }
    }
    let rows = line - 1;
    if rows != lines {
        // A quoted value that spans lines, or bare carriage returns as line ends.
        let reason = ReadReason::Header {
            wanted: "one line of text per row of the map",
            got: format!("part of {rows} rows in {lines} lines"),
        };
        return Err(source.error(Place::WholeFile, reason));
    }
    let width = u32::try_from(width.unwrap_or(0)).unwrap_or(u32::MAX);
    let height = u32::try_from(rows).unwrap_or(u32::MAX);
    costs
        .finish(width, height)
        .map_err(|reason| source.error(Place::WholeFile, reason))
}

/// Reads a table of costs from a file.
///
/// # Errors
/// As [`read_cost_csv`], and for files that cannot be read.
pub fn read_cost_csv_file(path: &Path) -> Result<CostField, ReadError> {
    read_with(path, read_cost_csv)
}

fn cost_from_text(text: &str) -> Result<Option<Cost>, ReadReason> {
    if text == UNKNOWN {
        return Ok(None);
    }
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Some(Cost::try_from(whole)?));
    }
    match text.parse::<f64>() {
        Ok(number) => Ok(Some(Cost::try_from(number)?)),
        Err(_) => Err(ReadReason::Number {
            what: "the cost",
            got: quoted(text),
            wanted: "a whole number from 0 to 254, 255 (impassable) or ? (unknown)",
        }),
    }
}
