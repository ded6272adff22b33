//! Tables of costs as comma-separated values: one line per row of the map, 255 impassable.

use crate::csv_table::{UNKNOWN, read_table};
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};

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
    // A value and its comma are two bytes at least.
    let mut costs = MapBuilder::with_capacity(source.len().div_ceil(2));
    let (width, height) = read_table(&source, "a line of comma-separated costs", |value| {
        costs.push(cost_from_text(value)?);
        Ok(())
    })?;
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
