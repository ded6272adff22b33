//! Written files: whole or not there, and with the states of a field kept apart.

#[path = "common/field.rs"]
mod field;

use field::Solved;
use std::io;
use std::path::Path;
use thalweg_io::{FieldCell, FieldView, WriteError, write_atomic, write_field_csv, write_field_npy};

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    entries
        .map(|entry| name(entry).to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_finished_file_replaces_the_old_one() {
    let folder = tempfile::tempdir().expect("a new folder");
    let path = folder.path().join("out.txt");
    for text in ["first", "second"] {
        write_atomic(&path, |writer| writer.write_all(text.as_bytes())).expect("a folder to write in");
        assert_eq!(std::fs::read_to_string(&path).expect("a written file"), text);
    }
    assert_eq!(names(folder.path()), ["out.txt"]);
}

#[test]
fn a_failure_halfway_leaves_the_old_file_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a new folder");
    let path = folder.path().join("out.txt");
    std::fs::write(&path, "old").expect("a folder to write in");
    let error = write_atomic(&path, |writer| {
        writer.write_all(b"half")?;
        Err(io::Error::other("the well ran dry"))
    })
    .expect_err("a failure");
    assert_eq!(
        error.to_string(),
        format!("{} cannot be written: the well ran dry", path.display())
    );
    assert_eq!(std::fs::read_to_string(&path).expect("the old file"), "old");
    assert_eq!(names(folder.path()), ["out.txt"]);
}

#[test]
fn folders_that_are_missing_or_in_the_way_are_named() {
    let folder = tempfile::tempdir().expect("a new folder");
    let error = write_atomic(folder.path(), |_| Ok(())).expect_err("a directory");
    assert!(matches!(error, WriteError::Directory { .. }), "{error}");
    let path = folder.path().join("none").join("out.txt");
    let error = write_atomic(&path, |_| Ok(())).expect_err("no folder");
    assert_eq!(
        error.to_string(),
        format!("{} cannot be written: its folder does not exist", path.display())
    );
}

/// A temporary file is private by default; a result that only its maker may read surprises people.
#[cfg(unix)]
#[test]
fn written_files_have_the_rights_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a new folder");
    let (written, plain) = (folder.path().join("a"), folder.path().join("b"));
    write_atomic(&written, |_| Ok(())).expect("a folder to write in");
    std::fs::write(&plain, "").expect("a folder to write in");
    let mode = |path: &Path| std::fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode(&written), mode(&plain));
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let device = Path::new("/dev/null");
    write_atomic(device, |writer| writer.write_all(b"gone")).expect("a device that takes everything");
    let kind = std::fs::metadata(device).expect("still there").file_type();
    assert!(kind.is_char_device());
}

#[test]
fn the_states_of_a_field_are_words_in_csv_and_negative_numbers_in_arrays() {
    let solved = Solved::new("G.#.\n..#?\n");
    let mut csv = Vec::new();
    write_field_csv(&mut csv, &solved.view()).expect("a buffer takes everything");
    assert_eq!(
        String::from_utf8(csv).expect("text"),
        "0,10,impassable,unreachable\n10,14,impassable,unknown\n"
    );
    let mut npy = Vec::new();
    write_field_npy(&mut npy, &solved.view()).expect("a buffer takes everything");
    let array = npyz::NpyFile::new(npy.as_slice()).expect("a legal array");
    assert_eq!(array.shape(), [2, 4]);
    let numbers: Vec<i64> = array.into_vec().expect("64-bit numbers");
    assert_eq!(numbers, [0, 10, -3, -1, 10, 14, -3, -2]);
}

#[test]
fn a_view_tells_walls_from_cells_without_a_way() {
    let solved = Solved::new("G#.?\n");
    let view = solved.view();
    let cells: Vec<FieldCell> = view.grid().ids().map(|id| view.cell(id)).collect();
    assert_eq!(
        cells,
        [
            FieldCell::Reached(0),
            FieldCell::Impassable,
            FieldCell::Unreachable,
            FieldCell::Unknown
        ]
    );
}

#[test]
fn a_field_of_another_map_is_refused() {
    let (small, large) = (Solved::new("G.\n"), Solved::new("G..\n"));
    let error = FieldView::new(&small.costs, &large.field).expect_err("two maps");
    assert!(error.to_string().contains("map of 3 x 1 cells"), "{error}");
    assert!(small.view().with_flow(&large.flow).is_err());
}
