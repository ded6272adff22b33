//! Brute force for expanded fields: forward searches over states, from every state on its own.
//!
//! Like the [`Oracle`] it stands on, it shares no code with the core: angles come from vectors, and what a closed cell does
//! to a diagonal is found by walling the cell and asking the written rules again.

use crate::body::BodyOracle;
use crate::oracle::{Oracle, OracleGoal};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Direction};
use thalweg_core::movement::{EdgeInputs, MovementProfile};

/// A forward search from one state: the least cost paid plus the starting cost of the goal where the way ends.
fn search<S: Ord + Copy>(
    start: S,
    ends: impl Fn(S) -> Option<u64>,
    moves: impl Fn(S) -> Vec<(S, u64)>,
) -> Option<u64> {
    let mut best: BTreeMap<S, u64> = BTreeMap::from([(start, 0)]);
    let mut queue = BinaryHeap::from([Reverse((0, start))]);
    let mut total: Option<u64> = None;
    while let Some(Reverse((paid, state))) = queue.pop() {
        if best[&state] < paid || total.is_some_and(|total| total <= paid) {
            continue;
        }
        if let Some(bias) = ends(state) {
            total = Some(total.map_or(paid + bias, |total| total.min(paid + bias)));
        }
        for (next, cost) in moves(state) {
            let sum = paid + cost;
            if best.get(&next).is_none_or(|&old| sum < old) {
                best.insert(next, sum);
                queue.push(Reverse((sum, next)));
            }
        }
    }
    total
}

fn bias(goals: &[OracleGoal], cell: usize) -> Option<u64> {
    goals
        .iter()
        .filter(|goal| goal.cells.contains(&cell))
        .map(|goal| goal.bias)
        .min()
}

/// The least cost from a cell where one came in a direction, with turns priced by eighths of a full turn.
#[must_use]
pub fn turn_cost_to_goals(
    oracle: &Oracle,
    goals: &[OracleGoal],
    by_eighths: [u32; 5],
    cell: usize,
    incoming: Option<Direction>,
) -> Option<u64> {
    let turn = |from: Option<Direction>, to: Direction| {
        from.map_or(0, |from| u64::from(by_eighths[eighths(from, to)]))
    };
    search(
        (cell, incoming),
        |(cell, _)| bias(goals, cell),
        |(cell, incoming)| {
            let steps = oracle.steps(cell).into_iter();
            steps
                .map(|(direction, to)| {
                    let cost = oracle.step_cost(cell, direction, to) + turn(incoming, direction);
                    ((to, Some(direction)), cost)
                })
                .collect()
        },
    )
}

/// The angle between two directions in eighths, from the cosine.
pub(crate) fn eighths(from: Direction, to: Direction) -> usize {
    let unit = |direction: Direction| {
        let (x, y) = direction.offset();
        let length = f64::from(x * x + y * y).sqrt();
        (f64::from(x) / length, f64::from(y) / length)
    };
    let ((ax, ay), (bx, by)) = (unit(from), unit(to));
    let angle = (ax * bx + ay * by).clamp(-1.0, 1.0).acos();
    let number = (angle / core::f64::consts::FRAC_PI_4).round();
    (0..=4)
        .find(|&eighths| f64::from(eighths) == number)
        .map(|eighths: i32| eighths.unsigned_abs() as usize)
        .expect("two of eight directions")
}

/// A world whose cells and edges are closed in some ticks, as the brute force sees it. For bodies with extent it must be
/// [`Self::on_both`]: which cells of a body are those entered only later is not said anywhere.
#[derive(Clone, Debug)]
pub struct TimedWorld {
    /// The map without a timetable.
    pub costs: CostField,
    /// The rules.
    pub profile: MovementProfile,
    /// Cell index and tick.
    pub closed_cells: BTreeSet<(usize, u32)>,
    /// Index of the cell left, index of the cell entered, and tick.
    pub closed_edges: BTreeSet<(usize, usize, u32)>,
    /// Where the timetable ends.
    pub horizon: u32,
    /// Whether the map is open beyond the horizon; else time ends there.
    pub goes_on: bool,
    /// Cost of waiting for a tick, if one may wait.
    pub wait: Option<u64>,
    /// Ticks of a step, by its cost.
    pub ticks: fn(u64) -> u32,
    /// Whether the cell entered must be open during the whole move.
    pub on_both: bool,
}

impl TimedWorld {
    /// The least cost from every cell and tick up to the horizon to the goals: `[tick][cell]`.
    #[must_use]
    pub fn cost_to_goals(&self, goals: &[OracleGoal]) -> Vec<Vec<Option<u64>>> {
        let plain = Oracle::new(&self.costs, &self.profile);
        let solve = |cell: usize, tick: u32| {
            let stands = plain.is_free(cell) && self.is_open(cell, tick);
            stands.then(|| {
                search(
                    (cell, tick),
                    |(cell, _)| bias(goals, cell),
                    |(cell, tick)| self.moves(&plain, cell, tick),
                )
            })?
        };
        (0..=self.horizon)
            .map(|tick| (0..plain.len()).map(|cell| solve(cell, tick)).collect())
            .collect()
    }

    fn is_open(&self, cell: usize, tick: u32) -> bool {
        if tick >= self.horizon && self.goes_on {
            return true;
        }
        self.under(cell)
            .all(|cell| !self.closed_cells.contains(&(cell, tick)))
    }

    /// The cells under an anchor.
    fn under(&self, anchor: usize) -> impl Iterator<Item = usize> {
        let body = BodyOracle::new(&self.costs, EdgeInputs::default(), &self.profile);
        let cells = body.cells_under(CellId::from_index(anchor));
        cells.into_iter().map(|id| id.index())
    }

    /// From the horizon on all ticks are one.
    fn moves(&self, plain: &Oracle, cell: usize, tick: u32) -> Vec<((usize, u32), u64)> {
        let mut found = Vec::new();
        let at = |tick: u32| {
            if self.goes_on {
                tick.min(self.horizon)
            } else {
                tick
            }
        };
        let exists = |tick: u32| self.goes_on || tick <= self.horizon;
        for (direction, to) in plain.steps(cell) {
            let cost = plain.step_cost(cell, direction, to);
            let arrival = tick + (self.ticks)(cost);
            let legal = exists(arrival)
                && self.is_open(to, arrival)
                && (tick..arrival).all(|during| self.is_legal(cell, direction, to, during));
            if legal {
                found.push(((to, at(arrival)), cost));
            }
        }
        if let Some(wait) = self
            .wait
            .filter(|_| exists(tick + 1) && self.is_open(cell, tick + 1))
        {
            found.push(((cell, at(tick + 1)), wait));
        }
        found
    }

    /// Whether a step is legal in a tick: with everything walled that is closed then, it still is one.
    fn is_legal(&self, from: usize, direction: Direction, to: usize, tick: u32) -> bool {
        if tick >= self.horizon && self.goes_on {
            return true;
        }
        let mut walled = self.costs.clone();
        let grid = walled.grid().clone();
        for id in grid.ids() {
            let counts = self.on_both || id.index() != to;
            if counts && self.closed_cells.contains(&(id.index(), tick)) {
                let cell: Cell = grid.cell(id);
                walled.set(cell, Cost::IMPASSABLE).expect("a cell of the map");
            }
        }
        let step = |id: usize| grid.neighbour(CellId::from_index(id), direction);
        let is_closed =
            |id: usize| step(id).is_some_and(|next| self.closed_edges.contains(&(id, next.index(), tick)));
        !self.under(from).any(is_closed)
            && Oracle::new(&walled, &self.profile)
                .steps(from)
                .contains(&(direction, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::literal::map;

    #[test]
    fn a_turn_is_paid_and_a_closed_door_is_waited_for() {
        let costs = map(&["..", ".."]);
        let profile = MovementProfile::new();
        let oracle = Oracle::new(&costs, &profile);
        let goals = [OracleGoal {
            cells: vec![1],
            bias: 0,
        }];
        let cost = |incoming| turn_cost_to_goals(&oracle, &goals, [0, 1, 2, 3, 4], 0, incoming);
        assert_eq!(
            [Some(Direction::E), Some(Direction::W), None].map(cost),
            [Some(10), Some(14), Some(10)]
        );
        let world = TimedWorld {
            costs,
            profile,
            closed_cells: (0..3).map(|tick| (1, tick)).collect(),
            closed_edges: BTreeSet::new(),
            horizon: 5,
            goes_on: true,
            wait: Some(1),
            ticks: |_| 1,
            on_both: true,
        };
        assert_eq!(world.cost_to_goals(&goals)[0][0], Some(13));
    }
}
