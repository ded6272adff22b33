//! The metrics of a run: a row for every tick.

use crate::error::CliError;
use crate::strict_run;
use std::path::Path;
use thalweg::crowd::strict::StrictReport;
use thalweg::crowd::{Outcome, OutcomeCounts};
use thalweg_io::write_atomic;

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

/// Writes `metrics.csv`.
pub(crate) fn write(rows: &[TickRow], out: &Path) -> Result<(), CliError> {
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
