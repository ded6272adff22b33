//! How long it takes to bring a movement up to date after one cell of a large map was shut or opened, and to tell what is
//! different: median, mean and worst over random cells, for points and bodies, with and without borders.
//!
//! `cargo run --release -p thalweg-core --example recompile [SIDE]`; the old movement is kept, as a reader would.

#![expect(clippy::print_stdout, reason = "a measurement is for whoever runs it")]

use std::time::Instant;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Direction, Grid};
use thalweg_core::movement::{EdgeInputs, EdgeRules, Movement, MovementProfile};

const EDITS: usize = 4_000;

/// A step of splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn told(times: &mut [u64]) -> String {
    times.sort_unstable();
    let mean = times.iter().sum::<u64>() / times.len() as u64;
    format!(
        "{:>8} {:>8} {:>8} {:>9}",
        times[times.len() / 2],
        times[times.len() * 99 / 100],
        mean,
        times[times.len() - 1]
    )
}

fn main() {
    let side = std::env::args()
        .nth(1)
        .map_or(1024, |side| side.parse().expect("a side in cells"));
    let grid = Grid::new(side, side).expect("a map");
    let mut state = 7;
    println!("{side} x {side} cells, {EDITS} cells shut or opened one at a time; nanoseconds");
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>9}",
        "", "median", "p99", "mean", "worst"
    );
    for (name, footprint, borders) in [
        ("point", "point", false),
        ("point, a border and a portal", "point", true),
        ("disc of 1.5 cells", "disc:1.5", false),
        ("square of 8 cells", "square:8", false),
        ("square of 2 cells, a border", "square:2", true),
    ] {
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for id in grid.ids() {
            if next(&mut state).is_multiple_of(6) {
                costs.write(id, Some(Cost::IMPASSABLE));
            }
        }
        let mut rules = EdgeRules::new(grid.clone());
        if borders {
            rules
                .close_exit(Cell::new(3, 3), Direction::E)
                .expect("on the map");
            rules
                .add_portal(Cell::new(0, 0), Cell::new(9, 9), 7)
                .expect("on the map");
        }
        let edges = EdgeInputs {
            rules: Some(&rules),
            charges: None,
        };
        let profile = MovementProfile::new().with_footprint(footprint.parse().expect("a footprint"));
        let begin = Instant::now();
        let mut movement = Movement::compile_edges(&costs, &edges, &profile).expect("one map");
        let compiled = begin.elapsed();
        let (mut made, mut compared) = (Vec::new(), Vec::new());
        for _ in 0..EDITS {
            let cell = grid.cell(thalweg_core::grid::CellId::from_index(
                usize::try_from(next(&mut state) % grid.len() as u64).expect("on the map"),
            ));
            let was_free = movement.ground_cost(grid.id(cell).expect("on the map")) != 255;
            let cost = if was_free { Cost::IMPASSABLE } else { Cost::PLAIN };
            costs.set(cell, cost).expect("on the map");
            let begin = Instant::now();
            let after = movement.recompile(&costs, &edges).expect("one map");
            let middle = Instant::now();
            let change = after.change_since(&movement).expect("one map");
            let end = Instant::now();
            core::hint::black_box(change);
            made.push(u64::try_from((middle - begin).as_nanos()).expect("short"));
            compared.push(u64::try_from((end - middle).as_nanos()).expect("short"));
            movement = after;
        }
        println!("{name}, compiled anew in {compiled:.1?}");
        println!("{:<34} {}", "  made from the one before", told(&mut made));
        println!("{:<34} {}", "  what is different", told(&mut compared));
    }
}
