//! An independent oracle: what a field must say, computed from cost bytes and the written rules alone.
//!
//! It shares no code with the core's movement, engines or directions: neighbours are found by coordinates, rules are
//! tested cell by cell, sums are 64-bit, and the search is a textbook Dijkstra with a binary heap. It is slow on
//! purpose.

use crate::body::{BodyOracle, Under};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Direction, DirectionSet};
use thalweg_core::integrate::{Goal, GoalMeeting, GoalSet};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, EdgeInputs, MovementProfile};

/// The directions in the order of the contract, written down once more: N, E, S, W, NE, SE, SW, NW.
const ORDER: [(Direction, i64, i64); 8] = [
    (Direction::N, 0, -1),
    (Direction::E, 1, 0),
    (Direction::S, 0, 1),
    (Direction::W, -1, 0),
    (Direction::NE, 1, -1),
    (Direction::SE, 1, 1),
    (Direction::SW, -1, 1),
    (Direction::NW, -1, -1),
];

/// A map and the rules of one profile, as the oracle sees them.
#[derive(Clone, Debug)]
pub struct Oracle {
    width: i64,
    height: i64,
    /// Cost of each cell, `None` where no body may be; for bodies with extent that of an anchor there.
    ground: Vec<Option<u8>>,
    first: Cell,
    profile: MovementProfile,
}

/// A goal as the oracle sees it: cells and a starting cost.
#[derive(Clone, Debug)]
pub struct OracleGoal {
    /// Indices of the usable cells.
    pub cells: Vec<usize>,
    /// Starting cost.
    pub bias: u64,
}

impl Oracle {
    /// The oracle of a cost field under a profile.
    #[must_use]
    pub fn new(costs: &CostField, profile: &MovementProfile) -> Self {
        let grid = costs.grid();
        let body = BodyOracle::new(costs, EdgeInputs::default(), profile);
        let ground = grid.ids().map(|id| match body.under(id) {
            Under::Free(cost) => Some(cost),
            Under::Wall | Under::Unknown => None,
        });
        Self {
            width: i64::from(grid.width()),
            height: i64::from(grid.height()),
            ground: ground.collect(),
            first: grid.first_cell(),
            profile: *profile,
        }
    }

    /// How many cells the map has.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a map is never empty")]
    pub fn len(&self) -> usize {
        self.ground.len()
    }

    /// Whether a body may be on the cell with this index.
    #[must_use]
    pub fn is_free(&self, index: usize) -> bool {
        self.ground[index].is_some()
    }

    /// The index of a cell, row by row, if it is on the map.
    #[must_use]
    pub fn index_of(&self, cell: Cell) -> Option<usize> {
        self.at(
            i64::from(cell.x) - i64::from(self.first.x),
            i64::from(cell.y) - i64::from(self.first.y),
        )
    }

    /// The goals that have a usable cell, each with its usable cells; others keep their place with no cells.
    #[must_use]
    pub fn goals(&self, goals: &[Goal]) -> Vec<OracleGoal> {
        let usable = |cell: &Cell| self.index_of(*cell).filter(|&index| self.is_free(index));
        goals
            .iter()
            .map(|goal| OracleGoal {
                cells: goal.cells.iter().filter_map(usable).collect(),
                bias: u64::from(goal.bias),
            })
            .collect()
    }

    /// [`Self::goals`] of a whole set, for a body with extent by footprint or by anchor as the set says. What the set does
    /// with blocked goals is not looked at.
    #[must_use]
    pub fn goals_of(&self, costs: &CostField, goals: &GoalSet) -> Vec<OracleGoal> {
        if self.profile.footprint.is_point() || goals.meeting() == GoalMeeting::ByAnchor {
            return self.goals(goals.goals());
        }
        let body = BodyOracle::new(costs, EdgeInputs::default(), &self.profile);
        let one = |goal: &Goal| {
            let anchors = goal.cells.iter().flat_map(|&cell| body.anchors_meeting(cell));
            let mut cells: Vec<usize> = anchors.map(|id| id.index()).collect();
            cells.sort_unstable();
            cells.dedup();
            OracleGoal {
                cells,
                bias: u64::from(goal.bias),
            }
        };
        goals.goals().iter().map(one).collect()
    }

    fn at(&self, x: i64, y: i64) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| usize::try_from(y * self.width + x).expect("inside the map"))
    }

    fn free_at(&self, x: i64, y: i64) -> bool {
        self.at(x, y).is_some_and(|index| self.is_free(index))
    }

    /// The legal steps that leave a cell: direction and the index it leads to.
    #[must_use]
    pub fn steps(&self, from: usize) -> Vec<(Direction, usize)> {
        let (x, y) = (from as i64 % self.width, from as i64 / self.width);
        if !self.is_free(from) {
            return Vec::new();
        }
        ORDER
            .into_iter()
            .filter(|&(_, dx, dy)| self.free_at(x + dx, y + dy) && self.may_turn(x, y, dx, dy))
            .map(|(direction, dx, dy)| (direction, self.at(x + dx, y + dy).expect("a free cell is inside")))
            .collect()
    }

    fn may_turn(&self, x: i64, y: i64, dx: i64, dy: i64) -> bool {
        if dx == 0 || dy == 0 {
            return true;
        }
        if self.profile.connectivity == Connectivity::Four {
            return false;
        }
        let sides = [self.free_at(x + dx, y), self.free_at(x, y + dy)];
        match self.profile.corner_rule {
            _ if !self.profile.footprint.is_point() => sides == [true, true],
            CornerRule::BothFree => sides == [true, true],
            CornerRule::OneFree => sides.contains(&true),
            CornerRule::Always => true,
        }
    }

    /// What the ground charges for a step, doubled so that the mean is whole.
    fn doubled_charge(&self, from: usize, to: usize) -> u64 {
        let cost = |index: usize| u64::from(self.ground[index].expect("steps join free cells"));
        match self.profile.charge {
            Charge::Depart => 2 * cost(from),
            Charge::Arrive => 2 * cost(to),
            Charge::Mean => cost(from) + cost(to),
        }
    }

    /// The cost of a legal step in step units (doubled under [`Charge::Mean`], as the contract says).
    #[must_use]
    pub fn step_cost(&self, from: usize, direction: Direction, to: usize) -> u64 {
        let length = match direction {
            Direction::N | Direction::E | Direction::S | Direction::W => self.profile.scale.straight(),
            _ => self.profile.scale.diagonal(),
        };
        let charge = self.doubled_charge(from, to);
        let charge = if self.profile.charge == Charge::Mean {
            charge
        } else {
            charge / 2
        };
        u64::from(length) * charge
    }

    /// The least cost from every cell to the nearest goal, by one search against the steps.
    #[must_use]
    pub fn cost_to_goals(&self, goals: &[OracleGoal]) -> Vec<Option<u64>> {
        let mut against: Vec<Vec<(usize, u64)>> = vec![Vec::new(); self.len()];
        for from in 0..self.len() {
            for (direction, to) in self.steps(from) {
                against[to].push((from, self.step_cost(from, direction, to)));
            }
        }
        let starts = goals
            .iter()
            .flat_map(|goal| goal.cells.iter().map(|&cell| (cell, goal.bias)));
        dijkstra(self.len(), starts, |cell| against[cell].clone())
    }

    /// The least cost from one cell to every other, by one search along the steps.
    #[must_use]
    pub fn costs_from(&self, start: usize) -> Vec<Option<u64>> {
        let starts = self.is_free(start).then_some((start, 0));
        dijkstra(self.len(), starts.into_iter(), |cell| {
            let steps = self.steps(cell).into_iter();
            steps
                .map(|(direction, to)| (to, self.step_cost(cell, direction, to)))
                .collect()
        })
    }

    /// The winning goal of every reached cell: the lowest index among those that give its least cost, each computed on
    /// its own.
    #[must_use]
    pub fn labels(&self, goals: &[OracleGoal]) -> Vec<Option<u32>> {
        let mut best: Vec<Option<(u64, u32)>> = vec![None; self.len()];
        for (index, goal) in (0u32..).zip(goals) {
            for (best, cost) in best
                .iter_mut()
                .zip(self.cost_to_goals(core::slice::from_ref(goal)))
            {
                if let Some(cost) = cost
                    && best.is_none_or(|(old, _)| cost < old)
                {
                    *best = Some((cost, index));
                }
            }
        }
        best.into_iter().map(|best| best.map(|(_, goal)| goal)).collect()
    }

    /// Whether a goal of the set stands on the cell and gives it its least cost: where agents arrive.
    #[must_use]
    pub fn arrives(&self, goals: &[OracleGoal], costs: &[Option<u64>], cell: usize) -> bool {
        goals
            .iter()
            .any(|goal| goal.cells.contains(&cell) && costs[cell] == Some(goal.bias))
    }

    /// Every legal step that keeps the least cost of a reached cell.
    #[must_use]
    pub fn tight(&self, costs: &[Option<u64>], cell: usize) -> DirectionSet {
        let Some(own) = costs[cell] else {
            return DirectionSet::EMPTY;
        };
        let steps = self.steps(cell).into_iter();
        steps
            .filter(|&(direction, to)| {
                costs[to].is_some_and(|cost| cost + self.step_cost(cell, direction, to) == own)
            })
            .map(|(direction, _)| direction)
            .collect()
    }

    /// The least cost to the nearest goal with straight steps of exactly 1 and diagonal ones of exactly √2, in units of
    /// one straight step at cost 1 (the mean is not doubled). Accurate to about 1e-12 of the value.
    #[must_use]
    pub fn real_cost_to_goals(&self, goals: &[OracleGoal]) -> Vec<Option<f64>> {
        let mut costs: Vec<Option<f64>> = vec![None; self.len()];
        let mut open = Vec::new();
        for cell in goals.iter().flat_map(|goal| &goal.cells) {
            costs[*cell] = Some(0.0);
            open.push(*cell);
        }
        let mut against: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.len()];
        for from in 0..self.len() {
            for (direction, to) in self.steps(from) {
                let length = if direction.offset().0 * direction.offset().1 == 0 {
                    1.0
                } else {
                    core::f64::consts::SQRT_2
                };
                let charge = u32::try_from(self.doubled_charge(from, to)).expect("at most 508");
                against[to].push((from, length * f64::from(charge) / 2.0));
            }
        }
        // A queue in the order of non-negative floats, which their bits keep.
        let mut queue: BinaryHeap<Reverse<(u64, usize)>> = BinaryHeap::new();
        queue.extend(open.into_iter().map(|cell| Reverse((0, cell))));
        while let Some(Reverse((bits, cell))) = queue.pop() {
            let cost = f64::from_bits(bits);
            if costs[cell].is_some_and(|best| best < cost) {
                continue;
            }
            for &(from, step) in &against[cell] {
                let sum = cost + step;
                if costs[from].is_none_or(|old| sum < old) {
                    costs[from] = Some(sum);
                    queue.push(Reverse((sum.to_bits(), from)));
                }
            }
        }
        costs
    }

    /// The least cost from a cell to the nearest goal, by walking every way that visits no cell twice. Exponential: for
    /// maps of a dozen cells, to check the oracle itself.
    #[must_use]
    pub fn brute_force(&self, start: usize, goals: &[OracleGoal]) -> Option<u64> {
        let mut visited = vec![false; self.len()];
        let mut best = None;
        if self.is_free(start) {
            self.walk(start, 0, goals, &mut visited, &mut best);
        }
        best
    }

    fn walk(
        &self,
        cell: usize,
        paid: u64,
        goals: &[OracleGoal],
        visited: &mut [bool],
        best: &mut Option<u64>,
    ) {
        for goal in goals.iter().filter(|goal| goal.cells.contains(&cell)) {
            let total = paid + goal.bias;
            *best = Some(best.map_or(total, |old| old.min(total)));
        }
        visited[cell] = true;
        for (direction, to) in self.steps(cell) {
            if !visited[to] {
                self.walk(
                    to,
                    paid + self.step_cost(cell, direction, to),
                    goals,
                    visited,
                    best,
                );
            }
        }
        visited[cell] = false;
    }
}

fn dijkstra(
    cells: usize,
    starts: impl Iterator<Item = (usize, u64)>,
    edges: impl Fn(usize) -> Vec<(usize, u64)>,
) -> Vec<Option<u64>> {
    let mut costs: Vec<Option<u64>> = vec![None; cells];
    let mut queue = BinaryHeap::new();
    for (cell, cost) in starts {
        queue.push(Reverse((cost, cell)));
    }
    while let Some(Reverse((cost, cell))) = queue.pop() {
        if costs[cell].is_some() {
            continue;
        }
        costs[cell] = Some(cost);
        for (next, step) in edges(cell) {
            if costs[next].is_none() {
                queue.push(Reverse((cost + step, next)));
            }
        }
    }
    costs
}
