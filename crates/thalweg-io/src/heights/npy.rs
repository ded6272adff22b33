//! Heights as NumPy arrays.

use super::builder::{HeightBuilder, Stored};
use super::options::HeightOptions;
use crate::error::{Place, ReadError, ReadReason};
use crate::npy::{Array, Element};
use thalweg_core::cost::HeightMap;

pub(super) fn read(name: &str, bytes: &[u8], options: &HeightOptions) -> Result<HeightMap, ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let array = Array::read(bytes).map_err(fail)?;
    let grid = array.grid();
    if grid.layers().len() > 1 {
        return Err(fail(ReadReason::Unsupported(
            "heights of several layers are not read: give one array per layer",
        )));
    }
    let stored = match grid.ids().next().map(|id| array.element(id)) {
        Some(Element::Bool(_)) => return Err(fail(ReadReason::ArrayType(String::from("bool, as heights,")))),
        Some(Element::Float32(_)) => Stored::Float32,
        _ => Stored::Numbers,
    };
    let mut heights = HeightBuilder::new(grid.len(), stored, None, options).map_err(fail)?;
    for id in grid.ids() {
        // Whole numbers beyond 2^53 lose digits that a height of 32 bits never had.
        let number = match array.element(id) {
            Element::Bool(byte) => f64::from(byte),
            Element::Unsigned(whole) => whole as f64,
            Element::Signed(whole) => whole as f64,
            Element::Float32(number) => f64::from(number),
            Element::Float64(number) => number,
        };
        heights.push(number).map_err(|reason| {
            let (column, row) = grid.column_row_of(id);
            ReadError::new(name, Place::Cell(column, row), reason)
        })?;
    }
    let size = (grid.width(), grid.height());
    heights.finish(size, None, options).map_err(fail)
}
