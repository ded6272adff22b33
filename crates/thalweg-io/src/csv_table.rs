//! Comma-separated values as rectangles of cells, whatever the values then mean.

use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::source_text::SourceText;

/// What an unknown cell is written as, in costs, heights and fields.
pub(crate) const UNKNOWN: &str = "?";

/// Hands every value of a table to `cell`, row by row, and returns width and height.
///
/// There is no header line. `row` is what a line should be, for messages.
pub(crate) fn read_table(
    source: &SourceText<'_>,
    row: &'static str,
    mut cell: impl FnMut(&str) -> Result<(), ReadReason>,
) -> Result<(u32, u32), ReadError> {
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
    let mut width = None;
    let mut line = 0usize;
    loop {
        line += 1;
        let more = reader.read_record(&mut record).map_err(|error| {
            let reason = ReadReason::Header {
                wanted: row,
                got: quoted(&error.to_string()),
            };
            source.error(Place::Line(line), reason)
        })?;
        if !more {
            break;
        }
        for (column, value) in record.iter().enumerate() {
            cell(value).map_err(|reason| source.error(Place::LineColumn(line, column + 1), reason))?;
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
    Ok((width, height))
}
