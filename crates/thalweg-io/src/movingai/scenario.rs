//! MovingAI `.scen` files, version 1.

use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;
use thalweg_core::grid::Cell;

const COLUMNS: &str = "bucket, map, width, height, start x, start y, goal x, goal y, optimal length";

/// A list of queries with known answers.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Scenario {
    /// The queries in file order. They need not be sorted by bucket.
    pub lines: Vec<ScenarioLine>,
}

/// One query of a [`Scenario`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ScenarioLine {
    /// The line of the file, from 1 (the version line is line 1).
    pub line_number: usize,
    /// Group of similar lengths.
    pub bucket: u32,
    /// The map as the file names it: often a path of the site it came from, so not a path to open.
    pub map: String,
    /// Cells in a row of the map, at least 1.
    pub width: u32,
    /// Rows of the map, at least 1.
    pub height: u32,
    /// Where the query starts; inside `width` x `height`.
    pub start: Cell,
    /// Where it ends; inside `width` x `height`.
    pub goal: Cell,
    /// Length of a shortest way in cell sides (a diagonal is the root of 2), finite and at least 0. Many files carry
    /// six significant digits only.
    pub optimal_length: f64,
}

impl Scenario {
    /// Start and goal of the first `count` lines, as instances of many agents are made from scenarios. `name` stands for the
    /// file in messages.
    ///
    /// # Errors
    /// [`ReadReason::TooFewAgents`] if there are not so many lines, [`ReadReason::SharedCell`] with the line if two of these
    /// agents have the same start or the same goal.
    pub fn first_agents(&self, name: &str, count: usize) -> Result<Vec<(Cell, Cell)>, ReadError> {
        let lines = self.lines.get(..count).ok_or_else(|| {
            let reason = ReadReason::TooFewAgents {
                wanted: count,
                got: self.lines.len(),
            };
            ReadError::new(name, Place::WholeFile, reason)
        })?;
        distinct(
            name,
            "start",
            lines.iter().map(|line| (line.start, line.line_number)),
        )?;
        distinct(
            name,
            "goal",
            lines.iter().map(|line| (line.goal, line.line_number)),
        )?;
        Ok(lines.iter().map(|line| (line.start, line.goal)).collect())
    }
}

fn distinct(
    name: &str,
    what: &'static str,
    cells: impl Iterator<Item = (Cell, usize)>,
) -> Result<(), ReadError> {
    let mut sorted: Vec<(Cell, usize)> = cells.collect();
    sorted.sort_unstable();
    // Of all that share a cell the first two; of all pairs the one that is complete first in the file.
    let pairs = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let Some(&[(cell, first), (_, second)]) = pairs.min_by_key(|pair| pair[1].1) else {
        return Ok(());
    };
    let reason = ReadReason::SharedCell { what, cell, first };
    Err(ReadError::new(name, Place::Line(second), reason))
}

/// Reads a MovingAI scenario of version 1. `name` stands for the file in messages.
///
/// Columns are separated by tabs (then a map name may hold blanks) or, where a line has no tab, by blanks. Line ends
/// may be LF or CRLF; blank lines are skipped.
///
/// # Errors
/// [`ReadError`] naming line and column for a missing version line, a wrong number of columns, numbers that are
/// negative, not finite or no numbers at all, and cells outside the stated map.
pub fn read_scenario(name: &str, bytes: &[u8]) -> Result<Scenario, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let mut lines = source.lines();
    let (_, first) = lines.next().unwrap_or((1, ""));
    let mut words = first.split_whitespace();
    let version = (words.next(), words.next(), words.next());
    if !matches!(version, (Some("version"), Some("1" | "1.0"), None)) {
        let reason = ReadReason::Header {
            wanted: "'version 1'",
            got: quoted(first),
        };
        return Err(source.error(Place::Line(1), reason));
    }
    let mut scenario = Scenario { lines: Vec::new() };
    for (line_number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        scenario.lines.push(read_line(&source, line_number, line)?);
    }
    Ok(scenario)
}

/// Reads a MovingAI scenario from a file.
///
/// # Errors
/// As [`read_scenario`], and for files that cannot be read.
pub fn read_scenario_file(path: &Path) -> Result<Scenario, ReadError> {
    read_with(path, read_scenario)
}

fn read_line(source: &SourceText<'_>, line_number: usize, line: &str) -> Result<ScenarioLine, ReadError> {
    let values: Vec<&str> = if line.contains('\t') {
        line.trim().split('\t').map(str::trim).collect()
    } else {
        line.split_whitespace().collect()
    };
    let &[
        bucket,
        map,
        width,
        height,
        start_x,
        start_y,
        goal_x,
        goal_y,
        length,
    ] = values.as_slice()
    else {
        let reason = ReadReason::Columns {
            got: values.len(),
            want: 9,
            names: COLUMNS,
        };
        return Err(source.error(Place::Line(line_number), reason));
    };
    let wrong = |column: usize, what: &'static str, got: &str, wanted: &'static str| {
        let got = quoted(got);
        source.error(
            Place::LineColumn(line_number, column),
            ReadReason::Number { what, got, wanted },
        )
    };
    let whole = |column: usize, what: &'static str, text: &str| {
        text.parse::<u32>()
            .map_err(|_| wrong(column, what, text, "a whole number from 0"))
    };
    let side = |column: usize, what: &'static str, text: &str| match text.parse::<u32>() {
        Ok(side) if side > 0 => Ok(side),
        _ => Err(wrong(column, what, text, "a whole number from 1")),
    };
    let (width, height) = (side(3, "the width", width)?, side(4, "the height", height)?);
    let cell = |column: usize, what: &'static str, x: &str, y: &str| {
        let coordinate = |column: usize, text: &str| {
            text.parse::<u32>()
                .ok()
                .and_then(|number| i32::try_from(number).ok())
                .ok_or_else(|| wrong(column, what, text, "a whole number from 0"))
        };
        let cell = Cell::new(coordinate(column, x)?, coordinate(column + 1, y)?);
        if cell.x.unsigned_abs() < width && cell.y.unsigned_abs() < height {
            return Ok(cell);
        }
        let reason = ReadReason::Outside {
            what,
            cell,
            width,
            height,
        };
        Err(source.error(Place::LineColumn(line_number, column), reason))
    };
    let optimal_length = match length.parse::<f64>() {
        Ok(number) if number.is_finite() && number >= 0.0 => number,
        _ => {
            return Err(wrong(9, "the optimal length", length, "a finite number from 0"));
        }
    };
    Ok(ScenarioLine {
        line_number,
        bucket: whole(1, "the bucket", bucket)?,
        map: map.to_owned(),
        width,
        height,
        start: cell(5, "the start", start_x, start_y)?,
        goal: cell(7, "the goal", goal_x, goal_y)?,
        optimal_length,
    })
}
