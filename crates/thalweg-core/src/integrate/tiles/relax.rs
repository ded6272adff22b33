//! Relaxation of one tile to its fixpoint, a row of 32 cells at a time.
//!
//! A row first pulls from the row above or below it, all 32 cells at once. If that lowered anything, costs spread along the
//! row: with `W` the running sum of step costs, the least of `D[j] + (W[i] - W[j])` over all `j` west of `i` is a running
//! minimum of `D - W`, which five steps of doubling length find; walls between two cells take the step away by its mask.
//! Both directions start from the same costs, because the cheapest way inside a row never turns. Rows are worked downward
//! and upward by turns until no row has anything left to pull; a row is only looked at again if a row beside it was
//! lowered so that it might gain.

use super::lanes::Row;
use super::lowered::Lowered;
use super::prices::{Prices, Pricing};
use super::tile::{Ground, Halo, Work};
use super::{NONE, SIDE, SIDE_U32};
use crate::grid::Direction;
use fearless_simd::Simd;

impl Halo {
    /// Whether what is known around the tile is cheapest below its middle.
    #[inline(always)]
    fn is_lower_in_the_south(&self) -> bool {
        // The ends of the sides tell enough. Walls, which hold 0, are left out.
        let least = |ends: [u32; 4]| ends.map(|end| end.wrapping_sub(1)).into_iter().min();
        let north = least([self.west[1], self.east[1], self.north[0], self.north[SIDE - 1]]);
        let south = least([
            self.west[SIDE],
            self.east[SIDE],
            self.south[0],
            self.south[SIDE - 1],
        ]);
        south < north
    }
}

/// The first and the last column.
const WEST: usize = 0;
const EAST: usize = 1;

const N: usize = Direction::N.index();
const E: usize = Direction::E.index();
const S: usize = Direction::S.index();
const W: usize = Direction::W.index();
const NE: usize = Direction::NE.index();
const SE: usize = Direction::SE.index();
const SW: usize = Direction::SW.index();
const NW: usize = Direction::NW.index();

/// Relaxes a tile until nothing in it can be lowered.
#[inline(always)]
pub(super) fn relax<V: Simd>(
    simd: V,
    values: &mut [[u32; SIDE]; SIDE],
    ground: &Ground,
    halo: &Halo,
    work: Work,
    prices: &Prices,
) -> Lowered {
    match ground.pricing {
        Pricing::Flat(charge) => Pass::<V, FLAT>::new(simd, ground, halo, prices, charge).run(values, work),
        Pricing::Depart => Pass::<V, OWN>::new(simd, ground, halo, prices, 0).run(values, work),
        Pricing::Arrive => Pass::<V, OTHER>::new(simd, ground, halo, prices, 0).run(values, work),
        Pricing::Mean => Pass::<V, OTHER>::new(simd, ground, halo, prices, 1).run(values, work),
    }
}

/// Who pays for a step, as a constant, so that each is compiled by itself: nobody in particular,
const FLAT: u8 = 0;
/// the cell that pulls,
const OWN: u8 = 1;
/// or the cell pulled from, and the other too where the mean is charged.
const OTHER: u8 = 2;

/// What does not change during a visit.
struct Pass<'a, V: Simd, const P: u8> {
    simd: V,
    ground: &'a Ground,
    halo: &'a Halo,
    prices: &'a Prices,
    limit: Row<V>,
    none: Row<V>,
    least_step: Row<V>,
    /// The charge of a flat tile; elsewhere how often the cell that pulls pays beside the other.
    charge: u32,
    /// In flat tiles: straight and diagonal step, and the sums of [`Along`].
    flat_straight: Row<V>,
    flat_diagonal: Row<V>,
    flat_along: Along<V>,
}

/// Running sums of the steps of a row.
#[derive(Clone, Copy)]
struct Along<V: Simd> {
    /// For cells that pull from the west: what the steps of the cells east of a cell sum up to, its own left out.
    rest: Row<V>,
    /// For cells that pull from the east: what the steps of the cells west of a cell sum up to, its own left out.
    before: Row<V>,
}

impl<'a, V: Simd, const P: u8> Pass<'a, V, P> {
    #[inline(always)]
    fn new(simd: V, ground: &'a Ground, halo: &'a Halo, prices: &'a Prices, charge: u32) -> Self {
        let flat_straight = Row::splat(simd, charge.wrapping_mul(prices.straight));
        Self {
            simd,
            ground,
            halo,
            prices,
            limit: Row::splat(simd, prices.limit.saturating_add(1)),
            none: Row::splat(simd, NONE),
            least_step: Row::splat(simd, ground.least_charge.wrapping_mul(prices.straight)),
            charge,
            flat_straight,
            flat_diagonal: Row::splat(simd, charge.wrapping_mul(prices.diagonal)),
            flat_along: Self::along_of(simd, flat_straight, flat_straight),
        }
    }

    /// The sums for what each cell pays to pull from the west and from the east.
    #[inline(always)]
    fn along_of(simd: V, from_west: Row<V>, from_east: Row<V>) -> Along<V> {
        let sums = from_west.sums_from_west(simd);
        let rest = Row::splat(simd, sums.last()).sub(sums);
        let sums = if P == OTHER {
            from_east.sums_from_west(simd)
        } else {
            sums
        };
        Along {
            rest,
            before: sums.sub(from_east),
        }
    }

    #[inline(always)]
    fn run(&self, values: &mut [[u32; SIDE]; SIDE], mut work: Work) -> Lowered {
        let mut lowered = Lowered::default();
        if work.beside != 0 {
            work.own |= self.pull_column::<WEST>(values, &mut lowered);
            work.own |= self.pull_column::<EAST>(values, &mut lowered);
        }
        // Along the way costs rise, so that most rows are worked once.
        if !self.halo.is_lower_in_the_south() {
            self.sweep::<true>(values, &mut work, &mut lowered);
        }
        while work.up | work.down | work.own != 0 {
            self.sweep::<false>(values, &mut work, &mut lowered);
            if work.up | work.own != 0 {
                self.sweep::<true>(values, &mut work, &mut lowered);
            }
        }
        lowered
    }

    /// Lowers the first or last column to what the tile beside it and those across its corners offer. Returns the rows whose
    /// cell was lowered.
    #[inline(always)]
    fn pull_column<const RIM: usize>(&self, values: &mut [[u32; SIDE]; SIDE], lowered: &mut Lowered) -> u32 {
        let simd = self.simd;
        let (column, beside) = if RIM == WEST {
            (0, &self.halo.west)
        } else {
            (LAST, &self.halo.east)
        };
        let (straight, north, south) = if RIM == WEST { (W, NW, SW) } else { (E, NE, SE) };
        let masks = &self.ground.rim_exits[RIM];
        let old = Row::from_fn(simd, |row| values[row][column]);
        let steps = self.steps_beside::<RIM>(column);
        let pull = |offset: usize, direction: usize, step: Row<V>| {
            // Columns of the halo begin with the row above.
            let other = beside[offset..].first_chunk().unwrap_or(&[NONE; SIDE]);
            let sums = Row::load(simd, other).add(step);
            sums.where_set(simd, masks[direction], self.none)
        };
        let new = old
            .min(pull(0, north, steps[0]))
            .min(pull(1, straight, steps[1]))
            .min(pull(2, south, steps[2]));
        let gained = new.below(old);
        let kept = gained & new.below(self.limit);
        lowered.dropped |= kept != gained;
        let mut cells = [0; SIDE];
        new.store(&mut cells);
        let mut rows = kept;
        while rows != 0 {
            let row = rows.trailing_zeros() as usize % SIDE;
            rows &= rows - 1;
            values[row][column] = cells[row];
            lowered.note(row, 1 << column);
        }
        kept
    }

    /// What the cells of a column at the rim pay for a step out of the tile: north-, straight and southward.
    #[inline(always)]
    fn steps_beside<const RIM: usize>(&self, column: usize) -> [Row<V>; 3] {
        let simd = self.simd;
        let ground = self.ground;
        let (straight, diagonal) = (self.prices.straight, self.prices.diagonal);
        if P == FLAT {
            return [self.flat_diagonal, self.flat_straight, self.flat_diagonal];
        }
        let own = Row::from_fn(simd, |row| u32::from(ground.costs[row + 1][column]));
        if P == OWN {
            let across = own.times(simd, diagonal);
            return [across, own.times(simd, straight), across];
        }
        let left = own.times(simd, self.charge);
        let entered = if RIM == WEST { &ground.west } else { &ground.east };
        let charge = |offset: usize| {
            let other = entered[offset..].first_chunk().unwrap_or(&[0; SIDE]);
            Row::widen(simd, other).add(left)
        };
        [
            charge(0).times(simd, diagonal),
            charge(1).times(simd, straight),
            charge(2).times(simd, diagonal),
        ]
    }

    /// One pass over the rows that have something to do, downward or upward.
    ///
    /// While rows are lowered one after the other the loop goes on to the next without asking the masks of rows: which row is
    /// next then hangs on branches, which processors foresee, and not on the outcome of the row before.
    #[inline(always)]
    fn sweep<const DOWN: bool>(
        &self,
        values: &mut [[u32; SIDE]; SIDE],
        work: &mut Work,
        lowered: &mut Lowered,
    ) {
        // The rows that the pass has not come by.
        let mut open = u32::MAX;
        loop {
            let todo = (work.own | if DOWN { work.up } else { work.down }) & open;
            if todo == 0 {
                return;
            }
            let mut row = if DOWN {
                todo.trailing_zeros() as usize
            } else {
                SIDE - 1 - todo.leading_zeros() as usize
            } % SIDE;
            let mut other = match (DOWN, row) {
                (true, 0) => Row::load(self.simd, &self.halo.north),
                (false, LAST) => Row::load(self.simd, &self.halo.south),
                (true, _) => Row::load(self.simd, &values[row - 1]),
                (false, _) => Row::load(self.simd, &values[row + 1]),
            };
            loop {
                let bit = 1u32 << row;
                let was_lowered = work.own & bit != 0;
                work.own &= !bit;
                if DOWN {
                    work.up &= !bit;
                } else {
                    work.down &= !bit;
                }
                lowered.relaxed += SIDE_U32;
                let Some((new, behind)) = self.row::<DOWN>(values, row, other, was_lowered, lowered) else {
                    break;
                };
                if behind {
                    if DOWN {
                        work.down |= bit >> 1;
                    } else {
                        work.up |= bit << 1;
                    }
                }
                if row == if DOWN { LAST } else { 0 } {
                    return;
                }
                row = if DOWN { row + 1 } else { row - 1 };
                other = new;
            }
            open = if DOWN { after(row) } else { before(row) };
        }
    }

    /// Works one row: pulls from the row above it (`DOWN`) or below it, then along the row. If anything was lowered, here or
    /// before, returns the row and whether the row it pulled from may gain by it.
    #[inline(always)]
    fn row<const DOWN: bool>(
        &self,
        values: &mut [[u32; SIDE]; SIDE],
        row: usize,
        other: Row<V>,
        was_lowered: bool,
        lowered: &mut Lowered,
    ) -> Option<(Row<V>, bool)> {
        let simd = self.simd;
        let none = self.none;
        let masks = &self.ground.exits[row];
        let old = Row::load(simd, &values[row]);
        // What lies beyond the rim has been taken in before, see `pull_column`.
        let from_west = other.shifted_east(none);
        let from_east = other.shifted_west(none);
        let (vertical, eastern, western) = if DOWN { (N, NE, NW) } else { (S, SE, SW) };
        let mut new = match P {
            FLAT | OWN => {
                let (price, diagonal_price) = self.own_prices(row);
                let over = other.where_set(simd, masks[vertical], none);
                let across = from_east
                    .where_set(simd, masks[eastern], none)
                    .min(from_west.where_set(simd, masks[western], none));
                old.min(over.add(price)).min(across.add(diagonal_price))
            }
            _ => {
                let steps = self.steps_from(row, if DOWN { row } else { row + 2 });
                let over = other.add(steps[0]).where_set(simd, masks[vertical], none);
                let eastward = from_east.add(steps[1]).where_set(simd, masks[eastern], none);
                let westward = from_west.add(steps[2]).where_set(simd, masks[western], none);
                old.min(over).min(eastward).min(westward)
            }
        };
        if !was_lowered && new.below(old) == 0 {
            return None;
        }
        // Along the row one step at first: where that lowers nothing, more steps do not either.
        let [from_west, from_east] = self.prices_along(row);
        let gains_from_west = new.shifted_east(none).add(from_west).below(new) & masks[W] != 0;
        let gains_from_east = new.shifted_west(none).add(from_east).below(new) & masks[E] != 0;
        if gains_from_west | gains_from_east {
            let along = self.along(from_west, from_east);
            let pulled = new;
            if gains_from_west {
                new = new.min(self.spread_east(pulled, along.rest, masks[W]));
            }
            if gains_from_east {
                new = new.min(self.spread_west(pulled, along.before, masks[E]));
            }
        }
        let mut gained = new.below(old);
        let beyond = gained & !new.below(self.limit);
        if beyond != 0 {
            lowered.dropped = true;
            gained &= !beyond;
            new = new.where_set(simd, gained, old);
        }
        if gained == 0 && !was_lowered {
            return None;
        }
        new.store(&mut values[row]);
        lowered.note(row, gained);
        let lanes = if was_lowered { u32::MAX } else { gained };
        // The row it pulled from gains only where it is dearer than what was written beside it and a step.
        let beside = other.east_by::<1>(simd).max(other.west_by::<1>(simd));
        let behind = new.add(self.least_step).below(other.max(beside)) & lanes != 0;
        Some((new, behind))
    }

    /// What the row's cells pay for straight and diagonal steps, where the cell that pulls pays.
    #[inline(always)]
    fn own_prices(&self, row: usize) -> (Row<V>, Row<V>) {
        if P == FLAT {
            return (self.flat_straight, self.flat_diagonal);
        }
        let costs = Row::widen(self.simd, &self.ground.costs[row + 1]);
        (
            costs.times(self.simd, self.prices.straight),
            costs.times(self.simd, self.prices.diagonal),
        )
    }

    /// What the row's cells pay to pull straight, from the east and from the west of row `at` (counted from the halo),
    /// where the cell pulled from pays, or both.
    #[inline(always)]
    fn steps_from(&self, row: usize, at: usize) -> [Row<V>; 3] {
        let simd = self.simd;
        let ground = self.ground;
        let entered = Row::widen(simd, &ground.costs[at]);
        // What a step across the rim costs means nothing here.
        let mut charges = [entered, entered.west_by::<1>(simd), entered.east_by::<1>(simd)];
        let left = Row::widen(simd, &ground.costs[row + 1]).times(simd, self.charge);
        charges = charges.map(|charge| charge.add(left));
        let (straight, diagonal) = (self.prices.straight, self.prices.diagonal);
        [
            charges[0].times(simd, straight),
            charges[1].times(simd, diagonal),
            charges[2].times(simd, diagonal),
        ]
    }

    /// What the row's cells pay to pull from the west and from the east.
    #[inline(always)]
    fn prices_along(&self, row: usize) -> [Row<V>; 2] {
        let simd = self.simd;
        if P == FLAT {
            return [self.flat_straight; 2];
        }
        let own = Row::widen(simd, &self.ground.costs[row + 1]);
        let straight = self.prices.straight;
        if P == OWN {
            return [own.times(simd, straight); 2];
        }
        let left = own.times(simd, self.charge);
        [
            own.east_by::<1>(simd).add(left).times(simd, straight),
            own.west_by::<1>(simd).add(left).times(simd, straight),
        ]
    }

    #[inline(always)]
    fn along(&self, from_west: Row<V>, from_east: Row<V>) -> Along<V> {
        if P == FLAT {
            self.flat_along
        } else {
            Self::along_of(self.simd, from_west, from_east)
        }
    }

    /// The least cost of every cell over the cells west of it in its row.
    #[inline(always)]
    fn spread_east(&self, row: Row<V>, rest: Row<V>, open: u32) -> Row<V> {
        let simd = self.simd;
        let mut keys = row.add(rest);
        // Whether a cell is joined to the ones 1, 2, 4, … to the west of it.
        let open2 = open & open << 1;
        let open4 = open2 & open2 << 2;
        let open8 = open4 & open4 << 4;
        let open16 = open8 & open8 << 8;
        keys = keys.min(keys.east_by::<1>(simd)).where_set(simd, open & !1, keys);
        keys = keys
            .min(keys.east_by::<2>(simd))
            .where_set(simd, open2 & !3, keys);
        keys = keys
            .min(keys.east_by::<4>(simd))
            .where_set(simd, open4 & !15, keys);
        keys = keys
            .min(keys.east_by::<8>(simd))
            .where_set(simd, open8 & !0xff, keys);
        keys.east_min_west(simd, open16).sub(rest)
    }

    /// The least cost of every cell over the cells east of it in its row.
    #[inline(always)]
    fn spread_west(&self, row: Row<V>, before: Row<V>, open: u32) -> Row<V> {
        let simd = self.simd;
        let mut keys = row.add(before);
        let open2 = open & open >> 1;
        let open4 = open2 & open2 >> 2;
        let open8 = open4 & open4 >> 4;
        let open16 = open8 & open8 >> 8;
        keys = keys
            .min(keys.west_by::<1>(simd))
            .where_set(simd, open & u32::MAX >> 1, keys);
        keys = keys
            .min(keys.west_by::<2>(simd))
            .where_set(simd, open2 & u32::MAX >> 2, keys);
        keys = keys
            .min(keys.west_by::<4>(simd))
            .where_set(simd, open4 & u32::MAX >> 4, keys);
        keys = keys
            .min(keys.west_by::<8>(simd))
            .where_set(simd, open8 & u32::MAX >> 8, keys);
        keys.west_min_east(simd, open16).sub(before)
    }
}

const LAST: usize = SIDE - 1;

/// The bits of the rows below a row.
const fn after(row: usize) -> u32 {
    if row + 1 == SIDE { 0 } else { u32::MAX << (row + 1) }
}

/// The bits of the rows above a row.
const fn before(row: usize) -> u32 {
    (1 << row) - 1
}
