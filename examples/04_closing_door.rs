//! A scene in which a door closes, run twice. Run with `cargo run --example 04_closing_door`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::generate::MapKind;
use thalweg::prelude::*;
use thalweg::scene::{Scene, SceneFile, SceneMap};

const SCENE: &str = r#"
format = 1
name = "closing door"
seed = 5
duration_s = 20.0
tick_s = 0.05

[map]
generate = { kind = "open", side = 24 }

[[goal]]
name = "exit"
cells = [[22, 12]]

[[door]]
name = "yard"
area = [12, 4, 12, 20]

[[event]]
at_tick = 40
close = "yard"

[[group]]
name = "people"
count = 60
area = [1, 8, 8, 16]
goals = ["exit"]
speed = [1.2, 1.6]
arrival = "leave"
"#;

fn run(workers: &dyn Workers) -> Result<(u64, u64), Box<dyn std::error::Error>> {
    let file = SceneFile::parse(SCENE)?;
    let map = MapKind::Open.generate(24, 0)?;
    let scene = Scene::new(&file, SceneMap::new(map.cost_field()))?;
    let mut simulation = Simulation::new(scene, workers)?;
    let mut arrived = 0;
    while !simulation.is_finished() {
        let report = simulation.step(workers)?;
        if report.events > 0 {
            println!(
                "tick {}: the door closes, {} field is made anew",
                report.tick,
                report.fields_built + report.fields_repaired
            );
        }
        arrived = report.step.arrived_total;
    }
    Ok((arrived, simulation.crowd().state_hash().0))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let alone = run(&Serial)?;
    let together = run(&RayonWorkers::new(4)?)?;
    println!(
        "{} of 60 arrived round the closed door; state hash {:016x}",
        alone.0, alone.1
    );
    assert_eq!(alone, together, "the same bits on 1 and 4 threads");
    assert!(alone.0 > 0, "some got there");
    Ok(())
}
