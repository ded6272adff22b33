//! One value per cell, known or unknown, behind one door: what costs, terrain classes, heights and edge charges share.

use super::DirtyRegion;
use crate::grid::{CellId, Grid, GridError};
use crate::shared_cells::SharedCells;

/// A value per cell with unknown bits, a version and the regions that changed.
///
/// Rejected: such a door in each of the four types. Four copies of the same bookkeeping are how one of them comes to
/// forget a cell.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CellStore<T: Copy + PartialEq> {
    grid: Grid,
    values: SharedCells<T>,
    /// Bit per cell, set where the cell is unknown; `None` while all cells are known.
    unknown: Option<SharedCells<u64>>,
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
            values: SharedCells::new(values),
            unknown: None,
            hole,
            version: 0,
            dirty: Vec::new(),
        })
    }

    /// The same value everywhere, known.
    pub(super) fn filled(grid: Grid, value: T, hole: T) -> Self {
        Self {
            values: SharedCells::filled(grid.len(), value),
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
            values: SharedCells::new(grid.ids().map(rule).collect()),
            grid,
            unknown: None,
            hole,
            version: 0,
            dirty: Vec::new(),
        }
    }

    /// The store with these cells unknown. For making new stores: it marks nothing and raises no version.
    pub(super) fn with_unknown(mut self, unknown: Option<SharedCells<u64>>) -> Self {
        self.unknown = unknown.filter(|words| words.flat().iter().any(|&word| word != 0));
        if let Some(words) = &self.unknown {
            for index in unknown_indices(words) {
                self.values.set(index, self.hole);
            }
        }
        self
    }

    /// The store with every unknown cell known as `value`, at the same version.
    pub(super) fn known_as(mut self, value: T) -> Self {
        if let Some(words) = self.unknown.take() {
            for index in unknown_indices(&words) {
                self.values.set(index, value);
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
        self.values.flat()
    }

    pub(super) const fn shared_values(&self) -> &SharedCells<T> {
        &self.values
    }

    pub(super) fn shared_unknown(&self) -> Option<SharedCells<u64>> {
        self.unknown.clone()
    }

    /// The cells that are different in another store of the same grid, in id order, each once.
    pub(super) fn differences(&self, other: &Self) -> Vec<CellId> {
        let mut found = Vec::new();
        self.values
            .for_each_difference(&other.values, |index| found.push(CellId::from_index(index)));
        // A hole and a known value like it are told apart by the bits alone.
        let by_values = found.len();
        each_bit_difference(self.unknown.as_ref(), other.unknown.as_ref(), |index| {
            found.push(CellId::from_index(index));
        });
        if found.len() > by_values {
            found.sort_unstable();
            found.dedup();
        }
        found
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
        self.is_known(id).then(|| self.values.get(id.index()))
    }

    pub(super) fn unknown_len(&self) -> usize {
        self.unknown.as_ref().map_or(0, |words| {
            words.flat().iter().map(|word| word.count_ones() as usize).sum()
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
        self.values.set(id.index(), value.unwrap_or(self.hole));
        if value.is_some() {
            if let Some(unknown) = &mut self.unknown {
                unknown.set(word, unknown.get(word) & !bit);
            }
        } else {
            let words = self.grid.len().div_ceil(64);
            let unknown = self.unknown.get_or_insert_with(|| SharedCells::filled(words, 0));
            unknown.set(word, unknown.get(word) | bit);
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

/// The places of the bits that differ, in order; without words all bits are clear.
pub(crate) fn each_bit_difference(
    ours: Option<&SharedCells<u64>>,
    theirs: Option<&SharedCells<u64>>,
    mut found: impl FnMut(usize),
) {
    let mut word_differs = |at: usize, differing: u64| {
        let mut bits = differing;
        while bits != 0 {
            found(at * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    };
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            ours.for_each_difference(theirs, |at| word_differs(at, ours.get(at) ^ theirs.get(at)));
        }
        (Some(words), None) | (None, Some(words)) => {
            for at in 0..words.len() {
                word_differs(at, words.get(at));
            }
        }
        (None, None) => {}
    }
}

/// The words of unknown bits for a rule per cell; `None` if no cell is unknown.
pub(super) fn unknown_where(
    len: usize,
    mut is_unknown: impl FnMut(usize) -> bool,
) -> Option<SharedCells<u64>> {
    let mut words: Option<Vec<u64>> = None;
    for index in (0..len).filter(|&index| is_unknown(index)) {
        words.get_or_insert_with(|| vec![0; len.div_ceil(64)])[index / 64] |= 1 << (index % 64);
    }
    words.map(SharedCells::new)
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

fn has_bit(words: &SharedCells<u64>, index: usize) -> bool {
    words.get(index / 64) & (1 << (index % 64)) != 0
}

/// The places of the bits that are set.
fn unknown_indices(words: &SharedCells<u64>) -> impl Iterator<Item = usize> + '_ {
    let words = words.flat().iter().enumerate().filter(|&(_, &word)| word != 0);
    words.flat_map(|(at, &word)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 != 0)
            .map(move |bit| at * 64 + bit)
    })
}
