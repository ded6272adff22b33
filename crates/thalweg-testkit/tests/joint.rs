//! The joint planner on worlds whose answer is plain to see.

use std::collections::BTreeSet;
use thalweg_core::cost::CostField;
use thalweg_core::grid::{Cell, CellId};
use thalweg_core::movement::{Connectivity, CornerRule, Movement, MovementProfile};
use thalweg_testkit::cases::{data_folder, skipped};
use thalweg_testkit::joint::{Ending, JointAgent, JointRules, JointTruth, joint_truth};
use thalweg_testkit::literal::{cells_of, map};

const STIFF: JointRules = JointRules {
    following: false,
    squeezing: false,
};
const SQUEEZING: JointRules = JointRules {
    following: true,
    squeezing: true,
};

/// Agents `a`, `b`, ... start where the first rows have these letters and want to be where the second ones have them.
struct Puzzle {
    costs: CostField,
    starts: Vec<CellId>,
    goals: Vec<Vec<CellId>>,
}

fn puzzle(starts: &[&str], goals: &[&str]) -> Puzzle {
    let free: Vec<String> = starts
        .iter()
        .map(|row| row.replace(|letter: char| letter.is_ascii_lowercase(), "."))
        .collect();
    let rows: Vec<&str> = free.iter().map(String::as_str).collect();
    let costs = map(&rows);
    let ids = |rows: &[&str], letter: char| -> Vec<CellId> {
        let cells = cells_of(rows, letter).into_iter();
        cells.map(|cell| costs.grid().id(cell).unwrap()).collect()
    };
    let letters: Vec<char> = ('a'..='z')
        .filter(|&letter| !ids(starts, letter).is_empty())
        .collect();
    let first = letters.iter().map(|&letter| ids(starts, letter)[0]).collect();
    let goals = letters.iter().map(|&letter| ids(goals, letter)).collect();
    Puzzle {
        starts: first,
        goals,
        costs,
    }
}

fn four() -> MovementProfile {
    MovementProfile::new().with_connectivity(Connectivity::Four)
}

fn solve(puzzle: &Puzzle, profile: MovementProfile, rules: JointRules, ending: Ending) -> JointTruth {
    let movement = Movement::compile(&puzzle.costs, &profile);
    let agents: Vec<JointAgent<'_>> = puzzle
        .starts
        .iter()
        .zip(&puzzle.goals)
        .map(|(&start, goals)| JointAgent {
            movement: &movement,
            start,
            goals: goals.clone(),
        })
        .collect();
    let truth = joint_truth(&agents, rules, ending);
    if let Some(plan) = &truth.plan {
        assert!(truth.ever.iter().all(|&ever| ever));
        for tick in plan.windows(2) {
            let mut taken = BTreeSet::new();
            for (before, after) in tick[0].iter().zip(&tick[1]) {
                let (Some(before), Some(after)) = (before, after) else {
                    assert!(ending == Ending::Sinks && after.is_none());
                    continue;
                };
                let is_edge = movement.edges_from(*before).any(|edge| edge.other == *after);
                assert!(before == after || is_edge, "{plan:?}");
                assert!(taken.insert(*after), "{plan:?}");
            }
        }
    }
    truth
}

fn makespan(truth: &JointTruth) -> Option<usize> {
    truth.plan.as_ref().map(|plan| plan.len() - 1)
}

#[test]
fn a_facing_pair_in_a_dead_end_lane_has_no_plan_and_with_a_side_cell_it_has() {
    let lane = puzzle(&["a..b"], &["b..a"]);
    for rules in [JointRules::DEFAULT, STIFF, SQUEEZING] {
        let together = solve(&lane, four(), rules, Ending::Together);
        assert_eq!((together.plan, together.ever), (None, vec![false, false]));
    }
    // Each alone could get there if the other were no body; one that leaves lets the other through.
    let short = puzzle(&["a..b"], &["..ba"]);
    let together = solve(&short, four(), JointRules::DEFAULT, Ending::Together);
    assert_eq!((together.plan, together.ever), (None, vec![false, true]));
    let sinks = solve(&short, four(), JointRules::DEFAULT, Ending::Sinks);
    // One step, away, and then two more cells to where nobody stands.
    assert_eq!(makespan(&sinks), Some(3));
    let side = puzzle(&["a..b", "#.##"], &["b..a", "#.##"]);
    let truth = solve(&side, four(), JointRules::DEFAULT, Ending::Together);
    // One steps aside for a tick and goes on after the other, with a cell of following.
    assert_eq!(makespan(&truth), Some(5));
    assert!(solve(&side, four(), STIFF, Ending::Together).plan.is_some());
}

#[test]
fn four_on_a_block_rotate_with_following_and_not_without() {
    let turn = puzzle(&["ab", "dc"], &["da", "cb"]);
    let opposite = puzzle(&["ab", "dc"], &["cd", "ba"]);
    let swapped = puzzle(&["ab", "dc"], &["ba", "dc"]);
    for ending in [Ending::Together, Ending::Sinks] {
        assert_eq!(
            makespan(&solve(&turn, four(), JointRules::DEFAULT, ending)),
            Some(1)
        );
        assert_eq!(makespan(&solve(&turn, four(), STIFF, ending)), None);
        let twice = solve(&opposite, four(), JointRules::DEFAULT, ending);
        assert_eq!(makespan(&twice), Some(2));
        let moved: BTreeSet<_> = twice.plan.unwrap()[1].iter().flatten().copied().collect();
        assert_eq!(moved.len(), 4);
    }
    let truth = solve(&swapped, four(), JointRules::DEFAULT, Ending::Together);
    assert_eq!((makespan(&truth), truth.ever), (None, vec![true; 4]));
    assert_eq!(truth.configurations, 4, "the block only turns");
    // With diagonals nothing more moves at once: they cross, or pass somebody.
    let eight = MovementProfile::new();
    let truth = solve(&swapped, eight, SQUEEZING, Ending::Together);
    assert!(truth.plan.is_none() || makespan(&truth) >= Some(2));
}

#[test]
fn a_full_block_of_three_and_one_free_cell_goes_round_even_without_following() {
    let three = puzzle(&["ab", ".c"], &[".a", "cb"]);
    assert_eq!(
        makespan(&solve(&three, four(), JointRules::DEFAULT, Ending::Together)),
        Some(1)
    );
    assert_eq!(makespan(&solve(&three, four(), STIFF, Ending::Together)), Some(3));
    let mirrored = puzzle(&["ab", ".c"], &["ba", ".c"]);
    let truth = solve(&mirrored, four(), JointRules::DEFAULT, Ending::Together);
    assert_eq!(truth.plan, None, "an order on a ring does not change");
    assert_eq!(truth.ever, [true; 3]);
}

#[test]
fn diagonals_do_not_cross_and_pass_nobody_unless_squeezing_is_allowed() {
    let eight = MovementProfile::new();
    let cross = puzzle(&["ab", ".."], &["..", "ba"]);
    for rules in [JointRules::DEFAULT, SQUEEZING] {
        let truth = solve(&cross, eight, rules, Ending::Together);
        assert!(makespan(&truth) >= Some(2), "{truth:?}");
    }
    // Past one who stays.
    let past = puzzle(&["ab", ".."], &[".b", ".a"]);
    assert_eq!(
        makespan(&solve(&past, eight, JointRules::DEFAULT, Ending::Together)),
        Some(2)
    );
    assert_eq!(
        makespan(&solve(&past, eight, SQUEEZING, Ending::Together)),
        Some(1)
    );
    // Round a bend, under the rule that lets a diagonal pass one wall, they change their order only by squeezing.
    let bend = puzzle(&["ab", "#."], &["b.", "#a"]);
    let one_free = eight.with_corner_rule(CornerRule::OneFree);
    assert_eq!(
        makespan(&solve(&bend, one_free, JointRules::DEFAULT, Ending::Together)),
        None
    );
    assert_eq!(
        makespan(&solve(&bend, one_free, SQUEEZING, Ending::Together)),
        Some(1)
    );
}

#[test]
fn bodies_of_several_cells_need_their_room() {
    let body = |side: u32| four().with_footprint(format!("square:{side}").parse().unwrap());
    let costs = map(&["......", "......", "##..##", "##..##"]);
    let id = |x: i32, y: i32| costs.grid().id(Cell::new(x, y)).unwrap();
    let (large, small) = (
        Movement::compile(&costs, &body(2)),
        Movement::compile(&costs, &four()),
    );
    let agent = |movement, start, goal| JointAgent {
        movement,
        start,
        goals: vec![goal],
    };
    // Two large ones in a lane of their width, with a bay below its middle.
    let pair = [
        agent(&large, id(0, 0), id(4, 0)),
        agent(&large, id(4, 0), id(0, 0)),
    ];
    let truth = joint_truth(&pair, JointRules::DEFAULT, Ending::Together);
    // The first is in the bay after 4 ticks, the other is 2 further on the tick after it could pass, and 2 more are left.
    let plan = truth.plan.expect("there is a bay");
    assert!(plan.len() > 8, "{plan:?}");
    for configuration in &plan {
        let cells = configuration.iter().flatten().flat_map(|&anchor| {
            let at = costs.grid().cell(anchor);
            [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(dx, dy)| (at.x + dx, at.y + dy))
        });
        assert_eq!(cells.collect::<BTreeSet<_>>().len(), 8, "{plan:?}");
    }
    // Large and small: the small one has room beside it nowhere in the lane, and in the bay it has.
    let mixed = [
        agent(&large, id(0, 0), id(4, 0)),
        agent(&small, id(5, 0), id(0, 0)),
    ];
    assert!(
        joint_truth(&mixed, JointRules::DEFAULT, Ending::Together)
            .plan
            .is_some()
    );
    let lane = map(&["....", "...."]);
    let (large, small) = (
        Movement::compile(&lane, &body(2)),
        Movement::compile(&lane, &four()),
    );
    let facing = [
        agent(&large, CellId(0), CellId(2)),
        agent(&small, CellId(3), CellId(0)),
    ];
    let truth = joint_truth(&facing, JointRules::DEFAULT, Ending::Together);
    assert_eq!((truth.plan, truth.ever), (None, vec![false, false]));
}

#[test]
fn large_bodies_do_not_slide_past_each_other_along_crossing_diagonals() {
    // North-east and south-west at once: they would end apart and overlap in the middle.
    let costs = map(&["....", "....", "....", "...."]);
    let profile = MovementProfile::new().with_footprint("square:2".parse().unwrap());
    let movement = Movement::compile(&costs, &profile);
    let id = |x: i32, y: i32| costs.grid().id(Cell::new(x, y)).unwrap();
    let pair = [
        JointAgent {
            movement: &movement,
            start: id(0, 1),
            goals: vec![id(1, 0)],
        },
        JointAgent {
            movement: &movement,
            start: id(2, 1),
            goals: vec![id(1, 2)],
        },
    ];
    for rules in [JointRules::DEFAULT, SQUEEZING] {
        assert_eq!(makespan(&joint_truth(&pair, rules, Ending::Together)), Some(2));
    }
}

#[test]
fn who_starts_on_a_goal_leaves_at_once_where_goals_are_sinks() {
    let lane = puzzle(&["ab."], &["ba."]);
    let at_once = puzzle(&["ab."], &["b.a"]);
    // The second makes room, the first is gone, and the second comes back.
    assert_eq!(
        makespan(&solve(&lane, four(), JointRules::DEFAULT, Ending::Sinks)),
        Some(3)
    );
    assert_eq!(
        makespan(&solve(&at_once, four(), JointRules::DEFAULT, Ending::Sinks)),
        None
    );
    let gone = Puzzle {
        goals: vec![vec![CellId(2)], vec![CellId(1)]],
        ..at_once
    };
    assert_eq!(
        makespan(&solve(&gone, four(), JointRules::DEFAULT, Ending::Sinks)),
        Some(2)
    );
    let truth = solve(&gone, four(), JointRules::DEFAULT, Ending::Together);
    assert_eq!((truth.plan, truth.ever), (None, vec![false, true]));
}

#[test]
fn five_on_a_board_of_three_by_three_can_be_put_in_any_order() {
    let board = puzzle(&["abc", "de.", "..."], &["edc", "ba.", "..."]);
    let truth = solve(&board, four(), JointRules::DEFAULT, Ending::Together);
    assert!(
        makespan(&truth).is_some_and(|ticks| (2..12).contains(&ticks)),
        "{truth:?}"
    );
}

#[test]
fn four_agents_on_the_published_puzzles_have_plans_or_none() {
    let Some(folder) = data_folder() else {
        skipped("mapf/tiny");
        return;
    };
    let read = |file: &str| {
        let text = std::fs::read_to_string(folder.join("mapf/tiny").join(file)).ok()?;
        let rows: Vec<String> = text
            .lines()
            .skip(4)
            .map(|row| row.trim_end().replace(['@', 'T'], "#"))
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        Some(map(&rows))
    };
    // Makespans, found by this search.
    for (file, pairs, expected) in [
        (
            "corners.map",
            [
                [(0, 0), (4, 4)],
                [(4, 4), (0, 0)],
                [(0, 1), (3, 3)],
                [(3, 3), (0, 1)],
            ],
            Some(8),
        ),
        (
            "tunnel.map",
            [
                [(0, 2), (0, 5)],
                [(0, 3), (0, 4)],
                [(0, 4), (0, 3)],
                [(0, 5), (0, 2)],
            ],
            Some(15),
        ),
        (
            "string.map",
            [
                [(1, 0), (1, 5)],
                [(0, 1), (0, 5)],
                [(1, 5), (1, 0)],
                [(0, 5), (0, 1)],
            ],
            Some(10),
        ),
    ] {
        let Some(costs) = read(file) else {
            skipped(file);
            continue;
        };
        let id = |(x, y): (i32, i32)| costs.grid().id(Cell::new(x, y)).unwrap();
        let puzzle = Puzzle {
            costs: costs.clone(),
            starts: pairs.iter().map(|pair| id(pair[0])).collect(),
            goals: pairs.iter().map(|pair| vec![id(pair[1])]).collect(),
        };
        let truth = solve(&puzzle, four(), JointRules::DEFAULT, Ending::Together);
        assert_eq!(makespan(&truth), expected, "{file} {truth:?}");
    }
}
