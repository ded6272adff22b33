//! Scenes that measure themselves, let agents enter, and price crowding.

use thalweg::congestion::{Congestion, CongestionError, CongestionOptions};
use thalweg::crowd::{AgentSpec, Avoidance, Crowd, CrowdOptions, GroupId};
use thalweg::living_map::{LivingMap, ProfileSpec};
use thalweg::pool::RayonWorkers;
use thalweg::prelude::*;
use thalweg::recorders::Way;
use thalweg::scene::{Inflow, MapSource, Scene, SceneError, SceneFile, SceneMap};
use thalweg_testkit::literal::map;

fn checked(text: &str) -> Result<Scene, SceneError> {
    let file = SceneFile::parse(text)?;
    let Ok(MapSource::Text(rows)) = file.map_source() else {
        panic!("a text map")
    };
    let rows: Vec<&str> = rows.lines().filter(|row| !row.is_empty()).collect();
    Scene::new(&file, SceneMap::new(map(&rows)))
}

/// A corridor of 20 x 4 cells of half a metre.
fn corridor(tables: &str) -> String {
    let row = format!("{}\n", ".".repeat(20));
    format!(
        "format = 1\nseed = 3\nduration_s = 30.0\n[map]\ntext = \"\"\"\n{row}{row}{row}{row}\"\"\"\ncell_size = 0.5\n\
         [[goal]]\nname = \"east\"\narea = [19, 0, 19, 3]\n{tables}"
    )
}

const GROUP: &str = "[[group]]\nname = \"a\"\ngoals = [\"east\"]\narrival = \"leave\"\nradius = 0.2\n";

fn run(scene: Scene, workers: &dyn Workers) -> Simulation {
    let mut simulation = Simulation::new(scene, workers).unwrap();
    while !simulation.is_finished() {
        simulation.step(workers).unwrap();
    }
    simulation
}

#[test]
fn lines_and_areas_of_a_scene_record_it() {
    let tables = format!(
        "{GROUP}area = [0, 0, 3, 3]\ncount = 12\n\
         [[count_line]]\nname = \"middle\"\nfrom = [10, 0]\nto = [10, 4]\nwindow_s = 2.5\n\
         [[measure_area]]\nname = \"west\"\narea = [0, 0, 9, 3]\nalong = [1, 0]\nwidth = 2.0\n\
         [[measure_area]]\nname = \"corner\"\npolygon = [[0, 0], [4, 0], [0, 4]]\n"
    );
    let scene = checked(&corridor(&tables)).unwrap();
    assert_eq!(scene.count_lines[0].window_s, 2.5);
    let simulation = run(scene, &Serial);
    let recorders = simulation.recorders();
    let line = &recorders.lines()[0];
    assert_eq!((line.count(Way::Forward), line.count(Way::Backward)), (12, 0));
    assert_eq!(recorders.length(line), 2.0);
    let west = &recorders.areas()[0];
    assert_eq!(west.samples().len(), 600, "a sample for every tick");
    assert_eq!(west.samples()[0].agents, 12);
    assert_eq!(west.samples()[0].density, 12.0 / 10.0, "of 5 m x 2 m");
    assert_eq!(west.samples()[599].agents, 0);
    let walking = west.means(1.0, 2.0);
    assert!((0.8..1.4).contains(&walking.speed), "{walking:?}");
    assert!(walking.speed_along.unwrap() <= walking.speed);
    assert_eq!(recorders.areas()[1].square_cells(), 8.0);
}

#[test]
fn sources_let_in_as_many_as_are_due_and_have_room_the_same_for_any_threads() {
    let scene = || {
        let tables = format!(
            "{GROUP}speed = [1.0, 1.4]\n[[source]]\ngroup = \"a\"\narea = [0, 0, 1, 3]\nrate = 2.0\nfrom_s = 1.0\nuntil_s = 11.0\n\
             [[source]]\ngroup = \"a\"\narea = [2, 0, 2, 3]\nschedule = [[0.0, 3], [20.0, 2]]\n\
             [[count_line]]\nname = \"middle\"\nfrom = [10, 0]\nto = [10, 4]\n"
        );
        checked(&corridor(&tables)).unwrap()
    };
    let mut simulation = Simulation::new(scene(), &Serial).unwrap();
    assert!(simulation.crowd().is_empty());
    let mut hashes = Vec::new();
    while !simulation.is_finished() {
        let report = simulation.step(&Serial).unwrap();
        hashes.push(report.hash);
        // What is stepped together must not overlap from the start.
        if report.entered > 0 {
            assert!(report.step.deepest_overlap < 0.2, "{:?}", report.step);
        }
        let time_s = (report.tick as f64) * 0.05;
        let due = if time_s < 1.0 {
            0
        } else {
            (((time_s - 1.0) * 2.0).floor() as u64 + 1).min(20)
        };
        let scheduled = if time_s < 20.0 { 3 } else { 5 };
        let entered = simulation.entered();
        let waiting = simulation.waiting_to_enter();
        assert!(
            entered[0] <= due && entered[1] <= scheduled,
            "tick {}",
            report.tick
        );
        assert!(entered[0] + waiting[0] >= due, "tick {}", report.tick);
    }
    assert_eq!(simulation.entered(), [20, 5]);
    assert_eq!(simulation.recorders().lines()[0].count(Way::Forward), 25);
    for threads in [1, 2, 8] {
        let workers = RayonWorkers::new(threads).unwrap();
        let mut again = Simulation::new(scene(), &workers).unwrap();
        for &hash in &hashes {
            assert_eq!(again.step(&workers).unwrap().hash, hash, "{threads} threads");
        }
    }
}

#[test]
fn entrants_wait_until_there_is_room() {
    // Nobody leaves the west: the goal is walled off, and everybody stands. Two cells of half a metre hold few.
    let tables = format!(
        "{GROUP}[[source]]\ngroup = \"a\"\narea = [0, 0, 1, 0]\nrate = 100.0\n[crowd]\navoidance = \"off\"\n\
         [[door]]\nname = \"wall\"\narea = [5, 0, 5, 3]\n[[event]]\nat_tick = 0\nclose = \"wall\"\n"
    );
    let scene = checked(&corridor(&tables)).unwrap();
    assert_eq!(scene.avoidance, Avoidance::Off);
    let simulation = run(scene, &Serial);
    let inside = simulation.crowd().len();
    assert!((2..8).contains(&inside), "{inside}");
    assert_eq!(simulation.entered(), [inside as u64]);
    assert!(simulation.waiting_to_enter()[0] > 2900);
    let agents: Vec<_> = simulation.crowd().agents().collect();
    for (index, (_, a)) in agents.iter().enumerate() {
        for (_, b) in &agents[..index] {
            let apart = |a: i32, b: i32| f64::from(a - b) / 65536.0;
            let (x, y) = (
                apart(a.position.x, b.position.x),
                apart(a.position.y, b.position.y),
            );
            assert!(x.hypot(y) >= 0.8 - 1e-4, "bodies of 0.4 cells do not overlap");
        }
    }
}

#[test]
fn entrants_are_due_at_even_distances() {
    let rate = Inflow::Rate {
        per_s: 2.0,
        from_s: 1.0,
        until_s: 3.0,
        most: 10,
    };
    let due = [0.0, 0.99, 1.0, 1.49, 1.5, 2.5, 3.0, 99.0].map(|time_s| rate.due(time_s));
    assert_eq!(due, [0, 0, 1, 1, 2, 4, 4, 4], "who is due at 3 s does not come");
    let few = Inflow::Rate {
        per_s: 1e300,
        from_s: 0.0,
        until_s: f64::MAX,
        most: 7,
    };
    assert_eq!(few.due(0.1), 7);
    let times = Inflow::Schedule(vec![(0.5, 3), (0.5, 1), (4.0, 2)]);
    assert_eq!([0.0, 0.5, 4.0].map(|time_s| times.due(time_s)), [0, 4, 6]);
}

#[test]
fn what_a_scene_cannot_record_is_refused_with_the_line() {
    let group = format!("{GROUP}area = [0, 0, 1, 1]\ncount = 1\n");
    let base = corridor(&group).lines().count() + 2;
    let cases = [
        (
            "[[count_line]]\nname = \"l\"\nfrom = [1, 1]\nto = [1, 1]\n",
            "count_line `l`: the line begins and ends at (1, 1), so nobody can cross it",
        ),
        (
            "[[count_line]]\nname = \"l\"\nfrom = [1, 1]\nto = [1, 2]\nwindow_s = 0.01\n",
            "count_line `l`: window_s is 0.01; it must be at least a tick, 0.05, and finite",
        ),
        (
            "[[count_line]]\nname = \"l\"\nfrom = [1, 1, 3]\nto = [1, 2]\n",
            "count_line `l`: point [1, 1, 3] is on layer 3, but the map has 1, counted from 0",
        ),
        (
            "[[measure_area]]\nname = \"m\"\n",
            "measure_area `m`: needs exactly one of `area` and `polygon`",
        ),
        (
            "[[measure_area]]\nname = \"m\"\narea = [0, 0, 99, 1]\n",
            "measure_area `m`: cell (99,1) lies outside the map of 20 x 4 cells that begins at (0,0)",
        ),
        (
            "[[measure_area]]\nname = \"m\"\narea = [0, 0, 1, 1]\nwidth = 1.0\n",
            "measure_area `m`: `width` needs `along` = [x, y], the direction of the flow through it",
        ),
        (
            "[[measure_area]]\nname = \"m\"\narea = [0, 0, 1, 1]\nalong = [0, 0]\n",
            "measure_area `m`: direction (0, 0) has no length, or is not finite",
        ),
        (
            "[[source]]\ngroup = \"b\"\nrate = 1.0\n",
            "source of group `b`: there is no such group",
        ),
        (
            "[[source]]\ngroup = \"a\"\nrate = 0.0\n",
            "source of group `a`: rate is 0; it must be above 0 agents a second and finite",
        ),
        (
            "[[source]]\ngroup = \"a\"\nrate = 1e9\n",
            "source of group `a`: with it 30000000002 agents come in all, above the limit of 10000000",
        ),
        (
            "[[source]]\ngroup = \"a\"\nschedule = [[2, 1], [1, 1]]\n",
            "source of group `a`: schedule goes back in time at 1 s",
        ),
        (
            "[[source]]\ngroup = \"a\"\nschedule = [[2, 1.5]]\n",
            "source of group `a`: schedule has [2, 1.5]; write [seconds from 0, a whole number of agents]",
        ),
    ];
    for (table, want) in cases {
        let error = checked(&corridor(&format!("{group}{table}"))).unwrap_err();
        assert_eq!(error.to_string(), format!("line {base}: {want}"), "{table}");
    }
    let error = checked(&corridor(&format!("{group}[congestion]\nprice = -1.0\n"))).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("[congestion] price is -1, outside 0.000001 to 1000000"),
        "{error}"
    );
    // Without agents and without a source a group is a slip of the pen.
    let error = checked(&corridor(GROUP)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("needs exactly one of `cells`, `area` and `mark`"),
        "{error}"
    );
}

const BRIDGES: &str = include_str!("../../../scenes/two_bridges.toml");

/// Passages over the near and the far bridge, when the last one arrived, and the hash of every tick.
fn bridges(text: &str, workers: &dyn Workers) -> ([i64; 2], f64, Vec<u64>) {
    let mut simulation = Simulation::new(checked(text).unwrap(), workers).unwrap();
    let mut hashes = Vec::new();
    let mut last_s = f64::INFINITY;
    while !simulation.is_finished() {
        let report = simulation.step(workers).unwrap();
        hashes.push(report.hash.0);
        if simulation.crowd().is_empty() {
            last_s = (report.tick + 1) as f64 * simulation.scene().tick_s;
            break;
        }
    }
    let lines = simulation.recorders().lines();
    ([0, 1].map(|line| lines[line].net()), last_s, hashes)
}

#[test]
fn with_a_price_on_crowding_both_bridges_are_used_and_the_last_one_is_earlier() {
    let begins = BRIDGES.find("\n[congestion]\n").unwrap();
    let ends = begins + BRIDGES[begins..].find("[[count_line]]").unwrap();
    let without = format!("{}\n{}", &BRIDGES[..begins], &BRIDGES[ends..]);
    let (alone, alone_s, _) = bridges(&without, &Serial);
    assert_eq!(alone, [220, 0], "everybody takes the near one");
    let ([near, far], both_s, hashes) = bridges(BRIDGES, &Serial);
    assert_eq!(near + far, 220);
    assert!(near >= 50 && far >= 50, "{near} and {far}");
    assert!(both_s < 0.9 * alone_s, "{both_s} s instead of {alone_s} s");
    for threads in [1, 2, 8] {
        let workers = RayonWorkers::new(threads).unwrap();
        assert_eq!(
            bridges(BRIDGES, &workers),
            ([near, far], both_s, hashes.clone()),
            "{threads} threads"
        );
    }
}

/// A map of 40 x 20 cells of a metre with a profile, and a crowd at these places.
fn crowded(places: &[(f64, f64)]) -> (LivingMap, Crowd) {
    let costs = CostField::filled(Grid::new(40, 20).unwrap(), Cost::PLAIN);
    let movement = Movement::compile(&costs, &MovementProfile::new());
    let mut crowd = Crowd::new(costs.grid().clone(), CrowdOptions::new()).unwrap();
    for &(x, y) in places {
        let spec = AgentSpec {
            position: MapPoint::from_map([x, y]).unwrap(),
            radius: 0.2,
            max_speed: 1.0,
            group: GroupId(0),
        };
        crowd.add(&movement, spec).unwrap();
    }
    let mut map = LivingMap::new(costs);
    map.add_profile(ProfileSpec::new(MovementProfile::new())).unwrap();
    (map, crowd)
}

#[test]
fn prices_follow_the_tent_and_go_away_with_the_crowd() {
    let at_one = vec![(10.5, 10.5); 8];
    let (mut map, crowd) = crowded(&at_one);
    let options = CongestionOptions {
        threshold: 0.0,
        price: 2.0,
        ..CongestionOptions::new()
    };
    let grid = map.grid().clone();
    let mut congestion = Congestion::new(grid.clone(), 1.0, options).unwrap();
    let report = congestion.update(&crowd, &mut map).unwrap();
    assert_eq!((report.changed, report.put_off, report.priced), (9, 0, 9));
    // Weights 4, 2, 1 of 16: densities 2, 1 and a half, at two a piece.
    let price =
        |map: &LivingMap, x, y| map.costs().get(grid.id(Cell::new(x, y)).unwrap()).unwrap().byte() - 1;
    assert_eq!(
        [
            price(&map, 10, 10),
            price(&map, 11, 10),
            price(&map, 9, 9),
            price(&map, 12, 10)
        ],
        [4, 2, 1, 0]
    );
    assert_eq!(congestion.price(grid.id(Cell::new(10, 10)).unwrap()), 4);
    let version = map.costs().version();
    assert_eq!(congestion.update(&crowd, &mut map).unwrap().changed, 0);
    assert_eq!(map.costs().version(), version, "nothing new, nothing written");
    let (_, nobody) = crowded(&[]);
    assert_eq!(congestion.update(&nobody, &mut map).unwrap().changed, 9);
    assert!(grid.ids().all(|id| map.costs().get(id) == Some(Cost::PLAIN)));
    assert!(map.overlays().is_empty());
}

#[test]
fn small_changes_edit_nothing_and_large_ones_are_spread_over_updates() {
    let options = CongestionOptions {
        threshold: 0.0,
        price: 1.0,
        radius: 0,
        hysteresis: 0.25,
        cells_per_update: 3,
        ..CongestionOptions::new()
    };
    // Counted as exactly 5 in a cell: the price is 5. Then 5.x by another size of cells cannot be made; agents are whole,
    // so the quantum is made wide instead.
    let wide = CongestionOptions {
        quantum: 4,
        ..options
    };
    let (mut map, five) = crowded(&[(3.5, 3.5); 5]);
    let mut congestion = Congestion::new(map.grid().clone(), 1.0, wide).unwrap();
    let cell = map.grid().id(Cell::new(3, 3)).unwrap();
    congestion.update(&five, &mut map).unwrap();
    assert_eq!(congestion.price(cell), 4);
    for (agents, want) in [(6, 4), (7, 8), (6, 8), (5, 4), (2, 4), (1, 0), (2, 0), (3, 4)] {
        let (_, crowd) = crowded(&vec![(3.5, 3.5); agents]);
        congestion.update(&crowd, &mut map).unwrap();
        assert_eq!(congestion.price(cell), want, "with {agents}");
    }
    // Six cells, three at a time, the fullest first.
    let places: Vec<_> = (0..6)
        .flat_map(|x| vec![(f64::from(x) * 5.0 + 0.5, 0.5); x as usize + 1])
        .collect();
    let (mut map, crowd) = crowded(&places);
    let mut congestion = Congestion::new(map.grid().clone(), 1.0, options).unwrap();
    let first = congestion.update(&crowd, &mut map).unwrap();
    assert_eq!((first.changed, first.put_off, first.priced), (3, 3, 3));
    let prices = |congestion: &Congestion, map: &LivingMap| {
        [0, 5, 10, 15, 20, 25].map(|x| congestion.price(map.grid().id(Cell::new(x, 0)).unwrap()))
    };
    assert_eq!(prices(&congestion, &map), [0, 0, 0, 4, 5, 6]);
    congestion.update(&crowd, &mut map).unwrap();
    assert_eq!(prices(&congestion, &map), [1, 2, 3, 4, 5, 6]);
    congestion.clear(&mut map).unwrap();
    assert!(map.overlays().is_empty());
    assert_eq!(prices(&congestion, &map), [0; 6]);
}

#[test]
fn a_price_never_makes_a_wall_and_odd_options_are_refused() {
    let most = CongestionOptions {
        price: 1000.0,
        most: 254,
        ..CongestionOptions::new()
    };
    let (mut map, crowd) = crowded(&[(3.5, 3.5); 50]);
    let mut congestion = Congestion::new(map.grid().clone(), 1.0, most).unwrap();
    congestion.update(&crowd, &mut map).unwrap();
    assert!(
        map.grid()
            .ids()
            .all(|id| map.costs().get(id).unwrap().is_passable())
    );
    for (name, options) in [
        ("most", CongestionOptions { most: 0, ..most }),
        ("quantum", CongestionOptions { quantum: 0, ..most }),
        ("radius_cells", CongestionOptions { radius: 9, ..most }),
        (
            "threshold",
            CongestionOptions {
                threshold: f64::NAN,
                ..most
            },
        ),
        (
            "cells_per_update",
            CongestionOptions {
                cells_per_update: 0,
                ..most
            },
        ),
    ] {
        let error = Congestion::new(map.grid().clone(), 1.0, options).unwrap_err();
        assert!(
            matches!(error, CongestionError::Option { name: found, .. } if found == name),
            "{error}"
        );
    }
}

#[test]
fn whoever_has_arrived_does_not_get_up_for_a_price() {
    let tables = "[[group]]\nname = \"a\"\ngoals = [\"east\"]\nradius = 0.2\narea = [12, 0, 18, 3]\ncount = 10\n\
                  [congestion]\ninterval_s = 0.5\nthreshold = 0.0\nprice = 5.0\nhysteresis = 0.0\n";
    let mut simulation = Simulation::new(checked(&corridor(tables)).unwrap(), &Serial).unwrap();
    let (mut arrived, mut remade) = (0, 0);
    while !simulation.is_finished() {
        let report = simulation.step(&Serial).unwrap();
        arrived = report.step.arrived_total;
        remade += report.fields_built + report.fields_repaired;
    }
    assert!(remade > 3, "prices changed the field: {remade}");
    assert_eq!(arrived, 10, "everybody arrived once");
}

#[test]
fn agents_wait_in_a_zone_until_it_is_released() {
    let tables = |until: &str, event: &str| {
        format!(
            "{GROUP}area = [0, 0, 3, 3]\ncount = 8\n[[group]]\nname = \"b\"\ngoals = [\"east\"]\narrival = \"leave\"\nradius = 0.2\n\
             cells = [[4, 0]]\n[[waiting_zone]]\nname = \"lobby\"\narea = [8, 0, 11, 3]\ngroups = [\"a\"]\n{until}\n{event}\
             [[count_line]]\nname = \"behind\"\nfrom = [14, 0]\nto = [14, 4]\n"
        )
    };
    let by_tick = checked(&corridor(&tables("until_tick = 300", ""))).unwrap();
    let by_event = checked(&corridor(&tables(
        "",
        "[[event]]\nat_tick = 300\nrelease = \"lobby\"\n",
    )))
    .unwrap();
    let mut hashes: Vec<Vec<u64>> = Vec::new();
    for (scene, threads) in [(by_tick.clone(), 1), (by_event, 2), (by_tick, 8)] {
        let workers = RayonWorkers::new(threads).unwrap();
        let mut simulation = Simulation::new(scene, &workers).unwrap();
        let mut run = Vec::new();
        while !simulation.is_finished() {
            let report = simulation.step(&workers).unwrap();
            run.push(report.hash.0);
            if report.tick == 299 {
                let agents: Vec<_> = simulation.crowd().agents().map(|(_, agent)| agent).collect();
                assert_eq!(agents.len(), 8, "that of the other group has gone through");
                assert!(
                    simulation.waiting_in_zones() >= 4,
                    "{}",
                    simulation.waiting_in_zones()
                );
                for agent in agents.iter().filter(|agent| agent.is_held) {
                    let speed = agent.velocity[0].hypot(agent.velocity[1]);
                    assert!(speed < 0.02, "it presses on no more: {agent:?}");
                }
                assert_eq!(simulation.recorders().lines()[0].count(Way::Forward), 1);
            }
        }
        assert_eq!(simulation.recorders().lines()[0].count(Way::Forward), 9);
        assert_eq!(simulation.waiting_in_zones(), 0);
        hashes.push(run);
    }
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]));
    let line = corridor(&format!("{GROUP}area = [0, 0, 3, 3]\ncount = 8\n"))
        .lines()
        .count()
        + 2;
    for (zone, want) in [
        ("groups = [\"x\"]", "there is no group `x`"),
        (
            "from_tick = 5\nuntil_tick = 5",
            "it holds from tick 5 to 5; the end must be above the beginning",
        ),
    ] {
        let tables = format!(
            "{GROUP}area = [0, 0, 3, 3]\ncount = 8\n[[waiting_zone]]\nname = \"z\"\narea = [8, 0, 11, 3]\n{zone}\n"
        );
        let error = checked(&corridor(&tables)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("line {line}: waiting_zone `z`: {want}")
        );
    }
}
