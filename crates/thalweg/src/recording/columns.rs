//! The body of a block of ticks: numbers of one kind beside each other, which pack better than those of one agent.

use super::bytes::{Cursor, Wrong, put};

/// What stands in each column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Column {
    /// Inputs, hashes, counts: tick by tick.
    Ticks,
    /// Who is gone and who is new.
    Who,
    /// What of an agent is not as expected.
    Mask,
    /// Positions, less those expected.
    X,
    Y,
    /// Headings.
    HeadingX,
    HeadingY,
    /// Velocities that do not follow from positions.
    Velocity,
    /// How long an agent has been stalled.
    Stalled,
    /// Outcomes and since when.
    Outcome,
    /// Blockers.
    Blocker,
    /// What changes seldom.
    Rare,
}

pub(super) const COLUMNS: usize = Column::Rare as usize + 1;

/// Columns in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns([Vec<u8>; COLUMNS]);

impl Columns {
    pub(super) const fn of(&mut self, column: Column) -> &mut Vec<u8> {
        &mut self.0[column as usize]
    }

    /// Bytes in all.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The lengths of all, then all; they are empty afterwards.
    pub(super) fn drain_into(&mut self, out: &mut Vec<u8>) {
        for column in &self.0 {
            put(out, column.len() as u64);
        }
        for column in &mut self.0 {
            out.append(column);
        }
    }
}

/// Columns that are read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ColumnCursors<'a>([Cursor<'a>; COLUMNS]);

impl<'a> ColumnCursors<'a> {
    pub(super) fn new(body: &'a [u8]) -> Result<Self, Wrong> {
        let mut body = Cursor::new(body);
        let mut lengths = [0; COLUMNS];
        for length in &mut lengths {
            *length = body.narrow()?;
        }
        let mut columns = Self::default();
        for (column, length) in columns.0.iter_mut().zip(lengths) {
            *column = Cursor::new(body.take(length)?);
        }
        body.finish()?;
        Ok(columns)
    }

    /// The columns of a body of which so many bytes are left.
    pub(super) fn resume(body: &'a [u8], left: [usize; COLUMNS]) -> Result<Self, Wrong> {
        let mut columns = Self::new(body)?;
        for (column, left) in columns.0.iter_mut().zip(left) {
            column.take(column.len().saturating_sub(left))?;
        }
        Ok(columns)
    }

    pub(super) const fn of(&mut self, column: Column) -> &mut Cursor<'a> {
        &mut self.0[column as usize]
    }

    pub(super) fn finish(&self) -> Result<(), Wrong> {
        self.0.iter().try_for_each(|column| column.finish())
    }

    /// Bytes left, by column.
    pub(super) fn left(&self) -> [usize; COLUMNS] {
        self.0.map(|column| column.len())
    }
}
