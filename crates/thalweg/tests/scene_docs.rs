//! The example scene of the documentation is one that works, and the same in both places where it stands.

use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};

/// What stands between ```` ```toml ```` and the next fence, without the marks of a doc comment.
fn example(text: &str) -> String {
    let lines = text.lines().map(|line| {
        line.strip_prefix("//! ")
            .or(line.strip_prefix("//!"))
            .unwrap_or(line)
    });
    lines
        .skip_while(|line| *line != "```toml")
        .skip(1)
        .take_while(|line| *line != "```")
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn the_documented_scene_runs_and_is_told_alike_in_the_code_and_in_the_book() {
    let book = example(include_str!("../../../docs/scenes.md"));
    assert!(book.starts_with("format = 1"), "{book}");
    assert_eq!(book, example(include_str!("../src/scene/mod.rs")));
    let file = SceneFile::parse(&book).unwrap();
    let Ok(MapSource::Text(rows)) = file.map_source() else {
        panic!("the example has a text map")
    };
    let size = |len: usize| u32::try_from(len).unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    let mut costs = CostField::filled(
        Grid::new(size(rows[0].len()), size(rows.len())).unwrap(),
        Cost::PLAIN,
    );
    for (y, row) in (0..).zip(&rows) {
        for (x, _) in (0..).zip(row.chars()).filter(|&(_, letter)| letter == '#') {
            costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap();
        }
    }
    let map = SceneMap::new(costs);
    let scene = Scene::new(&file, map).unwrap();
    assert!(scene.times().is_ok());
    let mut simulation = Simulation::new(scene, &Serial).unwrap();
    let mut arrived = 0;
    while !simulation.is_finished() {
        arrived = simulation.step(&Serial).unwrap().step.arrived_total;
    }
    assert!(arrived > 0, "somebody gets there");
}
