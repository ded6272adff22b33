//! Tile numbers out of their packing, never more of them than the block states.

use super::model::{Block, Packing, RawTiles};
use crate::error::quoted;
use crate::png_pixels::MAX_DEFLATE_RATIO;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::{GzDecoder, ZlibDecoder};
use std::borrow::Cow;
use std::io::Read;

/// The three flags of flipped tiles, and the one of turned hexagons: they say how a tile is drawn, not which it is.
const FLAGS: u32 = 0xf000_0000;

/// The tile numbers of a block, row by row, without flags; 0 is no tile.
pub(super) fn unpack(block: &Block, packing: &Packing) -> Result<Vec<u32>, String> {
    let want = u64::from(block.width) * u64::from(block.height);
    let numbers = match (&block.tiles, packing.encoding.as_deref()) {
        (RawTiles::Numbers(numbers), _) => Cow::Borrowed(numbers.as_slice()),
        (RawTiles::Text(text), Some("csv")) => Cow::Owned(from_csv(text, want)?),
        (RawTiles::Text(text), Some("base64")) => {
            Cow::Owned(from_base64(text, packing.compression.as_deref(), want)?)
        }
        (RawTiles::Text(_), encoding) => {
            return Err(format!(
                "is encoded as {}, but csv and base64 are read",
                quoted(encoding.unwrap_or("nothing"))
            ));
        }
    };
    let got = numbers.len() as u64;
    if got != want {
        return Err(format!("has a block of {got} tiles, but {want} are stated"));
    }
    Ok(numbers.iter().map(|number| number & !FLAGS).collect())
}

/// Refuses a block that states more tiles than its data can hold, before memory is taken for any of them.
pub(super) fn check_room(block: &Block, packing: &Packing) -> Result<(), String> {
    let want = u64::from(block.width) * u64::from(block.height);
    let (room, bytes) = match &block.tiles {
        RawTiles::Numbers(numbers) => (numbers.len() as u64, 4 * numbers.len()),
        RawTiles::Text(text) => {
            let length = text.len() as u64;
            let room = match (packing.encoding.as_deref(), packing.compression.as_deref()) {
                (Some("base64"), None | Some("")) => length / 4,
                (Some("base64"), _) => length.saturating_mul(MAX_DEFLATE_RATIO) / 4,
                // A number and its comma are two bytes at least.
                _ => length.div_ceil(2),
            };
            (room, text.len())
        }
    };
    if want > room {
        return Err(format!(
            "states a block of {} x {} tiles, which its {bytes} bytes cannot hold",
            block.width, block.height
        ));
    }
    Ok(())
}

fn from_csv(text: &str, want: u64) -> Result<Vec<u32>, String> {
    // A number and its comma are two bytes at least; what is beyond the stated number is counted by its error only.
    let mut numbers = Vec::with_capacity(
        text.len()
            .div_ceil(2)
            .min(usize::try_from(want).unwrap_or(usize::MAX)),
    );
    // Some tools write a comma behind the last number.
    let text = text.trim().trim_end_matches(',');
    for word in text.split(',') {
        let word = word.trim();
        let number = word
            .parse()
            .map_err(|_| format!("has {} where a tile number is expected", quoted(word)))?;
        numbers.push(number);
    }
    Ok(numbers)
}

fn from_base64(text: &str, compression: Option<&str>, want: u64) -> Result<Vec<u32>, String> {
    // Named first: what is packed in a way that is not read may be written in a way that is not read either.
    let compression = compression.unwrap_or_default();
    if !matches!(compression, "" | "zlib" | "gzip") {
        return Err(format!(
            "is compressed as {}, but zlib and gzip are read (the editor's map properties can change that)",
            quoted(compression)
        ));
    }
    let mut letters = text.as_bytes().to_vec();
    letters.retain(|letter| !letter.is_ascii_whitespace());
    let packed = STANDARD
        .decode(letters)
        .map_err(|error| format!("is not base64: {error}"))?;
    let want = want.saturating_mul(4);
    let bytes = match compression {
        "zlib" => inflate(ZlibDecoder::new(packed.as_slice()), want)?,
        "gzip" => inflate(GzDecoder::new(packed.as_slice()), want)?,
        _ => packed,
    };
    if bytes.len() as u64 != want {
        return Err(format!(
            "has {} bytes of tile numbers in a block, but {want} are needed",
            bytes.len()
        ));
    }
    let (words, _) = bytes.as_chunks::<4>();
    Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

/// Unpacks at most one byte more than wanted, which is enough to see that there are too many.
fn inflate(decoder: impl Read, want: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    decoder
        .take(want.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot be unpacked: {error}"))?;
    Ok(bytes)
}
