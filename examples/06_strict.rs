//! Nobody shares a place: two rooms that change places through a lane for one, and a pair that never can. Run with
//! `cargo run --example 06_strict`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::crowd::strict::{StrictCrowd, StrictGroup, StrictOptions, StrictSpec};
use thalweg::crowd::{ArrivalRule, GroupId, Outcome};
use thalweg::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Two rooms of 3 x 3 and a lane of six between their middle rows.
    let mut costs = CostField::filled(Grid::new(12, 3)?, Cost::PLAIN);
    for id in costs.grid().clone().ids() {
        let cell = costs.grid().cell(id);
        if (3..9).contains(&cell.x) && cell.y != 1 {
            costs.write(id, Some(Cost::IMPASSABLE));
        }
    }
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let build = |x: i32| {
        let room = (0..3).flat_map(|y| (x..x + 3).map(move |x| Cell::new(x, y)));
        let goals = GoalSet::from_cells(room);
        FieldBundle::build(
            movement.clone(),
            &goals,
            &BuildOptions::new(),
            &mut BuildScratch::new(),
            &Serial,
        )
    };
    let (east, west) = (build(9)?, build(0)?);
    let groups =
        [&east, &west].map(|field| StrictGroup::new(field.movement(), field.integration(), field.flow()));
    let mut crowd = StrictCrowd::new(costs.grid().clone(), StrictOptions::default())?;
    for y in 0..3 {
        crowd.add(&StrictSpec::new(Cell::new(0, y), GroupId(0)), &movement)?;
        crowd.add(&StrictSpec::new(Cell::new(11, y), GroupId(1)), &movement)?;
    }
    while crowd.agents().any(|(_, view)| view.outcome != Outcome::Arrived) {
        crowd.step(&groups, &Serial)?;
        assert!(crowd.tick() < 100, "all six get there");
    }
    println!(
        "six changed places in {} ticks; nobody stood longer than {}",
        crowd.tick(),
        crowd.longest_wait()
    );

    // A lane that is connected with nothing else: two who face each other can never pass, and are told so.
    let costs = CostField::filled(Grid::new(8, 1)?, Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let build = |x: i32| {
        let goals = GoalSet::from_cells([Cell::new(x, 0)]);
        FieldBundle::build(
            movement.clone(),
            &goals,
            &BuildOptions::new(),
            &mut BuildScratch::new(),
            &Serial,
        )
    };
    let (east, west) = (build(7)?, build(0)?);
    let groups = [&east, &west].map(|field| StrictGroup {
        arrival: ArrivalRule::Leave,
        ..StrictGroup::new(field.movement(), field.integration(), field.flow())
    });
    let mut crowd = StrictCrowd::new(costs.grid().clone(), StrictOptions::default())?;
    let pair = [
        crowd.add(&StrictSpec::new(Cell::new(1, 0), GroupId(0)), &movement)?,
        crowd.add(&StrictSpec::new(Cell::new(6, 0), GroupId(1)), &movement)?,
    ];
    let deadlocked = |crowd: &StrictCrowd| {
        pair.iter().all(|&id| {
            crowd
                .get(id)
                .is_some_and(|view| view.outcome == Outcome::Deadlocked)
        })
    };
    while !deadlocked(&crowd) {
        crowd.step(&groups, &Serial)?;
        assert!(crowd.tick() < 100, "they are told in the end");
    }
    println!(
        "a facing pair was told after {} ticks; the knot is {:?}",
        crowd.tick(),
        crowd.knots()
    );
    assert_eq!(crowd.knots(), [pair.to_vec()]);
    Ok(())
}
