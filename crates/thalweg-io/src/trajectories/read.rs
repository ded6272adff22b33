//! Reads trajectories in the text format of the Jülich archive.

use super::{Trajectories, TrajectoryPoint, TrajectoryUnit};
use crate::error::{Place, ReadError, ReadReason, quoted};
use crate::read_file::read_with;
use crate::source_text::SourceText;
use std::path::Path;

const COLUMNS: &str = "id, frame, x, y and perhaps z";

/// Reads trajectories: lines of id, frame, x, y and z (which may be missing), separated by blanks or tabs, in any order.
/// `name` stands for the file in messages.
///
/// Lines that begin with `#` are comments. The first number in one that says `framerate` is the frames per second, and
/// `x/cm` or `in cm`, `x/m` or `in m` tell the unit, as PedPy reads them. Values after the fifth are passed over.
///
/// # Errors
/// [`ReadError`] naming line and column for too few values, numbers that are negative, not finite or no numbers at all; for
/// a frame rate that is not above 0; for somebody who is in a frame twice; for a file without a line of values.
pub fn read_trajectories(name: &str, bytes: &[u8]) -> Result<Trajectories, ReadError> {
    let source = SourceText::new(name, bytes)?;
    let (mut frame_rate, mut unit) = (None, None);
    let mut points: Vec<(TrajectoryPoint, usize)> = Vec::new();
    for (number, line) in source.lines() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            let comment = comment.to_lowercase();
            if frame_rate.is_none() && comment.contains("framerate") {
                frame_rate = rate_of(&source, number, &comment)?;
            }
            unit = unit_of(&comment).or(unit);
        } else if !line.is_empty() {
            points.push((point(&source, number, line)?, number));
        }
    }
    if points.is_empty() {
        return Err(source.error(Place::WholeFile, ReadReason::Empty));
    }
    points.sort_by_key(|(point, line)| (point.frame, point.id, *line));
    let twice = points
        .windows(2)
        .find(|pair| (pair[0].0.frame, pair[0].0.id) == (pair[1].0.frame, pair[1].0.id));
    if let Some([(point, first), (_, second)]) = twice {
        let reason = ReadReason::SeenTwice {
            id: point.id,
            frame: point.frame,
            first: *first,
        };
        return Err(source.error(Place::Line(*second), reason));
    }
    let metres = if unit == Some(TrajectoryUnit::Centimetres) {
        0.01
    } else {
        1.0
    };
    let points = points.into_iter().map(|(point, _)| TrajectoryPoint {
        x: point.x * metres,
        y: point.y * metres,
        z: point.z * metres,
        ..point
    });
    Ok(Trajectories {
        frame_rate,
        unit,
        points: points.collect(),
    })
}

/// Reads trajectories from a file.
///
/// # Errors
/// As [`read_trajectories`], and for files that cannot be read.
pub fn read_trajectories_file(path: &Path) -> Result<Trajectories, ReadError> {
    read_with(path, read_trajectories)
}

/// The first number of a comment; `None` if it has none.
fn rate_of(source: &SourceText<'_>, line: usize, comment: &str) -> Result<Option<f64>, ReadError> {
    let mut numbers = comment
        .split(|letter: char| letter.is_whitespace() || letter == ':')
        .filter_map(|word| word.parse::<f64>().ok().map(|number| (word, number)));
    match numbers.next() {
        Some((_, rate)) if rate.is_finite() && rate > 0.0 => Ok(Some(rate)),
        Some((word, _)) => {
            let reason = ReadReason::Number {
                what: "the frame rate",
                got: quoted(word),
                wanted: "a finite number above 0",
            };
            Err(source.error(Place::Line(line), reason))
        }
        None => Ok(None),
    }
}

fn unit_of(comment: &str) -> Option<TrajectoryUnit> {
    let says = |words: [&str; 2]| words.iter().any(|word| comment.contains(word));
    if says(["x/cm", "in cm"]) {
        Some(TrajectoryUnit::Centimetres)
    } else if says(["x/m", "in m"]) {
        Some(TrajectoryUnit::Metres)
    } else {
        None
    }
}

fn point(source: &SourceText<'_>, line: usize, text: &str) -> Result<TrajectoryPoint, ReadError> {
    let mut values = text.split_whitespace().zip(1..);
    let mut next = |wanted: usize| {
        values.next().ok_or_else(|| {
            let reason = ReadReason::Columns {
                got: wanted - 1,
                want: 4,
                names: COLUMNS,
            };
            source.error(Place::Line(line), reason)
        })
    };
    let wrong = |column: usize, what: &'static str, got: &str, wanted: &'static str| {
        let got = quoted(got);
        source.error(
            Place::LineColumn(line, column),
            ReadReason::Number { what, got, wanted },
        )
    };
    let whole = |what: &'static str, (text, column): (&str, usize)| {
        text.parse::<u32>()
            .map_err(|_| wrong(column, what, text, "a whole number from 0 to 4294967295"))
    };
    let length = |what: &'static str, (text, column): (&str, usize)| match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(wrong(column, what, text, "a finite number")),
    };
    let id = whole("the id", next(1)?)?;
    let frame = whole("the frame", next(2)?)?;
    let (x, y) = (length("x", next(3)?)?, length("y", next(4)?)?);
    let z = match next(5) {
        Ok(value) => length("z", value)?,
        Err(_) => 0.0,
    };
    Ok(TrajectoryPoint { id, frame, x, y, z })
}
