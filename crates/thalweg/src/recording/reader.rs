//! Recordings that are read.

use super::bytes::{Cursor, Wrong};
use super::frame::{BlockKind, BlockReader};
use super::scene::RecordingHead;
use super::states::StateReader;
use super::ticks::{Read as Found, TickBlock};
use super::{Ending, Moment, RecordingError};
use crate::simulation::Input;
use std::io::Read;
use thalweg_crowd::{AgentId, AgentView, StateHash};

/// Reads a recording, moment by moment. It holds one block at a time.
///
/// ```
/// use thalweg::recording::{RecordingError, RecordingReader};
///
/// let error = RecordingReader::new(&b"P5 2 2 255"[..]).err();
/// assert_eq!(error, Some(RecordingError::NotARecording { at: 0 }));
/// ```
#[derive(Debug)]
pub struct RecordingReader<R> {
    blocks: BlockReader<R>,
    head: RecordingHead,
    states: StateReader,
    block: TickBlock,
    block_at: u64,
    payload: Vec<u8>,
    moment: Moment,
    /// Moments read.
    moments: u64,
    inputs_alone: Option<Vec<Input>>,
    end: Option<Ending>,
    is_over: bool,
}

impl<R: Read> RecordingReader<R> {
    /// Reads the head of a recording: everything before its first tick.
    ///
    /// # Errors
    /// [`RecordingError`]; never a panic, whatever the bytes are.
    pub fn new(from: R) -> Result<Self, RecordingError> {
        let mut blocks = BlockReader::new(from)?;
        let block_at = blocks.at();
        let mut payload = Vec::new();
        let wrong = |what| RecordingError::Value { at: block_at, what };
        let head = match blocks.next(&mut payload)? {
            None => {
                return Err(RecordingError::NoScene {
                    len: blocks.end.unwrap_or(block_at),
                });
            }
            Some(BlockKind::Scene) => RecordingHead::read(&payload).map_err(wrong)?,
            Some(_) => return Err(wrong("it is not that of the scene, which comes first")),
        };
        Ok(Self {
            blocks,
            states: StateReader::new(head.motion),
            head,
            block: TickBlock::default(),
            block_at,
            payload,
            moment: Moment::default(),
            moments: 0,
            inputs_alone: None,
            end: None,
            is_over: false,
        })
    }

    /// The scene, and how the recording was made.
    #[must_use]
    pub const fn head(&self) -> &RecordingHead {
        &self.head
    }

    /// Reads the next moment: the start first, then one after every tick. `None` if there are no more.
    ///
    /// # Errors
    /// [`RecordingError`]; never a panic, whatever the bytes are. What was read before it holds.
    pub fn next_moment(&mut self) -> Result<Option<&Moment>, RecordingError> {
        if self.is_over {
            return Ok(None);
        }
        // After an error nothing more is read.
        self.is_over = true;
        let found = self.find_moment()?;
        self.is_over = !found;
        Ok(found.then_some(&self.moment))
    }

    fn find_moment(&mut self) -> Result<bool, RecordingError> {
        loop {
            let at = self.block_at;
            let wrong = |what| RecordingError::Value { at, what };
            let found = self
                .block
                .next(self.moments, &mut self.states, &mut self.moment)
                .map_err(wrong)?;
            match found {
                Found::Moment if self.inputs_alone.is_none() => {
                    self.moments += 1;
                    return Ok(true);
                }
                Found::InputsAlone if self.inputs_alone.is_none() && self.moments > 0 => {
                    self.inputs_alone = Some(self.moment.inputs.clone());
                    continue;
                }
                Found::Moment | Found::InputsAlone => {
                    return Err(wrong("something follows a tick that never ended"));
                }
                Found::Nothing => {}
            }
            self.block_at = self.blocks.at();
            let at = self.block_at;
            let wrong = |what| RecordingError::Value { at, what };
            match self.blocks.next(&mut self.payload)? {
                None => return Ok(false),
                Some(BlockKind::Scene) => return Err(wrong("there is a second scene")),
                Some(BlockKind::Ticks) => self.block.load(&self.payload, self.moments).map_err(wrong)?,
                Some(BlockKind::End) => {
                    self.end = Some(self.read_end().map_err(wrong)?);
                    self.blocks.finish()?;
                    return Ok(false);
                }
            }
        }
    }

    fn read_end(&self) -> Result<Ending, Wrong> {
        let mut cursor = Cursor::new(&self.payload);
        if Some(cursor.u64()?) != self.ticks() {
            return Err("the number of ticks is another than those that were read");
        }
        if StateHash(cursor.u64()?) != self.moment.hash {
            return Err("the last hash is another than that of the last tick");
        }
        let (code, reason) = (cursor.u8()?, cursor.text()?);
        cursor.finish()?;
        match code {
            0 => Ok(Ending::Finished),
            1 => Ok(Ending::Interrupted),
            2 => Ok(Ending::Failed(reason.to_owned())),
            _ => Err("it ended for a reason that version 1 does not have"),
        }
    }

    /// The moment that was read last.
    #[must_use]
    pub fn moment(&self) -> Option<&Moment> {
        (self.moments > 0).then_some(&self.moment)
    }

    /// How many ticks have been read; `None` before the start.
    #[must_use]
    pub const fn ticks(&self) -> Option<u64> {
        self.moments.checked_sub(1)
    }

    /// Everybody in the order of slots, as they were at the last moment that has states.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = (AgentId, AgentView)> + '_ {
        self.states.agents()
    }

    /// Inputs of a tick that was begun and never ended, in a recording that was cut off by a panic or ended by a failure;
    /// known when the last moment has been read.
    #[must_use]
    pub fn inputs_alone(&self) -> Option<&[Input]> {
        self.inputs_alone.as_deref()
    }

    /// How the run ended, once the last moment has been read; `None` before that, and if the recording was cut off.
    #[must_use]
    pub const fn ending(&self) -> Option<&Ending> {
        self.end.as_ref()
    }

    /// Where the bytes end, in a recording that was cut off, and where its last whole block ends; known once the last moment
    /// has been read.
    #[must_use]
    pub const fn cut_off(&self) -> Option<(u64, u64)> {
        match (&self.end, self.blocks.end) {
            (None, Some(end)) => Some((end, self.blocks.at())),
            _ => None,
        }
    }
}
