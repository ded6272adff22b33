//! Checks a row against the core: every engine that can run it, every charge, every scale the row has.

use super::directed::{check_graph, check_links, check_one_way};
use super::fields::{Answers, check_fields};
use super::generate::{cell, cell_of_key, costs_of};
use super::grid::{check_footprints, check_grid};
use super::layers::check_layers;
use super::row::{
    CellOrWord, Coordinate, EditsRow, GraphRow, LimitRow, PairsRow, Row, StatusRow, TransformRow,
};
use crate::oracle::Oracle;
use crate::solve::{engines_for, scale, solve, try_solve};
use std::collections::BTreeMap;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{CellId, Grid, PositionError, WorldTransform, YAxis};
use thalweg_core::integrate::{GoalSet, IntegrateOptions, Reach, RouteStatus, route_status};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale};

/// What became of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The row holds; so many numbers were compared.
    Holds {
        /// Numbers compared, over all engines, charges and scales.
        comparisons: usize,
    },
    /// The core has nothing yet that the row is about.
    NotBuilt,
}

/// Checks one row.
///
/// # Panics
/// If the core disagrees with the row; the message names the row, the rules and both numbers.
#[must_use]
pub fn check_row(row: &Row) -> Checked {
    let comparisons = match row {
        Row::Grid(row) => check_grid(row),
        Row::Footprints(row) => check_footprints(row),
        Row::Limit(row) => check_limit(row),
        Row::Pairs(row) => check_pairs(row),
        Row::Edits(row) => check_edits(row),
        Row::Transform(row) => check_transform(row),
        Row::Status(row) => check_status(row),
        Row::Graph(row) => graph_as_strip(row).map_or(0, |strip| check_strip(row, &strip)) + check_graph(row),
        Row::OneWay(row) => check_one_way(row),
        Row::Links(row) => check_links(row),
        Row::Layers(row) => check_layers(row),
        Row::Sight(_) => {
            return Checked::NotBuilt;
        }
    };
    Checked::Holds { comparisons }
}

/// The profile that a row's words describe; charge and scale are set by the checks.
pub(super) fn rules(diag_rule: &str, neighbours: u8) -> MovementProfile {
    let corner_rule = match diag_rule {
        "both side cells free" => CornerRule::BothFree,
        "one side cell free" => CornerRule::OneFree,
        "no check" => CornerRule::Always,
        other => panic!("`{other}` is no corner rule"),
    };
    let connectivity = match neighbours {
        4 => Connectivity::Four,
        8 => Connectivity::Eight,
        other => panic!("{other} neighbours are not on a square grid"),
    };
    MovementProfile::new()
        .with_connectivity(connectivity)
        .with_corner_rule(corner_rule)
}

fn check_limit(row: &LimitRow) -> usize {
    let costs = costs_of(&row.id, row.map.as_ref(), row.r#gen.as_ref(), &BTreeMap::new());
    let rules = rules(&row.diag_rule, row.neighbours);
    let goals = GoalSet::from_cells(row.goals.iter().copied().map(cell));
    let mut comparisons = 0;
    let by_charge = [
        (Charge::Arrive, Some(&row.expect)),
        (Charge::Depart, row.expect_depart.as_ref()),
        (Charge::Mean, row.expect_mean.as_ref()),
    ];
    for (charge, expect) in by_charge {
        // With all costs 1 the three charges agree.
        let expect = expect.unwrap_or(&row.expect);
        for (scale_text, &known) in &row.known_scaled {
            let scale: StepScale = scale_text.parse().expect("a step scale");
            let profile = rules.with_charge(charge).with_scale(scale);
            let unit = Movement::compile(&costs, &profile).steps().unit();
            // The row counts for arrival; the oracle counts for every charge.
            let oracle = Oracle::new(&costs, &profile);
            let exact = oracle.cost_to_goals(&oracle.goals_of(&costs, &goals));
            let within = |cost: &&u64| **cost <= u64::from(row.limit) * u64::from(unit);
            let wanted_known = exact.iter().flatten().filter(within).count();
            if charge == Charge::Arrive {
                assert_eq!(wanted_known, known, "{} {scale}: the oracle's count", row.id);
            }
            for engine in engines_for(&costs, &profile) {
                let options = IntegrateOptions::new()
                    .with_engine(engine)
                    .with_cost_limit(row.limit * unit);
                let solved = try_solve(&costs, &profile, &goals, &options).expect("goals that can be used");
                let context = format!("{} {charge} {scale} {engine}", row.id);
                let reached = solved
                    .field
                    .reaches()
                    .filter(|reach| matches!(reach, Reach::Reached(_)))
                    .count();
                assert_eq!(reached, wanted_known, "{context}: known cells");
                for (key, &wanted) in expect {
                    let id = costs.grid().id(cell_of_key(key)).expect("a cell of the map");
                    let reach = solved.field.reach(id);
                    let beyond = wanted.is_none() && row.expect_without_limit[key].is_some();
                    match wanted {
                        None if beyond => assert_eq!(reach, Reach::Unknown, "{context}: {key} is cut off"),
                        None => assert!(reach.cost().is_none(), "{context}: {key}"),
                        Some(_) => {
                            assert!(reach.cost().is_some(), "{context}: {key} is within the limit");
                        }
                    }
                }
                comparisons += 1 + expect.len();
            }
        }
    }
    let without = Answers::plain(&row.expect_without_limit);
    comparisons
        + check_fields(
            &row.id,
            &costs,
            rules.with_charge(Charge::Arrive),
            &goals,
            &without,
        )
}

fn check_pairs(row: &PairsRow) -> usize {
    let costs = row.r#gen.build();
    let free = costs.bytes().iter().filter(|&&byte| byte != 255).count();
    assert_eq!(free, row.free_cells, "{}: free cells", row.id);
    let rules = rules(&row.diag_rule, row.neighbours);
    for &(a, b, there, back) in &row.pairs {
        assert_eq!(there, back, "{}: the row itself is symmetric", row.id);
        for (from, to, wanted) in [(a, b, there), (b, a, back)] {
            let expect = BTreeMap::from([(format!("{},{}", from[0], from[1]), wanted)]);
            let goals = GoalSet::from_cells([cell(to)]);
            check_fields(&row.id, &costs, rules, &goals, &Answers::plain(&expect));
        }
    }
    1 + 2 * row.pairs.len()
}

fn check_edits(row: &EditsRow) -> usize {
    let mut costs = costs_of(&row.id, row.map.as_ref(), row.r#gen.as_ref(), &BTreeMap::new());
    let rules = rules(&row.diag_rule, row.neighbours);
    let goals = GoalSet::from_cells(row.goals.iter().copied().map(cell));
    let mut before: Option<Vec<Option<u64>>> = None;
    let mut comparisons = 0;
    for (number, step) in row.steps.iter().enumerate() {
        let name = format!("{} step {number}", row.id);
        for &(x, y, cost) in &step.set {
            costs
                .set(cell([x, y]), cost.map_or(Cost::IMPASSABLE, Cost::from_byte))
                .expect("an edit on the map");
        }
        let by_charge = [
            (Charge::Arrive, Some(&step.expect)),
            (Charge::Depart, step.expect_depart.as_ref()),
            (Charge::Mean, step.expect_mean.as_ref()),
        ];
        for (charge, expect) in by_charge {
            let answers = Answers {
                reached: Some(step.reached_cells),
                ..Answers::plain(expect.unwrap_or(&step.expect))
            };
            comparisons += check_fields(&name, &costs, rules.with_charge(charge), &goals, &answers);
        }
        let profile = rules.with_charge(Charge::Arrive);
        for engine in engines_for(&costs, &profile) {
            let solved = solve(&costs, &profile, &goals, engine);
            let values: Vec<Option<u64>> = solved
                .field
                .reaches()
                .map(|reach| reach.cost().map(|cost| u64::from(cost.0)))
                .collect();
            let sum: u64 = values.iter().flatten().sum();
            assert_eq!(sum, step.scaled_sum, "{name} {engine}: sum");
            comparisons += 1;
            if let (Some(before), Some(wanted)) = (&before, step.changed_cells) {
                let changed = values.iter().zip(before).filter(|(a, b)| a != b).count();
                assert_eq!(changed, wanted, "{name} {engine}: changed cells");
                comparisons += 1;
            }
            if engine == *engines_for(&costs, &profile).last().expect("one engine at least") {
                before = Some(values);
            }
        }
    }
    comparisons
}

fn check_transform(row: &TransformRow) -> usize {
    let grid = Grid::with_first_cell(row.dims[0], row.dims[1], cell(row.first_cell)).expect("a grid");
    let transform = WorldTransform::new(row.origin, row.cell_size, YAxis::Down).expect("a transform");
    for point in &row.points {
        let world = [0, 1].map(|axis| match &point.world[axis] {
            Coordinate::Number(number) => *number,
            Coordinate::Named(name) => name.parse().expect("NaN, inf or -inf"),
        });
        let got = transform.cell_at(&grid, 0, world);
        let agrees = match &point.cell {
            CellOrWord::Cell(wanted) => got == Ok(cell(*wanted)),
            CellOrWord::Word(word) if word == "outside" => matches!(got, Err(PositionError::Outside(..))),
            CellOrWord::Word(word) if word == "error" => matches!(got, Err(PositionError::NotFinite(..))),
            CellOrWord::Word(word) => panic!("{}: `{word}` is no answer", row.id),
        };
        assert!(
            agrees,
            "{}: {world:?} gives {got:?}, not {:?}",
            row.id, point.cell
        );
    }
    row.points.len()
}

fn check_status(row: &StatusRow) -> usize {
    let costs = costs_of(&row.id, row.map.as_ref(), row.r#gen.as_ref(), &BTreeMap::new());
    let profile = rules(&row.diag_rule, row.neighbours);
    let movement = Movement::compile(&costs, &profile);
    for query in &row.queries {
        let goals = GoalSet::from_cells([cell(query.goal)]);
        let field = try_solve(&costs, &profile, &goals, &IntegrateOptions::new()).ok();
        let resolved = goals.resolve(&movement);
        let got = route_status(
            &movement,
            resolved.as_ref(),
            field.as_ref().map(|solved| &solved.field),
            cell(query.agent),
        );
        let word = match got {
            RouteStatus::Ok(_) => "Ok",
            RouteStatus::Unreachable => "Unreachable",
            RouteStatus::AgentOutside => "AgentOutside",
            RouteStatus::AgentBlocked => "AgentBlocked",
            RouteStatus::GoalBlocked => "GoalBlocked",
            other => panic!("{}: {query:?} gives {other:?}", row.id),
        };
        assert_eq!(word, query.status, "{}: {query:?}", row.id);
        if query.agent == query.goal {
            assert!(
                matches!(got, RouteStatus::Ok(cost) if cost.0 == 0),
                "{}: {query:?}",
                row.id
            );
        }
    }
    row.queries.len()
}

/// A graph of two nodes with an edge each way is a strip of two cells charged on departure.
fn graph_as_strip(row: &GraphRow) -> Option<CostField> {
    let [(a, b, there), (c, d, back)] = row.edges.as_slice() else {
        return None;
    };
    let bytes = [u8::try_from(*there).ok()?, u8::try_from(*back).ok()?];
    let grid = Grid::new(2, 1).ok()?;
    (a == d && b == c).then(|| CostField::from_bytes(grid, bytes.to_vec()).expect("two cells"))
}

fn check_strip(row: &GraphRow, strip: &CostField) -> usize {
    let names = [row.edges[0].0.as_str(), row.edges[0].1.as_str()];
    let id_of = |name: &str| {
        let index = names
            .iter()
            .position(|&other| other == name)
            .expect("a named node");
        CellId::from_index(index)
    };
    let goals = GoalSet::from_cells(row.goals.iter().map(|name| strip.grid().cell(id_of(name))));
    let profile = MovementProfile::new()
        .with_connectivity(Connectivity::Four)
        .with_scale(scale(1, 1));
    for engine in engines_for(strip, &profile) {
        let solved = solve(strip, &profile, &goals, engine);
        for (name, &wanted) in &row.expect {
            let got = solved.field.cost(id_of(name)).map(|cost| cost.0);
            assert_eq!(got, wanted, "{} {engine}: {name}", row.id);
        }
        for (name, wanted) in &row.next {
            let id = id_of(name);
            let next = solved.flow.successors(id).iter();
            let next: Vec<&str> = next
                .filter_map(|direction| solved.movement.step_target(id, direction))
                .map(|to| names[to.index()])
                .collect();
            assert_eq!(next, *wanted, "{} {engine}: after {name}", row.id);
        }
    }
    row.expect.len() + row.next.len()
}
