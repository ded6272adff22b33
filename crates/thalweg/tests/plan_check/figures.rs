//! Costs, waits and steps.

use crate::kit::Case;

#[test]
fn costs_are_the_ticks_until_an_agent_stays_at_its_goal() {
    // The first one comes, makes room and comes back; the second is there from the start; the third never comes.
    let verdict = Case::new("0,0 3,0 5,5\n 1,0 3,0 5,5\n 1,1 3,0 4,5\n 1,0 3,0 4,5\n 1,0 3,0 4,5")
        .goals("1,0 3,0 0,5")
        .is_right();
    assert_eq!(verdict.sum_of_costs, 3 + 4);
    assert_eq!((verdict.makespan, verdict.last_tick), (4, 4));
    assert_eq!(verdict.at_goal, 2);
    assert_eq!(verdict.steps, 4);
}

#[test]
fn waits_are_ticks_without_a_step_away_from_the_goal() {
    let verdict = Case::new("0,0 5,5\n 0,0 5,5\n 1,0 5,5\n 1,0 5,5\n 1,0 5,4\n 1,0 5,4\n 2,0 5,4\n 2,0 5,4")
        .goals("2,0 5,5")
        .is_right();
    // Agent 0 stands from 0 to 1 and from 2 to 5; agent 1 is at its goal until 3, and waits from 4 on.
    assert_eq!(verdict.waits, 1 + 3 + 3);
    assert_eq!((verdict.longest_wait, verdict.longest_waiter), (3, Some(0)));
}

#[test]
fn somebody_on_a_slow_step_does_not_wait() {
    let verdict = Case::new("0,0\n 0,0\n 0,0\n 0,0\n 1,0\n 1,0")
        .goals("1,0")
        .paces(&[3])
        .is_right();
    assert_eq!((verdict.waits, verdict.longest_wait), (1, 1));
    assert_eq!(verdict.sum_of_costs, 4);
}

#[test]
fn between_tasks_nobody_waits() {
    let verdict = Case::new("0,0\n 1,0\n 1,0\n 1,0\n 1,0\n 2,0")
        .task(0, 0, "1,0", Some(1))
        .task(0, 3, "2,0", Some(5))
        .is_right();
    assert_eq!((verdict.waits, verdict.tasks_done), (1, 2));
    assert_eq!(verdict.sum_of_costs, 0, "costs are of goals");
}

#[test]
fn a_plan_without_lines_or_agents_is_no_trouble() {
    let mut case = Case::new("0,0");
    case.lines.clear();
    let verdict = case.is_right();
    assert_eq!((verdict.last_tick, verdict.agents), (0, 1));
    case.run.agents.clear();
    assert_eq!(case.is_right().agents, 0);
}
