//! Steering by headings: as fast in every direction, nearly the shortest way, and everything that holds for directions.

mod common;

use common::*;
use std::collections::BTreeMap;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, Grid, MapPoint};
use thalweg_core::movement::{Connectivity, CornerRule, MovementProfile};
use thalweg_crowd::{AgentId, AgentSpec, Avoidance, Crowd, CrowdOptions, GroupId};
use thalweg_testkit::any_angle::AnyAngle;
use thalweg_testkit::cases::say;
use thalweg_testkit::corpus::corpus;

fn eight() -> MovementProfile {
    profile(Connectivity::Eight, CornerRule::BothFree)
}

/// How long an agent took, and how far it went.
#[derive(Clone, Copy, Debug)]
struct Trip {
    seconds: f64,
    cells: f64,
    /// Where it was one step before it was there.
    last: MapPoint,
}

/// Agents that do not mind each other, each from its own place until it enters a goal cell. Every step is watched.
fn trips(world: &World, starts: &[MapPoint], radius: f32, speed: f32, dt: f32) -> Vec<Trip> {
    let options = CrowdOptions::default().with_avoidance(Avoidance::Off);
    let mut crowd = Crowd::new(world.movement.grid().clone(), options).unwrap();
    let mut trip_of: BTreeMap<AgentId, usize> = BTreeMap::new();
    for (index, &position) in starts.iter().enumerate() {
        let agent = AgentSpec {
            position,
            radius,
            max_speed: speed,
            group: GroupId(0),
        };
        trip_of.insert(crowd.add(&world.movement, agent).unwrap(), index);
    }
    let begun = |&last: &MapPoint| Trip {
        seconds: 0.0,
        cells: 0.0,
        last,
    };
    let mut trips: Vec<Trip> = starts.iter().map(begun).collect();
    let mut watch = Watch::new(&crowd);
    let most = 8.0 * world.movement.grid().len() as f64 / f64::from(speed * dt) + 1_000.0;
    let mut ticks = 0.0;
    while !crowd.is_empty() {
        step(&mut crowd, world, dt);
        ticks += 1.0;
        assert!(
            ticks < most,
            "not there: {:?}",
            crowd.agents().next().map(|(_, agent)| agent)
        );
        watch.check(&crowd, &world.movement, dt);
        for (id, view) in crowd.agents() {
            let trip = &mut trips[trip_of[&id]];
            trip.seconds = ticks * f64::from(dt);
            trip.cells += between(trip.last, view.position);
            trip.last = view.position;
        }
    }
    trips
}

fn between(a: MapPoint, b: MapPoint) -> f64 {
    let (a, b) = (a.to_map(), b.to_map());
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn least_and_most(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values
        .into_iter()
        .fold((f64::INFINITY, 0.0), |(least, most), value| {
            (least.min(value), most.max(value))
        })
}

fn open(side: u32) -> CostField {
    CostField::filled(Grid::new(side, side).unwrap(), Cost::PLAIN)
}

/// The place so far from the centre of a map of so many cells, in a direction in degrees.
fn on_ring(side: u32, radius: f64, degrees: f64) -> MapPoint {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let centre = f64::from(side / 2) + 0.5;
    at(centre + radius * cos, centre + radius * sin)
}

/// Effective speed as a part of the top speed, from a ring of 70 cells to its centre, and from the centre to goals.
fn effective_speeds(by_headings: bool) -> [(f64, f64); 2] {
    const SIDE: u32 = 151;
    const RADIUS: f64 = 70.0;
    let half = i32::try_from(SIDE / 2).unwrap();
    let made = |goal: Cell| {
        let world = World::new(&open(SIDE), &eight(), &[goal]).leaving();
        if by_headings {
            world.with_headings(1)
        } else {
            world
        }
    };
    let starts: Vec<MapPoint> = (0..360)
        .map(|degrees| on_ring(SIDE, RADIUS, f64::from(degrees)))
        .collect();
    let inward = trips(&made(Cell::new(half, half)), &starts, 0.3, 1.5, 1.0 / 30.0);
    let inward = least_and_most(inward.iter().map(|trip| RADIUS / trip.seconds / 1.5));
    let centre = MapPoint::centre_of(SIDE / 2, SIDE / 2);
    let outward = (0..72).map(|step| {
        let (column, row) = on_ring(SIDE, RADIUS, f64::from(step) * 5.0).column_row();
        let goal = MapPoint::centre_of(column.unsigned_abs(), row.unsigned_abs());
        let trip = trips(&made(Cell::new(column, row)), &[centre], 0.3, 1.5, 1.0 / 30.0)[0];
        between(centre, goal) / trip.seconds / 1.5
    });
    [inward, least_and_most(outward)]
}

#[test]
fn on_open_ground_agents_travel_as_fast_in_every_direction() {
    let [inward, outward] = effective_speeds(true);
    let eight = effective_speeds(false);
    for (name, (least, most), (eight_least, eight_most)) in
        [("inward", inward, eight[0]), ("outward", outward, eight[1])]
    {
        say(&format!(
            "open ground {name}: headings {least:.4} to {most:.4} of the top speed, ratio {:.4}; directions {eight_least:.4} to \
             {eight_most:.4}, ratio {:.4}",
            most / least,
            eight_most / eight_least
        ));
        assert!(most / least < 1.02, "{name}: {least} to {most}");
        assert!(least > 0.98);
    }
}

/// A corridor six cells wide and 80 long, turned by an angle: the cells whose centre lies in it.
struct Corridor {
    costs: CostField,
    sin_cos: (f64, f64),
}

impl Corridor {
    const LENGTH: f64 = 80.0;
    const ORIGIN: [f64; 2] = [16.5, 16.5];

    fn new(degrees: f64, half_width: f64) -> Self {
        const SIDE: i32 = 112;
        let mut corridor = Self {
            costs: CostField::filled(Grid::new(112, 112).unwrap(), Cost::IMPASSABLE),
            sin_cos: degrees.to_radians().sin_cos(),
        };
        for (x, y) in (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y))) {
            let (along, across) = corridor.turned_back(f64::from(x) + 0.5, f64::from(y) + 0.5);
            if (-3.0..=Self::LENGTH + 3.0).contains(&along) && across.abs() <= half_width {
                corridor.costs.set(Cell::new(x, y), Cost::PLAIN).unwrap();
            }
        }
        corridor
    }

    fn turned_back(&self, x: f64, y: f64) -> (f64, f64) {
        let (sin, cos) = self.sin_cos;
        let (dx, dy) = (x - Self::ORIGIN[0], y - Self::ORIGIN[1]);
        (dx * cos + dy * sin, dy * cos - dx * sin)
    }

    fn place(&self, along: f64, across: f64) -> MapPoint {
        let (sin, cos) = self.sin_cos;
        at(
            Self::ORIGIN[0] + along * cos - across * sin,
            Self::ORIGIN[1] + along * sin + across * cos,
        )
    }

    /// With a goal in the middle of the far end.
    fn world(&self, by_headings: bool, clearance: u8) -> (World, MapPoint) {
        let (column, row) = self.place(Self::LENGTH, 0.0).column_row();
        let world = World::new(&self.costs, &eight(), &[Cell::new(column, row)]).leaving();
        let goal = MapPoint::centre_of(column.unsigned_abs(), row.unsigned_abs());
        let world = if by_headings {
            world.with_headings(clearance)
        } else {
            world
        };
        (world, goal)
    }
}

#[test]
fn a_corridor_takes_a_lone_agent_as_long_whichever_way_it_is_turned() {
    // Seconds per cell of straight distance, times the top speed.
    let measure = |by_headings: bool, across: f64| {
        (0..=18).map(move |step| {
            let corridor = Corridor::new(f64::from(step) * 5.0, 3.0);
            let (world, goal) = corridor.world(by_headings, 5);
            let start = corridor.place(0.0, across);
            let trip = trips(&world, &[start], 0.3, 1.5, 1.0 / 30.0)[0];
            trip.seconds * 1.5 / between(start, goal)
        })
    };
    for across in [0.0, -2.4, 1.3] {
        let headings: Vec<f64> = measure(true, across).collect();
        let (least, most) = least_and_most(headings.iter().copied());
        let eight = least_and_most(measure(false, across));
        say(&format!(
            "corridor of 6 x 80, lone agent from {across:+.1} off its axis: straight {:.4}, turned {least:.4} to {most:.4}; \
             directions {:.4} to {:.4}",
            headings[0], eight.0, eight.1
        ));
        for (step, time) in headings.iter().enumerate() {
            let ratio = time / headings[0];
            assert!((0.98..1.02).contains(&ratio), "{} degrees: {ratio}", 5 * step);
        }
    }
}

/// Mean time of a crowd of eighty to walk through a corridor, per cell of straight distance and times their speed.
fn crowd_time(degrees: f64, by_headings: bool, agents: usize, seed: u64) -> f64 {
    let corridor = Corridor::new(degrees, 3.0);
    let grid = corridor.costs.grid().clone();
    // The whole far end is the goal: one cell would measure how a queue gets into it.
    let goals: Vec<Cell> = grid
        .ids()
        .map(|id| grid.cell(id))
        .filter(|&cell| {
            let (along, _) = corridor.turned_back(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
            along >= Corridor::LENGTH
                && grid
                    .id(cell)
                    .and_then(|id| corridor.costs.get(id))
                    .is_some_and(Cost::is_passable)
        })
        .collect();
    let mut world = World::new(&corridor.costs, &eight(), &goals).leaving();
    if by_headings {
        world = world.with_headings(5);
    }
    let mut crowd = crowd_of(&world);
    let mut random = Random(seed);
    let mut starts = BTreeMap::new();
    while starts.len() < agents {
        let (along, across) = (random.unit() * 20.0, random.unit() * 5.0 - 2.5);
        let agent = AgentSpec {
            position: corridor.place(along, across),
            radius: 0.3,
            max_speed: 1.5,
            group: GroupId(0),
        };
        if let Ok(id) = crowd.add(&world.movement, agent) {
            starts.insert(id, along);
        }
    }
    let mut watch = Watch::new(&crowd);
    let (mut sum, mut count, mut time) = (0.0, 0.0, 0.0);
    while !crowd.is_empty() {
        step(&mut crowd, &world, 1.0 / 30.0);
        watch.check(&crowd, &world.movement, 1.0 / 30.0);
        time += 1.0 / 30.0;
        assert!(time < 200.0, "{} are not there at {degrees} degrees", crowd.len());
        starts.retain(|&id, along| {
            let is_there = crowd.get(id).is_none();
            if is_there {
                sum += time * 1.5 / (Corridor::LENGTH - *along);
                count += 1.0;
            }
            !is_there
        });
    }
    sum / count
}

#[test]
fn a_corridor_takes_a_loose_crowd_as_long_whichever_way_it_is_turned() {
    let times = |by_headings: bool, agents: usize| -> Vec<f64> {
        let mean = |degrees: f64| {
            let runs = (0..2).map(|seed| crowd_time(degrees, by_headings, agents, seed));
            runs.sum::<f64>() / 2.0
        };
        (0..=18).map(|step| mean(f64::from(step) * 5.0)).collect()
    };
    for agents in [20, 80] {
        let [headings, directions] = [true, false].map(|by_headings| {
            let times = times(by_headings, agents);
            least_and_most(times.iter().map(|time| time / times[0]))
        });
        say(&format!(
            "corridor of 6 x 80, crowd of {agents}: turned {:.4} to {:.4} of straight; directions {:.4} to {:.4}",
            headings.0, headings.1, directions.0, directions.1
        ));
        // The nearest cells of a slanted end are few, and a dense crowd queues for them; so it does by directions, more. A
        // queue keeps distance.
        let most = if agents == 20 { 1.02 } else { 1.2 };
        assert!(
            headings.0 > 0.98 && headings.1 < most,
            "{agents} agents: {headings:?}"
        );
        assert!(headings.1 < directions.1);
    }
}

/// Walks of both kinds from many cells of a map of plain ground, with the shortest way at any angle.
struct Walks {
    shortest: Vec<f64>,
    headings: Vec<f64>,
    directions: Vec<f64>,
}

impl Walks {
    fn new(costs: &CostField, goals: &[Cell], stride: usize) -> Self {
        let grid = costs.grid();
        let [by_directions, by_headings] = {
            let world = World::new(costs, &eight(), goals).leaving();
            [world.clone(), world.with_headings(2)]
        };
        let oracle = AnyAngle::new(costs);
        let column_row = |cell: Cell| grid.column_row_of(grid.id(cell).unwrap());
        let starts: Vec<_> = grid
            .ids()
            .step_by(stride)
            .filter(|&id| by_directions.flow.direction(id).is_some())
            .map(|id| grid.column_row_of(id))
            .collect();
        let centres: Vec<_> = starts.iter().map(|&(x, y)| MapPoint::centre_of(x, y)).collect();
        let lengths = |world: &World| -> Vec<f64> {
            let trips = trips(world, &centres, 0.1, 1.5, 1.0 / 60.0);
            let ends = trips.iter().map(|trip| {
                let left = goals.iter().map(|&goal| {
                    let (column, row) = column_row(goal);
                    between(trip.last, MapPoint::centre_of(column, row))
                });
                trip.cells + left.fold(f64::INFINITY, f64::min)
            });
            ends.collect()
        };
        let shortest = |&start: &(u32, u32)| {
            let ways = goals
                .iter()
                .filter_map(|&goal| oracle.shortest(start, column_row(goal)));
            ways.fold(f64::INFINITY, f64::min)
        };
        Self {
            shortest: starts.iter().map(shortest).collect(),
            headings: lengths(&by_headings),
            directions: lengths(&by_directions),
        }
    }

    /// Mean of headings and of directions over the shortest, and the most by which headings are longer, in cells.
    fn figures(&self) -> (f64, f64, f64) {
        let mean = |lengths: &[f64]| {
            let ratios = lengths
                .iter()
                .zip(&self.shortest)
                .map(|(length, best)| length / best);
            ratios.sum::<f64>() / lengths.len() as f64
        };
        let excess = self
            .headings
            .iter()
            .zip(&self.directions)
            .map(|(by, other)| by - other);
        (
            mean(&self.headings),
            mean(&self.directions),
            excess.fold(f64::NEG_INFINITY, f64::max),
        )
    }
}

#[test]
fn walks_by_headings_are_nearly_the_shortest_and_never_longer_than_by_directions() {
    let mut all = Walks {
        shortest: Vec::new(),
        headings: Vec::new(),
        directions: Vec::new(),
    };
    for seed in 0..20 {
        let mut random = Random(seed + 500);
        let grid = Grid::new(40, 40).unwrap();
        let goal = Cell::new(20, 20);
        let bytes = (0..grid.len())
            .map(|_| if random.below(100) < 20 { 255 } else { 1 })
            .collect();
        let mut costs = CostField::from_bytes(grid, bytes).unwrap();
        costs.set(goal, Cost::PLAIN).unwrap();
        let walks = Walks::new(&costs, &[goal], 37);
        all.shortest.extend(walks.shortest);
        all.headings.extend(walks.headings);
        all.directions.extend(walks.directions);
    }
    let mut report = vec![("random, 20 % walls".to_owned(), all)];
    for scene in corpus() {
        let is_plain = scene.costs.grid().ids().all(|id| {
            scene
                .costs
                .get(id)
                .is_some_and(|cost| cost == Cost::PLAIN || cost == Cost::IMPASSABLE)
        });
        if is_plain && scene.costs.grid().len() > 200 {
            let walks = Walks::new(&scene.costs, &scene.goals, 5);
            report.push((scene.name.to_owned(), walks));
        }
    }
    for (name, walks) in &report {
        let (headings, directions, excess) = walks.figures();
        say(&format!(
            "{name}: {} walks, headings {headings:.4} of the shortest, directions {directions:.4}; longer than those by at \
             most {excess:.3} cells",
            walks.shortest.len()
        ));
        assert!(
            excess < 0.01,
            "{name}: a walk by headings is {excess} cells longer"
        );
        assert!(
            headings < 1.05 && headings - 1.0 < 0.5 * (directions - 1.0),
            "{name}: {headings}, directions {directions}"
        );
    }
}
