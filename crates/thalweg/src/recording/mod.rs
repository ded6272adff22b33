//! Recordings: a run written down so that it can be run again, and looked into where it goes another way.
//!
//! A run is a pure function of its scene, its tick length, and what comes into it from outside. A recording holds these,
//! and after every tick the hash of the state and, unless told otherwise, the state of every agent; so whoever runs it
//! again can tell the first tick that differs, and in it the agent, the field and both values. It is one file: it brings
//! the files with it that the scene names.
//!
//! - [`RecordingWriter`] takes down a run as it goes on, block by block; [`RecordingReader`] reads it, and what there is of
//!   one that was cut off.
//! - [`Replay`] steps a [`Simulation`](crate::simulation::Simulation) by a recording and compares every moment ([`Divergence`]).
//! - [`compare`] puts two recordings beside each other: two machines of a game that went apart.
//!
//! This crate reads no files: whoever replays makes the scene from [`RecordingHead::scene`].
//!
//! ```
//! use thalweg::prelude::*;
//! use thalweg::recording::{Ending, RecordedScene, RecordingOptions, RecordingReader, RecordingWriter};
//! use thalweg::recording::{LastTick, Replay, ReplayStep};
//! use thalweg::scene::{EventAction, Scene, SceneFile, SceneMap};
//! use thalweg::simulation::Input;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = r#"
//! format = 1
//! duration_s = 3.0
//! tick_s = 0.1
//! map = { text = "......" }
//! goal = [{ name = "east", cells = [[5, 0]] }]
//! door = [{ name = "gate", area = [3, 0, 3, 0] }]
//! group = [{ name = "people", cells = [[0, 0]], goals = ["east"] }]
//! "#;
//! let scene = |text: &str| -> Result<Scene, Box<dyn std::error::Error>> {
//!     let costs = CostField::filled(Grid::new(6, 1)?, Cost::PLAIN);
//!     Ok(Scene::new(&SceneFile::parse(text)?, SceneMap::new(costs))?)
//! };
//!
//! let mut simulation = Simulation::new(scene(text)?, &Serial)?;
//! let recorded = RecordedScene::new("gate.toml".to_owned(), text.to_owned());
//! let mut writer = RecordingWriter::new(Vec::new(), recorded, &simulation, RecordingOptions::new())?;
//! while !simulation.is_finished() {
//!     // What players do.
//!     let inputs = match simulation.tick() {
//!         8 => vec![Input::Act(EventAction::Close(0))],
//!         _ => Vec::new(),
//!     };
//!     writer.before_tick(&inputs);
//!     let report = simulation.step_with(&inputs, &Serial)?;
//!     writer.after_tick(&simulation, &report)?;
//! }
//! let bytes = writer.finish(&Ending::Finished)?;
//!
//! // Elsewhere.
//! let reader = RecordingReader::new(&bytes[..])?;
//! let simulation = Simulation::new(scene(&reader.head().scene.text)?, &Serial)?;
//! let mut replay = Replay::new(reader, simulation)?;
//! let end = loop {
//!     match replay.step(&Serial)? {
//!         ReplayStep::Agrees => {}
//!         other => break other,
//!     }
//! };
//! assert_eq!(end, ReplayStep::End(LastTick::None));
//! assert_eq!(replay.simulation().tick(), 30);
//! # Ok(())
//! # }
//! ```
//!
//! # What no bytes can do
//!
//! No byte string makes a reader panic, or take more memory than a fixed multiple of its length: packed bytes are unpacked
//! block by block, to no more than packing can hold (1,032 bytes for one), and lists grow as their entries are read. Every
//! changed, lost, doubled or moved byte is found by a checksum and told with its place, but for what is missing at the very
//! end: a recording that was cut off is what a crash leaves behind, and is read up to its last whole block. Scenes are another
//! matter: one that asks for a large map gets it, as from a scene file.
//!
//! # Format, version 1
//!
//! All numbers are little-endian, `u` without sign. A *number* is written in groups of seven bits, the lowest first, with
//! the highest bit set in all bytes but the last; a *signed number* is first folded: 0, -1, 1, -2 become 0, 1, 2, 3. A *text*
//! and a *list of bytes* are a number, their length, and their bytes. *Packed* is a number, the length before packing, and then
//! DEFLATE.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `89 54 48 57 0d 0a 1a 0a`, as saved maps and bundles begin |
//! | u16 | kind: 3 |
//! | u16 | version: 1 |
//! | … | blocks |
//!
//! A block:
//!
//! | bytes | what |
//! | --- | --- |
//! | u8 | kind: `S` the scene, which comes first; `T` ticks; `E` the end, behind which nothing comes |
//! | u32 | length of its content, in bytes |
//! | u32 | low half of the XXH3 (64 bits) of these five bytes |
//! | … | its content |
//! | u64 | XXH3 (64 bits) of all bytes of the block before this |
//!
//! The seed of both checksums is the checksum of the block before, of the first block the XXH3 (64 bits, seed 0) of the twelve bytes
//! before it. So a block is right in its place alone.
//!
//! **Scene**, packed: text, the version that recorded it; number, ticks between states (0: none are kept); u64, bits of the tick
//! length; u8, 1 in strict mode; texts, name and content of the scene file; u8 flags (1 another tick length, 2 another number of
//! ticks), and if flagged u64, bits of the tick length, and number, ticks; number of files, and of each a text, its name, u8 1 and
//! a list of bytes, or u8 0 and XXH3 (128 bits).
//!
//! **Ticks**: u64, moments before it; u32, moments in it; packed: numbers, lengths of twelve columns, and the columns. A moment is the
//! start or a tick. In the first column stand, moment by moment: u8 flags (1 states, 2 a tick that never ended: only its
//! inputs follow, and nothing more), the number of inputs and the inputs, u64 state hash, and numbers: agents, arrived and left so
//! far. Of a moment with states:
//!
//! | column | what |
//! | --- | --- |
//! | 2 | the number of those who are gone, and the place of each among all before, less that of the one before it; the number of those who are new, and of each its slot, less that of the one before it, and its generation |
//! | 3 | of every agent by slot a mask of what is not as expected |
//! | 4, 5 | mask 1, 2: signed, x and y of the position in subcells, less where it would be if it had gone on as before |
//! | 6, 7 | mask 4: signed, x and y of the heading, as floats counted in their order, less x before, and less what makes the vector one of length 1 on the side where y was |
//! | 8 | mask 8: two floats, a velocity that is not what the way comes to in a tick |
//! | 9 | mask 16: float, stalled |
//! | 10 | mask 32: u8 outcome, and signed since when, counted back from this moment |
//! | 11 | mask 64: u8 blocker, and number: its cell; or numbers: slot and generation of an agent |
//! | 12 | mask 128: u8 mask (1 layer, 2 group, 4 radius, 8 top speed, 16 mass, 32 held or not held any more, 64 tier), and of these numbers layer and group, floats radius, top speed and mass, u8 tier |
//!
//! Whoever is new is expected to be nobody: all numbers 0 and a mass of 1. Nothing is rounded. Rejected: whole states now and then, to
//! begin reading in the middle. A replay begins at the start in any case.
//!
//! **End**: u64 ticks; u64 the last state hash; u8, 0 finished, 1 interrupted, 2 failed; text, the error.
//!
//! Another version is another format: a recording of a version that this build does not know is refused.
//!
//! # What it costs
//!
//! In a town with 3,000 agents: 6.3 bytes an agent and tick, and a third of the time of the steps; with states every 16 ticks 0.9
//! bytes and a twentieth; without states 17 bytes a tick, and no time that shows. With 20,000 agents it is 4.6 bytes. In strict mode,
//! where most agents go on as they went, 2 to 3 bytes. `cargo run --release -p thalweg --example recording` measures it.

mod bytes;
mod columns;
mod compare;
mod difference;
mod error;
mod frame;
mod inputs;
mod reader;
mod replay;
mod scene;
mod states;
#[cfg(test)]
mod tests;
mod ticks;
mod writer;

use crate::simulation::Input;
pub use compare::{CompareError, Comparison, compare};
pub use difference::{AgentField, Difference, Divergence};
pub use error::{RecordingError, ReplayError};
pub use reader::RecordingReader;
pub use replay::{LastTick, Replay, ReplayStep};
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
