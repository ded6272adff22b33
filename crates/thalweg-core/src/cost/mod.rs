//! What ground costs: one byte per cell, known or unknown, written through one door.
//!
//! Costs come from bytes ([`CostField`]), from terrain classes and a table per profile ([`TerrainMap`],
//! [`ClassCosts`]), from heights ([`HeightMap`]: what is too steep is an edge, [`EdgeCharges`]), and from stamps laid
//! over them ([`Overlays`]); how far it is to what is blocked is a [`ClearanceField`]. This module knows no movement and no
//! search.

mod clearance;
mod edges;
mod field;
mod height;
mod memory;
mod overlaid;
mod overlay;
mod parts;
mod raster;
mod region;
mod slope;
mod stamp;
mod store;
mod terrain;
mod value;

pub use clearance::ClearanceField;
pub use edges::{EdgeCharge, EdgeCharges, EdgeVersion, SlopeRule, Steepness, UnknownSlope};
pub use field::{CostField, CostFieldError, CostVersion, UnknownGround};
pub use height::{HeightError, HeightMap, HeightVersion};
pub use memory::estimate_memory;
pub use overlaid::OverlaidCosts;
pub use overlay::{OverlayVersion, Overlays, StampId};
pub use region::DirtyRegion;
pub use slope::{SlopeBand, SlopeBands, SlopeCost, SlopeError};
pub use stamp::{ImageEffect, OverlayError, Stamp, StampEffect, StampImage};
pub(crate) use store::each_bit_difference;
pub use terrain::{ClassCosts, TerrainError, TerrainMap, TerrainVersion};
pub use value::{Cost, CostError, MAX_COST};
