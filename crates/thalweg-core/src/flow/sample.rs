//! Reads a direction between cells: bilinear as in image sampling, but aware of walls.

use super::extent::correction;
use super::heading::unit;
use super::{FlowField, Guidance};
use crate::grid::{CellId, Direction, DirectionSet, Layer, MapPoint, SUBCELLS};
use crate::movement::{Movement, PortalIndex};

/// What a flow field says at a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sample {
    /// Go this way: a vector of length 1 in map axes (y downward).
    Toward([f32; 2]),
    /// In a cell from which a portal leads on: no step is as good.
    Through(PortalIndex),
    /// In a goal cell: arrived.
    Goal,
    /// In a wall.
    Impassable,
    /// No way leads to a goal from here.
    Unreachable,
    /// Not surveyed, or beyond the cost limit.
    Unknown,
    /// Off the map.
    Outside,
}

/// The direction at a position: the directions of the four cells whose centres surround it, weighted by nearness.
///
/// A cell counts only if a legal step leads to it from the cell that holds the position (for a diagonal one: the
/// diagonal and both its sides), and if it has a direction; the rest is renormalised. If what is left points at a side
/// of the own cell that has no exit, that part is taken out; if directions cancel, or the result would turn against the
/// own cell's direction or slant toward a wall that stands diagonally between two open sides, the own cell's direction
/// serves (a diagonal past one wall is bent to its open side).
///
/// So in a reached cell that is not a goal the result is never zero and never points into a wall, except that a lone
/// diagonal exit between two walls ([`CornerRule::Always`](crate::movement::CornerRule::Always)) is returned as it is.
///
/// A body with extent reads blended directions only where no anchor within a cell is taken. Nearer to walls it is led to the
/// centre that its cell's direction leads to, or along one axis until the way there is clear. In a slot exactly as wide as
/// the body a step would have to end on the centre line, which a vector cannot say; [`aim`](super::aim()) names points that
/// can be stopped at and serves there too.
///
/// On maps where steps may cost nothing the own cell's direction always serves: there a blend could lead agents round in
/// a circle.
///
/// # Panics
/// If `flow` and `movement` are not of the same grid.
#[must_use]
pub fn sample(movement: &Movement, flow: &FlowField, at: MapPoint) -> Sample {
    debug_assert_eq!(
        movement.grid(),
        flow.grid(),
        "the sample needs the movement of the field"
    );
    let Some(own) = at.cell_id(flow.grid()) else {
        return Sample::Outside;
    };
    let direction = match flow.guidance(own) {
        Guidance::Toward(direction) => direction,
        Guidance::Through(portal) => return Sample::Through(portal),
        Guidance::Goal => return Sample::Goal,
        Guidance::Impassable => return Sample::Impassable,
        Guidance::Unreachable => return Sample::Unreachable,
        Guidance::Unknown => return Sample::Unknown,
    };
    if let Some(offset) = correction(movement, at, own, direction) {
        return Sample::Toward(unit(offset));
    }
    // Where steps may be free, a blend can lead up into a cell from which a free way leads back here, round and round.
    if movement.has_zero_steps() {
        return Sample::Toward(own_vector(movement.exits(own), direction));
    }
    Sample::Toward(blend(movement, flow, at, own, direction))
}

fn blend(movement: &Movement, flow: &FlowField, at: MapPoint, own: CellId, direction: Direction) -> [f32; 2] {
    let exits = movement.exits(own);
    let toward = direction.unit_vector();
    // Offset from the own centre, in subcells, -1/2 to 1/2 of a cell; it names the quadrant whose cells take part.
    let from_centre = |coordinate: i32| (coordinate & (SUBCELLS - 1)) - SUBCELLS / 2;
    let (dx, dy) = (from_centre(at.x), from_centre(at.y));
    let (horizontal, vertical) = (
        if dx < 0 { Direction::W } else { Direction::E },
        if dy < 0 { Direction::N } else { Direction::S },
    );
    let diagonal = match (dx < 0, dy < 0) {
        (false, true) => Direction::NE,
        (false, false) => Direction::SE,
        (true, false) => Direction::SW,
        (true, true) => Direction::NW,
    };
    let (open_x, open_y) = (exits.contains(horizontal), exits.contains(vertical));
    // Ids are reckoned from the own one: an exit says that the cell exists, and to ask the grid takes a division.
    let row = flow.grid().layer(at.layer).map_or(0, Layer::width);
    let beside = CellId(if dx < 0 {
        own.0.wrapping_sub(1)
    } else {
        own.0.wrapping_add(1)
    });
    let across = |id: CellId| {
        CellId(if dy < 0 {
            id.0.wrapping_sub(row)
        } else {
            id.0.wrapping_add(row)
        })
    };
    let at_exit = |is_open: bool, id: CellId| if is_open { flow.direction(id) } else { None };
    let others = [
        at_exit(open_x, beside),
        at_exit(open_y, across(own)),
        at_exit(open_x && open_y && exits.contains(diagonal), across(beside)),
    ];
    if exits.bits() == u8::MAX && others == [Some(direction); 3] {
        // The blend of equal directions is that direction, without the rounding.
        return toward;
    }
    #[expect(clippy::cast_precision_loss, reason = "at most 2^15, exact in f32")]
    let (tx, ty) = (
        dx.unsigned_abs() as f32 / SUBCELLS as f32,
        dy.unsigned_abs() as f32 / SUBCELLS as f32,
    );
    let weighted = |other: Option<Direction>, weight: f32| {
        other.map_or([0.0; 2], |direction| {
            direction.unit_vector().map(|part| part * weight)
        })
    };
    let side_x = weighted(others[0], tx * (1.0 - ty));
    let side_y = weighted(others[1], (1.0 - tx) * ty);
    let opposite = weighted(others[2], tx * ty);
    let own_weight = (1.0 - tx) * (1.0 - ty);
    // Own and diagonal cell first, then both sides: a sum of two is the same in either order, so a map that is turned by
    // quarters or mirrored gives the turned vector, to the bit. Any other order rounds differently there.
    let sum = [
        (toward[0] * own_weight + opposite[0]) + (side_x[0] + side_y[0]),
        (toward[1] * own_weight + opposite[1]) + (side_x[1] + side_y[1]),
    ];
    let [x, y] = along_exits(exits, sum);
    let length = (x * x + y * y).sqrt();
    // The own cell weighs at least a quarter, so a sum this short means that directions cancelled.
    let turns_back = length < 1.0 / 64.0 || x * toward[0] + y * toward[1] <= 0.0;
    // Both sides may be open and the cell between them a wall: toward that corner a slanted step would clip it.
    let leads_to_corner =
        open_x && open_y && x * horizontal.unit_vector()[0] > 0.0 && y * vertical.unit_vector()[1] > 0.0;
    let corner_is_open = || {
        // Whether the cell diagonally between two open sides can be entered from both of them.
        movement.exits(beside).contains(vertical) && movement.exits(across(own)).contains(horizontal)
    };
    if turns_back || (leads_to_corner && !corner_is_open()) {
        return own_vector(exits, direction);
    }
    [x / length, y / length]
}

/// A vector without the parts that point at a side of the cell that has no exit.
fn along_exits(exits: DirectionSet, [x, y]: [f32; 2]) -> [f32; 2] {
    let open = |positive: Direction, negative: Direction, part: f32| {
        let side = if part < 0.0 { negative } else { positive };
        if part != 0.0 && exits.contains(side) {
            part
        } else {
            0.0
        }
    };
    [
        open(Direction::E, Direction::W, x),
        open(Direction::S, Direction::N, y),
    ]
}

/// The own cell's direction as a vector. A diagonal past one wall is bent to its open side: one step on from there the
/// cost is lower than here, since a straight step never costs more than the diagonal. A lone diagonal between two walls
/// stays as it is.
fn own_vector(exits: DirectionSet, direction: Direction) -> [f32; 2] {
    let side = direction.sides().and_then(|(vertical, horizontal)| {
        match (exits.contains(vertical), exits.contains(horizontal)) {
            (true, false) => Some(vertical),
            (false, true) => Some(horizontal),
            _ => None,
        }
    });
    side.unwrap_or(direction).unit_vector()
}
