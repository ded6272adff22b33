//! Why a recorder cannot be made.

use thalweg_core::grid::{LayerIndex, MapPoint};
use thiserror::Error;

/// Why a recorder was refused.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum RecorderError {
    /// Both ends of a line are one point.
    #[error("the line begins and ends at {0:?}, so nobody can cross it")]
    NoLength(MapPoint),
    /// The ends of a line, or the corners of an area, are on several layers.
    #[error("point {point:?} is not on layer {layer}, on which the recorder begins; it lies on one layer")]
    Layers {
        /// The first point that is elsewhere.
        point: MapPoint,
        /// The layer of the first point.
        layer: LayerIndex,
    },
    /// An area with fewer than three corners.
    #[error("an area needs at least 3 corners, but {0} were given")]
    FewCorners(usize),
    /// An area that holds nothing.
    #[error("the area's corners enclose nothing")]
    NoArea,
    /// A size of a cell that is no length.
    #[error("cell size {0} is not a positive finite number of world units")]
    CellSize(f64),
    /// A direction that points nowhere.
    #[error("direction ({0}, {1}) has no length, or is not finite")]
    Direction(f64, f64),
    /// A width that is no length.
    #[error("width {0} is not a positive finite number of world units")]
    Width(f64),
    /// A time that does not pass, or flows backwards.
    #[error("a time of {0} seconds cannot pass; it must be above 0 and finite")]
    Time(f64),
}
