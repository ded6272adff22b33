//! Costs as CSV, NumPy array and PNG picture, such that the readers of this crate give them back.

use crate::csv_table::UNKNOWN;
use npyz::WriterBuilder as _;
use std::io::{self, Write};
use thalweg_core::cost::{Cost, CostField};

/// Writes costs as comma-separated values: one line per row (LF), 255 impassable, `?` unknown.
///
/// # Errors
/// Those of the writer.
pub fn write_cost_csv(mut writer: impl Write, costs: &CostField) -> io::Result<()> {
    let width = costs.grid().width();
    for id in costs.grid().ids() {
        match costs.get(id) {
            Some(cost) => write!(writer, "{}", cost.byte())?,
            None => writer.write_all(UNKNOWN.as_bytes())?,
        }
        let last = id.0 % width == width - 1;
        writer.write_all(if last { b"\n" } else { b"," })?;
    }
    Ok(())
}

/// Writes costs as a NumPy array of type uint8 and shape (rows, columns): 255 is impassable.
///
/// A byte has no room for a third state, so unknown cells become 255 too.
///
/// # Errors
/// Those of the writer.
pub fn write_cost_npy(writer: impl Write, costs: &CostField) -> io::Result<()> {
    let grid = costs.grid();
    let mut array = npyz::WriteOptions::<u8>::new()
        .default_dtype()
        .shape(&[u64::from(grid.height()), u64::from(grid.width())])
        .writer(writer)
        .begin_nd()?;
    array.extend(costs.bytes().iter().copied())?;
    array.finish()
}

/// Writes costs as an 8-bit grey PNG whose levels are the costs: white (255) is impassable, transparent is unknown.
/// [`GreyCosts::LevelIsCost`](crate::GreyCosts::LevelIsCost) reads it back.
///
/// # Errors
/// Those of the writer.
pub fn write_cost_png(writer: impl Write, costs: &CostField) -> io::Result<()> {
    let grid = costs.grid();
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
