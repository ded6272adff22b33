//! Time states: a graph over cells and ticks, from the words about timetables.

use super::place::step_index;
use super::search::Against;
use super::{Listed, Rules, Timed, Times, Truth};
use thalweg_core::movement::EdgeKind;

fn inside(span: (u32, u32), tick: u32) -> bool {
    (span.0..span.1).contains(&tick)
}

impl Times {
    fn closes_cell(&self, cell: usize, tick: u32) -> bool {
        self.entries.iter().any(|entry| match entry {
            Timed::Cell(closed, span) => *closed == cell && inside(*span, tick),
            Timed::CellOnly(closed, span) => *closed == cell && !inside(*span, tick),
            Timed::Patrol(first, walk) => {
                let place = tick
                    .checked_sub(*first)
                    .and_then(|place| walk.get(place as usize));
                place == Some(&cell)
            }
            Timed::Edge(..) | Timed::EdgeOnly(..) => false,
        })
    }

    fn closes_edge(&self, from: usize, to: usize, tick: u32) -> bool {
        self.entries.iter().any(|entry| match entry {
            Timed::Edge(a, b, span) => (*a, *b) == (from, to) && inside(*span, tick),
            Timed::EdgeOnly(a, b, span) => (*a, *b) == (from, to) && !inside(*span, tick),
            _ => false,
        })
    }
}

/// A world's timetable over its rules.
struct Clock<'a> {
    rules: &'a Rules<'a>,
    times: &'a Times,
    /// What is closed, tick by tick up to the horizon.
    walled: Vec<Vec<bool>>,
    /// Whether any entry is of edges.
    closes_edges: bool,
    no_walls: Vec<bool>,
}

impl Clock<'_> {
    /// From the horizon on all is open if the map goes on.
    fn is_timed(&self, tick: u32) -> bool {
        tick < self.times.horizon || !self.times.goes_on
    }

    fn exists(&self, tick: u32) -> bool {
        self.times.goes_on || tick <= self.times.horizon
    }

    fn stands(&self, anchor: usize, tick: u32) -> bool {
        if self.is_timed(tick) {
            self.rules.is_free(anchor, &self.walled[tick as usize])
        } else {
            self.rules.is_free(anchor, &self.no_walls)
        }
    }

    /// Whether an edge is legal in a tick: with everything walled that is closed then it still is one, and no cell of the
    /// body goes where it may not go.
    fn is_legal(&self, edge: &Listed, tick: u32) -> bool {
        if !self.is_timed(tick) {
            return true;
        }
        let mut walled = self.walled[tick as usize].clone();
        if !self.times.on_both {
            walled[edge.to] = false;
        }
        let still_there = match edge.kind {
            EdgeKind::Step(direction) => {
                self.rules.step(edge.from, step_index(direction), &walled) == Some(edge.to)
            }
            _ => self.rules.is_free(edge.from, &walled) && self.rules.is_free(edge.to, &walled),
        };
        if !still_there || !self.closes_edges {
            return still_there;
        }
        let floors = &self.rules.world.floors;
        let goes = (0..8).find(|&step| floors.step(edge.from, step) == Some(edge.to));
        let closed = match goes {
            // Every cell of the body goes the same way.
            Some(step) => self.rules.covers[edge.from].iter().any(|&cell| {
                let to = floors.step(cell, step);
                to.is_some_and(|to| self.times.closes_edge(cell, to, tick))
            }),
            None => self.times.closes_edge(edge.from, edge.to, tick),
        };
        !closed
    }

    fn may_move(&self, edge: &Listed, tick: u32, arrival: u32) -> bool {
        self.exists(arrival)
            && self.stands(edge.from, tick)
            && self.stands(edge.to, arrival)
            // A dear portal takes millions of ticks, and beyond the horizon every tick is like every other.
            && (tick..arrival.min(self.times.horizon + 1)).all(|during| self.is_legal(edge, during))
    }
}

/// The least cost of standing on an anchor at the beginning of a tick, `[tick][anchor]`, up to the horizon.
pub(super) fn time_costs(truth: &Truth<'_>, times: &Times) -> Vec<Vec<Option<u64>>> {
    let anchors = truth.best.len();
    let walled =
        (0..=times.horizon).map(|tick| (0..anchors).map(|cell| times.closes_cell(cell, tick)).collect());
    let clock = Clock {
        rules: truth.rules,
        times,
        walled: walled.collect(),
        closes_edges: times
            .entries
            .iter()
            .any(|entry| matches!(entry, Timed::Edge(..) | Timed::EdgeOnly(..))),
        no_walls: truth.rules.no_walls(),
    };
    let node = |anchor: usize, tick: u32| tick.min(times.horizon) as usize * anchors + anchor;
    let (mut edges, mut starts) = (Vec::new(), Vec::new());
    for tick in 0..=times.horizon {
        let is_static = times.goes_on && tick == times.horizon;
        for edge in &truth.edges {
            let arrival = tick + times.ticks_of(edge.cost);
            if is_static || clock.may_move(edge, tick, arrival) {
                edges.push((node(edge.from, tick), node(edge.to, arrival), edge.cost));
            }
        }
        if let Some(wait) = times.wait
            && !is_static
            && clock.exists(tick + 1)
        {
            let waits =
                (0..anchors).filter(|&anchor| clock.stands(anchor, tick) && clock.stands(anchor, tick + 1));
            edges.extend(waits.map(|anchor| (node(anchor, tick), node(anchor, tick + 1), u64::from(wait))));
        }
        let standing = truth.starts.iter().filter(|start| clock.stands(start.0, tick));
        starts.extend(standing.map(|start| (node(start.0, tick), start.1, 0)));
    }
    let best = Against::new(anchors * clock.walled.len(), &edges).search(starts);
    best.chunks(anchors)
        .map(|row| row.iter().map(|best| best.map(|best| best.0)).collect())
        .collect()
}
