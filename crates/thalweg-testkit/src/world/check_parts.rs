//! Who can get where, and what a new wall would cut off.

use super::search::{Truth, against};
use super::{Checker, Draw, Product, World};
use thalweg_core::components::Components;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::integrate::reachable_from;
use thalweg_core::movement::Movement;

impl Checker {
    pub(super) fn check_parts<D: Draw>(
        &mut self,
        world: &World,
        product: &Product,
        costs: &CostField,
        truth: &Truth<'_>,
        movement: &Movement,
        random: &mut D,
    ) {
        let anchors = world.floors.len();
        let plain = Components::of(movement);
        let components = plain.clone().with_cut_points(movement).expect("of this movement");
        let before = against(anchors, &truth.edges);
        let none = truth.rules.no_walls();
        let leading: Vec<Vec<bool>> = (0..anchors).map(|to| before.leading_to(to)).collect();
        for (to, leads) in leading.iter().enumerate() {
            for (from, &leads) in leads.iter().enumerate() {
                let wanted = leads && truth.rules.is_free(from, &none);
                let got = components.can_reach(CellId::from_index(from), CellId::from_index(to));
                let names = (world.floors.cell(from), world.floors.cell(to));
                assert_eq!(got, wanted, "{names:?} of {world:?}");
            }
        }
        let from = world.any(random);
        let flood = reachable_from(movement, CellId::from_index(from));
        for (to, leads) in leading.iter().enumerate() {
            let wanted = leads[from] && truth.rules.is_free(from, &none);
            assert_eq!(
                flood.contains(CellId::from_index(to)),
                wanted,
                "{from} to {to} of {world:?}"
            );
        }
        let cells: Vec<Cell> = (0..=random.below(3))
            .map(|_| world.floors.cell(world.any(random)))
            .collect();
        let mut walled = none.clone();
        for &cell in &cells {
            walled[world.floors.id(cell).expect("drawn on the map")] = true;
        }
        let after_edges = truth.rules.edges(&walled);
        self.check_walled(world, product, costs, &cells, &after_edges);
        let after = against(anchors, &after_edges);
        let stays: Vec<usize> = (0..anchors)
            .filter(|&anchor| truth.rules.is_free(anchor, &walled))
            .collect();
        let is_cut = stays.iter().any(|&to| {
            let leads = after.leading_to(to);
            stays.iter().any(|&from| leading[to][from] && !leads[from])
        });
        let gone = (0..anchors)
            .filter(|&anchor| truth.rules.is_free(anchor, &none))
            .count()
            - stays.len();
        for components in [&plain, &components] {
            let report = components
                .would_cut_off(movement, &cells)
                .expect("of this movement");
            assert_eq!(
                report.cuts_anyone_off(),
                is_cut,
                "walls on {cells:?}: {report:?}, {world:?}"
            );
            assert_eq!(report.blocked, gone, "walls on {cells:?}, {world:?}");
        }
        self.counts.parts += 1;
        self.counts.cuts += u64::from(is_cut);
    }

    /// A map compiled with more walls has the edges that the rules list with them.
    fn check_walled(
        &mut self,
        world: &World,
        product: &Product,
        costs: &CostField,
        cells: &[Cell],
        wanted: &[super::Listed],
    ) {
        let mut costs = costs.clone();
        for &cell in cells {
            costs.set(cell, Cost::IMPASSABLE).expect("on the map");
        }
        let movement = product.movement(&costs);
        let got: Vec<_> = movement
            .grid()
            .ids()
            .flat_map(|id| {
                movement
                    .edges_from(id)
                    .map(move |edge| (id.index(), edge.kind, edge.other.index()))
            })
            .collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|edge| (edge.from, edge.kind, edge.to))
            .collect();
        assert_eq!(got, wanted, "walls on {cells:?}, {world:?}");
    }
}
