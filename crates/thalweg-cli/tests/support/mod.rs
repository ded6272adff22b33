//! Runs the command as a user would.
#![allow(dead_code, reason = "every test file uses its own part")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What one run of the command came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// The one sentence on standard error of a run that must fail with code 2.
    #[track_caller]
    pub(crate) fn refusal(&self) -> &str {
        assert_eq!(
            self.code,
            Some(2),
            "exit code of a refusal\n{}\n{}",
            self.out,
            self.err
        );
        assert_eq!(self.out, "", "nothing on standard output");
        let sentence = self.err.strip_prefix("thalweg: ").unwrap_or(&self.err).trim_end();
        assert_eq!(sentence.lines().count(), 1, "one sentence, not\n{sentence}");
        sentence
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        assert_eq!(self.code, Some(0), "exit code\n{}", self.err);
        serde_json::from_str(&self.out).expect("standard output is one JSON object")
    }
}

pub(crate) fn thalweg(folder: &Path, arguments: &[&str]) -> Run {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(env!("CARGO_BIN_EXE_thalweg"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command starts");
    Run {
        code: status.code(),
        out: String::from_utf8(stdout).expect("standard output is text"),
        err: String::from_utf8(stderr).expect("standard error is text"),
    }
}

/// A folder of its own with these files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file in it");
    }
    folder
}

/// A folder of public maps that tests may use but the project does not ship, or `None` with a line that says so.
pub(crate) fn shared_data(wanted: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("THALWEG_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(wanted);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {wanted} not found (set THALWEG_DATA to the folder that holds it)");
    None
}
