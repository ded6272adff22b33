//! What headings and lengths cost beside the plain direction pass. Not a test of time, which a shared machine cannot give:
//! `cargo test --release -p thalweg-core --test heading_cost -- --ignored --nocapture` prints the figures.

use std::time::Instant;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{
    FlowField, FlowScratch, HeadingField, HeadingOptions, HeadingScratch, LengthField, OrderScratch, extract,
    look_ahead, measure_lengths,
};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::MovementProfile;
use thalweg_core::workers::Serial;
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::solve::solve;

fn least(mut pass: impl FnMut()) -> f64 {
    (0..7)
        .map(|_| {
            let start = Instant::now();
            pass();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints times; run it by hand in release"]
fn what_headings_cost_beside_the_plain_pass() {
    const SIDE: u32 = 512;
    for walls in [0, 1, 10, 30] {
        let mut costs = CostField::filled(Grid::new(SIDE, SIDE).unwrap(), Cost::PLAIN);
        let mut random = SplitMix64::new(3);
        let goal = Cell::new(250, 260);
        for id in costs.grid().ids() {
            let cell = costs.grid().cell(id);
            if cell != goal && random.percent(walls) {
                costs.set(cell, Cost::IMPASSABLE).unwrap();
            }
        }
        let solved = solve(
            &costs,
            &MovementProfile::new(),
            &GoalSet::from_cells([goal]),
            Engine::Auto,
        );
        let (movement, field) = (&solved.movement, &solved.field);
        let mut flow = FlowField::new(costs.grid().clone());
        let mut flow_scratch = FlowScratch::new();
        let mut headings = HeadingField::new(costs.grid().clone());
        let mut heading_scratch = HeadingScratch::new();
        let mut lengths = LengthField::new(costs.grid().clone());
        let mut order_scratch = OrderScratch::new();
        let plain = least(|| extract(movement, field, &Serial, &mut flow_scratch, &mut flow));
        let length = least(|| measure_lengths(movement, &flow, &mut order_scratch, &mut lengths));
        for sight in [64, 32, 8] {
            let options = HeadingOptions::new().with_sight(sight);
            let heading = least(|| {
                look_ahead(
                    movement,
                    field,
                    &flow,
                    &options,
                    &mut heading_scratch,
                    &mut headings,
                )
                .unwrap();
            });
            let per_cell = |seconds: f64| seconds * 1e9 / f64::from(SIDE * SIDE);
            say(&format!(
                "{walls:2} % walls, sight {sight}: directions {:.2} ns a cell, lengths {:.1}, headings {:.1} ({:.0} times)",
                per_cell(plain),
                per_cell(length),
                per_cell(heading),
                heading / plain
            ));
        }
    }
}
