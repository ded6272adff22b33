//! Plan files: what planners write, what is ours in them, and everything that can be wrong with one.

use proptest::prelude::*;
use thalweg_core::grid::Cell;
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_io::{
    Place, Plan, PlanHead, PlanReader, PlanRules, PlanTask, PlanWriter, ReadError, read_plan, read_plan_file,
    read_task_list, write_plan,
};

fn read(text: &str) -> Result<Plan, ReadError> {
    read_plan("a.plan", text.as_bytes())
}

#[track_caller]
fn refusal(text: &str) -> String {
    read(text).expect_err("a wrong plan").to_string()
}

/// What a planner of the LaCAM family writes: its own keys between the common ones, a comma behind every cell.
const OTHERS: &str = "agents=2\nmap_file=random-32-32-20.map\nsolver=planner\nsolved=1\nsoc=4\nsoc_lb=4\nmakespan=2\n\
    makespan_lb=2\ncomp_time=0\nseed=0\nstarts=(5,16),(21,29),\ngoals=(5,18),(22,28),\nsolution=\n\
    0:(5,16),(21,29),\n1:(5,17),(21,28),\n2:(5,18),(22,28),\n";

#[test]
fn plans_of_other_planners_are_read_and_written_again() {
    let plan = read(OTHERS).expect("a legal plan");
    let head = &plan.head;
    assert_eq!((head.agents, head.solved), (2, Some(true)));
    assert_eq!((head.soc, head.makespan), (Some(4), Some(2)));
    assert_eq!(head.solver.as_deref(), Some("planner"));
    assert_eq!(head.starts, [Cell::new(5, 16), Cell::new(21, 29)]);
    assert_eq!(head.goals, [Cell::new(5, 18), Cell::new(22, 28)]);
    let keys: Vec<&str> = head.others.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys, ["soc_lb", "makespan_lb", "comp_time", "seed"]);
    assert_eq!(head.rules, PlanRules::default());
    assert_eq!((head.body(1), head.pace(1)), (1, 1));
    assert_eq!(plan.ticks.len(), 3);
    assert_eq!(plan.ticks[1], [Some(Cell::new(5, 17)), Some(Cell::new(21, 28))]);
    let mut text = Vec::new();
    write_plan(&plan, &mut text).expect("writing into memory");
    let text = String::from_utf8(text).expect("a plan is text");
    assert_eq!(read(&text).expect("a plan that was written"), plan);
    assert!(
        !text.contains("neighbours"),
        "what others assume is not written: {text}"
    );
}

#[test]
fn our_own_keys_are_read() {
    let text = "agents=2\nneighbours=8\ncorner=one\nfollowing=0\nsqueezing=1\nbodies=1,2\npaces=3,255\nleft=1@1\n\
        tasks=0@0:(3,4,1)@2\ntasks=0@2:(-5,9)\nsolution=\n0:(1,2),(3,4,1),\n1:(1,2),(3,4,1),\n2:(3,4,1),-,\n";
    let plan = read(text).expect("a legal plan");
    let rules = PlanRules {
        neighbours: Connectivity::Eight,
        corner: CornerRule::OneFree,
        following: false,
        squeezing: true,
    };
    assert_eq!(plan.head.rules, rules);
    assert_eq!((plan.head.body(0), plan.head.body(1)), (1, 2));
    assert_eq!((plan.head.pace(0), plan.head.pace(1)), (3, 255));
    assert_eq!(plan.head.left, [(1, 1)]);
    let task = |from, goal, reached| PlanTask {
        agent: 0,
        from,
        goal,
        reached,
    };
    assert_eq!(
        plan.head.tasks,
        [
            task(0, Cell::on(1, 3, 4), Some(2)),
            task(2, Cell::new(-5, 9), None)
        ]
    );
    assert_eq!(plan.ticks[2], [Some(Cell::on(1, 3, 4)), None]);
}

#[test]
fn results_may_follow_the_solution() {
    let plan = read("agents=1\r\nsolution=\r\n0:(1,1),\r\n\r\nsoc=7\r\nsolved=0\r\nnote=x=y\r\n")
        .expect("a legal plan");
    assert_eq!((plan.head.soc, plan.head.solved), (Some(7), Some(false)));
    assert_eq!(plan.head.others, [("note".to_owned(), "x=y".to_owned())]);
    assert_eq!(
        refusal("agents=1\nsolution=\n0:(1,1)\npaces=2\n"),
        "a.plan, line 4: paces must stand before the solution"
    );
}

#[test]
fn the_number_of_agents_follows_from_the_starts_or_the_first_tick() {
    let plan = read("starts=(1,1),(2,2)\nsolution=\n0:(1,1),(2,2)\n").expect("starts tell");
    assert_eq!(plan.head.agents, 2);
    let plan = read("solution=\n0:(1,1),(2,2)\n1:(1,1),(2,2)\n").expect("the first tick tells");
    assert_eq!(plan.head.agents, 2);
    assert!(
        refusal("solution=\n0:(1,1),(2,2)\n1:(1,1)\n")
            .contains("tick has 1 entries, but the plan has 2 agents")
    );
    assert!(refusal("solution=\n0:\n1:(1,1)\n").contains("tick has 1 entries, but the plan has 0 agents"));
    assert!(
        refusal("left=2@0\nsolution=\n0:(1,1),(2,2)\n")
            .contains("agent 2 is named, but the plan has 2 agents")
    );
    assert!(
        refusal("agents=1\nsolution=\n0:(1,1)\nsolution=\n").contains("`solution=` alone on its line, once")
    );
    let plan = read("agents=2\nsolved=0\nsolution=\n").expect("no solution was found");
    assert!(plan.ticks.is_empty());
}

#[test]
fn every_mistake_is_named_with_its_line() {
    for (text, want) in [
        ("", "a.plan: the file is empty"),
        ("agents=1\n", "a.plan: there is no line `solution=`"),
        (
            "agents\n",
            "a.plan, line 1: the text is 'agents', but a line such as key=value is expected",
        ),
        (
            "agents=-1\nsolution=\n",
            "a.plan, line 1, column 8: the number of agents is '-1', but it must be a whole number from 0 to 4294967295",
        ),
        (
            "agents=1\nagents=1\nsolution=\n",
            "a.plan, line 2: agents is stated a second time, after line 1",
        ),
        (
            "agents=2\nstarts=(1,1)\nsolution=\n",
            "a.plan, line 2: starts has 1 entries, but the plan has 2 agents",
        ),
        (
            "starts=(1,1),(2;2)\nsolution=\n",
            "a.plan, line 1, column 14: a cell is '(2;2)', but it must be (x,y) or (x,y,layer), with commas between",
        ),
        (
            "bodies=0\nsolution=\n",
            "a.plan, line 1, column 9: the side of a body is '', but it must be a whole number from 1 to 64",
        ),
        (
            "solved=yes\nsolution=\n",
            "a.plan, line 1, column 8: solved is 'yes', but it must be 0 or 1",
        ),
        (
            "agents=1\nleft=1@4\nsolution=\n",
            "a.plan, line 2: agent 1 is named, but the plan has 1 agents, counted from 0",
        ),
        (
            "agents=1\ntasks=0@x\nsolution=\n",
            "a.plan, line 2, column 7: the text is '0@x', but a task such as 3@17:(5,9)@42 is expected",
        ),
        (
            "agents=1\nsolution=\n1:(1,1)\n",
            "a.plan, line 3: the text is '1:(1,1)', but tick 0 is expected, such as 0:(5,9),",
        ),
        (
            "agents=1\nsolution=\n0:(1,1),(2,2)\n",
            "a.plan, line 3: tick has 2 entries, but the plan has 1 agents",
        ),
        (
            "agents=1\nsolution=\n0:(1,99999999999)\n",
            "a.plan, line 3, column 3: a cell is '(1,99999999999)', but it must be (x,y) or (x,y,layer), or - for an agent that has left",
        ),
        (
            "agents=2\nsolution=\n0:(1,1)(2,2)\n",
            "a.plan, line 3, column 8: what follows a cell is '(2,2)', but it must be a comma",
        ),
    ] {
        assert_eq!(refusal(text), want, "{text:?}");
    }
    let error = read_plan("a.plan", b"agents=1\nmap_file=\xff\nsolution=\n").expect_err("no text");
    assert_eq!(error.place(), Place::Line(2));
    let error = read_plan_file("no/such.plan".as_ref()).expect_err("no file");
    assert_eq!(error.to_string(), "no/such.plan: there is no such file");
}

#[test]
fn a_writer_takes_ticks_one_by_one_and_writes_the_header_first() {
    let mut writer = PlanWriter::new(2).expect("a temporary file");
    let cells = |x| [Some(Cell::new(x, 0)), None];
    for x in 0..3 {
        writer.push(cells(x)).expect("writing");
    }
    assert!(writer.push([None]).is_err(), "another number of agents");
    let head = PlanHead {
        soc: Some(2),
        solved: Some(true),
        left: vec![(1, 0)],
        ..PlanHead::new(2)
    };
    let mut text = Vec::new();
    writer.finish(&head, &mut text).expect("writing into memory");
    let text = String::from_utf8(text).expect("a plan is text");
    assert_eq!(
        text,
        "agents=2\nsolved=1\nsoc=2\nleft=1@0\nsolution=\n0:(0,0),-,\n1:(1,0),-,\n2:(2,0),-,\n"
    );
    let mut reader = PlanReader::new("a.plan", text.as_bytes()).expect("a plan that was written");
    let mut line = Vec::new();
    for x in 0..3 {
        assert!(reader.next_tick(&mut line).expect("a tick"));
        assert_eq!(line, cells(x));
    }
    assert!(!reader.next_tick(&mut line).expect("the end"));
}

#[test]
fn a_header_that_could_not_be_read_again_is_not_written() {
    let write = |head: PlanHead| {
        let plan = Plan {
            head,
            ticks: Vec::new(),
        };
        write_plan(&plan, Vec::new())
    };
    assert!(write(PlanHead::new(1)).is_ok());
    for head in [
        PlanHead {
            solver: Some("a\nb".to_owned()),
            ..PlanHead::new(1)
        },
        PlanHead {
            starts: vec![Cell::new(0, 0); 2],
            ..PlanHead::new(1)
        },
        PlanHead {
            others: vec![("solved".to_owned(), "1".to_owned())],
            ..PlanHead::new(1)
        },
    ] {
        assert!(write(head.clone()).is_err(), "{head:?}");
    }
}

#[test]
fn a_list_of_tasks_has_lines_for_anybody_and_for_one() {
    let read = |text: &str| read_task_list("tasks.txt", text.as_bytes());
    let tasks = read("# errands\n5 9\n\n3 5 9\n(1,2,1)\r\n7 (-4,0)\n").expect("legal tasks");
    let told: Vec<_> = tasks
        .iter()
        .map(|task| (task.line_number, task.agent, task.cell))
        .collect();
    assert_eq!(
        told,
        [
            (2, None, Cell::new(5, 9)),
            (4, Some(3), Cell::new(5, 9)),
            (5, None, Cell::on(1, 1, 2)),
            (6, Some(7), Cell::new(-4, 0)),
        ]
    );
    for wrong in [
        "5",
        "1 2 3 4",
        "-1 2 3",
        "a b",
        "(1,2) 3",
        "1 2 (3,4)",
        "99999999999 1",
    ] {
        let error = read(&format!("5 9\n{wrong}\n")).expect_err(wrong);
        assert_eq!(error.place(), Place::Line(2), "{error}");
    }
    assert!(read("# nothing\n").is_err());
}

fn cell() -> impl Strategy<Value = Cell> {
    (0u16..3, any::<i32>(), -3i32..1000).prop_map(|(layer, x, y)| Cell::on(layer, x, y))
}

fn plan() -> impl Strategy<Value = Plan> {
    (1u32..5).prop_flat_map(|agents| {
        let len = agents as usize;
        let cells = || prop_oneof![Just(Vec::new()), prop::collection::vec(cell(), len)];
        let bytes = |most: u8| prop_oneof![Just(Vec::new()), prop::collection::vec(1..=most, len)];
        let task = (0..agents, any::<u32>(), cell(), any::<Option<u32>>());
        let tasks = prop::collection::vec(task, 0..4);
        let left = prop::collection::vec((0..agents, any::<u32>()), 0..3);
        let others = prop::collection::vec(("x[a-z_]{0,5}", "[a-z=0-9:(),é-]{0,9}"), 0..3);
        let ticks = prop::collection::vec(
            prop::collection::vec(prop::option::weighted(0.9, cell()), len),
            0..4,
        );
        let rules = (any::<bool>(), 0usize..3, any::<bool>(), any::<bool>());
        let numbers = (any::<Option<bool>>(), any::<Option<u64>>(), any::<Option<u64>>());
        let lists = (
            cells(),
            cells(),
            bytes(64),
            bytes(255),
            tasks,
            left,
            others,
            ticks,
        );
        (rules, numbers, lists).prop_map(move |(rules, (solved, soc, makespan), lists)| {
            let (starts, goals, bodies, paces, tasks, left, others, ticks) = lists;
            let (eight, corner, following, squeezing) = rules;
            let head = PlanHead {
                solved,
                soc,
                makespan,
                starts,
                goals,
                rules: PlanRules {
                    neighbours: if eight {
                        Connectivity::Eight
                    } else {
                        Connectivity::Four
                    },
                    corner: [CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always][corner],
                    following,
                    squeezing,
                },
                bodies,
                paces,
                tasks: tasks
                    .into_iter()
                    .map(|(agent, from, goal, reached)| PlanTask {
                        agent,
                        from,
                        goal,
                        reached,
                    })
                    .collect(),
                left,
                others,
                map_file: Some("a map.map".to_owned()),
                ..PlanHead::new(agents)
            };
            Plan { head, ticks }
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(plan in plan()) {
        let mut text = Vec::new();
        write_plan(&plan, &mut text).unwrap();
        let again = read_plan("a.plan", &text).unwrap();
        prop_assert_eq!(&again, &plan);
        let mut writer = PlanWriter::new(plan.head.agents as usize).unwrap();
        for cells in &plan.ticks {
            writer.push(cells.iter().copied()).unwrap();
        }
        let mut streamed = Vec::new();
        writer.finish(&plan.head, &mut streamed).unwrap();
        prop_assert_eq!(streamed, text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_plan("a", &bytes);
        let _ = read_task_list("a", &bytes);
        let _ = read_plan("a", &[b"agents=2\nsolution=\n0:", bytes.as_slice()].concat());
    }

    #[test]
    fn arbitrary_letters_never_panic(
        head in "((agents|starts|goals|bodies|paces|left|tasks|solved|corner)=[0-9(),@:-]{0,12}\n){0,6}",
        ticks in "([0-9]{1,2}:?[0-9(),-]{0,20}\n){0,5}",
    ) {
        let _ = read_plan("a", format!("{head}solution=\n{ticks}").as_bytes());
    }
}
