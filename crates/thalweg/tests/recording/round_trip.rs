//! What is written is what is read.

use crate::kit::{TWO_ROOMS, every_kind, inputs_of, record, simulation, strict};
use thalweg::crowd::AgentView;
use thalweg::prelude::*;
use thalweg::recording::{
    Ending, FileHash, RecordedContent, RecordedFile, RecordedScene, RecordingError, RecordingOptions,
    RecordingReader, RecordingWriter,
};

/// All numbers of an agent, floats by their bits.
fn bits(view: &AgentView) -> String {
    let floats = [
        view.velocity[0],
        view.velocity[1],
        view.heading[0],
        view.heading[1],
        view.radius,
        view.max_speed,
        view.mass,
        view.stalled,
    ];
    format!("{view:?} {:?}", floats.map(f32::to_bits))
}

#[test]
fn every_state_of_every_agent_comes_back_to_the_bit() {
    for (text, is_strict) in [(TWO_ROOMS.to_owned(), false), (strict(), true)] {
        let script = every_kind(is_strict);
        for block_ticks in [1, 16, 1000] {
            let options = RecordingOptions::new().with_block_ticks(block_ticks);
            let (bytes, seen) = record(&text, &script, 60, options);
            let mut reader = RecordingReader::new(&bytes[..]).expect("a recording");
            assert_eq!(reader.head().scene.text, text);
            assert_eq!(reader.ticks(), None);
            for tick in 0..=60 {
                let moment = reader
                    .next_moment()
                    .expect("a recording")
                    .expect("sixty ticks")
                    .clone();
                assert_eq!(moment.tick, tick as u64);
                assert_eq!(moment.hash, seen.hashes[tick]);
                assert_eq!(moment.agents, seen.agents[tick].len() as u64);
                if tick > 0 {
                    assert_eq!(moment.inputs, inputs_of(&script, tick as u64 - 1));
                    assert_eq!(moment.arrived, seen.reports[tick - 1].step.arrived_total);
                    assert_eq!(moment.left, seen.reports[tick - 1].step.left_total);
                }
                assert_eq!(reader.agents().len(), seen.agents[tick].len());
                for ((id, view), (same, other)) in reader.agents().zip(&seen.agents[tick]) {
                    assert_eq!((id, bits(&view)), (*same, bits(other)), "after tick {tick}");
                }
            }
            assert_eq!(reader.next_moment(), Ok(None));
            assert_eq!(reader.ending(), Some(&Ending::Finished));
            assert_eq!(reader.cut_off(), None);
            assert_eq!(reader.inputs_alone(), None);
        }
    }
}

#[test]
fn states_are_kept_as_seldom_as_is_asked() {
    let script = every_kind(false);
    let (bytes, seen) = record(
        TWO_ROOMS,
        &script,
        40,
        RecordingOptions::new().with_states_every(7),
    );
    let mut reader = RecordingReader::new(&bytes[..]).expect("a recording");
    assert_eq!(reader.head().states_every, 7);
    let mut with_states = Vec::new();
    while let Some(moment) = reader.next_moment().expect("a recording").cloned() {
        let tick = usize::try_from(moment.tick).expect("forty ticks");
        assert_eq!(moment.hash, seen.hashes[tick]);
        if moment.has_states {
            with_states.push(tick);
            assert!(reader.agents().eq(seen.agents[tick].iter().copied()));
        }
    }
    assert_eq!(with_states, [0, 7, 14, 21, 28, 35]);

    let (lean, _) = record(
        TWO_ROOMS,
        &script,
        40,
        RecordingOptions::new().with_states_every(0),
    );
    let mut reader = RecordingReader::new(&lean[..]).expect("a recording");
    while let Some(moment) = reader.next_moment().expect("a recording") {
        assert!(!moment.has_states);
    }
    assert!(lean.len() * 2 < bytes.len());
}

#[test]
fn the_scene_comes_back_with_all_that_was_set_beside_it() {
    let files = vec![
        RecordedFile::whole("town.txt".to_owned(), b"..#\n".to_vec()),
        RecordedFile::whole("hill.csv".to_owned(), vec![7; 5000]).by_hash(),
    ];
    let recorded = RecordedScene::new("scenes/kit.toml".to_owned(), TWO_ROOMS.to_owned())
        .with_tick(0.1)
        .with_ticks(17)
        .with_files(files);
    let simulation = simulation(TWO_ROOMS);
    let options = RecordingOptions::new().with_states_every(3);
    let writer = RecordingWriter::new(Vec::new(), recorded.clone(), &simulation, options).expect("memory");
    let bytes = writer
        .finish(&Ending::Failed("it fell over".to_owned()))
        .expect("memory");
    let mut reader = RecordingReader::new(&bytes[..]).expect("a recording");
    assert_eq!(reader.head().scene, recorded);
    assert_eq!(reader.head().made_by, env!("CARGO_PKG_VERSION"));
    let hill = recorded.file("hill.csv").expect("it is there");
    assert_eq!(hill.content, RecordedContent::Hash(FileHash::of(&[7; 5000])));
    // A recording of the start alone.
    assert_eq!(
        reader
            .next_moment()
            .map(|moment| moment.map(|moment| moment.tick)),
        Ok(Some(0))
    );
    assert_eq!(reader.next_moment(), Ok(None));
    assert_eq!(reader.ending(), Some(&Ending::Failed("it fell over".to_owned())));
}

#[test]
fn ticks_are_recorded_one_after_the_other_from_the_start() {
    let recorded = || RecordedScene::new("kit.toml".to_owned(), TWO_ROOMS.to_owned());
    let mut simulation = simulation(TWO_ROOMS);
    let options = RecordingOptions::new();
    let mut writer = RecordingWriter::new(Vec::new(), recorded(), &simulation, options).expect("memory");
    let first = simulation.step(&Serial).expect("a checked scene");
    let late = RecordingWriter::new(Vec::new(), recorded(), &simulation, options);
    assert_eq!(late.err(), Some(RecordingError::OutOfOrder { wanted: 0, got: 1 }));
    let second = simulation.step(&Serial).expect("a checked scene");
    let skipped = writer.after_tick(&simulation, &second);
    assert_eq!(skipped, Err(RecordingError::OutOfOrder { wanted: 0, got: 1 }));
    // Nor a report with a simulation that has gone on.
    assert!(writer.after_tick(&simulation, &first).is_err());
}
