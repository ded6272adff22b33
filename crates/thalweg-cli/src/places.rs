//! Cells as the command line reads and writes them: the layer is a last number, left out on maps of one layer.

use core::fmt;
use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};
use thalweg::core::grid::{Cell, Grid, LayerIndex};

/// A cell that has been typed: `X,Y` or `X,Y,LAYER`.
pub(crate) fn cell(text: &str) -> Result<Cell, String> {
    let text = text.trim();
    let wanted = || {
        format!(
            "`{text}` is not a cell; write X,Y with two whole numbers, or X,Y,LAYER on maps of several layers"
        )
    };
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let number = |part: &str| part.parse::<i32>().map_err(|_| wanted());
    let layer = |part: &str| part.parse::<LayerIndex>().map_err(|_| wanted());
    match parts[..] {
        [x, y] => Ok(Cell::new(number(x)?, number(y)?)),
        [x, y, on] => Ok(Cell::on(layer(on)?, number(x)?, number(y)?)),
        _ => Err(wanted()),
    }
}

/// A cell as an answer writes it: `[x, y]` in JSON on maps of one layer, `[x, y, layer]` on maps of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    cell: Cell,
    with_layer: bool,
}

impl Place {
    pub(crate) fn new(grid: &Grid, cell: Cell) -> Self {
        Self {
            cell,
            // A layer that is not there is shown, too.
            with_layer: grid.layers().len() > 1 || cell.layer > 0,
        }
    }

    /// As it would be typed.
    pub(crate) fn typed(&self) -> String {
        let Cell { layer, x, y } = self.cell;
        if self.with_layer {
            format!("{x},{y},{layer}")
        } else {
            format!("{x},{y}")
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({})", self.typed())
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut numbers = serializer.serialize_seq(Some(2 + usize::from(self.with_layer)))?;
        numbers.serialize_element(&self.cell.x)?;
        numbers.serialize_element(&self.cell.y)?;
        if self.with_layer {
            numbers.serialize_element(&self.cell.layer)?;
        }
        numbers.end()
    }
}

/// The size of a map in words: `8 x 6 cells`, or every layer with the place where it begins.
pub(crate) fn size_of(grid: &Grid) -> String {
    if let [only] = grid.layers() {
        return format!("{} x {} cells", only.width(), only.height());
    }
    let layers: Vec<String> = grid
        .layers()
        .iter()
        .map(|layer| {
            let first = layer.first_cell();
            let at = match (first.x, first.y) {
                (0, 0) => String::new(),
                (x, y) => format!(" at {x},{y}"),
            };
            format!("{} x {}{at}", layer.width(), layer.height())
        })
        .collect();
    format!("{} layers of cells: {}", layers.len(), layers.join("; "))
}
