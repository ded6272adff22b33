//! How the cost of a field grows with the map, beside what copying the same memory costs.
//!
//! For each kind and side of map: nanoseconds per reached cell of the tile engine and of buckets, in turns, and of the
//! directions; the bytes a field must move at least per cell; and the copy bandwidth of the machine on blocks of the same
//! size. Prints a table, and draws it with `--svg`.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use clap::Parser;
use plotters::prelude::*;
use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use thalweg::pool::RayonWorkers;
use thalweg_benches::subject::Subject;
use thalweg_benches::{GeneratedMap, MapKind};
use thalweg_core::integrate::Engine;
use thalweg_core::movement::MovementProfile;

/// How the cost of a field grows with the map
#[derive(Parser, Debug)]
struct Options {
    /// Kinds of generated maps
    #[arg(long, num_args = 1.., default_values = ["open", "town", "terrain8"])]
    kinds: Vec<MapKind>,
    /// Sides of the maps, in cells
    #[arg(long, num_args = 1.., default_values_t = [64, 128, 256, 512, 1024, 2048, 4096])]
    sides: Vec<u32>,
    /// Rounds on the smallest maps; large ones get fewer, the largest one
    #[arg(long, default_value_t = 41)]
    rounds: u32,
    /// Threads to compare with one, each bound to a core: left to themselves, two often share one for a whole run
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Draw the figures into this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Bytes that a field of costs-to-goal must move per cell: the cost byte and the exits once, and the result once out and
/// once, because a line of the cache is fetched before it is written.
const LEAST_BYTES: f64 = 1.0 + 1.0 + 4.0 + 4.0;

struct Figures {
    kind: MapKind,
    side: u32,
    tiles: f64,
    buckets: f64,
    ratio: f64,
    /// Time of one thread by time of several: median and best by best.
    speed_up: [f64; 2],
    directions: f64,
    copy: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    println!(
        "| map | tiles ns/cell | buckets ns/cell | buckets ÷ tiles | {} threads ÷ one: median, best | directions ns/cell | tiles Mcell/s | least bytes moved GB/s | copy GB/s |",
        options.threads
    );
    let workers = bound_threads(options.threads)?;
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut all = Vec::new();
    for &kind in &options.kinds {
        for &side in &options.sides {
            let map = kind.generate(side, 1)?;
            let figures = measure(kind, side, &map, rounds(options.rounds, side), &workers);
            let moved = LEAST_BYTES / figures.tiles;
            println!(
                "| {}-{side} | {:.2} | {:.2} | {:.2} | {:.2}, {:.2} | {:.2} | {:.0} | {moved:.1} | {:.1} |",
                kind.name(),
                figures.tiles,
                figures.buckets,
                figures.ratio,
                figures.speed_up[0],
                figures.speed_up[1],
                figures.directions,
                1e3 / figures.tiles,
                figures.copy,
            );
            all.push(figures);
        }
    }
    if let Some(path) = &options.svg {
        draw(path, &options, &all)?;
    }
    Ok(())
}

fn rounds(most: u32, side: u32) -> u32 {
    // As many cells in all as the rounds of a map of 512 × 512 cells have.
    let cells = u64::from(side) * u64::from(side);
    let fair = u64::from(most) * 512 * 512 / cells.max(1);
    let least = if side > 4096 { 1 } else { 5 };
    u32::try_from(fair.clamp(least, u64::from(most.max(5)))).unwrap_or(most)
}

/// Threads of which each stays on a core of its own, as far as there are cores.
fn bound_threads(threads: usize) -> Result<RayonWorkers, Box<dyn Error>> {
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .start_handler(move |index| {
            if let Some(&core) = cores.get(index % cores.len().max(1)) {
                core_affinity::set_for_current(core);
            }
        })
        .build()?;
    Ok(RayonWorkers::from_pool(Arc::new(pool)))
}

fn measure(kind: MapKind, side: u32, map: &GeneratedMap, rounds: u32, workers: &RayonWorkers) -> Figures {
    let mut subject = Subject::new(map, &MovementProfile::new());
    subject.integrate(Engine::Tiles);
    let per_cell = 1e9 / subject.reached() as f64;
    let (mut tiles, mut buckets, mut directions) = (Vec::new(), Vec::new(), Vec::new());
    let mut several = Vec::new();
    for _ in 0..rounds {
        tiles.push(time(|| subject.integrate(Engine::Tiles)));
        buckets.push(time(|| subject.integrate(Engine::Buckets)));
        directions.push(time(|| subject.extract()));
    }
    // By themselves and by turns, so that both find the same in the caches.
    let mut one = Vec::new();
    for _ in 0..rounds.max(3) {
        one.push(time(|| subject.integrate(Engine::Tiles)));
        several.push(time(|| subject.integrate_on(Engine::Tiles, workers)));
    }
    let ratios = buckets.iter().zip(&tiles).map(|(buckets, tiles)| buckets / tiles);
    let speed_ups = one.iter().zip(&several).map(|(one, several)| one / several);
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    Figures {
        kind,
        side,
        speed_up: [median(speed_ups.collect()), least(&one) / least(&several)],
        ratio: median(ratios.collect()),
        tiles: median(tiles) * per_cell,
        buckets: median(buckets) * per_cell,
        directions: median(directions) * per_cell,
        copy: copy_bandwidth(map.costs.len() * 4),
    }
}

/// Gigabytes per second that a copy of so many bytes moves: each byte is read and written.
fn copy_bandwidth(bytes: usize) -> f64 {
    let from = vec![1u8; bytes];
    let mut to = vec![0u8; bytes];
    let turns = (1 << 28) / bytes.max(1) + 3;
    let times = (0..5).map(|_| {
        time(|| {
            for _ in 0..turns {
                black_box(&mut to).copy_from_slice(black_box(&from));
            }
        })
    });
    2.0 * (bytes * turns) as f64 / median(times.collect()) / 1e9
}

fn time(mut work: impl FnMut()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn draw(path: &Path, options: &Options, figures: &[Figures]) -> Result<(), Box<dyn Error>> {
    const COLOURS: [RGBColor; 6] = [
        RGBColor(0x1b, 0x6c, 0xa8),
        RGBColor(0xd9, 0x5f, 0x02),
        RGBColor(0x3a, 0x8f, 0x3a),
        RGBColor(0x8e, 0x44, 0xad),
        RGBColor(0x7f, 0x7f, 0x7f),
        RGBColor(0xc0, 0x39, 0x2b),
    ];
    let root = SVGBackend::new(path, (860, 520)).into_drawing_area();
    root.fill(&WHITE)?;
    let sides = || options.sides.iter().map(|&side| f64::from(side));
    let (least, most) = (sides().fold(f64::INFINITY, f64::min), sides().fold(1.0, f64::max));
    let dearest = figures
        .iter()
        .map(|figures| figures.buckets.max(figures.tiles))
        .fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(52)
        .build_cartesian_2d(
            (least..most).log_scale().base(2.0),
            (0.5..dearest * 1.2).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("side of the map in cells")
        .y_desc("nanoseconds per reached cell")
        .x_label_formatter(&|side| format!("{side:.0}"))
        .y_label_formatter(&|ns| format!("{ns}"))
        .light_line_style(WHITE)
        .draw()?;
    for (&kind, &colour) in options.kinds.iter().zip(COLOURS.iter().cycle()) {
        let of_kind = || figures.iter().filter(move |figures| figures.kind == kind);
        let tiles = of_kind().map(|figures| (f64::from(figures.side), figures.tiles));
        chart
            .draw_series(LineSeries::new(tiles, colour.stroke_width(3)).point_size(3))?
            .label(format!("{}, tiles", kind.name()))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3)));
        let buckets = of_kind().map(|figures| (f64::from(figures.side), figures.buckets));
        chart
            .draw_series(DashedLineSeries::new(buckets, 6, 4, colour.stroke_width(2)))?
            .label(format!("{}, buckets", kind.name()))
            // Legends know no dashes.
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 10, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    root.present()?;
    Ok(())
}
