//! Why a recording cannot be written, read or replayed.

use crate::simulation::SimulationError;
use std::io;
use thiserror::Error;

/// Why a recording cannot be written or read. Places are counted in bytes from its beginning.
///
/// That a recording was cut off is no error: what was written before it is read, see
/// [`RecordingReader::ending`](super::RecordingReader::ending).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RecordingError {
    /// Whatever holds the bytes cannot be read or written.
    #[error("{message}")]
    Io {
        /// What kind of error.
        kind: io::ErrorKind,
        /// Its sentence.
        message: String,
    },
    /// Something else.
    #[error("byte {at} is not that of a recording")]
    NotARecording {
        /// The first byte that is another.
        at: u64,
    },
    /// A saved map or bundle, or what a later version keeps.
    #[error("bytes 8 to 10 say kind {found}, which is not a recording")]
    OtherKind {
        /// What they hold.
        found: u16,
    },
    /// A version that this build does not know.
    #[error(
        "bytes 10 to 12 say version {found}; this build reads version {}",
        super::VERSION
    )]
    Version {
        /// The version.
        found: u16,
    },
    /// It was cut off before there was anything to replay.
    #[error("the bytes end at {len}, before the scene is whole")]
    NoScene {
        /// Where they end.
        len: u64,
    },
    /// Bytes were changed.
    #[error(
        "bytes from {at} on were changed: the checksum of {what} is {computed:x}, and {stored:x} was kept"
    )]
    Altered {
        /// What was changed: `a block's head` or `a block`.
        what: &'static str,
        /// Where it begins.
        at: u64,
        /// The checksum that was kept.
        stored: u64,
        /// That of the bytes.
        computed: u64,
    },
    /// Bytes that cannot be, although their checksum is right.
    #[error("the block at byte {at}: {what}")]
    Value {
        /// Where the block begins.
        at: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Bytes behind the end.
    #[error("the recording ends at byte {at}, but more bytes follow")]
    AfterTheEnd {
        /// Where it ends.
        at: u64,
    },
    /// A block that would be longer than a block can be; keep states more seldom.
    #[error(
        "what was to be written in one block takes {len} bytes, more than the {} it may",
        u32::MAX
    )]
    TooLong {
        /// How many bytes.
        len: u64,
    },
    /// A tick that does not follow the last one that was recorded. A recording begins at the start of a run.
    #[error("tick {got} was to be recorded where tick {wanted} comes next")]
    OutOfOrder {
        /// The tick that comes next.
        wanted: u64,
        /// The tick that was handed in.
        got: u64,
    },
}

impl From<io::Error> for RecordingError {
    fn from(error: io::Error) -> Self {
        Self::Io {
            kind: error.kind(),
            message: error.to_string(),
        }
    }
}

/// Why a replay cannot go on.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The recording cannot be read on.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The simulation cannot go on, as the recorded run perhaps could not either.
    #[error("tick {tick}: {source}")]
    Simulation {
        /// The tick that was to be stepped.
        tick: u64,
        /// What the simulation says.
        source: Box<SimulationError>,
    },
    /// The simulation is not at the beginning.
    #[error("the simulation is at tick {tick}; a replay begins at tick 0")]
    NotAtTheStart {
        /// Where it is.
        tick: u64,
    },
}
