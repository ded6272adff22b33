//! `thalweg bench field --asked PERCENT`: what early stop saves where only some tiles are asked for.
//!
//! Nine random goals on every map. For each the whole field is timed, and then three fields of which as many tiles are asked
//! for, in turns: those nearest to the goal (a crowd that has nearly arrived), those nearest to another random cell (a crowd
//! anywhere), and tiles scattered over the whole map, where hardly anything can be saved. Of each tile the cells are asked
//! for from which the goal can be reached: who stands in a closed yard asks for the whole field. Told is the median of the
//! nine shares, and the largest.

use crate::bench_field::{self, FieldBenchError, FieldBenchOptions, median};
use crate::random::Random;
use serde::Serialize;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;
use thalweg::core::cost::CostField;
use thalweg::core::grid::{CellId, Grid};
use thalweg::core::integrate::{
    Asked, Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, RunOptions,
    integrate_with,
};
use thalweg::core::movement::{Movement, MovementProfile};
use thalweg::generate::GeneratedMap;

/// Goals per map.
const GOALS: usize = 9;
/// The side of what is called a tile here, in cells.
const SIDE: u32 = 32;

/// One engine on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct AskedRow {
    map: String,
    engine: String,
    /// How many of 100 tiles are asked for.
    percent: u32,
    /// Time by time of the whole field, tiles nearest to the goal: median and largest of nine goals.
    near_goal: [f64; 2],
    /// The same, tiles nearest to a random cell.
    near_any: [f64; 2],
    /// The same, scattered tiles.
    scattered: [f64; 2],
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct AskedReport {
    rows: Vec<AskedRow>,
}

/// Measures every map with tiles and with buckets.
///
/// # Errors
/// [`FieldBenchError`] if a map cannot be had or integrated.
pub(crate) fn run(
    options: &FieldBenchOptions,
    percent: u32,
    mut load: impl FnMut(&Path) -> Result<GeneratedMap, String>,
) -> Result<AskedReport, FieldBenchError> {
    let mut report = AskedReport::default();
    for map in bench_field::maps(options, &mut load)? {
        let rows = measure(&map, options, percent).map_err(|reason| FieldBenchError::Map {
            name: map.name.clone(),
            reason,
        })?;
        report.rows.extend(rows);
    }
    Ok(report)
}

fn passable(random: &mut Random, movement: &Movement) -> CellId {
    let cells = u32::try_from(movement.grid().len()).unwrap_or(u32::MAX);
    loop {
        let id = CellId(random.below(cells));
        if movement.is_passable(id) {
            return id;
        }
    }
}

/// The rows of the tiles with the least keys, as many as are asked for.
fn tiles_by(grid: &Grid, percent: u32, mut key: impl FnMut(u32, u32) -> u64) -> Vec<Range<CellId>> {
    let (across, down) = (grid.width().div_ceil(SIDE), grid.height().div_ceil(SIDE));
    let mut tiles: Vec<_> = (0..down)
        .flat_map(|row| (0..across).map(move |column| (column, row)))
        .map(|(column, row)| (key(column * SIDE + SIDE / 2, row * SIDE + SIDE / 2), column, row))
        .collect();
    tiles.sort_unstable();
    tiles.truncate((tiles.len() * percent as usize).div_ceil(100));
    let row_of = |column: u32, row: u32| {
        let first = row * grid.width() + column * SIDE;
        CellId(first)..CellId(first + SIDE.min(grid.width() - column * SIDE))
    };
    tiles
        .into_iter()
        .flat_map(|(_, column, row)| {
            (row * SIDE..grid.height().min((row + 1) * SIDE)).map(move |row| row_of(column, row))
        })
        .collect()
}

/// The parts of runs in which cells have a way to the goal.
fn only_reached(field: &IntegrationField, runs: &[Range<CellId>]) -> Vec<Range<CellId>> {
    let mut reached: Vec<Range<CellId>> = Vec::new();
    for id in runs.iter().flat_map(|run| run.start.0..run.end.0).map(CellId) {
        if field.cost(id).is_none() {
            continue;
        }
        match reached.last_mut() {
            Some(run) if run.end == id => run.end = CellId(id.0 + 1),
            _ => reached.push(id..CellId(id.0 + 1)),
        }
    }
    reached
}

fn measure(map: &GeneratedMap, options: &FieldBenchOptions, percent: u32) -> Result<Vec<AskedRow>, String> {
    let grid = Grid::new(map.width, map.height).map_err(|error| error.to_string())?;
    let costs = CostField::from_bytes(grid.clone(), map.costs.clone()).map_err(|error| error.to_string())?;
    let movement = Movement::compile(&costs, &MovementProfile::new().with_scale(options.scale));
    let mut random = Random::new(1);
    let mut subject = Subject {
        movement: &movement,
        scratch: IntegrateScratch::new(),
        field: IntegrationField::new(grid.clone()),
    };
    let engines = [Engine::Buckets, Engine::Tiles];
    let mut shares = vec![[const { Vec::new() }; 3]; engines.len()];
    for _ in 0..GOALS {
        let goal = passable(&mut random, &movement);
        let goals = GoalSet::from_cells([grid.cell(goal)])
            .resolve(&movement)
            .map_err(|error| error.to_string())?;
        let distance_to = |id: CellId| {
            let (x, y) = grid.column_row_of(id);
            move |column: u32, row: u32| {
                u64::from(column.abs_diff(x)).pow(2) + u64::from(row.abs_diff(y)).pow(2)
            }
        };
        let asked = [
            tiles_by(&grid, percent, distance_to(goal)),
            tiles_by(&grid, percent, distance_to(passable(&mut random, &movement))),
            tiles_by(&grid, percent, |_, _| u64::from(random.below(u32::MAX))),
        ];
        subject.time(&goals, Engine::Auto, None)?;
        let asked = asked.map(|runs| only_reached(&subject.field, &runs));
        for (engine, shares) in engines.iter().zip(&mut shares) {
            let mut times = [const { Vec::new() }; 4];
            for _ in 0..options.rounds.max(1) {
                times[0].push(subject.time(&goals, *engine, None)?);
                for (times, asked) in times[1..].iter_mut().zip(&asked) {
                    times.push(subject.time(&goals, *engine, Some(asked))?);
                }
            }
            let whole = median(&times[0]);
            for (share, times) in shares.iter_mut().zip(&times[1..]) {
                share.push(median(times) / whole);
            }
        }
    }
    let told = |shares: &Vec<f64>| [median(shares), shares.iter().copied().fold(0.0, f64::max)];
    let rows = engines.iter().zip(&shares).map(|(engine, shares)| AskedRow {
        map: map.name.clone(),
        engine: engine.to_string(),
        percent,
        near_goal: told(&shares[0]),
        near_any: told(&shares[1]),
        scattered: told(&shares[2]),
    });
    Ok(rows.collect())
}

/// A map with the buffers of one caller.
struct Subject<'a> {
    movement: &'a Movement,
    scratch: IntegrateScratch,
    field: IntegrationField,
}

impl Subject<'_> {
    /// Seconds that one integration takes.
    fn time(
        &mut self,
        goals: &ResolvedGoals,
        engine: Engine,
        asked: Option<&Vec<Range<CellId>>>,
    ) -> Result<f64, String> {
        let options = IntegrateOptions::new().with_engine(engine);
        let run = asked.map_or(RunOptions::new(), |asked| {
            RunOptions::new().with_asked(Asked::Runs(asked))
        });
        let start = Instant::now();
        integrate_with(
            self.movement,
            goals,
            &options,
            &run,
            &mut self.scratch,
            &mut self.field,
        )
        .map_err(|error| error.to_string())?;
        Ok(start.elapsed().as_secs_f64())
    }
}

impl fmt::Display for AskedReport {
    /// A table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20} {:>7} {:>7}  {:>10} {:>8}  {:>10} {:>8}  {:>10} {:>8}",
            "map", "engine", "asked", "near goal", "largest", "near any", "largest", "scattered", "largest"
        )?;
        for row in &self.rows {
            write!(f, "{:<20} {:>7} {:>6}%", row.map, row.engine, row.percent)?;
            for [middle, largest] in [row.near_goal, row.near_any, row.scattered] {
                write!(f, "  {:>9.1}% {:>7.1}%", 100.0 * middle, 100.0 * largest)?;
            }
            writeln!(f)?;
        }
        write!(
            f,
            "time of a field of which tiles are asked for, by that of the whole field: median and largest of {GOALS} goals"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg::generate::MapKind;

    #[test]
    fn every_map_gets_a_row_per_engine() {
        let options = FieldBenchOptions {
            kinds: vec![MapKind::Open],
            sides: vec![100],
            rounds: 1,
            ..FieldBenchOptions::default()
        };
        let report = run(&options, 5, |_| Err(String::new())).unwrap();
        assert_eq!(report.rows.len(), 2);
        assert!(report.rows.iter().all(|row| row.near_goal[0] > 0.0), "{report}");
        // One tile of sixteen, cut off by the side of the map in the last column.
        let grid = Grid::new(100, 100).unwrap();
        let rows = tiles_by(&grid, 5, |column, row| u64::from(300 - column - row));
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[0], CellId(96 * 100 + 96)..CellId(96 * 100 + 100));
    }
}
