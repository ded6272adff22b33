//! Blocks with checksums, one behind the other.

use super::{RecordingError, VERSION};
use crate::saved::MAGIC;
use std::io::{ErrorKind, Read, Write};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

/// Beside 1, a map, and 2, a bundle.
const KIND: u16 = 3;
const HEADER: usize = 12;
/// Kind, length, and a checksum of both: without it a changed length could not be told from a recording cut off.
const HEAD: usize = 9;

/// What a block holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Scene,
    Ticks,
    End,
}

impl BlockKind {
    const fn code(self) -> u8 {
        match self {
            Self::Scene => b'S',
            Self::Ticks => b'T',
            Self::End => b'E',
        }
    }

    const fn of(code: u8) -> Option<Self> {
        match code {
            b'S' => Some(Self::Scene),
            b'T' => Some(Self::Ticks),
            b'E' => Some(Self::End),
            _ => None,
        }
    }
}

/// Each checksum begins with the one before it, so that no block can be taken out, doubled or brought in from elsewhere.
#[derive(Clone, Copy, Debug)]
struct Chain(u64);

impl Chain {
    /// Of a head without its checksum.
    fn of_head(self, head: &[u8]) -> u32 {
        let [low, _] = halves(xxh3_64_with_seed(head, self.0));
        low
    }

    fn of_block(self, head: &[u8; HEAD], payload: &[u8]) -> u64 {
        let mut hash = Xxh3::with_seed(self.0);
        hash.update(head);
        hash.update(payload);
        hash.digest()
    }
}

const fn halves(value: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// Writes blocks.
#[derive(Debug)]
pub(super) struct BlockWriter<W> {
    out: W,
    chain: Chain,
}

impl<W: Write> BlockWriter<W> {
    /// Writes the header.
    pub(super) fn new(mut out: W) -> Result<Self, RecordingError> {
        let mut header = MAGIC.to_vec();
        header.extend(KIND.to_le_bytes());
        header.extend(VERSION.to_le_bytes());
        out.write_all(&header)?;
        let chain = Chain(xxh3_64(&header));
        Ok(Self { out, chain })
    }

    /// Writes a block, and flushes: a block that is written is kept, whatever happens then.
    pub(super) fn write(&mut self, kind: BlockKind, payload: &[u8]) -> Result<(), RecordingError> {
        let len = payload.len() as u64;
        let length = u32::try_from(len).map_err(|_| RecordingError::TooLong { len })?;
        let [a, b, c, d] = length.to_le_bytes();
        let mut head = [kind.code(), a, b, c, d, 0, 0, 0, 0];
        let check = self.chain.of_head(&head[..5]);
        head[5..].copy_from_slice(&check.to_le_bytes());
        let checksum = self.chain.of_block(&head, payload);
        self.out.write_all(&head)?;
        self.out.write_all(payload)?;
        self.out.write_all(&checksum.to_le_bytes())?;
        self.out.flush()?;
        self.chain = Chain(checksum);
        Ok(())
    }

    pub(super) fn into_inner(self) -> W {
        self.out
    }
}

/// Reads blocks.
#[derive(Debug)]
pub(super) struct BlockReader<R> {
    from: R,
    chain: Chain,
    /// Where the next block begins.
    at: u64,
    /// Where the bytes end, once that was seen.
    pub(super) end: Option<u64>,
}

impl<R: Read> BlockReader<R> {
    /// Reads the header.
    pub(super) fn new(mut from: R) -> Result<Self, RecordingError> {
        let mut header = [0; HEADER];
        let read = fill(&mut from, &mut header)?;
        let differs = header[..read].iter().zip(MAGIC);
        if let Some(at) = differs.into_iter().position(|(&byte, magic)| byte != magic) {
            return Err(RecordingError::NotARecording { at: at as u64 });
        }
        if read < HEADER {
            return Err(RecordingError::NoScene { len: read as u64 });
        }
        let [.., k, l, v, w] = header;
        let (kind, version) = (u16::from_le_bytes([k, l]), u16::from_le_bytes([v, w]));
        if kind != KIND {
            return Err(RecordingError::OtherKind { found: kind });
        }
        if version != VERSION {
            return Err(RecordingError::Version { found: version });
        }
        Ok(Self {
            from,
            chain: Chain(xxh3_64(&header)),
            at: HEADER as u64,
            end: None,
        })
    }

    /// Where the next block begins.
    pub(super) const fn at(&self) -> u64 {
        self.at
    }

    /// Reads the next block; `None` if the bytes end before it is whole.
    pub(super) fn next(&mut self, payload: &mut Vec<u8>) -> Result<Option<BlockKind>, RecordingError> {
        if self.end.is_some() {
            return Ok(None);
        }
        let at = self.at;
        let mut head = [0; HEAD];
        let read = fill(&mut self.from, &mut head)?;
        if read < HEAD {
            self.end = Some(at + read as u64);
            return Ok(None);
        }
        let [code, a, b, c, d, e, f, g, h] = head;
        let stored = u32::from_le_bytes([e, f, g, h]);
        let computed = self.chain.of_head(&head[..5]);
        if stored != computed {
            return Err(RecordingError::Altered {
                what: "a block's head",
                at,
                stored: u64::from(stored),
                computed: u64::from(computed),
            });
        }
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        payload.clear();
        // Takes memory as bytes come, whatever the head says.
        let mut limited = self.from.by_ref().take(length);
        limited.read_to_end(payload)?;
        let mut checksum = [0; 8];
        let mut read = payload.len() as u64;
        if read == length {
            read += fill(&mut self.from, &mut checksum)? as u64;
        }
        if read < length + checksum.len() as u64 {
            self.end = Some(at + HEAD as u64 + read);
            return Ok(None);
        }
        let stored = u64::from_le_bytes(checksum);
        let computed = self.chain.of_block(&head, payload);
        if stored != computed {
            return Err(RecordingError::Altered {
                what: "a block",
                at,
                stored,
                computed,
            });
        }
        let kind = BlockKind::of(code).ok_or(RecordingError::Value {
            at,
            what: "there is no such kind of block",
        })?;
        self.chain = Chain(computed);
        self.at = at + HEAD as u64 + read;
        Ok(Some(kind))
    }

    /// Nothing may follow.
    pub(super) fn finish(&mut self) -> Result<(), RecordingError> {
        if fill(&mut self.from, &mut [0])? == 0 {
            self.end = Some(self.at);
            return Ok(());
        }
        Err(RecordingError::AfterTheEnd { at: self.at })
    }
}

/// Reads as much as there is of what is wanted.
fn fill(from: &mut impl Read, buffer: &mut [u8]) -> Result<usize, RecordingError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match from.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(filled)
}
