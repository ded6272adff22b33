//! The running example of the sources, tick by tick: one gate, fifty small and twenty large bodies, a passage that only
//! the small ones fit, and a door that shuts before tick 4.
//!
//! The texts begin at field version 12 and raise the overlay version to 8; a navigator counts publications from 1 and stamps
//! from 0, so here the fields go from 1 to 2 and the overlays from 0 to 1. At which tick a field is ready follows from the work
//! it takes and the scene's work per tick.

use std::fmt::Write as _;
use std::sync::Arc;
use thalweg::core::cost::CostField;
use thalweg::core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg::core::movement::has_room;
use thalweg::crowd::{AgentId, Outcome};
use thalweg::navigator::{FieldStatus, WhileMaking};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneFile, SceneMap};
use thalweg::simulation::{SharedField, TickReport};

const SCENE: &str = include_str!("../../../scenes/gate.toml");
const SMALL: usize = 0;
const LARGE: usize = 1;
/// The cells of the door: two thick, and nobody walks that far in a tick.
const DOOR: (std::ops::RangeInclusive<i32>, std::ops::RangeInclusive<i32>) = (30..=31, 9..=13);
/// The passage of 1.5 m.
const PASSAGE: (std::ops::RangeInclusive<i32>, std::ops::RangeInclusive<i32>) = (30..=33, 2..=4);

fn simulation(text: &str, workers: &dyn Workers) -> Simulation {
    let file = SceneFile::parse(text).unwrap();
    let Ok(MapSource::Text(map)) = file.map_source() else {
        panic!("the scene has a text map")
    };
    let rows: Vec<&str> = map.lines().collect();
    let size = |len: usize| u32::try_from(len).unwrap();
    let letters = rows.concat();
    let bytes = letters.bytes().map(|letter| if letter == b'#' { 255 } else { 1 });
    let grid = Grid::new(size(rows[0].len()), size(rows.len())).unwrap();
    let costs = CostField::from_bytes(grid, bytes.collect()).unwrap();
    Simulation::new(Scene::new(&file, SceneMap::new(costs)).unwrap(), workers).unwrap()
}

fn field_of(simulation: &Simulation, group: usize) -> &SharedField {
    let mut fields = simulation.fields();
    fields.find(|(_, groups)| groups.contains(&group)).unwrap().0
}

/// What the agents of a group did in a tick, and by which field: version, status, outcomes.
fn told(simulation: &Simulation, group: usize) -> String {
    let field = field_of(simulation, group);
    let status = match field.status() {
        FieldStatus::Ready(_) => "ready",
        FieldStatus::Stale { .. } => "stale",
        other => panic!("unexpected status {other:?}"),
    };
    let mut text = format!("{} {status}:", field.versions().unwrap().field);
    for outcome in Outcome::ALL {
        let agents = simulation.crowd().agents();
        let fared =
            agents.filter(|(_, agent)| usize::from(agent.group.0) == group && agent.outcome == outcome);
        match fared.count() {
            0 => {}
            count => write!(text, " {count} {outcome}").unwrap(),
        }
    }
    text
}

/// Steps the ticks 0 to 12, checks each agent after each of them, and returns what is told of every tick.
fn first_ticks(text: &str, workers: &dyn Workers) -> (Vec<String>, Vec<TickReport>) {
    let mut simulation = simulation(text, workers);
    let (mut lines, mut reports) = (Vec::new(), Vec::new());
    for tick in 0..=12u64 {
        let before = positions(&simulation);
        let report = simulation.step(workers).unwrap();
        check_fields(&simulation, tick);
        check_agents(&simulation, tick, &before);
        lines.push(format!(
            "{tick:2} small {} | large {}",
            told(&simulation, SMALL),
            told(&simulation, LARGE)
        ));
        assert_eq!(
            report.ejected, 0,
            "tick {tick}: nobody stands in the door when it shuts"
        );
        assert_eq!(
            simulation.crowd().len(),
            70,
            "tick {tick}: nobody is at the gate yet"
        );
        reports.push(report);
    }
    (lines, reports)
}

fn positions(simulation: &Simulation) -> Vec<(AgentId, MapPoint)> {
    let agents = simulation.crowd().agents();
    agents.map(|(id, agent)| (id, agent.position)).collect()
}

/// Each group reads a field of its own profile, of one generation, and the versions say for which map.
fn check_fields(simulation: &Simulation, tick: u64) {
    let (small, large) = (field_of(simulation, SMALL), field_of(simulation, LARGE));
    assert!(
        !Arc::ptr_eq(small.bundle().unwrap(), large.bundle().unwrap()),
        "tick {tick}: a field is lent"
    );
    for (group, field) in [(SMALL, small), (LARGE, large)] {
        let plan = &simulation.scene().groups[group];
        let profile = simulation.scene().profiles[plan.profile].movement;
        assert_eq!(field.profile(), plan.profile);
        assert_eq!(
            *field.movement().profile(),
            profile,
            "tick {tick}: what the sweep reads"
        );
        let bundle = field.bundle().unwrap();
        assert_eq!(
            *bundle.movement().profile(),
            profile,
            "tick {tick}: what is followed"
        );
        let versions = field.versions().unwrap();
        assert_eq!(
            versions.overlay.0,
            versions.field.0 - 1,
            "tick {tick}: the second field is that of the shut door"
        );
        // A stamp leaves the base as it is.
        assert_eq!(versions.map, simulation.map().map_version(), "tick {tick}");
        match field.status() {
            FieldStatus::Ready(have) => {
                assert_eq!(*have, versions);
                assert_eq!(have.overlay, simulation.map().overlay_version(), "tick {tick}");
            }
            FieldStatus::Stale { have, want } => {
                assert_eq!(*have, versions);
                assert_eq!((have.overlay.0, want.overlay.0), (0, 1), "tick {tick}");
                assert_eq!(want.field, have.field.next(), "tick {tick}");
            }
            other => panic!("tick {tick}: {other:?}"),
        }
        // The door is open to those who read the old field, and to nobody's sweep.
        let mouth = simulation.costs().grid().id(Cell::new(30, 11)).unwrap();
        assert_eq!(
            bundle.movement().is_passable(mouth),
            versions.field.0 == 1,
            "tick {tick}"
        );
        assert_eq!(field.movement().is_passable(mouth), tick < 4, "tick {tick}");
    }
}

/// No body is where it does not fit, nobody gets into the shut door, no large one into the passage, and who was told to
/// stand has not moved.
fn check_agents(simulation: &Simulation, tick: u64, before: &[(AgentId, MapPoint)]) {
    let is_in = |cells: &(std::ops::RangeInclusive<i32>, std::ops::RangeInclusive<i32>), at: MapPoint| {
        let (x, y) = at.column_row();
        cells.0.contains(&x) && cells.1.contains(&y)
    };
    for (id, agent) in simulation.crowd().agents() {
        let &(_, was) = before.iter().find(|(before, _)| *before == id).unwrap();
        let group = usize::from(agent.group.0);
        let field = field_of(simulation, group);
        let what = format!("tick {tick}: {id} of group {group} at {:?}", agent.position);
        assert!(has_room(field.movement(), agent.position), "{what} has no room");
        if tick >= 4 {
            assert!(!is_in(&DOOR, agent.position), "{what} is in the shut door");
        }
        if group == LARGE {
            assert!(!is_in(&PASSAGE, agent.position), "{what} is in the passage");
            assert!(
                gap_to_walls(simulation, agent.position) >= 1.6 - 0.01,
                "{what} reaches into a wall"
            );
        }
        if agent.outcome == Outcome::StaleField {
            let is_on_path = simulation.scene().groups[group].when_stale == WhileMaking::SinglePath;
            // One that was pushed off its path within the tick stands for the rest of it.
            assert!(is_on_path || agent.position == was, "{what} stands");
            assert!(!field.status().is_ready(), "{what} has a field");
        }
        assert!(
            matches!(
                agent.outcome,
                Outcome::Moved | Outcome::Waiting | Outcome::BlockedBySweep | Outcome::StaleField
            ),
            "{what}: {}",
            agent.outcome
        );
    }
}

/// The distance from a point to the nearest impassable cell or to the border, in cells: by looking at all of them.
fn gap_to_walls(simulation: &Simulation, at: MapPoint) -> f64 {
    let costs = simulation.costs();
    let of = |subcells: i32| f64::from(subcells) / f64::from(SUBCELLS);
    let (x, y) = (of(at.x), of(at.y));
    let (width, height) = (f64::from(costs.grid().width()), f64::from(costs.grid().height()));
    let border = x.min(y).min(width - x).min(height - y);
    let walls = costs
        .grid()
        .ids()
        .filter(|&id| costs.get(id) == Some(Cost::IMPASSABLE));
    let gaps = walls.map(|id| {
        let cell = costs.grid().cell(id);
        let beyond = |at: f64, low: i32| (f64::from(low) - at).max(at - f64::from(low) - 1.0).max(0.0);
        beyond(x, cell.x).hypot(beyond(y, cell.y))
    });
    gaps.fold(border, f64::min)
}

/// The ticks before which a field was made, however.
fn made_at(reports: &[TickReport]) -> Vec<u64> {
    let fields = |report: &TickReport| report.fields_built + report.fields_repaired + report.fields_restored;
    let ticks = reports
        .iter()
        .flat_map(|report| std::iter::repeat_n(report.tick, fields(report)));
    ticks.collect()
}

#[test]
fn every_tick_of_the_running_example_is_told() {
    let (lines, reports) = first_ticks(SCENE, &Serial);
    let expected = [
        " 0 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 1 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 2 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 3 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 4 small 1 stale: 50 moved | large 1 stale: 20 stale_field",
        " 5 small 1 stale: 46 moved 1 waiting 3 blocked_by_sweep | large 1 stale: 20 stale_field",
        " 6 small 1 stale: 45 moved 2 waiting 3 blocked_by_sweep | large 1 stale: 20 stale_field",
        " 7 small 2 ready: 48 moved 2 waiting | large 1 stale: 20 stale_field",
        " 8 small 2 ready: 50 moved | large 1 stale: 20 stale_field",
        " 9 small 2 ready: 50 moved | large 2 ready: 19 moved 1 waiting",
        "10 small 2 ready: 49 moved 1 waiting | large 2 ready: 19 moved 1 waiting",
        "11 small 2 ready: 49 moved 1 waiting | large 2 ready: 20 moved",
        "12 small 2 ready: 46 moved 4 waiting | large 2 ready: 19 moved 1 waiting",
    ];
    assert_eq!(lines, expected, "\n{}", lines.join("\n"));
    assert_eq!(made_at(&reports), [7, 9], "a field each");
}

#[test]
fn large_ones_may_take_paths_of_their_own_meanwhile() {
    let text = SCENE.replace("when_stale = \"stop\" ", "when_stale = \"single-path\" ");
    assert_ne!(text, SCENE);
    let (lines, reports) = first_ticks(&text, &Serial);
    let expected = [
        " 0 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 1 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 2 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 3 small 1 ready: 50 moved | large 1 ready: 20 moved",
        " 4 small 1 stale: 50 moved | large 1 stale: 19 moved 1 waiting",
        " 5 small 1 stale: 46 moved 1 waiting 3 blocked_by_sweep | large 1 stale: 19 moved 1 waiting",
        " 6 small 1 stale: 45 moved 2 waiting 3 blocked_by_sweep | large 1 stale: 20 moved",
        " 7 small 2 ready: 48 moved 2 waiting | large 1 stale: 18 moved 1 waiting 1 stale_field",
        " 8 small 2 ready: 50 moved | large 1 stale: 13 moved 4 waiting 3 stale_field",
        " 9 small 2 ready: 50 moved | large 2 ready: 10 moved 10 waiting",
        "10 small 2 ready: 49 moved 1 waiting | large 2 ready: 9 moved 11 waiting",
        "11 small 2 ready: 49 moved 1 waiting | large 2 ready: 10 moved 10 waiting",
        "12 small 2 ready: 46 moved 4 waiting | large 2 ready: 7 moved 13 waiting",
    ];
    assert_eq!(lines, expected, "\n{}", lines.join("\n"));
    assert_eq!(
        made_at(&reports),
        [7, 9],
        "paths do not hurry fields, nor hold them up"
    );
    for report in &reports {
        let (on_paths, searched) = (report.on_paths, report.paths_searched);
        let is_stale = (4..9).contains(&report.tick);
        assert_eq!(on_paths, if is_stale { 20 } else { 0 }, "tick {}", report.tick);
        // Many stand on a path that another has found.
        assert!(
            searched <= on_paths as u64,
            "tick {}: {searched} searches",
            report.tick
        );
    }
    let searched: u64 = reports.iter().map(|report| report.paths_searched).sum();
    assert!((1..20).contains(&searched), "{searched} searches for 20 agents");
}

#[test]
fn every_tick_is_the_same_for_one_two_and_eight_workers() {
    let hashes = |workers: &dyn Workers| {
        let mut simulation = simulation(SCENE, workers);
        let ticks = 0..60;
        Vec::from_iter(ticks.map(|_| simulation.step(workers).unwrap().hash))
    };
    let alone = hashes(&Serial);
    for threads in [1, 2, 8] {
        assert_eq!(
            hashes(&RayonWorkers::new(threads).unwrap()),
            alone,
            "{threads} workers"
        );
    }
}

#[test]
fn everybody_gets_to_the_gate_by_a_way_that_fits() {
    let mut simulation = simulation(SCENE, &Serial);
    let mut arrived = 0;
    while !simulation.is_finished() {
        let before = positions(&simulation);
        arrived = simulation.step(&Serial).unwrap().step.arrived_total;
        check_agents(&simulation, simulation.tick() - 1, &before);
    }
    assert_eq!((arrived, simulation.crowd().len()), (70, 0));
}

#[test]
fn small_ones_that_stop_stand_until_their_field_is_ready() {
    let text = SCENE.replace("when_stale = \"keep-old\" ", "when_stale = \"stop\" ");
    assert_ne!(text, SCENE);
    let (lines, _) = first_ticks(&text, &Serial);
    for (tick, line) in (0..).zip(&lines) {
        let stands = line.contains("small 1 stale: 50 stale_field |");
        assert_eq!(stands, (4..7).contains(&tick), "{line}");
    }
}

/// A field that is wrong for as long as it is in the making, whoever waits for it, and right after: all before the tick if
/// the scene says nothing.
#[test]
fn without_work_per_tick_every_field_is_right_before_its_tick() {
    let text = SCENE.replace("work_per_tick = 7000", "");
    assert_ne!(text, SCENE);
    let (lines, reports) = first_ticks(&text, &Serial);
    assert!(lines.iter().all(|line| !line.contains("stale")), "{lines:?}");
    assert_eq!(made_at(&reports), [4, 4]);
}

#[test]
fn who_has_no_way_is_told_so_without_a_search() {
    // The way round in the south is shut as well.
    let south = "[[overlay]]\nname = \"south\"\narea = [30, 17, 31, 21]\neffect = \"block\"\n\n[[event]]\nat_tick = 4\nput = \"south\"\n";
    let text = SCENE.replace("when_stale = \"stop\" ", "when_stale = \"single-path\" ");
    let text = text.replace("[fields]", &format!("{south}\n[fields]"));
    let mut simulation = simulation(&text, &Serial);
    for tick in 0..=12u64 {
        let report = simulation.step(&Serial).unwrap();
        if tick < 4 {
            continue;
        }
        assert_eq!((report.paths_searched, report.on_paths), (0, 0), "tick {tick}");
        for (id, agent) in simulation.crowd().agents() {
            if usize::from(agent.group.0) == LARGE {
                assert_eq!(agent.outcome, Outcome::NoDirection, "tick {tick}: {id}");
                assert!(
                    gap_to_walls(&simulation, agent.position) >= 1.6 - 0.01,
                    "tick {tick}: {id}"
                );
            }
        }
    }
}
