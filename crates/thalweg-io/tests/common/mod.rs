//! What the tests of this crate share.

use std::path::PathBuf;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::Cell;

/// A file of the public test data, or `None` with one line that says which file was wanted.
///
/// The data is not part of this repository: it is looked for in `$THALWEG_DATA`, else beside the checkout.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
#[allow(dead_code, reason = "not every test file uses the data")]
pub(crate) fn data_file(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("THALWEG_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.is_file() {
        return Some(path);
    }
    eprintln!("skipped: {name} not found");
    None
}

/// Costs as a readable list: numbers, 255 for impassable, `None` for unknown.
#[allow(dead_code, reason = "not every test file compares whole maps")]
pub(crate) fn cells(costs: &CostField) -> Vec<Option<u8>> {
    let grid = costs.grid();
    grid.ids().map(|id| costs.get(id).map(Cost::byte)).collect()
}

/// The cost of one cell, `None` for unknown.
#[allow(dead_code, reason = "not every test file looks at single cells")]
pub(crate) fn at(costs: &CostField, x: i32, y: i32) -> Option<u8> {
    let id = costs.grid().id(Cell::new(x, y)).expect("the cell is on the map");
    costs.get(id).map(Cost::byte)
}

/// Width and height.
#[allow(dead_code, reason = "not every test file looks at sizes")]
pub(crate) fn size(costs: &CostField) -> (u32, u32) {
    (costs.grid().width(), costs.grid().height())
}
