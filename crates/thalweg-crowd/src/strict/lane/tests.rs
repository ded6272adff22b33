use super::{LaneAgent, LaneEnding, LaneError, LaneTruth, lane_truth};
use thalweg_core::components::Blocks;
use thalweg_core::cost::{Cost, CostField};
use thalweg_core::grid::{Cell, CellId, Grid};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile};
use thalweg_testkit::cases::is_long;
use thalweg_testkit::joint::{Ending, JointAgent, JointRules, joint_reach, joint_truth};
use thalweg_testkit::random_map::SplitMix64;

const STIFF: JointRules = JointRules {
    following: false,
    squeezing: false,
};

/// A lane, and each of its cells as a place that nobody leaves.
struct Lane {
    free: Movement,
    held: Vec<Movement>,
}

impl Lane {
    fn new(length: u32) -> Self {
        let profile = MovementProfile::new().with_connectivity(Connectivity::Four);
        let grid = Grid::new(length, 1).unwrap();
        let free = CostField::filled(grid.clone(), Cost::PLAIN);
        let single = |x: i32| {
            let mut costs = CostField::filled(grid.clone(), Cost::IMPASSABLE);
            costs.set(Cell::new(x, 0), Cost::PLAIN).unwrap();
            Movement::compile(&costs, &profile)
        };
        Self {
            free: Movement::compile(&free, &profile),
            held: (0..i32::try_from(length).unwrap()).map(single).collect(),
        }
    }

    fn agents<'a>(&'a self, agents: &[LaneAgent<'_>]) -> Vec<JointAgent<'a>> {
        let one = |agent: &LaneAgent<'_>| JointAgent {
            movement: if agent.is_held {
                &self.held[agent.position as usize]
            } else {
                &self.free
            },
            start: CellId(agent.position),
            // The planner asks for goals where the body has room; others can be reached by nobody.
            goals: agent
                .goals
                .iter()
                .filter(|&&goal| (goal as usize) < self.held.len())
                .filter(|&&goal| !agent.is_held || goal == agent.position)
                .map(|&goal| CellId(goal))
                .collect(),
        };
        agents.iter().map(one).collect()
    }

    fn truth(&self, agents: &[LaneAgent<'_>], rules: JointRules, ending: LaneEnding) -> LaneTruth {
        found(&self.agents(agents), rules, ending)
    }
}

fn found(agents: &[JointAgent<'_>], rules: JointRules, ending: LaneEnding) -> LaneTruth {
    let ending = match ending {
        LaneEnding::Rest => Ending::Together,
        LaneEnding::Sink => Ending::Sinks,
    };
    let truth = joint_truth(agents, rules, ending);
    LaneTruth {
        can_reach: truth.ever,
        all: truth.plan.is_some(),
    }
}

/// Every way to put so many into so many cells, in order.
fn placings(length: u32, count: u32) -> Vec<Vec<u32>> {
    let of = |bits: u32| {
        (0..length)
            .filter(|cell| bits >> cell & 1 == 1)
            .collect::<Vec<_>>()
    };
    (0..1u32 << length)
        .filter(|bits| bits.count_ones() == count)
        .map(of)
        .collect()
}

/// The goals of a number whose digits they are.
fn goals_of(mut code: u32, length: u32, count: usize) -> Vec<[u32; 1]> {
    let digit = |_| {
        let goal = code % length;
        code /= length;
        [goal]
    };
    (0..count).map(digit).collect()
}

fn in_lane<'a>(placing: &[u32], goals: &'a [[u32; 1]]) -> Vec<LaneAgent<'a>> {
    let one = |(&position, goals): (&u32, &'a [u32; 1])| LaneAgent {
        position,
        goals,
        is_held: false,
    };
    placing.iter().zip(goals).map(one).collect()
}

#[test]
fn who_rests_in_any_lane_of_up_to_seven_cells_is_where_the_search_of_all_configurations_says() {
    let (mut lanes, mut all, mut none) = (0u32, 0u32, 0u32);
    for length in 1..=7 {
        let lane = Lane::new(length);
        for count in 1..=length.min(4) {
            for placing in placings(length, count) {
                let still = goals_of(0, length, placing.len());
                let agents = lane.agents(&in_lane(&placing, &still));
                let reached = joint_reach(&agents, JointRules::DEFAULT);
                let mut stiff = joint_reach(&agents, STIFF);
                stiff.sort_unstable();
                let mut sorted = reached.clone();
                sorted.sort_unstable();
                assert_eq!(stiff, sorted, "following only makes it faster");
                for code in 0..length.pow(count) {
                    let goals = goals_of(code, length, placing.len());
                    let truth = lane_truth(length, &in_lane(&placing, &goals), LaneEnding::Rest).unwrap();
                    let is_there = |agent: usize, places: &[CellId]| places[agent].0 == goals[agent][0];
                    let expected = LaneTruth {
                        can_reach: (0..placing.len())
                            .map(|agent| reached.iter().any(|places| is_there(agent, places)))
                            .collect(),
                        all: reached
                            .iter()
                            .any(|places| (0..placing.len()).all(|agent| is_there(agent, places))),
                    };
                    assert_eq!(truth, expected, "{length} cells, {placing:?} to {goals:?}");
                    lanes += 1;
                    all += u32::from(truth.all);
                    none += u32::from(!truth.can_reach.contains(&true));
                }
            }
        }
    }
    assert!(
        lanes > 100_000 && all > 500 && none > 1_000,
        "{lanes} {all} {none}"
    );
}

#[test]
fn who_leaves_any_lane_of_up_to_seven_cells_is_who_the_search_of_all_configurations_lets_leave() {
    let (mut lanes, mut all, mut some, mut later) = (0u32, 0u32, 0u32, 0u32);
    for length in 1..=7 {
        let lane = Lane::new(length);
        for count in 1..=length.min(4) {
            // A prime, so that every digit changes from one to the next; the long run takes all.
            let stride = if is_long() || length.pow(count) < 400 {
                1
            } else {
                43
            };
            for (place, placing) in (0..).zip(placings(length, count)) {
                for code in (place % stride..length.pow(count)).step_by(stride as usize) {
                    let goals = goals_of(code, length, placing.len());
                    let agents = in_lane(&placing, &goals);
                    let truth = lane_truth(length, &agents, LaneEnding::Sink).unwrap();
                    let expected = lane.truth(&agents, JointRules::DEFAULT, LaneEnding::Sink);
                    assert_eq!(truth, expected, "{length} cells, {placing:?} to {goals:?}");
                    let at_first = lane_truth(length, &agents, LaneEnding::Rest).unwrap();
                    lanes += 1;
                    all += u32::from(truth.all);
                    some += u32::from(!truth.all && truth.can_reach.contains(&true));
                    later += u32::from(truth.can_reach != at_first.can_reach);
                }
            }
        }
    }
    assert!(
        lanes > 5_000 && all > 500 && some > 500 && later > 300,
        "{lanes} lanes, {all} all, {some} some, {later} later"
    );
}

#[test]
fn with_several_goals_and_with_bodies_that_are_held_the_lane_rule_is_the_truth_too() {
    let lanes: Vec<Lane> = (1..=7).map(Lane::new).collect();
    let (mut with_held, mut all, mut some) = (0u32, 0u32, 0u32);
    for seed in 0..if is_long() { 100_000 } else { 3_000 } {
        let mut random = SplitMix64::new(seed);
        let length = 1 + random.below(7);
        let all_placings = placings(length, (1 + random.below(4)).min(length));
        let place = random.below(u32::try_from(all_placings.len()).unwrap());
        let placing = &all_placings[place as usize];
        let goals: Vec<Vec<u32>> = placing
            .iter()
            .map(|_| (0..random.below(4)).map(|_| random.below(length + 2)).collect())
            .collect();
        let agents: Vec<LaneAgent<'_>> = placing
            .iter()
            .zip(&goals)
            .map(|(&position, goals)| LaneAgent {
                position,
                goals,
                is_held: random.percent(25),
            })
            .collect();
        let rules = random.pick(&[JointRules::DEFAULT, STIFF]);
        for ending in [LaneEnding::Rest, LaneEnding::Sink] {
            let truth = lane_truth(length, &agents, ending).unwrap();
            let expected = lanes[length as usize - 1].truth(&agents, rules, ending);
            assert_eq!(
                truth, expected,
                "seed {seed}: {length} cells, {ending:?}, {agents:?}"
            );
            all += u32::from(truth.all);
            some += u32::from(!truth.all && truth.can_reach.contains(&true));
        }
        with_held += u32::from(agents.iter().any(|agent| agent.is_held));
    }
    assert!(
        with_held > 800 && all > 300 && some > 800,
        "{with_held} held, {all} all, {some} some"
    );
}

#[test]
fn on_paths_of_random_maps_the_lane_rule_is_the_truth_also_round_bends_and_along_diagonals() {
    let (mut paths, mut bends, mut all, mut none) = (0u32, 0u32, 0u32, 0u32);
    for seed in 0..if is_long() { 40_000 } else { 1_500 } {
        let mut random = SplitMix64::new(seed);
        let grid = Grid::new(1 + random.below(5), 1 + random.below(5)).unwrap();
        let walls = 30 + random.below(40);
        let bytes = grid.ids().map(|_| if random.percent(walls) { 255 } else { 1 });
        let costs = CostField::from_bytes(grid.clone(), bytes.collect()).unwrap();
        let profile = random.pick(&[
            MovementProfile::new().with_connectivity(Connectivity::Four),
            MovementProfile::new(),
            MovementProfile::new().with_corner_rule(CornerRule::OneFree),
            MovementProfile::new().with_corner_rule(CornerRule::Always),
        ]);
        let movement = Movement::compile(&costs, &profile);
        let blocks = Blocks::of(&movement);
        for corridor in blocks.corridors() {
            let cells = corridor.cells;
            if !blocks.is_path(cells[0]) || cells.len() < 2 {
                continue;
            }
            let length = u32::try_from(cells.len()).unwrap();
            let placings = placings(length, (2 + random.below(2)).min(length));
            let place = random.below(u32::try_from(placings.len()).unwrap());
            let placing = &placings[place as usize];
            let goals: Vec<[u32; 1]> = placing.iter().map(|_| [random.below(length)]).collect();
            let agents = in_lane(placing, &goals);
            let ending = random.pick(&[LaneEnding::Rest, LaneEnding::Sink]);
            let truth = lane_truth(length, &agents, ending).unwrap();
            let joint: Vec<JointAgent<'_>> = agents
                .iter()
                .map(|agent| JointAgent {
                    movement: &movement,
                    start: cells[agent.position as usize],
                    goals: vec![cells[agent.goals[0] as usize]],
                })
                .collect();
            let expected = found(&joint, JointRules::DEFAULT, ending);
            assert_eq!(truth, expected, "seed {seed} {profile:?} {corridor:?} {agents:?}");
            let squeezing = JointRules {
                squeezing: true,
                ..JointRules::DEFAULT
            };
            if !corridor.has_shortcut {
                assert_eq!(truth, found(&joint, squeezing, ending), "seed {seed}");
            }
            paths += 1;
            bends += u32::from(corridor.has_shortcut);
            all += u32::from(truth.all);
            none += u32::from(!truth.can_reach.contains(&true));
        }
    }
    assert!(
        paths > 500 && bends > 30 && all > 100 && none > 50,
        "{paths} paths, {bends} bends, {all} all, {none} none"
    );
}

#[test]
fn a_facing_pair_never_passes_and_who_leaves_lets_others_through() {
    let agent = |position, goals| LaneAgent {
        position,
        goals,
        is_held: false,
    };
    let told = |agents: &[LaneAgent<'_>], ending| {
        let truth = lane_truth(6, agents, ending).unwrap();
        (truth.can_reach, truth.all)
    };
    let facing = [agent(0, &[5]), agent(3, &[0])];
    for ending in [LaneEnding::Rest, LaneEnding::Sink] {
        assert_eq!(told(&facing, ending), (vec![false, false], false));
    }
    // The second can stand aside far enough for itself alone; gone, it is in nobody's way.
    let passing = [agent(0, &[5]), agent(3, &[4])];
    assert_eq!(told(&passing, LaneEnding::Rest), (vec![false, true], false));
    assert_eq!(told(&passing, LaneEnding::Sink), (vec![true, true], true));
    // Each can stand there, both cannot.
    let one_cell = [agent(0, &[2]), agent(3, &[2])];
    assert_eq!(told(&one_cell, LaneEnding::Rest), (vec![true, true], false));
    assert_eq!(told(&[], LaneEnding::Rest), (vec![], true));
    // A lane of many with its order turned round, as fast as it can be counted.
    let goals: Vec<[u32; 1]> = (0..50_000).rev().map(|goal| [goal]).collect();
    let many: Vec<LaneAgent<'_>> = (0u32..).zip(&goals).map(|(at, goal)| agent(at, goal)).collect();
    let truth = lane_truth(100_000, &many, LaneEnding::Rest).unwrap();
    // Who has r before it gets to cell 49,999 - r unless that leaves too few cells for them.
    let there = truth.can_reach.iter().filter(|&&there| there).count();
    assert_eq!((truth.all, there), (false, 25_000));
    assert!(truth.can_reach[24_999] && !truth.can_reach[25_000]);
}

#[test]
fn bodies_that_do_not_stand_in_order_in_the_lane_are_refused() {
    let agent = |position| LaneAgent {
        position,
        goals: &[],
        is_held: false,
    };
    let refused = |agents: &[LaneAgent<'_>]| lane_truth(4, agents, LaneEnding::Rest).unwrap_err();
    let outside = refused(&[agent(1), agent(4)]);
    assert_eq!(
        outside,
        LaneError::Outside {
            agent: 1,
            position: 4,
            length: 4
        }
    );
    assert_eq!(outside.to_string(), "agent 1 is on cell 4 of a lane of 4 cells");
    let order = refused(&[agent(2), agent(2)]);
    assert!(order.to_string().contains("agent 1 on cell 2"), "{order}");
    assert!(matches!(refused(&[agent(2), agent(0)]), LaneError::Order { .. }));
}
