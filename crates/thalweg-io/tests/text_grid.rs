//! The plain text grid, in and out.

mod common;

use common::{cells, size};
use proptest::prelude::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid};
use thalweg_io::{Place, TextGridError, read_text_grid, text_grid_from_costs};

fn message(text: &str) -> String {
    read_text_grid("yard.txt", text.as_bytes())
        .expect_err("the grid is broken")
        .to_string()
}

#[test]
fn every_letter_means_what_the_table_says() {
    let grid = read_text_grid("yard.txt", b"#.059\n?GAFG\n").expect("a legal grid");
    assert_eq!(size(&grid.costs), (5, 2));
    assert_eq!(
        cells(&grid.costs),
        [
            Some(255),
            Some(1),
            Some(0),
            Some(5),
            Some(9),
            None,
            Some(1),
            Some(1),
            Some(1),
            Some(1)
        ]
    );
    assert_eq!(grid.goals, [Cell::new(1, 1), Cell::new(4, 1)]);
    assert_eq!(grid.marks, [('A', Cell::new(2, 1)), ('F', Cell::new(3, 1))]);
}

#[test]
fn carriage_returns_and_a_missing_last_line_end_change_nothing() {
    let unix = read_text_grid("a", b"..\n#G\n").expect("a legal grid");
    let windows = read_text_grid("a", b"\xef\xbb\xbf..\r\n#G").expect("a legal grid");
    assert_eq!(unix, windows);
}

#[test]
fn loading_leaves_no_change_marks() {
    let mut grid = read_text_grid("a", b".?.\n").expect("a legal grid");
    assert!(grid.costs.take_dirty().is_empty());
}

/// Unknown cells are kept as bits of 64-bit words: both sides of a word's end are looked at.
#[test]
fn unknown_cells_are_unknown_wherever_they_stand() {
    let mut row = vec![b'.'; 200];
    for at in [0, 63, 64, 127, 130] {
        row[at] = b'?';
    }
    let grid = read_text_grid("a", &row).expect("a legal grid");
    let unknown: Vec<usize> = (0..200).filter(|&at| cells(&grid.costs)[at].is_none()).collect();
    assert_eq!(unknown, [0, 63, 64, 127, 130]);
}

#[test]
fn ragged_rows_name_their_line() {
    assert_eq!(
        message("...\n....\n"),
        "yard.txt, line 2: the row has 4 cells, but 3 are expected"
    );
    assert_eq!(
        message("...\n\n...\n"),
        "yard.txt, line 2: there is a blank line between the rows"
    );
}

#[test]
fn a_blank_is_an_error_that_says_what_to_write() {
    let error = message("...\n. .\n");
    assert!(
        error.starts_with("yard.txt, line 2, column 2: letter ' ' is not terrain"),
        "{error}"
    );
    assert!(error.contains("write . for ground"), "{error}");
    assert!(message("..\n.é\n").contains("letter 'é'"));
}

#[test]
fn nothing_but_line_ends_is_an_empty_file() {
    for text in ["", "\n", "\r\n\r\n", "  \n"] {
        assert_eq!(message(text), "yard.txt: the file is empty");
    }
}

#[test]
fn bytes_that_are_no_text_are_named_by_position() {
    let error = read_text_grid("yard.txt", b"..\n.\xff\n").expect_err("no text");
    assert_eq!(error.place(), Place::Byte(4));
    assert!(error.to_string().contains("byte 0xff is not text"), "{error}");
}

#[test]
fn costs_without_a_letter_are_refused() {
    let grid = Grid::new(2, 1).expect("a legal size");
    let costs = CostField::from_bytes(grid.clone(), vec![1, 10]).expect("two cells");
    let error = text_grid_from_costs(&costs, &[], &[]).expect_err("10 has no letter");
    assert_eq!(
        error.to_string(),
        "cell (1,0) has cost 10, but a text grid has letters for 0 to 9 and impassable only"
    );
    let costs = CostField::from_bytes(grid, vec![1, 255]).expect("two cells");
    assert_eq!(
        text_grid_from_costs(&costs, &[Cell::new(1, 0)], &[]),
        Err(TextGridError::NotPlain(Cell::new(1, 0)))
    );
    assert_eq!(
        text_grid_from_costs(&costs, &[], &[('G', Cell::new(0, 0))]),
        Err(TextGridError::Mark('G'))
    );
}

proptest! {
    #[test]
    fn a_grid_written_and_read_again_is_the_same(
        width in 1usize..12,
        letters in proptest::collection::vec(
            proptest::sample::select(vec!['#', '.', '0', '2', '9', '?', 'G', 'A', 'C', 'F']), 1..100),
    ) {
        let rows: Vec<String> = letters
            .chunks_exact(width)
            .map(|row| row.iter().collect())
            .collect();
        prop_assume!(!rows.is_empty());
        let text = rows.join("\n") + "\n";
        let grid = read_text_grid("a", text.as_bytes()).expect("only legal letters");
        let again = text_grid_from_costs(&grid.costs, &grid.goals, &grid.marks).expect("came from letters");
        prop_assert_eq!(again, text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_text_grid("a", &bytes);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "[#.0-9?GA-Z \r\n\u{feff}é]{0,200}") {
        let _ = read_text_grid("a", text.as_bytes());
    }
}

#[test]
fn cost_one_written_as_a_digit_is_plain_ground() {
    let grid = read_text_grid("a", b"1.\n").expect("a legal grid");
    assert!(
        grid.costs
            .grid()
            .ids()
            .all(|id| grid.costs.get(id) == Some(Cost::PLAIN))
    );
}
