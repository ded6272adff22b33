//! Opening files: every way in which that can fail has a sentence of its own.

use crate::error::{Place, ReadError, ReadReason};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes a reader takes from one file: 2 GiB, a map of 16,384 x 16,384 eight-byte numbers.
pub const MAX_FILE_BYTES: u64 = 1 << 31;

/// Reads a whole file of at most `limit` bytes.
///
/// The limit also holds for files that do not state a length, such as pipes and devices.
///
/// # Errors
/// [`ReadError`] with [`ReadReason::Missing`], [`ReadReason::Directory`], [`ReadReason::Empty`],
/// [`ReadReason::TooLong`] or [`ReadReason::Io`].
pub fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let name = path.display().to_string();
    let fail = |reason| ReadError::new(&name, Place::WholeFile, reason);
    let from_io = |error: io::Error| {
        fail(match error.kind() {
            io::ErrorKind::NotFound => ReadReason::Missing,
            io::ErrorKind::IsADirectory => ReadReason::Directory,
            _ => ReadReason::Io(error),
        })
    };
    // Asked before opening: on some systems a directory cannot even be opened, and the message would be "denied".
    let metadata = std::fs::metadata(path).map_err(from_io)?;
    if metadata.is_dir() {
        return Err(fail(ReadReason::Directory));
    }
    if metadata.len() > limit {
        return Err(fail(ReadReason::TooLong { limit }));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(from_io)?;
    file.take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(from_io)?;
    if bytes.len() as u64 > limit {
        return Err(fail(ReadReason::TooLong { limit }));
    }
    if bytes.is_empty() {
        return Err(fail(ReadReason::Empty));
    }
    Ok(bytes)
}

/// Reads a file with a reader of bytes; the path becomes the name in messages.
pub(crate) fn read_with<T>(
    path: &Path,
    reader: impl FnOnce(&str, &[u8]) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let bytes = read_limited(path, MAX_FILE_BYTES)?;
    reader(&path.display().to_string(), &bytes)
}
