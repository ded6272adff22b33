//! Interleaved rounds: every contestant has one turn a round, and ratios are made within a round.
//!
//! On a shared machine, a time says little and two times taken minutes apart say nothing; a ratio of neighbours holds.

use serde::Serialize;
use std::time::{Duration, Instant};

/// Something to be timed.
pub struct Contestant<'a> {
    /// Its name in the tables.
    pub name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl std::fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Contestant").field(&self.name).finish()
    }
}

impl<'a> Contestant<'a> {
    /// A contestant; `run` does the whole work once.
    pub fn new(name: impl Into<String>, run: impl FnMut() + 'a) -> Self {
        Self {
            name: name.into(),
            run: Box::new(run),
        }
    }

    /// Seconds per run, over as many runs as make the clock's error small.
    fn turn(&mut self, turns: u32) -> f64 {
        let start = Instant::now();
        for _ in 0..turns {
            (self.run)();
        }
        start.elapsed().as_secs_f64() / f64::from(turns)
    }
}

/// One contestant on one map. Times are medians of the rounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Name of the map.
    pub map: String,
    /// Name of the contestant.
    pub engine: String,
    /// Cells with a way to the goal.
    pub cells: usize,
    /// Nanoseconds per such cell.
    pub ns_per_cell: f64,
    /// Time of our buckets (integration alone) divided by the time of this contestant: below 1 is slower.
    pub ratio_to_dial: f64,
    /// The same in the round that was worst for our buckets: the largest such ratio.
    pub ratio_to_dial_max: f64,
    /// Best time of our buckets divided by the best time of this contestant: the steadiest figure on a busy machine.
    pub ratio_to_dial_best: f64,
    /// Time of our whole pipeline divided by the time of this contestant.
    pub ratio_to_pipeline: f64,
}

/// The name of our buckets among the contestants.
pub const DIAL: &str = "dial";
/// The name of our whole pipeline among the contestants.
pub const PIPELINE: &str = "pipeline";

/// Times contestants in turns. [`DIAL`] and [`PIPELINE`] must be among them.
///
/// # Panics
/// If they are not.
#[must_use]
pub fn race(map: &str, cells: usize, rounds: usize, contestants: &mut [Contestant<'_>]) -> Vec<Row> {
    let turns: Vec<u32> = contestants
        .iter_mut()
        .map(|contestant| {
            let once = Duration::from_secs_f64(contestant.turn(1).max(1e-9));
            (Duration::from_millis(2).as_secs_f64() / once.as_secs_f64()).ceil() as u32
        })
        .collect();
    let mut times = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..rounds.max(1) {
        for turn in 0..contestants.len() {
            // Another one begins in each round: none always follows the same one.
            let which = (turn + round) % contestants.len();
            times[which].push(contestants[which].turn(turns[which]));
        }
    }
    let times_of = |name: &str| {
        let which = contestants.iter().position(|contestant| contestant.name == name);
        &times[which.unwrap_or_else(|| panic!("{name} is not among the contestants"))]
    };
    let (dial, pipeline) = (times_of(DIAL), times_of(PIPELINE));
    contestants
        .iter()
        .zip(&times)
        .map(|(contestant, own)| {
            let to_dial = ratios(dial, own);
            Row {
                map: map.to_owned(),
                engine: contestant.name.clone(),
                cells,
                ns_per_cell: median(own) * 1e9 / cells.max(1) as f64,
                ratio_to_dial: median(&to_dial),
                ratio_to_dial_max: to_dial.iter().copied().fold(0.0, f64::max),
                ratio_to_dial_best: minimum(dial) / minimum(own),
                ratio_to_pipeline: median(&ratios(pipeline, own)),
            }
        })
        .collect()
}

fn ratios(others: &[f64], own: &[f64]) -> Vec<f64> {
    others.iter().zip(own).map(|(other, own)| other / own).collect()
}

fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
