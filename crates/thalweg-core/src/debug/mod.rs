//! Small maps as text, for failing tests and for looking at a field without a renderer. Layers stand under each other, an
//! empty line between them.

use crate::cost::CostField;
use crate::flow::{FlowField, Guidance};
use crate::grid::Grid;
use crate::integrate::{IntegrationField, Reach};

/// Costs as a text map: `#` impassable, `?` unknown, `.` cost 1, else the number; columns are aligned.
#[must_use]
pub fn print_costs(costs: &CostField) -> String {
    table(costs.grid(), |id| match costs.get(id) {
        None => "?".to_owned(),
        Some(cost) if !cost.is_passable() => "#".to_owned(),
        Some(cost) if cost.byte() == 1 => ".".to_owned(),
        Some(cost) => cost.to_string(),
    })
}

/// Cost-to-goal as a table: `-` unreachable, `?` unknown.
#[must_use]
pub fn print_cost_to_goal(field: &IntegrationField) -> String {
    table(field.grid(), |id| match field.reach(id) {
        Reach::Reached(cost) => cost.to_string(),
        Reach::Unreachable => "-".to_owned(),
        Reach::Unknown => "?".to_owned(),
    })
}

/// Directions as arrows: `●` goal, `@` portal, `#` wall, `-` unreachable, `?` unknown.
#[must_use]
pub fn print_arrows(flow: &FlowField) -> String {
    table(flow.grid(), |id| {
        match flow.guidance(id) {
            Guidance::Toward(direction) => direction.arrow(),
            Guidance::Through(_) => '@',
            Guidance::Goal => '●',
            Guidance::Impassable => '#',
            Guidance::Unreachable => '-',
            Guidance::Unknown => '?',
        }
        .to_string()
    })
}

/// Costs, cost-to-goal and arrows under each other, as a failing test wants to see them.
#[must_use]
pub fn print_all(costs: &CostField, field: &IntegrationField, flow: &FlowField) -> String {
    format!(
        "costs\n{}cost-to-goal (one straight step at cost 1 is {})\n{}directions\n{}",
        print_costs(costs),
        field.cost_unit(),
        print_cost_to_goal(field),
        print_arrows(flow)
    )
}

fn table(grid: &Grid, text: impl Fn(crate::grid::CellId) -> String) -> String {
    let texts: Vec<String> = grid.ids().map(text).collect();
    let wide = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    let mut out = String::new();
    for layer in grid.layers() {
        if layer.index() > 0 {
            out.push('\n');
        }
        for row in texts[layer.range()].chunks(layer.width() as usize) {
            for (column, text) in row.iter().enumerate() {
                let gap = if column == 0 || wide == 1 { 0 } else { 1 };
                out.extend(core::iter::repeat_n(' ', gap + wide - text.chars().count()));
                out.push_str(text);
            }
            out.push('\n');
        }
    }
    out
}
