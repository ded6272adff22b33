//! A reader of case files: one JSON object per line, each a small input with its known answers.
//!
//! Unknown fields and unknown kinds are errors: a row that is only half understood proves nothing.

mod check;
mod directed;
mod expression;
mod fields;
mod generate;
mod grid;
mod layers;
mod locate;
mod row;

pub use check::{Checked, check_row};
pub use expression::evaluate;
pub use generate::MapSpec;
pub use locate::{cases_file, data_folder, is_long, say, skipped};
pub use row::{
    Body, CellOrWord, Coordinate, EditStep, EditsRow, FootprintsRow, GraphRow, GridRow, LayersRow, LimitRow,
    Link, LinksRow, NearestReachable, OneWayRow, PairsRow, Row, SightRow, StatusQuery, StatusRow,
    TransformRow, WorldPoint,
};

/// Reads a case file.
///
/// # Panics
/// If a line is not a row; the message names the line and what serde found wrong.
#[must_use]
pub fn read_rows(text: &str) -> Vec<Row> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("case line {}: {error}", number + 1))
        })
        .collect()
}
