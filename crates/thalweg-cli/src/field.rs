//! `thalweg field`: builds a field and answers about it.

use crate::args::{BlockedGoal, FieldArguments, FieldFormat, GoalArgument, PictureShading};
use crate::error::{Answer, CliError};
use crate::{json, maps, scenes};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;
use thalweg::bundle::{BuildOptions, BuildScratch, CellReport, CellState, FieldBundle};
use thalweg::core::cost::CostField;
use thalweg::core::debug::{print_arrows, print_cost_to_goal};
use thalweg::core::integrate::{BlockedGoals, Goal, GoalSet};
use thalweg::core::workers::{Serial, Workers};
use thalweg::pool::RayonWorkers;
use thalweg::scene::{SceneEdges, SceneMap};
use thalweg_io::FieldView;
use thalweg_io::picture::{FieldPictureOptions, Shading, draw_field};
use thalweg_io::{write_atomic, write_field_csv, write_field_npy};

/// The longest sides of a map that is printed as a table.
const TABLE_SIDES: (u32, u32) = (32, 40);

pub(crate) fn run(arguments: &FieldArguments) -> Result<Answer, CliError> {
    let format = if arguments.json {
        FieldFormat::Json
    } else {
        arguments.format
    };
    let binary = matches!(format, FieldFormat::Npy | FieldFormat::Png);
    if binary && arguments.out.is_none() && io::stdout().is_terminal() {
        return Err(CliError::Usage(
            "a picture or an array is not for a terminal: name a file with --out".to_owned(),
        ));
    }
    let (map, edges) = load(arguments)?;
    let goals = goal_set(arguments, &map.goals)?;
    let workers = workers(arguments.threads)?;
    let started = Instant::now();
    let movement = edges
        .compile(&map.costs, &arguments.profile.profile())
        .map_err(|error| CliError::Usage(format!("{}: {error}", arguments.map.display())))?;
    let mut options = BuildOptions::new().with_engine(arguments.engine);
    options.integrate.cost_limit = arguments.cost_limit;
    let bundle = FieldBundle::build(
        movement,
        &goals,
        &options,
        &mut BuildScratch::new(),
        workers.as_ref(),
    )
    .map_err(|source| CliError::Field {
        map: arguments.map.clone(),
        source,
    })?;
    let build_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);

    let summary = Summary::new(&bundle, arguments, build_ns);
    let view = view_of(&map.costs, &bundle)?;
    match format {
        FieldFormat::Text => emit(arguments.out.as_deref(), |out| {
            out.write_all(summary.text(&bundle).as_bytes())
        })?,
        FieldFormat::Json if arguments.out.is_none() => json::print(&summary)?,
        FieldFormat::Json => emit(arguments.out.as_deref(), |out| {
            serde_json::to_writer_pretty(&mut *out, &summary)?;
            out.write_all(b"\n")
        })?,
        FieldFormat::Csv => emit(arguments.out.as_deref(), |out| write_field_csv(out, &view))?,
        FieldFormat::Npy => emit(arguments.out.as_deref(), |out| write_field_npy(out, &view))?,
        FieldFormat::Png => {
            let shading = match arguments.shading {
                PictureShading::Cost => Shading::CostToGoal,
                PictureShading::Goals => Shading::Goals,
                PictureShading::Ground => Shading::Ground,
            };
            let picture = draw_field(&view, &FieldPictureOptions::new().with_shading(shading))?;
            emit(arguments.out.as_deref(), |out| picture.write_png(out))?;
        }
    }
    Ok(Answer::Yes)
}

/// The map, and the one-way borders and portals that a scene adds to it.
fn load(arguments: &FieldArguments) -> Result<(SceneMap, SceneEdges), CliError> {
    if arguments.map.extension().is_some_and(|ending| ending == "toml") {
        let (file, map) = scenes::load(&arguments.map)?;
        let edges =
            SceneEdges::new(&file, &map).map_err(|error| scenes::scene_error(&arguments.map, error))?;
        return Ok((map, edges));
    }
    let loaded = maps::load(&arguments.map, arguments.grey)?;
    let map = SceneMap {
        costs: loaded.costs,
        goals: loaded.goals,
        marks: loaded.marks,
    };
    Ok((map, SceneEdges::default()))
}

/// The bundle with its map, as pictures and tables want it.
pub(crate) fn view_of<'a>(costs: &'a CostField, bundle: &'a FieldBundle) -> Result<FieldView<'a>, CliError> {
    FieldView::new(costs, bundle.integration())
        .and_then(|view| view.with_flow(bundle.flow()))
        .map_err(|error| CliError::Usage(error.to_string()))
}

/// The pool for a number of threads; one thread needs none.
pub(crate) fn workers(threads: usize) -> Result<Box<dyn Workers>, CliError> {
    if threads == 1 {
        Ok(Box::new(Serial))
    } else {
        Ok(Box::new(RayonWorkers::new(threads)?))
    }
}

fn goal_set(arguments: &FieldArguments, marked: &[thalweg::core::grid::Cell]) -> Result<GoalSet, CliError> {
    let typed = arguments.goal.iter().copied();
    let marked = marked.iter().map(|&cell| GoalArgument { cell, bias: 0 });
    let goals: Vec<GoalArgument> = if arguments.goal.is_empty() {
        marked.collect()
    } else {
        typed.collect()
    };
    if goals.is_empty() {
        return Err(CliError::Usage(format!(
            "{}: no goals were given: add --goal X,Y, or mark them with G in a text grid",
            arguments.map.display()
        )));
    }
    let policy = match arguments.blocked_goal {
        BlockedGoal::Refuse => BlockedGoals::Refuse,
        BlockedGoal::Skip => BlockedGoals::Skip,
        BlockedGoal::Nearest => BlockedGoals::NearestPassable,
    };
    let set = goals.iter().fold(GoalSet::new(), |set, goal| {
        set.with_goal(Goal::cell(goal.cell).with_bias(goal.bias))
    });
    Ok(set.with_blocked_goals(policy))
}

/// Writes to a file, whole or not at all, or to standard output.
fn emit(out: Option<&Path>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), CliError> {
    match out {
        Some(path) => Ok(write_atomic(path, write)?),
        None => {
            let mut stdout = io::BufWriter::new(io::stdout().lock());
            write(&mut stdout)
                .and_then(|()| stdout.flush())
                .map_err(CliError::output)
        }
    }
}

#[derive(Debug, Serialize)]
struct Summary {
    map: MapSummary,
    engine: String,
    cells: CellSummary,
    max_cost: Option<u32>,
    cost_unit: u32,
    bytes: usize,
    build_ns: u64,
    goals: GoalSummary,
    at: Vec<CellAnswer>,
}

#[derive(Debug, Serialize)]
struct MapSummary {
    width: u32,
    height: u32,
    layers: usize,
}

#[derive(Debug, Serialize)]
struct CellSummary {
    reached: usize,
    unreachable: usize,
    unknown: usize,
    impassable: usize,
}

/// What became of the goals that could not be used as they stand; empty lists are the usual case.
#[derive(Debug, Serialize)]
struct GoalSummary {
    outside: Vec<(usize, [i32; 2])>,
    blocked: Vec<(usize, [i32; 2])>,
    moved: Vec<(usize, [i32; 2], [i32; 2])>,
    duplicates: usize,
}

#[derive(Debug, Serialize)]
struct CellAnswer {
    cell: [i32; 2],
    reach: &'static str,
    cost: Option<u32>,
    direction: &'static str,
    successors: Vec<&'static str>,
    goal: Option<u32>,
}

impl From<CellReport> for CellAnswer {
    fn from(report: CellReport) -> Self {
        let cell = [report.cell.x, report.cell.y];
        let without = |reach| Self {
            cell,
            reach,
            cost: None,
            direction: "none",
            successors: Vec::new(),
            goal: None,
        };
        match report.state {
            CellState::Reached {
                cost,
                successors,
                portal,
                goal,
            } => Self {
                cell,
                reach: "reached",
                cost: Some(cost.0),
                direction: match (successors.first(), portal) {
                    (Some(direction), _) => direction.name(),
                    (None, Some(_)) => "portal",
                    (None, None) => "goal",
                },
                successors: successors
                    .iter()
                    .map(thalweg::core::grid::Direction::name)
                    .collect(),
                goal: Some(goal),
            },
            CellState::Unreachable => without("unreachable"),
            CellState::Unknown => without("unknown"),
            CellState::Impassable => without("impassable"),
            CellState::Outside => without("outside"),
        }
    }
}

impl Summary {
    fn new(bundle: &FieldBundle, arguments: &FieldArguments, build_ns: u64) -> Self {
        let (grid, counts, report) = (bundle.grid(), bundle.cell_counts(), bundle.goals());
        let xy = |cell: thalweg::core::grid::Cell| [cell.x, cell.y];
        Self {
            map: MapSummary {
                width: grid.width(),
                height: grid.height(),
                layers: grid.layers().len(),
            },
            engine: bundle.stats().engine.to_string(),
            cells: CellSummary {
                reached: counts.reached,
                unreachable: counts.unreachable,
                unknown: counts.unknown,
                impassable: counts.impassable,
            },
            max_cost: bundle.integration().max_cost().map(|cost| cost.0),
            cost_unit: bundle.integration().cost_unit(),
            bytes: bundle.bytes(),
            build_ns,
            goals: GoalSummary {
                outside: report
                    .outside
                    .iter()
                    .map(|&(goal, cell)| (goal, xy(cell)))
                    .collect(),
                blocked: report
                    .blocked
                    .iter()
                    .map(|&(goal, cell)| (goal, xy(cell)))
                    .collect(),
                moved: report
                    .moved
                    .iter()
                    .map(|&(goal, from, to)| (goal, xy(from), xy(to)))
                    .collect(),
                duplicates: report.duplicates,
            },
            at: arguments
                .at
                .iter()
                .map(|&cell| bundle.query(cell).into())
                .collect(),
        }
    }

    fn text(&self, bundle: &FieldBundle) -> String {
        let mut text = String::new();
        let cells = &self.cells;
        // Writing to a String cannot fail.
        let mut line = |args: std::fmt::Arguments<'_>| {
            let _ok = writeln!(text, "{args}");
        };
        line(format_args!(
            "map        {} x {} cells",
            self.map.width, self.map.height
        ));
        line(format_args!(
            "cells      {} reached, {} unreachable, {} unknown, {} impassable",
            cells.reached, cells.unreachable, cells.unknown, cells.impassable
        ));
        if let Some(max) = self.max_cost {
            let steps = f64::from(max) / f64::from(self.cost_unit);
            line(format_args!(
                "max cost   {max} units = {steps:.2} plain steps ({} units each)",
                self.cost_unit
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        let milliseconds = self.build_ns as f64 / 1e6;
        line(format_args!(
            "engine     {}, built in {milliseconds:.3} ms, {} bytes",
            self.engine, self.bytes
        ));
        for (goal, asked, used) in &self.goals.moved {
            line(format_args!(
                "goal {goal}     moved from ({},{}) to ({},{})",
                asked[0], asked[1], used[0], used[1]
            ));
        }
        for answer in &self.at {
            let [x, y] = answer.cell;
            match answer.cost {
                Some(cost) => line(format_args!(
                    "at ({x},{y})  cost {cost}, direction {}, successors {}, goal {}",
                    answer.direction,
                    if answer.successors.is_empty() {
                        "none".to_owned()
                    } else {
                        answer.successors.join(" ")
                    },
                    answer.goal.unwrap_or(0)
                )),
                None => line(format_args!("at ({x},{y})  {}", answer.reach)),
            }
        }
        if self.map.width <= TABLE_SIDES.0 && self.map.height <= TABLE_SIDES.1 {
            line(format_args!("\n{}", print_cost_to_goal(bundle.integration())));
            line(format_args!("{}", print_arrows(bundle.flow()).trim_end()));
        }
        text
    }
}
