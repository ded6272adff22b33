//! What a run came to, as numbers and as words.

use crate::inputs::InputFigures;
use crate::recordings::{AreaFigures, LineFigures, area_text, line_text};
use crate::strict_run::StrictFigures;
use crate::stuck::StuckFigures;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

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
