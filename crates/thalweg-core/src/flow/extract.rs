//! Chooses directions: the legal exits with the least step cost plus cost-to-goal.
//!
//! Rejected: "the neighbour with the lowest cost-to-goal". With weights or diagonals it is wrong: on flat ground at
//! 10/14 a straight neighbour of 22 gives 32, a diagonal one of 20 gives 34.

use super::FlowField;
use super::circles::break_free_circles;
use super::refresh::tight_portals_with_ends;
use super::tight::Tight;
use crate::grid::{CellId, DirectionSet, Grid};
use crate::integrate::{IntegrationField, Vectors};
use crate::movement::{Movement, PortalIndex};
use crate::vectors::Level;
use crate::workers::Workers;
use thiserror::Error;

/// Buffers of the direction pass, reused from call to call.
#[derive(Debug, Default)]
pub struct FlowScratch {
    /// Fewest free steps to a cell that has a paid way down; only used where steps may cost nothing.
    pub(super) hops: Vec<u32>,
    pub(super) open: Vec<u32>,
    pub(super) next: Vec<u32>,
    /// Cells of patches of free ground that are looked at anew.
    pub(super) patch: Vec<u32>,
    /// Their hops; all cells are `NOT_HERE` between calls.
    pub(super) patch_hops: Vec<u32>,
}

impl FlowScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// How to choose directions. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// The vector instructions to use; default the widest there are. [`Vectors::Plain`] goes cell by cell.
    pub vectors: Vectors,
}

impl ExtractOptions {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with other vector instructions.
    #[must_use]
    pub const fn with_vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }
}

/// Why directions cannot be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The processor lacks the vector instructions, or the build does.
    #[error("this processor or this build has no {vectors} instructions")]
    NoVectors {
        /// What was asked for.
        vectors: Vectors,
    },
    /// The costs-to-goal are of another map. Only where work is done in steps; [`extract`] panics.
    #[error("the costs-to-goal are of {field}, the movement of {movement}")]
    ForeignField {
        /// What the costs-to-goal are of.
        field: Grid,
        /// What the movement is of.
        movement: Grid,
    },
}

/// Fills `out` with the directions of `field`, which must have been integrated over the same `movement`.
///
/// The successors of a reached cell are all legal exits with `step cost + D[next] = D[cell]`. Where steps may cost
/// nothing, cost-to-goal alone could lead in a circle; then an exit counts only if it lowers (D, hops), hops being the
/// fewest free steps to a cell with a paid way down. Goal cells have no successors. The result does not depend on the
/// workers.
///
/// # Panics
/// If `field` and `movement` are not of the same grid.
pub fn extract(
    movement: &Movement,
    field: &IntegrationField,
    workers: &dyn Workers,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    extract_at(
        Vectors::Best.level().flatten(),
        movement,
        field,
        workers,
        scratch,
        out,
    );
}

/// [`extract`] with options.
///
/// # Errors
/// [`ExtractError::NoVectors`] if the processor or the build lacks the vector instructions that are asked for; `out` is as it was.
///
/// # Panics
/// If `field` and `movement` are not of the same grid.
pub fn extract_with(
    movement: &Movement,
    field: &IntegrationField,
    options: &ExtractOptions,
    workers: &dyn Workers,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) -> Result<(), ExtractError> {
    let vectors = options.vectors;
    let level = vectors.level().ok_or(ExtractError::NoVectors { vectors })?;
    extract_at(level, movement, field, workers, scratch, out);
    Ok(())
}

fn extract_at(
    level: Option<Level>,
    movement: &Movement,
    field: &IntegrationField,
    workers: &dyn Workers,
    scratch: &mut FlowScratch,
    out: &mut FlowField,
) {
    assert_eq!(
        movement.grid(),
        field.grid(),
        "directions need the movement the field was integrated over"
    );
    let (successors, still) = out.restart(field.grid());
    Tight::new(movement, field.raw(), level).fill(workers, successors, still);
    for sink in field.sinks() {
        successors[sink.cell.index()] = DirectionSet::EMPTY;
    }
    tight_portals(movement, field, &mut out.portals);
    if movement.has_zero_steps() {
        break_free_circles(movement, field, scratch, out);
    }
}

/// Every portal with `cost + D[other end] = D[cell]`, for every reached cell that is no goal.
pub(super) fn tight_portals(
    movement: &Movement,
    field: &IntegrationField,
    portals: &mut Vec<(CellId, PortalIndex)>,
) {
    for cell in movement.portal_cells() {
        tight_portals_of(movement, field, cell, portals);
    }
}

/// Those of one cell, if it is reached and no goal.
pub(super) fn tight_portals_of(
    movement: &Movement,
    field: &IntegrationField,
    cell: CellId,
    portals: &mut Vec<(CellId, PortalIndex)>,
) {
    portals.extend(tight_portals_with_ends(movement, field, cell).map(|(portal, _)| (cell, portal)));
}
