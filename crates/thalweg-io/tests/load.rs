//! One call for all formats, and every way in which a file cannot be read.

mod common;

use common::{cells, data_file, size};
use proptest::prelude::*;
use std::path::Path;
use thalweg_core::grid::Cell;
use thalweg_io::{
    LoadOptions, MapFormat, ReadReason, load_map, load_map_with, map_from_bytes, read_limited,
    write_cost_npy, write_cost_png,
};

fn write(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a new file in a new folder");
    path
}

#[test]
fn the_format_is_told_by_content_and_name() {
    let folder = tempfile::tempdir().expect("a new folder");
    let costs = map_from_bytes(Path::new("a"), b"#.5\n", &LoadOptions::default())
        .expect("a legal grid")
        .costs;
    let (mut png, mut npy) = (Vec::new(), Vec::new());
    write_cost_png(&mut png, &costs).expect("a buffer takes everything");
    write_cost_npy(&mut npy, &costs).expect("a buffer takes everything");
    for (name, bytes, format) in [
        ("a.txt", b"#.5\n".as_slice(), MapFormat::TextGrid),
        ("a", b"\xef\xbb\xbf#.5\r\n", MapFormat::TextGrid),
        ("a.map", b"#.5", MapFormat::TextGrid),
        ("a.csv", b"255", MapFormat::Csv),
        ("A.CSV", b"255,1\r\n", MapFormat::Csv),
        ("costs.txt", b"255,1,5\n", MapFormat::Csv),
        (
            "a.map",
            b"type octile\nheight 1\nwidth 1\nmap\n.",
            MapFormat::MovingAi,
        ),
        (
            "a.csv",
            b"type octile\r\nheight 1\r\nwidth 1\r\nmap\r\n.",
            MapFormat::MovingAi,
        ),
        ("a.csv", &png, MapFormat::Png),
        ("a.map", &npy, MapFormat::Npy),
    ] {
        let loaded = load_map(write(folder.path(), name, bytes)).expect("a legal map");
        assert_eq!(loaded.format, format, "{name}");
    }
}

#[test]
fn goals_and_marks_of_a_text_grid_are_kept() {
    let folder = tempfile::tempdir().expect("a new folder");
    let loaded = load_map(write(folder.path(), "a.txt", b"A.G\n")).expect("a legal grid");
    assert_eq!(loaded.goals, [Cell::new(2, 0)]);
    assert_eq!(loaded.marks, [('A', Cell::new(0, 0))]);
}

#[test]
fn every_file_that_cannot_be_read_has_a_sentence_of_its_own() {
    let folder = tempfile::tempdir().expect("a new folder");
    let sentence = |path: &Path| {
        let text = load_map(path).expect_err("no map").to_string();
        let prefix = format!("{}: ", path.display());
        text.strip_prefix(&prefix).unwrap_or(&text).to_owned()
    };
    let path = |name: &str, bytes: &[u8]| write(folder.path(), name, bytes);
    assert_eq!(sentence(&folder.path().join("none.map")), "there is no such file");
    assert_eq!(sentence(folder.path()), "this is a directory, not a file");
    assert_eq!(sentence(&path("empty.map", b"")), "the file is empty");
    assert_eq!(sentence(&path("blank.map", b"\n \n")), "the file is empty");
    let rubbish = sentence(&path("rubbish.map", &[0x7f, 0x45, 0x4c, 0x46, 0xfe, 0x00]));
    assert!(rubbish.contains("byte 4: byte 0xfe is not text"), "{rubbish}");
    assert!(sentence(&path("a.scen", b"version 1\n")).contains("scenario"));
    assert!(sentence(&path("a.tmx", b"<map/>")).contains("Tiled"));
    assert!(sentence(&path("a.tmj", b"{}")).contains("Tiled"));
    assert!(sentence(&path("a.xml", b"<?xml version=\"1.0\"?>\n<map/>")).contains("Tiled"));
    assert!(sentence(&path("a.txt", b"NCOLS 3\n")).contains("read it as a height map"));
    assert!(sentence(&path("a.tif", b"II*\0")).contains("hold heights"));
    assert!(sentence(&path("a.gif", b"GIF89a")).contains("GIF"));
    assert!(sentence(&path("a.npz", b"PK\x03\x04")).contains("unpack"));
    assert!(sentence(&path("a.txt", b"\xff\xfe#\0")).contains("UTF-16"));
}

#[test]
fn the_byte_limit_holds_for_files_and_for_devices_without_a_length() {
    let folder = tempfile::tempdir().expect("a new folder");
    let path = write(folder.path(), "a.txt", b"....\n");
    let options = LoadOptions {
        max_bytes: 4,
        ..LoadOptions::default()
    };
    let error = load_map_with(&path, &options).expect_err("too long");
    assert!(
        error
            .to_string()
            .ends_with("has more than 4 bytes, the limit for one file"),
        "{error}"
    );
    assert!(read_limited(&path, 5).is_ok());
    let endless = Path::new("/dev/zero");
    if endless.exists() {
        let error = read_limited(endless, 1000).expect_err("endless");
        assert!(
            matches!(error.reason(), ReadReason::TooLong { limit: 1000 }),
            "{error}"
        );
    }
}

#[test]
fn public_files_of_every_format_load() {
    for (name, format, width, height) in [
        ("movingai/dao/den312d.map", MapFormat::MovingAi, 65, 81),
        ("heightmaps/costfield_variety.png", MapFormat::Png, 30, 30),
        ("heightmaps/costfield_sector_0_0.csv", MapFormat::Csv, 10, 10),
    ] {
        let Some(path) = data_file(name) else { continue };
        let loaded = load_map(path).expect("a public map is legal");
        assert_eq!((loaded.format, size(&loaded.costs)), (format, (width, height)));
        assert_eq!(cells(&loaded.costs).len(), (width * height) as usize);
    }
}

#[test]
fn public_files_of_other_kinds_are_refused_with_a_reason() {
    for name in [
        "heightmaps/elevation1.tif",
        "heightmaps/hugo_site.asc",
        "movingai/dao/arena.map.scen",
        "tiled/desert.tmx",
    ] {
        let Some(path) = data_file(name) else { continue };
        let error = load_map(path).expect_err("no map");
        assert!(matches!(error.reason(), ReadReason::Unsupported(_)), "{error}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic_under_any_name(
        magic in proptest::sample::select(vec![
            b"".as_slice(), b"type octile\n", b"\x89PNG\r\n\x1a\n", b"\x93NUMPY\x01\x00", b"\xef\xbb\xbf", b"1,2\n",
        ]),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        name in proptest::sample::select(vec!["a", "a.map", "a.csv", "a.png", "a.npy", "a.txt", ""]),
    ) {
        let _ = map_from_bytes(Path::new(name), &[magic, &bytes].concat(), &LoadOptions::default());
    }
}
