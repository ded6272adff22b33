//! What bodies cost beside points. Not a test of time, which a shared machine cannot give:
//! `cargo test --release -p thalweg-core --test footprint_cost -- --ignored --nocapture` prints the figures.

use std::hint::black_box;
use std::time::Instant;
use thalweg_core::cost::{ClearanceField, Cost, CostField};
use thalweg_core::flow::{HeadingField, HeadingOptions, HeadingScratch, look_ahead};
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::{Movement, MovementProfile, sweep};
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::solve::solve;

fn least(mut pass: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = Instant::now();
            pass();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "prints times; run it by hand in release"]
fn what_bodies_cost_beside_points() {
    const SIDE: u32 = 1_024;
    let mut costs = CostField::filled(Grid::new(SIDE, SIDE).unwrap(), Cost::PLAIN);
    let mut random = SplitMix64::new(5);
    for id in costs.grid().ids() {
        if random.below(400) == 0 {
            costs.set(costs.grid().cell(id), Cost::IMPASSABLE).unwrap();
        }
    }
    let per_cell = |seconds: f64| seconds * 1e9 / f64::from(SIDE * SIDE);
    let clearance = least(|| {
        black_box(ClearanceField::of(&costs));
    });
    say(&format!("clearance {:.2} ns a cell", per_cell(clearance)));
    let goal = Cell::new(500, 510);
    for dx in -9..=9 {
        for dy in -9..=9 {
            costs
                .set(Cell::new(goal.x + dx, goal.y + dy), Cost::PLAIN)
                .unwrap();
        }
    }
    for text in [
        "point",
        "square:2",
        "square:8",
        "square:64",
        "disc:0.4",
        "disc:0.8",
        "disc:2",
        "disc:8",
        "disc:64",
    ] {
        let profile = MovementProfile::new().with_footprint(text.parse().unwrap());
        let compile = least(|| {
            black_box(Movement::compile(&costs, &profile));
        });
        if text.ends_with("64") {
            say(&format!("{text}: compile {:.2} ns a cell", per_cell(compile)));
            continue;
        }
        let solved = solve(&costs, &profile, &GoalSet::from_cells([goal]), Engine::Auto);
        let mut headings = HeadingField::new(costs.grid().clone());
        let mut scratch = HeadingScratch::new();
        let looks = least(|| {
            look_ahead(
                &solved.movement,
                &solved.field,
                &solved.flow,
                &HeadingOptions::new(),
                &mut scratch,
                &mut headings,
            )
            .unwrap();
        });
        let starts: Vec<MapPoint> = costs
            .grid()
            .ids()
            .step_by(31)
            .filter(|&id| solved.movement.is_passable(id))
            .map(|id| MapPoint::centre_of_cell(costs.grid(), costs.grid().cell(id)).unwrap())
            .collect();
        let swept = least(|| {
            for (index, &from) in (0i32..).zip(&starts) {
                let to = MapPoint::new(
                    from.x + (index % 7 - 3) * SUBCELLS / 12,
                    from.y + (index % 5 - 2) * SUBCELLS / 12,
                );
                black_box(sweep(&solved.movement, from, to));
            }
        });
        say(&format!(
            "{text}: compile {:.2} ns a cell, headings {:.1} ns a cell, a short sweep {:.1} ns",
            per_cell(compile),
            per_cell(looks),
            swept * 1e9 / starts.len() as f64
        ));
    }
}
