//! One word for what a field can say to one agent: every kind of "no" is told apart.

use super::{CostToGoal, GoalError, IntegrationField, Reach, ResolvedGoals, Seed};
use crate::grid::{Cell, CellId};
use crate::movement::Movement;

/// What a field says about the way from one agent to the goals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum RouteStatus {
    /// There is a way; this is its cost. An agent on a goal has the goal's starting cost, usually 0.
    Ok(CostToGoal),
    /// Under these rules no way exists.
    Unreachable,
    /// The agent is not on the map.
    AgentOutside,
    /// The agent is on an impassable or unknown cell.
    AgentBlocked,
    /// No goal lies on the map, or no goal was given.
    GoalOutside,
    /// No goal lies on a cell a body may be on, or where one of this footprint has room.
    GoalBlocked,
    /// The field was made for other costs, another profile or other goals.
    Stale,
    /// There is no finished field yet.
    NotReady,
    /// The agent's cell lies beyond the field's cost limit, or was not asked for: a way may or may not exist.
    CutOff,
}

/// The status of an agent on `agent`, from goals resolved on `movement` and the field made of both, if there is one.
///
/// Tested in this order: agent outside, agent blocked, goals outside, goals blocked, field missing, field stale; then
/// the field answers. So an agent in a wall gets the same word for near and far goals, and bad input is told apart
/// without a field.
///
/// `goals` is what [`GoalSet::resolve`](super::GoalSet::resolve) returned (`resolved.as_ref()`). A field counts as made
/// for these goals if they would give the same costs: its sinks are goal cells of the set, and no other goal cell of
/// the set would improve it. A field that holds no goal (it was never integrated, its integration failed, or the cost
/// limit cut off even the goals) is not ready.
///
/// O(goal cells); nothing is searched.
#[must_use]
pub fn route_status(
    movement: &Movement,
    goals: Result<&ResolvedGoals, &GoalError>,
    field: Option<&IntegrationField>,
    agent: Cell,
) -> RouteStatus {
    let Some(id) = movement.grid().id(agent) else {
        return RouteStatus::AgentOutside;
    };
    if !movement.is_passable(id) {
        return RouteStatus::AgentBlocked;
    }
    let goals = match goals {
        Ok(goals) => goals,
        Err(GoalError::Blocked { .. } | GoalError::NoRoom { .. } | GoalError::NoneUsable { .. }) => {
            return RouteStatus::GoalBlocked;
        }
        Err(_) => return RouteStatus::GoalOutside,
    };
    let Some(field) = field.filter(|field| !field.sinks().is_empty()) else {
        return RouteStatus::NotReady;
    };
    if !is_current(movement, goals, field, id) {
        return RouteStatus::Stale;
    }
    match field.reach(id) {
        Reach::Reached(cost) => RouteStatus::Ok(cost),
        Reach::Unreachable => RouteStatus::Unreachable,
        Reach::Unknown => RouteStatus::CutOff,
    }
}

fn is_current(movement: &Movement, goals: &ResolvedGoals, field: &IntegrationField, agent: CellId) -> bool {
    let same_ground = field.grid() == movement.grid()
        && field.profile() == movement.profile()
        && field.cost_version() == movement.cost_version();
    if !same_ground {
        return false;
    }
    let seeds = goals.seeds();
    // A goal cell beyond the cost limit has no cost in the field; it is no loss if it could not serve the agent anyway.
    let is_honoured = |seed: &Seed| match field.reach(seed.cell) {
        Reach::Reached(cost) => cost.0 <= seed.bias,
        Reach::Unknown => field.cost(agent).is_none_or(|cost| cost.0 <= seed.bias),
        Reach::Unreachable => false,
    };
    // Resolved goals keep their seeds sorted.
    field.sinks().iter().all(|sink| seeds.binary_search(sink).is_ok()) && seeds.iter().all(is_honoured)
}
