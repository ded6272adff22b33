//! A* (Hart, Nilsson and Raphael 1968) over the movement graph, backwards from the goal, like the fields.
//!
//! The estimate is the octile distance to the start times the least charge on the map. No step is cheaper than its
//! length times that charge, so the estimate is consistent and every cell is expanded once. On maps with portals, which
//! leap over cells, and where steps may be free the estimate is 0.
//!
//! **Ties.** The search goes on until every cell that could lie on a way of the least cost has its exact cost; then the
//! way follows, from the start, the first exit in the fixed direction order with `step + D[next] = D[cell]`. That is the
//! rule of the flow field, so both give the same cells. Where steps may be free, that rule alone could go in a circle
//! (the field orders by hops, which a search that stops early does not have); there each cell keeps the exit by which its
//! cost was found, and the way has the field's cost, but among equals it may be another one.

use super::RouteScratch;
use crate::grid::{Cell, CellId, Direction};
use crate::integrate::{CostToGoal, MAX_COST_TO_GOAL, ResolvedGoals, Seed};
use crate::movement::{Connectivity, Movement};
use thiserror::Error;

/// How far a search may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct RouteOptions {
    /// The dearest way that is wanted, in step units; default [`MAX_COST_TO_GOAL`].
    pub cost_limit: u32,
    /// How many cells may be expanded; default no limit. It bounds the time of one call.
    pub node_limit: usize,
}

impl RouteOptions {
    /// The defaults: no limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with a limit of cost, in step units.
    #[must_use]
    pub const fn with_cost_limit(mut self, limit: u32) -> Self {
        self.cost_limit = limit;
        self
    }

    /// The options with a limit of expanded cells.
    #[must_use]
    pub const fn with_node_limit(mut self, limit: usize) -> Self {
        self.node_limit = limit;
        self
    }
}

impl Default for RouteOptions {
    fn default() -> Self {
        Self {
            cost_limit: MAX_COST_TO_GOAL,
            node_limit: usize::MAX,
        }
    }
}

/// Why a search gave no way. Tested in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum RouteError {
    /// The start is not on the map.
    #[error("the start {0} is not on the map")]
    StartOutside(Cell),
    /// The start is on an impassable or unknown cell.
    #[error("the start {0} is on a cell where no body may be")]
    StartBlocked(Cell),
    /// The goal is not on the map.
    #[error("the goal {0} is not on the map")]
    GoalOutside(Cell),
    /// The goal is on an impassable or unknown cell, or a body of this footprint has no room to meet it.
    #[error("the goal {0} is on a cell where no body may be")]
    GoalBlocked(Cell),
    /// Under these rules no way exists.
    #[error("no way leads from the start to the goal")]
    Unreachable,
    /// No way within the cost limit exists; a dearer one may.
    #[error("no way costs at most {limit}; a dearer one may exist")]
    BeyondCostLimit {
        /// The limit, in step units.
        limit: u32,
    },
    /// The search was given up before the answer, or which of several equal ways it is, was known.
    #[error("no answer after {limit} cells were expanded")]
    BeyondNodeLimit {
        /// The limit, in cells.
        limit: usize,
    },
}

/// What a successful search found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FoundRoute {
    /// The least cost from the start to the goal, equal to the field's cost-to-goal.
    pub cost: CostToGoal,
    /// Cells expanded.
    pub expanded: usize,
}

/// Finds a cheapest way from one cell to another; `path` then holds its cells, start and goal included. It is emptied
/// where there is none.
///
/// A body with extent starts with its anchor on the start and arrives at the first free anchor that meets the goal
/// ([`Movement::anchors_meeting`]), as it does in a field; `path` holds anchors.
///
/// # Errors
/// [`RouteError`]: every kind of "no" is told apart.
pub fn find_route(
    movement: &Movement,
    start: Cell,
    goal: Cell,
    options: &RouteOptions,
    scratch: &mut RouteScratch,
    path: &mut Vec<CellId>,
) -> Result<FoundRoute, RouteError> {
    path.clear();
    let grid = movement.grid();
    let start_id = grid.id(start).ok_or(RouteError::StartOutside(start))?;
    if !movement.is_passable(start_id) {
        return Err(RouteError::StartBlocked(start));
    }
    let goal_id = grid.id(goal).ok_or(RouteError::GoalOutside(goal))?;
    // A point is asked of one cell, without the lists that anchors need.
    let seed = |cell| Seed {
        cell,
        bias: 0,
        goal: 0,
    };
    let (one, several);
    let seeds: &[Seed] = if movement.profile().footprint.is_point() {
        one = [seed(goal_id)];
        if movement.is_passable(goal_id) { &one } else { &[] }
    } else {
        several = Vec::from_iter(movement.anchors_meeting(goal).into_iter().map(seed));
        &several
    };
    if seeds.is_empty() {
        return Err(RouteError::GoalBlocked(goal));
    }
    let found = Search::new(movement, start_id, options).run(seeds, scratch)?;
    trace(movement, start_id, seeds, scratch, path);
    Ok(found)
}

/// Finds a cheapest way from one cell to the nearest goal of a set, starting costs included; `path` then holds its cells,
/// start and goal cell included. It is emptied where there is none.
///
/// Where no step is free the way is the one that the field of these goals leads along. After
/// [`RouteError::Unreachable`] the scratch knows every cell from which a goal can be reached
/// ([`RouteScratch::has_reached`]), so the same question from another cell needs no second search.
///
/// # Errors
/// [`RouteError`], but for those about the goal: goals that cannot be used have been refused by
/// [`GoalSet::resolve`](crate::integrate::GoalSet::resolve). Goals that were resolved on another map or before an edit, so
/// that none lies where a body may be, cannot be reached.
pub fn find_route_to_goals(
    movement: &Movement,
    start: Cell,
    goals: &ResolvedGoals,
    options: &RouteOptions,
    scratch: &mut RouteScratch,
    path: &mut Vec<CellId>,
) -> Result<FoundRoute, RouteError> {
    path.clear();
    let grid = movement.grid();
    let start_id = grid.id(start).ok_or(RouteError::StartOutside(start))?;
    if !movement.is_passable(start_id) {
        return Err(RouteError::StartBlocked(start));
    }
    let is_usable = |seed: &Seed| seed.cell.index() < grid.len() && movement.is_passable(seed.cell);
    let usable: Vec<Seed>;
    let seeds = if goals.seeds().iter().all(is_usable) {
        goals.seeds()
    } else {
        usable = goals.seeds().iter().copied().filter(is_usable).collect();
        &usable
    };
    let found = Search::new(movement, start_id, options).run(seeds, scratch)?;
    trace(movement, start_id, seeds, scratch, path);
    Ok(found)
}

struct Search<'a> {
    movement: &'a Movement,
    start: CellId,
    start_at: (u32, u32),
    /// Least cost of a straight and of a diagonal step.
    straight: u64,
    diagonal: u64,
    cost_limit: u32,
    node_limit: usize,
}

impl<'a> Search<'a> {
    fn new(movement: &'a Movement, start: CellId, options: &RouteOptions) -> Self {
        let lengths = movement.steps().lengths();
        let (straight, diagonal) = (lengths[Direction::N.index()], lengths[Direction::NE.index()]);
        // The smallest step is straight: its length times the least charge. Where an edge may be free, or a portal leaps
        // over cells, no estimate but 0 is right. Between layers columns and rows say nothing.
        let several = movement.grid().layers().len() > 1;
        let charge = if several || movement.has_zero_steps() || movement.portal_cells().next().is_some() {
            0
        } else {
            movement.smallest_positive_step() / straight
        };
        // Two straight steps in place of a diagonal where there are none.
        let diagonal = match movement.profile().connectivity {
            Connectivity::Four => 2 * straight,
            Connectivity::Eight => diagonal,
        };
        Self {
            movement,
            start,
            start_at: movement.grid().column_row_of(start),
            straight: u64::from(straight) * u64::from(charge),
            diagonal: u64::from(diagonal) * u64::from(charge),
            cost_limit: options.cost_limit.min(MAX_COST_TO_GOAL),
            node_limit: options.node_limit,
        }
    }

    /// A lower bound of the cost from the start to a cell.
    fn estimate(&self, cell: CellId) -> u64 {
        let (column, row) = self.movement.grid().column_row_of(cell);
        let (dx, dy) = (
            u64::from(column.abs_diff(self.start_at.0)),
            u64::from(row.abs_diff(self.start_at.1)),
        );
        let both = dx.min(dy);
        both * self.diagonal + (dx.max(dy) - both) * self.straight
    }

    fn run(&self, seeds: &[Seed], scratch: &mut RouteScratch) -> Result<FoundRoute, RouteError> {
        scratch.begin(self.movement.grid().len());
        let mut expanded = 0;
        let mut cut_off = false;
        for seed in seeds {
            if seed.bias > self.cost_limit {
                cut_off = true;
                continue;
            }
            let estimate = u64::from(seed.bias) + self.estimate(seed.cell);
            scratch.improve(seed.cell.0, seed.bias, seed.cell.0, estimate);
        }
        let mut best: Option<u32> = None;
        while let Some((cell, cost, estimate)) = scratch.pop() {
            if best.is_some_and(|best| estimate > u64::from(best)) {
                break;
            }
            if estimate > u64::from(self.cost_limit) {
                cut_off = true;
                break;
            }
            if cell == self.start.0 {
                best = Some(cost);
                if self.movement.has_zero_steps() {
                    break;
                }
                continue;
            }
            if expanded == self.node_limit {
                return Err(RouteError::BeyondNodeLimit {
                    limit: self.node_limit,
                });
            }
            expanded += 1;
            for edge in self.movement.edges_into(CellId(cell)) {
                match cost.checked_add(edge.cost) {
                    Some(sum) if sum <= self.cost_limit => {
                        let estimate = u64::from(sum) + self.estimate(edge.other);
                        scratch.improve(edge.other.0, sum, cell, estimate);
                    }
                    _ => cut_off = true,
                }
            }
        }
        match best {
            Some(cost) => Ok(FoundRoute {
                cost: CostToGoal(cost),
                expanded,
            }),
            None if cut_off => Err(RouteError::BeyondCostLimit {
                limit: self.cost_limit,
            }),
            None => Err(RouteError::Unreachable),
        }
    }
}

/// Follows the labels of a finished search from the start to a goal; `seeds` are in order.
fn trace(movement: &Movement, start: CellId, seeds: &[Seed], scratch: &RouteScratch, path: &mut Vec<CellId>) {
    let by_order = !movement.has_zero_steps();
    let mut cell = start;
    path.push(cell);
    // A goal with a starting cost that another goal undercuts is a cell like others. The first seed of a cell has the
    // least starting cost.
    let is_end = |cell: CellId| {
        let first = seeds.partition_point(|seed| seed.cell < cell);
        let own = seeds.get(first).filter(|seed| seed.cell == cell);
        own.is_some_and(|seed| scratch.cost(cell.0) == Some(seed.bias))
    };
    while !is_end(cell) {
        let own = scratch.cost(cell.0);
        let next = if by_order {
            movement
                .edges_from(cell)
                .find(|edge| {
                    let over = scratch.cost(edge.other.0);
                    over.and_then(|cost| cost.checked_add(edge.cost)) == own
                })
                .map(|edge| edge.other)
        } else {
            scratch.next(cell.0).map(CellId)
        };
        // Every cell of a way but the goal got its cost from a cell nearer to the goal.
        let Some(next) = next else {
            debug_assert!(false, "a label without an exit");
            break;
        };
        path.push(next);
        cell = next;
    }
}
