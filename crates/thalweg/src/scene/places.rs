//! Cells, rectangles and points as a scene file writes them: the layer is a last number that may be left out.

use serde::Deserialize;
use thalweg_core::grid::{Cell, LayerIndex};

/// A cell as `[x, y]`, or `[x, y, layer]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<i64>")]
pub(super) struct CellTable(pub(super) Cell);

/// A rectangle of cells as `[x0, y0, x1, y1]`, or `[x0, y0, x1, y1, layer]`; both corners included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<i64>")]
pub(super) struct AreaTable(pub(super) Cell, pub(super) Cell);

/// A point in cells as `[x, y]`, or `[x, y, layer]`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "Vec<f64>")]
pub(super) struct PointTable {
    pub(super) at: [f64; 2],
    pub(super) layer: LayerIndex,
}

/// A file, or one for each layer.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "a file must be a name, or a list of names, one for each layer"
)]
pub(super) enum FilesTable {
    One(String),
    Each(Vec<String>),
}

impl FilesTable {
    /// The names, in the order of the layers.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::One(name) => core::slice::from_ref(name),
            Self::Each(names) => names,
        }
    }
}

impl TryFrom<Vec<i64>> for CellTable {
    type Error = String;

    fn try_from(numbers: Vec<i64>) -> Result<Self, String> {
        let cell = match numbers[..] {
            [x, y] => cell(x, y, 0),
            [x, y, layer] => cell(x, y, layer),
            _ => None,
        };
        let wrong = || format!("{numbers:?} is not a cell; write [x, y], or [x, y, layer]");
        cell.map(Self).ok_or_else(wrong)
    }
}

impl TryFrom<Vec<i64>> for AreaTable {
    type Error = String;

    fn try_from(numbers: Vec<i64>) -> Result<Self, String> {
        let corners = |x0, y0, x1, y1, layer| cell(x0, y0, layer).zip(cell(x1, y1, layer));
        let area = match numbers[..] {
            [x0, y0, x1, y1] => corners(x0, y0, x1, y1, 0),
            [x0, y0, x1, y1, layer] => corners(x0, y0, x1, y1, layer),
            _ => None,
        };
        let wrong =
            || format!("{numbers:?} is not an area; write [x0, y0, x1, y1], or [x0, y0, x1, y1, layer]");
        area.map(|(a, b)| Self(a, b)).ok_or_else(wrong)
    }
}

impl TryFrom<Vec<f64>> for PointTable {
    type Error = String;

    fn try_from(numbers: Vec<f64>) -> Result<Self, String> {
        let point = match numbers[..] {
            [x, y] => Some(([x, y], 0)),
            [x, y, layer] => layer_of(layer).map(|layer| ([x, y], layer)),
            _ => None,
        };
        let wrong = || format!("{numbers:?} is not a point; write [x, y], or [x, y, layer]");
        let (at, layer) = point.ok_or_else(wrong)?;
        Ok(Self { at, layer })
    }
}

fn cell(x: i64, y: i64, layer: i64) -> Option<Cell> {
    Some(Cell::on(
        LayerIndex::try_from(layer).ok()?,
        i32::try_from(x).ok()?,
        i32::try_from(y).ok()?,
    ))
}

fn layer_of(number: f64) -> Option<LayerIndex> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be whole and in range"
    )]
    let whole = number as LayerIndex;
    (f64::from(whole) == number).then_some(whole)
}
