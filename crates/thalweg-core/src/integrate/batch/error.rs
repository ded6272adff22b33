//! Which goal sets of a batch failed, and why.

use crate::integrate::IntegrateError;
use core::fmt;

/// A goal set of a batch that cannot be integrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFailure {
    /// Its index in the batch.
    pub set: usize,
    /// Why.
    pub error: IntegrateError,
}

/// Some goal sets of a batch cannot be integrated. The fields of all others are finished and right; those of the sets named
/// here hold no cost at all (every cell is unknown).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchError {
    first: BatchFailure,
    others: Vec<BatchFailure>,
}

impl BatchError {
    /// `None` if nothing failed.
    pub(super) fn of(mut failures: Vec<BatchFailure>) -> Option<Self> {
        failures.sort_by_key(|failure| failure.set);
        let mut failures = failures.into_iter();
        failures.next().map(|first| Self {
            first,
            others: failures.collect(),
        })
    }

    /// The failure of the lowest index.
    #[must_use]
    pub const fn first(&self) -> &BatchFailure {
        &self.first
    }

    /// Every failure, in order of the index.
    pub fn failures(&self) -> impl Iterator<Item = &BatchFailure> {
        core::iter::once(&self.first).chain(&self.others)
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "goal set {}", self.first.set)?;
        if !self.others.is_empty() {
            write!(f, " (and {} more)", self.others.len())?;
        }
        write!(f, ": {}", self.first.error)
    }
}

impl core::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.first.error)
    }
}
