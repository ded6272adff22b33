//! `thalweg field`: what it prints and writes.

mod support;

use serde_json::json;
use support::{folder, thalweg};

const MAP: &[u8] = b"..#G\n.?#.\n.1.9\n";

#[test]
fn json_has_every_promised_key() {
    let folder = folder(&[("map.txt", MAP)]);
    let words = [
        "field", "map.txt", "--json", "--at", "0,0", "-3,0", "2,0", "1,1", "3,0",
    ];
    let answer = thalweg(folder.path(), &words).json();
    assert_eq!(answer["map"], json!({"width": 4, "height": 3, "layers": 1}));
    assert_eq!(answer["engine"], "corridors");
    assert_eq!(
        answer["cells"],
        json!({"reached": 9, "unreachable": 0, "unknown": 1, "impassable": 2})
    );
    assert_eq!(answer["cost_unit"], 10);
    assert_eq!(answer["max_cost"], 160);
    assert_eq!(answer["bytes"], 12 * 4 + 12 + 3);
    assert!(answer["build_ns"].as_u64().unwrap() > 0);
    let nothing = |cell: [i32; 2], reach: &str| json!({"cell": cell, "reach": reach, "cost": null, "direction": "none", "successors": [], "goal": null, "heading": null, "length": null, "component": null});
    assert_eq!(
        answer["at"],
        json!([
            {"cell": [0, 0], "reach": "reached", "cost": 150, "direction": "S", "successors": ["S"], "goal": 0, "heading": 164.358, "length": 7.0, "component": 0},
            nothing([-3, 0], "outside"),
            nothing([2, 0], "impassable"),
            nothing([1, 1], "unknown"),
            {"cell": [3, 0], "reach": "reached", "cost": 0, "direction": "goal", "successors": [], "goal": 0, "heading": null, "length": 0.0, "component": 0},
        ])
    );
}

#[test]
fn every_engine_and_thread_count_gives_the_same_answer() {
    let folder = folder(&[("map.txt", b"....1\n.#...\n..#..\n")]);
    let ask = |more: &[&str]| {
        let mut words = vec![
            "field", "map.txt", "--goal", "4,2", "0,2:25", "--json", "--at", "0,0", "2,1",
        ];
        words.extend(more);
        let mut answer = thalweg(folder.path(), &words).json();
        answer["engine"] = json!("");
        answer["build_ns"] = json!(0);
        answer
    };
    let first = ask(&["--engine", "heap"]);
    for more in [
        ["--engine", "dial"],
        ["--engine", "layers"],
        ["--engine", "buckets"],
        ["--threads", "8"],
    ] {
        assert_eq!(ask(&more), first, "{more:?}");
    }
}

#[test]
fn a_cost_limit_leaves_far_cells_unknown() {
    let folder = folder(&[("map.txt", b".........G\n")]);
    let answer = thalweg(
        folder.path(),
        &[
            "field",
            "map.txt",
            "--cost-limit",
            "30",
            "--json",
            "--at",
            "6,0",
            "5,0",
        ],
    )
    .json();
    assert_eq!(answer["cells"]["reached"], 4);
    assert_eq!(answer["at"][0]["reach"], "reached");
    assert_eq!(answer["at"][1]["reach"], "unknown");
}

#[test]
fn text_shows_small_fields_as_tables() {
    let folder = folder(&[("map.txt", MAP)]);
    let run = thalweg(folder.path(), &["field", "map.txt"]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.out
            .contains("150 160   -   0\n140   ?   -  10\n130 120 110 100\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("↓←#●\n↓?#↑\n→→→↑\n"), "{}", run.out);
}

#[test]
fn files_come_out_whole_in_every_format() {
    let folder = folder(&[("map.txt", MAP)]);
    for (format, start) in [
        ("png", b"\x89PNG".as_slice()),
        ("npy", b"\x93NUMPY"),
        ("csv", b"150,160,impassable,0\n"),
        ("json", b"{"),
        ("text", b"map "),
    ] {
        let run = thalweg(
            folder.path(),
            &["field", "map.txt", "--format", format, "--out", "field.out"],
        );
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(0), ""),
            "{format}: {}",
            run.err
        );
        let bytes = std::fs::read(folder.path().join("field.out")).unwrap();
        assert!(
            bytes.starts_with(start),
            "{format}: {:?}",
            &bytes[..bytes.len().min(40)]
        );
    }
}

#[test]
fn no_arguments_are_described_by_help() {
    let folder = folder(&[]);
    let run = thalweg(folder.path(), &["--help"]);
    assert_eq!(run.code, Some(0));
    for command in ["demo", "field", "check", "simulate", "bench"] {
        assert!(run.out.contains(command), "{command} in\n{}", run.out);
    }
}

const DIRECTED: &[u8] = br#"format = 1
duration_s = 1.0
[map]
text = """
....
####
...G
"""
[[one_way]]
cells = [[1, 0]]
close = ["W"]
[[portal]]
from = [3, 0]
to = [0, 2]
cost = 3
"#;

#[test]
fn a_scene_brings_its_one_way_borders_and_portals() {
    let folder = folder(&[("chute.toml", DIRECTED)]);
    let words = [
        "field",
        "chute.toml",
        "--json",
        "--at",
        "0,0",
        "3,0",
        "0,2",
        "1,0",
    ];
    let answer = thalweg(folder.path(), &words).json();
    let costs: Vec<_> = answer["at"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at| at["cost"].as_u64())
        .collect();
    // Three steps east, the chute as three more, three steps east again; nobody needs the closed way west.
    assert_eq!(costs, [Some(90), Some(60), Some(30), Some(80)]);
    assert_eq!(answer["at"][1]["direction"], "portal");
    assert_eq!(answer["engine"], "dial", "layers know no portals");
}

#[test]
fn a_portal_off_the_map_is_named_by_line() {
    let text = String::from_utf8(DIRECTED.to_vec())
        .unwrap()
        .replace("to = [0, 2]", "to = [9, 2]");
    let folder = folder(&[("chute.toml", text.as_bytes())]);
    let run = thalweg(folder.path(), &["field", "chute.toml"]);
    assert_eq!(
        run.refusal(),
        "chute.toml, line 12: portal: cell (9,2) lies outside the map of 4 x 3 cells that begins at (0,0)"
    );
}

#[test]
fn a_picture_is_as_large_as_was_asked_for() {
    let folder = folder(&[("yard.txt", b"G...\n....\n....\n")]);
    for (channel, height) in [("cost", 75), ("ground", 75), ("component", 75)] {
        let arguments = ["field", "yard.txt", "--format", "png", "--out", "yard.png"];
        let more = ["--channel", channel, "--pixels", "103"];
        let run = thalweg(folder.path(), &[&arguments[..], &more[..]].concat());
        assert_eq!(run.code, Some(0), "{}", run.err);
        let bytes = std::fs::read(folder.path().join("yard.png")).unwrap();
        // 25 whole pixels per cell fit; width and height stand at fixed places of a PNG.
        assert_eq!(bytes[16..24], [0, 0, 0, 100, 0, 0, 0, height], "{channel}");
    }
    let none = thalweg(folder.path(), &["field", "yard.txt", "--pixels", "0"]);
    assert_eq!(none.code, Some(2));
}
