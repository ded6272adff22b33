//! Where things are: cells, their dense ids, the eight directions, and world coordinates.
//!
//! This module knows no cost and no search. Its one invariant: a [`Cell`] is for people, a [`CellId`] is the dense
//! row-major index for arrays, and only a [`Grid`] turns one into the other.

mod cell;
mod dims;
mod direction;
mod layer;
mod point;
mod transform;

pub use cell::{Cell, CellId, LayerIndex};
pub(crate) use dims::IdSteps;
pub use dims::{Grid, GridError, MAX_CELLS, MAX_LAYERS};
pub use direction::{DIRECTIONS, Direction, DirectionSet, DirectionSetIter};
pub use layer::Layer;
pub use point::{MAX_POINT_SIDE, MapPoint, SUBCELLS};
pub use transform::{PositionError, TransformError, WorldTransform, YAxis};
