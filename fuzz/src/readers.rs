//! Readers never panic, and what they have read, the writers give back.

use crate::make::check_sentence;
use std::path::Path;
use thalweg_core::cost::CostField;
use thalweg_io::{
    GreyCosts, LoadOptions, Polarity, ReadError, map_from_bytes, read_cost_csv, read_cost_npy, read_cost_png,
    read_movingai_map, read_scenario, read_text_grid, text_grid_from_costs, write_cost_csv, write_cost_npy,
    write_cost_png,
};

/// Maps above this size are read but not written again: the writers are plain loops, and large pictures compress so
/// well that the fuzzer would do nothing else.
const MAX_CELLS: usize = 1 << 14;

/// The first byte picks the reader, the next five an odd picture mapping, the rest is the file.
pub fn run(data: &[u8]) {
    let Some((&[pick, polarity, cheapest, dearest, low, high], bytes)) = data.split_first_chunk() else {
        return;
    };
    let odd = GreyCosts::Ramp {
        polarity: if polarity & 1 == 0 {
            Polarity::WhiteIsCheap
        } else {
            Polarity::WhiteIsDear
        },
        cheapest,
        dearest,
        impassable_from: u16::from_le_bytes([low, high]),
    };
    let name = "fuzz";
    let map = match pick % 12 {
        0 => read_movingai_map(name, bytes),
        1 => {
            let scenario = read_scenario(name, bytes);
            if let Ok(scenario) = &scenario {
                for line in &scenario.lines {
                    assert!(line.optimal_length.is_finite() && line.optimal_length >= 0.0);
                }
            }
            scenario.err().iter().for_each(check_sentence);
            return;
        }
        2 => {
            let grid = read_text_grid(name, bytes);
            if let Ok(grid) = &grid {
                let text = text_grid_from_costs(&grid.costs, &grid.goals, &grid.marks)
                    .expect("a grid that was read has letters only");
                let again = read_text_grid(name, text.as_bytes()).expect("a grid that was written");
                assert_eq!(&again, grid, "a text grid differs when it is read again");
            }
            grid.map(|grid| grid.costs)
        }
        3 => read_cost_csv(name, bytes),
        4 => read_cost_npy(name, bytes),
        5 => read_cost_png(name, bytes, GreyCosts::LevelIsCost),
        6 => read_cost_png(name, bytes, GreyCosts::ramp(Polarity::WhiteIsCheap)),
        7 => read_cost_png(name, bytes, GreyCosts::ramp(Polarity::WhiteIsDear)),
        8 => read_cost_png(name, bytes, odd),
        by_name => {
            let name = ["map", "map.csv", "map.TXT"][usize::from(by_name) - 9];
            let options = LoadOptions {
                grey_costs: odd,
                ..LoadOptions::default()
            };
            map_from_bytes(Path::new(name), bytes, &options).map(|map| {
                for cell in map.goals.iter().chain(map.marks.iter().map(|(_, cell)| cell)) {
                    assert!(map.costs.grid().contains(*cell), "a goal or mark off the map");
                }
                map.costs
            })
        }
    };
    match map {
        Ok(costs) => check_map(costs),
        Err(error) => check_sentence(&error),
    }
}

fn check_map(mut costs: CostField) {
    assert!(costs.take_dirty().is_empty(), "reading a map counts as an edit");
    if costs.grid().len() > MAX_CELLS {
        return;
    }
    let again = |write: &dyn Fn(&mut Vec<u8>, &CostField) -> std::io::Result<()>,
                 read: &dyn Fn(&[u8]) -> Result<CostField, ReadError>| {
        let mut bytes = Vec::new();
        write(&mut bytes, &costs).expect("writing into memory");
        read(&bytes).expect("a map that was written")
    };
    let same_ground = |other: &CostField| other.grid() == costs.grid() && other.bytes() == costs.bytes();
    let same = |other: &CostField| {
        same_ground(other)
            && costs
                .grid()
                .ids()
                .all(|id| other.is_known(id) == costs.is_known(id))
    };
    let csv = again(&|out, costs| write_cost_csv(out, costs), &|bytes| {
        read_cost_csv("again", bytes)
    });
    assert!(same(&csv), "a CSV map differs when it is read again");
    let png = again(&|out, costs| write_cost_png(out, costs), &|bytes| {
        read_cost_png("again", bytes, GreyCosts::LevelIsCost)
    });
    assert!(same(&png), "a PNG map differs when it is read again");
    // An array has no third state: unknown cells become walls.
    let npy = again(&|out, costs| write_cost_npy(out, costs), &|bytes| {
        read_cost_npy("again", bytes)
    });
    assert!(same_ground(&npy), "a NumPy map differs when it is read again");
    if let Ok(text) = text_grid_from_costs(&costs, &[], &[]) {
        let text = read_text_grid("again", text.as_bytes()).expect("a grid that was written");
        assert!(same(&text.costs), "a text grid differs when it is read again");
    }
}
