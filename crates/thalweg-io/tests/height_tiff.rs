//! Heights from TIFF and GeoTIFF: number types, georeferencing, and headers that lie.

mod common;
#[path = "common/heights.rs"]
mod loaded;

use common::data_file;
use loaded::{METRE, grey_tiff, heights, read, sentence, size, tiff as by_hand};
use proptest::prelude::*;
use std::io::Cursor;
use thalweg_io::{HeightFormat, HeightOptions, ReadReason, VerticalScale, read_height_map};
use tiff::encoder::colortype::{Gray16, Gray32Float, GrayI16};
use tiff::encoder::{Compression, DeflateLevel, TiffEncoder};
use tiff::tags::Predictor;

#[test]
fn tiffs_of_every_number_type_are_read() {
    let whole = |bytes: usize| -> Vec<u8> {
        [1u64, 2, 200]
            .iter()
            .flat_map(|number| number.to_le_bytes()[..bytes].to_vec())
            .collect()
    };
    let floats: Vec<u8> = [1.0f32, 2.0, 200.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    let doubles: Vec<u8> = [1.0f64, 2.0, 200.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    for (bits, format, data) in [
        (8, 1, whole(1)),
        (16, 1, whole(2)),
        (16, 2, whole(2)),
        (32, 1, whole(4)),
        (32, 2, whole(4)),
        (32, 3, floats),
        (64, 3, doubles),
    ] {
        let bytes = grey_tiff(3, 1, bits, format, 1, &data);
        let loaded = read("a.tif", &bytes, &METRE).expect("a legal picture");
        assert_eq!(
            heights(&loaded),
            [Some(1.0), Some(2.0), Some(200.0)],
            "{bits} bits, format {format}"
        );
        assert_eq!(loaded.format, HeightFormat::Tiff);
        for end in 0..bytes.len() {
            let _ = read("a.tif", &bytes[..end], &METRE);
        }
    }
    let range = METRE.with_vertical_scale(VerticalScale::Range {
        black: 0.0,
        white: 51.0,
    });
    let loaded = read("a.tif", &grey_tiff(3, 1, 8, 1, 1, &[0, 5, 255]), &range).expect("a legal picture");
    assert_eq!(heights(&loaded), [Some(0.0), Some(1.0), Some(51.0)]);
}

/// Two pixels with the tags of a GeoTIFF: sides of a pixel, kind of coordinates (1 projected, 2 degrees), nodata.
fn geo_tiff(sides: [f64; 2], model: u16, nodata: &[u8; 8]) -> Vec<u8> {
    let begin = 8 + 2 + 12 * 13 + 4;
    let entries = [
        (256, 4, 1, 2),
        (257, 4, 1, 1),
        (258, 3, 1, 16),
        (259, 3, 1, 1),
        (262, 3, 1, 1),
        (273, 4, 1, begin),
        (277, 3, 1, 1),
        (278, 4, 1, 1),
        (279, 4, 1, 4),
        (339, 3, 1, 2),
        (33550, 12, 3, begin + 4),
        (34735, 3, 8, begin + 28),
        (42113, 2, 8, begin + 44),
    ];
    let mut behind = [7i16, -100].map(i16::to_le_bytes).concat();
    behind.extend([sides[0], sides[1], 0.0].map(f64::to_le_bytes).concat());
    behind.extend([1u16, 1, 0, 1, 1024, 0, 1, model].map(u16::to_le_bytes).concat());
    behind.extend(nodata);
    by_hand(&entries, &behind)
}

#[test]
fn a_geotiff_says_its_cell_size_unless_it_is_in_degrees_or_not_square() {
    let metres = geo_tiff([2.5, 2.5], 1, b"-100   \0");
    let loaded = read("a.tif", &metres, &HeightOptions::new()).expect("a legal picture");
    assert_eq!(loaded.stated_cell_size, Some(2.5));
    assert_eq!(
        heights(&loaded),
        [Some(7.0), None],
        "GDAL's nodata value is unknown"
    );
    for bytes in [
        geo_tiff([2.5, 2.5], 2, b"-100   \0"),
        geo_tiff([2.5, 2.6], 1, b"-100   \0"),
        geo_tiff([f64::NAN, f64::NAN], 1, b"-100   \0"),
        geo_tiff([-1.0, -1.0], 1, b"-100   \0"),
    ] {
        let error = read("a.tif", &bytes, &HeightOptions::new()).expect_err("no side");
        assert!(matches!(error.reason(), ReadReason::NoCellSize), "{error}");
        assert!(read("a.tif", &bytes, &METRE).is_ok());
    }
    let error = sentence("a.tif", &geo_tiff([1.0, 1.0], 1, b"none   \0"), &METRE);
    assert!(
        error.contains("'none', but it must be a number, as nodata value"),
        "{error}"
    );
}

#[test]
fn tiffs_that_are_no_heights_or_lie_about_their_size_are_refused() {
    assert!(sentence("a.tif", &grey_tiff(1, 1, 8, 1, 0, &[0]), &METRE).contains("white is the lowest"));
    assert!(sentence("a.tif", &grey_tiff(30_000, 30_000, 64, 3, 1, &[0; 8]), &METRE).contains("cannot hold"));
    assert!(
        sentence("a.tif", &grey_tiff(60_000, 60_000, 8, 1, 1, &[0; 8]), &METRE).contains("above the limit")
    );
    assert!(sentence("a.tif", &grey_tiff(2, 2, 1, 1, 1, &[0; 2]), &METRE).contains("Gray(1)"));
    assert!(
        read("a.tif", &grey_tiff(2, 2, 8, 1, 1, &[0; 3]), &METRE).is_err(),
        "a byte is missing"
    );
    assert!(
        sentence("a.tif", &grey_tiff(3, 1, 8, 1, 1, &[0; 3]), &HeightOptions::new()).contains("how large")
    );
}

/// The cell size of this file is in degrees, which no slope can be made of.
#[test]
fn a_public_geotiff_in_degrees_asks_for_a_cell_size() {
    let Some(path) = data_file("heightmaps/elevation1.tif") else {
        return;
    };
    let error = read_height_map(&path, &HeightOptions::new()).expect_err("degrees");
    assert!(matches!(error.reason(), ReadReason::NoCellSize), "{error}");
    let loaded =
        read_height_map(&path, &HeightOptions::new().with_cell_size(30.0)).expect("a public map is legal");
    assert_eq!((size(&loaded), loaded.stated_cell_size), ((24, 37), None));
    let known: Vec<f32> = heights(&loaded).into_iter().flatten().collect();
    assert!(!known.is_empty());
    assert!(
        known.iter().all(|&height| height > -500.0 && height < 9000.0),
        "nodata is unknown, not a pit"
    );
}

const PACKINGS: [Compression; 4] = [
    Compression::Uncompressed,
    Compression::Lzw,
    Compression::Deflate(DeflateLevel::Balanced),
    Compression::Packbits,
];

/// A picture of 5 x 4 whole heights in strips of three rows, and one of floats.
fn packed(compression: Compression, predictor: Predictor) -> [Vec<u8>; 3] {
    type Write<'a> = &'a dyn Fn(&mut TiffEncoder<&mut Cursor<Vec<u8>>>);
    let write = |write: Write<'_>| {
        let mut file = Cursor::new(Vec::new());
        let encoder = TiffEncoder::new(&mut file).expect("a buffer takes everything");
        write(&mut encoder.with_compression(compression).with_predictor(predictor));
        file.into_inner()
    };
    let signed: Vec<i16> = (0..20).map(|number| 100 * number - 700).collect();
    let unsigned: Vec<u16> = (0..20).map(|number| 3000 * number).collect();
    let floats: Vec<f32> = (0..20u8).map(|number| f32::from(number) / 4.0).collect();
    [
        write(&|encoder| {
            let mut image = encoder.new_image::<GrayI16>(5, 4).expect("a legal size");
            image.rows_per_strip(3).expect("before the data");
            image.write_data(&signed).expect("enough pixels");
        }),
        write(&|encoder| {
            encoder
                .write_image::<Gray16>(5, 4, &unsigned)
                .expect("enough pixels");
        }),
        write(&|encoder| {
            // The predictor of whole numbers is not that of floats.
            if predictor == Predictor::None {
                encoder
                    .write_image::<Gray32Float>(5, 4, &floats)
                    .expect("enough pixels");
            } else {
                encoder
                    .write_image::<Gray16>(5, 4, &unsigned)
                    .expect("enough pixels");
            }
        }),
    ]
}

#[test]
fn packed_tiffs_of_another_writer_are_read() {
    for (index, compression) in PACKINGS.into_iter().enumerate() {
        for predictor in [Predictor::None, Predictor::Horizontal] {
            let [signed, unsigned, floats] = packed(compression, predictor);
            let at = |file: &[u8], cell: usize| {
                heights(&read("a.tif", file, &METRE).expect("a legal picture"))[cell]
            };
            assert_eq!(
                (at(&signed, 0), at(&signed, 19)),
                (Some(-700.0), Some(1200.0)),
                "packing {index}"
            );
            assert_eq!(at(&unsigned, 19), Some(57_000.0), "packing {index}");
            if predictor == Predictor::None {
                assert_eq!(at(&floats, 19), Some(4.75), "packing {index}");
            }
        }
    }
}

proptest! {
    /// Bytes of a sound file changed: headers, tables of strips, packed data.
    #[test]
    fn mutated_tiffs_never_panic(
        packing in 0usize..4,
        horizontal in any::<bool>(),
        kind in 0usize..3,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let predictor = if horizontal { Predictor::Horizontal } else { Predictor::None };
        let mut file = packed(PACKINGS[packing], predictor)[kind].clone();
        for (index, byte) in changes {
            let at = index.index(file.len());
            file[at] = byte;
        }
        if let Ok(loaded) = read("a.tif", &file, &METRE) {
            prop_assert!(heights(&loaded).into_iter().flatten().all(f32::is_finite));
        }
    }
}
