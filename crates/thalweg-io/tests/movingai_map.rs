//! MovingAI maps: header order, line ends, letters, and headers that promise more than the file holds.

mod common;

use common::{at, cells, data_file, size};
use proptest::prelude::*;
use thalweg_io::{Place, ReadReason, read_movingai_map, read_movingai_map_file};

fn read(text: &str) -> Result<thalweg_core::cost::CostField, thalweg_io::ReadError> {
    read_movingai_map("yard.map", text.as_bytes())
}

fn message(text: &str) -> String {
    read(text).expect_err("the map is broken").to_string()
}

#[test]
fn height_comes_before_width() {
    let costs = read("type octile\nheight 2\nwidth 3\nmap\n.@T\nGSW\n").expect("a legal map");
    assert_eq!(size(&costs), (3, 2));
    assert_eq!(
        cells(&costs),
        [1, 255, 255, 1, 1, 255].map(Some),
        ". G S are plain ground, @ T W are walls"
    );
}

#[test]
fn width_may_come_first_because_it_is_named() {
    let costs = read("type octile\nwidth 3\nheight 1\nmap\n.O.\n").expect("a legal map");
    assert_eq!(size(&costs), (3, 1));
}

#[test]
fn carriage_returns_and_a_missing_last_line_end_change_nothing() {
    let costs = read("type octile\r\nheight 2\r\nwidth 2\r\nmap\r\n..\r\n.@").expect("a legal map");
    assert_eq!(cells(&costs), [1, 1, 1, 255].map(Some));
    let costs = read("type octile\r\nheight 1\r\nwidth 2\r\nmap\r\n.@\r").expect("a legal map");
    assert_eq!(cells(&costs), [1, 255].map(Some));
}

#[test]
fn blank_lines_after_the_last_row_are_allowed() {
    let costs = read("type octile\nheight 1\nwidth 2\nmap\n..\n\n  \r\n\n").expect("a legal map");
    assert_eq!(size(&costs), (2, 1));
}

#[test]
fn an_unknown_letter_is_named_with_line_and_column() {
    let error = read("type octile\nheight 2\nwidth 3\nmap\n...\n.x.\n").expect_err("x is no terrain");
    assert_eq!(error.place(), Place::LineColumn(6, 2));
    assert_eq!(
        error.to_string(),
        "yard.map, line 6, column 2: letter 'x' is not terrain (passable: . G S; blocked: @ O T W)"
    );
}

#[test]
fn rows_of_the_wrong_length_name_their_line() {
    assert_eq!(
        message("type octile\nheight 2\nwidth 3\nmap\n...\n....\n"),
        "yard.map, line 6: the row has 4 cells, but 3 are expected"
    );
    assert_eq!(
        message("type octile\nheight 2\nwidth 3\nmap\n...\n\n...\n"),
        "yard.map, line 6: the row has 0 cells, but 3 are expected"
    );
}

#[test]
fn more_or_fewer_rows_than_stated_are_errors() {
    assert_eq!(
        message("type octile\nheight 3\nwidth 2\nmap\n..\n..\n"),
        "yard.map: the file ends after 2 of the 3 rows that its header states"
    );
    assert_eq!(
        message("type octile\nheight 1\nwidth 2\nmap\n..\n..\n"),
        "yard.map, line 6: there is text after the 1 rows that the header states"
    );
}

#[test]
fn broken_headers_name_the_line_and_what_is_expected() {
    for (text, line) in [
        ("type hexagonal\nheight 1\nwidth 1\nmap\n.\n", 1),
        ("type octile\nheight -1\nwidth 1\nmap\n.\n", 2),
        ("type octile\nheight 1\nheight 1\nmap\n.\n", 3),
        ("type octile\nheight 1.5\nwidth 1\nmap\n.\n", 2),
        ("type octile\nheight 99999999999\nwidth 1\nmap\n.\n", 2),
        ("type octile\nheight 1\nwidth 1\n.\n", 4),
    ] {
        let error = read(text).expect_err("a broken header");
        assert!(matches!(error.reason(), ReadReason::Header { .. }), "{error}");
        assert_eq!(error.place(), Place::Line(line), "{error}");
    }
    assert!(matches!(
        read("type octile\nheight 1").expect_err("a cut header").reason(),
        ReadReason::Header { .. }
    ));
}

/// The row buffer once was sized by the header: 900 MB for a file of ten lines.
#[test]
fn a_header_alone_allocates_nothing() {
    assert_eq!(
        message("type octile\nheight 30000\nwidth 30000\nmap\n...\n"),
        "yard.map, line 5: the row has 3 cells, but 30000 are expected"
    );
    assert!(message("type octile\nheight 65536\nwidth 65536\nmap\n").contains("above the limit"));
    assert!(message("type octile\nheight 0\nwidth 5\nmap\n").contains("at least one cell"));
}

#[test]
fn public_maps_have_their_stated_sizes() {
    for (name, width, height) in [
        ("movingai/cities/Berlin_0_256.map", 256, 256),
        ("movingai/dao/arena.map", 49, 49),
        ("movingai/dao/den312d.map", 65, 81),
        ("movingai/mazes/maze512-32-7.map", 512, 512),
        ("movingai/random/random512-35-0.map", 512, 512),
        ("movingai/rooms/32room_004.map", 512, 512),
        ("mapf/empty-8-8.map", 8, 8),
        ("mapf/maze-32-32-2.map", 32, 32),
        ("mapf/random-32-32-20.map", 32, 32),
        ("mapf/warehouse-10-20-10-2-1.map", 161, 63),
        ("mapf/tiny/corners.map", 5, 5),
        ("mapf/tiny/tunnel.map", 4, 6),
        ("mapf/tiny/string.map", 3, 6),
    ] {
        let Some(path) = data_file(name) else { continue };
        let costs = read_movingai_map_file(&path).expect("a public map is legal");
        assert_eq!(size(&costs), (width, height), "{name}");
    }
}

#[test]
fn the_last_row_of_berlin_is_whole() {
    let Some(path) = data_file("movingai/cities/Berlin_0_256.map") else {
        return;
    };
    let costs = read_movingai_map_file(&path).expect("a public map is legal");
    assert_eq!(at(&costs, 246, 255), Some(1));
    assert_eq!(at(&costs, 255, 255), Some(1));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_movingai_map("a", &bytes);
    }

    #[test]
    fn arbitrary_headers_and_rows_never_panic(
        height in "[0-9]{0,11}",
        width in "[0-9]{0,11}",
        rows in "[.@TGSWO\r\n x]{0,200}",
    ) {
        let text = format!("type octile\nheight {height}\nwidth {width}\nmap\n{rows}");
        let _ = read_movingai_map("a", text.as_bytes());
    }
}
