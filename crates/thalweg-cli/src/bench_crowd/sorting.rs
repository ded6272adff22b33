//! The crowd's neighbour build against `sort_unstable_by_key` of the same pairs.
//!
//! The pairs are (bin, agent), one per agent, with bins as wide as an agent's reach, numbered row by row. The crowd's own sort
//! is not open to callers, so that its whole first stage is timed, which works out the bins, sorts, and lays out in bin
//! order what others read of each agent; the comparison sort has its pairs made for it.
//!
//! A crowd keeps its agents in the order of the last sort, so that most of them need not move far. Both cases are
//! measured: agents that were just added in random order, and a crowd that goes on.

use super::scene::crowd_options;
use super::{CrowdBenchOptions, StageClock};
use crate::bench_field::{median, minimum};
use crate::random::Random;
use serde::Serialize;
use std::fmt;
use std::hint::black_box;
use std::time::Instant;
use thalweg::bundle::{BuildOptions, BuildScratch, FieldBundle};
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg::core::integrate::GoalSet;
use thalweg::core::movement::{Movement, MovementProfile};
use thalweg::core::workers::Serial;
use thalweg::crowd::{AgentSpec, ArrivalRule, Crowd, GroupId, GroupInput, Stage, StalePolicy, Steering};

/// As in the article that this is compared with.
const AGENTS: u32 = 20_000;
/// Side of the map in cells: one agent in two cells.
const SIDE: u32 = 200;
/// In cells, as the next one is in cells per second.
const RADIUS: f32 = 0.3;
const SPEED: f32 = 1.3;
/// In seconds.
const TICK: f32 = 1.0 / 60.0;

/// Agents in one order.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct SortRow {
    agents: usize,
    /// `added`: agents that were just added, anywhere; `kept`: those of a crowd that goes on, in the order it keeps.
    order: &'static str,
    gather_us_median: f64,
    gather_us_min: f64,
    sort_unstable_us_median: f64,
    sort_unstable_us_min: f64,
    /// Time of the comparison sort, of the same pairs in the same order, by time of the stage: median of the rounds.
    ratio_to_gather: f64,
    ratio_to_gather_min: f64,
}

pub(super) fn run(options: &CrowdBenchOptions) -> Result<Vec<SortRow>, String> {
    ["added", "kept"]
        .into_iter()
        .map(|order| measure(order, options).map_err(|error| error.to_string()))
        .collect()
}

fn measure(order: &'static str, options: &CrowdBenchOptions) -> Result<SortRow, Box<dyn std::error::Error>> {
    let grid = Grid::new(SIDE, SIDE)?;
    let costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let bundle = FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )?;
    let mut crowd = Crowd::new(grid, crowd_options(options))?;
    let mut random = Random::new(1);
    let places: Vec<(i32, i32)> = (0..AGENTS)
        .map(|_| {
            let mut along = || random.below(SIDE * SUBCELLS.unsigned_abs()).cast_signed();
            (along(), along())
        })
        .collect();
    let side = 2.0 * RADIUS + crowd.options().look_ahead;
    let bin = |along: i32| (f64::from(along) / f64::from(SUBCELLS) / f64::from(side)) as u32;
    let bins = bin(SIDE.cast_signed() * SUBCELLS) + 1;
    let key = |&(x, y): &(i32, i32)| bin(y) * bins + bin(x);
    let groups = [GroupInput {
        movement: bundle.movement(),
        flow: Some(bundle.flow()),
        steering: Steering::Directions,
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival: ArrivalRule::Leave,
    }];
    let (mut gathers, mut sorts) = (Vec::new(), Vec::new());
    for round in 0..options.rounds.max(3) * 8 {
        if round == 0 || order == "added" {
            // The crowd is the same one, so that its buffers are there.
            let ids: Vec<_> = crowd.ids_by_place().collect();
            for id in ids {
                crowd.remove(id)?;
            }
            for &(x, y) in &places {
                let spec = AgentSpec {
                    position: MapPoint::new(x, y),
                    radius: RADIUS,
                    max_speed: SPEED,
                    group: GroupId(0),
                };
                crowd.add(bundle.movement(), spec)?;
            }
        }
        let agents = (0u32..).zip(crowd.xs().iter().zip(crowd.ys()));
        let mut pairs: Vec<(u32, u32)> = agents.map(|(agent, (&x, &y))| (key(&(x, y)), agent)).collect();
        let start = Instant::now();
        black_box(&mut pairs).sort_unstable_by_key(|&(bin, _)| bin);
        let sort = start.elapsed().as_secs_f64();
        black_box(&pairs);
        let mut clock = StageClock::start();
        crowd.step_observed(&groups, TICK, &Serial, &mut clock)?;
        if round > 0 {
            sorts.push(sort);
            gathers.extend(clock.seconds[Stage::Gather as usize]);
        }
    }
    let ratios: Vec<f64> = sorts
        .iter()
        .zip(&gathers)
        .map(|(sort, gather)| sort / gather)
        .collect();
    Ok(SortRow {
        agents: crowd.len(),
        order,
        gather_us_median: 1e6 * median(&gathers),
        gather_us_min: 1e6 * minimum(&gathers),
        sort_unstable_us_median: 1e6 * median(&sorts),
        sort_unstable_us_min: 1e6 * minimum(&sorts),
        ratio_to_gather: median(&ratios),
        ratio_to_gather_min: minimum(&ratios),
    })
}

impl fmt::Display for SortRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "neighbour build of {} agents as {}: gather {:.1} us (least {:.1}), sort_unstable of the pairs {:.1} us \
             (least {:.1}): {:.2} times as long (least {:.2})",
            self.agents,
            self.order,
            self.gather_us_median,
            self.gather_us_min,
            self.sort_unstable_us_median,
            self.sort_unstable_us_min,
            self.ratio_to_gather,
            self.ratio_to_gather_min
        )
    }
}
