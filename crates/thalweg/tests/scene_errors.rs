//! What is said of scenes that cannot be used.

use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, Grid};
use thalweg::crowd::Avoidance;
use thalweg::navigator::WhileMaking;
use thalweg::scene::{Scene, SceneError, SceneFile, SceneMap};

fn scene(group: &str) -> Result<Scene, SceneError> {
    let text = format!(
        "format = 1\nduration_s = 1.0\n[map]\ntext = \"..G\"\n[[group]]\ncells = [[0, 0]]\n{group}\n"
    );
    let map = SceneMap {
        costs: CostField::filled(Grid::new(3, 1).unwrap(), Cost::PLAIN),
        goals: vec![Cell::new(2, 0)],
        marks: Vec::new(),
        links: Vec::new(),
    };
    Scene::new(&SceneFile::parse(&text)?, map)
}

/// Found by the fuzz target `scene`: TOML texts may hold line ends and terminal escapes, and names stood in messages
/// as they were.
#[test]
fn control_characters_in_a_scene_cannot_break_an_error_into_lines() {
    let error = scene(
        r#"name = "a\tb"
goals = ["x\ny\u001b[2J"]"#,
    )
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        r"line 7: group `a\tb`: there is no goal `x\ny\u{1b}[2J`"
    );

    let error = scene("name = \"a\\nb\"\ngoals = [\"G1\"]\nradius = 1e6").unwrap_err();
    assert_eq!(
        error.to_string(),
        r"line 7: group `a\nb`: radius is 1000000; it must be 0.01 to 8 world units at this cell size"
    );
}

/// The same scene with a table of its own before the group, in lines 5 and 6.
fn with_fields(work: &str, when_stale: &str) -> Result<Scene, SceneError> {
    let text = format!(
        "format = 1\nduration_s = 1.0\n[map]\ntext = \"..G\"\n[fields]\n{work}\n[[group]]\nname = \"a\"\ncells = [[0, 0]]\n\
         goals = [\"G1\"]\nwhen_stale = \"{when_stale}\"\n"
    );
    let mut map = SceneMap::new(CostField::filled(Grid::new(3, 1).unwrap(), Cost::PLAIN));
    map.goals = vec![Cell::new(2, 0)];
    Scene::new(&SceneFile::parse(&text)?, map)
}

#[test]
fn work_on_fields_and_what_agents_do_meanwhile_are_checked() {
    let scene = with_fields("work_per_tick = 7", "single-path").unwrap();
    assert_eq!(scene.work_per_tick, Some(7));
    assert_eq!(scene.groups[0].when_stale, WhileMaking::SinglePath);
    assert_eq!(with_fields("", "keep-old").unwrap().work_per_tick, None);
    // Half as long ticks: half as much in each of them.
    assert_eq!(scene.with_tick(0.025).unwrap().work_per_tick, Some(4));

    let said = |work, when_stale| with_fields(work, when_stale).unwrap_err().to_string();
    assert_eq!(
        said("work_per_tick = 0", "stop"),
        "line 6: [fields] work_per_tick is 0; it must be at least 1, or no field would ever be made"
    );
    assert_eq!(
        said("work_per_tick = 7", "wait"),
        "line 8: group `a`: when_stale is `wait`; it must be stop, keep-old or single-path"
    );
    for (work, reason) in [
        ("work_per_tick = -1", "line 6: invalid value: integer `-1`"),
        (
            "work_per_tick = 1.5",
            "line 6: invalid type: floating point `1.5`",
        ),
        ("work = 1", "line 6: unknown field `work`"),
    ] {
        let said = said(work, "stop");
        assert!(said.starts_with(reason), "{said}");
    }
}

#[test]
fn avoidance_has_three_names() {
    let scene = |word: &str| {
        let text = format!(
            "format = 1\nduration_s = 1.0\n[map]\ntext = \"..G\"\n[crowd]\navoidance = \"{word}\"\n[[group]]\nname = \"a\"\n\
             cells = [[0, 0]]\ngoals = [\"G1\"]\n"
        );
        let mut map = SceneMap::new(CostField::filled(Grid::new(3, 1).unwrap(), Cost::PLAIN));
        map.goals = vec![Cell::new(2, 0)];
        Scene::new(&SceneFile::parse(&text).unwrap(), map)
    };
    for (word, avoidance) in [
        ("off", Avoidance::Off),
        ("separation", Avoidance::Separation),
        ("velocity-obstacles", Avoidance::VelocityObstacles),
    ] {
        assert_eq!(scene(word).unwrap().avoidance, avoidance);
    }
    assert_eq!(
        scene("orca").unwrap_err().to_string(),
        "line 5: [crowd] avoidance is `orca`; it must be off, separation or velocity-obstacles"
    );
}
