//! A map, a goal, a field, and what a cell knows. Run with `cargo run --example 01_first_field`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::core::debug::{print_arrows, print_cost_to_goal};
use thalweg::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // 9 x 5 cells of plain ground, a wall with a gap in the south, a puddle of mud that costs four times as much.
    let mut costs = CostField::filled(Grid::new(9, 5)?, Cost::PLAIN);
    costs.set_rect(Cell::new(4, 0), Cell::new(4, 3), Cost::IMPASSABLE)?;
    costs.set_rect(Cell::new(5, 3), Cell::new(6, 4), Cost::from_byte(4))?;

    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(8, 0)]);
    let field = FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )?;

    println!(
        "cost-to-goal, one straight step on plain ground is {}:",
        field.integration().cost_unit()
    );
    println!("{}", print_cost_to_goal(field.integration()));
    println!("directions:\n{}", print_arrows(field.flow()));

    let start = field.query(Cell::new(0, 0));
    println!(
        "from (0,0): cost {:?}, first step {:?}",
        start.cost(),
        start.direction()
    );
    assert!(start.cost().is_some(), "a way leads through the gap");
    assert!(
        field.query(Cell::new(4, 1)).cost().is_none(),
        "a wall has no cost-to-goal"
    );
    Ok(())
}
