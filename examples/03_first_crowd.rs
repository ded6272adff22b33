//! Agents that follow a field, keep apart and come to rest. Run with `cargo run --example 03_first_crowd`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::crowd::{
    AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, Outcome, StalePolicy,
};
use thalweg::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two rooms joined by a door of one cell.
    let mut costs = CostField::filled(Grid::new(31, 15)?, Cost::PLAIN);
    costs.set_rect(Cell::new(15, 0), Cell::new(15, 14), Cost::IMPASSABLE)?;
    costs.set(Cell::new(15, 7), Cost::PLAIN)?;
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(27, 7)]);
    let field = FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )?;

    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new())?;
    for row in 0..8 {
        for column in 0..5 {
            let position = MapPoint::centre_of(2 + 2 * column, row + 3);
            let spec = AgentSpec {
                position,
                radius: 0.3,
                max_speed: 1.4,
                group: GroupId(0),
            };
            crowd.add(field.movement(), spec)?;
        }
    }

    // The crowd is handed the world and the field each tick; it owns neither.
    let input = GroupInput {
        movement: field.movement(),
        flow: Some(field.flow()),
        // Directions, or headings if the bundle was built with them.
        steering: field.steering(),
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival: ArrivalRule::Rest,
    };
    for tick in 0..1200 {
        let report = crowd.step(&[input], 0.05, &Serial)?;
        if tick % 200 == 199 {
            let seconds = f64::from(tick + 1) * 0.05;
            println!(
                "{seconds:>4} s: {} moved, {} waiting, {} arrived",
                report.outcomes[Outcome::Moved],
                report.outcomes[Outcome::Waiting],
                report.arrived_total
            );
        }
    }
    let arrived = crowd
        .agents()
        .filter(|(_, agent)| agent.outcome == Outcome::Arrived)
        .count();
    println!(
        "{arrived} of {} are at rest at the goal; state hash {:016x}",
        crowd.len(),
        crowd.state_hash().0
    );
    assert_eq!(arrived, crowd.len(), "everybody gets there");
    Ok(())
}
