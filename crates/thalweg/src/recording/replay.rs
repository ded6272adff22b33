//! Runs that are run again.

use super::difference::{Divergence, Judge};
use super::{Ending, Moment, RecordingReader, ReplayError};
use crate::simulation::{Input, Simulation};
use std::io::Read;
use thalweg_core::workers::Workers;

/// Steps a simulation by a recording and compares every moment.
#[derive(Debug)]
pub struct Replay<R> {
    reader: RecordingReader<R>,
    simulation: Simulation,
    judge: Judge,
    totals: [u64; 2],
    inputs: Vec<Input>,
}

/// What a step of a replay came to.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayStep {
    /// The state is the recorded one.
    Agrees,
    /// It is not, or was not some ticks ago. There is nothing to be gained from going on.
    Differs(Box<Divergence>),
    /// Nothing more was recorded.
    End(LastTick),
}

/// What became of a tick that was begun when the recorded run ended or crashed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LastTick {
    /// There is none.
    None,
    /// It was stepped, and went through.
    WentThrough,
    /// The simulation cannot go on, with the error that was recorded.
    FailedAsRecorded(String),
    /// The simulation cannot go on; of the recorded run it is not known what it did.
    Failed(String),
}

impl<R: Read> Replay<R> {
    /// A replay of a recording of which nothing but the head has been read, by a simulation of the same scene that has not
    /// been stepped.
    ///
    /// # Errors
    /// [`ReplayError::NotAtTheStart`].
    pub fn new(reader: RecordingReader<R>, simulation: Simulation) -> Result<Self, ReplayError> {
        if simulation.tick() != 0 || reader.ticks().is_some() {
            return Err(ReplayError::NotAtTheStart {
                tick: simulation.tick(),
            });
        }
        Ok(Self {
            reader,
            simulation,
            judge: Judge::new(),
            totals: [0; 2],
            inputs: Vec::new(),
        })
    }

    /// The recording.
    #[must_use]
    pub const fn reader(&self) -> &RecordingReader<R> {
        &self.reader
    }

    /// The simulation, which stands where the replay does.
    #[must_use]
    pub const fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Compares the start, when called first; afterwards steps a tick and compares what it came to.
    ///
    /// Where the hash differs but no agent that would show it can be named, the replay goes on to the first moment at which
    /// one can.
    ///
    /// # Errors
    /// [`ReplayError`].
    pub fn step(&mut self, workers: &dyn Workers) -> Result<ReplayStep, ReplayError> {
        loop {
            let Some(recorded) = self.reader.next_moment()? else {
                return match self.judge.conclude() {
                    Some(divergence) => Ok(ReplayStep::Differs(Box::new(divergence))),
                    None => Ok(ReplayStep::End(self.last_tick(workers))),
                };
            };
            let recorded = recorded.clone();
            if recorded.tick > 0 {
                self.inputs.clone_from(&recorded.inputs);
                let report = self.simulation.step_with(&self.inputs, workers);
                let report = report.map_err(|source| ReplayError::Simulation {
                    tick: recorded.tick - 1,
                    source: Box::new(source),
                })?;
                self.totals = [report.step.arrived_total, report.step.left_total];
            }
            let crowd = self.simulation.crowd();
            let replayed = Moment {
                tick: recorded.tick,
                inputs: Vec::new(),
                hash: crowd.state_hash(),
                agents: crowd.len() as u64,
                arrived: self.totals[0],
                left: self.totals[1],
                has_states: true,
            };
            let agents = recorded
                .has_states
                .then(|| (Box::new(self.reader.agents()) as _, Box::new(crowd.agents()) as _));
            if let Some(divergence) = self.judge.judge(&recorded, &replayed, agents) {
                return Ok(ReplayStep::Differs(Box::new(divergence)));
            }
            if !self.judge.is_waiting() {
                return Ok(ReplayStep::Agrees);
            }
        }
    }

    /// Steps the tick that was begun when the run ended. If the run crashed in it, so may this.
    fn last_tick(&mut self, workers: &dyn Workers) -> LastTick {
        let Some(inputs) = self.reader.inputs_alone() else {
            return LastTick::None;
        };
        match self.simulation.step_with(inputs, workers) {
            Ok(_) => LastTick::WentThrough,
            Err(error) => {
                let reason = error.to_string();
                match self.reader.ending() {
                    Some(Ending::Failed(recorded)) if *recorded == reason => {
                        LastTick::FailedAsRecorded(reason)
                    }
                    _ => LastTick::Failed(reason),
                }
            }
        }
    }
}
