//! Scene files of any text: refused with a sentence, or run without a panic and without anybody in a wall.

use crate::make::{LastFirst, check_sentence};
use thalweg::scene::{MapSource, Placement, Scene, SceneFile, SceneMap};
use thalweg::simulation::Simulation;
use thalweg_core::workers::Serial;
use thalweg_io::{MapLink, read_text_grid};

/// The largest map, crowd and work that is run; scenes above are only checked.
const MAX_CELLS: usize = 600;
const MAX_SIDE: u32 = 24;
const MAX_AGENTS: u64 = 40;
const MAX_TICKS: u64 = 12;
const MAX_SUBSTEPS: f64 = 400.0;
const MAX_FIELDS: usize = 6;

/// The bytes are the scene's text.
pub fn run(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else {
        return;
    };
    match scene_of(text) {
        Some(Ok(scene)) => {
            retime(&scene);
            assert!(scene.times().is_ok(), "a checked scene has a timetable");
            simulate(&scene);
        }
        Some(Err(error)) => check_sentence(&error),
        None => {}
    }
}

/// `None` if the scene wants a map that is not run here.
fn scene_of(text: &str) -> Option<Result<Scene, thalweg::scene::SceneError>> {
    let file = match SceneFile::parse(text) {
        Ok(file) => file,
        Err(error) => return Some(Err(error)),
    };
    let source = match file.map_source() {
        Ok(source) => source,
        Err(error) => return Some(Err(error)),
    };
    let map = match source {
        MapSource::File(_) => return None,
        MapSource::Text(text) => {
            let map = read_text_grid("map", text.as_bytes()).ok()?;
            SceneMap {
                costs: map.costs,
                goals: map.goals,
                marks: map.marks,
                links: map.links.iter().flat_map(MapLink::ways).collect(),
            }
        }
        MapSource::Generate { kind, side, seed } => {
            if side > MAX_SIDE {
                return None;
            }
            let map = kind.generate(side, seed).ok()?;
            SceneMap {
                goals: vec![map.goal_cell()],
                ..SceneMap::new(map.cost_field())
            }
        }
    };
    (map.costs.grid().len() <= MAX_CELLS).then(|| Scene::new(&file, map))
}

/// Another tick length is refused with a sentence, or keeps the order of the events and at least one tick.
fn retime(scene: &Scene) {
    for tick_s in [
        scene.tick_s / 3.0,
        0.05,
        60.0,
        1e-9,
        0.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
    ] {
        match scene.clone().with_tick(tick_s) {
            Ok(scene) => {
                assert!(scene.ticks >= 1 && scene.tick_s == tick_s);
                assert!(scene.events.is_sorted_by_key(|event| event.at_tick));
            }
            Err(error) => check_sentence(&error),
        }
    }
}

fn simulate(scene: &Scene) {
    let agents: u64 = scene.groups.iter().map(|group| u64::from(group.count)).sum();
    #[expect(clippy::cast_precision_loss, reason = "at most twelve")]
    let end_s = scene.ticks.min(MAX_TICKS) as f64 * scene.tick_s;
    let entrants: u64 = scene
        .sources
        .iter()
        .map(|source| source.inflow.due(end_s).min(10 * MAX_AGENTS))
        .sum();
    let fastest = scene.groups.iter().map(|group| group.speed.1).fold(0.0, f64::max);
    // Nobody may walk more than a quarter of a cell in a substep; speeds beyond the limit of 256 are refused anyway.
    let substeps = (fastest / scene.transform.cell_size()).min(256.0) * scene.tick_s * 4.0;
    let goal_cells: usize = scene.goals.iter().map(|goal| goal.cells.len()).sum();
    let is_small = agents + entrants <= MAX_AGENTS
        && substeps <= MAX_SUBSTEPS
        && scene.groups.len().max(scene.profiles.len()) <= MAX_FIELDS
        && scene.groups.iter().all(|group| group.goals.len() <= 64)
        && goal_cells <= 4 * MAX_CELLS;
    if !is_small {
        return;
    }
    for group in &scene.groups {
        let (Placement::Each(cells) | Placement::Drawn(cells)) = &group.placement;
        assert!(!cells.is_empty() || group.count == 0, "a group without places");
    }
    let mut runs = match (
        Simulation::new(scene.clone(), &Serial),
        Simulation::new(scene.clone(), &LastFirst),
    ) {
        (Ok(serial), Ok(other)) => [serial, other],
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            check_sentence(&error);
            return;
        }
        _ => panic!("whether a scene starts depends on the workers"),
    };
    for _ in 0..scene.ticks.min(MAX_TICKS) {
        let [serial, other] = &mut runs;
        let report = serial
            .step(&Serial)
            .expect("a checked scene has a tick length in range");
        let again = other
            .step(&LastFirst)
            .expect("a checked scene has a tick length in range");
        assert_eq!(report.hash, again.hash, "the state depends on the workers");
        check_ground(serial);
    }
}

/// Nobody's centre is on impassable or unknown ground, as long as there is ground to be on.
fn check_ground(simulation: &Simulation) {
    for (id, agent) in simulation.crowd().agents() {
        let plan = &simulation.scene().groups[usize::from(agent.group.0)];
        let costs = simulation.profile_costs(plan.profile);
        if costs.bytes().iter().all(|&byte| byte == 255) {
            continue;
        }
        let cell = agent.position.cell_id(costs.grid());
        let is_on_ground = cell.is_some_and(|cell| costs.bytes()[cell.index()] != 255);
        assert!(
            is_on_ground,
            "after tick {} agent {id} is at {:?}, where no body may be",
            simulation.tick(),
            agent.position
        );
        assert!(
            agent
                .velocity
                .iter()
                .chain(&agent.heading)
                .all(|part| part.is_finite())
        );
    }
}
