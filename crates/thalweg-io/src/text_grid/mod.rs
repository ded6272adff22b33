//! The plain text grid: a map one can type.
//!
//! | letter | meaning |
//! | --- | --- |
//! | `#` | impassable |
//! | `.` | plain ground, cost 1 |
//! | `0`-`9` | ground of that cost |
//! | `?` | unknown |
//! | `G` | goal, on plain ground |
//! | `A`-`F` | a mark (where agents stand), on plain ground |
//!
//! A line that begins with `=` begins a layer (floor); `= upper at 3,-1` also names it and says where its first cell lies.
//! Without such lines the map is one layer. A line that begins with `@` is a link between two cells, which becomes a
//! portal: `@ 7,7,0 <-> 7,7,1 5` are stairs of cost 5 (in plain straight steps) both ways, `@ 0,0 -> 4,4 0` a chute.
//!
//! ```text
//! = ground
//! ....
//! ..A.
//! = upper at 2,0
//! ..G
//! @ 3,0,0 <-> 3,0,1 4
//! ```

mod line;
mod write;

pub use line::MapLink;
pub use write::{TextGridError, text_grid_from_costs};

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use crate::source_text::SourceText;
use line::{layer_header, link};
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid, LayerIndex};

const LETTERS: &str = "# impassable, . cost 1, 0-9 cost, ? unknown, G goal, A-F agents";
const NO_BLANKS: &str = "a blank is neither ground nor wall: write . for ground, # for a wall, ? for unknown";

/// A map with the goals, agents and links that were drawn into it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextGrid {
    /// What the ground costs; the first cell of a layer is (0,0) unless its line says otherwise.
    pub costs: CostField,
    /// The `G` cells in row order, layer by layer.
    pub goals: Vec<Cell>,
    /// The `A`-`F` cells in row order, layer by layer. A letter may occur many times.
    pub marks: Vec<(char, Cell)>,
    /// The names of the layers, empty where none is given.
    pub layer_names: Vec<String>,
    /// The links in the order of their lines.
    pub links: Vec<MapLink>,
}

/// The layer that is being read.
struct Rows {
    first: Cell,
    width: Option<usize>,
    height: u32,
    /// Line of its header, or of the first row without one.
    line: usize,
}

/// Reads a plain text grid. `name` stands for the file in messages.
///
/// Line ends may be LF or CRLF, the last one may be missing.
///
/// # Errors
/// [`ReadError`] naming line and column for unknown letters and blanks, and the line for a row that is longer or
/// shorter than the first of its layer, for a layer without rows, and for links that make no sense.
pub fn read_text_grid(name: &str, bytes: &[u8]) -> Result<TextGrid, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let mut costs = MapBuilder::with_capacity(source.len());
    let (mut goals, mut marks, mut layer_names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut grids, mut links): (Vec<Grid>, Vec<(usize, MapLink)>) = (Vec::new(), Vec::new());
    let mut rows: Option<Rows> = None;
    for (line, text) in source.lines() {
        let at_line = |reason| source.error(Place::Line(line), reason);
        if let Some(header) = text.strip_prefix('=') {
            if let Some(done) = rows.take() {
                grids.push(layer_grid(&source, &done)?);
            }
            let (name, (x, y)) = layer_header(header).map_err(at_line)?;
            let layer = LayerIndex::try_from(grids.len()).map_err(|_| at_line(ReadReason::ManyLayers))?;
            layer_names.push(name);
            rows = Some(Rows {
                first: Cell::on(layer, x, y),
                width: None,
                height: 0,
                line,
            });
            continue;
        }
        if let Some(text) = text.strip_prefix('@') {
            links.push((line, link(text).map_err(at_line)?));
            continue;
        }
        let rows = rows.get_or_insert_with(|| {
            layer_names.push(String::new());
            Rows {
                first: Cell::new(0, 0),
                width: None,
                height: 0,
                line,
            }
        });
        let begin = costs.len();
        for (column, letter) in text.chars().enumerate() {
            // Columns and rows are bounded by the file length; cells beyond i32 are refused by the grid below.
            let along =
                |first: i32, steps: usize| first.saturating_add(i32::try_from(steps).unwrap_or(i32::MAX));
            let here = Cell::on(
                rows.first.layer,
                along(rows.first.x, column),
                along(rows.first.y, rows.height as usize),
            );
            let cost = match letter {
                '?' => None,
                '#' => Some(Cost::IMPASSABLE),
                '.' => Some(Cost::PLAIN),
                '0'..='9' => Some(Cost::from_byte(letter as u8 - b'0')),
                'G' => {
                    goals.push(here);
                    Some(Cost::PLAIN)
                }
                'A'..='F' => {
                    marks.push((letter, here));
                    Some(Cost::PLAIN)
                }
                _ => {
                    let allowed = if letter.is_whitespace() {
                        NO_BLANKS
                    } else {
                        LETTERS
                    };
                    let reason = ReadReason::Letter { letter, allowed };
                    return Err(source.error(Place::LineColumn(line, column + 1), reason));
                }
            };
            costs.push(cost);
        }
        let got = costs.len() - begin;
        let want = *rows.width.get_or_insert(got);
        if got == 0 {
            return Err(at_line(ReadReason::BlankLine));
        }
        if got != want {
            return Err(at_line(ReadReason::RowLength { got, want }));
        }
        rows.height = rows.height.saturating_add(1);
    }
    if let Some(done) = rows.take() {
        grids.push(layer_grid(&source, &done)?);
    }
    let whole = |reason| source.error(Place::WholeFile, reason);
    let grid = Grid::stacked(&grids).map_err(|error| whole(error.into()))?;
    for (line, link) in &links {
        if let Some(cell) = [link.from, link.to]
            .into_iter()
            .find(|&cell| !grid.contains(cell))
        {
            let grid = Box::new(grid.clone());
            return Err(source.error(Place::Line(*line), ReadReason::LinkOutside { cell, grid }));
        }
    }
    Ok(TextGrid {
        costs: costs.finish_on(grid).map_err(whole)?,
        goals,
        marks,
        layer_names,
        links: links.into_iter().map(|(_, link)| link).collect(),
    })
}

fn layer_grid(source: &SourceText<'_>, rows: &Rows) -> Result<Grid, ReadError> {
    let width = u32::try_from(rows.width.unwrap_or(0)).unwrap_or(u32::MAX);
    Grid::with_first_cell(width, rows.height, rows.first)
        .map_err(|error| source.error(Place::Line(rows.line), error.into()))
}

/// Reads a plain text grid from a file.
///
/// # Errors
/// As [`read_text_grid`], and for files that cannot be read.
pub fn read_text_grid_file(path: &Path) -> Result<TextGrid, ReadError> {
    read_with(path, read_text_grid)
}
