//! What an agent may do now, whatever state its field is in.

use super::field::Field;
use super::handle::FieldHandle;
use super::owner::Navigator;
use super::paths::Searched;
use super::status::{NavigatorError, VersionedBundle};
use crate::version::BundleVersions;
use core::fmt;
use std::sync::Arc;
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::{GoalError, RouteStatus, route_status};
use thalweg_core::movement::{Edge, EdgeKind, Movement};
use thalweg_core::route::RouteError;

/// What an agent does while the right field is in the making.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum WhileMaking {
    /// Follow the bundle that is published, though it was made for other costs or goals. Each step is checked against the
    /// map as it is now, so it never leads into a new wall; where the old way is closed the agent stops.
    #[default]
    KeepOld,
    /// Stand still.
    Stop,
    /// Follow a path of its own, by A* on the map as it is now.
    SinglePath,
}

/// What an agent on a cell may do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Advice {
    /// Take this edge, which a field offers.
    Follow {
        /// The step or portal, legal on the map as it is now.
        by: EdgeKind,
        /// Where it leads.
        next: Cell,
        /// Of the bundle that was read. It is the right one exactly if the field is ready.
        versions: BundleVersions,
    },
    /// Take this edge, the first of a path of the agent's own.
    Path {
        /// The step or portal, legal on the map as it is now.
        by: EdgeKind,
        /// Where it leads.
        next: Cell,
    },
    /// The cell is a goal.
    Arrived,
    /// Stand still.
    Stop(StopReason),
}

/// Why an agent stands still.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum StopReason {
    /// It is not on the map.
    AgentOutside,
    /// It is on an impassable or unknown cell.
    AgentBlocked,
    /// No goal lies on the map, or none was given.
    GoalOutside,
    /// No goal lies where this body may be.
    GoalBlocked,
    /// Under these rules no way leads there.
    Unreachable,
    /// The cell lies beyond the cost limit, or only unknown ground leads on.
    CutOff,
    /// Nothing has been published yet.
    NotReady,
    /// What is published was made for other costs or goals, and says nothing that can be followed here.
    Stale,
    /// Where the old field leads there is a wall now.
    WayClosed,
    /// The field cannot be made as things are, for another reason than its goals.
    Failed,
    /// The search for a single path was given up at [`NavigatorOptions::path_cells`](super::NavigatorOptions::path_cells).
    SearchLimit,
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AgentOutside => "it is not on the map",
            Self::AgentBlocked => "it stands where no body may be",
            Self::GoalOutside => "no goal lies on the map",
            Self::GoalBlocked => "no goal lies where this body may be",
            Self::Unreachable => "no way leads to a goal",
            Self::CutOff => "no way is known from here",
            Self::NotReady => "its field has not been made yet",
            Self::Stale => "its field was made for other costs or goals",
            Self::WayClosed => "where its old field leads there is a wall now",
            Self::Failed => "its field cannot be made",
            Self::SearchLimit => "the search for a path was given up",
        })
    }
}

impl StopReason {
    const fn of_goals(error: &GoalError) -> Self {
        match error {
            GoalError::Blocked { .. } | GoalError::NoRoom { .. } | GoalError::NoneUsable { .. } => {
                Self::GoalBlocked
            }
            _ => Self::GoalOutside,
        }
    }
}

impl Navigator {
    /// What an agent on a cell may do now. While its field is right that is the field's direction, whatever the policy; where
    /// the field [has failed](super::FieldStatus::Failed) nothing is in the making, and the agent stops.
    ///
    /// Reads the map as it is now, edits since the last update included, and so compiles the rules of the profile if
    /// something has changed for it. Agents on other threads read a [`FieldReader`](super::FieldReader) instead and sweep
    /// against [`Self::movement`].
    ///
    /// # Errors
    /// [`NavigatorError`] if the handle names no field.
    pub fn advice(
        &mut self,
        handle: FieldHandle,
        cell: Cell,
        policy: WhileMaking,
    ) -> Result<Advice, NavigatorError> {
        let index = self.find(handle)?;
        let profile = self.field(handle)?.profile;
        let movement = self.movement(profile)?;
        let Some(id) = movement.grid().id(cell) else {
            return Ok(Advice::Stop(StopReason::AgentOutside));
        };
        if !movement.is_passable(id) {
            return Ok(Advice::Stop(StopReason::AgentBlocked));
        }
        self.restore_if_known(index);
        let field = self.field(handle)?;
        let want = self.want_of(field);
        if let Some(error) = field.failure(&want) {
            let reason = error
                .goal_error()
                .map_or(StopReason::Failed, StopReason::of_goals);
            return Ok(Advice::Stop(reason));
        }
        let is_right = field.is_served(&want);
        match (policy, field.current()) {
            (_, Some(current)) if is_right => Ok(follow(&movement, current, id, true)),
            (WhileMaking::KeepOld, Some(current)) => Ok(follow(&movement, current, id, false)),
            (WhileMaking::Stop, Some(_)) => Ok(Advice::Stop(StopReason::Stale)),
            (WhileMaking::KeepOld | WhileMaking::Stop, None) => Ok(Advice::Stop(StopReason::NotReady)),
            (WhileMaking::SinglePath, _) => Ok(self.single_path(index, &movement, id)),
        }
    }

    /// One word for what a field says to an agent on a cell: every kind of "no" is told apart, and bad input before a
    /// missing field.
    ///
    /// # Errors
    /// [`NavigatorError`] if the handle names no field.
    pub fn route_status(&mut self, handle: FieldHandle, agent: Cell) -> Result<RouteStatus, NavigatorError> {
        let index = self.find(handle)?;
        let movement = self.movement(self.field(handle)?.profile)?;
        self.restore_if_known(index);
        let field = self.field(handle)?;
        let want = self.want_of(field);
        let (is_right, current) = (field.is_served(&want), field.current().cloned());
        let right = current.as_ref().filter(|_| is_right);
        let Some(field) = self.fields.get_mut(index) else {
            return Err(NavigatorError::Released(handle));
        };
        field.refresh_paths(&movement);
        let integration = right.map(|current| current.bundle.integration());
        let status = route_status(&movement, field.paths.goals(), integration, agent);
        Ok(match status {
            RouteStatus::NotReady if current.is_some() && right.is_none() => RouteStatus::Stale,
            status => status,
        })
    }

    fn single_path(&mut self, index: u32, movement: &Arc<Movement>, id: CellId) -> Advice {
        let Some(field) = self.fields.get_mut(index) else {
            return Advice::Stop(StopReason::Failed);
        };
        field.refresh_paths(movement);
        let goals = match field.paths.goals() {
            Ok(goals) => goals,
            Err(error) => return Advice::Stop(StopReason::of_goals(error)),
        };
        let reached = self.profiles.get(&field.profile);
        let reached = reached.and_then(|state| state.reached.as_ref()?.current(movement));
        let is_sealed = reached.is_some_and(|components| {
            let mut seeds = goals.seeds().iter();
            !seeds.any(|seed| components.can_reach(id, seed.cell))
        });
        let known = if is_sealed {
            Some(Err(RouteError::Unreachable))
        } else {
            field.paths.remembered(id)
        };
        let next = match known {
            Some(known) => {
                self.stats.paths_remembered += 1;
                known
            }
            None => {
                let mut searched = Searched::default();
                let (options, limit) = (field.wanted.options, self.options.path_cells);
                let start = movement.grid().cell(id);
                let scratch = &mut self.route;
                let next = field.paths.search(start, &options, limit, scratch, &mut searched);
                self.stats.paths_searched += searched.searches;
                self.stats.path_cells_expanded += searched.expanded;
                next
            }
        };
        match next {
            Ok(next) if next == id => Advice::Arrived,
            Ok(next) => {
                cheapest_edge(movement, id, next).map_or(Advice::Stop(StopReason::Unreachable), |edge| {
                    Advice::Path {
                        by: edge.kind,
                        next: movement.grid().cell(next),
                    }
                })
            }
            Err(RouteError::BeyondNodeLimit { .. }) => Advice::Stop(StopReason::SearchLimit),
            Err(RouteError::BeyondCostLimit { .. }) => Advice::Stop(StopReason::CutOff),
            Err(_) => Advice::Stop(StopReason::Unreachable),
        }
    }
}

impl Field {
    fn refresh_paths(&mut self, movement: &Arc<Movement>) {
        self.paths
            .refresh(movement, self.goal_version, &self.wanted.goals);
    }
}

/// Of the edges between two cells, the one that a cheapest way takes; the first of equals.
fn cheapest_edge(movement: &Movement, from: CellId, to: CellId) -> Option<Edge> {
    let edges = movement.edges_from(from).filter(|edge| edge.other == to);
    edges.min_by_key(|edge| edge.cost)
}

/// What a bundle says at a cell, as far as the map as it is now allows it.
fn follow(movement: &Movement, current: &VersionedBundle, id: CellId, is_right: bool) -> Advice {
    let flow = current.bundle.flow();
    let edge = |edge: Edge| Advice::Follow {
        by: edge.kind,
        next: movement.grid().cell(edge.other),
        versions: current.versions,
    };
    let not_right = |reason| Advice::Stop(if is_right { reason } else { StopReason::Stale });
    match flow.guidance(id) {
        Guidance::Goal if is_right => Advice::Arrived,
        // Its goal may be somewhere else by now.
        Guidance::Goal | Guidance::Impassable => Advice::Stop(StopReason::Stale),
        Guidance::Unreachable => not_right(StopReason::Unreachable),
        Guidance::Unknown => not_right(StopReason::CutOff),
        Guidance::Toward(_) | Guidance::Through(_) => {
            // All ways that were equally good, in the order that breaks ties; the first that is still open.
            let steps = flow.successors(id);
            let old = current.bundle.movement();
            // Portals are told by where they lead: their indices may have moved.
            let portals = Vec::from_iter(flow.portal_successors(id));
            let portal_ends = || {
                let edges = old.edges_from(id);
                edges
                    .filter(|edge| matches!(edge.kind, EdgeKind::Portal(index) if portals.contains(&index)))
                    .map(|edge| edge.other)
            };
            let is_offered = |edge: &Edge| match edge.kind {
                EdgeKind::Step(direction) => steps.contains(direction),
                _ => portal_ends().any(|end| end == edge.other),
            };
            let open = movement.edges_from(id).find(is_offered);
            open.map_or(Advice::Stop(StopReason::WayClosed), edge)
        }
    }
}
