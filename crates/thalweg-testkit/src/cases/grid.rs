//! Rows of kind `grid`: one field, in real numbers and at every scale.

use super::check::rules;
use super::fields::{Answers, check_fields, solved, values};
use super::generate::{cell, cell_of_key, costs_of};
use super::row::{ByCell, ByScale, FootprintsRow, GridRow, NearestReachable};
use crate::oracle::Oracle;
use crate::solve::engines_for;
use std::collections::BTreeMap;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, DirectionSet};
use thalweg_core::integrate::{BlockedGoals, GoalMeeting, GoalSet, nearest_reachable, reachable_from};
use thalweg_core::movement::{Charge, Footprint, Movement, MovementProfile, StepScale};

pub(super) fn check_grid(row: &GridRow) -> usize {
    let costs = costs_of(&row.id, row.map.as_ref(), row.r#gen.as_ref(), &row.legend);
    let rules = rules(&row.diag_rule, row.neighbours).with_footprint(body_of(row.agent_cells));
    // The rows of this kind name the cell that the anchor has to reach.
    let goals = GoalSet::from_cells(row.goals.iter().copied().map(cell)).with_meeting(GoalMeeting::ByAnchor);
    let mut comparisons = 0;
    let by_charge = [
        (Charge::Arrive, Some(&row.expect)),
        (Charge::Depart, row.expect_depart.as_ref()),
        (Charge::Mean, row.expect_mean.as_ref()),
    ];
    for (charge, expect) in by_charge {
        let answers = Answers {
            // A row without numbers for a charge has all costs 1, where the three agree.
            expect: Some(expect.unwrap_or(&row.expect)),
            table: row
                .expect_table
                .as_ref()
                .filter(|_| charge == Charge::Arrive || expect.is_none()),
            reached: Some(row.reached_cells),
        };
        comparisons += check_fields(&row.id, &costs, rules.with_charge(charge), &goals, &answers);
    }
    let depart_cells = row.scaled_depart.as_ref().unwrap_or(&row.scaled);
    let depart_sums = row.scaled_sum_depart.as_ref().unwrap_or(&row.scaled_sum);
    comparisons += check_scaled(
        row,
        &costs,
        rules.with_charge(Charge::Arrive),
        &goals,
        &row.scaled,
        &row.scaled_sum,
    );
    comparisons += check_scaled(
        row,
        &costs,
        rules.with_charge(Charge::Depart),
        &goals,
        depart_cells,
        depart_sums,
    );
    if let Some(nearest) = &row.nearest_reachable {
        comparisons += check_nearest(row, nearest, &costs, rules);
    }
    comparisons
}

fn body_of(agent_cells: u32) -> Footprint {
    match agent_cells {
        1 => Footprint::Point,
        side => Footprint::square(side).expect("a small body"),
    }
}

/// One map, several bodies: how many free anchors each has, and its cost to the goal by anchor and by footprint.
pub(super) fn check_footprints(row: &FootprintsRow) -> usize {
    let costs = costs_of(&row.id, Some(&row.map), None, &BTreeMap::new());
    let mut comparisons = 0;
    for (size, body) in &row.sizes {
        let footprint: Footprint = match size.as_str() {
            "1x1" => Footprint::Point,
            sides => format!("rectangle:{sides}").parse().expect("a small body"),
        };
        let rules = rules(&row.diag_rule, row.neighbours).with_footprint(footprint);
        let movement = Movement::compile(&costs, &rules);
        let placeable = costs.grid().ids().filter(|&id| movement.is_passable(id)).count();
        assert_eq!(placeable, body.placeable, "{}: anchors of {size}", row.id);
        comparisons += 1;
        for (meeting, expect) in [
            (GoalMeeting::ByAnchor, &body.anchor),
            (GoalMeeting::ByFootprint, &body.cover),
        ] {
            let goals = GoalSet::from_cells([cell(row.goal)]).with_meeting(meeting);
            let name = format!("{} {size} {meeting:?}", row.id);
            for charge in [Charge::Arrive, Charge::Depart, Charge::Mean] {
                let rules = rules.with_charge(charge);
                comparisons += check_fields(&name, &costs, rules, &goals, &Answers::plain(expect));
                comparisons += check_coarse(&name, &costs, rules, &goals);
            }
        }
    }
    comparisons
}

/// The rows give real numbers; at the coarser scales every engine must agree with the oracle on every anchor.
fn check_coarse(name: &str, costs: &CostField, rules: MovementProfile, goals: &GoalSet) -> usize {
    let mut comparisons = 0;
    for scale in ["10/14", "12/17", "29/41", "70/99"] {
        let profile = rules.with_scale(scale.parse().expect("a step scale"));
        let oracle = Oracle::new(costs, &profile);
        let exact = oracle.cost_to_goals(&oracle.goals_of(costs, goals));
        for engine in engines_for(costs, &profile) {
            let got = values(costs, solved(costs, &profile, goals, engine).as_ref());
            assert_eq!(got, exact, "{name} {} {scale} {engine}", profile.charge);
            comparisons += got.len();
        }
    }
    comparisons
}

fn check_scaled(
    row: &GridRow,
    costs: &CostField,
    profile: MovementProfile,
    goals: &GoalSet,
    cells: &ByScale<ByCell<u64>>,
    sums: &ByScale<u64>,
) -> usize {
    let mut comparisons = 0;
    for (scale_text, cells) in cells {
        let scale: StepScale = scale_text.parse().expect("a step scale");
        let profile = profile.with_scale(scale);
        for engine in engines_for(costs, &profile) {
            let context = format!("{} {} {scale} {engine}", row.id, profile.charge);
            let solved = solved(costs, &profile, goals, engine);
            let values = values(costs, solved.as_ref());
            for (key, &wanted) in cells {
                let id = costs.grid().id(cell_of_key(key)).expect("a cell of the map");
                assert_eq!(values[id.index()], wanted, "{context}: {key}");
            }
            let sum: u64 = values.iter().flatten().sum();
            assert_eq!(sum, sums[scale_text], "{context}: sum");
            let reached = values.iter().flatten().count();
            assert_eq!(reached, row.reached_cells, "{context}: reached cells");
            comparisons += cells.len() + 2;

            // `tight` and `label` are given for arrival.
            let Some(solved) = solved.filter(|_| profile.charge == Charge::Arrive) else {
                continue;
            };
            for (key, wanted) in &row.tight {
                let id = costs.grid().id(cell_of_key(key)).expect("a cell of the map");
                let wanted: DirectionSet = wanted.iter().map(|name| direction_named(name)).collect();
                assert_eq!(
                    solved.flow.successors(id),
                    wanted,
                    "{context}: successors of {key}"
                );
                assert_eq!(
                    solved.flow.direction(id),
                    wanted.first(),
                    "{context}: direction of {key}"
                );
            }
            for (key, wanted) in &row.label {
                let id = costs.grid().id(cell_of_key(key)).expect("a cell of the map");
                let got = solved.field.goal(id).map(|goal| row.goals[goal as usize]);
                assert_eq!(got, *wanted, "{context}: goal of {key}");
            }
            comparisons += row.tight.len() + row.label.len();
        }
    }
    comparisons
}

fn direction_named(name: &str) -> thalweg_core::grid::Direction {
    thalweg_core::grid::DIRECTIONS
        .into_iter()
        .find(|direction| direction.name() == name)
        .unwrap_or_else(|| panic!("`{name}` is no direction"))
}

fn check_nearest(
    row: &GridRow,
    nearest: &NearestReachable,
    costs: &CostField,
    rules: MovementProfile,
) -> usize {
    let movement = Movement::compile(costs, &rules);
    let grid = costs.grid();
    let from = grid.id(cell(nearest.from)).expect("a cell of the map");
    let target = cell(row.goals[0]);
    let distance = |at: Cell| {
        let (dx, dy) = (f64::from(at.x - target.x), f64::from(at.y - target.y));
        (dx * dx + dy * dy).sqrt()
    };
    let mut tied: Vec<Cell> = nearest.cells.iter().copied().map(cell).collect();
    tied.sort_by_key(|at| grid.id(*at));
    let chosen = nearest_reachable(&movement, from, target).map(|id| grid.cell(id));
    assert_eq!(chosen, tied.first().copied(), "{}: nearest reachable", row.id);
    let reachable = reachable_from(&movement, from);
    let as_near: Vec<Cell> = grid
        .ids()
        .filter(|&id| reachable.contains(id))
        .map(|id| grid.cell(id))
        .filter(|&at| (distance(at) - nearest.distance).abs() < 1e-5)
        .collect();
    assert_eq!(as_near, tied, "{}: cells as near", row.id);
    // A goal that can be used stays where it is: the policy is for blocked ones.
    if !grid.id(target).is_some_and(|id| movement.is_passable(id)) {
        let goals =
            GoalSet::from_cells([target]).with_blocked_goals(BlockedGoals::NearestReachableFrom(from));
        let resolved = goals.resolve(&movement).expect("a substitute");
        assert_eq!(
            grid.cell(resolved.seeds()[0].cell),
            tied[0],
            "{}: substitute",
            row.id
        );
        assert_eq!(
            resolved.report().moved,
            [(0, target, tied[0])],
            "{}: report",
            row.id
        );
    }
    2 + tied.len()
}
