//! Turn states: the same edges, paid by how one came.

use super::search::Against;
use super::{STEPS, Truth};
use crate::expanded::eighths;
use thalweg_core::grid::Direction;
use thalweg_core::movement::EdgeKind;

/// The state of a cell entered by a step, by the place of its direction; the ninth is at rest.
pub(super) const STATES: usize = 9;

/// The least cost of every state, `anchor * 9 + state`.
pub(super) fn turn_costs(truth: &Truth<'_>, by_eighths: [u32; 5]) -> Vec<Option<u64>> {
    let mut price = [[0u64; STATES]; STATES];
    for (from, &(incoming, ..)) in STEPS.iter().enumerate() {
        for (to, &(outgoing, ..)) in STEPS.iter().enumerate() {
            price[from][to] = u64::from(by_eighths[eighths(incoming, outgoing)]);
        }
    }
    let mut edges = Vec::with_capacity(truth.edges.len() * STATES);
    for edge in &truth.edges {
        let outgoing = match edge.kind {
            EdgeKind::Step(direction) => state_of(Some(direction)),
            _ => state_of(None),
        };
        for (incoming, prices) in price.iter().enumerate() {
            edges.push((
                edge.from * STATES + incoming,
                edge.to * STATES + outgoing,
                edge.cost + prices[outgoing],
            ));
        }
    }
    let starts = truth.starts.iter();
    let starts = starts
        .flat_map(|&(anchor, bias, _)| (0..STATES).map(move |state| (anchor * STATES + state, bias, 0)));
    let best = Against::new(truth.best.len() * STATES, &edges).search(starts);
    best.into_iter().map(|best| best.map(|best| best.0)).collect()
}

pub(super) fn state_of(incoming: Option<Direction>) -> usize {
    let place = incoming.and_then(|incoming| STEPS.iter().position(|step| step.0 == incoming));
    place.unwrap_or(STATES - 1)
}
