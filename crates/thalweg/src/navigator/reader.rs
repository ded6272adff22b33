//! Reading a field from any thread.

use super::status::{NotReady, VersionedBundle};
use crate::publish::Reader;
use std::sync::{Arc, OnceLock};

/// Reads what is published for one field, on any thread, while the navigator works elsewhere. One per thread; clones are
/// independent.
///
/// It sees one generation or the other, never a mixture, and never an earlier one after a later one. A bundle lives for as
/// long as somebody holds it, whatever becomes of the field: after a release the reader goes on to see the last one.
///
/// Whether a bundle is still right is for the navigator to say ([`Navigator::status`](super::Navigator::status)): it knows
/// the map. The versions tell what it was made for.
#[derive(Clone, Debug)]
pub struct FieldReader {
    /// Filled with the first publication. No value is held by the reader in it, so none is kept alive.
    opened: Arc<OnceLock<Reader<VersionedBundle>>>,
    own: Option<Reader<VersionedBundle>>,
}

impl FieldReader {
    pub(super) fn new() -> Self {
        Self {
            opened: Arc::default(),
            own: None,
        }
    }

    pub(super) fn open(&self, reader: Reader<VersionedBundle>) {
        // There is one first publication.
        let _ = self.opened.set(reader);
    }

    /// The newest bundle, to keep.
    ///
    /// # Errors
    /// [`NotReady`] before the first publication.
    #[inline]
    pub fn snapshot(&mut self) -> Result<Arc<VersionedBundle>, NotReady> {
        self.latest().map(Arc::clone)
    }

    /// The newest bundle, held until the next look. Where nothing new was published, nothing is written that other readers
    /// read.
    ///
    /// # Errors
    /// [`NotReady`] before the first publication.
    #[inline]
    pub fn latest(&mut self) -> Result<&Arc<VersionedBundle>, NotReady> {
        if self.own.is_none() {
            self.own = self.opened.get().cloned();
        }
        self.own.as_mut().map(Reader::latest).ok_or(NotReady)
    }

    /// Lets go of the bundle seen last, so that a reader who rests does not keep it alive.
    pub fn release(&mut self) {
        if let Some(own) = &mut self.own {
            own.release();
        }
    }
}
