//! Bundles with headings and lengths on request, and scenes whose groups steer by them.

use thalweg::core::movement::MovementProfile;
use thalweg::crowd::{Outcome, Steering};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::scene::{Scene, SceneFile, SceneMap, SteerBy};

fn open(width: u32, height: u32) -> CostField {
    CostField::filled(Grid::new(width, height).unwrap(), Cost::PLAIN)
}

#[test]
fn a_bundle_has_headings_and_lengths_only_on_request() {
    let movement = Movement::compile(&open(9, 5), &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(8, 4)]);
    let mut scratch = BuildScratch::new();
    let mut build = |options: BuildOptions| {
        FieldBundle::build(movement.clone(), &goals, &options, &mut scratch, &Serial).unwrap()
    };
    let plain = build(BuildOptions::new());
    assert!(plain.headings().is_none() && plain.lengths().is_none());
    assert!(matches!(plain.steering(), Steering::Directions));
    let full = build(
        BuildOptions::new()
            .with_headings(HeadingOptions::new())
            .with_lengths(),
    );
    assert_eq!(full.bytes(), plain.bytes() + 9 * 5 * (4 + 8));
    let corner = full.grid().id(Cell::new(0, 0)).unwrap();
    assert_eq!(full.headings().unwrap().offset(corner), Some((8 * 16, 4 * 16)));
    let length = full.lengths().unwrap().length(corner).unwrap();
    assert_eq!((length.straight, length.diagonal), (4, 4));
    let Steering::Headings { field, headings } = full.steering() else {
        panic!("it has headings")
    };
    assert!(std::ptr::eq(field, full.integration()) && headings.grid() == full.grid());
    assert_eq!(full.integration(), plain.integration(), "the rest is the same");
    assert_eq!(full.flow(), plain.flow());
}

#[test]
fn a_map_too_long_for_headings_is_refused_with_the_reason() {
    let movement = Movement::compile(&open(40_000, 1), &MovementProfile::new());
    let goals = GoalSet::from_cells([Cell::new(0, 0)]);
    let options = BuildOptions::new().with_headings(HeadingOptions::new());
    let error =
        FieldBundle::build(movement, &goals, &options, &mut BuildScratch::new(), &Serial).unwrap_err();
    assert!(
        error.to_string().starts_with("headings need sides of at most"),
        "{error}"
    );
}

/// Two groups that share a field walk 20 cells over open ground, on a slant of one in two.
fn slant(keys: [&str; 2]) -> Scene {
    let group = |name: &str, x: u32, key: &str| {
        format!(
            "[[group]]\nname = \"{name}\"\ncells = [[{x}, 0]]\ngoals = [\"G1\"]\nspeed = 1.0\narrival = \"leave\"\n{key}\n"
        )
    };
    let text = format!(
        "format = 1\nduration_s = 90.0\n[crowd]\navoidance = \"off\"\n[map]\ntext = \"as given\"\n{}{}",
        group("one", 0, keys[0]),
        group("other", 1, keys[1])
    );
    let map = SceneMap {
        costs: open(61, 31),
        goals: vec![Cell::new(60, 30)],
        marks: Vec::new(),
        links: Vec::new(),
    };
    Scene::new(&SceneFile::parse(&text).unwrap(), map).unwrap()
}

fn ticks_until_gone(scene: Scene, workers: &dyn Workers) -> ([u64; 2], Vec<u64>) {
    let mut simulation = Simulation::new(scene, workers).unwrap();
    assert_eq!(simulation.fields().count(), 1, "one field serves both");
    let mut ticks = [0; 2];
    let mut hashes = Vec::new();
    while !simulation.is_finished() {
        let report = simulation.step(workers).unwrap();
        hashes.push(report.hash.0);
        assert_eq!(report.step.outcomes[Outcome::Waiting], 0);
        for (_, agent) in simulation.crowd().agents() {
            ticks[usize::from(agent.group.0)] = simulation.tick();
        }
    }
    assert!(simulation.crowd().is_empty());
    (ticks, hashes)
}

#[test]
fn a_scene_says_by_group_what_its_agents_steer_by() {
    assert_eq!(slant(["", ""]).groups[0].steer, SteerBy::Directions);
    let ([directions, _], plain) = ticks_until_gone(slant(["", ""]), &Serial);
    let (mixed, hashes) =
        ticks_until_gone(slant(["steer = \"headings\"", "steer = \"directions\""]), &Serial);
    let (both, _) = ticks_until_gone(slant(["steer = \"headings\"", "steer = \"headings\""]), &Serial);
    assert_eq!(
        ticks_until_gone(slant(["steer = \"directions\"", ""]), &Serial).1,
        plain
    );
    // 66.5 cells straight to the border of the goal, 71.9 by eight directions, 20 ticks a second.
    assert!((1_330..1_337).contains(&mixed[0]), "{mixed:?}");
    assert!(directions > 1_420, "{directions}");
    assert!(mixed[1] > 1_400 && both[1] < 1_320, "{mixed:?} {both:?}");
    for threads in [1, 2, 8] {
        let workers = RayonWorkers::new(threads).unwrap();
        let scene = slant(["steer = \"headings\"", "steer = \"directions\""]);
        assert_eq!(ticks_until_gone(scene, &workers).1, hashes);
    }
}

#[test]
fn another_word_for_steer_is_refused() {
    let text = "format = 1\nduration_s = 1.0\n[map]\ntext = \".G\"\n[[group]]\nname = \"a\"\ncells = [[0, 0]]\ngoals = \
                [\"G1\"]\nsteer = \"by hand\"\n";
    let map = SceneMap {
        costs: open(2, 1),
        goals: vec![Cell::new(1, 0)],
        marks: Vec::new(),
        links: Vec::new(),
    };
    let error = Scene::new(&SceneFile::parse(text).unwrap(), map).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 6: group `a`: steer is `by hand`; it must be directions or headings"
    );
}
