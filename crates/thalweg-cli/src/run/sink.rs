//! What listens to a run.

use crate::error::CliError;
use std::time::Duration;
use thalweg::simulation::{Simulation, TickReport};
use thalweg::stuck::StuckWatch;

/// One tick that was stepped.
pub(crate) struct Tick<'a> {
    pub(crate) report: &'a TickReport,
    /// Wall-clock time of stepping alone.
    pub(crate) took: Duration,
    /// Who gets nowhere, with this tick seen.
    pub(crate) stuck: &'a StuckWatch,
}

/// Something that a run feeds while it goes on: a file that grows, or figures that are written at the end.
///
/// How each ends is its own business: it may need what others made of the run.
pub(crate) trait Sink {
    /// Sees the start, before the first tick.
    fn begin(&mut self, _: &Simulation) -> Result<(), CliError> {
        Ok(())
    }

    /// Sees the scene after a tick.
    fn tick(&mut self, simulation: &Simulation, tick: &Tick<'_>) -> Result<(), CliError>;
}

/// A sink that may not have been asked for.
impl<S: Sink> Sink for Option<S> {
    fn begin(&mut self, simulation: &Simulation) -> Result<(), CliError> {
        self.as_mut().map_or(Ok(()), |sink| sink.begin(simulation))
    }

    fn tick(&mut self, simulation: &Simulation, tick: &Tick<'_>) -> Result<(), CliError> {
        self.as_mut().map_or(Ok(()), |sink| sink.tick(simulation, tick))
    }
}
