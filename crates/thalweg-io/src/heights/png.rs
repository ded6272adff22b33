//! Heights as grey levels of PNG pictures.

use super::builder::{HeightBuilder, Stored};
use super::options::HeightOptions;
use crate::error::{Place, ReadError};
use crate::png_pixels::{Png, grey_level};
use png::BitDepth;
use thalweg_core::cost::HeightMap;

pub(super) fn read(name: &str, bytes: &[u8], options: &HeightOptions) -> Result<HeightMap, ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let png = Png::open(name, bytes)?;
    // Levels arrive on the 16-bit scale, where one 8-bit level is 257; all 16 bits of a 16-bit level count.
    let (top, step) = if png.depth() == BitDepth::Sixteen {
        (u16::MAX, 1)
    } else {
        (255, 257)
    };
    // Grows with the rows that really decode.
    let mut heights = HeightBuilder::new(0, Stored::UnscaledLevels(top), None, options).map_err(fail)?;
    let grid = png.read(|pixel| match grey_level(pixel)? {
        Some(level) => heights.push(f64::from(level / step)),
        None => {
            heights.push_unknown();
            Ok(())
        }
    })?;
    let size = (grid.width(), grid.height());
    heights.finish(size, None, options).map_err(fail)
}
