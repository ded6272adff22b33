//! What the peer benchmarks share: maps, our side of a comparison, and statistics of interleaved rounds.
//!
//! It times nothing by itself and knows no peer.

// The command line's own maps, so that both measure on the same ground. A package for one file that two programs of
// this workspace read would be one package too many.
#[path = "../../crates/thalweg-cli/src/bench_maps.rs"]
pub mod maps;
pub mod rounds;
pub mod subject;

use maps::BenchMap;
use std::path::{Path, PathBuf};

/// Where shared game maps may lie: the directory in `THALWEG_DATA`, or `../shared/data` beside the workspace.
#[must_use]
pub fn data_dir() -> PathBuf {
    std::env::var_os("THALWEG_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data"),
        PathBuf::from,
    )
}

/// Reads the passable cells (`.`, `G`, `S`) of a MovingAI map, as far as measuring needs it.
///
/// # Errors
/// One sentence that names the file and what is wrong with it.
pub fn read_map(path: &Path) -> Result<BenchMap, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let bad = |what: &str| format!("{}: {what}", path.display());
    let mut lines = text.lines().map(str::trim_end);
    let (mut width, mut height) = (None, None);
    for line in lines.by_ref().take_while(|&line| line != "map") {
        match line.split_once(' ') {
            Some(("width", number)) => width = number.trim().parse::<u32>().ok(),
            Some(("height", number)) => height = number.trim().parse::<u32>().ok(),
            _ => {}
        }
    }
    let (width, height) = width.zip(height).ok_or_else(|| bad("no width and height"))?;
    let rows: Vec<&str> = lines.take(height as usize).collect();
    if rows.len() != height as usize || rows.iter().any(|row| row.len() != width as usize) {
        return Err(bad("the rows do not fit the width and height"));
    }
    let cost_of = |letter| if b".GS".contains(&letter) { 1 } else { 255 };
    let costs: Vec<u8> = rows.iter().flat_map(|row| row.bytes().map(cost_of)).collect();
    if !costs.contains(&1) {
        return Err(bad("no cell is passable"));
    }
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    Ok(BenchMap::with_central_goal(
        name.into_owned(),
        width,
        height,
        costs,
    ))
}
