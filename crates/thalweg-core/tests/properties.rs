//! The oracle comparison once more on drawn maps that shrink: a failure comes with the smallest map that shows it.

use proptest::prelude::*;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{CellId, DirectionSet, Grid};
use thalweg_core::integrate::{Goal, GoalSet};
use thalweg_core::movement::MovementProfile;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::solve::{engines_for, profiles, scale, solve};

/// A map, the columns and rows of its goals with their starting costs, and a profile.
#[derive(Clone, Debug)]
struct Drawn {
    width: u32,
    bytes: Vec<Option<u8>>,
    goals: Vec<(prop::sample::Index, u32)>,
    profile: MovementProfile,
}

impl Drawn {
    /// The costs and the goals; goal cells are made free.
    fn build(&self) -> (CostField, Vec<Goal>) {
        let height = u32::try_from(self.bytes.len()).unwrap() / self.width;
        let grid = Grid::new(self.width, height).unwrap();
        let mut costs = CostField::filled(grid.clone(), Cost::PLAIN);
        for (id, &byte) in grid.ids().zip(&self.bytes) {
            match byte {
                Some(byte) => costs.set(grid.cell(id), Cost::from_byte(byte)).unwrap(),
                None => costs.set_unknown(grid.cell(id)).unwrap(),
            }
        }
        let mut goals = Vec::new();
        for (index, bias) in &self.goals {
            let cell = grid.cell(CellId::from_index(index.index(grid.len())));
            let is_free = costs.get(grid.id(cell).unwrap()).is_some_and(Cost::is_passable);
            if !is_free {
                costs.set(cell, Cost::PLAIN).unwrap();
            }
            goals.push(Goal::cell(cell).with_bias(*bias));
        }
        (costs, goals)
    }
}

fn cost() -> impl Strategy<Value = Option<u8>> {
    prop_oneof![
        4 => Just(Some(1)),
        3 => Just(Some(255)),
        1 => Just(Some(0)),
        1 => (0u8..=254).prop_map(Some),
        1 => Just(None),
    ]
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let scales = prop::sample::select(vec![(10, 14), (1, 1), (1, 2), (408, 577)]);
    (1u32..8, 1u32..8, scales, any::<prop::sample::Index>()).prop_flat_map(
        |(width, height, (straight, diagonal), profile)| {
            let profiles = profiles(scale(straight, diagonal));
            let profile = *profile.get(&profiles);
            let cells = (width * height) as usize;
            let goals = prop::collection::vec((any::<prop::sample::Index>(), 0u32..30), 1..4);
            (prop::collection::vec(cost(), cells), goals).prop_map(move |(bytes, goals)| Drawn {
                width,
                bytes,
                goals,
                profile,
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fields_labels_and_directions_equal_the_oracle(drawn in drawn()) {
        let (costs, goals) = drawn.build();
        let oracle = Oracle::new(&costs, &drawn.profile);
        let oracle_goals = oracle.goals(&goals);
        let expected = oracle.cost_to_goals(&oracle_goals);
        let labels = oracle.labels(&oracle_goals);
        let goals = goals.into_iter().fold(GoalSet::new(), GoalSet::with_goal);
        for engine in engines_for(&costs, &drawn.profile) {
            // The validators run inside.
            let solved = solve(&costs, &drawn.profile, &goals, engine);
            for id in costs.grid().ids() {
                let index = id.index();
                let got = solved.field.cost(id).map(|cost| u64::from(cost.0));
                prop_assert_eq!(got, expected[index], "{} cost of {:?}", engine, costs.grid().cell(id));
                prop_assert_eq!(solved.field.goal(id), labels[index], "{} label of {:?}", engine, costs.grid().cell(id));
                let tight = if oracle.arrives(&oracle_goals, &expected, index) {
                    DirectionSet::EMPTY
                } else {
                    oracle.tight(&expected, index)
                };
                let successors = solved.flow.successors(id);
                if solved.movement.has_zero_steps() {
                    prop_assert_eq!(successors.intersection(tight), successors);
                    prop_assert_eq!(successors.is_empty(), tight.is_empty());
                } else {
                    prop_assert_eq!(successors, tight, "{} successors of {:?}", engine, costs.grid().cell(id));
                }
            }
        }
    }
}
