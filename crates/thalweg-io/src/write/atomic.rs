//! Putting a finished file in place.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
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

/// A file that is being written under a temporary name in the same folder and gets its own name once it is whole, so that
/// nobody ever sees half of it under its final name. Dropped before [`AtomicFile::commit`], it leaves nothing behind.
///
/// Devices and pipes (such as `/dev/stdout`) are written to directly: renaming would replace them by a file.
#[derive(Debug)]
pub struct AtomicFile {
    path: PathBuf,
    target: Target,
}

#[derive(Debug)]
enum Target {
    Temporary(BufWriter<NamedTempFile>),
    Device(BufWriter<File>),
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// [`WriteError`] naming the path.
    pub fn begin(path: impl Into<PathBuf>) -> Result<Self, WriteError> {
        let path = path.into();
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => return Err(WriteError::Directory { path }),
            Ok(metadata) if !metadata.is_file() => {
                return match OpenOptions::new().write(true).open(&path) {
                    Ok(file) => Ok(Self {
                        path,
                        target: Target::Device(BufWriter::new(file)),
                    }),
                    Err(error) => Err(WriteError::Io { path, error }),
                };
            }
            _ => {}
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(WriteError::NoFolder { path });
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".thalweg-").suffix(".part");
        // Temporary files are private by default; a result should have the rights that any new file has.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        match builder.tempfile_in(folder) {
            Ok(file) => Ok(Self {
                path,
                target: Target::Temporary(BufWriter::new(file)),
            }),
            Err(error) => Err(WriteError::Io { path, error }),
        }
    }

    /// The final name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// An error of writing to it, with its name.
    #[must_use]
    pub fn fail(&self, error: io::Error) -> WriteError {
        WriteError::Io {
            path: self.path.clone(),
            error,
        }
    }

    /// Gives the file its final name. An existing file is replaced, and so is a link to one.
    ///
    /// # Errors
    /// [`WriteError`] naming the path; what was written is gone then.
    pub fn commit(mut self) -> Result<(), WriteError> {
        if let Err(error) = self.flush() {
            return Err(self.fail(error));
        }
        match self.target {
            Target::Device(_) => Ok(()),
            Target::Temporary(buffered) => {
                let path = self.path;
                let file = match buffered.into_inner() {
                    Ok(file) => file,
                    Err(error) => {
                        return Err(WriteError::Io {
                            path,
                            error: error.into_error(),
                        });
                    }
                };
                match file.persist(&path) {
                    Ok(_) => Ok(()),
                    Err(error) => Err(WriteError::Io {
                        path,
                        error: error.error,
                    }),
                }
            }
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            Target::Temporary(file) => file.write(bytes),
            Target::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            Target::Temporary(file) => file.flush(),
            Target::Device(file) => file.flush(),
        }
    }
}

/// Writes a whole file as an [`AtomicFile`]: under a temporary name until `write` has succeeded.
///
/// # Errors
/// [`WriteError`] naming the path; the error of `write` comes back as [`WriteError::Io`].
pub fn write_atomic(
    path: impl AsRef<Path>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let mut file = AtomicFile::begin(path.as_ref())?;
    if let Err(error) = write(&mut file) {
        return Err(file.fail(error));
    }
    file.commit()
}
