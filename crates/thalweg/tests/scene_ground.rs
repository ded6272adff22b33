//! What terrain, heights, overlays and unknown ground of a scene come to for each profile.

use thalweg::core::cost::{Cost, CostField};
use thalweg::core::expanded::TurnCosts;
use thalweg::core::grid::{Cell, CellId, Direction, Grid};
use thalweg::living_map::LivingMap;
use thalweg::prelude::*;
use thalweg::scene::{Scene, SceneError, SceneFile, SceneGround, SceneMap};
use thalweg::simulation::Course;

/// A map of one row per text line, as far as it is used here.
fn map(rows: &[&str]) -> SceneMap {
    let width = u32::try_from(rows[0].len()).unwrap();
    let grid = Grid::new(width, u32::try_from(rows.len()).unwrap()).unwrap();
    let mut costs = CostField::filled(grid, Cost::PLAIN);
    for (y, row) in (0..).zip(rows) {
        for (x, letter) in (0..).zip(row.chars()) {
            match letter {
                '#' => costs.set(Cell::new(x, y), Cost::IMPASSABLE).unwrap(),
                '?' => costs.set_unknown(Cell::new(x, y)).unwrap(),
                '1'..='9' => {
                    let cost = Cost::from_byte(letter as u8 - b'0');
                    costs.set(Cell::new(x, y), cost).unwrap();
                }
                _ => {}
            }
        }
    }
    SceneMap::new(costs)
}

fn scene(rows: &[&str], tables: &str) -> Result<Scene, SceneError> {
    let text = format!("format = 1\nduration_s = 1.0\n[map]\ntext = \"\"\n{tables}\n");
    Scene::for_fields(&SceneFile::parse(&text)?, map(rows))
}

#[track_caller]
fn refusal(rows: &[&str], tables: &str, sentence: &str) {
    let error = scene(rows, tables).unwrap_err();
    assert_eq!(error.to_string(), sentence);
}

/// The bytes that a profile pays, 255 impassable, `None` unknown.
fn costs(scene: &Scene, map: &LivingMap, profile: &str) -> Vec<Option<u8>> {
    let id = SceneGround::profile_id(scene.profile(profile).unwrap());
    let costs = map.profile_costs(id);
    let byte = |id| costs.get(id).map(Cost::byte);
    costs.grid().ids().map(byte).collect()
}

const TERRAIN: &str = r##"
[terrain]
text = """
.~#
?~.
"""
classes = { land = ".", water = "~", wall = "#" }
[[profile]]
name = "land"
classes = { land = 1, water = "impassable", wall = "impassable" }
[[profile]]
name = "naval"
classes = { water = 2 }
other_classes = "impassable"
[[profile]]
name = "breaker"
classes = { land = 1, water = 9, wall = 20 }
unknown = 4
"##;

#[test]
fn the_same_wall_is_impassable_for_one_and_costs_20_for_another() {
    let scene = scene(&["...", "..."], TERRAIN).unwrap();
    let ground = SceneGround::new(&scene).unwrap();
    let (no, unknown) = (Some(255), None);
    assert_eq!(
        costs(&scene, ground.map(), "land"),
        [Some(1), no, no, unknown, no, Some(1)]
    );
    assert_eq!(
        costs(&scene, ground.map(), "naval"),
        [no, Some(2), no, unknown, Some(2), no]
    );
    assert_eq!(
        costs(&scene, ground.map(), "breaker"),
        [1, 9, 20, 4, 9, 1].map(Some),
        "on sight over unknown ground"
    );
    assert_eq!(
        costs(&scene, ground.map(), "default"),
        [Some(1); 6],
        "a profile without a table keeps the map's own costs"
    );
}

#[test]
fn without_a_text_of_its_own_terrain_is_that_of_the_map() {
    let tables = r##"
[terrain]
classes = { plain = ".", bog = [7, 8], wall = "#" }
[[profile]]
name = "frog"
classes = { plain = 2, bog = 0, wall = "impassable" }
"##;
    let scene = scene(&[".7#?8"], tables).unwrap();
    let ground = SceneGround::new(&scene).unwrap();
    assert_eq!(
        costs(&scene, ground.map(), "frog"),
        [Some(2), Some(0), Some(255), None, Some(0)]
    );
}

#[test]
fn terrain_that_does_not_fit_is_named_by_line() {
    let rows = &["...", "..."];
    let changed = |from: &str, to: &str| {
        assert!(TERRAIN.contains(from), "{from}");
        TERRAIN.replace(from, to)
    };
    refusal(
        rows,
        &changed("?~.", "?~x"),
        "line 9: [terrain] letter 'x' is of no class; list it under classes",
    );
    refusal(
        rows,
        &changed("?~.", "?~"),
        "line 9: [terrain] the row has 2 letters, but the map is 3 cells wide",
    );
    refusal(
        rows,
        &changed("?~.\n", ""),
        "line 8: [terrain] there are 1 rows, but the map has 2",
    );
    refusal(
        rows,
        &changed("wall = 20", "hedge = 20"),
        "line 20: profile `breaker`: there is no class `hedge` in [terrain]",
    );
    refusal(
        rows,
        &changed(", wall = 20", ""),
        "line 20: profile `breaker`: class `wall`, which cell (2,0) has, is not in classes; give it a cost, or all others one by other_classes",
    );
    refusal(
        rows,
        &changed("wall = 20", "wall = 255"),
        "line 20: profile `breaker`: wall is 255; it must be a cost from 0 to 254",
    );
    refusal(
        rows,
        &changed("wall = 20", "wall = \"dear\""),
        "line 20: profile `breaker`: wall is `dear`; it must be a cost from 0 to 254, or impassable",
    );
    refusal(
        rows,
        &changed("wall = \"#\" }", "wall = \"#.\" }"),
        "line 11: [terrain] class `wall` uses the letter '.' a second time",
    );
    refusal(
        rows,
        "[[profile]]\nname = \"a\"\nclasses = { b = 1 }",
        "line 6: profile `a`: classes need a [terrain] table",
    );
    refusal(
        rows,
        "[[profile]]\nname = \"a\"\nunknown = -1",
        "line 6: profile `a`: unknown is -1; it must be a cost from 0 to 254",
    );
}

const HILL: &str = r#"
[heights]
rows = [[0, 0.5, 0, 5]]
[[profile]]
name = "walker"
[[profile]]
name = "climber"
slopes = [[0.3, 0], [6.0, 2]]
slopes_down = [[6.0, 1]]
[[profile]]
name = "cart"
steep = "cell"
[[profile]]
name = "bird"
slopes = "ignore"
"#;

#[test]
fn slopes_price_and_close_steps_by_direction_and_profile() {
    let scene = scene(&["...."], HILL).unwrap();
    let ground = SceneGround::new(&scene).unwrap();
    let steps = |name: &str| {
        let movement = ground.compile(scene.profile(name).unwrap()).unwrap();
        let step = |cell, direction| movement.step_cost(CellId(cell), direction);
        [
            step(0, Direction::E),
            step(1, Direction::W),
            step(2, Direction::E),
            step(3, Direction::W),
        ]
    };
    assert_eq!(
        steps("walker"),
        [Some(40), Some(40), None, None],
        "0.3-0.6 adds 3"
    );
    assert_eq!(steps("default"), steps("walker"), "heights are everybody's");
    assert_eq!(steps("climber"), [Some(30), Some(20), Some(30), Some(20)]);
    assert_eq!(steps("bird"), [Some(10); 4]);
    assert_eq!(
        costs(&scene, ground.map(), "cart"),
        [Some(1), Some(1), Some(255), Some(255)],
        "the cell, because it was asked for"
    );
}

#[test]
fn heights_that_are_none_are_named_by_line() {
    let rows = &["...."];
    refusal(
        rows,
        "[heights]\nrows = [[0, nan, 0, 5]]",
        "line 5: [heights] the height of cell (1,0) is NaN, which is neither a finite number nor the nodata value",
    );
    refusal(
        rows,
        "[heights]\nrows = [[0, 0, 0]]",
        "line 5: [heights] row 0 has 3 numbers, but the map is 4 cells wide",
    );
    refusal(
        rows,
        "[heights]\nrows = [[0], [0]]",
        "line 5: [heights] there are 2 rows, but the map has 1",
    );
    refusal(
        rows,
        "[heights]\nrows = [[0, 0, 0, 0]]\ncell_size = 0.0",
        "line 5: [heights] cell size 0 of the height map is not a positive finite number in the unit of the heights",
    );
    refusal(
        rows,
        "[heights]\nfile = \"hill.asc\"",
        "line 5: [heights] file hill.asc was not read as heights",
    );
    let bands =
        |slopes: &str| format!("[heights]\nrows = [[0, 0, 0, 0]]\n[[profile]]\nname = \"w\"\n{slopes}");
    refusal(
        rows,
        &bands("slopes = [[0.6, 0], [0.3, 3]]"),
        "line 8: profile `w`: slopes: slope band 1 ends at 0.3, which is not a number above 0.6, where it begins",
    );
    refusal(
        rows,
        &bands("slopes = [[0.6, 255]]"),
        "line 8: profile `w`: slopes: the band below 0.6 adds 255; it must be a whole number from 0 to 254, and the band be left out to be impassable",
    );
    refusal(
        rows,
        &bands("steep = \"both\""),
        "line 8: profile `w`: steep is `both`; it must be edge or cell",
    );
    refusal(
        rows,
        "[[profile]]\nname = \"w\"\nsteep = \"cell\"",
        "line 6: profile `w`: slopes need a [heights] table",
    );
}

#[test]
fn unknown_heights_are_closed_unless_the_profile_drives_on_sight() {
    let tables =
        "[heights]\nrows = [[0, -9999, 0]]\nnodata = -9999\n[[profile]]\nname = \"scout\"\nunknown = 3";
    let scene = scene(&["..."], tables).unwrap();
    let ground = SceneGround::new(&scene).unwrap();
    assert_eq!(costs(&scene, ground.map(), "default"), [Some(1), None, Some(1)]);
    assert_eq!(costs(&scene, ground.map(), "scout"), [Some(1), Some(3), Some(1)]);
    let movement = ground.compile(scene.profile("scout").unwrap()).unwrap();
    assert_eq!(movement.step_cost(CellId(1), Direction::E), Some(30));
}

const OVERLAYS: &str = r#"
[[overlay]]
name = "barricade"
area = [1, 0, 2, 0]
effect = "block"
[[overlay]]
name = "mud"
rows = [[5, -1, 7]]
at = [0, 0]
effect = "add"
standing = true
[[overlay]]
name = "path"
polygon = [[2, 0], [4, 0], [4, 1], [2, 1]]
effect = "set"
value = 0
[[event]]
at_tick = 5
put = "barricade"
[[event]]
at_tick = 9
put = "path"
[[event]]
at_tick = 12
take = "barricade"
[[event]]
at_tick = 20
take = "mud"
[[event]]
at_tick = 20
take = "path"
"#;

#[test]
fn overlays_come_and_go_in_any_order_and_what_was_there_comes_back() {
    let scene = scene(&["...#"], OVERLAYS).unwrap();
    let (mut course, mut map) = Course::begin(&scene).unwrap();
    let mut at = |tick| {
        course.happen(&scene, tick, &mut map).unwrap();
        costs(&scene, &map, "default").map_or_bytes()
    };
    assert_eq!(at(0), [6, 1, 8, 255], "mud stands from the start");
    assert_eq!(at(5), [6, 255, 255, 255]);
    assert_eq!(at(9), [6, 255, 255, 0], "set opens a wall, block stays a wall");
    assert_eq!(at(12), [6, 1, 7, 0], "the mud adds to the path");
    assert_eq!(at(20), [1, 1, 1, 255]);
}

trait Bytes {
    fn map_or_bytes(self) -> Vec<u8>;
}

impl Bytes for Vec<Option<u8>> {
    fn map_or_bytes(self) -> Vec<u8> {
        self.into_iter().map(|byte| byte.expect("known")).collect()
    }
}

#[test]
fn overlays_that_make_no_sense_are_named_by_line() {
    let rows = &["...#"];
    let changed = |from: &str, to: &str| {
        assert!(OVERLAYS.contains(from), "{from}");
        OVERLAYS.replacen(from, to, 1)
    };
    refusal(
        rows,
        &changed("area = [1, 0, 2, 0]", "area = [7, 0, 9, 3]"),
        "line 7: overlay `barricade`: it covers no cell's centre on the map of 4 x 1 cells",
    );
    refusal(
        rows,
        &changed("effect = \"block\"", "effect = \"burn\""),
        "line 7: overlay `barricade`: effect is `burn`; it must be block, add or set",
    );
    refusal(
        rows,
        &changed("effect = \"block\"", "effect = \"add\"\nvalue = 255"),
        "line 7: overlay `barricade`: value is 255; it must be 0 to 254",
    );
    refusal(
        rows,
        &changed(
            "area = [1, 0, 2, 0]",
            "disc = { centre = [1.5, 0.5], radius = nan }",
        ),
        "line 7: overlay `barricade`: disc radius NaN is not a number of cells from 0 to 32767",
    );
    refusal(
        rows,
        &changed("rows = [[5, -1, 7]]", "rows = [[5, -2, 7]]"),
        "line 11: overlay `mud`: row 0 of the image has -2; it must be 0 to 255, or -1 where it leaves the cell alone",
    );
    refusal(
        rows,
        &changed("put = \"barricade\"", "put = \"wall\""),
        "line 22: event at tick 5: there is no overlay `wall`",
    );
    refusal(
        rows,
        &changed("at_tick = 12\ntake", "at_tick = 12\nput"),
        "line 28: event at tick 12: overlay `barricade` lies there already",
    );
    refusal(
        rows,
        &changed(
            "at_tick = 5\nput = \"barricade\"",
            "at_tick = 5\ntake = \"barricade\"",
        ),
        "line 22: event at tick 5: overlay `barricade` does not lie there",
    );
}

#[test]
fn opening_times_open_and_close_doors_and_make_a_timetable() {
    let tables = r#"
[[door]]
name = "gate"
area = [1, 0, 1, 0]
open_ticks = [[10, 20], [15, 30], [50, 60]]
[[overlay]]
name = "cart"
area = [2, 0, 2, 0]
effect = "block"
standing = true
[[event]]
at_tick = 7
take = "cart"
[[patrol]]
name = "guard"
path = [[0, 0], [3, 0]]
from_tick = 2
ticks_per_cell = 2
rounds = 2
"#;
    let scene = scene(&["...."], tables).unwrap();
    let (mut course, mut map) = Course::begin(&scene).unwrap();
    let times = scene.times().unwrap();
    let mut gate = Vec::new();
    for tick in 0..70 {
        course.happen(&scene, tick, &mut map).unwrap();
        let ground = costs(&scene, &map, "default").map_or_bytes();
        gate.push(ground[1] != 255);
        for cell in [1, 2] {
            let open = times
                .timetable
                .is_cell_open(CellId(cell), u32::try_from(tick).unwrap());
            assert_eq!(open, ground[cell as usize] != 255, "cell {cell} at tick {tick}");
        }
    }
    let open: Vec<usize> = (0..70).filter(|&tick| gate[tick]).collect();
    assert_eq!(open, (10..30).chain(50..60).collect::<Vec<_>>());
    assert_eq!((times.settled, times.stays_closed), (60, true));
    let guard: Vec<u32> = (0..12)
        .filter(|&tick| !times.timetable.is_cell_open(CellId(0), tick))
        .collect();
    assert_eq!(guard, [2, 3, 6, 7]);
    assert_eq!(
        costs(&scene, times.ground.map(), "default"),
        [Some(1); 4],
        "the timetable closes, not the ground"
    );
}

#[test]
fn turn_costs_and_cost_limits_are_the_profiles() {
    let tables = "[[profile]]\nname = \"a\"\nturn_cost = 5\ncost_limit = 20\n[[profile]]\nname = \"b\"\nturn_cost = [0, 1, 2, 3, 9]";
    let scene = scene(&["...."], tables).unwrap();
    assert_eq!(scene.profiles[0].turns, Some(TurnCosts::per_eighth(5).unwrap()));
    assert_eq!(scene.profiles[0].cost_limit, Some(20));
    assert_eq!(
        scene.profiles[1].turns,
        Some(TurnCosts::new([0, 1, 2, 3, 9]).unwrap())
    );
    refusal(
        &["...."],
        "[[profile]]\nname = \"a\"\nturn_cost = [3, 1, 2, 3, 9]",
        "line 6: profile `a`: turn_cost: going straight on is a turn by 0 eighths and must cost 0, but 3 was given",
    );
}

#[test]
fn a_group_starts_and_arrives_only_where_its_profile_can_be() {
    let people = |profile: &str, from: &str| {
        let tables = format!(
            "{TERRAIN}[[goal]]\nname = \"sea\"\ncells = [[1, 1]]\n[[group]]\nname = \"g\"\nprofile = \"{profile}\"\ncells = [{from}]\ngoals = [\"sea\"]"
        );
        let text = format!("format = 1\nduration_s = 1.0\n[map]\ntext = \"\"\n{tables}\n");
        Scene::new(&SceneFile::parse(&text).unwrap(), map(&["...", "..."]))
    };
    let mut sailing = Simulation::new(people("naval", "[1, 0]").unwrap(), &Serial).unwrap();
    assert!(sailing.step(&Serial).is_ok());
    assert_eq!(
        people("naval", "[0, 0]").unwrap_err().to_string(),
        "line 27: group `g`: cell (0,0) is impassable"
    );
    assert_eq!(
        people("land", "[0, 0]").unwrap_err().to_string(),
        "line 27: group `g`: goal `sea` has no cell that profile `land` can be on"
    );
}
