//! What a group's field asks of an agent where it stands: a blend of directions, or the point of a heading.

use crate::Steering;
use crate::fixed::{dot, length};
use crate::mate::Role;
use crate::pinch::{is_open_diagonal, lies_on_shut_diagonal, pinched};
use crate::plan::View;
use crate::walk::way;
use thalweg_core::flow::{Aim as HeadingAim, FlowField, Guidance, Sample, aim, sample};
use thalweg_core::grid::{CellId, Direction, MapPoint};
use thalweg_core::movement::{Movement, PortalIndex};

/// So many others that go the same way, all within [`CLOSE`], make a crush.
const CRUSH: usize = 3;
/// Distance in a crush, as a part of the summed radii.
const CLOSE: f32 = 1.25;
/// From which cosine of their angle two go the same way.
const ALONG: f32 = 0.5;

impl View<'_> {
    /// Whether an agent is in a crush, in which it steers by directions even if its group has headings.
    ///
    /// Headings lead everybody to one point, at a corner or a door, and there to one lane; directions keep beside each
    /// other who is beside each other. By headings alone the last of 180 needed 57 s through the doors of the scene
    /// `two_halls`, by directions 50 s, so 51 s; a loose crowd does not notice. Rejected: to ask for a low pace instead
    /// (54 s; a queue that moves well is in one lane as well), or for farther neighbours (a dense crowd in a
    /// slanted corridor then loses more than it does here, 16 % instead of 14 % of its time).
    pub(crate) fn is_in_crush(&self, rank: usize, near: &[u32]) -> bool {
        let me = &self.mates[rank];
        let close = near.iter().filter(|&&its_rank| {
            let other = &self.mates[its_rank as usize];
            let reach = CLOSE * (me.radius + other.radius);
            self.square(rank, its_rank as usize) < reach * reach
                && other.role() == Role::Walking
                && dot(other.intent, me.intent) > ALONG
        });
        close.count() >= CRUSH
    }
}

/// What tells agents the way from cell to cell.
#[derive(Clone, Copy)]
pub(crate) enum Lead<'a> {
    Field(&'a FlowField),
    /// See [`Steering::Paths`].
    Paths(&'a [(CellId, Guidance)]),
}

impl Lead<'_> {
    /// The step to take from a cell, if it has one.
    #[inline]
    pub(crate) fn direction(self, cell: CellId) -> Option<Direction> {
        match self {
            Self::Field(flow) => flow.direction(cell),
            Self::Paths(paths) => on_paths(paths, cell)?.direction(),
        }
    }
}

fn on_paths(paths: &[(CellId, Guidance)], cell: CellId) -> Option<Guidance> {
    let place = paths.binary_search_by_key(&cell, |&(cell, _)| cell);
    Some(paths.get(place.ok()?)?.1)
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Asked {
    Walk(Course),
    /// The cell is a goal.
    Arrive,
    Pass(PortalIndex),
    /// No way leads on.
    Nothing,
    /// Nothing is known about this cell yet.
    Later,
}

/// A way that the field asks for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Course {
    /// Length 1.
    pub(crate) intent: [f32; 2],
    /// How far along its intent the agent may get in one substep, in cells: to the point of a heading, beyond which
    /// nothing has been looked at. Infinite where there is no such point.
    pub(crate) within: f32,
    /// The diagonal that must be taken exactly through its corner, if the cell's direction is one.
    pub(crate) pinch: Option<Direction>,
}

/// Asks the field at `at`, which lies in `cell`.
pub(crate) fn ask(
    movement: &Movement,
    lead: Lead<'_>,
    steering: Steering<'_>,
    cell: CellId,
    at: MapPoint,
) -> Asked {
    let flow = match lead {
        Lead::Field(flow) => flow,
        Lead::Paths(paths) => return by_path(movement, paths, cell, at),
    };
    let Steering::Headings { field, headings } = steering else {
        return by_directions(movement, flow, cell, at);
    };
    match aim(movement, field, flow, headings, at) {
        HeadingAim::Point(point) => match toward_point(movement, flow, cell, at, point) {
            Some(course) => Asked::Walk(course),
            None => by_directions(movement, flow, cell, at),
        },
        HeadingAim::Still(Guidance::Goal) => Asked::Arrive,
        HeadingAim::Still(Guidance::Through(portal)) => Asked::Pass(portal),
        HeadingAim::Still(_) | HeadingAim::Outside => Asked::Nothing,
    }
}

fn by_directions(movement: &Movement, flow: &FlowField, cell: CellId, at: MapPoint) -> Asked {
    match sample(movement, flow, at) {
        Sample::Toward(intent) => Asked::Walk(Course {
            intent,
            within: f32::INFINITY,
            pinch: pinched(movement, Lead::Field(flow), cell),
        }),
        Sample::Goal => Asked::Arrive,
        Sample::Through(portal) => Asked::Pass(portal),
        Sample::Impassable | Sample::Unreachable | Sample::Unknown | Sample::Outside => Asked::Nothing,
    }
}

/// To the centre of the next cell of a single path.
///
/// The line there from anywhere in the own cell crosses no third cell if the step is straight. If it is a diagonal it may,
/// and where that one is not open the corner is passed exactly.
fn by_path(movement: &Movement, paths: &[(CellId, Guidance)], cell: CellId, at: MapPoint) -> Asked {
    let direction = match on_paths(paths, cell) {
        None => return Asked::Later,
        Some(Guidance::Toward(direction)) => direction,
        Some(Guidance::Through(portal)) => return Asked::Pass(portal),
        Some(Guidance::Goal) => return Asked::Arrive,
        Some(Guidance::Impassable | Guidance::Unreachable | Guidance::Unknown) => return Asked::Nothing,
    };
    let Some(next) = movement.step_target(cell, direction) else {
        return Asked::Nothing;
    };
    if direction.is_diagonal() && !is_open_diagonal(movement, cell, direction) {
        return Asked::Walk(Course {
            intent: direction.unit_vector(),
            within: f32::INFINITY,
            pinch: Some(direction),
        });
    }
    let offset = way(at, MapPoint::centre_of_id(movement.grid(), next));
    let distance = length(offset);
    Asked::Walk(Course {
        // The centre is of another cell, so it is some way off.
        intent: [offset[0] / distance, offset[1] / distance],
        within: distance,
        pinch: None,
    })
}

/// The way to the point that [`aim`] names.
///
/// Where it names the own centre, from which the exact direction leads through the corner, the agent takes that diagonal
/// from where it is, by the same hop as in a pinch. Rejected: to walk to the centre. An agent among others is pushed off
/// it before it gets on, and all of a crowd would have to pass one point.
///
/// `None` if the exact direction is closed now: the field is of an older world. The directions say what stands in the way
/// then; an agent that walked to its centre and back would seem to get on.
fn toward_point(
    movement: &Movement,
    flow: &FlowField,
    cell: CellId,
    at: MapPoint,
    point: MapPoint,
) -> Option<Course> {
    let is_own_centre = point.column_row() == at.column_row();
    let pinch = pinched(movement, Lead::Field(flow), cell).or_else(|| {
        let diagonal = flow
            .direction(cell)
            .filter(|direction| direction.is_diagonal() && movement.exits(cell).contains(*direction))?;
        (is_own_centre || lies_on_shut_diagonal(movement, cell, at, point, diagonal)).then_some(diagonal)
    });
    if let Some(diagonal) = pinch {
        return Some(Course {
            intent: diagonal.unit_vector(),
            within: f32::INFINITY,
            pinch,
        });
    }
    if is_own_centre {
        return None;
    }
    let offset = way(at, point);
    let distance = length(offset);
    Some(Course {
        // The point is in another cell, so it is some way off.
        intent: [offset[0] / distance, offset[1] / distance],
        within: distance,
        pinch: None,
    })
}
