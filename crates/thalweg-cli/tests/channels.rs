//! `thalweg field`: channels, questions, heights, turns and time.

mod support;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use support::{folder, thalweg};

/// A wall with one gap, and a room that nobody can get out of.
const ROOMS: &[u8] = b"....#.\n....#.\n......\n####..\n...#..\n...#.G\n";

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../scenes")
        .join(name)
}

/// `thalweg field` on a scene of the project.
fn field(name: &str, more: &[&str]) -> Value {
    let folder = folder(&[]);
    let path = scene(name);
    let mut words = vec!["field", path.to_str().unwrap(), "--json"];
    words.extend(more);
    thalweg(folder.path(), &words).json()
}

#[track_caller]
fn refusal(files: &[(&str, &[u8])], arguments: &[&str], sentence: &str) {
    let folder = folder(files);
    let mut words = vec!["field"];
    words.extend(arguments);
    assert_eq!(thalweg(folder.path(), &words).refusal(), sentence);
}

#[test]
fn a_route_is_the_fields_way_and_no_route_is_no() {
    let folder = folder(&[("rooms.txt", ROOMS)]);
    let run = thalweg(
        folder.path(),
        &["field", "rooms.txt", "--route", "0,0", "5,0", "--json"],
    );
    let answer = run.json();
    for route in answer["routes"].as_array().unwrap() {
        assert_eq!(route["same_cost"], true, "{route}");
        assert_eq!(route["same_way"], true, "{route}");
        assert_eq!(route["cost"], route["field_cost"]);
        assert_eq!(route["to"], json!([5, 5]));
        assert_eq!(route["cells"].as_array().unwrap().last().unwrap(), &json!([5, 5]));
    }
    assert_eq!(answer["routes"][1]["cost"], 50);
    let run = thalweg(folder.path(), &["field", "rooms.txt", "--route", "1,4"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.out.contains("route      from (1,4): unreachable\n"),
        "{}",
        run.out
    );
}

#[test]
fn a_route_counts_the_goals_bias_apart() {
    let folder = folder(&[("line.txt", b"......\n")]);
    let words = ["field", "line.txt", "--goal", "5,0:7", "--route", "0,0", "--json"];
    let route = &thalweg(folder.path(), &words).json()["routes"][0];
    assert_eq!(
        (
            &route["cost"],
            &route["field_cost"],
            &route["goal_bias"],
            &route["same_cost"]
        ),
        (&json!(50), &json!(57), &json!(7), &json!(true))
    );
}

#[test]
fn can_it_get_there_is_answered_by_the_exit_code() {
    let folder = folder(&[("rooms.txt", ROOMS)]);
    let ask = |words: &[&str]| {
        let mut all = vec!["field", "rooms.txt", "--can-reach"];
        all.extend(words);
        thalweg(folder.path(), &all)
    };
    assert_eq!(ask(&["0,0", "5,0"]).code, Some(0));
    let no = ask(&["0,0", "1,4", "9,9"]);
    assert_eq!(no.code, Some(1));
    assert!(
        no.out.contains("can reach  from (0,0): yes (reached)\n"),
        "{}",
        no.out
    );
    assert!(
        no.out.contains("can reach  from (1,4): no (unreachable)\n"),
        "{}",
        no.out
    );
    assert!(
        no.out.contains("can reach  from (9,9): no (outside)\n"),
        "{}",
        no.out
    );
    assert_eq!(
        ask(&["0,0", "--cost-limit", "10"]).code,
        Some(0),
        "a limit of the field is no wall"
    );
}

#[test]
fn would_this_cut_anyone_off_is_answered_by_the_exit_code() {
    let folder = folder(&[("rooms.txt", ROOMS)]);
    let ask = |words: &[&str]| {
        let mut all = vec!["field", "rooms.txt", "--json", "--would-block"];
        all.extend(words);
        let run = thalweg(folder.path(), &all);
        (run.code, serde_json::from_str::<Value>(&run.out).unwrap())
    };
    let (code, no) = ask(&["0,0"]);
    assert_eq!(
        (code, &no["would_block"]["cuts_anyone_off"]),
        (Some(0), &json!(false))
    );
    let (code, yes) = ask(&["4,2", "4,3", "4,0"]);
    assert_eq!(code, Some(1));
    assert_eq!(
        yes["would_block"],
        json!({
            "blocked": 2, "ignored": [[4, 0]], "cuts_anyone_off": true, "cells_cut_off": 8,
            "regions": [{"component": 0, "pieces": [[[3, 2], 12], [[5, 2], 8]]}], "lost_ways": [],
        })
    );
}

#[test]
fn channels_come_out_in_every_format() {
    let folder = folder(&[("map.txt", b"..#G\n.?#.\n....\n")]);
    let channel = |name: &str, format: &str| {
        let words = [
            "field",
            "map.txt",
            "--channel",
            name,
            "--format",
            format,
            "--out",
            "out",
        ];
        let run = thalweg(folder.path(), &words);
        assert_eq!(
            (run.code, run.out.as_str()),
            (Some(0), ""),
            "{name} {format}: {}",
            run.err
        );
        std::fs::read(folder.path().join("out")).unwrap()
    };
    let csv = |name: &str| String::from_utf8(channel(name, "csv")).unwrap();
    assert_eq!(
        csv("direction"),
        "S,W,impassable,goal\nS,unknown,impassable,N\nE,E,E,N\n"
    );
    assert_eq!(
        csv("length"),
        "7.000,8.000,impassable,0.000\n6.000,unknown,impassable,1.000\n5.000,4.000,3.000,2.000\n"
    );
    assert_eq!(csv("goal"), "0,0,impassable,0\n0,unknown,impassable,0\n0,0,0,0\n");
    assert_eq!(
        csv("component"),
        "0,0,impassable,0\n0,unknown,impassable,0\n0,0,0,0\n"
    );
    assert_eq!(csv("ground"), "1,1,255,1\n1,?,255,1\n1,1,1,1\n");
    assert!(csv("heading").starts_with("1"), "{}", csv("heading"));
    for name in [
        "cost",
        "direction",
        "heading",
        "length",
        "goal",
        "component",
        "ground",
    ] {
        assert!(channel(name, "png").starts_with(b"\x89PNG"), "{name}");
        assert!(channel(name, "npy").starts_with(b"\x93NUMPY"), "{name}");
        let json: Value = serde_json::from_slice(&channel(name, "json")).unwrap();
        assert_eq!(json["channel"]["name"], name);
        assert_eq!(json["channel"]["rows"].as_array().unwrap().len(), 3);
        assert!(!channel(name, "text").is_empty());
    }
    let json: Value = serde_json::from_slice(&channel("length", "json")).unwrap();
    assert_eq!(json["channel"]["rows"][0], json!([7.0, 8.0, "impassable", 0.0]));
}

#[test]
fn a_heading_is_in_degrees_clockwise_from_north() {
    let folder = folder(&[("open.txt", b".......\n.......\n.......\n.......\n.......\n")]);
    for (from, degrees) in [
        ("3,0", 180.0),
        ("6,2", 270.0),
        ("3,4", 0.0),
        ("0,2", 90.0),
        ("1,0", 135.0),
    ] {
        let words = ["field", "open.txt", "--goal", "3,2", "--json", "--at", from];
        let at = &thalweg(folder.path(), &words).json()["at"][0];
        assert_eq!(at["heading"], json!(degrees), "from {from}");
    }
    let words = ["field", "open.txt", "--goal", "6,4", "--json", "--at", "0,1"];
    let heading = thalweg(folder.path(), &words).json()["at"][0]["heading"]
        .as_f64()
        .unwrap();
    assert!(
        (heading - (90.0 + 0.5f64.atan().to_degrees())).abs() < 0.01,
        "{heading}"
    );
}

#[test]
fn turn_costs_change_the_way_and_ask_where_one_comes_from() {
    let east = field(
        "turns.toml",
        &["--group", "trucks", "--at", "0,0", "--from-direction", "E"],
    );
    let at = &east["at"][0];
    assert_eq!(
        (&at["cost"], &at["turn"]["cost"], &at["turn"]["direction"]),
        (&json!(160), &json!(240), &json!("E")),
        "two right angles on the straight way"
    );
    let south = field(
        "turns.toml",
        &["--group", "trucks", "--at", "0,0", "--from-direction", "S"],
    );
    assert_eq!(south["at"][0]["turn"]["cost"], 270, "and one more to begin with");
    let free = field(
        "turns.toml",
        &["--group", "trucks", "--turn-cost", "0", "--at", "0,0"],
    );
    assert_eq!(free["at"][0]["turn"]["cost"], 160);
    refusal(
        &[("a.txt", b"..G\n")],
        &["a.txt", "--channel", "turn"],
        "the turn channel needs to know what turning costs: add --turn-cost C",
    );
}

#[test]
fn the_time_field_waits_for_the_door_and_the_plain_one_walks_round() {
    let at = |tick: &str, cell: &str| {
        let answer = field(
            "night_door.toml",
            &["--channel", "time", "--tick", tick, "--at", cell],
        );
        answer["at"][0].clone()
    };
    let closed = at("150", "7,1");
    assert_eq!(closed["direction"], "E", "the present knows no morning");
    assert_eq!(closed["time"]["action"], "wait");
    assert_eq!(closed["time"]["ticks"], 1);
    let open = at("250", "7,1");
    assert_eq!(
        (&open["direction"], &open["time"]["action"]),
        (&json!("S"), &json!("S"))
    );
    assert_eq!(open["cost"], json!(116), "four steps of 29");
    let late = at("600", "7,1");
    assert_eq!(
        (&late["direction"], &late["time"]["action"]),
        (&json!("E"), &json!("E"))
    );
    assert_eq!(
        late["cost"], late["time"]["cost"],
        "nothing comes or goes any more"
    );
}

#[test]
fn overlays_lie_at_their_ticks() {
    let reach = |tick: &str| {
        let answer = field(
            "barricade.toml",
            &["--channel", "ground", "--tick", tick, "--at", "9,4", "14,2"],
        );
        [
            answer["at"][0]["reach"].clone(),
            answer["at"][1]["reach"].clone(),
            answer["channel"]["rows"][1][11].clone(),
        ]
    };
    let (free, wall) = (json!("reached"), json!("impassable"));
    assert_eq!(reach("0"), [free.clone(), wall.clone(), json!(5)]);
    assert_eq!(reach("60"), [wall.clone(), wall.clone(), json!(5)]);
    assert_eq!(reach("90"), [wall.clone(), free.clone(), json!(5)]);
    assert_eq!(reach("150"), [wall.clone(), wall.clone(), json!(5)]);
    assert_eq!(reach("300"), [free, wall, json!(1)]);
}

#[test]
fn each_profile_has_its_own_ground() {
    let costs = |group: &str| {
        let answer = field("land_sea.toml", &["--group", group, "--channel", "ground"]);
        let rows = answer["channel"]["rows"].clone();
        [0, 9, 20].map(|x| rows[5][x].clone())
    };
    let no = json!("impassable");
    assert_eq!(costs("walkers"), [json!(1), no.clone(), no.clone()]);
    assert_eq!(costs("ships"), [no.clone(), no.clone(), json!(1)]);
    assert_eq!(costs("breakers"), [json!(1), json!(20), no]);
    let fog = |group: &str| field("fog.toml", &["--group", group, "--at", "0,6"])["at"][0]["cost"].clone();
    assert_eq!(fog("scouts"), 220);
    assert!(fog("column").as_u64().unwrap() > 220);
}

#[test]
fn up_is_dearer_than_down() {
    let cost = |goal: &str, at: &str| {
        let words = ["--profile", "hiker", "--goal", goal, "--at", at];
        field("hill.toml", &words)["at"][0]["cost"].as_u64().unwrap()
    };
    assert!(cost("11,2", "5,2") > cost("5,2", "11,2"));
    assert_eq!(cost("5,2", "11,2"), 60);
}

#[test]
fn heights_come_from_a_file_and_bands_from_the_command_line() {
    let files: &[(&str, &[u8])] = &[("flat.txt", b"....G\n"), ("h.csv", b"0,1,1,3,3\n")];
    let folder = folder(files);
    let cost = |more: &[&str]| {
        let mut words = vec![
            "field",
            "flat.txt",
            "--heights",
            "h.csv",
            "--json",
            "--at",
            "0,0",
            "2,0",
        ];
        words.extend(more);
        let answer = thalweg(folder.path(), &words).json();
        [answer["at"][0]["cost"].clone(), answer["at"][1]["reach"].clone()]
    };
    let (reached, none) = (json!("reached"), json!("unreachable"));
    assert_eq!(cost(&[]), [Value::Null, none.clone()], "one up is a cliff");
    assert_eq!(cost(&["--height-cell", "4"]), [json!(40 + 30), reached.clone()]);
    assert_eq!(
        cost(&["--bands", "0.5:0,1.5:2,9:4"]),
        [json!(40 + 20 + 40), reached.clone()]
    );
    assert_eq!(
        cost(&["--bands", "9:1", "--bands-down", "1:0"]),
        [json!(80), reached]
    );
    assert_eq!(
        cost(&["--height-scale", "5,0.25"]),
        [json!(70), json!("reached")],
        "slopes of 1/4 and 1/2"
    );
    let words = [
        "field",
        "flat.txt",
        "--heights",
        "h.csv",
        "--height-levels",
        "0,25.5",
    ];
    let run = thalweg(folder.path(), &words);
    assert!(
        run.refusal().contains("a linear scale must say"),
        "numbers have no black and white"
    );
    assert_eq!(
        cost(&["--bands", "1.5:0", "--steep", "cell"]),
        [Value::Null, json!("impassable")]
    );
}

#[test]
fn unknown_ground_can_be_driven_on_sight() {
    let folder = folder(&[("fog.txt", b".?G\n")]);
    let cost = |more: &[&str]| {
        let mut words = vec!["field", "fog.txt", "--json", "--at", "0,0"];
        words.extend(more);
        thalweg(folder.path(), &words).json()["at"][0]["cost"].clone()
    };
    assert_eq!(cost(&[]), Value::Null);
    assert_eq!(cost(&["--unknown", "3"]), 40);
    assert_eq!(cost(&["--unknown", "blocked"]), Value::Null);
}

#[test]
fn what_does_not_fit_is_one_sentence() {
    let map: (&str, &[u8]) = ("a.txt", b"..G\n");
    refusal(
        &[map, ("h.csv", b"1,2\n")],
        &["a.txt", "--heights", "h.csv"],
        "h.csv: 2 x 1 heights do not fit the map of 3 x 1 cells",
    );
    refusal(
        &[map],
        &["a.txt", "--heights", "none.asc"],
        "none.asc: there is no such file",
    );
    refusal(
        &[map],
        &["a.txt", "--bands", "1:0"],
        "--bands, --bands-down and --steep need heights: name a file with --heights",
    );
    refusal(
        &[map],
        &["a.txt", "--profile", "naval"],
        "a.txt: there is no profile `naval`; known: default",
    );
    refusal(
        &[map],
        &["a.txt", "--group", "ships"],
        "a.txt: there is no group `ships`; the scene has none",
    );
    refusal(
        &[map, ("h.csv", b"1,2,3\n")],
        &["a.txt", "--heights", "h.csv", "--height-cell", "0"],
        "h.csv: cell size 0 of the height map is not a positive finite number in the unit of the heights",
    );
    let huge = ["a.txt", "--channel", "time", "--horizon", "4000000000"];
    refusal(
        &[map],
        &huge,
        "a.txt: the time field cannot be made: a field of 12000000003 states needs 48000000012 bytes, above the limit of 4294967296 bytes",
    );
    for words in [
        ["--unknown", "255"],
        ["--unknown", "dark"],
        ["--height-scale", "1,2"],
        ["--bands", "0.6"],
        ["--bands", "0.6:300"],
        ["--turn-cost", "1,2"],
        ["--turn-cost", "4,0,0,0,0"],
        ["--from-direction", "north"],
        ["--wait-cost", "-1"],
        ["--step-ticks", "0"],
        ["--channel", "smell"],
        ["--route", "one"],
    ] {
        let folder = folder(&[map]);
        let run = thalweg(folder.path(), &["field", "a.txt", words[0], words[1]]);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{words:?}");
    }
}

#[test]
fn files_that_a_scene_names_are_read_beside_it_or_named_by_line() {
    let text = r##"format = 1
duration_s = 1.0
[map]
file = "map.txt"
[terrain]
file = "classes.txt"
classes = { land = ".", water = "~" }
[heights]
file = "h.csv"
[[overlay]]
name = "rock"
file = "rock.csv"
at = [1, 0]
effect = "set"
standing = true
[[profile]]
name = "walker"
classes = { land = 2, water = 7 }
slopes = [[9.0, 1]]
"##;
    let files: &[(&str, &[u8])] = &[
        ("scene.toml", text.as_bytes()),
        ("map.txt", b"...G\n"),
        ("classes.txt", b".~~.\n"),
        ("h.csv", b"0,0,4,4\n"),
        ("rock.csv", b"9,?\n"),
    ];
    let all = folder(files);
    let words = [
        "field",
        "scene.toml",
        "--profile",
        "walker",
        "--channel",
        "ground",
        "--json",
        "--at",
        "0,0",
    ];
    let answer = thalweg(all.path(), &words).json();
    assert_eq!(answer["channel"]["rows"], json!([[2, 9, 7, 2]]));
    assert_eq!(
        answer["at"][0]["cost"],
        20 + 90 + 70 + 30,
        "with one more on each step"
    );
    for (file, line, reason) in [
        ("classes.txt", 5, "there is no such file"),
        ("h.csv", 8, "there is no such file"),
        ("rock.csv", 11, "there is no such file"),
    ] {
        let others: Vec<_> = files.iter().copied().filter(|(name, _)| *name != file).collect();
        let some = folder(&others);
        assert_eq!(
            thalweg(some.path(), &words).refusal(),
            format!("scene.toml, line {line}: {file}: {reason}")
        );
    }
    std::fs::write(all.path().join("classes.txt"), ".~\n").unwrap();
    assert_eq!(
        thalweg(all.path(), &words).refusal(),
        "scene.toml, line 5: [terrain] file classes.txt, line 1: the row has 2 letters, but the map is 4 cells wide"
    );
}
