//! Putting a finished file in place.

use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a file was not written. Nothing half-written lies under the final name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The name is that of a directory.
    #[error("{} cannot be written: this is a directory", .path.display())]
    Directory {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// The folder to write into is not there.
    #[error("{} cannot be written: its folder does not exist", .path.display())]
    NoFolder {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// The operating system refused, or what was to be written could not be made.
    #[error("{} cannot be written: {error}", .path.display())]
    Io {
        /// The file that was to be written.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
}

/// Writes a file under a temporary name in the same folder and renames it once `write` has succeeded, so that nobody
/// ever sees half of it under its final name. An existing file is replaced, and so is a link to one.
///
/// Devices and pipes (such as `/dev/stdout`) are written to directly: renaming would replace them by a file.
///
/// # Errors
/// [`WriteError`] naming the path; the error of `write` comes back as [`WriteError::Io`].
pub fn write_atomic(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let fail = |error: io::Error| WriteError::Io {
        path: path.to_owned(),
        error,
    };
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            let path = path.to_owned();
            return Err(WriteError::Directory { path });
        }
        Ok(metadata) if !metadata.is_file() => {
            let file = OpenOptions::new().write(true).open(path).map_err(fail)?;
            let mut buffered = BufWriter::new(file);
            return write(&mut buffered).and_then(|()| buffered.flush()).map_err(fail);
        }
        _ => {}
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        let path = path.to_owned();
        return Err(WriteError::NoFolder { path });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".thalweg-").suffix(".part");
    // Temporary files are private by default; a result should have the rights that any new file has.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(fail)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered)
        .and_then(|()| buffered.flush())
        .map_err(fail)?;
    drop(buffered);
    file.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}
