//! `thalweg simulate --mapf`: strict mode over a map and a scenario, written as a plan that is judged.

use crate::args::{GreyArgument, LifelongArgument, MapfArguments};
use crate::check::fits;
use crate::error::{Answer, CliError};
use crate::maps::MapOptions;
use crate::plans::{self, PlanReport};
use crate::{field, json, maps, progress};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use thalweg::core::grid::Cell;
use thalweg::core::workers::Workers;
use thalweg::crowd::strict::{ConflictRules, StrictOptions};
use thalweg::crowd::{Outcome, OutcomeCounts};
use thalweg::mapf::{MapfAgent, MapfError, MapfOptions, MapfRun, MapfTasks, MapfWorld, first_that_fit};
use thalweg::scene::SceneMap;
use thalweg_io::{
    PlanHead, PlanRules, PlanTask, PlanWriter, Scenario, WriteError, read_scenario_file, read_task_list_file,
    write_atomic,
};

/// What a run came to.
#[derive(Debug, Serialize)]
struct MapfReport {
    map: String,
    scen: String,
    ticks: u32,
    fields: usize,
    is_lifelong: bool,
    /// Tasks done per tick; 0 unless the run is lifelong.
    throughput: f64,
    /// How many agents had each outcome in the last tick.
    last_outcomes: BTreeMap<&'static str, u32>,
    state_hash: String,
    /// The plan as it was judged.
    #[serde(flatten)]
    plan: PlanReport,
}

/// What was typed, with the files that it names.
struct Instance<'a> {
    arguments: &'a MapfArguments,
    map: &'a Path,
    scen: &'a Path,
    loaded: SceneMap,
    scenario: Scenario,
}

pub(crate) fn run(
    arguments: &MapfArguments,
    map: &Path,
    ticks: u64,
    threads: usize,
    as_json: bool,
) -> Result<Answer, CliError> {
    let scen = required(arguments.scen.as_deref(), "--scen")?;
    let ticks = u32::try_from(ticks)
        .ok()
        .filter(|&ticks| ticks > 0 && ticks < u32::MAX - 1)
        .ok_or_else(|| CliError::Usage(format!("--ticks is {ticks}; it must be 1 to {}", u32::MAX - 2)))?;
    let loaded = maps::load(map, MapOptions::grey(GreyArgument::WhiteCheap))?;
    let scenario = read_scenario_file(scen)?;
    fits(loaded.costs.grid(), map, scen, &scenario)?;
    let instance = Instance {
        arguments,
        map,
        scen,
        loaded,
        scenario,
    };
    let workers = field::workers(threads)?;
    let report = instance.run(ticks, workers.as_ref(), as_json)?;
    let has_arrived = report.is_lifelong || report.plan.has_arrived();
    if as_json {
        json::print(&report)?;
    } else {
        json::print_text(&report.plan.text())?;
    }
    Ok(if has_arrived {
        report.plan.answer()
    } else {
        Answer::No
    })
}

impl Instance<'_> {
    fn run(&self, ticks: u32, workers: &dyn Workers, quiet: bool) -> Result<MapfReport, CliError> {
        let fail = |error: MapfError| CliError::Usage(format!("{}: {error}", self.scen.display()));
        let rules = plans::edge_rules(&self.loaded)
            .map_err(|error| CliError::Usage(format!("{}: {error}", self.map.display())))?;
        let arguments = self.arguments;
        let options = MapfOptions::new()
            .with_neighbours(arguments.neighbours)
            .with_corner_rule(arguments.corner);
        let agents = self.agents(&options, &rules)?;
        let tasks = self.tasks(&agents)?;
        let further = tasks.as_ref().map(MapfTasks::goals).unwrap_or_default();
        let rules = (!self.loaded.links.is_empty()).then_some(&rules);
        let world =
            MapfWorld::new(&self.loaded.costs, rules, &options, agents, &further, workers).map_err(fail)?;
        if tasks.is_none() {
            world.check_goals().map_err(fail)?;
        }
        let mut strict = StrictOptions::default();
        // Nobody waits for a frame here.
        strict.search_budget = 200_000;
        strict.seed = arguments.seed;
        strict.rules = self.rules();
        let mut run = MapfRun::new(&world, strict, tasks).map_err(fail)?;
        let waiting = |error: io::Error| {
            CliError::Usage(format!("the plan cannot be kept in a temporary file: {error}"))
        };
        let mut writer = PlanWriter::new(world.agents().len()).map_err(waiting)?;
        writer
            .push(run.cells().iter().copied().map(Some))
            .map_err(waiting)?;
        let bar = progress::bar(u64::from(ticks), "ticks", quiet);
        let mut outcomes = OutcomeCounts::default();
        while run.tick() < ticks && !run.is_done() {
            outcomes = run.step(workers).map_err(fail)?.report.outcomes;
            writer
                .push(run.cells().iter().copied().map(Some))
                .map_err(waiting)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        let plan = self.judge(&world, &run, writer, quiet)?;
        Ok(MapfReport {
            map: self.map.display().to_string(),
            scen: self.scen.display().to_string(),
            ticks: run.tick(),
            fields: world.field_count(),
            is_lifelong: arguments.lifelong.is_some(),
            throughput: plan.throughput(),
            last_outcomes: Outcome::ALL
                .into_iter()
                .map(|outcome| (outcome.name(), outcomes[outcome]))
                .filter(|&(_, count)| count > 0)
                .collect(),
            state_hash: run.state_hash().to_string(),
            plan,
        })
    }

    const fn rules(&self) -> ConflictRules {
        ConflictRules {
            following: !self.arguments.no_following,
            squeezing: self.arguments.squeezing,
        }
    }

    /// The first lines of the scenario; with larger bodies the first that fit.
    fn agents(
        &self,
        options: &MapfOptions,
        rules: &thalweg::core::movement::EdgeRules,
    ) -> Result<Vec<MapfAgent>, CliError> {
        let arguments = self.arguments;
        let count = required(arguments.agents, "--agents")? as usize;
        let name = self.scen.display().to_string();
        let agents = if arguments.bodies == 1 {
            let pairs = self.scenario.first_agents(&name, count)?;
            pairs
                .into_iter()
                .map(|(start, goal)| MapfAgent::new(start, goal))
                .collect()
        } else {
            let lines = self.scenario.lines.iter();
            let pairs: Vec<(Cell, Cell)> = lines.map(|line| (line.start, line.goal)).collect();
            let rules = (!self.loaded.links.is_empty()).then_some(rules);
            first_that_fit(
                &self.loaded.costs,
                rules,
                options,
                arguments.bodies,
                &pairs,
                count,
            )
            .map_err(|error| CliError::Usage(format!("{name}: {error}")))?
        };
        Ok(agents
            .into_iter()
            .map(|agent| agent.with_pace(arguments.pace))
            .collect())
    }

    /// Where the next tasks come from, if the run is lifelong.
    fn tasks(&self, agents: &[MapfAgent]) -> Result<Option<MapfTasks>, CliError> {
        let Some(lifelong) = self.arguments.lifelong else {
            return Ok(None);
        };
        if let Some(path) = &self.arguments.tasks {
            let lines = read_task_list_file(path)?;
            let listed = lines.iter().map(|line| (line.agent, line.cell));
            let tasks = MapfTasks::listed(agents.len(), listed);
            return tasks
                .map(Some)
                .map_err(|error| CliError::Usage(format!("{}: {error}", path.display())));
        }
        let goals = self.scenario.lines.iter().map(|line| line.goal);
        if lifelong == LifelongArgument::Drawn {
            return Ok(Some(MapfTasks::drawn(
                agents.len(),
                goals.collect(),
                self.arguments.seed,
            )));
        }
        let further = goals.skip(agents.len()).map(|goal| (None, goal));
        MapfTasks::listed(agents.len(), further)
            .map(Some)
            .map_err(|error| CliError::Usage(format!("{}: {error}", self.scen.display())))
    }

    /// Writes the plan, where it was asked for or where nobody sees it, and judges what was written.
    fn judge(
        &self,
        world: &MapfWorld,
        run: &MapfRun<'_>,
        writer: PlanWriter,
        quiet: bool,
    ) -> Result<PlanReport, CliError> {
        let head = self.head(world, run);
        if let Some(path) = &self.arguments.plan {
            write_atomic(path, |out| writer.finish(&head, out))?;
            return plans::check(self.map, &self.loaded, path, quiet);
        }
        let failed = |error| WriteError::Io {
            path: std::env::temp_dir(),
            error,
        };
        let file = tempfile::NamedTempFile::new().map_err(failed)?;
        writer
            .finish(&head, io::BufWriter::new(file.as_file()))
            .map_err(failed)?;
        plans::check(self.map, &self.loaded, file.path(), quiet)
    }

    fn head(&self, world: &MapfWorld, run: &MapfRun<'_>) -> PlanHead {
        let arguments = self.arguments;
        let agents = world.agents();
        let is_one_shot = arguments.lifelong.is_none();
        let rules = self.rules();
        let lists = |value: u8| {
            if value == 1 {
                Vec::new()
            } else {
                vec![value; agents.len()]
            }
        };
        PlanHead {
            map_file: self
                .map
                .file_name()
                .map(|name| name.to_string_lossy().into_owned()),
            solver: Some("thalweg".to_owned()),
            solved: is_one_shot.then(|| run.is_done()),
            soc: is_one_shot.then(|| run.sum_of_costs()),
            makespan: is_one_shot.then(|| run.makespan()),
            starts: agents.iter().map(|agent| agent.start).collect(),
            goals: agents.iter().map(|agent| agent.goal).collect(),
            rules: PlanRules {
                neighbours: arguments.neighbours,
                corner: arguments.corner,
                following: rules.following,
                squeezing: rules.squeezing,
            },
            bodies: lists(arguments.bodies),
            paces: lists(arguments.pace),
            tasks: run
                .tasks()
                .iter()
                .map(|task| PlanTask {
                    agent: task.agent,
                    from: task.from,
                    goal: task.goal,
                    reached: task.reached,
                })
                .collect(),
            others: vec![("seed".to_owned(), arguments.seed.to_string())],
            ..PlanHead::new(u32::try_from(agents.len()).unwrap_or(u32::MAX))
        }
    }
}

/// What clap has made sure of.
fn required<T>(value: Option<T>, name: &str) -> Result<T, CliError> {
    value.ok_or_else(|| CliError::Usage(format!("--mapf needs {name}")))
}
