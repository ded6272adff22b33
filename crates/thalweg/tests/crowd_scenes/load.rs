//! The scenes of the project, read as the command reads them.

use std::path::{Path, PathBuf};
use thalweg::crowd::{ArrivalRule, GroupInput, StalePolicy, Steering};
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};
use thalweg_io::MapLink;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes")
}

/// Names of all scenes, without the ending, in order.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| {
            entry
                .unwrap()
                .file_name()
                .into_string()
                .unwrap()
                .strip_suffix(".toml")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

pub(crate) fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.toml"))).unwrap()
}

pub(crate) fn scene(name: &str) -> Scene {
    scene_of(name, &text(name))
}

/// A scene from a text, which may differ from that of the file.
pub(crate) fn scene_of(name: &str, text: &str) -> Scene {
    let file = SceneFile::parse(text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(
        file.wanted_files().is_empty(),
        "{name}: no scene here wants files beside its map"
    );
    let grid_of = |text: &str| {
        let grid = thalweg_io::read_text_grid(name, text.as_bytes()).unwrap();
        SceneMap {
            costs: grid.costs,
            goals: grid.goals,
            marks: grid.marks,
            links: grid.links.iter().flat_map(MapLink::ways).collect(),
        }
    };
    let map = match file.map_source().unwrap() {
        MapSource::Text(text) => grid_of(&text),
        MapSource::File(file) => grid_of(&std::fs::read_to_string(folder().join(file)).unwrap()),
        MapSource::Generate { kind, side, seed } => {
            let map = kind.generate(side, seed).unwrap();
            SceneMap {
                goals: vec![map.goal_cell()],
                ..SceneMap::new(map.cost_field())
            }
        }
    };
    Scene::new(&file, map).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(crate) fn simulation(scene: Scene) -> Simulation {
    Simulation::new(scene, &Serial).unwrap()
}

/// A group that follows the directions of a field.
pub(crate) fn input(field: &FieldBundle, arrival: ArrivalRule) -> GroupInput<'_> {
    GroupInput {
        movement: field.movement(),
        flow: Some(field.flow()),
        steering: Steering::Directions,
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival,
    }
}
