//! Costs, states and edges of a compiled movement.

use super::search::Truth;
use super::{Checker, Rules, World};
use crate::body::Under;
use thalweg_core::cost::CostField;
use thalweg_core::grid::CellId;
use thalweg_core::movement::{EdgeKind, Movement};

impl Checker {
    pub(super) fn check_ground(
        &mut self,
        world: &World,
        rules: &Rules<'_>,
        costs: &CostField,
        movement: &Movement,
    ) {
        assert_eq!(costs.grid().len(), world.floors.len());
        for id in costs.grid().ids() {
            let cell = world.floors.cell(id.index());
            assert_eq!(costs.grid().cell(id), cell, "{world:?}");
            assert_eq!(costs.grid().id(cell), Some(id), "{world:?}");
            let ground = rules.ground_at(id.index());
            assert_eq!(
                costs.get(id).map(|cost| cost.byte()),
                ground,
                "ground of {cell}, {world:?}"
            );
            assert_eq!(
                movement.ground_costs()[id.index()],
                ground.unwrap_or(255),
                "ground of {cell}, {world:?}"
            );
            assert_eq!(
                movement.is_ground_known(id),
                ground.is_some(),
                "ground of {cell}, {world:?}"
            );
            let (cost, known) = match rules.under(id.index()) {
                Under::Free(cost) => (cost, true),
                Under::Wall => (255, true),
                Under::Unknown => (255, false),
            };
            assert_eq!(movement.costs()[id.index()], cost, "anchor {cell}, {world:?}");
            assert_eq!(movement.is_known(id), known, "anchor {cell}, {world:?}");
        }
    }

    pub(super) fn check_edges(&mut self, world: &World, truth: &Truth<'_>, movement: &Movement) {
        let mut into: Vec<Vec<(EdgeKind, usize, u64)>> = vec![Vec::new(); world.floors.len()];
        for edge in &truth.edges {
            into[edge.to].push((edge.kind, edge.from, edge.cost));
        }
        for (anchor, into) in into.iter_mut().enumerate() {
            let id = CellId::from_index(anchor);
            let cell = world.floors.cell(anchor);
            let wanted = truth.edges_from(anchor).iter();
            let wanted: Vec<_> = wanted.map(|edge| (edge.kind, edge.to, edge.cost)).collect();
            let seen =
                |edge: thalweg_core::movement::Edge| (edge.kind, edge.other.index(), u64::from(edge.cost));
            let got: Vec<_> = movement.edges_from(id).map(seen).collect();
            assert_eq!(got, wanted, "edges from {cell}, {world:?}");
            let mut got: Vec<_> = movement.edges_into(id).map(seen).collect();
            got.sort_unstable();
            into.sort_unstable();
            assert_eq!(got, *into, "edges into {cell}, {world:?}");
            self.counts.edges += wanted.len() as u64;
        }
        // The engines size their buckets by these.
        let dearest = truth.edges.iter().map(|edge| edge.cost).max().unwrap_or(0);
        assert!(
            u64::from(movement.largest_edge()) >= dearest,
            "{dearest} of {world:?}"
        );
        let steps = truth
            .edges
            .iter()
            .filter(|edge| matches!(edge.kind, EdgeKind::Step(_)));
        let cheapest = steps.map(|edge| edge.cost).filter(|&cost| cost > 0).min();
        let bound = u64::from(movement.smallest_positive_step());
        assert!(
            cheapest.is_none_or(|cheapest| cheapest >= bound),
            "{cheapest:?} below {bound} of {world:?}"
        );
        let has_free = truth.edges.iter().any(|edge| edge.cost == 0);
        assert!(movement.has_zero_steps() || !has_free, "a free edge of {world:?}");
    }
}
