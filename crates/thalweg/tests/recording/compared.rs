//! Two recordings beside each other.

use crate::kit::{TWO_ROOMS, agent, every_kind, record, scene};
use thalweg::prelude::*;
use thalweg::recording::{
    AgentField, Comparison, Difference, Ending, RecordedFile, RecordedScene, RecordingOptions,
    RecordingReader, RecordingWriter, compare,
};
use thalweg::scene::Scene;
use thalweg::simulation::Input;

fn compared(first: &[u8], second: &[u8]) -> Comparison {
    let mut first = RecordingReader::new(first).expect("a recording");
    let mut second = RecordingReader::new(second).expect("a recording");
    compare(&mut first, &mut second).expect("whole recordings")
}

/// Records a scene under the text of another: what a machine that computes otherwise would write.
fn recorded_as(text: &str, scene: Scene, ticks: u64, options: RecordingOptions) -> Vec<u8> {
    let mut simulation = Simulation::new(scene, &Serial).expect("a scene");
    let recorded = RecordedScene::new("kit.toml".to_owned(), text.to_owned());
    let mut writer = RecordingWriter::new(Vec::new(), recorded, &simulation, options).expect("memory");
    for _ in 0..ticks {
        let report = simulation.step(&Serial).expect("a checked scene");
        writer.after_tick(&simulation, &report).expect("memory");
    }
    writer.finish(&Ending::Finished).expect("memory")
}

#[test]
fn a_recording_is_the_same_as_itself_however_its_states_are_kept() {
    let script = every_kind(false);
    let options = RecordingOptions::new();
    let (all, _) = record(TWO_ROOMS, &script, 30, options);
    let (few, _) = record(
        TWO_ROOMS,
        &script,
        20,
        options.with_states_every(6).with_block_ticks(3),
    );
    assert_eq!(
        compared(&all, &all),
        Comparison::Same {
            ticks: 30,
            of: [30, 30]
        }
    );
    assert_eq!(
        compared(&all, &few),
        Comparison::Same {
            ticks: 20,
            of: [30, 20]
        }
    );
    assert_eq!(
        compared(&few, &all),
        Comparison::Same {
            ticks: 20,
            of: [20, 30]
        }
    );
}

#[test]
fn two_machines_that_went_apart_are_told_with_tick_agent_and_field() {
    let options = RecordingOptions::new();
    let ours = recorded_as(TWO_ROOMS, scene(TWO_ROOMS), 40, options);
    // A wall that only one of them has seen: it shows when somebody would have walked there.
    let mut other = scene(TWO_ROOMS);
    other
        .costs
        .set(Cell::new(5, 3), Cost::IMPASSABLE)
        .expect("on the map");
    let theirs = recorded_as(TWO_ROOMS, other, 40, options);
    let Comparison::Differs(divergence) = compared(&ours, &theirs) else {
        panic!("they differ")
    };
    let Difference::Field {
        field,
        ref recorded,
        ref other,
        ..
    } = divergence.difference
    else {
        panic!("{divergence}")
    };
    assert!(divergence.tick > 0, "nobody has moved at the start");
    assert_eq!(field, AgentField::Position);
    assert_ne!(recorded.position, other.position);
    assert!(
        divergence
            .to_string()
            .starts_with(&format!("after {} ticks: agent ", divergence.tick))
    );

    // Without states at that tick the tick is still the first, and the agent is named where it can be.
    let seldom = options.with_states_every(15);
    let mut wall = scene(TWO_ROOMS);
    wall.costs
        .set(Cell::new(5, 3), Cost::IMPASSABLE)
        .expect("on the map");
    let theirs = recorded_as(TWO_ROOMS, wall.clone(), 40, seldom);
    let Comparison::Differs(later) = compared(&ours, &theirs) else {
        panic!("they differ")
    };
    assert_eq!((later.tick, later.seen_at), (divergence.tick, Some(15)));
    assert!(matches!(later.difference, Difference::Field { .. }));

    let theirs = recorded_as(TWO_ROOMS, wall, 40, options.with_states_every(0));
    let Comparison::Differs(never) = compared(&ours, &theirs) else {
        panic!("they differ")
    };
    assert_eq!((never.tick, never.seen_at), (divergence.tick, None));
    assert_eq!(never.difference, Difference::Unseen);
}

#[test]
fn other_inputs_are_told_before_what_they_led_to() {
    let options = RecordingOptions::new();
    let mut script = every_kind(false);
    let (ours, _) = record(TWO_ROOMS, &script, 30, options);
    script[4].push(Input::HoldAgent(agent(5)));
    let (theirs, _) = record(TWO_ROOMS, &script, 30, options);
    assert_eq!(
        compared(&ours, &theirs),
        Comparison::OtherInputs {
            tick: 4,
            index: 2,
            inputs: Box::new([None, Some(Input::HoldAgent(agent(5)))]),
        }
    );
    // A way that is no number is no other than itself.
    script[4] = vec![Input::Push {
        agent: agent(5),
        way: [f32::NAN, 0.0],
    }];
    let (nan, _) = record(TWO_ROOMS, &script, 30, options);
    assert_eq!(
        compared(&nan, &nan),
        Comparison::Same {
            ticks: 30,
            of: [30, 30]
        }
    );
}

#[test]
fn agents_that_only_one_has_are_told() {
    let options = RecordingOptions::new();
    let ours = recorded_as(TWO_ROOMS, scene(TWO_ROOMS), 3, options);
    let mut fewer = scene(TWO_ROOMS);
    fewer.groups[1].count = 4;
    fewer.sources.clear();
    let theirs = recorded_as(TWO_ROOMS, fewer, 3, options);
    let differs = |first: &[u8], second: &[u8]| match compared(first, second) {
        Comparison::Differs(divergence) => divergence.difference,
        other => panic!("{other:?}"),
    };
    assert!(matches!(differs(&ours, &theirs), Difference::Missing { agent: who, .. } if who == agent(12)));
    assert!(matches!(differs(&theirs, &ours), Difference::Extra { agent: who, .. } if who == agent(12)));
    // Numbers alone, where there are no states.
    let lean = recorded_as(TWO_ROOMS, scene(TWO_ROOMS), 3, options.with_states_every(0));
    let counted = Difference::Count {
        what: "agents",
        recorded: 13,
        other: 12,
    };
    assert_eq!(differs(&lean, &theirs), counted);
}

#[test]
fn two_scenes_are_told_apart_by_their_text_their_tick_and_their_files() {
    let simulation = crate::kit::simulation(TWO_ROOMS);
    let write = |scene: RecordedScene| {
        RecordingWriter::new(Vec::new(), scene, &simulation, RecordingOptions::new())
            .and_then(|writer| writer.finish(&Ending::Finished))
            .expect("memory")
    };
    let file = |byte| RecordedFile::whole("town.txt".to_owned(), vec![byte]);
    let plain = RecordedScene::new("a.toml".to_owned(), TWO_ROOMS.to_owned());
    let ours = write(plain.clone().with_files(vec![file(1)]));
    let other = |what: &str| Comparison::OtherScene(what.to_owned());
    let renamed = RecordedScene::new("b.toml".to_owned(), TWO_ROOMS.to_owned());
    let by_hash = write(renamed.with_files(vec![file(1).by_hash()]));
    assert_eq!(
        compared(&ours, &by_hash),
        Comparison::Same { ticks: 0, of: [0, 0] }
    );
    assert_eq!(
        compared(&ours, &write(plain.clone().with_files(vec![file(2)]))),
        other("town.txt")
    );
    assert_eq!(compared(&write(plain.clone()), &ours), other("town.txt"));
    let slower = plain.clone().with_files(vec![file(1)]).with_tick(0.2);
    assert_eq!(compared(&ours, &write(slower)), other("tick length"));
    let text = RecordedScene::new("a.toml".to_owned(), format!("{TWO_ROOMS}\n"));
    assert_eq!(compared(&write(plain), &write(text)), other("text"));
}
