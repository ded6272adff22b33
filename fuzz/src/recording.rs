//! Recordings: any bytes are read to their end or refused, and what was read can be replayed.
//!
//! The first byte picks what is done with the rest: read as it is; made edits of a real recording, each of which must be
//! found; made the blocks of one, whole or unpacked and packed again, with the checksums that they must have. Without that
//! the fuzzer would have to guess checksums.

use crate::make::check_sentence;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::io::Read;
use thalweg::prelude::*;
use thalweg::recording::{
    Comparison, Ending, RecordedScene, RecordingOptions, RecordingReader, RecordingWriter, Replay,
    ReplayStep, compare,
};
use thalweg::scene::{EventAction, Scene, SceneFile, SceneMap};
use thalweg::simulation::{Input, Place};
use thalweg_crowd::AgentId;
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

const HEADER: usize = 12;
/// Kind, length, checksum of both.
const HEAD: usize = 9;
const CHECKSUM: usize = 8;
/// Longer ones are not replayed; an input may add an agent each.
const MAX_TICKS: u64 = 60;
const MAX_INPUTS: usize = 400;

const TEXT: &str = r#"
format = 1
duration_s = 3.0
tick_s = 0.1
map = { text = "........" }
goal = [{ name = "east", cells = [[7, 3]] }]
door = [{ name = "gate", area = [4, 1, 4, 2] }]
overlay = [{ name = "pile", area = [5, 0, 6, 1], effect = "block" }]
waiting_zone = [{ name = "before it", area = [2, 0, 3, 3] }]
group = [
  { name = "people", count = 5, area = [0, 0, 1, 3], goals = ["east"], arrival = "leave" },
  { name = "more", count = 2, area = [0, 0, 1, 3], goals = ["east"], speed = 2.0 },
]
"#;

fn simulation(is_strict: bool) -> Option<Simulation> {
    let text = if is_strict {
        format!("{TEXT}[strict]\n")
    } else {
        TEXT.to_owned()
    };
    let costs = CostField::filled(Grid::new(8, 4).ok()?, Cost::PLAIN);
    let scene = Scene::new(&SceneFile::parse(&text).ok()?, SceneMap::new(costs)).ok()?;
    Simulation::new(scene, &Serial).ok()
}

/// A run of twelve ticks with inputs, in blocks of five moments.
fn real(is_strict: bool) -> Vec<u8> {
    let mut simulation = simulation(is_strict).expect("a scene of our own");
    let scene = RecordedScene::new("small.toml".to_owned(), TEXT.to_owned());
    let options = RecordingOptions::new().with_block_ticks(5);
    let mut writer =
        RecordingWriter::new(Vec::new(), scene, &simulation, options).expect("memory can be written");
    let agent = AgentId::from_bits;
    for tick in 0..12 {
        let inputs = match tick {
            2 => vec![Input::Act(EventAction::Close(0)), Input::HoldAgent(agent(1))],
            4 => vec![
                Input::Add {
                    group: 0,
                    place: Place::Cell(Cell::new(3, 3)),
                },
                Input::Push {
                    agent: agent(2),
                    way: [0.5, 0.25],
                },
            ],
            7 => vec![Input::Remove(agent(0)), Input::Act(EventAction::Open(0))],
            9 => vec![Input::Act(EventAction::Put(0)), Input::LetGo(agent(1))],
            _ => Vec::new(),
        };
        writer.before_tick(&inputs);
        let report = simulation.step_with(&inputs, &Serial).expect("a checked scene");
        writer
            .after_tick(&simulation, &report)
            .expect("memory can be written");
    }
    writer.finish(&Ending::Finished).expect("memory can be written")
}

thread_local! {
    static REAL: [Vec<u8>; 2] = [real(false), real(true)];
}

/// Any bytes.
///
/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    let [pick, rest @ ..] = data else {
        return check(data, false);
    };
    let is_strict = pick & 1 != 0;
    REAL.with(|reals| {
        let real = &reals[usize::from(is_strict)];
        match pick / 2 % 4 {
            0 => check(rest, is_strict),
            1 => changed(real, rest),
            2 => check(&sealed(&blocks_of(rest, real)), is_strict),
            _ => check(&sealed(&edited(real, rest)), is_strict),
        }
    });
}

/// Bytes of a real recording are changed: three bytes of the input for each.
fn changed(real: &[u8], edits: &[u8]) {
    let mut bytes = real.to_vec();
    edit(&mut bytes, edits);
    let is_changed = bytes != real;
    let (whole, _) = read(&bytes);
    assert!(
        whole != is_changed,
        "a change was not found, or one that is none was"
    );
}

fn edit(bytes: &mut [u8], edits: &[u8]) {
    for edit in edits.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % bytes.len().max(1);
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= edit[2];
        }
    }
}

type Block = (u8, Vec<u8>);

/// Kinds and contents of the blocks of a recording that is whole.
fn split(bytes: &[u8]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut at = HEADER;
    while let Some(length) = bytes.get(at + 1..).and_then(|rest| rest.first_chunk::<4>()) {
        let end = at + HEAD + u32::from_le_bytes(*length) as usize;
        blocks.push((bytes[at], bytes[at + HEAD..end].to_vec()));
        at = end + CHECKSUM;
    }
    blocks
}

/// A recording of these blocks, with the checksums that it must have.
fn sealed(blocks: &[Block]) -> Vec<u8> {
    let mut bytes = b"\x89THW\r\n\x1a\n\x03\x00\x01\x00".to_vec();
    let mut seed = xxh3_64(&bytes);
    for (kind, content) in blocks {
        let mut head = vec![*kind];
        head.extend(u32::try_from(content.len()).unwrap_or(0).to_le_bytes());
        head.extend(&xxh3_64_with_seed(&head, seed).to_le_bytes()[..4]);
        let mut hash = Xxh3::with_seed(seed);
        hash.update(&head);
        hash.update(content);
        seed = hash.digest();
        bytes.extend(head);
        bytes.extend(content);
        bytes.extend(seed.to_le_bytes());
    }
    bytes
}

/// Blocks of any kind and content, behind as many of a real recording as the first byte says.
fn blocks_of(data: &[u8], real: &[u8]) -> Vec<Block> {
    let [keep, rest @ ..] = data else {
        return Vec::new();
    };
    let mut blocks = split(real);
    blocks.truncate(usize::from(*keep) % (blocks.len() + 1));
    let mut rest = rest;
    while let [kind, length, tail @ ..] = rest {
        let kind = b"STEx"[usize::from(*kind) % 4];
        let (content, tail) = tail.split_at(tail.len().min(usize::from(*length)));
        blocks.push((kind, content.to_vec()));
        rest = tail;
    }
    blocks
}

/// A real recording with one block unpacked, edited and packed again.
fn edited(real: &[u8], data: &[u8]) -> Vec<Block> {
    let [which, edits @ ..] = data else {
        return split(real);
    };
    let mut blocks = split(real);
    let which = usize::from(*which) % blocks.len();
    let (kind, content) = &mut blocks[which];
    // Before what is packed stand the first moment and the number of moments.
    let plain = match kind {
        b'S' => 0,
        b'T' => 12,
        _ => {
            edit(content, edits);
            return blocks;
        }
    };
    let packed = &content[plain..];
    let length = packed.iter().take_while(|byte| **byte >= 0x80).count() + 1;
    let mut body = Vec::new();
    let unpacked = DeflateDecoder::new(&packed[length..]).read_to_end(&mut body);
    unpacked.expect("what was packed can be unpacked");
    // Also bytes before it, so that counts are reached.
    let mut all = [&content[..plain], &body].concat();
    edit(&mut all, edits);
    let mut out = all[..plain].to_vec();
    let mut length = all.len() - plain;
    while length >= 0x80 {
        out.push(length.to_le_bytes()[0] | 0x80);
        length >>= 7;
    }
    out.push(length.to_le_bytes()[0]);
    let mut packer = DeflateEncoder::new(&all[plain..], Compression::none());
    packer.read_to_end(&mut out).expect("memory can be written");
    *content = out;
    blocks
}

/// Whether it is whole, and what can be replayed of it: ticks and inputs.
fn read(bytes: &[u8]) -> (bool, Option<(u64, usize)>) {
    let mut reader = match RecordingReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => {
            check_sentence(&error);
            return (false, None);
        }
    };
    let mut inputs = 0;
    loop {
        match reader.next_moment() {
            Ok(Some(moment)) => {
                inputs += moment.inputs.len();
                for input in &moment.inputs {
                    check_sentence(input);
                }
                if moment.has_states {
                    let mut last = None;
                    for (id, _) in reader.agents() {
                        assert!(last < Some(id.index()), "agents in the order of slots, each once");
                        last = Some(id.index());
                    }
                }
            }
            Ok(None) => break,
            Err(error) => {
                check_sentence(&error);
                return (false, reader.ticks().map(|ticks| (ticks, inputs)));
            }
        }
    }
    inputs += reader.inputs_alone().map_or(0, <[Input]>::len);
    assert!(reader.ending().is_some() != reader.cut_off().is_some());
    (
        reader.ending().is_some(),
        reader.ticks().map(|ticks| (ticks, inputs)),
    )
}

fn check(bytes: &[u8], is_strict: bool) {
    let (_, found) = read(bytes);
    let Some((ticks, inputs)) = found else { return };
    let again = |bytes| RecordingReader::new(bytes).expect("its head was read before");
    match compare(&mut again(bytes), &mut again(bytes)) {
        Ok(Comparison::Same { ticks: same, .. }) => assert_eq!(same, ticks),
        Ok(other) => panic!("a recording differs from itself: {other:?}"),
        Err(error) => check_sentence(&error),
    }
    if ticks > MAX_TICKS || inputs > MAX_INPUTS {
        return;
    }
    // Whatever scene it holds: that of the kit is stepped.
    let simulation = simulation(is_strict).expect("a scene of our own");
    let mut replay = Replay::new(again(bytes), simulation).expect("both are at the start");
    loop {
        match replay.step(&Serial) {
            Ok(ReplayStep::Agrees) => {}
            Ok(ReplayStep::Differs(divergence)) => return check_sentence(&divergence),
            Ok(ReplayStep::End(_)) => return,
            Err(error) => return check_sentence(&error),
        }
    }
}
