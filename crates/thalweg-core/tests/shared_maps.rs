//! Walks over the scenarios of published maps, against the exact any-angle optimum. The maps are test input that a clone
//! may lack: set `THALWEG_DATA` to their place.

use std::path::Path;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, Grid, SUBCELLS};
use thalweg_core::integrate::{Engine, GoalSet};
use thalweg_core::movement::MovementProfile;
use thalweg_testkit::any_angle::AnyAngle;
use thalweg_testkit::cases::{data_folder, say, skipped};
use thalweg_testkit::solve::solve;
use thalweg_testkit::walker::Ways;

/// A MovingAI map; the reader of the file crate is no dependency of the core's tests.
fn map(text: &str) -> CostField {
    let rows: Vec<&str> = text.lines().skip(4).collect();
    let width = rows[0].trim_end().len();
    let bytes: Vec<u8> = rows
        .iter()
        .flat_map(|row| row.trim_end().bytes())
        .map(|letter| if matches!(letter, b'.' | b'G') { 1 } else { 255 })
        .collect();
    let height = bytes.len() / width;
    let side = |len: usize| u32::try_from(len).unwrap();
    CostField::from_bytes(Grid::new(side(width), side(height)).unwrap(), bytes).unwrap()
}

/// Start and goal of every line, by column and row.
fn queries(text: &str) -> Vec<[u32; 4]> {
    text.lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let parts: Vec<&str> = line.split_whitespace().collect();
            [4, 5, 6, 7].map(|part| parts[part].parse().unwrap())
        })
        .collect()
}

/// What the walks over one scenario came to, relative to the any-angle optimum.
#[derive(Debug)]
struct Summary {
    walks: u32,
    mean: f64,
    mean_octile: f64,
    worst: f64,
    /// Longest walk relative to the eight-direction way.
    worst_to_octile: f64,
}

fn summary(folder: &Path, map_file: &str, scenario: &str) -> Option<Summary> {
    let (Ok(map_text), Ok(scenario_text)) = (
        std::fs::read_to_string(folder.join(map_file)),
        std::fs::read_to_string(folder.join(scenario)),
    ) else {
        skipped(map_file);
        return None;
    };
    let costs = map(&map_text);
    let oracle = AnyAngle::new(&costs);
    let mut result = Summary {
        walks: 0,
        mean: 0.0,
        mean_octile: 0.0,
        worst: 0.0,
        worst_to_octile: 0.0,
    };
    for [sx, sy, gx, gy] in queries(&scenario_text) {
        let cell = |x: u32, y: u32| costs.grid().cell(costs.grid().id_at(x, y).unwrap());
        let goals = GoalSet::from_cells([cell(gx, gy)]);
        let ways = Ways::new(solve(&costs, &MovementProfile::new(), &goals, Engine::Auto));
        let start: Cell = cell(sx, sy);
        let id = costs.grid().id(start).unwrap();
        let Some(best) = oracle.shortest((sx, sy), (gx, gy)).filter(|&best| best > 0.0) else {
            continue;
        };
        let walked = ways
            .walk_from(id, SUBCELLS / 8)
            .unwrap_or_else(|error| panic!("{map_file} {start} to ({gx},{gy}): {error}"));
        let octile = ways.lengths.length(id).unwrap().cells();
        assert!(
            walked.length > best * 0.999_9,
            "{map_file} {start}: {walked:?} < {best}"
        );
        result.walks += 1;
        result.mean += walked.length / best;
        result.mean_octile += octile / best;
        result.worst = result.worst.max(walked.length / best);
        result.worst_to_octile = result.worst_to_octile.max(walked.length / octile);
    }
    result.mean /= f64::from(result.walks);
    result.mean_octile /= f64::from(result.walks);
    say(&format!(
        "{map_file}: {} corners, {} walks, mean {:.4} of the any-angle optimum (eight directions {:.4}), worst {:.4}, \
         longest {:.4} of the eight-direction way",
        oracle.corners(),
        result.walks,
        result.mean,
        result.mean_octile,
        result.worst,
        result.worst_to_octile
    ));
    Some(result)
}

#[test]
fn walks_over_published_scenarios_are_within_one_percent_of_the_shortest_way() {
    let Some(folder) = data_folder() else {
        skipped("data");
        return;
    };
    let maps = [
        ("movingai/dao/arena.map", "movingai/dao/arena.map.scen", 1.01),
        ("movingai/dao/den312d.map", "movingai/dao/den312d.map.scen", 1.01),
        (
            "mapf/random-32-32-20.map",
            "mapf/random-32-32-20-random-1.scen",
            1.06,
        ),
    ];
    let mut failures = Vec::new();
    for (map_file, scenario, limit) in maps {
        if let Some(summary) = summary(&folder, map_file, scenario)
            && (summary.mean > limit || summary.worst_to_octile > 1.000_1)
        {
            failures.push(format!("{map_file}: {summary:?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
