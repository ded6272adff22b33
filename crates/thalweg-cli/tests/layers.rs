//! Maps of several layers, bodies with extent, and the files that come with them, as a user meets them.

mod support;

use serde_json::{Value, json};
use support::{folder, thalweg};

const HOUSE: &[u8] =
    b"= ground\n........\n...##...\nA..##...\n= upper at 2,0\n..G..\n.....\n@ 7,0,0 <-> 6,1,1 4\n";

#[test]
fn cells_of_several_layers_have_three_numbers_and_links_are_portals() {
    let folder = folder(&[("house.txt", HOUSE)]);
    let words = [
        "field",
        "house.txt",
        "--json",
        "--at",
        "7,0",
        "3,0,1",
        "0,0,9",
        "--route",
        "6,0",
        "--can-reach",
        "0,2",
        "--would-block",
        "6,1,1",
    ];
    let run = thalweg(folder.path(), &words);
    assert_eq!(
        run.code,
        Some(1),
        "blocking the landing cuts the floors apart\n{}",
        run.err
    );
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        answer["map"],
        json!({
            "width": 8, "height": 3, "layers": 2,
            "sizes": [[8, 3], [5, 2]],
            "first_cells": [[0, 0, 0], [2, 0, 1]],
        })
    );
    let at = &answer["at"];
    // Four plain straight steps for the stairs, then a diagonal one and a straight one.
    assert_eq!(at[0]["cell"], json!([7, 0, 0]));
    assert_eq!(
        (&at[0]["cost"], &at[0]["direction"]),
        (&json!(40 + 14 + 10), &json!("portal"))
    );
    assert_eq!((&at[1]["cost"], &at[1]["direction"]), (&json!(10), &json!("E")));
    assert_eq!(
        (&at[2]["cell"], &at[2]["reach"]),
        (&json!([0, 0, 9]), &json!("outside"))
    );
    let route = &answer["routes"][0];
    assert_eq!(
        route["cells"],
        json!([[6, 0, 0], [7, 0, 0], [6, 1, 1], [5, 1, 1], [4, 0, 1]])
    );
    // The portal has no length.
    assert_eq!(route["length"].as_f64().unwrap(), 2.0 + core::f64::consts::SQRT_2);
    assert_eq!(answer["can_reach"][0]["can_reach"], true);
    assert_eq!(answer["would_block"]["cuts_anyone_off"], true);
}

#[test]
fn maps_of_one_layer_keep_their_two_numbers() {
    let folder = folder(&[("map.txt", b"...G\n")]);
    let answer = thalweg(
        folder.path(),
        &["field", "map.txt", "--json", "--at", "0,0,0", "--goal", "3,0,0:7"],
    )
    .json();
    assert_eq!(answer["map"], json!({"width": 4, "height": 1, "layers": 1}));
    assert_eq!(answer["at"][0]["cell"], json!([0, 0]));
    assert_eq!(answer["at"][0]["cost"], 37);
    // A layer that is not there must be seen.
    let answer = thalweg(folder.path(), &["field", "map.txt", "--json", "--at", "0,0,1"]).json();
    assert_eq!(answer["at"][0]["cell"], json!([0, 0, 1]));
    assert_eq!(answer["at"][0]["reach"], "outside");
}

#[test]
fn tables_and_arrays_have_layer_after_layer() {
    let folder = folder(&[
        ("house.txt", HOUSE),
        ("twins.txt", b"=\n.G\n=\n..\n@ 0,0,0 <-> 1,0,1 1\n"),
    ]);
    let csv = thalweg(
        folder.path(),
        &["field", "house.txt", "--format", "csv", "--channel", "direction"],
    );
    assert_eq!(
        csv.out,
        "E,E,E,E,E,E,E,portal\nNE,NE,N,impassable,impassable,E,NE,N\nNE,N,N,impassable,impassable,NE,N,N\n\nE,E,goal,W,W\nE,NE,N,NW,W\n"
    );
    let run = thalweg(
        folder.path(),
        &["field", "house.txt", "--format", "npy", "--out", "a.npy"],
    );
    assert!(
        run.refusal().contains("an array needs layers of one size"),
        "{}",
        run.err
    );
    let run = thalweg(
        folder.path(),
        &["field", "twins.txt", "--format", "npy", "--out", "a.npy"],
    );
    assert_eq!(run.code, Some(0), "{}", run.err);
    let bytes = std::fs::read(folder.path().join("a.npy")).unwrap();
    assert!(String::from_utf8_lossy(&bytes).contains("(2, 1, 2)"));
    for channel in ["cost", "clearance", "heading", "component", "ground"] {
        let name = format!("{channel}.png");
        let words = [
            "field",
            "house.txt",
            "--format",
            "png",
            "--channel",
            channel,
            "--out",
            &name,
        ];
        assert_eq!(thalweg(folder.path(), &words).code, Some(0));
        assert!(std::fs::metadata(folder.path().join(&name)).unwrap().len() > 100);
    }
}

const GATE: &[u8] = b".......\n.......\n.......\n###.###\n.......\n.......\n.......\n";

#[test]
fn a_footprint_changes_what_can_be_reached() {
    let folder = folder(&[("gate.txt", GATE)]);
    let ask = |body: &str| {
        let words = [
            "field",
            "gate.txt",
            "--json",
            "--goal",
            "3,1",
            "--at",
            "3,5",
            "0,0",
            "--footprint",
            body,
        ];
        thalweg(folder.path(), &words).json()
    };
    let reach = |answer: &Value| {
        (
            answer["at"][0]["reach"].as_str().unwrap().to_owned(),
            answer["at"][1]["reach"].as_str().unwrap().to_owned(),
        )
    };
    let word = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(reach(&ask("point")), word("reached", "reached"));
    assert_eq!(reach(&ask("disc:0.5")), word("reached", "reached"));
    // Wider than the gate, and too wide for a corner of the map.
    let disc = ask("disc:0.6");
    assert_eq!(reach(&disc), word("unreachable", "impassable"));
    assert_eq!(disc["at"][0]["clearance"], 1.5);
    // A square is at home in the corner, as its anchor is its north-west cell; it covers the goal from four places.
    let square = ask("square:2");
    assert_eq!(reach(&square), word("unreachable", "reached"));
    assert_eq!(square["at"][1]["cost"], 20);
    assert_eq!(reach(&ask("rectangle:1x2")), word("reached", "reached"));
    assert_eq!(reach(&ask("rectangle:2x1")), word("unreachable", "reached"));
    let none = ["field", "gate.txt", "--goal", "3,3", "--footprint", "square:2"];
    assert!(
        thalweg(folder.path(), &none)
            .refusal()
            .contains("has room to meet goal 0 at (3,3)")
    );
    let table = [
        "field",
        "gate.txt",
        "--goal",
        "3,1",
        "--footprint",
        "disc:0.6",
        "--format",
        "csv",
    ];
    let table = thalweg(folder.path(), &table).out;
    assert!(table.starts_with("impassable,impassable,"), "{table}");
    for wrong in [
        "disc:nan",
        "disc:-1",
        "disc:65",
        "square:0",
        "square:65",
        "rectangle:2",
        "blob",
        "disc:1e400",
    ] {
        let run = thalweg(
            folder.path(),
            &["field", "gate.txt", "--goal", "3,1", "--footprint", wrong],
        );
        assert_eq!(run.code, Some(2), "{wrong}");
    }
}

#[test]
fn check_takes_a_goal_without_room_for_an_answer() {
    let map = b"type octile\nheight 3\nwidth 4\nmap\n....\n....\n@@@.\n";
    let scen = b"version 1\n0\tm.map\t4\t3\t0\t0\t2\t0\t2.0\n0\tm.map\t4\t3\t0\t0\t3\t2\t9.0\n";
    let folder = folder(&[("m.map", map), ("m.scen", scen)]);
    let words = [
        "check",
        "m.map",
        "--scen",
        "m.scen",
        "--json",
        "--footprint",
        "square:2",
    ];
    let run = thalweg(folder.path(), &words);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    // The square covers its goal one step before its anchor is there.
    assert_eq!(answer["differing"][0]["got"], 1.0);
    assert_eq!(
        answer["differing"][1]["got"],
        Value::Null,
        "no room in the last row"
    );
}

#[test]
fn clearance_is_told_in_cells() {
    let folder = folder(&[("gate.txt", GATE)]);
    let ask = |more: &[&str]| {
        let mut words = vec!["field", "gate.txt", "--goal", "3,1", "--channel", "clearance"];
        words.extend(more);
        thalweg(folder.path(), &words)
    };
    let csv = ask(&["--format", "csv"]).out;
    assert_eq!(
        csv.lines().nth(1).unwrap(),
        "0.500,1.500,1.500,1.500,1.500,1.500,0.500"
    );
    assert_eq!(
        csv.lines().nth(3).unwrap(),
        "impassable,impassable,impassable,0.500,impassable,impassable,impassable"
    );
    let answer = ask(&["--json", "--at", "3,1"]).json();
    assert_eq!(answer["at"][0]["clearance"], 1.5);
    assert_eq!(answer["channel"]["unit"], "cells");
    assert!(
        ask(&["--at", "3,2"]).out.contains(", clearance 0.707 cells"),
        "{}",
        ask(&["--at", "3,2"]).out
    );
    assert_eq!(ask(&["--format", "npy", "--out", "c.npy"]).code, Some(0));
}

const ASC: &[u8] =
    b"ncols 3\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n0 5 -9999\n";

#[test]
fn heights_come_from_height_files_with_their_own_cell_size() {
    let folder = folder(&[
        ("map.txt", b"..G\n"),
        ("h.asc", ASC),
        ("h.csv", b"0,5,5\n"),
        ("bad.csv", b"0,x,5\n"),
    ]);
    let ask = |more: &[&str]| {
        let mut words = vec![
            "field", "map.txt", "--json", "--goal", "1,0", "--at", "0,0", "2,0",
        ];
        words.extend(more);
        thalweg(folder.path(), &words)
    };
    // 5 up over 10: the second band, which adds 3 to the cost of 1. The last cell has no height.
    let answer = ask(&["--heights", "h.asc"]).json();
    assert_eq!(answer["at"][0]["cost"], 40);
    assert_eq!(answer["at"][1]["reach"], "unknown");
    // Another cell size takes the place of the file's; a table has none, so it is 1 and the step too steep.
    assert_eq!(
        ask(&["--heights", "h.asc", "--height-cell", "100"]).json()["at"][0]["cost"],
        10
    );
    let answer = ask(&["--heights", "h.csv"]).json();
    assert_eq!(
        (&answer["at"][0]["reach"], &answer["at"][1]["cost"]),
        (&json!("unreachable"), &json!(10))
    );
    assert_eq!(
        ask(&["--heights", "h.csv", "--height-cell", "10"]).json()["at"][0]["cost"],
        40
    );
    assert!(
        ask(&["--heights", "bad.csv"])
            .refusal()
            .starts_with("bad.csv, line 1, column 2")
    );
}

const TMX: &str = r#"<?xml version="1.0"?>
<map version="1.10" orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8" infinite="0">
 <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="2" columns="2">
  <image source="t.png" width="16" height="8"/>
  <tile id="0"><properties><property name="cost" type="int" value="2"/><property name="mud" type="int" value="5"/></properties></tile>
  <tile id="1"><properties><property name="cost" type="int" value="1"/><property name="mud" type="int" value="9"/></properties></tile>
 </tileset>
 <layer id="1" name="ground" width="3" height="1"><data encoding="csv">1,2,1</data></layer>
</map>
"#;

#[test]
fn tiled_maps_are_read_by_a_property() {
    let folder = folder(&[
        ("map.tmx", TMX.as_bytes()),
        (
            "scene.toml",
            b"format = 1\nduration_s = 1\n[map]\nfile = \"map.tmx\"\nproperty = \"mud\"\n[[goal]]\nname = \"g\"\ncells = [[2, 0]]\n",
        ),
        ("no.toml", b"format = 1\nduration_s = 1\n[map]\ntext = \"..G\"\nproperty = \"mud\"\n"),
    ]);
    let cost = |words: &[&str]| thalweg(folder.path(), words).json()["at"][0]["cost"].clone();
    assert_eq!(
        cost(&["field", "map.tmx", "--goal", "2,0", "--json", "--at", "0,0"]),
        30
    );
    assert_eq!(
        cost(&[
            "field",
            "map.tmx",
            "--goal",
            "2,0",
            "--json",
            "--at",
            "0,0",
            "--property",
            "mud"
        ]),
        140
    );
    assert_eq!(cost(&["field", "scene.toml", "--json", "--at", "0,0"]), 140);
    let run = thalweg(
        folder.path(),
        &["field", "map.tmx", "--goal", "2,0", "--property", "none"],
    );
    assert!(run.refusal().contains("none"), "{}", run.err);
    let run = thalweg(folder.path(), &["field", "no.toml", "--json"]);
    assert!(
        run.refusal().contains("`property` is for a `file`"),
        "{}",
        run.err
    );
}

#[test]
fn a_scene_takes_files_for_each_of_its_layers() {
    let scene = |heights: &str, terrain: &str| {
        format!(
            "format = 1\nduration_s = 1\n[map]\nfile = \"house.txt\"\n[heights]\nfile = {heights}\n[terrain]\nfile = {terrain}\nclasses = {{ land = \".\", mud = \"~\" }}\n[[profile]]\nname = \"walker\"\nclasses = {{ land = 1, mud = 9 }}\n"
        )
    };
    let good = scene("[\"low.csv\", \"high.csv\"]", "\"land.txt\"");
    let one = scene("\"low.csv\"", "\"land.txt\"");
    let swapped = scene("[\"high.csv\", \"low.csv\"]", "\"land.txt\"");
    let each = scene("[\"low.csv\", \"high.csv\"]", "[\"a.txt\", \"b.txt\"]");
    let folder = folder(&[
        ("house.txt", HOUSE),
        ("low.csv", b"0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n0,0,0,0,0,0,0,0\n"),
        ("high.csv", b"3,3,3,3,3\n3,3,3,3,3\n"),
        (
            "land.txt",
            b"= ground\n........\n........\n........\n= upper\n....~\n....~\n",
        ),
        ("a.txt", b"........\n........\n........\n"),
        ("b.txt", b"....~\n....~\n"),
        ("good.toml", good.as_bytes()),
        ("one.toml", one.as_bytes()),
        ("swapped.toml", swapped.as_bytes()),
        ("each.toml", each.as_bytes()),
    ]);
    for name in ["good.toml", "each.toml"] {
        let words = ["field", name, "--profile", "walker", "--json", "--at", "6,0,1"];
        let answer = thalweg(folder.path(), &words).json();
        // Out of the mud and two more plain steps away, less one that is diagonal.
        assert_eq!(answer["at"][0]["cost"], 9 * 10 + 10, "{name}");
    }
    let refusal = |name| {
        thalweg(folder.path(), &["field", name, "--json"])
            .refusal()
            .to_owned()
    };
    assert_eq!(
        refusal("one.toml"),
        "one.toml, line 5: [heights] 1 files were given, but the map has 2 layers; name one file for each"
    );
    assert_eq!(
        refusal("swapped.toml"),
        "swapped.toml, line 5: [heights] file high.csv: heights of 5 x 2 cells do not fit layer 0 of 8 x 3"
    );
}

#[test]
fn trajectories_tell_the_layer_and_the_summary_all_of_them() {
    let scene = b"format = 1\nduration_s = 30\n[map]\nfile = \"house.txt\"\norigin = [100, 0]\n[[group]]\nname = \"one\"\nmark = \"A\"\ngoals = [\"G1\"]\n";
    let folder = folder(&[("house.txt", HOUSE), ("s.toml", scene)]);
    let words = ["simulate", "s.toml", "--out", "out", "--trajectories", "--json"];
    let summary = thalweg(folder.path(), &words).json();
    assert_eq!((&summary["map"], &summary["layers"]), (&json!([8, 3]), &json!(2)));
    assert_eq!(summary["arrived"], 1);
    let text = std::fs::read_to_string(folder.path().join("out/trajectories.txt")).unwrap();
    let last: Vec<f64> = text
        .lines()
        .last()
        .unwrap()
        .split('\t')
        .map(|part| part.parse().unwrap())
        .collect();
    // The goal (4,0,1) lies above the cell (4,0) of the ground floor.
    assert!(
        (last[2] - 104.5).abs() < 0.1 && (last[3] - 0.5).abs() < 0.1,
        "{last:?}"
    );
    assert_eq!(last[4], 1.0, "the layer");
}
