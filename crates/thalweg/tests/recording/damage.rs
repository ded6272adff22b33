//! Recordings that are cut off or changed.

use crate::kit::{TWO_ROOMS, every_kind, record, simulation};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use thalweg::prelude::*;
use thalweg::recording::{
    Ending, RecordedScene, RecordingError, RecordingOptions, RecordingReader, RecordingWriter,
};
use thalweg::saved::save_map;
use thalweg::simulation::Input;

/// The ticks that can be read, and what ends it.
fn read(bytes: &[u8]) -> (Option<u64>, Result<Option<Ending>, RecordingError>) {
    let mut reader = match RecordingReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return (None, Err(error)),
    };
    loop {
        match reader.next_moment() {
            Ok(Some(_)) => {}
            Ok(None) => return (reader.ticks(), Ok(reader.ending().cloned())),
            Err(error) => {
                assert_eq!(reader.next_moment(), Ok(None), "after an error nothing is read");
                return (reader.ticks(), Err(error));
            }
        }
    }
}

fn small() -> Vec<u8> {
    let options = RecordingOptions::new().with_block_ticks(4);
    record(TWO_ROOMS, &every_kind(false), 14, options).0
}

#[test]
fn every_byte_that_is_changed_is_found() {
    let bytes = small();
    for at in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[at] ^= change;
            let (_, ended) = read(&changed);
            assert!(ended.is_err(), "byte {at} changed by {change:#x}: {ended:?}");
        }
    }
}

#[test]
fn every_byte_that_is_taken_out_or_doubled_is_found() {
    let bytes = small();
    for at in 0..bytes.len() {
        let mut shorter = bytes.clone();
        shorter.remove(at);
        let (ticks, ended) = read(&shorter);
        // Of a byte at the very end it cannot be told whether it was ever written.
        assert!(
            !matches!(ended, Ok(Some(_))),
            "byte {at} taken out: {ended:?} after {ticks:?}"
        );
        let mut longer = bytes.clone();
        longer.insert(at, bytes[at]);
        let (_, ended) = read(&longer);
        assert!(ended.is_err(), "byte {at} doubled: {ended:?}");
    }
}

#[test]
fn a_recording_that_is_cut_off_is_read_to_its_last_whole_block() {
    let bytes = small();
    // Where blocks end, and how many ticks can be read then.
    let mut ends = Vec::new();
    let mut most = None;
    for len in 0..bytes.len() {
        let (ticks, ended) = read(&bytes[..len]);
        match ended {
            Ok(None) => {}
            Err(RecordingError::NoScene { len: told }) => assert_eq!(told, len as u64),
            other => panic!("cut off at {len}: {other:?}"),
        }
        assert!(ticks >= most, "cut off at {len}: {ticks:?} after {most:?}");
        if ticks > most {
            ends.push((len, ticks));
            most = ticks;
        }
    }
    // The start and 14 ticks, in blocks of four moments.
    let ticks: Vec<_> = ends.iter().map(|&(_, ticks)| ticks).collect();
    assert_eq!(ticks, [Some(3), Some(7), Some(11), Some(14)]);
    for (end, ticks) in ends {
        let mut reader = RecordingReader::new(&bytes[..end + 5]).expect("a recording");
        while reader.next_moment().expect("cut off, not broken").is_some() {}
        assert_eq!(reader.ticks(), ticks);
        assert_eq!(reader.cut_off(), Some((end as u64 + 5, end as u64)));
        assert_eq!(reader.ending(), None);
    }
}

#[test]
fn what_comes_before_a_change_can_be_read() {
    let mut bytes = small();
    let at = bytes.len() - 60;
    bytes[at] ^= 4;
    let (ticks, ended) = read(&bytes);
    assert_eq!(ticks, Some(11));
    let Err(error) = ended else { panic!("{ended:?}") };
    assert!(
        error
            .to_string()
            .contains(" were changed: the checksum of a block"),
        "{error}"
    );
}

#[test]
fn blocks_cannot_be_taken_out_exchanged_or_doubled() {
    let bytes = small();
    let mut ends = vec![12];
    while let Some(length) = bytes
        .get(ends[ends.len() - 1] + 1..)
        .and_then(|rest| rest.first_chunk::<4>())
    {
        ends.push(ends[ends.len() - 1] + 9 + u32::from_le_bytes(*length) as usize + 8);
    }
    let blocks: Vec<&[u8]> = ends.windows(2).map(|ends| &bytes[ends[0]..ends[1]]).collect();
    assert_eq!(blocks.len(), 6, "a scene, four blocks of ticks, an end");
    let put_together = |order: &[usize]| {
        let mut out = bytes[..12].to_vec();
        order.iter().for_each(|&block| out.extend(blocks[block]));
        read(&out).1
    };
    assert_eq!(put_together(&[0, 1, 2, 3, 4, 5]), Ok(Some(Ending::Finished)));
    for order in [
        &[0, 2, 3, 4, 5][..],
        &[0, 1, 1, 2, 3, 4, 5],
        &[0, 1, 3, 2, 4, 5],
        &[0, 1, 2, 5],
        &[1, 0],
    ] {
        let ended = put_together(order);
        assert!(
            matches!(ended, Err(RecordingError::Altered { .. })),
            "{order:?}: {ended:?}"
        );
    }
    let behind = put_together(&[0, 1, 2, 3, 4, 5, 5]);
    assert_eq!(
        behind,
        Err(RecordingError::AfterTheEnd {
            at: bytes.len() as u64
        })
    );
}

#[test]
fn other_files_and_other_versions_are_refused_by_name() {
    let said = |bytes: &[u8]| RecordingReader::new(bytes).err().map(|error| error.to_string());
    let is = |text: &str| Some(text.to_owned());
    assert_eq!(said(b"P5 2 2 255"), is("byte 0 is not that of a recording"));
    assert_eq!(said(b""), is("the bytes end at 0, before the scene is whole"));
    let map = save_map(
        &CostField::filled(Grid::new(2, 2).expect("a grid"), Cost::PLAIN),
        None,
    )
    .expect("a map");
    assert_eq!(
        said(&map),
        is("bytes 8 to 10 say kind 1, which is not a recording")
    );
    let mut later = small();
    later[10] = 2;
    assert_eq!(
        said(&later),
        is("bytes 10 to 12 say version 2; this build reads version 1")
    );
}

/// Bytes that outlive the writer.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics here").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_is_dropped_keeps_everything_and_the_inputs_of_the_tick_under_way() {
    let mut simulation = simulation(TWO_ROOMS);
    let recorded = RecordedScene::new("kit.toml".to_owned(), TWO_ROOMS.to_owned());
    let shared = Shared::default();
    let out = shared.clone();
    let options = RecordingOptions::new();
    let inputs = vec![Input::HoldAgent(crate::kit::agent(1))];
    let before = inputs.clone();
    let crashed = std::thread::spawn(move || {
        let mut writer = RecordingWriter::new(out, recorded, &simulation, options).expect("memory");
        for _ in 0..3 {
            writer.before_tick(&[]);
            let report = simulation.step(&Serial).expect("a checked scene");
            writer.after_tick(&simulation, &report).expect("memory");
        }
        writer.before_tick(&before);
        std::panic::resume_unwind(Box::new("the fourth tick"));
    });
    assert!(crashed.join().is_err());
    let bytes = shared.0.lock().expect("nobody panics here").clone();
    let mut reader = RecordingReader::new(&bytes[..]).expect("a recording");
    while reader.next_moment().expect("a recording").is_some() {}
    assert_eq!(reader.ticks(), Some(3));
    assert_eq!(reader.inputs_alone(), Some(&inputs[..]));
    assert_eq!(reader.ending(), None);
    assert_eq!(reader.cut_off(), Some((bytes.len() as u64, bytes.len() as u64)));
}

/// A disk that is full after so many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        if written == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "no space left"));
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_told_wherever_it_fills() {
    let whole = small();
    for space in (0..whole.len()).step_by(7) {
        let mut simulation = simulation(TWO_ROOMS);
        let recorded = RecordedScene::new("kit.toml".to_owned(), TWO_ROOMS.to_owned());
        let options = RecordingOptions::new().with_block_ticks(4);
        let told =
            RecordingWriter::new(Full(space), recorded, &simulation, options).and_then(|mut writer| {
                for inputs in &every_kind(false)[..14] {
                    writer.before_tick(inputs);
                    let report = simulation.step_with(inputs, &Serial).expect("a checked scene");
                    writer.after_tick(&simulation, &report)?;
                }
                writer.finish(&Ending::Finished).map(|_| ())
            });
        let full = RecordingError::Io {
            kind: io::ErrorKind::StorageFull,
            message: "no space left".to_owned(),
        };
        assert_eq!(told, Err(full), "{space} bytes of {}", whole.len());
    }
}
