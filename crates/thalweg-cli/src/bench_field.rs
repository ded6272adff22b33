//! `thalweg bench field`: what the engines cost on this machine, as ratios within one run.
//!
//! Engines take turns in every round, so that whatever else the machine does falls on all of them; a ratio is made
//! within a round, and of the rounds the median and the minimum are told. Nanoseconds are for orientation, ratios are
//! for comparing. Before anything is timed, all engines must agree in every bit.

use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thalweg::core::cost::CostField;
use thalweg::core::flow::{ExtractOptions, FlowField, FlowScratch, extract, extract_with};
use thalweg::core::grid::{Cell, Grid};
use thalweg::core::integrate::{
    Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, Vectors, integrate,
};
use thalweg::core::movement::{Movement, MovementProfile, StepScale};
use thalweg::core::workers::Serial;
use thalweg::generate::{GenerateError, GeneratedMap, MapKind};

/// What to measure.
#[derive(Clone, Debug)]
pub(crate) struct FieldBenchOptions {
    /// Kinds of generated maps.
    pub(crate) kinds: Vec<MapKind>,
    /// Sides of the generated maps in cells, at least 8 each.
    pub(crate) sides: Vec<u32>,
    /// Map files to measure as well.
    pub(crate) files: Vec<PathBuf>,
    /// Engines that have a turn beside the buckets; without any all, and all stages together.
    pub(crate) engines: Vec<Engine>,
    /// Step scale; eight neighbours and both side cells free are fixed.
    pub(crate) scale: StepScale,
    /// Rounds, in each of which every engine has one turn; at least 1.
    pub(crate) rounds: usize,
}

impl Default for FieldBenchOptions {
    fn default() -> Self {
        Self {
            kinds: MapKind::ALL.to_vec(),
            sides: vec![200, 512],
            files: Vec::new(),
            engines: Vec::new(),
            scale: StepScale::TEN_FOURTEEN,
            rounds: 21,
        }
    }
}

/// One engine, or all stages, on one map. Times are medians over the rounds, on one thread, with buffers and movement reused:
/// what tiles have read of the map in an earlier round serves again, but not in `pipeline`, which compiles anew each time.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct FieldBenchRow {
    /// Name of the map.
    pub(crate) map: String,
    /// Name of the engine.
    pub(crate) engine: String,
    /// Threads used.
    pub(crate) threads: usize,
    /// Cells with a way to the goal: every "per cell" is per such cell.
    pub(crate) cells: usize,
    /// Integration, nanoseconds per cell.
    pub(crate) ns_per_cell: f64,
    /// Integration in the fastest round, nanoseconds per cell.
    pub(crate) ns_per_cell_min: f64,
    /// Time of the heap divided by the time of this engine in the same round: above 1 is faster than the heap.
    pub(crate) ratio_to_heap: f64,
    /// The least such ratio of all rounds.
    pub(crate) ratio_to_heap_min: f64,
    /// Best time of the heap divided by best time of this engine: the steadiest figure on a busy machine, where a round
    /// may lose its processor in the middle of a turn.
    pub(crate) ratio_to_heap_best: f64,
    /// Time of the buckets divided by the time of this engine in the same round: above 1 is faster than the buckets.
    pub(crate) ratio_to_dial: f64,
    /// The least such ratio of all rounds.
    pub(crate) ratio_to_dial_min: f64,
    /// Best time of the buckets divided by best time of this engine.
    pub(crate) ratio_to_dial_best: f64,
    /// Least time of any single engine divided by the time of this one in the same round, as the median of the rounds: the
    /// engine itself counts, so at most 1 for engines asked for by name; for `auto` at most a little above 1.
    pub(crate) ratio_to_best_engine: f64,
    /// Time of the reference (costs to directions, with buckets, everything cell by cell) divided by the time of this row in
    /// the same round. To be read for `pipeline` (costs to directions, by `auto` and with vectors).
    pub(crate) ratio_to_reference: f64,
    /// The least such ratio of all rounds.
    pub(crate) ratio_to_reference_min: f64,
    /// Compiling costs and profile into exits, nanoseconds per cell; the same for all engines of a map.
    pub(crate) compile_ns_per_cell: f64,
    /// Directions from cost-to-goal, nanoseconds per cell; the same for all engines of a map.
    pub(crate) extract_ns_per_cell: f64,
    /// Bytes held per cell of the whole rectangle by cost-to-goal and directions together.
    pub(crate) bytes_per_cell: f64,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct FieldBenchReport {
    /// One row per map and engine.
    pub(crate) rows: Vec<FieldBenchRow>,
}

/// Why nothing was measured.
#[derive(Debug)]
pub(crate) enum FieldBenchError {
    /// A map cannot be generated.
    Generate(GenerateError),
    /// A map cannot be loaded or used.
    Map {
        /// The file or the name of the map.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
    /// An engine gave other bits than the heap: a bug in the engine.
    Differs {
        /// The map.
        map: String,
        /// The engine.
        engine: Engine,
    },
}

impl fmt::Display for FieldBenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generate(error) => error.fmt(f),
            Self::Map { name, reason } => write!(f, "map {name}: {reason}"),
            Self::Differs { map, engine } => write!(
                f,
                "engine {engine} differs from the heap on map {map}; this is a bug, and no time was taken"
            ),
        }
    }
}

impl std::error::Error for FieldBenchError {}

/// Measures every map with every engine that supports it.
///
/// `load` reads one of the files; its error text is passed on with the file's name.
///
/// # Errors
/// [`FieldBenchError`], see its variants.
pub(crate) fn run(
    options: &FieldBenchOptions,
    mut load: impl FnMut(&Path) -> Result<GeneratedMap, String>,
) -> Result<FieldBenchReport, FieldBenchError> {
    let maps = maps(options, &mut load)?;
    // Draws nothing unless standard error is a terminal.
    let progress = ProgressBar::new(maps.len() as u64);
    let mut report = FieldBenchReport::default();
    for map in &maps {
        report.rows.extend(measure(map, options)?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(report)
}

/// The maps that are asked for, generated and from files.
pub(crate) fn maps(
    options: &FieldBenchOptions,
    load: &mut impl FnMut(&Path) -> Result<GeneratedMap, String>,
) -> Result<Vec<GeneratedMap>, FieldBenchError> {
    let mut maps = Vec::new();
    for &side in &options.sides {
        for kind in &options.kinds {
            maps.push(kind.generate(side, 0).map_err(FieldBenchError::Generate)?);
        }
    }
    for file in &options.files {
        maps.push(load(file).map_err(|reason| FieldBenchError::Map {
            name: file.display().to_string(),
            reason,
        })?);
    }
    Ok(maps)
}

/// A map ready to be integrated, with the buffers of one caller.
struct Subject {
    costs: CostField,
    profile: MovementProfile,
    movement: Movement,
    goals: ResolvedGoals,
    scratch: IntegrateScratch,
    field: IntegrationField,
    flow_scratch: FlowScratch,
    flow: FlowField,
}

impl Subject {
    fn new(map: &GeneratedMap, scale: StepScale) -> Result<Self, String> {
        let grid = Grid::new(map.width, map.height).map_err(|error| error.to_string())?;
        let costs =
            CostField::from_bytes(grid.clone(), map.costs.clone()).map_err(|error| error.to_string())?;
        let profile = MovementProfile::new().with_scale(scale);
        let movement = Movement::compile(&costs, &profile);
        let goal = i32::try_from(map.goal.0)
            .ok()
            .zip(i32::try_from(map.goal.1).ok())
            .ok_or("its goal lies beyond the largest cell coordinate")?;
        let goals = GoalSet::from_cells([Cell::from(goal)])
            .resolve(&movement)
            .map_err(|error| error.to_string())?;
        Ok(Self {
            costs,
            profile,
            movement,
            goals,
            scratch: IntegrateScratch::new(),
            field: IntegrationField::new(grid.clone()),
            flow_scratch: FlowScratch::new(),
            flow: FlowField::new(grid),
        })
    }

    fn integrate(&mut self, engine: Engine) -> Result<(), String> {
        integrate(
            &self.movement,
            &self.goals,
            &IntegrateOptions::new().with_engine(engine),
            &mut self.scratch,
            &mut self.field,
        )
        .map(|_| ())
        .map_err(|error| error.to_string())
    }

    fn compile(&self) -> Movement {
        Movement::compile(black_box(&self.costs), &self.profile)
    }

    /// All stages: rules, integration and directions.
    fn pipeline(&mut self, engine: Engine, vectors: Vectors) -> Result<(), String> {
        self.movement = self.compile();
        let options = IntegrateOptions::new().with_engine(engine).with_vectors(vectors);
        integrate(
            &self.movement,
            &self.goals,
            &options,
            &mut self.scratch,
            &mut self.field,
        )
        .map_err(|error| error.to_string())?;
        extract_with(
            &self.movement,
            &self.field,
            &ExtractOptions::new().with_vectors(vectors),
            &Serial,
            &mut self.flow_scratch,
            &mut self.flow,
        )
        .map_err(|error| error.to_string())
    }

    fn extract(&mut self) {
        extract(
            &self.movement,
            &self.field,
            &Serial,
            &mut self.flow_scratch,
            &mut self.flow,
        );
    }
}

/// Who has a turn in each round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Contestant {
    /// Integration alone.
    Engine(Engine),
    /// Costs to directions, by what `auto` picks.
    Pipeline,
    /// Costs to directions with buckets, cell by cell.
    Reference,
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(engine) => engine.fmt(f),
            Self::Pipeline => f.write_str("pipeline"),
            Self::Reference => f.write_str("reference"),
        }
    }
}

fn measure(map: &GeneratedMap, options: &FieldBenchOptions) -> Result<Vec<FieldBenchRow>, FieldBenchError> {
    let bad_map = |reason: String| FieldBenchError::Map {
        name: map.name.clone(),
        reason,
    };
    let mut subject = Subject::new(map, options.scale).map_err(bad_map)?;
    let engines: Vec<Engine> = Engine::ALL
        .into_iter()
        .filter(|engine| engine.supports(&subject.movement))
        .filter(|engine| {
            let is_wanted = options.engines.is_empty() || options.engines.contains(engine);
            is_wanted || *engine == Engine::Buckets
        })
        .collect();

    subject.integrate(Engine::Heap).map_err(bad_map)?;
    let oracle = subject.field.clone();
    for &engine in &engines {
        subject.integrate(engine).map_err(bad_map)?;
        if subject.field != oracle {
            return Err(FieldBenchError::Differs {
                map: map.name.clone(),
                engine,
            });
        }
    }
    subject.extract();
    let cells = oracle
        .reaches()
        .filter(|reach| reach.cost().is_some())
        .count()
        .max(1);

    // A turn is long enough for the clock, also on small maps.
    let once = time(1, || subject.integrate(Engine::Heap).map_err(bad_map))?;
    let turns = (Duration::from_millis(2).as_secs_f64() / once.max(1e-9)).ceil() as u32;
    // All stages have buffers of their own: a movement made anew makes useless what tiles have read of the map.
    let mut whole = Subject::new(map, options.scale).map_err(bad_map)?;
    let mut contestants: Vec<Contestant> = engines.iter().copied().map(Contestant::Engine).collect();
    if options.engines.is_empty() || options.engines.contains(&Engine::Auto) {
        contestants.push(Contestant::Engine(Engine::Auto));
    }
    if options.engines.is_empty() {
        contestants.extend([Contestant::Pipeline, Contestant::Reference]);
    }
    let (mut compiles, mut extracts) = (Vec::new(), Vec::new());
    let mut times = vec![Vec::new(); contestants.len()];
    for round in 0..options.rounds.max(1) {
        for turn in 0..contestants.len() {
            // Another one begins in each round: none always follows the same one.
            let which = (turn + round) % contestants.len();
            times[which].push(time(turns, || {
                match contestants[which] {
                    Contestant::Engine(engine) => subject.integrate(engine),
                    Contestant::Pipeline => whole.pipeline(Engine::Auto, Vectors::Best),
                    Contestant::Reference => whole.pipeline(Engine::Buckets, Vectors::Plain),
                }
                .map_err(bad_map)
            })?);
        }
        compiles.push(time(turns, || {
            black_box(subject.compile());
            Ok(())
        })?);
        extracts.push(time(turns, || {
            subject.extract();
            Ok(())
        })?);
    }

    // Ratios to who had no turn are no numbers.
    let none = vec![f64::NAN; options.rounds.max(1)];
    let time_of = |wanted: Contestant| {
        let which = contestants.iter().position(|&contestant| contestant == wanted);
        which.map_or(&none, |which| &times[which])
    };
    let least: Vec<f64> = (0..options.rounds.max(1))
        .map(|round| {
            let of_round = times[..engines.len()].iter().map(|times| times[round]);
            of_round.fold(f64::INFINITY, f64::min)
        })
        .collect();
    let per_cell = |seconds: f64| seconds * 1e9 / cells as f64;
    let bytes = subject.field.bytes() + subject.flow.bytes();
    let heap = time_of(Contestant::Engine(Engine::Heap));
    let dial = time_of(Contestant::Engine(Engine::Buckets));
    let rows = contestants.iter().zip(&times).map(|(contestant, own)| {
        let (to_heap, to_dial) = (ratios(heap, own), ratios(dial, own));
        let to_reference = ratios(time_of(Contestant::Reference), own);
        FieldBenchRow {
            map: map.name.clone(),
            engine: contestant.to_string(),
            threads: 1,
            cells,
            ns_per_cell: per_cell(median(own)),
            ns_per_cell_min: per_cell(minimum(own)),
            ratio_to_heap: median(&to_heap),
            ratio_to_heap_min: minimum(&to_heap),
            ratio_to_heap_best: minimum(heap) / minimum(own),
            ratio_to_dial: median(&to_dial),
            ratio_to_dial_min: minimum(&to_dial),
            ratio_to_dial_best: minimum(dial) / minimum(own),
            ratio_to_best_engine: median(&ratios(&least, own)),
            ratio_to_reference: median(&to_reference),
            ratio_to_reference_min: minimum(&to_reference),
            compile_ns_per_cell: per_cell(median(&compiles)),
            extract_ns_per_cell: per_cell(median(&extracts)),
            bytes_per_cell: bytes as f64 / map.costs.len() as f64,
        }
    });
    Ok(rows.collect())
}

/// Seconds that one call takes, as the mean of `turns` calls in a row.
fn time<E>(turns: u32, mut call: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let start = Instant::now();
    for _ in 0..turns {
        call()?;
    }
    Ok(start.elapsed().as_secs_f64() / f64::from(turns))
}

fn ratios(others: &[f64], own: &[f64]) -> Vec<f64> {
    others.iter().zip(own).map(|(other, own)| other / own).collect()
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

pub(crate) fn minimum(values: &[f64]) -> f64 {
    values.iter().copied().min_by(f64::total_cmp).unwrap_or(f64::NAN)
}

impl fmt::Display for FieldBenchReport {
    /// A table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<20} {:>9} {:>8}  {:>8} {:>8}  {:>8} {:>6} {:>6}  {:>8} {:>6} {:>6}  {:>7} {:>8} {:>6}  {:>8} {:>8}",
            "map",
            "engine",
            "cells",
            "ns/cell",
            "best",
            "to heap",
            "least",
            "best",
            "to dial",
            "least",
            "best",
            "of best",
            "to ref",
            "least",
            "compile",
            "extract"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<20} {:>9} {:>8}  {:>8.2} {:>8.2}  {:>8.2} {:>6.2} {:>6.2}  {:>8.2} {:>6.2} {:>6.2}  {:>7.2} {:>8.2} {:>6.2}  {:>8.2} {:>8.2}",
                row.map,
                row.engine,
                row.cells,
                row.ns_per_cell,
                row.ns_per_cell_min,
                row.ratio_to_heap,
                row.ratio_to_heap_min,
                row.ratio_to_heap_best,
                row.ratio_to_dial,
                row.ratio_to_dial_min,
                row.ratio_to_dial_best,
                row.ratio_to_best_engine,
                row.ratio_to_reference,
                row.ratio_to_reference_min,
                row.compile_ns_per_cell,
                row.extract_ns_per_cell
            )?;
        }
        write!(
            f,
            "ratios are other time / own time (above 1 is faster): median and least of the rounds, and best by best; of best: \
             the fastest engine's time / own time"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_run_measures_every_engine_that_fits_and_finds_them_equal() {
        let options = FieldBenchOptions {
            kinds: vec![MapKind::Random20, MapKind::Terrain4],
            sides: vec![24],
            rounds: 2,
            ..FieldBenchOptions::default()
        };
        let report = run(&options, |_| Err("no files here".to_owned())).unwrap();
        let engines: Vec<_> = report
            .rows
            .iter()
            .map(|row| (row.map.as_str(), row.engine.as_str()))
            .collect();
        assert_eq!(
            engines,
            [
                ("random20-24", "heap"),
                ("random20-24", "dial"),
                ("random20-24", "layers"),
                ("random20-24", "tiles"),
                ("random20-24", "corridors"),
                ("random20-24", "auto"),
                ("random20-24", "pipeline"),
                ("random20-24", "reference"),
                ("terrain4-24", "heap"),
                ("terrain4-24", "dial"),
                ("terrain4-24", "tiles"),
                ("terrain4-24", "corridors"),
                ("terrain4-24", "auto"),
                ("terrain4-24", "pipeline"),
                ("terrain4-24", "reference"),
            ]
        );
        for row in &report.rows {
            assert!(row.ns_per_cell > 0.0 && row.ratio_to_heap > 0.0, "{row:?}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named() {
        let options = FieldBenchOptions {
            kinds: Vec::new(),
            files: vec![PathBuf::from("nowhere.map")],
            ..FieldBenchOptions::default()
        };
        let error = run(&options, |_| Err("no such file".to_owned())).unwrap_err();
        assert_eq!(error.to_string(), "map nowhere.map: no such file");
    }
}
