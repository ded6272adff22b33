//! The plan against the map and against what it claims.

use crate::kit::{Case, layers};
use thalweg::core::grid::Cell;
use thalweg::core::movement::{Connectivity, Footprint, Movement, MovementProfile};
use thalweg::plan_check::ConflictKind::{Blocked, Goal, Left, Start, Step, Task};
use thalweg::plan_check::{PlanCheck, PlanCheckError, PlannedAgent, PlannedRun, PlannedTask};

#[test]
fn steps_are_legal_exits_or_portals() {
    Case::new("0,0\n 2,0").has(&[(Step, 1, 0, None, "2,0")]);
    Case::new("0,0\n 1,1").four().has(&[(Step, 1, 0, None, "1,1")]);
    Case::new("0,0\n 5,5").portal("0,0", "5,5").is_right();
    // A portal leads from where it begins only.
    Case::new("0,0\n 5,5")
        .portal("0,1", "5,5")
        .has(&[(Step, 1, 0, None, "5,5")]);
    let floors = &["... ...", ".. .."];
    Case::on(floors, "2,0\n 1,1,1").has(&[(Step, 1, 0, None, "1,1,1")]);
    Case::on(floors, "0,0\n 0,0,1").has(&[(Step, 1, 0, None, "0,0,1")]);
}

#[test]
fn nobody_is_in_a_wall_or_off_the_map() {
    let map = &[".#. ... ..."];
    Case::on(map, "0,0\n 1,0").has(&[(Blocked, 1, 0, None, "1,0"), (Step, 1, 0, None, "1,0")]);
    Case::on(map, "1,0").has(&[(Blocked, 0, 0, None, "1,0")]);
    Case::on(map, "0,0\n -1,0").has(&[(Blocked, 1, 0, None, "-1,0")]);
    Case::on(map, "0,0\n 0,0,3").has(&[(Blocked, 1, 0, None, "0,0,3")]);
    Case::on(map, "0,0")
        .goals("1,0")
        .has(&[(Blocked, 0, 0, None, "1,0")]);
    Case::on(map, "0,0")
        .task(0, 0, "9,9", None)
        .has(&[(Blocked, 0, 0, None, "9,9")]);
    // What is passable for one is no anchor for the other.
    Case::on(map, "0,1")
        .goals("2,1")
        .sides(&[2])
        .has(&[(Blocked, 0, 0, None, "2,1")]);
}

#[test]
fn the_first_line_is_at_the_starts() {
    Case::new("0,0 1,0").starts("0,0 1,0").is_right();
    Case::new("0,0 1,1")
        .starts("0,0 1,0")
        .has(&[(Start, 0, 1, None, "1,1")]);
}

#[test]
fn a_plan_that_claims_to_be_solved_ends_at_the_goals() {
    let plan = || Case::new("0,0 3,0\n 1,0 3,0\n 1,0 3,1").goals("1,0 3,0");
    plan().is_right();
    plan().solved().has(&[(Goal, 2, 1, None, "3,1")]);
    Case::new("0,0 3,0\n 1,0 3,0")
        .goals("1,0 3,0")
        .solved()
        .is_right();
}

#[test]
fn agents_leave_at_their_goals() {
    let plan = || {
        Case::new("0,0 3,3\n 1,0 3,3\n - 3,3\n - 3,3")
            .solved()
            .goals("1,0 3,3")
    };
    let verdict = plan().is_right();
    assert_eq!((verdict.at_goal, verdict.sum_of_costs), (2, 1));
    plan().left(0, 1).is_right();
    plan().left(0, 2).has(&[(Left, 1, 0, None, "1,0")]);
    plan().left(1, 1).has(&[(Left, 2, 1, None, "3,3")]);
    plan().left(1, 3).is_right();
    Case::new("0,0\n -")
        .goals("1,0")
        .has(&[(Left, 0, 0, None, "0,0")]);
    Case::new("1,0\n -\n 1,0")
        .goals("1,0")
        .has(&[(Left, 2, 0, None, "1,0")]);
    Case::new("0,0\n 1,0")
        .goals("0,0")
        .left(0, 1)
        .has(&[(Left, 1, 0, None, "1,0")]);
    // Its cell is free from the next tick on.
    Case::new("0,0 1,0\n 1,0 -").goals("1,0 1,0").is_right();
}

#[test]
fn tasks_are_reached_when_the_plan_says_so_and_in_its_order() {
    let plan = || Case::new("0,0\n 1,0\n 2,0\n 1,0");
    let verdict = plan()
        .task(0, 0, "2,0", Some(2))
        .task(0, 2, "1,0", Some(3))
        .is_right();
    assert_eq!((verdict.tasks, verdict.tasks_done), (2, 2));
    let verdict = plan()
        .task(0, 0, "2,0", Some(2))
        .task(0, 2, "5,5", None)
        .is_right();
    assert_eq!((verdict.tasks, verdict.tasks_done), (2, 1));
    plan()
        .task(0, 0, "2,0", Some(1))
        .has(&[(Task, 1, 0, None, "2,0")]);
    plan()
        .task(0, 0, "2,0", Some(9))
        .has(&[(Task, 9, 0, None, "2,0")]);
    // The second begins before the first is reached.
    plan()
        .task(0, 0, "2,0", Some(2))
        .task(0, 1, "1,0", Some(3))
        .has(&[(Task, 2, 0, None, "2,0")]);
    // The second is reached before the first.
    plan()
        .task(0, 0, "1,0", Some(3))
        .task(0, 0, "2,0", Some(2))
        .names_task();
    // The first is not reached at all, the second is said to be.
    plan()
        .task(0, 0, "5,5", None)
        .task(0, 2, "1,0", Some(3))
        .has(&[(Task, 3, 0, None, "1,0")]);
    // Reached before it was given.
    plan()
        .task(0, 3, "2,0", Some(2))
        .has(&[(Task, 2, 0, None, "2,0")]);
}

impl Case {
    #[track_caller]
    fn names_task(&self) {
        let verdict = self.verdict();
        assert!(verdict.count(Task) > 0, "{:?}", verdict.conflicts);
    }
}

#[test]
fn conflicts_are_counted_beyond_those_that_are_told() {
    let mut case = Case::new("0,0 0,0\n 0,0 0,0\n 0,0 0,0");
    case.run.told = 2;
    let verdict = case.verdict();
    assert_eq!((verdict.conflicts.len(), verdict.total()), (2, 3));
    assert_eq!(
        verdict.conflicts[1].to_string(),
        "tick 1: agents 0 and 1 are both in (0,0)"
    );
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let costs = layers(&["... ..."]);
    let point = Movement::compile(&costs, &MovementProfile::new());
    let disc = Footprint::disc(1.0, 1.0).unwrap();
    let disc = Movement::compile(&costs, &MovementProfile::new().with_footprint(disc));
    let other = Movement::compile(
        &layers(&["...."]),
        &MovementProfile::new().with_connectivity(Connectivity::Four),
    );
    let run = |agent: PlannedAgent| PlannedRun {
        agents: vec![agent],
        ..PlannedRun::new()
    };
    let refusal = |movements: &[&Movement], run| {
        let error = PlanCheck::new(movements, run).expect_err("what cannot be judged");
        error.to_string()
    };
    assert_eq!(
        refusal(&[&point], run(PlannedAgent::new().with_side(2))),
        "agent 0 has a body of 2 x 2 cells, for which no movement was given"
    );
    assert!(
        refusal(&[&point, &disc], run(PlannedAgent::new()))
            .contains("bodies of plans are points and squares")
    );
    assert!(
        refusal(&[&point, &other], run(PlannedAgent::new())).contains("another of the map of 4 x 1 cells")
    );
    assert!(refusal(&[&point], run(PlannedAgent::new().with_pace(0))).contains("pace of 0 ticks"));
    let task = PlannedTask {
        agent: 3,
        from: 0,
        goal: Cell::new(0, 0),
        reached: None,
    };
    let mut wrong = run(PlannedAgent::new());
    wrong.tasks.push(task);
    assert!(refusal(&[&point], wrong).starts_with("a task is given to agent 3"));
    let mut check = PlanCheck::new(&[&point], run(PlannedAgent::new())).unwrap();
    let error = check.tick(&[]).expect_err("a line without its agent");
    assert_eq!(
        error,
        PlanCheckError::AgentCount {
            tick: 0,
            got: 0,
            want: 1
        }
    );
    // The line was not taken.
    check.tick(&[Some(Cell::new(0, 0))]).unwrap();
    assert!(check.finish().is_valid());
}
