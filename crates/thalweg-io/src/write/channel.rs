//! One value per cell of any channel of a field, as CSV and NumPy array.

use super::layout::{after, shape};
use crate::field_view::FieldCell;
use npyz::WriterBuilder as _;
use std::io::{self, Write};
use thalweg_core::grid::{CellId, Direction, Grid};

/// The array element of a goal cell, where a channel has no number for it.
pub const NPY_GOAL: i64 = -4;
/// The array element of a cell whose way leads through a portal, where a channel has no number for it.
pub const NPY_PORTAL: i64 = -5;

/// What a channel says about a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ChannelCell {
    /// A whole number, 0 or more.
    Whole(u32),
    /// A number, 0 or more.
    Real(f64),
    /// A direction; its index in the fixed order in arrays.
    Direction(Direction),
    /// At a goal: nothing more to take.
    Goal,
    /// Through a portal.
    Portal,
    /// Stay and wait.
    Wait,
    /// Passable ground from which no goal can be reached.
    Unreachable,
    /// Not surveyed, not computed, or beyond a cost limit.
    Unknown,
    /// A wall.
    Impassable,
}

impl ChannelCell {
    /// The word for cells that have no number.
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        Some(match self {
            Self::Whole(_) | Self::Real(_) => return None,
            Self::Direction(direction) => direction.name(),
            Self::Goal => "goal",
            Self::Portal => "portal",
            Self::Wait => "wait",
            Self::Unreachable => "unreachable",
            Self::Unknown => "unknown",
            Self::Impassable => "impassable",
        })
    }

    /// The number in an array; negative where there is none.
    #[expect(clippy::cast_precision_loss, reason = "codes are small")]
    fn number(self) -> f64 {
        match self {
            Self::Whole(whole) => f64::from(whole),
            Self::Real(real) => real,
            Self::Direction(direction) => f64::from(direction as u8),
            Self::Unreachable => super::NPY_UNREACHABLE as f64,
            Self::Unknown => super::NPY_UNKNOWN as f64,
            Self::Impassable => super::NPY_IMPASSABLE as f64,
            Self::Goal => NPY_GOAL as f64,
            Self::Portal => NPY_PORTAL as f64,
            Self::Wait => NPY_WAIT as f64,
        }
    }
}

/// The array element of a cell where waiting is best.
pub const NPY_WAIT: i64 = -6;

impl From<FieldCell> for ChannelCell {
    fn from(cell: FieldCell) -> Self {
        match cell {
            FieldCell::Reached(cost) => Self::Whole(cost),
            FieldCell::Unreachable => Self::Unreachable,
            FieldCell::Unknown => Self::Unknown,
            FieldCell::Impassable | FieldCell::NoRoom => Self::Impassable,
        }
    }
}

/// Writes a channel as comma-separated values, one line per row (LF) and an empty line between layers: numbers (with three digits where they are not
/// whole), or words.
///
/// # Errors
/// Those of the writer.
pub fn write_channel_csv(
    mut writer: impl Write,
    grid: &Grid,
    value: impl Fn(CellId) -> ChannelCell,
) -> io::Result<()> {
    for id in grid.ids() {
        match value(id) {
            ChannelCell::Whole(whole) => write!(writer, "{whole}")?,
            ChannelCell::Real(real) => write!(writer, "{real:.3}")?,
            other => writer.write_all(other.word().unwrap_or_default().as_bytes())?,
        }
        writer.write_all(after(grid, id))?;
    }
    Ok(())
}

/// Writes a channel as a NumPy array of shape (rows, columns), or (layers, rows, columns) if there are several, little-endian: int64 if all its numbers are whole, float64
/// else. Cells without a number are negative: [`NPY_UNREACHABLE`](crate::NPY_UNREACHABLE),
/// [`NPY_UNKNOWN`](crate::NPY_UNKNOWN), [`NPY_IMPASSABLE`](crate::NPY_IMPASSABLE), [`NPY_GOAL`], [`NPY_PORTAL`],
/// [`NPY_WAIT`].
///
/// # Errors
/// Those of the writer, and if layers differ in size.
pub fn write_channel_npy(
    writer: impl Write,
    grid: &Grid,
    is_whole: bool,
    value: impl Fn(CellId) -> ChannelCell,
) -> io::Result<()> {
    let shape = shape(grid)?;
    let plain = |text: &str| -> io::Result<npyz::DType> {
        Ok(npyz::DType::Plain(text.parse().map_err(io::Error::other)?))
    };
    if is_whole {
        let mut array = npyz::WriteOptions::<i64>::new()
            .dtype(plain("<i8")?)
            .shape(&shape)
            .writer(writer)
            .begin_nd()?;
        for id in grid.ids() {
            #[expect(clippy::cast_possible_truncation, reason = "whole, and below 2^53")]
            array.push(&(value(id).number() as i64))?;
        }
        return array.finish();
    }
    let mut array = npyz::WriteOptions::<f64>::new()
        .dtype(plain("<f8")?)
        .shape(&shape)
        .writer(writer)
        .begin_nd()?;
    for id in grid.ids() {
        array.push(&value(id).number())?;
    }
    array.finish()
}
