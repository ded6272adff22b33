//! What a recording costs: bytes per agent and tick, and time beside that of the steps. Run with
//! `cargo run --release -p thalweg --example recording [SCENE…]`.

#![expect(clippy::print_stdout, reason = "a measurement prints what it measured")]

use std::path::Path;
use std::time::{Duration, Instant};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::recording::{Ending, RecordedScene, RecordingOptions, RecordingReader, RecordingWriter};
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};
use thalweg_io::{LoadOptions, MapLink, load_map, map_from_bytes};

const SCENES: [&str; 4] = [
    "scenes/town_chase.toml",
    "scenes/counterflow_1.toml",
    "scenes/counterflow_1_strict.toml",
    "scenes/warehouse.toml",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let named: Vec<String> = std::env::args().skip(1).collect();
    let scenes = if named.is_empty() {
        SCENES.map(str::to_owned).to_vec()
    } else {
        named
    };
    let workers = RayonWorkers::new(0)?;
    println!(
        "scene, ticks, agent-ticks, states every, bytes, bytes an agent-tick, step ms, recording ms, ratio, reading ms"
    );
    for path in scenes {
        for every in [1, 16, 0] {
            measure(&path, every, &workers)?;
        }
    }
    Ok(())
}

fn measure(path: &str, every: u64, workers: &RayonWorkers) -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(path)?;
    let scene = load(path, &text)?;
    let mut simulation = Simulation::new(scene, workers)?;
    let options = RecordingOptions::new().with_states_every(every);
    let recorded = RecordedScene::new(path.to_owned(), text);
    let mut writer = RecordingWriter::new(Vec::new(), recorded, &simulation, options)?;
    let (mut stepping, mut recording, mut agent_ticks) = (Duration::ZERO, Duration::ZERO, 0);
    while !simulation.is_finished() {
        let begin = Instant::now();
        let report = simulation.step(workers)?;
        let stepped = Instant::now();
        writer.after_tick(&simulation, &report)?;
        stepping += stepped - begin;
        recording += stepped.elapsed();
        agent_ticks += simulation.crowd().len();
    }
    let bytes = writer.finish(&Ending::Finished)?;
    let begin = Instant::now();
    let mut reader = RecordingReader::new(&bytes[..])?;
    while reader.next_moment()?.is_some() {}
    let reading = begin.elapsed();
    #[expect(clippy::cast_precision_loss, reason = "figures")]
    let each = bytes.len() as f64 / agent_ticks.max(1) as f64;
    println!(
        "{path}, {}, {agent_ticks}, {every}, {}, {each:.2}, {:.0}, {:.0}, {:.2}, {:.0}",
        simulation.tick(),
        bytes.len(),
        stepping.as_secs_f64() * 1e3,
        recording.as_secs_f64() * 1e3,
        recording.as_secs_f64() / stepping.as_secs_f64(),
        reading.as_secs_f64() * 1e3,
    );
    Ok(())
}

fn load(path: &str, text: &str) -> Result<Scene, Box<dyn std::error::Error>> {
    let file = SceneFile::parse(text)?;
    let map = match file.map_source()? {
        MapSource::Text(text) => {
            map_from_bytes(Path::new("map.txt"), text.as_bytes(), &LoadOptions::default())?
        }
        MapSource::File(name) => load_map(Path::new(path).with_file_name(name))?,
        MapSource::Generate { kind, side, seed } => {
            let map = kind.generate(side, seed)?;
            let map = SceneMap {
                goals: vec![map.goal_cell()],
                ..SceneMap::new(map.cost_field())
            };
            return Ok(Scene::new(&file, map)?);
        }
    };
    let map = SceneMap {
        costs: map.costs,
        goals: map.goals,
        marks: map.marks,
        links: map.links.iter().flat_map(MapLink::ways).collect(),
    };
    Ok(Scene::new(&file, map)?)
}
