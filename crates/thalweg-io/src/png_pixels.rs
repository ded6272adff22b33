//! PNG pictures as rectangles of pixels, whatever the pixels then mean.

use crate::error::{Place, ReadError, ReadReason, one_line};
use png::{BitDepth, ColorType, DecodingError, Transformations};
use std::io::Cursor;
use thalweg_core::grid::Grid;

/// The first bytes of every PNG file.
pub(crate) const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The largest decoded interlaced picture, in bytes: 1 GiB.
const MAX_INTERLACED_BYTES: usize = 1 << 30;

/// The most that deflate can shrink its input.
pub(crate) const MAX_DEFLATE_RATIO: u64 = 1032;

/// Red, green, blue, alpha on the scale 0..=65535; one 8-bit level is 257.
pub(crate) type Pixel = [u16; 4];

/// A picture whose header has been read and believed.
pub(crate) struct Png<'a> {
    name: &'a str,
    reader: png::Reader<Cursor<&'a [u8]>>,
    grid: Grid,
}

impl<'a> Png<'a> {
    /// Reads the header; every pixel will arrive as grey or colour, with the levels of indexed pictures looked up.
    pub(crate) fn open(name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        Self::open_with(name, bytes, Transformations::EXPAND)
    }

    /// The same for an indexed picture whose pixels are to arrive as numbers of palette entries.
    pub(crate) fn open_indexed(name: &'a str, bytes: &'a [u8]) -> Result<Self, ReadError> {
        Self::open_with(name, bytes, Transformations::IDENTITY)
    }

    fn open_with(
        name: &'a str,
        bytes: &'a [u8],
        transformations: Transformations,
    ) -> Result<Self, ReadError> {
        let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
        let mut decoder = png::Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(transformations);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let info = decoder
            .read_header_info()
            .map_err(|error| damaged(name, &error))?;
        let (width, height) = info.size();
        let stored_bits = u64::from(width) * info.bits_per_pixel() as u64;
        let stored = stored_bits.div_ceil(8).saturating_mul(u64::from(height));
        let grid = Grid::new(width, height).map_err(|error| fail(error.into()))?;
        // A small file that claims a huge picture is refused before any buffer is made for it.
        if stored > (bytes.len() as u64).saturating_mul(MAX_DEFLATE_RATIO) {
            return Err(fail(ReadReason::Image(format!(
                "its header states {width} x {height} pixels, which {} bytes cannot hold",
                bytes.len()
            ))));
        }
        let reader = decoder.read_info().map_err(|error| damaged(name, &error))?;
        Ok(Self { name, reader, grid })
    }

    /// Bits per level once decoded: 8 or 16, or less where indices were asked for.
    pub(crate) fn depth(&self) -> BitDepth {
        self.reader.output_color_type().1
    }

    /// Whether the file stores numbers of palette entries.
    pub(crate) fn is_indexed(&self) -> bool {
        self.reader.info().color_type == ColorType::Indexed
    }

    /// Whether the file stores levels of 8 bits, so that none was spread to become one.
    pub(crate) fn stores_bytes(&self) -> bool {
        self.reader.info().bit_depth == BitDepth::Eight
    }

    /// Whether a palette entry is fully transparent.
    pub(crate) fn transparent_entries(&self) -> Vec<bool> {
        let alphas = self.reader.info().trns.as_deref().unwrap_or_default();
        alphas.iter().map(|&alpha| alpha == 0).collect()
    }

    /// Hands every pixel to `pixel`, row by row, and returns the rectangle.
    pub(crate) fn read(
        self,
        mut pixel: impl FnMut(Pixel) -> Result<(), ReadReason>,
    ) -> Result<Grid, ReadError> {
        let (color, depth) = self.reader.output_color_type();
        self.rows(|row, place| {
            for (place, value) in place.zip(pixels(row, color, depth)) {
                pixel(value).map_err(|reason| (place, Box::new(reason)))?;
            }
            Ok(())
        })
    }

    /// Hands the palette number of every pixel of an indexed picture to `index`, row by row.
    pub(crate) fn read_indices(
        self,
        mut index: impl FnMut(u8) -> Result<(), ReadReason>,
    ) -> Result<Grid, ReadError> {
        let bits = self.depth() as usize;
        self.rows(|row, place| {
            let numbers = row
                .iter()
                .flat_map(|&byte| (1..=8 / bits).map(move |part| (byte >> (8 - bits * part)) & mask(bits)));
            for (place, number) in place.zip(numbers) {
                index(number).map_err(|reason| (place, Box::new(reason)))?;
            }
            Ok(())
        })
    }

    /// Hands every decoded row with the places of its pixels to `read_row`.
    fn rows(
        mut self,
        mut read_row: impl FnMut(&[u8], RowPlaces) -> Result<(), (Place, Box<ReadReason>)>,
    ) -> Result<Grid, ReadError> {
        let name = self.name;
        let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
        let (width, height) = (self.grid.width(), self.grid.height());
        let mut row_at = |y: u32, row: &[u8]| {
            read_row(row, RowPlaces { next: 0, width, y })
                .map_err(|(place, reason)| ReadError::new(name, place, *reason))
        };
        let mut rows = 0;
        if self.reader.info().interlaced {
            // The passes of an interlaced picture are only put together by decoding all of it at once.
            let size = self
                .reader
                .output_buffer_size()
                .filter(|&size| size <= MAX_INTERLACED_BYTES)
                .ok_or_else(|| {
                    fail(ReadReason::Image(format!(
                        "it is interlaced and needs more than {MAX_INTERLACED_BYTES} bytes at once, the limit for such pictures"
                    )))
                })?;
            let mut frame = vec![0; size];
            let info = self
                .reader
                .next_frame(&mut frame)
                .map_err(|error| damaged(name, &error))?;
            for (y, row) in (0..height).zip(frame.chunks_exact(info.line_size.max(1))) {
                row_at(y, row)?;
                rows = y + 1;
            }
        } else {
            while let Some(row) = self.reader.next_row().map_err(|error| damaged(name, &error))? {
                row_at(rows, row.data())?;
                rows += 1;
            }
        }
        if rows != height {
            return Err(fail(ReadReason::Image(format!(
                "it has {rows} rows of pixels, but its header states {height}"
            ))));
        }
        Ok(self.grid)
    }
}

fn damaged(name: &str, error: &DecodingError) -> ReadError {
    ReadError::new(name, Place::WholeFile, ReadReason::Image(one_line(error)))
}

/// The lowest `bits` bits, 1 to 8.
const fn mask(bits: usize) -> u8 {
    u8::MAX >> (8 - bits)
}

/// The places of the pixels of one row, and no more than the row has.
struct RowPlaces {
    next: u32,
    width: u32,
    y: u32,
}

impl Iterator for RowPlaces {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let x = self.next;
        (x < self.width).then(|| {
            self.next += 1;
            Place::Pixel(x, self.y)
        })
    }
}

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
pub(crate) fn grey_level([red, green, blue, alpha]: Pixel) -> Result<Option<u16>, ReadReason> {
    match alpha {
        // What colour a pixel has that nobody sees does not matter.
        0 => Ok(None),
        u16::MAX if red == green && green == blue => Ok(Some(red)),
        u16::MAX => Err(ReadReason::NotGrey { red, green, blue }),
        _ => Err(ReadReason::HalfTransparent(alpha)),
    }
}
