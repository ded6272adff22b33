//! What the scenes of the project say they expect.

use thalweg::core::cost::CostField;
use thalweg::core::grid::{Cell, Grid};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};

/// A plain text grid, as far as the scenes here use it; the real reader is not this crate's business.
fn map_of(text: &str) -> SceneMap {
    let rows: Vec<&str> = text.lines().filter(|row| !row.is_empty()).collect();
    let grid = Grid::new(
        u32::try_from(rows[0].len()).unwrap(),
        u32::try_from(rows.len()).unwrap(),
    )
    .unwrap();
    let byte = |letter: u8| match letter {
        b'#' => 255,
        b'.' => 1,
        digit => digit - b'0',
    };
    let costs = CostField::from_bytes(grid, rows.concat().bytes().map(byte).collect()).unwrap();
    SceneMap::new(costs)
}

fn simulation(scene: &str, map: Option<&str>, workers: &dyn Workers) -> Simulation {
    let file = SceneFile::parse(scene).unwrap();
    let own = match file.map_source().unwrap() {
        MapSource::Text(text) => Some(text),
        _ => None,
    };
    let map = map_of(map.or(own.as_deref()).expect("a text map"));
    Simulation::new(Scene::new(&file, map).unwrap(), workers).unwrap()
}

fn assert_nobody_in_walls(simulation: &Simulation) {
    for (id, agent) in simulation.crowd().agents() {
        let cell = agent
            .position
            .cell_id(simulation.costs().grid())
            .expect("on the map");
        let cost = simulation.costs().get(cell).expect("known ground");
        assert!(
            cost.is_passable(),
            "tick {}: {id:?} stands in a wall",
            simulation.tick()
        );
    }
}

#[test]
fn the_town_chase_gets_a_quarter_of_the_pursuers_inside_and_nobody_into_a_wall() {
    let workers = RayonWorkers::new(0).unwrap();
    let town = include_str!("../../../scenes/town.txt");
    let mut simulation = simulation(
        include_str!("../../../scenes/town_chase.toml"),
        Some(town),
        &workers,
    );
    while !simulation.is_finished() {
        simulation.step(&workers).unwrap();
        if simulation.tick().is_multiple_of(40) {
            assert_nobody_in_walls(&simulation);
        }
    }
    let inside = |position: MapPoint| {
        let (column, row) = position.column_row();
        (44..=104).contains(&column) && (14..=66).contains(&row)
    };
    let count = simulation
        .crowd()
        .agents()
        .filter(|(_, agent)| inside(agent.position))
        .count();
    assert!(count > 750, "only {count} of 3,000 are inside the walls");
}

#[test]
fn everybody_gets_out_of_the_two_halls_and_nobody_back_through_the_turnstile() {
    let scene = include_str!("../../../scenes/two_halls.toml");
    let goals = "goals = [\"way out\"]\n";
    let by_headings = scene.replace(goals, &format!("{goals}steer = \"headings\"\n"));
    let [directions, headings] = [scene, &by_headings].map(empty_the_two_halls);
    // Doors are where a crowd that walks to one point could lose time.
    assert!(
        headings < 1.05 * directions,
        "{headings} s by headings, {directions} s by directions"
    );
}

/// When the last one is out, in seconds.
fn empty_the_two_halls(scene: &str) -> f64 {
    let mut simulation = simulation(scene, None, &Serial);
    let east_of = |simulation: &Simulation| {
        let beyond = |position: MapPoint| position.column_row() >= (17, 0) && position.column_row().1 >= 8;
        simulation
            .crowd()
            .agents()
            .filter(|(_, agent)| beyond(agent.position))
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    let (mut arrived, mut last) = (0, 0.0);
    while !simulation.is_finished() {
        let through = east_of(&simulation);
        arrived = simulation.step(&Serial).unwrap().step.arrived_total;
        if !simulation.crowd().is_empty() {
            last = simulation.tick() as f64 * simulation.scene().tick_s;
        }
        assert_nobody_in_walls(&simulation);
        for id in through {
            let Some(agent) = simulation.crowd().get(id) else {
                continue;
            };
            let cell = agent.position.column_row();
            let turnstile = cell.0 == 16 && (8..=9).contains(&cell.1);
            assert!(
                !turnstile,
                "tick {}: {id:?} went back through the turnstile",
                simulation.tick()
            );
        }
    }
    assert_eq!((arrived, simulation.crowd().len()), (180, 0));
    assert_eq!(
        simulation
            .costs()
            .get(simulation.costs().grid().id(Cell::new(16, 8)).unwrap()),
        Some(Cost::PLAIN)
    );
    last
}
