//! Saved maps and bundles: bytes out, bytes in. Where the bytes are kept is the caller's business.
//!
//! - [`save_map`] and [`load_map`]: costs, unknown cells, one-way borders and portals. Heights, terrain classes and overlays are
//!   what costs are made of; they are kept where they come from.
//! - [`save_bundle`] and [`load_bundle`]: a field with its headings. It is loaded together with the map, profile and goals of
//!   the moment, and one that was made for others answers [`LoadError::Mismatch`]: build it anew. Used all the same, it would
//!   lead agents through buildings.
//!
//! ```
//! use std::sync::Arc;
//! use thalweg::prelude::*;
//! use thalweg::saved::{LoadError, Mismatch, load_bundle, save_bundle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut costs = CostField::filled(Grid::new(20, 10)?, Cost::PLAIN);
//! let movement = Arc::new(Movement::compile(&costs, &MovementProfile::new()));
//! let goals = GoalSet::from_cells([Cell::new(19, 9)]);
//! let options = BuildOptions::new();
//! let field = FieldBundle::build(Arc::clone(&movement), &goals, &options, &mut BuildScratch::new(), &Serial)?;
//!
//! let bytes = save_bundle(&field)?;
//! let loaded = load_bundle(&bytes, movement, &goals)?;
//! assert_eq!(loaded.integration(), field.integration());
//!
//! // Since then somebody has built a wall.
//! costs.set(Cell::new(5, 5), Cost::IMPASSABLE)?;
//! let walled = Arc::new(Movement::compile(&costs, &MovementProfile::new()));
//! let refused = load_bundle(&bytes, walled, &goals);
//! assert_eq!(refused.err(), Some(LoadError::Mismatch { what: Mismatch::Map }));
//! # Ok(())
//! # }
//! ```
//!
//! # What no bytes can do
//!
//! No byte string makes a load panic or take more memory than a few times its own length and that of the map. A changed or
//! missing byte is found by a checksum over all others, and told. Behind a checksum that is right nothing is believed either:
//! costs-to-goal are checked to be the answer, cell by cell ([`IntegrationField::from_costs`]), and what follows from them is
//! made anew. Only headings are taken as they are, because they are hints ([`HeadingField::from_offsets`]).
//!
//! [`IntegrationField::from_costs`]: thalweg_core::integrate::IntegrationField::from_costs
//! [`HeadingField::from_offsets`]: thalweg_core::flow::HeadingField::from_offsets
//!
//! # Format, version 1
//!
//! All numbers are little-endian, `u` without and `i` with sign.
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `89 54 48 57 0d 0a 1a 0a`: "THW" between bytes that do not survive a transfer as text |
//! | u16 | kind: 1 map, 2 bundle |
//! | u16 | version of that kind: 1 |
//! | u64 | length of all, in bytes |
//! | … | the grid: u32 number of layers; of each u32 width, u32 height, i32 x and i32 y of its first cell |
//! | … | what the kind holds |
//! | u64 | XXH3 (64 bits, seed 0) of all bytes before it |
//!
//! **Map**: u8 flags (1 unknown cells, 2 closed exits, 4 portals); u8 cost of every cell; if flagged: a bit of every cell, set where
//! it is unknown, the first in the lowest bit; u8 closed exits of every cell, bit N, E, S, W, NE, SE, SW, NW; u32 number of
//! indices of portals and of each u8 what there is (0 a portal that was taken away, 1 a cost in step units, 2 in straight steps), u32
//! id of the cell it leaves, u32 of that it enters, u32 cost.
//!
//! **Bundle**: 16 bytes each for the hashes of map, profile and goals ([`MapHash`], [`ProfileHash`], [`GoalsHash`]); u8 flags (1 headings, 2
//! lengths, 4 cost limit); if flagged: u32 cost limit; u32 sight and u8 clearance of the headings; u32 cost-to-goal of every
//! cell, the largest number where there is none; if flagged: of every cell i16 and i16, the heading.
//! Directions, labels, lengths and the states of cells without a cost follow from these and are not kept.
//!
//! Cells are in id order: layer after layer, row by row. Another version is another format: a file of a version that this
//! build does not know is refused.

mod bundle;
mod bytes;
mod error;
mod grid;
mod hash;
mod map;

pub use bundle::{SaveError, load_bundle, save_bundle};
pub(crate) use bytes::MAGIC;
pub use error::{LoadError, Mismatch, SavedKind};
pub use hash::{GoalsHash, MapHash, ProfileHash};
pub use map::{SavedMap, load_map, save_map};
