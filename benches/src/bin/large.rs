//! One large generated map from nothing to a checked field, stage by stage: time, memory, exactness.
//!
//! Usage: `large [--kind KIND] [--side CELLS] [--engine ENGINE] [--check none|relax|heap]`; by default an open map of
//! 16,384 × 16,384, tiles, and `heap`: every cell is compared with the heap's. `relax` checks the relaxation equality at
//! every cell instead, which needs no second field.
//!
//! Peaks are those of the whole process during a stage (`VmHWM`), where the system tells them.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program whose purpose is to print figures"
)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;
use thalweg_benches::MapKind;
use thalweg_core::check::check_relaxation;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, RefilledTile, RetainedField, extract};
use thalweg_core::grid::{CellId, Grid};
use thalweg_core::integrate::{
    Engine, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, estimate_memory, integrate,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::workers::Serial;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    None,
    Relax,
    Heap,
}

struct Options {
    kind: MapKind,
    side: u32,
    engine: Engine,
    check: Check,
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("large: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        kind: MapKind::Open,
        side: 16_384,
        engine: Engine::Tiles,
        check: Check::Heap,
    };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let bad = |error: &dyn std::fmt::Display| format!("{word} {value}: {error}");
        match word.as_str() {
            "--kind" => options.kind = value.parse().map_err(|error| bad(&error))?,
            "--side" => options.side = value.parse().map_err(|error| bad(&error))?,
            "--engine" => options.engine = value.parse().map_err(|error| bad(&error))?,
            "--check" => {
                options.check = match value.as_str() {
                    "none" => Check::None,
                    "relax" => Check::Relax,
                    "heap" => Check::Heap,
                    _ => return Err(bad(&"must be none, relax or heap")),
                }
            }
            _ => return Err(format!("{word} is not an option")),
        }
    }
    Ok(options)
}

/// Prints stages as they end.
struct Stages {
    cells: usize,
    began: Instant,
}

impl Stages {
    fn end(&mut self, stage: &str, note: &str) {
        let seconds = self.began.elapsed().as_secs_f64();
        let peak = peak_bytes().map_or_else(String::new, |bytes| {
            format!(
                "{:7.2} GiB peak, {:5.2} B/cell",
                bytes as f64 / f64::from(1 << 30),
                bytes as f64 / self.cells as f64
            )
        });
        println!(
            "{stage:<12} {seconds:8.2} s {:8.2} ns/cell {peak}  {note}",
            seconds * 1e9 / self.cells as f64
        );
        // From here on the peak is that of the next stage; a system that cannot do that tells the peak so far.
        let _reset = std::fs::write("/proc/self/clear_refs", "5");
        self.began = Instant::now();
    }
}

/// The largest resident size of this process since the last stage.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn run(options: &Options) -> Result<(), String> {
    let mut stages = Stages {
        cells: (options.side as usize).pow(2),
        began: Instant::now(),
    };
    println!(
        "{} {} x {}, {}",
        options.kind, options.side, options.side, options.engine
    );
    let map = options
        .kind
        .generate(options.side, 0)
        .map_err(|error| error.to_string())?;
    stages.end("generate", "");
    let goal = map.goal_cell();
    let grid = Grid::new(map.width, map.height).map_err(|error| error.to_string())?;
    let costs = CostField::from_bytes(grid.clone(), map.costs).map_err(|error| error.to_string())?;
    stages.end("costs", "");
    let movement = Movement::compile(&costs, &MovementProfile::new());
    stages.end("compile", "");
    let goals = GoalSet::from_cells([goal])
        .resolve(&movement)
        .map_err(|error| error.to_string())?;
    let told = |engine: Engine| {
        let options = IntegrateOptions::new().with_engine(engine);
        estimate_memory(&movement, &goals, &options, 1).memory
    };
    let integrated = |engine: Engine| {
        let mut field = IntegrationField::new(grid.clone());
        let options = IntegrateOptions::new().with_engine(engine);
        let stats = integrate(
            &movement,
            &goals,
            &options,
            &mut IntegrateScratch::new(),
            &mut field,
        );
        stats
            .map(|stats| (field, stats))
            .map_err(|error| error.to_string())
    };
    let (field, stats) = integrated(options.engine)?;
    let tiles = (options.side as usize).div_ceil(32).pow(2);
    stages.end(
        "integrate",
        &format!(
            "by {}, {} tile visits of {tiles} tiles, {} relaxed; estimated {} beside costs and movement",
            stats.engine,
            stats.tiles,
            stats.expanded,
            told(options.engine)
        ),
    );
    let reached = field.reaches().filter(|reach| reach.cost().is_some()).count();
    stages.end(
        "count",
        &format!(
            "{reached} cells reached, the farthest at {:?}",
            field.max_cost().map(|cost| cost.0)
        ),
    );
    retain(&movement, &field, &mut stages)?;
    match options.check {
        Check::None => {}
        Check::Relax => {
            check_relaxation(&movement, &field).map_err(|violation| violation.to_string())?;
            stages.end("relaxation", "holds at every cell");
        }
        Check::Heap => {
            let (by_heap, _) = integrated(Engine::Heap)?;
            stages.end("heap", "");
            if by_heap != field {
                return Err("the heap has other bits".to_owned());
            }
            stages.end("compare", "every cell equals the heap's");
        }
    }
    Ok(())
}

/// Directions, and the field kept along its seams: every tile refilled and compared.
fn retain(movement: &Movement, field: &IntegrationField, stages: &mut Stages) -> Result<(), String> {
    let mut flow = FlowField::new(field.grid().clone());
    extract(movement, field, &Serial, &mut FlowScratch::new(), &mut flow);
    stages.end("directions", "");
    let kept = RetainedField::new(movement, field, &flow).map_err(|error| error.to_string())?;
    let per_cell = |bytes: usize| bytes as f64 / stages.cells as f64;
    let note = format!(
        "{:.3} B/cell for {:.3} dense; packed directions {:.3}",
        per_cell(kept.bytes()),
        per_cell(field.bytes() + flow.bytes()),
        per_cell(kept.flow().bytes())
    );
    stages.end("retain", &note);
    drop(flow);
    let costs = kept.costs(movement).map_err(|error| error.to_string())?;
    let mut tile = RefilledTile::new();
    let mut tiles = 0u64;
    let firsts = |side: u32| (0..side).step_by(32);
    let (width, height) = (field.grid().width(), field.grid().height());
    let ids = firsts(height).flat_map(|row| firsts(width).map(move |column| CellId(row * width + column)));
    for id in ids.clone() {
        costs.refill(id, black_box(&mut tile));
        tiles += 1;
    }
    let micros = stages.began.elapsed().as_secs_f64() * 1e6 / tiles as f64;
    stages.end("refill", &format!("{micros:.2} us a tile"));
    for id in ids {
        costs.refill(id, &mut tile);
        for id in tile.ids() {
            if tile.reach(id) != Some(field.reach(id)) {
                return Err(format!(
                    "cell {} is refilled with another cost",
                    field.grid().cell(id)
                ));
            }
        }
    }
    stages.end("compare", "every refilled cell equals the dense field's");
    let (mut asked, mut sum) = (0u64, 0u64);
    for id in field.grid().ids().step_by(10_007) {
        sum += costs.cost(id).map_or(0, |cost| u64::from(cost.0));
        asked += 1;
    }
    black_box(sum);
    let nanos = stages.began.elapsed().as_secs_f64() * 1e9 / asked as f64;
    stages.end(
        "ask",
        &format!("{nanos:.0} ns for the cost of a cell far from the last"),
    );
    Ok(())
}
