//! What `thalweg field` says: one summary, as text or JSON.

use super::cell_answer::{CellAnswer, rounded};
use super::channels::Channels;
use super::questions::Questions;
use crate::args::{Channel, FieldArguments};
use crate::places::{Place, size_of};
use clap::ValueEnum;
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::Range;
use thalweg::bundle::FieldBundle;
use thalweg::core::debug::{print_arrows, print_cost_to_goal};
use thalweg::core::grid::{CellId, Grid, Layer};
use thalweg_io::ChannelCell;

/// The longest sides of a map that is printed as a table.
const TABLE_SIDES: (u32, u32) = (32, 40);

#[derive(Debug, Serialize)]
pub(crate) struct Summary {
    map: MapSummary,
    /// Name of the profile whose rules hold.
    profile: String,
    engine: String,
    cells: CellSummary,
    max_cost: Option<u32>,
    cost_unit: u32,
    bytes: usize,
    build_ns: u64,
    goals: GoalSummary,
    at: Vec<CellAnswer>,
    #[serde(flatten)]
    questions: Questions,
    /// Every value of the channel that was asked for by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    channel: Option<ChannelAnswer>,
}

#[derive(Debug, Serialize)]
struct ChannelAnswer {
    name: String,
    unit: &'static str,
    /// Row after row, and layer after layer.
    rows: Vec<Vec<serde_json::Value>>,
}

#[derive(Debug, Serialize)]
struct MapSummary {
    width: u32,
    height: u32,
    layers: usize,
    /// Width and height of every layer, and its first cell, on maps of several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first_cells: Vec<Place>,
    #[serde(skip)]
    text: String,
}

impl MapSummary {
    fn new(grid: &Grid) -> Self {
        // What is the same on every map of one layer is left out there.
        let several = if grid.layers().len() > 1 {
            grid.layers()
        } else {
            &[]
        };
        Self {
            width: grid.width(),
            height: grid.height(),
            layers: grid.layers().len(),
            sizes: several
                .iter()
                .map(|layer| [layer.width(), layer.height()])
                .collect(),
            first_cells: several
                .iter()
                .map(|layer| Place::new(grid, layer.first_cell()))
                .collect(),
            text: size_of(grid),
        }
    }
}

#[derive(Debug, Serialize)]
struct CellSummary {
    reached: usize,
    unreachable: usize,
    unknown: usize,
    impassable: usize,
}

/// What became of the goals that could not be used as they stand; empty lists are the usual case.
#[derive(Debug, Serialize)]
struct GoalSummary {
    outside: Vec<(usize, Place)>,
    blocked: Vec<(usize, Place)>,
    moved: Vec<(usize, Place, Place)>,
    duplicates: usize,
}

impl Summary {
    pub(crate) fn new(
        bundle: &FieldBundle,
        arguments: &FieldArguments,
        profile: &str,
        channels: &Channels,
        questions: Questions,
        build_ns: u64,
    ) -> Self {
        let (grid, counts, report) = (bundle.grid(), bundle.cell_counts(), bundle.goals());
        let xy = |cell| Place::new(grid, cell);
        Self {
            map: MapSummary::new(grid),
            profile: profile.to_owned(),
            engine: bundle.stats().engine.to_string(),
            cells: CellSummary {
                reached: counts.reached,
                unreachable: counts.unreachable,
                unknown: counts.unknown,
                impassable: counts.impassable,
            },
            max_cost: bundle.integration().max_cost().map(|cost| cost.0),
            cost_unit: bundle.integration().cost_unit(),
            bytes: bundle.bytes(),
            build_ns,
            goals: GoalSummary {
                outside: report
                    .outside
                    .iter()
                    .map(|&(goal, cell)| (goal, xy(cell)))
                    .collect(),
                blocked: report
                    .blocked
                    .iter()
                    .map(|&(goal, cell)| (goal, xy(cell)))
                    .collect(),
                moved: report
                    .moved
                    .iter()
                    .map(|&(goal, from, to)| (goal, xy(from), xy(to)))
                    .collect(),
                duplicates: report.duplicates,
            },
            at: arguments
                .at
                .iter()
                .map(|&cell| CellAnswer::new(bundle.query(cell), bundle, channels))
                .collect(),
            questions,
            channel: None,
        }
    }

    /// The answer with every value of a channel, row by row.
    pub(crate) fn with_channel(
        mut self,
        channel: Channel,
        grid: &Grid,
        value: impl Fn(CellId) -> ChannelCell,
    ) -> Self {
        let cell = |id| match value(id) {
            ChannelCell::Whole(whole) => serde_json::Value::from(whole),
            ChannelCell::Real(real) => serde_json::Value::from(rounded(real)),
            other => serde_json::Value::from(other.word()),
        };
        let cells: Vec<serde_json::Value> = grid.ids().map(cell).collect();
        self.channel = Some(ChannelAnswer {
            name: name_of(channel),
            unit: unit_of(channel),
            rows: rows_of(grid).map(|row| cells[row].to_vec()).collect(),
        });
        self
    }

    /// Whether every question with a yes or no was answered as one hopes.
    pub(crate) fn all_well(&self) -> bool {
        self.questions.all_well()
    }

    /// The answer for a terminal; small maps as tables of `channel`, or of cost-to-goal and directions.
    pub(crate) fn text(
        &self,
        bundle: &FieldBundle,
        channel: Option<Channel>,
        value: impl Fn(CellId) -> ChannelCell,
    ) -> String {
        let mut text = String::new();
        let cells = &self.cells;
        // Writing to a String cannot fail.
        let mut line = |args: std::fmt::Arguments<'_>| {
            let _ok = writeln!(text, "{args}");
        };
        line(format_args!("map        {}", self.map.text));
        line(format_args!(
            "cells      {} reached, {} unreachable, {} unknown, {} impassable",
            cells.reached, cells.unreachable, cells.unknown, cells.impassable
        ));
        if let Some(max) = self.max_cost {
            let steps = f64::from(max) / f64::from(self.cost_unit);
            line(format_args!(
                "max cost   {max} units = {steps:.2} plain steps ({} units each)",
                self.cost_unit
            ));
        }
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        let milliseconds = self.build_ns as f64 / 1e6;
        line(format_args!(
            "engine     {}, built in {milliseconds:.3} ms, {} bytes",
            self.engine, self.bytes
        ));
        for (goal, asked, used) in &self.goals.moved {
            line(format_args!("goal {goal}     moved from {asked} to {used}"));
        }
        for answer in &self.at {
            let cell = answer.cell;
            match answer.cost {
                Some(cost) => line(format_args!(
                    "at {cell}  cost {cost}, direction {}, successors {}, goal {}{}",
                    answer.direction,
                    if answer.successors.is_empty() {
                        "none".to_owned()
                    } else {
                        answer.successors.join(" ")
                    },
                    answer.goal.unwrap_or(0),
                    answer.more()
                )),
                None => line(format_args!("at {cell}  {}{}", answer.reach, answer.room())),
            }
        }
        text.push_str(&self.questions.text());
        let is_large = |layer: &Layer| layer.width() > TABLE_SIDES.0 || layer.height() > TABLE_SIDES.1;
        if bundle.grid().layers().iter().any(is_large) {
            return text;
        }
        match channel {
            None => {
                let (costs, arrows) = (
                    print_cost_to_goal(bundle.integration()),
                    print_arrows(bundle.flow()),
                );
                text.push_str(&format!("\n{costs}\n{}\n", arrows.trim_end()));
            }
            Some(channel) => {
                text.push_str(&format!(
                    "\n{}, in {}\n{}",
                    name_of(channel),
                    unit_of(channel),
                    table(bundle.grid(), value)
                ));
            }
        }
        text
    }
}

fn name_of(channel: Channel) -> String {
    channel
        .to_possible_value()
        .map_or_else(String::new, |value| value.get_name().to_owned())
}

const fn unit_of(channel: Channel) -> &'static str {
    match channel {
        Channel::Cost | Channel::Turn | Channel::Time => "step units",
        Channel::Direction => "names",
        Channel::Heading => "degrees clockwise from north",
        Channel::Length | Channel::Clearance => "cells",
        Channel::Goal | Channel::Component => "indices",
        Channel::Ground => "costs",
    }
}

/// The cells of every row as a range of ids, layer after layer.
fn rows_of(grid: &Grid) -> impl Iterator<Item = Range<usize>> + '_ {
    grid.layers().iter().flat_map(|layer| {
        let width = layer.width() as usize;
        layer
            .range()
            .step_by(width)
            .map(move |start| start..start + width)
    })
}

/// A channel as a table: `-` unreachable, `?` unknown, `#` impassable, `●` goal, `@` portal.
fn table(grid: &Grid, value: impl Fn(CellId) -> ChannelCell) -> String {
    let text = |id| match value(id) {
        ChannelCell::Whole(whole) => whole.to_string(),
        ChannelCell::Real(real) => format!("{real:.1}"),
        ChannelCell::Direction(direction) => direction.arrow().to_string(),
        ChannelCell::Goal => "●".to_owned(),
        ChannelCell::Portal => "@".to_owned(),
        ChannelCell::Unreachable => "-".to_owned(),
        ChannelCell::Impassable => "#".to_owned(),
        _ => "?".to_owned(),
    };
    let texts: Vec<String> = grid.ids().map(text).collect();
    let wide = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    let gap = usize::from(wide > 1);
    let mut out = String::new();
    for ids in rows_of(grid) {
        if ids.start > 0 && grid.layers().iter().any(|layer| layer.range().start == ids.start) {
            out.push('\n');
        }
        let row = &texts[ids];
        for (column, text) in row.iter().enumerate() {
            let blanks = wide - text.chars().count() + if column == 0 { 0 } else { gap };
            out.extend(core::iter::repeat_n(' ', blanks));
            out.push_str(text);
        }
        out.push('\n');
    }
    out
}
