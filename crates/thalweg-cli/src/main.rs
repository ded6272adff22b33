//! The `thalweg` command: fields, checks, crowds and figures from a terminal.
//!
//! Exit codes: 0 success, 1 the answer is "no", 2 bad usage or input. Errors are one sentence on standard error.
#![forbid(unsafe_code)]

mod args;
mod bench;
mod bench_asked;
mod bench_crowd;
mod bench_field;
mod bench_repair;
mod bench_strict;
mod check;
mod crowd_pictures;
mod error;
mod field;
mod heights;
mod inputs;
mod json;
mod mapf;
mod maps;
mod measure;
mod places;
mod plans;
mod progress;
mod random;
mod record;
mod recordings;
mod replay;
mod report;
mod run;
mod scene_files;
mod scenes;
mod simulate;
mod strict_run;
mod stuck;

use args::{Arguments, Command};
use clap::Parser;
use error::{Answer, CliError};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(args::words());
    match run(arguments) {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(CliError::PipeClosed) => ExitCode::SUCCESS,
        Err(error) => {
            // The terminal may be gone too; there is nobody left to tell then.
            let _told = writeln!(std::io::stderr(), "thalweg: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: Arguments) -> Result<Answer, CliError> {
    match arguments
        .command
        .unwrap_or_else(|| Command::Demo(args::DemoArguments::default()))
    {
        Command::Demo(demo) => simulate::demo(&demo),
        Command::Field(field) => field::run(&field),
        Command::Check(check) => check::run(&check),
        Command::Simulate(scene) => simulate::run(&scene),
        Command::Replay(replay) => replay::run(&replay),
        Command::Measure(measure) => measure::run(&measure),
        Command::Bench(bench) => bench::run(&bench),
    }
}
