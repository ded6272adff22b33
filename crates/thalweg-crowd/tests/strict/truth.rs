//! Small worlds against the brute force over all joint configurations: who can get there does, and who is called
//! deadlocked cannot.

use crate::world::{World, eight, four, square};
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::{Movement, MovementProfile};
use thalweg_crowd::strict::{ConflictRules, StrictOptions};
use thalweg_crowd::{ArrivalRule, Outcome};
use thalweg_testkit::joint::{Ending, JointAgent, JointRules, joint_truth};

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// What came of one world.
#[derive(Default, Debug)]
struct Tally {
    solvable: u32,
    unsolvable: u32,
    deadlocked: u32,
}

fn compare(seed: u64, tally: &mut Tally) {
    let mut random = Random(seed);
    let (width, height) = [(3, 3), (4, 2), (5, 2), (6, 1), (4, 3), (3, 2)][random.below(6)];
    let walls = random.below(4);
    let rows: Vec<String> = (0..height)
        .map(|_| {
            (0..width)
                .map(|_| if random.below(10) < walls { '#' } else { '.' })
                .collect()
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let profile = [four(), four(), eight()][random.below(3)];
    let rules = ConflictRules {
        following: random.below(4) > 0,
        squeezing: random.below(2) == 0,
    };
    let arrival = [ArrivalRule::Rest, ArrivalRule::Leave][random.below(2)];
    let mut options = StrictOptions::default();
    options.rules = rules;
    options.search_after = 6;
    options.seed = seed;
    let mut world = World::new(&rows, profile, options);
    let has_large = random.below(4) == 0;
    let count = 2 + random.below(3);
    let mut starts = Vec::new();
    for index in 0..count {
        let profile = if has_large && index == 0 {
            profile.with_footprint(square(2))
        } else {
            profile
        };
        place(&mut world, &mut random, profile, arrival, &mut starts);
    }
    if starts.len() < 2 {
        return;
    }
    let agents: Vec<JointAgent<'_>> = starts
        .iter()
        .map(
            |&(group, start, ref goals): &(usize, CellId, Vec<CellId>)| JointAgent {
                movement: &world.groups[group].movement,
                start,
                goals: goals.clone(),
            },
        )
        .collect();
    let ending = match arrival {
        ArrivalRule::Rest => Ending::Together,
        ArrivalRule::Leave => Ending::Sinks,
    };
    let joint = JointRules {
        following: rules.following,
        squeezing: rules.squeezing,
    };
    let truth = joint_truth(&agents, joint, ending);
    let ids: Vec<_> = world.crowd.agents().map(|(id, _)| id).collect();
    let ticks = world.run(800);
    let told = || {
        format!(
            "seed {seed} {rules:?} {arrival:?} {:?}\n{}",
            starts,
            world.picture()
        )
    };
    if truth.plan.is_some() {
        tally.solvable += 1;
        assert!(ticks.is_some(), "solvable but not solved: {}", told());
        return;
    }
    tally.unsolvable += 1;
    assert!(ticks.is_none(), "solved although it cannot be: {}", told());
    for (index, id) in ids.iter().enumerate() {
        let Some(view) = world.crowd.get(*id) else {
            continue;
        };
        if view.outcome == Outcome::Deadlocked {
            tally.deadlocked += 1;
        }
        if !truth.ever[index] {
            assert_eq!(
                view.outcome,
                Outcome::Deadlocked,
                "agent {id} never can: {}",
                told()
            );
        } else if arrival == ArrivalRule::Leave {
            panic!("agent {id} could have left and is {}: {}", view.outcome, told());
        }
    }
}

fn place(
    world: &mut World,
    random: &mut Random,
    profile: MovementProfile,
    arrival: ArrivalRule,
    starts: &mut Vec<(usize, CellId, Vec<CellId>)>,
) {
    let movement = Movement::compile(&world.costs, &profile);
    let grid = world.crowd.grid().clone();
    let free: Vec<CellId> = grid.ids().filter(|&id| movement.is_passable(id)).collect();
    if free.is_empty() {
        return;
    }
    let goal = grid.cell(free[random.below(free.len())]);
    let group = world.group_of(profile, &[(goal.x, goal.y)], arrival);
    let index = usize::from(group.0);
    for _ in 0..20 {
        let start = free[random.below(free.len())];
        let reaches = world.groups[index].field.cost(start).is_some();
        let cell = grid.cell(start);
        let spec = thalweg_crowd::strict::StrictSpec::new(Cell::new(cell.x, cell.y), group);
        if reaches && world.crowd.add(&spec, &movement).is_ok() {
            let flow = &world.groups[index].flow;
            let goals = grid
                .ids()
                .filter(|&id| flow.guidance(id) == thalweg_core::flow::Guidance::Goal)
                .collect();
            starts.push((index, start, goals));
            return;
        }
    }
}

#[test]
fn small_worlds_end_as_the_brute_force_says() {
    let worlds = if std::env::var_os("THALWEG_LONG").is_some() {
        3000
    } else {
        150
    };
    let first = std::env::var("THALWEG_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok())
        .unwrap_or(0);
    let mut tally = Tally::default();
    for seed in first..first + worlds {
        compare(seed, &mut tally);
    }
    assert!(
        tally.solvable > worlds as u32 / 4 && tally.unsolvable > 10 && tally.deadlocked > 20,
        "{tally:?}"
    );
}
