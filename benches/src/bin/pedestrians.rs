//! How our crowd compares with measured people: density, speed and flow in a corridor, and flow through bottlenecks.
//!
//! The corridor is that of the unidirectional runs of the Jülich archive: an opening, a corridor 1.8 m wide and 8 m long,
//! and another opening; people are counted at a line in its middle, and density and speed are taken over the 2 m around it.
//! Everything is by trial of one calibration; nothing here claims that evacuation times of buildings come out right.
//!
//! Cells are 0.1 m: openings differ by that much, and the field must see them. Bodies are discs of the profile
//! (`Footprint::Disc`), because on small cells a point keeps no more than half a cell off walls. Widths between two cells
//! (0.95 and 1.45 m) are the mean of their neighbours.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::path::{Path, PathBuf};
use thalweg::bundle::{BuildOptions, BuildScratch, FieldBundle};
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::flow::HeadingOptions;
use thalweg::core::grid::{Cell, Grid, MapPoint};
use thalweg::core::integrate::GoalSet;
use thalweg::core::movement::{Footprint, Movement, MovementProfile};
use thalweg::core::workers::Serial;
use thalweg::crowd::{
    AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering,
};

/// How our crowd compares with measured people
#[derive(Parser, Debug)]
struct Options {
    /// Radius of a body, in metres
    #[arg(long, default_value_t = 0.2)]
    radius: f64,
    /// Mean free speed, in metres per second
    #[arg(long, default_value_t = 1.45)]
    speed: f64,
    /// Standard deviation of the free speeds, in metres per second
    #[arg(long, default_value_t = 0.15)]
    spread: f64,
    /// Headway of the crowd, in seconds
    #[arg(long)]
    headway: Option<f32>,
    /// Time gap of the crowd, in seconds
    #[arg(long, default_value_t = 0.5)]
    time_gap: f32,
    /// Steer by headings instead of directions
    #[arg(long)]
    headings: bool,
    /// Runs of each kind, with other places and speeds
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Draw both plots into this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Cells per metre.
const FINE: f64 = 10.0;
/// Seconds per tick: 16 frames a second, as the cameras had.
const TICK: f64 = 1.0 / 16.0;
/// Widths of the entry and the exit in metres, and what was measured: flow in 1/s, density in 1/m², speed in m/s.
const MEASURED: [(f64, f64, f64, f64, f64); 9] = [
    (0.50, 1.80, 1.25, 0.50, 1.33),
    (0.60, 1.80, 1.36, 0.55, 1.38),
    (0.70, 1.80, 1.62, 0.67, 1.34),
    (1.00, 1.80, 2.47, 1.14, 1.19),
    (1.45, 1.80, 2.79, 1.56, 0.99),
    (1.80, 1.80, 2.88, 1.68, 0.95),
    (1.80, 1.20, 2.40, 2.06, 0.64),
    (1.80, 0.95, 1.84, 2.46, 0.41),
    (1.80, 0.70, 1.76, 3.06, 0.30),
];
const CORRIDOR: f64 = 1.8;

/// Speed of the measured people at a density, between the runs by straight lines.
fn measured(density: f64) -> f64 {
    let last = MEASURED.len() - 1;
    let index = (1..last)
        .find(|&index| density < MEASURED[index].3)
        .unwrap_or(last);
    let (before, after) = (MEASURED[index - 1], MEASURED[index]);
    let part = ((density - before.3) / (after.3 - before.3)).clamp(0.0, 1.0);
    before.4 + part * (after.4 - before.4)
}

/// Weidmann's speed at a density.
fn weidmann(density: f64) -> f64 {
    1.34 * (1.0 - (-1.913 * (1.0 / density - 1.0 / 5.4)).exp())
}

/// A room, walls across the way with an opening each, and open ground beyond; everybody walks east.
struct Course {
    /// Metres, north to south.
    height: f64,
    /// From, to, width of the way: parts of the course that are narrower than the room.
    narrow: Vec<(f64, f64, f64)>,
    length: f64,
    /// The room that people start in, in metres from the west.
    room: f64,
}

fn cells(metres: f64) -> i32 {
    (metres * FINE).round() as i32
}

struct Run {
    field: FieldBundle,
    crowd: Crowd,
    headings: bool,
}

impl Run {
    fn new(course: &Course, people: u32, seed: u64, options: &Options) -> Result<Self, Box<dyn Error>> {
        let (width, height) = (cells(course.length), cells(course.height));
        let grid = Grid::new(width as u32, height as u32)?;
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for &(from, to, way) in &course.narrow {
            let north = (height - cells(way)) / 2;
            let south = north + cells(way);
            let (first, last) = (cells(from), cells(to) - 1);
            if north > 0 {
                costs.set_rect(Cell::new(first, 0), Cell::new(last, north - 1), Cost::IMPASSABLE)?;
                costs.set_rect(
                    Cell::new(first, south),
                    Cell::new(last, height - 1),
                    Cost::IMPASSABLE,
                )?;
            }
        }
        // A hair less than the radius, so that whole cells fit.
        let body = Footprint::disc(options.radius - 0.001, 1.0 / FINE)?;
        let profile = MovementProfile::new().with_footprint(body);
        let movement = Movement::compile(&costs, &profile);
        let goals = GoalSet::from_cells((3..height - 3).map(|y| Cell::new(width - 4, y)));
        let build = if options.headings {
            BuildOptions::new().with_headings(HeadingOptions::new())
        } else {
            BuildOptions::new()
        };
        let field = FieldBundle::build(movement, &goals, &build, &mut BuildScratch::new(), &Serial)?;
        // The options of a crowd are in cells; their defaults are meant for cells of a metre.
        let mut tuned = CrowdOptions::default();
        tuned.look_ahead = 4.0;
        tuned.max_push *= FINE as f32;
        tuned.time_gap = options.time_gap;
        if let Some(headway) = options.headway {
            tuned.headway = headway;
        }
        let mut crowd = Crowd::new(grid, tuned)?;
        let mut random = Random(seed);
        let mut placed = 0;
        while placed < people {
            let margin = options.radius + 0.05;
            let x = margin + random.unit() * (course.room - 2.0 * margin);
            let y = margin + random.unit() * (course.height - 2.0 * margin);
            let bell = (0..4).map(|_| random.unit()).sum::<f64>() - 2.0;
            let speed = options.speed + options.spread * bell * 3f64.sqrt();
            let spec = AgentSpec {
                position: MapPoint::from_map([x * FINE, y * FINE]).ok_or("off the map")?,
                radius: (options.radius * FINE) as f32,
                max_speed: (speed * FINE) as f32,
                group: GroupId(0),
            };
            placed += u32::from(crowd.add(field.movement(), spec).is_ok());
        }
        Ok(Self {
            field,
            crowd,
            headings: options.headings,
        })
    }

    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        let input = GroupInput {
            movement: self.field.movement(),
            flow: Some(self.field.flow()),
            steering: if self.headings {
                self.field.steering()
            } else {
                Steering::Directions
            },
            is_current: true,
            stale: StalePolicy::Stop,
            field_version: 1,
            arrival: ArrivalRule::Leave,
        };
        self.crowd.step(&[input], TICK as f32, &Serial)?;
        Ok(())
    }

    /// How many are east of a line, those who have left included.
    fn beyond(&self, people: u32, metres: f64) -> u32 {
        let west = self
            .crowd
            .agents()
            .filter(|(_, agent)| agent.position.to_map()[0] < metres * FINE);
        people - west.count() as u32
    }
}

/// The generator of the tests: SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[derive(Clone, Copy, Default)]
struct Flow {
    flow: f64,
    density: f64,
    speed: f64,
}

/// Flow, density and speed in the middle of the corridor, while the room behind is neither fresh nor empty.
fn corridor(entry: f64, exit: f64, seed: u64, options: &Options) -> Result<Flow, Box<dyn Error>> {
    const PEOPLE: u32 = 240;
    const LINE: f64 = 14.5;
    let course = Course {
        height: 8.0,
        narrow: vec![(10.0, 10.5, entry), (10.5, 18.5, CORRIDOR), (18.5, 19.0, exit)],
        length: 24.0,
        room: 10.0,
    };
    let mut run = Run::new(&course, PEOPLE, seed, options)?;
    let (mut begun, mut ended) = (None, None);
    let mut tick = 0u32;
    let mut sums = Flow::default();
    let mut looked = 0.0;
    let mut steps_of_people = 0.0;
    while ended.is_none() {
        if tick > 16_000 {
            return Err(format!("{entry} m, {exit} m: the corridor has jammed").into());
        }
        run.step()?;
        tick += 1;
        let passed = run.beyond(PEOPLE, LINE);
        // A jam that grows back from the exit has reached the line by then.
        if begun.is_none() && passed >= 60 {
            begun = Some((tick, passed));
        }
        if begun.is_some() && passed >= 180 {
            ended = Some((tick, passed));
        }
        if begun.is_some() {
            let area = (LINE - 1.0) * FINE..(LINE + 1.0) * FINE;
            for (_, agent) in run.crowd.agents() {
                if area.contains(&agent.position.to_map()[0]) {
                    sums.speed += f64::from(agent.velocity[0]) / FINE;
                    steps_of_people += 1.0;
                }
            }
            looked += 1.0;
        }
    }
    let ((from, before), (to, after)) = begun.zip(ended).ok_or("nothing was measured")?;
    Ok(Flow {
        flow: f64::from(after - before) / (f64::from(to - from) * TICK),
        density: steps_of_people / looked / (2.0 * CORRIDOR),
        speed: sums.speed / steps_of_people,
    })
}

/// People per second through an opening of a width, a metre deep, out of a room.
fn bottleneck(width: f64, seed: u64, options: &Options) -> Result<f64, Box<dyn Error>> {
    const PEOPLE: u32 = 240;
    let course = Course {
        height: 10.0,
        narrow: vec![(10.0, 11.0, width)],
        length: 16.0,
        room: 10.0,
    };
    let mut run = Run::new(&course, PEOPLE, seed, options)?;
    let mut begun = None;
    for tick in 1..16_000u32 {
        run.step()?;
        let passed = run.beyond(PEOPLE, 10.5);
        if begun.is_none() && passed >= 40 {
            begun = Some((tick, passed));
        }
        if let Some((from, before)) = begun.filter(|_| passed >= 180) {
            return Ok(f64::from(passed - before) / (f64::from(tick - from) * TICK));
        }
    }
    Err(format!("the opening of {width} m has jammed").into())
}

/// The mean over the seeds of what a run gives at a width; between two cells, of both.
fn mean<const N: usize>(
    widths: &[f64],
    seeds: u64,
    mut run: impl FnMut(&[f64], u64) -> Result<[f64; N], Box<dyn Error>>,
) -> Result<[f64; N], Box<dyn Error>> {
    let mut sums = [0.0; N];
    let mut runs = 0.0;
    for off in [-0.05, 0.05] {
        let fits = |width: f64| ((width * FINE).round() - width * FINE).abs() < 0.01;
        let near: Vec<f64> = widths
            .iter()
            .map(|&width| if fits(width) { width } else { width + off })
            .collect();
        for seed in 0..seeds {
            for (sum, value) in sums.iter_mut().zip(run(&near, seed)?) {
                *sum += value;
            }
            runs += 1.0;
        }
        if near == widths {
            break;
        }
    }
    Ok(sums.map(|sum| sum / runs))
}

/// Slope, intercept and R² of the line through points.
fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let count = points.len() as f64;
    let (mean_x, mean_y) = (
        points.iter().map(|point| point.0).sum::<f64>() / count,
        points.iter().map(|point| point.1).sum::<f64>() / count,
    );
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in points {
        xx += (x - mean_x).powi(2);
        xy += (x - mean_x) * (y - mean_y);
        yy += (y - mean_y).powi(2);
    }
    (xy / xx, mean_y - xy / xx * mean_x, xy * xy / (xx * yy))
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| entry, exit (m) | density 1/m²: people | ours | speed m/s: people | Weidmann | ours | flow 1/s: people | ours |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut ours = Vec::new();
    let mut squares = [0.0; 3];
    for (entry, exit, flow, density, speed) in MEASURED {
        let run = |widths: &[f64], seed| {
            corridor(widths[0], widths[1], seed, &options).map(|flow| [flow.flow, flow.density, flow.speed])
        };
        match mean(&[entry, exit], options.seeds, run) {
            Ok([our_flow, our_density, our_speed]) => {
                println!(
                    "| {entry:.2}, {exit:.2} | {density:.2} | {our_density:.2} | {speed:.2} | {:.2} | {our_speed:.2} | {flow:.2} | {our_flow:.2} |",
                    weidmann(density)
                );
                squares[0] += (our_speed - measured(our_density)).powi(2);
                squares[1] += (our_speed - weidmann(our_density)).powi(2);
                squares[2] += (our_flow / flow - 1.0).powi(2);
                ours.push((our_density, our_speed));
            }
            Err(error) => println!(
                "| {entry:.2}, {exit:.2} | {density:.2} | {error} | {speed:.2} | {:.2} | | {flow:.2} | |",
                weidmann(density)
            ),
        }
    }
    let [people, law, flow] = squares.map(|sum: f64| (sum / ours.len() as f64).sqrt());
    println!(
        "\nroots of mean squares over {} runs: speed at our density {people:.2} m/s off measured people, {law:.2} m/s off Weidmann; flow {:.0} % off\n",
        ours.len(),
        100.0 * flow
    );
    println!("| width (m) | J (1/s) | Js (1/(m s)) |");
    println!("| --- | --- | --- |");
    let mut flows = Vec::new();
    for tenths in (8..=24).step_by(2) {
        let width = f64::from(tenths) / 10.0;
        match mean(&[width], options.seeds, |widths, seed| {
            bottleneck(widths[0], seed, &options).map(|flow| [flow])
        }) {
            Ok([flow]) => {
                println!("| {width:.1} | {flow:.2} | {:.2} |", flow / width);
                flows.push((width, flow));
            }
            Err(error) => println!("| {width:.1} | {error} | |"),
        }
    }
    let (slope, intercept, fit) = line(&flows);
    println!("\nJ = {slope:.2} w {intercept:+.2}, R² = {fit:.4}");
    if let Some(path) = &options.svg {
        draw(path, &ours, &flows)?;
    }
    Ok(())
}

fn draw(path: &Path, ours: &[(f64, f64)], flows: &[(f64, f64)]) -> Result<(), Box<dyn Error>> {
    const PEOPLE: RGBColor = RGBColor(0x2b, 0x6c, 0xb0);
    const OURS: RGBColor = RGBColor(0xc0, 0x44, 0x2c);
    const LAW: RGBColor = RGBColor(0x77, 0x77, 0x77);
    let root = SVGBackend::new(path, (980, 430)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(490);
    let mut chart = ChartBuilder::on(&left)
        .margin(14)
        .caption("speed over density, corridor of 1.8 m", ("sans-serif", 16))
        .x_label_area_size(42)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..4.0, 0.0..1.6)?;
    chart
        .configure_mesh()
        .x_desc("density, 1/m²")
        .y_desc("speed, m/s")
        .light_line_style(WHITE)
        .draw()?;
    chart
        .draw_series(LineSeries::new(
            (1..=40).map(|step| (f64::from(step) / 10.0, weidmann(f64::from(step) / 10.0))),
            &LAW,
        ))?
        .label("Weidmann")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 14, y)], LAW));
    chart
        .draw_series(
            MEASURED
                .iter()
                .map(|run| Circle::new((run.3, run.4), 4, PEOPLE.filled())),
        )?
        .label("measured people")
        .legend(|(x, y)| Circle::new((x + 7, y), 4, PEOPLE.filled()));
    chart
        .draw_series(ours.iter().map(|&point| Circle::new(point, 4, OURS.filled())))?
        .label("ours")
        .legend(|(x, y)| Circle::new((x + 7, y), 4, OURS.filled()));
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(LAW)
        .draw()?;
    let most = flows.iter().map(|point| point.1).fold(6.0, f64::max);
    let mut chart = ChartBuilder::on(&right)
        .margin(14)
        .caption("flow through a bottleneck", ("sans-serif", 16))
        .x_label_area_size(42)
        .y_label_area_size(48)
        .build_cartesian_2d(0.6..2.6, 0.0..most * 1.1)?;
    chart
        .configure_mesh()
        .x_desc("width, m")
        .y_desc("flow, 1/s")
        .light_line_style(WHITE)
        .draw()?;
    chart
        .draw_series(LineSeries::new([(0.6, 0.6 * 1.9), (2.6, 2.6 * 1.9)], &PEOPLE))?
        .label("1.9 per metre and second")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 14, y)], PEOPLE));
    chart
        .draw_series(flows.iter().map(|&point| Circle::new(point, 4, OURS.filled())))?
        .label("ours")
        .legend(|(x, y)| Circle::new((x + 7, y), 4, OURS.filled()));
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(LAW)
        .position(SeriesLabelPosition::UpperLeft)
        .draw()?;
    root.present()?;
    Ok(())
}
