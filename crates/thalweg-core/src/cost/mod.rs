//! What ground costs: one byte per cell, known or unknown, written through one door.
//!
//! This module knows no movement and no search.

mod field;
mod slope;
mod value;

pub use field::{CostField, CostFieldError, CostVersion, DirtyRegion};
pub use slope::{SlopeBand, SlopeBands, SlopeCost, SlopeError};
pub use value::{Cost, CostError, MAX_COST};
