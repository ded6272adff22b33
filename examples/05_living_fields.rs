//! A goal that runs and a wall that grows, with a budget of work per tick. Run with `cargo run --example 05_living_fields`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use thalweg::living_map::{LivingMap, ProfileSpec};
use thalweg::navigator::{Advice, FieldStatus, Navigator, NavigatorOptions, WhileMaking};
use thalweg::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let costs = CostField::filled(Grid::new(48, 24)?, Cost::PLAIN);
    let mut navigator = Navigator::new(LivingMap::new(costs), NavigatorOptions::new());
    let hunter = navigator
        .map_mut()
        .add_profile(ProfileSpec::new(MovementProfile::new()))?;
    let prey = navigator.request(hunter, GoalSet::from_cells([Cell::new(40, 2)]))?;
    navigator.update(&Serial);

    let mut cell = Cell::new(2, 20);
    let (mut fresh, mut stale, mut caught_at) = (0, 0, None);
    for tick in 0..120 {
        // The prey walks back and forth along the eastern side; a wall grows down the middle.
        let y = 2 + (tick % 40 - 20_i32).abs();
        navigator.set_goals(prey, GoalSet::from_cells([Cell::new(40, y)]))?;
        if tick < 18 {
            navigator.map_mut().set(Cell::new(24, tick), Cost::IMPASSABLE)?;
        }
        // A field of this map takes about 10,000 units: every third tick or so there is a new one.
        navigator.update_within(4_000, &Serial);
        match navigator.status(prey)? {
            FieldStatus::Ready(_) => fresh += 1,
            FieldStatus::Stale { .. } => stale += 1,
            other => return Err(format!("tick {tick}: {other:?}").into()),
        }
        // The hunter keeps to what is published, however stale: its steps are checked against the map as it is now.
        match navigator.advice(prey, cell, WhileMaking::KeepOld)? {
            Advice::Follow { next, .. } => cell = next,
            Advice::Arrived => caught_at = Some(tick),
            // Where the prey was it waits for news, and at a wall that has grown into its way too.
            _ => {}
        }
        if cell == Cell::new(40, y) || caught_at.is_some() {
            caught_at.get_or_insert(tick);
            break;
        }
    }
    let stats = navigator.stats();
    println!(
        "caught at tick {caught_at:?}: {fresh} ticks with the right field, {stale} with one of a moment ago; \
         {} bundles published, none in more than 4,000 units a tick and a little",
        stats.bundles_published
    );
    assert!(caught_at.is_some(), "a stale field is good enough to hunt by");
    assert!(stats.bundles_published > 5, "and it is never long the same");
    Ok(())
}
