//! Which cells can get to which, without a search: [`Components`], and what blocking more cells would cut off; and which
//! cells and edges others depend on: [`Blocks`], with the corridors where bodies cannot pass each other.
//!
//! Where every edge has a way back, two cells can reach each other exactly if they carry the same label. Where some have
//! none (one-way borders, one-way portals), labels are those of *strongly* connected components, and a condensation
//! (which component leads to which) answers the rest exactly.
//!
//! This module sees a map only as edges ([`Movement::edges_from`](crate::movement::Movement::edges_from) and
//! [`edges_into`](crate::movement::Movement::edges_into)); the one rule it knows beside them is what a corner rule asks of
//! a diagonal beside a cell that is blocked later.

mod blocks;
mod condensation;
mod corridors;
mod cut;
mod cut_points;
mod depth_first;
mod graph;
mod label;
mod pieces;
mod strong;
mod two_way;

pub(crate) use crate::movement::without::{corner_survives, travel_direction};
pub use blocks::{BlockId, BlockKind, Blocks};
pub use corridors::{Corridor, CorridorIndex, CorridorKind};
pub use cut::{CutReport, LostWay, Piece, Split};
pub use label::{ComponentId, Components, ComponentsError};
