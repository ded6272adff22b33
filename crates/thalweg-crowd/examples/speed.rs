//! What a step costs: `cargo run --release -p thalweg-crowd --example speed -- [AGENTS [THREADS [SCENE]]]`.
//!
//! A map of 500 × 500 cells with one wall and one goal; agents of radius 0.3 at one per cell, spread over the whole map,
//! and packed in one cell each of a block. Prints nanoseconds per agent and step, the best and the median of the steps.
#![allow(clippy::print_stdout, reason = "an example prints")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Random, Threads, World, at, costs_of, profile};
use std::time::Instant;
use thalweg_core::grid::Cell;
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{AgentSpec, Avoidance, Crowd, CrowdOptions, GroupId};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let agents: u32 = arguments
        .next()
        .and_then(|text| text.parse().ok())
        .unwrap_or(20_000);
    let threads: usize = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1);
    let map: Vec<String> = (0..500)
        .map(|y| {
            (0..500)
                .map(|x| {
                    if x == 300 && !(200..300).contains(&y) {
                        '#'
                    } else {
                        '.'
                    }
                })
                .collect()
        })
        .collect();
    let world = World::new(
        &costs_of(&map),
        &profile(Connectivity::Eight, CornerRule::BothFree),
        &[Cell::new(490, 250)],
    );
    let serial = Serial;
    let pool = Threads(threads);
    let workers: &dyn Workers = if threads == 1 { &serial } else { &pool };
    let side = f64::from(agents).sqrt().ceil();
    let only: Option<usize> = arguments.next().and_then(|text| text.parse().ok());
    for (index, (name, apart, avoidance)) in [
        ("spread over the map", 500.0 / side, Avoidance::Separation),
        ("one per cell", 1.0, Avoidance::Separation),
        ("two per cell", 0.707, Avoidance::Separation),
        ("one per cell, no avoidance", 1.0, Avoidance::Off),
    ]
    .into_iter()
    .enumerate()
    {
        if only.is_some_and(|only| only != index) {
            continue;
        }
        let mut crowd = Crowd::new(
            world.movement.grid().clone(),
            CrowdOptions::default().with_avoidance(avoidance),
        )
        .expect("the map is small");
        let mut random = Random(1);
        for agent in 0..agents {
            let (column, row) = (f64::from(agent % side as u32), f64::from(agent / side as u32));
            let place = |index: f64, random: &mut Random| ((index + random.unit()) * apart).min(499.9);
            let spec = AgentSpec {
                position: at(place(column, &mut random), place(row, &mut random)),
                radius: 0.3,
                max_speed: 1.0 + random.unit() as f32 * 0.5,
                group: GroupId(0),
            };
            // Those that would stand in the wall are left out.
            let _ = crowd.add(&world.movement, spec);
        }
        let groups = [world.input()];
        let mut times = Vec::new();
        for tick in 0..140 {
            let start = Instant::now();
            crowd
                .step(&groups, 1.0 / 30.0, workers)
                .expect("the scene is sound");
            if tick >= 40 {
                times.push(start.elapsed().as_secs_f64() * 1e9 / crowd.len() as f64);
            }
        }
        times.sort_by(f64::total_cmp);
        println!(
            "{name}: {} agents, best {:.0} ns, median {:.0} ns per agent and step",
            crowd.len(),
            times[0],
            times[times.len() / 2]
        );
    }
}
