//! NumPy `.npy` arrays whose elements are costs.

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::npy::{Array, Element};
use crate::read_file::read_with;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField};

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
    let array = Array::read(bytes).map_err(fail)?;
    let grid = array.grid();
    let mut costs = MapBuilder::with_capacity(grid.len());
    for id in grid.ids() {
        let cost = cost_of(array.element(id)).map_err(|reason| {
            let (column, row) = grid.column_row_of(id);
            ReadError::new(name, Place::Cell(column, row), reason)
        })?;
        costs.push(Some(cost));
    }
    costs.finish_on(grid.clone()).map_err(fail)
}

/// Reads an array of costs from a `.npy` file.
///
/// # Errors
/// As [`read_cost_npy`], and for files that cannot be read.
pub fn read_cost_npy_file(path: &Path) -> Result<CostField, ReadError> {
    read_with(path, read_cost_npy)
}

fn cost_of(element: Element) -> Result<Cost, ReadReason> {
    Ok(match element {
        Element::Bool(0) => Cost::IMPASSABLE,
        Element::Bool(1) => Cost::PLAIN,
        Element::Bool(byte) => return Err(ReadReason::ArrayBool(byte)),
        // Numbers beyond i64 are far beyond any cost; the largest i64 stands for them in the message.
        Element::Unsigned(whole) => Cost::try_from(i64::try_from(whole).unwrap_or(i64::MAX))?,
        Element::Signed(whole) => Cost::try_from(whole)?,
        Element::Float32(number) => Cost::try_from(f64::from(number))?,
        Element::Float64(number) => Cost::try_from(number)?,
    })
}
