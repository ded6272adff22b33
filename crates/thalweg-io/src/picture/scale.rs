//! How large a cell is in a picture.

use super::sheet::Sheet;
use thalweg_core::grid::Grid;

/// Pixels per cell, or cells per pixel where the map is larger than the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Every cell is a square of this many pixels; 0 counts as 1.
    PixelsPerCell(u32),
    /// Every pixel is the mean of a square of this many cells; 0 counts as 1.
    CellsPerPixel(u32),
}

impl Scale {
    /// The scale at which the longer side of a map, its layers side by side, comes nearest to `target` pixels without going beyond. 0 counts
    /// as 1.
    #[must_use]
    pub fn fit(grid: &Grid, target: u32) -> Self {
        let sheet = Sheet::of(grid);
        let longer = sheet.width().max(sheet.height());
        let target = target.max(1);
        if longer <= target {
            Self::PixelsPerCell(target / longer)
        } else {
            Self::CellsPerPixel(longer.div_ceil(target))
        }
    }

    /// Width and height of the picture of a map, in pixels.
    #[must_use]
    pub fn size(self, grid: &Grid) -> (u64, u64) {
        let along = |cells: u32| match self {
            Self::PixelsPerCell(pixels) => u64::from(cells) * u64::from(pixels.max(1)),
            Self::CellsPerPixel(per_pixel) => u64::from(cells.div_ceil(per_pixel.max(1))),
        };
        let sheet = Sheet::of(grid);
        (along(sheet.width()), along(sheet.height()))
    }

    /// The side of a cell in pixels, below 1 where several cells share a pixel.
    #[must_use]
    pub fn pixels(self) -> f32 {
        match self {
            Self::PixelsPerCell(pixels) => pixels.max(1) as f32,
            Self::CellsPerPixel(cells) => 1.0 / cells.max(1) as f32,
        }
    }
}
