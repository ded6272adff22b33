//! The one relaxation that every engine runs: backwards over entries, charging forward edges.

use super::MAX_COST_TO_GOAL;
use crate::grid::DirectionSet;
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
    /// Relaxes every edge that leads into `cell`, whose cost is `cost`: calls `push(neighbour, its new cost)` for each
    /// neighbour that got better.
    #[inline(always)]
    pub(super) fn relax_into<const LABELS: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32),
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
                push(from, sum);
            }
        }
    }

    /// As [`Self::relax_into`], compiled for speed; `FLAT` promises that all passable cells cost `entered`, so that the
    /// prices of the two step lengths are known once per cell.
    ///
    /// All eight neighbours are compared without a branch, then only those that got better are visited. That some
    /// neighbour gets better is what cannot be predicted: one loop over a few bits is missed once a cell, eight tests
    /// are missed several times. Neighbours that are walls or lie beyond a side of the map are compared too (with
    /// whatever cell stands there in the array) and masked away.
    #[inline(always)]
    pub(super) fn relax_near<const LABELS: bool, const FLAT: bool>(
        &self,
        cell: u32,
        cost: u32,
        best: &mut Best<'_>,
        mut push: impl FnMut(u32, u32),
    ) {
        let here = cell as usize;
        let Some(old) = self.near(here, cost, best.costs) else {
            return self.relax_into::<LABELS>(cell, cost, best, push);
        };
        let goal = if LABELS { best.labels[here] } else { 0 };
        let entered = self.costs[here];
        // Lengths are read once for straight and once for diagonal steps.
        let lengths = [self.lengths[0], self.lengths[4]];
        let sum_of = |direction: usize, left: u8| cost + C::step(lengths[direction / 4], left, entered);
        let left = if FLAT {
            [entered; 8]
        } else {
            match self.near(here, cost, self.costs) {
                Some(left) => left,
                None => return self.relax_into::<LABELS>(cell, cost, best, push),
            }
        };
        let mut better = 0u32;
        for direction in (0..8).rev() {
            let (sum, old) = (sum_of(direction, left[direction]), old[direction]);
            better = 2 * better + u32::from(if LABELS { sum <= old } else { sum < old });
        }
        better &= u32::from(entries_from_exits(self.exits[here]).bits());
        while better != 0 {
            let direction = better.trailing_zeros() as usize & 7;
            better &= better - 1;
            let from = cell.wrapping_add_signed(-self.offsets[direction]);
            let left = if FLAT { entered } else { self.costs[from as usize] };
            let sum = sum_of(direction, left);
            if sum <= self.limit && best.improve::<LABELS>(from, sum, goal) {
                push(from, sum);
            }
        }
    }

    /// The values of the eight neighbours from which a step enters a cell, by direction of the step (a step north
    /// enters from the south); `None` in the first and the last row, and where a sum might not fit 32 bits.
    #[inline(always)]
    fn near<T: Copy>(&self, here: usize, cost: u32, values: &[T]) -> Option<[T; 8]> {
        if cost > u32::MAX - LARGEST_STEP {
            return None;
        }
        let row = self.offsets[2].unsigned_abs() as usize;
        let west = here.checked_sub(row + 1)?;
        // The last row first: where it fits, the others do.
        let below: &[T; 3] = values.get(here + row - 1..here + row + 2)?.first_chunk()?;
        let above: &[T; 3] = values.get(west..west + 3)?.first_chunk()?;
        let here: &[T; 3] = values.get(here - 1..here + 2)?.first_chunk()?;
        Some([
            below[1], here[0], above[1], here[2], below[0], above[0], above[2], below[2],
        ])
    }
}

/// Above every step cost: lengths are at most 131,070 and charges at most 508.
const LARGEST_STEP: u32 = 1 << 27;

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
