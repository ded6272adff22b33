//! Scenes in strict mode: keys, errors, and everything that happens to agents while a scene runs.

use std::collections::BTreeSet;
use thalweg::crowd::{AgentId, Blocker, Outcome};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::scene::{MapSource, Scene, SceneError, SceneFile, SceneMap, pace};

/// A scene of 8 x 3 plain cells with a wall in the middle that leaves the row in the south free.
fn text(tables: &str) -> String {
    format!(
        "format = 1\nseed = 5\nduration_s = 20.0\ntick_s = 0.5\n[map]\ntext = \"\"\"\n....#...\n....#...\n........\n\"\"\"\n{tables}"
    )
}

const GOAL: &str = "[[goal]]\nname = \"east\"\narea = [6, 0, 7, 2]\n";
const GROUP: &str =
    "[[group]]\nname = \"a\"\ncount = 4\narea = [0, 0, 3, 2]\ngoals = [\"east\"]\nspeed = 2.0\n";

fn scene(text: &str) -> Result<Scene, SceneError> {
    let file = SceneFile::parse(text)?;
    let Ok(MapSource::Text(rows)) = file.map_source() else {
        panic!("a text map")
    };
    let rows: Vec<&str> = rows.lines().filter(|row| !row.is_empty()).collect();
    let grid = Grid::new(
        u32::try_from(rows[0].len()).unwrap(),
        u32::try_from(rows.len()).unwrap(),
    )
    .unwrap();
    let byte = |letter| if letter == b'#' { 255 } else { 1 };
    let bytes = rows.concat().bytes().map(byte).collect();
    Scene::new(&file, SceneMap::new(CostField::from_bytes(grid, bytes).unwrap()))
}

fn simulation(tables: &str) -> Simulation {
    Simulation::new(scene(&text(tables)).unwrap(), &Serial).unwrap()
}

fn said(tables: &str) -> String {
    scene(&text(tables)).unwrap_err().to_string()
}

fn step(simulation: &mut Simulation, ticks: u32) {
    for _ in 0..ticks {
        simulation.step(&Serial).unwrap();
        let crowd = simulation.crowd().strict().unwrap();
        let mut held = BTreeSet::new();
        for (id, _) in crowd.agents() {
            for cell in crowd.cells(id).unwrap() {
                assert!(held.insert(cell), "{id} shares a cell");
            }
        }
    }
}

#[test]
fn a_strict_scene_has_the_options_it_names() {
    let keys = "[strict]\nfollowing = false\nsqueezing = true\nhorizon = 9\nreplan_after = 8\nsearch_after = 7\nsearch_budget = 0\n";
    let options = scene(&text(&format!("{keys}{GOAL}{GROUP}")))
        .unwrap()
        .strict
        .unwrap()
        .options;
    assert!(!options.rules.following && options.rules.squeezing);
    assert_eq!((options.horizon, options.replan_after), (9, 8));
    assert_eq!((options.search_after, options.search_budget), (7, 0));
    assert_eq!(options.seed, 5);
    let usual = scene(&text(&format!("[strict]\n{GOAL}{GROUP}")))
        .unwrap()
        .strict
        .unwrap()
        .options;
    assert!(usual.rules.following && !usual.rules.squeezing);
    assert_eq!(usual.horizon, 64);
    assert!(scene(&text(&format!("{GOAL}{GROUP}"))).unwrap().strict.is_none());
}

#[test]
fn what_a_strict_scene_cannot_have_is_told_by_its_key() {
    let with = |tables: &str, group: &str| said(&format!("[strict]\n{tables}{GOAL}{GROUP}{group}"));
    for (tables, group, sentence) in [
        (
            "horizon = 0\n",
            "",
            "line 12: [strict] option horizon is 0, outside 1 to 4096",
        ),
        (
            "horizon = 5000\n",
            "",
            "line 12: [strict] option horizon is 5000, outside 1 to 4096",
        ),
        (
            "replan_after = 0\n",
            "",
            "line 12: [strict] option replan_after is 0, outside 1 to 65535",
        ),
        (
            "\nsearch_after = 0\n",
            "",
            "line 13: [strict] option search_after is 0, outside 1 to 65535",
        ),
        (
            "[crowd]\navoidance = \"off\"\n",
            "",
            "line 12: [crowd] avoidance is for crowds that move freely; a [strict] scene cannot have it",
        ),
        (
            "[crowd]\ntime_gap = 0.5\n",
            "",
            "line 12: [crowd] time_gap is for crowds that move freely; a [strict] scene cannot have it",
        ),
        (
            "[congestion]\n",
            "",
            "line 12: [congestion] is for crowds that move freely; a [strict] scene cannot have it",
        ),
        (
            "",
            "steer = \"headings\"\n",
            "line 16: group `a`: steer is `headings`; agents of a [strict] scene go from cell to cell, by directions",
        ),
        (
            "",
            "when_stale = \"single-path\"\n",
            "line 16: group `a`: when_stale is `single-path`; agents of a [strict] scene follow fields only: stop or keep-old",
        ),
        (
            "",
            "radius = 0.4\n",
            "line 16: group `a`: radius is 0.4; in a [strict] scene with these rules it must be at most 0.3536 world units, or \
             bodies that pass each other would overlap",
        ),
        (
            "[[profile]]\nname = \"disc\"\nfootprint = \"disc:0.3\"\n",
            "profile = \"disc\"\n",
            "line 19: group `a`: footprint is a disc by profile `disc`; bodies of a [strict] scene are whole \
             cells: point, square:N or rectangle:WxH",
        ),
    ] {
        assert_eq!(with(tables, group), sentence);
    }
    let unknown = with("follow = true\n", "");
    assert!(
        unknown.starts_with("line 12: unknown field `follow`"),
        "{unknown}"
    );
    let large = with("horizon = 70000\n", "");
    assert!(
        large.starts_with("line 12: invalid value: integer `70000`"),
        "{large}"
    );
    // All of these are fine where bodies move freely.
    assert!(
        scene(&text(&format!(
            "{GOAL}{GROUP}steer = \"headings\"\nradius = 0.4\n"
        )))
        .is_ok()
    );
}

#[test]
fn a_speed_becomes_a_pace_in_whole_ticks() {
    assert_eq!(pace(1.0, 1.34, 0.05), Some(15), "14.9 ticks");
    assert_eq!(pace(1.0, 1.0, 0.4), Some(3), "2.5 ticks");
    assert_eq!(pace(1.0, 1.0, 0.41), Some(2), "2.44 ticks");
    assert_eq!(pace(0.5, 5.0, 1.0), Some(1), "a tenth of a tick");
    assert_eq!(pace(1.0, 1.0, 1.0 / 255.4), Some(255));
    assert_eq!(pace(1.0, 1.0, 1.0 / 255.6), None);
    let slow = GROUP.replace("speed = 2.0", "speed = [0.005, 2.0]");
    assert_eq!(
        said(&format!("[strict]\n{GOAL}{slow}")),
        "line 16: group `a`: speed is 0.005: a step over a cell of 1 would take 400 ticks of 0.5 s, above the limit of 255 \
         ticks of a [strict] scene"
    );
    let usual = scene(&text(&format!("[strict]\n{GOAL}{GROUP}"))).unwrap();
    assert_eq!(
        usual.with_tick(0.001).unwrap_err().to_string(),
        "group `a`: speed is 2: a step over a cell of 1 would take 500 ticks of 0.001 s, above the limit of 255 ticks of a \
         [strict] scene"
    );
    // Each draws its own.
    let mixed = GROUP
        .replace("speed = 2.0", "speed = [0.2, 2.0]")
        .replace("count = 4", "count = 12");
    let simulation = simulation(&format!("[strict]\n{GOAL}{mixed}"));
    let paces: BTreeSet<u8> = simulation
        .crowd()
        .strict()
        .unwrap()
        .agents()
        .map(|(_, view)| view.pace)
        .collect();
    assert!(
        paces.len() > 3 && paces.iter().all(|pace| (1..=10).contains(pace)),
        "{paces:?}"
    );
}

#[test]
fn agents_begin_on_cells_of_their_own_or_the_scene_is_refused() {
    let many = |count: u32| GROUP.replace("count = 4", &format!("count = {count}"));
    let full = simulation(&format!("[strict]\n{GOAL}{}", many(12)));
    let cells: BTreeSet<_> = full
        .crowd()
        .agents()
        .map(|(_, view)| view.position.column_row())
        .collect();
    assert_eq!(cells.len(), 12);
    assert_eq!(
        said(&format!("[strict]\n{GOAL}{}", many(13))),
        "line 16: group `a`: only 12 of 13 agents find room where nobody else begins; a [strict] scene \
         puts no two bodies on one cell"
    );
    // Another group comes into the same area, and named cells come first.
    let named = "[[group]]\nname = \"b\"\ncells = [[1, 1], [0, 2]]\ngoals = [\"east\"]\n";
    let both = simulation(&format!("[strict]\n{GOAL}{}{named}", many(10)));
    assert_eq!(both.crowd().len(), 12);
    assert!(said(&format!("[strict]\n{GOAL}{}{named}", many(11))).contains("only 10 of 11"));
    let twice = named.replace("[0, 2]", "[1, 1]");
    assert!(said(&format!("[strict]\n{GOAL}{GROUP}{twice}")).contains("group `b`: only 1 of 2"));
    // Another seed, other cells.
    let places = |seed: &str| {
        let text = text(&format!("[strict]\n{GOAL}{GROUP}")).replace("seed = 5", seed);
        let simulation = Simulation::new(scene(&text).unwrap(), &Serial).unwrap();
        let cells = simulation
            .crowd()
            .agents()
            .map(|(_, view)| view.position.column_row());
        cells.collect::<Vec<_>>()
    };
    assert_eq!(places("seed = 5"), places("seed = 5"));
    assert_ne!(places("seed = 5"), places("seed = 6"));
}

#[test]
fn sources_let_in_who_finds_a_free_cell() {
    let group = GROUP.replace("count = 4\narea = [0, 0, 3, 2]", "count = 0");
    let source = "[[source]]\ngroup = \"a\"\narea = [0, 0, 0, 2]\nschedule = [[0.0, 9], [3.0, 2]]\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{group}arrival = \"leave\"\n{source}"));
    assert!(simulation.crowd().is_empty());
    step(&mut simulation, 1);
    let first = simulation.entered()[0];
    assert!(
        (2..=3).contains(&first),
        "three cells and nine who are due: {first}"
    );
    assert_eq!(simulation.waiting_to_enter()[0], 9 - first);
    step(&mut simulation, 39);
    assert_eq!((simulation.entered()[0], simulation.crowd().len()), (11, 0));
    assert_eq!(simulation.crowd().strict().unwrap().left_total(), 11);
}

#[test]
fn a_waiting_zone_holds_who_comes_into_it() {
    let zone = "[[waiting_zone]]\nname = \"gate\"\narea = [4, 2, 4, 2]\nuntil_tick = 20\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{GROUP}{zone}"));
    step(&mut simulation, 15);
    assert_eq!(simulation.waiting_in_zones(), 1);
    let held: Vec<_> = simulation
        .crowd()
        .agents()
        .filter(|(_, view)| view.is_held)
        .collect();
    assert_eq!((held.len(), held[0].1.blocker), (1, Blocker::Held));
    assert_eq!(held[0].1.position.column_row(), (4, 2));
    assert!(
        simulation
            .crowd()
            .agents()
            .all(|(_, view)| view.position.column_row().0 <= 4)
    );
    step(&mut simulation, 25);
    assert!(
        simulation
            .crowd()
            .agents()
            .all(|(_, view)| view.outcome == Outcome::Arrived)
    );
}

#[test]
fn the_map_changes_in_flight_and_a_wall_that_comes_down_on_somebody_keeps_it_there() {
    let door = "[[door]]\nname = \"gap\"\narea = [4, 2, 4, 2]\n[[event]]\nat_tick = 3\nclose = \"gap\"\n[[event]]\nat_tick = 20\nopen = \"gap\"\n";
    // It is in the gap when the gap closes.
    let one = "[[group]]\nname = \"a\"\ncells = [[1, 2]]\ngoals = [\"east\"]\nspeed = 2.0\n\
               [[group]]\nname = \"b\"\ncells = [[0, 0]]\ngoals = [\"east\"]\nspeed = 2.0\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{one}{door}"));
    let ids: Vec<AgentId> = simulation.crowd().agents().map(|(id, _)| id).collect();
    step(&mut simulation, 12);
    let under = simulation.crowd().get(ids[0]).unwrap();
    assert_eq!(
        (under.outcome, under.position.column_row()),
        (Outcome::Outside, (4, 2))
    );
    let cut_off = simulation.crowd().get(ids[1]).unwrap();
    assert_eq!(cut_off.outcome, Outcome::NoDirection);
    assert!(cut_off.position.column_row().0 < 4);
    step(&mut simulation, 28);
    assert!(
        simulation
            .crowd()
            .agents()
            .all(|(_, view)| view.outcome == Outcome::Arrived)
    );
}

#[test]
fn what_agents_do_while_their_field_is_made_is_the_policy_of_their_group() {
    let event =
        "[[event]]\nat_tick = 2\ncost = { area = [0, 0, 0, 0], value = 9 }\n[fields]\nwork_per_tick = 1\n";
    let policy = |policy: &str| {
        let group = GROUP.replace("area = [0, 0, 3, 2]", "area = [0, 1, 1, 2]");
        let mut simulation = simulation(&format!(
            "[strict]\n{GOAL}{group}when_stale = \"{policy}\"\n{event}"
        ));
        let mut stale = 0;
        for _ in 0..20 {
            let report = simulation.step(&Serial).unwrap();
            stale += report.step.outcomes[Outcome::StaleField];
        }
        stale
    };
    assert!(policy("stop") > 4);
    assert_eq!(policy("keep-old"), 0);
}

/// One who is at a goal may be asked to make way; who moves is counted, and the same for portals as for bodies that move
/// freely.
#[test]
fn lines_count_who_passes_in_strict_mode() {
    let line = "[[count_line]]\nname = \"gap\"\nfrom = [5, 3]\nto = [5, 0]\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{GROUP}arrival = \"leave\"\n{line}"));
    let mut arrived = 0;
    for _ in 0..40 {
        arrived = simulation.step(&Serial).unwrap().step.arrived_total;
    }
    assert_eq!(arrived, 4);
    let passages = simulation.recorders().lines()[0].passages();
    assert_eq!(passages.len(), 4);
}

#[test]
fn who_begins_on_a_goal_and_leaves_there_has_arrived() {
    let group = GROUP.replace("area = [0, 0, 3, 2]", "area = [6, 0, 7, 2]");
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{group}arrival = \"leave\"\n"));
    let report = simulation.step(&Serial).unwrap();
    assert_eq!((report.step.left, report.step.arrived_total), (4, 4));
}

#[test]
fn views_move_evenly_along_the_reserved_edge() {
    let one = "[[group]]\nname = \"a\"\ncells = [[0, 2]]\ngoals = [\"east\"]\nspeed = 0.5\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{one}"));
    let mut before = 0.5;
    for _ in 0..23 {
        simulation.step(&Serial).unwrap();
        let (_, view) = simulation.crowd().agents().next().unwrap();
        let [x, y] = view.position.to_map();
        assert!(
            (x - before - 0.25).abs() < 1e-9 && (y - 2.5).abs() < 1e-9,
            "{x}, {y}"
        );
        assert_eq!((view.velocity, view.max_speed), ([0.5, 0.0], 0.5));
        before = x;
    }
}

#[test]
fn a_step_into_a_wall_that_comes_up_meanwhile_is_ended() {
    let door = "[[door]]\nname = \"gap\"\narea = [4, 2, 4, 2]\n[[event]]\nat_tick = 6\nclose = \"gap\"\n";
    // Four ticks a step: it begins to enter the gap in tick 4.
    let one = "[[group]]\nname = \"a\"\ncells = [[2, 2]]\ngoals = [\"east\"]\nspeed = 0.5\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{one}{door}"));
    step(&mut simulation, 6);
    let (_, under_way) = simulation.crowd().agents().next().unwrap();
    assert_eq!(under_way.position.to_map(), [4.0, 2.5]);
    step(&mut simulation, 6);
    let (_, there) = simulation.crowd().agents().next().unwrap();
    assert_eq!(
        (there.outcome, there.position.to_map()),
        (Outcome::Outside, [4.5, 2.5])
    );
}

#[test]
fn a_portal_is_a_leap_and_no_motion() {
    let tables = "[[portal]]\nfrom = [3, 0]\nto = [5, 0]\n[[count_line]]\nname = \"wall\"\nfrom = [4, 3]\nto = [4, 0]\n";
    let one = "[[group]]\nname = \"a\"\ncells = [[2, 0]]\ngoals = [\"east\"]\nspeed = 2.0\n";
    let mut simulation = simulation(&format!("[strict]\n{GOAL}{one}{tables}"));
    let mut way = Vec::new();
    for _ in 0..4 {
        simulation.step(&Serial).unwrap();
        let (_, view) = simulation.crowd().agents().next().unwrap();
        way.push((view.position.column_row(), view.velocity));
    }
    let [walk, stand] = [[2.0, 0.0], [0.0, 0.0]];
    assert_eq!(
        way,
        [((3, 0), walk), ((5, 0), stand), ((6, 0), walk), ((6, 0), stand)]
    );
    assert_eq!(simulation.recorders().lines()[0].passages().len(), 0);
}

/// A draw from 0 to below a bound, from a counter.
fn draw(state: &mut u64, below: u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// Walls, two sizes of bodies, mixed paces, doors that close on people, sources and zones, all at once.
fn random_scene(seed: u64) -> String {
    let mut state = seed;
    let rows: Vec<String> = (0..9)
        .map(|_| {
            (0..14)
                .map(|_| if draw(&mut state, 7) == 0 { '#' } else { '.' })
                .collect()
        })
        .collect();
    let mut text = format!(
        "format = 1\nseed = {seed}\nduration_s = 60.0\ntick_s = 0.5\n[map]\ntext = \"\"\"\n{}\n\"\"\"\n[strict]\nfollowing = {}\n\
         squeezing = {}\n[[profile]]\nname = \"large\"\nfootprint = \"square:2\"\n[[profile]]\nname = \"default\"\n\
         neighbours = {}\n[fields]\nwork_per_tick = 300\n",
        rows.join("\n"),
        draw(&mut state, 4) > 0,
        draw(&mut state, 2) > 0,
        [4, 8][usize::try_from(draw(&mut state, 2)).unwrap()],
    );
    for name in ["north", "south"] {
        let y = if name == "north" { 0 } else { 7 };
        text += &format!("[[goal]]\nname = \"{name}\"\narea = [0, {y}, 13, {}]\n", y + 1);
    }
    for (name, goal, profile, count) in [
        ("a", "north", "default", 10),
        ("b", "south", "default", 10),
        ("c", "south", "large", 1),
    ] {
        let (rule, policy) = (draw(&mut state, 2), draw(&mut state, 2));
        text += &format!(
            "[[group]]\nname = \"{name}\"\ncount = {count}\narea = [0, 0, 13, 8]\ngoals = [\"{goal}\"]\nprofile = \"{profile}\"\n\
             radius = 0.2\nspeed = [0.5, 2.0]\narrival = \"{}\"\nwhen_stale = \"{}\"\n",
            ["leave", "rest"][usize::try_from(rule).unwrap()],
            ["stop", "keep-old"][usize::try_from(policy).unwrap()],
        );
    }
    text += "[[source]]\ngroup = \"a\"\narea = [0, 6, 13, 8]\nrate = 0.5\n\
             [[waiting_zone]]\nname = \"zone\"\narea = [5, 3, 8, 5]\nfrom_tick = 10\nuntil_tick = 40\n";
    for door in 0..4 {
        let (x, y) = (draw(&mut state, 13), draw(&mut state, 8));
        let at = draw(&mut state, 60);
        text += &format!(
            "[[door]]\nname = \"{door}\"\narea = [{x}, {y}, {}, {}]\n[[event]]\nat_tick = {at}\nclose = \"{door}\"\n\
             [[event]]\nat_tick = {}\nopen = \"{door}\"\n",
            x + 1,
            y + 1,
            at + 20
        );
    }
    text
}

#[test]
fn nobody_shares_a_cell_or_changes_places_in_random_strict_scenes_for_any_threads() {
    let threads = RayonWorkers::new(2).unwrap();
    let (mut ran, mut refused, mut outside, mut moved) = (0, 0, 0, 0u32);
    for seed in 0..60 {
        // A crowded or cut-off place is refused, by a sentence.
        let scene = match scene(&random_scene(seed)) {
            Ok(scene) => scene,
            Err(error) => {
                let said = error.to_string();
                assert!(
                    said.contains("room") || said.contains("no cell"),
                    "{seed}: {said}"
                );
                refused += 1;
                continue;
            }
        };
        let mut one = Simulation::new(scene.clone(), &Serial).unwrap();
        let mut two = Simulation::new(scene, &threads).unwrap();
        while !one.is_finished() {
            let place = format!("scene {seed}, tick {}", one.tick());
            let before: Vec<_> = one.crowd().strict().unwrap().agents().collect();
            step(&mut one, 1);
            assert_eq!(
                two.step(&threads).unwrap().hash,
                one.crowd().state_hash(),
                "{place}"
            );
            let crowd = one.crowd().strict().unwrap();
            let mut edges = BTreeSet::new();
            for (id, was) in before {
                let Some(now) = crowd.get(id) else { continue };
                let end = if was.ticks_left > 0 { was.to } else { now.to };
                if end != was.cell {
                    edges.insert((was.cell, end));
                    moved += 1;
                }
                outside += usize::from(now.outcome == Outcome::Outside);
            }
            let swap = edges.iter().find(|(from, to)| edges.contains(&(*to, *from)));
            assert_eq!(swap, None, "{place}");
        }
        ran += 1;
    }
    assert!(ran > 40, "{ran} scenes ran, {refused} were refused");
    assert!(
        moved > 10_000 && outside > 100,
        "{moved} agent-ticks on the way, {outside} under walls"
    );
}
