//! Labels per cell, and which component leads to which.

use super::condensation::Condensation;
use super::cut::{self, CutReport};
use super::cut_points::CutPoints;
use super::graph::{Graph, nodes};
use super::strong::{NONE, strong_components};
use crate::cost::CostVersion;
use crate::grid::{Cell, CellId, Direction, DirectionSet, Grid};
use crate::movement::{Edge, EdgeKind, Movement, MovementProfile};
use core::fmt;
use thiserror::Error;

/// Why components cannot answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComponentsError {
    /// They were made for another map, profile or version of the costs.
    #[error(
        "the components were made for cost version {} of another movement or another moment, and the movement given has version {}; make them again after an edit",
        made_for.0,
        given.0
    )]
    Stale {
        /// The version they were made for.
        made_for: CostVersion,
        /// The version of the movement given.
        given: CostVersion,
    },
}

/// The label of a component: `0..components.len()`, numbered by the first cell of each in id order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct ComponentId(pub u32);

/// Which cells can get to which, for one version of a map and one profile. For bodies with extent cells are anchors.
///
/// Within a component every cell reaches every other. If every edge has a way back ([`Self::is_symmetric`]) no component
/// reaches another one; else [`Self::can_reach`] asks the condensation. A negative answer holds until the map changes
/// ([`Self::is_current`]), so nobody needs to flood it again.
#[derive(Clone)]
pub struct Components {
    grid: Grid,
    profile: MovementProfile,
    cost_version: CostVersion,
    labels: Vec<u32>,
    sizes: Vec<u32>,
    /// `None` if every edge has a way back.
    condensation: Option<Condensation>,
    cut_points: Option<CutPoints>,
}

impl Components {
    /// Labels every cell. O(cells + edges).
    ///
    /// It holds 4 bytes a cell and 4 a component; with edges that have no way back 12 more a component and 4 for each
    /// pair of components that an edge joins.
    #[must_use]
    pub fn of(movement: &Movement) -> Self {
        let symmetric = comes_in_pairs(movement);
        let (labels, sizes, condensation) = label(movement, symmetric);
        Self {
            grid: movement.grid().clone(),
            profile: *movement.profile(),
            cost_version: movement.cost_version(),
            labels,
            sizes,
            condensation,
            cut_points: None,
        }
    }

    /// Also finds every cell that would cut its component on its own, so that [`Self::would_cut_off`] answers for a single
    /// cell without a search. O(cells + edges); it holds 8 bytes for each such cell and 8 for each piece it would leave.
    ///
    /// Nothing is found where some edge has no way back: single cells are then answered by floods, as sets are.
    ///
    /// # Errors
    /// [`ComponentsError::Stale`] if this is not the movement the components were made for.
    pub fn with_cut_points(mut self, movement: &Movement) -> Result<Self, ComponentsError> {
        self.check_current(movement)?;
        self.cut_points = if self.is_symmetric() {
            CutPoints::of(movement, &self.labels, &self.sizes)
        } else {
            None
        };
        Ok(self)
    }

    /// What blocking these cells would cut off, corner rules included, without compiling the map again. The cells are
    /// ground: for a body with extent they take away every anchor from which it would cover one of them, and what the
    /// report names are anchors.
    ///
    /// Bodies on the cells themselves are not counted. Cells off the map or blocked already are reported and ignored.
    ///
    /// Costs: one cell with [cut points](Self::with_cut_points): a binary search. A set, where every edge has a way back:
    /// floods from the cells around it in lockstep, which end as soon as they have met or all but one are full, so about
    /// the number of cells of all pieces but the largest, and a detour's surroundings where nothing is cut; 4 bytes a
    /// cell are asked for, but only pages that the floods touch are used. Else: a flood from each cell around the set,
    /// and a labelling of the map for each component that falls apart.
    ///
    /// # Errors
    /// [`ComponentsError::Stale`] if this is not the movement the components were made for.
    pub fn would_cut_off(&self, movement: &Movement, cells: &[Cell]) -> Result<CutReport, ComponentsError> {
        self.check_current(movement)?;
        Ok(cut::would_cut_off(self, movement, cells))
    }

    /// Whether these components were made for this movement: the same rectangle, profile and cost version.
    #[must_use]
    pub fn is_current(&self, movement: &Movement) -> bool {
        self.grid == *movement.grid()
            && self.profile == *movement.profile()
            && self.cost_version == movement.cost_version()
    }

    fn check_current(&self, movement: &Movement) -> Result<(), ComponentsError> {
        if self.is_current(movement) {
            return Ok(());
        }
        Err(ComponentsError::Stale {
            made_for: self.cost_version,
            given: movement.cost_version(),
        })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The version of the costs they were made for.
    #[must_use]
    pub const fn cost_version(&self) -> CostVersion {
        self.cost_version
    }

    /// How many components there are; 0 if no cell is passable.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether no cell is passable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Whether every edge has a way back, so that a component reaches itself and nothing else.
    #[must_use]
    pub const fn is_symmetric(&self) -> bool {
        self.condensation.is_none()
    }

    /// The component of a cell, or `None` where no body may be.
    ///
    /// # Panics
    /// If the id is not of this grid.
    #[inline]
    #[must_use]
    pub fn component(&self, id: CellId) -> Option<ComponentId> {
        let label = self.labels[id.index()];
        (label != NONE).then_some(ComponentId(label))
    }

    /// How many cells a component has; 0 for a label that is not of these components.
    #[must_use]
    pub fn size(&self, component: ComponentId) -> usize {
        self.sizes
            .get(component.0 as usize)
            .map_or(0, |&size| size as usize)
    }

    /// The component with the most cells; among equals the first.
    #[must_use]
    pub fn largest(&self) -> Option<ComponentId> {
        (0u32..)
            .zip(&self.sizes)
            .max_by_key(|&(label, &size)| (size, core::cmp::Reverse(label)))
            .map(|(label, _)| ComponentId(label))
    }

    /// The components that an edge leads to from this one, in ascending order. Empty if every edge has a way back.
    #[must_use]
    pub fn leads_to(&self, component: ComponentId) -> &[u32] {
        self.condensation
            .as_ref()
            .map_or(&[], |all| all.targets(component.0))
    }

    /// Whether a body on `from` can get to `to`; false if either is blocked.
    ///
    /// O(1) within a component, and always where every edge has a way back. Between two components of a map with one-way
    /// edges: O(1) if no edges join them at all or if they stand in the wrong order; else a search of the components
    /// that lie between them in that order, with one bit of memory for each component. Exact in every case.
    ///
    /// # Panics
    /// If an id is not of this grid.
    #[must_use]
    pub fn can_reach(&self, from: CellId, to: CellId) -> bool {
        let (Some(from), Some(to)) = (self.component(from), self.component(to)) else {
            return false;
        };
        from == to
            || self
                .condensation
                .as_ref()
                .is_some_and(|all| all.leads(from.0, to.0))
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        4 * (self.labels.len() + self.sizes.len())
            + self.condensation.as_ref().map_or(0, Condensation::bytes)
            + self.cut_points.as_ref().map_or(0, CutPoints::bytes)
    }

    pub(super) fn labels(&self) -> &[u32] {
        &self.labels
    }

    pub(super) const fn cut_points(&self) -> Option<&CutPoints> {
        self.cut_points.as_ref()
    }
}

impl fmt::Debug for Components {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Components")
            .field("grid", &self.grid)
            .field("cost_version", &self.cost_version)
            .field("len", &self.len())
            .field("is_symmetric", &self.is_symmetric())
            .finish_non_exhaustive()
    }
}

/// Whether every edge has a way back *of its own kind*: a step by the opposite step, a portal by a portal.
///
/// A way back of another kind is not enough. Blocking a cell takes a diagonal away in both directions but leaves a portal
/// that led the same way, so what was symmetric would not stay so.
fn comes_in_pairs(movement: &Movement) -> bool {
    movement.is_plain()
        || movement.grid().ids().all(|id| {
            let back: DirectionSet = movement.entries(id).iter().map(Direction::opposite).collect();
            let portal = |edge: Edge| matches!(edge.kind, EdgeKind::Portal(_)).then_some(edge.other);
            let mut leaving: Vec<CellId> = movement.edges_from(id).filter_map(portal).collect();
            let mut entering: Vec<CellId> = movement.edges_into(id).filter_map(portal).collect();
            leaving.sort_unstable();
            leaving.dedup();
            entering.sort_unstable();
            entering.dedup();
            movement.exits(id) == back && leaving == entering
        })
}

fn label(graph: &impl Graph, symmetric: bool) -> (Vec<u32>, Vec<u32>, Option<Condensation>) {
    if symmetric {
        let (labels, sizes) = flood(graph);
        return (labels, sizes, None);
    }
    let (mut labels, count) = strong_components(graph);
    // Numbers that depend on the order of a search would change with the search; the first cell of each does not.
    let mut number = vec![NONE; count as usize];
    let mut ranks = Vec::new();
    let mut sizes: Vec<u32> = Vec::new();
    for label in labels.iter_mut().filter(|label| **label != NONE) {
        let new = &mut number[*label as usize];
        if *new == NONE {
            *new = u32::try_from(sizes.len()).unwrap_or(NONE);
            ranks.push(*label);
            sizes.push(0);
        }
        *label = *new;
        sizes[*new as usize] += 1;
    }
    let condensation = Condensation::of(graph, &labels, ranks);
    (labels, sizes, Some(condensation))
}

fn flood(graph: &impl Graph) -> (Vec<u32>, Vec<u32>) {
    let mut labels = vec![NONE; graph.len()];
    let mut sizes: Vec<u32> = Vec::new();
    let (mut open, mut next) = (Vec::new(), Vec::new());
    for root in nodes(graph) {
        if labels[root as usize] != NONE {
            continue;
        }
        let label = u32::try_from(sizes.len()).unwrap_or(NONE);
        let mut size = 1;
        labels[root as usize] = label;
        open.push(root);
        while let Some(node) = open.pop() {
            graph.targets(node, &mut next);
            for to in next.drain(..) {
                if labels[to as usize] == NONE {
                    labels[to as usize] = label;
                    size += 1;
                    open.push(to);
                }
            }
        }
        sizes.push(size);
    }
    (labels, sizes)
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::Digraph;
    use super::*;

    #[test]
    fn the_condensation_answers_as_the_closure_of_a_random_directed_graph() {
        let mut reached = 0;
        for seed in 0..2_000 {
            let graph = Digraph::random(seed + 50_000);
            let closure = graph.closure();
            let (labels, sizes, condensation) = label(&graph, false);
            let condensation = condensation.unwrap();
            let mut firsts = Vec::new();
            for (from, &label) in labels.iter().enumerate() {
                if label == NONE {
                    continue;
                }
                if label as usize == firsts.len() {
                    firsts.push(from);
                }
                assert!((label as usize) < firsts.len(), "numbered by first node");
                for (to, &other) in labels.iter().enumerate().filter(|&(_, &other)| other != NONE) {
                    let got = label == other || condensation.leads(label, other);
                    assert_eq!(got, closure[from][to], "seed {seed} {from} {to}");
                    reached += usize::from(got && label != other);
                }
            }
            let total: u32 = sizes.iter().sum();
            assert_eq!(total as usize, graph.gone.iter().filter(|&&gone| !gone).count());
        }
        assert!(reached > 5_000, "only {reached} pairs of components were joined");
    }
}
