//! `thalweg measure`: recorded trajectories through lines and areas.

use crate::args::MeasureArguments;
use crate::error::{Answer, CliError};
use crate::json;
use crate::recordings::{self, AreaFigures, LineFigures, Window, area_text, line_text};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use thalweg::core::grid::{MAX_POINT_SIDE, MapPoint};
use thalweg::crowd::AgentId;
use thalweg::recorders::{CountLine, MeasureArea, RecorderError, Recorders, Sighting};
use thalweg_io::{Trajectories, read_trajectories_file};

#[derive(Debug, Serialize)]
struct Measured {
    trajectories: String,
    frame_rate: f64,
    persons: usize,
    points: usize,
    from_s: f64,
    until_s: f64,
    lines: Vec<LineFigures>,
    areas: Vec<AreaFigures>,
}

pub(crate) fn run(arguments: &MeasureArguments) -> Result<Answer, CliError> {
    let path = &arguments.trajectories;
    if arguments.line.is_empty() && arguments.area.is_empty() {
        return Err(CliError::Usage(
            "nothing to measure: give --line or --area".to_owned(),
        ));
    }
    let mut read = read_trajectories_file(path)?;
    if arguments.centimetres && read.unit.is_none() {
        for point in &mut read.points {
            point.x *= 0.01;
            point.y *= 0.01;
        }
    }
    let frame_rate = read.frame_rate.or(arguments.frame_rate).ok_or_else(|| {
        CliError::Usage(format!(
            "{}: the file does not say how many frames a second has; give --frame-rate",
            path.display()
        ))
    })?;
    if !(frame_rate.is_finite() && frame_rate > 0.0) {
        return Err(CliError::Usage(format!(
            "--frame-rate is {frame_rate}; it must be above 0"
        )));
    }
    let mut recorders = recorders(arguments)?;
    let tracks = Tracks::new(&read, frame_rate, arguments);
    let first = read.points.first().map_or(0, |point| point.frame);
    let last = read.points.last().map_or(0, |point| point.frame);
    tracks.show(&read, &mut recorders)?;
    let start_s = f64::from(first) / frame_rate;
    // The first frame is an observation of its own, one frame long; its end is the time of the frame.
    let recorded = |time_s: f64| time_s - start_s + 1.0 / frame_rate;
    let from_s = arguments.from.unwrap_or(start_s);
    let until_s = arguments.until.unwrap_or(f64::from(last) / frame_rate);
    if from_s >= until_s {
        return Err(CliError::Usage(format!(
            "no time is left to measure between {from_s} s and {until_s} s"
        )));
    }
    // Half a frame before, so that the frame at the beginning belongs to the time.
    let window = Window {
        after_s: recorded(from_s) - 0.5 / frame_rate,
        until_s: recorded(until_s) + 1e-9,
    };
    let line_window = Window {
        after_s: recorded(from_s),
        until_s: recorded(until_s),
    };
    let to_file_time = |time: &mut Option<f64>| {
        if let Some(time) = time {
            *time += start_s - 1.0 / frame_rate;
        }
    };
    let mut lines = recordings::lines(&recorders, line_window);
    for way in lines
        .iter_mut()
        .flat_map(|line| [&mut line.forward, &mut line.backward])
    {
        to_file_time(&mut way.first_s);
        to_file_time(&mut way.last_s);
    }
    let measured = Measured {
        trajectories: path.display().to_string(),
        frame_rate,
        persons: tracks.of_person.len(),
        points: read.points.len(),
        from_s,
        until_s,
        lines,
        areas: recordings::areas(&recorders, window),
    };
    if arguments.json {
        json::print(&measured)?;
    } else {
        json::print_text(&text(&measured))?;
    }
    Ok(Answer::Yes)
}

fn text(measured: &Measured) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut line = |what: &str, value: String| {
        let _ok = writeln!(text, "{what:<12} {value}");
    };
    line("trajectories", measured.trajectories.clone());
    line(
        "people",
        format!(
            "{}, in {} places, {} frames a second",
            measured.persons, measured.points, measured.frame_rate
        ),
    );
    line(
        "time",
        format!("{:.2} s to {:.2} s", measured.from_s, measured.until_s),
    );
    for figures in &measured.lines {
        line("line", format!("{}: {}", figures.name, line_text(figures)));
    }
    for figures in &measured.areas {
        line("area", format!("{}: {}", figures.name, area_text(figures)));
    }
    text
}

/// A place in metres as a point; one cell is a metre. `up` turns y, so that left is left.
fn point([x, y]: [f64; 2], up: f64) -> Result<MapPoint, CliError> {
    MapPoint::from_map([x, y * up]).ok_or_else(|| {
        CliError::Usage(format!(
            "place ({x}, {y}) is more than {MAX_POINT_SIDE} m from the origin"
        ))
    })
}

const fn up(arguments: &MeasureArguments) -> f64 {
    if arguments.y_down { 1.0 } else { -1.0 }
}

fn recorders(arguments: &MeasureArguments) -> Result<Recorders, CliError> {
    let up = up(arguments);
    let refused = |what: &str, numbers: &[f64; 4], error: RecorderError| {
        let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
        CliError::Usage(format!("--{what} {}: {error}", numbers.join(",")))
    };
    let name = |numbers: &[f64; 4]| {
        let [x0, y0, x1, y1] = numbers;
        format!("{x0},{y0} to {x1},{y1}")
    };
    let mut recorders = Recorders::new(1.0).map_err(|error| CliError::Usage(error.to_string()))?;
    for numbers in &arguments.line {
        let [x0, y0, x1, y1] = *numbers;
        let line = CountLine::new(name(numbers), point([x0, y0], up)?, point([x1, y1], up)?);
        recorders.add_line(line.map_err(|error| refused("line", numbers, error))?);
    }
    for numbers in &arguments.area {
        let [x0, y0, x1, y1] = *numbers;
        let area = MeasureArea::rectangle(name(numbers), point([x0, y0], up)?, point([x1, y1], up)?)
            .and_then(|area| match arguments.along {
                Some([x, y]) => area.with_direction([x, y * up]),
                None => Ok(area),
            })
            .and_then(|area| match arguments.width {
                Some(width) => area.with_width(width),
                None => Ok(area),
            });
        recorders.add_area(area.map_err(|error| refused("area", numbers, error))?);
    }
    Ok(recorders)
}

/// Everybody's way.
struct Tracks {
    /// A small number for every id of the file.
    of_person: BTreeMap<u32, u32>,
    /// Frame and place of each person in the order of frames.
    ways: Vec<Vec<(u32, [f64; 2])>>,
    frame_rate: f64,
    reach: u32,
    up: f64,
}

impl Tracks {
    fn new(read: &Trajectories, frame_rate: f64, arguments: &MeasureArguments) -> Self {
        let mut tracks = Self {
            of_person: BTreeMap::new(),
            ways: Vec::new(),
            frame_rate,
            reach: arguments.speed_frames,
            up: up(arguments),
        };
        for point in &read.points {
            let next = u32::try_from(tracks.ways.len()).unwrap_or(u32::MAX);
            let person = *tracks.of_person.entry(point.id).or_insert(next);
            if person == next {
                tracks.ways.push(Vec::new());
            }
            tracks.ways[person as usize].push((point.frame, [point.x, point.y * tracks.up]));
        }
        tracks
    }

    /// Shows every frame to the recorders.
    fn show(&self, read: &Trajectories, recorders: &mut Recorders) -> Result<(), CliError> {
        let wrong = |error: RecorderError| CliError::Usage(error.to_string());
        let second = 1.0 / self.frame_rate;
        let mut seen = vec![0usize; self.ways.len()];
        let mut rest = &read.points[..];
        let mut expected = rest.first().map(|point| point.frame);
        while let (Some(first), Some(wanted)) = (rest.first(), expected) {
            let frame = first.frame;
            if frame > wanted {
                // Frames with nobody in them.
                recorders
                    .observe_sightings([], f64::from(frame - wanted) * second)
                    .map_err(wrong)?;
            }
            let (now, later) = rest.split_at(rest.partition_point(|point| point.frame == frame));
            let mut sightings = Vec::with_capacity(now.len());
            for place in now {
                let Some(&person) = self.of_person.get(&place.id) else {
                    continue;
                };
                let index = seen[person as usize];
                seen[person as usize] += 1;
                sightings.push(Sighting {
                    agent: AgentId::from_bits(u64::from(person)),
                    position: point([place.x, place.y], self.up)?,
                    velocity: self.velocity(person, index),
                    leapt: false,
                });
            }
            recorders.observe_sightings(sightings, second).map_err(wrong)?;
            rest = later;
            expected = frame.checked_add(1);
        }
        Ok(())
    }

    /// In metres per second, over the frames around one in which the person was seen without a gap.
    fn velocity(&self, person: u32, index: usize) -> [f64; 2] {
        let way = &self.ways[person as usize];
        let (frame, _) = way[index];
        let (mut first, mut last) = (index, index);
        while first > 0 && way[first - 1].0 + 1 == way[first].0 && frame - way[first - 1].0 <= self.reach {
            first -= 1;
        }
        while last + 1 < way.len()
            && way[last].0 + 1 == way[last + 1].0
            && way[last + 1].0 - frame <= self.reach
        {
            last += 1;
        }
        let seconds = f64::from(way[last].0 - way[first].0) / self.frame_rate;
        if seconds > 0.0 {
            let [from, to] = [way[first].1, way[last].1];
            [(to[0] - from[0]) / seconds, (to[1] - from[1]) / seconds]
        } else {
            [0.0; 2]
        }
    }
}
