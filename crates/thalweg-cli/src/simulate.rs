//! `thalweg simulate` and `thalweg demo`: runs a scene and writes what came of it.

use crate::args::{DemoArguments, SimulateArguments};
use crate::error::{Answer, CliError};
use crate::inputs::InputFile;
use crate::run::{self, RunOptions, RunSummary};
use crate::scene_files::SceneFiles;
use crate::scenes::{self, parse, scene_error, text_map};
use crate::{field, json, mapf};
use std::path::Path;
use thalweg::recording::RecordedScene;
use thalweg::scene::Scene;
use thalweg::simulation::Simulation;

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
        trajectories: Vec::new(),
        animation: true,
        quiet: arguments.run.json,
        record: None,
        inputs: None,
    };
    let summary = run_scene(name, scene, &arguments.out, arguments.run.threads, options)?;
    print(&summary, arguments.run.json)?;
    Ok(Answer::Yes)
}

pub(crate) fn run(arguments: &SimulateArguments) -> Result<Answer, CliError> {
    if let Some(map) = &arguments.mapf.mapf {
        // A limit that was not typed has been refused.
        let ticks = arguments.ticks.unwrap_or(0);
        return mapf::run(
            &arguments.mapf,
            map,
            ticks,
            arguments.run.threads,
            arguments.run.json,
        );
    }
    let (Some(path), Some(out)) = (&arguments.scene, &arguments.out) else {
        return Err(CliError::Usage(
            "name a scene and a folder with --out, or a map with --mapf".to_owned(),
        ));
    };
    let text = scenes::read_text(path)?;
    let mut files = match &arguments.recording.record {
        Some(_) => SceneFiles::kept(path),
        None => SceneFiles::on_disk(),
    };
    let (file, map) = scenes::load_from(path, &text, &mut files)?;
    let mut recorded = RecordedScene::new(path.display().to_string(), text);
    (recorded.tick_s, recorded.ticks) = (arguments.tick, arguments.ticks);
    let scene = Scene::new(&file, map).map_err(|error| scene_error(path, error))?;
    let scene = recorded
        .set_on(scene)
        .map_err(|error| CliError::Usage(format!("--tick: {error}")))?;
    if arguments.ticks == Some(0) {
        return Err(CliError::Usage("--ticks is 0; it must be at least 1".to_owned()));
    }
    let inputs = arguments.recording.inputs.as_deref();
    let inputs = inputs.map(|inputs| InputFile::load(inputs, &scene)).transpose()?;
    let options = RunOptions {
        trajectories: arguments.trajectories.clone(),
        animation: !arguments.no_animation,
        quiet: arguments.run.json,
        record: arguments.recording.plan(recorded, files),
        inputs,
    };
    let summary = run_scene(path, scene, out, arguments.run.threads, options)?;
    print(&summary, arguments.run.json)?;
    Ok(Answer::Yes)
}

fn run_scene(
    name: &Path,
    scene: Scene,
    out: &Path,
    threads: usize,
    options: RunOptions,
) -> Result<RunSummary, CliError> {
    let workers = field::workers(threads)?;
    let simulation = Simulation::new(scene, workers.as_ref()).map_err(|error| CliError::Simulation {
        scene: name.to_owned(),
        error: Box::new(error),
    })?;
    std::fs::create_dir_all(out).map_err(|source| CliError::Folder {
        folder: out.to_owned(),
        source,
    })?;
    run::run(name, simulation, out, workers.as_ref(), options)
}

fn print(summary: &RunSummary, as_json: bool) -> Result<(), CliError> {
    if as_json {
        return json::print(summary);
    }
    json::print_text(&summary.text())
}
