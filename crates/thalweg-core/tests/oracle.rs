//! Fields, labels and directions equal an independent oracle on random maps, from every cell, under every engine,
//! neighbourhood, corner rule, charge and scale.
//!
//! Many more maps: `THALWEG_LONG=1 cargo test -p thalweg-core --release --test oracle -- --nocapture`.

use thalweg_core::debug::print_all;
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{CellId, DirectionSet};
use thalweg_core::integrate::{Goal, GoalSet, IntegrateError, IntegrateOptions, MAX_COST_TO_GOAL};
use thalweg_core::movement::{MovementProfile, StepScale};
use thalweg_testkit::cases::say;
use thalweg_testkit::literal::map;
use thalweg_testkit::oracle::Oracle;
use thalweg_testkit::random_map::{RandomMap, SplitMix64, large_map, small_map};
use thalweg_testkit::solve::{SolveError, Solved, engines_for, profiles, scale, try_solve};

/// How often a sweep runs: more when `THALWEG_LONG` is set.
fn rounds(short: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        short * 20
    } else {
        short
    }
}

fn scales() -> [StepScale; 8] {
    [
        (10, 14),
        (12, 17),
        (29, 41),
        (70, 99),
        (408, 577),
        (1, 1),
        (1, 2),
        (StepScale::MAX_STRAIGHT, 2 * StepScale::MAX_STRAIGHT),
    ]
    .map(|(straight, diagonal)| scale(straight, diagonal))
}

fn goal_set(goals: &[Goal]) -> GoalSet {
    goals.iter().cloned().fold(GoalSet::new(), GoalSet::with_goal)
}

/// Compares every cell of a map under a profile and every engine with the oracle. Returns how many fields were compared,
/// or `None` if the costs do not fit (every engine must have said so).
fn compare_with_oracle(drawn: &RandomMap, profile: &MovementProfile) -> Option<usize> {
    let oracle = Oracle::new(&drawn.costs, profile);
    let oracle_goals = oracle.goals(&drawn.goals);
    let expected = oracle.cost_to_goals(&oracle_goals);
    let labels = oracle.labels(&oracle_goals);
    let fits = expected
        .iter()
        .flatten()
        .all(|&cost| cost <= u64::from(MAX_COST_TO_GOAL));
    let goals = goal_set(&drawn.goals);
    let mut first: Option<Solved> = None;
    let mut fields = 0;
    for engine in engines_for(&drawn.costs, profile) {
        let options = IntegrateOptions::new().with_engine(engine);
        let context = format!("seed {} {profile:?} {engine}", drawn.seed);
        let solved = match try_solve(&drawn.costs, profile, &goals, &options) {
            Ok(solved) => solved,
            Err(SolveError::Integrate(IntegrateError::CostOverflow { cell })) => {
                let named = oracle.index_of(cell).and_then(|index| expected[index]);
                assert!(
                    named.is_some_and(|cost| cost > u64::from(MAX_COST_TO_GOAL)),
                    "{context}: {cell} has cost {named:?}, which fits"
                );
                continue;
            }
            Err(error) => panic!("{context}: {error:?}"),
        };
        assert!(fits, "{context}: a cost that does not fit was not reported");
        for id in drawn.costs.grid().ids() {
            let (index, cell) = (id.index(), drawn.costs.grid().cell(id));
            let show = || {
                format!(
                    "{context} at {cell}\n{}",
                    print_all(&drawn.costs, &solved.field, &solved.flow)
                )
            };
            let got = solved.field.cost(id).map(|cost| u64::from(cost.0));
            assert_eq!(got, expected[index], "cost-to-goal, {}", show());
            assert_eq!(solved.field.goal(id), labels[index], "label, {}", show());
            let arrives = oracle.arrives(&oracle_goals, &expected, index);
            let tight = if arrives {
                DirectionSet::EMPTY
            } else {
                oracle.tight(&expected, index)
            };
            assert_eq!(
                solved.flow.guidance(id) == Guidance::Goal,
                arrives,
                "arrival, {}",
                show()
            );
            let successors = solved.flow.successors(id);
            if drawn.palette.has_zero() {
                check_successors_with_free_steps(&solved, id, tight, &show);
            } else {
                assert_eq!(successors, tight, "successors, {}", show());
            }
        }
        if let Some(first) = &first {
            assert_eq!(
                first.field, solved.field,
                "{context}: fields differ between engines"
            );
            assert_eq!(
                first.flow, solved.flow,
                "{context}: directions differ between engines"
            );
        } else {
            first = Some(solved);
        }
        fields += 1;
    }
    fits.then_some(fields)
}

/// Where steps may cost nothing, successors are some of the tight exits: all that lower the cost, at least one, and
/// following the first of them arrives.
fn check_successors_with_free_steps(
    solved: &Solved,
    id: CellId,
    tight: DirectionSet,
    show: &dyn Fn() -> String,
) {
    let successors = solved.flow.successors(id);
    assert_eq!(
        successors.intersection(tight),
        successors,
        "a successor is not tight, {}",
        show()
    );
    assert_eq!(
        successors.is_empty(),
        tight.is_empty(),
        "no successor at all, {}",
        show()
    );
    for direction in tight {
        let to = solved
            .movement
            .step_target(id, direction)
            .expect("a tight exit is legal");
        let falls = solved.field.cost(to) < solved.field.cost(id);
        assert!(
            !falls || successors.contains(direction),
            "{direction} lowers the cost, {}",
            show()
        );
    }
    let mut at = id;
    for _ in 0..=solved.field.grid().len() {
        let Some(direction) = solved.flow.direction(at) else {
            let arrived = solved.flow.guidance(at) == Guidance::Goal;
            assert!(arrived || at == id, "following stops short of a goal, {}", show());
            return;
        };
        at = solved
            .movement
            .step_target(at, direction)
            .expect("a direction is legal");
    }
    panic!("following never ends, {}", show());
}

#[test]
fn the_oracle_equals_walking_every_way_on_tiny_maps() {
    let mut starts = 0;
    for seed in 0..rounds(200) {
        let mut random = SplitMix64::new(seed ^ 0xb0f0);
        let letters = ['#', '.', '.', '2', '9', '0'];
        let rows: Vec<String> = (0..1 + random.below(3))
            .map(|_| (0..4).map(|_| random.pick(&letters)).collect())
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let costs = map(&rows);
        let free: Vec<_> = costs
            .grid()
            .ids()
            .filter(|id| costs.bytes()[id.index()] != 255)
            .collect();
        if free.is_empty() {
            continue;
        }
        let goal = costs.grid().cell(random.pick(&free));
        for profile in profiles(scale(10, 14)) {
            let oracle = Oracle::new(&costs, &profile);
            let goals = oracle.goals(&[Goal::cell(goal).with_bias(random.below(3) * 7)]);
            let by_search = oracle.cost_to_goals(&goals);
            for (start, &by_search) in by_search.iter().enumerate() {
                let by_walking = oracle.brute_force(start, &goals);
                assert_eq!(
                    by_search, by_walking,
                    "seed {seed} {profile:?} from {start}: {rows:?}"
                );
                starts += 1;
            }
        }
    }
    say(&format!(
        "oracle against brute force: {starts} starts on {} maps",
        rounds(200)
    ));
}

#[test]
fn every_cell_of_small_random_maps_equals_the_oracle() {
    let (mut fields, mut cells, mut overflows) = (0, 0, 0);
    let maps = rounds(1500);
    for seed in 0..maps {
        let drawn = small_map(seed);
        let scales = scales();
        let step_scale = scales[usize::try_from(seed).unwrap() % scales.len()];
        for profile in profiles(step_scale) {
            match compare_with_oracle(&drawn, &profile) {
                Some(some) => fields += some,
                None => overflows += 1,
            }
            cells += drawn.costs.grid().len();
        }
    }
    say(&format!(
        "small maps: {maps} maps, {cells} start cells, {fields} fields, {overflows} that do not fit"
    ));
    assert!(fields > 5000, "only {fields} fields were compared");
}

#[test]
fn every_cell_of_large_random_maps_equals_the_oracle() {
    let (mut fields, mut cells, mut overflows) = (0, 0, 0);
    let maps = rounds(100);
    for seed in 0..maps {
        let drawn = large_map(seed + 1_000_000);
        let scales = scales();
        let step_scale = scales[usize::try_from(seed).unwrap() % scales.len()];
        for profile in profiles(step_scale) {
            match compare_with_oracle(&drawn, &profile) {
                Some(some) => fields += some,
                None => overflows += 1,
            }
            cells += drawn.costs.grid().len();
        }
    }
    say(&format!(
        "large maps: {maps} maps, {cells} start cells, {fields} fields, {overflows} that do not fit"
    ));
}

#[test]
fn a_search_along_the_steps_from_every_start_gives_what_the_field_says_there() {
    let mut starts = 0;
    for seed in 0..rounds(200) {
        let drawn = small_map(seed + 2_000_000);
        for profile in profiles(scale(29, 41)) {
            let oracle = Oracle::new(&drawn.costs, &profile);
            let goals = oracle.goals(&drawn.goals);
            let solved = try_solve(
                &drawn.costs,
                &profile,
                &goal_set(&drawn.goals),
                &IntegrateOptions::new(),
            )
            .unwrap();
            for id in drawn.costs.grid().ids() {
                let from_here = oracle.costs_from(id.index());
                let nearest = goals
                    .iter()
                    .flat_map(|goal| goal.cells.iter().map(|&cell| Some(from_here[cell]? + goal.bias)))
                    .flatten()
                    .min();
                let got = solved.field.cost(id).map(|cost| u64::from(cost.0));
                assert_eq!(
                    got,
                    nearest,
                    "seed {} {profile:?} from {}",
                    drawn.seed,
                    drawn.costs.grid().cell(id)
                );
                starts += 1;
            }
        }
    }
    say(&format!("forward searches: {starts} starts"));
}
