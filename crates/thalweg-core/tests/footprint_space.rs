//! Bodies in continuous space: offered steps keep clear of walls, wherever a slightly larger disc can pass the field leads,
//! and sweeps, sight lines and walks by headings agree with fine sampling in floats.
//!
//! 10,000 worlds: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test footprint_space -- --nocapture`.

use core::f64::consts::SQRT_2;
use thalweg_core::components::Components;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::flow::{Sample, sample};
use thalweg_core::grid::{Cell, CellId, Grid, MAX_POINT_SIDE, MapPoint, SUBCELLS};
use thalweg_core::integrate::{BlockedGoals, GoalSet, IntegrateOptions};
use thalweg_core::movement::{
    Connectivity, CornerRule, Footprint, Movement, MovementProfile, Sight, SweepStop, sight, sweep,
};
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::solve::{SolveError, try_solve};
use thalweg_testkit::walker::Ways;

fn rounds(short: u64, long: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        long
    } else {
        short
    }
}

/// How much nearer to a wall than its radius a body may come, in cells: the rounding of sampling in floats.
const TOLERANCE: f64 = 1e-4;

fn draw(random: &mut SplitMix64, longest: u32) -> CostField {
    let grid = Grid::new(3 + random.below(longest - 2), 3 + random.below(longest - 2)).unwrap();
    let walls = random.pick(&[2, 4, 8, 15]);
    let dear = random.pick(&[1, 1, 5]);
    let bytes = grid
        .ids()
        .map(|_| match () {
            () if random.percent(walls) => 255,
            () if random.percent(10) => dear,
            () => 1,
        })
        .collect();
    CostField::from_bytes(grid, bytes).unwrap()
}

fn draw_body(random: &mut SplitMix64) -> Footprint {
    match random.below(4) {
        0 => Footprint::rectangle(1 + random.below(3), 1 + random.below(3)).unwrap(),
        1 => Footprint::disc(f64::from(1 + random.below(8)) / 4.0, 1.0).unwrap(),
        _ => Footprint::disc(0.05 + f64::from(random.below(1_000)) / 550.0, 1.0).unwrap(),
    }
}

fn draw_profile(random: &mut SplitMix64) -> MovementProfile {
    MovementProfile::new()
        .with_footprint(draw_body(random))
        .with_connectivity(random.pick(&[Connectivity::Four, Connectivity::Eight, Connectivity::Eight]))
        .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
}

/// How far a body at a position is from overlapping blocked ground, in cells; negative if it does.
fn room(costs: &CostField, body: &Footprint, [x, y]: [f64; 2]) -> f64 {
    let grid = costs.grid();
    let (sides, radius) = match body {
        Footprint::Disc(disc) => ([0.0; 4], disc.radius_cells()),
        Footprint::Rectangle(body) => (
            [
                0.5,
                f64::from(body.width()) - 0.5,
                0.5,
                f64::from(body.height()) - 0.5,
            ],
            0.0,
        ),
        _ => ([0.0; 4], 0.0),
    };
    let [west, east, north, south] = sides;
    let (left, right, top, bottom) = (x - west, x + east, y - north, y + south);
    let mut least = left
        .min(top)
        .min(f64::from(grid.width()) - right)
        .min(f64::from(grid.height()) - bottom);
    let near = radius + 1.0;
    let cells = |low: f64, high: f64, end: u32| -> core::ops::Range<u32> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small maps"
        )]
        ((low - near).max(0.0) as u32..((high + near).max(0.0) as u32 + 1).min(end))
    };
    for row in cells(top, bottom, grid.height()) {
        for column in cells(left, right, grid.width()) {
            let id = grid.id_at(column, row).unwrap();
            if costs.bytes()[id.index()] != 255 {
                continue;
            }
            let (a, b) = (f64::from(column), f64::from(row));
            let (dx, dy) = ((a - right).max(left - a - 1.0), (b - bottom).max(top - b - 1.0));
            let distance = if dx > 0.0 && dy > 0.0 {
                dx.hypot(dy)
            } else {
                dx.max(dy)
            };
            least = least.min(distance);
        }
    }
    least - radius
}

fn centre(grid: &Grid, id: CellId) -> [f64; 2] {
    let (column, row) = grid.column_row_of(id);
    [f64::from(column) + 0.5, f64::from(row) + 0.5]
}

/// The least room along a segment, sampled.
fn least_room(costs: &CostField, body: &Footprint, from: [f64; 2], to: [f64; 2], samples: u32) -> f64 {
    (0..=samples)
        .map(|sample| {
            let part = f64::from(sample) / f64::from(samples);
            let at = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part);
            room(costs, body, at)
        })
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn every_offered_step_keeps_the_whole_body_clear_all_the_way() {
    let (mut steps, mut worlds) = (0u64, 0u64);
    for seed in 0..rounds(400, 10_000) {
        let mut random = SplitMix64::new(seed + 70_000_000);
        let costs = draw(&mut random, 14);
        let profile = draw_profile(&mut random);
        let movement = Movement::compile(&costs, &profile);
        let grid = costs.grid();
        worlds += 1;
        for id in grid.ids() {
            let from = centre(grid, id);
            // The other way round too: where the whole body has room, its anchor is free.
            let here = room(&costs, &profile.footprint, from);
            assert!(
                if movement.is_passable(id) {
                    here >= -TOLERANCE
                } else {
                    here < TOLERANCE
                },
                "seed {seed} {profile:?} {}: room {here}",
                grid.cell(id)
            );
            for direction in movement.exits(id) {
                let to = centre(grid, movement.step_target(id, direction).unwrap());
                let least = least_room(&costs, &profile.footprint, from, to, 16);
                assert!(
                    least >= -TOLERANCE,
                    "seed {seed} {profile:?} {} {direction}: room {least}",
                    grid.cell(id)
                );
                steps += 1;
            }
        }
    }
    say(&format!("{steps} steps of {worlds} worlds keep clear"));
    assert!(steps > 50_000, "only {steps} steps");
}

/// The tolerance of the converse is half a cell's diagonal, 0.7072 cells of radius. A point that is at least `r + √2/2` away
/// from every wall lies in a cell whose centre is no farther than √2/2 from it, so that the centre is at least r away: its
/// anchor is free. Two places next to each other along an axis lie in one cell or in two that share a side, and between
/// free anchors that share a side a step is offered. Below that tolerance nothing can be promised: a disc that fits
/// exactly between two walls whose middle is a border of cells stands on no cell centre.
#[test]
fn wherever_a_disc_larger_by_half_a_diagonal_can_pass_the_steps_connect() {
    const FINE: u32 = 8;
    let (mut joined, mut parts) = (0u64, 0u64);
    for seed in 0..rounds(150, 2_000) {
        let mut random = SplitMix64::new(seed + 71_000_000);
        let costs = draw(&mut random, 18);
        let radius = 0.05 + f64::from(random.below(1_000)) / 900.0;
        let body = Footprint::disc(radius, 1.0).unwrap();
        let profile = MovementProfile::new()
            .with_footprint(body)
            .with_connectivity(random.pick(&[Connectivity::Four, Connectivity::Eight]));
        let movement = Movement::compile(&costs, &profile);
        let components = Components::of(&movement);
        let grid = costs.grid();
        let (wide, high) = (grid.width() * FINE, grid.height() * FINE);
        let place = |x: u32, y: u32| [x, y].map(|part| (f64::from(part) + 0.5) / f64::from(FINE));
        let free: Vec<bool> = (0..wide * high)
            .map(|index| room(&costs, &body, place(index % wide, index / wide)) >= SQRT_2 / 2.0 + 1e-9)
            .collect();
        let mut seen = vec![false; free.len()];
        for start in 0..wide * high {
            if !free[start as usize] || core::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            parts += 1;
            let component_at = |index: u32| {
                let id = grid.id_at(index % wide / FINE, index / wide / FINE).unwrap();
                components.component(id)
            };
            let own = component_at(start);
            assert!(
                own.is_some(),
                "seed {seed} radius {radius}: no anchor where there is room"
            );
            let mut open = vec![start];
            while let Some(index) = open.pop() {
                assert_eq!(component_at(index), own, "seed {seed} radius {radius}");
                joined += 1;
                let (x, y) = (index % wide, index / wide);
                let neighbours = [
                    (x > 0).then(|| index - 1),
                    (x + 1 < wide).then(|| index + 1),
                    (y > 0).then(|| index - wide),
                    (y + 1 < high).then(|| index + wide),
                ];
                for next in neighbours.into_iter().flatten() {
                    if free[next as usize] && !core::mem::replace(&mut seen[next as usize], true) {
                        open.push(next);
                    }
                }
            }
        }
    }
    say(&format!(
        "{joined} places in {parts} parts are connected by steps"
    ));
    assert!(joined > 50_000 && parts > 200, "{joined} places, {parts} parts");
}

fn draw_point(random: &mut SplitMix64, grid: &Grid) -> MapPoint {
    let side = SUBCELLS.unsigned_abs();
    let mut one = |cells: u32| {
        let at = match random.below(3) {
            // Exact places are where touching is exact.
            0 => random.below(2 * cells) * side / 2,
            _ => random.below(cells * side),
        };
        at.cast_signed()
    };
    MapPoint::new(one(grid.width()), one(grid.height()))
}

#[test]
fn sweeps_of_bodies_agree_with_fine_sampling() {
    let (mut clear, mut cut, mut refused_by_extent) = (0u32, 0u32, 0u32);
    for seed in 0..rounds(600, 12_000) {
        let mut random = SplitMix64::new(seed + 72_000_000);
        let costs = draw(&mut random, 12);
        let profile = draw_profile(&mut random);
        let (movement, body) = (Movement::compile(&costs, &profile), profile.footprint);
        let centres = Movement::compile(&costs, &profile.with_footprint(Footprint::Point));
        for _ in 0..40 {
            let (from, to) = (
                draw_point(&mut random, costs.grid()),
                draw_point(&mut random, costs.grid()),
            );
            let start = from.cell_id(costs.grid()).unwrap();
            if !movement.is_passable(start) || room(&costs, &body, from.to_map()) < 0.0 {
                continue;
            }
            let swept = sweep(&movement, from, to);
            let context = || format!("seed {seed} {profile:?} {from:?} to {to:?}: {swept:?}");
            let (a, end) = (from.to_map(), swept.end.to_map());
            let samples = 400;
            let least = least_room(&costs, &body, a, end, samples);
            assert!(least >= -TOLERANCE, "{}: room {least}", context());
            // What is swept once can be swept again, and by its centre too.
            assert_eq!(
                sweep(&movement, from, swept.end).stop,
                SweepStop::Clear,
                "{}",
                context()
            );
            assert_eq!(
                sweep(&centres, from, swept.end).stop,
                SweepStop::Clear,
                "{}",
                context()
            );
            if swept.stop == SweepStop::Clear {
                assert_eq!(swept.end, to);
                clear += 1;
                continue;
            }
            cut += 1;
            // A little further on there is no room, or the next anchor is taken.
            let whole = [0, 1].map(|axis| to.to_map()[axis] - a[axis]);
            let length = whole[0].hypot(whole[1]);
            let walked = (end[0] - a[0]).hypot(end[1] - a[1]);
            let part = ((walked + 0.01) / length).min(1.0);
            let beyond = [0, 1].map(|axis| a[axis] + whole[axis] * part);
            let beyond_point = MapPoint::from_map(beyond).unwrap();
            let taken = beyond_point
                .cell_id(costs.grid())
                .is_none_or(|id| !movement.is_passable(id));
            let no_room = least_room(&costs, &body, a, beyond, samples) < 0.002;
            // A corner of cells on the way is passed by legal steps only.
            let by_mask = sweep_of_masks(&movement, from, beyond_point);
            assert!(taken || no_room || !by_mask, "{}", context());
            refused_by_extent += u32::from(!taken && no_room);
        }
    }
    say(&format!(
        "{clear} sweeps clear, {cut} cut short, {refused_by_extent} by the extent alone"
    ));
    assert!(
        clear > 2_000 && cut > 2_000 && refused_by_extent > 500,
        "{clear} {cut} {refused_by_extent}"
    );
}

/// Whether the cells along a segment are joined by exits, sampled so finely that no cell but at a corner is missed.
fn sweep_of_masks(movement: &Movement, from: MapPoint, to: MapPoint) -> bool {
    let (a, b) = (from.to_map(), to.to_map());
    let mut cell = from.cell_id(movement.grid());
    for sample in 1..=2_000 {
        let part = f64::from(sample) / 2_000.0;
        let at = [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * part);
        let next = MapPoint::from_map(at).unwrap().cell_id(movement.grid());
        let (Some(here), Some(there)) = (cell, next) else {
            return false;
        };
        let joined = movement
            .exits(here)
            .iter()
            .any(|direction| movement.step_target(here, direction) == Some(there));
        if here != there && !joined {
            return false;
        }
        cell = next;
    }
    true
}

#[test]
fn a_body_sees_a_centre_exactly_if_it_can_be_swept_there_and_from_both_ends() {
    let (mut clear, mut blocked, mut by_extent) = (0, 0, 0);
    for seed in 0..rounds(150, 3_000) {
        let mut random = SplitMix64::new(seed + 73_000_000);
        let costs = draw(&mut random, 11);
        let profile = draw_profile(&mut random);
        let (movement, grid) = (Movement::compile(&costs, &profile), costs.grid());
        let anchors: Vec<CellId> = grid.ids().filter(|&id| movement.is_passable(id)).collect();
        for &from in anchors.iter().step_by(3) {
            for &to in anchors.iter().step_by(2) {
                let seen = sight(&movement, from, to);
                assert_eq!(seen, sight(&movement, to, from), "seed {seed} {profile:?}");
                let (a, b) = (centre(grid, from), centre(grid, to));
                let least = least_room(&costs, &profile.footprint, a, b, 200);
                match seen {
                    Sight::Blocked => {
                        blocked += 1;
                        by_extent += u32::from(least < -TOLERANCE);
                    }
                    _ => {
                        assert!(
                            least >= -TOLERANCE,
                            "seed {seed} {profile:?} {a:?} {b:?}: room {least}"
                        );
                        clear += 1;
                    }
                }
                let at = |id| MapPoint::centre_of_cell(grid, grid.cell(id)).unwrap();
                let swept = sweep(&movement, at(from), at(to)).stop == SweepStop::Clear;
                assert_eq!(swept, seen != Sight::Blocked, "seed {seed} {profile:?}");
            }
        }
    }
    assert!(
        clear > 5_000 && blocked > 2_000 && by_extent > 500,
        "{clear} {blocked} {by_extent}"
    );
}

#[test]
fn from_every_anchor_a_body_walks_by_headings_to_a_goal_and_touches_nothing() {
    let (mut walks, mut off_centre, mut stuck) = (0u32, 0u32, 0u32);
    let (mut walked, mut by_eight) = (0.0, 0.0);
    for seed in 0..rounds(250, 4_000) {
        let mut random = SplitMix64::new(seed + 74_000_000);
        let costs = draw(&mut random, 16);
        let profile = draw_profile(&mut random);
        let (grid, body) = (costs.grid(), profile.footprint);
        let goals = GoalSet::from_cells(
            (0..2).map(|_| grid.cell(CellId(random.below(grid.width() * grid.height())))),
        )
        .with_blocked_goals(BlockedGoals::Skip);
        let solved = match try_solve(&costs, &profile, &goals, &IntegrateOptions::new()) {
            Ok(solved) => solved,
            Err(SolveError::Goals(_)) => continue,
            Err(error) => panic!("seed {seed}: {error:?}"),
        };
        let ways = Ways::new(solved);
        for id in grid.ids() {
            if ways.solved.flow.direction(id).is_none() {
                continue;
            }
            for step in [SUBCELLS / 2, SUBCELLS / 7, SUBCELLS / 61] {
                match ways.walk_from(id, step) {
                    Ok(walk) => walked += walk.length,
                    Err(error) => panic!(
                        "seed {seed} {profile:?} from {} by {step}: {error}",
                        grid.cell(id)
                    ),
                }
                by_eight += ways.lengths.length(id).unwrap().cells();
                walks += 1;
            }
            // Set down beside its centre, as after a push, it mostly walks too, and never through anything.
            let mut off = || random.below(SUBCELLS.unsigned_abs()).cast_signed();
            let (column, row) = grid.column_row_of(id);
            let start = MapPoint::new(
                column.cast_signed() * SUBCELLS + off(),
                row.cast_signed() * SUBCELLS + off(),
            );
            if room(&costs, &body, start.to_map()) >= 0.0 {
                off_centre += 1;
                stuck += u32::from(ways.walk(start, SUBCELLS / 7).is_err());
            }
        }
    }
    say(&format!(
        "{walks} walks from centres end, {:.4} of the length of eight directions; {stuck} of {off_centre} from beside them do not",
        walked / by_eight
    ));
    assert!(
        walked < by_eight,
        "{walked} walked, {by_eight} by eight directions"
    );
    assert!(walks > 20_000 && off_centre > 3_000, "{walks} walks");
    assert!(stuck * 200 <= off_centre, "{stuck} of {off_centre} are stuck");
}

#[test]
fn by_sampled_directions_and_swept_steps_a_body_comes_to_a_goal_too() {
    let (mut walks, mut lost) = (0u32, 0u32);
    for seed in 0..rounds(150, 3_000) {
        let mut random = SplitMix64::new(seed + 75_000_000);
        let costs = draw(&mut random, 14);
        let profile = draw_profile(&mut random);
        let (grid, body) = (costs.grid(), profile.footprint);
        let goal = grid.cell(CellId(random.below(grid.width() * grid.height())));
        let goals = GoalSet::from_cells([goal]);
        let Ok(solved) = try_solve(&costs, &profile, &goals, &IntegrateOptions::new()) else {
            continue;
        };
        for id in grid.ids() {
            if solved.flow.direction(id).is_none() {
                continue;
            }
            let mut at = MapPoint::centre_of_cell(grid, grid.cell(id)).unwrap();
            let step = f64::from(SUBCELLS) / 8.0;
            let mut ended = false;
            for _ in 0..8 * 3 * grid.len() {
                let [x, y] = match sample(&solved.movement, &solved.flow, at) {
                    Sample::Toward(heading) => heading,
                    Sample::Goal => {
                        ended = true;
                        break;
                    }
                    other => panic!("seed {seed} {profile:?}: {other:?} at {at:?}"),
                };
                #[expect(clippy::cast_possible_truncation, reason = "a small step")]
                let part = |along: f32| (f64::from(along) * step).round() as i32;
                let to = MapPoint::new(at.x + part(x), at.y + part(y));
                let swept = sweep(&solved.movement, at, to);
                at = swept.end;
                assert!(
                    room(&costs, &body, at.to_map()) >= -TOLERANCE,
                    "seed {seed} {profile:?} at {at:?}"
                );
            }
            walks += 1;
            lost += u32::from(!ended);
        }
    }
    say(&format!("{lost} of {walks} walks by samples do not end"));
    assert!(walks > 3_000, "only {walks} walks");
    assert!(lost * 100 <= walks, "{lost} of {walks}");
}

#[test]
fn a_body_that_overlaps_a_new_wall_may_leave_it_and_not_go_deeper() {
    let mut costs = CostField::filled(Grid::new(9, 9).unwrap(), Cost::PLAIN);
    costs.set(Cell::new(6, 4), Cost::IMPASSABLE).unwrap();
    let at = |x: f64, y: f64| MapPoint::from_map([x, y]).unwrap();
    for text in ["disc:0.9", "square:1"] {
        let profile = MovementProfile::new().with_footprint(text.parse().unwrap());
        let movement = Movement::compile(&costs, &profile);
        // In the cell beside the wall, overlapping it by 0.2: the anchor of the square is free, that of the disc is not.
        let x = if text == "square:1" { 5.7 } else { 5.3 };
        let start = at(x, 4.5);
        assert_eq!(
            sweep(&movement, start, at(x - 0.1, 4.5)).stop,
            SweepStop::Clear,
            "{text}"
        );
        assert_eq!(
            sweep(&movement, start, at(x, 4.6)).stop,
            SweepStop::Clear,
            "{text}"
        );
        let deeper = sweep(&movement, start, at(x + 0.1, 4.5));
        assert_eq!(deeper.end, start, "{text}");
        assert!(matches!(deeper.stop, SweepStop::Wall { .. }), "{text}");
    }
    // Off the map everything is blocked.
    let profile = MovementProfile::new().with_footprint("disc:0.5".parse().unwrap());
    let movement = Movement::compile(&costs, &profile);
    let swept = sweep(&movement, at(0.5, 0.5), at(0.2, 0.5));
    assert_eq!(swept.end, at(0.5, 0.5));
    assert_eq!(
        sweep(&movement, at(0.5, 0.5), at(0.5, 8.5)).stop,
        SweepStop::Clear
    );
    let swept = sweep(&movement, at(4.5, 4.5), at(5.9, 4.5));
    assert_eq!(swept.end, at(5.5, 4.5));
}

#[test]
fn a_disc_rounds_a_corner_at_its_radius_and_a_thin_rectangle_passes_a_thin_gap() {
    let mut costs = CostField::filled(Grid::new(9, 9).unwrap(), Cost::PLAIN);
    costs.set(Cell::new(4, 4), Cost::IMPASSABLE).unwrap();
    let body = |text: &str| {
        Movement::compile(
            &costs,
            &MovementProfile::new().with_footprint(text.parse().unwrap()),
        )
    };
    let id = |x, y| costs.grid().id(Cell::new(x, y)).unwrap();
    // The line from the centre of (3,5) to that of (4,1) passes the wall's corner at a distance of 1/2 · 1/√17 = 0.12127.
    assert_eq!(sight(&body("disc:0.1212"), id(3, 5), id(4, 1)), Sight::Clear);
    assert_eq!(sight(&body("disc:0.1213"), id(3, 5), id(4, 1)), Sight::Blocked);
    // A 3 x 1 body slides past above the wall and not with a part of it.
    assert_eq!(sight(&body("rectangle:3x1"), id(0, 3), id(6, 3)), Sight::Clear);
    assert_eq!(sight(&body("rectangle:3x1"), id(0, 4), id(1, 4)), Sight::Clear);
    assert_eq!(sight(&body("rectangle:3x1"), id(0, 3), id(6, 2)), Sight::Clear);
    assert_eq!(sight(&body("rectangle:3x1"), id(0, 4), id(6, 2)), Sight::Blocked);
}

#[test]
fn a_sweep_across_the_longest_map_is_as_exact_as_a_short_one() {
    let grid = Grid::new(MAX_POINT_SIDE - 1, 12).unwrap();
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    let far = MAX_POINT_SIDE.cast_signed() - 9;
    costs.set(Cell::new(far, 6), Cost::IMPASSABLE).unwrap();
    let at = |x: f64, y: f64| MapPoint::from_map([x, y]).unwrap();
    let wall = f64::from(far);
    let sweep_of = |text: &str, from, to| {
        let profile = MovementProfile::new().with_footprint(text.parse().unwrap());
        sweep(&Movement::compile(&costs, &profile), from, to)
    };
    // Straight at the wall: a disc stops a radius off, a rectangle where its east side touches.
    let swept = sweep_of("disc:0.4", at(1.5, 6.5), at(wall + 3.5, 6.5));
    // 0.4 cells are 26,214 subcells.
    assert_eq!(swept.end, at(wall - 26_214.0 / 65_536.0, 6.5));
    let swept = sweep_of("rectangle:3x1", at(1.5, 6.5), at(wall + 3.5, 6.5));
    assert_eq!(swept.end, at(wall - 2.5, 6.5));
    // A slanted line that passes the wall's north-west corner at 0.2999… or 0.3001 cells.
    let from = at(1.5, 2.5);
    for (off, clear) in [(0.3003, true), (0.2997, false)] {
        let slope = (6.0 - off - 2.5) / (wall - 1.5);
        let to = at(wall + 1.0, 2.5 + slope * (wall + 1.0 - 1.5));
        let stop = sweep_of("disc:0.3", from, to).stop;
        // Beyond the corner the line goes on downward beside the wall's top, by 0.0001 a cell.
        assert_eq!(stop == SweepStop::Clear, clear, "{off}");
    }
}
