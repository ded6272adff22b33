//! Builds that run elsewhere.

use crate::kit::{assert_as_built, goal, navigator, open};
use thalweg::living_map::{LivingMap, ProfileSpec};
use thalweg::navigator::{FieldJob, FieldStatus, Navigator, NavigatorOptions};
use thalweg::prelude::*;
use thalweg_testkit::threads::TestThreads;

#[test]
fn jobs_run_on_any_thread_and_the_next_update_publishes_them() {
    fn anywhere<T: Send + 'static>(value: T) -> T {
        value
    }
    let (mut navigator, walker) = navigator(open(64, 64));
    // A navigator may move to another thread, and its jobs go anywhere.
    navigator = anywhere(navigator);
    let fields = [3, 30, 60].map(|x| navigator.request(walker, goal(x, 63)).expect("a field"));
    let jobs = anywhere(navigator.take_jobs(2));
    assert_eq!(jobs.iter().map(FieldJob::field).collect::<Vec<_>>(), fields[..2]);
    let threads: Vec<_> = jobs
        .into_iter()
        .map(|job| std::thread::spawn(move || job.run(&TestThreads(2))))
        .collect();
    for thread in threads {
        thread.join().expect("no panic");
    }
    assert!(
        !navigator.status(fields[0]).expect("alive").is_ready(),
        "not before an update"
    );
    let report = navigator.update_within(0, &Serial);
    assert_eq!((report.published, report.waiting, report.away), (2, 1, 0));
    navigator.update(&Serial);
    for field in fields {
        assert_as_built(&mut navigator, field, &BuildOptions::new());
    }
}

#[test]
fn a_field_has_one_job_at_a_time_and_an_update_does_not_wait_for_it() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    let mut jobs = navigator.take_jobs(9);
    assert_eq!(jobs.len(), 1);
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::IMPASSABLE)
        .expect("on the map");
    navigator.set_goals(field, goal(4, 4)).expect("alive");
    assert!(navigator.take_jobs(9).is_empty());
    let report = navigator.update(&Serial);
    assert_eq!((report.published, report.waiting, report.away), (0, 0, 1));
    jobs.remove(0).run(&Serial);
    // It is published, as stale as it is, and then what is wanted now.
    let report = navigator.update(&Serial);
    assert_eq!((report.published, report.away), (2, 0));
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn a_job_that_is_dropped_gives_its_work_back() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    drop(navigator.take_jobs(9));
    navigator.update(&Serial);
    assert_eq!(navigator.stats().jobs_dropped, 1);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

/// Workers that nobody may ask for anything.
struct Untouched;

impl Workers for Untouched {
    fn threads(&self) -> usize {
        panic!("the job goes on although nobody wants it")
    }

    fn run(&self, _: usize, _: &(dyn Fn(usize) + Sync)) {
        panic!("the job goes on although nobody wants it")
    }
}

#[test]
fn a_job_whose_field_is_gone_ends_early_and_is_not_given_to_the_next_in_its_place() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    let mut jobs = navigator.take_jobs(9);
    navigator.release(field).expect("alive");
    let next = navigator.request(walker, goal(9, 9)).expect("a field");
    assert_eq!(next.index(), field.index());
    jobs.remove(0).run(&Untouched);
    let report = navigator.update_within(0, &Serial);
    assert_eq!((report.published, report.waiting), (0, 1));
    navigator.update(&Serial);
    assert_as_built(&mut navigator, next, &BuildOptions::new());
    // Nor does one outlive its navigator in vain.
    navigator.set_goals(next, goal(1, 1)).expect("alive");
    let mut jobs = navigator.take_jobs(1);
    drop(navigator);
    jobs.remove(0).run(&Untouched);
}

#[test]
fn what_comes_back_late_never_turns_versions_back() {
    let (mut navigator, walker) = navigator(open(16, 16));
    let field = navigator.request(walker, goal(3, 3)).expect("a field");
    navigator.update(&Serial);
    navigator.set_goals(field, goal(5, 5)).expect("alive");
    let mut jobs = navigator.take_jobs(1);
    // The goals are back where they were: right again. Then the map changes: stale, at a later goal version.
    navigator.set_goals(field, goal(3, 3)).expect("alive");
    let mut reader = navigator.reader(field).expect("alive");
    let before = reader.latest().expect("published").versions();
    navigator
        .map_mut()
        .set(Cell::new(8, 8), Cost::IMPASSABLE)
        .expect("on the map");
    jobs.remove(0).run(&Serial);
    navigator.update_within(0, &Serial);
    assert_eq!(
        reader.latest().expect("published").versions(),
        before,
        "the late one is not shown"
    );
    assert_eq!(navigator.stats().bundles_set_aside, 1);
    navigator.update(&Serial);
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}

#[test]
fn the_order_in_which_jobs_come_back_does_not_show() {
    let run = |order: &[usize]| {
        let mut navigator = Navigator::new(LivingMap::new(open(20, 20)), NavigatorOptions::new());
        let spec = ProfileSpec::new(MovementProfile::new());
        let walker = navigator.map_mut().add_profile(spec).expect("a profile");
        let fields = [1, 7, 13].map(|x| navigator.request(walker, goal(x, 19)).expect("a field"));
        let mut jobs: Vec<_> = navigator.take_jobs(3).into_iter().map(Some).collect();
        for &index in order {
            jobs[index].take().expect("each once").run(&Serial);
        }
        let report = navigator.update(&Serial);
        let versions = fields.map(|field| {
            let Ok(FieldStatus::Ready(versions)) = navigator.status(field) else {
                panic!("not ready");
            };
            assert_as_built(&mut navigator, field, &BuildOptions::new());
            versions
        });
        // Nor in whose turn it is after the next edit.
        navigator
            .map_mut()
            .set(Cell::new(9, 9), Cost::IMPASSABLE)
            .expect("on the map");
        let mut turns = Vec::new();
        while turns.len() < fields.len() {
            navigator.update_within(1, &Serial);
            for field in fields {
                if navigator.status(field).expect("alive").is_ready() && !turns.contains(&field.index()) {
                    turns.push(field.index());
                }
            }
        }
        (report, versions, turns)
    };
    let first = run(&[0, 1, 2]);
    assert_eq!(run(&[2, 1, 0]), first);
    assert_eq!(run(&[1, 2, 0]), first);
}

#[test]
fn readers_on_other_threads_see_whole_generations_that_never_go_back() {
    let (mut navigator, walker) = navigator(open(24, 24));
    let field = navigator.request(walker, goal(0, 0)).expect("a field");
    let reader = navigator.reader(field).expect("alive");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let (mut reader, stop) = (reader.clone(), &stop);
            scope.spawn(move || {
                let mut last = None;
                let mut seen = 0;
                while !stop.load(std::sync::atomic::Ordering::Relaxed) || seen == 0 {
                    let Ok(latest) = reader.latest() else { continue };
                    let versions = latest.versions();
                    assert!(last <= Some(versions.field), "{last:?} then {versions}");
                    last = Some(versions.field);
                    // The bundle, its goals and its versions are of one making.
                    let cell = latest.goals().goals()[0].cells[0];
                    let at = latest.bundle().query(cell);
                    assert_eq!(at.cost(), Some(CostToGoal(0)), "{versions} at {cell}");
                    assert_eq!(cell.x, (versions.goal.0 % 24) as i32, "{versions} at {cell}");
                    seen += 1;
                }
            });
        }
        for tick in 1..=150 {
            navigator.set_goals(field, goal(tick % 24, 3)).expect("alive");
            if tick % 3 == 0 {
                for job in navigator.take_jobs(1) {
                    scope.spawn(move || job.run(&Serial));
                }
            }
            navigator.update_within(4_000, &Serial);
        }
        while navigator.update(&Serial).away > 0 {}
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_as_built(&mut navigator, field, &BuildOptions::new());
}
