//! Nobody ever shares a cell, changes places or crosses: ten million agent-steps of lifelong runs, judged one by one.
//!
//! Every map at 10, 30, 50, 70 and 90 % of its free cells; single cells or some bodies of 2 × 2, one pace or three; 4 and
//! 8 neighbours; following and squeezing allowed or not. `cargo test` takes a quarter of the settings on each map and share,
//! by turns, so that all of them come up on every map; `THALWEG_LONG=1` takes all, and a hundred million agent-steps.

use crate::instances::{Draws, Setting, TestMap, drawn_map, populate, run_and_judge, shared_map};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use thalweg::core::movement::Connectivity;
use thalweg::crowd::strict::{ConflictRules, StrictOptions};
use thalweg::mapf::MapfTasks;
use thalweg_testkit::cases::{is_long, say};

/// Agent-steps that are judged at least.
const SHORT: usize = 10_000_000;
const LONG: usize = 100_000_000;
/// Goals of each size of body.
const PLACES: usize = 24;
/// Ticks of a run at least: the slowest and most crowded must get somewhere.
const LEAST_TICKS: usize = 24;
/// Tasks that must be done of a thousand agent-steps where there is room; so that nobody passes by standing still.
const LEAST_DONE: usize = 2;

fn maps() -> Vec<TestMap> {
    let names = [
        "empty-8-8",
        "random-32-32-20",
        "maze-32-32-2",
        "warehouse-10-20-10-2-1",
        "tiny/corners",
        "tiny/tunnel",
        "tiny/string",
    ];
    let mut maps: Vec<TestMap> = names.into_iter().filter_map(shared_map).collect();
    maps.push(drawn_map("open", 40, 30, |_, _| false));
    // Rooms of 7 x 7 behind doors of one cell.
    maps.push(drawn_map("rooms", 41, 33, |x, y| {
        (x % 8 == 7 && y % 8 != 3) || (y % 8 == 7 && x % 8 != 4)
    }));
    // Shelves of 6 x 2 between lanes of two cells, which large bodies can use.
    maps.push(drawn_map("shelves", 50, 34, |x, y| {
        (2..48).contains(&x) && (2..32).contains(&y) && (x - 2) % 8 < 6 && (y - 2) % 4 < 2
    }));
    // One wall of three cells in every 5 x 5, turned by turns.
    maps.push(drawn_map("scattered", 36, 36, |x, y| {
        let (column, row) = (x % 5, y % 5);
        if (x / 5 + y / 5).is_multiple_of(2) {
            row == 2 && (1..4).contains(&column)
        } else {
            column == 2 && (1..4).contains(&row)
        }
    }));
    maps
}

#[derive(Clone, Copy)]
struct Job {
    map: usize,
    percent: usize,
    /// Its bits: 8 neighbours, following, squeezing, large bodies, slow ones.
    setting: usize,
}

fn jobs(maps: usize, all: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for map in 0..maps {
        for (share, percent) in [10, 30, 50, 70, 90].into_iter().enumerate() {
            for rules in 0..8 {
                for bodies in 0..4 {
                    if all || (map + share + rules) % 4 == bodies {
                        jobs.push(Job {
                            map,
                            percent,
                            setting: bodies << 3 | rules,
                        });
                    }
                }
            }
        }
    }
    jobs
}

#[derive(Default)]
struct Sums {
    agent_steps: usize,
    steps: u64,
    tasks_done: usize,
    longest_wait: u32,
    faults: Vec<String>,
}

#[test]
fn no_conflict_in_ten_million_agent_steps() {
    let maps = maps();
    let jobs = jobs(maps.len(), is_long());
    let wanted = if is_long() { LONG } else { SHORT };
    let budget = wanted.div_ceil(jobs.len());
    let (next, sums) = (AtomicUsize::new(0), Mutex::new(Sums::default()));
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(8));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run_job(&maps[job.map], *job, budget, &sums);
                }
            });
        }
    });
    let sums = sums.into_inner().expect("no run panicked");
    say(&format!(
        "{} runs, {} agent-steps, {} steps, {} tasks, longest wait {} ticks",
        jobs.len(),
        sums.agent_steps,
        sums.steps,
        sums.tasks_done,
        sums.longest_wait
    ));
    assert!(sums.faults.is_empty(), "{}", sums.faults.join("\n"));
    assert!(sums.agent_steps >= wanted, "{} of {wanted}", sums.agent_steps);
}

fn run_job(map: &TestMap, job: Job, budget: usize, sums: &Mutex<Sums>) {
    let bit = |place: usize| job.setting >> place & 1 == 1;
    let setting = Setting {
        neighbours: if bit(0) {
            Connectivity::Eight
        } else {
            Connectivity::Four
        },
        rules: ConflictRules {
            following: bit(1),
            squeezing: bit(2),
        },
        has_large: bit(3),
        has_slow: bit(4),
        percent: job.percent,
    };
    let seed = (job.map * 1000 + job.percent * 32 + job.setting) as u64;
    let population = populate(map, &setting, PLACES, &mut Draws(seed));
    let agents = population.agents.len();
    let tasks = MapfTasks::drawn(agents, population.goals, seed);
    let mut strict = StrictOptions::default();
    strict.rules = setting.rules;
    strict.seed = seed;
    // Searches move agents too, and must be judged; but in full worlds they would be all that is done here.
    strict.search_after = 12;
    strict.search_budget = u32::try_from(4 * agents).unwrap_or(u32::MAX);
    strict.search_limit = 64 * u64::from(strict.search_budget);
    let ticks = budget.div_ceil(agents).max(LEAST_TICKS);
    let came = run_and_judge(
        map,
        &setting,
        strict,
        population.agents,
        Some(tasks),
        u32::try_from(ticks).expect("a short run"),
    );
    let name = format!(
        "{} at {} % ({} %), {} agents, {} ticks, {:?}, {:?}, large {}, slow {}, seed {seed}",
        map.name,
        job.percent,
        population.covered,
        agents,
        came.ticks,
        setting.neighbours,
        setting.rules,
        setting.has_large,
        setting.has_slow
    );
    let mut sums = sums.lock().expect("no run panicked");
    let agent_steps = agents * came.ticks as usize;
    sums.agent_steps += agent_steps;
    sums.steps += came.verdict.steps;
    sums.tasks_done += came.tasks_done;
    sums.longest_wait = sums.longest_wait.max(came.longest_wait);
    if let Some(first) = came.verdict.conflicts.first() {
        let total = came.verdict.total();
        sums.faults
            .push(format!("{name}: {total} conflicts, first {first}"));
    }
    // Where the judge counts other tasks than the run, one of them is wrong.
    if came.verdict.tasks_done != came.tasks_done {
        let judged = came.verdict.tasks_done;
        sums.faults.push(format!(
            "{name}: {} tasks done, {judged} by the judge",
            came.tasks_done
        ));
    }
    let is_easy = job.percent == 10 && map.name == "open";
    if is_easy && came.tasks_done * 1000 < agent_steps * LEAST_DONE {
        sums.faults.push(format!(
            "{name}: only {} tasks in {agent_steps} agent-steps",
            came.tasks_done
        ));
    }
}
