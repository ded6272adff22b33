//! Steps a simulation to its end and writes pictures, animation, metrics, trajectories and the report.
//!
//! Every file is written under a temporary name and renamed when it is whole.

use crate::args::TrajectoryFormat;
use crate::crowd_pictures::{background, dots, ground_picture, write_field_pictures};
use crate::error::CliError;
use crate::inputs::{InputFigures, InputFile};
use crate::places::size_of;
use crate::record::{Outside, RecordPlan};
use crate::recordings::{self, AreaFigures, LineFigures, Window, area_text, line_text};
use crate::strict_run::{self, StrictFigures};
use crate::stuck::{self, StuckFigures};
use crate::trajectory_files::TrajectoryFiles;
use crate::{progress, report};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thalweg::core::workers::Workers;
use thalweg::crowd::strict::StrictReport;
use thalweg::crowd::{Outcome, OutcomeCounts};
use thalweg::recording::Ending;
use thalweg::simulation::{Simulation, TickReport};
use thalweg::stuck::{StuckOptions, StuckWatch};
use thalweg_io::picture::{CrowdGif, GifOptions, Picture, draw_agents};
use thalweg_io::{TrajectoryNpz, WriteError, write_atomic};

/// How many failed builds a summary lists.
const MAX_FAILURES: usize = 20;

/// What to write beside the pictures and the report.
#[derive(Debug)]
pub(crate) struct RunOptions {
    pub(crate) trajectories: Vec<TrajectoryFormat>,
    pub(crate) animation: bool,
    pub(crate) quiet: bool,
    pub(crate) record: Option<RecordPlan>,
    pub(crate) inputs: Option<InputFile>,
}

/// One row of the metrics: a tick.
#[derive(Debug, Clone)]
pub(crate) struct TickRow {
    pub(crate) tick: u64,
    pub(crate) time_s: f64,
    pub(crate) agents: usize,
    pub(crate) arrived_total: u64,
    pub(crate) outcomes: OutcomeCounts,
    pub(crate) substeps: u64,
    pub(crate) sweeps: u64,
    pub(crate) sweep_refusals: u64,
    pub(crate) fields_built: usize,
    pub(crate) fields_repaired: usize,
    pub(crate) fields_restored: usize,
    pub(crate) on_paths: usize,
    pub(crate) ejected: usize,
    pub(crate) entered: usize,
    pub(crate) priced_cells: usize,
    pub(crate) stuck: usize,
    /// What strict mode did, in a strict scene.
    pub(crate) strict: Option<StrictReport>,
    pub(crate) hash: String,
}

/// What a run came to.
#[derive(Debug, Serialize)]
pub(crate) struct RunSummary {
    pub(crate) scene: String,
    pub(crate) name: String,
    pub(crate) map: [u32; 2],
    pub(crate) layers: usize,
    #[serde(skip)]
    pub(crate) map_text: String,
    pub(crate) agents: usize,
    pub(crate) agents_left: usize,
    /// Agents that entered while it ran.
    pub(crate) entered: u64,
    /// Agents that were due and found no room before it ended.
    pub(crate) kept_out: u64,
    pub(crate) groups: usize,
    pub(crate) ticks: u64,
    pub(crate) tick_s: f64,
    pub(crate) threads: usize,
    pub(crate) arrived: u64,
    pub(crate) outcomes: BTreeMap<String, u64>,
    /// Fields made from nothing, those at the start included.
    pub(crate) fields_built: usize,
    /// Fields made from older ones.
    pub(crate) fields_repaired: usize,
    /// Fields that were known already.
    pub(crate) fields_restored: usize,
    /// Searches for single paths.
    pub(crate) paths_searched: u64,
    /// Builds that failed, each with the first tick and the reason.
    pub(crate) field_failures: Vec<String>,
    pub(crate) cells_expanded: u64,
    pub(crate) direction_queries: u64,
    pub(crate) sweeps: u64,
    pub(crate) sweep_refusals: u64,
    pub(crate) ejected: usize,
    /// What became of the inputs, if there was a file of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) inputs: Option<InputFigures>,
    /// What strict mode did, in a strict scene.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) strict: Option<StrictFigures>,
    /// Agents that got nowhere at the end.
    pub(crate) stuck: StuckFigures,
    /// Lines that counted, over the whole run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) count_lines: Vec<LineFigures>,
    /// Areas that were measured, over the whole run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) measure_areas: Vec<AreaFigures>,
    pub(crate) hash: String,
    /// Wall-clock time of stepping alone, without pictures and files.
    pub(crate) step_s: f64,
    pub(crate) ns_per_agent_step: f64,
    pub(crate) out: PathBuf,
    pub(crate) files: Vec<String>,
    /// The recording, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) recording: Option<PathBuf>,
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

pub(crate) fn run(
    scene: &Path,
    mut simulation: Simulation,
    out: &Path,
    workers: &dyn Workers,
    options: RunOptions,
) -> Result<RunSummary, CliError> {
    let pictures = write_field_pictures(&simulation, out)?;
    let outside = Outside::begin(options.inputs, options.record, &simulation)?;
    let mut recorder = Recorder::new(&simulation, workers, outside, options.quiet)?;
    let mut failure = None;
    // The writers are closures that stream, so the run happens inside the innermost of them.
    let animation = options.animation.then(|| "crowd.gif".to_owned());
    let wants = |format| options.trajectories.contains(&format);
    let trajectories = wants(TrajectoryFormat::Text).then(|| "trajectories.txt".to_owned());
    let frame_rate = 1.0 / (simulation.scene().tick_s * every_as_f64(simulation.scene().frame_every));
    let npz = wants(TrajectoryFormat::Npz).then(|| TrajectoryNpz::new(frame_rate));
    let mut npz = npz.transpose().map_err(unwritten)?;
    let background = background(&simulation)?;
    let mut stream = |gif: Option<&mut dyn Write>, text: Option<&mut dyn Write>| -> io::Result<()> {
        let result = TrajectoryFiles::new(text, npz.as_mut(), frame_rate)
            .map_err(unwritten)
            .and_then(|files| recorder.run(&mut simulation, &background, gif, files));
        if let Err(error) = result {
            let told = io::Error::other(error.to_string());
            failure = Some(error);
            return Err(told);
        }
        Ok(())
    };
    let result: Result<(), WriteError> = match (&animation, &trajectories) {
        (None, None) => {
            // No file is open, so the only error is the one kept in `failure`.
            let _kept = stream(None, None);
            Ok(())
        }
        (Some(gif), None) => write_atomic(out.join(gif), |gif| stream(Some(gif), None)),
        (None, Some(text)) => write_atomic(out.join(text), |text| stream(None, Some(text))),
        (Some(gif), Some(text)) => write_atomic(out.join(gif), |gif| {
            write_atomic(out.join(text), |text| stream(Some(gif), Some(text))).map_err(io::Error::other)
        }),
    };
    if let Some(error) = failure {
        return Err(error);
    }
    result?;
    let npz_file = npz.as_ref().map(|_| "trajectories.npz".to_owned());
    if let Some(npz) = npz {
        write_atomic(out.join("trajectories.npz"), |file| npz.finish(file))?;
    }
    let outside = core::mem::take(&mut recorder.outside);
    let (recording, inputs) = outside.finish(&Ending::Finished)?;
    let mut record = recorder.finish(scene, &simulation, out, workers);
    record.summary.recording = recording;
    record.summary.inputs = inputs;
    record.pictures = pictures;
    let last = write_last_picture(&simulation, out, &background)?;
    record
        .pictures
        .push((last, "The crowd after the last tick".to_owned()));
    record.animation.clone_from(&animation);
    write_metrics(&record.rows, out)?;
    let mut files: Vec<String> = record.pictures.iter().map(|(file, _)| file.clone()).collect();
    files.extend(animation);
    files.extend(trajectories);
    files.extend(npz_file);
    if !simulation.recorders().lines().is_empty() {
        recordings::write_flow(simulation.recorders(), &simulation.scene().count_lines, out)?;
        files.push("flow.csv".to_owned());
    }
    if !simulation.recorders().areas().is_empty() {
        recordings::write_areas(simulation.recorders(), out)?;
        files.push("areas.csv".to_owned());
    }
    files.extend(["metrics.csv", "summary.json", "report.html"].map(str::to_owned));
    record.summary.files = files;
    write_atomic(out.join("summary.json"), |file| {
        serde_json::to_writer_pretty(&mut *file, &record.summary)?;
        file.write_all(b"\n")
    })?;
    report::write(&record, out)?;
    Ok(record.summary)
}

fn write_last_picture(simulation: &Simulation, out: &Path, background: &Picture) -> Result<String, CliError> {
    let mut picture = ground_picture(simulation, background.scale())?;
    draw_agents(&mut picture, &dots(simulation));
    let file = "crowd-last.png".to_owned();
    write_atomic(out.join(&file), |writer| picture.write_png(writer))?;
    Ok(file)
}

fn write_metrics(rows: &[TickRow], out: &Path) -> Result<(), CliError> {
    write_atomic(out.join("metrics.csv"), |file| {
        let outcomes: Vec<&str> = Outcome::ALL.iter().map(|outcome| outcome.name()).collect();
        let is_strict = rows.iter().any(|row| row.strict.is_some());
        writeln!(
            file,
            "tick,time_s,agents,arrived_total,{},substeps,sweeps,sweep_refusals,fields_built,fields_repaired,\
             fields_restored,on_paths,ejected,entered,priced_cells,stuck{}{},hash",
            outcomes.join(","),
            if is_strict { "," } else { "" },
            if is_strict { strict_run::COLUMNS } else { "" }
        )?;
        for row in rows {
            let counts: Vec<String> = Outcome::ALL
                .iter()
                .map(|&outcome| row.outcomes[outcome].to_string())
                .collect();
            write!(
                file,
                "{},{:.6},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                row.tick,
                row.time_s,
                row.agents,
                row.arrived_total,
                counts.join(","),
                row.substeps,
                row.sweeps,
                row.sweep_refusals,
                row.fields_built,
                row.fields_repaired,
                row.fields_restored,
                row.on_paths,
                row.ejected,
                row.entered,
                row.priced_cells,
                row.stuck
            )?;
            if let Some(report) = &row.strict {
                strict_run::write_row(file, report)?;
            }
            writeln!(file, ",{}", row.hash)?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Steps a simulation and keeps what the outputs need.
struct Recorder<'a> {
    workers: &'a dyn Workers,
    outside: Outside,
    quiet: bool,
    agents: usize,
    rows: Vec<TickRow>,
    step_time: Duration,
    agent_steps: u64,
    arrived: u64,
    totals: Totals,
    strict: Option<StrictFigures>,
    watch: StuckWatch,
}

#[derive(Default)]
struct Totals {
    outcomes: OutcomeCounts,
    fields_built: usize,
    fields_repaired: usize,
    fields_restored: usize,
    paths_searched: u64,
    field_failures: Vec<String>,
    cells_expanded: u64,
    direction_queries: u64,
    sweeps: u64,
    sweep_refusals: u64,
    ejected: usize,
    hash: String,
}

impl<'a> Recorder<'a> {
    fn new(
        simulation: &Simulation,
        workers: &'a dyn Workers,
        outside: Outside,
        quiet: bool,
    ) -> Result<Self, CliError> {
        let first = simulation.navigator().stats();
        let count = |fields: u64| usize::try_from(fields).unwrap_or(usize::MAX);
        let watch = StuckWatch::new(StuckOptions::new());
        Ok(Self {
            watch: watch.map_err(|error| CliError::Usage(error.to_string()))?,
            workers,
            outside,
            quiet,
            agents: simulation.crowd().len(),
            rows: Vec::new(),
            step_time: Duration::ZERO,
            agent_steps: 0,
            arrived: 0,
            strict: simulation.crowd().strict().map(|_| StrictFigures::default()),
            totals: Totals {
                fields_built: count(first.integrations_built),
                fields_restored: count(first.bundles_restored),
                cells_expanded: first.cells_expanded,
                ..Totals::default()
            },
        })
    }

    fn run(
        &mut self,
        simulation: &mut Simulation,
        background: &Picture,
        gif: Option<&mut dyn Write>,
        mut trajectories: TrajectoryFiles<'_, &mut dyn Write>,
    ) -> Result<(), CliError> {
        let scene = simulation.scene();
        // A run that would have too many frames gets fewer, not a shorter animation.
        let thinned = scene.ticks.div_ceil(scene.frames_max.saturating_sub(1).max(1));
        let (every, tick_s) = (scene.frame_every.max(thinned), scene.tick_s);
        let bar = progress::bar(simulation.scene().ticks, "ticks", self.quiet);
        let mut options = GifOptions::default();
        // Real time where viewers can follow; they slow down below 2 hundredths.
        options.frame_delay_cs = centiseconds(tick_s * every_as_f64(every));
        let mut gif = gif
            .map(|writer| CrowdGif::new(writer, background, options))
            .transpose()
            .map_err(unwritten)?;
        let record_every = scene.frame_every;
        let mut closed = simulation.costs().version();
        loop {
            if (simulation.tick().is_multiple_of(every) || simulation.is_finished())
                && let Some(gif) = &mut gif
            {
                if simulation.costs().version() != closed {
                    closed = simulation.costs().version();
                    gif.set_background(&ground_picture(simulation, background.scale())?)
                        .map_err(unwritten)?;
                }
                gif.add_frame(&dots(simulation)).map_err(unwritten)?;
            }
            // Not thinned as an animation is, and no odd frame at the end: these are for measuring.
            if !trajectories.is_none() && simulation.tick().is_multiple_of(record_every) {
                trajectories.add_frame(simulation).map_err(unwritten)?;
            }
            if simulation.is_finished() {
                break;
            }
            let (report, took) = self.outside.step(simulation, self.workers)?;
            self.step_time += took;
            simulation
                .watch_stuck(&mut self.watch)
                .map_err(|error| CliError::Usage(error.to_string()))?;
            self.record(simulation, &report);
            bar.inc(1);
        }
        bar.finish_and_clear();
        if let Some(gif) = gif {
            gif.finish().map_err(unwritten)?;
        }
        Ok(())
    }

    fn record(&mut self, simulation: &Simulation, report: &TickReport) {
        let (step, totals) = (&report.step, &mut self.totals);
        self.agent_steps += simulation.crowd().len() as u64;
        self.arrived = step.arrived_total;
        totals.fields_built += report.fields_built;
        totals.fields_repaired += report.fields_repaired;
        totals.fields_restored += report.fields_restored;
        totals.paths_searched += report.paths_searched;
        for reason in &report.field_failures {
            let failure = format!("tick {}: {reason}", report.tick);
            if totals.field_failures.len() < MAX_FAILURES {
                totals.field_failures.push(failure);
            }
        }
        totals.cells_expanded += report.cells_expanded;
        totals.direction_queries += step.direction_queries;
        totals.sweeps += step.sweeps;
        totals.sweep_refusals += step.sweep_refusals;
        totals.ejected += report.ejected;
        totals.outcomes = step.outcomes;
        if let (Some(figures), Some(report)) = (&mut self.strict, &report.strict) {
            figures.take_in(simulation, report);
        }
        totals.hash = format!("{:016x}", report.hash.0);
        #[expect(clippy::cast_precision_loss, reason = "a time in seconds")]
        let time_s = (report.tick + 1) as f64 * simulation.scene().tick_s;
        self.rows.push(TickRow {
            tick: report.tick,
            time_s,
            agents: simulation.crowd().len(),
            arrived_total: step.arrived_total,
            outcomes: step.outcomes,
            substeps: u64::from(step.substeps),
            sweeps: step.sweeps,
            sweep_refusals: step.sweep_refusals,
            fields_built: report.fields_built,
            fields_repaired: report.fields_repaired,
            fields_restored: report.fields_restored,
            on_paths: report.on_paths,
            ejected: report.ejected,
            entered: report.entered,
            stuck: self.watch.count(),
            priced_cells: report.congestion.map_or(0, |congestion| congestion.priced),
            strict: report.strict,
            hash: totals.hash.clone(),
        });
    }

    fn finish(self, scene: &Path, simulation: &Simulation, out: &Path, workers: &dyn Workers) -> RunRecord {
        let grid = simulation.costs().grid();
        let totals = self.totals;
        let recorders = simulation.recorders();
        let whole = Window {
            after_s: 0.0,
            until_s: recorders.time_s(),
        };
        #[expect(clippy::cast_precision_loss, reason = "a mean for people")]
        let ns_per_agent_step = self.step_time.as_nanos() as f64 / self.agent_steps.max(1) as f64;
        let summary = RunSummary {
            scene: scene.display().to_string(),
            name: simulation.scene().name.clone(),
            map: [grid.width(), grid.height()],
            layers: grid.layers().len(),
            map_text: size_of(grid),
            agents: self.agents,
            agents_left: simulation.crowd().len(),
            entered: simulation.entered().iter().sum(),
            kept_out: simulation.waiting_to_enter().iter().sum(),
            groups: simulation.scene().groups.len(),
            ticks: simulation.tick(),
            tick_s: simulation.scene().tick_s,
            threads: workers.threads(),
            arrived: self.arrived,
            outcomes: Outcome::ALL
                .iter()
                .map(|&outcome| (outcome.name().to_owned(), u64::from(totals.outcomes[outcome])))
                .filter(|&(_, count)| count > 0)
                .collect(),
            fields_built: totals.fields_built,
            fields_repaired: totals.fields_repaired,
            fields_restored: totals.fields_restored,
            paths_searched: totals.paths_searched,
            field_failures: totals.field_failures,
            cells_expanded: totals.cells_expanded,
            direction_queries: totals.direction_queries,
            sweeps: totals.sweeps,
            sweep_refusals: totals.sweep_refusals,
            ejected: totals.ejected,
            inputs: None,
            strict: self.strict,
            stuck: stuck::figures(&self.watch, simulation),
            count_lines: recordings::lines(recorders, whole),
            measure_areas: recordings::areas(recorders, whole),
            hash: totals.hash,
            step_s: self.step_time.as_secs_f64(),
            ns_per_agent_step,
            out: out.to_owned(),
            files: Vec::new(),
            recording: None,
        };
        let scene = simulation.scene();
        let goals = scene.goals.iter().map(|goal| format!("goal: {}", goal.name));
        let group_names = scene
            .groups
            .iter()
            .map(|group| group.name.clone())
            .chain(goals)
            .collect();
        RunRecord {
            summary,
            rows: self.rows,
            group_names,
            pictures: Vec::new(),
            animation: None,
        }
    }
}

/// The error of a stream: the caller's `write_atomic` adds the path.
fn unwritten(error: io::Error) -> CliError {
    CliError::Usage(error.to_string())
}

#[expect(clippy::cast_precision_loss, reason = "a number of ticks between frames")]
const fn every_as_f64(every: u64) -> f64 {
    every as f64
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped before the cast"
)]
fn centiseconds(seconds: f64) -> u16 {
    (seconds * 100.0).round().clamp(2.0, 100.0) as u16
}

impl RunSummary {
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut line = |what: &str, value: String| {
            let _ok = writeln!(text, "{what:<10} {value}");
        };
        let name = if self.name.is_empty() {
            self.scene.clone()
        } else {
            self.name.clone()
        };
        line("scene", name);
        line("map", self.map_text.clone());
        line(
            "agents",
            format!(
                "{} in {} group{}",
                self.agents,
                self.groups,
                if self.groups == 1 { "" } else { "s" }
            ),
        );
        #[expect(clippy::cast_precision_loss, reason = "a time in seconds")]
        let seconds = self.ticks as f64 * self.tick_s;
        line(
            "ticks",
            format!("{} of {} s = {seconds:.1} s", self.ticks, self.tick_s),
        );
        line(
            "arrivals",
            format!("{}, {} agents still in the scene", self.arrived, self.agents_left),
        );
        if self.entered > 0 || self.kept_out > 0 {
            line(
                "entered",
                format!(
                    "{} while it ran, {} found no room to",
                    self.entered, self.kept_out
                ),
            );
        }
        if let Some(inputs) = &self.inputs {
            line("inputs", inputs.text());
            for reason in &inputs.reasons {
                line("refused", reason.clone());
            }
        }
        if let Some(strict) = &self.strict {
            line("strict", strict.text(self.tick_s));
        }
        if self.stuck.count > 0 {
            line("stuck", self.stuck.text());
        }
        for figures in &self.count_lines {
            line("line", format!("{}: {}", figures.name, line_text(figures)));
        }
        for figures in &self.measure_areas {
            line("area", format!("{}: {}", figures.name, area_text(figures)));
        }
        let outcomes: Vec<String> = self
            .outcomes
            .iter()
            .map(|(name, count)| format!("{count} {}", name.replace('_', " ")))
            .collect();
        let nobody = "nobody is left".to_owned();
        line(
            "last tick",
            if outcomes.is_empty() {
                nobody
            } else {
                outcomes.join(", ")
            },
        );
        line(
            "fields",
            format!(
                "{} built, {} repaired, {} known before, {} cells relaxed",
                self.fields_built, self.fields_repaired, self.fields_restored, self.cells_expanded
            ),
        );
        for failure in &self.field_failures {
            line("failed", failure.clone());
        }
        match &self.strict {
            Some(strict) => line("moves", strict.moves()),
            None => line(
                "sweeps",
                format!("{}, {} met a wall", self.sweeps, self.sweep_refusals),
            ),
        }
        line(
            "speed",
            format!(
                "{:.2} s for all ticks, {:.0} ns an agent and tick, {} threads",
                self.step_s, self.ns_per_agent_step, self.threads
            ),
        );
        line("hash", self.hash.clone());
        line(
            "wrote",
            format!("{} into {}", self.files.join(", "), self.out.display()),
        );
        if let Some(recording) = &self.recording {
            line("recorded", recording.display().to_string());
        }
        line("open", self.out.join("report.html").display().to_string());
        text
    }
}
