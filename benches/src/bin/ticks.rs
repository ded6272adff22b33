//! What the ticks of a crowd pay for fields that are rebuilt beside them without pause.
//!
//! Usage: `ticks [AGENTS [ROUNDS]]`. One thread steps a crowd, and takes one snapshot of the published field at the start of
//! each tick. Another does one of three things, in turns of 60 ticks: it rests; it computes without memory, which tells what a
//! busy second core costs on this machine whatever is done there; or it edits the map, rebuilds the bundle and publishes it,
//! again and again. Both are bound to cores. Told are the median and the 99th percentile of the ticks.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use std::error::Error;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use thalweg::crowd::{
    AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering,
};
use thalweg::prelude::*;
use thalweg::publish::Published;

/// Ticks of a turn.
const TURN: usize = 60;
const SIDE: u32 = 500;
const MODES: [&str; 3] = ["rest", "compute", "rebuild"];

fn bind(core: usize) {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    if let Some(&id) = cores.get(core % cores.len().max(1)) {
        core_affinity::set_for_current(id);
    }
}

fn map() -> Result<CostField, Box<dyn Error>> {
    let mut costs = CostField::filled(Grid::new(SIDE, SIDE)?, Cost::PLAIN);
    costs.set_rect(Cell::new(300, 0), Cell::new(300, 199), Cost::IMPASSABLE)?;
    costs.set_rect(Cell::new(300, 300), Cell::new(300, 499), Cost::IMPASSABLE)?;
    Ok(costs)
}

fn build(costs: &CostField, scratch: &mut BuildScratch) -> Result<FieldBundle, BuildError> {
    let movement = Movement::compile(costs, &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(490, 250)]);
    FieldBundle::build(movement, &goals, &BuildOptions::new(), scratch, &Serial)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (agents, rounds) = (number(20_000)?, number(20)?);
    let mut costs = map()?;
    let mut scratch = BuildScratch::new();
    let first = build(&costs, &mut scratch)?;
    let grid = costs.grid().clone();
    let mut crowd = Crowd::new(grid.clone(), CrowdOptions::default())?;
    let mut seed = 1u64;
    while crowd.len() < agents {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let id = CellId(u32::try_from((seed >> 33) % u64::from(SIDE * SIDE))?);
        if first.movement().is_passable(id) {
            let spec = AgentSpec {
                position: MapPoint::centre_of_id(&grid, id),
                radius: 0.3,
                max_speed: 1.3,
                group: GroupId(0),
            };
            crowd.add(first.movement(), spec)?;
        }
    }
    let slot = Mutex::new(Published::new(first));
    let mut reader = slot.lock().map_err(|_| "poisoned")?.reader();
    let (mode, is_over, built) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(0));
    let mut ticks: [Vec<f64>; 3] = Default::default();
    std::thread::scope(|scope| -> Result<(), Box<dyn Error>> {
        scope.spawn(|| {
            bind(1);
            let mut sum = 0u64;
            while !is_over.load(Ordering::Relaxed) {
                match mode.load(Ordering::Relaxed) {
                    0 => std::thread::sleep(std::time::Duration::from_micros(200)),
                    1 => (0..100_000u64).for_each(|at| sum = black_box(sum.rotate_left(5) ^ at)),
                    _ => {
                        // A cell beside the gap, open and shut in turns.
                        let count = built.fetch_add(1, Ordering::Relaxed);
                        let cost = if count % 2 == 0 {
                            Cost::IMPASSABLE
                        } else {
                            Cost::PLAIN
                        };
                        if costs.set(Cell::new(300, 200), cost).is_ok()
                            && let Ok(bundle) = build(&costs, &mut scratch)
                            && let Ok(mut slot) = slot.lock()
                        {
                            slot.publish(Arc::new(bundle));
                            slot.collect();
                        }
                    }
                }
            }
        });
        bind(0);
        let stepped = (|| -> Result<(), Box<dyn Error>> {
            for turn in 0..3 * rounds {
                mode.store(turn % 3, Ordering::Relaxed);
                for _ in 0..TURN {
                    let start = Instant::now();
                    let bundle = reader.snapshot();
                    let input = GroupInput {
                        movement: bundle.movement(),
                        flow: Some(bundle.flow()),
                        steering: Steering::Directions,
                        is_current: true,
                        stale: StalePolicy::KeepOld,
                        field_version: 1,
                        arrival: ArrivalRule::Rest,
                    };
                    crowd.step(&[input], 1.0 / 60.0, &Serial)?;
                    ticks[turn % 3].push(start.elapsed().as_secs_f64());
                }
            }
            Ok(())
        })();
        is_over.store(true, Ordering::Relaxed);
        stepped
    })?;
    println!(
        "{agents} agents, {} ticks of each kind, {} bundles built",
        ticks[0].len(),
        built.into_inner()
    );
    let mut at = [[0.0; 2]; 3];
    for (ticks, at) in ticks.iter_mut().zip(&mut at) {
        ticks.sort_by(f64::total_cmp);
        *at = [ticks[ticks.len() / 2], ticks[ticks.len() * 99 / 100]];
    }
    for (name, [median, p99]) in MODES.iter().zip(at) {
        println!(
            "{name:>8}: median {:.3} ms, p99 {:.3} ms | to rest {:.2} and {:.2} | to compute {:.2} and {:.2}",
            1e3 * median,
            1e3 * p99,
            median / at[0][0],
            p99 / at[0][1],
            median / at[1][0],
            p99 / at[1][1],
        );
    }
    Ok(())
}
