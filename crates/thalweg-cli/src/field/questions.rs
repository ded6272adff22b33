//! Questions with a yes or no: single paths, "can it get there?", "would this cut anyone off?".

use super::channels::Channels;
use super::source::Source;
use crate::args::FieldArguments;
use crate::error::CliError;
use crate::places::Place;
use serde::Serialize;
use std::fmt::Write as _;
use thalweg::bundle::{CellState, FieldBundle};
use thalweg::core::components::Components;
use thalweg::core::flow::Guidance;
use thalweg::core::grid::{Cell, CellId};
use thalweg::core::movement::EdgeKind;
use thalweg::core::route::{RouteOptions, RouteScratch, find_route};

/// The most cells of a way that are printed as text; JSON has all.
const MAX_PRINTED: usize = 40;

/// The answers, in the order of the words typed. Empty lists are left out of JSON.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Questions {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    routes: Vec<RouteAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    can_reach: Vec<ReachAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_block: Option<BlockAnswer>,
}

#[derive(Debug, Serialize)]
struct RouteAnswer {
    from: Place,
    reach: &'static str,
    /// Where the way ends; all that follows is null without one.
    to: Option<Place>,
    cost: Option<u32>,
    /// What the field says: its starting cost at the goal included.
    field_cost: Option<u32>,
    goal_bias: Option<u32>,
    length: Option<f64>,
    expanded: Option<usize>,
    same_cost: Option<bool>,
    same_way: Option<bool>,
    cells: Vec<Place>,
}

#[derive(Debug, Serialize)]
struct ReachAnswer {
    cell: Place,
    can_reach: bool,
    reach: &'static str,
}

#[derive(Debug, Serialize)]
struct BlockAnswer {
    blocked: usize,
    ignored: Vec<Place>,
    cuts_anyone_off: bool,
    cells_cut_off: usize,
    regions: Vec<RegionAnswer>,
    lost_ways: Vec<[Place; 2]>,
}

#[derive(Debug, Serialize)]
struct RegionAnswer {
    component: u32,
    /// One cell of each piece that is left, and how many it has; the largest first.
    pieces: Vec<(Place, usize)>,
}

impl Questions {
    pub(crate) fn ask(
        arguments: &FieldArguments,
        source: &Source,
        bundle: &FieldBundle,
        channels: &Channels,
    ) -> Result<Self, CliError> {
        let refused = |error: String| CliError::Usage(format!("{}: {error}", arguments.map.display()));
        let asked = &arguments.questions;
        let mut answers = Self {
            routes: asked.route.iter().map(|&from| route(bundle, from)).collect(),
            ..Self::default()
        };
        let Some(components) = &channels.components else {
            return Ok(answers);
        };
        if !asked.can_reach.is_empty() {
            let goals = source
                .goals
                .resolve(bundle.movement())
                .map_err(|error| refused(error.to_string()))?;
            let goals: Vec<CellId> = goals.seeds().iter().map(|seed| seed.cell).collect();
            answers.can_reach = asked
                .can_reach
                .iter()
                .map(|&cell| can_reach(bundle, components, &goals, cell))
                .collect();
        }
        if !asked.would_block.is_empty() {
            let xy = |cell| Place::new(bundle.grid(), cell);
            let report = components
                .would_cut_off(bundle.movement(), &asked.would_block)
                .map_err(|error| refused(error.to_string()))?;
            answers.would_block = Some(BlockAnswer {
                blocked: report.blocked,
                ignored: report.ignored.iter().copied().map(xy).collect(),
                cuts_anyone_off: report.cuts_anyone_off(),
                cells_cut_off: report.cells_cut_off(),
                regions: report
                    .splits
                    .iter()
                    .map(|split| RegionAnswer {
                        component: split.component.0,
                        pieces: split
                            .pieces
                            .iter()
                            .map(|piece| (xy(piece.cell), piece.size))
                            .collect(),
                    })
                    .collect(),
                lost_ways: report
                    .lost_ways
                    .iter()
                    .map(|way| [xy(way.from), xy(way.to)])
                    .collect(),
            });
        }
        Ok(answers)
    }

    /// Whether every question with a yes or no was answered as one hopes.
    pub(crate) fn all_well(&self) -> bool {
        self.routes.iter().all(|route| route.cost.is_some())
            && self.can_reach.iter().all(|answer| answer.can_reach)
            && self
                .would_block
                .as_ref()
                .is_none_or(|answer| !answer.cuts_anyone_off)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let mut line = |args: std::fmt::Arguments<'_>| {
            let _ok = writeln!(text, "{args}");
        };
        for route in &self.routes {
            let from = route.from;
            let (Some(to), Some(cost), Some(field_cost)) = (route.to, route.cost, route.field_cost) else {
                line(format_args!("route      from {from}: {}", route.reach));
                continue;
            };
            line(format_args!(
                "route      from {from} to {to}: cost {cost}, {:.2} cells long, {} cells expanded; the field says {field_cost}{}, {}",
                route.length.unwrap_or(0.0),
                route.expanded.unwrap_or(0),
                match route.goal_bias {
                    Some(bias @ 1..) => format!(" with the goal's bias of {bias}"),
                    _ => String::new(),
                },
                match (route.same_cost, route.same_way) {
                    (Some(true), Some(true)) => "the same way",
                    (Some(true), _) => "another way of the same cost",
                    _ => "which is not the same",
                }
            ));
            let shown: Vec<String> = route.cells.iter().take(MAX_PRINTED).map(Place::typed).collect();
            let more = route.cells.len().saturating_sub(MAX_PRINTED);
            let rest = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            line(format_args!("           {}{rest}", shown.join(" ")));
        }
        for answer in &self.can_reach {
            let cell = answer.cell;
            let word = if answer.can_reach { "yes" } else { "no" };
            line(format_args!("can reach  from {cell}: {word} ({})", answer.reach));
        }
        if let Some(answer) = &self.would_block {
            let ignored = match answer.ignored.len() {
                0 => String::new(),
                count => format!(" ({count} off the map or blocked already)"),
            };
            let blocked = answer.blocked;
            if answer.cuts_anyone_off {
                let regions: usize = answer.regions.iter().map(|region| region.pieces.len() - 1).sum();
                let lost = match answer.lost_ways.len() {
                    0 => String::new(),
                    ways => format!("; {ways} ways that lead one way only are lost"),
                };
                line(format_args!(
                    "block      {blocked} cells{ignored}: cuts off {} cells in {regions} pieces{lost}",
                    answer.cells_cut_off
                ));
                for region in &answer.regions {
                    let pieces: Vec<String> = region
                        .pieces
                        .iter()
                        .map(|(cell, size)| format!("{size} cells round {cell}"))
                        .collect();
                    line(format_args!(
                        "           component {} falls into {}",
                        region.component,
                        pieces.join(", ")
                    ));
                }
            } else {
                line(format_args!(
                    "block      {blocked} cells{ignored}: cuts nobody off"
                ));
            }
        }
        text
    }
}

/// What a field says of a cell, in a word.
pub(super) const fn reach_word(state: CellState) -> &'static str {
    match state {
        CellState::Reached { .. } => "reached",
        CellState::Unreachable => "unreachable",
        CellState::Unknown => "unknown",
        CellState::Impassable => "impassable",
        CellState::Outside => "outside",
    }
}

fn can_reach(bundle: &FieldBundle, components: &Components, goals: &[CellId], cell: Cell) -> ReachAnswer {
    let report = bundle.query(cell);
    // The field answers, unless a cost limit cut it short: components know no limit.
    let can_reach = match report.state {
        CellState::Reached { .. } => true,
        CellState::Unknown => bundle
            .grid()
            .id(cell)
            .is_some_and(|id| goals.iter().any(|&goal| components.can_reach(id, goal))),
        _ => false,
    };
    ReachAnswer {
        cell: Place::new(bundle.grid(), cell),
        can_reach,
        reach: reach_word(report.state),
    }
}

/// The cells that following the field leads over, from a cell to a goal.
fn field_way(bundle: &FieldBundle, from: CellId) -> Vec<CellId> {
    let (grid, flow, movement) = (bundle.grid(), bundle.flow(), bundle.movement());
    let mut way = vec![from];
    let mut at = from;
    // A way has no cell twice.
    while way.len() <= grid.len() {
        let next = match flow.guidance(at) {
            Guidance::Toward(direction) => grid.neighbour(at, direction),
            Guidance::Through(portal) => movement
                .edges_from(at)
                .find(|edge| edge.kind == EdgeKind::Portal(portal))
                .map(|edge| edge.other),
            _ => None,
        };
        let Some(next) = next else { break };
        way.push(next);
        at = next;
    }
    way
}

fn route(bundle: &FieldBundle, from: Cell) -> RouteAnswer {
    let report = bundle.query(from);
    let xy = |cell| Place::new(bundle.grid(), cell);
    let none = RouteAnswer {
        from: xy(from),
        reach: reach_word(report.state),
        to: None,
        cost: None,
        field_cost: None,
        goal_bias: None,
        length: None,
        expanded: None,
        same_cost: None,
        same_way: None,
        cells: Vec::new(),
    };
    let (Some(field_cost), Some(start)) = (report.cost(), bundle.grid().id(from)) else {
        return none;
    };
    let way = field_way(bundle, start);
    let goal = *way.last().unwrap_or(&start);
    let bias = bundle.integration().cost(goal).map_or(0, |cost| cost.0);
    let mut path = Vec::new();
    let (grid, movement) = (bundle.grid(), bundle.movement());
    let found = find_route(
        movement,
        from,
        grid.cell(goal),
        &RouteOptions::new(),
        &mut RouteScratch::default(),
        &mut path,
    );
    let Ok(found) = found else { return none };
    let length = |pair: &[CellId]| {
        let (a, b) = (grid.column_row_of(pair[0]), grid.column_row_of(pair[1]));
        let same_layer = grid.layer_of(pair[0]).index() == grid.layer_of(pair[1]).index();
        match (a.0.abs_diff(b.0), a.1.abs_diff(b.1)) {
            _ if !same_layer => 0.0,
            (1, 1) => core::f64::consts::SQRT_2,
            (0 | 1, 0 | 1) => 1.0,
            // Through a portal.
            _ => 0.0,
        }
    };
    RouteAnswer {
        to: Some(xy(grid.cell(goal))),
        cost: Some(found.cost.0),
        field_cost: Some(field_cost.0),
        goal_bias: Some(bias),
        length: Some(path.windows(2).map(length).fold(0.0, |sum, step| sum + step)),
        expanded: Some(found.expanded),
        same_cost: Some(u64::from(found.cost.0) + u64::from(bias) == u64::from(field_cost.0)),
        same_way: Some(path == way),
        cells: path.iter().map(|&id| xy(grid.cell(id))).collect(),
        ..none
    }
}
