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

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use crate::source_text::SourceText;
use core::fmt::Write as _;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Cell;
use thiserror::Error;

const LETTERS: &str = "# impassable, . cost 1, 0-9 cost, ? unknown, G goal, A-F agents";
const NO_BLANKS: &str = "a blank is neither ground nor wall: write . for ground, # for a wall, ? for unknown";

/// A map with the goals and agents that were drawn into it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextGrid {
    /// What the ground costs; the first cell is (0,0).
    pub costs: CostField,
    /// The `G` cells in row order.
    pub goals: Vec<Cell>,
    /// The `A`-`F` cells in row order. A letter may occur many times.
    pub marks: Vec<(char, Cell)>,
}

/// Reads a plain text grid. `name` stands for the file in messages.
///
/// Line ends may be LF or CRLF, the last one may be missing.
///
/// # Errors
/// [`ReadError`] naming line and column for unknown letters and blanks, and the line for a row that is longer or
/// shorter than the first.
pub fn read_text_grid(name: &str, bytes: &[u8]) -> Result<TextGrid, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let mut costs = MapBuilder::with_capacity(source.len());
    let (mut goals, mut marks) = (Vec::new(), Vec::new());
    let mut width = None;
    let mut height = 0u32;
    for (line, row) in source.lines() {
        let begin = costs.len();
        for (column, letter) in row.chars().enumerate() {
            // Columns and rows are bounded by the file length; cells beyond i32 are refused by the grid below.
            let here = Cell::new(
                i32::try_from(column).unwrap_or(i32::MAX),
                i32::try_from(height).unwrap_or(i32::MAX),
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
        let want = *width.get_or_insert(got);
        if got == 0 {
            return Err(source.error(Place::Line(line), ReadReason::BlankLine));
        }
        if got != want {
            return Err(source.error(Place::Line(line), ReadReason::RowLength { got, want }));
        }
        height = height.saturating_add(1);
    }
    let width = u32::try_from(width.unwrap_or(0)).unwrap_or(u32::MAX);
    let costs = costs
        .finish(width, height)
        .map_err(|reason| source.error(Place::WholeFile, reason))?;
    Ok(TextGrid { costs, goals, marks })
}

/// Reads a plain text grid from a file.
///
/// # Errors
/// As [`read_text_grid`], and for files that cannot be read.
pub fn read_text_grid_file(path: &Path) -> Result<TextGrid, ReadError> {
    read_with(path, read_text_grid)
}

/// Why a map cannot be written as a plain text grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextGridError {
    /// A cost that no letter stands for.
    #[error("cell {cell} has cost {cost}, but a text grid has letters for 0 to 9 and impassable only")]
    NoLetter {
        /// The cell.
        cell: Cell,
        /// Its cost.
        cost: Cost,
    },
    /// A goal or mark on ground that its letter would not give back.
    #[error(
        "cell {0} cannot carry a goal or mark in a text grid, which puts them on known ground of cost 1 inside the map"
    )]
    NotPlain(Cell),
    /// A mark other than `A` to `F`.
    #[error("mark {0:?} is not a letter from A to F")]
    Mark(char),
}

/// Writes a map as a plain text grid with LF line ends, such that [`read_text_grid`] gives it back.
///
/// Where a cell is both marked and a goal, the goal is kept. Cells are written from the map's first cell on, which
/// becomes (0,0) when the text is read again.
///
/// # Errors
/// [`TextGridError`] if something has no letter.
pub fn text_grid_from_costs(
    costs: &CostField,
    goals: &[Cell],
    marks: &[(char, Cell)],
) -> Result<String, TextGridError> {
    let grid = costs.grid();
    let mut letters = Vec::with_capacity(grid.len());
    for id in grid.ids() {
        letters.push(match costs.get(id) {
            None => '?',
            Some(Cost::IMPASSABLE) => '#',
            Some(Cost::PLAIN) => '.',
            Some(cost) if cost.byte() <= 9 => char::from(b'0' + cost.byte()),
            Some(cost) => {
                let cell = grid.cell(id);
                return Err(TextGridError::NoLetter { cell, cost });
            }
        });
    }
    if let Some(&(letter, _)) = marks.iter().find(|(letter, _)| !matches!(letter, 'A'..='F')) {
        return Err(TextGridError::Mark(letter));
    }
    let goals = goals.iter().map(|&cell| ('G', cell));
    for (letter, cell) in marks.iter().copied().chain(goals) {
        match grid.id(cell) {
            Some(id) if costs.get(id) == Some(Cost::PLAIN) => letters[id.index()] = letter,
            _ => return Err(TextGridError::NotPlain(cell)),
        }
    }
    let mut text = String::with_capacity(letters.len() + grid.height() as usize);
    for row in letters.chunks(grid.width() as usize) {
        text.extend(row);
        // Writing to a string cannot fail; `writeln!` is used for its line end only.
        let _ = writeln!(text);
    }
    Ok(text)
}
