//! Stamps laid over costs and taken away again, in any order.

use super::field::check_same_grid;
use super::raster::Raster;
use super::{Cost, CostField, CostFieldError, DirtyRegion, MAX_COST, OverlayError, Stamp, StampEffect};
use crate::grid::{CellId, Grid, LayerIndex};
use core::fmt;

/// Names a stamp that lies on a map. Ids are never reused: after the stamp is taken away its id means nothing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct StampId {
    slot: u32,
    generation: u32,
}

/// Counts the stamps laid down and taken away. Monotonic within one value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct OverlayVersion(pub u64);

/// The side of a tile of the index from cells to stamps, in cells.
const TILE: u32 = 16;
/// Dirty rectangles kept apart; of more, those of a layer are joined into one.
const MAX_DIRTY: usize = 4096;

#[derive(Clone, Debug)]
struct Live {
    stamp: Stamp,
    raster: Raster,
}

#[derive(Clone, Debug)]
struct Slot {
    generation: u32,
    live: Option<Live>,
}

/// The stamps that lie on a map. They belong to no profile: the same barricade lies over the costs of each.
///
/// The cost of a cell follows from the base and from the stamps that lie on it *now*, never from what lay there before;
/// so stamps may be taken away in any order and the base comes back exactly:
/// 1. any **block**: impassable;
/// 2. else the **set** laid down last, or the base if there is none;
/// 3. plus all **adds**, whatever the order, up to 254. Impassable and unknown ground stays what it is under adds.
///
/// On unknown ground, block makes a known wall (a profile that assumes a cost for unknown ground must not walk through
/// a barricade) and set makes known ground; add leaves it unknown.
///
/// Costs made by [`Self::compose`] are kept up by [`Self::update`] with the regions of [`Self::take_dirty`];
/// [`OverlaidCosts`](super::OverlaidCosts) does that for one base.
///
/// Stamps are found by tiles of 16 × 16 cells. Rejected: a list of stamps per cell (24 bytes for every cell of every map,
/// stamps or not), and undo logs (they put back the wrong thing when the order of taking differs from that of laying).
#[derive(Clone)]
pub struct Overlays {
    grid: Grid,
    slots: Vec<Slot>,
    free: Vec<u32>,
    len: usize,
    /// Per tile the slots of the stamps that cover cells of it, in the order they were laid down.
    tiles: Vec<Vec<u32>>,
    /// Of each layer, its first tile and how many tiles are in a row.
    layers: Vec<(usize, u32)>,
    version: OverlayVersion,
    dirty: Vec<DirtyRegion>,
}

impl Overlays {
    /// No stamps, for maps of this grid.
    #[must_use]
    pub fn new(grid: Grid) -> Self {
        let mut tiles = 0;
        let mut layers = Vec::with_capacity(grid.layers().len());
        for layer in grid.layers() {
            let in_row = layer.width().div_ceil(TILE);
            layers.push((tiles, in_row));
            tiles += in_row as usize * layer.height().div_ceil(TILE) as usize;
        }
        Self {
            grid,
            slots: Vec::new(),
            free: Vec::new(),
            len: 0,
            tiles: vec![Vec::new(); tiles],
            layers,
            version: OverlayVersion(0),
            dirty: Vec::new(),
        }
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Raised whenever a stamp is laid down or taken away, also one that covers no cell.
    #[must_use]
    pub const fn version(&self) -> OverlayVersion {
        self.version
    }

    /// How many stamps lie on the map.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether no stamp lies on the map.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The stamp of an id, while it lies on the map.
    #[must_use]
    pub fn get(&self, id: StampId) -> Option<&Stamp> {
        self.live(id).map(|live| &live.stamp)
    }

    /// How many cells a stamp covers, while it lies on the map.
    #[must_use]
    pub fn cells(&self, id: StampId) -> Option<usize> {
        self.live(id).map(|live| live.raster.len())
    }

    /// Lays a stamp down, on top of the others.
    ///
    /// # Errors
    /// [`OverlayError::Layer`] or [`OverlayError::Full`]; nothing is changed then.
    pub fn put(&mut self, stamp: Stamp) -> Result<StampId, OverlayError> {
        let raster = stamp.raster(&self.grid)?;
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.slots.len()).map_err(|_| OverlayError::Full)?;
                self.slots.push(Slot {
                    generation: 0,
                    live: None,
                });
                slot
            }
        };
        for tile in self.tiles_of(&raster) {
            self.tiles[tile].push(slot);
        }
        self.mark(&raster);
        self.len += 1;
        let place = &mut self.slots[slot as usize];
        place.live = Some(Live { stamp, raster });
        Ok(StampId {
            slot,
            generation: place.generation,
        })
    }

    /// Takes a stamp away and gives it back.
    ///
    /// # Errors
    /// [`OverlayError::NotLive`] if it does not lie on the map; nothing is changed then.
    pub fn take(&mut self, id: StampId) -> Result<Stamp, OverlayError> {
        let place = self.slots.get_mut(id.slot as usize);
        let live = place
            .filter(|place| place.generation == id.generation)
            .and_then(|place| place.live.take());
        let Some(Live { stamp, raster }) = live else {
            return Err(OverlayError::NotLive {
                slot: id.slot,
                generation: id.generation,
            });
        };
        for tile in self.tiles_of(&raster) {
            self.tiles[tile].retain(|&slot| slot != id.slot);
        }
        self.mark(&raster);
        self.len -= 1;
        // A place that has gone through all generations is not used again, so that no id ever means two stamps.
        if let Some(generation) = id.generation.checked_add(1) {
            self.slots[id.slot as usize].generation = generation;
            self.free.push(id.slot);
        }
        Ok(stamp)
    }

    /// The rectangles that hold every cell whose stamps changed since the last call, which are forgotten. They may
    /// overlap; beyond some thousands those of a layer are joined into one.
    ///
    /// With several profiles: take them once, then [`Self::update`] the cost field of each.
    pub fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        core::mem::take(&mut self.dirty)
    }

    /// The base with all stamps over it. O(cells).
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`].
    pub fn compose(&self, base: &CostField) -> Result<CostField, CostFieldError> {
        check_same_grid(&self.grid, base.grid())?;
        let mut costs = base.clone();
        for region in DirtyRegion::whole(&self.grid) {
            self.update(base, region, &mut costs)?;
        }
        costs.take_dirty();
        Ok(costs)
    }

    /// Brings the cells of a region up to date in costs made by [`Self::compose`], after stamps or the base changed
    /// there. O(cells of the region × stamps on them).
    ///
    /// # Errors
    /// [`CostFieldError::OtherGrid`]; nothing is changed then.
    pub fn update(
        &self,
        base: &CostField,
        region: DirtyRegion,
        costs: &mut CostField,
    ) -> Result<(), CostFieldError> {
        check_same_grid(&self.grid, base.grid())?;
        check_same_grid(&self.grid, costs.grid())?;
        for id in region.ids(&self.grid) {
            let (column, row) = self.grid.column_row_of(id);
            costs.write(id, self.cost_at(base.get(id), region.layer, column, row));
        }
        Ok(())
    }

    /// What a cell costs with all stamps on it over a base cost; `None` is unknown.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[must_use]
    pub fn cost_over(&self, base: Option<Cost>, id: CellId) -> Option<Cost> {
        if self.is_empty() {
            return base;
        }
        let (column, row) = self.grid.column_row_of(id);
        self.cost_at(base, self.grid.layer_of(id).index(), column, row)
    }

    /// The one composition rule.
    fn cost_at(&self, base: Option<Cost>, layer: LayerIndex, column: u32, row: u32) -> Option<Cost> {
        let mut cost = base;
        let mut added: u64 = 0;
        for &slot in &self.tiles[self.tile_of(layer, column, row)] {
            let live = self.slots[slot as usize].live.as_ref();
            let Some(live) = live.filter(|live| live.raster.covers(column, row)) else {
                continue;
            };
            match live.stamp.effect_at(&self.grid, column, row) {
                StampEffect::Block => return Some(Cost::IMPASSABLE),
                StampEffect::Add(more) => added += u64::from(more),
                // Later in the list is laid down later.
                StampEffect::Set(set) => cost = Some(set),
            }
        }
        cost.map(|cost| {
            if cost.is_passable() {
                let sum = u64::from(cost.byte()) + added;
                Cost::from_byte(u8::try_from(sum).unwrap_or(MAX_COST).min(MAX_COST))
            } else {
                cost
            }
        })
    }

    fn live(&self, id: StampId) -> Option<&Live> {
        let slot = self.slots.get(id.slot as usize)?;
        (slot.generation == id.generation)
            .then_some(slot.live.as_ref())
            .flatten()
    }

    fn tile_of(&self, layer: LayerIndex, column: u32, row: u32) -> usize {
        let (first, in_row) = self.layers[usize::from(layer)];
        first + (row / TILE) as usize * in_row as usize + (column / TILE) as usize
    }

    /// The tiles that a raster has cells in, each once, in order.
    fn tiles_of(&self, raster: &Raster) -> Vec<usize> {
        let mut tiles: Vec<usize> = raster
            .spans()
            .flat_map(|(row, (start, end))| {
                self.tile_of(raster.layer(), start, row)..=self.tile_of(raster.layer(), end - 1, row)
            })
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles
    }

    /// Raises the version and remembers what changed.
    fn mark(&mut self, raster: &Raster) {
        self.version.0 += 1;
        self.dirty.extend(raster.regions());
        if self.dirty.len() > MAX_DIRTY {
            let mut joined = Vec::new();
            for region in self.dirty.drain(..) {
                region.add_to(&mut joined);
            }
            self.dirty = joined;
        }
    }
}

impl fmt::Debug for Overlays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Overlays")
            .field("grid", &self.grid)
            .field("stamps", &self.len())
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}
