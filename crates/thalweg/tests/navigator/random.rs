//! Random edits, moves, requests, releases and budgets: once everything rests, every field is as built from nothing.

use crate::kit::{assert_as_built, assert_same};
use thalweg::core::cost::{Stamp, StampEffect, UnknownGround};
use thalweg::core::movement::{Footprint, PortalCost};
use thalweg::living_map::{LivingMap, ProfileId, ProfileSpec};
use thalweg::navigator::{FieldHandle, FieldStatus, Navigator, NavigatorOptions, WhileMaking};
use thalweg::prelude::*;
use thalweg_testkit::cases::say;
use thalweg_testkit::random_map::SplitMix64;
use thalweg_testkit::threads::TestThreads;

/// How work gets done in a run; it must not show in the end.
#[derive(Clone, Copy, Debug)]
enum Pace {
    AtOnce,
    Budget(u64),
    Jobs,
    All,
}

struct Play {
    random: SplitMix64,
    navigator: Navigator,
    profiles: Vec<ProfileId>,
    fields: Vec<FieldHandle>,
    /// Goals that were asked for, to come back to.
    asked: Vec<GoalSet>,
    stamps: Vec<thalweg::core::cost::StampId>,
    portals: Vec<thalweg::core::movement::PortalIndex>,
}

impl Play {
    fn new(seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut sides = || (4 + random.below(14), 4 + random.below(14));
        let (a, b) = (sides(), sides());
        let floor = |(width, height), first| Grid::with_first_cell(width, height, first).expect("a grid");
        let ground = floor(a, Cell::new(0, 0));
        let grid = if random.percent(30) {
            let upper = floor(b, Cell::new(-3, 5));
            Grid::stacked([&ground, &upper]).expect("two floors")
        } else {
            ground
        };
        let bytes = grid
            .ids()
            .map(|_| {
                if random.percent(20) {
                    255
                } else {
                    1 + random.below(4) as u8
                }
            })
            .collect();
        let costs = CostField::from_bytes(grid, bytes).expect("one byte a cell");
        let cache = random.pick(&[0, 5_000, 1 << 20]);
        let lengths = random.percent(30);
        let mut build = BuildOptions::new();
        if lengths {
            build = build.with_lengths();
        }
        if random.percent(15) {
            build = build.with_headings(HeadingOptions::default());
        }
        if random.percent(15) {
            build = build.with_cost_limit(60 + random.below(100));
        }
        let options = NavigatorOptions::new().with_cache_bytes(cache).with_build(build);
        let mut navigator = Navigator::new(LivingMap::new(costs), options);
        let plain = MovementProfile::new();
        let square = Footprint::square(2).expect("2 x 2");
        let specs = [
            ProfileSpec::new(plain),
            ProfileSpec::new(
                plain
                    .with_charge(Charge::Arrive)
                    .with_connectivity(Connectivity::Four),
            ),
            ProfileSpec::new(plain.with_footprint(square)),
            ProfileSpec::new(plain),
            ProfileSpec::new(plain.with_corner_rule(CornerRule::OneFree))
                .with_unknown(UnknownGround::Assumed(Cost::from_byte(2))),
        ];
        let profiles = specs
            .map(|spec| navigator.map_mut().add_profile(spec).expect("a profile"))
            .to_vec();
        Self {
            random,
            navigator,
            profiles,
            fields: Vec::new(),
            asked: Vec::new(),
            stamps: Vec::new(),
            portals: Vec::new(),
        }
    }

    fn cell(&mut self) -> Cell {
        let grid = self.navigator.map().grid();
        let len = u32::try_from(grid.len()).expect("small");
        grid.cell(CellId(self.random.below(len)))
    }

    /// A rectangle on one floor.
    fn corners(&mut self) -> (Cell, Cell) {
        let a = self.cell();
        let b = self.cell();
        if a.layer == b.layer { (a, b) } else { (a, a) }
    }

    fn goals(&mut self) -> GoalSet {
        let count = 1 + self.random.below(3);
        let mut goals = GoalSet::new();
        for _ in 0..count {
            let bias = self.random.pick(&[0, 0, 0, 15]);
            let cell = self.cell();
            goals = goals.with_goal(Goal::cell(cell).with_bias(bias));
        }
        let policy = [
            BlockedGoals::Refuse,
            BlockedGoals::Skip,
            BlockedGoals::NearestPassable,
        ];
        goals.with_blocked_goals(self.random.pick(&policy))
    }

    fn edit(&mut self) {
        let (a, b) = self.corners();
        let cell = self.cell();
        let other = self.cell();
        let cost = Cost::from_byte(self.random.pick(&[1, 1, 2, 5, 255, 255]));
        let effect = self.random.pick(&[
            StampEffect::Block,
            StampEffect::Add(3),
            StampEffect::Set(Cost::PLAIN),
        ]);
        let direction = self
            .random
            .pick(&[Direction::N, Direction::E, Direction::S, Direction::W]);
        let which = self.random.below(14);
        let pick = self.random.below(1_000) as usize;
        let map = self.navigator.map_mut();
        match which {
            0..4 => map.set(cell, cost).expect("on the map"),
            4 => map.set_rect(a, b, cost).expect("on the map"),
            5 => map.set_unknown(cell).expect("on the map"),
            6 => map.restore_rect(a, b).expect("on the map"),
            7 | 8 => {
                let stamp = Stamp::rect(a, b, effect).expect("a stamp");
                self.stamps.push(map.put(stamp).expect("on the map"));
            }
            9 if !self.stamps.is_empty() => {
                let id = self.stamps.swap_remove(pick % self.stamps.len());
                map.take(id).expect("it lies there");
            }
            10 => map.close_exit(cell, direction).expect("on the map"),
            11 => map.open_exit(cell, direction).expect("on the map"),
            12 if cell != other => {
                let cost = PortalCost::Units(pick as u32 % 40);
                self.portals
                    .push(map.add_portal(cell, other, cost).expect("a portal"));
            }
            13 if !self.portals.is_empty() => {
                let portal = self.portals.swap_remove(pick % self.portals.len());
                map.remove_portal(portal).expect("it is there");
            }
            _ => {}
        }
    }

    fn turn(&mut self) {
        let pick = self.random.below(1_000) as usize;
        match self.random.below(12) {
            0 | 1 if self.fields.len() < 6 => {
                let goals = self.goals();
                self.asked.push(goals.clone());
                let profile = self.profiles[pick % self.profiles.len()];
                let field = self.navigator.request(profile, goals).expect("a field");
                if !self.fields.contains(&field) {
                    self.fields.push(field);
                }
            }
            2 | 10 | 11 if !self.fields.is_empty() => {
                let field = self.fields[pick % self.fields.len()];
                // Often back to goals of before, of this field or of another one: equal goals of several fields.
                let goals = if self.random.percent(70) {
                    let recent = self.asked.len().saturating_sub(4);
                    let some = &self.asked[recent..];
                    some[(pick / 7) % some.len()].clone()
                } else {
                    self.goals()
                };
                self.asked.push(goals.clone());
                self.navigator.set_goals(field, goals).expect("alive");
            }
            3 if pick.is_multiple_of(3) && !self.fields.is_empty() => {
                let field = self.fields.swap_remove(pick % self.fields.len());
                self.navigator.release(field).expect("alive");
                self.navigator.release(field).expect_err("gone");
            }
            4 if !self.fields.is_empty() => {
                let field = self.fields[pick % self.fields.len()];
                let cell = self.cell();
                let policy = [WhileMaking::KeepOld, WhileMaking::Stop, WhileMaking::SinglePath];
                let policy = self.random.pick(&policy);
                self.navigator.advice(field, cell, policy).expect("alive");
            }
            _ => self.edit(),
        }
    }

    /// Every field as it is in the end, and the counts of what did not fail.
    fn rest(&mut self) -> (Vec<Option<FieldBundle>>, usize) {
        while self.navigator.update(&Serial).away > 0 {}
        let build = self.navigator.options().build;
        let mut bundles = Vec::new();
        for &field in &self.fields {
            assert_as_built(&mut self.navigator, field, &build);
            let mut reader = self.navigator.reader(field).expect("alive");
            let is_ready = self.navigator.status(field).expect("alive").is_ready();
            let latest = is_ready.then(|| reader.snapshot().expect("ready"));
            bundles.push(latest.map(|latest| FieldBundle::clone(latest.bundle())));
        }
        let ready = bundles.iter().flatten().count();
        (bundles, ready)
    }
}

/// Plays a script and lets it rest now and then; what each field then is, is returned.
fn play(seed: u64, pace: Pace) -> (Vec<Vec<Option<FieldBundle>>>, usize, Play) {
    let mut play = Play::new(seed);
    // Drawn apart from the script, so that every pace plays the same one.
    let mut paces = SplitMix64::new(seed ^ 0x5eed);
    let mut jobs = Vec::new();
    let mut last = std::collections::BTreeMap::new();
    let (mut rests, mut ready) = (Vec::new(), 0);
    for round in 0..60 {
        for _ in 0..1 + play.random.below(4) {
            play.turn();
        }
        let step = match pace {
            Pace::All => paces.pick(&[Pace::AtOnce, Pace::Budget(90), Pace::Budget(700), Pace::Jobs]),
            pace => pace,
        };
        match step {
            Pace::AtOnce | Pace::All => {
                play.navigator.update(&TestThreads(2));
            }
            Pace::Budget(budget) => {
                play.navigator.update_within(budget, &Serial);
            }
            Pace::Jobs => {
                jobs.extend(play.navigator.take_jobs(2));
                // They end in any order, late, or never.
                for _ in 0..paces.below(3).min(jobs.len() as u32) {
                    let index = paces.below(jobs.len() as u32) as usize;
                    let job: thalweg::navigator::FieldJob = jobs.swap_remove(index);
                    if paces.percent(85) {
                        job.run(&Serial);
                    }
                }
                play.navigator.update_within(0, &Serial);
            }
        }
        for &field in &play.fields {
            let have = match play.navigator.status(field).expect("alive") {
                FieldStatus::Ready(have) | FieldStatus::Stale { have, .. } => have,
                FieldStatus::Failed { have: Some(have), .. } => have,
                _ => continue,
            };
            let before = last.insert(field, have);
            let age =
                |versions: &thalweg::version::BundleVersions| (versions.cost, versions.goal, versions.field);
            if let Some(before) = before.filter(|before| *before != have) {
                let ((a, b, c), (x, y, z)) = (age(&before), age(&have));
                assert!(
                    a <= x && b <= y && c < z,
                    "seed {seed} round {round}: {before} then {have}"
                );
            }
        }
        if round % 20 == 19 {
            for job in jobs.drain(..) {
                job.run(&Serial);
            }
            let (bundles, some) = play.rest();
            rests.push(bundles);
            ready += some;
        }
    }
    (rests, ready, play)
}

#[test]
fn whatever_happens_every_field_at_rest_is_as_built_from_nothing() {
    let long = std::env::var_os("THALWEG_LONG").is_some();
    let seeds = if long { 5_000 } else { 60 };
    let (mut ready, mut restored, mut aside, mut failed, mut repaired) = (0, 0, 0, 0, 0);
    for seed in 0..seeds {
        let (_, some, play) = play(seed, Pace::All);
        let stats = play.navigator.stats();
        ready += some;
        restored += stats.bundles_restored;
        aside += stats.bundles_set_aside;
        failed += stats.builds_failed;
        repaired += stats.integrations_repaired;
    }
    say(&format!(
        "{ready} fields compared; {restored} restored, {aside} set aside, {failed} failed, {repaired} repaired"
    ));
    assert!(ready > 200 && restored > 20 && aside > 3 && failed > 50 && repaired > 100);
}

#[test]
fn neither_budgets_nor_jobs_change_the_final_bits() {
    let mut compared = 0;
    for seed in 1_000..1_025 {
        let (at_once, ..) = play(seed, Pace::AtOnce);
        for pace in [Pace::Budget(40), Pace::Budget(900), Pace::Jobs, Pace::All] {
            let (other, ..) = play(seed, pace);
            assert_eq!(at_once.len(), other.len());
            for (wanted, got) in at_once.iter().flatten().zip(other.iter().flatten()) {
                assert_eq!(wanted.is_some(), got.is_some(), "seed {seed} {pace:?}");
                if let (Some(wanted), Some(got)) = (wanted, got) {
                    assert_same(got, wanted, &format!("seed {seed} {pace:?}"));
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 300, "{compared} compared");
}
