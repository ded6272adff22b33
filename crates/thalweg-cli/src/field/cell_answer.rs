//! What `thalweg field --at` says about one cell.

use super::channels::{Channels, Timed, Turning, edge_name};
use super::questions::reach_word;
use crate::places::Place;
use serde::Serialize;
use std::fmt::Write as _;
use thalweg::bundle::{CellReport, CellState, FieldBundle};
use thalweg::core::expanded::TimeAction;
use thalweg::core::grid::{CellId, Direction};
use thalweg::core::integrate::Reach;

#[derive(Debug, Serialize)]
pub(super) struct CellAnswer {
    pub(super) cell: Place,
    pub(super) reach: &'static str,
    pub(super) cost: Option<u32>,
    pub(super) direction: &'static str,
    pub(super) successors: Vec<&'static str>,
    pub(super) goal: Option<u32>,
    /// Degrees clockwise from north, at the cell's centre.
    heading: Option<f64>,
    /// Of the chosen way, in cells.
    length: Option<f64>,
    component: Option<u32>,
    /// Distance from the cell's centre to the nearest wall, in cells.
    #[serde(skip_serializing_if = "Option::is_none")]
    clearance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<TurnAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<TimeAnswer>,
}

/// What is best for a body that came in a direction, where turning costs.
#[derive(Debug, Serialize)]
struct TurnAnswer {
    from_direction: Option<&'static str>,
    reach: &'static str,
    cost: Option<u32>,
    direction: &'static str,
    successors: Vec<&'static str>,
}

/// What is best at a tick, where things come and go.
#[derive(Debug, Serialize)]
struct TimeAnswer {
    tick: u32,
    reach: &'static str,
    cost: Option<u32>,
    /// A direction, `portal`, `wait`, `goal` or `none`.
    action: &'static str,
    /// How long the action takes.
    ticks: Option<u32>,
}

impl CellAnswer {
    pub(super) fn new(report: CellReport, bundle: &FieldBundle, channels: &Channels) -> Self {
        let id = bundle.grid().id(report.cell);
        let mut answer = Self {
            cell: Place::new(bundle.grid(), report.cell),
            reach: reach_word(report.state),
            cost: None,
            direction: "none",
            successors: Vec::new(),
            goal: None,
            heading: id.and_then(|id| channels.heading(id)).map(rounded),
            length: id.and_then(|id| channels.length(id)).map(rounded),
            component: id
                .zip(channels.components.as_ref())
                .and_then(|(id, components)| components.component(id))
                .map(|component| component.0),
            clearance: id
                .zip(channels.clearance.as_ref())
                .map(|(id, clearance)| rounded(clearance.clearance(id))),
            turn: id
                .zip(channels.turning.as_ref())
                .map(|(id, turning)| TurnAnswer::new(turning, bundle, id)),
            time: id
                .zip(channels.timed.as_ref())
                .map(|(id, timed)| TimeAnswer::new(timed, id)),
        };
        if let CellState::Reached {
            cost,
            successors,
            portal,
            goal,
        } = report.state
        {
            answer.cost = Some(cost.0);
            answer.direction = match (successors.first(), portal) {
                (Some(direction), _) => direction.name(),
                (None, Some(_)) => "portal",
                (None, None) => "goal",
            };
            answer.successors = successors.iter().map(Direction::name).collect();
            answer.goal = Some(goal);
        }
        answer
    }
}

/// With as many digits as anybody can use: thousandths.
pub(super) fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

const fn state_word(reach: Reach) -> &'static str {
    match reach {
        Reach::Reached(_) => "reached",
        Reach::Unreachable => "unreachable",
        Reach::Unknown => "unknown",
    }
}

impl TurnAnswer {
    fn new(turning: &Turning, bundle: &FieldBundle, id: CellId) -> Self {
        let reach = turning.reach(id);
        let successors = turning.successors(bundle.movement(), id);
        Self {
            from_direction: turning.from.map(Direction::name),
            reach: state_word(reach),
            cost: reach.cost().map(|cost| cost.0),
            direction: match successors.first() {
                Some(first) => first,
                None if turning.is_goal(id) => "goal",
                None => "none",
            },
            successors,
        }
    }
}

impl TimeAnswer {
    fn new(timed: &Timed, id: CellId) -> Self {
        let reach = timed.field.reach(id, timed.tick);
        let (action, ticks) = match timed.next(id) {
            Some(TimeAction::Move { edge, ticks }) => (edge_name(edge.kind), Some(ticks)),
            Some(_) => ("wait", Some(1)),
            None if timed.field.is_goal(id, timed.tick) => ("goal", None),
            None => ("none", None),
        };
        Self {
            tick: timed.tick,
            reach: state_word(reach),
            cost: reach.cost().map(|cost| cost.0),
            action,
            ticks,
        }
    }
}

impl CellAnswer {
    /// How much room there is, where that was asked for, for a terminal.
    pub(super) fn room(&self) -> String {
        self.clearance
            .map_or_else(String::new, |clearance| format!(", clearance {clearance} cells"))
    }

    /// What is known about the cell beyond its cost and direction, for a terminal.
    pub(super) fn more(&self) -> String {
        let mut more = String::new();
        // Writing to a String cannot fail.
        let mut add = |args: std::fmt::Arguments<'_>| {
            let _ok = more.write_fmt(args);
        };
        if let Some(heading) = self.heading {
            add(format_args!(", heading {heading:.1} degrees"));
        }
        if let Some(length) = self.length {
            add(format_args!(", {length:.2} cells long"));
        }
        if let Some(component) = self.component {
            add(format_args!(", component {component}"));
        }
        add(format_args!("{}", self.room()));
        if let Some(turn) = &self.turn {
            let from = turn.from_direction.unwrap_or("rest");
            match turn.cost {
                Some(cost) => add(format_args!(
                    "; coming from {from}: cost {cost}, direction {}",
                    turn.direction
                )),
                None => add(format_args!("; coming from {from}: {}", turn.reach)),
            }
        }
        if let Some(time) = &self.time {
            match time.cost {
                Some(cost) => add(format_args!(
                    "; at tick {}: cost {cost}, {}",
                    time.tick, time.action
                )),
                None => add(format_args!("; at tick {}: {}", time.tick, time.reach)),
            }
        }
        more
    }
}
