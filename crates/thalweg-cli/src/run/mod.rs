//! Steps a simulation to its end and writes pictures, animation, metrics, trajectories and the report.
//!
//! A run is a [loop](drive) with [sinks](Sink). Every file is written under a temporary name and renamed when it is whole.

mod animation;
mod drive;
mod metrics;
mod sink;
mod summary;
mod tally;
mod trajectories;

use crate::args::TrajectoryFormat;
use crate::crowd_pictures::{write_crowd_picture, write_field_pictures};
use crate::error::CliError;
use crate::inputs::InputFile;
use crate::record::{Outside, RecordPlan};
use crate::{recordings, report};
use animation::Animation;
use drive::drive;
pub(crate) use metrics::TickRow;
use std::path::Path;
pub(crate) use summary::RunSummary;
use tally::Tally;
use thalweg::core::workers::Workers;
use thalweg::recording::Ending;
use thalweg::simulation::Simulation;
use thalweg_io::write_atomic;
use trajectories::TrajectoryFiles;

/// File name of the picture of the crowd at the end.
const LAST_PICTURE: &str = "crowd-last.png";

/// What to write beside the pictures and the report.
#[derive(Debug)]
pub(crate) struct RunOptions {
    pub(crate) trajectories: Vec<TrajectoryFormat>,
    pub(crate) animation: bool,
    pub(crate) quiet: bool,
    pub(crate) record: Option<RecordPlan>,
    pub(crate) inputs: Option<InputFile>,
}

/// Everything the report shows.
pub(crate) struct RunRecord {
    pub(crate) summary: RunSummary,
    pub(crate) rows: Vec<TickRow>,
    pub(crate) group_names: Vec<String>,
    /// File name and what it shows.
    pub(crate) pictures: Vec<(String, String)>,
    pub(crate) animation: Option<String>,
}

/// Runs a simulation and writes everything into the folder `out`, which is there.
pub(crate) fn run(
    scene: &Path,
    mut simulation: Simulation,
    out: &Path,
    workers: &dyn Workers,
    options: RunOptions,
) -> Result<RunSummary, CliError> {
    let mut pictures = write_field_pictures(&simulation, out)?;
    let mut outside = Outside::begin(options.inputs, options.record, &simulation)?;
    let mut tally = Tally::new(&simulation);
    let mut animation = if options.animation {
        Some(Animation::new(&simulation, out)?)
    } else {
        None
    };
    let mut trajectories = TrajectoryFiles::new(&simulation, &options.trajectories, out)?;
    let stuck = drive(
        &mut simulation,
        &mut outside,
        workers,
        &mut [&mut tally, &mut animation, &mut trajectories],
        options.quiet,
    )?;
    let (recording, inputs) = outside.finish(&Ending::Finished)?;
    write_crowd_picture(&simulation, &out.join(LAST_PICTURE))?;
    pictures.push((
        LAST_PICTURE.to_owned(),
        "The crowd after the last tick".to_owned(),
    ));
    let animation = animation.map(Animation::finish).transpose()?;
    let mut files: Vec<String> = pictures.iter().map(|(file, _)| file.clone()).collect();
    files.extend(animation.clone());
    if let Some(trajectories) = trajectories {
        files.extend(trajectories.finish()?);
    }
    if !simulation.recorders().lines().is_empty() {
        recordings::write_flow(simulation.recorders(), &simulation.scene().count_lines, out)?;
        files.push("flow.csv".to_owned());
    }
    if !simulation.recorders().areas().is_empty() {
        recordings::write_areas(simulation.recorders(), out)?;
        files.push("areas.csv".to_owned());
    }
    metrics::write(&tally.rows, out)?;
    files.extend(["metrics.csv", "summary.json", "report.html"].map(str::to_owned));
    let (mut summary, rows) = tally.summary(scene, &simulation, &stuck, out, workers);
    summary.files = files;
    (summary.recording, summary.inputs) = (recording, inputs);
    write_atomic(out.join("summary.json"), |file| {
        serde_json::to_writer_pretty(&mut *file, &summary)?;
        file.write_all(b"\n")
    })?;
    let record = RunRecord {
        summary,
        rows,
        group_names: group_names(&simulation),
        pictures,
        animation,
    };
    report::write(&record, out)?;
    Ok(record.summary)
}

/// Groups, and goals behind them, in the order of their colours.
fn group_names(simulation: &Simulation) -> Vec<String> {
    let scene = simulation.scene();
    let goals = scene.goals.iter().map(|goal| format!("goal: {}", goal.name));
    let groups = scene.groups.iter().map(|group| group.name.clone());
    groups.chain(goals).collect()
}
