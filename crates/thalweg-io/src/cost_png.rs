//! Pictures whose grey levels are costs.
//!
//! Whether white is cheap or dear, and where walls begin, cannot be told from a picture, so the caller says it with
//! [`GreyCosts`].

use crate::error::{Place, ReadError, ReadReason};
use crate::map_builder::MapBuilder;
use crate::png_pixels::{Png, grey_level};
use crate::read_file::read_with;
use png::BitDepth;
use std::path::Path;
use thalweg_core::cost::{Cost, CostField, MAX_COST};

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
    let png = Png::open(name, bytes)?;
    costs
        .check(png.depth())
        .map_err(|reason| fail(ReadReason::GreyCosts(reason)))?;
    // Grows with the rows that really decode: a damaged file takes no memory for what it never holds.
    let mut map = MapBuilder::default();
    let grid = png.read(|pixel| {
        map.push(grey_level(pixel)?.map(|level| costs.cost(level)));
        Ok(())
    })?;
    map.finish(grid.width(), grid.height()).map_err(fail)
}

/// Reads costs from the grey levels of a PNG file.
///
/// # Errors
/// As [`read_cost_png`], and for files that cannot be read.
pub fn read_cost_png_file(path: &Path, costs: GreyCosts) -> Result<CostField, ReadError> {
    read_with(path, |name, bytes| read_cost_png(name, bytes, costs))
}
