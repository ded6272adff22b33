//! On open ground no direction of travel is faster than another.

use crate::load;
use thalweg::crowd::{AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId};
use thalweg::prelude::*;

const SIDE: u32 = 81;
const FAR: f64 = 30.0;

/// Seconds per cell of distance in the mean over a block of agents that walk to the same block elsewhere, `degrees` from
/// east, clockwise.
fn pace(degrees: f64, block: i32, by_headings: bool) -> f64 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let start = Cell::new(40, 40);
    let goal = Cell::new(40 + (FAR * cos).round() as i32, 40 + (FAR * sin).round() as i32);
    let around = |cell: Cell| {
        let reach = block / 2;
        (-reach..=reach).flat_map(move |y| (-reach..=reach).map(move |x| Cell::new(cell.x + x, cell.y + y)))
    };
    let grid = Grid::new(SIDE, SIDE).unwrap();
    let costs = CostField::filled(grid.clone(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let options = BuildOptions::new().with_headings(HeadingOptions::new().with_clearance(5));
    let goals = GoalSet::from_cells(around(goal));
    let field = FieldBundle::build(movement, &goals, &options, &mut BuildScratch::new(), &Serial).unwrap();
    let mut input = load::input(&field, ArrivalRule::Leave);
    if by_headings {
        input.steering = field.steering();
    }
    let mut crowd = Crowd::new(grid.clone(), CrowdOptions::default()).unwrap();
    let starts: Vec<_> = around(start)
        .map(|cell| MapPoint::centre_of_cell(&grid, cell).unwrap())
        .collect();
    let ids: Vec<_> = starts
        .iter()
        .map(|&position| {
            let spec = AgentSpec {
                position,
                radius: 0.3,
                max_speed: 1.5,
                group: GroupId(0),
            };
            crowd.add(field.movement(), spec).unwrap()
        })
        .collect();
    // Who enters a square of cells from its side has less far to go than who aims at its centre; the straight line from
    // each one's place to the square tells how far.
    let ends: Vec<_> = around(goal).collect();
    let straight = |at: MapPoint| {
        let [x, y] = at.to_map();
        let out = |value: f64, least: i32, most: i32| {
            (f64::from(least) - value)
                .max(value - f64::from(most) - 1.0)
                .max(0.0)
        };
        let (first, last) = (ends[0], ends[ends.len() - 1]);
        out(x, first.x, last.x).hypot(out(y, first.y, last.y))
    };
    let dt = 1.0 / 60.0;
    let mut paces = 0.0;
    let mut waiting = ids.clone();
    for tick in 1..=(3.0 * FAR / 1.5 / dt) as u32 {
        crowd.step(&[input], dt as f32, &Serial).unwrap();
        waiting.retain(|&id| {
            let is_here = crowd.get(id).is_some();
            if !is_here {
                let index = ids.iter().position(|&other| other == id).unwrap();
                paces += f64::from(tick) * dt / straight(starts[index]);
            }
            is_here
        });
    }
    assert!(
        waiting.is_empty(),
        "{degrees} degrees: {} have not arrived",
        waiting.len()
    );
    paces / ids.len() as f64
}

/// The slowest direction against the fastest, in percent.
fn spread(block: i32, by_headings: bool) -> f64 {
    let paces: Vec<(f64, f64)> = (0..72)
        .map(|step| {
            let degrees = f64::from(step) * 5.0;
            (pace(degrees, block, by_headings), degrees)
        })
        .collect();
    let least = paces
        .iter()
        .copied()
        .fold((f64::MAX, 0.0), |a, b| if b.0 < a.0 { b } else { a });
    let most = paces
        .iter()
        .copied()
        .fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
    let apart = 100.0 * (most.0 / least.0 - 1.0);
    let by = if by_headings { "headings" } else { "directions" };
    println!(
        "{} agents by {by}: {apart:.2} % apart; fastest at {} degrees, slowest at {}",
        block * block,
        least.1,
        most.1
    );
    apart
}

#[test]
fn by_headings_every_direction_of_travel_takes_as_long() {
    assert!(spread(1, true) < 3.0);
    // Nine who walk at a slant come to fewer cells of the square they go to, and queue for them.
    assert!(spread(3, true) < 5.0);
}

/// What headings are for: eight directions make ways up to 8.2 % too long.
#[test]
fn by_directions_no_direction_of_travel_takes_an_eighth_longer() {
    assert!(spread(1, false) < 8.3);
    assert!(spread(3, false) < 14.0);
}
