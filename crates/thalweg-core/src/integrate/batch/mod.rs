//! Many goal sets on one map in one call.
//!
//! Result `i` has the bits that [`integrate`](super::integrate) gives for goal set `i`, labels, sinks and marks included.
//! What is saved: up to 32 goal sets are worked as the lanes of one vector where that is faster ([`lanes`]), the rest is
//! spread over the workers set by set. `plan.rs` has the rule and its figures.

mod error;
#[cfg(feature = "vectors")]
mod lanes;
#[cfg(not(feature = "vectors"))]
mod no_lanes;
mod plan;
mod run;

pub use error::{BatchError, BatchFailure};
pub use run::{BatchScratch, integrate_batch};

use super::IntegrateOptions;
#[cfg(not(feature = "vectors"))]
use no_lanes as lanes;

/// How many goal sets are integrated at once where they are lanes: one vector of the widest kind.
pub const LANES: usize = 32;

/// How a batch is worked. The result does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum BatchMethod {
    /// Whichever is faster. Lanes, if no engine is named and no cost limit given, for goal sets of one goal, on plain maps
    /// without mazes of up to 40,000 cells (100,000 where costs differ), if there are more than 22 of them (14) for each
    /// thread that is kept busy so. The others one by one: sets of one goal on such maps by tiles, all else by the engine of
    /// the options. The figures behind it stand at the head of `plan.rs`.
    #[default]
    Auto,
    /// One by one, with the engine of the options.
    OneByOne,
    /// As lanes wherever that is possible: on plain maps (one layer, no one-way borders, portals or edge charges) with
    /// AVX2, AVX-512, NEON or the vectors of wasm. A group of goal sets that would take too long, or has a cost near 2^15
    /// step units, is integrated one by one after all; so is every one in a build without the feature `vectors`.
    Lanes,
}

/// How to integrate a batch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct BatchOptions {
    /// What holds for every goal set: cost limit, vectors, and the engine of those that are integrated one by one.
    pub integrate: IntegrateOptions,
    /// How the batch is worked; default [`BatchMethod::Auto`].
    pub method: BatchMethod,
}

impl BatchOptions {
    /// Default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The options with others for every goal set.
    #[must_use]
    pub const fn with_integrate(mut self, options: IntegrateOptions) -> Self {
        self.integrate = options;
        self
    }

    /// The options with another method.
    #[must_use]
    pub const fn with_method(mut self, method: BatchMethod) -> Self {
        self.method = method;
        self
    }
}

impl From<IntegrateOptions> for BatchOptions {
    fn from(options: IntegrateOptions) -> Self {
        Self::new().with_integrate(options)
    }
}

/// What one batch did. It may differ with the number of workers and what the scratch was used for before; fields do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct BatchStats {
    /// Goal sets that were integrated as lanes.
    pub in_lanes: usize,
    /// Goal sets that were integrated one by one, those that failed included.
    pub one_by_one: usize,
    /// Goal sets among these whose group had given up.
    pub gave_up: usize,
}
