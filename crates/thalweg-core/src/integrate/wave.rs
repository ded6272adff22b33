//! The one relaxation that every engine runs: backwards over entries, charging forward edges.

use super::MAX_COST_TO_GOAL;
use crate::grid::{Direction, DirectionSet};
use crate::movement::{ChargeRule, entries_from_exits};
use core::marker::PhantomData;

/// What an engine reads while it runs.
pub(super) struct Terrain<'a, C> {
    pub(super) exits: &'a [DirectionSet],
    pub(super) costs: &'a [u8],
    pub(super) lengths: &'a [u32; 8],
    /// What a step in each direction adds to an id.
    pub(super) offsets: [i32; 8],
    /// No cost above this is written; relaxations beyond it are dropped.
    pub(super) limit: u32,
    /// Up to here, this not included, no step can lead beyond the limit.
    pub(super) fast_below: u32,
    /// What a straight and what a diagonal step costs if all passable cells cost the same; else not used.
    pub(super) flat_steps: [u32; 2],
    pub(super) charge: PhantomData<C>,
}

/// What an engine writes: cost-to-goal and, if several goals compete, the winning goal.
pub(super) struct Best<'a> {
    pub(super) costs: &'a mut [u32],
    /// Empty unless labels are kept.
    pub(super) labels: &'a mut [u32],
}

impl Best<'_> {
    /// Writes a cost and a goal if they are better than what stands there: a lower cost, or the same with a lower
    /// goal index. Returns whether something was written.
    #[inline(always)]
    pub(super) fn improve<const LABELS: bool>(&mut self, cell: u32, cost: u32, goal: u32) -> bool {
        let index = cell as usize;
        let old = self.costs[index];
        let better = cost < old || (LABELS && cost == old && goal < self.labels[index]);
        if better {
            self.costs[index] = cost;
            if LABELS {
                self.labels[index] = goal;
            }
        }
        better
    }
}

impl<C: ChargeRule> Terrain<'_, C> {
    /// Relaxes every edge that leads into `cell`, whose cost is `cost`: calls `push(neighbour, its new cost, whether
    /// the step is diagonal)` for each neighbour that got better.
    #[inline(always)]
    pub(super) fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32, bool),
    ) {
        let here = cell as usize;
        let goal = if LABELS { best.labels[here] } else { 0 };
        let entered = self.costs[here];
        let mut entries = entries_from_exits(self.exits[here]).bits();
        while entries != 0 {
            let direction = entries.trailing_zeros() as usize & 7;
            entries &= entries - 1;
            // The neighbour from which a step in this direction enters the cell.
            let from = cell.wrapping_add_signed(-self.offsets[direction]);
            let step = C::step(self.lengths[direction], self.costs[from as usize], entered);
            // A sum beyond 32 bits saturates above every limit and is dropped like any other cost beyond the limit;
            // whether that lost anything is decided once, at the end.
            let sum = cost.saturating_add(step);
            if sum <= self.limit && best.improve::<LABELS>(from, sum, goal) {
                push(from, sum, direction >= 4);
            }
        }
    }

    /// As [`Self::relax_into`], compiled for speed: writes each neighbour that got better to the front of `straight` or
    /// `diagonal`, by the step that leads there, and returns how many it wrote to each.
    /// `FLAT` promises that all passable cells cost the same.
    ///
    /// Nothing in here branches on the map: which neighbours get better cannot be predicted, and one missed branch costs
    /// as much as half the neighbours. So every neighbour's cost is written, mostly as it stood, and every neighbour is
    /// put on a list, mostly to be overwritten by the next. What lies beyond a wall, a corner or a side of the map (there,
    /// whatever cell stands in the array) is told apart by the mask of entries alone. Cells in the first and the last
    /// row, and those from which a step might lead beyond the limit, go the plain way.
    ///
    /// Rejected: comparing all eight without branches and then visiting the bits that got better. Open ground took 0.8
    /// times as long, but broken ground 1.5 times.
    #[inline(always)]
    pub(super) fn relax_near<const LABELS: bool, const FLAT: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        [straight, diagonal]: [&mut [u32; 4]; 2],
    ) -> [usize; 2] {
        let (here, row) = (cell as usize, self.offsets[2].unsigned_abs() as usize);
        let (mut straights, mut diagonals) = (0, 0);
        if here <= row || here + row + 1 >= self.exits.len() || cost >= self.fast_below {
            self.relax_into::<LABELS>(cell, cost, best, |from, _, is_diagonal| {
                if is_diagonal {
                    diagonal[diagonals] = from;
                    diagonals += 1;
                } else {
                    straight[straights] = from;
                    straights += 1;
                }
            });
            return [straights, diagonals];
        }
        let goal = if LABELS { best.labels[here] } else { 0 };
        let entered = if FLAT { 0 } else { self.costs[here] };
        let blocked = &BLOCKED[usize::from(entries_from_exits(self.exits[here]).bits())];
        const BEYOND: &str = "there is a full row above and below";
        let mut no_labels = [0; 3];
        // Macros, because a loop over directions is not unrolled and took three times as long, and a struct for a row
        // is not taken apart and took a tenth more.
        macro_rules! pull {
            ($costs:ident, $labels:ident, $left:ident, $place:literal, $direction:ident, $list:ident, $len:ident) => {{
                const DIRECTION: Direction = Direction::$direction;
                const KIND: usize = DIRECTION.is_diagonal() as usize;
                let step = if FLAT {
                    self.flat_steps[KIND]
                } else {
                    C::step(self.lengths[4 * KIND], $left[$place], entered)
                };
                let blocked = blocked[DIRECTION.index()];
                // Wraps only for walls, which cost more than any cell, and those are blocked.
                let sum = cost.wrapping_add(step) | blocked;
                let old = $costs[$place];
                let mut is_better = sum < old;
                if LABELS {
                    let label = &mut $labels[$place];
                    is_better |= (sum == old) & (goal < *label) & (blocked == 0);
                    *label = if is_better { goal } else { *label };
                }
                $costs[$place] = old.min(sum);
                // Each list has a place for each of its four directions.
                $list[$len & 3] = cell.wrapping_add_signed(-self.offsets[DIRECTION.index()]);
                $len += usize::from(is_better);
            }};
        }
        macro_rules! row {
            ($first:expr, $($place:literal $direction:ident $list:ident $len:ident),+) => {
                let first = $first;
                let costs: &mut [u32; 3] = best.costs[first..].first_chunk_mut().expect(BEYOND);
                let labels: &mut [u32; 3] = if LABELS {
                    best.labels[first..].first_chunk_mut().expect(BEYOND)
                } else {
                    &mut no_labels
                };
                let left = if FLAT {
                    [0; 3]
                } else {
                    *self.costs[first..].first_chunk().expect(BEYOND)
                };
                $(pull!(costs, labels, left, $place, $direction, $list, $len);)+
            };
        }
        row!(here - row - 1, 0 SE diagonal diagonals, 1 S straight straights, 2 SW diagonal diagonals);
        row!(here - 1, 0 E straight straights, 2 W straight straights);
        row!(here + row - 1, 0 NE diagonal diagonals, 1 N straight straights, 2 NW diagonal diagonals);
        [straights, diagonals]
    }
}

/// By mask of entries and direction: what a sum is or-ed with, so that where no step enters it is above every cost.
static BLOCKED: [[u32; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut entries = 0;
    while entries < 256 {
        let mut direction = 0;
        while direction < 8 {
            if entries >> direction & 1 == 0 {
                table[entries][direction] = u32::MAX;
            }
            direction += 1;
        }
        entries += 1;
    }
    table
};

const _: () = assert!(
    MAX_COST_TO_GOAL < u32::MAX,
    "a saturated sum must lie beyond every limit"
);

#[cfg(test)]
mod tests {
    use crate::check::check_field;
    use crate::cost::CostField;
    use crate::flow::{FlowField, FlowScratch, extract};
    use crate::grid::{Cell, Grid};
    use crate::integrate::{
        Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
    };
    use crate::movement::{Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale};
    use crate::workers::Serial;

    /// A small generator of random numbers (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            ((self.0 >> 32) % u64::from(bound)) as u32
        }

        fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
            choices[self.below(u32::try_from(choices.len()).unwrap()) as usize]
        }
    }

    /// The kernel reads past the sides of rows and masks afterwards; the heap does not use it. Maps of one and two
    /// columns or rows, every rule, free cells, competing goals and limits must come out the same.
    #[test]
    fn engines_agree_in_every_bit_on_small_maps_under_all_rules() {
        let mut random = Random(0x7e57_ab1e);
        let mut scratch = IntegrateScratch::new();
        for round in 0..4_000 {
            let grid = Grid::new(1 + random.below(9), 1 + random.below(9)).unwrap();
            let palette: &[u8] = random.pick(&[
                &[1, 1, 1, 255][..],
                &[1],
                &[7, 7, 255],
                &[1, 2, 3, 4, 255],
                &[0, 1, 5, 255],
                &[1, 254, 255],
            ]);
            let bytes = (0..grid.len()).map(|_| random.pick(palette)).collect();
            let costs = CostField::from_bytes(grid, bytes).unwrap();
            let profile = MovementProfile::new()
                .with_connectivity(random.pick(&[
                    Connectivity::Four,
                    Connectivity::Eight,
                    Connectivity::Eight,
                ]))
                .with_corner_rule(random.pick(&[
                    CornerRule::BothFree,
                    CornerRule::OneFree,
                    CornerRule::Always,
                ]))
                .with_charge(random.pick(&[Charge::Depart, Charge::Arrive, Charge::Mean]))
                .with_scale(random.pick(&[
                    StepScale::TEN_FOURTEEN,
                    StepScale::FINE,
                    StepScale::new(1, 1).unwrap(),
                    StepScale::new(1, 2).unwrap(),
                ]));
            let movement = Movement::compile(&costs, &profile);
            let mut goals = GoalSet::new().with_blocked_goals(crate::integrate::BlockedGoals::Skip);
            for _ in 0..=random.below(3) {
                let cell = |random: &mut Random| {
                    let x = random.below(grid.width()).cast_signed();
                    Cell::new(x, random.below(grid.height()).cast_signed())
                };
                let bias = random.pick(&[0, 0, 3, 40, u32::MAX - 400]);
                let area = [cell(&mut random), cell(&mut random)];
                goals = goals.with_goal(Goal::area(area).with_bias(bias));
            }
            let Ok(goals) = goals.resolve(&movement) else {
                continue;
            };
            let mut options = IntegrateOptions::new();
            if random.below(3) == 0 {
                options = options.with_cost_limit(random.below(200));
            }
            let mut results = Engine::ALL
                .into_iter()
                .filter(|engine| engine.supports(&movement))
                .map(|engine| {
                    let mut field = IntegrationField::new(grid);
                    let options = options.with_engine(engine);
                    let outcome = integrate(&movement, &goals, &options, &mut scratch, &mut field);
                    (engine, outcome.map(|_| ()), field)
                });
            let (_, oracle_outcome, oracle) = results.next().unwrap();
            for (engine, outcome, field) in results {
                assert_eq!(outcome, oracle_outcome, "round {round}, engine {engine}");
                assert!(
                    field == oracle,
                    "round {round}, engine {engine}, {profile:?} on {costs:?}"
                );
            }
            if oracle_outcome.is_ok() {
                let mut flow = FlowField::new(grid);
                extract(&movement, &oracle, &Serial, &mut FlowScratch::new(), &mut flow);
                if let Err(violation) = check_field(&movement, &oracle, &flow) {
                    panic!("round {round}: {violation}");
                }
            }
        }
    }
}
