//! `thalweg bench crowd`: what a tick of a crowd costs on this machine, stage by stage, and how threads help.
//!
//! A scene is made and warmed up once. Then thread counts take turns in every round, each from a copy of the same
//! crowd, so that all do the same work; that they do is checked by the hash of the crowd afterwards. Stages are timed in turns of their own. Times are medians
//! and minima over the ticks of all rounds, the help of threads is the median of the ratios within the rounds.

mod scene;
mod sorting;

use crate::bench_field::{median, minimum};
use clap::ValueEnum;
use indicatif::ProgressBar;
use scene::CrowdScene;
use serde::{Serialize, Serializer};
use sorting::SortRow;
use std::fmt;
use std::time::Instant;
use thalweg::core::workers::{Serial, Workers};
use thalweg::crowd::{Avoidance, Crowd, Outcome, Stage, StageObserver, StateHash};
use thalweg::pool::RayonWorkers;

/// The scenes that can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SceneKind {
    /// A square block of a crowd among scattered walls, whose members go four ways
    Open,
    /// The same crowd spread evenly over the whole map
    Spread,
    /// As open, at 4 agents per square metre: body beside body
    Dense,
    /// Two crowds that meet in a corridor 32 m wide, mixed from the start
    Corridor,
    /// A crowd that has arrived at many goals and is at rest
    Rest,
}

impl SceneKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Spread => "spread",
            Self::Dense => "dense",
            Self::Corridor => "corridor",
            Self::Rest => "rest",
        }
    }
}

/// How agents mind each other, as typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum AvoidanceArgument {
    Separation,
    VelocityObstacles,
    Off,
}

impl From<AvoidanceArgument> for Avoidance {
    fn from(argument: AvoidanceArgument) -> Self {
        match argument {
            AvoidanceArgument::Separation => Self::Separation,
            AvoidanceArgument::VelocityObstacles => Self::VelocityObstacles,
            AvoidanceArgument::Off => Self::Off,
        }
    }
}

/// What to measure. Lengths are in metres, times in seconds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct CrowdBenchOptions {
    pub(crate) scenes: Vec<SceneKind>,
    pub(crate) agents: Vec<u32>,
    pub(crate) threads: Vec<usize>,
    /// Agents per square metre; `None` for the scene's own.
    pub(crate) density: Option<f64>,
    pub(crate) avoidance: Avoidance,
    pub(crate) neighbours: u8,
    /// How far beyond contact others are minded; `None` for the crowd's default, which is in cells.
    pub(crate) look_ahead: Option<f64>,
    /// Side of a cell.
    pub(crate) cell: f64,
    /// Timed ticks of a turn.
    pub(crate) ticks: usize,
    /// Ticks before any is timed.
    pub(crate) warm: usize,
    pub(crate) rounds: usize,
    pub(crate) dt: f32,
    /// Compare the counting sort too.
    pub(crate) sorting: bool,
}

/// Nanoseconds by stage, in the order of the step.
#[derive(Clone, PartialEq, Debug, Default)]
struct StageTimes(Vec<(&'static str, f64)>);

impl Serialize for StageTimes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// One scene with one number of threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct CrowdRow {
    scene: SceneKind,
    avoidance: &'static str,
    agents: usize,
    threads: usize,
    /// Side of the map in cells; the width of a corridor's map is its length.
    map: [u32; 2],
    /// Agents per square metre where the crowd is.
    density: f64,
    /// Time of a tick by the number of agents, median over the ticks.
    ns_per_agent_step: f64,
    ns_per_agent_step_min: f64,
    /// The same by the time that the processor gave to the thread, median of the turns: what other programs take away does
    /// not count. Only of one thread, and where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    processor_ns_per_agent_step: Option<f64>,
    /// The same by stage: medians, of steps of which the stages are kept apart. They need not add up.
    stages: StageTimes,
    tick_ms_median: f64,
    tick_ms_min: f64,
    /// Time with one thread by time with this many: median of the rounds; absent without one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_one_thread: Option<f64>,
    /// The same of the least ticks, which hardly move when other programs take a core away.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_one_thread_best: Option<f64>,
    /// As parts of a body's radius.
    deepest_overlap: f64,
    /// Others that an agent minds, on average in the last tick.
    neighbours_mean: f64,
    /// The part of the crowd that is at rest after the last tick.
    resting: f64,
    substeps: u32,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub(crate) struct CrowdReport {
    rows: Vec<CrowdRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sorts: Vec<SortRow>,
}

/// Measures every scene with every number of agents and threads.
///
/// # Errors
/// One sentence if a scene cannot be made, a pool cannot be started, or thread counts disagree.
pub(crate) fn run(options: &CrowdBenchOptions) -> Result<CrowdReport, String> {
    let mut report = CrowdReport::default();
    let turns = options.scenes.len() * options.agents.len() * options.rounds * options.threads.len();
    let progress = ProgressBar::new(turns as u64);
    let pools = options
        .threads
        .iter()
        .map(|&threads| Ok((threads, workers(threads)?)))
        .collect::<Result<Vec<_>, String>>()?;
    for &kind in &options.scenes {
        for &agents in &options.agents {
            let scene = CrowdScene::new(kind, agents, options)?;
            report.rows.extend(measure(&scene, options, &pools, &progress)?);
        }
    }
    progress.finish_and_clear();
    if options.sorting {
        report.sorts = sorting::run(options)?;
    }
    Ok(report)
}

/// One thread is the calling one: no pool is in its way.
pub(crate) fn workers(threads: usize) -> Result<Box<dyn Workers>, String> {
    if threads == 1 {
        return Ok(Box::new(Serial));
    }
    let pool = RayonWorkers::new(threads).map_err(|error| error.to_string())?;
    Ok(Box::new(pool))
}

/// Adds up what each stage takes.
struct StageClock {
    last: Instant,
    seconds: [Option<f64>; Stage::ALL.len()],
}

impl StageClock {
    fn start() -> Self {
        Self {
            last: Instant::now(),
            seconds: [None; Stage::ALL.len()],
        }
    }
}

impl StageObserver for StageClock {
    fn ended(&mut self, stage: Stage) {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        *self.seconds[stage as usize].get_or_insert(0.0) += seconds;
        self.last = now;
    }
}

/// The ticks of one number of threads.
#[derive(Default)]
struct Timed {
    /// Seconds, of all rounds.
    ticks: Vec<f64>,
    /// Nanoseconds by agent.
    per_agent: Vec<f64>,
    /// The same by stage.
    stages: [Vec<f64>; Stage::ALL.len()],
    /// Median tick of each round.
    rounds: Vec<f64>,
    /// Nanoseconds of the processor by agent and step, of each turn.
    processor: Vec<f64>,
}

fn measure(
    scene: &CrowdScene,
    options: &CrowdBenchOptions,
    pools: &[(usize, Box<dyn Workers>)],
    progress: &ProgressBar,
) -> Result<Vec<CrowdRow>, String> {
    let groups = scene.groups();
    let mut timed: Vec<Timed> = pools.iter().map(|_| Timed::default()).collect();
    let (mut deepest, mut substeps, mut neighbours) = (0.0f32, 1, 0.0);
    let mut after: Option<(Crowd, StateHash)> = None;
    for _ in 0..options.rounds {
        for (&(threads, ref workers), timed) in pools.iter().zip(&mut timed) {
            let first = timed.ticks.len();
            // Once as everybody steps a crowd, and once with the stages kept apart, which takes a little longer.
            for is_watched in [false, true] {
                let mut crowd = scene.crowd().clone();
                let (before, mut agent_steps) = (processor_ns(), 0.0);
                for _ in 0..options.ticks {
                    let agents = crowd.len() as f64;
                    agent_steps += agents;
                    let start = Instant::now();
                    let step = if is_watched {
                        let mut clock = StageClock::start();
                        let step = crowd.step_observed(&groups, options.dt, workers.as_ref(), &mut clock);
                        for (stage, seconds) in timed.stages.iter_mut().zip(clock.seconds) {
                            stage.extend(seconds.map(|seconds| 1e9 * seconds / agents));
                        }
                        step
                    } else {
                        crowd.step(&groups, options.dt, workers.as_ref())
                    };
                    let seconds = start.elapsed().as_secs_f64();
                    let step = step.map_err(|error| error.to_string())?;
                    if crowd.is_empty() {
                        return Err("nobody is left in the crowd; fewer ticks are needed".to_owned());
                    }
                    if step.deepest_overlap > deepest {
                        deepest = step.deepest_overlap;
                    }
                    substeps = step.substeps;
                    neighbours = step.neighbours as f64 / (agents * f64::from(substeps));
                    if !is_watched {
                        timed.ticks.push(seconds);
                        timed.per_agent.push(1e9 * seconds / agents);
                    }
                }
                if threads == 1
                    && !is_watched
                    && let (Some(before), Some(after)) = (before, processor_ns())
                {
                    timed.processor.push((after - before) / agent_steps);
                }
                let hash = crowd.state_hash();
                match &after {
                    None => after = Some((crowd, hash)),
                    Some((_, same)) if *same == hash => {}
                    Some(_) => {
                        return Err(
                            "turns disagree about the crowd; this is a bug, and no time counts".to_owned(),
                        );
                    }
                }
            }
            timed.rounds.push(median(&timed.ticks[first..]));
            progress.inc(1);
        }
    }
    let (crowd, _) = after.ok_or("no round was run")?;
    let resting = crowd
        .agents_by_place()
        .filter(|(_, agent)| agent.outcome == Outcome::Arrived);
    let resting = resting.count();
    let one = pools.iter().position(|&(threads, _)| threads == 1);
    let rows = pools.iter().enumerate().map(|(index, &(threads, _))| {
        let of = &timed[index];
        let ratio = one.map(|one| {
            let ratios = timed[one].rounds.iter().zip(&of.rounds);
            median(&ratios.map(|(one, these)| one / these).collect::<Vec<f64>>())
        });
        let best = one.map(|one| minimum(&timed[one].ticks) / minimum(&of.ticks));
        let grid = crowd.grid();
        CrowdRow {
            scene: scene.kind(),
            avoidance: avoidance_name(options.avoidance),
            agents: scene.crowd().len(),
            threads,
            map: [grid.width(), grid.height()],
            density: scene.density(),
            ns_per_agent_step: median(&of.per_agent),
            ns_per_agent_step_min: minimum(&of.per_agent),
            processor_ns_per_agent_step: (!of.processor.is_empty()).then(|| median(&of.processor)),
            stages: stage_times(of),
            tick_ms_median: 1e3 * median(&of.ticks),
            tick_ms_min: 1e3 * minimum(&of.ticks),
            ratio_to_one_thread: ratio,
            ratio_to_one_thread_best: best,
            deepest_overlap: f64::from(deepest) / scene.radius(),
            neighbours_mean: neighbours,
            resting: resting as f64 / crowd.len().max(1) as f64,
            substeps,
        }
    });
    Ok(rows.collect())
}

/// What the processor has given to the calling thread so far, in nanoseconds; `None` where the system does not tell. It
/// may be a few milliseconds behind.
pub(crate) fn processor_ns() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    told.split_whitespace().next()?.parse().ok()
}

fn stage_times(timed: &Timed) -> StageTimes {
    let told = Stage::ALL.into_iter().zip(&timed.stages);
    let told = told.filter(|(_, times)| !times.is_empty());
    StageTimes(told.map(|(stage, times)| (stage.name(), median(times))).collect())
}

const fn avoidance_name(avoidance: Avoidance) -> &'static str {
    match avoidance {
        Avoidance::Off => "off",
        Avoidance::Separation => "separation",
        Avoidance::VelocityObstacles => "velocity-obstacles",
    }
}

impl fmt::Display for CrowdReport {
    /// Tables for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<9} {:>8} {:>7}  {:>9} {:>9}  {:>8} {:>8} {:>9}  {:>11}  {:>7} {:>6}  stages, ns per agent and step",
            "scene",
            "agents",
            "threads",
            "tick ms",
            "least",
            "ns",
            "least",
            "processor",
            "÷ one, best",
            "overlap",
            "minded"
        )?;
        for row in &self.rows {
            let ratio = match (row.ratio_to_one_thread, row.ratio_to_one_thread_best) {
                (Some(ratio), Some(best)) => format!("{ratio:.2}, {best:.2}"),
                _ => "-".to_owned(),
            };
            let processor = row
                .processor_ns_per_agent_step
                .map_or_else(|| "-".to_owned(), |ns| format!("{ns:.1}"));
            write!(
                f,
                "{:<9} {:>8} {:>7}  {:>9.3} {:>9.3}  {:>8.1} {:>8.1} {processor:>9}  {ratio:>11}  {:>7.3} {:>6.2} ",
                row.scene.name(),
                row.agents,
                row.threads,
                row.tick_ms_median,
                row.tick_ms_min,
                row.ns_per_agent_step,
                row.ns_per_agent_step_min,
                row.deepest_overlap,
                row.neighbours_mean
            )?;
            for (stage, ns) in &row.stages.0 {
                write!(f, " {stage} {ns:.1}")?;
            }
            writeln!(f)?;
        }
        for sort in &self.sorts {
            writeln!(f, "{sort}")?;
        }
        write!(
            f,
            "ns: per agent and step; processor: the same by processor time; ÷ one: time with one thread by time with these; overlap: the deepest, as part of a \
             body's radius; minded: others that an agent minds"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> CrowdBenchOptions {
        CrowdBenchOptions {
            scenes: vec![
                SceneKind::Open,
                SceneKind::Spread,
                SceneKind::Dense,
                SceneKind::Corridor,
                SceneKind::Rest,
            ],
            agents: vec![300],
            threads: vec![1, 2],
            density: None,
            avoidance: Avoidance::Separation,
            neighbours: 8,
            look_ahead: None,
            cell: 0.5,
            ticks: 3,
            warm: 2,
            rounds: 1,
            dt: 1.0 / 60.0,
            sorting: true,
        }
    }

    #[test]
    fn every_scene_gets_a_row_per_number_of_threads() {
        let report = run(&options()).unwrap();
        assert_eq!(report.rows.len(), 10);
        for row in &report.rows {
            assert_eq!(row.agents, 300, "{}", row.scene.name());
            assert!(row.ns_per_agent_step > 0.0 && row.ratio_to_one_thread.is_some());
            assert!(!row.stages.0.is_empty());
            let sum: f64 = row.stages.0.iter().map(|(_, ns)| ns).sum();
            assert!(
                sum < 3.0 * row.ns_per_agent_step,
                "stages are parts of the whole: {sum} of {}",
                row.ns_per_agent_step
            );
        }
        let of = |kind| report.rows.iter().find(|row| row.scene == kind).unwrap();
        assert!(of(SceneKind::Rest).resting > 0.95, "{report}");
        assert!(of(SceneKind::Dense).neighbours_mean > of(SceneKind::Open).neighbours_mean);
        assert!(of(SceneKind::Spread).neighbours_mean < 0.5, "{report}");
        assert_eq!(report.sorts.len(), 2);
    }

    #[test]
    fn a_wider_look_ahead_minds_more() {
        let narrow = CrowdBenchOptions {
            scenes: vec![SceneKind::Open],
            threads: vec![1],
            sorting: false,
            ..options()
        };
        let wide = CrowdBenchOptions {
            look_ahead: Some(1.0),
            ..narrow.clone()
        };
        let [narrow, wide] = [narrow, wide].map(|options| run(&options).unwrap().rows[0].neighbours_mean);
        assert!(wide > narrow + 1.0, "{narrow} {wide}");
    }
}
