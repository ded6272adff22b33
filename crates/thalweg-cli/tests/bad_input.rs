//! Bad input gives one clear sentence, exit code 2, and loses nothing.

mod support;

use support::{folder, thalweg};

const ROOM: &[u8] = b".....\n..#..\n....G\n";

fn scene(changes: &[(&str, &str)]) -> String {
    let mut text = r#"format = 1
duration_s = 1.0
tick_s = 0.05

[map]
text = """
.....
..#..
....G
"""

[[group]]
name = "people"
count = 3
area = [0, 0, 1, 2]
goals = ["G1"]
speed = 1.5
"#
    .to_owned();
    for (from, to) in changes {
        assert!(text.contains(from), "the scene has {from:?}");
        text = text.replace(from, to);
    }
    text
}

#[track_caller]
fn field_refusal(files: &[(&str, &[u8])], arguments: &[&str], sentence: &str) {
    let folder = folder(files);
    let mut words = vec!["field"];
    words.extend(arguments);
    assert_eq!(thalweg(folder.path(), &words).refusal(), sentence);
}

#[track_caller]
fn scene_refusal(changes: &[(&str, &str)], sentence: &str) {
    let folder = folder(&[("scene.toml", scene(changes).as_bytes())]);
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "out"]);
    assert_eq!(run.refusal(), sentence);
    let report = folder.path().join("out/report.html");
    assert!(!report.exists(), "a refused scene writes no report");
}

#[test]
fn a_missing_file_is_named() {
    field_refusal(
        &[],
        &["nowhere.map", "--goal", "0,0"],
        "nowhere.map: there is no such file",
    );
}

#[test]
fn a_folder_is_not_a_map() {
    field_refusal(&[], &[".", "--goal", "0,0"], ".: this is a directory, not a file");
}

#[test]
fn an_empty_file_is_not_a_map() {
    field_refusal(
        &[("empty.map", b"")],
        &["empty.map", "--goal", "0,0"],
        "empty.map: the file is empty",
    );
}

#[test]
fn binary_rubbish_is_not_a_map() {
    let folder = folder(&[("rubbish.map", b"\x00\xff\xfe\x80 nothing \x00\x01")]);
    let run = thalweg(folder.path(), &["field", "rubbish.map", "--goal", "0,0"]);
    assert!(run.refusal().starts_with("rubbish.map"), "{}", run.err);
}

#[test]
fn rows_that_do_not_fit_the_header_are_named_by_line() {
    let folder = folder(&[(
        "short.map",
        b"type octile\nheight 3\nwidth 4\nmap\n....\n...\n....\n",
    )]);
    let run = thalweg(folder.path(), &["field", "short.map", "--goal", "0,0"]);
    let sentence = run.refusal();
    assert!(
        sentence.starts_with("short.map, line 6") && sentence.contains('3') && sentence.contains('4'),
        "{sentence}"
    );
}

#[test]
fn a_header_of_four_billion_cells_takes_no_memory() {
    let folder = folder(&[("huge.map", b"type octile\nheight 65536\nwidth 65536\nmap\n....\n")]);
    let run = thalweg(folder.path(), &["field", "huge.map", "--goal", "0,0"]);
    let sentence = run.refusal();
    assert!(
        sentence.contains("65536 x 65536") && sentence.contains("above the limit"),
        "{sentence}"
    );
}

#[test]
fn a_goal_off_the_map_is_refused() {
    field_refusal(
        &[("room.txt", ROOM)],
        &["room.txt", "--goal", "9,1"],
        "room.txt: goal 0 at (9,1) lies outside the map of 5 x 3 cells that begins at (0,0)",
    );
    field_refusal(
        &[("room.txt", ROOM)],
        &["room.txt", "--goal", "0,0", "-1,0"],
        "room.txt: goal 1 at (-1,0) lies outside the map of 5 x 3 cells that begins at (0,0)",
    );
}

#[test]
fn a_goal_in_a_wall_is_refused_unless_a_policy_is_given() {
    field_refusal(
        &[("room.txt", ROOM)],
        &["room.txt", "--goal", "2,1"],
        "room.txt: goal 0 at (2,1) is on an impassable cell",
    );
    let folder = folder(&[("room.txt", ROOM)]);
    let words = [
        "field",
        "room.txt",
        "--goal",
        "2,1",
        "--blocked-goal",
        "nearest",
        "--json",
        "--at",
        "2,0",
    ];
    let answer = thalweg(folder.path(), &words).json();
    assert_eq!(
        answer["at"][0]["direction"], "goal",
        "the nearest passable cell, first in row order"
    );
    assert_eq!(answer["goals"]["moved"], serde_json::json!([[0, [2, 1], [2, 0]]]));
}

#[test]
fn no_goals_are_refused() {
    field_refusal(
        &[("bare.txt", b"...\n")],
        &["bare.txt"],
        "bare.txt: no goals were given: add --goal X,Y, or mark them with G in a text grid",
    );
}

#[test]
fn an_unknown_key_of_a_scene_is_named_by_line() {
    let folder = folder(&[("scene.toml", scene(&[("count = 3", "cuont = 3")]).as_bytes())]);
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "out"]);
    let sentence = run.refusal();
    assert!(
        sentence.starts_with("scene.toml, line 14: unknown field `cuont`"),
        "{sentence}"
    );
}

#[test]
fn a_negative_speed_is_refused() {
    scene_refusal(
        &[("speed = 1.5", "speed = -1.5")],
        "scene.toml, line 13: group `people`: speed is -1.5 to -1.5; both must be 0.001 to 256 world units per second at this cell size, the slowest first",
    );
}

#[test]
fn numbers_that_are_none_are_refused() {
    scene_refusal(
        &[("speed = 1.5", "speed = nan")],
        "scene.toml, line 13: group `people`: speed is NaN to NaN; both must be 0.001 to 256 world units per second at this cell size, the slowest first",
    );
    scene_refusal(
        &[("speed = 1.5", "radius = inf")],
        "scene.toml, line 13: group `people`: radius is inf; it must be 0.01 to 8 world units at this cell size",
    );
    scene_refusal(
        &[("duration_s = 1.0", "duration_s = nan")],
        "scene.toml, line 2: duration_s is NaN; it must be above 0 and at most 100000000 ticks long",
    );
}

#[test]
fn agents_placed_in_walls_are_refused() {
    scene_refusal(
        &[("area = [0, 0, 1, 2]", "cells = [[0, 0], [2, 1]]")],
        "scene.toml, line 13: group `people`: cell (2,1) is impassable",
    );
    scene_refusal(
        &[("area = [0, 0, 1, 2]", "area = [2, 1, 2, 1]")],
        "scene.toml, line 13: group `people`: no cell from (2,1) to (2,1) is passable",
    );
}

#[test]
fn a_scene_that_wants_what_is_not_there_is_refused() {
    scene_refusal(
        &[("goals = [\"G1\"]", "goals = [\"exit\"]")],
        "scene.toml, line 13: group `people`: there is no goal `exit`",
    );
    scene_refusal(
        &[("speed = 1.5", "profile = \"naval\"")],
        "scene.toml, line 13: group `people`: there is no profile `naval`",
    );
    scene_refusal(
        &[("speed = 1.5", "[[event]]\nat_tick = 4\nclose = \"gate\"")],
        "scene.toml, line 18: event at tick 4: there is no door `gate`",
    );
    scene_refusal(
        &[("format = 1", "format = 7")],
        "scene.toml, line 1: scene format 7 is not known; this version reads format 1",
    );
}

#[test]
fn a_broken_scene_is_named_by_line() {
    let folder = folder(&[("scene.toml", b"format = 1\nduration_s = \n")]);
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "out"]);
    assert!(run.refusal().starts_with("scene.toml, line 2: "), "{}", run.err);
}

#[test]
fn an_output_folder_that_cannot_be_made_is_named() {
    let folder = folder(&[("scene.toml", scene(&[]).as_bytes()), ("file", b"mine")]);
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "file/out"]);
    assert!(
        run.refusal().starts_with("file/out cannot be made: "),
        "{}",
        run.err
    );
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "file"]);
    assert!(run.refusal().starts_with("file cannot be made: "), "{}", run.err);
    assert_eq!(
        std::fs::read(folder.path().join("file")).unwrap(),
        b"mine",
        "the user's file is untouched"
    );
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing_behind() {
    let folder = folder(&[("scene.toml", scene(&[]).as_bytes()), ("room.txt", ROOM)]);
    // A folder stands where a file shall be written.
    std::fs::create_dir_all(folder.path().join("out/crowd.gif")).unwrap();
    let run = thalweg(folder.path(), &["simulate", "scene.toml", "--out", "out"]);
    assert_eq!(
        run.refusal(),
        "out/crowd.gif cannot be written: this is a directory"
    );
    let run = thalweg(
        folder.path(),
        &["field", "room.txt", "--format", "png", "--out", "none/field.png"],
    );
    assert_eq!(
        run.refusal(),
        "none/field.png cannot be written: its folder does not exist"
    );
    let left = std::fs::read_dir(folder.path().join("out")).unwrap();
    let parts: Vec<_> = left
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().contains(".part"))
        .collect();
    assert!(parts.is_empty(), "half-written files {parts:?}");
}

#[test]
fn a_word_that_is_no_option_is_bad_usage() {
    let folder = folder(&[("room.txt", ROOM)]);
    for words in [
        &["field", "room.txt", "--goal", "one"] as &[&str],
        &["field", "room.txt", "--scale", "10/9"],
        &["field", "room.txt", "--neighbours", "6"],
        &["field", "room.txt", "--charge", "never"],
        &["fly"],
        &["check", "room.txt"],
        &["simulate", "scene.toml"],
    ] {
        let run = thalweg(folder.path(), words);
        assert_eq!(run.code, Some(2), "{words:?}\n{}", run.err);
        assert_eq!(run.out, "", "{words:?}");
    }
}

#[test]
fn a_memory_limit_is_named_beside_what_would_be_taken_and_keeps_the_file_as_it_was() {
    let folder = folder(&[("room.txt", ROOM), ("field.csv", b"earlier\n")]);
    let build = |limit: &str, engine: &str| {
        let words = ["field", "room.txt", "--format", "csv", "--out", "field.csv"];
        let limits = ["--memory-limit", limit, "--engine", engine];
        thalweg(folder.path(), &[&words[..], &limits[..]].concat())
    };
    let kept = || std::fs::read(folder.path().join("field.csv")).unwrap();
    let run = build("1KiB", "auto");
    let sentence = run.refusal();
    assert!(
        sentence.starts_with("room.txt: building the field by engine heap takes ")
            && sentence.ends_with(" above the memory limit of 1 KiB"),
        "{sentence}"
    );
    assert_eq!(kept(), b"earlier\n");
    assert!(build("20KiB", "layers").refusal().contains("engine layers"));
    // The automatic engine would be layers; the heap fits.
    let run = build("20KiB", "auto");
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert_ne!(kept(), b"earlier\n");
    let run = build("lots", "auto");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("`lots` is not a number of bytes"), "{}", run.err);
}
