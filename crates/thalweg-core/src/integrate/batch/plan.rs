//! Which goal sets of a batch are lanes.

use super::{BatchMethod, BatchOptions, LANES};
use crate::integrate::ResolvedGoals;
use crate::integrate::engine::{Engine, check_inputs, is_maze};
use crate::movement::Movement;

/// Groups of goal sets that are worked as lanes, and goal sets that are worked one by one, by index.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) singles: Vec<usize>,
}

impl Plan {
    pub(super) fn new(
        movement: &Movement,
        goal_sets: &[ResolvedGoals],
        options: &BatchOptions,
        threads: usize,
    ) -> Self {
        let all = 0..goal_sets.len();
        let lanes = match options.method {
            BatchMethod::OneByOne => false,
            BatchMethod::Lanes => movement.is_plain(),
            BatchMethod::Auto => lanes_can_pay(movement, options),
        };
        if !lanes {
            return Self {
                groups: Vec::new(),
                singles: all.collect(),
            };
        }
        let is_forced = options.method == BatchMethod::Lanes;
        // Labels are found while one engine works; after lanes they would have to be found by themselves.
        let (in_lanes, mut singles): (Vec<usize>, Vec<usize>) = all.partition(|&set| {
            let goals = &goal_sets[set];
            let pays = is_forced || goals.goal_count() == 1;
            // What fails is left to `integrate`, which says why.
            pays && check_inputs(movement, goals, options.integrate.engine, &options.integrate).is_ok()
        });
        let mut groups: Vec<Vec<usize>> = in_lanes.chunks(LANES).map(<[usize]>::to_vec).collect();
        let _ = threads;
        if !is_forced {
            // TODO rule
            if let Some(last) = groups.pop_if(|group| group.len() < 4) {
                singles.extend(last);
            }
        }
        Self { groups, singles }
    }
}

fn lanes_can_pay(movement: &Movement, options: &BatchOptions) -> bool {
    let each = &options.integrate;
    movement.is_plain()
        && each.engine == Engine::Auto
        && each.cost_limit.is_none()
        && each.vectors.are_wide()
        && !is_maze(movement)
}
