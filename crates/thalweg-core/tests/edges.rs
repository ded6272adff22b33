//! Edges seen from both ends are the same edges.

use std::collections::BTreeSet;
use thalweg_core::cost::CostField;
use thalweg_core::grid::Grid;
use thalweg_core::movement::{Charge, CornerRule, EdgeKind, Movement, MovementProfile};

#[test]
fn every_edge_that_leaves_a_cell_enters_the_other_at_the_same_cost() {
    let grid = Grid::new(5, 4).unwrap();
    let bytes = vec![1, 255, 3, 1, 9, 2, 1, 1, 255, 1, 0, 4, 255, 1, 1, 1, 1, 7, 1, 254];
    let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
    for corner in [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always] {
        for charge in [Charge::Depart, Charge::Arrive, Charge::Mean] {
            let profile = MovementProfile::new()
                .with_corner_rule(corner)
                .with_charge(charge);
            let movement = Movement::compile(&costs, &profile);
            let key = |kind| match kind {
                EdgeKind::Step(direction) => direction.index(),
                _ => 8,
            };
            let mut leaving = BTreeSet::new();
            let mut entering = BTreeSet::new();
            for id in grid.ids() {
                leaving.extend(
                    movement
                        .edges_from(id)
                        .map(|edge| (id, edge.other, key(edge.kind), edge.cost)),
                );
                entering.extend(
                    movement
                        .edges_into(id)
                        .map(|edge| (edge.other, id, key(edge.kind), edge.cost)),
                );
            }
            assert!(leaving.len() > 40);
            assert_eq!(leaving, entering, "{profile:?}");
        }
    }
}
