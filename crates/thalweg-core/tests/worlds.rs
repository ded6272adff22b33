//! Random worlds of everything at once, every cell and every answer, against an oracle that lists all edges from the rules.
//!
//! The long run, 100,000 worlds: `THALWEG_LONG=1 cargo test --release -p thalweg-core --test worlds -- --nocapture`.

use std::collections::BTreeMap;
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::solve::profiles;
use thalweg_testkit::world::{Checker, Counts, Depth, Draw, Product, World};

/// Worlds are drawn from this seed on.
const FIRST_SEED: u64 = 80_000_000;

/// The longest side of a world of one floor.
const LONGEST: u32 = 10;

const DEPTH: Depth = Depth {
    routes: 4,
    walks: 5,
    states: 50,
    parts: 70,
    threads: false,
};

/// What is looked at for each of the other profiles.
const OTHERS: Depth = Depth {
    routes: 1,
    walks: 31,
    states: 0,
    parts: 0,
    threads: false,
};

/// Counts what is special about worlds.
#[derive(Default)]
struct Features(BTreeMap<&'static str, u64>);

impl Features {
    fn count(&mut self, world: &World) {
        for feature in world.features() {
            *self.0.entry(feature).or_default() += 1;
        }
    }
}

/// One world and up to two changes to it, and then perhaps every pairing of neighbourhood, corner rule and charge on it; all
/// of it from a seed.
fn run(seed: u64, all_profiles: bool, checker: &mut Checker, features: &mut Features) {
    let mut random = SplitMix64::new(FIRST_SEED + seed);
    let mut world = World::draw(&mut random, LONGEST);
    features.count(&world);
    let mut product = Product::new(&world);
    let depth = Depth {
        threads: seed.is_multiple_of(16),
        ..DEPTH
    };
    checker.check(&world, &product, &depth, &mut random);
    for _ in 0..Draw::pick(&mut random, &[0, 0, 0, 1, 2]) {
        let edit = world.edit(&mut random);
        product.apply(&edit);
        checker.check(&world, &product, &DEPTH, &mut random);
    }
    if !all_profiles {
        return;
    }
    let footprint = world.profile.footprint;
    for profile in profiles(world.profile.scale) {
        world.profile = profile.with_footprint(footprint);
        product.set_profile(world.profile);
        checker.check(&world, &product, &OTHERS, &mut random);
    }
}

#[test]
fn every_answer_on_random_worlds_is_that_of_a_search_over_listed_edges() {
    let is_long = std::env::var_os("THALWEG_LONG").is_some();
    let worlds: u64 = if is_long { 100_000 } else { 2_000 };
    let (mut checker, mut features) = (Checker::new(), Features::default());
    for seed in 0..worlds {
        // A panic shows the world; the seed is what to run again.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let all_profiles = is_long || seed.is_multiple_of(4);
            run(seed, all_profiles, &mut checker, &mut features);
        }));
        assert!(outcome.is_ok(), "seed {seed}");
    }
    say(&format!("worlds: {worlds}"));
    for (feature, count) in &features.0 {
        say(&format!(
            "  with {feature}: {count} ({:.1} %)",
            share(*count, worlds)
        ));
    }
    say(&format!("  {:?}", checker.counts));
    for (feature, count) in &features.0 {
        assert!(
            share(*count, worlds) >= 4.0,
            "only {count} of {worlds} with {feature}"
        );
    }
    assert_eq!(features.0.len(), 23, "a feature that was never drawn");
    check_counts(&checker.counts, worlds);
}

#[expect(clippy::cast_precision_loss, reason = "a percentage")]
fn share(count: u64, worlds: u64) -> f64 {
    100.0 * count as f64 / worlds as f64
}

/// Sweeps that look at hardly anything must not pass for sweeps.
fn check_counts(counts: &Counts, worlds: u64) {
    let checks = counts.checks;
    assert!(
        checks > 4 * worlds && counts.without_goals < checks / 3,
        "{counts:?}"
    );
    assert!(counts.overflows > checks / 100, "{counts:?}");
    assert!(
        counts.fields > 2 * checks && counts.reached > 10 * checks,
        "{counts:?}"
    );
    assert!(counts.cut_off > checks && counts.ties > checks, "{counts:?}");
    assert!(
        counts.routes > checks / 4 && counts.walks > checks / 2,
        "{counts:?}"
    );
    assert!(
        counts.turn_states > 10 * worlds && counts.time_states > 5 * worlds,
        "{counts:?}"
    );
    assert!(counts.time_matters > worlds / 2, "{counts:?}");
    assert!(
        counts.parts > worlds / 2 && counts.cuts > worlds / 20,
        "{counts:?}"
    );
    assert!(counts.threaded > worlds / 50, "{counts:?}");
}
