//! What repaired headings and lengths cost beside a pass over the map, when one cell is toggled. Not a test of time, which a
//! shared machine cannot give: `cargo test --release -p thalweg-core --test repair_cost -- --ignored --nocapture` prints the
//! figures. Both sides are timed in turn, toggle by toggle, with buffers that are used again.

use std::time::Instant;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{
    ChannelRepair, FlowField, FlowScratch, HeadingField, HeadingOptions, HeadingScratch, LengthField,
    OrderScratch, extract, look_ahead, measure_lengths, repair_headings, repair_lengths,
};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::integrate::{
    GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, ResolvedGoals, integrate,
};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_core::repair::{RepairInput, RepairOptions, RepairScratch, repair};
use thalweg_core::workers::Serial;
use thalweg_testkit::cases::{data_folder, say, skipped};
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::world::Draw as _;

const SIDE: u32 = 512;
const TOGGLES: usize = 101;

/// Single blocked cells.
fn scattered(percent: u32) -> CostField {
    let mut costs = CostField::filled(Grid::new(SIDE, SIDE).unwrap(), Cost::PLAIN);
    let mut random = SplitMix64::new(3);
    for id in costs.grid().ids() {
        if random.percent(percent) {
            let cell = costs.grid().cell(id);
            costs.set(cell, Cost::IMPASSABLE).unwrap();
        }
    }
    costs
}

/// Rooms of 16 x 16 cells with a door of two cells in every wall, or in most.
fn rooms() -> CostField {
    let mut costs = CostField::filled(Grid::new(SIDE, SIDE).unwrap(), Cost::PLAIN);
    let mut random = SplitMix64::new(5);
    let side = SIDE.cast_signed();
    let mut wall = |from: i32, line: i32, is_row: bool, random: &mut SplitMix64| {
        let door = random.percent(80).then(|| 1 + random.below(13).cast_signed());
        for at in 0..16 {
            if door.is_none_or(|door| at != door && at != door + 1) {
                let (x, y) = if is_row {
                    (from + at, line)
                } else {
                    (line, from + at)
                };
                costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap();
            }
        }
    };
    for line in (16..side).step_by(16) {
        for from in (0..side).step_by(16) {
            wall(from, line, true, &mut random);
            wall(from, line, false, &mut random);
        }
    }
    costs
}

/// A map of the public benchmarks.
fn shared(name: &str) -> Option<CostField> {
    let path = data_folder()?.join("movingai").join(name);
    let text = std::fs::read_to_string(path).ok()?;
    let rows: Vec<&[u8]> = text.lines().skip(4).map(str::as_bytes).collect();
    let width = u32::try_from(rows[0].len()).ok()?;
    let grid = Grid::new(width, u32::try_from(rows.len()).ok()?).ok()?;
    let cost = |&byte: &u8| {
        if matches!(byte, b'.' | b'G' | b'S') {
            1
        } else {
            255
        }
    };
    let costs = rows.iter().flat_map(|row| row.iter().map(cost)).collect();
    CostField::from_bytes(grid, costs).ok()
}

struct Made {
    movement: Movement,
    goals: ResolvedGoals,
    field: IntegrationField,
    flow: FlowField,
    headings: HeadingField,
    lengths: LengthField,
}

#[derive(Default)]
struct Scratch {
    integrate: IntegrateScratch,
    flow: FlowScratch,
    headings: HeadingScratch,
    order: OrderScratch,
}

struct Times {
    field: f64,
    headings: f64,
    lengths: f64,
}

fn timed<T>(seconds: &mut f64, run: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let made = run();
    *seconds = start.elapsed().as_secs_f64();
    made
}

/// Everything from nothing.
fn build(
    costs: &CostField,
    goal: &GoalSet,
    looks: &HeadingOptions,
    scratch: &mut Scratch,
    made: &mut Option<Made>,
) -> Times {
    let movement = Movement::compile(costs, &MovementProfile::new());
    let goals = goal.resolve(&movement).unwrap();
    let grid = movement.grid().clone();
    let (mut field, mut flow, mut headings, mut lengths) = made.take().map_or_else(
        || {
            (
                IntegrationField::new(grid.clone()),
                FlowField::new(grid.clone()),
                HeadingField::new(grid.clone()),
                LengthField::new(grid.clone()),
            )
        },
        |made| (made.field, made.flow, made.headings, made.lengths),
    );
    let mut times = Times {
        field: 0.0,
        headings: 0.0,
        lengths: 0.0,
    };
    timed(&mut times.field, || {
        integrate(
            &movement,
            &goals,
            &IntegrateOptions::new(),
            &mut scratch.integrate,
            &mut field,
        )
        .unwrap();
        extract(&movement, &field, &Serial, &mut scratch.flow, &mut flow);
    });
    timed(&mut times.headings, || {
        look_ahead(
            &movement,
            &field,
            &flow,
            looks,
            &mut scratch.headings,
            &mut headings,
        )
        .unwrap();
    });
    timed(&mut times.lengths, || {
        measure_lengths(&movement, &flow, &mut scratch.order, &mut lengths);
    });
    *made = Some(Made {
        movement,
        goals,
        field,
        flow,
        headings,
        lengths,
    });
    times
}

/// Median and mean of how many times faster, and the worst share of the time of a pass.
fn ratios(pairs: &[(f64, f64)]) -> String {
    let mut faster: Vec<f64> = pairs
        .iter()
        .map(|(repaired, rebuilt)| rebuilt / repaired)
        .collect();
    faster.sort_by(f64::total_cmp);
    let sums = pairs
        .iter()
        .fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
    format!(
        "median {:.0} x, mean {:.1} x, worst {:.2} of a pass",
        faster[faster.len() / 2],
        sums.1 / sums.0,
        1.0 / faster[0]
    )
}

fn toggle(name: &str, costs: &CostField) {
    let grid = costs.grid().clone();
    let mut random = SplitMix64::new(11);
    let passable = |costs: &CostField, id: CellId| costs.get(id) != Some(Cost::IMPASSABLE);
    let draw = |random: &mut SplitMix64| CellId::from_index(random.index(grid.len()));
    let goal_cell = loop {
        let id = draw(&mut random);
        if passable(costs, id) {
            break id;
        }
    };
    let goal = GoalSet::from_cells([grid.cell(goal_cell)]);
    // With what the default is, and with the ways that repairs need: what keeping them costs.
    let plain = HeadingOptions::new();
    let looks = plain.with_ways_kept(true);
    let mut scratch = Scratch::default();
    let (mut old, mut beside, mut unkept) = (None, None, None);
    build(costs, &goal, &looks, &mut scratch, &mut old);
    let Some(old) = old else { return };
    let (mut headings, mut lengths, mut whole, mut keeping) = (vec![], vec![], vec![], vec![]);
    let (mut remade, mut rebuilt, mut given_up) = (Vec::new(), 0, 0);
    let mut repairs = RepairScratch::new();
    while whole.len() < TOGGLES {
        let id = draw(&mut random);
        if id == goal_cell {
            continue;
        }
        let mut edited = costs.clone();
        let cost = if passable(costs, id) {
            Cost::IMPASSABLE
        } else {
            Cost::PLAIN
        };
        edited.set(grid.cell(id), cost).unwrap();
        let full = build(&edited, &goal, &looks, &mut scratch, &mut beside);
        let unkept_times = build(&edited, &goal, &plain, &mut scratch, &mut unkept);
        keeping.push((unkept_times.headings, full.headings));
        let Some(new) = &beside else { return };
        let cell = grid.cell(id);
        let changed: Vec<CellId> = (-1..=1)
            .flat_map(|dy| (-1..=1).map(move |dx| Cell::new(cell.x + dx, cell.y + dy)))
            .filter_map(|cell| grid.id(cell))
            .collect();
        let input = RepairInput {
            field: &old.field,
            flow: &old.flow,
            goals_before: &old.goals,
            movement: &new.movement,
            changed: &changed,
            goals: &new.goals,
        };
        let mut seconds = Times {
            field: 0.0,
            headings: 0.0,
            lengths: 0.0,
        };
        let all = full.field + full.headings + full.lengths;
        let done = timed(&mut seconds.field, || {
            repair(&input, &RepairOptions::new(), &mut repairs)
        });
        let Ok(repaired) = done else {
            given_up += 1;
            whole.push((seconds.field + all, all));
            continue;
        };
        let (mut got, mut got_lengths) = (old.headings.clone(), old.lengths.clone());
        let mut refreshed = Vec::new();
        let stats = timed(&mut seconds.headings, || {
            refreshed.extend(repairs.refreshed());
            let input = ChannelRepair::new(
                &new.movement,
                &repaired.field,
                &repaired.flow,
                &refreshed,
                &changed,
            );
            repair_headings(&input, &looks, &mut scratch.headings, &mut got).unwrap()
        });
        let input = ChannelRepair::new(
            &new.movement,
            &repaired.field,
            &repaired.flow,
            &refreshed,
            &changed,
        );
        timed(&mut seconds.lengths, || {
            repair_lengths(&input, &mut scratch.order, &mut got_lengths)
        });
        assert!(
            got == new.headings && got_lengths == new.lengths,
            "{name}: {id:?}"
        );
        headings.push((seconds.headings, full.headings));
        lengths.push((seconds.lengths, full.lengths));
        whole.push((seconds.field + seconds.headings + seconds.lengths, all));
        remade.push((stats.remade, stats.changed));
        rebuilt += u32::from(stats.rebuilt);
    }
    remade.sort_unstable();
    let mid = remade[remade.len() / 2];
    say(&format!(
        "{name}: {} toggles, {given_up} field repairs given up, {rebuilt} headings rebuilt, {} cells",
        whole.len(),
        grid.len()
    ));
    say(&format!(
        "    headings {}; median cells looked at anew {} ({} differ)",
        ratios(&headings),
        mid.0,
        mid.1
    ));
    say(&format!("    lengths  {}", ratios(&lengths)));
    say(&format!("    field, headings and lengths {}", ratios(&whole)));
    say(&format!(
        "    a pass that keeps ways takes {:.2} of one that does not",
        1.0 / keeping_ratio(&keeping)
    ));
}

fn keeping_ratio(pairs: &[(f64, f64)]) -> f64 {
    let mut ratios: Vec<f64> = pairs.iter().map(|(plain, kept)| plain / kept).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

#[test]
#[ignore = "prints times; run it by hand in release"]
fn what_repaired_headings_cost_beside_a_pass() {
    for percent in [0, 1, 10, 30] {
        toggle(&format!("{percent} % scattered"), &scattered(percent));
    }
    toggle("rooms", &rooms());
    for name in [
        "rooms/32room_004.map",
        "mazes/maze512-32-7.map",
        "random/random512-35-0.map",
        "dao/den312d.map",
        "cities/Berlin_0_256.map",
    ] {
        match shared(name) {
            Some(costs) => toggle(name, &costs),
            None => skipped(name),
        }
    }
}
