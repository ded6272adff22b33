//! Every edge of a world, listed from the rules in words.

use super::place::{parts, step_index};
use super::{Border, STEPS, World};
use crate::body::{Under, covered, meets};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, EdgeKind, PortalIndex};

/// An edge.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Listed {
    /// The anchor it leaves.
    pub from: usize,
    /// How it is taken.
    pub kind: EdgeKind,
    /// The anchor it enters.
    pub to: usize,
    /// What it costs.
    pub cost: u64,
}

/// A world with what every anchor is and which steps are open.
#[derive(Clone, Debug)]
pub struct Rules<'a> {
    pub(super) world: &'a World,
    pub(super) ground: Vec<Option<u8>>,
    /// The cells of the map that a body covers, anchor by anchor.
    pub(super) covers: Vec<Vec<usize>>,
    pub(super) under: Vec<Under>,
    /// What a step adds to the charge for a body on an anchor; `None` where a border or a slope closes it.
    extra: Vec<[Option<u64>; 8]>,
}

impl<'a> Rules<'a> {
    /// Reads the rules.
    #[must_use]
    pub fn new(world: &'a World) -> Self {
        let ground = world.ground();
        let offsets = covered(&world.profile.footprint);
        let cells = world.floors.len();
        let covers: Vec<Vec<Option<usize>>> = (0..cells)
            .map(|id| {
                offsets
                    .iter()
                    .map(|&(dx, dy)| world.floors.beside(id, dx, dy))
                    .collect()
            })
            .collect();
        let under = covers.iter().map(|cells| under(&ground, cells)).collect();
        let covers: Vec<Vec<usize>> = covers
            .into_iter()
            .map(|cells| cells.into_iter().flatten().collect())
            .collect();
        let closed = closed(world);
        let one = |cell: usize, step: usize| {
            if closed[cell][step] {
                None
            } else {
                world.slope(cell, step)
            }
        };
        let extra = (0..cells)
            .map(|id| {
                core::array::from_fn(|step| {
                    let mut largest = Some(0);
                    for &cell in &covers[id] {
                        largest = largest.and_then(|largest: u64| Some(largest.max(one(cell, step)?)));
                    }
                    largest
                })
            })
            .collect();
        Self {
            world,
            ground,
            covers,
            under,
            extra,
        }
    }

    /// What is under an anchor.
    #[must_use]
    pub fn under(&self, anchor: usize) -> Under {
        self.under[anchor]
    }

    /// Cost of the ground of a cell, 255 for walls, `None` where it is unknown.
    #[must_use]
    pub fn ground_at(&self, cell: usize) -> Option<u8> {
        self.ground[cell]
    }

    fn cost(&self, anchor: usize) -> Option<u8> {
        match self.under[anchor] {
            Under::Free(cost) => Some(cost),
            Under::Wall | Under::Unknown => None,
        }
    }

    /// Whether a body may stand on an anchor when the cells of `walled` are walls too.
    #[must_use]
    pub fn is_free(&self, anchor: usize, walled: &[bool]) -> bool {
        self.cost(anchor).is_some() && !self.covers[anchor].iter().any(|&cell| walled[cell])
    }

    fn straight(&self, anchor: usize, step: usize, walled: &[bool]) -> Option<usize> {
        let next = self.world.floors.step(anchor, step)?;
        let is_open = self.extra[anchor][step].is_some();
        (is_open && self.is_free(anchor, walled) && self.is_free(next, walled)).then_some(next)
    }

    /// Where a step leads, if it is legal when the cells of `walled` are walls too.
    #[must_use]
    pub fn step(&self, anchor: usize, step: usize, walled: &[bool]) -> Option<usize> {
        let Some((along_rows, along_columns)) = parts(step) else {
            return self.straight(anchor, step, walled);
        };
        let profile = &self.world.profile;
        if profile.connectivity == Connectivity::Four {
            return None;
        }
        let far = self.world.floors.step(anchor, step)?;
        if self.extra[anchor][step].is_none() || !self.is_free(anchor, walled) || !self.is_free(far, walled) {
            return None;
        }
        let detour = |first: usize, second: usize| {
            let side = self.straight(anchor, first, walled);
            side.and_then(|side| self.straight(side, second, walled)) == Some(far)
        };
        let detours = [
            detour(along_rows, along_columns),
            detour(along_columns, along_rows),
        ];
        let is_point = profile.footprint.is_point();
        let allowed = match profile.corner_rule {
            CornerRule::Always if is_point => true,
            CornerRule::OneFree if is_point => detours.contains(&true),
            _ => detours == [true, true],
        };
        allowed.then_some(far)
    }

    fn step_cost(&self, from: usize, step: usize, to: usize) -> u64 {
        let profile = &self.world.profile;
        let length = u64::from(if parts(step).is_some() {
            profile.scale.diagonal()
        } else {
            profile.scale.straight()
        });
        let cost = |anchor: usize| u64::from(self.cost(anchor).expect("steps join free anchors"));
        let extra = self.extra[from][step].expect("an open step");
        match profile.charge {
            Charge::Depart => length * (cost(from) + extra),
            Charge::Arrive => length * (cost(to) + extra),
            Charge::Mean => length * (cost(from) + cost(to) + 2 * extra),
        }
    }

    /// Every edge, by the anchor it leaves: steps in the order of directions, then portals in theirs. The cells of `walled`
    /// are walls too.
    #[must_use]
    pub fn edges(&self, walled: &[bool]) -> Vec<Listed> {
        let mut edges = Vec::new();
        for from in 0..self.under.len() {
            for (step, &(direction, ..)) in STEPS.iter().enumerate() {
                if let Some(to) = self.step(from, step, walled) {
                    edges.push(Listed {
                        from,
                        kind: EdgeKind::Step(direction),
                        to,
                        cost: self.step_cost(from, step, to),
                    });
                }
            }
            let portals = (0u32..).zip(&self.world.portals);
            let here = portals.filter_map(|(index, portal)| Some((index, (*portal)?)));
            for (index, (_, to, cost)) in here.filter(|(_, portal)| portal.0 == from) {
                if self.is_free(from, walled) && self.is_free(to, walled) {
                    edges.push(Listed {
                        from,
                        kind: EdgeKind::Portal(PortalIndex(index)),
                        to,
                        cost: u64::from(cost),
                    });
                }
            }
        }
        edges
    }

    /// No cell is walled besides.
    #[must_use]
    pub fn no_walls(&self) -> Vec<bool> {
        vec![false; self.under.len()]
    }

    /// The free anchors at which a body has reached a goal on this cell, in id order.
    #[must_use]
    pub fn meeting(&self, cell: thalweg_core::grid::Cell, by_anchor: bool) -> Vec<usize> {
        let Some(goal) = self.world.floors.id(cell) else {
            return Vec::new();
        };
        let (floor, column, row) = self.world.floors.place(goal);
        let meets_here = |anchor: usize| {
            let (other, x, y) = self.world.floors.place(anchor);
            if by_anchor {
                return anchor == goal;
            }
            other == floor && meets(&self.world.profile.footprint, column - x, row - y)
        };
        (0..self.under.len())
            .filter(|&anchor| self.cost(anchor).is_some() && meets_here(anchor))
            .collect()
    }

    /// Where waves start: anchor, starting cost and goal, in that order; each goal once per anchor.
    #[must_use]
    pub fn starts(&self) -> Vec<(usize, u64, u32)> {
        let mut starts = Vec::new();
        for (goal, (cells, bias)) in (0u32..).zip(&self.world.goals) {
            for &cell in cells {
                let anchors = self.meeting(cell, self.world.by_anchor).into_iter();
                starts.extend(anchors.map(|anchor| (anchor, u64::from(*bias), goal)));
            }
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }
}

fn under(ground: &[Option<u8>], cells: &[Option<usize>]) -> Under {
    let costs: Option<Vec<Option<u8>>> = cells.iter().map(|cell| cell.map(|cell| ground[cell])).collect();
    match costs {
        None => Under::Wall,
        Some(costs) if costs.contains(&Some(255)) => Under::Wall,
        Some(costs) if costs.contains(&None) => Under::Unknown,
        Some(costs) => Under::Free(costs.into_iter().flatten().max().unwrap_or(0)),
    }
}

/// What borders close, cell by cell.
fn closed(world: &World) -> Vec<[bool; 8]> {
    let mut closed = vec![[false; 8]; world.floors.len()];
    for border in &world.borders {
        match *border {
            Border::Close(cell, direction) => closed[cell][step_index(direction)] = true,
            Border::Open(cell, direction) => closed[cell][step_index(direction)] = false,
            Border::OnlyFrom(cell, sides) => {
                for step in 0..4 {
                    // Who comes from the north walks south.
                    if let Some(neighbour) = world.floors.step(cell, step) {
                        closed[neighbour][(step + 2) % 4] = !sides.contains(STEPS[step].0);
                    }
                }
            }
        }
    }
    closed
}
