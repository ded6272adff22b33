//! Relaxation of one tile to its fixpoint, a row of 32 cells at a time.
//!
//! A row first pulls from the row above or below it, all 32 cells at once. If that lowered anything, costs spread along the
//! row: with `W` the running sum of step costs, the least of `D[j] + (W[i] - W[j])` over all `j` west of `i` is a running
//! minimum of `D - W`, which five steps of doubling length find; walls between two cells take the step away by its mask.
//! Both directions start from the same costs, because the cheapest way inside a row never turns. Rows are worked downward
//! and upward by turns until no row has anything left to pull; a row is only looked at again if a row beside it was
//! lowered so that it might gain.

use super::lanes::Row;
use super::tile::{Ground, Halo, Work};
use super::{NONE, SIDE, SIDE_U32};
use crate::grid::Direction;
use fearless_simd::Simd;

/// What every tile of one integration is relaxed by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prices {
    /// Length of a straight and of a diagonal step, in step units.
    pub(super) straight: u32,
    pub(super) diagonal: u32,
    /// Costs above this are not written.
    pub(super) limit: u32,
}

/// Which cells at the rims of a tile a visit lowered, a bit per row or column, and what it could not write.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Lowered {
    pub(super) north: u32,
    pub(super) south: u32,
    pub(super) west: u32,
    pub(super) east: u32,
    /// Rows of which any cell was lowered.
    pub(super) rows: u32,
    /// Whether a cost beyond the limit was dropped.
    pub(super) dropped: bool,
    /// Cells that were relaxed, a cell each time.
    pub(super) relaxed: u32,
}

impl Lowered {
    /// Adds what another lowered.
    #[inline(always)]
    pub(super) const fn join(&mut self, other: &Self) {
        self.north |= other.north;
        self.south |= other.south;
        self.west |= other.west;
        self.east |= other.east;
        self.rows |= other.rows;
        self.dropped |= other.dropped;
        self.relaxed += other.relaxed;
    }

    /// Takes note of the lanes of a row.
    #[inline(always)]
    pub(super) const fn note(&mut self, row: usize, lanes: u32) {
        self.rows |= 1 << row;
        self.west |= (lanes & 1) << row;
        self.east |= (lanes >> (SIDE - 1)) << row;
        if row == 0 {
            self.north |= lanes;
        }
        if row == SIDE - 1 {
            self.south |= lanes;
        }
    }
}

/// How a step is charged, seen from the row that pulls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pricing {
    /// Every step of one length costs the same in this tile: the charge.
    Flat(u32),
    /// By the cost of the cell left, which is the cell that pulls.
    Depart,
    /// By the cost of the cell entered, which is the cell pulled from.
    Arrive,
    /// By both, in doubled units.
    Mean,
}

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
    /// Both sums over the whole row.
    whole_west: u32,
    whole_east: u32,
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
        let whole_west = sums.last();
        let rest = Row::splat(simd, whole_west).sub(sums);
        let sums = if P == OTHER {
            from_east.sums_from_west(simd)
        } else {
            sums
        };
        Along {
            rest,
            before: sums.sub(from_east),
            whole_west,
            whole_east: sums.last(),
        }
    }

    #[inline(always)]
    fn run(&self, values: &mut [[u32; SIDE]; SIDE], work: Work) -> Lowered {
        let Work {
            mut up,
            mut down,
            mut side,
        } = work;
        let mut lowered = Lowered::default();
        let mut downward = true;
        // The rows that the present pass has not come by.
        let mut open = u32::MAX;
        loop {
            let todo = if downward { up | side } else { down } & open;
            if todo == 0 {
                // Rows above (or below) the last one may have got something to pull meanwhile.
                if (if downward { down } else { up }) == 0 {
                    return lowered;
                }
                downward = !downward;
                open = u32::MAX;
                continue;
            }
            let row = if downward {
                todo.trailing_zeros() as usize
            } else {
                SIDE - 1 - todo.leading_zeros() as usize
            } % SIDE;
            lowered.relaxed += SIDE_U32;
            let bit = 1u32 << row;
            let pulls = !downward || up & bit != 0;
            let outcome = self.row(
                values,
                row,
                downward,
                pulls,
                downward && side & bit != 0,
                &mut lowered,
            );
            let (below, above) = (bit << 1, bit >> 1);
            if downward {
                (up, side) = (up & !bit, side & !bit);
                up |= if outcome.ahead { below } else { 0 };
                down |= if outcome.behind { above } else { 0 };
                open = after(row);
            } else {
                down &= !bit;
                down |= if outcome.ahead { above } else { 0 };
                up |= if outcome.behind { below } else { 0 };
                open = before(row);
            }
        }
    }

    /// Works one row: pulls from the row above it (`downward`) or below it, then along the row.
    #[inline(always)]
    fn row(
        &self,
        values: &mut [[u32; SIDE]; SIDE],
        row: usize,
        downward: bool,
        pulls: bool,
        spread: bool,
        lowered: &mut Lowered,
    ) -> Outcome {
        let simd = self.simd;
        let masks = &self.ground.exits[row];
        let old = Row::load(simd, &values[row]);
        let mut new = old;
        let mut highest = self.none;
        if pulls {
            // Rows of the halo columns are counted from the row above the tile.
            let at = if downward { row } else { row + 2 };
            let other = match at {
                0 => &self.halo.north,
                BELOW => &self.halo.south,
                _ => &values[at - 1],
            };
            let (west, east) = (self.halo.west[at], self.halo.east[at]);
            let straight = Row::load(simd, other);
            let from_west = straight.shifted_east(simd, west);
            let from_east = straight.shifted_west(simd, east);
            highest = straight.max(from_west).max(from_east);
            let (vertical, eastern, western) = if downward { (N, NE, NW) } else { (S, SE, SW) };
            new = match P {
                FLAT | OWN => {
                    let (price, diagonal_price) = self.own_prices(row);
                    let over = straight.where_set(simd, masks[vertical], self.none);
                    let across = from_east
                        .where_set(simd, masks[eastern], self.none)
                        .min(from_west.where_set(simd, masks[western], self.none));
                    new.min(over.add(price)).min(across.add(diagonal_price))
                }
                _ => {
                    let steps = self.steps_from(row, at);
                    let over = straight.add(steps[0]).where_set(simd, masks[vertical], self.none);
                    let eastward = from_east.add(steps[1]).where_set(simd, masks[eastern], self.none);
                    let westward = from_west.add(steps[2]).where_set(simd, masks[western], self.none);
                    new.min(over).min(eastward).min(westward)
                }
            };
        }
        if !spread && new.below(old) == 0 {
            return Outcome::default();
        }
        let along = self.along(row);
        let eastward = self.spread_east(new, &along, self.halo.west[row + 1], masks[W]);
        let westward = self.spread_west(new, &along, self.halo.east[row + 1], masks[E]);
        new = new.min(eastward).min(westward);
        let gained = new.below(old);
        let kept = gained & new.below(self.limit);
        lowered.dropped |= kept != gained;
        if kept == 0 {
            return Outcome::default();
        }
        new = new.where_set(simd, kept, old);
        new.store(&mut values[row]);
        lowered.note(row, kept);
        Outcome {
            ahead: true,
            // The row it pulled from gains only where it is dearer than what was written beside it.
            behind: !pulls || new.below(highest) & kept != 0,
        }
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
        let (west, east) = (u32::from(ground.west[at]), u32::from(ground.east[at]));
        let mut charges = [
            entered,
            entered.shifted_west(simd, east),
            entered.shifted_east(simd, west),
        ];
        let left = Row::widen(simd, &ground.costs[row + 1]).times(simd, self.charge);
        charges = charges.map(|charge| charge.add(left));
        let (straight, diagonal) = (self.prices.straight, self.prices.diagonal);
        [
            charges[0].times(simd, straight),
            charges[1].times(simd, diagonal),
            charges[2].times(simd, diagonal),
        ]
    }

    #[inline(always)]
    fn along(&self, row: usize) -> Along<V> {
        let simd = self.simd;
        if P == FLAT {
            return self.flat_along;
        }
        let own = Row::widen(simd, &self.ground.costs[row + 1]);
        if P == OWN {
            let price = own.times(simd, self.prices.straight);
            return Self::along_of(simd, price, price);
        }
        let (west, east) = (
            u32::from(self.ground.west[row + 1]),
            u32::from(self.ground.east[row + 1]),
        );
        let left = own.times(simd, self.charge);
        let from_west = own.shifted_east(simd, west).add(left);
        let from_east = own.shifted_west(simd, east).add(left);
        let straight = self.prices.straight;
        Self::along_of(
            simd,
            from_west.times(simd, straight),
            from_east.times(simd, straight),
        )
    }

    /// The least cost of every cell over the cells west of it in its row, and the one beside the tile.
    #[inline(always)]
    fn spread_east(&self, row: Row<V>, along: &Along<V>, beside: u32, open: u32) -> Row<V> {
        let simd = self.simd;
        let mut keys = row.add(along.rest);
        // The cells that are joined to the one beside the tile: up to the first closed border.
        let joined = open & !open.wrapping_add(1);
        let outside = Row::splat(simd, beside.wrapping_add(along.whole_west));
        keys = keys.min(outside).where_set(simd, joined, keys);
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
        keys.east_min_west(simd, open16).sub(along.rest)
    }

    /// The least cost of every cell over the cells east of it in its row, and the one beside the tile.
    #[inline(always)]
    fn spread_west(&self, row: Row<V>, along: &Along<V>, beside: u32, open: u32) -> Row<V> {
        let simd = self.simd;
        let mut keys = row.add(along.before);
        let mirrored = open.reverse_bits();
        let joined = (mirrored & !mirrored.wrapping_add(1)).reverse_bits();
        let outside = Row::splat(simd, beside.wrapping_add(along.whole_east));
        keys = keys.min(outside).where_set(simd, joined, keys);
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
        keys.west_min_east(simd, open16).sub(along.before)
    }
}

/// The row below the tile, counted from the row above it.
const BELOW: usize = SIDE + 1;

/// Which rows beside a row may gain from what was written.
#[derive(Clone, Copy, Default)]
struct Outcome {
    ahead: bool,
    behind: bool,
}

/// The bits of the rows below a row.
const fn after(row: usize) -> u32 {
    if row + 1 == SIDE { 0 } else { u32::MAX << (row + 1) }
}

/// The bits of the rows above a row.
const fn before(row: usize) -> u32 {
    (1 << row) - 1
}
