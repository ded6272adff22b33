//! How headings look ahead: string pulling over a finished field, in the manner of Theta* (Nash et al. 2007), as a dynamic
//! programme from the goals outward.
//!
//! Every cell has a point to walk to, and knows what follows it. A cell takes over the point of a successor if it sees that
//! point, and the points that follow as long as it sees them too. If it does not, the way has to turn: at the corner that
//! stands in the line, a little off it, or else at the centre of the successor. Of all that, over all tied successors, the
//! way with the least straight-line length is kept; every way considered follows exact successors or shortens them.
//!
//! **Ground of several costs.** A line is only taken where the cell, every cell crossed and the cell of the point have one
//! cost. On it the walked cost is cost × length, and a straight line is no longer than the chain it replaces; across a
//! change of cost, and everywhere if edges have charges of their own, the exact direction serves. Rejected: comparing summed costs along the line. The sum of lengths times
//! costs is not a whole number, and what it would gain lies on rough ground, where the metric itself is coarser than the
//! smoothing.
//!
//! **Bodies.** A body with extent looks from anchor to anchor along lines that its whole extent may walk (`extent.rs`). It
//! turns at centres only, not beside corners: how near it may pass one depends on where it comes from and goes to.

use super::extent::{looked_after, sees};
use super::heading::PARTS;
use super::order::portal_target;
use super::seen::Seen;
use super::{FlowField, Guidance, HeadingOptions};
use crate::grid::{CellId, Direction, IdSteps, Layer, MapPoint, SUBCELLS};
use crate::integrate::IntegrationField;
use crate::movement::{Movement, Verdict, refused};

/// What is asked of the ground, here and where headings are read.
#[derive(Clone, Copy)]
pub(super) struct Downhill<'a> {
    pub(super) movement: &'a Movement,
    pub(super) field: &'a IntegrationField,
    pub(super) flow: &'a FlowField,
}

impl Downhill<'_> {
    /// Whether `to` is nearer to a goal than `from` in the order (cost-to-goal, hops), as far as can be told: its
    /// cost-to-goal is smaller, or it is a successor. Nothing can go round in a circle along such pairs.
    #[inline]
    pub(super) fn is_lower(&self, from: CellId, to: CellId) -> bool {
        let (here, there) = (self.field.raw_at(from.index()), self.field.raw_at(to.index()));
        there < here || (there == here && self.is_successor(from, to))
    }

    fn is_successor(&self, from: CellId, to: CellId) -> bool {
        let successors = self.flow.successors(from);
        successors
            .iter()
            .any(|direction| self.movement.step_target(from, direction) == Some(to))
    }
}

/// A point to walk to, and what follows it.
#[derive(Clone, Copy, Default)]
pub(super) struct Way {
    pub(super) point: MapPoint,
    /// The cell whose point follows; the cell itself at a goal or portal.
    pub(super) via: u32,
    /// Length in cells from the point to the goal over the points that follow.
    pub(super) rest: f32,
}

/// Where the ways of cells that are done are read.
pub(super) trait ReadWays {
    /// The way of a cell. The layer of its point may be any if it is not that of the cell that looks.
    fn way(&self, cell: u32) -> Way;
}

/// The ways of all cells that are done.
#[derive(Debug, Default)]
pub(super) struct Ways {
    points: Vec<MapPoint>,
    via: Vec<u32>,
    rest: Vec<f32>,
}

impl Ways {
    pub(super) fn reset(&mut self, cells: usize) {
        self.points.clear();
        self.points.resize(cells, MapPoint::default());
        self.via.clear();
        self.via.resize(cells, 0);
        self.rest.clear();
        self.rest.resize(cells, 0.0);
    }

    /// How many cells have one.
    #[expect(clippy::cast_possible_truncation, reason = "a map has at most 2^30 cells")]
    pub(super) const fn len(&self) -> u32 {
        self.via.len() as u32
    }

    pub(super) fn set(&mut self, cell: u32, way: Way) {
        let index = cell as usize;
        self.points[index] = way.point;
        self.via[index] = way.via;
        self.rest[index] = way.rest;
    }
}

impl ReadWays for Ways {
    #[inline]
    fn way(&self, cell: u32) -> Way {
        let index = cell as usize;
        Way {
            point: self.points[index],
            via: self.via[index],
            rest: self.rest[index],
        }
    }
}

/// The pass itself.
pub(super) struct Look<'a> {
    ground: Downhill<'a>,
    steps: IdSteps<'a>,
    sight: u32,
    /// Distance from a corner, in subcells.
    clearance: i32,
    /// Cells to every side that a body's extent is looked after in, whatever the lines are.
    looked_after: u32,
}

/// The cell that looks, and where.
struct Looker<S> {
    cell: CellId,
    first: Direction,
    centre: MapPoint,
    best: Way,
    length: f32,
    seen: S,
}

impl<S> Looker<S> {
    fn offer(&mut self, way: Way, length: f32) {
        self.best = way;
        self.length = length;
    }
}

impl<'a> Look<'a> {
    pub(super) fn new(
        movement: &'a Movement,
        field: &'a IntegrationField,
        flow: &'a FlowField,
        options: &HeadingOptions,
    ) -> Self {
        Self {
            ground: Downhill {
                movement,
                field,
                flow,
            },
            steps: movement.grid().id_steps(),
            sight: options.sight.max(1),
            clearance: i32::from(options.clearance.clamp(1, 8)) * (SUBCELLS / PARTS),
            looked_after: looked_after(movement),
        }
    }

    fn centre(&self, cell: u32) -> MapPoint {
        MapPoint::centre_of_id(self.ground.movement.grid(), CellId(cell))
    }

    /// The way of a cell whose successors are done, and what was seen of the ground while it was looked for.
    #[inline]
    pub(super) fn way<S: Seen>(&self, cell: CellId, ways: &impl ReadWays) -> (Way, S) {
        let centre = self.centre(cell.0);
        let flow = self.ground.flow;
        let Some(first) = flow.direction(cell) else {
            // A goal, or a cell from which a portal leads on: ways end at its centre.
            let beyond = match flow.guidance(cell) {
                Guidance::Through(portal) => portal_target(self.ground.movement, cell, portal),
                _ => None,
            };
            let rest = beyond.map_or(0.0, |other| {
                let onward = ways.way(other.0);
                distance(self.centre(other.0), onward.point) + onward.rest
            });
            let way = Way {
                point: centre,
                via: cell.0,
                rest,
            };
            return (way, S::around(0));
        };
        let exact = self.over_next_centre(cell, centre, first, ways);
        let mut looker = Looker {
            cell,
            first,
            centre,
            best: exact,
            length: distance(centre, exact.point) + exact.rest,
            seen: S::around(self.looked_after),
        };
        if !self.is_broad(cell, first) {
            return (exact, looker.seen);
        }
        for direction in flow.successors(cell) {
            let next = self.next(cell, direction);
            if direction != first {
                let over = self.over_next_centre(cell, centre, direction, ways);
                let length = distance(centre, over.point) + over.rest;
                if length < looker.length {
                    looker.offer(over, length);
                }
            }
            self.look_beyond(&mut looker, next, ways);
        }
        (looker.best, looker.seen)
    }

    /// Whether a body anywhere in the cell may walk to the centre that a direction leads to: both cells beside a
    /// diagonal can be entered and left, and both are lower. A straight direction is always broad.
    fn is_broad(&self, cell: CellId, direction: Direction) -> bool {
        let Some((vertical, horizontal)) = direction.sides() else {
            return true;
        };
        let movement = self.ground.movement;
        let through = |first: Direction, second: Direction| {
            movement.exits(cell).contains(first) && {
                let side = CellId(self.next(cell, first));
                movement.exits(side).contains(second) && self.ground.is_lower(cell, side)
            }
        };
        through(vertical, horizontal) && through(horizontal, vertical)
    }

    fn next(&self, cell: CellId, direction: Direction) -> u32 {
        self.steps.onward(cell, direction).0
    }

    /// The way over the centre of the next cell, which is found without a division of ids.
    fn over_next_centre(
        &self,
        cell: CellId,
        centre: MapPoint,
        direction: Direction,
        ways: &impl ReadWays,
    ) -> Way {
        let (dx, dy) = direction.offset();
        let point = centre.at(centre.x + dx * SUBCELLS, centre.y + dy * SUBCELLS);
        let next = self.next(cell, direction);
        let onward = ways.way(next);
        Way {
            point,
            via: next,
            rest: distance(point, onward.point) + onward.rest,
        }
    }

    /// Offers the points that follow a successor, as far as they are seen, and the corner that hides the next one.
    fn look_beyond<S: Seen>(&self, looker: &mut Looker<S>, next: u32, ways: &impl ReadWays) {
        let movement = self.ground.movement;
        // Where edges have charges of their own, equal cells do not mean equal cost.
        if self.ground.movement.has_edge_charges()
            || movement.cost(CellId(next)) != movement.cost(looker.cell)
        {
            return;
        }
        let mut via = next;
        loop {
            let ahead = ways.way(via);
            let length = distance(looker.centre, ahead.point) + ahead.rest;
            // Where the way goes straight on it is as long over the successor, up to rounding; the farther point is the
            // better one then, because a body that is off the centre need not turn.
            if length > looker.length * (1.0 + 1e-5) {
                return;
            }
            // Tied successors mostly walk to one point, which need be looked for once.
            if ahead.point != looker.best.point {
                match self.hidden_by(looker, ahead.point) {
                    None => looker.offer(ahead, length),
                    Some((cell, direction)) => {
                        if self.ground.movement.profile().footprint.is_point() {
                            self.turn_at_corners(looker, cell, direction, via, ahead);
                        }
                        return;
                    }
                }
            }
            if ahead.via == via {
                return;
            }
            via = ahead.via;
        }
    }

    /// Offers to turn at the corners of the border at which a line was refused.
    fn turn_at_corners<S: Seen>(
        &self,
        looker: &mut Looker<S>,
        cell: CellId,
        direction: Direction,
        via: u32,
        ahead: Way,
    ) {
        let grid = self.ground.movement.grid();
        let layer = grid.layer_of(cell);
        let (column, row) = grid.column_row_of(cell);
        let corner_of = |(dx, dy): (i32, i32)| {
            let at = |cells: u32, step: i32| cells.wrapping_add_signed(i32::from(step > 0));
            (at(column, dx), at(row, dy))
        };
        let corners = match direction.offset() {
            (0, dy) => [corner_of((-1, dy)), corner_of((1, dy))],
            (dx, 0) => [corner_of((dx, -1)), corner_of((dx, 1))],
            both => [corner_of(both); 2],
        };
        for (index, &corner) in corners.iter().enumerate() {
            if index == 1 && corner == corners[0] {
                return;
            }
            let Some((point, holder)) = self.point_off_corner(layer, corner) else {
                continue;
            };
            let rest = distance(point, ahead.point) + ahead.rest;
            let length = distance(looker.centre, point) + rest;
            if holder != looker.cell
                && length < looker.length
                && self.hidden_by(looker, point).is_none()
                && self.is_open(point, ahead.point, holder, looker)
            {
                looker.offer(Way { point, via, rest }, length);
            }
        }
    }

    /// The point at which to turn round a corner of one wall, and the cell it lies in; `None` at other corners.
    fn point_off_corner(&self, layer: &Layer, (x, y): (u32, u32)) -> Option<(MapPoint, CellId)> {
        let movement = self.ground.movement;
        let mut wall = None;
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let id = layer.id_at((x + dx).checked_sub(1)?, (y + dy).checked_sub(1)?)?;
            if !movement.is_passable(id) && wall.replace((dx, dy)).is_some() {
                return None;
            }
        }
        let (dx, dy) = wall?;
        // Away from the wall, in the cell diagonally across.
        let holder = layer.id_at(x - dx, y - dy)?;
        let off = |cells: u32, side: u32| {
            let corner = i32::try_from(cells).ok()? * SUBCELLS;
            Some(if side == 0 {
                corner + self.clearance
            } else {
                corner - self.clearance
            })
        };
        let point = MapPoint::new(off(x, dx)?, off(y, dy)?).on(layer.index());
        Some((point, holder))
    }

    /// Where the line from a looker's centre to a point is refused, if it is: it leaves the ground of the own cost, turns
    /// away from the exact direction, or does not lower cost-to-goal with the first two crossings (more than which no step
    /// shorter than a cell can make).
    fn hidden_by<S: Seen>(&self, looker: &mut Looker<S>, point: MapPoint) -> Option<(CellId, Direction)> {
        let (dx, dy) = (point.x - looker.centre.x, point.y - looker.centre.y);
        let (ahead_x, ahead_y) = looker.first.offset();
        if i64::from(dx) * i64::from(ahead_x) + i64::from(dy) * i64::from(ahead_y) <= 0 {
            return Some((looker.cell, looker.first));
        }
        let movement = self.ground.movement;
        let own = looker.cell;
        let mut crossings = 0;
        let mut line = S::Line::default();
        let refusal = refused(self.ground.movement, looker.centre, point, own, |crossing| {
            crossings += 1;
            S::cross(&mut line, crossing.direction);
            let one_cost = movement.cost(crossing.to) == movement.cost(own);
            if !one_cost || (crossings <= 2 && !self.ground.is_lower(own, crossing.to)) {
                Verdict::Refuse
            } else if crossings >= self.sight {
                Verdict::Enough
            } else {
                Verdict::Go
            }
        });
        looker.seen.add(looker.centre, looker.centre, &line);
        refusal.or_else(|| {
            let seen = sees(self.ground.movement, looker.centre, point);
            (!seen).then_some((own, looker.first))
        })
    }

    /// Whether a line is legal over ground of one cost.
    fn is_open<S: Seen>(&self, from: MapPoint, to: MapPoint, start: CellId, looker: &mut Looker<S>) -> bool {
        let movement = self.ground.movement;
        let mut crossings = 0;
        let mut line = S::Line::default();
        let refusal = refused(self.ground.movement, from, to, start, |crossing| {
            crossings += 1;
            S::cross(&mut line, crossing.direction);
            if movement.cost(crossing.to) != movement.cost(start) {
                Verdict::Refuse
            } else if crossings >= self.sight {
                Verdict::Enough
            } else {
                Verdict::Go
            }
        });
        looker.seen.add(looker.centre, from, &line);
        refusal.is_none()
    }
}

/// The distance of two points of a map, in cells.
#[expect(
    clippy::cast_precision_loss,
    reason = "rounded to nearest, the same on every machine"
)]
fn distance(from: MapPoint, to: MapPoint) -> f32 {
    let (dx, dy) = ((to.x - from.x) as f32, (to.y - from.y) as f32);
    (dx * dx + dy * dy).sqrt() / SUBCELLS as f32
}
