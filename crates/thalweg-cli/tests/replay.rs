//! Recording, replaying and comparing as a user does it.

mod support;

use std::fs;
use std::path::Path;
use support::{folder, thalweg};
use thalweg::prelude::*;
use thalweg::recording::{Ending, RecordedScene, RecordingOptions, RecordingWriter};
use thalweg::scene::{Scene, SceneFile, SceneMap};
use thalweg::simulation::Input;

const SCENE: &str = r#"format = 1
name = "a gate"
seed = 3
duration_s = 4.0
tick_s = 0.1
[map]
file = "maps/yard.txt"
cell_size = 2.0
[heights]
file = "hill.csv"
[[profile]]
name = "walker"
slopes = [[10.0, 1]]
[[goal]]
name = "east"
cells = [[7, 1]]
[[door]]
name = "gate"
area = [4, 1, 4, 1]
[[group]]
name = "people"
count = 6
area = [0, 0, 1, 2]
goals = ["east"]
profile = "walker"
radius = 0.4
speed = [2.0, 3.0]
"#;

const MAP: &[u8] = b"....#...\n........\n....#...\n";
const HEIGHTS: &[u8] = b"0,0,0,0,0,0,0,0\n0,0,0,1,1,0,0,0\n0,0,0,0,0,0,0,0\n";
const INPUTS: &[u8] = br#"# The gate closes, and opens again.
{"tick": 5, "close": "gate"}

{"tick": 12, "open": "gate"}
{"tick": 12, "push": {"agent": "2v0", "way": [0.25, 0]}}
{"tick": 13, "remove": "77v0"}
{"tick": 14, "add": {"group": "people", "cell": [0, 2]}}
{"tick": 15, "hold_agent": "0v0"}
{"tick": 20, "let_go": "0v0"}
{"tick": 21, "cost": {"area": [5, 0, 5, 2], "value": 4}}
{"tick": 22, "move_goal": {"goal": "east", "to": [7, 0]}}
{"tick": 23, "set_group": {"agent": "1v0", "group": "people"}}
{"tick": 24, "add": {"group": "people", "point": [0.5, 2.25]}}
{"tick": 99, "remove": "1v0"}
"#;

fn scene_folder() -> tempfile::TempDir {
    let folder = folder(&[
        ("gate.toml", SCENE.as_bytes()),
        ("hill.csv", HEIGHTS),
        ("in.jsonl", INPUTS),
    ]);
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::write(folder.path().join("maps/yard.txt"), MAP).unwrap();
    folder
}

fn record(folder: &Path, more: &[&str]) -> serde_json::Value {
    let words = [
        "simulate",
        "gate.toml",
        "--out",
        "out",
        "--no-animation",
        "--record",
        "run.rec",
        "--json",
    ];
    thalweg(folder, &[&words, more].concat()).json()
}

#[test]
fn a_recording_with_inputs_is_one_file_that_replays_anywhere() {
    let here = scene_folder();
    let summary = record(here.path(), &["--inputs", "in.jsonl", "--threads", "1"]);
    assert_eq!(summary["recording"], "run.rec");
    assert_eq!(summary["inputs"]["applied"], 10);
    assert_eq!(summary["inputs"]["refused"], 1);
    assert_eq!(summary["inputs"]["too_late"], 1);
    assert_eq!(
        summary["inputs"]["reasons"][0],
        "tick 13, line 6: agent 77v0 is not in the crowd"
    );
    assert!(!here.path().join("run.rec.part").exists());

    // Nothing but the recording goes along.
    let there = folder(&[("bug.rec", &fs::read(here.path().join("run.rec")).unwrap())]);
    for threads in ["1", "8"] {
        let figures = thalweg(
            there.path(),
            &["replay", "bug.rec", "--threads", threads, "--json"],
        )
        .json();
        assert_eq!(figures["agrees"], true);
        assert_eq!(figures["ticks"], 40);
        assert_eq!(figures["ended"], "finished");
        assert_eq!(figures["hash"], summary["hash"]);
        assert_eq!(figures["scene"], "gate.toml");
    }
    let run = thalweg(there.path(), &["replay", "bug.rec"]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.out
            .contains("\nreplayed   40 ticks, all agree\nended      the run was finished\n"),
        "{}",
        run.out
    );
}

#[test]
fn a_replay_stops_where_it_is_told_and_draws_it() {
    let here = scene_folder();
    record(here.path(), &[]);
    let words = [
        "replay",
        "run.rec",
        "--at",
        "10",
        "--picture",
        "ten.png",
        "--json",
    ];
    let figures = thalweg(here.path(), &words).json();
    assert_eq!((&figures["ticks"], &figures["agents"]), (&10.into(), &6.into()));
    assert_eq!(figures.get("ended"), None);
    let metrics = fs::read_to_string(here.path().join("out/metrics.csv")).unwrap();
    let row = metrics.lines().nth(10).unwrap();
    assert!(
        row.starts_with("9,") && row.ends_with(figures["hash"].as_str().unwrap()),
        "{row}"
    );
    let picture = fs::read(here.path().join("ten.png")).unwrap();
    let picture = png::Decoder::new(std::io::Cursor::new(picture))
        .read_info()
        .unwrap();
    assert_eq!(picture.info().width, 896);
    // The start.
    assert_eq!(
        thalweg(here.path(), &["replay", "run.rec", "--at", "0", "--json"]).json()["ticks"],
        0
    );
    let beyond = thalweg(here.path(), &["replay", "run.rec", "--at", "41"]);
    assert_eq!(beyond.refusal(), "run.rec holds 40 ticks; --at 41 is beyond");
}

#[test]
fn a_tick_length_and_a_number_of_ticks_that_were_typed_are_recorded() {
    let here = scene_folder();
    let summary = record(
        here.path(),
        &["--tick", "0.05", "--ticks", "30", "--record-states", "0"],
    );
    let figures = thalweg(here.path(), &["replay", "run.rec", "--json"]).json();
    assert_eq!(
        (&figures["agrees"], &figures["ticks"]),
        (&true.into(), &30.into())
    );
    assert_eq!(figures["hash"], summary["hash"]);
}

#[test]
fn a_lean_recording_wants_its_files_and_knows_them_again() {
    let here = scene_folder();
    record(here.path(), &["--record-lean"]);
    let there = folder(&[("run.rec", &fs::read(here.path().join("run.rec")).unwrap())]);
    let path = here.path().to_str().unwrap();
    assert_eq!(
        thalweg(there.path(), &["replay", "run.rec"]).refusal(),
        "run.rec: gate.toml, line 6: map maps/yard.txt is known to the recording only by its hash: name the folder of the scene with --files"
    );
    let found = thalweg(there.path(), &["replay", "run.rec", "--files", path, "--json"]).json();
    assert_eq!(found["agrees"], true);
    fs::write(
        here.path().join("hill.csv"),
        "0,0,0,0,0,0,0,0\n0,0,0,1,2,0,0,0\n0,0,0,0,0,0,0,0\n",
    )
    .unwrap();
    let other = thalweg(there.path(), &["replay", "run.rec", "--files", path]);
    assert!(
        other
            .refusal()
            .contains("hill.csv is not the file that was recorded: its hash is "),
        "{}",
        other.err
    );
}

/// A recording by somebody who computes otherwise: in the eighth tick an agent gets further.
fn of_another_machine(options: RecordingOptions) -> Vec<u8> {
    let text = "format = 1\nduration_s = 2.0\ntick_s = 0.1\nmap = { text = \"........\", cell_size = 0.5 }\n\
                goal = [{ name = \"east\", cells = [[7, 0]] }]\n\
                group = [{ name = \"people\", count = 1, area = [0, 0, 3, 0], goals = [\"east\"] }]\n";
    let costs = CostField::filled(Grid::new(8, 1).unwrap(), Cost::PLAIN);
    let scene = Scene::new(&SceneFile::parse(text).unwrap(), SceneMap::new(costs)).unwrap();
    let mut simulation = Simulation::new(scene, &Serial).unwrap();
    let recorded = RecordedScene::new("small.toml".to_owned(), text.to_owned());
    let mut writer = RecordingWriter::new(Vec::new(), recorded, &simulation, options).unwrap();
    for tick in 0..20 {
        // Not told to the recording.
        let inputs = [Input::Push {
            agent: thalweg::crowd::AgentId::from_bits(0),
            way: [0.125, 0.0],
        }];
        let inputs = if tick == 7 { &inputs[..] } else { &[] };
        let report = simulation.step_with(inputs, &Serial).unwrap();
        writer.after_tick(&simulation, &report).unwrap();
    }
    writer.finish(&Ending::Finished).unwrap()
}

#[test]
fn a_difference_is_told_with_tick_agent_field_values_and_place() {
    let here = folder(&[
        ("a.rec", &of_another_machine(RecordingOptions::new())),
        (
            "b.rec",
            &of_another_machine(RecordingOptions::new().with_states_every(0)),
        ),
    ]);
    let run = thalweg(here.path(), &["replay", "a.rec", "--picture", "there.png"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(
        run.out
            .contains("\ndiffers    after 8 ticks: agent 0v0, position: ("),
        "{}",
        run.out
    );
    assert!(
        run.out.contains(") recorded, (") && run.out.contains(") now\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("\nwhere      cell ("), "{}", run.out);
    assert!(run.out.contains("), in the world at ("), "{}", run.out);
    assert!(here.path().join("there.png").exists());

    let run = thalweg(here.path(), &["replay", "a.rec", "--json"]);
    assert_eq!(run.code, Some(1));
    let figures: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&figures["agrees"], &figures["ticks"]),
        (&false.into(), &7.into())
    );
    let differs = &figures["differs"];
    assert_eq!(differs["tick"], 8);
    assert_eq!(
        (&differs["agent"], &differs["field"]),
        (&"0v0".into(), &"position".into())
    );
    assert_ne!(differs["recorded"], differs["now"]);
    assert_ne!(differs["recorded_hash"], differs["hash"]);
    // Before that they agree.
    assert_eq!(
        thalweg(here.path(), &["replay", "a.rec", "--at", "7"]).code,
        Some(0)
    );

    let run = thalweg(here.path(), &["replay", "b.rec"]);
    assert_eq!(run.code, Some(1));
    let said = "\ndiffers    after 8 ticks: the state differs; the recording keeps no states that would name an agent\n";
    assert!(run.out.contains(said), "{}", run.out);
}

#[test]
fn two_recordings_are_compared_without_running_them() {
    let here = scene_folder();
    record(here.path(), &[]);
    fs::rename(here.path().join("run.rec"), here.path().join("a.rec")).unwrap();
    record(here.path(), &["--ticks", "25", "--record-states", "5"]);
    let same = thalweg(here.path(), &["replay", "a.rec", "--against", "run.rec"]);
    assert_eq!(same.code, Some(0), "{}", same.err);
    assert!(
        same.out.ends_with("same       25 ticks, of 40 and 25\n"),
        "{}",
        same.out
    );

    record(here.path(), &["--inputs", "in.jsonl"]);
    let other = thalweg(here.path(), &["replay", "a.rec", "--against", "run.rec"]);
    assert_eq!(other.code, Some(1));
    assert!(
        other
            .out
            .ends_with("differs    input 0 of tick 5: nothing recorded, close door 0 now\n"),
        "{}",
        other.out
    );
    let run = thalweg(
        here.path(),
        &["replay", "a.rec", "--against", "run.rec", "--json"],
    );
    let figures: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(figures["other_inputs"]["tick"], 5);
    assert_eq!(figures["other_inputs"]["inputs"][1], "close door 0");

    fs::write(
        here.path().join("b.rec"),
        of_another_machine(RecordingOptions::new()),
    )
    .unwrap();
    let scenes = thalweg(here.path(), &["replay", "a.rec", "--against", "b.rec"]);
    assert_eq!(scenes.code, Some(1));
    assert!(
        scenes
            .out
            .ends_with("differs    they are not of one scene: text\n"),
        "{}",
        scenes.out
    );
}

#[test]
fn a_recording_that_was_cut_off_is_replayed_as_far_as_it_goes() {
    let here = scene_folder();
    record(here.path(), &[]);
    let bytes = fs::read(here.path().join("run.rec")).unwrap();
    fs::write(here.path().join("cut.rec.part"), &bytes[..bytes.len() - 40]).unwrap();
    let run = thalweg(here.path(), &["replay", "cut.rec.part", "--json"]);
    let figures: serde_json::Value = run.json();
    assert_eq!(
        (&figures["agrees"], &figures["ticks"]),
        (&true.into(), &31.into())
    );
    assert!(
        figures["ended"]["cut_off"]["more_bytes"].as_u64().unwrap() > 0,
        "{figures}"
    );
    let run = thalweg(here.path(), &["replay", "cut.rec.part"]);
    assert!(
        run.out.contains("\nended      cut off after 31 ticks, at byte "),
        "{}",
        run.out
    );
}

#[test]
fn a_recording_that_was_changed_is_refused_with_what_came_before_it() {
    let here = scene_folder();
    record(here.path(), &[]);
    let mut bytes = fs::read(here.path().join("run.rec")).unwrap();
    let at = bytes.len() - 100;
    bytes[at] ^= 0x10;
    fs::write(here.path().join("changed.rec"), &bytes).unwrap();
    let run = thalweg(here.path(), &["replay", "changed.rec"]);
    let said = run.refusal();
    assert!(said.starts_with("changed.rec: bytes from "), "{said}");
    assert!(said.ends_with("; the 31 ticks before it agree"), "{said}");
    bytes.truncate(30);
    fs::write(here.path().join("changed.rec"), &bytes).unwrap();
    let run = thalweg(here.path(), &["replay", "changed.rec"]);
    assert_eq!(
        run.refusal(),
        "changed.rec: the bytes end at 30, before the scene is whole"
    );
}

#[test]
fn what_is_no_recording_is_told_in_one_sentence() {
    let here = scene_folder();
    let refusal = |words: &[&str]| thalweg(here.path(), words).refusal().to_owned();
    assert_eq!(
        refusal(&["replay", "gate.toml"]),
        "gate.toml: byte 0 is not that of a recording"
    );
    assert_eq!(
        refusal(&["replay", "none.rec"]),
        "none.rec: there is no such file"
    );
    assert_eq!(
        refusal(&["replay", "maps"]),
        "maps: this is a directory, not a file"
    );
    let record = |file| refusal(&["simulate", "gate.toml", "--out", "out", "--record", file]);
    assert_eq!(record("maps"), "maps is a folder; name a file to record into");
    assert!(record("none/run.rec").starts_with("none/run.rec.part cannot be recorded into: "));
}

#[test]
fn a_line_of_inputs_that_is_wrong_is_told_with_its_place() {
    let here = scene_folder();
    let said = |lines: &str| {
        fs::write(here.path().join("bad.jsonl"), lines).unwrap();
        let words = ["simulate", "gate.toml", "--out", "out", "--inputs", "bad.jsonl"];
        thalweg(here.path(), &words).refusal().to_owned()
    };
    let push = |way: &str| format!("\n{{\"tick\": 1, \"push\": {{\"agent\": \"1v0\", \"way\": {way}}}}}");
    for (lines, reason) in [
        (
            "{\"tick\": 1, \"close\": \"gat\"}",
            "line 1: there is no door \"gat\"",
        ),
        (
            "{\"tick\": 1, \"open\": \"\\u001b[2J\"}",
            "line 1: there is no door \"\\u{1b}[2J\"",
        ),
        (
            "\n\n{\"tick\": 1}",
            "line 3: needs exactly one of close, open, put, ",
        ),
        (
            "{\"tick\": 1, \"remove\": \"1v0\", \"let_go\": \"1v0\"}",
            "line 1: needs exactly one of ",
        ),
        (
            "{\"tick\": -1, \"remove\": \"1v0\"}",
            "line 1: column 11: invalid value: integer `-1`, expected u64",
        ),
        (
            "{\"tick\": 1, \"remove\": \"+1v0\"}",
            "line 1: \"+1v0\" is not an agent; ",
        ),
        (
            "{\"tick\": 2, \"remove\": \"1v0\"}\n{\"tick\": 1, \"remove\": \"2v0\"}",
            "line 2: tick 1 comes after a later one; ",
        ),
        (
            "{\"tick\": 1, \"shut\": \"gate\"}",
            "line 1: column 18: unknown field `shut`, expected one of ",
        ),
        (
            &push("[1]"),
            "line 2: column 47: invalid length 1, expected an array of length 2",
        ),
        (
            "{\"tick\": 1, \"cost\": {\"area\": [1, 2], \"value\": 3}}",
            "line 1: an area is [x0, y0, x1, y1] or ",
        ),
        (
            "{\"tick\": 1, \"cost\": {\"area\": [1, 2, 3, 4], \"value\": 256}}",
            "line 1: cost 256 is outside 0..=255",
        ),
        (
            "{\"tick\": 1, \"add\": {\"group\": \"people\"}}",
            "line 1: `add` needs `cell` or `point`, and not both",
        ),
        (
            "{\"tick\": 1, \"add\": {\"group\": \"people\", \"point\": [1, 1, 0.5]}}",
            "line 1: a point is [x, y] or ",
        ),
    ] {
        let said = said(lines);
        assert!(said.starts_with(&format!("bad.jsonl, {reason}")), "{said}");
    }
    assert_eq!(said("\u{feff}{}").split(',').next(), Some("bad.jsonl"));
    fs::write(here.path().join("bad.jsonl"), b"\n\xff").unwrap();
    let words = ["simulate", "gate.toml", "--out", "out", "--inputs", "bad.jsonl"];
    assert_eq!(
        thalweg(here.path(), &words).refusal(),
        "bad.jsonl, byte 1: inputs must be text in UTF-8"
    );
}
