//! One value per cell, shared between generations: a copy costs next to nothing and copies only what is then written to it.
//!
//! Maps and fields are kept while they are read, and the next generation differs in a few cells. So the array is cut into
//! pages of [`PAGE`] cells that follow each other by id; a clone shares them all, and a write to a shared page copies that page.
//!
//! Rejected: square blocks. A change touches fewer of them, but the place of a cell in a block takes a division by the
//! layer's width, and every reader pays it; a page is a shift. Rejected: one shared array that is copied when it is
//! written (`Arc::make_mut`): copying 5 MB for a door costs a hundred times as much as repairing the field. Rejected: two
//! arrays that take turns. They are twice the memory, and a reader that keeps an old one stops the exchange.
//!
//! Whole-map passes want one slice. [`SharedCells::flat`] has it at no cost while no page was replaced; after that it puts
//! the array together once and keeps it.

use core::fmt;
use core::ops::Range;
use std::sync::{Arc, OnceLock, Weak};

/// Cells of a page. Small pages are copied quickly, large ones keep the list of pages short: measured on maps of 1024 x 1024
/// cells.
pub const PAGE: usize = 2048;

/// An array becomes flat again when more than one page in so many was replaced: the list of replaced pages is copied with
/// every generation, page by page.
const REPLACED: usize = 4;

/// The page is where it was in the flat array.
const FLAT: u16 = u16::MAX;

/// One value per cell, in id order; cloning shares, writing copies pages.
pub struct SharedCells<T> {
    flat: Arc<Vec<T>>,
    /// Where in `own` each page is, or [`FLAT`]; empty while no page is replaced.
    places: Vec<u16>,
    /// Pages that replace their part of `flat`, in the order in which they came. A list of its own, so that a clone and a
    /// comparison of generations go through these few and not through all pages.
    own: Vec<(u32, Arc<[T]>)>,
    /// `flat` with the pages in it, once somebody asked.
    merged: OnceLock<Arc<Vec<T>>>,
}

/// Where a [`SharedCells`] keeps its values; equal only for the same values in the same place, also after they have been
/// freed.
#[derive(Debug)]
pub(crate) struct Place<T>(Weak<Vec<T>>);

impl<T> Clone for Place<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Place<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }
}

impl<T: Copy + PartialEq> SharedCells<T> {
    /// The values of all cells.
    #[must_use]
    pub fn new(values: Vec<T>) -> Self {
        Self {
            flat: Arc::new(values),
            places: Vec::new(),
            own: Vec::new(),
            merged: OnceLock::new(),
        }
    }

    /// The same value in every cell.
    #[must_use]
    pub fn filled(cells: usize, value: T) -> Self {
        Self::new(vec![value; cells])
    }

    /// Number of cells.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.flat.len()
    }

    /// Whether there are no cells.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flat.is_empty()
    }

    /// The value of a cell.
    ///
    /// # Panics
    /// If there is no such cell.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> T {
        match self.places.get(index / PAGE) {
            Some(&place) if place != FLAT => self.own[usize::from(place)].1[index % PAGE],
            _ => self.flat[index],
        }
    }

    /// The value of a cell, or `None` if there is no such cell.
    #[inline]
    #[must_use]
    pub fn try_get(&self, index: usize) -> Option<T> {
        (index < self.len()).then(|| self.get(index))
    }

    /// All values in one slice. O(1), but O(cells) the first time after pages were replaced.
    #[must_use]
    pub fn flat(&self) -> &[T] {
        self.flat_arc()
    }

    fn flat_arc(&self) -> &Arc<Vec<T>> {
        if self.own.is_empty() {
            return &self.flat;
        }
        self.merged.get_or_init(|| {
            let mut values = Vec::with_capacity(self.len());
            for page in 0..self.page_count() {
                values.extend_from_slice(self.page(page));
            }
            Arc::new(values)
        })
    }

    /// Whether [`Self::flat`] has the slice already.
    pub(crate) fn is_flat(&self) -> bool {
        self.own.is_empty() || self.merged.get().is_some()
    }

    /// Where the values are.
    pub(crate) fn place(&self) -> Place<T> {
        Place(Arc::downgrade(self.flat_arc()))
    }

    /// Writes a cell; copies its page first if somebody else holds it.
    ///
    /// # Panics
    /// If there is no such cell.
    pub fn set(&mut self, index: usize, value: T) {
        self.page_mut(index / PAGE)[index % PAGE] = value;
    }

    /// A page to write to, copied first if somebody else holds it.
    fn page_mut(&mut self, page: usize) -> &mut [T] {
        let range = self.page_range(page);
        if let Some(merged) = self.merged.take() {
            self.take_flat(merged);
        }
        if self.own.is_empty() && Arc::get_mut(&mut self.flat).is_some() {
            // Looked up twice, because a borrow that is returned on one way only is held on the other too.
            return Arc::get_mut(&mut self.flat).map_or(&mut [], |values| &mut values[range]);
        }
        if self.places.is_empty() {
            self.places.resize(self.page_count(), FLAT);
        }
        if self.places[page] == FLAT {
            let most = (self.places.len() / REPLACED).clamp(2, usize::from(FLAT));
            if self.own.len() >= most {
                let merged = Arc::clone(self.flat_arc());
                self.merged.take();
                self.take_flat(merged);
                return self.page_mut(page);
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a map has at most 2^30 cells, and fewer pages are replaced than a place can name"
            )]
            let (number, place) = (page as u32, self.own.len() as u16);
            self.places[page] = place;
            self.own.push((number, Arc::from(&self.flat[range])));
        }
        let own = &mut self.own[usize::from(self.places[page])].1;
        if Arc::get_mut(own).is_none() {
            *own = Arc::from(&own[..]);
        }
        Arc::get_mut(own).unwrap_or(&mut [])
    }

    fn take_flat(&mut self, flat: Arc<Vec<T>>) {
        self.flat = flat;
        self.places.clear();
        self.own.clear();
    }

    /// All values to be written, `cells` of them: those there were, and `value` where there are more now. The memory is used
    /// again if nobody else holds it.
    pub(crate) fn resize(&mut self, cells: usize, value: T) -> &mut Vec<T> {
        if !self.own.is_empty() {
            let merged = Arc::clone(self.flat_arc());
            self.take_flat(merged);
        }
        self.merged.take();
        if Arc::get_mut(&mut self.flat).is_none() {
            self.flat = Arc::new(self.flat.to_vec());
        }
        let values = Arc::make_mut(&mut self.flat);
        values.resize(cells, value);
        values
    }

    /// All values to be written anew: `cells` of them, all of this value. The memory is used again if nobody else holds it.
    pub(crate) fn refill(&mut self, cells: usize, value: T) -> &mut Vec<T> {
        let values = self.restart();
        values.clear();
        values.resize(cells, value);
        values
    }

    /// All values to be written anew: whatever they were, or none. The memory is used again if nobody else holds it.
    pub(crate) fn restart(&mut self) -> &mut Vec<T> {
        self.places.clear();
        self.own.clear();
        self.merged.take();
        if Arc::get_mut(&mut self.flat).is_none() {
            self.flat = Arc::new(Vec::new());
        }
        Arc::make_mut(&mut self.flat)
    }

    /// The pages that either replaced, in order. For arrays of one flat array.
    fn replaced_in_either(&self, other: &Self) -> Vec<u32> {
        let mut replaced: Vec<u32> = self.own.iter().chain(&other.own).map(|(page, _)| *page).collect();
        replaced.sort_unstable();
        replaced.dedup();
        replaced
    }

    /// A number of cells that the differences do not exceed, told from what is shared alone.
    pub(crate) fn most_differences(&self, other: &Self) -> usize {
        if !Arc::ptr_eq(&self.flat, &other.flat) {
            return self.len();
        }
        let replaced = self.replaced_in_either(other);
        let differing = replaced
            .iter()
            .filter(|&&page| !self.shares(other, page as usize));
        differing.count() * PAGE
    }

    /// The cells whose values differ, in id order. Pages that both share are passed over, so that it costs next to nothing
    /// between generations.
    ///
    /// # Panics
    /// If there are not as many cells in both.
    pub fn for_each_difference(&self, other: &Self, mut found: impl FnMut(usize)) {
        assert_eq!(self.len(), other.len(), "values of the same cells are compared");
        let mut compare = |page: usize| {
            if !self.shares(other, page) {
                each_difference(self.page(page), other.page(page), |at| found(page * PAGE + at));
            }
        };
        if !Arc::ptr_eq(&self.flat, &other.flat) {
            (0..self.page_count()).for_each(compare);
            return;
        }
        let replaced = self.replaced_in_either(other);
        for page in replaced {
            compare(page as usize);
        }
    }

    /// The values page by page.
    pub(crate) fn pages(&self) -> impl Iterator<Item = &[T]> + '_ {
        (0..self.page_count()).map(|page| self.page(page))
    }

    fn page_count(&self) -> usize {
        self.flat.len().div_ceil(PAGE)
    }

    fn page_range(&self, page: usize) -> Range<usize> {
        page * PAGE..((page + 1) * PAGE).min(self.flat.len())
    }

    fn page(&self, page: usize) -> &[T] {
        match self.places.get(page) {
            Some(&place) if place != FLAT => &self.own[usize::from(place)].1,
            _ => &self.flat[self.page_range(page)],
        }
    }

    /// The values of some cells that follow each other, in slices, each with the index of its first cell.
    pub(crate) fn slices(&self, cells: Range<usize>) -> impl Iterator<Item = (usize, &[T])> {
        let pages = cells.start / PAGE..cells.end.div_ceil(PAGE);
        pages.map(move |page| {
            let range = self.page_range(page);
            let (first, last) = (cells.start.max(range.start), cells.end.min(range.end));
            (first, &self.page(page)[first - range.start..last - range.start])
        })
    }

    /// Whether both keep the values of a page in one place. What was put together for whoever asked for one slice counts too:
    /// one of them may go on from there while the other has its pages still.
    fn shares(&self, other: &Self, page: usize) -> bool {
        let (ours, theirs) = (self.page(page), other.page(page));
        let merged = |values: &Self| {
            let range = self.page_range(page);
            values.merged.get().map(|merged| merged[range].as_ptr())
        };
        core::ptr::eq(ours, theirs)
            || merged(self).is_some_and(|ours| ours == theirs.as_ptr() || Some(ours) == merged(other))
            || merged(other) == Some(ours.as_ptr())
    }

    /// Bytes of the values, as if nobody shared them.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<T>() * self.len()
    }

    /// Bytes that these values hold and `other` does not.
    #[must_use]
    pub fn bytes_beside(&self, other: &Self) -> usize {
        let mut cells = 0;
        let others = [Some(&other.flat), other.merged.get()];
        for ours in [Some(&self.flat), self.merged.get()].into_iter().flatten() {
            let is_shared = others.iter().flatten().any(|theirs| Arc::ptr_eq(ours, theirs));
            cells += if is_shared { 0 } else { ours.len() };
        }
        for (page, own) in &self.own {
            let is_shared = other
                .own
                .iter()
                .any(|(at, theirs)| at == page && Arc::ptr_eq(own, theirs));
            cells += if is_shared { 0 } else { own.len() };
        }
        size_of::<T>() * cells
    }
}

/// Puts an array together page by page, for who may not wait until [`SharedCells::flat`] has done it.
#[derive(Debug, Default)]
pub(crate) struct Flattening<T>(Vec<T>);

impl<T: Copy + PartialEq> Flattening<T> {
    /// Copies the next page. Returns whether the array is flat.
    pub(crate) fn advance(&mut self, cells: &SharedCells<T>) -> bool {
        if cells.is_flat() {
            return true;
        }
        let page = self.0.len() / PAGE;
        if self.0.len() < cells.len() {
            self.0.reserve_exact(cells.len() - self.0.len());
            self.0.extend_from_slice(cells.page(page));
            return false;
        }
        // If somebody else was faster, that is as good.
        drop(cells.merged.set(Arc::new(core::mem::take(&mut self.0))));
        true
    }
}

/// The places where two slices of one length differ.
fn each_difference<T: Copy + PartialEq>(ours: &[T], theirs: &[T], mut found: impl FnMut(usize)) {
    /// Looked at as a whole first, without a branch per value, so that the compiler turns it into vectors.
    const BLOCK: usize = 64;
    for (block, (ours, theirs)) in ours.chunks(BLOCK).zip(theirs.chunks(BLOCK)).enumerate() {
        let differ = ours
            .iter()
            .zip(theirs)
            .fold(false, |differ, (one, two)| differ | (one != two));
        if differ {
            for (at, (one, two)) in ours.iter().zip(theirs).enumerate() {
                if one != two {
                    found(block * BLOCK + at);
                }
            }
        }
    }
}

impl<T> Clone for SharedCells<T> {
    fn clone(&self) -> Self {
        Self {
            flat: Arc::clone(&self.flat),
            places: self.places.clone(),
            own: self.own.clone(),
            merged: self.merged.clone(),
        }
    }
}

impl<T: Copy + PartialEq> PartialEq for SharedCells<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (0..self.page_count())
                .all(|page| self.shares(other, page) || self.page(page) == other.page(page))
    }
}

impl<T: Copy + Eq> Eq for SharedCells<T> {}

impl<T: Copy + PartialEq> Default for SharedCells<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T: Copy + PartialEq> From<Vec<T>> for SharedCells<T> {
    fn from(values: Vec<T>) -> Self {
        Self::new(values)
    }
}

impl<T> fmt::Debug for SharedCells<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedCells")
            .field("len", &self.flat.len())
            .field("replaced_pages", &self.own.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thalweg_testkit::random_map::SplitMix64;
    use thalweg_testkit::world::Draw as _;

    #[test]
    fn copies_behave_like_arrays_of_their_own() {
        for seed in 0..60 {
            let mut random = SplitMix64::new(seed);
            let len = 1 + random.below(20 * 4096) as usize;
            let mut made: Vec<(SharedCells<u32>, Vec<u32>)> =
                vec![(SharedCells::filled(len, 7), vec![7; len])];
            for _ in 0..60 {
                let at = random.index(made.len());
                match random.below(5) {
                    0 => {
                        let copy = made[at].clone();
                        made.push(copy);
                    }
                    1 if made.len() > 1 => {
                        made.remove(at);
                    }
                    2 => {
                        assert_eq!(made[at].0.flat(), made[at].1);
                    }
                    _ => {
                        for _ in 0..random.below(9) {
                            let (index, value) = (random.index(len), random.below(5));
                            made[at].0.set(index, value);
                            made[at].1[index] = value;
                        }
                    }
                }
                for (shared, plain) in &made {
                    let index = random.index(len);
                    assert_eq!(shared.get(index), plain[index], "seed {seed}");
                }
            }
            for (shared, plain) in &made {
                assert!(
                    (0..len).all(|index| shared.get(index) == plain[index]),
                    "seed {seed}"
                );
                for (other, beside) in &made {
                    let mut found = Vec::new();
                    shared.for_each_difference(other, |index| found.push(index));
                    let wanted: Vec<usize> =
                        (0..len).filter(|&index| plain[index] != beside[index]).collect();
                    assert_eq!(found, wanted, "seed {seed}");
                    assert_eq!(shared == other, plain == beside);
                }
                assert_eq!(shared.flat(), plain);
            }
        }
    }

    #[test]
    fn arrays_put_together_page_by_page_are_the_same() {
        let first = SharedCells::filled(20 * PAGE + 17, 1u32);
        let mut second = first.clone();
        assert!(Flattening::default().advance(&second), "nothing to do");
        second.set(20 * PAGE + 3, 2);
        assert!(!second.is_flat());
        let (mut flattening, mut pages) = (Flattening::default(), 0);
        while !flattening.advance(&second) {
            pages += 1;
        }
        assert_eq!(pages, 21);
        assert!(second.is_flat());
        let mut expected = vec![1; 20 * PAGE + 17];
        expected[20 * PAGE + 3] = 2;
        assert_eq!(second.flat(), expected);
    }

    #[test]
    fn a_write_copies_a_page_and_no_more() {
        let first = SharedCells::filled(20 * PAGE, 1u32);
        let mut second = first.clone();
        assert_eq!(second.bytes_beside(&first), 0);
        second.set(3 * PAGE + 5, 2);
        second.set(3 * PAGE + 6, 2);
        assert_eq!(second.bytes_beside(&first), 4 * PAGE);
        assert_eq!((first.get(3 * PAGE + 5), second.get(3 * PAGE + 5)), (1, 2));
    }

    #[test]
    fn the_place_changes_with_every_write_that_others_could_miss() {
        let mut values = SharedCells::filled(20 * PAGE, 1u32);
        let before = values.place();
        assert_eq!(before, values.place());
        values.set(0, 1);
        // Somebody watches the place, so that it may not be written.
        assert_ne!(before, values.place());
    }
}
