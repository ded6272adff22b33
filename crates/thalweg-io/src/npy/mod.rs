//! NumPy `.npy` arrays as rectangles of numbers, whatever the numbers then mean.
//!
//! The header is read here, strictly, and not by a general reader of Python literals: such readers recurse as deep as
//! a hostile header is nested and multiply its sizes unchecked.

mod header;

use crate::error::ReadReason;
use header::{ByteOrder, Header, Kind, read_header};
use thalweg_core::grid::{CellId, Grid, MAX_LAYERS};

/// The first bytes of every `.npy` file.
pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// One element of an array.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Element {
    /// 0 or 1 in a sound file, but any byte may stand there.
    Bool(u8),
    Unsigned(u64),
    Signed(i64),
    Float32(f32),
    Float64(f64),
}

/// An array of two dimensions, or of three with layers first, whose data has the length that its shape needs.
#[derive(Debug)]
pub(crate) struct Array<'a> {
    header: Header,
    data: &'a [u8],
    grid: Grid,
}

impl<'a> Array<'a> {
    /// Splits a file into header and data and checks one against the other. Allocates nothing for the data.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, ReadReason> {
        let (header, data) = read_header(bytes)?;
        let (layers, rows, columns) = match *header.shape.as_slice() {
            [rows, columns] => (1, rows, columns),
            [layers, rows, columns] => (layers, rows, columns),
            _ => return Err(ReadReason::ArrayDimensions(header.shape.len())),
        };
        // A side beyond 32 bits is beyond any grid, so the nearest side that the grid refuses will do for the message.
        let side = |cells: u64| u32::try_from(cells).unwrap_or(u32::MAX);
        let floor = Grid::new(side(columns), side(rows))?;
        // No more are looked at than can be named, whatever the header says.
        let count = usize::try_from(layers).unwrap_or(usize::MAX).min(MAX_LAYERS + 1);
        let grid = Grid::stacked(core::iter::repeat_n(&floor, count))?;
        let want = (grid.len() as u64).saturating_mul(header.kind.bytes() as u64);
        if data.len() as u64 != want {
            let got = data.len() as u64;
            return Err(ReadReason::ArrayLength { got, want });
        }
        Ok(Self { header, data, grid })
    }

    /// The array as a map: `array[y, x]` is the cell in column x, row y, `array[layer, y, x]` with several layers.
    pub(crate) const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The element of a cell.
    pub(crate) fn element(&self, id: CellId) -> Element {
        let index = if self.header.fortran_order {
            let (column, row) = self.grid.column_row_of(id);
            let layer = usize::from(self.grid.layer_of(id).index());
            let (layers, rows) = (self.grid.layers().len(), self.grid.height() as usize);
            (column as usize * rows + row as usize) * layers + layer
        } else {
            id.index()
        };
        let bytes = self.header.kind.bytes();
        let raw = &self.data[index * bytes..][..bytes];
        // All element types are widened to 64 bits: first the bytes as one number, most significant first.
        let fold = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
        let bits = match self.header.order {
            ByteOrder::Little => raw.iter().rev().fold(0, fold),
            ByteOrder::Big => raw.iter().fold(0, fold),
        };
        match self.header.kind {
            Kind::Bool => Element::Bool(raw.first().copied().unwrap_or_default()),
            Kind::Unsigned(_) => Element::Unsigned(bits),
            Kind::Signed(bytes) => {
                let unused = 64 - 8 * u32::from(bytes);
                Element::Signed((bits << unused).cast_signed() >> unused)
            }
            // Four bytes were read, so the number fits.
            Kind::Float32 => Element::Float32(f32::from_bits(u32::try_from(bits).unwrap_or(u32::MAX))),
            Kind::Float64 => Element::Float64(f64::from_bits(bits)),
        }
    }
}
