//! The height map that a reader is in the middle of reading.

use super::options::{HeightOptions, VerticalScale};
use crate::error::ReadReason;
use thalweg_core::cost::HeightMap;
use thalweg_core::grid::Grid;

/// What a file says about its place in the world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Stated {
    pub(super) cell_size: Option<f64>,
    pub(super) south_west: Option<[f64; 2]>,
}

/// What kind of numbers a file stores, which decides what they may mean without being told.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stored {
    /// Numbers that are heights as they stand.
    Numbers,
    /// The same with 32-bit precision: a nodata value, which is written with more digits, is rounded before it is
    /// compared.
    Float32,
    /// Whole levels 0 to this one that may be heights as they stand, or a range.
    Levels(u16),
    /// Whole levels 0 to this one that mean nothing until a scale is given.
    UnscaledLevels(u16),
}

/// Heights in row order, one push per cell: four bytes per cell that was really read.
#[derive(Debug)]
pub(super) struct HeightBuilder {
    /// NaN where the height is unknown: no stored number may become NaN.
    heights: Vec<f32>,
    base: f64,
    per_unit: f64,
    nodata: [Option<f64>; 2],
}

impl HeightBuilder {
    /// `cells` is how many cells will come at most; it must follow from bytes that are there, not from a header.
    pub(super) fn new(
        cells: usize,
        stored: Stored,
        nodata: Option<f64>,
        options: &HeightOptions,
    ) -> Result<Self, ReadReason> {
        let top = match stored {
            Stored::Numbers | Stored::Float32 => None,
            Stored::Levels(top) | Stored::UnscaledLevels(top) => Some(f64::from(top)),
        };
        let (base, per_unit) = match (options.vertical_scale, top) {
            (Some(VerticalScale::Linear { base, per_unit }), _) => (base, per_unit),
            (Some(VerticalScale::Range { black, white }), Some(top)) => (black, (white - black) / top),
            (Some(VerticalScale::Range { .. }), None) => {
                return Err(ReadReason::VerticalScale(String::from(
                    "the file stores numbers without a black and a white, so a linear scale must say what they are",
                )));
            }
            (None, _) if matches!(stored, Stored::UnscaledLevels(_)) => {
                return Err(ReadReason::VerticalScale(String::from(
                    "grey levels have no unit, so a vertical scale must say which heights they are",
                )));
            }
            (None, _) => (0.0, 1.0),
        };
        let nodata = [nodata, options.nodata].map(|value| match stored {
            Stored::Float32 => value.map(|value| f64::from(value as f32)),
            _ => value,
        });
        Ok(Self {
            heights: Vec::with_capacity(cells),
            base,
            per_unit,
            nodata,
        })
    }

    /// Adds the next cell by its stored number.
    pub(super) fn push(&mut self, stored: f64) -> Result<(), ReadReason> {
        if self
            .nodata
            .iter()
            .flatten()
            .any(|&nodata| is_same(stored, nodata))
        {
            self.push_unknown();
            return Ok(());
        }
        // Scaled in 64 bits and rounded once.
        let height = (self.base + stored * self.per_unit) as f32;
        if !height.is_finite() {
            return Err(ReadReason::Height(stored));
        }
        self.heights.push(height);
        Ok(())
    }

    /// Adds the next cell, whose height is not known.
    pub(super) fn push_unknown(&mut self) {
        self.heights.push(f32::NAN);
    }

    /// Cells so far.
    pub(super) const fn len(&self) -> usize {
        self.heights.len()
    }

    /// The finished map. Readers check the number of cells themselves, with better messages than this has.
    pub(super) fn finish(
        self,
        (width, height): (u32, u32),
        stated_cell_size: Option<f64>,
        options: &HeightOptions,
    ) -> Result<HeightMap, ReadReason> {
        let cell_size = options
            .cell_size
            .or(stated_cell_size)
            .ok_or(ReadReason::NoCellSize)?;
        let grid = Grid::new(width, height)?;
        Ok(HeightMap::new(grid, cell_size, self.heights, Some(f32::NAN))?)
    }
}

#[expect(
    clippy::float_cmp,
    reason = "nodata is a mark, not a measurement: formats promise that value exactly"
)]
fn is_same(stored: f64, nodata: f64) -> bool {
    stored == nodata || (stored.is_nan() && nodata.is_nan())
}
