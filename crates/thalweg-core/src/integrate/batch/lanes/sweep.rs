//! Relaxation of a whole map to its fixpoint, a lane per goal set.
//!
//! The map is swept row by row, downward and upward by turns. A row first pulls from the row it comes after, then costs
//! spread along it eastward and westward. The steps of a cell are the same in all lanes, so no lane ever needs another one:
//! what costs a tile of one goal its running minima is a plain loop here. Rows are cut into segments; a segment is only
//! looked at again if something beside it was lowered since it last looked.

use super::Lanes;
use super::ground::{ALL_CLOSED, LaneGround, Price, Steps, StepsOf};
use crate::grid::Direction;
use fearless_simd::{Bytes, Simd, SimdBase, SimdMask, u16x32, u32x16};

/// The shortest segment, in columns.
const SEGMENT: usize = 16;
/// A row has at most this many: a bit each.
const SEGMENTS: usize = 64;

const N: usize = Direction::N.index();
const E: usize = Direction::E.index();
const S: usize = Direction::S.index();
const W: usize = Direction::W.index();
const NE: usize = Direction::NE.index();
const SE: usize = Direction::SE.index();
const SW: usize = Direction::SW.index();
const NW: usize = Direction::NW.index();

/// What a row has to do and to tell, a bit per segment.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RowNews {
    /// Segments that hold seeds nobody has looked at.
    pub(super) seeded: u64,
    /// Segments of the row above that may gain from this row.
    for_above: u64,
    /// Segments of the row below that may gain from this row.
    for_below: u64,
}

/// How the rows of a map are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    width: usize,
    /// Columns of a segment; the last may be shorter.
    length: usize,
    /// Segments of a row.
    pub(super) count: usize,
}

impl Cut {
    pub(super) fn of(width: usize) -> Self {
        let length = width.div_ceil(SEGMENTS).max(SEGMENT);
        Self {
            width,
            length,
            count: width.div_ceil(length),
        }
    }

    /// The segment of a column, as a bit.
    pub(super) const fn bit(self, column: usize) -> u64 {
        1 << (column / self.length)
    }

    /// First column and the one after the last.
    const fn columns(self, segment: usize) -> (usize, usize) {
        let first = segment * self.length;
        let end = first + self.length;
        (first, if end < self.width { end } else { self.width })
    }

    /// The bits of all segments.
    const fn all(self) -> u64 {
        u64::MAX >> (SEGMENTS - self.count)
    }
}

/// What a segment's work lowered.
#[derive(Clone, Copy, Default, Debug)]
struct Change {
    any: bool,
    first: bool,
    last: bool,
}

impl Change {
    /// What is taken for seeds, whose cells are not told apart.
    const EVERYWHERE: Self = Self {
        any: true,
        first: true,
        last: true,
    };

    /// The segments of a row beside it that touch what was lowered, if that is any; it may run over the end of the row.
    const fn seen_from_beside(self, bit: u64) -> u64 {
        let west = if self.first { bit >> 1 } else { 0 };
        let east = if self.last { bit << 1 } else { 0 };
        bit | west | east
    }
}

/// One group of goal sets on its way to the fixpoint.
pub(super) struct Sweeps<'a, V: Simd> {
    pub(super) simd: V,
    pub(super) ground: &'a LaneGround,
    pub(super) cut: Cut,
    /// Rows with a cell more at each end, and a row more above and below.
    pub(super) values: &'a mut [Lanes],
    pub(super) rows: &'a mut [RowNews],
    /// Segments worked.
    pub(super) worked: u64,
}

impl<V: Simd> Sweeps<'_, V> {
    /// Sweeps until nothing can be lowered. `false` if more segments than `most` had to be worked.
    #[inline(always)]
    pub(super) fn run(&mut self, most: u64) -> bool {
        loop {
            self.sweep::<true>();
            if self.rows.iter().all(|row| row.for_above == 0) {
                return true;
            }
            self.sweep::<false>();
            if self.rows.iter().all(|row| row.for_below == 0) {
                return true;
            }
            if self.worked > most {
                return false;
            }
        }
    }

    #[inline(always)]
    fn sweep<const DOWN: bool>(&mut self) {
        let height = self.rows.len();
        // What the row before tells.
        let mut told = 0;
        for turn in 0..height {
            let row = if DOWN { turn } else { height - 1 - turn };
            let seeded = core::mem::take(&mut self.rows[row].seeded);
            let todo = Todo { pull: told, seeded };
            if told | seeded != 0 {
                self.work_row::<DOWN>(row, todo);
            }
            let news = &mut self.rows[row];
            told = core::mem::take(if DOWN {
                &mut news.for_below
            } else {
                &mut news.for_above
            });
        }
    }

    #[inline(always)]
    fn work_row<const DOWN: bool>(&mut self, row: usize, todo: Todo) {
        let stride = self.ground.width + 2;
        let (beside, own) = if DOWN {
            let (before, after) = self.values.split_at_mut((row + 1) * stride);
            (&before[row * stride..], &mut after[..stride])
        } else {
            let (before, after) = self.values.split_at_mut((row + 2) * stride);
            (&after[..stride], &mut before[(row + 1) * stride..])
        };
        let first = row * self.ground.width;
        let cells = first..first + self.ground.width;
        let (simd, cut, worked) = (self.simd, self.cut, &mut self.worked);
        let told = match &self.ground.steps {
            StepsOf::Kind { kinds, steps } => {
                let kinds = &kinds[cells];
                let of = |from: usize, to: usize| {
                    kinds[from..to].iter().map(
                        #[inline(always)]
                        |&kind| steps.get(usize::from(kind)).unwrap_or(&ALL_CLOSED),
                    )
                };
                work_row::<V, DOWN, _>(simd, cut, beside, own, todo, of, worked)
            }
            StepsOf::Cell(steps) => {
                let steps = &steps[cells];
                let of = |from: usize, to: usize| steps[from..to].iter();
                work_row::<V, DOWN, _>(simd, cut, beside, own, todo, of, worked)
            }
        };
        let news = &mut self.rows[row];
        news.for_above |= told;
        news.for_below |= told;
    }
}

/// What a row has to do in a sweep, a bit per segment.
#[derive(Clone, Copy)]
struct Todo {
    /// Segments that pull.
    pull: u64,
    /// Segments among them that hold new seeds.
    seeded: u64,
}

/// Works the segments of a row that have something to do, and those that what is lowered runs into. Returns the segments of
/// the rows beside it that may gain.
#[inline(always)]
fn work_row<'s, V: Simd, const DOWN: bool, I: DoubleEndedIterator<Item = &'s Steps>>(
    simd: V,
    cut: Cut,
    beside: &[Lanes],
    own: &mut [Lanes],
    todo: Todo,
    steps: impl Fn(usize, usize) -> I,
    worked: &mut u64,
) -> u64 {
    let mut news = 0;
    let mut lowered = 0u64;
    let mut waiting = todo.pull | todo.seeded;
    while waiting != 0 {
        let segment = waiting.trailing_zeros() as usize;
        let bit = 1 << segment;
        waiting &= !bit;
        *worked += 1;
        let (from, to) = cut.columns(segment);
        let beside = &beside[from..to + 2];
        let mut change = east::<V, DOWN>(simd, beside, &mut own[from..=to], steps(from, to));
        if todo.seeded & bit != 0 {
            change = Change::EVERYWHERE;
        }
        if !change.any {
            continue;
        }
        lowered |= bit;
        news |= change.seen_from_beside(bit);
        let next = bit << 1;
        if change.last && to < cut.width && gains::<V, W>(simd, &own[to + 1], &own[to], steps(to, to + 1)) {
            waiting |= next;
        }
    }
    let mut waiting = lowered;
    while waiting != 0 {
        let segment = SEGMENTS - 1 - waiting.leading_zeros() as usize;
        let bit = 1 << segment;
        waiting &= !bit;
        let (from, to) = cut.columns(segment);
        let change = west(simd, &mut own[from + 1..to + 2], steps(from, to));
        if change.any {
            news |= change.seen_from_beside(bit);
        }
        if from > 0 && gains::<V, E>(simd, &own[from], &own[from + 1], steps(from - 1, from)) {
            waiting |= bit >> 1;
        }
    }
    news & cut.all()
}

/// Lowers the cells of a segment to what the row beside it and the cell to the west offer. `beside` has a cell more at each
/// end, `own` one more at the western end.
#[inline(always)]
fn east<'s, V: Simd, const DOWN: bool>(
    simd: V,
    beside: &[Lanes],
    own: &mut [Lanes],
    steps: impl Iterator<Item = &'s Steps>,
) -> Change {
    let (straight, eastern, western) = if DOWN { (N, NE, NW) } else { (S, SE, SW) };
    let [west_of, own @ ..] = own else {
        return Change::default();
    };
    let [beside_west, beside_here, beside @ ..] = beside else {
        return Change::default();
    };
    let mut watch = Watch::new(simd, own);
    let mut left = west_of.load(simd);
    let mut west = beside_west.load(simd);
    let mut here = beside_here.load(simd);
    for ((own, beside), steps) in own.iter_mut().zip(beside).zip(steps) {
        let east = beside.load(simd);
        let old = own.load(simd);
        let pulled = old
            .min(after(simd, here, steps[straight]))
            .min(after(simd, east, steps[eastern]))
            .min(after(simd, west, steps[western]));
        let new = pulled.min(after(simd, left, steps[W]));
        own.store(new);
        watch.see(old, new);
        (west, here, left) = (here, east, new);
    }
    watch.end(simd, own)
}

/// Lowers the cells of a segment to what the cell to the east offers, from the east. `own` has a cell more at the eastern
/// end.
#[inline(always)]
fn west<'s, V: Simd>(
    simd: V,
    own: &mut [Lanes],
    steps: impl DoubleEndedIterator<Item = &'s Steps>,
) -> Change {
    let [own @ .., east_of] = own else {
        return Change::default();
    };
    let mut watch = Watch::new(simd, own);
    let mut right = east_of.load(simd);
    for (own, steps) in own.iter_mut().rev().zip(steps.rev()) {
        let old = own.load(simd);
        let new = old.min(after(simd, right, steps[E]));
        own.store(new);
        watch.see(old, new);
        right = new;
    }
    watch.end(simd, own)
}

/// Whether a cell can be lowered by a step in direction `D` to the cell `ahead`.
#[inline(always)]
fn gains<'s, V: Simd, const D: usize>(
    simd: V,
    cell: &Lanes,
    ahead: &Lanes,
    mut steps: impl Iterator<Item = &'s Steps>,
) -> bool {
    let step = steps.next().map_or(ALL_CLOSED[D], |steps| steps[D]);
    let offered = after(simd, ahead.load(simd), step);
    offered.simd_lt(cell.load(simd)).any_true()
}

/// What a step to a cell of these costs comes to.
#[inline(always)]
fn after<V: Simd>(simd: V, ahead: u16x32<V>, step: Price) -> u16x32<V> {
    // A vector of the doubled price: wider words are spread without a shuffle.
    let step: u16x32<V> = u32x16::splat(simd, step).bitcast();
    ahead + step
}

/// Sees which cells of a segment are lowered.
struct Watch<V: Simd> {
    first: u16x32<V>,
    last: u16x32<V>,
    differs: u16x32<V>,
}

impl<V: Simd> Watch<V> {
    #[inline(always)]
    fn new(simd: V, own: &[Lanes]) -> Self {
        let zero = u16x32::splat(simd, 0);
        Self {
            first: own.first().map_or(zero, |cell| cell.load(simd)),
            last: own.last().map_or(zero, |cell| cell.load(simd)),
            differs: zero,
        }
    }

    #[inline(always)]
    fn see(&mut self, old: u16x32<V>, new: u16x32<V>) {
        self.differs |= old ^ new;
    }

    #[inline(always)]
    fn end(self, simd: V, own: &[Lanes]) -> Change {
        let zero = u16x32::splat(simd, 0);
        let differs = |cell: Option<&Lanes>, old: u16x32<V>| {
            cell.is_some_and(|cell| cell.load(simd).simd_lt(old).any_true())
        };
        Change {
            any: zero.simd_lt(self.differs).any_true(),
            first: differs(own.first(), self.first),
            last: differs(own.last(), self.last),
        }
    }
}
