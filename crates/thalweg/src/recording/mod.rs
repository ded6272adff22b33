//! Recordings.

mod bytes;
mod columns;
mod error;
mod frame;
mod inputs;
mod reader;
mod scene;
mod states;
mod ticks;
mod writer;

use crate::simulation::Input;
pub use error::{RecordingError, ReplayError};
pub use reader::RecordingReader;
pub use scene::{FileHash, RecordedContent, RecordedFile, RecordedScene, RecordingHead};
use thalweg_crowd::StateHash;
pub use writer::RecordingWriter;

/// The version of the format that this build writes and reads.
pub const VERSION: u16 = 1;

/// How a run is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RecordingOptions {
    /// States of agents are kept at the start and every so many ticks; 0 for never. Without them a replay that differs
    /// names the tick, but not the agent.
    pub states_every: u64,
    /// A block holds no more than so many ticks, 1 at least; as a rule fewer in large crowds. What a killed process loses is
    /// the block that was being filled.
    pub block_ticks: u32,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self {
            states_every: 1,
            block_ticks: 16,
        }
    }
}

impl RecordingOptions {
    /// States at every tick, blocks of 16 ticks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With states every so many ticks, or never (0).
    #[must_use]
    pub const fn with_states_every(mut self, ticks: u64) -> Self {
        self.states_every = ticks;
        self
    }

    /// With blocks of so many ticks at most.
    #[must_use]
    pub const fn with_block_ticks(mut self, ticks: u32) -> Self {
        self.block_ticks = ticks;
        self
    }
}

/// Why a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All of its ticks were stepped, or whoever ran it had enough.
    Finished,
    /// Somebody stopped it.
    Interrupted,
    /// It could not go on; the sentence of the error.
    Failed(String),
}

/// A run between two ticks: what came into the last one, and what it has come to.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Moment {
    /// How many ticks have been stepped: 0 is the start.
    pub tick: u64,
    /// What came into the last of them, in its order.
    pub inputs: Vec<Input>,
    /// Hash of the crowd's state.
    pub hash: StateHash,
    /// How many agents there are.
    pub agents: u64,
    /// How many have arrived so far.
    pub arrived: u64,
    /// How many have left so far.
    pub left: u64,
    /// Whether the states of agents were kept.
    pub has_states: bool,
}

impl Default for Moment {
    fn default() -> Self {
        Self {
            tick: 0,
            inputs: Vec::new(),
            hash: StateHash(0),
            agents: 0,
            arrived: 0,
            left: 0,
            has_states: false,
        }
    }
}
