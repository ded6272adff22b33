//! Rows about several layers joined by links.

use super::check::rules;
use super::directed::{DirectedAnswers, linked};
use super::generate::costs_of;
use super::row::LayersRow;
use std::collections::BTreeMap;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::GoalSet;
use thalweg_core::movement::Charge;

pub(super) fn check_layers(row: &LayersRow) -> usize {
    let floors: Vec<CostField> = row
        .layers
        .iter()
        .map(|map| costs_of(&row.id, Some(map), None, &BTreeMap::new()))
        .collect();
    let grid = Grid::stacked(floors.iter().map(CostField::grid)).expect("a few small floors");
    let bytes = floors.iter().flat_map(|floor| floor.bytes().to_vec()).collect();
    let costs = CostField::from_bytes(grid, bytes).expect("one byte per cell");
    let goals = GoalSet::from_cells(
        row.goals
            .iter()
            .map(|&[x, y, layer]| Cell::on(u16::try_from(layer).expect("a few floors"), x, y)),
    );
    // All costs are 1: charges agree.
    [Charge::Arrive, Charge::Depart]
        .into_iter()
        .map(|charge| {
            let answers = DirectedAnswers {
                id: &row.id,
                rules: rules(&row.diag_rule, row.neighbours),
                reached: row.reached_cells,
                scaled: &row.scaled,
                scaled_sum: &row.scaled_sum,
                expect: &row.expect,
                charge,
            };
            let with_links = |unit: u32| linked(costs.grid().clone(), &row.links, unit);
            answers.check(&costs, &goals, with_links, |_| ())
        })
        .sum()
}
