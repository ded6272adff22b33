//! Draws what `thalweg bench crowd --json` says about growing crowds: nanoseconds per agent and step by the number of agents.
//!
//! Reads one or more of its files, and draws the least tick of every scene and number of threads, which other programs on
//! the machine move less than the median. Prints the same as a table.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use clap::Parser;
use plotters::prelude::*;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use thalweg::crowd::Stage;

/// Draws the growth of a crowd
#[derive(Parser, Debug)]
struct Options {
    /// Files that `thalweg bench crowd --json` has printed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Draw into this file
    #[arg(long)]
    svg: Option<PathBuf>,
}

/// Agents and nanoseconds, by scene and threads.
type Lines = BTreeMap<(String, u64), Vec<(f64, f64)>>;

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let mut lines = Lines::new();
    println!(
        "| scene | agents | threads | map | ns per agent-step: median, least | tick ms: median, least | ÷ one thread: median, best | stages, ns |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for path in &options.files {
        let report: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        for row in report["rows"].as_array().ok_or("the file has no rows")? {
            let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
            let threads = row["threads"].as_u64().unwrap_or(0);
            let scene = row["scene"].as_str().unwrap_or("?").to_owned();
            let stages: Vec<String> = Stage::ALL
                .iter()
                .filter_map(|stage| Some(format!("{stage} {:.0}", row["stages"][stage.name()].as_f64()?)))
                .collect();
            println!(
                "| {scene} | {} | {threads} | {} | {:.0}, {:.0} | {:.2}, {:.2} | {:.2}, {:.2} | {} |",
                row["agents"],
                row["map"][0],
                number("ns_per_agent_step"),
                number("ns_per_agent_step_min"),
                number("tick_ms_median"),
                number("tick_ms_min"),
                number("ratio_to_one_thread"),
                number("ratio_to_one_thread_best"),
                stages.join(", ")
            );
            let line = lines.entry((scene, threads)).or_default();
            line.push((number("agents"), number("ns_per_agent_step_min")));
        }
    }
    for line in lines.values_mut() {
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    if let Some(path) = &options.svg {
        draw(path, &lines)?;
    }
    Ok(())
}

fn draw(path: &Path, lines: &Lines) -> Result<(), Box<dyn Error>> {
    const COLOURS: [RGBColor; 4] = [
        RGBColor(0x1b, 0x6c, 0xa8),
        RGBColor(0xd9, 0x5f, 0x02),
        RGBColor(0x3a, 0x8f, 0x3a),
        RGBColor(0x8e, 0x44, 0xad),
    ];
    let root = SVGBackend::new(path, (860, 480)).into_drawing_area();
    root.fill(&WHITE)?;
    let points = || lines.values().flatten();
    let least = points().map(|point| point.0).fold(f64::INFINITY, f64::min);
    let most = points().map(|point| point.0).fold(1.0, f64::max);
    let dearest = points().map(|point| point.1).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d((least * 0.9..most * 1.1).log_scale(), 0.0..dearest * 1.25)?;
    chart
        .configure_mesh()
        .x_desc("agents")
        .y_desc("nanoseconds per agent and step, least")
        .x_label_formatter(&|agents| format!("{agents:.0}"))
        .y_label_formatter(&|ns| format!("{ns:.0}"))
        .light_line_style(WHITE)
        .draw()?;
    for (((scene, threads), line), &colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let name = match threads {
            1 => format!("{scene}, one thread"),
            _ => format!("{scene}, {threads} threads"),
        };
        chart
            .draw_series(LineSeries::new(line.iter().copied(), colour.stroke_width(3)).point_size(3))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], colour.stroke_width(3)));
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
