//! Behind a right checksum nothing is believed either: blocks of any content, in frames as they must be.

use super::bytes::{pack, put, put_bytes};
use super::columns::{Column, Columns};
use super::frame::{BlockKind, BlockWriter};
use super::scene::{Motion, RecordedScene, RecordingHead};
use super::ticks::{INPUTS_ALONE, STATES};
use super::{Ending, RecordingError, RecordingReader};

/// Blocks that can be told before they are written.
enum Block {
    Scene,
    Ticks {
        first: u64,
        moments: u32,
        columns: Box<Columns>,
    },
    End {
        ticks: u64,
        hash: u64,
        code: u8,
    },
}

const START: u64 = 0x51;

/// A moment without states, whose hash is this.
fn moment(columns: &mut Columns, flags: u8, hash: u64) {
    let column = columns.of(Column::Ticks);
    column.push(flags);
    put(column, 0);
    if flags == INPUTS_ALONE {
        return;
    }
    column.extend(hash.to_le_bytes());
    for count in [0, 0, 0] {
        put(column, count);
    }
    if flags == STATES {
        put(columns.of(Column::Who), 0);
        put(columns.of(Column::Who), 0);
    }
}

fn ticks(first: u64, flags: &[u8]) -> Block {
    let mut columns = Columns::default();
    for flags in flags {
        moment(&mut columns, *flags, START);
    }
    let moments = u32::try_from(flags.len()).unwrap_or(0);
    let columns = Box::new(columns);
    Block::Ticks {
        first,
        moments,
        columns,
    }
}

const fn end(ticks: u64) -> Block {
    Block::End {
        ticks,
        hash: START,
        code: 0,
    }
}

/// What a reader says to it: the ticks that it read, and how it ended.
fn read(blocks: Vec<Block>) -> (Option<u64>, Result<Option<Ending>, String>) {
    let mut writer = BlockWriter::new(Vec::new()).expect("memory");
    for block in blocks {
        let (kind, content) = match block {
            Block::Scene => {
                let head = RecordingHead {
                    scene: RecordedScene::new("a.toml".to_owned(), "format = 1".to_owned()),
                    made_by: "0".to_owned(),
                    states_every: 1,
                    motion: Motion {
                        tick_s: 0.1,
                        is_strict: false,
                    },
                };
                (BlockKind::Scene, head.write().expect("memory"))
            }
            Block::Ticks {
                first,
                moments,
                mut columns,
            } => {
                let mut body = Vec::new();
                columns.drain_into(&mut body);
                let mut content = first.to_le_bytes().to_vec();
                content.extend(moments.to_le_bytes());
                pack(&mut content, &body).expect("memory");
                (BlockKind::Ticks, content)
            }
            Block::End { ticks, hash, code } => {
                let mut content = ticks.to_le_bytes().to_vec();
                content.extend(hash.to_le_bytes());
                content.push(code);
                put_bytes(&mut content, b"");
                (BlockKind::End, content)
            }
        };
        writer.write(kind, &content).expect("memory");
    }
    let bytes = writer.into_inner();
    let mut reader = match RecordingReader::new(&bytes[..]) {
        Ok(reader) => reader,
        Err(error) => return (None, Err(said(error))),
    };
    loop {
        match reader.next_moment() {
            Ok(Some(_)) => {}
            Ok(None) => return (reader.ticks(), Ok(reader.ending().cloned())),
            Err(error) => return (reader.ticks(), Err(said(error))),
        }
    }
}

fn said(error: RecordingError) -> String {
    match error {
        RecordingError::Value { what, .. } => what.to_owned(),
        other => other.to_string(),
    }
}

fn refused(blocks: Vec<Block>) -> String {
    read(blocks).1.expect_err("it cannot be")
}

#[test]
fn a_recording_by_hand_is_read() {
    let blocks = vec![Block::Scene, ticks(0, &[STATES, 0]), ticks(2, &[0]), end(2)];
    assert_eq!(read(blocks), (Some(2), Ok(Some(Ending::Finished))));
}

#[test]
fn blocks_in_an_order_that_cannot_be_are_refused() {
    assert_eq!(
        refused(vec![ticks(0, &[0])]),
        "it is not that of the scene, which comes first"
    );
    assert_eq!(
        refused(vec![Block::Scene, Block::Scene]),
        "there is a second scene"
    );
    assert_eq!(
        refused(vec![Block::Scene, ticks(1, &[0])]),
        "it does not follow the block before it"
    );
    let gap = vec![Block::Scene, ticks(0, &[0]), ticks(2, &[0])];
    assert_eq!(refused(gap), "it does not follow the block before it");
}

#[test]
fn an_end_that_does_not_fit_is_refused() {
    let ended = |end| refused(vec![Block::Scene, ticks(0, &[0, 0]), end]);
    assert_eq!(
        ended(end(2)),
        "the number of ticks is another than those that were read"
    );
    let other_hash = Block::End {
        ticks: 1,
        hash: 7,
        code: 0,
    };
    assert_eq!(
        ended(other_hash),
        "the last hash is another than that of the last tick"
    );
    let other_reason = Block::End {
        ticks: 1,
        hash: START,
        code: 3,
    };
    assert_eq!(
        ended(other_reason),
        "it ended for a reason that version 1 does not have"
    );
    // Without even a start there is nothing that could end.
    let nothing = refused(vec![Block::Scene, end(0)]);
    assert_eq!(
        nothing,
        "the number of ticks is another than those that were read"
    );
}

#[test]
fn a_tick_that_never_ended_is_the_last() {
    let last = vec![Block::Scene, ticks(0, &[0, INPUTS_ALONE]), end(0)];
    assert_eq!(read(last), (Some(0), Ok(Some(Ending::Finished))));
    for flags in [
        &[0, INPUTS_ALONE, 0][..],
        &[0, INPUTS_ALONE, INPUTS_ALONE],
        &[INPUTS_ALONE],
    ] {
        let said = refused(vec![Block::Scene, ticks(0, flags)]);
        assert_eq!(said, "something follows a tick that never ended", "{flags:?}");
    }
}

#[test]
fn columns_that_do_not_fit_their_moments_are_refused() {
    let with = |moments: u32, change: &dyn Fn(&mut Columns)| {
        let mut columns = Columns::default();
        moment(&mut columns, STATES, START);
        change(&mut columns);
        let columns = Box::new(columns);
        refused(vec![
            Block::Scene,
            Block::Ticks {
                first: 0,
                moments,
                columns,
            },
        ])
    };
    assert_eq!(with(2, &|_| {}), "a list ends before its last number");
    assert_eq!(with(u32::MAX, &|_| {}), "a list ends before its last number");
    assert_eq!(with(0, &|_| {}), "bytes are left behind the last number");
    assert_eq!(
        with(1, &|columns| columns.of(Column::Rare).push(0)),
        "bytes are left behind the last number"
    );
    let other_flag = with(2, &|columns| columns.of(Column::Ticks).push(4));
    assert_eq!(other_flag, "a tick has a flag that version 1 does not have");
    let who = |numbers: &'static [u64]| {
        with(1, &move |columns| {
            columns.of(Column::Who).clear();
            numbers
                .iter()
                .for_each(|number| put(columns.of(Column::Who), *number));
        })
    };
    assert_eq!(who(&[1, 0]), "somebody is gone who was not there");
    assert_eq!(who(&[u64::MAX, 0]), "somebody is gone who was not there");
    assert_eq!(who(&[0, u64::MAX]), "a list ends before its last number");
    assert_eq!(who(&[0, 2, 3, 0, 0, 0]), "two agents are new in one slot");
    assert_eq!(
        who(&[0, 1, 1 << 32, 0]),
        "an agent is new in a slot beyond 32 bits"
    );
    assert_eq!(who(&[0, 1, 3, 0]), "a list ends before its last number");
    let one_more = with(1, &|columns| {
        columns.of(Column::Who).clear();
        [0, 1, 3, 0]
            .iter()
            .for_each(|number| put(columns.of(Column::Who), *number));
        columns.of(Column::Mask).push(0);
    });
    assert_eq!(one_more, "there are more or fewer agents than are counted");
}
