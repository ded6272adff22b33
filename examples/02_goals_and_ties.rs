//! Several goals with starting costs; which goal won; every tied way. Run with `cargo run --example 02_goals_and_ties`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::bundle::CellState;
use thalweg::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let costs = CostField::filled(Grid::new(11, 5)?, Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());

    // Two doors; the right one has a queue that is worth three straight steps.
    let goals = GoalSet::new()
        .with_goal(Goal::cell(Cell::new(0, 2)))
        .with_goal(Goal::cell(Cell::new(10, 2)).with_bias(30));
    let field = FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )?;

    let mut border = None;
    for x in 0..11 {
        let CellState::Reached {
            cost,
            successors,
            goal,
            ..
        } = field.query(Cell::new(x, 2)).state
        else {
            continue;
        };
        println!("({x},2): cost {cost}, goal {goal}, ways {successors:?}");
        if goal == 1 {
            border.get_or_insert(x);
        }
    }
    // Without the queue the border would lie in the middle; with it, the left door wins up to column 6.
    assert_eq!(border, Some(7));

    // Off the straight lines two ways are equally good, and the field keeps both.
    let both = field.query(Cell::new(3, 1));
    if let CellState::Reached { successors, .. } = both.state {
        assert_eq!(
            successors.iter().collect::<Vec<_>>(),
            [Direction::W, Direction::SW]
        );
    }
    Ok(())
}
