//! Every scene of the project runs, and writes what the documentation says.

mod support;

use std::path::Path;
use support::{folder, thalweg};

#[test]
fn every_scene_runs_for_a_while() {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut run = 0;
    let mut files: Vec<_> = std::fs::read_dir(scenes)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for scene in files
        .iter()
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
    {
        let text = std::fs::read_to_string(scene).unwrap();
        assert!(
            text.starts_with("# Purpose: ") && text.contains("\n# Expectation: "),
            "{} says what it is for",
            scene.display()
        );
        let folder = folder(&[]);
        let words = [
            "simulate",
            scene.to_str().unwrap(),
            "--out",
            "out",
            "--ticks",
            "6",
            "--json",
            "--trajectories",
        ];
        let summary = thalweg(folder.path(), &words).json();
        assert_eq!(summary["ticks"], 6);
        for file in summary["files"].as_array().unwrap() {
            let path = folder.path().join("out").join(file.as_str().unwrap());
            assert!(std::fs::metadata(&path).unwrap().len() > 0, "{}", path.display());
        }
        let metrics = std::fs::read_to_string(folder.path().join("out/metrics.csv")).unwrap();
        assert_eq!(metrics.lines().count(), 7, "a head and a row per tick");
        run += 1;
    }
    assert!(run >= 2, "there are scenes");
}

const DOOR: &[u8] = br#"# Purpose: a door that closes at tick 40. Expectation: nobody passes it from then on.
format = 1
seed = 3
duration_s = 6.0
tick_s = 0.05
[map]
text = """
..............
######.#######
..............
......G.......
"""
[[door]]
name = "door"
area = [6, 1, 6, 1]
[[event]]
at_tick = 40
close = "door"
[[group]]
name = "people"
count = 30
area = [0, 0, 13, 0]
goals = ["G1"]
radius = 0.2
speed = [1.0, 2.0]
"#;

/// However they were made.
fn fields_made(summary: &serde_json::Value) -> u64 {
    let ways = ["fields_built", "fields_repaired", "fields_restored"];
    ways.iter()
        .map(|way| summary[way].as_u64().expect("a count"))
        .sum()
}

#[test]
fn a_door_that_closes_at_tick_40_stops_the_crowd() {
    let folder = folder(&[("door.toml", DOOR)]);
    let words = [
        "simulate",
        "door.toml",
        "--out",
        "out",
        "--trajectories",
        "--json",
    ];
    let summary = thalweg(folder.path(), &words).json();
    assert_eq!(fields_made(&summary), 2, "at the start, and when the door closed");
    let text = std::fs::read_to_string(folder.path().join("out/trajectories.txt")).unwrap();
    assert!(
        text.starts_with("# framerate: 10 fps\n# id\tframe\tx/m\ty/m\tz/m\n"),
        "{}",
        &text[..60]
    );
    let mut south_at_closing = 0;
    let mut south_at_end = 0;
    for row in text.lines().skip(2) {
        let columns: Vec<f64> = row.split('\t').map(|column| column.parse().unwrap()).collect();
        let [_, frame, x, y, _] = columns[..] else {
            panic!("five columns in {row}")
        };
        assert!(
            (0.0..14.0).contains(&x) && (0.0..4.0).contains(&y),
            "on the map: {row}"
        );
        assert!(
            frame < 21.0 || !(1.0..2.0).contains(&y),
            "in the closed door: {row}"
        );
        if frame == 20.0 && y >= 1.0 {
            south_at_closing += 1;
        }
        if frame == 60.0 && y >= 2.0 {
            south_at_end += 1;
        }
    }
    assert!(
        south_at_closing > 0 && south_at_closing < 30,
        "{south_at_closing} were through or in the door"
    );
    // Whoever stood in the door was put on one of its sides.
    assert!(
        south_at_end <= south_at_closing && south_at_end > 0,
        "{south_at_end} of {south_at_closing}"
    );
    let metrics = std::fs::read_to_string(folder.path().join("out/metrics.csv")).unwrap();
    let last = metrics.lines().last().unwrap();
    assert!(last.starts_with("119,6.000000,30,"), "{last}");
    assert_eq!(
        summary["outcomes"]["no_direction"].as_u64(),
        Some(30 - south_at_end),
        "the others have no way and say so"
    );
}

#[test]
fn the_hash_does_not_depend_on_threads() {
    let folder = folder(&[("door.toml", DOOR)]);
    let hash = |threads| {
        let words = [
            "simulate",
            "door.toml",
            "--out",
            "out",
            "--threads",
            threads,
            "--no-animation",
            "--json",
        ];
        thalweg(folder.path(), &words).json()["hash"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let one = hash("1");
    assert_eq!([hash("2"), hash("8")], [one.clone(), one]);
}

const THERE_AND_BACK: &[u8] = br#"format = 1
seed = 1
duration_s = 12.0
tick_s = 0.05
[map]
text = """
....................
....................
....................
"""
[[goal]]
name = "flag"
cells = [[18, 1]]
[[event]]
at_tick = 20
move_goal = { goal = "flag", to = [1, 1] }
[[event]]
at_tick = 60
move_goal = { goal = "flag", to = [18, 1] }
[[group]]
name = "runner"
cells = [[10, 1]]
goals = ["flag"]
speed = 2.0
"#;

#[test]
fn a_goal_that_comes_back_is_followed_back() {
    let folder = folder(&[("flag.toml", THERE_AND_BACK)]);
    let words = [
        "simulate",
        "flag.toml",
        "--out",
        "out",
        "--trajectories",
        "--json",
    ];
    let summary = thalweg(folder.path(), &words).json();
    assert_eq!(fields_made(&summary), 3, "at the start and after each move");
    assert_eq!(summary["fields_restored"], 1, "the flag stood there before");
    let text = std::fs::read_to_string(folder.path().join("out/trajectories.txt")).unwrap();
    let last: Vec<f64> = text
        .lines()
        .last()
        .unwrap()
        .split('\t')
        .map(|column| column.parse().unwrap())
        .collect();
    assert!(last[2] > 17.0, "the runner is at the flag again: {last:?}");
}

#[test]
fn a_field_that_cannot_be_built_is_told() {
    let text = String::from_utf8(THERE_AND_BACK.to_vec()).unwrap();
    let dear = text.replace("cells = [[18, 1]]", "cells = [[18, 1]]\nbias = 4294967290");
    let closed = text.replace(
        "[[event]]\nat_tick = 20\nmove_goal = { goal = \"flag\", to = [1, 1] }",
        "[[event]]\nat_tick = 20\ncost = { area = [0, 0, 19, 2], value = 255 }",
    );
    let folder = folder(&[("dear.toml", dear.as_bytes()), ("closed.toml", closed.as_bytes())]);
    let run = thalweg(folder.path(), &["simulate", "dear.toml", "--out", "out"]);
    assert_eq!(
        run.refusal(),
        "dear.toml, line 12: goal `flag`: bias is 4294967290; it must be at most 2147483647 step units"
    );
    let summary = thalweg(
        folder.path(),
        &["simulate", "closed.toml", "--out", "out", "--json"],
    )
    .json();
    let failures = summary["field_failures"].as_array().unwrap();
    assert!(
        failures[0]
            .as_str()
            .unwrap()
            .starts_with("tick 20: none of the 1 goals"),
        "{failures:?}"
    );
}

#[test]
fn output_that_nobody_reads_is_no_panic() {
    let folder = folder(&[("flag.toml", THERE_AND_BACK)]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_thalweg"))
        .current_dir(folder.path())
        .args(["simulate", "flag.toml", "--out", "out", "--no-animation"])
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .unwrap();
    let told = String::from_utf8(status.stderr).unwrap();
    assert_eq!(status.status.code(), Some(2), "{told}");
    assert!(
        told.starts_with("thalweg: standard output cannot be written: "),
        "{told}"
    );
}

fn scene_file(name: &str) -> String {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    scenes.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_strict_run_says_who_is_deadlocked_and_by_whom() {
    let folder = folder(&[]);
    let scene = scene_file("lane_deadlock.toml");
    let words = ["simulate", &scene, "--out", "out", "--trajectories", "--json"];
    let summary = thalweg(folder.path(), &words).json();
    assert_eq!(summary["strict"]["deadlocked"], 2);
    assert_eq!(
        summary["strict"]["knots"], 1,
        "the two wait for each other for good"
    );
    assert_eq!(summary["strict"]["knotted"], 2);
    // Told after some ticks without progress, by counting; no search, and no wait to the end.
    let longest_wait = summary["strict"]["longest_wait_ticks"].as_u64().unwrap();
    assert!((10..60).contains(&longest_wait), "{longest_wait}");
    assert_eq!(summary["stuck"]["causes"]["deadlocked"], 2);
    let stuck = summary["stuck"]["agents"].as_array().unwrap();
    for (agent, other) in [(0, 1), (1, 0)] {
        assert_eq!(stuck[agent]["outcome"], "deadlocked");
        assert_eq!(stuck[agent]["blocker"], stuck[other]["agent"]);
    }
    let read = |file: &str| std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
    let metrics = read("metrics.csv");
    let head: Vec<&str> = metrics.lines().next().unwrap().split(',').collect();
    for row in metrics.lines().skip(1) {
        assert_eq!(row.split(',').count(), head.len(), "{row}");
    }
    let place = head.iter().position(|&column| column == "refused").unwrap();
    let refused: u64 = metrics
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(place).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(summary["strict"]["refused"].as_u64(), Some(refused));
    // Half the way of a step of two ticks: a body is between two cells there.
    let trajectories = read("trajectories.txt");
    assert!(
        trajectories.contains("\n0\t1\t2.0000\t1.5000\t0\n"),
        "{trajectories}"
    );
    assert!(read("report.html").contains("2 deadlocked"));

    let said = thalweg(folder.path(), &["simulate", &scene, "--out", "out"]).out;
    let line = said.lines().find(|line| line.starts_with("strict ")).unwrap();
    assert!(
        line.ends_with("2 deadlocked") && line.contains("longest wait"),
        "{line}"
    );
}

#[test]
fn what_a_strict_scene_cannot_have_is_told_with_file_and_line() {
    let wrong: &[u8] =
        b"format = 1\nduration_s = 1.0\n[map]\ntext = \"..G\"\n[crowd]\navoidance = \"off\"\n[strict]\n\
        [[group]]\nname = \"a\"\ncells = [[0, 0]]\ngoals = [\"G1\"]\n";
    let folder = folder(&[("wrong.toml", wrong)]);
    let run = thalweg(folder.path(), &["simulate", "wrong.toml", "--out", "out"]);
    assert_eq!(
        run.refusal(),
        "wrong.toml, line 5: [crowd] avoidance is for crowds that move freely; a [strict] scene cannot have it"
    );
}
