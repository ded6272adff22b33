//! Bodies by definition: which cells they cover and which edges they may take, from the words of the contract alone.
//!
//! Nothing here asks the core which cells a body covers, what an anchor costs or which exits it has; every body is laid
//! over every cell of the map, one after the other.

use thalweg_core::cost::{CostField, EdgeCharge};
use thalweg_core::grid::{Cell, CellId, DIRECTIONS, Direction, SUBCELLS};
use thalweg_core::movement::{
    Charge, Connectivity, CornerRule, EdgeInputs, EdgeRules, Footprint, MovementProfile,
};

/// A body as the oracle sees it, in subcells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Point,
    Rectangle(i64, i64),
    Disc(i64),
}

fn shape(footprint: &Footprint) -> Shape {
    match footprint {
        Footprint::Point => Shape::Point,
        Footprint::Rectangle(body) => Shape::Rectangle(i64::from(body.width()), i64::from(body.height())),
        Footprint::Disc(body) => Shape::Disc(i64::from(body.radius_subcells())),
        _ => panic!("an oracle for {footprint} is not written yet"),
    }
}

/// Whether the open body on its anchor overlaps the open square of the cell at an offset.
#[must_use]
pub fn covers(footprint: &Footprint, dx: i64, dy: i64) -> bool {
    match shape(footprint) {
        Shape::Point => (dx, dy) == (0, 0),
        Shape::Rectangle(width, height) => (0..width).contains(&dx) && (0..height).contains(&dy),
        Shape::Disc(radius) => {
            // The nearest point of the square to the centre of the disc.
            let size = i64::from(SUBCELLS);
            let nearest = |cells: i64| 0.clamp(cells * size - size / 2, cells * size + size / 2);
            let (x, y) = (nearest(dx), nearest(dy));
            x * x + y * y < radius * radius
        }
    }
}

/// Whether the body on its anchor lies over the centre of the cell at an offset.
#[must_use]
pub fn meets(footprint: &Footprint, dx: i64, dy: i64) -> bool {
    match shape(footprint) {
        Shape::Disc(radius) => {
            let (x, y) = (dx * i64::from(SUBCELLS), dy * i64::from(SUBCELLS));
            x * x + y * y <= radius * radius
        }
        _ => covers(footprint, dx, dy),
    }
}

/// How many cells to look at in each direction.
fn reach(footprint: &Footprint) -> i64 {
    match shape(footprint) {
        Shape::Point => 0,
        Shape::Rectangle(width, height) => width.max(height),
        Shape::Disc(radius) => radius / i64::from(SUBCELLS) + 1,
    }
}

/// The offsets of all cells a body covers.
#[must_use]
pub fn covered(footprint: &Footprint) -> Vec<(i64, i64)> {
    let reach = reach(footprint);
    (-reach..=reach)
        .flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)))
        .filter(|&(dx, dy)| covers(footprint, dx, dy))
        .collect()
}

/// What is under an anchor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Under {
    /// Free ground; the dearest cost of it.
    Free(u8),
    /// A wall, or the outside of the map.
    Wall,
    /// Unknown ground and no wall.
    Unknown,
}

/// A map, edge rules and a body.
#[derive(Clone, Copy, Debug)]
pub struct BodyOracle<'a> {
    costs: &'a CostField,
    edges: EdgeInputs<'a>,
    profile: &'a MovementProfile,
}

impl<'a> BodyOracle<'a> {
    /// The oracle of a map under edge rules and a profile.
    #[must_use]
    pub const fn new(costs: &'a CostField, edges: EdgeInputs<'a>, profile: &'a MovementProfile) -> Self {
        Self {
            costs,
            edges,
            profile,
        }
    }

    fn at(&self, id: CellId, (dx, dy): (i64, i64)) -> Option<CellId> {
        let cell = self.costs.grid().cell(id);
        let x = i32::try_from(i64::from(cell.x) + dx).ok()?;
        let y = i32::try_from(i64::from(cell.y) + dy).ok()?;
        self.costs.grid().id(Cell { x, y, ..cell })
    }

    /// The cells of the map under an anchor.
    #[must_use]
    pub fn cells_under(&self, anchor: CellId) -> Vec<CellId> {
        let offsets = covered(&self.profile.footprint).into_iter();
        offsets.filter_map(|offset| self.at(anchor, offset)).collect()
    }

    /// What is under an anchor.
    #[must_use]
    pub fn under(&self, anchor: CellId) -> Under {
        let (mut dearest, mut unknown) = (0, false);
        for offset in covered(&self.profile.footprint) {
            match self.at(anchor, offset).map(|id| self.costs.get(id)) {
                None => return Under::Wall,
                Some(None) => unknown = true,
                Some(Some(cost)) if !cost.is_passable() => return Under::Wall,
                Some(Some(cost)) => dearest = cost.byte().max(dearest),
            }
        }
        if unknown {
            Under::Unknown
        } else {
            Under::Free(dearest)
        }
    }

    fn cost(&self, anchor: CellId) -> Option<u8> {
        match self.under(anchor) {
            Under::Free(cost) => Some(cost),
            _ => None,
        }
    }

    /// The largest extra charge of a step among the cells a body covers; `None` if it is closed for one of them.
    fn extra(&self, anchor: CellId, direction: Direction) -> Option<u64> {
        let mut largest = 0;
        for id in self.cells_under(anchor) {
            if self
                .edges
                .rules
                .is_some_and(|rules| rules.closed(id).contains(direction))
            {
                return None;
            }
            match self.edges.charges.map(|charges| charges.extra(id, direction)) {
                None => {}
                Some(EdgeCharge::Closed) => return None,
                Some(EdgeCharge::Extra(extra)) => largest = u64::from(extra).max(largest),
            }
        }
        Some(largest)
    }

    fn straight(&self, anchor: CellId, direction: Direction) -> Option<CellId> {
        let next = self.costs.grid().neighbour(anchor, direction)?;
        self.cost(anchor)?;
        self.cost(next)?;
        self.extra(anchor, direction)?;
        Some(next)
    }

    /// The steps that leave an anchor, each with where it leads and what it costs.
    #[must_use]
    pub fn steps(&self, anchor: CellId) -> Vec<(Direction, CellId, u64)> {
        let Some(own) = self.cost(anchor) else {
            return Vec::new();
        };
        let mut steps = Vec::new();
        for direction in DIRECTIONS {
            let to = match direction.sides() {
                None => self.straight(anchor, direction),
                Some(_) if self.profile.connectivity == Connectivity::Four => None,
                Some((vertical, horizontal)) => {
                    let detour = |first, second| {
                        self.straight(anchor, first)
                            .and_then(|side| self.straight(side, second))
                            .is_some()
                    };
                    let (a, b) = (detour(vertical, horizontal), detour(horizontal, vertical));
                    let both = !self.profile.footprint.is_point();
                    let allowed = match self.profile.corner_rule {
                        _ if both => a && b,
                        CornerRule::BothFree => a && b,
                        CornerRule::OneFree => a || b,
                        CornerRule::Always => true,
                    };
                    let far = self.costs.grid().neighbour(anchor, direction);
                    far.filter(|&far| {
                        allowed && self.cost(far).is_some() && self.extra(anchor, direction).is_some()
                    })
                }
            };
            let Some(to) = to else { continue };
            let length = u64::from(if direction.is_diagonal() {
                self.profile.scale.diagonal()
            } else {
                self.profile.scale.straight()
            });
            let entered = self.cost(to).expect("steps lead to free anchors");
            let (charge, doubled) = match self.profile.charge {
                Charge::Depart => (u64::from(own), 1),
                Charge::Arrive => (u64::from(entered), 1),
                Charge::Mean => (u64::from(own) + u64::from(entered), 2),
            };
            let extra = self.extra(anchor, direction).unwrap_or(0);
            steps.push((direction, to, length * (charge + doubled * extra)));
        }
        steps
    }

    /// Every edge as `(from, to, cost)`, portals between free anchors included.
    #[must_use]
    pub fn edges(&self) -> Vec<(u32, u32, u64)> {
        let mut edges = Vec::new();
        for id in self.costs.grid().ids() {
            edges.extend(self.steps(id).into_iter().map(|(_, to, cost)| (id.0, to.0, cost)));
        }
        for (_, portal) in self.edges.rules.into_iter().flat_map(EdgeRules::portals) {
            if self.cost(portal.from).is_some() && self.cost(portal.to).is_some() {
                let cost = portal.cost.units(self.profile);
                edges.push((portal.from.0, portal.to.0, u64::from(cost)));
            }
        }
        edges
    }

    /// The free anchors that meet a goal cell.
    #[must_use]
    pub fn anchors_meeting(&self, goal: Cell) -> Vec<CellId> {
        let grid = self.costs.grid();
        let meets_goal = |id: &CellId| {
            let anchor = grid.cell(*id);
            meets(
                &self.profile.footprint,
                i64::from(goal.x) - i64::from(anchor.x),
                i64::from(goal.y) - i64::from(anchor.y),
            )
        };
        let free = |id: &CellId| self.cost(*id).is_some();
        grid.ids().filter(meets_goal).filter(free).collect()
    }
}
