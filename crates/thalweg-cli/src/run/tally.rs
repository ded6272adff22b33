//! The figures of a run, counted tick by tick.

use super::metrics::TickRow;
use super::sink::{Sink, Tick};
use super::summary::RunSummary;
use crate::error::CliError;
use crate::places::size_of;
use crate::recordings::{self, Window};
use crate::strict_run::StrictFigures;
use crate::stuck;
use std::path::Path;
use std::time::Duration;
use thalweg::core::workers::Workers;
use thalweg::crowd::{Outcome, OutcomeCounts};
use thalweg::simulation::{Simulation, TickReport};
use thalweg::stuck::StuckWatch;

/// How many failed builds a summary lists.
const MAX_FAILURES: usize = 20;

/// Counts what the metrics and the summary need.
pub(crate) struct Tally {
    agents: usize,
    pub(crate) rows: Vec<TickRow>,
    step_time: Duration,
    agent_steps: u64,
    arrived: u64,
    totals: Totals,
    strict: Option<StrictFigures>,
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

impl Tally {
    /// Begins with what making the simulation took.
    pub(crate) fn new(simulation: &Simulation) -> Self {
        let first = simulation.navigator().stats();
        let count = |fields: u64| usize::try_from(fields).unwrap_or(usize::MAX);
        Self {
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
        }
    }

    fn count(&mut self, simulation: &Simulation, report: &TickReport, stuck: &StuckWatch) {
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
            stuck: stuck.count(),
            priced_cells: report.congestion.map_or(0, |congestion| congestion.priced),
            strict: report.strict,
            hash: totals.hash.clone(),
        });
    }

    /// The summary, without the names of files.
    pub(crate) fn summary(
        self,
        scene: &Path,
        simulation: &Simulation,
        stuck: &StuckWatch,
        out: &Path,
        workers: &dyn Workers,
    ) -> (RunSummary, Vec<TickRow>) {
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
            stuck: stuck::figures(stuck, simulation),
            count_lines: recordings::lines(recorders, whole),
            measure_areas: recordings::areas(recorders, whole),
            hash: totals.hash,
            step_s: self.step_time.as_secs_f64(),
            ns_per_agent_step,
            out: out.to_owned(),
            files: Vec::new(),
            recording: None,
        };
        (summary, self.rows)
    }
}

impl Sink for Tally {
    fn tick(&mut self, simulation: &Simulation, tick: &Tick<'_>) -> Result<(), CliError> {
        self.step_time += tick.took;
        self.count(simulation, tick.report, tick.stuck);
        Ok(())
    }
}
