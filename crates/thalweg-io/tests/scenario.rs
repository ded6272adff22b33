//! MovingAI scenarios: columns, separators, and numbers that are none.

mod common;

use common::data_file;
use proptest::prelude::*;
use thalweg_core::grid::Cell;
use thalweg_io::{Place, ReadReason, Scenario, read_scenario, read_scenario_file};

const LINE: &str = "4\tmaps/a.map\t65\t81\t10\t11\t13\t12\t3.41421";

fn read(text: &str) -> Result<Scenario, thalweg_io::ReadError> {
    read_scenario("yard.scen", text.as_bytes())
}

#[test]
fn columns_are_bucket_map_width_height_start_goal_length() {
    let scenario = read(&format!("version 1\n{LINE}\n")).expect("a legal scenario");
    let line = &scenario.lines[0];
    assert_eq!(
        (line.line_number, line.bucket, line.map.as_str()),
        (2, 4, "maps/a.map")
    );
    assert_eq!((line.width, line.height), (65, 81));
    assert_eq!((line.start, line.goal), (Cell::new(10, 11), Cell::new(13, 12)));
    assert!((line.optimal_length - 3.41421).abs() < 1e-12);
}

#[test]
fn blanks_separate_where_no_tab_does_and_whole_numbers_are_lengths() {
    let scenario = read("version 1.0\r\n0 a.map 8 8 1 4 4 7 5\r\n\r\n").expect("a legal scenario");
    assert_eq!(scenario.lines.len(), 1);
    assert!((scenario.lines[0].optimal_length - 5.0).abs() < 1e-12);
}

#[test]
fn a_map_name_may_hold_blanks_between_tabs() {
    let scenario = read("version 1\n0\tmy map.map\t8\t8\t1\t4\t4\t7\t5").expect("a legal scenario");
    assert_eq!(scenario.lines[0].map, "my map.map");
}

#[test]
fn a_missing_version_line_is_an_error() {
    let error = read(&format!("{LINE}\n")).expect_err("no version");
    assert_eq!(error.place(), Place::Line(1));
    assert!(error.to_string().contains("'version 1' is expected"), "{error}");
    assert!(read("version 2\n").is_err());
}

#[test]
fn every_bad_number_is_named_with_line_and_column() {
    for (column, value) in [
        (1, "-1"),
        (3, "0"),
        (4, "x"),
        (5, "-2"),
        (6, "1.5"),
        (8, "99999999999"),
        (9, "NaN"),
        (9, "inf"),
        (9, "-0.5"),
        (9, ""),
    ] {
        let mut values: Vec<&str> = LINE.split('\t').collect();
        values[column - 1] = value;
        let text = format!("version 1\n{LINE}\n{}\n", values.join("\t"));
        let error = read(&text).expect_err("a bad number");
        if value.is_empty() {
            assert_eq!(error.place(), Place::Line(3), "{error}");
            continue;
        }
        assert!(matches!(error.reason(), ReadReason::Number { .. }), "{error}");
        assert_eq!(error.place(), Place::LineColumn(3, column), "{error}");
    }
}

#[test]
fn missing_columns_are_counted() {
    let error = read("version 1\n0\ta.map\t8\t8\t1\t4\n").expect_err("six columns");
    assert!(
        error
            .to_string()
            .starts_with("yard.scen, line 2: the line has 6 columns, but 9 are expected"),
        "{error}"
    );
}

#[test]
fn a_cell_outside_the_stated_map_is_an_error() {
    let error = read("version 1\n0\ta.map\t8\t9\t8\t0\t0\t0\t8\n").expect_err("outside");
    assert_eq!(
        error.to_string(),
        "yard.scen, line 2, column 5: the start (8,0) lies outside the stated map of 8 x 9 cells"
    );
}

#[test]
fn public_scenarios_have_all_their_rows() {
    for (name, rows) in [
        ("movingai/cities/Berlin_0_256.map.scen", 930),
        ("movingai/dao/arena.map.scen", 160),
        ("movingai/mazes/maze512-32-7.map.scen", 4690),
        ("movingai/random/random512-35-0.map.scen", 2150),
        ("movingai/rooms/32room_004.map.scen", 1810),
        ("mapf/empty-8-8-random-1.scen", 32),
        ("mapf/maze-32-32-2-random-1.scen", 333),
        ("mapf/random-32-32-20-random-1.scen", 409),
        ("mapf/warehouse-10-20-10-2-1-random-1.scen", 1000),
    ] {
        let Some(path) = data_file(name) else { continue };
        let scenario = read_scenario_file(&path).expect("a public scenario is legal");
        assert_eq!(scenario.lines.len(), rows, "{name}");
    }
}

/// den312d is 65 wide and 81 high: a swap of width and height, or of x and y, shows here.
#[test]
fn starts_and_goals_of_den312d_stand_on_ground() {
    let (Some(map), Some(scen)) = (
        data_file("movingai/dao/den312d.map"),
        data_file("movingai/dao/den312d.map.scen"),
    ) else {
        return;
    };
    let costs = thalweg_io::read_movingai_map_file(&map).expect("a public map is legal");
    let scenario = read_scenario_file(&scen).expect("a public scenario is legal");
    assert!(scenario.lines.len() >= 320);
    for line in &scenario.lines {
        assert_eq!((line.width, line.height), (65, 81));
        for cell in [line.start, line.goal] {
            assert_eq!(
                common::at(&costs, cell.x, cell.y),
                Some(1),
                "line {}",
                line.line_number
            );
        }
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_scenario("a", &bytes);
        let _ = read_scenario("a", &[b"version 1\n", bytes.as_slice()].concat());
    }

    #[test]
    fn arbitrary_columns_never_panic(text in "([0-9eE.+-]{0,12}[\t \r\n]){0,40}") {
        let _ = read_scenario("a", format!("version 1\n{text}").as_bytes());
    }
}

#[test]
fn the_first_agents_are_the_first_lines() {
    let scenario =
        read("version 1\n0 a 8 8 1 4 4 7 5\n0 a 8 8 2 4 5 7 5\n0 a 8 8 1 4 6 7 5\n0 a 8 8 3 4 4 7 5\n")
            .expect("a legal scenario");
    let agents = scenario.first_agents("yard.scen", 2).expect("two of them");
    assert_eq!(
        agents,
        [
            (Cell::new(1, 4), Cell::new(4, 7)),
            (Cell::new(2, 4), Cell::new(5, 7))
        ]
    );
    let error = scenario.first_agents("yard.scen", 5).expect_err("there are four");
    assert_eq!(
        error.to_string(),
        "yard.scen: 5 agents are asked for, but the scenario has 4"
    );
    let error = scenario.first_agents("yard.scen", 3).expect_err("a start of two");
    assert_eq!(
        error.to_string(),
        "yard.scen, line 4: the start (1,4) is also that of the agent on line 2"
    );
    let goals = read("version 1\n0 a 8 8 1 4 4 7 5\n0 a 8 8 2 4 4 7 5\n").expect("a legal scenario");
    let error = goals.first_agents("yard.scen", 2).expect_err("a goal of two");
    assert_eq!(
        error.to_string(),
        "yard.scen, line 3: the goal (4,7) is also that of the agent on line 2"
    );
}
