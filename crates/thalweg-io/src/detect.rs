//! Telling the format of a map by its content and, where the content leaves it open, by its name.

use crate::error::ReadReason;
use crate::{npy, png_pixels};
use core::fmt;
use std::path::Path;

/// A map format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MapFormat {
    /// A MovingAI `.map`.
    MovingAi,
    /// The plain text grid.
    TextGrid,
    /// A table of costs as comma-separated values.
    Csv,
    /// A picture whose grey levels are costs.
    Png,
    /// A NumPy array.
    Npy,
}

impl fmt::Display for MapFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MovingAi => "MovingAI map",
            Self::TextGrid => "text grid",
            Self::Csv => "CSV costs",
            Self::Png => "PNG costs",
            Self::Npy => "NumPy array",
        })
    }
}

const HEIGHTS: &str = "this is a grid of heights, not of costs: read it as a height map";
const TILED: &str = "this looks like a file of the Tiled editor, whose tiles are costs only by a named property: read it as a Tiled map";

/// The format of a map file with this name and these bytes.
///
/// Content comes first: the magic bytes of PNG and NumPy files, the header words of MovingAI. Then the name: `.csv`.
/// What is left is a table if its first line has a comma (which no row of a grid has) and a text grid otherwise.
///
/// # Errors
/// [`ReadReason::Unsupported`] for kinds of files that are recognised but hold no map that is read here.
pub fn detect_format(name: &Path, bytes: &[u8]) -> Result<MapFormat, ReadReason> {
    if bytes.starts_with(png_pixels::MAGIC) {
        return Ok(MapFormat::Png);
    }
    if bytes.starts_with(npy::MAGIC) {
        return Ok(MapFormat::Npy);
    }
    refuse_binary(bytes)?;
    let (first_line, first_word) = first_line_and_word(bytes);
    match first_word {
        // Height and width first is a damaged MovingAI header, which its own reader explains best.
        b"type" | b"height" | b"width" => return Ok(MapFormat::MovingAi),
        b"version" => {
            return Err(ReadReason::Unsupported(
                "this is a MovingAI scenario, a list of queries, not a map",
            ));
        }
        word if word.eq_ignore_ascii_case(b"ncols") => return Err(ReadReason::Unsupported(HEIGHTS)),
        word if word.starts_with(b"<") => return Err(ReadReason::Unsupported(TILED)),
        _ => {}
    }
    match extension(name).as_deref() {
        Some("csv") => Ok(MapFormat::Csv),
        Some("tmx" | "tsx" | "tmj" | "tsj") => Err(ReadReason::Unsupported(TILED)),
        Some("asc") => Err(ReadReason::Unsupported(HEIGHTS)),
        // A line about a layer or a link may have commas too.
        _ if matches!(first_word, [b'=' | b'@', ..]) => Ok(MapFormat::TextGrid),
        _ if first_line.contains(&b',') => Ok(MapFormat::Csv),
        _ => Ok(MapFormat::TextGrid),
    }
}

/// Refuses binary files of kinds that no reader here takes.
pub(crate) fn refuse_binary(bytes: &[u8]) -> Result<(), ReadReason> {
    match BINARY_KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        Some(&(_, what)) => Err(ReadReason::Unsupported(what)),
        None => Ok(()),
    }
}

/// The first line and its first word, after a byte-order mark if there is one.
pub(crate) fn first_line_and_word(bytes: &[u8]) -> (&[u8], &[u8]) {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let word = line
        .split(u8::is_ascii_whitespace)
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    (line, word)
}

/// The ending of a file name in small letters.
pub(crate) fn extension(name: &Path) -> Option<String> {
    let extension = name.extension()?;
    Some(extension.to_string_lossy().to_ascii_lowercase())
}

/// Files that people are likely to try, by their first bytes.
const BINARY_KINDS: [(&[u8], &str); 10] = [
    (
        b"GIF8",
        "GIF pictures are not read as maps, only PNG pictures are",
    ),
    (
        b"\xff\xd8\xff",
        "JPEG pictures are not read as maps, only PNG pictures are",
    ),
    (b"BM", "BMP pictures are not read as maps, only PNG pictures are"),
    (
        b"II*\0",
        "TIFF pictures hold heights, not costs: read them as height maps",
    ),
    (
        b"II+\0",
        "TIFF pictures hold heights, not costs: read them as height maps",
    ),
    (
        b"MM\0+",
        "TIFF pictures hold heights, not costs: read them as height maps",
    ),
    (
        b"MM\0*",
        "TIFF pictures hold heights, not costs: read them as height maps",
    ),
    (
        b"PK\x03\x04",
        "archives (zip, npz) are not read: unpack the map first",
    ),
    (
        b"\x1f\x8b",
        "compressed files (gzip) are not read: unpack the map first",
    ),
    (b"\xff\xfe", "text in UTF-16 is not read: save it as UTF-8"),
];
