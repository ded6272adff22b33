//! Values that were replaced and are perhaps still held by readers.

use super::slot::Snapshot;

/// Replaced values, oldest first, with one handle to each, so that no reader's is the last. Each value stands here once at
/// most: with two handles in one list neither would ever be the only one.
pub(super) struct Retired<T>(Vec<Snapshot<T>>);

impl<T> Retired<T> {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(super) fn values(&self) -> &[Snapshot<T>] {
        &self.0
    }

    /// Takes a value in, unless it is there.
    pub(super) fn add(&mut self, value: Snapshot<T>) {
        if !self.0.iter().any(|other| Snapshot::ptr_eq(other, &value)) {
            self.0.push(value);
        }
    }

    /// Forgets a value that is current again.
    pub(super) fn remove(&mut self, value: &Snapshot<T>) {
        self.0.retain(|other| !Snapshot::ptr_eq(other, value));
    }

    /// Takes out every value that nobody else holds.
    pub(super) fn take_free(&mut self, mut take: impl FnMut(T)) -> u64 {
        let mut taken = 0;
        let mut index = 0;
        while let Some(value) = self.0.get_mut(index) {
            // `get_mut` answers only if this handle is the only one, weak ones counted too, and then orders all that the
            // others did before what is done here. Counting handles (`strong_count`) orders nothing. Nobody can get a new
            // handle meanwhile: it would be a clone of this one.
            if Snapshot::get_mut(value).is_none() {
                index += 1;
                continue;
            }
            // The list is short: a reader holds one value or two.
            if let Ok(value) = Snapshot::try_unwrap(self.0.remove(index)) {
                take(value);
                taken += 1;
            }
        }
        taken
    }
}
