//! Map literals: rows of characters that become a cost field.
//!
//! `#` is a wall, `.`, `~` and every letter cost 1, a digit costs its value, `?` is unknown. A legend may say otherwise.

use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};

/// One entry of a legend: a character and its cost, `None` for a wall.
pub type LegendEntry = (char, Option<u8>);

/// The cost field of a literal.
///
/// # Panics
/// If the rows are not of one length, are empty, or hold a character that means nothing.
#[must_use]
pub fn map(rows: &[&str]) -> CostField {
    map_with(rows, &[])
}

/// The cost field of a literal in which the characters of a legend have their own cost.
///
/// # Panics
/// As [`map`].
#[must_use]
pub fn map_with<S: AsRef<str>>(rows: &[S], legend: &[LegendEntry]) -> CostField {
    let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
    let side = |len: usize| u32::try_from(len).expect("a literal is small");
    let grid = Grid::new(side(width), side(rows.len())).expect("a map literal has at least one cell");
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    for (y, row) in (0i32..).zip(rows) {
        let row = row.as_ref();
        assert_eq!(
            row.chars().count(),
            width,
            "row {y} `{row}` is not as long as the first"
        );
        for (x, letter) in (0i32..).zip(row.chars()) {
            let cell = Cell::new(x, y);
            match legend.iter().find(|entry| entry.0 == letter) {
                Some(&(_, cost)) => costs.set(cell, cost.map_or(Cost::IMPASSABLE, Cost::from_byte)),
                None if letter == '?' => costs.set_unknown(cell),
                None => costs.set(cell, cost_of(letter)),
            }
            .expect("the cell is on the map just made");
        }
    }
    costs
}

fn cost_of(letter: char) -> Cost {
    match letter {
        '#' => Cost::IMPASSABLE,
        '0'..='9' => Cost::from_byte(u8::try_from(u32::from(letter) - u32::from('0')).expect("one digit")),
        letter if letter == '.' || letter == '~' || letter.is_ascii_alphabetic() => Cost::PLAIN,
        _ => panic!("`{letter}` means nothing in a map literal"),
    }
}

/// The cells that hold a character, row by row.
#[must_use]
pub fn cells_of(rows: &[&str], wanted: char) -> Vec<Cell> {
    (0i32..)
        .zip(rows)
        .flat_map(|(y, row)| {
            (0i32..)
                .zip(row.chars())
                .filter(move |&(_, letter)| letter == wanted)
                .map(move |(x, _)| Cell::new(x, y))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_reads_walls_digits_letters_and_unknown_cells() {
        let rows = ["#.4", "?G0"];
        let costs = map(&rows);
        let read: Vec<Option<u8>> = costs
            .grid()
            .ids()
            .map(|id| costs.get(id).map(Cost::byte))
            .collect();
        assert_eq!(read, [Some(255), Some(1), Some(4), None, Some(1), Some(0)]);
        assert_eq!(cells_of(&rows, 'G'), [Cell::new(1, 1)]);
    }

    #[test]
    fn a_legend_overrules_the_usual_meaning() {
        let costs = map_with(&["~X."], &[('~', None), ('X', Some(254))]);
        assert_eq!(costs.bytes(), [255, 254, 1]);
    }

    #[test]
    #[should_panic(expected = "means nothing")]
    fn an_unknown_character_is_refused() {
        let _ = map(&["!"]);
    }
}
