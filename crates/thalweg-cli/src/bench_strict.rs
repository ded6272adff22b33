//! `thalweg bench crowd --strict`: what a tick of strict mode costs on this machine, stage by stage.
//!
//! The run is lifelong: whoever comes to a goal is given another one, so that all want to move all the time. A scene is made
//! and warmed up once; then thread counts take turns in every round, each from a copy of the same crowd, and that all do the
//! same is checked by the hash of the crowd afterwards. Only the steps are timed, not the handing out of goals.

mod scene;

use crate::bench_crowd::{processor_ns, workers};
use crate::bench_field::{median, minimum};
use clap::ValueEnum;
use indicatif::ProgressBar;
use scene::StrictScene;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;
use thalweg::core::workers::Workers;
use thalweg::crowd::strict::{StrictObserver, StrictStage};
use thalweg::crowd::{Outcome, StateHash};

/// A tenth of the published budget of the start kit of the League of Robot Runners, 1 ms for 100 agents, in nanoseconds.
const TARGET_NS: f64 = 1000.0;

/// The scenes of strict mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StrictSceneKind {
    /// Open ground
    Open,
    /// Shelves of 10 x 2 cells between lanes of one cell
    Warehouse,
}

impl StrictSceneKind {
    pub(crate) const ALL: [Self; 2] = [Self::Open, Self::Warehouse];

    const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Warehouse => "warehouse",
        }
    }
}

/// What to measure.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StrictBenchOptions {
    pub(crate) scenes: Vec<StrictSceneKind>,
    pub(crate) agents: Vec<u32>,
    pub(crate) threads: Vec<usize>,
    /// The part of the free cells that agents are on.
    pub(crate) density: f64,
    /// Timed ticks of a turn.
    pub(crate) ticks: usize,
    /// Ticks before any is timed.
    pub(crate) warm: usize,
    pub(crate) rounds: usize,
}

/// One scene with one number of threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct StrictRow {
    scene: StrictSceneKind,
    agents: usize,
    threads: usize,
    /// Width and height in cells.
    map: [u32; 2],
    /// The part of the free cells that agents are on.
    density: f64,
    /// Time of a tick by the number of agents, median over the ticks.
    ns_per_agent_step: f64,
    ns_per_agent_step_min: f64,
    /// All timed ticks by all their agent-steps: ticks with searches count as much as they take.
    ns_per_agent_step_mean: f64,
    /// The mean by the time that the processor gave to the thread, median of the turns. It includes the handing out of
    /// goals. Only of one thread, and where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    processor_ns_per_agent_step: Option<f64>,
    /// The median by stage; they need not add up.
    stages: BTreeMap<&'static str, f64>,
    tick_ms_median: f64,
    tick_ms_max: f64,
    /// Time with one thread by time with this many: median of the rounds; absent without one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio_to_one_thread: Option<f64>,
    /// The part of all agent-steps in which the agent moved.
    moved_share: f64,
    /// The longest that anybody ever stood although it would rather have moved, in ticks; the warm-up counts.
    longest_wait: u32,
    /// Goals reached per tick.
    goals_per_tick: f64,
    /// Agent-steps that searches of configurations took, per agent-step of the crowd.
    searched_per_agent_step: f64,
}

/// What the rows are measured against.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
struct TargetRow {
    scene: &'static str,
    ns_per_agent_step: f64,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct StrictBenchReport {
    rows: Vec<StrictRow>,
    /// A tenth of the published budget of the start kit of the League of Robot Runners.
    target: TargetRow,
}

/// Measures every scene with every number of agents and threads.
///
/// # Errors
/// One sentence if a scene cannot be made, a pool cannot be started, or thread counts disagree.
pub(crate) fn run(options: &StrictBenchOptions) -> Result<StrictBenchReport, String> {
    let turns = options.scenes.len() * options.agents.len() * options.rounds * options.threads.len();
    let progress = ProgressBar::new(turns as u64);
    let pools = options
        .threads
        .iter()
        .map(|&threads| Ok((threads, workers(threads)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let mut rows = Vec::new();
    for &kind in &options.scenes {
        for &agents in &options.agents {
            let mut scene = StrictScene::new(kind, agents, options.density)?;
            if let Some((_, workers)) = pools.last() {
                for _ in 0..options.warm {
                    scene.step(workers.as_ref(), &mut ())?;
                    scene.hand_out()?;
                }
            }
            rows.extend(measure(&scene, options, &pools, &progress)?);
        }
    }
    progress.finish_and_clear();
    Ok(StrictBenchReport {
        rows,
        target: TargetRow {
            scene: "target",
            ns_per_agent_step: TARGET_NS,
        },
    })
}

/// Notes what each stage of one tick takes, in seconds.
struct StageClock {
    last: Instant,
    seconds: [f64; StrictStage::ALL.len()],
}

impl StrictObserver for StageClock {
    fn ended(&mut self, stage: StrictStage) {
        let now = Instant::now();
        self.seconds[stage as usize] = now.duration_since(self.last).as_secs_f64();
        self.last = now;
    }
}

/// The ticks of one number of threads.
#[derive(Default)]
struct Timed {
    /// Seconds, of all rounds.
    ticks: Vec<f64>,
    /// Seconds of each stage.
    stages: [Vec<f64>; StrictStage::ALL.len()],
    /// Mean tick of each round.
    rounds: Vec<f64>,
    /// Nanoseconds of the processor by agent and step, of each turn.
    processor: Vec<f64>,
}

/// What a turn came to; the same in all.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Came {
    hash: StateHash,
    moved: u64,
    arrived: u64,
    searched: u64,
    longest_wait: u32,
}

fn measure(
    scene: &StrictScene,
    options: &StrictBenchOptions,
    pools: &[(usize, Box<dyn Workers>)],
    progress: &ProgressBar,
) -> Result<Vec<StrictRow>, String> {
    let agents = scene.crowd().len();
    let agent_steps = (agents * options.ticks) as f64;
    let mut timed: Vec<Timed> = pools.iter().map(|_| Timed::default()).collect();
    let mut came: Option<Came> = None;
    for _ in 0..options.rounds {
        for ((threads, workers), timed) in pools.iter().zip(&mut timed) {
            let (turn, first) = (&mut scene.clone(), timed.ticks.len());
            let (mut moved, mut arrived, mut searched) = (0, 0, 0);
            let before = processor_ns();
            for _ in 0..options.ticks {
                let start = Instant::now();
                let mut clock = StageClock {
                    last: start,
                    seconds: [0.0; StrictStage::ALL.len()],
                };
                let step = turn.step(workers.as_ref(), &mut clock)?;
                timed.ticks.push(start.elapsed().as_secs_f64());
                for (stage, seconds) in timed.stages.iter_mut().zip(clock.seconds) {
                    stage.push(seconds);
                }
                moved += u64::from(step.outcomes[Outcome::Moved]);
                arrived += u64::from(step.arrived);
                searched += step.searched;
                turn.hand_out()?;
            }
            if let (1, Some(before), Some(after)) = (*threads, before, processor_ns()) {
                timed.processor.push((after - before) / agent_steps);
            }
            let these = Came {
                hash: turn.crowd().state_hash(),
                moved,
                arrived,
                searched,
                longest_wait: turn.crowd().longest_wait(),
            };
            if *came.get_or_insert(these) != these {
                return Err("turns disagree about the crowd; this is a bug, and no time counts".to_owned());
            }
            timed.rounds.push(mean(&timed.ticks[first..]));
            progress.inc(1);
        }
    }
    let came = came.ok_or("no round was run")?;
    let one = pools.iter().position(|&(threads, _)| threads == 1);
    let per_agent = 1e9 / agents as f64;
    let rows = pools.iter().zip(&timed).map(|(&(threads, _), of)| {
        let ratio = one.map(|one| {
            let ratios = timed[one].rounds.iter().zip(&of.rounds);
            median(&ratios.map(|(one, these)| one / these).collect::<Vec<f64>>())
        });
        let stages = StrictStage::ALL.into_iter().zip(&of.stages);
        let grid = scene.crowd().grid();
        StrictRow {
            scene: scene.kind(),
            agents,
            threads,
            map: [grid.width(), grid.height()],
            density: agents as f64 / scene.free() as f64,
            ns_per_agent_step: per_agent * median(&of.ticks),
            ns_per_agent_step_min: per_agent * minimum(&of.ticks),
            ns_per_agent_step_mean: per_agent * mean(&of.ticks),
            processor_ns_per_agent_step: (!of.processor.is_empty()).then(|| median(&of.processor)),
            stages: stages
                .map(|(stage, times)| (stage.name(), per_agent * median(times)))
                .collect(),
            tick_ms_median: 1e3 * median(&of.ticks),
            tick_ms_max: 1e3 * of.ticks.iter().copied().fold(0.0, f64::max),
            ratio_to_one_thread: ratio,
            moved_share: came.moved as f64 / agent_steps,
            longest_wait: came.longest_wait,
            goals_per_tick: came.arrived as f64 / options.ticks as f64,
            searched_per_agent_step: came.searched as f64 / agent_steps,
        }
    });
    Ok(rows.collect())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

impl fmt::Display for StrictBenchReport {
    /// A table for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<9} {:>7} {:>7}  {:>8} {:>8} {:>8} {:>9}  {:>8} {:>8}  {:>5}  {:>6} {:>7} {:>7} {:>8}  stages, ns per agent and step",
            "scene",
            "agents",
            "threads",
            "ns",
            "least",
            "mean",
            "processor",
            "tick ms",
            "dearest",
            "÷ one",
            "moved",
            "waited",
            "goals",
            "searched"
        )?;
        for row in &self.rows {
            let told = |value: Option<f64>, digits| {
                value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
            };
            write!(
                f,
                "{:<9} {:>7} {:>7}  {:>8.1} {:>8.1} {:>8.1} {:>9}  {:>8.3} {:>8.3}  {:>5}  {:>6.3} {:>7} {:>7.1} {:>8.3} ",
                row.scene.name(),
                row.agents,
                row.threads,
                row.ns_per_agent_step,
                row.ns_per_agent_step_min,
                row.ns_per_agent_step_mean,
                told(row.processor_ns_per_agent_step, 1),
                row.tick_ms_median,
                row.tick_ms_max,
                told(row.ratio_to_one_thread, 2),
                row.moved_share,
                row.longest_wait,
                row.goals_per_tick,
                row.searched_per_agent_step
            )?;
            for (stage, ns) in &row.stages {
                write!(f, " {stage} {ns:.1}")?;
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "target    {:>24.1}  a tenth of the published budget of 1 ms for 100 agents",
            self.target.ns_per_agent_step
        )?;
        write!(
            f,
            "ns: per agent and step, median, least and mean of the ticks; processor: by processor time; ÷ one: time with one thread \
             by time with these; moved: part of all agent-steps; waited: longest wait in ticks; goals: reached per tick; \
             searched: agent-steps of searches per agent-step"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> StrictBenchOptions {
        StrictBenchOptions {
            scenes: StrictSceneKind::ALL.to_vec(),
            agents: vec![300],
            threads: vec![1, 2],
            density: 0.15,
            ticks: 8,
            warm: 30,
            rounds: 1,
        }
    }

    #[test]
    fn every_scene_gets_a_row_per_number_of_threads() {
        let report = run(&options()).unwrap();
        assert_eq!(report.rows.len(), 4);
        for row in &report.rows {
            assert_eq!(row.agents, 300, "{}", row.scene.name());
            assert!((row.density - 0.15).abs() < 0.05, "{report}");
            assert!(row.ns_per_agent_step > 0.0 && row.ratio_to_one_thread.is_some());
            assert!(row.moved_share > 0.3 && row.moved_share <= 1.0, "{report}");
            assert_eq!(row.stages.len(), StrictStage::ALL.len());
        }
    }

    #[test]
    fn agents_are_given_new_goals() {
        let mut scene = StrictScene::new(StrictSceneKind::Open, 50, 0.05).unwrap();
        let mut arrived = 0;
        for _ in 0..200 {
            let step = scene.step(&thalweg::core::workers::Serial, &mut ()).unwrap();
            arrived += step.arrived;
            scene.hand_out().unwrap();
        }
        assert!(arrived > 100, "{arrived}: everybody comes to several goals");
    }
}
