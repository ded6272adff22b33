//! What lines and areas have recorded, as figures and as tables.

use crate::error::CliError;
use serde::Serialize;
use std::path::Path;
use thalweg::recorders::{CountLine, MeasureArea, Recorders, Way};
use thalweg::scene::CountLinePlan;
use thalweg_io::write_atomic;

/// A time that figures are of: after the beginning and up to the end, in seconds since recording began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) after_s: f64,
    pub(crate) until_s: f64,
}

/// What a line came to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct LineFigures {
    pub(crate) name: String,
    pub(crate) length: f64,
    pub(crate) forward: WayFigures,
    pub(crate) backward: WayFigures,
}

/// Passages of a line one way. Flows are per second, specific flows per second and unit of the line's length.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct WayFigures {
    pub(crate) passages: u64,
    pub(crate) first_s: Option<f64>,
    pub(crate) last_s: Option<f64>,
    /// Over the whole time.
    pub(crate) flow: f64,
    pub(crate) specific_flow: f64,
    /// From the first passage to the last.
    pub(crate) mean_flow: Option<f64>,
    pub(crate) mean_specific_flow: Option<f64>,
}

/// What an area came to: means over the time.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct AreaFigures {
    pub(crate) name: String,
    pub(crate) square: f64,
    pub(crate) agents: f64,
    pub(crate) most_agents: u32,
    pub(crate) density: f64,
    pub(crate) speed: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) speed_along: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) flow: Option<f64>,
}

pub(crate) fn lines(recorders: &Recorders, window: Window) -> Vec<LineFigures> {
    let figures = |line: &CountLine| LineFigures {
        name: line.name().to_owned(),
        length: recorders.length(line),
        forward: way(recorders, line, Way::Forward, window),
        backward: way(recorders, line, Way::Backward, window),
    };
    recorders.lines().iter().map(figures).collect()
}

fn way(recorders: &Recorders, line: &CountLine, way: Way, window: Window) -> WayFigures {
    let Window { after_s, until_s } = window;
    let mean_flow = line.mean_flow(way, after_s, until_s);
    let passages = || {
        line.passages_between(after_s, until_s)
            .iter()
            .filter(|passage| passage.way == way)
            .map(|passage| passage.time_s)
    };
    WayFigures {
        passages: line.count_between(way, after_s, until_s),
        first_s: passages().next(),
        last_s: passages().next_back(),
        flow: line.flow(way, after_s, until_s),
        specific_flow: recorders.specific_flow(line, way, after_s, until_s),
        mean_flow,
        mean_specific_flow: mean_flow.map(|flow| flow / recorders.length(line)),
    }
}

pub(crate) fn areas(recorders: &Recorders, window: Window) -> Vec<AreaFigures> {
    let cell = recorders.cell_size();
    let figures = |area: &MeasureArea| {
        let means = area.means(window.after_s, window.until_s);
        AreaFigures {
            name: area.name().to_owned(),
            square: area.square_cells() * cell * cell,
            agents: means.agents,
            most_agents: means.most_agents,
            density: means.density,
            speed: means.speed,
            speed_along: means.speed_along,
            flow: means.flow,
        }
    };
    recorders.areas().iter().map(figures).collect()
}

/// Writes `flow.csv`: a row for every line and each of its windows.
pub(crate) fn write_flow(recorders: &Recorders, plans: &[CountLinePlan], out: &Path) -> Result<(), CliError> {
    write_atomic(out.join("flow.csv"), |file| {
        writeln!(
            file,
            "line,from_s,until_s,forward_total,backward_total,forward,backward,forward_per_s,backward_per_s,\
             forward_per_unit_s,backward_per_unit_s"
        )?;
        let end_s = recorders.time_s();
        for (line, plan) in recorders.lines().iter().zip(plans) {
            let (mut totals, mut after_s, mut row) = ([0, 0], 0.0, 0u32);
            while after_s < end_s - 1e-9 {
                row += 1;
                // Not a sum, which would drift.
                let until_s = (f64::from(row) * plan.window_s).min(end_s);
                let ways = [Way::Forward, Way::Backward];
                let counts = ways.map(|way| line.count_between(way, after_s, until_s));
                let flows = ways.map(|way| line.flow(way, after_s, until_s));
                let specific = ways.map(|way| recorders.specific_flow(line, way, after_s, until_s));
                totals = [totals[0] + counts[0], totals[1] + counts[1]];
                writeln!(
                    file,
                    "{},{after_s:.6},{until_s:.6},{},{},{},{},{:.6},{:.6},{:.6},{:.6}",
                    field(line.name()),
                    totals[0],
                    totals[1],
                    counts[0],
                    counts[1],
                    flows[0],
                    flows[1],
                    specific[0],
                    specific[1]
                )?;
                after_s = until_s;
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// Writes `areas.csv`: a row for every area and tick.
pub(crate) fn write_areas(recorders: &Recorders, out: &Path) -> Result<(), CliError> {
    write_atomic(out.join("areas.csv"), |file| {
        writeln!(file, "area,tick,time_s,agents,density,speed,speed_along,flow")?;
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
        for area in recorders.areas() {
            for sample in area.samples() {
                writeln!(
                    file,
                    "{},{},{:.6},{},{:.6},{:.6},{},{}",
                    field(area.name()),
                    sample.tick,
                    sample.time_s,
                    sample.agents,
                    sample.density,
                    sample.speed,
                    number(sample.speed_along),
                    number(sample.flow)
                )?;
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// A name as a value of a table: quoted where it must be.
fn field(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// A few words on a line.
pub(crate) fn line_text(figures: &LineFigures) -> String {
    let way = |figures: &WayFigures, name: &str| {
        let mut text = format!("{} {name}", figures.passages);
        if let (Some(flow), Some(specific)) = (figures.mean_flow, figures.mean_specific_flow) {
            text += &format!(" (J {flow:.3} /s, Js {specific:.3} /(m s) from the first to the last)");
        }
        text
    };
    format!(
        "{}, {}",
        way(&figures.forward, "forward"),
        way(&figures.backward, "backward")
    )
}

/// A few words on an area.
pub(crate) fn area_text(figures: &AreaFigures) -> String {
    let mut text = format!(
        "density {:.3} /m2, speed {:.3} m/s, {:.1} agents (at most {}) in {:.2} m2",
        figures.density, figures.speed, figures.agents, figures.most_agents, figures.square
    );
    if let Some(along) = figures.speed_along {
        text += &format!(", {along:.3} m/s along");
    }
    if let Some(flow) = figures.flow {
        text += &format!(", flow {flow:.3} /s");
    }
    text
}
