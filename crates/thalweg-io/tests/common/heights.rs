//! Heights as the tests of their readers look at them.
#![allow(dead_code, reason = "every test file uses its own part")]

use std::path::Path;
use thalweg_io::{HeightOptions, LoadedHeights, ReadError, height_map_from_bytes};

/// Options for files that do not say how large a cell is.
pub(crate) const METRE: HeightOptions = HeightOptions::new().with_cell_size(1.0);

pub(crate) fn read(name: &str, bytes: &[u8], options: &HeightOptions) -> Result<LoadedHeights, ReadError> {
    height_map_from_bytes(Path::new(name), bytes, options)
}

pub(crate) fn sentence(name: &str, bytes: &[u8], options: &HeightOptions) -> String {
    read(name, bytes, options)
        .expect_err("the file is broken")
        .to_string()
}

/// Heights as a readable list, `None` for unknown.
pub(crate) fn heights(loaded: &LoadedHeights) -> Vec<Option<f32>> {
    let map = &loaded.heights;
    map.grid().ids().map(|id| map.height(id)).collect()
}

pub(crate) fn size(loaded: &LoadedHeights) -> (u32, u32) {
    (loaded.heights.grid().width(), loaded.heights.grid().height())
}

/// A TIFF by hand: little endian, one strip behind the directory. Entries are tag, type, count, value.
pub(crate) fn tiff(entries: &[(u16, u16, u32, u32)], behind: &[u8]) -> Vec<u8> {
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend(u16::try_from(entries.len()).expect("few entries").to_le_bytes());
    for &(tag, kind, count, value) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend(behind);
    bytes
}

/// Width, height, bits, packing, photometric, strip offset, samples, rows per strip, strip bytes, sample format.
pub(crate) fn grey_tiff(
    width: u32,
    height: u32,
    bits: u32,
    format: u32,
    photometric: u32,
    data: &[u8],
) -> Vec<u8> {
    let count = 10;
    let length = u32::try_from(data.len()).expect("short");
    let entries = [
        (256, 4, 1, width),
        (257, 4, 1, height),
        (258, 3, 1, bits),
        (259, 3, 1, 1),
        (262, 3, 1, photometric),
        (273, 4, 1, 8 + 2 + 12 * count + 4),
        (277, 3, 1, 1),
        (278, 4, 1, height),
        (279, 4, 1, length),
        (339, 3, 1, format),
    ];
    tiff(&entries, data)
}
