//! Costs as a plain text grid.

use core::fmt::Write as _;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Cell;
use thiserror::Error;

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

/// Writes a map as a plain text grid with LF line ends, such that [`read_text_grid`](super::read_text_grid) gives it back.
///
/// Where a cell is both marked and a goal, the goal is kept. A map of one layer that begins at (0,0) is written without a
/// line for the layer. Links are no part of costs; whoever has them adds their lines.
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
    let plain = grid.layers().len() == 1 && grid.first_cell() == Cell::new(0, 0);
    let mut text = String::with_capacity(letters.len() + grid.height() as usize);
    for layer in grid.layers() {
        // Writing to a string cannot fail.
        if !plain {
            let first = layer.first_cell();
            let _ = writeln!(text, "= at {},{}", first.x, first.y);
        }
        for row in letters[layer.range()].chunks(layer.width() as usize) {
            text.extend(row);
            let _ = writeln!(text);
        }
    }
    Ok(text)
}
