//! What a group's field asks of an agent where it stands: a blend of directions, or the point of a heading.

use crate::Steering;
use crate::fixed::length;
use crate::pinch::{lies_on_shut_diagonal, pinched};
use crate::walk::way;
use thalweg_core::flow::{Aim as HeadingAim, FlowField, Guidance, Sample, aim, sample};
use thalweg_core::grid::{CellId, Direction, MapPoint};
use thalweg_core::movement::{Movement, PortalIndex};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Asked {
    Walk(Course),
    /// The cell is a goal.
    Arrive,
    Pass(PortalIndex),
    /// No way leads on.
    Nothing,
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
    flow: &FlowField,
    steering: Steering<'_>,
    cell: CellId,
    at: MapPoint,
) -> Asked {
    match steering {
        Steering::Directions => match sample(movement, flow, at) {
            Sample::Toward(intent) => Asked::Walk(Course {
                intent,
                within: f32::INFINITY,
                pinch: pinched(movement, flow, cell),
            }),
            Sample::Goal => Asked::Arrive,
            Sample::Through(portal) => Asked::Pass(portal),
            Sample::Impassable | Sample::Unreachable | Sample::Unknown | Sample::Outside => Asked::Nothing,
        },
        Steering::Headings { field, headings } => match aim(movement, field, flow, headings, at) {
            HeadingAim::Point(point) => Asked::Walk(toward_point(movement, flow, cell, at, point)),
            HeadingAim::Still(Guidance::Goal) => Asked::Arrive,
            HeadingAim::Still(Guidance::Through(portal)) => Asked::Pass(portal),
            HeadingAim::Still(_) | HeadingAim::Outside => Asked::Nothing,
        },
    }
}

/// The way to the point that [`aim`] names.
///
/// Where it names the own centre, from which the exact direction leads through the corner, the agent takes that diagonal
/// from where it is, by the same hop as in a pinch. Rejected: to walk to the centre. An agent among others is pushed off
/// it before it gets on, and all of a crowd would have to pass one point.
fn toward_point(
    movement: &Movement,
    flow: &FlowField,
    cell: CellId,
    at: MapPoint,
    point: MapPoint,
) -> Course {
    let pinch = pinched(movement, flow, cell).or_else(|| {
        let diagonal = flow
            .direction(cell)
            .filter(|direction| direction.is_diagonal() && movement.exits(cell).contains(*direction))?;
        let is_own_centre = point.column_row() == at.column_row();
        (is_own_centre || lies_on_shut_diagonal(movement, cell, at, point, diagonal)).then_some(diagonal)
    });
    if let Some(diagonal) = pinch {
        return Course {
            intent: diagonal.unit_vector(),
            within: f32::INFINITY,
            pinch,
        };
    }
    let offset = way(at, point);
    let distance = length(offset);
    Course {
        // An aim is never the own position.
        intent: [offset[0] / distance, offset[1] / distance],
        within: distance,
        pinch: None,
    }
}
