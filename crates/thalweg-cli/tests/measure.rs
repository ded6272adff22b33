//! Lines and areas in scenes, and recorded trajectories through the same recorders.

mod support;

use std::fmt::Write as _;
use support::{folder, shared_data, thalweg};

const SCENE: &str = r#"format = 1
name = "corridor"
seed = 3
duration_s = 30.0
[map]
text = """
........................
........................
........................
........................
"""
cell_size = 0.5
[[goal]]
name = "east"
area = [22, 0, 23, 3]
[[group]]
name = "people"
goals = ["east"]
arrival = "leave"
radius = 0.2
speed = [1.0, 1.4]
[[source]]
group = "people"
area = [0, 0, 3, 3]
rate = 2.0
until_s = 10.0
[[count_line]]
name = "middle"
from = [12, 0]
to = [12, 4]
window_s = 5.0
[[measure_area]]
name = "west, of it"
area = [6, 0, 11, 3]
along = [1, 0]
width = 2.0
[output]
frame_every = 1
"#;

#[test]
fn a_scene_and_its_trajectories_give_the_same_figures() {
    let folder = folder(&[("scene.toml", SCENE.as_bytes())]);
    let words = [
        "simulate",
        "scene.toml",
        "--out",
        "out",
        "--no-animation",
        "--trajectories=text,npz",
        "--json",
    ];
    let summary = thalweg(folder.path(), &words).json();
    let line = &summary["count_lines"][0];
    assert_eq!(
        (&summary["entered"], &line["forward"]["passages"]),
        (&20.into(), &20.into())
    );
    assert_eq!(line["length"], 2.0);
    let files: Vec<&str> = summary["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    for file in ["flow.csv", "areas.csv", "trajectories.txt", "trajectories.npz"] {
        assert!(files.contains(&file), "{files:?}");
        assert!(
            std::fs::metadata(folder.path().join("out").join(file))
                .unwrap()
                .len()
                > 100
        );
    }
    let read = |name: &str| std::fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    let flow = read("flow.csv");
    assert_eq!(flow.lines().count(), 1 + 6, "{flow}");
    let passed: u64 = flow
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(5).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(passed, 20);
    assert!(
        flow.lines()
            .last()
            .unwrap()
            .starts_with("middle,25.000000,30.000000,20,0,"),
        "{flow}"
    );
    let areas = read("areas.csv");
    assert_eq!(areas.lines().count(), 1 + 600);
    assert!(
        areas
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("\"west, of it\",0,0.050000,"),
        "{areas}"
    );
    assert!(read("report.html").contains("Line middle"));

    // The same by the command, from the text: metres now.
    let words = [
        "measure",
        "out/trajectories.txt",
        "--line",
        "6,0,6,2",
        "--area",
        "3,0,6,2",
        "--along",
        "1,0",
        "--width",
        "2",
        "--y-down",
        "--speed-frames",
        "1",
        "--json",
    ];
    let measured = thalweg(folder.path(), &words).json();
    let again = &measured["lines"][0];
    assert_eq!(
        (&measured["persons"], &measured["frame_rate"]),
        (&20.into(), &20.0.into())
    );
    assert_eq!(again["forward"]["passages"], 20);
    assert_eq!(again["backward"]["passages"], 0);
    for figure in ["first_s", "last_s", "mean_flow", "mean_specific_flow"] {
        let [a, b] = [line, again].map(|line| line["forward"][figure].as_f64().unwrap());
        assert!((a - b).abs() < 0.002, "{figure}: {a} and {b}");
    }
    // A run goes on when nobody is there any more, a file ends with its last point: the sums are the same.
    let [a, b] = [&summary["measure_areas"][0], &measured["areas"][0]];
    assert!(
        (a["speed"].as_f64().unwrap() - b["speed"].as_f64().unwrap()).abs() < 0.01,
        "{a} {b}"
    );
    let frames = |value: &serde_json::Value, seconds: f64| value["density"].as_f64().unwrap() * seconds;
    let time = |key: &str| measured[key].as_f64().unwrap();
    let seconds = time("until_s") - time("from_s") + 0.05;
    assert!((frames(a, 30.0) - frames(b, seconds)).abs() < 0.02, "{a} {b}");
    // From the other side what was forward is backward.
    let turned = [&words[..13], &["--json"]].concat();
    let turned: Vec<&str> = turned
        .iter()
        .map(|&word| if word == "6,0,6,2" { "6,2,6,0" } else { word })
        .collect();
    let turned = thalweg(folder.path(), &turned).json();
    assert_eq!(turned["lines"][0]["backward"]["passages"], 20);
}

#[test]
fn trajectories_number_people_and_not_slots() {
    let folder = folder(&[("scene.toml", SCENE.as_bytes())]);
    let words = [
        "simulate",
        "scene.toml",
        "--out",
        "out",
        "--no-animation",
        "--trajectories",
        "--json",
    ];
    thalweg(folder.path(), &words).json();
    let text = std::fs::read_to_string(folder.path().join("out/trajectories.txt")).unwrap();
    assert!(
        text.starts_with("# framerate: 20 fps\n# id\tframe\tx/m\ty/m\tz/m\n"),
        "{}",
        &text[..60]
    );
    let mut people: Vec<u32> = text
        .lines()
        .skip(2)
        .map(|row| row.split('\t').next().unwrap().parse().unwrap())
        .collect();
    people.sort_unstable();
    people.dedup();
    assert_eq!(people, (0..20).collect::<Vec<_>>());
    assert!(!folder.path().join("out/trajectories.npz").exists());
}

#[test]
fn made_up_walks_give_the_figures_worked_out_by_hand() {
    // Two abreast every second, at 2 m/s to the east from x = 0, in a corridor 4 m wide, ten frames a second.
    let mut text = String::from("# framerate: 10\n# id frame x/m y/m\n");
    for person in 0..20u32 {
        for frame in 0..60u32 {
            let x = 0.05 + 0.2 * f64::from(frame);
            writeln!(
                text,
                "{person} {} {x} {}",
                frame + 10 * (person / 2),
                1 + 2 * (person % 2)
            )
            .unwrap();
        }
    }
    let folder = folder(&[("walks.txt", text.as_bytes())]);
    let words = [
        "measure",
        "walks.txt",
        "--line",
        "5,4,5,0",
        "--area",
        "4,0,8,4",
        "--along",
        "1,0",
        "--width",
        "4",
        "--from",
        "4",
        "--until",
        "9",
        "--json",
    ];
    let measured = thalweg(folder.path(), &words).json();
    let forward = &measured["lines"][0]["forward"];
    // Drawn to the south: eastward is forward. They pass x = 5 at 2.475 s + k s.
    assert_eq!(forward["passages"], 10);
    assert!(
        (forward["first_s"].as_f64().unwrap() - 4.475).abs() < 1e-3,
        "{forward}"
    );
    assert!((forward["mean_flow"].as_f64().unwrap() - 9.0 / 4.0).abs() < 1e-3);
    assert!((forward["specific_flow"].as_f64().unwrap() - 2.0 / 4.0).abs() < 1e-9);
    let area = &measured["areas"][0];
    // Two a second at 2 m/s in 16 m2: 0.25 /m2, and 0.25 x 2 x 4 = 2 a second.
    for (figure, want) in [
        ("density", 0.25),
        ("speed", 2.0),
        ("speed_along", 2.0),
        ("flow", 2.0),
    ] {
        let got = area[figure].as_f64().unwrap();
        assert!((got - want).abs() < 0.02 * want, "{figure}: {got}");
    }
    let text = thalweg(folder.path(), &words[..10]);
    assert!(
        text.out.contains("line         5,4 to 5,0: 20 forward"),
        "{}",
        text.out
    );
}

#[test]
fn what_cannot_be_measured_is_refused_in_a_sentence() {
    let folder = folder(&[
        ("walks.txt", b"1 0 0 0\n1 1 1 0\n"),
        ("far.txt", b"# framerate: 5\n1 0 1e9 0\n"),
    ]);
    let cases: [(&[&str], &str); 7] = [
        (&["walks.txt"], "nothing to measure: give --line or --area"),
        (
            &["walks.txt", "--line", "0,0,0,1"],
            "walks.txt: the file does not say how many frames a second has; give --frame-rate",
        ),
        (
            &["walks.txt", "--line", "1,1,1,1", "--frame-rate", "5"],
            "--line 1,1,1,1: the line begins and ends at (1, -1), so nobody can cross it",
        ),
        (
            &["walks.txt", "--area", "1,1,1,4", "--frame-rate", "5"],
            "--area 1,1,1,4: the area's corners enclose nothing",
        ),
        (
            &["walks.txt", "--area", "1,1,2,4", "--frame-rate", "0"],
            "--frame-rate is 0; it must be above 0",
        ),
        (
            &[
                "walks.txt",
                "--area",
                "1,1,2,4",
                "--frame-rate",
                "5",
                "--from",
                "3",
            ],
            "no time is left to measure between 3 s and 0.2 s",
        ),
        (
            &["far.txt", "--area", "1,1,2,4"],
            "place (1000000000, 0) is more than 32767 m from the origin",
        ),
    ];
    for (words, want) in cases {
        let words = [&["measure"], words].concat();
        assert_eq!(thalweg(folder.path(), &words).refusal(), want, "{words:?}");
    }
}

/// The figures of the archived run by PedPy 1.5 are written beside the assertions.
#[test]
fn an_archived_run_gives_the_figures_that_pedpy_gives() {
    let Some(path) = shared_data("pedestrian/uni_corr/traj_UNI_CORR_500_01.txt") else {
        return;
    };
    let folder = folder(&[]);
    let path = path.to_str().unwrap();
    let words = [
        "measure", path, "--line", "0,0,0,5", "--area", "-1,0,1,5", "--json",
    ];
    let measured = thalweg(folder.path(), &words).json();
    let forward = &measured["lines"][0]["forward"];
    assert_eq!(
        (&measured["persons"], &forward["passages"]),
        (&148.into(), &148.into())
    );
    let near = |got: &serde_json::Value, want: f64, off: f64| {
        let got = got.as_f64().unwrap();
        assert!((got - want).abs() <= off, "{got} instead of {want}");
    };
    // PedPy tells passages by whole frames: 0.04 s.
    near(&forward["first_s"], 7.12, 0.04);
    near(&forward["last_s"], 76.48, 0.04);
    near(&forward["mean_flow"], 2.119_4, 0.002);
    near(&measured["areas"][0]["density"], 0.272_68, 0.0005);
    near(&measured["areas"][0]["speed"], 1.445_5, 0.001);
}
