//! A picture in memory, and the few shapes that are drawn into it.

use super::palette::Colour;
use super::scale::Scale;
use core::fmt;
use std::io::{self, Write};
use thalweg_core::grid::Grid;
use thiserror::Error;

/// The largest number of pixels of a picture: 2^26, 8192 x 8192.
pub const MAX_PIXELS: u64 = 1 << 26;

/// Why a picture cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// Too many pixels.
    #[error(
        "a picture of {width} x {height} pixels is above the limit of {MAX_PIXELS} pixels: ask for a smaller one"
    )]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
    },
}

/// A picture of a map: 8-bit colours, row by row, and the scale it was drawn at.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    scale: Scale,
    pixels: Vec<Colour>,
}

impl Picture {
    /// A picture of one colour that has room for a map at a scale.
    pub(super) fn new(grid: &Grid, scale: Scale, colour: Colour) -> Result<Self, PictureError> {
        let (width, height) = scale.size(grid);
        let too_large = PictureError::TooLarge { width, height };
        if width.saturating_mul(height) > MAX_PIXELS {
            return Err(too_large);
        }
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(too_large);
        };
        Ok(Self {
            width,
            height,
            scale,
            pixels: vec![colour; width as usize * height as usize],
        })
    }

    /// Width in pixels.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// How large a cell is.
    #[must_use]
    pub const fn scale(&self) -> Scale {
        self.scale
    }

    /// The pixels, row by row.
    #[must_use]
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// Makes the picture taller by rows of one colour below it.
    pub(super) fn extend(&mut self, rows: u32, colour: Colour) -> Result<(), PictureError> {
        let height = self.height.saturating_add(rows);
        if u64::from(self.width) * u64::from(height) > MAX_PIXELS {
            return Err(PictureError::TooLarge {
                width: u64::from(self.width),
                height: u64::from(height),
            });
        }
        self.height = height;
        self.pixels.resize(self.width as usize * height as usize, colour);
        Ok(())
    }

    /// The rows from the top, with their numbers.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = (u32, &mut [Colour])> {
        (0..self.height).zip(self.pixels.chunks_exact_mut(self.width as usize))
    }

    /// The colour of a pixel; that of the nearest pixel outside the picture.
    pub(super) fn colour_near(&self, x: f32, y: f32) -> Colour {
        let column = (x.max(0.0) as u32).min(self.width - 1);
        let row = (y.max(0.0) as u32).min(self.height - 1);
        self.pixels[row as usize * self.width as usize + column as usize]
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_png(&self, writer: impl Write) -> io::Result<()> {
        let mut encoder = png::Encoder::new(writer, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut png = encoder.write_header()?;
        let mut stream = png.stream_writer()?;
        for row in self.pixels.chunks(self.width as usize) {
            let bytes: Vec<u8> = row.iter().flat_map(|colour| colour.0).collect();
            stream.write_all(&bytes)?;
        }
        stream.finish()?;
        png.finish()?;
        Ok(())
    }

    /// Draws the shape whose edge is where `distance` (in pixels, negative inside) is 0, with smooth edges, within a
    /// box of pixel coordinates. `alpha` is 0 (invisible) to 1.
    fn shape(&mut self, min: [f32; 2], max: [f32; 2], paint: Paint, distance: impl Fn(f32, f32) -> f32) {
        let clip = |value: f32, limit: u32| value.clamp(0.0, limit as f32) as u32;
        let (left, right) = (clip(min[0] - 1.0, self.width), clip(max[0] + 2.0, self.width));
        let (top, bottom) = (clip(min[1] - 1.0, self.height), clip(max[1] + 2.0, self.height));
        for y in top..bottom {
            let row = y as usize * self.width as usize;
            for x in left..right {
                let cover = (0.5 - distance(x as f32 + 0.5, y as f32 + 0.5)).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let pixel = &mut self.pixels[row + x as usize];
                    *pixel = pixel.mix(paint.colour, cover * paint.alpha);
                }
            }
        }
    }

    /// A filled disc.
    pub(super) fn disc(&mut self, [x, y]: [f32; 2], radius: f32, paint: Paint) {
        self.shape(
            [x - radius, y - radius],
            [x + radius, y + radius],
            paint,
            |px, py| (px - x).hypot(py - y) - radius,
        );
    }

    /// A circle line of a width, its middle at `radius`.
    pub(super) fn ring(&mut self, [x, y]: [f32; 2], radius: f32, width: f32, paint: Paint) {
        let outer = radius + width / 2.0;
        self.shape([x - outer, y - outer], [x + outer, y + outer], paint, |px, py| {
            ((px - x).hypot(py - y) - radius).abs() - width / 2.0
        });
    }

    /// A shape with straight sides that bulges nowhere, given by its corners in clockwise order (y downward).
    pub(super) fn convex<const N: usize>(&mut self, corners: [[f32; 2]; N], paint: Paint) {
        let bound = |axis: usize, pick: fn(f32, f32) -> f32, start: f32| {
            corners.iter().map(|corner| corner[axis]).fold(start, pick)
        };
        let min = [bound(0, f32::min, f32::MAX), bound(1, f32::min, f32::MAX)];
        let max = [bound(0, f32::max, f32::MIN), bound(1, f32::max, f32::MIN)];
        self.shape(min, max, paint, |px, py| {
            let mut farthest = f32::MIN;
            for (index, &[ax, ay]) in corners.iter().enumerate() {
                let [bx, by] = corners[(index + 1) % N];
                let (dx, dy) = (bx - ax, by - ay);
                let length = dx.hypot(dy).max(1e-6);
                // Positive to the left of a side when walking clockwise on a screen: outside.
                farthest = farthest.max(((px - ax) * dy - (py - ay) * dx) / length);
            }
            farthest
        });
    }
}

/// A colour and how much of it covers what lies below, 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Paint {
    pub(super) colour: Colour,
    pub(super) alpha: f32,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Picture")
            .field("width", &self.width)
            .field("height", &self.height)
            .field("scale", &self.scale)
            .finish_non_exhaustive()
    }
}
