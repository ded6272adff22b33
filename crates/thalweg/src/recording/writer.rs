//! Recordings in the making.

use super::bytes::{pack, put, put_bytes};
use super::columns::{Column, Columns};
use super::frame::{BlockKind, BlockWriter};
use super::inputs::put_inputs;
use super::scene::{RecordedScene, RecordingHead};
use super::states::StateWriter;
use super::ticks::{INPUTS_ALONE, STATES};
use super::{Ending, RecordingError, RecordingOptions};
use crate::simulation::{Input, Simulation, TickReport};
use std::io::Write;
use thalweg_crowd::StateHash;

/// A block is written when it holds so many bytes before packing: several times what packing needs to be good at.
const BLOCK_BYTES: usize = 128 * 1024;

/// Writes a recording, block by block, while a run goes on.
///
/// Whatever was written before a crash can be read. A writer that is dropped, as in a panic, first writes what it holds, with
/// the inputs of the tick that was under way; so the replay of a run that crashed crashes as it did.
///
/// What it writes are few and large blocks; no buffer is needed in between.
#[derive(Debug)]
pub struct RecordingWriter<W: Write> {
    /// `None` once it is finished.
    out: Option<BlockWriter<W>>,
    options: RecordingOptions,
    states: StateWriter,
    columns: Columns,
    /// What was stepped when the block began, and since.
    first: u64,
    moments: u32,
    /// Inputs of the tick that is under way.
    inputs: Vec<Input>,
    is_under_way: bool,
    ticks: u64,
    hash: StateHash,
    body: Vec<u8>,
    payload: Vec<u8>,
}

impl<W: Write> RecordingWriter<W> {
    /// Begins a recording of a simulation that has not been stepped, made from this scene.
    ///
    /// # Errors
    /// [`RecordingError::OutOfOrder`] if it has been stepped, [`RecordingError::Io`], [`RecordingError::TooLong`].
    pub fn new(
        out: W,
        scene: RecordedScene,
        simulation: &Simulation,
        options: RecordingOptions,
    ) -> Result<Self, RecordingError> {
        if simulation.tick() != 0 {
            return Err(RecordingError::OutOfOrder {
                wanted: 0,
                got: simulation.tick(),
            });
        }
        let head = RecordingHead::new(scene, simulation, &options);
        let mut out = BlockWriter::new(out)?;
        out.write(BlockKind::Scene, &head.write()?)?;
        let mut writer = Self {
            out: Some(out),
            options,
            states: StateWriter::new(head.motion),
            columns: Columns::default(),
            first: 0,
            moments: 0,
            inputs: Vec::new(),
            is_under_way: false,
            ticks: 0,
            hash: simulation.crowd().state_hash(),
            body: Vec::new(),
            payload: Vec::new(),
        };
        writer.note(simulation, [0; 2]);
        Ok(writer)
    }

    /// Takes down what comes into the tick that is about to be stepped. A tick without inputs needs no such call, but if it
    /// never ends the recording then does not tell that it was begun.
    pub fn before_tick(&mut self, inputs: &[Input]) {
        self.is_under_way = true;
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
    }

    /// Takes down what a tick has come to.
    ///
    /// # Errors
    /// [`RecordingError::OutOfOrder`] if it is not the tick after the last one, [`RecordingError::Io`],
    /// [`RecordingError::TooLong`].
    pub fn after_tick(&mut self, simulation: &Simulation, report: &TickReport) -> Result<(), RecordingError> {
        if report.tick != self.ticks || simulation.tick() != self.ticks + 1 {
            return Err(RecordingError::OutOfOrder {
                wanted: self.ticks,
                got: report.tick,
            });
        }
        self.ticks += 1;
        self.hash = report.hash;
        self.note(simulation, [report.step.arrived_total, report.step.left_total]);
        if self.moments >= self.options.block_ticks || self.columns.len() >= BLOCK_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Puts a moment into the block.
    fn note(&mut self, simulation: &Simulation, totals: [u64; 2]) {
        let crowd = simulation.crowd();
        let every = self.options.states_every;
        let has_states = every > 0 && self.ticks.is_multiple_of(every);
        let column = self.columns.of(Column::Ticks);
        column.push(if has_states { STATES } else { 0 });
        put_inputs(column, &self.inputs);
        self.inputs.clear();
        self.is_under_way = false;
        column.extend(self.hash.0.to_le_bytes());
        put(column, crowd.len() as u64);
        for total in totals {
            put(column, total);
        }
        if has_states {
            self.states.write(crowd.agents(), self.ticks, &mut self.columns);
        }
        self.moments += 1;
    }

    /// Writes what has been taken down so far, whatever a block should hold.
    ///
    /// # Errors
    /// [`RecordingError::Io`], [`RecordingError::TooLong`].
    pub fn flush(&mut self) -> Result<(), RecordingError> {
        let Some(out) = self.out.as_mut().filter(|_| self.moments > 0) else {
            return Ok(());
        };
        self.body.clear();
        self.columns.drain_into(&mut self.body);
        self.payload.clear();
        self.payload.extend(self.first.to_le_bytes());
        self.payload.extend(self.moments.to_le_bytes());
        pack(&mut self.payload, &self.body)?;
        self.first += u64::from(core::mem::take(&mut self.moments));
        out.write(BlockKind::Ticks, &self.payload)
    }

    /// Ends the recording. Returns what it was written to.
    ///
    /// # Errors
    /// [`RecordingError::Io`], [`RecordingError::TooLong`].
    pub fn finish(mut self, ending: &Ending) -> Result<W, RecordingError> {
        self.flush_all()?;
        let mut payload = Vec::new();
        payload.extend(self.ticks.to_le_bytes());
        payload.extend(self.hash.0.to_le_bytes());
        let (code, reason) = match ending {
            Ending::Finished => (0, ""),
            Ending::Interrupted => (1, ""),
            Ending::Failed(reason) => (2, reason.as_str()),
        };
        payload.push(code);
        put_bytes(&mut payload, reason.as_bytes());
        let mut out = self.out.take().ok_or(RecordingError::OutOfOrder {
            wanted: self.ticks,
            got: self.ticks,
        })?;
        out.write(BlockKind::End, &payload)?;
        Ok(out.into_inner())
    }

    /// Writes everything, with the inputs of a tick that has not ended.
    fn flush_all(&mut self) -> Result<(), RecordingError> {
        if core::mem::take(&mut self.is_under_way) {
            let column = self.columns.of(Column::Ticks);
            column.push(INPUTS_ALONE);
            put_inputs(column, &self.inputs);
            self.inputs.clear();
            self.moments += 1;
        }
        self.flush()
    }
}

impl<W: Write> Drop for RecordingWriter<W> {
    fn drop(&mut self) {
        // Where this fails there is nobody left to tell; the recording then ends a block earlier.
        let _kept = self.flush_all();
    }
}
