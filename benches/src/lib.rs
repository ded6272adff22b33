//! What the peer benchmarks share: maps, our side of a comparison, and statistics of interleaved rounds.
//!
//! It times nothing by itself and knows no peer.

pub mod rounds;
pub mod subject;

pub use thalweg::generate::{GeneratedMap, MapKind};

use std::path::{Path, PathBuf};

/// Where shared game maps may lie: the directory in `THALWEG_DATA`, or `../shared/data` beside the workspace.
#[must_use]
pub fn data_dir() -> PathBuf {
    std::env::var_os("THALWEG_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    )
}

/// Reads a map file of any known format to measure on.
///
/// # Errors
/// One sentence that names the file and what is wrong with it.
pub fn read_map(path: &Path) -> Result<GeneratedMap, String> {
    let costs = thalweg_io::load_map(path)
        .map_err(|error| error.to_string())?
        .costs;
    let name = path
        .file_stem()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned();
    GeneratedMap::of_costs(name, &costs).ok_or_else(|| format!("{}: no cell is passable", path.display()))
}
