//! What taking a snapshot of a published value costs, beside an uncontended `Arc::clone`.
//!
//! Usage: `publish [ROUNDS]`. Every contestant has one turn a round; a ratio is its time divided by that of `Arc::clone`,
//! made within the round. In "clone alone" no handle is dropped within the time (they are forgotten, which leaks one value),
//! so that the clone is not hidden behind a drop of the same cost.

#![expect(clippy::print_stdout, reason = "a program whose purpose is to print figures")]

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Instant;
use thalweg::publish::Published;

/// Calls per turn: some 30 microseconds, so that few turns are interrupted by other programs.
const CALLS: u32 = 5_000;

type Value = [u64; 8];

fn main() {
    let rounds = std::env::args()
        .nth(1)
        .and_then(|argument| argument.parse().ok())
        .unwrap_or(2001);
    println!(
        "{:<40} {:>8} {:>8}  ÷ Arc::clone: median, best by best",
        "", "ns best", "median"
    );
    for keeps in [true, false] {
        quiet(rounds, keeps);
    }
    busy(rounds);
}

/// Nobody publishes.
fn quiet(rounds: usize, keeps: bool) {
    let what = if keeps { "clone alone" } else { "clone and drop" };
    let plain: Arc<Value> = Arc::new([1; 8]);
    let slot: Published<Value> = Published::new([1; 8]);
    let (mut reader, mut borrower) = (slot.reader(), slot.reader());
    let mutex = Mutex::new(Arc::clone(&plain));
    let lock = RwLock::new(Arc::clone(&plain));
    let end = move |handle: Arc<Value>| {
        if keeps {
            std::mem::forget(black_box(handle));
        } else {
            drop(black_box(handle));
        }
    };
    let mut contestants: [(&str, &mut dyn FnMut()); 5] = [
        ("Arc::clone", &mut || end(Arc::clone(black_box(&plain)))),
        ("Reader::snapshot", &mut || end(black_box(&mut reader).snapshot())),
        ("Reader::latest (no handle)", &mut || {
            black_box(black_box(&mut borrower).latest());
        }),
        ("Mutex<Arc>, clone under it", &mut || {
            end(Arc::clone(&black_box(&mutex).lock().expect("not poisoned")));
        }),
        ("RwLock<Arc>, clone under it", &mut || {
            end(Arc::clone(&black_box(&lock).read().expect("not poisoned")));
        }),
    ];
    print!("{}", race(rounds, what, &mut contestants));
}

/// A writer on another thread publishes and collects without pause.
fn busy(rounds: usize) {
    let plain: Arc<Value> = Arc::new([1; 8]);
    let mut slot: Published<Value> = Published::new([1; 8]);
    let mut reader = slot.reader();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                slot.publish([1; 8]);
                slot.collect();
                // Some microseconds: far more often than any field is built.
                for _ in 0..1000 {
                    std::hint::spin_loop();
                }
            }
            println!("  (the writer published {} values meanwhile)", slot.generation());
        });
        let mut contestants: [(&str, &mut dyn FnMut()); 2] = [
            ("Arc::clone", &mut || {
                drop(black_box(Arc::clone(black_box(&plain))));
            }),
            ("Reader::snapshot", &mut || {
                drop(black_box(black_box(&mut reader).snapshot()));
            }),
        ];
        let table = race(rounds, "clone and drop, a writer at work", &mut contestants);
        stop.store(true, Ordering::Relaxed);
        // Only now: were it to fail before, the writer would go on for ever.
        print!("{table}");
    });
}

fn race(rounds: usize, what: &str, contestants: &mut [(&str, &mut dyn FnMut())]) -> String {
    let mut times = vec![Vec::with_capacity(rounds); contestants.len()];
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            // Another one begins in each round: none always follows the same one.
            let which = (turn + round) % contestants.len();
            let start = Instant::now();
            for _ in 0..CALLS {
                (contestants[which].1)();
            }
            times[which].push(start.elapsed().as_secs_f64() * 1e9 / f64::from(CALLS));
        }
    }
    let plain = times[0].iter().copied().fold(f64::INFINITY, f64::min);
    let mut table = format!("{what}\n");
    for ((name, _), own) in contestants.iter().zip(&times) {
        let ratios = sorted(own.iter().zip(&times[0]).map(|(own, plain)| own / plain));
        let own = sorted(own.iter().copied());
        table += &format!(
            "  {name:<38} {:>8.2} {:>8.2}  {:.2}, {:.2}\n",
            own[0],
            own[own.len() / 2],
            ratios[ratios.len() / 2],
            own[0] / plain
        );
    }
    table
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values
}
