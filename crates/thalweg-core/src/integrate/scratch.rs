//! Reusable buffers of the engines.

use super::buckets::BucketQueue;
use super::heap::HeapQueue;
use super::layers::LayerQueues;
use super::tiles::TileScratch;

/// Buffers that engines reuse from call to call; nothing in them carries over into a result.
///
/// Integrating a second field of the same size by the same engine allocates nothing; tiles that give up leave none behind.
#[derive(Debug, Default)]
pub struct IntegrateScratch {
    pub(super) heap: HeapQueue,
    pub(super) buckets: BucketQueue,
    pub(super) layers: LayerQueues,
    pub(super) tiles: TileScratch,
    /// Winning goal per cell while several goals compete.
    pub(super) labels: Vec<u32>,
}

impl IntegrateScratch {
    /// Empty buffers; they grow on first use.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
