//! Saved maps and bundles: any bytes are loaded or refused, and what was loaded can be read.
//!
//! The first byte picks what is done with the rest: read as it is, or put into a frame whose length and checksum are right,
//! behind as much of a real file as the second and third byte say. Without that the fuzzer would have to guess a checksum.

use std::cell::RefCell;
use std::sync::Arc;
use thalweg::prelude::*;
use thalweg::saved::{load_bundle, load_map, save_bundle, save_map};
use thalweg_core::check::check_field;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{aim, sample_heading};
use thalweg_core::grid::{Cell, Direction, Grid};
use thalweg_core::integrate::Goal;
use thalweg_core::movement::{EdgeRules, Movement, MovementProfile};
use xxhash_rust::xxh3::xxh3_64;

struct Real {
    movement: Arc<Movement>,
    goals: GoalSet,
    map: Vec<u8>,
    bundle: Vec<u8>,
}

thread_local! {
    static REAL: RefCell<Option<Real>> = const { RefCell::new(None) };
}

/// Two floors with a portal, a one-way border, a free cell, an unknown one, and two goals.
fn real() -> Result<Real, Box<dyn std::error::Error>> {
    let floors = [Grid::with_first_cell(5, 4, Cell::new(-2, 3))?, Grid::new(3, 2)?];
    let grid = Grid::stacked(&floors)?;
    let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
    costs.set(Cell::new(0, 4), Cost::IMPASSABLE)?;
    costs.set(Cell::new(1, 4), Cost::from_byte(0))?;
    costs.set_unknown(Cell::on(1, 2, 1))?;
    let mut rules = EdgeRules::new(grid);
    rules.close_exit(Cell::new(-1, 4), Direction::S)?;
    rules.add_portal(Cell::on(1, 0, 0), Cell::new(2, 6), 20)?;
    let movement = Arc::new(Movement::compile_with(&costs, &rules, &MovementProfile::new())?);
    let goals = GoalSet::from_cells([Cell::new(-2, 3)])
        .with_goal(Goal::area([Cell::new(1, 3), Cell::new(2, 3)]).with_bias(15));
    let options = BuildOptions::new()
        .with_headings(HeadingOptions::new())
        .with_lengths();
    let mut scratch = BuildScratch::new();
    let bundle = FieldBundle::build(Arc::clone(&movement), &goals, &options, &mut scratch, &Serial)?;
    Ok(Real {
        map: save_map(&costs, Some(&rules))?,
        bundle: save_bundle(&bundle)?,
        movement,
        goals,
    })
}

/// Any bytes.
///
/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    REAL.with_borrow_mut(|kept| {
        let real = kept.get_or_insert_with(|| real().expect("a small world"));
        let [pick, low, high, rest @ ..] = data else {
            return check(real, data);
        };
        let base = match pick % 3 {
            0 => return check(real, rest),
            1 => &real.map,
            _ => &real.bundle,
        };
        let keep = usize::from(u16::from_le_bytes([*low, *high])).clamp(20, base.len());
        check(real, &sealed(&base[..keep], rest));
    });
}

/// A frame around both, with the length and the checksum that it must have.
fn sealed(head: &[u8], rest: &[u8]) -> Vec<u8> {
    let mut bytes = [head, rest].concat();
    let length = bytes.len() as u64 + 8;
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn check(real: &Real, bytes: &[u8]) {
    match load_map(bytes) {
        Ok(map) => {
            let again = save_map(&map.costs, map.rules.as_ref()).expect("one grid");
            let reloaded = load_map(&again).expect("what was just saved");
            assert_eq!(
                save_map(&reloaded.costs, reloaded.rules.as_ref()).expect("one grid"),
                again
            );
            let rules = map
                .rules
                .unwrap_or_else(|| EdgeRules::new(map.costs.grid().clone()));
            let movement = Movement::compile_with(&map.costs, &rules, &MovementProfile::new());
            // A portal priced in steps may be too dear for a profile.
            assert!(
                movement.is_ok_and(|movement| movement.grid() == map.costs.grid()) || rules.portals_len() > 0
            );
        }
        Err(error) => assert_one_line(&error.to_string()),
    }
    match load_bundle(bytes, Arc::clone(&real.movement), &real.goals) {
        Ok(bundle) => {
            check_field(&real.movement, bundle.integration(), bundle.flow()).expect("right, cell by cell");
            read_everything(&bundle);
        }
        Err(error) => assert_one_line(&error.to_string()),
    }
}

fn assert_one_line(message: &str) {
    assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
}

fn read_everything(bundle: &FieldBundle) {
    let grid = bundle.grid();
    for id in grid.ids() {
        let at = MapPoint::centre_of_id(grid, id);
        let _ = bundle.query(grid.cell(id)).cost();
        let _ = sample(bundle.movement(), bundle.flow(), at);
        if let Some(headings) = bundle.headings() {
            let (movement, field, flow) = (bundle.movement(), bundle.integration(), bundle.flow());
            let _ = aim(movement, field, flow, headings, at);
            let _ = sample_heading(movement, field, flow, headings, at);
        }
    }
}
