//! Directions: which legal exits lead downhill, and how to read them anywhere on the map.
//!
//! This module never searches: a direction is a local fact of cost-to-goal and step costs,
//! `cost(u→v) + D[v] = D[u]`. Its invariant: from every reached cell that is not a goal, following any successor ends
//! at a goal. [`SteppedExtraction`] chooses the same directions over many calls.

mod aim;
mod channels;
mod circles;
mod extent;
mod extract;
mod field;
mod heading;
mod heading_repair;
mod kept;
mod length;
mod look;
mod memory;
mod order;
mod packed;
mod parts;
mod patches;
mod refill;
mod refresh;
mod retained;
mod sample;
mod seams;
mod seen;
mod stepped;
mod tight;
mod upstream;

pub use aim::{Aim, aim, sample_heading};
pub use channels::{ChannelRepair, ChannelStats};
pub use extract::{ExtractError, ExtractOptions, FlowScratch, extract, extract_with};
pub use field::{FlowField, Guidance};
pub use heading::{HeadingError, HeadingField, HeadingOptions, HeadingScratch, look_ahead};
pub use heading_repair::repair_headings;
pub use length::{LengthField, WayLength, measure_lengths, repair_lengths};
pub use memory::{
    estimate_heading_memory, estimate_kept_ways_memory, estimate_length_memory, estimate_memory,
};
pub use order::OrderScratch;
pub use packed::PackedFlow;
pub use parts::HeadingPartsError;
pub(crate) use patches::refresh_patches;
pub use refill::RefilledTile;
pub(crate) use refresh::{refresh_cell, refresh_portals};
pub use retained::{CachedCosts, RetainError, RetainedCosts, RetainedField};
pub use sample::{Sample, sample};
pub use stepped::SteppedExtraction;
