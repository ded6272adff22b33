//! `thalweg bench repair`: what a repair costs after an edit, against a rebuild, as ratios within one run.
//!
//! An edit is timed from the write to the map to the new bundle: the costs, the compiled movement, cost-to-goal and
//! directions, all as new values while the old ones are kept, as readers keep them. The rebuild it is compared with writes
//! the same to the map, compiles the costs, and builds with the engine `auto` and warm buffers. Both take turns; of each edit the least
//! time of the rounds counts for either, so that a round in which the processor was lent out does not. Between two repairs of
//! an edit there is always a rebuild, which leaves little of the old field in the caches. After each edit the repaired
//! bundle, which must equal the rebuilt one in every bit, is the one the next edit starts from.

use crate::bench_field::{self, FieldBenchError, FieldBenchOptions, median};
use crate::random::Random;
use indicatif::ProgressBar;
use serde::Serialize;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use thalweg::bundle::{BuildOptions, BuildScratch, FieldBundle};
use thalweg::bundle_repair::Making;
use thalweg::core::cost::Cost;
use thalweg::core::grid::{Cell, CellId};
use thalweg::core::integrate::{GoalSet, RunOptions};
use thalweg::core::movement::{Movement, MovementProfile};
use thalweg::core::repair::RepairOptions;
use thalweg::generate::GeneratedMap;
use thalweg::living_map::{LivingMap, ProfileId, ProfileSpec};

/// One kind of edit on one map.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct RepairRow {
    map: String,
    /// Cells with a way to the goal at the start.
    cells: usize,
    edit: String,
    /// How many were timed.
    edits: usize,
    /// Time of the rebuild by the time of the repair: the median of all edits.
    median_ratio: f64,
    /// Time of all rebuilds by the time of all repairs.
    mean_ratio: f64,
    /// Time of the repair by the time of the rebuild, of the edit for which that is largest. Repairs that are given up hold
    /// the rebuild too.
    worst_ratio: f64,
    /// Cells whose cost-to-goal or state differs after an edit.
    changed_cells_median: u64,
    /// How many of the edits were rebuilt in the end.
    rebuilt: usize,
    repair_us_median: f64,
    rebuild_us_median: f64,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct RepairReport {
    rows: Vec<RepairRow>,
}

/// A kind of edit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    /// A free cell with a way to the goal becomes a wall, or a wall becomes free, in turns.
    Cell,
    /// The same with the cells at most two beside the goal.
    ByTheGoal,
    /// One cell of a hundred, at once: walls become free and free cells walls.
    Percent,
    /// The goal moves to a neighbouring cell.
    Goal,
}

impl Edit {
    const ALL: [Self; 4] = [Self::Cell, Self::ByTheGoal, Self::Percent, Self::Goal];

    const fn name(self) -> &'static str {
        match self {
            Self::Cell => "one cell",
            Self::ByTheGoal => "one cell by the goal",
            Self::Percent => "1 % of the cells",
            Self::Goal => "goal moves one cell",
        }
    }

    const fn count(self, edits: usize) -> usize {
        match self {
            Self::Cell => edits,
            // All of these change most of the map, and are alike.
            Self::ByTheGoal | Self::Percent | Self::Goal => edits.div_ceil(10),
        }
    }
}

/// Measures every map with every kind of edit.
///
/// # Errors
/// [`FieldBenchError`] if a map cannot be had, or a repair differs from a rebuild.
pub(crate) fn run(
    options: &FieldBenchOptions,
    edits: usize,
    mut load: impl FnMut(&Path) -> Result<GeneratedMap, String>,
) -> Result<RepairReport, FieldBenchError> {
    let side = options.sides.first().copied().unwrap_or(1024);
    let mut maps = bench_field::maps(options, &mut load)?;
    let generated = maps.len() - options.files.len();
    for map in &mut maps[generated..] {
        *map = enlarged(map, side);
    }
    let progress = ProgressBar::new((maps.len() * Edit::ALL.len()) as u64);
    let mut report = RepairReport::default();
    for map in &maps {
        for edit in Edit::ALL {
            let row = measure(map, edit, edit.count(edits), options.rounds.max(1));
            report.rows.push(row.map_err(|reason| FieldBenchError::Map {
                name: map.name.clone(),
                reason,
            })?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(report)
}

/// A map of a file, brought to about `side` cells: laid out side by side where most of that can be reached, else every cell
/// as a square of cells.
fn enlarged(map: &GeneratedMap, side: u32) -> GeneratedMap {
    let times = (side / map.width.max(map.height)).max(1) as usize;
    if times == 1 {
        return map.clone();
    }
    let (width, height) = (map.width as usize, map.height as usize);
    let make = |name: &str, cell: fn(usize, usize, usize) -> usize| {
        let mut costs = Vec::with_capacity(width * height * times * times);
        for y in 0..height * times {
            for x in 0..width * times {
                costs.push(map.costs[cell(y, height, times) * width + cell(x, width, times)]);
            }
        }
        let sides = [width, height].map(|side| u32::try_from(side * times).unwrap_or(u32::MAX));
        GeneratedMap::with_central_goal(name.to_owned(), sides[0], sides[1], costs)
    };
    let tiled = make(&format!("{} tiled", map.name), |at, side, _| at % side);
    if let Some(tiled) = tiled
        && is_mostly_reached(&tiled)
    {
        return tiled;
    }
    make(&format!("{} enlarged", map.name), |at, _, times| at / times).unwrap_or_else(|| map.clone())
}

fn is_mostly_reached(map: &GeneratedMap) -> bool {
    let Ok(bundle) = Subject::new(map).map(|subject| subject.bundle) else {
        return false;
    };
    let counts = bundle.cell_counts();
    counts.reached > counts.unreachable
}

/// A map, its field, and the buffers of one caller.
struct Subject {
    map: LivingMap,
    profile: ProfileId,
    goal: Cell,
    bundle: Arc<FieldBundle>,
    scratch: BuildScratch,
    rebuild_scratch: BuildScratch,
}

fn told<T, E: fmt::Display>(result: Result<T, E>) -> Result<T, String> {
    result.map_err(|error| error.to_string())
}

impl Subject {
    fn new(map: &GeneratedMap) -> Result<Self, String> {
        let mut living = LivingMap::new(map.cost_field());
        let profile = told(living.add_profile(ProfileSpec::new(MovementProfile::new())))?;
        let goal = map.goal_cell();
        let movement = told(living.movement(profile))?;
        let goals = GoalSet::from_cells([goal]);
        let mut scratch = BuildScratch::new();
        let run = RunOptions::new();
        let bundle = FieldBundle::build_with(movement, &goals, &BuildOptions::new(), &run, &mut scratch);
        Ok(Self {
            map: living,
            profile,
            goal,
            bundle: Arc::new(told(bundle)?),
            scratch,
            rebuild_scratch: BuildScratch::new(),
        })
    }

    /// A random cell that a toggle may change: not the goal; walls where `of_walls`, else cells with a way.
    fn cell(&self, random: &mut Random, of_walls: bool) -> Option<Cell> {
        let grid = self.bundle.grid();
        let cells = u32::try_from(grid.len()).unwrap_or(u32::MAX);
        let integration = self.bundle.integration();
        (0..1_000_000)
            .map(|_| CellId(random.below(cells)))
            .find(|&id| {
                let is_wall = !self.bundle.movement().is_passable(id);
                grid.cell(id) != self.goal
                    && is_wall == of_walls
                    && (is_wall || integration.cost(id).is_some())
            })
            .map(|id| grid.cell(id))
    }

    /// Draws what an edit does: cells to toggle, and where the goal goes.
    fn draw(&self, edit: Edit, number: usize, random: &mut Random) -> (Vec<Cell>, Cell) {
        let grid = self.bundle.grid();
        let mut near = |reach: i32| {
            let mut offset =
                || i32::try_from(random.below(2 * reach.unsigned_abs() + 1)).unwrap_or(0) - reach;
            Cell {
                x: self.goal.x + offset(),
                y: self.goal.y + offset(),
                ..self.goal
            }
        };
        match edit {
            Edit::Cell => {
                let cell = self.cell(random, number % 2 == 1);
                let cell = cell.or_else(|| self.cell(random, false));
                (cell.into_iter().collect(), self.goal)
            }
            Edit::ByTheGoal => {
                let cell = (0..1_000)
                    .map(|_| near(2))
                    .find(|&cell| cell != self.goal && grid.id(cell).is_some());
                (cell.into_iter().collect(), self.goal)
            }
            Edit::Percent => {
                let cells = u32::try_from(grid.len()).unwrap_or(u32::MAX);
                let toggled = (0..cells / 100).map(|_| grid.cell(CellId(random.below(cells))));
                (toggled.filter(|&cell| cell != self.goal).collect(), self.goal)
            }
            Edit::Goal => {
                let is_free = |cell: &Cell| {
                    let id = grid.id(*cell);
                    id.is_some_and(|id| *cell != self.goal && self.bundle.movement().is_passable(id))
                };
                let to = (0..1_000).map(|_| near(1)).find(is_free);
                (Vec::new(), to.unwrap_or(self.goal))
            }
        }
    }
}

/// Least times of one edit.
struct Timed {
    repair: f64,
    rebuild: f64,
    changed: u64,
    is_rebuilt: bool,
}

fn measure(map: &GeneratedMap, edit: Edit, edits: usize, rounds: usize) -> Result<RepairRow, String> {
    let mut subject = Subject::new(map)?;
    let cells = subject.bundle.cell_counts().reached;
    let mut random = Random::new(1);
    let mut timed = Vec::with_capacity(edits);
    for number in 0..edits {
        let (toggled, goal) = subject.draw(edit, number, &mut random);
        timed.push(time(&mut subject, &toggled, goal, rounds)?);
    }
    let column = |value: fn(&Timed) -> f64| timed.iter().map(value).collect::<Vec<f64>>();
    let (repairs, rebuilds) = (column(|timed| timed.repair), column(|timed| timed.rebuild));
    let mut changed: Vec<u64> = timed.iter().map(|timed| timed.changed).collect();
    changed.sort_unstable();
    Ok(RepairRow {
        map: map.name.clone(),
        cells,
        edit: edit.name().to_owned(),
        edits,
        median_ratio: median(&column(|timed| timed.rebuild / timed.repair)),
        mean_ratio: rebuilds.iter().sum::<f64>() / repairs.iter().sum::<f64>(),
        worst_ratio: column(|timed| timed.repair / timed.rebuild)
            .into_iter()
            .fold(0.0, f64::max),
        changed_cells_median: changed.get(changed.len() / 2).copied().unwrap_or(0),
        rebuilt: timed.iter().filter(|timed| timed.is_rebuilt).count(),
        repair_us_median: 1e6 * median(&repairs),
        rebuild_us_median: 1e6 * median(&rebuilds),
    })
}

/// Walls become free, free cells walls.
fn toggle(map: &mut LivingMap, cells: &[Cell]) -> Result<(), String> {
    for &cell in cells {
        let cost = map.grid().id(cell).and_then(|id| map.costs().get(id));
        let is_wall = cost == Some(Cost::IMPASSABLE);
        told(map.set(cell, if is_wall { Cost::PLAIN } else { Cost::IMPASSABLE }))?;
    }
    Ok(())
}

fn time(subject: &mut Subject, toggled: &[Cell], goal: Cell, rounds: usize) -> Result<Timed, String> {
    let goals = GoalSet::from_cells([goal]);
    let run = RunOptions::new();
    let worth = RepairOptions::work_worth(subject.bundle.grid().len());
    let few = usize::try_from(worth).unwrap_or(usize::MAX);
    let mut times = [f64::INFINITY; 2];
    let mut made = None;
    for _ in 0..rounds {
        let mut map = subject.map.clone();
        let old = Arc::clone(&subject.bundle);
        let start = Instant::now();
        toggle(&mut map, toggled)?;
        let movement = told(map.movement(subject.profile))?;
        let change = told(movement.few_changes_since(old.movement(), few))?;
        let (repaired, making) = match change {
            Some(change) => told(old.remake(movement, &change.cells, &goals, &run, &mut subject.scratch))?,
            None => {
                let options = BuildOptions::new();
                let scratch = &mut subject.scratch;
                let built = told(FieldBundle::build_with(movement, &goals, &options, &run, scratch))?;
                (built, Making::Rebuilt)
            }
        };
        times[0] = times[0].min(start.elapsed().as_secs_f64());

        let mut anew = subject.map.clone();
        let start = Instant::now();
        toggle(&mut anew, toggled)?;
        let costs = anew.profile_costs(subject.profile).clone();
        let movement = Movement::compile(&costs, &MovementProfile::new());
        let options = BuildOptions::new();
        let scratch = &mut subject.rebuild_scratch;
        let rebuilt = told(FieldBundle::build_with(movement, &goals, &options, &run, scratch))?;
        times[1] = times[1].min(start.elapsed().as_secs_f64());
        if made.is_none() {
            if !repaired
                .integration()
                .reaches()
                .eq(rebuilt.integration().reaches())
                || repaired.flow() != rebuilt.flow()
            {
                return Err(
                    "a repair differs from the rebuild; this is a bug, and no time was taken".to_owned(),
                );
            }
            made = Some((map, repaired, making));
        }
    }
    let (map, bundle, making) = made.ok_or("no round was run")?;
    let before = subject.bundle.integration().reaches();
    let changed = before
        .zip(bundle.integration().reaches())
        .filter(|(old, new)| old != new);
    let changed = changed.count() as u64;
    subject.map = map;
    subject.goal = goal;
    subject.bundle = Arc::new(bundle);
    Ok(Timed {
        repair: times[0],
        rebuild: times[1],
        changed,
        is_rebuilt: making == Making::Rebuilt,
    })
}

impl fmt::Display for RepairReport {
    /// A table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:>8}  {:<20} {:>5}  {:>8} {:>8} {:>8}  {:>9} {:>7}  {:>10} {:>10}",
            "map",
            "cells",
            "edit",
            "edits",
            "median",
            "mean",
            "worst",
            "changed",
            "rebuilt",
            "repair us",
            "rebuild us"
        )?;
        for row in &self.rows {
            writeln!(
                f,
                "{:<24} {:>8}  {:<20} {:>5}  {:>8.1} {:>8.1} {:>8.2}  {:>9} {:>7}  {:>10.1} {:>10.1}",
                row.map,
                row.cells,
                row.edit,
                row.edits,
                row.median_ratio,
                row.mean_ratio,
                row.worst_ratio,
                row.changed_cells_median,
                row.rebuilt,
                row.repair_us_median,
                row.rebuild_us_median
            )?;
        }
        write!(
            f,
            "median and mean: time of the rebuild by that of the repair; worst: time of the repair by that of the rebuild"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg::generate::MapKind;

    #[test]
    fn every_map_gets_a_row_per_kind_of_edit() {
        let options = FieldBenchOptions {
            kinds: vec![MapKind::Town],
            sides: vec![64],
            rounds: 1,
            ..FieldBenchOptions::default()
        };
        let report = run(&options, 10, |_| Err(String::new())).unwrap();
        assert_eq!(report.rows.len(), Edit::ALL.len());
        assert!(report.rows.iter().all(|row| row.median_ratio > 0.0), "{report}");
        assert!(report.rows[0].changed_cells_median < 64 * 64 / 10, "{report}");
    }

    #[test]
    fn maps_are_laid_side_by_side_or_enlarged() {
        let open = MapKind::Open.generate(16, 0).unwrap();
        let tiled = enlarged(&open, 64);
        assert_eq!((tiled.width, tiled.height), (64, 64));
        assert!(tiled.name.ends_with("tiled"), "{}", tiled.name);
        // A wall all round: the copies cannot be reached from each other.
        let mut costs = vec![1; 256];
        for at in 0..16 {
            for cell in [at, 240 + at, 16 * at, 16 * at + 15] {
                costs[cell] = 255;
            }
        }
        let walled = GeneratedMap::with_central_goal("walled".to_owned(), 16, 16, costs).unwrap();
        let large = enlarged(&walled, 64);
        assert!(large.name.ends_with("enlarged"), "{}", large.name);
        assert_eq!(large.costs[4 * 64 + 4], walled.costs[16 + 1]);
    }
}
