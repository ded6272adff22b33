//! Stands in for `lanes` in builds without the feature `vectors`: no movement fits, so that every goal set is worked by itself.

use crate::integrate::ResolvedGoals;
use crate::movement::Movement;
use crate::vectors::Level;

#[derive(Debug, Default)]
pub(super) struct Ground;

impl Ground {
    pub(super) const fn read(&self, _: &Movement) {}

    pub(super) const fn has_failed(&self, _: &Movement) -> bool {
        false
    }
}

#[derive(Debug, Default)]
pub(super) struct LaneScratch;

pub(super) const fn fits(_: &Movement) -> bool {
    false
}

/// Never asked, since nothing fits; "it gave up" is the answer that would be right.
pub(super) const fn run(
    _: &Movement,
    _: &Ground,
    _: &[&ResolvedGoals],
    _: u32,
    _: Option<Level>,
    _: &mut LaneScratch,
    _: &mut [&mut [u32]],
) -> bool {
    false
}
