//! Levels of detail: agents far from everything of interest look less often.
//!
//! An agent of tier 0 looks at its field and its neighbours in every tick; one of tier n every 2ⁿ ticks, and *coasts* in
//! between: it goes on at the velocity it chose, swept like every step, so it crosses no wall. Its position moves on in
//! every tick, so that those who look see it walk and not leap. Rejected: to step it seldom and far. It would be as cheap,
//! but an agent nearby would see it stand, and then find it elsewhere.
//!
//! **What others see** of an agent of tier n is at most 2ⁿ − 1 ticks old in its velocity. Had it looked in each of them, it
//! could have chosen another velocity within its top speed, so it is at most (2ⁿ − 1) · dt · 2 · top speed from where it would
//! be then. Only agents that walk freely coast: whoever waits, rests or stands looks in every tick.

use crate::CrowdError;
use crate::hash::Hasher;
use crate::mate::Mate;
use crate::slots::Slots;
use thalweg_core::grid::MapPoint;

/// The number of tiers.
pub const TIERS: usize = 4;

/// When agents belong to which tier.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct TierOptions {
    /// From which distance to the nearest point of interest on an agent belongs to the tiers 1, 2 and 3, in cells; not
    /// falling. A tier whose distance is infinite is empty. Default 64, 128, 256.
    pub from: [f32; TIERS - 1],
    /// By how much nearer than that an agent must come to be taken back to the tier before, in cells, at least 0; default 8.
    pub hysteresis: f32,
    /// How many agents may change tiers in one tick, at least 1; default 1,000. Who comes nearer and who is lower in slot order
    /// after the last one looked at goes first.
    pub changes_per_tick: u32,
}

impl Default for TierOptions {
    fn default() -> Self {
        Self {
            from: [64.0, 128.0, 256.0],
            hysteresis: 8.0,
            changes_per_tick: 1_000,
        }
    }
}

impl TierOptions {
    /// The default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn check(&self) -> Result<(), CrowdError> {
        let refuse = |name, got| {
            Err(CrowdError::Option {
                name,
                got,
                least: 0.0,
                most: f32::INFINITY,
            })
        };
        let mut before = 0.0;
        for from in self.from {
            if from.is_nan() || from < before {
                return refuse("from", from);
            }
            before = from;
        }
        if !(self.hysteresis >= 0.0 && self.hysteresis < f32::INFINITY) {
            return refuse("hysteresis", self.hysteresis);
        }
        if self.changes_per_tick == 0 {
            return Err(CrowdError::Option {
                name: "changes_per_tick",
                got: 0.0,
                least: 1.0,
                most: f32::INFINITY,
            });
        }
        Ok(())
    }

    /// The tier of an agent at a squared distance, in square cells, that was in a tier before.
    fn tier(&self, square: f32, before: u8) -> u8 {
        let is_beyond = |distance: f32| square >= distance * distance;
        let farthest = self.from.iter().rposition(|&from| is_beyond(from));
        // There are four tiers.
        let tier = farthest.map_or(0, |index| u8::try_from(index + 1).unwrap_or(0));
        if tier >= before {
            return tier;
        }
        // Back by as many tiers as it is well inside of.
        let mut back = before;
        while back > tier {
            let inside = self.from[usize::from(back) - 1] - self.hysteresis;
            if inside > 0.0 && is_beyond(inside) {
                break;
            }
            back -= 1;
        }
        back
    }
}

/// Which agents look in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rota {
    tick: u32,
}

impl Rota {
    /// Whether it is an agent's turn; always for tier 0.
    #[inline(always)]
    pub(crate) const fn looks(self, me: &Mate) -> bool {
        let often = (1u32 << me.tier()) - 1;
        self.tick.wrapping_add(me.slot) & often == 0
    }
}

/// The points of interest and how far the tiers have been brought up to date.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tiers {
    options: Option<TierOptions>,
    points: Vec<MapPoint>,
    /// The slot that is looked at next.
    next: u32,
}

impl Tiers {
    pub(crate) fn set(&mut self, options: TierOptions, points: &[MapPoint]) {
        self.options = Some(options);
        self.points.clear();
        self.points.extend_from_slice(points);
    }

    /// Turns levels of detail off: everybody looks in every tick.
    pub(crate) fn clear(&mut self, slots: &mut Slots) {
        *self = Self::default();
        slots.mates.iter_mut().for_each(|mate| mate.set_tier(0));
    }

    /// Brings tiers up to date, as many as may change in one tick.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low bits of a tick are enough"
    )]
    pub(crate) fn turn(&mut self, slots: &mut Slots, tick: u64) -> Rota {
        let rota = Rota { tick: tick as u32 };
        let Some(options) = self.options else {
            return rota;
        };
        let count = slots.slots();
        let mut changes = 0;
        // Once round at most.
        for _ in 0..count {
            let slot = self.next as usize;
            self.next = if slot + 1 < count { self.next + 1 } else { 0 };
            let Some(place) = slots.place_of(slot) else {
                continue;
            };
            let at = slots.position(place);
            let mate = &mut slots.mates[place];
            let tier = options.tier(nearest_square(&self.points, at), mate.tier());
            if tier != mate.tier() {
                mate.set_tier(tier);
                changes += 1;
                if changes == options.changes_per_tick {
                    break;
                }
            }
        }
        rota
    }

    pub(crate) fn hash_into(&self, hasher: &mut Hasher) {
        let Some(options) = self.options else {
            return;
        };
        for value in options.from.into_iter().chain([options.hysteresis]) {
            hasher.f32(value);
        }
        hasher.u32(options.changes_per_tick);
        hasher.u32(self.next);
        for point in &self.points {
            hasher.i32(point.x);
            hasher.i32(point.y);
            hasher.u32(u32::from(point.layer));
        }
    }
}

/// The squared distance to the nearest point on the same layer, in square cells; infinite if there is none.
fn nearest_square(points: &[MapPoint], at: MapPoint) -> f32 {
    let here = points.iter().filter(|point| point.layer == at.layer);
    here.map(|point| {
        let (dx, dy) = (
            crate::fixed::cells_from_subcells(point.x.saturating_sub(at.x)),
            crate::fixed::cells_from_subcells(point.y.saturating_sub(at.y)),
        );
        dx * dx + dy * dy
    })
    .fold(
        f32::INFINITY,
        |least, square| if square < least { square } else { least },
    )
}
