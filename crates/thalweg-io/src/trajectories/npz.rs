//! Writes trajectories as a NumPy archive.

use super::TrajectoryPoint;
use npyz::WriterBuilder;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Collects trajectories and writes them as one `.npz`: the arrays `id` and `frame` (uint32), `x` and `y` (float64, in
/// metres) and `z` (float32), one entry for each point in the order in which they came, and the number `frame_rate`
/// (float64).
///
/// How many points there will be stands at the head of an array, so columns wait in temporary files until all are there.
/// Rejected: to keep them in memory, which would be 28 bytes for each agent and frame.
#[derive(Debug)]
pub struct TrajectoryNpz {
    frame_rate: f64,
    points: u64,
    columns: [BufWriter<File>; 5],
}

/// Names, types and bytes of the columns.
const COLUMNS: [(&str, &str, u64); 5] = [
    ("id", "<u4", 4),
    ("frame", "<u4", 4),
    ("x", "<f8", 8),
    ("y", "<f8", 8),
    ("z", "<f4", 4),
];

impl TrajectoryNpz {
    /// No points yet. `frame_rate` in frames per second.
    ///
    /// # Errors
    /// Those of making temporary files.
    pub fn new(frame_rate: f64) -> io::Result<Self> {
        let column = || tempfile::tempfile().map(BufWriter::new);
        Ok(Self {
            frame_rate,
            points: 0,
            columns: [column()?, column()?, column()?, column()?, column()?],
        })
    }

    /// Adds a point.
    ///
    /// # Errors
    /// Those of writing temporary files.
    pub fn push(&mut self, point: &TrajectoryPoint) -> io::Result<()> {
        let TrajectoryPoint { id, frame, x, y, z } = *point;
        #[expect(clippy::cast_possible_truncation, reason = "a layer, or the height of a head")]
        let z = z as f32;
        let [ids, frames, xs, ys, zs] = &mut self.columns;
        ids.write_all(&id.to_le_bytes())?;
        frames.write_all(&frame.to_le_bytes())?;
        xs.write_all(&x.to_le_bytes())?;
        ys.write_all(&y.to_le_bytes())?;
        zs.write_all(&z.to_le_bytes())?;
        self.points += 1;
        Ok(())
    }

    /// Writes the archive.
    ///
    /// # Errors
    /// Those of the writer and of reading temporary files.
    pub fn finish(self, writer: impl Write) -> io::Result<()> {
        let mut archive = ZipWriter::new_stream(writer);
        // The time of writing is left out, so that equal runs make equal files.
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .large_file(true);
        archive.start_file("frame_rate.npy", options)?;
        head(&mut archive, "<f8", &[])?;
        archive.write_all(&self.frame_rate.to_le_bytes())?;
        for ((name, kind, bytes), column) in COLUMNS.into_iter().zip(self.columns) {
            archive.start_file(format!("{name}.npy"), options)?;
            head(&mut archive, kind, &[self.points])?;
            let mut file = column.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.seek(SeekFrom::Start(0))?;
            io::copy(&mut BufReader::new(file).take(bytes * self.points), &mut archive)?;
        }
        archive.finish()?.flush()
    }
}

/// Writes the head of an array, whose values follow.
fn head(writer: impl Write, kind: &str, shape: &[u64]) -> io::Result<()> {
    let kind: npyz::TypeStr = kind.parse().map_err(io::Error::other)?;
    let head = npyz::WriteOptions::new_header_only()
        .dtype(npyz::DType::Plain(kind))
        .shape(shape)
        .writer(writer);
    head.write_header_only().map(|_writer| ())
}
