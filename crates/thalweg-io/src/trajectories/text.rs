//! Writes trajectories in the text format of the Jülich archive.

use super::TrajectoryPoint;
use std::io::{self, Write};

/// Writes trajectories line by line: id, frame, x, y, z, separated by tabs, under a head with frame rate and unit. Lengths
/// are written in metres with four decimals, as in the archive.
#[derive(Debug)]
pub struct TrajectoryText<W> {
    writer: W,
}

impl<W: Write> TrajectoryText<W> {
    /// Writes the head. `frame_rate` in frames per second.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn new(mut writer: W, frame_rate: f64) -> io::Result<Self> {
        // PedPy looks for the unit in the names of the columns.
        writeln!(
            writer,
            "# framerate: {frame_rate} fps\n# id\tframe\tx/m\ty/m\tz/m"
        )?;
        Ok(Self { writer })
    }

    /// Writes a line.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn push(&mut self, point: &TrajectoryPoint) -> io::Result<()> {
        let TrajectoryPoint { id, frame, x, y, z } = point;
        writeln!(self.writer, "{id}\t{frame}\t{x:.4}\t{y:.4}\t{z}")
    }
    /// Flushes, and gives the writer back.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.writer.flush()?;
        Ok(self.writer)
    }
}
