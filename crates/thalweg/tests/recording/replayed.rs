//! Runs that are run again.

use crate::kit::{TWO_ROOMS, agent, every_kind, record, replay, replay_by, scene, simulation, strict};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::recording::{
    AgentField, Difference, Ending, LastTick, RecordedScene, RecordingOptions, RecordingReader,
    RecordingWriter, Replay, ReplayError, ReplayStep,
};
use thalweg::scene::{Event, EventAction};
use thalweg::simulation::Input;

#[test]
fn inputs_of_every_kind_replay_to_the_same_states_on_any_number_of_threads() {
    for (text, is_strict) in [(TWO_ROOMS.to_owned(), false), (strict(), true)] {
        let script = every_kind(is_strict);
        let (bytes, seen) = record(&text, &script, 60, RecordingOptions::new());
        let refused: usize = seen
            .reports
            .iter()
            .map(|report| report.inputs.refused.len())
            .sum();
        assert_eq!(
            refused,
            0,
            "{:?}",
            seen.reports
                .iter()
                .map(|report| &report.inputs)
                .collect::<Vec<_>>()
        );
        for threads in [1, 2, 8] {
            let workers = RayonWorkers::new(threads).expect("a pool");
            let (replay, end) = replay(&bytes, &workers);
            assert_eq!(end, ReplayStep::End(LastTick::None), "{threads} threads");
            assert_eq!(replay.simulation().tick(), 60);
            assert_eq!(replay.reader().ending(), Some(&Ending::Finished));
        }
    }
}

#[test]
fn a_run_that_goes_another_way_is_told_with_its_tick_its_agent_and_its_field() {
    let (bytes, seen) = record(TWO_ROOMS, &Vec::new(), 30, RecordingOptions::new());
    // The same scene, but the second group is a little faster.
    let mut faster = scene(TWO_ROOMS);
    faster.groups[1].speed = (1.25, 1.25);
    let reader = RecordingReader::new(&bytes[..]).expect("a recording");
    let (_, end) = replay_by(
        reader,
        Simulation::new(faster, &Serial).expect("a scene"),
        &Serial,
    );
    let ReplayStep::Differs(divergence) = end else {
        panic!("{end:?}")
    };
    // Agents 8 to 12 are of that group, and a speed is seen before anybody has moved.
    assert_eq!((divergence.tick, divergence.seen_at), (0, None));
    assert_eq!(divergence.recorded, seen.hashes[0]);
    let Difference::Field {
        agent: who,
        field,
        ref recorded,
        ref other,
    } = divergence.difference
    else {
        panic!("{divergence}")
    };
    assert_eq!((who, field), (agent(8), AgentField::MaxSpeed));
    assert_eq!((recorded.max_speed, other.max_speed), (1.2, 1.25));
    assert_eq!(
        divergence.to_string(),
        "at the start: agent 8v0, max_speed: 1.2 recorded, 1.25 now"
    );
}

#[test]
fn a_door_that_one_of_the_runs_closes_shows_as_soon_as_somebody_minds() {
    let (bytes, seen) = record(TWO_ROOMS, &Vec::new(), 40, RecordingOptions::new());
    let mut closing = scene(TWO_ROOMS);
    closing.events.insert(
        0,
        Event {
            at_tick: 10,
            action: EventAction::Close(0),
        },
    );
    // What is different, found by hand.
    let mut by_hand = Simulation::new(closing.clone(), &Serial).expect("a scene");
    let mut tick = 0;
    let hash = loop {
        let hash = by_hand.step(&Serial).expect("a checked scene").hash;
        tick += 1;
        if hash != seen.hashes[tick] {
            break hash;
        }
    };
    assert!(tick > 10);
    let both = seen.agents[tick].iter().zip(by_hand.crowd().agents());
    let (ours, theirs) = both
        .map(|(ours, theirs)| (*ours, theirs))
        .find(|(ours, theirs)| ours != theirs)
        .expect("the hashes differ");

    let reader = RecordingReader::new(&bytes[..]).expect("a recording");
    let simulation = Simulation::new(closing, &Serial).expect("a scene");
    let mut replay = Replay::new(reader, simulation).expect("both are at the start");
    for _ in 0..tick {
        assert_eq!(replay.step(&Serial), Ok(ReplayStep::Agrees));
    }
    let Ok(ReplayStep::Differs(divergence)) = replay.step(&Serial) else {
        panic!("they differ")
    };
    assert_eq!(divergence.tick, tick as u64);
    assert_eq!((divergence.recorded, divergence.other), (seen.hashes[tick], hash));
    let Difference::Field {
        agent: who,
        ref recorded,
        ref other,
        ..
    } = divergence.difference
    else {
        panic!("{divergence}")
    };
    assert_eq!((who, **recorded), ours);
    assert_eq!((who, **other), theirs);
    assert_eq!(divergence.difference.place(), Some(recorded.position));
    assert_eq!(replay.simulation().tick(), divergence.tick);
}

#[test]
fn a_simulation_that_has_been_stepped_is_refused() {
    let (bytes, _) = record(TWO_ROOMS, &Vec::new(), 3, RecordingOptions::new());
    let mut simulation = simulation(TWO_ROOMS);
    simulation.step(&Serial).expect("a checked scene");
    let reader = RecordingReader::new(&bytes[..]).expect("a recording");
    let refused = Replay::new(reader, simulation).err();
    assert_eq!(refused, Some(ReplayError::NotAtTheStart { tick: 1 }));
}

#[test]
fn the_tick_in_which_a_run_was_lost_is_stepped_too() {
    let mut lost = simulation(TWO_ROOMS);
    let recorded = RecordedScene::new("kit.toml".to_owned(), TWO_ROOMS.to_owned());
    let mut writer =
        RecordingWriter::new(Vec::new(), recorded, &lost, RecordingOptions::new()).expect("memory");
    for _ in 0..5 {
        let report = lost.step(&Serial).expect("a checked scene");
        writer.after_tick(&lost, &report).expect("memory");
    }
    let inputs = [Input::Remove(agent(0))];
    writer.before_tick(&inputs);
    let bytes = writer
        .finish(&Ending::Failed("a sentence".to_owned()))
        .expect("memory");
    let (replay, end) = replay(&bytes, &Serial);
    assert_eq!(end, ReplayStep::End(LastTick::WentThrough));
    assert_eq!(replay.simulation().tick(), 6);
    assert_eq!(replay.simulation().crowd().get(agent(0)), None);
}
