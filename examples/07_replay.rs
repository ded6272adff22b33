//! A game for two machines: inputs by tick, a recording on each, a replay, and where the two go apart. Run with
//! `cargo run --example 07_replay`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::crowd::AgentId;
use thalweg::prelude::*;
use thalweg::recording::{
    Comparison, Ending, LastTick, RecordedScene, RecordingOptions, RecordingReader, RecordingWriter, Replay,
    ReplayStep, compare,
};
use thalweg::scene::{EventAction, Scene, SceneFile, SceneMap};
use thalweg::simulation::{Input, Place};

const YARD: &str = r#"
format = 1
name = "yard"
seed = 9
duration_s = 10.0
tick_s = 0.1
map = { generate = { kind = "open", side = 16 } }
goal = [{ name = "east", cells = [[14, 8]] }]
door = [{ name = "gate", area = [8, 1, 8, 14] }]
group = [{ name = "people", count = 30, area = [1, 2, 6, 13], goals = ["east"], speed = [1.2, 1.6] }]
"#;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The scene of a text; maps that lie in files would come from the recording, too.
fn simulation(text: &str, workers: &dyn Workers) -> Fallible<Simulation> {
    let costs = CostField::filled(Grid::new(16, 16)?, Cost::PLAIN);
    let scene = Scene::new(&SceneFile::parse(text)?, SceneMap::new(costs))?;
    Ok(Simulation::new(scene, workers)?)
}

/// What the players do, as both machines have agreed.
fn inputs(tick: u64) -> Vec<Input> {
    let seventh = AgentId::from_bits(7);
    match tick {
        15 => vec![Input::Act(EventAction::Close(0))],
        20 => vec![
            Input::Add {
                group: 0,
                place: Place::Cell(Cell::new(1, 1)),
            },
            Input::Remove(seventh),
        ],
        // Sent before it was known that the seventh is gone: skipped, on every machine.
        21 => vec![Input::Push {
            agent: seventh,
            way: [1.0, 0.0],
        }],
        30 => vec![Input::Act(EventAction::Open(0))],
        _ => Vec::new(),
    }
}

/// Plays the game on one machine and returns its recording. A `fault` is a push that the other machine does not do.
fn play(workers: &dyn Workers, fault: Option<u64>) -> Fallible<Vec<u8>> {
    let mut simulation = simulation(YARD, workers)?;
    let recorded = RecordedScene::new("yard.toml".to_owned(), YARD.to_owned());
    let mut writer = RecordingWriter::new(Vec::new(), recorded, &simulation, RecordingOptions::new())?;
    while !simulation.is_finished() {
        let mut inputs = inputs(simulation.tick());
        writer.before_tick(&inputs);
        if fault == Some(simulation.tick()) {
            inputs.push(Input::Push {
                agent: AgentId::from_bits(3),
                way: [0.01, 0.0],
            });
        }
        let report = simulation.step_with(&inputs, workers)?;
        for refused in &report.inputs.refused {
            let input = &inputs[refused.index];
            println!("tick {}: skipped \"{input}\": {}", report.tick, refused.error);
        }
        writer.after_tick(&simulation, &report)?;
    }
    Ok(writer.finish(&Ending::Finished)?)
}

fn main() -> Fallible<()> {
    // One machine has four threads, the other one.
    let first = play(&RayonWorkers::new(4)?, None)?;
    println!("a game of 100 ticks in {} bytes", first.len());

    let reader = RecordingReader::new(&first[..])?;
    let simulation = simulation(&reader.head().scene.text, &Serial)?;
    let mut replay = Replay::new(reader, simulation)?;
    let end = loop {
        match replay.step(&Serial)? {
            ReplayStep::Agrees => {}
            other => break other,
        }
    };
    assert_eq!(end, ReplayStep::End(LastTick::None), "the same on one thread");
    println!("replayed {} ticks, all agree", replay.simulation().tick());

    // A machine with a fault: its player's mouse pushed somebody, and nobody else was told.
    let second = play(&Serial, Some(42))?;
    let comparison = compare(
        &mut RecordingReader::new(&first[..])?,
        &mut RecordingReader::new(&second[..])?,
    )?;
    let Comparison::Differs(divergence) = comparison else {
        return Err(format!("they must differ, but are {comparison:?}").into());
    };
    println!("the two went apart {divergence}");
    assert_eq!(divergence.tick, 43, "in the tick after 42 had been stepped");
    Ok(())
}
