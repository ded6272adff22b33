//! `thalweg bench`: the product's own figures on this machine.

use crate::args::{
    BenchArguments, BenchCommand, BenchCrowdArguments, BenchFieldArguments, BenchRepairArguments,
    GreyArgument,
};
use crate::bench_asked;
use crate::bench_crowd::{self, CrowdBenchOptions};
use crate::bench_field::{self, FieldBenchOptions};
use crate::bench_strict::{self, StrictBenchOptions, StrictSceneKind};
use crate::error::{Answer, CliError};
use crate::{bench_repair, json, maps};
use std::path::Path;
use thalweg::generate::{GeneratedMap, MapKind};

pub(crate) fn run(arguments: &BenchArguments) -> Result<Answer, CliError> {
    match &arguments.what {
        BenchCommand::Field(field) => run_field(field),
        BenchCommand::Repair(repair) => run_repair(repair),
        BenchCommand::Crowd(crowd) => run_crowd(crowd),
    }
}

fn run_crowd(arguments: &BenchCrowdArguments) -> Result<Answer, CliError> {
    for (name, least) in [
        ("--rounds", Some(arguments.rounds)),
        ("--ticks", Some(arguments.ticks)),
        ("--threads", arguments.threads.iter().copied().min()),
        (
            "--agents",
            arguments.agents.iter().map(|&agents| agents as usize).min(),
        ),
    ] {
        if least == Some(0) {
            return Err(CliError::Usage(format!("{name} is 0; it must be at least 1")));
        }
    }
    if let Some(scenes) = &arguments.strict {
        return run_strict(arguments, scenes);
    }
    for (name, value, [least, most]) in [
        // So that a body's radius is at most 5 cells.
        ("--cell", arguments.cell, [0.05, 10.0]),
        ("--dt", f64::from(arguments.dt), [1e-4, 60.0]),
        ("--density", arguments.density.unwrap_or(1.0), [0.01, 16.0]),
    ] {
        // Written so that NaN is refused too.
        if !(value >= least && value <= most) {
            return Err(CliError::Usage(format!(
                "{name} is {value}; it must be {least} to {most}"
            )));
        }
    }
    let options = CrowdBenchOptions {
        scenes: arguments.scenes.clone(),
        agents: if arguments.agents.is_empty() {
            vec![20_000]
        } else {
            arguments.agents.clone()
        },
        threads: arguments.threads.clone(),
        density: arguments.density,
        avoidance: arguments.avoidance.into(),
        neighbours: arguments.neighbours,
        look_ahead: arguments.look_ahead,
        cell: arguments.cell,
        ticks: arguments.ticks,
        warm: arguments.warm,
        rounds: arguments.rounds,
        dt: arguments.dt,
        sorting: arguments.sorting,
    };
    let report = bench_crowd::run(&options).map_err(CliError::Usage)?;
    if arguments.json {
        json::print(&report)?;
    } else {
        json::print_text(&format!("{report}\n"))?;
    }
    Ok(Answer::Yes)
}

fn run_strict(arguments: &BenchCrowdArguments, scenes: &[StrictSceneKind]) -> Result<Answer, CliError> {
    let density = arguments.density.unwrap_or(0.15);
    // Written so that NaN is refused too.
    if !(0.001..=0.9).contains(&density) {
        return Err(CliError::Usage(format!(
            "--density is {density}; with --strict it is a part of the free cells and must be 0.001 to 0.9"
        )));
    }
    let options = StrictBenchOptions {
        scenes: if scenes.is_empty() {
            StrictSceneKind::ALL.to_vec()
        } else {
            scenes.to_vec()
        },
        agents: if arguments.agents.is_empty() {
            vec![1000, 10_000]
        } else {
            arguments.agents.clone()
        },
        threads: arguments.threads.clone(),
        density,
        ticks: arguments.ticks,
        warm: arguments.warm,
        rounds: arguments.rounds,
    };
    let report = bench_strict::run(&options).map_err(CliError::Usage)?;
    if arguments.json {
        json::print(&report)?;
    } else {
        json::print_text(&format!("{report}\n"))?;
    }
    Ok(Answer::Yes)
}

fn run_repair(arguments: &BenchRepairArguments) -> Result<Answer, CliError> {
    for (name, value) in [("--rounds", arguments.rounds), ("--edits", arguments.edits)] {
        if value == 0 {
            return Err(CliError::Usage(format!("{name} is 0; it must be at least 1")));
        }
    }
    let options = FieldBenchOptions {
        kinds: arguments.kinds.clone(),
        sides: vec![arguments.side],
        files: arguments.maps.clone(),
        rounds: arguments.rounds,
        ..FieldBenchOptions::default()
    };
    let report = bench_repair::run(&options, arguments.edits, load)
        .map_err(|error| CliError::Usage(error.to_string()))?;
    if arguments.json {
        json::print(&report)?;
    } else {
        json::print_text(&format!("{report}\n"))?;
    }
    Ok(Answer::Yes)
}

fn run_field(arguments: &BenchFieldArguments) -> Result<Answer, CliError> {
    if arguments.rounds == 0 {
        return Err(CliError::Usage("--rounds is 0; it must be at least 1".to_owned()));
    }
    let options = FieldBenchOptions {
        kinds: arguments.kinds.clone().unwrap_or_else(|| MapKind::ALL.to_vec()),
        sides: arguments.sides.clone(),
        files: arguments.maps.clone(),
        engines: arguments.engines.clone(),
        scale: arguments.scale,
        rounds: arguments.rounds,
    };
    if let Some(percent) = arguments.asked {
        let report =
            bench_asked::run(&options, percent, load).map_err(|error| CliError::Usage(error.to_string()))?;
        if arguments.json {
            json::print(&report)?;
        } else {
            json::print_text(&format!("{report}\n"))?;
        }
        return Ok(Answer::Yes);
    }
    let report = bench_field::run(&options, load).map_err(|error| CliError::Usage(error.to_string()))?;
    if arguments.json {
        json::print(&report)?;
    } else {
        json::print_text(&format!("{report}\n"))?;
    }
    Ok(Answer::Yes)
}

fn load(path: &Path) -> Result<GeneratedMap, String> {
    let costs = maps::load(path, maps::MapOptions::grey(GreyArgument::WhiteCheap))
        .map_err(|error| error.to_string())?
        .costs;
    if costs.grid().layers().len() > 1 {
        return Err("it has several layers, and only maps of one are measured".to_owned());
    }
    let name = path
        .file_stem()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    GeneratedMap::of_costs(name, &costs).ok_or_else(|| "no cell is passable".to_owned())
}
