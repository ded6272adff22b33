//! Many goal sets on one map: one by one, as lanes, and as `integrate_batch` chooses, interleaved in one run.
//!
//! Usage: `batch [--rounds N] [--sides N,…] [--sets N,…] [--kinds KIND,…] [--vectors NAME] [--threads N] [--json FILE] [MAP…]`.
//!
//! The goal sets have one goal each, spread over the cells that can reach the map's own goal. Every contestant keeps its
//! buffers from round to round. Before anything is timed, all give the same bits. Times are nanoseconds per cell with a way
//! and goal set; a ratio is the time of one by one divided by the time of the contestant, made within a round.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose purpose is to print figures"
)]

use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use thalweg::generate::MapKind;
use thalweg::pool::RayonWorkers;
use thalweg_benches::{GeneratedMap, read_map};
use thalweg_core::grid::CellId;
use thalweg_core::integrate::{
    BatchMethod, BatchOptions, BatchScratch, BatchStats, Engine, GoalSet, IntegrateOptions, IntegrationField,
    ResolvedGoals, Vectors, integrate_batch,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::{Serial, Workers};

struct Options {
    rounds: usize,
    sides: Vec<u32>,
    sets: Vec<usize>,
    kinds: Vec<MapKind>,
    vectors: Vectors,
    threads: usize,
    json: Option<PathBuf>,
    /// Names of the contestants that are timed beside `auto` and `tiles`; empty for all.
    only: Vec<String>,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("batch: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        rounds: 7,
        sides: vec![64, 128, 200, 256, 512, 1024],
        sets: vec![4, 8, 16, 64],
        kinds: [
            MapKind::Open,
            MapKind::Town,
            MapKind::Rooms,
            MapKind::Random20,
            MapKind::Terrain8,
            MapKind::Maze,
        ]
        .to_vec(),
        vectors: Vectors::Best,
        threads: 1,
        json: None,
        only: Vec::new(),
        files: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--rounds" => options.rounds = number::<usize>(&value()?)?.max(1),
            "--sides" => options.sides = list(&value()?, number)?,
            "--sets" => options.sets = list(&value()?, number)?,
            "--kinds" => {
                options.kinds = list(&value()?, |word| word.parse().map_err(|error| format!("{error}")))?;
            }
            "--vectors" => {
                let name = value()?;
                options.vectors = Vectors::ALL
                    .into_iter()
                    .find(|vectors| vectors.to_string() == name)
                    .ok_or(format!("`{name}` names no vectors"))?;
            }
            "--threads" => options.threads = number::<usize>(&value()?)?.max(1),
            "--only" => options.only = list(&value()?, |word| Ok(word.to_owned()))?,
            "--json" => options.json = Some(value()?.into()),
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            file => options.files.push(file.into()),
        }
    }
    Ok(options)
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N, String> {
    text.parse()
        .map_err(|_| format!("`{text}` is not a whole number"))
}

fn list<T>(text: &str, item: impl Fn(&str) -> Result<T, String>) -> Result<Vec<T>, String> {
    text.split([',', ' '])
        .filter(|word| !word.is_empty())
        .map(item)
        .collect()
}

fn run(options: &Options) -> Result<(), String> {
    let mut rows = Vec::new();
    println!(
        "{:<16} {:>5} {:<8} {:>9} {:>8}  {:>7} {:>7}  {:>7} {:>7}  {:>8} {:>8}",
        "map", "sets", "how", "ns/c/set", "least", "÷ auto", "best", "÷ tiles", "best", "in lanes", "gave up"
    );
    for &side in &options.sides {
        for kind in &options.kinds {
            let map = kind.generate(side, 0).map_err(|error| error.to_string())?;
            race(&map, options, &mut rows)?;
        }
    }
    for file in &options.files {
        race(&read_map(file)?, options, &mut rows)?;
    }
    if let Some(path) = &options.json {
        let text = json!({ "rows": rows }).to_string();
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// One way to work a batch, with its own buffers.
struct Contestant {
    name: &'static str,
    options: BatchOptions,
    scratch: BatchScratch,
    fields: Vec<IntegrationField>,
    stats: BatchStats,
    times: Vec<f64>,
}

impl Contestant {
    fn new(name: &'static str, engine: Engine, method: BatchMethod, vectors: Vectors) -> Self {
        let each = IntegrateOptions::new().with_engine(engine).with_vectors(vectors);
        Self {
            name,
            options: BatchOptions::from(each).with_method(method),
            scratch: BatchScratch::new(),
            fields: Vec::new(),
            stats: BatchStats::default(),
            times: Vec::new(),
        }
    }

    fn turn(&mut self, movement: &Movement, sets: &[ResolvedGoals], workers: &dyn Workers) -> f64 {
        let start = Instant::now();
        let (scratch, fields) = (&mut self.scratch, &mut self.fields);
        self.stats = integrate_batch(movement, sets, &self.options, workers, scratch, fields)
            .expect("the costs of a bench map fit");
        start.elapsed().as_secs_f64()
    }
}

fn race(map: &GeneratedMap, options: &Options, rows: &mut Vec<Value>) -> Result<(), String> {
    let movement = Movement::compile(&map.cost_field(), &MovementProfile::new());
    let pool = RayonWorkers::new(options.threads).map_err(|error| error.to_string())?;
    let workers: &dyn Workers = if options.threads == 1 { &Serial } else { &pool };
    for &count in &options.sets {
        let (sets, cells) = spread(map, &movement, count)?;
        let vectors = options.vectors;
        let mut contestants = [
            Contestant::new("auto", Engine::Auto, BatchMethod::OneByOne, vectors),
            Contestant::new("tiles", Engine::Tiles, BatchMethod::OneByOne, vectors),
            Contestant::new("lanes", Engine::Auto, BatchMethod::Lanes, vectors),
            Contestant::new("batch", Engine::Auto, BatchMethod::Auto, vectors),
        ];
        let mut once = f64::INFINITY;
        for which in 0..contestants.len() {
            once = once.min(contestants[which].turn(&movement, &sets, workers));
            if contestants[which].fields != contestants[0].fields {
                return Err(format!("{} differs on {}", contestants[which].name, map.name));
            }
        }
        let turns = (4e-3 / once).ceil() as usize;
        for round in 0..options.rounds {
            for turn in 0..contestants.len() {
                // Another one begins in each round: none always follows the same one.
                let contestant = &mut contestants[(turn + round) % 4];
                let total: f64 = (0..turns)
                    .map(|_| contestant.turn(&movement, &sets, workers))
                    .sum();
                contestant.times.push(total / turns as f64);
            }
        }
        for contestant in &contestants {
            let own = &contestant.times;
            let per_cell = |seconds: f64| seconds * 1e9 / (cells * count) as f64;
            let to = |other: &Contestant| {
                let ratios: Vec<f64> = other
                    .times
                    .iter()
                    .zip(own)
                    .map(|(other, own)| other / own)
                    .collect();
                (median(&ratios), minimum(&other.times) / minimum(own))
            };
            let (to_auto, to_tiles) = (to(&contestants[0]), to(&contestants[1]));
            println!(
                "{:<16} {:>5} {:<8} {:>9.2} {:>8.2}  {:>7.2} {:>7.2}  {:>7.2} {:>7.2}  {:>8} {:>8}",
                map.name,
                count,
                contestant.name,
                per_cell(median(own)),
                per_cell(minimum(own)),
                to_auto.0,
                to_auto.1,
                to_tiles.0,
                to_tiles.1,
                contestant.stats.in_lanes,
                contestant.stats.gave_up
            );
            rows.push(json!({
                "map": map.name, "sets": count, "how": contestant.name, "threads": options.threads,
                "cells": cells, "ns_per_cell_and_set": per_cell(median(own)),
                "ns_per_cell_and_set_min": per_cell(minimum(own)),
                "ratio_to_auto": to_auto.0, "ratio_to_auto_best": to_auto.1,
                "ratio_to_tiles": to_tiles.0, "ratio_to_tiles_best": to_tiles.1,
                "in_lanes": contestant.stats.in_lanes, "gave_up": contestant.stats.gave_up,
            }));
        }
    }
    Ok(())
}

/// Goal sets of one cell, spread over the cells that can reach the map's own goal, and how many cells that are.
fn spread(
    map: &GeneratedMap,
    movement: &Movement,
    count: usize,
) -> Result<(Vec<ResolvedGoals>, usize), String> {
    let resolve = |cell| {
        GoalSet::from_cells([cell])
            .resolve(movement)
            .map_err(|error| error.to_string())
    };
    let mut fields = Vec::new();
    let own = [resolve(map.goal_cell())?];
    let options = BatchOptions::new();
    integrate_batch(
        movement,
        &own,
        &options,
        &Serial,
        &mut BatchScratch::new(),
        &mut fields,
    )
    .map_err(|error| error.to_string())?;
    let grid = movement.grid();
    let reached: Vec<CellId> = grid.ids().filter(|&id| fields[0].cost(id).is_some()).collect();
    // Steps of the golden ratio along the cells in row order: even in both directions on any map.
    let sets = (0..count).map(|set| {
        let share = (set as f64 * 0.618_033_988_75 + 0.31).fract();
        resolve(grid.cell(reached[(share * reached.len() as f64) as usize]))
    });
    Ok((sets.collect::<Result<_, _>>()?, reached.len()))
}

fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
