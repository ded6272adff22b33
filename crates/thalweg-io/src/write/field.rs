//! Costs-to-goal as CSV and NumPy array.

use super::layout::{after, shape};
use crate::field_view::{FieldCell, FieldView};
use npyz::WriterBuilder as _;
use std::io::{self, Write};

/// The array element of an unreachable cell in [`write_field_npy`].
pub const NPY_UNREACHABLE: i64 = -1;
/// The array element of an unknown cell in [`write_field_npy`].
pub const NPY_UNKNOWN: i64 = -2;
/// The array element of an impassable cell in [`write_field_npy`].
pub const NPY_IMPASSABLE: i64 = -3;

/// Writes a field as comma-separated values, one line per row (LF) and an empty line between layers: the cost-to-goal, or one of the words
/// `unreachable`, `unknown` and `impassable`.
///
/// # Errors
/// Those of the writer.
pub fn write_field_csv(mut writer: impl Write, view: &FieldView<'_>) -> io::Result<()> {
    let grid = view.grid();
    for id in grid.ids() {
        match view.cell(id) {
            FieldCell::Reached(cost) => write!(writer, "{cost}")?,
            FieldCell::Unreachable => writer.write_all(b"unreachable")?,
            FieldCell::Unknown => writer.write_all(b"unknown")?,
            FieldCell::Impassable | FieldCell::NoRoom => writer.write_all(b"impassable")?,
        }
        writer.write_all(after(grid, id))?;
    }
    Ok(())
}

/// Writes a field as a NumPy array of type int64 (little-endian) and shape (rows, columns), or (layers, rows, columns) if there are several: the cost-to-goal, or
/// [`NPY_UNREACHABLE`], [`NPY_UNKNOWN`], [`NPY_IMPASSABLE`], all of them negative, so that `field >= 0` selects the
/// cells with a way to a goal.
///
/// # Errors
/// Those of the writer, and if layers differ in size.
pub fn write_field_npy(writer: impl Write, view: &FieldView<'_>) -> io::Result<()> {
    let grid = view.grid();
    let little_endian: npyz::TypeStr = "<i8".parse().map_err(io::Error::other)?;
    let mut array = npyz::WriteOptions::<i64>::new()
        .dtype(npyz::DType::Plain(little_endian))
        .shape(&shape(grid)?)
        .writer(writer)
        .begin_nd()?;
    for id in grid.ids() {
        array.push(&match view.cell(id) {
            FieldCell::Reached(cost) => i64::from(cost),
            FieldCell::Unreachable => NPY_UNREACHABLE,
            FieldCell::Unknown => NPY_UNKNOWN,
            FieldCell::Impassable | FieldCell::NoRoom => NPY_IMPASSABLE,
        })?;
    }
    array.finish()
}
