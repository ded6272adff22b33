//! NumPy `.npy` arrays whose elements are costs.
//!
//! The header is read here, strictly, and not by a general reader of Python literals: such readers recurse as deep as
//! a hostile header is nested and multiply its sizes unchecked.

mod header;

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use header::{ByteOrder, Header, Kind, read_header};
use std::path::Path;
use thalweg_core::cost::{Cost, CostError, CostField};
use thalweg_core::grid::{Grid, MAX_LAYERS};

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// Reads an array of costs: `array[y, x]` is the cell in column x, row y, and `array[layer, y, x]` if there are several
/// layers of one size. `name` stands for the file in messages.
///
/// Element types are bool, signed and unsigned integers of 8 to 64 bits, float32 and float64, in either byte order;
/// C and Fortran order give the same map. Numbers are costs 0 to 254, 255 for impassable. A **bool** array is a
/// *walkable* mask: true is plain ground (cost 1, as the number 1 would be), false is impassable.
///
/// # Errors
/// [`ReadError`] for damaged headers, other element types, other than two or three dimensions, data of another length than the
/// shape needs, and naming the cell for values that are no costs (negative, above 255, NaN, infinite, fractions).
/// Nothing is allocated on the word of the header alone.
pub fn read_cost_npy(name: &str, bytes: &[u8]) -> Result<CostField, ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let (header, data) = read_header(bytes).map_err(fail)?;
    let (layers, rows, columns) = match *header.shape.as_slice() {
        [rows, columns] => (1, rows, columns),
        [layers, rows, columns] => (layers, rows, columns),
        _ => return Err(fail(ReadReason::ArrayDimensions(header.shape.len()))),
    };
    // A side beyond 32 bits is beyond any grid, so the nearest side that the grid refuses will do for the message.
    let side = |cells: u64| u32::try_from(cells).unwrap_or(u32::MAX);
    let floor = Grid::new(side(columns), side(rows)).map_err(|error| fail(error.into()))?;
    // No more are looked at than can be named, whatever the header says.
    let count = usize::try_from(layers).unwrap_or(usize::MAX).min(MAX_LAYERS + 1);
    let grid = Grid::stacked(core::iter::repeat_n(&floor, count)).map_err(|error| fail(error.into()))?;
    let element_bytes = header.kind.bytes();
    let want = (grid.len() as u64).saturating_mul(element_bytes as u64);
    if data.len() as u64 != want {
        let got = data.len() as u64;
        return Err(fail(ReadReason::ArrayLength { got, want }));
    }
    let mut costs = MapBuilder::with_capacity(grid.len());
    for id in grid.ids() {
        let (column, row) = grid.column_row_of(id);
        let element = if header.fortran_order {
            let layer = usize::from(grid.layer_of(id).index());
            let (layers, rows) = (grid.layers().len(), grid.height() as usize);
            (column as usize * rows + row as usize) * layers + layer
        } else {
            id.index()
        };
        let raw = &data[element * element_bytes..][..element_bytes];
        let cost =
            cost_of(&header, raw).map_err(|reason| ReadError::new(name, Place::Cell(column, row), reason))?;
        costs.push(Some(cost));
    }
    costs.finish_on(grid).map_err(fail)
}

/// Reads an array of costs from a `.npy` file.
///
/// # Errors
/// As [`read_cost_npy`], and for files that cannot be read.
pub fn read_cost_npy_file(path: &Path) -> Result<CostField, ReadError> {
    read_with(path, read_cost_npy)
}

fn cost_of(header: &Header, raw: &[u8]) -> Result<Cost, ReadReason> {
    // All element types are widened to 64 bits: first the bytes as one number, most significant first.
    let fold = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
    let bits = match header.order {
        ByteOrder::Little => raw.iter().rev().fold(0, fold),
        ByteOrder::Big => raw.iter().fold(0, fold),
    };
    Ok(match header.kind {
        Kind::Bool => match bits {
            0 => Cost::IMPASSABLE,
            1 => Cost::PLAIN,
            _ => return Err(ReadReason::ArrayBool(raw.first().copied().unwrap_or_default())),
        },
        Kind::Unsigned(_) => {
            // Numbers beyond i64 are far beyond any cost; the largest i64 stands for them in the message.
            let whole = i64::try_from(bits).unwrap_or(i64::MAX);
            Cost::try_from(whole)?
        }
        Kind::Signed(bytes) => {
            let unused = 64 - 8 * u32::from(bytes);
            Cost::try_from((bits << unused).cast_signed() >> unused)?
        }
        Kind::Float32 => match u32::try_from(bits) {
            Ok(bits) => Cost::try_from(f64::from(f32::from_bits(bits)))?,
            Err(_) => return Err(CostError::NotWhole(f64::NAN).into()),
        },
        Kind::Float64 => Cost::try_from(f64::from_bits(bits))?,
    })
}
