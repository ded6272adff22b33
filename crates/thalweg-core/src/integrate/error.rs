//! Why a field cannot be integrated.

use super::{Engine, MAX_COST_TO_GOAL, Vectors};
use crate::grid::Cell;
use crate::memory::{Bytes, MemoryEstimate};
use thiserror::Error;

/// Why a field cannot be integrated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IntegrateError {
    /// A cost-to-goal does not fit 32 bits.
    #[error(
        "the cost-to-goal of cell {cell} is above the limit of {MAX_COST_TO_GOAL}; use a smaller step scale or lower costs"
    )]
    CostOverflow {
        /// The first cell in id order whose cost does not fit although a legal exit leads to a cell whose cost does.
        cell: Cell,
    },
    /// The engine cannot run on these costs.
    #[error(
        "engine {engine} needs one cost on all passable cells and neither portals nor one-way borders, which this map does not offer"
    )]
    NeedsUniformCost {
        /// The engine.
        engine: Engine,
    },
    /// The engine cannot run on a directed graph.
    #[error("engine {engine} needs a map of one layer without portals, one-way borders and charges of edges")]
    NeedsPlainMap {
        /// The engine.
        engine: Engine,
    },
    /// The engine cannot run where steps have charges of their own.
    #[error("engine {engine} cannot run on a map whose edges have charges of their own (slopes)")]
    EdgeCharges {
        /// The engine.
        engine: Engine,
    },
    /// The integration would take more memory than the options allow. Nothing has been allocated.
    #[error("integrating by engine {engine} takes {estimate}, above the memory limit of {limit}")]
    MemoryLimit {
        /// The engine: the one asked for, or the leanest of those that can run.
        engine: Engine,
        /// What it takes.
        estimate: MemoryEstimate,
        /// What the options allow.
        limit: Bytes,
    },
    /// The processor lacks the vector instructions, or the build does.
    #[error("this processor or this build has no {vectors} instructions")]
    NoVectors {
        /// What was asked for.
        vectors: Vectors,
    },
    /// The goals were resolved on another map.
    #[error("the goals name cell id {id}, but the map has only {cells} cells")]
    ForeignGoals {
        /// The id.
        id: u32,
        /// Cells of the map.
        cells: usize,
    },
    /// A cell is asked for that the map does not have.
    #[error("cell id {id} is asked for, but the map has only {cells} cells")]
    ForeignAsked {
        /// The id.
        id: u32,
        /// Cells of the map.
        cells: usize,
    },
    /// Who watched the integration ended it.
    #[error("the integration was cancelled")]
    Cancelled,
    /// The goals were resolved on other costs: a goal cell has been blocked since.
    #[error(
        "goal cell {cell} is impassable or unknown in this movement; resolve the goals again after an edit"
    )]
    BlockedGoal {
        /// The first such cell in id order.
        cell: Cell,
    },
}
