//! Heights as TIFF and GeoTIFF. The georeferencing tags are those of OGC 19-008r4 (GeoTIFF 1.1); the nodata value
//! stands in GDAL's text tag 42113.

use super::builder::{HeightBuilder, Stated, Stored};
use super::options::HeightOptions;
use crate::error::{Place, ReadError, ReadReason, one_line};
use std::io::Cursor;
use thalweg_core::cost::HeightMap;
use thalweg_core::grid::Grid;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{ColorType, TiffError};

/// The first bytes of TIFF files: little and big endian, 32-bit and 64-bit offsets.
pub(super) const MAGICS: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"];

/// The most that any packing read here can shrink its input: LZW, whose codes of 12 bits stand for at most 4,096 bytes.
const MAX_RATIO: u64 = 4096 * 8 / 12 + 1;
/// The largest decoded picture, in bytes: 2 GiB, 16,384 x 16,384 eight-byte numbers.
const MAX_DECODED_BYTES: u64 = 1 << 31;

type Tiff<'a> = Decoder<Cursor<&'a [u8]>>;

pub(super) fn read(
    name: &str,
    bytes: &[u8],
    options: &HeightOptions,
) -> Result<(HeightMap, Stated), ReadError> {
    let fail = |reason| ReadError::new(name, Place::WholeFile, reason);
    let damaged = |error: TiffError| fail(ReadReason::Image(one_line(&error)));
    let mut tiff = Decoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let (width, height) = tiff.dimensions().map_err(damaged)?;
    let grid = Grid::new(width, height).map_err(|error| fail(error.into()))?;
    let bits = sample_bits(&mut tiff).map_err(fail)?;
    let decoded = grid.len() as u64 * u64::from(bits / 8);
    if decoded > (bytes.len() as u64).saturating_mul(MAX_RATIO) || decoded > MAX_DECODED_BYTES {
        return Err(fail(ReadReason::Image(format!(
            "its header states {width} x {height} pixels of {bits} bits, which {} bytes cannot hold or {MAX_DECODED_BYTES} bytes of memory, the limit, cannot take",
            bytes.len()
        ))));
    }
    let cell_size = cell_size(&mut tiff);
    let nodata = nodata(&mut tiff).map_err(fail)?;
    // Strips of a damaged file may claim more than the picture: they get a picture's room and no more. The small
    // allowance is for the padding of tiles at the edge.
    let room = usize::try_from(decoded).unwrap_or(usize::MAX).saturating_mul(2) + (1 << 20);
    let mut limits = Limits::default();
    limits.decoding_buffer_size = room;
    limits.intermediate_buffer_size = room;
    let mut tiff = tiff.with_limits(limits);
    let samples = tiff.read_image().map_err(damaged)?;

    let stored = match &samples {
        DecodingResult::U8(_) => Stored::Levels(u8::MAX.into()),
        DecodingResult::U16(_) => Stored::Levels(u16::MAX),
        DecodingResult::F32(_) => Stored::Float32,
        _ => Stored::Numbers,
    };
    let mut heights = HeightBuilder::new(grid.len(), stored, nodata, options).map_err(fail)?;
    let pushed = match &samples {
        DecodingResult::U8(samples) => push_all(&mut heights, samples),
        DecodingResult::U16(samples) => push_all(&mut heights, samples),
        DecodingResult::U32(samples) => push_all(&mut heights, samples),
        DecodingResult::I8(samples) => push_all(&mut heights, samples),
        DecodingResult::I16(samples) => push_all(&mut heights, samples),
        DecodingResult::I32(samples) => push_all(&mut heights, samples),
        DecodingResult::F32(samples) => push_all(&mut heights, samples),
        DecodingResult::F64(samples) => push_all(&mut heights, samples),
        _ => {
            return Err(fail(ReadReason::Image(String::from(
                "its samples are of a type that is not read (8- to 32-bit integers, float32 and float64 are)",
            ))));
        }
    };
    pushed.map_err(|(index, reason)| {
        // The first `index` cells are there, so the next id is of this grid or the picture is too long.
        let place = grid.ids().nth(index).map_or(Place::WholeFile, |id| {
            let (column, row) = grid.column_row_of(id);
            Place::Pixel(column, row)
        });
        ReadError::new(name, place, reason)
    })?;
    let (got, want) = (heights.len(), grid.len());
    if got != want {
        return Err(fail(ReadReason::TooFewHeights { got, want }));
    }
    let heights = heights
        .finish((width, height), cell_size, options)
        .map_err(fail)?;
    let south_west = None;
    Ok((
        heights,
        Stated {
            cell_size,
            south_west,
        },
    ))
}

fn push_all<T: Copy + Into<f64>>(
    heights: &mut HeightBuilder,
    samples: &[T],
) -> Result<(), (usize, ReadReason)> {
    for (index, &sample) in samples.iter().enumerate() {
        heights.push(sample.into()).map_err(|reason| (index, reason))?;
    }
    Ok(())
}

/// Bits per sample of a picture that has one upright sample per pixel, with low numbers for low ground.
fn sample_bits(tiff: &mut Tiff<'_>) -> Result<u8, ReadReason> {
    let damaged = |error: TiffError| ReadReason::Image(one_line(&error));
    let color = tiff.colortype().map_err(damaged)?;
    let ColorType::Gray(bits @ (8 | 16 | 32 | 64)) = color else {
        return Err(ReadReason::Image(format!(
            "its pixels are {color:?}, but heights are one number of 8, 16, 32 or 64 bits each"
        )));
    };
    let mut tag = |tag, default: u32| tiff.find_tag_unsigned(tag).map(|value| value.unwrap_or(default));
    // The decoder would turn such samples round, the nodata value not.
    if tag(Tag::PhotometricInterpretation, 1).map_err(damaged)? != 1 {
        return Err(ReadReason::Unsupported(
            "pictures in which white is the lowest level are not read as heights",
        ));
    }
    if tag(Tag::Orientation, 1).map_err(damaged)? != 1 {
        return Err(ReadReason::Unsupported(
            "pictures stored turned or mirrored (orientation tag) are not read as heights",
        ));
    }
    Ok(bits)
}

/// The side of a pixel in the model's own unit; `None` for degrees, for pixels that are not square and where the file
/// says nothing. Tags that make no sense say nothing: the caller can still state the side.
fn cell_size(tiff: &mut Tiff<'_>) -> Option<f64> {
    /// Key of the kind of coordinates, and its value for degrees.
    const MODEL_TYPE: u16 = 1024;
    const GEOGRAPHIC: u16 = 2;

    let mut tag = |tag| tiff.find_tag(tag).ok().flatten();
    let scale = tag(Tag::ModelPixelScaleTag)?.into_f64_vec().ok()?;
    let keys = tag(Tag::GeoKeyDirectoryTag)?.into_u16_vec().ok()?;
    // Four numbers of header, then four for each key: key, where its value stands (0: here), how many, the value.
    let (keys, _) = keys.get(4..)?.as_chunks::<4>();
    let model = keys.iter().find(|key| key[0] == MODEL_TYPE && key[1] == 0)?[3];
    let &[x, y, ..] = scale.as_slice() else {
        return None;
    };
    // A pixel is square if its sides agree as far as the numbers of such files do.
    let is_square = (x - y).abs() <= 1e-9 * x.abs();
    (model != GEOGRAPHIC && is_square && x.is_finite() && x > 0.0).then_some(x)
}

/// The value of GDAL's text tag.
fn nodata(tiff: &mut Tiff<'_>) -> Result<Option<f64>, ReadReason> {
    let Ok(Some(value)) = tiff.find_tag(Tag::GdalNodata) else {
        return Ok(None);
    };
    let text = value
        .into_string()
        .map_err(|error| ReadReason::Image(one_line(&error)))?;
    let text = text.trim_matches(|letter: char| letter == '\0' || letter.is_whitespace());
    super::csv::number(text, "a number, as nodata value (tag 42113)").map(Some)
}
