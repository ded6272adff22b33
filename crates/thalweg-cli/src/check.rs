//! `thalweg check`: every line of MovingAI scenarios against exact fields.

use crate::args::{CheckArguments, GreyArgument};
use crate::error::{Answer, CliError};
use crate::maps::MapOptions;
use crate::{json, maps, plans, progress};
use indicatif::ProgressBar;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use thalweg::core::grid::{Cell, Grid};
use thalweg::core::integrate::{
    GoalError, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, Reach, integrate,
};
use thalweg::core::movement::{Movement, MovementProfile};
use thalweg_io::{Scenario, ScenarioLine, read_scenario_file};

/// How many differing lines are listed.
const LISTED: usize = 20;

#[derive(Debug, Serialize)]
struct CheckReport {
    lines: usize,
    matched: usize,
    worst_relative_error: f64,
    files: Vec<FileReport>,
    /// The first lines that differ.
    differing: Vec<Difference>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    scen: String,
    map: String,
    lines: usize,
    matched: usize,
    worst_relative_error: f64,
}

#[derive(Debug, Serialize)]
struct Difference {
    scen: String,
    line: usize,
    start: [i32; 2],
    goal: [i32; 2],
    expected: f64,
    /// `null` where the goal cannot be reached.
    got: Option<f64>,
}

/// What one line came to: the length, or `None` if there is no way.
struct Outcome<'a> {
    line: &'a ScenarioLine,
    got: Option<f64>,
    error: f64,
}

pub(crate) fn run(arguments: &CheckArguments) -> Result<Answer, CliError> {
    if let Some(plan) = &arguments.plan {
        return plans::run(&arguments.map, plan, arguments.run.json);
    }
    if !(arguments.tolerance.is_finite() && arguments.tolerance >= 0.0) {
        return Err(CliError::Usage(format!(
            "--tolerance is {}; it must be a finite number, 0 or more",
            arguments.tolerance
        )));
    }
    let scenarios = scenarios(arguments)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(arguments.run.threads)
        .build()
        .map_err(|error| {
            CliError::Usage(format!(
                "{} threads cannot be started: {error}",
                arguments.run.threads
            ))
        })?;
    let mut report = CheckReport {
        lines: 0,
        matched: 0,
        worst_relative_error: 0.0,
        files: Vec::new(),
        differing: Vec::new(),
    };
    for scen in &scenarios {
        let scenario = read_scenario_file(scen)?;
        if scenario.lines.is_empty() {
            return Err(CliError::Usage(format!(
                "{}: there are no lines to check",
                scen.display()
            )));
        }
        let map = match &arguments.scen {
            Some(_) => arguments.map.clone(),
            None => map_beside(scen, &scenario)?,
        };
        let outcomes = pool.install(|| check_pair(arguments, &map, scen, &scenario))?;
        add_file(&mut report, arguments.tolerance, &map, scen, &outcomes);
    }
    let answer = if report.matched == report.lines {
        Answer::Yes
    } else {
        Answer::No
    };
    if arguments.run.json {
        json::print(&report)?;
    } else {
        json::print_text(&text_of(&report))?;
    }
    Ok(answer)
}

/// The scenarios to check, in order of their paths.
fn scenarios(arguments: &CheckArguments) -> Result<Vec<PathBuf>, CliError> {
    match &arguments.scen {
        Some(scen) => Ok(vec![scen.clone()]),
        None if arguments.map.is_dir() => {
            let mut scenarios = Vec::new();
            find_scenarios(&arguments.map, &mut scenarios)?;
            scenarios.sort();
            if scenarios.is_empty() {
                return Err(CliError::Usage(format!(
                    "{}: no .scen file lies below it",
                    arguments.map.display()
                )));
            }
            Ok(scenarios)
        }
        None => Err(CliError::Usage(format!(
            "{}: name the scenario with --scen FILE, or give a folder that holds maps and scenarios",
            arguments.map.display()
        ))),
    }
}

fn find_scenarios(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), CliError> {
    let fail = |source| CliError::Usage(format!("{} cannot be read: {source}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let path = entry.path();
        // Links are not followed into folders, so that a circle of links ends.
        if entry.file_type().map_err(fail)?.is_dir() {
            find_scenarios(&path, found)?;
        } else if path.extension().is_some_and(|ending| ending == "scen") {
            found.push(path);
        }
    }
    Ok(())
}

/// The map a scenario belongs to: the file named in its lines, looked for beside the scenario. The path in the lines
/// is one of the site it came from and is not opened as it stands.
fn map_beside(scen: &Path, scenario: &Scenario) -> Result<PathBuf, CliError> {
    let named = scenario
        .lines
        .first()
        .map(|line| line.map.as_str())
        .unwrap_or_default();
    let name = named.rsplit(['/', '\\']).next().unwrap_or(named);
    let map = scen.with_file_name(name);
    if map.is_file() {
        Ok(map)
    } else {
        Err(CliError::Usage(format!(
            "{}: its map `{name}` does not lie beside it",
            scen.display()
        )))
    }
}

fn check_pair<'a>(
    arguments: &CheckArguments,
    map: &Path,
    scen: &Path,
    scenario: &'a Scenario,
) -> Result<Vec<Outcome<'a>>, CliError> {
    let loaded = maps::load(map, MapOptions::grey(GreyArgument::WhiteCheap))?;
    let grid = loaded.costs.grid().clone();
    fits(&grid, map, scen, scenario)?;
    let profile = MovementProfile::new()
        .with_scale(arguments.scale)
        .with_corner_rule(arguments.corner)
        .with_footprint(arguments.footprint);
    let movement = Movement::compile(&loaded.costs, &profile);
    let bar = progress::bar(scenario.lines.len() as u64, "lines", arguments.run.json);
    bar.set_message(
        scen.file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default(),
    );
    // One field per distinct goal, in the order of cells so that the output does not depend on threads.
    let mut by_goal: BTreeMap<Cell, Vec<&ScenarioLine>> = BTreeMap::new();
    for line in &scenario.lines {
        by_goal.entry(line.goal).or_default().push(line);
    }
    let goals: Vec<_> = by_goal.into_iter().collect();
    let fresh = || (IntegrateScratch::new(), IntegrationField::new(grid.clone()));
    let nested: Result<Vec<Vec<Outcome<'a>>>, CliError> = goals
        .par_iter()
        .map_init(fresh, |(scratch, field), (goal, lines)| {
            let outcomes = check_goal(arguments, &movement, *goal, lines, scratch, field)
                .map_err(|reason| CliError::Usage(format!("{}: {reason}", map.display())));
            count(&bar, lines.len());
            outcomes
        })
        .collect();
    bar.finish_and_clear();
    let mut outcomes: Vec<Outcome<'a>> = nested?.into_iter().flatten().collect();
    outcomes.sort_by_key(|outcome| outcome.line.line_number);
    Ok(outcomes)
}

fn count(bar: &ProgressBar, lines: usize) {
    bar.inc(lines as u64);
}

/// Whether a scenario is of a map of this size.
pub(crate) fn fits(grid: &Grid, map: &Path, scen: &Path, scenario: &Scenario) -> Result<(), CliError> {
    match scenario
        .lines
        .iter()
        .find(|line| (line.width, line.height) != (grid.width(), grid.height()))
    {
        None => Ok(()),
        Some(line) => Err(CliError::Usage(format!(
            "{}, line {}: the map is said to be {} x {}, but {} is {} x {}",
            scen.display(),
            line.line_number,
            line.width,
            line.height,
            map.display(),
            grid.width(),
            grid.height()
        ))),
    }
}

fn check_goal<'a>(
    arguments: &CheckArguments,
    movement: &Movement,
    goal: Cell,
    lines: &[&'a ScenarioLine],
    scratch: &mut IntegrateScratch,
    field: &mut IntegrationField,
) -> Result<Vec<Outcome<'a>>, String> {
    let goals = match GoalSet::from_cells([goal]).resolve(movement) {
        Ok(goals) => Some(goals),
        // A goal in a wall, or where the body has no room, cannot be reached: that is an answer, and a wrong one if the
        // scenario has a length.
        Err(GoalError::Blocked { .. } | GoalError::NoRoom { .. }) => None,
        Err(error) => return Err(error.to_string()),
    };
    if let Some(goals) = &goals {
        let options = IntegrateOptions::new().with_engine(arguments.engine);
        integrate(movement, goals, &options, scratch, field).map_err(|error| error.to_string())?;
    }
    let unit = f64::from(movement.steps().unit());
    Ok(lines
        .iter()
        .map(|&line| {
            let reach = movement
                .grid()
                .id(line.start)
                .filter(|_| goals.is_some())
                .map(|id| field.reach(id));
            let got = match reach {
                Some(Reach::Reached(cost)) => Some(f64::from(cost.0) / unit),
                _ => None,
            };
            Outcome {
                line,
                got,
                error: relative_error(line.optimal_length, got),
            }
        })
        .collect())
}

fn relative_error(expected: f64, got: Option<f64>) -> f64 {
    match got {
        None => f64::INFINITY,
        Some(got) if got == expected => 0.0,
        Some(got) => (got - expected).abs() / expected.abs(),
    }
}

fn add_file(report: &mut CheckReport, tolerance: f64, map: &Path, scen: &Path, outcomes: &[Outcome<'_>]) {
    let scen = scen.display().to_string();
    let worst = |worst: f64, outcome: &Outcome<'_>| {
        if outcome.error > worst {
            outcome.error
        } else {
            worst
        }
    };
    let matched = outcomes
        .iter()
        .filter(|outcome| outcome.error <= tolerance)
        .count();
    for outcome in outcomes.iter().filter(|outcome| outcome.error > tolerance) {
        if report.differing.len() < LISTED {
            report.differing.push(Difference {
                scen: scen.clone(),
                line: outcome.line.line_number,
                start: [outcome.line.start.x, outcome.line.start.y],
                goal: [outcome.line.goal.x, outcome.line.goal.y],
                expected: outcome.line.optimal_length,
                got: outcome.got,
            });
        }
    }
    let file = FileReport {
        scen,
        map: map.display().to_string(),
        lines: outcomes.len(),
        matched,
        worst_relative_error: outcomes.iter().fold(0.0, worst),
    };
    report.lines += file.lines;
    report.matched += file.matched;
    if file.worst_relative_error > report.worst_relative_error {
        report.worst_relative_error = file.worst_relative_error;
    }
    report.files.push(file);
}

fn text_of(report: &CheckReport) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let mut line = |args: std::fmt::Arguments<'_>| {
        let _ok = writeln!(text, "{args}");
    };
    for file in &report.files {
        line(format_args!(
            "{:>6}/{:<6} match, worst error {:.2e}  {}",
            file.matched, file.lines, file.worst_relative_error, file.scen
        ));
    }
    for differing in &report.differing {
        let got = differing
            .got
            .map_or("no way".to_owned(), |got| format!("{got:.6}"));
        line(format_args!(
            "{}, line {}: from ({},{}) to ({},{}) {} is expected, but it is {got}",
            differing.scen,
            differing.line,
            differing.start[0],
            differing.start[1],
            differing.goal[0],
            differing.goal[1],
            differing.expected
        ));
    }
    line(format_args!(
        "{}/{} match, worst error {:.2e}",
        report.matched, report.lines, report.worst_relative_error
    ));
    text
}
