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
    assert_eq!(summary["fields_built"], 1, "rebuilt once, when the door closed");
    let text = std::fs::read_to_string(folder.path().join("out/trajectories.txt")).unwrap();
    assert!(
        text.starts_with("# framerate: 10 fps\n# id\tframe\tx\ty\tz\n"),
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
        summary["outcomes"]
            .as_array()
            .unwrap()
            .iter()
            .find(|pair| pair[0] == "no_direction")
            .map(|pair| pair[1].as_u64().unwrap()),
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
