//! Costs as CSV, NumPy array and PNG picture, such that the readers of this crate give them back.
//!
//! Tables of several layers are for other programs only: to the reader an empty line is a row that was lost.

use super::layout::{after, shape};
use crate::csv_table::UNKNOWN;
use npyz::WriterBuilder as _;
use std::io::{self, Write};
use thalweg_core::cost::{Cost, CostField};

/// Writes costs as comma-separated values: one line per row (LF) and an empty line between layers, 255 impassable, `?` unknown.
///
/// # Errors
/// Those of the writer.
pub fn write_cost_csv(mut writer: impl Write, costs: &CostField) -> io::Result<()> {
    let grid = costs.grid();
    for id in grid.ids() {
        match costs.get(id) {
            Some(cost) => write!(writer, "{}", cost.byte())?,
            None => writer.write_all(UNKNOWN.as_bytes())?,
        }
        writer.write_all(after(grid, id))?;
    }
    Ok(())
}

/// Writes costs as a NumPy array of type uint8 and shape (rows, columns), or (layers, rows, columns) if there are several: 255 is impassable.
///
/// A byte has no room for a third state, so unknown cells become 255 too.
///
/// # Errors
/// Those of the writer, and if layers differ in size.
pub fn write_cost_npy(writer: impl Write, costs: &CostField) -> io::Result<()> {
    let grid = costs.grid();
    let mut array = npyz::WriteOptions::<u8>::new()
        .default_dtype()
        .shape(&shape(grid)?)
        .writer(writer)
        .begin_nd()?;
    array.extend(costs.bytes().iter().copied())?;
    array.finish()
}

/// Writes costs as an 8-bit grey PNG whose levels are the costs: white (255) is impassable, transparent is unknown.
/// [`GreyCosts::LevelIsCost`](crate::GreyCosts::LevelIsCost) reads it back.
///
/// # Errors
/// Those of the writer, and if the map has several layers.
pub fn write_cost_png(writer: impl Write, costs: &CostField) -> io::Result<()> {
    let grid = costs.grid();
    if grid.layers().len() > 1 {
        return Err(io::Error::other(
            "a picture of costs holds one layer, write a text grid or an array instead",
        ));
    }
    let with_unknown = costs.unknown_len() > 0;
    let mut encoder = png::Encoder::new(writer, grid.width(), grid.height());
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_color(if with_unknown {
        png::ColorType::GrayscaleAlpha
    } else {
        png::ColorType::Grayscale
    });
    let mut png = encoder.write_header()?;
    let mut stream = png.stream_writer()?;
    if with_unknown {
        for id in grid.ids() {
            let cost = costs.get(id);
            let alpha = if cost.is_some() { u8::MAX } else { 0 };
            stream.write_all(&[cost.unwrap_or(Cost::IMPASSABLE).byte(), alpha])?;
        }
    } else {
        stream.write_all(costs.bytes())?;
    }
    stream.finish()?;
    png.finish()?;
    Ok(())
}
