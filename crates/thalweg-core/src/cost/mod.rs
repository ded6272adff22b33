//! What ground costs: one byte per cell, known or unknown, written through one door.
//!
//! This module knows no movement and no search.

mod field;
mod value;

pub use field::{CostField, CostFieldError, CostVersion, DirtyRegion};
pub use value::{Cost, CostError, MAX_COST};
