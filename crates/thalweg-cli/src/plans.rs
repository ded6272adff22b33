//! Plans of many agents: judged by the library's check, line by line, and told in words.

use crate::args::GreyArgument;
use crate::error::{Answer, CliError};
use crate::maps::MapOptions;
use crate::{json, maps, progress};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use thalweg::core::grid::Cell;
use thalweg::core::movement::{EdgeRuleError, EdgeRules, Movement, MovementProfile, PortalCost};
use thalweg::mapf::body_of;
use thalweg::plan_check::{CONFLICT_KINDS, PlanCheck, PlanVerdict, PlannedAgent, PlannedRun, PlannedTask};
use thalweg::scene::SceneMap;
use thalweg_io::{PlanHead, PlanReader, PlanRules};

/// How many conflicts are listed.
const LISTED: usize = 20;

/// What a plan came to, for people and for machines.
#[derive(Debug, Serialize)]
pub(crate) struct PlanReport {
    valid: bool,
    pub(crate) conflicts: u64,
    /// Only the kinds that there are.
    by_kind: BTreeMap<&'static str, u64>,
    /// The first conflicts.
    first: Vec<ConflictRow>,
    agents: usize,
    /// The number of the last tick.
    last_tick: u32,
    arrived: usize,
    makespan: u64,
    sum_of_costs: u64,
    waits: u64,
    longest_wait: u64,
    longest_waiter: Option<u32>,
    steps: u64,
    tasks: usize,
    tasks_done: usize,
    stated: Stated,
}

/// What the header of the plan says; `null` where it says nothing.
#[derive(Debug, Serialize)]
struct Stated {
    solved: Option<bool>,
    sum_of_costs: Option<u64>,
    makespan: Option<u64>,
}

#[derive(Debug, Serialize)]
struct ConflictRow {
    kind: &'static str,
    tick: u32,
    agents: Vec<u32>,
    cell: Vec<i32>,
    words: String,
}

/// `thalweg check MAP --plan FILE`.
pub(crate) fn run(map: &Path, plan: &Path, as_json: bool) -> Result<Answer, CliError> {
    let loaded = maps::load(map, MapOptions::grey(GreyArgument::WhiteCheap))?;
    let report = check(map, &loaded, plan, as_json)?;
    if as_json {
        json::print(&report)?;
    } else {
        json::print_text(&report.text())?;
    }
    Ok(report.answer())
}

/// Judges a plan file.
pub(crate) fn check(map: &Path, loaded: &SceneMap, path: &Path, quiet: bool) -> Result<PlanReport, CliError> {
    let fail = |reason: String| CliError::Usage(format!("{}: {reason}", path.display()));
    let mut reader = PlanReader::open(path)?;
    let mut line = Vec::new();
    // The first tick tells how many agents there are, if nothing before it does.
    let mut has_line = reader.next_tick(&mut line)?;
    let head = reader.head().clone();
    let rules = edge_rules(loaded).map_err(|error| fail(format!("{}: {error}", map.display())))?;
    let sides: BTreeSet<u8> = (0..head.agents)
        .map(|agent| head.body(agent))
        .chain([1])
        .collect();
    let movements = sides
        .into_iter()
        .map(|side| movement(loaded, &rules, &head.rules, side))
        .collect::<Result<Vec<_>, _>>()
        .map_err(&fail)?;
    let movements: Vec<&Movement> = movements.iter().collect();
    let mut check = PlanCheck::new(&movements, planned(&head)).map_err(|error| fail(error.to_string()))?;
    let bar = progress::bar(0, "ticks", quiet);
    while has_line {
        check.tick(&line).map_err(|error| fail(error.to_string()))?;
        bar.inc(1);
        has_line = reader.next_tick(&mut line)?;
    }
    bar.finish_and_clear();
    // What stands behind the solution is known only now; whether it claims to be solved is asked at the end.
    let head = reader.head();
    check.claims_solved(head.solved == Some(true));
    Ok(PlanReport::new(&check.finish(), head))
}

/// The portals of a map.
pub(crate) fn edge_rules(loaded: &SceneMap) -> Result<EdgeRules, EdgeRuleError> {
    let mut rules = EdgeRules::new(loaded.costs.grid().clone());
    for &(from, to, steps) in &loaded.links {
        rules.add_priced_portal(from, to, PortalCost::Steps(steps))?;
    }
    Ok(rules)
}

fn movement(loaded: &SceneMap, rules: &EdgeRules, plan: &PlanRules, side: u8) -> Result<Movement, String> {
    let body = body_of(side).map_err(|error| error.to_string())?;
    let profile = MovementProfile::new()
        .with_connectivity(plan.neighbours)
        .with_corner_rule(plan.corner)
        .with_footprint(body);
    if loaded.links.is_empty() {
        return Ok(Movement::compile(&loaded.costs, &profile));
    }
    Movement::compile_with(&loaded.costs, rules, &profile).map_err(|error| error.to_string())
}

/// A header as the library knows it.
fn planned(head: &PlanHead) -> PlannedRun {
    let mut agents: Vec<PlannedAgent> = (0..head.agents)
        .map(|agent| {
            let index = agent as usize;
            let mut planned = PlannedAgent::new()
                .with_side(head.body(agent))
                .with_pace(head.pace(agent));
            planned.start = head.starts.get(index).copied();
            planned.goal = head.goals.get(index).copied();
            planned
        })
        .collect();
    for &(agent, tick) in &head.left {
        if let Some(planned) = agents.get_mut(agent as usize) {
            planned.left = Some(tick);
        }
    }
    let tasks = head.tasks.iter().map(|task| PlannedTask {
        agent: task.agent,
        from: task.from,
        goal: task.goal,
        reached: task.reached,
    });
    PlannedRun {
        agents,
        tasks: tasks.collect(),
        following: head.rules.following,
        squeezing: head.rules.squeezing,
        told: LISTED,
        ..PlannedRun::new()
    }
}

impl PlanReport {
    fn new(verdict: &PlanVerdict, head: &PlanHead) -> Self {
        let by_kind = CONFLICT_KINDS
            .into_iter()
            .map(|kind| (kind.name(), verdict.count(kind)))
            .filter(|&(_, count)| count > 0);
        let first = verdict.conflicts.iter().map(|conflict| ConflictRow {
            kind: conflict.kind.name(),
            tick: conflict.tick,
            agents: [Some(conflict.agent), conflict.other]
                .into_iter()
                .flatten()
                .collect(),
            cell: numbers(conflict.cell),
            words: conflict.to_string(),
        });
        Self {
            valid: verdict.is_valid(),
            conflicts: verdict.total(),
            by_kind: by_kind.collect(),
            first: first.collect(),
            agents: verdict.agents,
            last_tick: verdict.last_tick,
            arrived: verdict.at_goal,
            makespan: verdict.makespan,
            sum_of_costs: verdict.sum_of_costs,
            waits: verdict.waits,
            longest_wait: verdict.longest_wait,
            longest_waiter: verdict.longest_waiter,
            steps: verdict.steps,
            tasks: verdict.tasks,
            tasks_done: verdict.tasks_done,
            stated: Stated {
                solved: head.solved,
                sum_of_costs: head.soc,
                makespan: head.makespan,
            },
        }
    }

    pub(crate) const fn answer(&self) -> Answer {
        if self.valid { Answer::Yes } else { Answer::No }
    }

    /// Whether every agent is at its goal in the end.
    pub(crate) const fn has_arrived(&self) -> bool {
        self.arrived == self.agents
    }

    /// Tasks done per tick; tick 0 is where everybody begins.
    pub(crate) fn throughput(&self) -> f64 {
        self.tasks_done as f64 / f64::from(self.last_tick.max(1))
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut line = |args: std::fmt::Arguments<'_>| {
            let _ok = writeln!(text, "{args}");
        };
        let is_lifelong = self.tasks > 0;
        if is_lifelong {
            let (done, tasks) = (self.tasks_done, self.tasks);
            line(format_args!(
                "tasks {done}/{tasks} done by {} agents",
                self.agents
            ));
            let rate = self.throughput();
            line(format_args!(
                "throughput {rate:.3} tasks a tick over {} ticks",
                self.last_tick
            ));
        } else {
            line(format_args!("arrived {}/{}", self.arrived, self.agents));
            line(format_args!(
                "makespan {}{}",
                self.makespan,
                differing(self.makespan, self.stated.makespan)
            ));
            let soc = self.sum_of_costs;
            line(format_args!(
                "sum of costs {soc}{}",
                differing(soc, self.stated.sum_of_costs)
            ));
        }
        match self.longest_waiter {
            Some(waiter) => line(format_args!(
                "waits {}, the longest {} ticks (agent {waiter})",
                self.waits, self.longest_wait
            )),
            None => line(format_args!("waits 0")),
        }
        line(format_args!("conflicts {}", self.conflicts));
        for (kind, count) in &self.by_kind {
            line(format_args!("  {kind} {count}"));
        }
        for row in &self.first {
            line(format_args!("{}", row.words));
        }
        if self.first.len() as u64 != self.conflicts {
            line(format_args!("…"));
        }
        text
    }
}

/// What a plan states of itself, where that is something else.
fn differing(counted: u64, stated: Option<u64>) -> String {
    match stated {
        Some(stated) if stated != counted => format!(" (the plan says {stated})"),
        _ => String::new(),
    }
}

fn numbers(cell: Cell) -> Vec<i32> {
    let mut numbers = vec![cell.x, cell.y];
    if cell.layer != 0 {
        numbers.push(i32::from(cell.layer));
    }
    numbers
}
