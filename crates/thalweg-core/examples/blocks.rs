//! What it costs to make the blocks of a large map anew, per cell: open ground, ground with walls, a maze and one long lane,
//! with and without one-way borders and portals.
//!
//! `cargo run --release -p thalweg-core --example blocks [SIDE]`

#![expect(clippy::print_stdout, reason = "a measurement is for whoever runs it")]

use std::time::Instant;
use thalweg_core::components::{Blocks, Components};
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Direction, Grid};
use thalweg_core::movement::{Connectivity, EdgeInputs, EdgeRules, Movement, MovementProfile};

const ROUNDS: usize = 9;

/// A step of splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Whether a cell is free, by column and row.
type IsFree = Box<dyn FnMut(u32, u32) -> bool>;

/// The median of several rounds, in tenths of nanoseconds per cell.
fn median(cells: usize, mut work: impl FnMut()) -> String {
    let mut times: Vec<u128> = (0..ROUNDS)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_nanos() * 10 / cells as u128
        })
        .collect();
    times.sort_unstable();
    let tenths = times[ROUNDS / 2];
    format!("{:>5}.{}", tenths / 10, tenths % 10)
}

fn main() {
    let side: u32 = std::env::args()
        .nth(1)
        .map_or(1024, |side| side.parse().expect("a side in cells"));
    let grid = Grid::new(side, side).expect("a map");
    println!("{side} x {side} cells; nanoseconds per cell, median of {ROUNDS}");
    println!(
        "{:<36} {:>7} {:>7} {:>9} {:>9}",
        "", "blocks", "cuts", "bridges", "corridors"
    );
    let (mut sparse, mut dense, mut maze) = (1, 2, 3);
    let maps: [(&str, IsFree); 5] = [
        ("open", Box::new(|_, _| true)),
        (
            "a fifth walls",
            Box::new(move |_, _| !next(&mut sparse).is_multiple_of(5)),
        ),
        (
            "a third walls",
            Box::new(move |_, _| !next(&mut dense).is_multiple_of(3)),
        ),
        // Each inner corner has one wall beside it, at random: a maze without rings.
        (
            "a maze",
            Box::new(move |x, y| match (x % 2, y % 2) {
                (0, 0) => true,
                (1, 1) => false,
                (1, 0) => y == 0 || next(&mut maze).is_multiple_of(2),
                _ => next(&mut maze).is_multiple_of(2),
            }),
        ),
        (
            "one lane",
            Box::new(move |x, y| y.is_multiple_of(2) || x == if y % 4 == 1 { side - 1 } else { 0 }),
        ),
    ];
    for (name, mut is_free) in maps {
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for id in grid.ids() {
            let (column, row) = grid.column_row_of(id);
            if !is_free(column, row) {
                costs.write(id, Some(Cost::IMPASSABLE));
            }
        }
        let mut rules = EdgeRules::new(grid.clone());
        rules
            .close_exit(Cell::new(3, 3), Direction::E)
            .expect("on the map");
        rules
            .add_portal(Cell::new(0, 0), Cell::new(9, 9), 7)
            .expect("on the map");
        for (kind, neighbours, borders) in [
            ("4 neighbours", Connectivity::Four, false),
            ("8 neighbours", Connectivity::Eight, false),
            ("8, a border and a portal", Connectivity::Eight, true),
        ] {
            let edges = EdgeInputs {
                rules: borders.then_some(&rules),
                charges: None,
            };
            let profile = MovementProfile::new().with_connectivity(neighbours);
            let movement = Movement::compile_edges(&costs, &edges, &profile).expect("one map");
            let blocks = Blocks::of(&movement);
            let components = Components::of(&movement);
            let made = median(grid.len(), || {
                core::hint::black_box(Blocks::of(&movement));
            });
            let cuts = median(grid.len(), || {
                let cuts = components.clone().with_cut_points(&movement);
                core::hint::black_box(cuts.expect("one map"));
            });
            println!(
                "{:<36} {made:>7} {cuts:>7} {:>9} {:>9}",
                format!("{name}, {kind}"),
                blocks.bridges(),
                blocks.corridors().len()
            );
        }
    }
}
