//! Readers never panic, and what they have read, the writers give back.

use crate::make::check_sentence;
use std::path::Path;
use thalweg_core::cost::CostField;
use thalweg_io::{
    GreyCosts, HeightOptions, LayerRule, Legend, LoadOptions, Polarity, ReadError, TerrainOptions,
    TileDefault, TiledOptions, Trajectories, TrajectoryText, VerticalScale, height_map_from_bytes,
    map_from_bytes, read_cost_csv, read_cost_npy, read_cost_png, read_movingai_map, read_plan, read_scenario,
    read_task_list, read_text_grid, read_trajectories, terrain_map_from_bytes, text_grid_from_costs,
    tiled_costs_from_bytes, tiled_terrain_from_bytes, write_cost_csv, write_cost_npy, write_cost_png,
    write_plan,
};

/// Maps above this size are read but not written again: the writers are plain loops, and large pictures compress so
/// well that the fuzzer would do nothing else.
const MAX_CELLS: usize = 1 << 14;

/// The first byte picks the reader, the next five an odd picture mapping or other options, the rest is the file.
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
    let map = match pick % 20 {
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
        18 => return trajectories(bytes),
        19 => return plan(bytes),
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
        12 | 13 => return heights(bytes, [polarity, cheapest, dearest, low, high], pick % 20 == 12),
        14 | 15 => return terrain(bytes, polarity),
        16 | 17 => match tiled(bytes, [polarity, cheapest, dearest, low], pick % 20 == 16) {
            Some(map) => map,
            None => return,
        },
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

/// Ticks have one cell for each agent, and what is written is read again. The same bytes as a list of tasks do no harm.
fn plan(bytes: &[u8]) {
    if let Err(error) = read_task_list("fuzz", bytes) {
        check_sentence(&error);
    }
    let plan = match read_plan("fuzz", bytes) {
        Ok(plan) => plan,
        Err(error) => return check_sentence(&error),
    };
    let agents = plan.head.agents as usize;
    assert!(
        plan.ticks.iter().all(|cells| cells.len() == agents),
        "a tick without an agent"
    );
    let mut text = Vec::new();
    let written = write_plan(&plan, &mut text);
    if bytes.contains(&b'\r') {
        // One inside a name cannot be written again.
        return;
    }
    written.expect("a plan that was read");
    let again = read_plan("again", &text).expect("a plan that was written");
    assert_eq!(again, plan, "a plan differs when it is read again");
}

/// Everybody is in a frame once, all numbers are finite, and what is written is read again.
fn trajectories(bytes: &[u8]) {
    let read = match read_trajectories("fuzz", bytes) {
        Ok(read) => read,
        Err(error) => return check_sentence(&error),
    };
    assert!(read.frame_rate.is_none_or(|rate| rate.is_finite() && rate > 0.0));
    assert!(
        read.points
            .windows(2)
            .all(|pair| (pair[0].frame, pair[0].id) < (pair[1].frame, pair[1].id)),
        "places out of order, or somebody in a frame twice"
    );
    assert!(read.points.iter().all(|point| {
        [point.x, point.y, point.z]
            .iter()
            .all(|number| number.is_finite())
    }));
    let mut text = Vec::new();
    let mut writer =
        TrajectoryText::new(&mut text, read.frame_rate.unwrap_or(1.0)).expect("writing into memory");
    for point in &read.points {
        writer.push(point).expect("writing into memory");
    }
    let again = read_trajectories("again", &text).expect("trajectories that were written");
    let who = |read: &Trajectories| {
        let who = read.points.iter().map(|point| (point.frame, point.id));
        who.collect::<Vec<_>>()
    };
    assert_eq!(
        who(&again),
        who(&read),
        "trajectories differ when they are read again"
    );
}

/// Every cell of a height map has a finite height or none, and a slope can be taken: the side of a cell is a length.
fn heights(bytes: &[u8], [flags, base, step, black, white]: [u8; 5], by_name: bool) {
    let options = HeightOptions {
        cell_size: (flags & 1 == 0).then_some(f64::from(step) / 8.0),
        vertical_scale: match flags >> 1 & 3 {
            0 => None,
            1 => Some(VerticalScale::Linear {
                base: f64::from(base),
                per_unit: f64::from(step) - 128.0,
            }),
            _ => Some(VerticalScale::Range {
                black: f64::from(black),
                white: f64::from(white),
            }),
        },
        nodata: match flags >> 3 & 3 {
            0 => Some(f64::NAN),
            1 => Some(f64::from(black)),
            _ => None,
        },
        ..HeightOptions::new()
    };
    let name = if by_name { "map.asc" } else { "map.csv" };
    match height_map_from_bytes(Path::new(name), bytes, &options) {
        Ok(loaded) => {
            let mut map = loaded.heights;
            assert!(map.take_dirty().is_empty(), "reading heights counts as an edit");
            assert!(map.cell_size().is_finite() && map.cell_size() > 0.0);
            let unknown = map.grid().ids().filter(|&id| map.height(id).is_none()).count();
            assert_eq!(unknown, map.unknown_len());
            assert!(
                map.grid()
                    .ids()
                    .filter_map(|id| map.height(id))
                    .all(f32::is_finite)
            );
        }
        Err(error) => check_sentence(&error),
    }
}

/// Every class of a terrain map is one that the legend gives.
fn terrain(bytes: &[u8], flags: u8) {
    let legend = Legend::new()
        .with_letter('~', 1)
        .with_letter('.', 2)
        .with_unknown_letter('?')
        .with_colour([0; 3], 3)
        .with_colour([255; 3], 4)
        .with_unknown_colour([128; 3]);
    let numbers = flags & 1 == 1;
    let legend = if numbers {
        legend.with_numbers_as_classes()
    } else {
        legend
    };
    match terrain_map_from_bytes(Path::new("map"), bytes, &TerrainOptions::new(legend)) {
        Ok(mut map) => {
            assert!(map.take_dirty().is_empty(), "reading terrain counts as an edit");
            let is_listed = |class| numbers || (1..=4).contains(&class);
            assert!(map.grid().ids().filter_map(|id| map.class(id)).all(is_listed));
        }
        Err(error) => check_sentence(&error),
    }
}

/// The costs of a Tiled map, or `None` where only its classes were looked at.
fn tiled(
    bytes: &[u8],
    [flags, bare, empty, name]: [u8; 4],
    as_costs: bool,
) -> Option<Result<CostField, ReadError>> {
    let default = |flag, value| match flag & 3 {
        0 => TileDefault::Refuse,
        1 => TileDefault::Unknown,
        _ => TileDefault::Value(value),
    };
    let options = TiledOptions::new(if flags & 1 == 0 { "cost" } else { "class" })
        .with_name("wall", name)
        .with_rule(if flags & 2 == 0 {
            LayerRule::Topmost
        } else {
            LayerRule::Largest
        })
        .with_default(default(flags >> 2, bare))
        .with_empty(default(flags >> 4, empty));
    // The bytes are the tileset too, should the map name one.
    let tileset = |_: &str| (flags & 128 == 0).then(|| bytes.to_vec());
    let path = Path::new("map");
    if as_costs {
        return Some(tiled_costs_from_bytes(path, bytes, tileset, &options).map(|loaded| loaded.map));
    }
    match tiled_terrain_from_bytes(path, bytes, tileset, &options) {
        Ok(mut loaded) => assert!(
            loaded.map.take_dirty().is_empty(),
            "reading terrain counts as an edit"
        ),
        Err(error) => check_sentence(&error),
    }
    None
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
    // No format that is written says where its first cell lies.
    let size = |costs: &CostField| (costs.grid().width(), costs.grid().height());
    let same_ground = |other: &CostField| size(other) == size(&costs) && other.bytes() == costs.bytes();
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
