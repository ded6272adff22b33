//! What changed between two resolved goal sets.

use crate::integrate::Seed;

/// The seeds that are in one list only, both sorted: calls with the seed and whether it is new.
pub(super) fn each_difference(before: &[Seed], after: &[Seed], mut each: impl FnMut(&Seed, bool)) {
    let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
    let order = |seed: &Seed| (seed.cell, seed.bias, seed.goal);
    loop {
        match (before.peek(), after.peek()) {
            (None, None) => return,
            (Some(&&old), Some(&&new)) if old == new => {
                before.next();
                after.next();
            }
            (Some(&old), new) if new.is_none_or(|new| order(old) < order(new)) => {
                each(old, false);
                before.next();
            }
            (_, Some(&new)) => {
                each(new, true);
                after.next();
            }
            (Some(&old), None) => {
                each(old, false);
                before.next();
            }
        }
    }
}

/// The best seed of a cell, if it has one: the least starting cost, then the lowest goal index.
pub(super) fn best_seed(seeds: &[Seed], cell: u32) -> Option<&Seed> {
    let first = seeds.partition_point(|seed| seed.cell.0 < cell);
    seeds.get(first).filter(|seed| seed.cell.0 == cell)
}
