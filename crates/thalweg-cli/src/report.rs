//! One self-contained HTML page about a run: it opens from disk and needs no network.

use crate::error::CliError;
use crate::recordings::{area_text, line_text};
use crate::run::{RunRecord, TickRow};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;
use std::path::Path;
use thalweg::crowd::Outcome;
use thalweg_io::write_atomic;
use thalweg_io::{MAX_FILE_BYTES, read_limited};

const STYLE: &str = include_str!("report.css");
/// Width and height of a chart, in its own units.
const CHART: (f64, f64) = (640.0, 180.0);
/// Colours of the curves, in order.
const CURVES: [&str; 6] = ["#1b6f8a", "#c8553d", "#6a8d3b", "#8f5aa8", "#d79a2b", "#555555"];

pub(crate) fn write(record: &RunRecord, out: &Path) -> Result<(), CliError> {
    let page = page(record, out)?;
    write_atomic(out.join("report.html"), |file| file.write_all(page.as_bytes()))?;
    Ok(())
}

fn page(record: &RunRecord, out: &Path) -> Result<String, CliError> {
    let summary = &record.summary;
    let title = escape(if summary.name.is_empty() {
        &summary.scene
    } else {
        &summary.name
    });
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    page.push_str(&lead(record));
    if let Some(animation) = &record.animation {
        page.push_str("<h2>The crowd</h2>\n");
        figure(
            &mut page,
            out,
            animation,
            "image/gif",
            "Agents by group, in real time where the viewer can follow",
        )?;
        legend(&mut page, &record.group_names);
    }
    page.push_str("<h2>Fields</h2>\n");
    for (file, what) in &record.pictures {
        figure(&mut page, out, file, "image/png", what)?;
    }
    page.push_str("<h2>What happened</h2>\n");
    charts(&mut page, &record.rows);
    numbers(&mut page, record);
    page.push_str("</main>\n</body>\n</html>\n");
    Ok(page)
}

fn lead(record: &RunRecord) -> String {
    let summary = &record.summary;
    #[expect(clippy::cast_precision_loss, reason = "a time in seconds")]
    let seconds = summary.ticks as f64 * summary.tick_s;
    format!(
        "<p class=\"lead\">{} agents in {} groups on {}, {seconds:.1} s in {} ticks. \
         {} arrivals; {} fields were built on the way, {} repaired.</p>\n",
        summary.agents,
        summary.groups,
        escape(&summary.map_text.replace(" x ", " × ")),
        summary.ticks,
        summary.arrived,
        summary.fields_built,
        summary.fields_repaired
    )
}

fn figure(page: &mut String, out: &Path, file: &str, kind: &str, what: &str) -> Result<(), CliError> {
    let bytes = read_limited(&out.join(file), MAX_FILE_BYTES)?;
    let what = escape(what);
    push(
        page,
        format_args!("<figure>\n<img alt=\"{what}\" src=\"data:{kind};base64,"),
    );
    STANDARD.encode_string(bytes, page);
    push(
        page,
        format_args!(
            "\">\n<figcaption>{what} <span>{}</span></figcaption>\n</figure>\n",
            escape(file)
        ),
    );
    Ok(())
}

fn legend(page: &mut String, groups: &[String]) {
    page.push_str("<ul class=\"legend\">\n");
    for (group, name) in (0..).zip(groups) {
        let [red, green, blue] = thalweg_io::picture::group_colour(group).0;
        push(
            page,
            format_args!(
                "<li><i style=\"background:rgb({red},{green},{blue})\"></i>{}</li>\n",
                escape(name)
            ),
        );
    }
    page.push_str("</ul>\n");
}

fn charts(page: &mut String, rows: &[TickRow]) {
    #[expect(clippy::cast_precision_loss, reason = "a curve for people")]
    let curve = |name: &str, value: &dyn Fn(&TickRow) -> u64| {
        (
            name.to_owned(),
            rows.iter()
                .map(|row| (row.time_s, value(row) as f64))
                .collect::<Vec<_>>(),
        )
    };
    chart(
        page,
        "Arrivals so far (an agent whose goal moves on can arrive again)",
        &[curve("arrived", &|row| row.arrived_total)],
    );
    let seen: Vec<_> = Outcome::ALL
        .iter()
        .filter(|&&outcome| rows.iter().any(|row| row.outcomes[outcome] > 0))
        .map(|&outcome| {
            curve(&outcome.name().replace('_', " "), &|row| {
                u64::from(row.outcomes[outcome])
            })
        })
        .collect();
    chart(page, "Agents by what their last step came to", &seen);
    if rows.iter().any(|row| row.stuck > 0) {
        let stuck = curve("stuck", &|row| row.stuck as u64);
        chart(page, "Agents that get nowhere", &[stuck]);
    }
}

/// A line chart as inline SVG; series are `(name, points of time and value)`.
fn chart(page: &mut String, title: &str, series: &[(String, Vec<(f64, f64)>)]) {
    let all = || series.iter().flat_map(|(_, points)| points.iter().copied());
    let largest =
        |pick: fn((f64, f64)) -> f64| all().map(pick).fold(0.0f64, |a, b| if b > a { b } else { a });
    let (end, top) = (largest(|point| point.0), round_up(largest(|point| point.1)));
    if end == 0.0 {
        return;
    }
    let (width, height) = CHART;
    push(
        page,
        format_args!(
            "<h3>{}</h3>\n<svg viewBox=\"-52 -10 {} {}\" role=\"img\">\n",
            escape(title),
            width + 78.0,
            height + 36.0
        ),
    );
    for step in 0..=4u8 {
        let share = f64::from(step) / 4.0;
        let (x, y) = (share * width, height - share * height);
        push(
            page,
            format_args!(
                "<path class=\"grid\" d=\"M0 {y}H{width}\"/><text x=\"-6\" y=\"{}\" text-anchor=\"end\">{:.0}</text>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{:.1} s</text>\n",
                y + 4.0,
                share * top,
                height + 18.0,
                share * end
            ),
        );
    }
    for ((_, points), colour) in series.iter().zip(CURVES.iter().cycle()) {
        // Some two points a unit of width are all that can be seen.
        let stride = (points.len() / 1200).max(1);
        let last = points.len().saturating_sub(1);
        push(page, format_args!("<polyline stroke=\"{colour}\" points=\""));
        for (index, &(x, y)) in points.iter().enumerate() {
            if index % stride == 0 || index == last {
                push(
                    page,
                    format_args!("{:.1},{:.1} ", x / end * width, height - y / top * height),
                );
            }
        }
        page.push_str("\"/>\n");
    }
    page.push_str("</svg>\n");
    if series.len() > 1 {
        page.push_str("<ul class=\"legend\">\n");
        for ((name, _), colour) in series.iter().zip(CURVES.iter().cycle()) {
            push(
                page,
                format_args!("<li><i style=\"background:{colour}\"></i>{}</li>\n", escape(name)),
            );
        }
        page.push_str("</ul>\n");
    }
}

/// The next number of the form 4, 8, 12, 20, 40, 60 or 80 times a power of ten, so that the four lines of a chart stand
/// at whole numbers.
fn round_up(top: f64) -> f64 {
    let mut power = 1.0;
    while top > 80.0 * power {
        power *= 10.0;
    }
    let steps = [4.0, 8.0, 12.0, 20.0, 40.0, 60.0, 80.0];
    steps
        .into_iter()
        .map(|step| step * power)
        .find(|&step| step >= top)
        .unwrap_or(top)
}

fn numbers(page: &mut String, record: &RunRecord) {
    let summary = &record.summary;
    page.push_str("<h2>Figures</h2>\n<table>\n");
    let mut row = |what: &str, value: String| {
        push(
            page,
            format_args!("<tr><th>{}</th><td>{}</td></tr>\n", escape(what), escape(&value)),
        );
    };
    row("Scene", summary.scene.clone());
    row("Ticks", format!("{} of {} s", summary.ticks, summary.tick_s));
    row(
        "Agents at the start, at the end",
        format!("{}, {}", summary.agents, summary.agents_left),
    );
    row("Arrivals", summary.arrived.to_string());
    for (outcome, count) in &summary.outcomes {
        row(
            &format!("Last tick: {}", outcome.replace('_', " ")),
            count.to_string(),
        );
    }
    row(
        "Fields built, those at the start included",
        summary.fields_built.to_string(),
    );
    row("Fields repaired", summary.fields_repaired.to_string());
    row(
        "Fields that were known before",
        summary.fields_restored.to_string(),
    );
    row("Searches for single paths", summary.paths_searched.to_string());
    for failure in &summary.field_failures {
        row("A field could not be built", failure.clone());
    }
    row(
        "Cells relaxed by builds and repairs",
        summary.cells_expanded.to_string(),
    );
    row("Direction queries", summary.direction_queries.to_string());
    row("Sweeps", summary.sweeps.to_string());
    row("Sweeps that met a wall", summary.sweep_refusals.to_string());
    row(
        "Agents put beside a wall that came down on them",
        summary.ejected.to_string(),
    );
    if summary.entered > 0 || summary.kept_out > 0 {
        row(
            "Entered while it ran, found no room to",
            format!("{}, {}", summary.entered, summary.kept_out),
        );
    }
    if let Some(strict) = &summary.strict {
        row("Strict mode", strict.text(summary.tick_s));
    }
    if summary.stuck.count > 0 {
        row("Stuck", summary.stuck.text());
    }
    for line in &summary.count_lines {
        row(&format!("Line {}", line.name), line_text(line));
    }
    for area in &summary.measure_areas {
        row(&format!("Area {}, mean of the run", area.name), area_text(area));
    }
    row("Threads", summary.threads.to_string());
    row("Stepping time", format!("{:.3} s", summary.step_s));
    row(
        "Time per agent and tick",
        format!("{:.0} ns", summary.ns_per_agent_step),
    );
    row("State hash after the last tick", summary.hash.clone());
    page.push_str("</table>\n<p>Every tick is in <code>metrics.csv</code>, this table in <code>summary.json</code>.</p>\n");
}

fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ok = page.write_fmt(text);
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
