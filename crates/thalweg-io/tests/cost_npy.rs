//! Costs from NumPy arrays: element types, memory order, and hostile headers.

mod common;

use common::{cells, size};
use npyz::WriterBuilder as _;
use proptest::prelude::*;
use thalweg_core::cost::CostField;
use thalweg_core::grid::Grid;
use thalweg_io::{Place, ReadReason, read_cost_npy, write_cost_npy};

/// An array file written by hand: version 1, this header text, this data.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let length = u16::try_from(header.len()).expect("a short header");
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

fn header(dtype: &str, shape: &str) -> String {
    format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}\n")
}

fn read(dtype: &str, shape: &str, data: &[u8]) -> Result<CostField, thalweg_io::ReadError> {
    read_cost_npy("a.npy", &npy(&header(dtype, shape), data))
}

fn message(dtype: &str, shape: &str, data: &[u8]) -> String {
    read(dtype, shape, data)
        .expect_err("the array is broken")
        .to_string()
}

/// Three elements 0, 7, 255 of every type.
#[test]
fn all_number_types_in_both_byte_orders_give_the_same_map() {
    let whole = |bytes: usize, big: bool| -> Vec<u8> {
        [0u64, 7, 255]
            .iter()
            .flat_map(|number| {
                let mut element = number.to_le_bytes()[..bytes].to_vec();
                if big {
                    element.reverse();
                }
                element
            })
            .collect()
    };
    let mut files = vec![("|u1", whole(1, false))];
    for (dtype, bytes) in [("u2", 2), ("i2", 2), ("u4", 4), ("i4", 4), ("u8", 8), ("i8", 8)] {
        files.push((dtype, whole(bytes, false)));
    }
    for (dtype, bytes) in [(">u2", 2), (">i4", 4), (">i8", 8)] {
        files.push((dtype, whole(bytes, true)));
    }
    let floats = [0.0f32, 7.0, 255.0];
    files.push((
        "<f4",
        floats.iter().flat_map(|number| number.to_le_bytes()).collect(),
    ));
    files.push((
        ">f4",
        floats.iter().flat_map(|number| number.to_be_bytes()).collect(),
    ));
    let doubles = floats.map(f64::from);
    files.push((
        "<f8",
        doubles.iter().flat_map(|number| number.to_le_bytes()).collect(),
    ));
    for (dtype, data) in files {
        let dtype = if dtype.len() == 2 {
            format!("<{dtype}")
        } else {
            dtype.to_owned()
        };
        let costs = read(&dtype, "(1, 3)", &data).expect("a legal array");
        assert_eq!(cells(&costs), [Some(0), Some(7), Some(255)], "{dtype}");
    }
}

#[test]
fn true_is_plain_ground_and_false_is_a_wall() {
    let costs = read("|b1", "(1, 2)", &[1, 0]).expect("a legal array");
    assert_eq!(cells(&costs), [Some(1), Some(255)]);
    assert!(message("|b1", "(1, 2)", &[1, 2]).contains("byte 2 is not a boolean"));
}

#[test]
fn fortran_order_gives_the_same_map_as_c_order() {
    // [[1, 2, 3], [4, 5, 6]]
    let c = npy(&header("|u1", "(2, 3)"), &[1, 2, 3, 4, 5, 6]);
    let fortran = npy(
        "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }",
        &[1, 4, 2, 5, 3, 6],
    );
    let (c, fortran) = (read_cost_npy("a", &c), read_cost_npy("a", &fortran));
    let c = c.expect("a legal array");
    assert_eq!(size(&c), (3, 2));
    assert_eq!(c, fortran.expect("a legal array"));
}

#[test]
fn keys_may_come_in_any_order_and_with_any_blanks() {
    let text = "{\"shape\":( 1 ,2 ),'fortran_order':False , 'descr':'u1'}   \n";
    let costs = read_cost_npy("a", &npy(text, &[3, 4])).expect("a legal array");
    assert_eq!(cells(&costs), [Some(3), Some(4)]);
}

#[test]
fn values_that_are_no_costs_are_named_with_their_cell() {
    let minus_one = (-1i64).to_le_bytes();
    let error = read("<i8", "(2, 1)", &[[1, 0, 0, 0, 0, 0, 0, 0], minus_one].concat()).expect_err("negative");
    assert_eq!(error.place(), Place::Cell(0, 1));
    assert_eq!(
        error.to_string(),
        "a.npy, cell (0,1): cost -1 is outside 0..=255 (0 to 254 passable, 255 impassable)"
    );
    assert!(message("|i1", "(1, 1)", &[0xff]).contains("cost -1"));
    assert!(message("<u2", "(1, 1)", &[0, 1]).contains("cost 256"));
    assert!(message("<u8", "(1, 1)", &[0xff; 8]).contains("is outside 0..=255"));
    for number in [f32::NAN, f32::INFINITY, 1.5, -1.0, 256.0] {
        assert!(read("<f4", "(1, 1)", &number.to_le_bytes()).is_err(), "{number}");
    }
}

#[test]
fn other_types_and_shapes_are_refused_by_name() {
    assert_eq!(
        message("<f2", "(1, 1)", &[0, 0]),
        "a.npy: arrays of type '<f2' are not read (bool, 8- to 64-bit integers, float32 and float64 are)"
    );
    for dtype in ["|O", "<c8", "<U5", "|S1", "<M8[s]", "", "<"] {
        let error = read(dtype, "(1, 1)", &[0]).expect_err("no numbers");
        assert!(matches!(error.reason(), ReadReason::ArrayType(_)), "{error}");
    }
    let record = "{'descr': [('a', '<u1')], 'fortran_order': False, 'shape': (1, 1), }";
    let error = read_cost_npy("a", &npy(record, &[0])).expect_err("a record");
    assert!(matches!(error.reason(), ReadReason::ArrayType(_)), "{error}");
    assert_eq!(
        message("|u1", "(4,)", &[0; 4]),
        "a.npy: the array has 1 dimensions, but a map has 2 (rows, columns) or 3 (layers, rows, columns)"
    );
    assert!(message("|u1", "()", &[0]).contains("0 dimensions"));
    assert!(message("|u1", "(1, 2, 3, 1)", &[0; 6]).contains("4 dimensions"));
    assert!(message("|u1", "(0, 2, 3)", &[]).contains("1 to 65536 layers"));
    assert!(message("|u1", "(99999999999, 1, 1)", &[0]).contains("1 to 65536 layers"));
    assert!(message("|u1", "(0, 3)", &[]).contains("at least one cell"));
}

#[test]
fn data_of_another_length_than_the_shape_needs_is_an_error() {
    assert_eq!(
        message("<u2", "(2, 2)", &[0; 7]),
        "a.npy: the array has 7 bytes of data, but its shape needs 8"
    );
    assert!(message("<u2", "(2, 2)", &[0; 9]).contains("has 9 bytes"));
    assert!(message("|u1", "(30000, 30000)", &[0; 9]).contains("needs 900000000"));
}

/// Sizes whose product overflows, nesting without end, and lengths beyond the file: each once a panic or an
/// allocation of gigabytes in some reader.
#[test]
fn hostile_headers_are_errors() {
    for shape in [
        "(65536, 65536)",
        "(18446744073709551615, 18446744073709551615)",
        "(4294967297, 4294967297)",
        "(99999999999999999999999, 2)",
        "(-1, 2)",
        "(2.0, 2)",
        "(2 2)",
        "(,)",
        "(2, 2",
        "2",
    ] {
        assert!(read("|u1", shape, &[0; 4]).is_err(), "{shape}");
    }
    for text in [
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '|u1'}",
        "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)}",
        "{'descr': '|u1', 'fortran_order': 0, 'shape': (1, 1)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1), 'more': 1}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1)} {}",
        "{'descr",
    ] {
        assert!(read_cost_npy("a", &npy(text, &[0])).is_err(), "{text}");
    }
    let nested = format!("{{'shape': {}", "(".repeat(9000));
    assert!(read_cost_npy("a", &npy(&nested, &[])).is_err());
    assert!(read_cost_npy("a", &npy(&" ".repeat(20_000), &[])).is_err());
    assert!(read_cost_npy("a", b"\x93NUMPY\x02\x00\xff\xff\xff\xff").is_err());
    assert!(read_cost_npy("a", b"\x93NUMPY\x09\x00\x00\x00").is_err());
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    let bytes = npy(&header("|u1", "(2, 2)"), &[1; 4]);
    for end in 0..bytes.len() {
        assert!(read_cost_npy("a", &bytes[..end]).is_err(), "cut at {end}");
    }
}

proptest! {
    #[test]
    fn costs_written_and_read_again_are_the_same(
        width in 1u32..9,
        values in proptest::collection::vec(any::<u8>(), 1..80),
    ) {
        let height = u32::try_from(values.len()).expect("short") / width;
        prop_assume!(height > 0);
        let grid = Grid::new(width, height).expect("a legal size");
        let costs = CostField::from_bytes(grid.clone(), values[..grid.len()].to_vec()).expect("one byte per cell");
        let mut written = Vec::new();
        write_cost_npy(&mut written, &costs).expect("a buffer takes everything");
        prop_assert_eq!(read_cost_npy("a", &written).expect("what was written is legal"), costs);
    }

    /// The files of an independent writer are read in both orders.
    #[test]
    fn files_of_another_writer_are_read(rows in 1u64..6, columns in 1u64..6, fortran in any::<bool>()) {
        let order = if fortran { npyz::Order::Fortran } else { npyz::Order::C };
        let mut bytes = Vec::new();
        let mut writer = npyz::WriteOptions::<i32>::new()
            .default_dtype()
            .order(order)
            .shape(&[rows, columns])
            .writer(&mut bytes)
            .begin_nd()
            .expect("a legal header");
        let number = |row: u64, column: u64| i32::try_from(10 * row + column).expect("small");
        if fortran {
            for column in 0..columns {
                for row in 0..rows {
                    writer.push(&number(row, column)).expect("a buffer takes everything");
                }
            }
        } else {
            for row in 0..rows {
                for column in 0..columns {
                    writer.push(&number(row, column)).expect("a buffer takes everything");
                }
            }
        }
        writer.finish().expect("all elements");
        let costs = read_cost_npy("a", &bytes).expect("a legal array");
        let expected: Vec<Option<u8>> = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| u8::try_from(10 * row + column).ok()))
            .collect();
        prop_assert_eq!(cells(&costs), expected);
    }

    #[test]
    fn arbitrary_headers_never_panic(text in "[{}()',:a-z<|0-9 \\[\\]TF]{0,200}", data in proptest::collection::vec(any::<u8>(), 0..20)) {
        let _ = read_cost_npy("a", &npy(&text, &data));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut file = b"\x93NUMPY".to_vec();
        file.extend(&bytes);
        let _ = read_cost_npy("a", &file);
        let _ = read_cost_npy("a", &bytes);
    }
}
