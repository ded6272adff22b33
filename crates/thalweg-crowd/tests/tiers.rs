//! Levels of detail: who looks less often, and what others see of it.

mod common;

use common::*;
use thalweg_core::grid::{Cell, MapPoint, SUBCELLS};
use thalweg_core::movement::{Connectivity, CornerRule};
use thalweg_core::workers::{Serial, Workers};
use thalweg_crowd::{Crowd, CrowdError, CrowdOptions, GroupId, Outcome, TierOptions};

const DT: f32 = 1.0 / 30.0;

fn options(from: [f32; 3]) -> TierOptions {
    let mut options = TierOptions::new();
    options.from = from;
    options.hysteresis = 1.0;
    options.changes_per_tick = 10_000;
    options
}

fn world() -> World {
    let map: Vec<String> = (0..60)
        .map(|y| {
            (0..80)
                .map(|x| match (x, y) {
                    (40, y) if y % 9 > 2 => '#',
                    (x, y) if x % 11 == 5 && y % 7 == 3 => '#',
                    _ => '.',
                })
                .collect()
        })
        .collect();
    World::new(
        &costs_of(&map),
        &profile(Connectivity::Eight, CornerRule::BothFree),
        &[Cell::new(78, 30)],
    )
}

fn crowd(world: &World, agents: usize) -> Crowd {
    let mut crowd = Crowd::new(world.movement.grid().clone(), CrowdOptions::default()).unwrap();
    let mut random = Random(5);
    let area = [0.0, 0.0, 38.0, 60.0];
    scatter(
        &mut crowd,
        &world.movement,
        &mut random,
        agents,
        area,
        0.3,
        GroupId(0),
    );
    crowd
}

#[test]
fn tiers_follow_the_distance_with_hysteresis() {
    let world = world();
    let mut crowd = Crowd::new(world.movement.grid().clone(), CrowdOptions::default()).unwrap();
    let agent = crowd.add(&world.movement, spec(1.5, 1.5)).unwrap();
    let tier_at = |crowd: &mut Crowd, distance: f64| {
        let y = (1.5 + distance) * f64::from(SUBCELLS);
        let point = MapPoint::new(crowd.get(agent).unwrap().position.x, y as i32);
        crowd
            .set_tiers(options([10.0, 20.0, f32::INFINITY]), &[point])
            .unwrap();
        crowd.hold(agent, true).unwrap();
        crowd.step(&[world.input()], DT, &Serial).unwrap();
        crowd.get(agent).unwrap().tier
    };
    // (distance, tier): outward at once, inward only when well inside.
    for (distance, tier) in [
        (5.0, 0),
        (10.1, 1),
        (9.5, 1),
        (8.9, 0),
        (9.5, 0),
        (25.0, 2),
        (19.5, 2),
        (18.5, 1),
        (9.5, 1),
        (2.0, 0),
        (25.0, 2),
        (2.0, 0),
    ] {
        assert_eq!(tier_at(&mut crowd, distance), tier, "at {distance}");
    }
    crowd.clear_tiers();
    assert_eq!(crowd.get(agent).unwrap().tier, 0);
}

#[test]
fn no_more_change_in_a_tick_than_may_and_in_the_end_all_have() {
    let world = world();
    let mut crowd = crowd(&world, 500);
    let mut few = options([0.0, 0.0, f32::INFINITY]);
    few.changes_per_tick = 30;
    crowd.set_tiers(few, &[at(1.5, 1.5)]).unwrap();
    let in_tier_2 = |crowd: &Crowd| crowd.agents().filter(|(_, view)| view.tier == 2).count();
    for tick in 1..20 {
        crowd.step(&[world.input()], DT, &Serial).unwrap();
        assert_eq!(in_tier_2(&crowd), (30 * tick).min(500));
    }
}

#[test]
fn what_is_seen_of_one_that_coasts_differs_by_no_more_than_the_bound() {
    // The same crowd twice; from a common state, one with tiers and one without goes on for as many ticks as the last tier
    // rests. Nobody may be farther off than the speed that was not chosen anew allows.
    let world = world();
    let mut exact = crowd(&world, 400);
    for _ in 0..60 {
        exact.step(&[world.input()], DT, &Serial).unwrap();
    }
    let mut worst = 0.0f64;
    for _ in 0..20 {
        let mut coarse = exact.clone();
        coarse.set_tiers(options([0.0; 3]), &[at(1.5, 1.5)]).unwrap();
        for _ in 0..7 {
            let report = coarse.step(&[world.input()], DT, &Serial).unwrap();
            assert!(report.coasted > 0);
            exact.step(&[world.input()], DT, &Serial).unwrap();
        }
        for ((_, one), (_, other)) in exact.agents().zip(coarse.agents()) {
            let far = |a: i32, b: i32| f64::from(a - b) / f64::from(SUBCELLS);
            let off = far(one.position.x, other.position.x).hypot(far(one.position.y, other.position.y));
            // Pushes are not chosen, and are bounded by their own option.
            let bound = 7.0 * f64::from(DT) * (2.0 * f64::from(one.max_speed) + 2.0);
            worst = worst.max(off / bound);
        }
    }
    assert!(worst <= 1.0 && worst > 0.0, "{worst}");
}

#[test]
fn nobody_coasts_through_a_wall_and_all_arrive_as_without_tiers() {
    let world = world();
    let run = |tiers: bool, workers: &dyn Workers| {
        let mut crowd = crowd(&world, 150);
        if tiers {
            crowd.set_tiers(options([0.0; 3]), &[at(1.5, 1.5)]).unwrap();
        }
        let mut last = 0;
        for tick in 0..3_000 {
            let report = crowd.step(&[world.input()], DT, workers).unwrap();
            for (_, view) in crowd.agents() {
                let cell = view.position.cell_id(world.movement.grid()).unwrap();
                assert!(world.movement.is_passable(cell));
            }
            if report.resting == 150 {
                last = tick;
                break;
            }
        }
        assert!(crowd.agents().all(|(_, view)| view.outcome == Outcome::Arrived));
        (last, crowd.state_hash())
    };
    let (exact, _) = run(false, &Serial);
    let (coarse, hash) = run(true, &Serial);
    assert_eq!(run(true, &Threads(3)).1, hash, "threads do not show");
    assert!(coarse < exact + exact / 10, "{exact} {coarse}");
}

#[test]
fn options_out_of_range_are_refused() {
    let world = world();
    let mut crowd = crowd(&world, 1);
    let before = crowd.state_hash();
    for from in [[f32::NAN, 1.0, 2.0], [-1.0, 1.0, 2.0], [3.0, 2.0, 4.0]] {
        assert!(matches!(
            crowd.set_tiers(options(from), &[]),
            Err(CrowdError::Option { name: "from", .. })
        ));
    }
    let mut none = TierOptions::new();
    none.changes_per_tick = 0;
    assert!(crowd.set_tiers(none, &[]).is_err());
    assert_eq!(crowd.state_hash(), before);
}
