//! The movement of a map that has changed a little, from the movement before it, in time that goes with what changed.
//!
//! What changed is found by comparing the inputs with those the old movement was made from, page by page
//! ([`crate::shared_cells`]): where they share a page nothing did. Rejected: being told by the caller. A region that somebody
//! forgot to mark is a wall that nobody sees, and the comparison costs less than half a microsecond for a million cells.
//!
//! From there it spreads by the rules, each step only as far as something really became different:
//! ground → costs of the anchors whose bodies cover it → passability → exits of these anchors and those around them (a wall
//! closes diagonals of its neighbours) → entries of the cells they lead to; borders and charges → what is open for the bodies
//! that cover them → exits and entries; portals whose ends are passable now or no longer.

use super::body::Ground;
use super::directed::{CLOSED, Directed, GroundEdges};
use super::exits_at::ExitRules;
use super::portals::Portals;
use super::stencil::{Stencil, merged};
use super::{EdgeInputs, EdgeRuleError, Movement};
use crate::cost::{CostField, each_bit_difference};
use crate::grid::{CellId, DIRECTIONS, DirectionSet, Grid};
use crate::shared_cells::SharedCells;
use std::sync::Arc;

/// Of so many cells of a map one may change before compiling it anew is quicker.
const WORTH: usize = 32;
/// On small maps more may.
const FEW: usize = 64;

impl Movement {
    /// The movement of the same profile for changed costs and edges, in time that goes with what changed since this one;
    /// it shares with this one what did not.
    ///
    /// It is the movement that [`Self::compile_edges`] would make: the same exits, costs, entries, portals, states and range
    /// of costs. Only two bounds may be wider than they need be: edge charges that are gone still count for
    /// [`Self::largest_step`], and [`Self::has_unknown`] stays true when the last unknown cell is known; no field depends on
    /// either. What is different is told by [`Self::change_since`].
    ///
    /// A map is compiled anew, O(cells), if much of it changed, if a large body's surroundings did, and when the first
    /// border, portal or charge comes to it or the last one goes. Once for each movement compiled anew its cells are counted
    /// by their cost, a pass over the map.
    ///
    /// # Errors
    /// [`EdgeRuleError::ForeignMap`] if the costs, the rules or the charges are of another map than this movement,
    /// [`EdgeRuleError::PortalCost`] as in compiling.
    pub fn recompile(&self, costs: &CostField, edges: &EdgeInputs<'_>) -> Result<Self, EdgeRuleError> {
        let mut others = edges.grids().chain([costs.grid()]);
        if let Some(other) = others.find(|&other| *other != self.grid) {
            return Err(EdgeRuleError::ForeignMap {
                rules: other.clone(),
                costs: self.grid.clone(),
            });
        }
        match self.patched(costs, edges)? {
            Some(movement) => Ok(movement),
            None => Self::compile_edges(costs, edges, &self.profile),
        }
    }

    /// `None` where compiling anew is quicker.
    fn patched(&self, costs: &CostField, edges: &EdgeInputs<'_>) -> Result<Option<Self>, EdgeRuleError> {
        let is_directed = !edges.is_empty() || self.grid.layers().len() > 1;
        if is_directed != self.directed.is_some() {
            return Ok(None);
        }
        let body = Body::of(self);
        let Some(placed) = self.placed(costs, body.as_ref()) else {
            return Ok(None);
        };
        let mut exit_seeds = Vec::new();
        let costs_of = |&at: &usize| (self.costs.get(at), placed.costs.get(at));
        for at in &placed.changed {
            let (before, after) = costs_of(at);
            if (before == 255) != (after == 255) {
                exit_seeds.push(*at);
            }
        }
        let range = self
            .range
            .changed(&self.costs, placed.changed.iter().map(costs_of));
        let mut directed = None;
        if let Some(old) = self.directed.as_deref() {
            let is_free = |id: CellId| placed.costs.get(id.index()) != 255;
            let mut new = Directed {
                ground: GroundEdges::of(edges),
                ..old.clone()
            };
            if !old.portals.are_of(edges.rules)
                || exit_seeds.iter().any(|&at| old.portals.have_end_at(cell(at)))
            {
                if let Some(rules) = edges.rules {
                    rules.check_portals(&self.profile)?;
                }
                new.portals = Arc::new(Portals::of(edges.rules, &self.profile, is_free));
            }
            if !open_again(&mut new, old, body.as_ref(), &self.grid, &mut exit_seeds) {
                return Ok(None);
            }
            directed = Some(new);
        }
        let mut exits = self.exits.clone();
        let rules = ExitRules {
            grid: &self.grid,
            costs: &placed.costs,
            directed: directed.as_ref(),
            profile: &self.profile,
        };
        let mut turned = Vec::new();
        for id in around(&self.grid, exit_seeds) {
            let (before, after) = (exits.get(id.index()), rules.exits(id));
            if before != after {
                exits.set(id.index(), after);
                turned.push((id, before, after));
            }
        }
        if let Some(directed) = &mut directed {
            for (id, before, after) in turned {
                for direction in DirectionSet::from_bits(before.bits() ^ after.bits()) {
                    if let Some(next) = self.grid.neighbour(id, direction) {
                        let entries = directed.entries.get(next.index());
                        let entries = if after.contains(direction) {
                            entries.with(direction)
                        } else {
                            entries.without(direction)
                        };
                        directed.entries.set(next.index(), entries);
                    }
                }
            }
        }
        Ok(Some(Self {
            grid: self.grid.clone(),
            profile: self.profile,
            cost_version: costs.version(),
            costs: placed.costs,
            unknown: placed.unknown,
            ground: placed.ground,
            exits,
            steps: self.steps,
            range,
            directed: directed.map(Arc::new),
        }))
    }

    /// The costs of anchors; `None` where compiling anew is quicker.
    fn placed(&self, costs: &CostField, body: Option<&Body>) -> Option<Placed> {
        let bytes = costs.shared_bytes();
        let unknown = costs.shared_unknown();
        let (old_bytes, old_unknown) = match &self.ground {
            Some(ground) => (&ground.costs, ground.unknown.as_ref()),
            None => (&self.costs, self.unknown.as_ref()),
        };
        let mut changed = Vec::new();
        old_bytes.for_each_difference(bytes, |at| changed.push(at));
        let Some(body) = body else {
            // What became known or unknown and costs the same is no matter of exits.
            // Plain maps compile in vectors, a thousand cells in the time of one that is made anew here.
            let is_few = match self.directed {
                Some(_) => is_few(changed.len(), &self.grid),
                None => changed.len() <= FEW + self.grid.len() / 1024,
            };
            return is_few.then(|| Placed {
                costs: bytes.clone(),
                unknown,
                ground: None,
                changed,
            });
        };
        let by_cost = changed.len();
        each_bit_difference(old_unknown, unknown.as_ref(), |at| changed.push(at));
        if changed.len() > by_cost {
            changed.sort_unstable();
            changed.dedup();
        }
        if !body.is_worth(changed.len(), &self.grid) {
            return None;
        }
        let ground = Ground {
            costs: bytes.clone(),
            unknown,
        };
        let anchors = body.anchors_over(&self.grid, &changed);
        let mut placed = Placed {
            costs: self.costs.clone(),
            unknown: self.unknown.clone(),
            ground: None,
            changed: anchors,
        };
        for &at in &placed.changed {
            let (cost, is_unknown) = body.under(&self.grid, &ground, at);
            if placed.costs.get(at) != cost {
                placed.costs.set(at, cost);
            }
            set_bit(&mut placed.unknown, self.grid.len(), at, is_unknown);
        }
        placed.ground = Some(ground);
        Some(placed)
    }
}

/// Costs of anchors as they are now.
struct Placed {
    costs: SharedCells<u8>,
    unknown: Option<SharedCells<u64>>,
    ground: Option<Ground>,
    /// The anchors that may have changed, in id order.
    changed: Vec<usize>,
}

/// Brings up to date what is open for a body and what steps cost beside their cells, and notes the anchors for which something
/// opened or closed; false where compiling anew is quicker.
fn open_again(
    new: &mut Directed,
    old: &Directed,
    body: Option<&Body>,
    grid: &Grid,
    exit_seeds: &mut Vec<usize>,
) -> bool {
    let mut changed = Vec::new();
    match (&old.ground.closed, &new.ground.closed) {
        (Some(before), Some(after)) => before.for_each_difference(after, |at| changed.push(at)),
        (None, None) => {}
        _ => return false,
    }
    let by_border = changed.len();
    match (&old.ground.charges, &new.ground.charges) {
        (Some(before), Some(after)) => before.for_each_difference(after, |at| changed.push(at)),
        (None, None) => {}
        _ => return false,
    }
    if changed.len() > by_border {
        changed.sort_unstable();
        changed.dedup();
    }
    if let Some(charges) = &new.ground.charges {
        let dearest = changed.iter().map(|&at| dearest(charges.get(at))).max();
        new.largest_extra = new.largest_extra.max(dearest.unwrap_or(0));
    }
    let Some(body) = body else {
        if let Some(charges) = &new.ground.charges {
            new.extra = charges.clone();
        }
        let opened = |at: &usize| new.ground.open(*at) != old.ground.open(*at);
        exit_seeds.extend(changed.iter().copied().filter(opened));
        return is_few(changed.len(), grid);
    };
    if !body.is_worth(changed.len(), grid) {
        return false;
    }
    let Some(mut open) = new.open.take() else {
        // Compiled without borders and charges, on several floors.
        return changed.is_empty();
    };
    for at in body.anchors_over(grid, &changed) {
        let charges = body.charges_under(grid, &new.ground, at);
        let is_open = |(place, charge): (usize, &u8)| u8::from(*charge != CLOSED) << place;
        let bits = charges.iter().enumerate().map(is_open).sum();
        if open.get(at).bits() != bits {
            open.set(at, DirectionSet::from_bits(bits));
            exit_seeds.push(at);
        }
        if new.extra.try_get(at).is_some_and(|extra| extra != charges) {
            new.extra.set(at, charges);
        }
    }
    new.open = Some(open);
    true
}

fn dearest(charges: [u8; 8]) -> u8 {
    let open = charges.into_iter().filter(|&charge| charge != CLOSED);
    open.max().unwrap_or(0)
}

fn is_few(changed: usize, grid: &Grid) -> bool {
    changed <= FEW + grid.len() / WORTH
}

fn cell(at: usize) -> CellId {
    CellId::from_index(at)
}

/// The cells and those around them, each once, in id order.
fn around(grid: &Grid, seeds: Vec<usize>) -> impl Iterator<Item = CellId> {
    let mut runs = Vec::with_capacity(3 * seeds.len());
    for at in seeds {
        let id = cell(at);
        let layer = grid.layer_of(id);
        let (column, row) = grid.column_row_of(id);
        let first = column.saturating_sub(1);
        let len = (column + 2).min(layer.width()) - first;
        for row in row.saturating_sub(1)..(row + 2).min(layer.height()) {
            runs.extend(layer.id_at(first, row).map(|id| id.0..id.0 + len));
        }
    }
    merged(runs)
}

fn set_bit(words: &mut Option<SharedCells<u64>>, cells: usize, at: usize, is_set: bool) {
    if !is_set && words.is_none() {
        return;
    }
    let words = words.get_or_insert_with(|| SharedCells::filled(cells.div_ceil(64), 0));
    let (word, bit) = (words.get(at / 64), 1u64 << (at % 64));
    let now = if is_set { word | bit } else { word & !bit };
    if now != word {
        words.set(at / 64, now);
    }
}

/// A body that covers more than one cell.
struct Body {
    covered: Stencil,
    /// The anchors of the bodies that cover a cell.
    covering: Stencil,
    area: usize,
}

impl Body {
    fn of(movement: &Movement) -> Option<Self> {
        let footprint = &movement.profile.footprint;
        if footprint.is_point() {
            return None;
        }
        let covered = Stencil::covered(footprint);
        (!covered.is_single()).then(|| Self {
            area: covered.area(),
            covering: covered.clone().reflected(),
            covered,
        })
    }

    /// Whether looking at every anchor over so many cells, and at every cell under these, is quicker than compiling anew, which
    /// takes a few vector operations a row of the body for 64 cells.
    fn is_worth(&self, changed: usize, grid: &Grid) -> bool {
        let direct = changed.saturating_mul(self.area).saturating_mul(self.area);
        let anew = grid.len().saturating_mul(self.covered.rows() + 8) / 40 + 10_000;
        direct <= anew && is_few(changed, grid)
    }

    /// The anchors of bodies that cover one of these cells, each once, in id order.
    fn anchors_over(&self, grid: &Grid, cells: &[usize]) -> Vec<usize> {
        let runs = cells
            .iter()
            .flat_map(|&at| self.covering.around(grid, grid.cell(cell(at))));
        merged(runs.collect()).map(CellId::index).collect()
    }

    /// What an anchor costs, and whether it is unknown: the rule of `Placed::of` for one anchor.
    fn under(&self, grid: &Grid, ground: &Ground, anchor: usize) -> (u8, bool) {
        let (mut dearest, mut cells, mut is_unknown) = (0, 0, false);
        for at in self.cells_under(grid, anchor) {
            cells += 1;
            let cost = ground.costs.get(at);
            dearest = cost.max(dearest);
            if cost == 255 {
                let unknown = ground.unknown.as_ref();
                if unknown.is_none_or(|words| words.get(at / 64) >> (at % 64) & 1 == 0) {
                    return (255, false);
                }
                is_unknown = true;
            }
        }
        // Off the map there is a wall.
        if cells < self.area {
            (255, false)
        } else {
            (dearest, is_unknown)
        }
    }

    /// What steps add for a body on an anchor, [`CLOSED`] where one may not be taken: the rule of `BodyEdges::of`.
    fn charges_under(&self, grid: &Grid, edges: &GroundEdges, anchor: usize) -> [u8; 8] {
        let mut charges = [0; 8];
        for at in self.cells_under(grid, anchor) {
            for direction in DIRECTIONS {
                let charge = &mut charges[direction.index()];
                *charge = edges.charge(at, direction).max(*charge);
            }
        }
        charges
    }

    fn cells_under<'a>(&'a self, grid: &'a Grid, anchor: usize) -> impl Iterator<Item = usize> + 'a {
        let runs = self.covered.around(grid, grid.cell(cell(anchor)));
        runs.flatten().map(|id| CellId(id).index())
    }
}
