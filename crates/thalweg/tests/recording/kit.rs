//! Two small scenes with everything an input can name, and runs of them.

use thalweg::crowd::{AgentId, AgentView, StateHash};
use thalweg::prelude::*;
use thalweg::recording::{
    Ending, RecordedScene, RecordingOptions, RecordingReader, RecordingWriter, Replay, ReplayStep,
};
use thalweg::scene::{EventAction, MapSource, Scene, SceneFile, SceneMap};
use thalweg::simulation::{Input, Place, TickReport};
use thalweg_io::{MapLink, read_text_grid};

/// Two rooms on one floor and a third above, two doors, an overlay, a waiting zone, a goal that walks, a source.
pub(crate) const TWO_ROOMS: &str = r#"
format = 1
name = "two rooms and a loft"
seed = 3
duration_s = 6.0
tick_s = 0.1

[map]
text = """
............
.....#......
.....#......
............
.....#......
............
=
.....
.....
"""

[[portal]]
from = [11, 0, 0]
to = [0, 0, 1]
both = true

[[goal]]
name = "east"
cells = [[11, 5]]

[[goal]]
name = "rover"
path = [[0, 0], [0, 5], [4, 5]]
move_every_s = 1.0
step_cells = 1

[[door]]
name = "middle"
area = [5, 3, 5, 3]

[[door]]
name = "south"
area = [5, 5, 5, 5]

[[overlay]]
name = "barricade"
area = [7, 2, 8, 4]
effect = "block"

[[waiting_zone]]
name = "before the gap"
area = [3, 2, 4, 4]
until_tick = 1

[[group]]
name = "people"
count = 8
area = [0, 0, 3, 5]
goals = ["east"]
speed = [1.0, 1.5]
arrival = "leave"

[[group]]
name = "hunters"
count = 5
area = [7, 0, 11, 5]
goals = ["rover"]
speed = 1.2

[[source]]
group = "people"
area = [0, 0, 1, 5]
rate = 1.0
count = 4

[[event]]
at_tick = 20
close = "south"
"#;

/// The rooms without the loft, in strict mode.
pub(crate) fn strict() -> String {
    TWO_ROOMS
        .replace("=\n.....\n.....\n", "")
        .replace("[[portal]]\nfrom = [11, 0, 0]\nto = [0, 0, 1]\nboth = true\n", "")
        + "\n[strict]\n"
}

pub(crate) fn scene(text: &str) -> Scene {
    let file = SceneFile::parse(text).expect("the scene of the kit");
    let Ok(MapSource::Text(rows)) = file.map_source() else {
        panic!("a text map")
    };
    let map = read_text_grid("map", rows.as_bytes()).expect("the map of the kit");
    let map = SceneMap {
        costs: map.costs,
        goals: map.goals,
        marks: map.marks,
        links: map.links.iter().flat_map(MapLink::ways).collect(),
    };
    Scene::new(&file, map).expect("the scene of the kit")
}

pub(crate) fn simulation(text: &str) -> Simulation {
    Simulation::new(scene(text), &Serial).expect("the scene of the kit")
}

/// A list of inputs for every tick; ticks behind the last have none.
pub(crate) type Script = Vec<Vec<Input>>;

/// Everybody, tick by tick, and the hashes.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) agents: Vec<Vec<(AgentId, AgentView)>>,
    pub(crate) hashes: Vec<StateHash>,
    pub(crate) reports: Vec<TickReport>,
}

impl Seen {
    fn look(&mut self, simulation: &Simulation) {
        self.agents.push(simulation.crowd().agents().collect());
        self.hashes.push(simulation.crowd().state_hash());
    }
}

/// Runs a scene by a script and records it.
pub(crate) fn record(text: &str, script: &Script, ticks: u64, options: RecordingOptions) -> (Vec<u8>, Seen) {
    let mut simulation = simulation(text);
    let recorded = RecordedScene::new("kit.toml".to_owned(), text.to_owned());
    let mut writer =
        RecordingWriter::new(Vec::new(), recorded, &simulation, options).expect("memory can be written");
    let mut seen = Seen::default();
    seen.look(&simulation);
    for tick in 0..ticks {
        let inputs = inputs_of(script, tick);
        writer.before_tick(inputs);
        let report = simulation.step_with(inputs, &Serial).expect("a checked scene");
        writer
            .after_tick(&simulation, &report)
            .expect("memory can be written");
        seen.look(&simulation);
        seen.reports.push(report);
    }
    let bytes = writer.finish(&Ending::Finished).expect("memory can be written");
    (bytes, seen)
}

pub(crate) fn inputs_of(script: &Script, tick: u64) -> &[Input] {
    let index = usize::try_from(tick).unwrap_or(usize::MAX);
    script.get(index).map_or(&[], Vec::as_slice)
}

pub(crate) fn replay<'a>(bytes: &'a [u8], workers: &dyn Workers) -> (Replay<&'a [u8]>, ReplayStep) {
    let reader = RecordingReader::new(bytes).expect("a recording");
    let simulation = simulation(&reader.head().scene.text.clone());
    replay_by(reader, simulation, workers)
}

pub(crate) fn replay_by<'a>(
    reader: RecordingReader<&'a [u8]>,
    simulation: Simulation,
    workers: &dyn Workers,
) -> (Replay<&'a [u8]>, ReplayStep) {
    let mut replay = Replay::new(reader, simulation).expect("both are at the start");
    loop {
        match replay.step(workers).expect("a whole recording") {
            ReplayStep::Agrees => {}
            other => return (replay, other),
        }
    }
}

/// An agent of the start, by its slot.
pub(crate) fn agent(slot: u64) -> AgentId {
    AgentId::from_bits(slot)
}

/// One of every kind at least, over twenty ticks. `is_strict`: without those that strict mode refuses.
pub(crate) fn every_kind(is_strict: bool) -> Script {
    let mut script = vec![Vec::new(); 30];
    script[1] = vec![Input::Act(EventAction::Close(0)), Input::HoldAgent(agent(2))];
    script[2] = vec![
        Input::Act(EventAction::Put(0)),
        Input::Add {
            group: 0,
            place: Place::Cell(Cell::new(0, 5)),
        },
        Input::Add {
            group: 1,
            place: Place::Cell(Cell::new(11, 3)),
        },
    ];
    script[4] = vec![
        Input::Act(EventAction::Hold(0)),
        Input::SetGroup {
            agent: agent(1),
            group: 1,
        },
    ];
    script[6] = vec![Input::Remove(agent(9)), Input::Act(EventAction::Open(0))];
    script[7] = vec![
        Input::Act(EventAction::SetCost {
            corners: (Cell::new(6, 0), Cell::new(6, 5)),
            cost: Cost::from_byte(9),
        }),
        Input::Act(EventAction::MoveGoal {
            goal: 0,
            to: Cell::new(11, 0),
        }),
    ];
    script[9] = vec![Input::Act(EventAction::Take(0)), Input::LetGo(agent(2))];
    script[12] = vec![Input::Act(EventAction::Release(0))];
    if !is_strict {
        script[13] = vec![
            Input::Push {
                agent: agent(4),
                way: [0.75, -0.5],
            },
            Input::Add {
                group: 0,
                place: Place::Point(MapPoint::new(30_000, 40_000).on(1)),
            },
        ];
    }
    script
}
