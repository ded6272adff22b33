//! `thalweg check --plan` and `thalweg simulate --mapf`: plans judged, and plans made.

mod support;

use support::{Run, folder, shared_data, thalweg};

/// A corridor with a bay: four cells in a row, one below the second.
const CORRIDOR: &[u8] = b"type octile\nheight 2\nwidth 4\nmap\n....\n@.@@\n";
const OPEN: &[u8] = b"type octile\nheight 5\nwidth 5\nmap\n.....\n.....\n.....\n.....\n.....\n";

fn check(map: &[u8], plan: &str, words: &[&str]) -> Run {
    let folder = folder(&[("a.map", map), ("a.plan", plan.as_bytes())]);
    let words = [&["check", "a.map", "--plan", "a.plan"], words].concat();
    thalweg(folder.path(), &words)
}

#[test]
fn a_valid_plan_answers_yes_with_its_figures() {
    // The second makes way in the bay.
    let plan = "agents=2\nsolved=1\nsoc=5\nmakespan=3\nstarts=(0,0),(1,0),\ngoals=(2,0),(0,0),\nsolution=\n\
        0:(0,0),(1,0),\n1:(0,0),(1,1),\n2:(1,0),(1,1),\n3:(2,0),(1,0),\n4:(2,0),(0,0),\n";
    let run = check(CORRIDOR, plan, &[]);
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(
        run.out,
        "arrived 2/2\nmakespan 4 (the plan says 3)\nsum of costs 7 (the plan says 5)\n\
         waits 2, the longest 1 ticks (agent 0)\nconflicts 0\n"
    );
    let answer = check(CORRIDOR, plan, &["--json"]).json();
    assert_eq!(answer["valid"], true);
    assert_eq!(
        (&answer["makespan"], &answer["sum_of_costs"]),
        (&4.into(), &7.into())
    );
    assert_eq!(answer["stated"]["sum_of_costs"], 5);
}

#[test]
fn conflicts_answer_no_and_are_named() {
    let plan = "agents=2\nsolution=\n0:(0,0),(1,0),\n1:(1,0),(0,0),\n2:(1,1),(2,0)\n";
    let run = check(CORRIDOR, plan, &[]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(
        run.out.contains("conflicts 2\n  step 1\n  swap 1\n"),
        "{}",
        run.out
    );
    assert!(
        run.out.ends_with(
            "tick 1: agents 0 and 1 exchange their cells at (1,0)\ntick 2: agent 1 has no step to (2,0)\n"
        ),
        "{}",
        run.out
    );
    let run = check(CORRIDOR, plan, &["--json"]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(
        (&answer["valid"], &answer["conflicts"]),
        (&false.into(), &2.into())
    );
    assert_eq!(answer["by_kind"]["swap"], 1);
    assert_eq!(answer["first"][0]["agents"], serde_json::json!([0, 1]));
    assert_eq!(answer["first"][0]["cell"], serde_json::json!([1, 0]));
}

#[test]
fn a_plan_that_claims_too_much_answers_no_wherever_it_says_so() {
    let ticks = "0:(0,0),\n1:(1,0),\n";
    for (plan, code) in [
        (format!("agents=1\nsolved=1\ngoals=(2,0)\nsolution=\n{ticks}"), 1),
        (format!("agents=1\ngoals=(2,0)\nsolution=\n{ticks}solved=1\n"), 1),
        (format!("agents=1\nsolved=0\ngoals=(2,0)\nsolution=\n{ticks}"), 0),
        (format!("agents=1\ngoals=(2,0)\nsolution=\n{ticks}"), 0),
        (format!("agents=1\nsolved=1\ngoals=(1,0)\nsolution=\n{ticks}"), 0),
    ] {
        let run = check(CORRIDOR, &plan, &[]);
        assert_eq!(run.code, Some(code), "{plan}\n{}{}", run.out, run.err);
    }
}

#[test]
fn rules_of_the_header_hold() {
    let diagonal = "0:(0,0),(1,0),\n1:(1,1),(1,0),\n";
    for (keys, code) in [
        ("", 1),
        ("neighbours=8\n", 1),
        ("neighbours=8\nsqueezing=1\n", 0),
        ("neighbours=8\nsqueezing=1\nbodies=1,2\n", 1),
        ("neighbours=8\nsqueezing=1\npaces=2,1\n", 1),
    ] {
        let run = check(OPEN, &format!("agents=2\n{keys}solution=\n{diagonal}"), &[]);
        assert_eq!(run.code, Some(code), "{keys}\n{}{}", run.out, run.err);
    }
    let convoy = "0:(0,0),(1,0),\n1:(1,0),(2,0),\n";
    for (keys, code) in [("", 0), ("following=0\n", 1)] {
        let run = check(OPEN, &format!("agents=2\n{keys}solution=\n{convoy}"), &[]);
        assert_eq!(run.code, Some(code), "{keys}\n{}{}", run.out, run.err);
    }
}

#[test]
fn links_of_a_map_of_several_floors_are_steps() {
    let map = b"= ground\n...\n= upper\n...\n@ 2,0,0 <-> 0,0,1 1\n";
    let folder = folder(&[
        ("a.txt", map),
        ("up.plan", b"solution=\n0:(1,0)\n1:(2,0)\n2:(0,0,1)\n3:(1,0,1)\n"),
        ("swap.plan", b"solution=\n0:(2,0),(0,0,1)\n1:(0,0,1),(2,0)\n"),
        ("leap.plan", b"solution=\n0:(1,0)\n1:(1,0,1)\n"),
    ]);
    let run = |plan: &str| thalweg(folder.path(), &["check", "a.txt", "--plan", plan]);
    for (plan, code, word) in [
        ("up.plan", 0, "conflicts 0"),
        ("swap.plan", 1, "swap 1"),
        ("leap.plan", 1, "step 1"),
    ] {
        let run = run(plan);
        assert_eq!(run.code, Some(code), "{plan}: {}{}", run.out, run.err);
        assert!(run.out.contains(word), "{plan}: {}", run.out);
    }
}

#[test]
fn bad_plans_are_refused_in_one_sentence() {
    let run = check(OPEN, "agents=2\nsolution=\n0:(0,0)\n", &[]);
    assert_eq!(
        run.refusal(),
        "a.plan, line 3: tick has 1 entries, but the plan has 2 agents"
    );
    let run = check(OPEN, "agents=1\nsolution=\n0:(0,0)\n", &["--scen", "a.scen"]);
    assert_eq!(run.code, Some(2));
    let folder = folder(&[("a.map", OPEN)]);
    let run = thalweg(folder.path(), &["check", "a.map", "--plan", "no.plan"]);
    assert_eq!(run.refusal(), "no.plan: there is no such file");
}

const SCENARIO: &[u8] = b"version 1\n0\ta.map\t5\t5\t0\t0\t4\t0\t4\n0\ta.map\t5\t5\t4\t0\t0\t0\t4\n\
    0\ta.map\t5\t5\t0\t3\t3\t3\t3\n0\ta.map\t5\t5\t3\t3\t0\t3\t3\n0\ta.map\t5\t5\t2\t4\t2\t0\t4\n";

fn simulate(files: &[(&str, &[u8])], words: &[&str]) -> (tempfile::TempDir, Run) {
    let mut all: Vec<(&str, &[u8])> = vec![("a.map", OPEN), ("a.scen", SCENARIO)];
    all.extend(files);
    let folder = folder(&all);
    let words = [&["simulate", "--mapf", "a.map", "--scen", "a.scen"], words].concat();
    let run = thalweg(folder.path(), &words);
    (folder, run)
}

#[test]
fn agents_of_a_scenario_arrive_and_their_plan_is_valid() {
    for more in [
        &[][..],
        &["--neighbours", "8"],
        &["--neighbours", "8", "--squeezing"],
        &["--no-following"],
        &["--pace", "2"],
        &["--seed", "7"],
        &["--threads", "1"],
    ] {
        let words = [&["--agents", "5", "--ticks", "200", "--plan", "out.plan"], more].concat();
        let (folder, run) = simulate(&[], &words);
        assert_eq!(run.code, Some(0), "{more:?}: {}{}", run.out, run.err);
        assert!(
            run.out.starts_with("arrived 5/5\nmakespan "),
            "{more:?}: {}",
            run.out
        );
        assert!(!run.out.contains("the plan says"), "{more:?}: {}", run.out);
        // The file says the same to whoever reads it alone.
        let again = thalweg(folder.path(), &["check", "a.map", "--plan", "out.plan"]);
        assert_eq!((again.code, again.out), (Some(0), run.out), "{more:?}");
    }
}

#[test]
fn large_bodies_are_the_first_lines_that_fit() {
    let (folder, run) = simulate(
        &[],
        &[
            "--agents", "1", "--ticks", "50", "--bodies", "2", "--plan", "out.plan",
        ],
    );
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    let plan = std::fs::read_to_string(folder.path().join("out.plan")).unwrap();
    // At (4,0) no body of two cells has room; the first line that fits is the third.
    assert!(plan.contains("starts=(0,3),\ngoals=(3,3),\nbodies=2\n"), "{plan}");
    let (_folder, run) = simulate(&[], &["--agents", "4", "--ticks", "50", "--bodies", "2"]);
    assert!(
        run.refusal()
            .contains("4 bodies of 2 x 2 cells are asked for, but only 2 of 5 starts and goals fit together"),
        "{}",
        run.err
    );
}

#[test]
fn lifelong_runs_hand_out_tasks() {
    let words = [
        "--agents",
        "2",
        "--ticks",
        "60",
        "--lifelong",
        "--json",
        "--plan",
        "out.plan",
    ];
    // The goals of the three lines behind the agents, each once.
    let (folder, run) = simulate(&[], &words);
    let answer = run.json();
    assert_eq!(
        (&answer["tasks"], &answer["tasks_done"]),
        (&5.into(), &5.into()),
        "{answer}"
    );
    assert!(answer["throughput"].as_f64().unwrap() > 0.0);
    let again = thalweg(folder.path(), &["check", "a.map", "--plan", "out.plan"]);
    assert_eq!(again.code, Some(0), "{}", again.out);
    assert!(
        again.out.starts_with("tasks 5/5 done by 2 agents\n"),
        "{}",
        again.out
    );
    // Tasks of a file: one for agent 1 and two for whoever comes first.
    let list: &[u8] = b"# errands\n1 2 2\n0 4\n4 4\n";
    let (folder, run) = simulate(&[("t.txt", list)], &[&words[..], &["--tasks", "t.txt"]].concat());
    assert_eq!(run.json()["tasks_done"], 5, "{}", run.out);
    let plan = std::fs::read_to_string(folder.path().join("out.plan")).unwrap();
    // Its own task goes to its agent, those for anybody in their order.
    let given = |agent: &str, goal: &str| {
        let mut lines = plan.lines();
        let place = lines.position(|line| line.starts_with(agent) && line.contains(goal));
        place.unwrap_or_else(|| panic!("no {agent} at {goal}: {plan}"))
    };
    given("tasks=1@", ":(2,2)@");
    assert!(given("tasks=", ":(0,4)@") < given("tasks=", ":(4,4)@"), "{plan}");
    // Drawn ones never end, and are the same for the same seed and any number of threads.
    let drawn = |seed: &str, threads: &str| {
        let words = ["--agents", "3", "--ticks", "80", "--lifelong=drawn", "--json"];
        let (_folder, run) = simulate(
            &[],
            &[&words[..], &["--seed", seed, "--threads", threads]].concat(),
        );
        run.json()
    };
    let answer = drawn("3", "1");
    assert_eq!(answer["ticks"], 80);
    assert!(answer["tasks_done"].as_u64().unwrap() > 10, "{answer}");
    assert_eq!(answer, drawn("3", "2"));
    assert_ne!(answer["state_hash"], drawn("4", "1")["state_hash"]);
}

#[test]
fn what_cannot_be_run_is_refused_in_one_sentence() {
    let refusal = |files: &[(&str, &[u8])], words: &[&str]| {
        let (_folder, run) = simulate(files, words);
        run.refusal().to_owned()
    };
    assert_eq!(
        refusal(&[], &["--agents", "6", "--ticks", "9"]),
        "a.scen: 6 agents are asked for, but the scenario has 5"
    );
    assert_eq!(
        refusal(&[], &["--agents", "5", "--ticks", "0"]),
        "--ticks is 0; it must be 1 to 4294967293"
    );
    let task: &[u8] = b"9 1 1\n";
    assert_eq!(
        refusal(
            &[("t.txt", task)],
            &["--agents", "2", "--ticks", "9", "--lifelong", "--tasks", "t.txt"]
        ),
        "t.txt: a task is given to agent 9, but there are 2 agents, counted from 0"
    );
    let walled: &[u8] = b"type octile\nheight 5\nwidth 5\nmap\n..@..\n..@..\n..@..\n..@..\n..@..\n";
    assert_eq!(
        refusal(&[("a.map", walled)], &["--agents", "1", "--ticks", "9"]),
        "a.scen: agent 0 cannot get from (0,0) to its goal (4,0), whatever others do"
    );
    let blocked: &[u8] = b"type octile\nheight 5\nwidth 5\nmap\n@....\n.....\n.....\n.....\n.....\n";
    assert_eq!(
        refusal(&[("a.map", blocked)], &["--agents", "1", "--ticks", "9"]),
        "a.scen: the start (0,0) of agent 0 is not free for a body of point (in cells)"
    );
    for words in [
        &["--agents", "1"][..],
        &["--ticks", "9"],
        &["--agents", "0", "--ticks", "9"],
    ] {
        let (_folder, run) = simulate(&[], words);
        assert_eq!(run.code, Some(2), "{words:?}");
    }
}

#[test]
fn all_agents_of_a_published_instance_arrive() {
    let Some(map) = shared_data("mapf/empty-8-8.map") else {
        return;
    };
    let scen = map.with_file_name("empty-8-8-random-1.scen");
    let (map, scen) = (map.to_str().unwrap(), scen.to_str().unwrap());
    let words = [
        "simulate", "--mapf", map, "--scen", scen, "--agents", "32", "--ticks", "200", "--json",
    ];
    let answer = thalweg(std::path::Path::new("."), &words).json();
    assert_eq!(
        (&answer["arrived"], &answer["conflicts"]),
        (&32.into(), &0.into()),
        "{answer}"
    );
}
