//! Costs from pictures: polarity, depth, transparency, and files that lie about their size.

mod common;

use common::{at, cells, data_file, size};
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Grid;
use thalweg_io::{GreyCosts, Place, Polarity, ReadReason, read_cost_png, read_cost_png_file, write_cost_png};

fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 100, 100, 100, 255, 255, 255, 9, 8, 7]);
    }
    let mut writer = encoder.write_header().expect("a legal header");
    writer.write_image_data(data).expect("enough pixels");
    writer.finish().expect("a whole picture");
    bytes
}

fn level(bytes: &[u8]) -> Vec<Option<u8>> {
    cells(&read_cost_png("a.png", bytes, GreyCosts::LevelIsCost).expect("a legal picture"))
}

const CHEAP_WHITE: GreyCosts = GreyCosts::ramp(Polarity::WhiteIsCheap);
const DEAR_WHITE: GreyCosts = GreyCosts::ramp(Polarity::WhiteIsDear);

#[test]
fn polarity_turns_the_scale_round() {
    let bytes = png(3, 1, ColorType::Grayscale, BitDepth::Eight, &[255, 254, 0]);
    let read = |mapping| cells(&read_cost_png("a.png", &bytes, mapping).expect("a legal picture"));
    assert_eq!(read(CHEAP_WHITE), [Some(1), Some(2), Some(255)]);
    assert_eq!(read(DEAR_WHITE), [Some(255), Some(253), Some(1)]);
    assert_eq!(read(GreyCosts::default()), read(CHEAP_WHITE));
}

#[test]
fn a_ramp_spreads_levels_over_its_costs_and_ends_in_walls() {
    let bytes = png(4, 1, ColorType::Grayscale, BitDepth::Eight, &[255, 178, 101, 100]);
    let mapping = GreyCosts::Ramp {
        polarity: Polarity::WhiteIsCheap,
        cheapest: 1,
        dearest: 3,
        impassable_from: 155 * 257,
    };
    let costs = read_cost_png("a.png", &bytes, mapping).expect("a legal picture");
    assert_eq!(cells(&costs), [Some(1), Some(2), Some(3), Some(255)]);
}

#[test]
fn all_greys_in_disguise_are_read() {
    let grey = [0, 100, 255, 100];
    let expected: Vec<Option<u8>> = grey.map(Some).to_vec();
    let rgb: Vec<u8> = grey.iter().flat_map(|&level| [level; 3]).collect();
    let rgba: Vec<u8> = grey
        .iter()
        .flat_map(|&level| [level, level, level, 255])
        .collect();
    let grey_alpha: Vec<u8> = grey.iter().flat_map(|&level| [level, 255]).collect();
    assert_eq!(
        level(&png(2, 2, ColorType::Grayscale, BitDepth::Eight, &grey)),
        expected
    );
    assert_eq!(level(&png(2, 2, ColorType::Rgb, BitDepth::Eight, &rgb)), expected);
    assert_eq!(
        level(&png(2, 2, ColorType::Rgba, BitDepth::Eight, &rgba)),
        expected
    );
    assert_eq!(
        level(&png(
            2,
            2,
            ColorType::GrayscaleAlpha,
            BitDepth::Eight,
            &grey_alpha
        )),
        expected
    );
    assert_eq!(
        level(&png(2, 2, ColorType::Indexed, BitDepth::Eight, &[0, 1, 2, 1])),
        expected
    );
    let one_bit = png(2, 1, ColorType::Grayscale, BitDepth::One, &[0b0100_0000]);
    assert_eq!(level(&one_bit), [Some(0), Some(255)]);
}

#[test]
fn colours_are_refused_at_their_pixel() {
    let bytes = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[7, 7, 7, 7, 8, 7]);
    let error = read_cost_png("a.png", &bytes, CHEAP_WHITE).expect_err("a colour");
    assert_eq!(error.place(), Place::Pixel(1, 0));
    assert!(
        error
            .to_string()
            .starts_with("a.png, pixel (1,0): the pixel has colour"),
        "{error}"
    );
    let bytes = png(2, 1, ColorType::Indexed, BitDepth::Eight, &[0, 3]);
    let error = read_cost_png("a.png", &bytes, CHEAP_WHITE).expect_err("a colour of the palette");
    assert_eq!(error.place(), Place::Pixel(1, 0));
}

#[test]
fn transparent_is_unknown_and_half_transparent_is_an_error() {
    let bytes = png(2, 1, ColorType::GrayscaleAlpha, BitDepth::Eight, &[1, 255, 9, 0]);
    assert_eq!(level(&bytes), [Some(1), None]);
    let bytes = png(
        2,
        1,
        ColorType::GrayscaleAlpha,
        BitDepth::Eight,
        &[1, 255, 9, 128],
    );
    let error = read_cost_png("a.png", &bytes, CHEAP_WHITE).expect_err("half transparent");
    assert_eq!(error.place(), Place::Pixel(1, 0));
}

/// Two neighbouring 16-bit levels on both sides of the wall limit: a reader that drops to 8 bits sees one level.
#[test]
fn sixteen_bits_are_not_dropped_to_eight() {
    let levels: Vec<u8> = [1000u16, 1001]
        .iter()
        .flat_map(|level| level.to_be_bytes())
        .collect();
    let bytes = png(2, 1, ColorType::Grayscale, BitDepth::Sixteen, &levels);
    let mapping = GreyCosts::Ramp {
        polarity: Polarity::WhiteIsDear,
        cheapest: 1,
        dearest: 10,
        impassable_from: 1001,
    };
    let costs = read_cost_png("a.png", &bytes, mapping).expect("a legal picture");
    assert_eq!(cells(&costs), [Some(10), Some(255)]);
    let error = read_cost_png("a.png", &bytes, GreyCosts::LevelIsCost).expect_err("no byte costs");
    assert!(error.to_string().contains("16-bit"), "{error}");
}

#[test]
fn ramps_that_make_no_sense_are_refused() {
    let bytes = png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[7]);
    for (cheapest, dearest, impassable_from) in [(5, 4, 100), (1, 255, 100), (1, 9, 0)] {
        let polarity = Polarity::WhiteIsCheap;
        let mapping = GreyCosts::Ramp {
            polarity,
            cheapest,
            dearest,
            impassable_from,
        };
        let error = read_cost_png("a.png", &bytes, mapping).expect_err("a senseless ramp");
        assert!(matches!(error.reason(), ReadReason::GreyCosts(_)), "{error}");
    }
    let narrow = GreyCosts::Ramp {
        polarity: Polarity::WhiteIsDear,
        cheapest: 3,
        dearest: 9,
        impassable_from: 1,
    };
    let bytes = png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 1]);
    let costs = read_cost_png("a.png", &bytes, narrow).expect("only black is ground");
    assert_eq!(cells(&costs), [Some(3), Some(255)]);
}

/// A copy of a picture whose header states another size; the checksum is made to fit.
fn with_size(bytes: &[u8], width: u32, height: u32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let mut crc = u32::MAX;
    for &byte in &bytes[12..29] {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                crc >> 1 ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    bytes[29..33].copy_from_slice(&(!crc).to_be_bytes());
    bytes
}

#[test]
fn a_small_file_that_claims_a_huge_picture_is_refused() {
    let bytes = png(1, 1, ColorType::Grayscale, BitDepth::Eight, &[7]);
    let error = read_cost_png("a.png", &with_size(&bytes, 30_000, 30_000), CHEAP_WHITE).expect_err("a lie");
    assert!(error.to_string().contains("bytes cannot hold"), "{error}");
    let error =
        read_cost_png("a.png", &with_size(&bytes, 65_536, 65_536), CHEAP_WHITE).expect_err("too large");
    assert!(error.to_string().contains("above the limit"), "{error}");
    let error = read_cost_png("a.png", &with_size(&bytes, 5, 5), CHEAP_WHITE).expect_err("a smaller lie");
    assert!(matches!(error.reason(), ReadReason::Image(_)), "{error}");
    assert!(read_cost_png("a.png", &with_size(&bytes, 0, 5), CHEAP_WHITE).is_err());
}

#[test]
fn a_cut_picture_is_an_error_wherever_it_is_cut() {
    let bytes = png(9, 9, ColorType::Grayscale, BitDepth::Eight, &[7; 81]);
    for end in 0..bytes.len() - 12 {
        assert!(
            read_cost_png("a.png", &bytes[..end], CHEAP_WHITE).is_err(),
            "cut at {end}"
        );
    }
}

#[test]
fn the_public_cost_picture_has_its_walls_where_black_is() {
    let Some(path) = data_file("heightmaps/costfield_variety.png") else {
        return;
    };
    let costs = read_cost_png_file(&path, CHEAP_WHITE).expect("a public picture is legal");
    assert_eq!(size(&costs), (30, 30));
    let count = |cost: u8| cells(&costs).iter().filter(|&&cell| cell == Some(cost)).count();
    assert_eq!((count(1), count(255)), (668, 71));
    let reversed = read_cost_png_file(&path, DEAR_WHITE).expect("a public picture is legal");
    let walls = cells(&reversed).iter().filter(|&&cell| cell == Some(255)).count();
    assert_eq!(walls, 668, "the wrong polarity makes two thirds of the map walls");
}

#[test]
fn the_public_height_map_needs_a_ramp() {
    let Some(path) = data_file("heightmaps/heightmap_16bit.png") else {
        return;
    };
    assert!(read_cost_png_file(&path, GreyCosts::LevelIsCost).is_err());
    let costs = read_cost_png_file(&path, DEAR_WHITE).expect("a public picture is legal");
    assert_eq!(size(&costs), (253, 253));
    assert!(at(&costs, 0, 0).is_some());
}

proptest! {
    #[test]
    fn costs_written_and_read_again_are_the_same(
        width in 1u32..9,
        values in proptest::collection::vec(proptest::option::weighted(0.9, any::<u8>()), 1..80),
    ) {
        let height = u32::try_from(values.len()).expect("short") / width;
        prop_assume!(height > 0);
        let grid = Grid::new(width, height).expect("a legal size");
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for (id, value) in grid.ids().zip(&values) {
            match value {
                Some(cost) => costs.set(grid.cell(id), Cost::from_byte(*cost)),
                None => costs.set_unknown(grid.cell(id)),
            }
            .expect("a cell of the map");
        }
        let mut written = Vec::new();
        write_cost_png(&mut written, &costs).expect("a buffer takes everything");
        let again = read_cost_png("a", &written, GreyCosts::LevelIsCost).expect("what was written is legal");
        prop_assert_eq!(cells(&again), cells(&costs));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.extend(&bytes);
        let _ = read_cost_png("a", &png, CHEAP_WHITE);
        let _ = read_cost_png("a", &bytes, CHEAP_WHITE);
    }

    #[test]
    fn a_changed_byte_never_panics(at in 0usize..200, byte in any::<u8>()) {
        let mut bytes = png(9, 9, ColorType::Rgba, BitDepth::Eight, &[200; 324]);
        let len = bytes.len();
        bytes[at % len] = byte;
        let _ = read_cost_png("a", &bytes, CHEAP_WHITE);
    }
}
