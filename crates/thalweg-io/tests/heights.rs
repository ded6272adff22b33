//! Heights from every format: numbers, unknown cells, scales, cell sizes, and files that lie about their size.

mod common;

use common::data_file;
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use std::path::Path;
use thalweg_core::cost::HeightError;
use thalweg_io::{
    HeightFormat, HeightOptions, LoadedHeights, Place, ReadError, ReadReason, VerticalScale,
    height_map_from_bytes, read_height_map,
};

const METRE: HeightOptions = HeightOptions::new().with_cell_size(1.0);

fn read(name: &str, bytes: &[u8], options: &HeightOptions) -> Result<LoadedHeights, ReadError> {
    height_map_from_bytes(Path::new(name), bytes, options)
}

fn sentence(name: &str, bytes: &[u8], options: &HeightOptions) -> String {
    read(name, bytes, options)
        .expect_err("the file is broken")
        .to_string()
}

/// Heights as a readable list, `None` for unknown.
fn heights(loaded: &LoadedHeights) -> Vec<Option<f32>> {
    let map = &loaded.heights;
    map.grid().ids().map(|id| map.height(id)).collect()
}

fn size(loaded: &LoadedHeights) -> (u32, u32) {
    (loaded.heights.grid().width(), loaded.heights.grid().height())
}

/// A float32 array of one row.
fn npy_row(numbers: &[f32]) -> Vec<u8> {
    let header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {}), }}\n",
        numbers.len()
    );
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).expect("a short header").to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn png(width: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, 1);
    encoder.set_color(color);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header().expect("a legal header");
    writer.write_image_data(data).expect("enough pixels");
    writer.finish().expect("a whole picture");
    bytes
}

const ASC: &str =
    "ncols 3\nnrows 2\nxllcorner 10\nyllcorner -5.5\ncellsize 2.5\nNODATA_value -1\n1 2. 3e0\n-1 5 -6\n";

#[test]
fn an_esri_grid_gives_heights_cell_size_and_corner() {
    let loaded = read("a.asc", ASC.as_bytes(), &HeightOptions::new()).expect("a legal grid");
    assert_eq!(loaded.format, HeightFormat::EsriAscii);
    assert_eq!(size(&loaded), (3, 2));
    assert_eq!(
        heights(&loaded),
        [Some(1.0), Some(2.0), Some(3.0), None, Some(5.0), Some(-6.0)]
    );
    assert_eq!(loaded.stated_cell_size, Some(2.5));
    assert!((loaded.heights.cell_size() - 2.5).abs() < f64::EPSILON);
    assert_eq!(loaded.south_west, Some([10.0, -5.5]));
    assert!(
        loaded.heights.clone().take_dirty().is_none(),
        "loading is no edit"
    );
}

#[test]
fn an_esri_header_may_come_in_any_case_and_order_and_lines_mean_nothing_to_the_heights() {
    let text = "NODATA_VALUE nan\r\nCellSize 2\r\nYLLCENTER 1\r\nXLLCENTER 1\r\nNROWS 2\r\nNCOLS 2\r\n1\r\n2 nan\r\n\r\n4\r\n";
    let loaded = read("a.txt", text.as_bytes(), &HeightOptions::new()).expect("a legal grid");
    assert_eq!(heights(&loaded), [Some(1.0), Some(2.0), None, Some(4.0)]);
    assert_eq!(loaded.south_west, Some([0.0, 0.0]));
}

#[test]
fn an_esri_grid_that_states_no_nodata_value_has_the_formats_own() {
    let loaded = read(
        "a.asc",
        b"ncols 2\nnrows 1\ncellsize 1\n-9999 7\n",
        &HeightOptions::new(),
    );
    assert_eq!(heights(&loaded.expect("a legal grid")), [None, Some(7.0)]);
}

#[test]
fn what_is_wrong_with_an_esri_grid_is_said_with_its_line() {
    let message = |text: &str| sentence("a.asc", text.as_bytes(), &HeightOptions::new());
    assert_eq!(
        message(&ASC.replace("5 -6", "5 x")),
        "a.asc, line 8, column 3: the height is 'x', but it must be a number"
    );
    assert_eq!(
        message(&ASC.replace(" 3e0", "")),
        "a.asc, line 7: the file has 5 heights, but its header states 6"
    );
    assert_eq!(
        message(&format!("{ASC}7\n")),
        "a.asc, line 9, column 1: there are more heights than the 6 that the header states"
    );
    assert!(message(&ASC.replace("5 -6", "5 inf")).contains("line 8, column 3: the stored height is inf"));
    assert!(message(&ASC.replace("ncols 3\n", "")).contains("ncols in the header is missing"));
    assert!(message(&ASC.replace("ncols 3", "ncols 3.5")).contains("ncols in the header is '3.5'"));
    assert!(message(&ASC.replace("ncols 3", "ncols -3")).contains("1 or more"));
    assert!(
        message(&ASC.replace("ncols 3", "ncols 3\nncols 3"))
            .contains("line 2: the text is 'ncols 3', but every key once")
    );
    assert!(message(&ASC.replace("xllcorner", "xcorner")).contains("line 3: "));
    assert!(message(&ASC.replace("2.5", "0")).contains("cell size 0"));
    assert!(message(&ASC.replace("cellsize 2.5\n", "")).contains("does not say how large a cell is"));
    assert!(message(&ASC.replace("cellsize 2.5\n", "dx 1\ndy 2\n")).contains("two different sides"));
}

#[test]
fn a_cell_size_of_the_caller_takes_the_place_of_the_files() {
    let loaded = read("a.asc", ASC.as_bytes(), &METRE).expect("a legal grid");
    assert!((loaded.heights.cell_size() - 1.0).abs() < f64::EPSILON);
    assert_eq!(loaded.stated_cell_size, Some(2.5));
    for side in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = read(
            "a.asc",
            ASC.as_bytes(),
            &HeightOptions::new().with_cell_size(side),
        )
        .expect_err("no side");
        assert!(
            matches!(error.reason(), ReadReason::Heights(HeightError::CellSize(_))),
            "{error}"
        );
    }
}

#[test]
fn tables_of_numbers_are_heights_as_they_stand() {
    let loaded = read("a.csv", b"1, -2.5,?\r\n1e2,0,3\r\n", &METRE).expect("a legal table");
    assert_eq!(loaded.format, HeightFormat::Csv);
    assert_eq!(
        heights(&loaded),
        [Some(1.0), Some(-2.5), None, Some(100.0), Some(0.0), Some(3.0)]
    );
    assert_eq!(
        sentence("a.csv", b"1,2\n3,\n", &METRE),
        "a.csv, line 2, column 2: the height is '', but it must be a number or ? (unknown)"
    );
    assert_eq!(
        sentence("a.csv", b"1,2\n3\n", &METRE),
        "a.csv, line 2: the row has 1 cells, but 2 are expected"
    );
    assert!(sentence("a.csv", b"1,2\n", &HeightOptions::new()).contains("how large a cell is"));
}

#[test]
fn nan_is_an_error_unless_it_is_named_as_unknown() {
    let bytes = npy_row(&[1.5, f32::NAN, -7.0]);
    let error = read("a.npy", &bytes, &METRE).expect_err("a NaN");
    assert_eq!(error.place(), Place::Cell(1, 0));
    let loaded = read("a.npy", &bytes, &METRE.with_nodata(f64::NAN)).expect("a legal array");
    assert_eq!(heights(&loaded), [Some(1.5), None, Some(-7.0)]);
    let loaded = read("a.npy", &npy_row(&[0.1, 2.0]), &METRE.with_nodata(0.1)).expect("a legal array");
    assert_eq!(
        heights(&loaded),
        [None, Some(2.0)],
        "0.1 is rounded as the array rounds it"
    );
}

#[test]
fn masks_are_no_heights() {
    let mut bytes =
        b"\x93NUMPY\x01\x00\x3e\x00{'descr': '|b1', 'fortran_order': False, 'shape': (1, 2), }  \n".to_vec();
    bytes[8] = u8::try_from(bytes.len() - 10).expect("a short header");
    bytes.extend([0, 1]);
    assert!(sentence("a.npy", &bytes, &METRE).contains("type bool"));
}

#[test]
fn all_sixteen_bits_of_a_picture_count() {
    let levels: Vec<u8> = [0u16, 1000, 1001, 65535]
        .iter()
        .flat_map(|level| level.to_be_bytes())
        .collect();
    let bytes = png(4, ColorType::Grayscale, BitDepth::Sixteen, &levels);
    let linear = METRE.with_vertical_scale(VerticalScale::Linear {
        base: -10.0,
        per_unit: 0.5,
    });
    let loaded = read("a.png", &bytes, &linear).expect("a legal picture");
    assert_eq!(
        heights(&loaded),
        [Some(-10.0), Some(490.0), Some(490.5), Some(32757.5)]
    );
    let range = METRE.with_vertical_scale(VerticalScale::Range {
        black: 0.0,
        white: 65.535,
    });
    let loaded = read("a.png", &bytes, &range).expect("a legal picture");
    assert_eq!(heights(&loaded)[1..], [Some(1.0), Some(1.001), Some(65.535)]);
}

#[test]
fn eight_bits_have_levels_to_255_and_transparent_is_unknown() {
    let bytes = png(
        3,
        ColorType::GrayscaleAlpha,
        BitDepth::Eight,
        &[0, 255, 255, 255, 9, 0],
    );
    let linear = METRE.with_vertical_scale(VerticalScale::Linear {
        base: 0.0,
        per_unit: 2.0,
    });
    let loaded = read("a.png", &bytes, &linear).expect("a legal picture");
    assert_eq!(heights(&loaded), [Some(0.0), Some(510.0), None]);
    let range = METRE.with_vertical_scale(VerticalScale::Range {
        black: 100.0,
        white: -100.0,
    });
    let loaded = read("a.png", &bytes, &range.with_nodata(255.0)).expect("a legal picture");
    assert_eq!(heights(&loaded), [Some(100.0), None, None]);
}

#[test]
fn scales_that_make_no_heights_are_refused() {
    let grey = png(1, ColorType::Grayscale, BitDepth::Eight, &[1]);
    assert!(sentence("a.png", &grey, &METRE).contains("a vertical scale must say"));
    let scaled = |scale| METRE.with_vertical_scale(scale);
    for scale in [
        VerticalScale::Linear {
            base: 0.0,
            per_unit: 0.0,
        },
        VerticalScale::Linear {
            base: f64::NAN,
            per_unit: 1.0,
        },
        VerticalScale::Range {
            black: 1.0,
            white: 1.0,
        },
        VerticalScale::Range {
            black: 1.0,
            white: f64::INFINITY,
        },
    ] {
        let error = read("a.png", &grey, &scaled(scale)).expect_err("no scale");
        assert!(matches!(error.reason(), ReadReason::VerticalScale(_)), "{error}");
    }
    let range = scaled(VerticalScale::Range {
        black: 0.0,
        white: 1.0,
    });
    assert!(sentence("a.csv", b"1,2", &range).contains("without a black and a white"));
    let steep = scaled(VerticalScale::Linear {
        base: 0.0,
        per_unit: 1e300,
    });
    assert!(sentence("a.csv", b"1,2", &steep).contains("the stored height is 1"));
}

/// A TIFF by hand: little endian, one strip behind the directory. Entries are tag, type, count, value.
fn tiff(entries: &[(u16, u16, u32, u32)], behind: &[u8]) -> Vec<u8> {
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
fn grey_tiff(width: u32, height: u32, bits: u32, format: u32, photometric: u32, data: &[u8]) -> Vec<u8> {
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

#[test]
fn files_that_are_no_height_maps_are_refused_by_name() {
    assert!(sentence("a.txt", b"..#\n", &METRE).contains("a height map (ESRI ASCII grid"));
    assert!(sentence("a.gif", b"GIF89a", &METRE).contains("GIF"));
    assert!(sentence("a", b"", &METRE).contains("empty"));
    assert!(
        sentence(
            "a.asc",
            b"ncols 4000000000\nnrows 4000000000\ncellsize 1\n1",
            &METRE
        )
        .contains("above the limit")
    );
    assert!(sentence("a.asc", b"ncols 30000\nnrows 30000\ncellsize 1\n1", &METRE).contains("has 1 heights"));
}

#[test]
fn public_esri_grids_load() {
    if let Some(path) = data_file("heightmaps/hugo_site.asc") {
        let loaded = read_height_map(path, &HeightOptions::new()).expect("a public map is legal");
        assert_eq!(size(&loaded), (76, 55));
        assert_eq!(loaded.heights.unknown_len(), 2028);
        assert_eq!(loaded.stated_cell_size, Some(10.0));
        let known: Vec<f32> = heights(&loaded).into_iter().flatten().collect();
        assert_eq!(known.len(), 2152);
        assert!(known.iter().all(|height| (1660.0..=1711.0).contains(height)));
    }
    if let Some(path) = data_file("heightmaps/tiny_4x3.asc") {
        let loaded = read_height_map(path, &HeightOptions::new()).expect("a public map is legal");
        assert_eq!(size(&loaded), (3, 4));
        assert_eq!(loaded.south_west, Some([1.0, 2.0]));
        let expected: Vec<Option<f32>> = (0..12u8).map(|number| Some(f32::from(number))).collect();
        assert_eq!(heights(&loaded), expected);
    }
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

#[test]
fn a_public_16_bit_picture_loads_with_all_its_levels() {
    let Some(path) = data_file("heightmaps/heightmap_16bit.png") else {
        return;
    };
    let scale = VerticalScale::Linear {
        base: 0.0,
        per_unit: 1.0,
    };
    let loaded = read_height_map(path, &METRE.with_vertical_scale(scale)).expect("a public map is legal");
    assert_eq!(size(&loaded), (253, 253));
    let mut levels: Vec<u32> = heights(&loaded)
        .into_iter()
        .flatten()
        .map(|level| level as u32)
        .collect();
    levels.sort_unstable();
    levels.dedup();
    assert!(levels.len() > 256, "only {} levels", levels.len());
}

fn any_options() -> impl Strategy<Value = HeightOptions> {
    let scale = prop_oneof![
        Just(None),
        Just(Some(VerticalScale::Linear {
            base: 1.0,
            per_unit: 0.5
        })),
        Just(Some(VerticalScale::Range {
            black: 0.0,
            white: 9.0
        })),
    ];
    (
        proptest::option::of(0.5..2.0f64),
        scale,
        proptest::option::of(Just(f64::NAN)),
    )
        .prop_map(|(cell_size, vertical_scale, nodata)| HeightOptions {
            cell_size,
            vertical_scale,
            nodata,
            ..HeightOptions::new()
        })
}

fn sound_files() -> Vec<Vec<u8>> {
    let levels: Vec<u8> = (0..24).collect();
    vec![
        ASC.as_bytes().to_vec(),
        b"1,2,?\n3,4,5\n".to_vec(),
        npy_row(&[1.0, 2.0, f32::NAN]),
        png(6, ColorType::GrayscaleAlpha, BitDepth::Sixteen, &levels),
        grey_tiff(3, 4, 16, 2, 1, &levels),
    ]
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic_under_any_name(
        magic in proptest::sample::select(vec![
            b"".as_slice(), b"ncols 2\nnrows 2\ncellsize 1\n", b"\x89PNG\r\n\x1a\n", b"\x93NUMPY\x01\x00", b"II*\0\x08\0\0\0",
            b"MM\0*\0\0\0\x08", b"II+\0\x08\0\0\0", b"1,2\n",
        ]),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        name in proptest::sample::select(vec!["a", "a.asc", "a.csv", "a.tif", ""]),
        options in any_options(),
    ) {
        let _ = read(name, &[magic, &bytes].concat(), &options);
    }

    /// One to four bytes of a sound file changed: whatever is read still has a height or "unknown" for every cell.
    #[test]
    fn mutated_files_never_panic(
        file in proptest::sample::select(sound_files()),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4),
        options in any_options(),
    ) {
        let mut file = file;
        for (index, byte) in changes {
            let at = index.index(file.len());
            file[at] = byte;
        }
        if let Ok(loaded) = read("a", &file, &options) {
            prop_assert!(heights(&loaded).into_iter().flatten().all(f32::is_finite));
        }
    }

    #[test]
    fn numbers_written_as_an_esri_grid_come_back(
        width in 1usize..6,
        numbers in proptest::collection::vec(proptest::option::of(-1e6f32..1e6), 1..40),
    ) {
        let height = numbers.len() / width;
        prop_assume!(height > 0);
        let numbers = &numbers[..width * height];
        let mut text = format!("ncols {width}\nnrows {height}\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999999\n");
        for row in numbers.chunks(width) {
            for number in row {
                text += &format!("{} ", number.unwrap_or(-9_999_999.0));
            }
            text += "\n";
        }
        let loaded = read("a.asc", text.as_bytes(), &HeightOptions::new()).expect("a legal grid");
        prop_assert_eq!(heights(&loaded), numbers.to_vec());
    }
}
