//! Single paths to the goals of one field, remembered until the map or the goals change.

use crate::bundle::BuildOptions;
use crate::version::GoalVersion;
use std::collections::BTreeMap;
use std::sync::Arc;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::{GoalError, GoalSet, ResolvedGoals};
use thalweg_core::movement::Movement;
use thalweg_core::route::{RouteError, RouteOptions, RouteScratch, find_route_to_goals};

/// What is known about single paths.
#[derive(Debug, Default)]
pub(super) struct Paths {
    made_for: Option<(Arc<Movement>, GoalVersion)>,
    goals: Option<Result<ResolvedGoals, GoalError>>,
    /// The next cell of every cell on a path that was found; the cell itself at a goal.
    next: BTreeMap<CellId, CellId>,
    /// One bit a cell: whether a goal can be reached from it. Known after one search that ended without a way.
    reaching: Option<Vec<u64>>,
}

/// What was counted.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Searched {
    pub(super) searches: u64,
    pub(super) expanded: u64,
}

impl Paths {
    /// Forgets everything unless it is of this movement and these goals. The movement is held, so its address stands for it.
    pub(super) fn refresh(&mut self, movement: &Arc<Movement>, goal_version: GoalVersion, goals: &GoalSet) {
        let is_same = |(old, version): &(Arc<Movement>, GoalVersion)| {
            Arc::ptr_eq(old, movement) && *version == goal_version
        };
        if self.made_for.as_ref().is_some_and(is_same) {
            return;
        }
        self.next.clear();
        self.reaching = None;
        self.goals = Some(goals.resolve(movement));
        self.made_for = Some((Arc::clone(movement), goal_version));
    }

    /// Lets go of what a field that has become right does not need.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// The goals on the movement of the last [`Self::refresh`].
    pub(super) fn goals(&self) -> Result<&ResolvedGoals, &GoalError> {
        self.goals
            .as_ref()
            .map_or(Err(&GoalError::NoGoals), |goals| goals.as_ref())
    }

    /// What an earlier search says of this cell.
    pub(super) fn remembered(&self, id: CellId) -> Option<Result<CellId, RouteError>> {
        if let Some(&next) = self.next.get(&id) {
            return Some(Ok(next));
        }
        let words = self.reaching.as_ref()?;
        let reaches = words
            .get(id.index() / 64)
            .is_some_and(|word| word >> (id.index() % 64) & 1 == 1);
        (!reaches).then_some(Err(RouteError::Unreachable))
    }

    /// Searches a path from a cell and remembers what it tells of other cells.
    pub(super) fn search(
        &mut self,
        start: Cell,
        options: &BuildOptions,
        node_limit: usize,
        scratch: &mut RouteScratch,
        searched: &mut Searched,
    ) -> Result<CellId, RouteError> {
        let (Some((movement, _)), Some(Ok(goals))) = (&self.made_for, &self.goals) else {
            return Err(RouteError::Unreachable);
        };
        let mut route = RouteOptions::new().with_node_limit(node_limit);
        if let Some(limit) = options.integrate.cost_limit {
            route = route.with_cost_limit(limit);
        }
        let mut path = Vec::new();
        let found = find_route_to_goals(movement, start, goals, &route, scratch, &mut path);
        searched.searches += 1;
        match found {
            Ok(found) => {
                searched.expanded += found.expanded as u64;
                for pair in path.windows(2) {
                    self.next.entry(pair[0]).or_insert(pair[1]);
                }
                // The first cell is the start; the last one is a goal.
                if let Some(&goal) = path.last() {
                    self.next.entry(goal).or_insert(goal);
                }
                path.get(1)
                    .or(path.first())
                    .copied()
                    .ok_or(RouteError::Unreachable)
            }
            Err(error) => {
                if error == RouteError::Unreachable {
                    let grid = movement.grid();
                    let mut words = vec![0u64; grid.len().div_ceil(64)];
                    for id in grid.ids().filter(|&id| scratch.has_reached(id)) {
                        words[id.index() / 64] |= 1 << (id.index() % 64);
                        searched.expanded += 1;
                    }
                    self.reaching = Some(words);
                }
                Err(error)
            }
        }
    }
}
