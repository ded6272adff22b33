//! Heights as comma-separated numbers.

use super::builder::{HeightBuilder, Stored};
use super::options::HeightOptions;
use crate::csv_table::{UNKNOWN, read_table};
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::source_text::SourceText;
use thalweg_core::cost::HeightMap;

pub(super) fn read(name: &str, bytes: &[u8], options: &HeightOptions) -> Result<HeightMap, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let fail = |reason| source.error(Place::WholeFile, reason);
    // A value and its comma are two bytes at least.
    let cells = source.len().div_ceil(2);
    let mut heights = HeightBuilder::new(cells, Stored::Numbers, None, options).map_err(fail)?;
    let size = read_table(&source, "a line of comma-separated heights", |value| {
        if value == UNKNOWN {
            heights.push_unknown();
            return Ok(());
        }
        heights.push(number(value, "a number or ? (unknown)")?)
    })?;
    heights.finish(size, None, options).map_err(fail)
}

/// A number as numerical tools write it: `7`, `-7.5`, `1e3`, `10.`.
pub(super) fn number(text: &str, wanted: &'static str) -> Result<f64, ReadReason> {
    text.parse().map_err(|_| ReadReason::Number {
        what: "the height",
        got: quoted(text),
        wanted,
    })
}
