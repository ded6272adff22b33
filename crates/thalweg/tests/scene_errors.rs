//! What is said of scenes that cannot be used.

use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, Grid};
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
