//! The scenes about ground keep what they say they expect: terrain, slopes, overlays, opening times, unknown ground.

use std::collections::BTreeMap;
use thalweg::core::cost::CostField;
use thalweg::core::grid::{Cell, Grid};
use thalweg::crowd::AgentId;
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};

/// The text map of a scene, as far as the scenes here use it; the real reader is not this crate's business.
fn map_of(text: &str) -> SceneMap {
    let rows: Vec<&str> = text.lines().collect();
    let size = |len: usize| u32::try_from(len).unwrap();
    let grid = Grid::new(size(rows[0].len()), size(rows.len())).unwrap();
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    for (y, row) in (0..).zip(&rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            match letter {
                '#' => costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap(),
                '?' => costs.set_unknown(Cell::new(x, y)).unwrap(),
                _ => {}
            }
        }
    }
    SceneMap::new(costs)
}

fn simulation(text: &str) -> Simulation {
    let file = SceneFile::parse(text).unwrap();
    let MapSource::Text(map) = file.map_source().unwrap() else {
        panic!("a text map")
    };
    Simulation::new(Scene::new(&file, map_of(&map)).unwrap(), &Serial).unwrap()
}

/// Where every agent of a group is, as column and row.
fn cells(simulation: &Simulation, group: &str) -> BTreeMap<AgentId, (i32, i32)> {
    let group = simulation
        .scene()
        .groups
        .iter()
        .position(|plan| plan.name == group)
        .unwrap();
    simulation
        .crowd()
        .agents()
        .filter(|(_, agent)| usize::from(agent.group.0) == group)
        .map(|(id, agent)| (id, agent.position.column_row()))
        .collect()
}

/// Nobody is where his profile cannot be.
fn assert_everybody_stands_on_his_own_ground(simulation: &Simulation) {
    for plan in &simulation.scene().groups {
        let costs = simulation.profile_costs(plan.profile);
        for (id, (x, y)) in cells(simulation, &plan.name) {
            let cost = costs.grid().id(Cell::new(x, y)).and_then(|id| costs.get(id));
            assert!(
                cost.is_some_and(Cost::is_passable),
                "tick {}: {id:?} of {} stands at ({x},{y})",
                simulation.tick(),
                plan.name
            );
        }
    }
}

/// Runs a scene to its end and calls `look` after every tick.
fn run(text: &str, mut look: impl FnMut(&Simulation)) -> Simulation {
    let mut simulation = simulation(text);
    while !simulation.is_finished() {
        let report = simulation.step(&Serial).unwrap();
        assert_eq!(report.field_failures, Vec::<String>::new());
        assert_everybody_stands_on_his_own_ground(&simulation);
        look(&simulation);
    }
    assert_eq!(simulation.crowd().len(), 0, "everybody got there and left");
    simulation
}

#[test]
fn walkers_cross_the_bridge_ships_go_under_it_and_breakers_go_through_the_wall() {
    let (mut on_bridge, mut under_bridge, mut in_wall) = (0, 0, 0);
    run(include_str!("../../../scenes/land_sea.toml"), |simulation| {
        let bridge = |&&(x, y): &&(i32, i32)| (20..23).contains(&x) && y == 3;
        on_bridge += cells(simulation, "walkers").values().filter(bridge).count();
        under_bridge += cells(simulation, "ships").values().filter(bridge).count();
        let wall = |&&(x, _): &&(i32, i32)| x == 9;
        in_wall += cells(simulation, "breakers").values().filter(wall).count();
    });
    assert!(
        on_bridge > 0 && under_bridge > 0 && in_wall > 0,
        "{on_bridge} {under_bridge} {in_wall}"
    );
}

#[test]
fn hikers_cross_the_ridge_and_carts_keep_to_its_low_end() {
    let mut over_the_top = 0;
    run(include_str!("../../../scenes/hill.toml"), |simulation| {
        let top = |&&(x, y): &&(i32, i32)| x == 11 && y < 8;
        over_the_top += cells(simulation, "hikers").values().filter(top).count();
        assert_eq!(
            cells(simulation, "carts").values().filter(top).count(),
            0,
            "a cart on the ridge"
        );
    });
    assert!(over_the_top > 0, "hikers on the ridge");
}

#[test]
fn the_barricade_shuts_the_street_and_the_ground_is_in_the_end_as_it_was() {
    let mut in_street = [0; 2];
    let end = run(include_str!("../../../scenes/barricade.toml"), |simulation| {
        let street = |&&(x, y): &&(i32, i32)| (9..11).contains(&x) && y == 4;
        let there = cells(simulation, "people").values().filter(street).count();
        let closed = (61..=300).contains(&simulation.tick());
        in_street[usize::from(closed)] += there;
    });
    assert_eq!(in_street[1], 0, "somebody stood in the barricade");
    assert!(in_street[0] > 0, "nobody ever took the street");
    let without_overlays = &end.scene().costs;
    for id in without_overlays.grid().ids() {
        assert_eq!(end.costs().get(id), without_overlays.get(id), "{id:?}");
    }
}

#[test]
fn nobody_passes_the_gate_outside_its_opening_times() {
    let mut in_gate = [0; 2];
    run(include_str!("../../../scenes/night_door.toml"), |simulation| {
        let there = cells(simulation, "waiting")
            .values()
            .filter(|&&cell| cell == (7, 2))
            .count();
        // The report after n ticks shows what tick n - 1 did.
        let open = (201..=500).contains(&simulation.tick());
        in_gate[usize::from(open)] += there;
    });
    assert_eq!(in_gate[0], 0, "somebody stood in the closed gate");
    assert!(in_gate[1] > 0, "nobody took the open gate");
}

#[test]
fn scouts_cut_through_the_fog_and_the_column_marches_round() {
    let mut in_fog = 0;
    run(include_str!("../../../scenes/fog.toml"), |simulation| {
        let fog = |&&(x, y): &&(i32, i32)| (9..13).contains(&x) && (3..10).contains(&y);
        in_fog += cells(simulation, "scouts").values().filter(fog).count();
        assert_eq!(cells(simulation, "column").values().filter(fog).count(), 0);
    });
    assert!(in_fog > 0, "scouts in the fog");
}
