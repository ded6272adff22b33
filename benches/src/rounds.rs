//! Interleaved rounds: every contestant has one turn a round, and ratios are made within a round.
//!
//! On a shared machine, a time says little and two times taken minutes apart say nothing; a ratio of neighbours holds.

use serde_json::{Value, json};
use std::fmt;
use std::time::{Duration, Instant};

/// Something to be timed.
pub struct Contestant<'a> {
    /// Its name in the tables.
    pub name: String,
    run: Box<dyn FnMut() + 'a>,
}

impl fmt::Debug for Contestant<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// One contestant on one map.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Name of the map.
    pub map: String,
    /// Name of the contestant.
    pub engine: String,
    /// Cells with a way to the goal.
    pub cells: usize,
    /// Nanoseconds per such cell, median of the rounds.
    pub ns_per_cell: f64,
    /// How it compares with each yardstick, in the order they were asked for.
    pub ratios: Vec<Ratio>,
}

/// Time of a yardstick, one of ours, divided by the time of a contestant: below 1 ours is faster.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratio {
    /// Name of the yardstick.
    pub yardstick: &'static str,
    /// Median of the rounds.
    pub median: f64,
    /// The round that was worst for the yardstick: the largest ratio.
    pub worst: f64,
    /// Best time by best time: the steadiest figure on a busy machine.
    pub best: f64,
}

/// Our integration alone, by the engine that Auto picks.
pub const AUTO: &str = "auto";
/// Our integration alone, by buckets.
pub const DIAL: &str = "dial";
/// Our whole pipeline: rules compiled from costs, integration by the engine that Auto picks, all directions.
pub const PIPELINE: &str = "pipeline";
/// The pipeline without compiling: integration by the engine that Auto picks and all directions.
pub const FIELD: &str = "field";

/// How long a turn lasts at least. Far more than the clock needs: the first run of a turn finds the caches full of what
/// the contestant before left there, and is not to be the only one.
const TURN: Duration = Duration::from_millis(20);

/// Times contestants in turns and compares each with the yardsticks, which must be among them.
///
/// # Panics
/// If one is not.
#[must_use]
pub fn race(
    map: &str,
    cells: usize,
    rounds: usize,
    yardsticks: &[&'static str],
    contestants: &mut [Contestant<'_>],
) -> Vec<Row> {
    let turns: Vec<u32> = contestants
        .iter_mut()
        .map(|contestant| (TURN.as_secs_f64() / contestant.turn(1).max(1e-9)).ceil() as u32)
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
    contestants
        .iter()
        .zip(&times)
        .map(|(contestant, own)| Row {
            map: map.to_owned(),
            engine: contestant.name.clone(),
            cells,
            ns_per_cell: median(own) * 1e9 / cells.max(1) as f64,
            ratios: yardsticks
                .iter()
                .map(|&yardstick| ratio(yardstick, times_of(yardstick), own))
                .collect(),
        })
        .collect()
}

impl Row {
    /// A flat object: `ratio_to_NAME`, `ratio_to_NAME_max` and `ratio_to_NAME_best` for every yardstick.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut object = json!({
            "map": self.map, "engine": self.engine, "cells": self.cells, "ns_per_cell": self.ns_per_cell,
        });
        for ratio in &self.ratios {
            let key = format!("ratio_to_{}", ratio.yardstick);
            object[format!("{key}_max")] = ratio.worst.into();
            object[format!("{key}_best")] = ratio.best.into();
            object[key] = ratio.median.into();
        }
        object
    }
}

/// The head of a table of rows, as [`Row`] displays them.
#[must_use]
pub fn table_head(yardsticks: &[&str]) -> String {
    let mut head = format!(
        "{:<16} {:<28} {:>8} {:>10}",
        "map", "contestant", "cells", "ns/cell"
    );
    for yardstick in yardsticks {
        head += &format!("  {:>28}", format!("÷ {yardstick}: median, least, best"));
    }
    head
}

/// As a line of a table, ratios turned round: how many times as long as ours the contestant takes, as the median of the
/// rounds, the least of them, and best by best.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<16} {:<28} {:>8} {:>10.2}",
            self.map, self.engine, self.cells, self.ns_per_cell
        )?;
        for ratio in &self.ratios {
            let (median, least, best) = (1.0 / ratio.median, 1.0 / ratio.worst, 1.0 / ratio.best);
            write!(f, "  {:>28}", format!("{median:.2}, {least:.2}, {best:.2}"))?;
        }
        Ok(())
    }
}

fn ratio(yardstick: &'static str, others: &[f64], own: &[f64]) -> Ratio {
    let ratios: Vec<f64> = others.iter().zip(own).map(|(other, own)| other / own).collect();
    let minimum = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    Ratio {
        yardstick,
        median: median(&ratios),
        worst: ratios.iter().copied().fold(0.0, f64::max),
        best: minimum(others) / minimum(own),
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
