//! What blocking more cells would cut off.

use super::graph::{Graph, Without};
use super::pieces::{losers, lost_pairs, pieces_of, strong_pieces};
use super::strong::NONE;
use super::{ComponentId, Components};
use crate::grid::{Cell, CellId, DIRECTIONS, Grid};
use crate::movement::Movement;

/// What blocking some cells would cut off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CutReport {
    /// How many passable cells would be blocked, each counted once; for bodies with extent how many free anchors, which
    /// may be none where no body has room anyway.
    pub blocked: usize,
    /// Cells named that are off the map or blocked ground already, in the caller's order.
    pub ignored: Vec<Cell>,
    /// Components that would fall apart, in label order. Two cells that could reach each other no longer can exactly if
    /// they lie in different pieces of one of these.
    pub splits: Vec<Split>,
    /// Ways between two *different* components that would be lost; only on maps with edges that have no way back.
    ///
    /// Each is a way past the blocked cells, named by the cells where it came to them and left them. It is complete in
    /// this sense: whoever can no longer reach a cell of another component could reach the beginning of such a way (or
    /// one within a split component).
    pub lost_ways: Vec<LostWay>,
}

impl CutReport {
    /// Whether any cell that stays free could reach another one that stays free and no longer can.
    #[must_use]
    pub fn cuts_anyone_off(&self) -> bool {
        !self.splits.is_empty() || !self.lost_ways.is_empty()
    }

    /// How many cells would be left outside the largest piece of their component.
    #[must_use]
    pub fn cells_cut_off(&self) -> usize {
        let outside = |split: &Split| split.pieces.iter().skip(1).map(|piece| piece.size).sum::<usize>();
        self.splits.iter().map(outside).sum()
    }
}

/// A component that falls apart.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Split {
    /// The component.
    pub component: ComponentId,
    /// Two or more pieces, the largest first; among equals by the cell that names them.
    pub pieces: Vec<Piece>,
}

/// A part of a component within which every cell still reaches every other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Piece {
    /// One of its cells.
    pub cell: Cell,
    /// How many it has.
    pub size: usize,
}

/// A way that would be lost: `from` could reach `to`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct LostWay {
    /// Where it begins.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
}

pub(super) fn would_cut_off(components: &Components, movement: &Movement, cells: &[Cell]) -> CutReport {
    let grid = movement.grid();
    let mut report = CutReport::default();
    let mut ground = Vec::new();
    for &cell in cells {
        match grid.id(cell).filter(|&id| movement.ground_cost(id) != 255) {
            Some(id) => ground.push(id),
            None => report.ignored.push(cell),
        }
    }
    let mut blocked: Vec<u32> = if movement.profile().footprint.is_point() {
        ground.iter().map(|id| id.0).collect()
    } else {
        // What stands on the ground takes every anchor away from which the body would cover it.
        let cells = ground.iter().map(|&id| grid.cell(id));
        movement.anchors_covering(cells).iter().map(|id| id.0).collect()
    };
    blocked.sort_unstable();
    blocked.dedup();
    report.blocked = blocked.len();
    let labels = components.labels();
    if let ([only], Some(points)) = (&blocked[..], components.cut_points()) {
        let pieces = points.pieces(CellId(*only)).to_vec();
        report.splits.extend(split(grid, labels[*only as usize], pieces));
        return report;
    }
    let after = Without {
        movement,
        blocked: &blocked,
    };
    let around = losers(movement, &after, around(movement, &blocked));
    if components.is_symmetric() {
        report.splits = splits_by_floods(components, &after, around);
    } else {
        (report.splits, report.lost_ways) = cuts_by_ways(components, &after, &around);
    }
    report
}

fn split(grid: &Grid, label: u32, mut pieces: Vec<(u32, u32)>) -> Option<Split> {
    pieces.sort_unstable_by_key(|&(cell, size)| (core::cmp::Reverse(size), cell));
    let as_piece = |(cell, size)| Piece {
        cell: grid.cell(CellId(cell)),
        size: size as usize,
    };
    (pieces.len() > 1).then(|| Split {
        component: ComponentId(label),
        pieces: pieces.into_iter().map(as_piece).collect(),
    })
}

/// Where every edge has a way back: `losers` of one component either stay together or name its pieces.
fn splits_by_floods(components: &Components, after: &Without<'_>, mut losers: Vec<u32>) -> Vec<Split> {
    let labels = components.labels();
    losers.sort_unstable_by_key(|&cell| (labels[cell as usize], cell));
    // Zeroed pages come from the system when they are first touched, so a local flood does not pay for the map.
    let mut owners = vec![0u32; if losers.is_empty() { 0 } else { labels.len() }];
    let mut splits = Vec::new();
    for starts in losers.chunk_by(|&a, &b| labels[a as usize] == labels[b as usize]) {
        let label = labels[starts[0] as usize];
        let taken = after
            .blocked
            .iter()
            .filter(|&&cell| labels[cell as usize] == label)
            .count();
        let left = components.size(ComponentId(label)).saturating_sub(taken);
        let pieces = pieces_of(after, starts, u32::try_from(left).unwrap_or(NONE), &mut owners);
        splits.extend(split(components.grid(), label, pieces));
    }
    splits
}

/// For any map: ways past the blocked cells that cannot be mended break their component, or are lost between two.
fn cuts_by_ways(components: &Components, after: &Without<'_>, losers: &[u32]) -> (Vec<Split>, Vec<LostWay>) {
    let (grid, labels) = (components.grid(), components.labels());
    let mut broken = Vec::new();
    let mut lost_ways = Vec::new();
    for (from, to) in lost_pairs(after.movement, after, losers) {
        if labels[from as usize] == labels[to as usize] {
            broken.push(labels[from as usize]);
        } else {
            lost_ways.push(LostWay {
                from: grid.cell(CellId(from)),
                to: grid.cell(CellId(to)),
            });
        }
    }
    broken.sort_unstable();
    broken.dedup();
    let splits = broken
        .into_iter()
        .filter_map(|label| split(grid, label, strong_pieces(after, labels, label)));
    (splits.collect(), lost_ways)
}

/// Every cell that may lose an edge: the neighbours of the blocked cells, whose diagonals they stand beside, and the cells
/// from which other edges lead there.
fn around(movement: &Movement, blocked: &[u32]) -> Vec<u32> {
    let mut cells = Vec::new();
    for &node in blocked {
        movement.sources(node, &mut cells);
        movement.targets(node, &mut cells);
        let neighbours = DIRECTIONS.into_iter();
        cells.extend(
            neighbours
                .filter_map(|direction| movement.grid().neighbour(CellId(node), direction).map(|id| id.0)),
        );
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::CostField;
    use crate::movement::{CornerRule, MovementProfile};
    use thalweg_testkit::random_map::SplitMix64;

    #[test]
    fn the_way_of_directed_maps_gives_the_same_splits_where_every_edge_has_a_way_back() {
        let mut cut = 0;
        for seed in 0..1_500 {
            let mut random = SplitMix64::new(seed);
            let (width, height) = (1 + random.below(8), 1 + random.below(8));
            let grid = Grid::new(width, height).unwrap();
            let walls = random.below(50);
            let bytes = grid
                .ids()
                .map(|_| if random.percent(walls) { 255 } else { 1 })
                .collect();
            let costs = CostField::from_bytes(grid, bytes).unwrap();
            let rule = random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]);
            let movement = Movement::compile(&costs, &MovementProfile::new().with_corner_rule(rule));
            let components = Components::of(&movement);
            let mut blocked: Vec<u32> = (0..1 + random.below(4))
                .map(|_| random.below(width * height))
                .collect();
            blocked.retain(|&cell| movement.is_passable(CellId(cell)));
            blocked.sort_unstable();
            blocked.dedup();
            let after = Without {
                movement: &movement,
                blocked: &blocked,
            };
            let losers = losers(&movement, &after, around(&movement, &blocked));
            let (by_ways, lost_ways) = cuts_by_ways(&components, &after, &losers);
            let by_floods = splits_by_floods(&components, &after, losers);
            let sizes = |splits: &[Split]| -> Vec<(ComponentId, Vec<usize>)> {
                let of = |split: &Split| split.pieces.iter().map(|piece| piece.size).collect();
                splits.iter().map(|split| (split.component, of(split))).collect()
            };
            assert_eq!(
                sizes(&by_ways),
                sizes(&by_floods),
                "seed {seed} {rule:?} {blocked:?}"
            );
            assert!(lost_ways.is_empty(), "seed {seed}");
            cut += u32::from(!by_floods.is_empty());
        }
        assert!(cut > 200, "only {cut} sets cut anything");
    }
}
