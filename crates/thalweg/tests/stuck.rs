//! Who gets nowhere is found, with the reason; who gets on slowly is not.

use thalweg::crowd::{
    AgentId, AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, Outcome, StalePolicy, Steering,
};
use thalweg::prelude::*;
use thalweg::stuck::{StuckAgent, StuckCause, StuckError, StuckOptions, StuckWatch, WatchedField, reason_of};
use thalweg_testkit::literal::{cells_of, map};

const DT: f32 = 0.05;

struct World {
    fields: Vec<FieldBundle>,
    /// What the steps are swept against, where it is not that of the field.
    now: Option<Movement>,
    is_current: bool,
    version: u64,
    arrival: ArrivalRule,
    crowd: Crowd,
    watch: StuckWatch,
}

impl World {
    /// A field for every letter of goals.
    fn new(rows: &[&str], goals: &[char]) -> Self {
        let costs = map(rows);
        let fields = goals.iter().map(|&letter| {
            let movement = Movement::compile(&costs, &MovementProfile::new());
            let goals = GoalSet::new().with_goal(Goal::area(cells_of(rows, letter)));
            FieldBundle::build(
                movement,
                &goals,
                &BuildOptions::new(),
                &mut BuildScratch::new(),
                &Serial,
            )
            .unwrap()
        });
        let options = StuckOptions {
            seconds: 4.0,
            ..StuckOptions::new()
        };
        Self {
            fields: fields.collect(),
            now: None,
            is_current: true,
            version: 1,
            arrival: ArrivalRule::Leave,
            crowd: Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap(),
            watch: StuckWatch::new(options).unwrap(),
        }
    }

    fn add(&mut self, x: f64, y: f64, group: u16) -> AgentId {
        let spec = AgentSpec {
            position: MapPoint::from_map([x, y]).unwrap(),
            radius: 0.35,
            max_speed: 1.3,
            group: GroupId(group),
        };
        self.crowd.add(self.fields[0].movement(), spec).unwrap()
    }

    fn run(&mut self, seconds: f32) {
        let mut time = 0.0;
        while time < seconds {
            let inputs: Vec<GroupInput<'_>> = self
                .fields
                .iter()
                .map(|field| GroupInput {
                    movement: self.now.as_ref().unwrap_or_else(|| field.movement()),
                    flow: Some(field.flow()),
                    steering: Steering::Directions,
                    is_current: self.is_current,
                    stale: StalePolicy::KeepOld,
                    field_version: self.version,
                    arrival: self.arrival,
                })
                .collect();
            self.crowd.step(&inputs, DT, &Serial).unwrap();
            let fields: Vec<_> = self
                .fields
                .iter()
                .map(|field| {
                    Some(WatchedField {
                        movement: field.movement(),
                        field: field.integration(),
                        version: self.version,
                    })
                })
                .collect();
            self.watch.observe(&self.crowd, &fields, f64::from(DT)).unwrap();
            time += DT;
        }
    }

    fn stuck(&self) -> Vec<StuckAgent> {
        let stuck: Vec<_> = self.watch.stuck(&self.crowd).collect();
        assert_eq!(stuck.len(), self.watch.count());
        assert!(stuck.iter().all(|stuck| self.watch.is_stuck(stuck.agent)));
        stuck
    }
}

#[test]
fn a_sealed_pocket_has_no_direction() {
    let mut world = World::new(&["####....", "#..#...G", "####...."], &['G']);
    let sealed = world.add(1.5, 1.5, 0);
    world.add(4.5, 1.5, 0);
    world.run(3.9);
    assert_eq!(world.stuck(), [], "four seconds have not passed");
    world.run(2.0);
    let stuck = world.stuck();
    assert_eq!(stuck.len(), 1, "{stuck:?}");
    assert_eq!(stuck[0].agent, sealed);
    assert_eq!(stuck[0].reason.cause, StuckCause::NoDirection);
    assert_eq!((stuck[0].reason.root, stuck[0].reason.behind), (sealed, 0));
}

#[test]
fn two_who_meet_in_a_narrow_way_are_a_knot() {
    let mut world = World::new(&["############", "#A........B#", "############"], &['B', 'A']);
    let east = world.add(2.5, 1.5, 0);
    let west = world.add(8.5, 1.5, 1);
    world.run(12.0);
    let stuck = world.stuck();
    assert_eq!(stuck.len(), 2, "{stuck:?}");
    for stuck in &stuck {
        assert_eq!(stuck.reason.cause, StuckCause::Knot, "{stuck:?}");
        let mut knot = stuck.reason.knot.clone();
        knot.sort_unstable();
        assert_eq!(knot, [east, west], "{stuck:?}");
        assert_eq!(stuck.reason.behind, 0);
    }
}

#[test]
fn a_queue_behind_a_door_that_its_field_does_not_know_of_waits_for_a_wall() {
    let rows = ["##############", ".............G", "##############"];
    let mut world = World::new(&rows, &['G']);
    let shut = map(&["##############", ".......#.....G", "##############"]);
    world.now = Some(Movement::compile(&shut, &MovementProfile::new()));
    world.is_current = false;
    let agents: Vec<_> = [5.5, 4.5, 3.5, 2.5].map(|x| world.add(x, 1.5, 0)).into();
    world.run(14.0);
    let stuck = world.stuck();
    assert_eq!(stuck.len(), 4, "{stuck:?}");
    for (behind, &agent) in agents.iter().enumerate() {
        let found = stuck.iter().find(|stuck| stuck.agent == agent).unwrap();
        assert!(
            matches!(
                found.reason.cause,
                StuckCause::Wall {
                    direction: Direction::E,
                    ..
                }
            ),
            "{found:?}"
        );
        assert_eq!((found.reason.root, found.reason.behind), (agents[0], behind));
    }
    // The door opens: nobody is stuck any more, at the latest when the time has passed.
    world.now = None;
    world.is_current = true;
    world.version += 1;
    world.run(6.0);
    assert_eq!(world.stuck(), []);
}

#[test]
fn a_queue_behind_a_slow_one_is_not_stuck() {
    let mut world = World::new(&["##############", ".............G", "##############"], &['G']);
    let slow = AgentSpec {
        position: MapPoint::from_map([5.5, 1.5]).unwrap(),
        radius: 0.35,
        max_speed: 0.2,
        group: GroupId(0),
    };
    world.crowd.add(world.fields[0].movement(), slow).unwrap();
    for x in [4.5, 3.5, 2.5, 1.5] {
        world.add(x, 1.5, 0);
    }
    let mut waited = 0;
    for second in 0..30 {
        world.run(1.0);
        waited += waiting(&world.crowd);
        assert_eq!(
            world.stuck(),
            [],
            "after {second} s, though it gains a cell in five"
        );
    }
    assert!(waited > 20, "there was a queue: {waited}");
}

#[test]
fn a_queue_before_a_gap_is_not_stuck() {
    // A hundred before a gap of one cell.
    let mut rows = vec![format!("{}#.....", ".".repeat(17)); 11];
    rows[5] = format!("{}G", ".".repeat(22));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut world = World::new(&rows, &['G']);
    world.watch = StuckWatch::new(StuckOptions::new()).unwrap();
    for index in 0..100 {
        world.add(6.5 + f64::from(index % 10), 0.5 + f64::from(index / 10), 0);
    }
    let (mut waited, mut seconds) = (0, 0);
    while !world.crowd.is_empty() && seconds < 240 {
        world.run(1.0);
        seconds += 1;
        waited += waiting(&world.crowd);
        assert_eq!(world.stuck(), [], "after {seconds} s");
    }
    assert!(world.crowd.is_empty(), "everybody got through");
    assert!(
        waited > 500 && seconds > 45,
        "there was a queue: {waited}, {seconds} s"
    );
}

fn waiting(crowd: &Crowd) -> usize {
    let waiting = |(_, agent): &(AgentId, _)| {
        let agent: &thalweg::crowd::AgentView = agent;
        agent.outcome == Outcome::Waiting
    };
    crowd.agents().filter(waiting).count()
}

#[test]
fn whoever_has_arrived_is_not_stuck_and_a_new_field_is_no_progress() {
    let mut world = World::new(&["......G", "A......"], &['G', 'A']);
    world.arrival = ArrivalRule::Rest;
    let agent = world.add(5.5, 0.5, 0);
    world.run(20.0);
    assert_eq!(world.crowd.get(agent).unwrap().outcome, Outcome::Arrived);
    assert_eq!(world.stuck(), []);
    // A pocket, with fields of other goals by turns: costs jump up and down, but nobody moves.
    let mut world = World::new(&["###....", "A##...G", "###B..."], &['G', 'B']);
    world.add(0.5, 1.5, 0);
    for _ in 0..20 {
        world.run(0.5);
        world.fields.swap(0, 1);
        world.version += 1;
    }
    assert_eq!(world.stuck().len(), 1);
}

#[test]
fn fields_that_change_under_a_walker_are_neither_progress_nor_set_back() {
    // The goal flees as fast as the walker follows: by one field it gains a cell each second, by the bare costs nothing.
    let rows = ["..............................G"];
    let mut world = World::new(&rows, &['G']);
    let agent = world.add(0.5, 0.5, 0);
    let costs = map(&rows);
    for second in 0..12 {
        let movement = Movement::compile(&costs, &MovementProfile::new());
        let goals = GoalSet::from_cells([Cell::new(14 + second, 0)]);
        let options = BuildOptions::new();
        world.fields[0] =
            FieldBundle::build(movement, &goals, &options, &mut BuildScratch::new(), &Serial).unwrap();
        world.version += 1;
        world.run(1.0);
        assert!(!world.watch.is_stuck(agent));
    }
    assert!(world.crowd.get(agent).is_some());
}

#[test]
fn whoever_leaves_is_forgotten_and_odd_options_are_refused() {
    let mut world = World::new(&["###....", "A##...G", "###...."], &['G']);
    let agent = world.add(0.5, 1.5, 0);
    world.run(6.0);
    assert!(world.watch.is_stuck(agent));
    world.crowd.remove(agent).unwrap();
    world.run(0.1);
    assert!(!world.watch.is_stuck(agent));
    assert_eq!(world.watch.count(), 0);
    assert_eq!(reason_of(&world.crowd, agent), None);
    let odd = StuckOptions {
        progress: f64::NAN,
        ..StuckOptions::new()
    };
    assert!(matches!(
        StuckWatch::new(odd),
        Err(StuckError::NotAboveZero { name: "progress", .. })
    ));
}
