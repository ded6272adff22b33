//! One value per cell, known or unknown, behind one door: what costs, terrain classes, heights and edge charges share.

use super::DirtyRegion;
use crate::grid::{CellId, Grid, GridError};
use std::sync::Arc;

/// A value per cell with unknown bits, a version and the regions that changed.
///
/// Rejected: such a door in each of the four types. Four copies of the same bookkeeping are how one of them comes to
/// forget a cell.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CellStore<T> {
    grid: Grid,
    values: Arc<Vec<T>>,
    /// Bit per cell, set where the cell is unknown; `None` while all cells are known.
    unknown: Option<Arc<Vec<u64>>>,
    /// What `values` holds where the cell is unknown.
    hole: T,
    version: u64,
    /// At most one for each layer, in the order of layers.
    dirty: Vec<DirtyRegion>,
}

impl<T: Copy + PartialEq> CellStore<T> {
    /// A store of known values.
    pub(super) fn new(grid: Grid, values: Vec<T>, hole: T) -> Result<Self, GridError> {
        check_length(&grid, values.len())?;
        Ok(Self {
            grid,
            values: Arc::new(values),
            unknown: None,
            hole,
            version: 0,
            dirty: Vec::new(),
        })
    }

    /// The same value everywhere, known.
    pub(super) fn filled(grid: Grid, value: T, hole: T) -> Self {
        Self {
            values: Arc::new(vec![value; grid.len()]),
            grid,
            unknown: None,
            hole,
            version: 0,
            dirty: Vec::new(),
        }
    }

    /// Known values by a rule per cell.
    pub(super) fn from_fn(grid: Grid, hole: T, rule: impl FnMut(CellId) -> T) -> Self {
        Self {
            values: Arc::new(grid.ids().map(rule).collect()),
            grid,
            unknown: None,
            hole,
            version: 0,
            dirty: Vec::new(),
        }
    }

    /// The store with these cells unknown. For making new stores: it marks nothing and raises no version.
    pub(super) fn with_unknown(mut self, unknown: Option<Arc<Vec<u64>>>) -> Self {
        self.unknown = unknown.filter(|words| words.iter().any(|&word| word != 0));
        if let Some(words) = &self.unknown {
            let values = Arc::make_mut(&mut self.values);
            for (index, value) in values.iter_mut().enumerate() {
                if has_bit(words, index) {
                    *value = self.hole;
                }
            }
        }
        self
    }

    /// The store with every unknown cell known as `value`, at the same version.
    pub(super) fn known_as(mut self, value: T) -> Self {
        if let Some(words) = self.unknown.take() {
            let values = Arc::make_mut(&mut self.values);
            for (index, slot) in values.iter_mut().enumerate() {
                if has_bit(&words, index) {
                    *slot = value;
                }
            }
        }
        self
    }

    #[inline]
    pub(super) const fn grid(&self) -> &Grid {
        &self.grid
    }

    #[inline]
    pub(super) const fn version(&self) -> u64 {
        self.version
    }

    #[inline]
    pub(super) fn values(&self) -> &[T] {
        &self.values
    }

    pub(super) fn shared_values(&self) -> Arc<Vec<T>> {
        Arc::clone(&self.values)
    }

    pub(super) fn shared_unknown(&self) -> Option<Arc<Vec<u64>>> {
        self.unknown.clone()
    }

    /// Panics if the id is not of this grid.
    #[inline]
    pub(super) fn is_known(&self, id: CellId) -> bool {
        assert!(
            id.index() < self.values.len(),
            "cell id {} is not of this map",
            id.0
        );
        self.unknown
            .as_ref()
            .is_none_or(|words| !has_bit(words, id.index()))
    }

    /// The value of a known cell. Panics if the id is not of this grid.
    #[inline]
    pub(super) fn get(&self, id: CellId) -> Option<T> {
        self.is_known(id).then(|| self.values[id.index()])
    }

    pub(super) fn unknown_len(&self) -> usize {
        self.unknown.as_ref().map_or(0, |words| {
            words.iter().map(|word| word.count_ones() as usize).sum()
        })
    }

    pub(super) fn take_dirty(&mut self) -> Vec<DirtyRegion> {
        core::mem::take(&mut self.dirty)
    }

    /// The one door: every write passes here. `None` makes the cell unknown.
    pub(super) fn write(&mut self, id: CellId, value: Option<T>) {
        if self.get(id) == value {
            return;
        }
        let (word, bit) = (id.index() / 64, 1u64 << (id.index() % 64));
        Arc::make_mut(&mut self.values)[id.index()] = value.unwrap_or(self.hole);
        if value.is_some() {
            if let Some(unknown) = &mut self.unknown {
                Arc::make_mut(unknown)[word] &= !bit;
            }
        } else {
            let words = self.grid.len().div_ceil(64);
            let unknown = self.unknown.get_or_insert_with(|| Arc::new(vec![0; words]));
            Arc::make_mut(unknown)[word] |= bit;
        }
        let (column, row) = self.grid.column_row_of(id);
        let here = DirtyRegion {
            layer: self.grid.layer_of(id).index(),
            min: (column, row),
            max: (column + 1, row + 1),
        };
        here.add_to(&mut self.dirty);
        self.version += 1;
    }
}

/// The words of unknown bits for a rule per cell; `None` if no cell is unknown.
pub(super) fn unknown_where(len: usize, mut is_unknown: impl FnMut(usize) -> bool) -> Option<Arc<Vec<u64>>> {
    let mut words: Option<Vec<u64>> = None;
    for index in (0..len).filter(|&index| is_unknown(index)) {
        words.get_or_insert_with(|| vec![0; len.div_ceil(64)])[index / 64] |= 1 << (index % 64);
    }
    words.map(Arc::new)
}

/// Refuses a list that has not one value per cell.
pub(super) fn check_length(grid: &Grid, got: usize) -> Result<(), GridError> {
    if got == grid.len() {
        return Ok(());
    }
    Err(GridError::WrongLength {
        grid: grid.clone(),
        got,
    })
}

fn has_bit(words: &[u64], index: usize) -> bool {
    words[index / 64] & (1 << (index % 64)) != 0
}
