//! `thalweg check`: lengths of MovingAI scenarios, ours and the published ones.

mod support;

use support::{folder, shared_data, thalweg};

const MAP: &[u8] = b"type octile\nheight 3\nwidth 4\nmap\n...@\n.@..\n....\n";

fn scenario(lines: &[&str]) -> Vec<u8> {
    format!("version 1\n{}\n", lines.join("\n")).into_bytes()
}

#[test]
fn matching_lines_answer_yes() {
    // Along the south row and up by a diagonal that no corner clips.
    let lines = scenario(&[
        "0\tyard.map\t4\t3\t1\t2\t3\t1\t2.41421356",
        "0\tmaps/yard.map\t4\t3\t2\t2\t2\t2\t0",
    ]);
    let folder = folder(&[("yard.map", MAP), ("yard.map.scen", &lines)]);
    let run = thalweg(folder.path(), &["check", "yard.map", "--scen", "yard.map.scen"]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert!(run.out.contains("2/2 match, worst error "), "{}", run.out);
    // A folder finds the pair by itself.
    let answer = thalweg(folder.path(), &["check", ".", "--json"]).json();
    assert_eq!((&answer["lines"], &answer["matched"]), (&2.into(), &2.into()));
}

#[test]
fn a_line_that_differs_answers_no_and_is_listed() {
    let lines = scenario(&[
        "0\tyard.map\t4\t3\t0\t0\t3\t1\t3.0",
        "0\tyard.map\t4\t3\t0\t0\t3\t0\t5",
    ]);
    let folder = folder(&[("yard.map", MAP), ("yard.map.scen", &lines)]);
    let run = thalweg(
        folder.path(),
        &["check", "yard.map", "--scen", "yard.map.scen", "--json"],
    );
    assert_eq!(run.code, Some(1), "{}", run.err);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["matched"], 0);
    assert_eq!(answer["differing"][0]["line"], 2);
    assert_eq!(
        answer["differing"][1]["got"],
        serde_json::Value::Null,
        "a goal in a wall has no way"
    );
}

#[test]
fn a_scenario_of_another_map_is_refused() {
    let lines = scenario(&["0\tyard.map\t3\t4\t0\t0\t2\t1\t3.0"]);
    let folder = folder(&[("yard.map", MAP), ("yard.map.scen", &lines)]);
    let run = thalweg(folder.path(), &["check", "yard.map", "--scen", "yard.map.scen"]);
    assert_eq!(
        run.refusal(),
        "yard.map.scen, line 2: the map is said to be 3 x 4, but yard.map is 4 x 3"
    );
}

#[test]
fn every_published_line_of_the_small_maps_matches() {
    for (name, lines) in [
        ("movingai/dao/arena.map", 160),
        ("movingai/dao/den312d.map", 320),
        ("mapf/random-32-32-20.map", 409),
        ("mapf/maze-32-32-2.map", 333),
        ("mapf/empty-8-8.map", 32),
    ] {
        let Some(map) = shared_data(name) else { return };
        let scen = if name.starts_with("mapf") {
            map.with_file_name(name[5..].replace(".map", "-random-1.scen"))
        } else {
            map.with_extension("map.scen")
        };
        let words = [
            "check",
            map.to_str().unwrap(),
            "--scen",
            scen.to_str().unwrap(),
            "--json",
        ];
        let answer = thalweg(std::path::Path::new("."), &words).json();
        assert_eq!(
            (&answer["lines"], &answer["matched"]),
            (&lines.into(), &lines.into()),
            "{name}: {answer}"
        );
    }
}
