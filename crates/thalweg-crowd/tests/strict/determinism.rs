//! The same trace for any number of threads and for requests in any order.

use crate::world::{World, eight, four};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::strict::{StrictOptions, StrictSpec};
use thalweg_crowd::{ArrivalRule, StateHash};
use thalweg_testkit::threads::TestThreads;

/// 600 agents on a map of rooms and lanes, more than two parts of the work; claims, holds and new goals in between.
fn trace(workers: &dyn Workers, reversed: bool, seed: u64) -> Vec<StateHash> {
    let rows: Vec<String> = (0..40)
        .map(|y| {
            (0..60)
                .map(|x| {
                    if (x % 12 == 11 && y % 10 != 4) || (y % 10 == 9 && x % 12 != 5) {
                        '#'
                    } else {
                        '.'
                    }
                })
                .collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut options = StrictOptions::default();
    options.seed = seed;
    options.search_after = 8;
    let mut world = World::new(
        &rows,
        if seed.is_multiple_of(2) { four() } else { eight() },
        options,
    );
    let mut groups = Vec::new();
    for goal in [(2, 2), (57, 36), (30, 20), (3, 37)] {
        groups.push(world.group(&[goal], ArrivalRule::Leave));
    }
    groups.push(world.group(&[(50, 3), (51, 3), (52, 3)], ArrivalRule::Rest));
    let mut ids = Vec::new();
    for index in 0..900_usize {
        let place = index * 1009 % 2400;
        let cell = Cell::new((place % 60) as i32, (place / 60) as i32);
        let spec = StrictSpec {
            pace: if index % 9 == 0 { 2 } else { 1 },
            ..StrictSpec::new(cell, groups[index % 5])
        };
        if let Ok(id) = world.crowd.add(&spec, &world.groups[0].movement) {
            ids.push(id);
        }
    }
    assert!(ids.len() > 550, "{}", ids.len());
    let mut hashes = Vec::new();
    for tick in 0..60 {
        let mut requests: Vec<(usize, CellId)> = ids
            .iter()
            .enumerate()
            .filter(|(index, _)| index % 40 == tick % 40)
            .filter_map(|(index, id)| Some((index, world.crowd.get(*id)?.cell)))
            .collect();
        if reversed {
            requests.reverse();
        }
        for (index, cell) in requests {
            world
                .crowd
                .claim(ids[index], &[cell, CellId(cell.0 + 1)], 1)
                .unwrap();
        }
        if tick == 20 {
            world.crowd.hold(ids[5], true).ok();
            world.crowd.set_group(ids[7], groups[1]).ok();
        }
        world.step_on(workers);
        hashes.push(world.crowd.state_hash());
    }
    hashes
}

#[test]
fn one_trace_for_any_number_of_threads_and_any_order_of_requests() {
    for seed in [0, 1] {
        let expected = trace(&Serial, false, seed);
        for threads in [1, 2, 3, 8] {
            assert_eq!(
                trace(&TestThreads(threads), false, seed),
                expected,
                "{threads} threads"
            );
        }
        assert_eq!(trace(&Serial, true, seed), expected, "requests in reverse order");
        assert_ne!(trace(&Serial, false, seed + 2), expected, "the seed matters");
    }
}

/// Minted when strict mode began; made anew only with a reason in the change log.
#[test]
fn the_golden_trace_holds() {
    let last = trace(&Serial, false, 0).last().copied();
    assert_eq!(last.map(|hash| hash.0), Some(0x50c4_4cf0_619e_9002), "{last:x?}");
}
