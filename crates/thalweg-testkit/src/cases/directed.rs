//! Rows about directed edges: one-way borders, links, and graphs without a grid.

use super::check::rules;
use super::generate::{cell, cell_of_key, costs_of};
use super::row::{ByCell, ByScale, GraphRow, Link, LinksRow, OneWayRow};
use crate::solve::{Solved, scale, try_solve_movement};
use std::collections::{BTreeMap, VecDeque};
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, CellId, Direction, DirectionSet, Grid};
use thalweg_core::integrate::{Engine, GoalSet, IntegrateOptions};
use thalweg_core::movement::{
    Charge, Connectivity, EdgeKind, EdgeRules, Movement, MovementProfile, StepScale,
};

/// The engines that run over every kind of edge.
const ENGINES: [Engine; 2] = [Engine::Heap, Engine::Buckets];

pub(super) fn check_one_way(row: &OneWayRow) -> usize {
    let costs = costs_of(&row.id, Some(&row.map), None, &BTreeMap::new());
    let mut edge_rules = EdgeRules::new(costs.grid().clone());
    for (key, sides) in &row.enter_from {
        let sides: DirectionSet = sides.iter().map(|side| side_named(side)).collect();
        edge_rules
            .only_enter_from(cell_of_key(key), sides)
            .expect("a cell of the map");
    }
    let goals = GoalSet::from_cells(row.goals.iter().copied().map(cell));
    let answers = DirectedAnswers {
        id: &row.id,
        rules: rules(&row.diag_rule, row.neighbours),
        reached: row.reached_cells,
        scaled: &row.scaled,
        scaled_sum: &row.scaled_sum,
        expect: &row.expect,
        charge: Charge::Arrive,
    };
    answers.check(&costs, &goals, |_| edge_rules.clone(), |_| ())
}

fn side_named(name: &str) -> Direction {
    match name {
        "N" => Direction::N,
        "E" => Direction::E,
        "S" => Direction::S,
        "W" => Direction::W,
        other => panic!("`{other}` is no side"),
    }
}

pub(super) fn check_links(row: &LinksRow) -> usize {
    let costs = costs_of(&row.id, Some(&row.map), None, &row.legend);
    let goals = GoalSet::from_cells(row.goals.iter().copied().map(cell));
    let arrive = DirectedAnswers {
        id: &row.id,
        rules: rules(&row.diag_rule, row.neighbours),
        reached: row.reached_cells,
        scaled: &row.scaled,
        scaled_sum: &row.scaled_sum,
        expect: &row.expect,
        charge: Charge::Arrive,
    };
    // A link costs its number of straight steps at cost 1, whatever its ends cost.
    let with_links = |unit: u32| linked(costs.grid().clone(), &row.links, unit);
    let mut comparisons = arrive.check(&costs, &goals, with_links, |solved| {
        for (key, &wanted) in &row.fewest_hops {
            assert_eq!(
                fewest_hops(solved, cell_of_key(key)),
                wanted,
                "{}: hops from {key}",
                row.id
            );
        }
        for id in solved.field.grid().ids() {
            follow(solved, id, row.reached_cells);
        }
    });
    if let (Some(scaled), Some(scaled_sum)) = (&row.scaled_depart, &row.scaled_sum_depart) {
        let expect = row.expect_depart.as_ref().expect("numbers come with both");
        let depart = DirectedAnswers {
            scaled,
            scaled_sum,
            expect,
            charge: Charge::Depart,
            ..arrive
        };
        comparisons += depart.check(&costs, &goals, with_links, |_| ());
    }
    comparisons
}

pub(super) fn linked(grid: Grid, links: &[Link], unit: u32) -> EdgeRules {
    let mut edge_rules = EdgeRules::new(grid);
    for link in links {
        let [from, to] = [&link.from, &link.to].map(|end| {
            let layer = end
                .get(2)
                .map_or(0, |&layer| u16::try_from(layer).expect("a few floors"));
            Cell::on(layer, end[0], end[1])
        });
        edge_rules
            .add_portal(from, to, link.cost * unit)
            .expect("a link on the map");
        if link.both {
            edge_rules
                .add_portal(to, from, link.cost * unit)
                .expect("a link on the map");
        }
    }
    edge_rules
}

/// What a row says about one charge.
pub(super) struct DirectedAnswers<'a> {
    pub(super) id: &'a str,
    pub(super) rules: MovementProfile,
    pub(super) reached: usize,
    pub(super) scaled: &'a ByScale<ByCell<u64>>,
    pub(super) scaled_sum: &'a ByScale<u64>,
    pub(super) expect: &'a ByCell<f64>,
    pub(super) charge: Charge,
}

impl DirectedAnswers<'_> {
    /// Compares every engine at every scale; `rules_of` makes the edge rules for a cost unit, `also` looks further.
    pub(super) fn check(
        &self,
        costs: &CostField,
        goals: &GoalSet,
        rules_of: impl Fn(u32) -> EdgeRules,
        also: impl Fn(&Solved),
    ) -> usize {
        let mut comparisons = 0;
        for (text, wanted) in self.scaled {
            let scale: StepScale = text.parse().expect("a step scale");
            let profile = self.rules.with_charge(self.charge).with_scale(scale);
            let unit = Movement::compile(costs, &profile).steps().unit();
            for engine in ENGINES {
                let context = format!("{} {} {text} {engine}", self.id, self.charge);
                let movement =
                    Movement::compile_with(costs, &rules_of(unit), &profile).expect("rules of this map");
                let options = IntegrateOptions::new().with_engine(engine);
                let solved =
                    try_solve_movement(movement, costs, goals, &options).expect("goals that can be used");
                for (key, &number) in wanted {
                    assert_eq!(cost_at(&solved, key), number, "{context}: {key}");
                }
                let values = || {
                    solved
                        .field
                        .reaches()
                        .filter_map(|reach| reach.cost())
                        .map(|cost| u64::from(cost.0))
                };
                assert_eq!(values().sum::<u64>(), self.scaled_sum[text], "{context}: sum");
                assert_eq!(values().count(), self.reached, "{context}: reached cells");
                if text == "408/577" {
                    for (key, &number) in self.expect {
                        #[expect(clippy::cast_precision_loss, reason = "costs of small maps")]
                        let got = cost_at(&solved, key).map(|cost| cost as f64 / f64::from(unit));
                        let close = match (got, number) {
                            (Some(got), Some(number)) => (got - number).abs() <= 1e-5 * number.max(1.0),
                            (got, number) => got.is_none() && number.is_none(),
                        };
                        assert!(close, "{context}: {key} is {got:?}, not {number:?}");
                    }
                }
                also(&solved);
                comparisons += wanted.len() + 2;
            }
        }
        comparisons
    }
}

fn cost_at(solved: &Solved, key: &str) -> Option<u64> {
    let id = solved
        .field
        .grid()
        .id(cell_of_key(key))
        .expect("a cell of the map");
    solved.field.cost(id).map(|cost| u64::from(cost.0))
}

/// The fewest moves to a goal over edges that keep the least cost.
fn fewest_hops(solved: &Solved, from: Cell) -> usize {
    let start = solved.field.grid().id(from).expect("a cell of the map");
    let mut seen = vec![start];
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((id, hops)) = open.pop_front() {
        if solved.field.sinks().iter().any(|seed| seed.cell == id) {
            return hops;
        }
        let cost = solved.field.cost(id).expect("a reached cell").0;
        for edge in solved.movement.edges_from(id) {
            let keeps = solved
                .field
                .cost(edge.other)
                .is_some_and(|next| next.0 + edge.cost == cost);
            if keeps && !seen.contains(&edge.other) {
                seen.push(edge.other);
                open.push_back((edge.other, hops + 1));
            }
        }
    }
    panic!("no goal is reached from {from}");
}

/// Follows the first successor of every cell; it must end within `limit` moves.
fn follow(solved: &Solved, start: CellId, limit: usize) {
    let mut id = start;
    for _ in 0..limit {
        let step = solved.flow.direction(id).map(EdgeKind::Step);
        let portal = || solved.flow.portal_successors(id).next().map(EdgeKind::Portal);
        let Some(kind) = step.or_else(portal) else { return };
        let edge = solved.movement.edges_from(id).find(|edge| edge.kind == kind);
        id = edge.expect("a successor is an edge").other;
    }
    panic!("following from cell id {} does not end", start.0);
}

/// A graph becomes a row of islands: every node a cell between walls, every edge a portal.
pub(super) fn check_graph(row: &GraphRow) -> usize {
    let mut nodes: Vec<&str> = Vec::new();
    for name in row
        .edges
        .iter()
        .flat_map(|(from, to, _)| [from, to])
        .chain(&row.goals)
    {
        if !nodes.contains(&name.as_str()) {
            nodes.push(name);
        }
    }
    let width = 2 * nodes.len() - 1;
    let grid = Grid::new(u32::try_from(width).expect("a small graph"), 1).expect("a small graph");
    let bytes = (0..width).map(|x| if x % 2 == 0 { 1 } else { 255 }).collect();
    let costs = CostField::from_bytes(grid.clone(), bytes).expect("one byte per cell");
    let place = |name: &str| {
        let node = nodes
            .iter()
            .position(|&other| other == name)
            .expect("a named node");
        Cell::new(i32::try_from(2 * node).expect("a small graph"), 0)
    };
    let mut edge_rules = EdgeRules::new(grid.clone());
    for (from, to, cost) in &row.edges {
        edge_rules
            .add_portal(place(from), place(to), *cost)
            .expect("an edge of the graph");
    }
    let profile = MovementProfile::new()
        .with_connectivity(Connectivity::Four)
        .with_scale(scale(1, 1));
    let goals = GoalSet::from_cells(row.goals.iter().map(|name| place(name)));
    for engine in ENGINES {
        let movement = Movement::compile_with(&costs, &edge_rules, &profile).expect("rules of this map");
        let options = IntegrateOptions::new().with_engine(engine);
        let solved = try_solve_movement(movement, &costs, &goals, &options).expect("goals that can be used");
        for (name, &wanted) in &row.expect {
            let id = grid.id(place(name)).expect("a node");
            assert_eq!(
                solved.field.cost(id).map(|cost| cost.0),
                wanted,
                "{} {engine}: {name}",
                row.id
            );
        }
        for (name, wanted) in &row.next {
            let id = grid.id(place(name)).expect("a node");
            let portals = solved.flow.portal_successors(id);
            let ends = portals.map(|portal| edge_rules.portal(portal).expect("a portal").to);
            let next: Vec<&str> = ends.map(|to| nodes[to.index() / 2]).collect();
            assert_eq!(next, *wanted, "{} {engine}: after {name}", row.id);
        }
    }
    row.expect.len() + row.next.len()
}
