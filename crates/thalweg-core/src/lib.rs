#![doc = "Exact flow fields on grids."]
#![forbid(unsafe_code)]
pub mod cost;
pub mod grid;
