//! Lines count everybody who passes exactly once, whatever the tick is; areas tell what is in them.

use proptest::prelude::*;
use thalweg::crowd::{
    AgentId, AgentSpec, ArrivalRule, Crowd, CrowdOptions, GroupId, GroupInput, StalePolicy, Steering,
};
use thalweg::prelude::*;
use thalweg::recorders::{CountLine, MeasureArea, RecorderError, Recorders, Sighting, Way};
use thalweg_core::movement::EdgeRules;

fn at(x: f64, y: f64) -> MapPoint {
    MapPoint::from_map([x, y]).unwrap()
}

fn line(from: (f64, f64), to: (f64, f64)) -> CountLine {
    CountLine::new("line", at(from.0, from.1), at(to.0, to.1)).unwrap()
}

fn on_foot(agent: u64, position: MapPoint) -> Sighting {
    Sighting {
        agent: AgentId::from_bits(agent),
        position,
        velocity: [0.0; 2],
        leapt: false,
    }
}

/// Shows one walker at these points, one second apart.
fn walk(lines: impl IntoIterator<Item = CountLine>, points: &[(f64, f64)]) -> Recorders {
    let mut recorders = Recorders::new(1.0).unwrap();
    for line in lines {
        recorders.add_line(line);
    }
    for &(x, y) in points {
        recorders.observe_sightings([on_foot(0, at(x, y))], 1.0).unwrap();
    }
    recorders
}

fn counts(recorders: &Recorders) -> (u64, u64) {
    let line = &recorders.lines()[0];
    (line.count(Way::Forward), line.count(Way::Backward))
}

#[test]
fn touching_a_line_and_going_back_is_no_passage() {
    let southward = || [line((5.0, 0.0), (5.0, 10.0))];
    let one = |points: &[(f64, f64)]| counts(&walk(southward(), points));
    assert_eq!(one(&[(4.0, 5.0), (6.0, 5.0)]), (1, 0), "eastward is forward");
    assert_eq!(one(&[(6.0, 5.0), (4.0, 5.0)]), (0, 1));
    for side in [4.0, 6.0] {
        assert_eq!(
            one(&[(side, 5.0), (5.0, 5.0), (side, 5.0)]),
            (0, 0),
            "touched from {side}"
        );
        assert_eq!(
            one(&[(side, 5.0), (5.0, 5.0), (5.0, 7.0), (side, 7.0)]),
            (0, 0),
            "slid along it"
        );
    }
    assert_eq!(
        one(&[(4.0, 5.0), (5.0, 5.0), (5.0, 5.0), (5.0, 6.0), (6.0, 6.0)]),
        (1, 0)
    );
    assert_eq!(
        one(&[(4.0, 5.0), (5.0, 5.0)]),
        (0, 0),
        "who stands on it has not passed yet"
    );
    assert_eq!(
        one(&[(5.0, 5.0), (6.0, 5.0)]),
        (0, 0),
        "who began on it came from nowhere"
    );
    assert_eq!(one(&[(5.0, 5.0), (6.0, 5.0), (4.0, 5.0)]), (0, 1));
    assert_eq!(
        one(&[(4.0, 5.0), (5.0, 5.0), (5.0, 12.0), (6.0, 12.0)]),
        (0, 0),
        "round the end"
    );
}

#[test]
fn one_end_belongs_to_a_line_and_the_other_does_not() {
    let one = |y: f64, to_east: bool| {
        let points = if to_east {
            [(4.0, y), (6.0, y)]
        } else {
            [(6.0, y), (4.0, y)]
        };
        counts(&walk([line((5.0, 2.0), (5.0, 8.0))], &points))
    };
    assert_eq!([one(2.0, true), one(2.0, false)], [(1, 0), (0, 1)]);
    assert_eq!([one(8.0, true), one(8.0, false)], [(0, 0), (0, 0)]);
    assert_eq!([one(1.9, true), one(8.1, true)], [(0, 0), (0, 0)]);
    // In two steps, with a halt on the end itself.
    for (y, want) in [(2.0, (1, 0)), (8.0, (0, 0))] {
        let halted = walk([line((5.0, 2.0), (5.0, 8.0))], &[(4.0, y), (5.0, y), (6.0, y)]);
        assert_eq!(counts(&halted), want, "{y}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// On a small lattice, where half of all steps end on the line: the balance is the change of side.
    #[test]
    fn forward_less_backward_is_the_change_of_side(
        points in prop::collection::vec((0i32..5, 0i32..5), 2..40),
        slope in -2i32..=2,
    ) {
        // Through the whole lattice and beyond, so that nobody gets round its ends.
        let (from, to) = ((2 - 20 * slope, -20), (2 + 20 * slope, 20));
        let hand = |&(x, y): &(i32, i32)| {
            let (x, y) = (x - from.0, y - from.1);
            (to.0 - from.0) * y - (to.1 - from.1) * x
        };
        let real = |(x, y): (i32, i32)| (f64::from(x), f64::from(y));
        let walked: Vec<_> = points.iter().map(|&point| real(point)).collect();
        let recorders = walk([line(real(from), real(to))], &walked);
        // The side is that of the last point off the line.
        let mut sides = points.iter().map(|point| hand(point).signum()).filter(|&side| side != 0);
        let first = sides.next().unwrap_or(0);
        let (mut changes, mut last) = (0, first);
        for side in sides {
            changes += u64::from(side != last);
            last = side;
        }
        let (forward, backward) = counts(&recorders);
        prop_assert_eq!(forward + backward, changes, "every change of side is one passage");
        let change = (i64::from(first) - i64::from(last)) / 2;
        prop_assert_eq!(recorders.lines()[0].net(), change);
    }

    /// Four lines round a block, walkers that pass its corners: who gets in or out is counted by exactly one of them.
    #[test]
    fn lines_that_meet_at_a_corner_share_nobody(
        points in prop::collection::vec((0i32..6, 0i32..6), 2..40),
    ) {
        // Walkers halt at odd coordinates only, corners lie on even ones: steps go through corners, and end on no line.
        let corners = [(4.0, 4.0), (8.0, 4.0), (8.0, 8.0), (4.0, 8.0)];
        let ring = (0..4).map(|i| line(corners[i], corners[(i + 1) % 4]));
        let walked: Vec<_> = points.iter().map(|&(x, y)| (f64::from(2 * x + 1), f64::from(2 * y + 1))).collect();
        let recorders = walk(ring, &walked);
        let inside = |&(x, y): &(f64, f64)| i64::from(4.0 < x && x < 8.0 && 4.0 < y && y < 8.0);
        let balance: i64 = recorders.lines().iter().map(CountLine::net).sum();
        // Clockwise on the map, so the right hand is inside and the left one outside.
        prop_assert_eq!(-balance, inside(&walked[walked.len() - 1]) - inside(&walked[0]));
    }
}

#[test]
fn passages_are_timed_within_the_step_whatever_its_length() {
    for dt in [1.0 / 240.0, 0.05, 0.3, 1.0, 5.0] {
        let mut recorders = Recorders::new(1.0).unwrap();
        recorders.add_line(line((5.0, 0.0), (5.0, 4.0)));
        let mut passed = 0;
        let mut step = 0;
        while f64::from(step) * dt < 12.0 {
            // 0.7 cells a second from x = 0: the line is reached after 7.142857 s.
            let x = 0.7 * f64::from(step) * dt;
            recorders.observe_sightings([on_foot(0, at(x, 1.0))], dt).unwrap();
            passed = recorders.lines()[0].passages().len();
            step += 1;
        }
        assert_eq!(passed, 1);
        let passage = recorders.lines()[0].passages()[0];
        // The first sighting is the end of an observation, so walks begin after one step.
        assert!(
            (passage.time_s - (5.0 / 0.7 + dt)).abs() < 1e-3,
            "dt {dt}: {passage:?}"
        );
        assert!((passage.at - 0.25).abs() < 1e-6);
        let line = &recorders.lines()[0];
        assert_eq!(line.flow(Way::Forward, 6.0, 16.0), 0.1);
        assert_eq!(recorders.specific_flow(line, Way::Forward, 6.0, 16.0), 0.025);
        assert_eq!(
            line.mean_flow(Way::Forward, 0.0, 20.0),
            None,
            "one passage is no flow"
        );
    }
}

/// A corridor 24 x 3 with a field to its east end.
fn corridor(rules: Option<EdgeRules>) -> FieldBundle {
    let costs = CostField::filled(Grid::new(24, 3).unwrap(), Cost::PLAIN);
    let profile = MovementProfile::new();
    let movement = match rules {
        Some(rules) => Movement::compile_with(&costs, &rules, &profile).unwrap(),
        None => Movement::compile(&costs, &profile),
    };
    let goals = GoalSet::new().with_goal(Goal::area((0..3).map(|y| Cell::new(23, y))));
    FieldBundle::build(
        movement,
        &goals,
        &BuildOptions::new(),
        &mut BuildScratch::new(),
        &Serial,
    )
    .unwrap()
}

fn group(field: &FieldBundle, arrival: ArrivalRule) -> [GroupInput<'_>; 1] {
    [GroupInput {
        movement: field.movement(),
        flow: Some(field.flow()),
        steering: Steering::Directions,
        is_current: true,
        stale: StalePolicy::Stop,
        field_version: 1,
        arrival,
    }]
}

fn spec(x: f64, y: f64) -> AgentSpec {
    AgentSpec {
        position: at(x, y),
        radius: 0.2,
        max_speed: 1.5,
        group: GroupId(0),
    }
}

#[test]
fn a_crowd_of_n_passes_n_times_for_any_tick() {
    let field = corridor(None);
    for (arrival, line_x) in [
        (ArrivalRule::Rest, 12.0),
        (ArrivalRule::Leave, 12.0),
        // A hair before the border of the goal: in a long step whoever passes it is gone at once. On the very border some
        // would leave standing on the line, and have not passed it.
        (ArrivalRule::Leave, 22.99),
    ] {
        for dt in [1.0 / 240.0, 1.0 / 60.0, 0.1, 0.5, 1.0, 5.0f32] {
            let mut crowd = Crowd::new(field.movement().grid().clone(), CrowdOptions::new()).unwrap();
            for index in 0..40 {
                let (column, row) = (index / 5, index % 5);
                let position = spec(0.3 + 0.6 * f64::from(column), 0.3 + 0.6 * f64::from(row));
                crowd.add(field.movement(), position).unwrap();
            }
            let mut recorders = Recorders::new(1.0).unwrap();
            recorders.add_line(line((line_x, 0.0), (line_x, 3.0)));
            recorders.note(&crowd);
            let mut seconds = 0.0;
            while seconds < 60.0 {
                crowd.step(&group(&field, arrival), dt, &Serial).unwrap();
                recorders.observe(&crowd, f64::from(dt)).unwrap();
                seconds += dt;
            }
            let east = match arrival {
                ArrivalRule::Leave => 40,
                ArrivalRule::Rest => crowd
                    .agents()
                    .filter(|(_, agent)| agent.position.x > at(line_x, 0.0).x)
                    .count(),
            };
            assert_eq!(east, 40, "everybody gets there");
            assert_eq!(
                recorders.lines()[0].net(),
                40,
                "{arrival:?}, line {line_x}, dt {dt}"
            );
            assert_eq!(counts(&recorders), (40, 0), "{arrival:?}, line {line_x}, dt {dt}");
            let times: Vec<f64> = recorders.lines()[0]
                .passages()
                .iter()
                .map(|passage| passage.time_s)
                .collect();
            assert!(times.is_sorted());
        }
    }
}

#[test]
fn a_slot_that_is_given_out_again_is_somebody_else() {
    let field = corridor(None);
    let mut crowd = Crowd::new(field.movement().grid().clone(), CrowdOptions::new()).unwrap();
    let mut recorders = Recorders::new(1.0).unwrap();
    recorders.add_line(line((12.0, 0.0), (12.0, 3.0)));
    recorders.add_line(line((4.0, 0.0), (4.0, 3.0)));
    let first = crowd.add(field.movement(), spec(14.5, 1.5)).unwrap();
    recorders.note(&crowd);
    let step = |crowd: &mut Crowd, recorders: &mut Recorders| {
        crowd
            .step(&group(&field, ArrivalRule::Leave), 0.1, &Serial)
            .unwrap();
        recorders.observe(crowd, 0.1).unwrap();
    };
    step(&mut crowd, &mut recorders);
    crowd.remove(first).unwrap();
    let second = crowd.add(field.movement(), spec(3.99, 1.5)).unwrap();
    assert_eq!(first.index(), second.index());
    recorders.note(&crowd);
    for _ in 0..5 {
        step(&mut crowd, &mut recorders);
    }
    assert_eq!(counts(&recorders), (0, 0), "nobody went back from 14.5 to 3.9");
    assert_eq!(
        recorders.lines()[1].count(Way::Forward),
        1,
        "the newcomer's very first step"
    );
}

#[test]
fn leaps_pass_nothing() {
    let mut rules = EdgeRules::new(Grid::new(24, 3).unwrap());
    rules.add_portal(Cell::new(6, 1), Cell::new(18, 1), 1).unwrap();
    let field = corridor(Some(rules));
    let mut crowd = Crowd::new(field.movement().grid().clone(), CrowdOptions::new()).unwrap();
    crowd.add(field.movement(), spec(2.5, 1.5)).unwrap();
    let mut recorders = Recorders::new(1.0).unwrap();
    for x in [4.0, 12.0, 20.0] {
        recorders.add_line(line((x, 0.0), (x, 3.0)));
    }
    recorders.note(&crowd);
    for _ in 0..200 {
        crowd
            .step(&group(&field, ArrivalRule::Rest), 0.1, &Serial)
            .unwrap();
        recorders.observe(&crowd, 0.1).unwrap();
    }
    let passed: Vec<u64> = recorders
        .lines()
        .iter()
        .map(|line| line.count(Way::Forward))
        .collect();
    assert_eq!(
        passed,
        [1, 0, 1],
        "on foot over the first and the last, leapt over the second"
    );
}

#[test]
fn another_layer_is_another_place() {
    let mut recorders = walk([line((5.0, 0.0), (5.0, 4.0))], &[(4.0, 1.0)]);
    recorders
        .observe_sightings([on_foot(0, at(6.0, 1.0).on(1))], 1.0)
        .unwrap();
    assert_eq!(counts(&recorders), (0, 0), "it changed its floor");
    recorders
        .observe_sightings([on_foot(0, at(4.0, 1.0).on(1))], 1.0)
        .unwrap();
    assert_eq!(counts(&recorders), (0, 0), "the line is on the other floor");
}

#[test]
fn an_area_tells_density_speed_and_flow_in_world_units() {
    let mut recorders = Recorders::new(0.5).unwrap();
    let area = MeasureArea::rectangle("area", at(2.0, 1.0), at(6.0, 5.0))
        .unwrap()
        .with_direction([3.0, 0.0])
        .unwrap()
        .with_width(2.0)
        .unwrap();
    recorders.add_area(area);
    let seen = |agent, x, y, velocity| Sighting {
        velocity,
        ..on_foot(agent, at(x, y))
    };
    recorders
        .observe_sightings(
            [
                seen(0, 3.0, 2.0, [2.0, 0.0]),
                seen(1, 2.0, 1.0, [0.0, 4.0]), // the north-west corner belongs to it
                seen(2, 6.0, 5.0, [9.0, 9.0]), // the south-east one does not
                seen(3, 9.0, 2.0, [9.0, 9.0]),
            ],
            0.5,
        )
        .unwrap();
    recorders.observe_sightings([], 1.5).unwrap();
    let area = &recorders.areas()[0];
    let sample = area.samples()[0];
    assert_eq!((sample.tick, sample.agents, sample.time_s), (0, 2, 0.5));
    // 4 x 4 cells of half a metre are 4 square metres.
    assert_eq!(sample.density, 0.5);
    assert_eq!(sample.speed, 1.5, "2 and 4 cells a second are 1 and 2 m/s");
    assert_eq!(sample.speed_along, Some(0.5), "1 and 0 m/s");
    assert_eq!(sample.flow, Some(0.5 * 0.5 * 2.0));
    let means = area.means(0.0, 2.0);
    assert_eq!(
        means.density, 0.125,
        "half a second of 0.5, and one and a half of none"
    );
    assert_eq!(means.speed, 1.5, "nobody slowed down when the area was empty");
    assert_eq!((means.most_agents, means.samples), (2, 2));
    assert_eq!(area.means(0.5, 2.0).agents, 0.0);
}

#[test]
fn polygons_hold_what_is_inside_them() {
    let ring = vec![
        at(0.0, 0.0),
        at(4.0, 0.0),
        at(4.0, 4.0),
        at(2.0, 1.0),
        at(0.0, 4.0),
    ];
    let area = MeasureArea::polygon("notched", ring).unwrap();
    assert_eq!(area.square_cells(), 16.0 - 6.0);
    for (point, inside) in [
        ((1.0, 1.0), true),
        ((2.0, 2.0), false),
        ((3.5, 2.0), true),
        ((4.5, 1.0), false),
    ] {
        assert_eq!(area.holds(at(point.0, point.1)), inside, "{point:?}");
    }
    assert!(!area.holds(at(1.0, 1.0).on(1)));
}

#[test]
fn what_cannot_measure_is_refused() {
    let p = at(1.0, 1.0);
    assert_eq!(CountLine::new("", p, p).unwrap_err(), RecorderError::NoLength(p));
    let elsewhere = p.on(1);
    assert!(matches!(
        CountLine::new("", p, elsewhere),
        Err(RecorderError::Layers { layer: 0, .. })
    ));
    assert!(matches!(
        MeasureArea::polygon("", vec![p]),
        Err(RecorderError::FewCorners(1))
    ));
    assert!(matches!(
        MeasureArea::rectangle("", p, at(1.0, 5.0)),
        Err(RecorderError::NoArea)
    ));
    let area = || MeasureArea::rectangle("", p, at(2.0, 5.0)).unwrap();
    assert!(matches!(
        area().with_direction([0.0, 0.0]),
        Err(RecorderError::Direction(..))
    ));
    assert!(matches!(
        area().with_direction([f64::NAN, 0.0]),
        Err(RecorderError::Direction(..))
    ));
    assert!(matches!(
        area().with_width(1.0),
        Err(RecorderError::Direction(..))
    ));
    assert!(matches!(Recorders::new(0.0), Err(RecorderError::CellSize(_))));
    let mut recorders = Recorders::new(1.0).unwrap();
    assert!(matches!(
        recorders.observe_sightings([], f64::NAN),
        Err(RecorderError::Time(_))
    ));
    assert_eq!(recorders.observations(), 0);
}
