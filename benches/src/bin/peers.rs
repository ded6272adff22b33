//! Our engines beside other Rust libraries, interleaved in one run; with `--serve`, beside whoever asks over a pipe.
//!
//! Usage: `peers [--rounds N] [--side CELLS] [--bracket-side CELLS] [--json FILE] [MAP…]` or `peers --serve [--side CELLS]`.
//! `--side` (1024) is the side of the generated maps, `--bracket-side` (512) that of the maps for bracket-lib, whose
//! every run on terrain takes seconds. The shared game map and the files named are measured with both.
//!
//! What each peer can and cannot express:
//! - `pathfinding::dijkstra_all` takes any graph as a function. It gets ours, edge by edge (corner rule, charge and
//!   scale included), as an iterator that allocates nothing; whole numbers. Its answer must equal ours in every cell.
//!   Its hash map of parents is part of what it does: there is no dense variant of the call.
//! - bracket-lib's `DijkstraMap` takes exits per cell with `f32` costs, so it gets the same graph. It is
//!   label-correcting with a first-in-first-out queue, and does not give its start cell 0 but the way out and back;
//!   all other cells must equal ours (sums stay below 2^24, where `f32` is exact).
//!
//! Both run the wave from the goal over entries, as we do. Neither makes directions, so that our integration alone is
//! the fair counterpart; `pipeline` (rules, integration and directions) is there to show what the whole costs.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose purpose is to print figures"
)]

use bracket_algorithm_traits::prelude::BaseMap;
use bracket_pathfinding::prelude::DijkstraMap;
use serde_json::{Value, json};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hint::black_box;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use thalweg_benches::rounds::{AUTO, Contestant, DIAL, PIPELINE, Row, race, table_head};
use thalweg_benches::subject::Subject;
use thalweg_benches::{GeneratedMap, MapKind};
use thalweg_benches::{data_dir, read_map};
use thalweg_core::grid::CellId;
use thalweg_core::integrate::Engine;
use thalweg_core::movement::MovementProfile;

/// The shared game map that is measured when it is present.
const GAME_MAP: &str = "movingai/cities/Berlin_0_256.map";

/// What peers are compared with.
const YARDSTICKS: [&str; 3] = [AUTO, DIAL, PIPELINE];

struct Options {
    rounds: usize,
    side: u32,
    bracket_side: u32,
    json: Option<PathBuf>,
    serve: bool,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    let outcome = parse(std::env::args().skip(1)).and_then(|options| {
        if options.serve {
            serve(&maps(&options, options.side)?)
        } else {
            compare(&options)
        }
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        rounds: 11,
        side: 1024,
        bracket_side: 512,
        json: None,
        serve: false,
        files: Vec::new(),
    };
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        let number = |text: String| {
            text.parse::<u32>()
                .map_err(|_| format!("`{text}` is not a whole number"))
        };
        match argument.as_str() {
            "--rounds" => options.rounds = number(value()?)?.max(1) as usize,
            "--side" => options.side = number(value()?)?.max(8),
            "--bracket-side" => options.bracket_side = number(value()?)?.max(8),
            "--json" => options.json = Some(value()?.into()),
            "--serve" => options.serve = true,
            flag if flag.starts_with('-') => return Err(format!("unknown option {flag}")),
            file => options.files.push(file.into()),
        }
    }
    Ok(options)
}

/// Generated maps, the shared game map if it is there, and the files asked for.
fn maps(options: &Options, side: u32) -> Result<Vec<GeneratedMap>, String> {
    let kinds = [MapKind::Open, MapKind::Random20, MapKind::Terrain8, MapKind::Town];
    let mut maps = Vec::new();
    for kind in kinds {
        maps.push(kind.generate(side, 0).map_err(|error| error.to_string())?);
    }
    let game_map = data_dir().join(GAME_MAP);
    if game_map.exists() {
        maps.push(read_map(&game_map)?);
    } else {
        eprintln!("skipped: no shared game map at {}", game_map.display());
    }
    for file in &options.files {
        maps.push(read_map(file)?);
    }
    Ok(maps)
}

fn compare(options: &Options) -> Result<(), String> {
    let mut rows = Vec::new();
    println!("{}", table_head(&YARDSTICKS));
    for (side, peer) in [
        (options.side, Peer::Pathfinding),
        (options.bracket_side, Peer::Bracket),
    ] {
        for map in maps(options, side)? {
            for row in compare_on(&map, peer, options.rounds)? {
                println!("{row}");
                rows.push(row);
            }
        }
    }
    println!(
        "a figure of 5: the contestant takes five times as long as ours; auto and dial: integration alone, pipeline: \
         from costs to all directions; median of the rounds, the least of them, best by best"
    );
    if let Some(path) = &options.json {
        let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
        let text =
            serde_json::to_string_pretty(&json!({ "rows": rows })).map_err(|error| error.to_string())?;
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Peer {
    Pathfinding,
    Bracket,
}

fn compare_on(map: &GeneratedMap, peer: Peer, rounds: usize) -> Result<Vec<Row>, String> {
    let profile = MovementProfile::new();
    let subject = || Subject::new(map, &profile);
    let mut oracle = subject();
    oracle.integrate(Engine::Auto);
    let cells = oracle.reached();
    let graph = subject();
    let contestant = match peer {
        Peer::Pathfinding => {
            check_pathfinding(&oracle, &map.name)?;
            Contestant::new("pathfinding", || {
                black_box(pathfinding_field(&graph));
            })
        }
        Peer::Bracket => {
            check_bracket(&oracle, map)?;
            Contestant::new("bracket-pathfinding", || {
                black_box(bracket_field(&graph, map));
            })
        }
    };
    let (mut auto, mut dial, mut pipeline) = (subject(), subject(), subject());
    let mut contestants = [
        Contestant::new(AUTO, || auto.integrate(Engine::Auto)),
        Contestant::new(DIAL, || dial.integrate(Engine::Buckets)),
        Contestant::new(PIPELINE, || pipeline.pipeline()),
        contestant,
    ];
    Ok(race(&map.name, cells, rounds, &YARDSTICKS, &mut contestants))
}

fn pathfinding_field(graph: &Subject) -> HashMap<u32, (u32, u32)> {
    pathfinding::directed::dijkstra::dijkstra_all(&graph.goal().0, |&cell| {
        graph.entries(CellId(cell)).map(|(from, step)| (from.0, step))
    })
}

fn check_pathfinding(oracle: &Subject, map: &str) -> Result<(), String> {
    let theirs = pathfinding_field(oracle);
    let grid = oracle.field().grid();
    let differing = grid.ids().filter(|&id| {
        let ours = oracle.field().cost(id).map(|cost| cost.0);
        id != oracle.goal() && ours != theirs.get(&id.0).map(|entry| entry.1)
    });
    match differing.count() {
        0 => Ok(()),
        count => Err(format!("pathfinding differs from us in {count} cells of {map}")),
    }
}

/// Our graph behind bracket's trait.
struct Exits<'a>(&'a Subject);

impl BaseMap for Exits<'_> {
    fn get_available_exits(&self, index: usize) -> SmallVec<[(usize, f32); 10]> {
        let entries = self.0.entries(CellId::from_index(index));
        entries.map(|(from, step)| (from.index(), step as f32)).collect()
    }
}

fn bracket_field(graph: &Subject, map: &GeneratedMap) -> DijkstraMap {
    DijkstraMap::new(
        map.width,
        map.height,
        &[graph.goal().index()],
        &Exits(graph),
        f32::MAX,
    )
}

fn check_bracket(oracle: &Subject, map: &GeneratedMap) -> Result<(), String> {
    let theirs = bracket_field(oracle, map).map;
    let grid = oracle.field().grid();
    let differing = grid.ids().filter(|&id| {
        let ours = oracle.field().cost(id).map_or(f32::MAX, |cost| cost.0 as f32);
        id != oracle.goal() && ours != theirs[id.index()]
    });
    match differing.count() {
        0 => Ok(()),
        count => Err(format!(
            "bracket-pathfinding differs from us in {count} cells of {}",
            map.name
        )),
    }
}

/// Answers one JSON object a line, until the pipe closes:
/// `{"ask":"maps"}`, `{"ask":"field"|"time", "map":NAME, "neighbours":"4"|"8", "corner":…, "charge":…, "scale":…,
/// "engine":…, "turns":N}`.
///
/// Times are taken here, so that neither starting a process nor the pipe counts.
fn serve(maps: &[GeneratedMap]) -> Result<(), String> {
    let mut subjects: HashMap<String, Subject> = HashMap::new();
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let request: Value =
            serde_json::from_str(&line).map_err(|error| format!("request {line}: {error}"))?;
        let reply =
            answer(&request, maps, &mut subjects).map_err(|error| format!("request {line}: {error}"))?;
        writeln!(out, "{reply}")
            .and_then(|()| out.flush())
            .map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn answer(
    request: &Value,
    maps: &[GeneratedMap],
    subjects: &mut HashMap<String, Subject>,
) -> Result<Value, String> {
    let word = |key: &str| request[key].as_str().ok_or(format!("`{key}` is missing"));
    if word("ask")? == "maps" {
        let maps = maps.iter().map(|map| {
            json!({
                "name": map.name, "width": map.width, "height": map.height,
                "goal": [map.goal.0, map.goal.1], "costs": map.costs,
            })
        });
        return Ok(maps.collect());
    }
    let (name, neighbours, corner) = (word("map")?, word("neighbours")?, word("corner")?);
    let (charge, scale) = (word("charge")?, word("scale")?);
    let map = maps
        .iter()
        .find(|map| map.name == name)
        .ok_or(format!("no map {name}"))?;
    let error_text = |error: thalweg_core::movement::ProfileError| error.to_string();
    let profile = MovementProfile::new()
        .with_connectivity(neighbours.parse().map_err(error_text)?)
        .with_corner_rule(corner.parse().map_err(error_text)?)
        .with_charge(charge.parse().map_err(error_text)?)
        .with_scale(scale.parse().map_err(error_text)?);
    let subject = subjects
        .entry(format!("{name} {neighbours} {corner} {charge} {scale}"))
        .or_insert_with(|| Subject::new(map, &profile));
    let engine = word("engine")?;
    let mut run: Box<dyn FnMut(&mut Subject)> = if engine == PIPELINE {
        Box::new(Subject::pipeline)
    } else {
        let engine: Engine = engine.parse().map_err(error_text)?;
        if !engine.supports(subject.movement()) {
            return Ok(Value::Null);
        }
        Box::new(move |subject| subject.integrate(engine))
    };
    match word("ask")? {
        "time" => {
            let turns = u32::try_from(request["turns"].as_u64().unwrap_or(1).max(1)).unwrap_or(u32::MAX);
            let start = Instant::now();
            for _ in 0..turns {
                run(subject);
            }
            Ok(json!(start.elapsed().as_secs_f64() / f64::from(turns)))
        }
        "field" => {
            run(subject);
            let field = subject.field();
            let costs: Vec<Option<u32>> = field
                .reaches()
                .map(|reach| reach.cost().map(|cost| cost.0))
                .collect();
            Ok(json!({ "unit": field.cost_unit(), "costs": costs }))
        }
        other => Err(format!("nothing to ask under `{other}`")),
    }
}
