//! Scenes of several layers, and of bodies with extent: what stands in them does what its text says.

use std::collections::{BTreeMap, BTreeSet};
use thalweg::core::cost::{Cost, CostField};
use thalweg::core::grid::{Cell, CellId, Grid, MapPoint};
use thalweg::core::movement::Footprint;
use thalweg::core::workers::Serial;
use thalweg::scene::{MapSource, Scene, SceneError, SceneFile, SceneMap};
use thalweg::simulation::Simulation;

/// A text map with layers and links, read in a few lines of our own: this crate knows no file formats.
fn map_of(text: &str) -> SceneMap {
    let (mut grids, mut bytes, mut links) = (Vec::new(), Vec::new(), Vec::new());
    let mut letters = Vec::new();
    let mut layer: Option<(i32, i32, Vec<&str>)> = None;
    let mut finish = |layer: &mut Option<(i32, i32, Vec<&str>)>| {
        let Some((x, y, rows)) = layer.take() else { return };
        let index = u16::try_from(grids.len()).unwrap();
        let size = |len: usize| u32::try_from(len).unwrap();
        let grid = Grid::with_first_cell(size(rows[0].len()), size(rows.len()), Cell::new(x, y));
        grids.push(grid.unwrap());
        for (row, line) in (y..).zip(rows) {
            for (column, letter) in (x..).zip(line.chars()) {
                bytes.push(if letter == '#' { 255 } else { 1 });
                letters.push((letter, Cell::on(index, column, row)));
            }
        }
    };
    for line in text.lines() {
        if let Some(header) = line.strip_prefix('=') {
            finish(&mut layer);
            let place = header.split_once(" at ").map_or("0,0", |(_, place)| place);
            let (x, y) = place.split_once(',').unwrap();
            layer = Some((x.parse().unwrap(), y.parse().unwrap(), Vec::new()));
        } else if let Some(link) = line.strip_prefix("@ ") {
            let words: Vec<&str> = link.split(' ').collect();
            let cell = |text: &str| {
                let numbers: Vec<i32> = text.split(',').map(|part| part.parse().unwrap()).collect();
                Cell::on(u16::try_from(numbers[2]).unwrap(), numbers[0], numbers[1])
            };
            let (from, to, cost) = (cell(words[0]), cell(words[2]), words[3].parse().unwrap());
            links.push((from, to, cost));
            if words[1] == "<->" {
                links.push((to, from, cost));
            }
        } else {
            layer.get_or_insert((0, 0, Vec::new())).2.push(line);
        }
    }
    finish(&mut layer);
    let mut map = SceneMap::new(CostField::from_bytes(Grid::stacked(&grids).unwrap(), bytes).unwrap());
    map.links = links;
    map.goals = letters
        .iter()
        .filter(|(letter, _)| *letter == 'G')
        .map(|&(_, cell)| cell)
        .collect();
    map.marks = letters
        .into_iter()
        .filter(|(letter, _)| ('A'..='F').contains(letter))
        .collect();
    map
}

fn scene(text: &str) -> Result<Scene, SceneError> {
    let file = SceneFile::parse(text)?;
    let MapSource::Text(map) = file.map_source()? else {
        panic!("a text map")
    };
    Scene::new(&file, map_of(&map))
}

fn group(simulation: &Simulation, name: &str) -> u16 {
    let groups = &simulation.scene().groups;
    u16::try_from(groups.iter().position(|group| group.name == name).unwrap()).unwrap()
}

/// How deep a disc reaches into walls or over the border, in cells, by the distance to every cell of its layer.
fn depth(costs: &CostField, radius: f64, at: MapPoint) -> f64 {
    let layer = costs.grid().layer(at.layer).unwrap();
    let [x, y] = at.to_map();
    let (width, height) = (f64::from(layer.width()), f64::from(layer.height()));
    let border = x.min(y).min(width - x).min(height - y);
    let wall = |id: &CellId| costs.get(*id).is_none_or(|cost| !cost.is_passable());
    let walls = layer.ids().filter(wall).map(|id| {
        let (column, row) = costs.grid().column_row_of(id);
        let off = |cell: u32, at: f64| (f64::from(cell) - at).max(at - f64::from(cell) - 1.0).max(0.0);
        off(column, x).hypot(off(row, y))
    });
    radius - walls.fold(border, f64::min)
}

#[test]
fn visitors_climb_the_stairs_and_porters_take_the_lift() {
    let scene = scene(include_str!("../../../scenes/stairs.toml")).unwrap();
    let grid = scene.costs.grid().clone();
    let ends: BTreeSet<(Cell, Cell)> = scene
        .edges
        .portals
        .iter()
        .map(|&(from, to, _)| (from, to))
        .collect();
    let mut simulation = Simulation::new(scene, &Serial).unwrap();
    let cell = |at: MapPoint| grid.cell(at.cell_id(&grid).unwrap());
    let mut before = BTreeMap::new();
    let mut floors: BTreeMap<u16, BTreeSet<u16>> = BTreeMap::new();
    while !simulation.is_finished() {
        for (id, agent) in simulation.crowd().agents() {
            before.insert(id, cell(agent.position));
        }
        simulation.step(&Serial).unwrap();
        for (id, agent) in simulation.crowd().agents() {
            let (from, to) = (before[&id], cell(agent.position));
            assert!(
                simulation
                    .costs()
                    .get(grid.id(to).unwrap())
                    .is_some_and(Cost::is_passable)
            );
            if from.layer != to.layer {
                // In one tick nobody gets far from either end.
                let near =
                    |a: Cell, b: Cell| a.layer == b.layer && a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1;
                assert!(
                    ends.iter().any(|&(a, b)| near(a, from) && near(b, to)),
                    "{id:?} went from {from} to {to}"
                );
            }
            floors
                .entry(agent.group.0)
                .or_default()
                .insert(agent.position.layer);
        }
    }
    let arrived = simulation
        .crowd()
        .agents()
        .filter(|(_, agent)| agent.position.layer == 2);
    assert_eq!(arrived.count(), 20);
    assert_eq!(floors[&group(&simulation, "visitors")], BTreeSet::from([0, 1, 2]));
    assert_eq!(floors[&group(&simulation, "porters")], BTreeSet::from([0, 2]));
}

#[test]
fn people_pass_the_gate_and_carts_go_round() {
    let text = include_str!("../../../scenes/gate_two_sizes.toml");
    for tick_s in [0.02, 0.05, 0.25, 1.0] {
        let scene = scene(text).unwrap().with_tick(tick_s).unwrap();
        let mut simulation = Simulation::new(scene, &Serial).unwrap();
        let carts = group(&simulation, "carts");
        let mut through = [0; 2];
        while !simulation.is_finished() {
            simulation.step(&Serial).unwrap();
            for (id, agent) in simulation.crowd().agents() {
                let is_cart = agent.group.0 == carts;
                through[usize::from(is_cart)] += usize::from(agent.position.column_row() == (14, 7));
                if is_cart {
                    assert!(
                        (agent.radius - 1.6).abs() < 1e-4,
                        "the radius is that of the disc"
                    );
                    let depth = depth(simulation.costs(), 1.6, agent.position);
                    assert!(
                        depth < 1e-3,
                        "ticks of {tick_s} s: {id:?} reaches {depth} into a wall"
                    );
                }
            }
        }
        assert_eq!(
            simulation.crowd().len(),
            0,
            "ticks of {tick_s} s: everybody got there"
        );
        assert_eq!(through[1], 0, "no cart in the gate");
        assert!(through[0] > 0 || tick_s > 0.9, "people in the gate");
    }
}

const TWO_FLOORS: &str = r#"
format = 1
duration_s = 5
tick_s = 0.1

[map]
text = """
= ground
A.....
......
= upper at 10,-1
......
..#...
@ 5,0,0 <-> 10,-1,1 3
"""
"#;

const HEAD_COUNT: &str = r#"
[[goal]]
name = "far"
cells = [[15, -1, 1]]
[[group]]
name = "people"
mark = "A"
goals = ["far"]
"#;

#[test]
fn everything_in_a_scene_can_be_on_any_layer() {
    let text = format!(
        r##"{TWO_FLOORS}
[terrain]
text = """
......
.....~
=
......
~~#...
"""
classes = {{ land = ".", water = "~", wall = "#" }}
[heights]
rows = [[0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 5, 0, 0], [0, 0, 0, 0, 0, 0]]
[[profile]]
name = "walker"
classes = {{ land = 1, water = 9, wall = "impassable" }}
slopes = [[1.0, 0]]
[[door]]
name = "door"
area = [14, -1, 14, 0, 1]
[[overlay]]
name = "mud"
disc = {{ centre = [12.5, -0.5, 1], radius = 0.4 }}
effect = "set"
value = 77
standing = true
[[overlay]]
name = "fence"
polygon = [[13, 0, 1], [14, 0, 1], [14, 1, 1], [13, 1, 1]]
effect = "block"
standing = true
[[overlay]]
name = "grit"
rows = [[4]]
at = [15, 0, 1]
effect = "add"
standing = true
[[patrol]]
name = "guard"
path = [[10, 0, 1], [11, 0, 1]]
[[one_way]]
area = [11, -1, 11, -1, 1]
close = ["W"]
[[portal]]
from = [0, 1]
to = [11, 0, 1]
[[event]]
at_tick = 3
close = "door"
[[event]]
at_tick = 5
open = "door"
[[event]]
at_tick = 6
cost = {{ area = [10, 0, 10, 0, 1], value = 200 }}
[[event]]
at_tick = 7
move_goal = {{ goal = "far", to = [15, 0, 1] }}
{HEAD_COUNT}profile = "walker"
"##
    );
    let scene = scene(&text).unwrap();
    let grid = scene.costs.grid().clone();
    let id = |x, y, layer| grid.id(Cell::on(layer, x, y)).unwrap();
    let cost = |simulation: &Simulation, x, y, layer| {
        let walker = simulation.scene().profile("walker").unwrap();
        simulation
            .profile_costs(walker)
            .get(id(x, y, layer))
            .map(Cost::byte)
    };
    assert_eq!(scene.times().unwrap().timetable.grid(), &grid);
    let mut simulation = Simulation::new(scene, &Serial).unwrap();
    assert_eq!(cost(&simulation, 10, 0, 1), Some(9), "water");
    assert_eq!(cost(&simulation, 5, 1, 0), Some(9), "water below");
    assert_eq!(cost(&simulation, 12, -1, 1), Some(77), "mud");
    assert_eq!(cost(&simulation, 13, 0, 1), Some(255), "fence");
    assert_eq!(cost(&simulation, 15, 0, 1), Some(5), "grit");
    assert_eq!(cost(&simulation, 14, -1, 1), Some(1), "door");
    assert_eq!(
        simulation.scene().edges.portals.len(),
        3,
        "stairs both ways and one of the scene"
    );
    let (field, _) = simulation.fields().next().unwrap();
    let closed = field.movement().exits(id(11, -1, 1));
    assert!(!closed.contains(thalweg::core::grid::Direction::W));
    // A peak of 5 on a floor of 0.
    assert_eq!(field.movement().exits(id(13, -1, 1)).bits(), 0);
    for tick in 1..=8 {
        simulation.step(&Serial).unwrap();
        let door = if (4..=5).contains(&tick) { 255 } else { 1 };
        assert_eq!(cost(&simulation, 14, -1, 1), Some(door), "after {tick} ticks");
        // A map of the map's own size: nothing of this happens below.
        assert_eq!(cost(&simulation, 2, 0, 0), Some(1));
    }
    assert_eq!(cost(&simulation, 10, 0, 1), Some(200));
    assert_eq!(simulation.goal_cells()[0], [Cell::on(1, 15, 0)]);
}

#[test]
fn what_is_on_no_layer_is_refused_with_its_line() {
    let wrong = |more: &str| {
        let text = format!("{TWO_FLOORS}{more}{HEAD_COUNT}");
        scene(&text).unwrap_err().to_string()
    };
    let cases = [
        (
            "[[door]]\nname = \"d\"\narea = [0, 0, 1, 1, 2]\n",
            "line 17: door `d`: cell (0,0,2) is on layer 2, but the map has 2 layers, counted from 0",
        ),
        (
            "[[door]]\nname = \"d\"\narea = [0, 0, 1, 1, 1]\n",
            "line 17: door `d`: cell (0,0,1) lies outside layer 1 of 6 x 2 cells that begins at (10,-1,1)",
        ),
        (
            "[[portal]]\nfrom = [0, 0]\nto = [0, 0, 0, 0]\n",
            "line 18: [0, 0, 0, 0] is not a cell; write [x, y], or [x, y, layer]",
        ),
        (
            "[[portal]]\nfrom = [0, 0]\nto = [0, 0, -1]\n",
            "line 18: [0, 0, -1] is not a cell; write [x, y], or [x, y, layer]",
        ),
        (
            "[[one_way]]\narea = [0, 0]\nclose = [\"W\"]\n",
            "line 17: [0, 0] is not an area; write [x0, y0, x1, y1], or [x0, y0, x1, y1, layer]",
        ),
        (
            "[[overlay]]\nname = \"o\"\ndisc = { centre = [1.0, 1.0, 0.5], radius = 1 }\neffect = \"block\"\n",
            "line 18: [1.0, 1.0, 0.5] is not a point; write [x, y], or [x, y, layer]",
        ),
        (
            "[[overlay]]\nname = \"o\"\ndisc = { centre = [1, 1, 9], radius = 1 }\neffect = \"block\"\n",
            "line 17: overlay `o`: point [1, 1, 9] is on layer 9, but the map has 2, counted from 0",
        ),
        (
            "[heights]\nrows = [[0, 0, 0, 0, 0, 0]]\n",
            "line 16: [heights] there are 1 rows, but the map has 4 on its 2 layers together",
        ),
        (
            "[terrain]\ntext = \"......\\n......\"\nclasses = { land = \".\" }\n",
            "line 18: [terrain] there are 1 layers of letters, but the map has 2; begin each with a line of =",
        ),
    ];
    for (more, sentence) in cases {
        assert!(
            wrong(more).starts_with(sentence),
            "{}\nshould be\n{sentence}",
            wrong(more)
        );
    }
}

#[test]
fn bodies_need_room_and_fit_their_footprint() {
    let with = |profile: &str, group: &str| {
        scene(&format!(
            "{TWO_FLOORS}[[profile]]\nname = \"wide\"\n{profile}\n{HEAD_COUNT}profile = \"wide\"\n{group}\n"
        ))
    };
    let sentence = |profile: &str, group: &str| with(profile, group).unwrap_err().to_string();
    for (profile, group, wanted) in [
        (
            "footprint = \"disc:0.4\"",
            "radius = 0.5",
            "group `people`: radius is 0.5, larger than the disc of 0.3999",
        ),
        (
            "footprint = \"square:3\"",
            "",
            "group `people`: cell (0,0) has no room for a body of square:3 (in cells)",
        ),
        (
            "footprint = \"disc:0\"",
            "",
            "profile `wide`: footprint: the radius of a body must be",
        ),
        (
            "footprint = \"disc:nan\"",
            "",
            "profile `wide`: footprint: the radius of a body must be",
        ),
        (
            "footprint = \"disc:99\"",
            "",
            "profile `wide`: footprint: a body of radius 99 cells is above",
        ),
        (
            "footprint = \"disc\"",
            "",
            "profile `wide`: footprint is `disc`; it must be point, square:N",
        ),
        (
            "footprint = \"square:0\"",
            "",
            "profile `wide`: footprint: a body of 0 x 0 cells is not usable",
        ),
    ] {
        let got = sentence(profile, group);
        assert!(got.contains(wanted), "{got}\nshould have\n{wanted}");
    }
    let scene = with("footprint = \"disc:0.4\"", "").unwrap();
    assert!(matches!(scene.profiles[0].movement.footprint, Footprint::Disc(_)));
    assert!((scene.groups[0].radius - 0.4).abs() < 1e-4);
    let scene = with("footprint = \"square:1\"", "").unwrap();
    assert!((scene.groups[0].radius - 0.5).abs() < 1e-12);
}
