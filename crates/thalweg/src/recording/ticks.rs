//! Blocks of ticks, read moment by moment.

use super::Moment;
use super::bytes::{Cursor, Wrong, unpack};
use super::columns::{Column, ColumnCursors};
use super::inputs::read_inputs;
use super::states::StateReader;
use thalweg_crowd::StateHash;

/// The states of agents are kept.
pub(super) const STATES: u8 = 1;
/// The tick never ended: there are its inputs and nothing more.
pub(super) const INPUTS_ALONE: u8 = 2;

/// A block of ticks that is being read.
#[derive(Debug, Default)]
pub(super) struct TickBlock {
    body: Vec<u8>,
    /// Bytes of each column that are still to be read: cursors would borrow the body.
    left: Option<[usize; super::columns::COLUMNS]>,
    moments: u32,
}

/// What was read.
pub(super) enum Read {
    /// The block is at its end.
    Nothing,
    Moment,
    /// Inputs of a tick that never ended.
    InputsAlone,
}

impl TickBlock {
    /// Takes in a block that begins at this moment.
    pub(super) fn load(&mut self, payload: &[u8], next: u64) -> Result<(), Wrong> {
        let mut payload = Cursor::new(payload);
        if payload.u64()? != next {
            return Err("it does not follow the block before it");
        }
        self.moments = payload.u32()?;
        self.left = None;
        unpack(payload, &mut self.body)?;
        self.left = Some(ColumnCursors::new(&self.body)?.left());
        Ok(())
    }

    /// Reads what comes next.
    pub(super) fn next(
        &mut self,
        tick: u64,
        states: &mut StateReader,
        moment: &mut Moment,
    ) -> Result<Read, Wrong> {
        let Some(left) = self.left else {
            return Ok(Read::Nothing);
        };
        let mut from = ColumnCursors::resume(&self.body, left)?;
        if self.moments == 0 {
            self.left = None;
            from.finish()?;
            return Ok(Read::Nothing);
        }
        self.moments -= 1;
        let column = from.of(Column::Ticks);
        let flags = column.u8()?;
        if flags != 0 && flags != STATES && flags != INPUTS_ALONE {
            return Err("a tick has a flag that version 1 does not have");
        }
        read_inputs(column, &mut moment.inputs)?;
        if flags == INPUTS_ALONE {
            self.left = Some(from.left());
            return Ok(Read::InputsAlone);
        }
        moment.tick = tick;
        moment.hash = StateHash(column.u64()?);
        moment.agents = column.number()?;
        moment.arrived = column.number()?;
        moment.left = column.number()?;
        moment.has_states = flags == STATES;
        if moment.has_states {
            states.read(tick, &mut from)?;
            if states.agents().len() as u64 != moment.agents {
                return Err("there are more or fewer agents than are counted");
            }
        }
        self.left = Some(from.left());
        Ok(Read::Moment)
    }
}
