//! What a profile pays on a cell: the one place where the rule stands.

use super::{LivingMapError, ProfileSpec};
use thalweg_core::cost::{ClassCosts, Cost, CostField, HeightMap, Overlays, TerrainError, TerrainMap};
use thalweg_core::grid::CellId;

/// Everything about the ground of cells, whoever walks there.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    /// What is given back to the map.
    pub(super) original: CostField,
    /// The map's own costs, as written.
    pub(super) own: CostField,
    /// Where they have been written, and then hold for profiles with a table of classes too.
    written: Written,
    pub(super) terrain: Option<TerrainMap>,
    pub(super) heights: Option<HeightMap>,
    pub(super) overlays: Overlays,
}

impl Ground {
    pub(super) fn new(costs: CostField) -> Self {
        Self {
            written: Written::none(costs.grid().len()),
            overlays: Overlays::new(costs.grid().clone()),
            original: costs.clone(),
            own: costs,
            terrain: None,
            heights: None,
        }
    }

    /// Writes a cost over the map, for everybody; `None` makes the cell unknown. Whether anything has changed that the
    /// version of the own costs does not tell.
    pub(super) fn write(&mut self, id: CellId, cost: Option<Cost>) -> bool {
        let before = self.own.version();
        self.own.write(id, cost);
        // Without terrain nobody sees a difference between what was written and what was there.
        self.written.set(id, true) && self.terrain.is_some() && self.own.version() == before
    }

    /// Gives a cell back what it had in the beginning; answers as [`Self::write`].
    pub(super) fn restore(&mut self, id: CellId) -> bool {
        let before = self.own.version();
        self.own.write(id, self.original.get(id));
        self.written.set(id, false) && self.terrain.is_some() && self.own.version() == before
    }

    /// The map's own cost of a cell with stamps over it; `None` is unknown.
    pub(super) fn own_with_stamps(&self, id: CellId) -> Option<Cost> {
        self.overlays.cost_over(self.own.get(id), id)
    }

    /// What a profile pays on a cell; `None` is unknown.
    pub(super) fn paid(&self, spec: &ProfileSpec, id: CellId) -> Option<Cost> {
        let base = match (&spec.classes, &self.terrain) {
            (Some(table), Some(terrain)) if !self.written.get(id) => {
                // Every class of the terrain is in the table: profiles and edits of classes are refused otherwise.
                terrain.class(id).and_then(|class| table.cost(class))
            }
            _ => self.own.get(id),
        };
        let over_heights = match (&spec.slopes, &self.heights) {
            (Some(rule), Some(heights)) => heights.cost_over(base, rule, id),
            _ => base,
        };
        spec.unknown.seen(self.overlays.cost_over(over_heights, id))
    }

    /// What a profile pays everywhere. O(cells), or nothing where the map's own costs hold.
    pub(super) fn paid_everywhere(&self, spec: &ProfileSpec) -> CostField {
        // Copy-on-write.
        let mut costs = self.own.clone();
        costs.take_dirty();
        let sees_own = spec.classes.is_none() && (spec.slopes.is_none() || self.heights.is_none());
        let is_known = spec.unknown == Default::default() || self.own.unknown_len() == 0;
        if !(sees_own && is_known && self.overlays.is_empty()) {
            for id in self.own.grid().ids() {
                costs.write(id, self.paid(spec, id));
            }
        }
        costs
    }
}

/// Refuses terrain with a class that a table does not list.
pub(super) fn check_classes(terrain: &TerrainMap, table: &ClassCosts) -> Result<(), LivingMapError> {
    let listed = |id: &CellId| terrain.class(*id).is_none_or(|class| table.cost(class).is_some());
    let Some(id) = terrain.grid().ids().find(|id| !listed(id)) else {
        return Ok(());
    };
    Err(TerrainError::UnlistedClass {
        cell: terrain.grid().cell(id),
        class: terrain.class(id).unwrap_or_default(),
    }
    .into())
}

/// A bit per cell.
#[derive(Clone, Debug)]
struct Written(Vec<u64>);

impl Written {
    fn none(cells: usize) -> Self {
        Self(vec![0; cells.div_ceil(64)])
    }

    fn get(&self, id: CellId) -> bool {
        self.0[id.index() / 64] >> (id.index() % 64) & 1 == 1
    }

    /// Whether it was different.
    fn set(&mut self, id: CellId, written: bool) -> bool {
        let was = self.get(id);
        self.0[id.index() / 64] ^= u64::from(was != written) << (id.index() % 64);
        was != written
    }
}
