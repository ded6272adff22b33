//! Throughput of lifelong runs of strict mode: tasks per tick by the number of agents, on public MAPF maps or on any map.
//!
//! Tasks are drawn evenly from all free cells; whoever comes to its goal is given the next one in the same tick. Every run is
//! judged line by line by the independent check of plans, and a conflict ends the program with an error.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use thalweg::crowd::Outcome;
use thalweg::crowd::strict::StrictOptions;
use thalweg::mapf::{MapfAgent, MapfOptions, MapfRun, MapfTasks, MapfWorld};
use thalweg::plan_check::PlanCheck;
use thalweg::pool::RayonWorkers;
use thalweg_benches::data_dir;
use thalweg_core::components::Components;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::{Connectivity, Movement, MovementProfile};
use thalweg_core::workers::Workers;

/// Measures the throughput of lifelong runs
#[derive(Parser, Debug)]
struct Options {
    /// Map file; default the public warehouse map in the data folder
    map: Option<PathBuf>,
    /// Numbers of agents
    #[arg(long, num_args = 1.., default_values_t = [100, 200, 400, 800, 1200, 1600, 2000, 2400, 2800, 3200, 3600, 4000])]
    agents: Vec<usize>,
    /// Ticks of a run
    #[arg(long, default_value_t = 1000)]
    ticks: u32,
    /// Neighbours: 4 or 8
    #[arg(long, default_value_t = Connectivity::Four)]
    neighbours: Connectivity,
    /// Seed of starts and tasks
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Write the rows into this file
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Draw into this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

struct Row {
    agents: usize,
    taken: f64,
    tasks: usize,
    per_tick: f64,
    moved: f64,
    /// Agent-steps in which an agent stood although it would rather have moved, per agent-step.
    waits: f64,
    longest_wait: u32,
    conflicts: u64,
    ns_per_agent_step: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let map = options
        .map
        .clone()
        .unwrap_or_else(|| data_dir().join("mapf/warehouse-10-20-10-2-1.map"));
    if !map.is_file() {
        println!(
            "skipped: {} not found (name a map, or set THALWEG_DATA)",
            map.display()
        );
        return Ok(());
    }
    let costs = thalweg_io::load_map(&map)?.costs;
    let name = map
        .file_stem()
        .unwrap_or(map.as_os_str())
        .to_string_lossy()
        .into_owned();
    let profile = MovementProfile::new().with_connectivity(options.neighbours);
    let movement = Movement::compile(&costs, &profile);
    let free = largest_part(&costs, &movement);
    let workers = RayonWorkers::new(options.threads)?;
    println!(
        "{name}: {} free cells, {} neighbours, {} ticks",
        free.len(),
        options.neighbours,
        options.ticks
    );
    println!(
        "| agents | of the free cells | tasks | tasks per tick | moved | waits per agent-step | longest wait | ns per agent-step |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut rows = Vec::new();
    for &agents in &options.agents {
        if agents > free.len() {
            println!("skipped: {agents} agents on {} free cells", free.len());
            continue;
        }
        let row = measure(&costs, &free, agents, &options, &workers)?;
        println!(
            "| {} | {:.0} % | {} | {:.2} | {:.1} % | {:.3} | {} | {:.0} |",
            row.agents,
            100.0 * row.taken,
            row.tasks,
            row.per_tick,
            100.0 * row.moved,
            row.waits,
            row.longest_wait,
            row.ns_per_agent_step
        );
        let conflicts = row.conflicts;
        rows.push(row);
        if conflicts > 0 {
            return Err(format!("{conflicts} conflicts with {agents} agents").into());
        }
    }
    if let Some(path) = &options.csv {
        std::fs::write(path, table(&rows))?;
    }
    if let Some(path) = &options.svg {
        draw(path, &name, &rows)?;
    }
    Ok(())
}

/// The free cells that hang together with the most others.
fn largest_part(costs: &CostField, movement: &Movement) -> Vec<Cell> {
    let grid = costs.grid();
    let components = Components::of(movement);
    let mut left: Vec<CellId> = grid
        .ids()
        .filter(|&id| costs.get(id).is_some_and(Cost::is_passable))
        .collect();
    let mut largest = Vec::new();
    while let Some(&first) = left.first() {
        let (part, rest) = left.into_iter().partition(|&id| components.can_reach(first, id));
        let part: Vec<CellId> = part;
        if part.len() > largest.len() {
            largest = part;
        }
        left = rest;
    }
    largest.into_iter().map(|id| grid.cell(id)).collect()
}

/// Numbers that look drawn (`SplitMix64`; Steele, Lea and Flood 2014).
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((bits ^ (bits >> 31)) >> 32) as usize * bound) >> 32
    }
}

fn measure(
    costs: &CostField,
    free: &[Cell],
    count: usize,
    options: &Options,
    workers: &dyn Workers,
) -> Result<Row, Box<dyn Error>> {
    let mut draws = Draws(options.seed);
    let mut starts = free.to_vec();
    for place in 0..count {
        starts.swap(place, place + draws.below(free.len() - place));
    }
    let agents = starts[..count]
        .iter()
        .map(|&start| MapfAgent::new(start, free[draws.below(free.len())]));
    let mapf = MapfOptions::new().with_neighbours(options.neighbours);
    let tasks = MapfTasks::drawn(count, free.to_vec(), options.seed);
    let world = MapfWorld::new(costs, None, &mapf, agents.collect(), free, workers)?;
    let mut strict = StrictOptions::default();
    strict.seed = options.seed;
    let mut run = MapfRun::new(&world, strict, Some(tasks))?;
    let movements: Vec<&Movement> = world.movements().iter().collect();
    // Goals are given on the way, so that they are not the judge's business here; the tests look at them.
    let mut planned = run.planned();
    planned.tasks.clear();
    for agent in &mut planned.agents {
        agent.goal = None;
    }
    let mut check = PlanCheck::new(&movements, planned)?;
    let mut line: Vec<Option<Cell>> = run.cells().iter().copied().map(Some).collect();
    check.tick(&line)?;
    let (mut tasks, mut moved, mut waits, mut longest_wait, mut seconds) = (0, 0, 0, 0, 0.0);
    for _ in 0..options.ticks {
        let start = Instant::now();
        let tick = run.step(workers)?;
        seconds += start.elapsed().as_secs_f64();
        let outcomes = &tick.report.outcomes;
        tasks += tick.tasks_done;
        moved += u64::from(outcomes[Outcome::Moved]);
        waits += [Outcome::Waiting, Outcome::ReservationRefused, Outcome::Replanning]
            .into_iter()
            .map(|outcome| u64::from(outcomes[outcome]))
            .sum::<u64>();
        longest_wait = longest_wait.max(tick.report.longest_wait);
        line.clear();
        line.extend(run.cells().iter().copied().map(Some));
        check.tick(&line)?;
    }
    let agent_steps = count as f64 * f64::from(options.ticks);
    Ok(Row {
        agents: count,
        taken: count as f64 / free.len() as f64,
        tasks,
        per_tick: tasks as f64 / f64::from(options.ticks),
        moved: moved as f64 / agent_steps,
        waits: waits as f64 / agent_steps,
        longest_wait,
        conflicts: check.finish().total(),
        ns_per_agent_step: 1e9 * seconds / agent_steps,
    })
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "agents,taken,tasks,tasks_per_tick,moved,waits,longest_wait,conflicts,ns_per_agent_step\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{},{:.4},{},{:.3},{:.4},{:.4},{},{},{:.0}",
            row.agents,
            row.taken,
            row.tasks,
            row.per_tick,
            row.moved,
            row.waits,
            row.longest_wait,
            row.conflicts,
            row.ns_per_agent_step
        );
    }
    text
}

fn draw(path: &Path, name: &str, rows: &[Row]) -> Result<(), Box<dyn Error>> {
    const COLOUR: RGBColor = RGBColor(0x1b, 0x6c, 0xa8);
    let root = SVGBackend::new(path, (860, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let most = rows.iter().map(|row| row.agents as f64).fold(1.0, f64::max);
    let best = rows.iter().map(|row| row.per_tick).fold(0.1, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..most * 1.05, 0.0..best * 1.15)?;
    chart
        .configure_mesh()
        .x_desc(format!("agents on {name}"))
        .y_desc("tasks per tick")
        .x_label_formatter(&|agents| format!("{agents:.0}"))
        .y_label_formatter(&|tasks| format!("{tasks:.1}"))
        .light_line_style(WHITE)
        .draw()?;
    let line = rows.iter().map(|row| (row.agents as f64, row.per_tick));
    chart.draw_series(LineSeries::new(line, COLOUR.stroke_width(3)).point_size(3))?;
    root.present()?;
    Ok(())
}
