//! What strict mode did in a run.

use serde::Serialize;
use std::io::{self, Write};
use thalweg::crowd::Outcome;
use thalweg::crowd::strict::StrictReport;
use thalweg::simulation::Simulation;

/// Strict mode over a whole run.
#[derive(Debug, Default, Serialize)]
pub(crate) struct StrictFigures {
    /// Knots after the last tick, and the most after any.
    pub(crate) knots: usize,
    pub(crate) knots_most: usize,
    /// Agents in knots after the last tick.
    pub(crate) knotted: u32,
    /// The longest that anybody stood although it would rather have moved, in ticks.
    pub(crate) longest_wait_ticks: u32,
    /// Agents of which it was proved that they cannot get to their goals, after the last tick.
    pub(crate) deadlocked: u32,
    /// Moves asked for and refused, and agents that were asked to make way.
    pub(crate) asked: u64,
    pub(crate) refused: u64,
    pub(crate) pushed: u64,
    /// What searches of configurations took, in agent-steps.
    pub(crate) searched: u64,
}

impl StrictFigures {
    pub(crate) fn take_in(&mut self, simulation: &Simulation, report: &StrictReport) {
        if let Some(crowd) = simulation.crowd().strict() {
            self.knots = crowd.knots().len();
            self.longest_wait_ticks = crowd.longest_wait();
        }
        self.knots_most = self.knots_most.max(self.knots);
        self.knotted = report.knotted;
        self.deadlocked = report.outcomes[Outcome::Deadlocked];
        self.asked += report.asked;
        self.refused += report.refused;
        self.pushed += report.pushed;
        self.searched += report.searched;
    }

    /// What was asked for, in words.
    pub(crate) fn moves(&self) -> String {
        format!(
            "{} asked for, {} refused; agents were asked to make way {} times",
            self.asked, self.refused, self.pushed
        )
    }

    /// The words of the summary. `tick_s` is the length of a tick.
    pub(crate) fn text(&self, tick_s: f64) -> String {
        format!(
            "{} knot{} at the end ({} at most), longest wait {} ticks = {:.1} s, {} deadlocked",
            self.knots,
            if self.knots == 1 { "" } else { "s" },
            self.knots_most,
            self.longest_wait_ticks,
            f64::from(self.longest_wait_ticks) * tick_s,
            self.deadlocked
        )
    }
}

/// The columns that the metrics of a strict run have beside those of every run.
pub(crate) const COLUMNS: &str = "asked,refused,pushed,knotted,longest_wait,searched";

pub(crate) fn write_row(file: &mut dyn Write, report: &StrictReport) -> io::Result<()> {
    write!(
        file,
        ",{},{},{},{},{},{}",
        report.asked, report.refused, report.pushed, report.knotted, report.longest_wait, report.searched
    )
}
