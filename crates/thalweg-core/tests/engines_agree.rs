//! Every engine gives the same bits on small maps under all rules.

use thalweg_core::check::check_field;
use thalweg_core::cost::CostField;
use thalweg_core::flow::{FlowField, FlowScratch, extract};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::integrate::{
    Engine, Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, Movement, MovementProfile, StepScale};
use thalweg_core::workers::Serial;

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
        let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let profile = MovementProfile::new()
            .with_connectivity(random.pick(&[Connectivity::Four, Connectivity::Eight, Connectivity::Eight]))
            .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
            .with_charge(random.pick(&[Charge::Depart, Charge::Arrive, Charge::Mean]))
            .with_scale(random.pick(&[
                StepScale::TEN_FOURTEEN,
                StepScale::FINE,
                StepScale::new(1, 1).unwrap(),
                StepScale::new(1, 2).unwrap(),
            ]));
        let movement = Movement::compile(&costs, &profile);
        let mut goals = GoalSet::new().with_blocked_goals(thalweg_core::integrate::BlockedGoals::Skip);
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
                let mut field = IntegrationField::new(grid.clone());
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

/// Wide open maps have a relaxation of their own; a few walls and borders must not show.
#[test]
fn engines_agree_in_every_bit_on_wide_open_maps() {
    let mut random = Random(0x0be2);
    let mut scratch = IntegrateScratch::new();
    for round in 0..12 {
        let grid = Grid::new(120 + random.below(60), 120 + random.below(60)).unwrap();
        let cost = random.pick(&[1u8, 3, 254]);
        let walls = round % 4;
        let bytes = (0..grid.len())
            .map(|_| if random.below(1000) < walls { 255 } else { cost })
            .collect();
        let costs = CostField::from_bytes(grid.clone(), bytes).unwrap();
        let profile = MovementProfile::new()
            .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
            .with_charge(random.pick(&[Charge::Depart, Charge::Mean]));
        let movement = Movement::compile(&costs, &profile);
        let x = random.below(grid.width()).cast_signed();
        let goal = Goal::cell(Cell::new(x, random.below(grid.height()).cast_signed()));
        let goals = GoalSet::new()
            .with_blocked_goals(thalweg_core::integrate::BlockedGoals::NearestPassable)
            .with_goal(goal)
            .resolve(&movement)
            .unwrap();
        let fields = Engine::ALL.map(|engine| {
            let mut field = IntegrationField::new(grid.clone());
            let options = IntegrateOptions::new().with_engine(engine);
            integrate(&movement, &goals, &options, &mut scratch, &mut field).unwrap();
            field
        });
        assert!(
            fields[0] == fields[1] && fields[0] == fields[2],
            "round {round}: {costs:?}, {profile:?}"
        );
    }
}
