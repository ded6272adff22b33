//! Tables of costs as CSV.

mod common;

use common::{cells, data_file, size};
use proptest::prelude::*;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_io::{Place, read_cost_csv, read_cost_csv_file, write_cost_csv};

fn message(text: &str) -> String {
    read_cost_csv("yard.csv", text.as_bytes())
        .expect_err("the table is broken")
        .to_string()
}

#[test]
fn numbers_are_costs_and_255_is_impassable() {
    let costs = read_cost_csv("a", b"1,255,0\r\n?, 254 ,\"7\"\r\n").expect("a legal table");
    assert_eq!(size(&costs), (3, 2));
    assert_eq!(
        cells(&costs),
        [Some(1), Some(255), Some(0), None, Some(254), Some(7)]
    );
}

#[test]
fn whole_numbers_with_a_point_are_costs_because_numerical_tools_write_them() {
    let costs = read_cost_csv("a", b"1.0,2.550000e+02").expect("a legal table");
    assert_eq!(cells(&costs), [Some(1), Some(255)]);
}

#[test]
fn everything_that_is_no_cost_is_refused_with_line_and_column() {
    for value in [
        "-1", "256", "NaN", "1.5", "inf", "wall", "", "1;2", "0x10", "1e300",
    ] {
        let error = read_cost_csv("yard.csv", format!("1,1,1\n1,{value},1\n").as_bytes())
            .expect_err("the value is no cost");
        assert_eq!(error.place(), Place::LineColumn(2, 2), "{value}: {error}");
    }
    assert_eq!(
        message("1,256\n"),
        "yard.csv, line 1, column 2: cost 256 is outside 0..=255 (0 to 254 passable, 255 impassable)"
    );
}

#[test]
fn ragged_rows_and_blank_lines_name_their_line() {
    assert_eq!(
        message("1,1\n1,1,1\n"),
        "yard.csv, line 2: the row has 3 cells, but 2 are expected"
    );
    assert_eq!(
        message("1,1\n\n1,1"),
        "yard.csv, line 2: there is a blank line between the rows"
    );
    assert!(message("1,1,\n").starts_with("yard.csv, line 1, column 3"));
}

#[test]
fn a_quoted_value_over_two_lines_is_refused() {
    assert!(message("1,\"2\n\"\n3,4\n").contains("one line of text per row"));
    assert!(read_cost_csv("a", b"1\r2\r").is_err(), "bare carriage returns");
}

#[test]
fn the_public_table_has_windows_line_ends() {
    let Some(path) = data_file("heightmaps/costfield_sector_0_0.csv") else {
        return;
    };
    let costs = read_cost_csv_file(&path).expect("a public table is legal");
    assert_eq!(size(&costs), (10, 10));
    assert_eq!(common::at(&costs, 3, 0), Some(255));
    assert_eq!(common::at(&costs, 9, 0), Some(1));
}

proptest! {
    #[test]
    fn costs_written_and_read_again_are_the_same(
        (width, height, values) in (1u32..9, 1u32..9).prop_flat_map(|(width, height)| {
            let len = (width * height) as usize;
            (Just(width), Just(height), proptest::collection::vec(proptest::option::weighted(0.9, any::<u8>()), len))
        }),
    ) {
        let grid = Grid::new(width, height).expect("a legal size");
        let bytes = values.iter().map(|value| value.unwrap_or(255)).collect();
        let mut costs = CostField::from_bytes(grid.clone(), bytes).expect("one value per cell");
        for (id, value) in grid.ids().zip(&values) {
            if value.is_none() {
                let cell: Cell = grid.cell(id);
                costs.set_unknown(cell).expect("a cell of the map");
            }
        }
        let mut written = Vec::new();
        write_cost_csv(&mut written, &costs).expect("a buffer takes everything");
        let again = read_cost_csv("a", &written).expect("what was written is legal");
        prop_assert_eq!(size(&again), (width, height));
        prop_assert_eq!(cells(&again), values);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_cost_csv("a", &bytes);
    }

    #[test]
    fn arbitrary_tables_never_panic(text in "[0-9,.\"\r\n?eN-]{0,200}") {
        let _ = read_cost_csv("a", text.as_bytes());
    }
}
