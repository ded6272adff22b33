//! `thalweg simulate` and `thalweg demo`: runs a scene and writes what came of it.

use crate::args::{DemoArguments, GreyArgument, SimulateArguments};
use crate::error::{Answer, CliError};
use crate::outputs::{self, RunOptions, RunSummary};
use crate::{field, json, maps};
use std::path::{Path, PathBuf};
use thalweg::scene::{MapSource, Scene, SceneError, SceneFile, SceneMap};
use thalweg::simulation::Simulation;
use thalweg_io::read_text_grid;

/// The demo's scene and map, in the program itself so that it needs no files.
const DEMO_SCENE: &str = include_str!("../../../scenes/town_chase.toml");
const DEMO_MAP: &str = include_str!("../../../scenes/town.txt");
const DEMO_NAME: &str = "town_chase.toml";

pub(crate) fn demo(arguments: &DemoArguments) -> Result<Answer, CliError> {
    let name = Path::new(DEMO_NAME);
    let file = parse(name, DEMO_SCENE)?;
    let map = text_map("town.txt", DEMO_MAP)?;
    let scene = Scene::new(&file, map).map_err(|error| scene_error(name, error))?;
    let options = RunOptions {
        trajectories: false,
        animation: true,
        quiet: arguments.run.json,
    };
    let summary = run_scene(name, scene, &arguments.out, arguments.run.threads, &options)?;
    print(&summary, arguments.run.json)?;
    Ok(Answer::Yes)
}

pub(crate) fn run(arguments: &SimulateArguments) -> Result<Answer, CliError> {
    let path = &arguments.scene;
    let bytes = thalweg_io::read_limited(path, thalweg_io::MAX_FILE_BYTES)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        CliError::Usage(format!(
            "{}, byte {at}: a scene must be TOML text in UTF-8",
            path.display()
        ))
    })?;
    let file = parse(path, &text)?;
    let map = scene_map(path, &file)?;
    let mut scene = Scene::new(&file, map).map_err(|error| scene_error(path, error))?;
    if let Some(tick_s) = arguments.tick {
        scene = scene
            .with_tick(tick_s)
            .map_err(|error| scene_error(path, error))?;
    }
    if let Some(ticks) = arguments.ticks {
        if ticks == 0 {
            return Err(CliError::Usage("--ticks is 0; it must be at least 1".to_owned()));
        }
        scene.ticks = scene.ticks.min(ticks);
    }
    let options = RunOptions {
        trajectories: arguments.trajectories,
        animation: !arguments.no_animation,
        quiet: arguments.run.json,
    };
    let summary = run_scene(path, scene, &arguments.out, arguments.run.threads, &options)?;
    print(&summary, arguments.run.json)?;
    Ok(Answer::Yes)
}

fn parse(name: &Path, text: &str) -> Result<SceneFile, CliError> {
    SceneFile::parse(text).map_err(|error| scene_error(name, error))
}

fn scene_error(scene: &Path, error: SceneError) -> CliError {
    CliError::Scene {
        scene: scene.to_owned(),
        error,
    }
}

/// The map that a scene wants; a file is looked for beside the scene.
fn scene_map(scene: &Path, file: &SceneFile) -> Result<SceneMap, CliError> {
    match file.map_source().map_err(|error| scene_error(scene, error))? {
        MapSource::Text(text) => text_map(&format!("{}, [map] text", scene.display()), &text),
        MapSource::File(name) => {
            let path = scene
                .parent()
                .map_or_else(|| PathBuf::from(&name), |folder| folder.join(&name));
            let loaded = maps::load(&path, GreyArgument::WhiteCheap)?;
            Ok(SceneMap {
                costs: loaded.costs,
                goals: loaded.goals,
                marks: loaded.marks,
            })
        }
        MapSource::Generate { kind, side, seed } => {
            let map = kind
                .generate(side, seed)
                .map_err(|error| CliError::Usage(format!("{}, [map] generate: {error}", scene.display())))?;
            Ok(SceneMap {
                costs: map.cost_field(),
                goals: vec![map.goal_cell()],
                marks: Vec::new(),
            })
        }
    }
}

fn text_map(name: &str, text: &str) -> Result<SceneMap, CliError> {
    let grid = read_text_grid(name, text.as_bytes())?;
    Ok(SceneMap {
        costs: grid.costs,
        goals: grid.goals,
        marks: grid.marks,
    })
}

fn run_scene(
    name: &Path,
    scene: Scene,
    out: &Path,
    threads: usize,
    options: &RunOptions,
) -> Result<RunSummary, CliError> {
    let workers = field::workers(threads)?;
    let simulation = Simulation::new(scene, workers.as_ref()).map_err(|error| CliError::Simulation {
        scene: name.to_owned(),
        error,
    })?;
    std::fs::create_dir_all(out).map_err(|source| CliError::Folder {
        folder: out.to_owned(),
        source,
    })?;
    outputs::run(name, simulation, out, workers.as_ref(), options)
}

fn print(summary: &RunSummary, as_json: bool) -> Result<(), CliError> {
    if as_json {
        return json::print(summary);
    }
    print!("{}", summary.text());
    Ok(())
}
