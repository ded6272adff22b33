//! Corridors followed to their ends: for mazes.
//!
//! Dijkstra's algorithm (1959) over the cells from which there is a choice. A cell with two exits leads on, so the wave walks
//! from such a cell to the next one without asking any queue; what it wrote on the way is lowered once more at most, when
//! another end of the corridor turns out to be nearer. (In corridors a queue is what costs: buckets of one or two cells do
//! not pay for their batches.)

use super::heap::{self, HeapQueue};
use super::run_options::Pace;
use super::wave::{Best, Terrain};
use super::{IntegrateStats, Seed};
use crate::movement::ChargeRule;
use core::cmp::Reverse;

pub(super) fn run<const LABELS: bool, const FLAT: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queue: &mut HeapQueue,
    pace: &mut Pace<'_>,
    stats: &mut IntegrateStats,
) {
    heap::begin::<LABELS>(terrain, seeds, best, queue);
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if cost != best.costs[cell as usize] {
            stats.stale += 1;
            continue;
        }
        // What costs less has been walked from every end that could lower it.
        if !pace.goes_on(cost, best.costs, stats.expanded) {
            return;
        }
        stats.expanded += 1;
        let goal = if LABELS { best.labels[cell as usize] } else { 0 };
        // On plain maps a step may be taken exactly if its way back may, and costs are charged forward.
        let mut exits = terrain.exits[cell as usize].bits();
        while exits != 0 {
            let away = exits.trailing_zeros() as usize & 7;
            exits &= exits - 1;
            if let Some(end) = follow::<LABELS, FLAT, C>(terrain, best, stats, cell, away, cost, goal) {
                queue.push(Reverse(end));
            }
        }
    }
}

/// Walks away from a cell as long as that lowers cells and there is one way to go. Returns the first cell with a choice, and
/// its cost first. `FLAT` promises that all passable cells cost the same: down a column each list that is read is a line of the
/// cache for every cell.
#[inline(always)]
fn follow<const LABELS: bool, const FLAT: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    best: &mut Best<'_>,
    stats: &mut IntegrateStats,
    start: u32,
    mut away: usize,
    mut cost: u32,
    goal: u32,
) -> Option<(u32, u32)> {
    let mut entered = start;
    loop {
        let from = entered.wrapping_add_signed(terrain.offsets[away]);
        // Opposites are two places on within each four of the directions, and as long.
        let back = away ^ 2;
        let step = if FLAT {
            terrain.flat_steps[usize::from(back >= 4)]
        } else {
            let costs = [from, entered].map(|cell| terrain.costs[cell as usize]);
            C::step(terrain.lengths[back], costs[0], costs[1])
        };
        // Saturates above every limit, as in `Terrain::relax_into`.
        let sum = cost.saturating_add(step);
        if sum > terrain.limit || !best.improve::<LABELS>(from, sum, goal) {
            return None;
        }
        let rest = terrain.exits[from as usize].bits() & !(1 << back);
        if rest & rest.wrapping_sub(1) != 0 {
            return Some((sum, from));
        }
        if rest == 0 {
            return None;
        }
        stats.expanded += 1;
        (entered, away, cost) = (from, rest.trailing_zeros() as usize & 7, sum);
    }
}
