//! Which goal sets of a batch are lanes, and which engine takes the others.
//!
//! The figures behind the rule: nanoseconds per cell and goal set, best of 31 rounds on one thread with AVX-512 (in brackets
//! with AVX2, of another run), `benches/README.md` has more and the command.
//!
//! | map | tiles one by one | 32 sets as lanes | tiles ÷ lanes |
//! | --- | --- | --- | --- |
//! | open 64² | 0.93 (1.53) | 0.63 (0.78) | 1.5 (2.0) |
//! | town 64² | 1.74 (3.04) | 1.04 (1.20) | 1.7 (2.5) |
//! | terrain8 64² | 1.66 (2.66) | 0.73 (0.93) | 2.3 (2.9) |
//! | open 128² | 1.12 (1.59) | 0.82 (0.88) | 1.4 (1.8) |
//! | rooms 128² | 1.60 | 1.35 | 1.2 |
//! | terrain8 128² | 2.20 (3.44) | 1.05 (1.36) | 2.1 (2.5) |
//! | town 200² | 2.86 | 2.03 | 1.4 |
//! | rooms 200² | 2.06 | 2.19 | 0.9 (1.1 in a quieter hour) |
//! | rooms 256² | 1.98 | 2.32 | 0.9 |
//! | terrain8 256² | 2.60 | 1.66 | 1.6 |
//!
//! A group takes as long whether its lanes are full or not, so it is worth some 22 goal sets one by one where costs are
//! uniform and 14 where they differ. Beyond [`UNIFORM_UP_TO`] and [`MIXED_UP_TO`] cells (64 bytes each) the lanes have left
//! the nearer caches, and tiles are as fast or faster.

use super::{BatchMethod, BatchOptions, LANES, lanes};
use crate::integrate::engine::{Engine, check_inputs};
use crate::integrate::sample::is_maze;
use crate::integrate::{ResolvedGoals, RunOptions};
use crate::movement::Movement;

/// The largest map, in cells, on which lanes are picked where costs are uniform, and where they differ.
const UNIFORM_UP_TO: usize = 40_000;
const MIXED_UP_TO: usize = 100_000;
/// So many goal sets one by one take as long as a group.
const UNIFORM_GROUP: usize = 22;
const MIXED_GROUP: usize = 14;
/// Groups of goal sets that are worked as lanes, and goal sets that are worked one by one, by index.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) singles: Vec<usize>,
}

impl Plan {
    /// `lanes_failed` says that a group on this movement has given up before.
    pub(super) fn new(
        movement: &Movement,
        goal_sets: &[ResolvedGoals],
        options: &BatchOptions,
        threads: usize,
        lanes_failed: bool,
    ) -> Self {
        let each = &options.integrate;
        let is_free = options.method == BatchMethod::Auto && each.engine == Engine::Auto;
        let is_open = is_free && movement.is_plain() && each.vectors.are_wide() && !is_maze(movement);
        let cells = movement.grid().len();
        let (up_to, group_cost) = if movement.uniform_cost().is_some() {
            (UNIFORM_UP_TO, UNIFORM_GROUP)
        } else {
            (MIXED_UP_TO, MIXED_GROUP)
        };
        let are_lanes = |set: &usize| {
            let goals = &goal_sets[*set];
            let wanted = match options.method {
                BatchMethod::OneByOne => false,
                BatchMethod::Lanes => true,
                // Labels are found while one engine works; after lanes they would have to be found by themselves. With a
                // limit the other engines stop early.
                BatchMethod::Auto => {
                    is_open
                        && cells <= up_to
                        && goals.goal_count() == 1
                        && each.cost_limit.is_none()
                        && !lanes_failed
                }
            };
            // What fails is left to `integrate`, which says why, and a memory limit too, which knows what one field takes.
            let fits = lanes::fits(movement) && each.memory_limit.is_none();
            wanted && fits && check_inputs(movement, goals, each.engine, each, &RunOptions::new()).is_ok()
        };
        let (mut in_lanes, mut singles): (Vec<usize>, Vec<usize>) =
            (0..goal_sets.len()).partition(|set| are_lanes(set));
        if options.method == BatchMethod::Auto {
            let groups = groups_that_pay(in_lanes.len(), group_cost, threads);
            singles.extend(in_lanes.drain(in_lanes.len().min(groups * LANES)..));
        }
        Self {
            groups: in_lanes.chunks(LANES).map(<[usize]>::to_vec).collect(),
            singles,
        }
    }
}

/// How many groups, the others one by one, end soonest on so many threads.
fn groups_that_pay(sets: usize, group_cost: usize, threads: usize) -> usize {
    let threads = threads.max(1);
    let time = |groups: usize| {
        let rest = sets.saturating_sub(groups * LANES);
        let shared = (groups * group_cost + rest).div_ceil(threads);
        shared.max(groups.div_ceil(threads) * group_cost)
    };
    (0..=sets.div_ceil(LANES))
        .min_by_key(|&groups| time(groups))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_made_where_they_end_sooner_than_single_sets() {
        for (sets, threads, groups) in [
            (0, 1, 0),
            (16, 1, 0),
            (22, 1, 0),
            (23, 1, 1),
            (32, 1, 1),
            (40, 1, 1),
            (64, 1, 2),
            (32, 2, 0),
            (48, 2, 1),
            (64, 2, 2),
            (64, 8, 0),
            (256, 8, 8),
        ] {
            assert_eq!(
                groups_that_pay(sets, UNIFORM_GROUP, threads),
                groups,
                "{sets} sets, {threads} threads"
            );
        }
        assert_eq!(groups_that_pay(16, MIXED_GROUP, 1), 1);
        assert_eq!(groups_that_pay(14, MIXED_GROUP, 1), 0);
    }
}
