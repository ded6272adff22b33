//! Breadth-first layers for maps whose passable cells all cost the same.
//!
//! All steps of one length then cost the same, and cells are settled in order of their cost, so the cells waiting for
//! a straight step form one first-in-first-out queue and those waiting for a diagonal step another: the next cell is
//! the cheaper of two fronts. With four neighbours this is plain breadth-first search. Seeds with starting costs are a
//! third front.

use super::wave::{Best, Terrain};
use super::{IntegrateStats, Seed};
use crate::movement::ChargeRule;
use std::collections::VecDeque;

/// The fronts' storage: `(cost, cell)` in order of cost.
#[derive(Debug, Default)]
pub(super) struct LayerQueues {
    straight: VecDeque<(u32, u32)>,
    diagonal: VecDeque<(u32, u32)>,
    seeds: VecDeque<(u32, u32)>,
}

pub(super) fn run<const LABELS: bool, C: ChargeRule>(
    terrain: &Terrain<'_, C>,
    straight_step: u32,
    seeds: &[Seed],
    best: &mut Best<'_>,
    queues: &mut LayerQueues,
    stats: &mut IntegrateStats,
) {
    let LayerQueues {
        straight,
        diagonal,
        seeds: seed_queue,
    } = queues;
    straight.clear();
    diagonal.clear();
    seed_queue.clear();
    for seed in seeds {
        if seed.bias <= terrain.limit && best.improve::<LABELS>(seed.cell.0, seed.bias, seed.goal) {
            seed_queue.push_back((seed.bias, seed.cell.0));
        }
    }
    seed_queue.make_contiguous().sort_unstable();
    loop {
        let fronts = [seed_queue.front(), straight.front(), diagonal.front()];
        let Some(&(cost, cell)) = fronts.into_iter().flatten().min_by_key(|front| front.0) else {
            break;
        };
        if fronts[0].is_some_and(|front| front.0 == cost) {
            seed_queue.pop_front();
        } else if fronts[1].is_some_and(|front| front.0 == cost) {
            straight.pop_front();
        } else {
            diagonal.pop_front();
        }
        if cost != best.costs[cell as usize] {
            stats.stale += 1;
            continue;
        }
        stats.expanded += 1;
        terrain.relax_into::<LABELS>(cell, cost, best, |from, sum| {
            if sum - cost == straight_step {
                straight.push_back((sum, from));
            } else {
                diagonal.push_back((sum, from));
            }
        });
    }
}
