//! Packs: the agents that have arrived at one goal cell, and whether they still close ranks.
//!
//! An agent joins a pack when it is stopped by mates of the pack, wherever that is. The members of a pack lean towards the
//! goal, and contact makes a round pack of them, as of marbles in a bowl. When nobody gets nearer any more, or
//! [`CrowdOptions::closing`](crate::CrowdOptions::closing) after the last one joined, the pack falls asleep as a whole
//! and nobody in it moves by itself. This is the sleeping island of physics engines. Rejected: to freeze agents one by one where they touch the
//! pack. Those that come from one side then freeze into a heap, and late ones circle around it for a gap.

use crate::fixed::{SUBCELLS_F, subcells_from_cells};
use crate::hash::Hasher;
use std::collections::BTreeMap;
use thalweg_core::grid::CellId;

/// Members farther from the goal than this times the root of the pack's summed squared radii, and one radius more, push in
/// hard. Found by trial over radii of 0.2 to 0.45 and steps of 1/60 s to 1/2 s: of 216 packs of sixty, none reached
/// beyond 1.25 · √60 · r; at 0.78, which is the outermost ring only, four did.
const LOOSENESS: f64 = 0.6;
/// A pack takes in agents up to this times its own radius, and three radii of theirs more.
const REACH: f32 = 1.2;
/// How hard members farther out lean towards the goal, as a part of their top speed.
const OUTSIDE: f32 = 1.0;
/// How hard the others do.
const INSIDE: f32 = 0.4;

/// How long nobody may have got nearer before a pack lets go, in seconds.
const DROWSY: f32 = 1.0;

/// How long a pack that has let go may spread before it falls asleep, in seconds: its members then rest where they are.
const RELAXING: f32 = 5.0;

#[derive(Clone, Copy, Debug)]
struct Pack {
    members: u32,
    /// Summed squared radii, in square subcells; whole, so that the sum does not depend on its order.
    squares: u64,
    /// Seconds since somebody joined.
    age: f32,
    /// Seconds since a member got nearer to the goal.
    quiet: f32,
}

impl Pack {
    /// The radius in cells within which the centres of a round pack lie, less one radius.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "rounded to nearest, the same on every machine"
    )]
    fn radius(&self) -> f32 {
        ((self.squares as f64).sqrt() * LOOSENESS / f64::from(SUBCELLS_F)) as f32
    }

    fn is_awake(&self, closing: f32) -> bool {
        self.quiet < DROWSY + RELAXING && self.age < closing + RELAXING
    }

    /// Part of its first force with which the pack still closes ranks; 0 once it lets go.
    fn force(&self, closing: f32) -> f32 {
        if self.quiet >= DROWSY || self.age >= closing {
            return 0.0;
        }
        let spent = self.age / closing;
        1.0 - spent * spent
    }
}

/// Packs per group and goal cell. An ordered map: its order must not depend on a random state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packs(BTreeMap<(u16, CellId), Pack>);

impl Packs {
    pub(crate) fn join(&mut self, group: u16, goal: CellId, radius: f32) {
        let pack = self.0.entry((group, goal)).or_insert(Pack {
            members: 0,
            squares: 0,
            age: 0.0,
            quiet: 0.0,
        });
        pack.members += 1;
        pack.squares += square(radius);
        pack.age = 0.0;
        pack.quiet = 0.0;
    }

    pub(crate) fn part(&mut self, group: u16, goal: CellId, radius: f32) {
        if let Some(pack) = self.0.get_mut(&(group, goal)) {
            pack.members -= 1;
            pack.squares -= square(radius);
            if pack.members == 0 {
                self.0.remove(&(group, goal));
            }
        }
    }

    /// A member of a pack got nearer to the goal.
    pub(crate) fn stir(&mut self, group: u16, goal: CellId) {
        if let Some(pack) = self.0.get_mut(&(group, goal)) {
            pack.quiet = 0.0;
        }
    }

    /// Lets time pass for packs that are awake.
    pub(crate) fn pass(&mut self, seconds: f32, closing: f32) {
        for pack in self.0.values_mut() {
            if pack.is_awake(closing) {
                pack.age += seconds;
                pack.quiet += seconds;
            }
        }
    }

    /// How hard a member leans towards the goal, as a part of its top speed; `None` if the pack sleeps. `distance` to
    /// the goal's centre and `radius` are in cells.
    ///
    /// Members outside the round pack that all of them would make push in, those inside only lean, or the pack would be
    /// pressed into itself; and both ever less, so that the pack has let go of its pressure when it falls asleep.
    pub(crate) fn leaning(
        &self,
        group: u16,
        goal: CellId,
        distance: f32,
        radius: f32,
        closing: f32,
    ) -> Option<f32> {
        let pack = self.0.get(&(group, goal)).filter(|pack| pack.is_awake(closing))?;
        let force = pack.force(closing);
        let leaning = if distance > pack.radius() + radius {
            OUTSIDE
        } else {
            INSIDE
        };
        Some(leaning * force)
    }

    /// Whether an agent that is stopped by a pack's members at this distance from the goal's centre is at the pack, not in
    /// a queue that reaches it.
    pub(crate) fn reaches(&self, group: u16, goal: CellId, distance: f32, radius: f32) -> bool {
        self.0
            .get(&(group, goal))
            .is_some_and(|pack| distance <= REACH * pack.radius() + 6.0 * radius)
    }

    pub(crate) fn hash_into(&self, hasher: &mut Hasher) {
        for (&(group, goal), pack) in &self.0 {
            hasher.u32(u32::from(group));
            hasher.u32(goal.0);
            hasher.u32(pack.members);
            hasher.u64(pack.squares);
            hasher.f32(pack.age);
            hasher.f32(pack.quiet);
        }
    }
}

fn square(radius: f32) -> u64 {
    let subcells = u64::from(subcells_from_cells(radius).unsigned_abs());
    subcells * subcells
}
