//! Directions: which legal exits lead downhill, and how to read them anywhere on the map.
//!
//! This module never searches: a direction is a local fact of cost-to-goal and step costs,
//! `cost(u→v) + D[v] = D[u]`. Its invariant: from every reached cell that is not a goal, following any successor ends
//! at a goal.

mod extract;
mod field;
mod sample;

pub use extract::{FlowScratch, extract};
pub use field::{FlowField, Guidance};
pub use sample::{Sample, sample};
