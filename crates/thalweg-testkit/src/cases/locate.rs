//! Where case and data files lie, for tests that can do without them.

use std::path::{Path, PathBuf};

/// The case file: `$THALWEG_CASES` (the file, or a folder that holds `cases.jsonl`), else `../shared/cases/cases.jsonl`
/// beside the workspace. `None` if it is not there.
#[must_use]
pub fn cases_file() -> Option<PathBuf> {
    let path = std::env::var_os("THALWEG_CASES").map_or_else(|| beside("cases"), PathBuf::from);
    let path = if path.is_dir() {
        path.join("cases.jsonl")
    } else {
        path
    };
    path.is_file().then_some(path)
}

/// The data folder: `$THALWEG_DATA`, else `../shared/data` beside the workspace. `None` if it is not there.
#[must_use]
pub fn data_folder() -> Option<PathBuf> {
    let path = std::env::var_os("THALWEG_DATA").map_or_else(|| beside("data"), PathBuf::from);
    path.is_dir().then_some(path)
}

fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(name)
}

/// Says on one line that a test had nothing to read.
pub fn skipped(what: &str) {
    say(&format!("skipped: {what} not found"));
}

/// Puts a line into the test log.
#[expect(
    clippy::print_stdout,
    reason = "what a test skipped or counted belongs into its log"
)]
pub fn say(line: &str) {
    println!("{line}");
}

/// Whether the long run is asked for, by `THALWEG_LONG`; for tests that stand beside code which must not look at the
/// environment.
#[must_use]
pub fn is_long() -> bool {
    std::env::var_os("THALWEG_LONG").is_some()
}
