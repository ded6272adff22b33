//! Threads: a rayon pool behind the [`Workers`] trait that core and crowd are handed.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::sync::Arc;
use thalweg_core::workers::Workers;
use thiserror::Error;

/// Why a pool cannot be made.
#[derive(Debug, Error)]
#[error("a pool of {threads} threads cannot be started: {source}")]
pub struct PoolError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// A rayon thread pool as [`Workers`].
#[derive(Clone, Debug)]
pub struct RayonWorkers {
    pool: Arc<rayon::ThreadPool>,
}

impl RayonWorkers {
    /// Starts a pool of its own; 0 threads means one per core.
    ///
    /// # Errors
    /// [`PoolError`] if the system refuses the threads.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("thalweg-{index}"))
            .build()
            .map_err(|source| PoolError { threads, source })?;
        Ok(Self { pool: Arc::new(pool) })
    }

    /// Uses a pool that the caller already has.
    #[must_use]
    pub fn from_pool(pool: Arc<rayon::ThreadPool>) -> Self {
        Self { pool }
    }
}

impl Workers for RayonWorkers {
    fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        self.pool
            .install(|| (0..tasks).into_par_iter().with_max_len(1).for_each(task));
    }
}
