//! Terrain classes from pictures and letters by a legend.

mod common;

use common::data_file;
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use std::path::Path;
use thalweg_core::cost::TerrainMap;
use thalweg_io::{
    Legend, Place, ReadError, ReadReason, TerrainOptions, read_terrain_map, terrain_map_from_bytes,
};

fn read(bytes: &[u8], legend: Legend) -> Result<TerrainMap, ReadError> {
    terrain_map_from_bytes(Path::new("a"), bytes, &TerrainOptions::new(legend))
}

fn classes(map: &TerrainMap) -> Vec<Option<u8>> {
    map.grid().ids().map(|id| map.class(id)).collect()
}

/// A picture of one row; indexed ones have six entries, of which the last is transparent.
fn png(width: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 9, 8, 7, 9, 8, 7, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        encoder.set_trns(vec![255, 255, 255, 255, 255, 0]);
    }
    let mut writer = encoder.write_header().expect("a legal header");
    writer.write_image_data(data).expect("enough pixels");
    writer.finish().expect("a whole picture");
    bytes
}

fn colours() -> Legend {
    Legend::new()
        .with_colour([0, 0, 0], 1)
        .with_colour([9, 8, 7], 255)
        .with_unknown_colour([1, 1, 1])
}

#[test]
fn letters_become_classes() {
    let legend = Legend::new()
        .with_letter('~', 3)
        .with_letter('ü', 0)
        .with_unknown_letter(' ');
    let map = read("~ü \r\nü~~".as_bytes(), legend.clone()).expect("legal text");
    assert_eq!((map.grid().width(), map.grid().height()), (3, 2));
    assert_eq!(classes(&map), [Some(3), Some(0), None, Some(0), Some(3), Some(3)]);
    assert!(map.clone().take_dirty().is_empty(), "loading is no edit");
    let sentence = |text: &str| {
        read(text.as_bytes(), legend.clone())
            .expect_err("broken text")
            .to_string()
    };
    assert_eq!(
        sentence("~~\n~x\n"),
        "a, line 2, column 2: letter 'x' is not terrain (those of the legend)"
    );
    assert_eq!(
        sentence("~~\n~\n"),
        "a, line 2: the row has 1 cells, but 2 are expected"
    );
    assert!(sentence("").contains("empty"));
}

#[test]
fn colours_become_classes_however_the_picture_stores_them() {
    let expected = [Some(1), Some(255), None, None];
    let rgba = [0, 0, 0, 255, 9, 8, 7, 255, 1, 1, 1, 255, 5, 5, 5, 0];
    let map = read(&png(4, ColorType::Rgba, BitDepth::Eight, &rgba), colours()).expect("a legal picture");
    assert_eq!(classes(&map), expected);
    let map = read(
        &png(4, ColorType::Indexed, BitDepth::Four, &[0x02, 0x35]),
        colours(),
    )
    .expect("a legal picture");
    assert_eq!(classes(&map), expected);
    let deep: Vec<u8> = [0u16, 0, 0, 9 * 257, 8 * 257, 7 * 257]
        .iter()
        .flat_map(|level| level.to_be_bytes())
        .collect();
    let map = read(&png(2, ColorType::Rgb, BitDepth::Sixteen, &deep), colours()).expect("a legal picture");
    assert_eq!(classes(&map), expected[..2]);
}

#[test]
fn colours_that_are_not_listed_are_refused_at_their_pixel() {
    let error = read(
        &png(2, ColorType::Rgb, BitDepth::Eight, &[0, 0, 0, 255, 160, 1]),
        colours(),
    )
    .expect_err("no class");
    assert_eq!(error.place(), Place::Pixel(1, 0));
    assert_eq!(
        error.to_string(),
        "a, pixel (1,0): the pixel has colour #ffa001, which the legend does not list"
    );
    let deep: Vec<u8> = [0u16, 0, 1]
        .iter()
        .flat_map(|level| level.to_be_bytes())
        .collect();
    let error = read(&png(1, ColorType::Rgb, BitDepth::Sixteen, &deep), colours()).expect_err("almost black");
    assert!(error.to_string().contains("#000000000001"), "{error}");
    let error = read(
        &png(1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[0, 9]),
        colours(),
    )
    .expect_err("half there");
    assert!(
        matches!(error.reason(), ReadReason::HalfTransparent(_)),
        "{error}"
    );
}

#[test]
fn stored_numbers_may_be_the_classes() {
    let numbers = Legend::new().with_numbers_as_classes();
    for (depth, data) in [
        (BitDepth::Eight, [0, 1, 2, 5].as_slice()),
        (BitDepth::Four, &[0x01, 0x25]),
    ] {
        let map = read(&png(4, ColorType::Indexed, depth, data), numbers.clone()).expect("a legal picture");
        assert_eq!(
            classes(&map),
            [Some(0), Some(1), Some(2), None],
            "two entries of one colour are two classes"
        );
    }
    let map = read(
        &png(5, ColorType::Indexed, BitDepth::Two, &[0b0001_1011, 0b0100_0000]),
        numbers.clone(),
    );
    assert_eq!(classes(&map.expect("a legal picture")), [0, 1, 2, 3, 1].map(Some));
    let map = read(
        &png(2, ColorType::GrayscaleAlpha, BitDepth::Eight, &[200, 255, 7, 0]),
        numbers.clone(),
    );
    assert_eq!(classes(&map.expect("a legal picture")), [Some(200), None]);
    for bytes in [
        png(1, ColorType::Grayscale, BitDepth::Sixteen, &[0, 0]),
        png(1, ColorType::Grayscale, BitDepth::Four, &[0]),
        png(1, ColorType::Rgb, BitDepth::Eight, &[0, 0, 1]),
    ] {
        assert!(read(&bytes, numbers.clone()).is_err());
    }
}

#[test]
fn a_public_picture_of_six_greys_becomes_six_classes() {
    let Some(path) = data_file("heightmaps/costfield_variety.png") else {
        return;
    };
    let legend = Legend::new().with_numbers_as_classes();
    let map = read_terrain_map(path, &TerrainOptions::new(legend)).expect("a public picture is legal");
    let mut found = classes(&map);
    assert_eq!(found.iter().filter(|&&class| class == Some(255)).count(), 668);
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 6);
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        magic in proptest::sample::select(vec![b"".as_slice(), b"\x89PNG\r\n\x1a\n", b"~~\n"]),
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        numbers in any::<bool>(),
    ) {
        let legend = colours().with_letter('~', 1);
        let legend = if numbers { legend.with_numbers_as_classes() } else { legend };
        let _ = read(&[magic, &bytes].concat(), legend);
    }

    #[test]
    fn mutated_pictures_never_panic(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
        numbers in any::<bool>(),
    ) {
        let mut file = png(5, ColorType::Indexed, BitDepth::Two, &[0b0001_1011, 0b0100_0000]);
        for (index, byte) in changes {
            let at = index.index(file.len());
            file[at] = byte;
        }
        let legend = if numbers { colours().with_numbers_as_classes() } else { colours() };
        let _ = read(&file, legend);
    }
}
