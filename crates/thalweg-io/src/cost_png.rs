//! Pictures whose grey levels are costs.
//!
//! Whether white is cheap or dear, and where walls begin, cannot be told from a picture, so the caller says it with
//! [`GreyCosts`].

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::read_file::read_with;
use png::{BitDepth, ColorType, DecodingError, Transformations};
use std::io::Cursor;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField, MAX_COST};
use thalweg_core::grid::Grid;

/// The largest decoded interlaced picture, in bytes: 1 GiB.
const MAX_INTERLACED_BYTES: usize = 1 << 30;

/// Which end of the grey scale is cheap ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Polarity {
    /// White is the cheapest ground and black the dearest, as in most hand-drawn cost pictures.
    #[default]
    WhiteIsCheap,
    /// Black is the cheapest ground and white the dearest, as in height and slope pictures.
    WhiteIsDear,
}

/// How grey levels become costs.
///
/// Fully transparent pixels are unknown ground in every mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GreyCosts {
    /// The level of an 8-bit picture *is* the cost: 0 to 254, and white (255) is impassable. Pictures with fewer bits
    /// are spread to 0..=255 first; 16-bit pictures are refused, since their low bits would be lost.
    LevelIsCost,
    /// Levels are spread evenly over a range of costs.
    Ramp {
        /// Which end of the scale is cheap.
        polarity: Polarity,
        /// Cost of the cheapest level, 0 to 254.
        cheapest: u8,
        /// Cost of the dearest level that is still ground, `cheapest` to 254.
        dearest: u8,
        /// Levels at this distance from the cheap end, or beyond, are impassable. Distances go from 0 to 65535, the
        /// two ends of the scale, whatever the depth of the picture (one 8-bit level is 257). 0 is refused.
        impassable_from: u16,
    },
}

impl GreyCosts {
    /// A ramp from cost 1 to the largest cost in which only the dear end itself is impassable.
    #[must_use]
    pub const fn ramp(polarity: Polarity) -> Self {
        Self::Ramp {
            polarity,
            cheapest: Cost::PLAIN.byte(),
            dearest: MAX_COST,
            impassable_from: u16::MAX,
        }
    }

    fn check(self, depth: BitDepth) -> Result<(), String> {
        match self {
            Self::LevelIsCost if depth == BitDepth::Sixteen => Err(String::from(
                "the picture has 16-bit levels, which are no costs as they stand, so a ramp must say how to spread them",
            )),
            Self::Ramp {
                cheapest, dearest, ..
            } if cheapest > dearest || dearest > MAX_COST => Err(format!(
                "the ramp goes from cost {cheapest} to {dearest}, but it must rise and end at {MAX_COST} or below"
            )),
            Self::Ramp {
                impassable_from: 0, ..
            } => Err(String::from(
                "the ramp makes every level impassable, so its limit must be 1 or more",
            )),
            Self::LevelIsCost | Self::Ramp { .. } => Ok(()),
        }
    }

    /// The cost of a level on the scale 0..=65535.
    fn cost(self, level: u16) -> Cost {
        Cost::from_byte(match self {
            // 8-bit levels were spread by 257, so this division is exact.
            Self::LevelIsCost => (level / 257) as u8,
            Self::Ramp {
                polarity,
                cheapest,
                dearest,
                impassable_from,
            } => {
                let distance = match polarity {
                    Polarity::WhiteIsCheap => u16::MAX - level,
                    Polarity::WhiteIsDear => level,
                };
                if distance >= impassable_from {
                    return Cost::IMPASSABLE;
                }
                // The last passable distance gets the dearest cost exactly; all in whole numbers, rounded to nearest.
                let last = u32::from(impassable_from - 1).max(1);
                let span = u32::from(dearest - cheapest);
                let above = (u32::from(distance) * span + last / 2) / last;
                cheapest
                    .saturating_add(u8::try_from(above).unwrap_or(u8::MAX))
                    .min(dearest)
            }
        })
    }
}

impl Default for GreyCosts {
    /// White is cost 1, black is impassable.
    fn default() -> Self {
        Self::ramp(Polarity::WhiteIsCheap)
    }
}

/// Reads costs from the grey levels of a PNG picture. `name` stands for the file in messages.
///
/// Grey of 1 to 16 bits, colour pictures whose pixels are all grey, and indexed pictures of greys are read, with or
/// without transparency and interlacing. All 16 bits of a 16-bit level count.
///
/// # Errors
/// [`ReadError`] for damaged pictures, for a size that the file cannot possibly hold or that no map may have, and
/// naming the pixel for colours and half transparency.
pub fn read_cost_png(name: &str, bytes: &[u8], costs: GreyCosts) -> Result<CostField, ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let damaged = |error: DecodingError| fail(ReadReason::Image(error.to_string()));
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = info.size();
    let stored_bits = u64::from(width) * info.bits_per_pixel() as u64;
    let stored = stored_bits.div_ceil(8).saturating_mul(u64::from(height));
    let grid = Grid::new(width, height).map_err(|error| fail(error.into()))?;
    // Deflate cannot shrink more than 1032-fold: a small file that claims a huge picture is refused before any buffer
    // is made for it.
    if stored > (bytes.len() as u64).saturating_mul(1032) {
        return Err(fail(ReadReason::Image(format!(
            "its header states {width} x {height} pixels, which {} bytes cannot hold",
            bytes.len()
        ))));
    }
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (color, depth) = reader.output_color_type();
    costs
        .check(depth)
        .map_err(|reason| fail(ReadReason::GreyCosts(reason)))?;

    // Grows with the rows that really decode: a damaged file takes no memory for what it never holds.
    let mut map = MapBuilder::default();
    let mut read_row = |y: u32, row: &[u8]| -> Result<(), ReadError> {
        for (x, pixel) in (0..width).zip(pixels(row, color, depth)) {
            let level = level(pixel).map_err(|reason| ReadError::new(name, Place::Pixel(x, y), reason))?;
            map.push(level.map(|level| costs.cost(level)));
        }
        Ok(())
    };
    if reader.info().interlaced {
        // The passes of an interlaced picture are only put together by decoding all of it at once.
        let size = reader
            .output_buffer_size()
            .filter(|&size| size <= MAX_INTERLACED_BYTES)
            .ok_or_else(|| {
                fail(ReadReason::Image(format!(
                    "it is interlaced and needs more than {MAX_INTERLACED_BYTES} bytes at once, the limit for such pictures"
                )))
            })?;
        let mut frame = vec![0; size];
        let info = reader.next_frame(&mut frame).map_err(damaged)?;
        for (y, row) in (0..height).zip(frame.chunks_exact(info.line_size.max(1))) {
            read_row(y, row)?;
        }
    } else {
        let mut y = 0;
        while let Some(row) = reader.next_row().map_err(damaged)? {
            read_row(y, row.data())?;
            y += 1;
        }
    }
    let want = grid.len() as u64;
    if map.len() as u64 != want {
        return Err(fail(ReadReason::Image(format!(
            "it has {} pixels, but its header states {want}",
            map.len()
        ))));
    }
    map.finish(width, height).map_err(fail)
}

/// Reads costs from the grey levels of a PNG file.
///
/// # Errors
/// As [`read_cost_png`], and for files that cannot be read.
pub fn read_cost_png_file(path: &Path, costs: GreyCosts) -> Result<CostField, ReadError> {
    read_with(path, |name, bytes| read_cost_png(name, bytes, costs))
}

/// Red, green, blue, alpha on the scale 0..=65535.
type Pixel = [u16; 4];

/// The pixels of one decoded row.
fn pixels(row: &[u8], color: ColorType, depth: BitDepth) -> impl Iterator<Item = Pixel> + '_ {
    let bytes_per_sample = if depth == BitDepth::Sixteen { 2 } else { 1 };
    // Indexed pictures arrive expanded to RGB; the arm is there for completeness only.
    let samples = match color {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    row.chunks_exact(samples * bytes_per_sample).map(move |bytes| {
        let sample = |index: usize| {
            if bytes_per_sample == 2 {
                u16::from_be_bytes([bytes[2 * index], bytes[2 * index + 1]])
            } else {
                u16::from(bytes[index]) * 257
            }
        };
        match samples {
            1 => [sample(0), sample(0), sample(0), u16::MAX],
            2 => [sample(0), sample(0), sample(0), sample(1)],
            3 => [sample(0), sample(1), sample(2), u16::MAX],
            _ => [sample(0), sample(1), sample(2), sample(3)],
        }
    })
}

/// The grey level of a pixel, or `None` for a fully transparent one.
fn level([red, green, blue, alpha]: Pixel) -> Result<Option<u16>, ReadReason> {
    match alpha {
        // What colour a pixel has that nobody sees does not matter.
        0 => Ok(None),
        u16::MAX if red == green && green == blue => Ok(Some(red)),
        u16::MAX => Err(ReadReason::NotGrey { red, green, blue }),
        _ => Err(ReadReason::HalfTransparent(alpha)),
    }
}
