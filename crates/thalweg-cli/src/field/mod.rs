//! `thalweg field`: builds a field and answers about it.

mod answers;
mod cell_answer;
mod channels;
mod picture;
mod questions;
mod source;

use crate::args::{Channel, FieldArguments, FieldFormat};
use crate::error::{Answer, CliError};
use crate::json;
use crate::progress::CellBar;
use answers::Summary;
use channels::Channels;
pub(crate) use picture::{class_colours, look_of, mark_portals};
use questions::Questions;
use source::Source;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;
use thalweg::bundle::{BuildOptions, BuildScratch, FieldBundle};
use thalweg::core::cost::CostField;
use thalweg::core::integrate::RunOptions;
use thalweg::core::workers::{Serial, Workers};
use thalweg::pool::RayonWorkers;
use thalweg_io::{
    FieldView, write_atomic, write_channel_csv, write_channel_npy, write_cost_csv, write_cost_npy,
    write_field_csv, write_field_npy,
};

pub(crate) fn run(arguments: &FieldArguments) -> Result<Answer, CliError> {
    let format = if arguments.json {
        FieldFormat::Json
    } else {
        arguments.format
    };
    let binary = matches!(format, FieldFormat::Npy | FieldFormat::Png);
    if binary && arguments.out.is_none() && io::stdout().is_terminal() {
        return Err(CliError::Usage(
            "a picture or an array is not for a terminal: name a file with --out".to_owned(),
        ));
    }
    let source = Source::load(arguments)?;
    let workers = workers(arguments.threads)?;
    let started = Instant::now();
    let movement = source.compile(&arguments.map)?;
    let mut options = BuildOptions::new().with_engine(arguments.engine);
    options.integrate.cost_limit = source.cost_limit(arguments);
    options.integrate.memory_limit = arguments.memory_limit.map(|bytes| bytes.0);
    // What is printed for machines is not joined by a bar.
    let bar = CellBar::new(movement.grid().len(), arguments.json);
    let run = RunOptions::new().with_workers(workers.as_ref()).with_watch(&bar);
    let bundle = FieldBundle::build_with(movement, &source.goals, &options, &run, &mut BuildScratch::new());
    bar.finish();
    let bundle = bundle.map_err(|source| CliError::Field {
        map: arguments.map.clone(),
        source,
    })?;
    let build_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);

    let channels = Channels::make(arguments, &source, &bundle)?;
    let questions = Questions::ask(arguments, &source, &bundle, &channels)?;
    let summary = Summary::new(
        &bundle,
        arguments,
        &source.scene.profiles[source.profile].name,
        &channels,
        questions,
        build_ns,
    );
    let view = view_of(source.costs(), &bundle)?;
    let channel = arguments.channel;
    let wanted = channel.unwrap_or(Channel::Cost);
    let value = |id| channels.value(wanted, &view, &bundle, id);
    let out = arguments.out.as_deref();
    let answer = if summary.all_well() {
        Answer::Yes
    } else {
        Answer::No
    };
    match format {
        FieldFormat::Text => emit(out, |out| {
            out.write_all(summary.text(&bundle, channel, value).as_bytes())
        })?,
        FieldFormat::Json => {
            let summary = match channel {
                Some(channel) => summary.with_channel(channel, bundle.grid(), value),
                None => summary,
            };
            match out {
                None => json::print(&summary)?,
                out => emit(out, |out| {
                    serde_json::to_writer_pretty(&mut *out, &summary)?;
                    out.write_all(b"\n")
                })?,
            }
        }
        FieldFormat::Csv => emit(out, |out| match wanted {
            Channel::Cost => write_field_csv(out, &view),
            Channel::Ground => write_cost_csv(out, view.costs()),
            _ => write_channel_csv(out, bundle.grid(), value),
        })?,
        FieldFormat::Npy => emit(out, |out| match wanted {
            Channel::Cost => write_field_npy(out, &view),
            Channel::Ground => write_cost_npy(out, view.costs()),
            _ => {
                let is_whole = !matches!(wanted, Channel::Heading | Channel::Length | Channel::Clearance);
                write_channel_npy(out, bundle.grid(), is_whole, value)
            }
        })?,
        FieldFormat::Png => {
            let picture = picture::draw(arguments, &source, &bundle, &view, &channels)?;
            emit(out, |out| picture.write_png(out))?;
        }
    }
    Ok(answer)
}

/// The bundle with its map, as pictures and tables want it.
pub(crate) fn view_of<'a>(costs: &'a CostField, bundle: &'a FieldBundle) -> Result<FieldView<'a>, CliError> {
    FieldView::new(costs, bundle.integration())
        .and_then(|view| view.with_flow(bundle.flow()))
        .map_err(|error| CliError::Usage(error.to_string()))
}

/// The pool for a number of threads; one thread needs none.
pub(crate) fn workers(threads: usize) -> Result<Box<dyn Workers>, CliError> {
    if threads == 1 {
        Ok(Box::new(Serial))
    } else {
        Ok(Box::new(RayonWorkers::new(threads)?))
    }
}

/// Writes to a file, whole or not at all, or to standard output.
fn emit(out: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    match out {
        Some(path) => Ok(write_atomic(path, write)?),
        None => {
            let mut stdout = io::BufWriter::new(io::stdout().lock());
            write(&mut stdout)
                .and_then(|()| stdout.flush())
                .map_err(CliError::output)
        }
    }
}
