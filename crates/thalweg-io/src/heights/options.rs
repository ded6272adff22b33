//! What a height file cannot say about itself.

use crate::error::ReadReason;
use crate::read_file::MAX_FILE_BYTES;
use thalweg_core::cost::HeightError;

/// What stored numbers and grey levels are as heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VerticalScale {
    /// height = `base` + stored number × `per_unit`. The stored numbers of a picture are its levels, 0 to 255 or 0 to
    /// 65535 by its depth.
    Linear {
        /// Height of the stored number 0.
        base: f64,
        /// Height from one stored number to the next; may be negative (depths), but not 0.
        per_unit: f64,
    },
    /// Black and white of a picture of whole levels; the other levels lie evenly between them, whatever its depth.
    Range {
        /// Height of level 0.
        black: f64,
        /// Height of the largest level; another one than that of black.
        white: f64,
    },
}

/// What a height file cannot say about itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightOptions {
    /// The side of a cell in the unit of the heights, positive and finite. It takes the place of what the file states.
    /// Default: none, so that files that do not state it are refused.
    pub cell_size: Option<f64>,
    /// How stored numbers become heights. Default: none. Numbers are heights then as they stand, and PNG pictures,
    /// whose levels have no unit, are refused.
    pub vertical_scale: Option<VerticalScale>,
    /// Stored numbers of this value are unknown, besides those that the file itself names; compared before scaling.
    /// May be NaN, which is an error where nobody names it. Default: none.
    pub nodata: Option<f64>,
    /// The most bytes a file may have. Default: [`MAX_FILE_BYTES`].
    pub max_bytes: u64,
}

impl HeightOptions {
    /// Default options.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            cell_size: None,
            vertical_scale: None,
            nodata: None,
            max_bytes: MAX_FILE_BYTES,
        }
    }

    /// The options with this side of a cell, in the unit of the heights.
    #[must_use]
    pub const fn with_cell_size(mut self, cell_size: f64) -> Self {
        self.cell_size = Some(cell_size);
        self
    }

    /// The options with this vertical scale.
    #[must_use]
    pub const fn with_vertical_scale(mut self, scale: VerticalScale) -> Self {
        self.vertical_scale = Some(scale);
        self
    }

    /// The options with this stored number as unknown.
    #[must_use]
    pub const fn with_nodata(mut self, nodata: f64) -> Self {
        self.nodata = Some(nodata);
        self
    }

    /// Refuses numbers that make no heights, before any file is looked at.
    pub(super) fn check(&self) -> Result<(), ReadReason> {
        if let Some(size) = self.cell_size
            && !(size.is_finite() && size > 0.0)
        {
            return Err(HeightError::CellSize(size).into());
        }
        let flat = |text: String| Err(ReadReason::VerticalScale(text));
        match self.vertical_scale {
            Some(VerticalScale::Linear { base, per_unit })
                if !(base.is_finite() && per_unit.is_finite()) || per_unit == 0.0 =>
            {
                flat(format!(
                    "the vertical scale has base {base} and {per_unit} per unit, but both must be finite and the second not 0"
                ))
            }
            Some(VerticalScale::Range { black, white })
                if !(black.is_finite() && white.is_finite() && black != white) =>
            {
                flat(format!(
                    "the vertical scale goes from {black} (black) to {white} (white), but they must be finite and differ"
                ))
            }
            _ => Ok(()),
        }
    }
}

impl Default for HeightOptions {
    fn default() -> Self {
        Self::new()
    }
}
