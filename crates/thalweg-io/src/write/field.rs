//! Costs-to-goal as CSV and NumPy array.

use npyz::WriterBuilder as _;
use std::io::{self, Write};
use thalweg_core::grid::{CellId, Grid};

/// What a field says about one cell, as writers and pictures need it: never one number that may also mean "no way".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldCell {
    /// A goal can be reached at this cost, in the unit of the field.
    Reached(u64),
    /// No goal can be reached.
    Unreachable,
    /// Not surveyed, not computed, or beyond a cost limit.
    Unknown,
    /// A wall.
    Impassable,
}

impl FieldCell {
    /// The cost, if a goal can be reached.
    #[must_use]
    pub const fn reached(self) -> Option<u64> {
        match self {
            Self::Reached(cost) => Some(cost),
            Self::Unreachable | Self::Unknown | Self::Impassable => None,
        }
    }
}

/// The array element of an unreachable cell in [`write_field_npy`].
pub const NPY_UNREACHABLE: i64 = -1;
/// The array element of an unknown cell in [`write_field_npy`].
pub const NPY_UNKNOWN: i64 = -2;
/// The array element of an impassable cell in [`write_field_npy`].
pub const NPY_IMPASSABLE: i64 = -3;

/// Writes a field as comma-separated values, one line per row (LF): the cost-to-goal, or one of the words
/// `unreachable`, `unknown` and `impassable`.
///
/// # Errors
/// Those of the writer.
pub fn write_field_csv(
    mut writer: impl Write,
    grid: &Grid,
    field: impl Fn(CellId) -> FieldCell,
) -> io::Result<()> {
    let width = grid.width();
    for id in grid.ids() {
        match field(id) {
            FieldCell::Reached(cost) => write!(writer, "{cost}")?,
            FieldCell::Unreachable => writer.write_all(b"unreachable")?,
            FieldCell::Unknown => writer.write_all(b"unknown")?,
            FieldCell::Impassable => writer.write_all(b"impassable")?,
        }
        let last = id.0 % width == width - 1;
        writer.write_all(if last { b"\n" } else { b"," })?;
    }
    Ok(())
}

/// Writes a field as a NumPy array of type int64 (little-endian) and shape (rows, columns): the cost-to-goal, or
/// [`NPY_UNREACHABLE`], [`NPY_UNKNOWN`], [`NPY_IMPASSABLE`], all of them negative, so that `field >= 0` selects the
/// cells with a way to a goal.
///
/// # Errors
/// Those of the writer.
pub fn write_field_npy(
    writer: impl Write,
    grid: &Grid,
    field: impl Fn(CellId) -> FieldCell,
) -> io::Result<()> {
    let little_endian: npyz::TypeStr = "<i8".parse().map_err(io::Error::other)?;
    let mut array = npyz::WriteOptions::<i64>::new()
        .dtype(npyz::DType::Plain(little_endian))
        .shape(&[u64::from(grid.height()), u64::from(grid.width())])
        .writer(writer)
        .begin_nd()?;
    for id in grid.ids() {
        array.push(&match field(id) {
            // No field of 32-bit sums comes near the limit; a clamp is still better than a wrap into a sentinel.
            FieldCell::Reached(cost) => i64::try_from(cost).unwrap_or(i64::MAX),
            FieldCell::Unreachable => NPY_UNREACHABLE,
            FieldCell::Unknown => NPY_UNKNOWN,
            FieldCell::Impassable => NPY_IMPASSABLE,
        })?;
    }
    array.finish()
}
