//! The loop of a run.

use super::sink::{Sink, Tick};
use crate::error::CliError;
use crate::progress;
use crate::record::Outside;
use thalweg::core::workers::Workers;
use thalweg::simulation::Simulation;
use thalweg::stuck::{StuckOptions, StuckWatch};

/// Steps a simulation to its end, with what comes from outside, and shows every tick to all sinks, in their order. Returns who gets nowhere at the end.
pub(crate) fn drive(
    simulation: &mut Simulation,
    outside: &mut Outside,
    workers: &dyn Workers,
    sinks: &mut [&mut dyn Sink],
    quiet: bool,
) -> Result<StuckWatch, CliError> {
    let refused = |error: thalweg::stuck::StuckError| CliError::Usage(error.to_string());
    let mut stuck = StuckWatch::new(StuckOptions::new()).map_err(refused)?;
    for sink in &mut *sinks {
        sink.begin(simulation)?;
    }
    let bar = progress::bar(simulation.scene().ticks, "ticks", quiet);
    while !simulation.is_finished() {
        let (report, took) = outside.step(simulation, workers)?;
        simulation.watch_stuck(&mut stuck).map_err(refused)?;
        let tick = Tick {
            report: &report,
            took,
            stuck: &stuck,
        };
        for sink in &mut *sinks {
            sink.tick(simulation, &tick)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(stuck)
}
