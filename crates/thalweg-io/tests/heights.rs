//! Heights from every format: numbers, unknown cells, scales, cell sizes, and files that lie about their size.

mod common;
#[path = "common/heights.rs"]
mod loaded;

use common::data_file;
use loaded::{METRE, grey_tiff, heights, read, sentence, size};
use png::{BitDepth, ColorType};
use proptest::prelude::*;
use thalweg_core::cost::HeightError;
use thalweg_io::{HeightFormat, HeightOptions, Place, ReadReason, VerticalScale, read_height_map};

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
        loaded.heights.clone().take_dirty().is_empty(),
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
