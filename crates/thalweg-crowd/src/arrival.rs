//! Packs: the agents that rest around a goal cell, and whether one more may rest beside them.
//!
//! An agent rests when it is stopped by mates that rest, as long as it is near enough to the goal: within the radius that
//! a round pack of all of them would have. Without the radius, agents that come from one side freeze into a heap there.

use crate::fixed::SUBCELLS_F;
use crate::fixed::whole;
use std::collections::BTreeMap;
use thalweg_core::grid::CellId;

/// The radius of a pack is this times the root of its summed squared radii, and one radius more. Loose enough for discs
/// that slid into place (they fill 80 % of the ground, this asks for 65 %), tight enough to stay round.
const LOOSENESS: f64 = 0.98;

/// Summed squared radii of the agents at rest, per group and goal cell. An ordered map: its order must not depend on a
/// random state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packs {
    squares: BTreeMap<(u16, CellId), u64>,
}

impl Packs {
    pub(crate) fn add(&mut self, group: u16, goal: CellId, radius: f32) {
        *self.squares.entry((group, goal)).or_default() += square(radius);
    }

    pub(crate) fn remove(&mut self, group: u16, goal: CellId, radius: f32) {
        if let Some(sum) = self.squares.get_mut(&(group, goal)) {
            *sum = sum.saturating_sub(square(radius));
            if *sum == 0 {
                self.squares.remove(&(group, goal));
            }
        }
    }

    /// How far from the goal's centre one more agent may rest, in cells.
    #[expect(
        clippy::cast_precision_loss,
        reason = "rounded to nearest, the same on every machine"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a radius of cells; precision beyond f32 is not needed"
    )]
    pub(crate) fn radius_with(&self, group: u16, goal: CellId, radius: f32) -> f32 {
        let sum = self.squares.get(&(group, goal)).copied().unwrap_or(0) + square(radius);
        let root = (sum as f64).sqrt() / f64::from(SUBCELLS_F);
        (LOOSENESS * root) as f32 + radius
    }
}

/// A squared radius in square subcells; whole, so that sums do not depend on their order.
fn square(radius: f32) -> u64 {
    let subcells = u64::from(whole(radius * SUBCELLS_F).unsigned_abs());
    subcells * subcells
}
