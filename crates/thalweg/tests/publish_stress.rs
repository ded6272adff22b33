//! The publication under real threads: readers that take, hold, let go of and pass on what a writer replaces all the time.
//!
//! Every reader checks that all channels of what it holds are of one generation, and that none it takes is older than the one
//! before; every value counts how often it was freed, and notices if somebody else than the writer frees it.
//! Longer: `THALWEG_LONG=1 cargo test --release -p thalweg --test publish_stress`. Under sanitizers: `fuzz/sanitize`.

#![expect(
    clippy::print_stdout,
    reason = "how much was put to the test, for `-- --nocapture`"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use thalweg::core::workers::Serial;
use thalweg::prelude::*;
use thalweg::publish::{Generation, HeldBytes, Published, Reader, Snapshot};

const READERS: u64 = 4;

fn generations(short: u64, long: u64) -> u64 {
    if std::env::var_os("THALWEG_LONG").is_some() {
        long
    } else {
        short
    }
}

/// How often each value was freed, and who may free one.
struct Freed {
    times: Vec<AtomicU8>,
    writer: ThreadId,
    by_others: AtomicU64,
}

impl Freed {
    /// For values of generations 1 to `generations`; the calling thread is the writer.
    fn of(generations: u64) -> Arc<Self> {
        Arc::new(Self {
            times: (0..=generations).map(|_| AtomicU8::new(0)).collect(),
            writer: thread::current().id(),
            by_others: AtomicU64::new(0),
        })
    }

    fn assert_each_once(&self) {
        for (generation, times) in self.times.iter().enumerate().skip(1) {
            assert_eq!(
                times.load(Ordering::Relaxed),
                1,
                "times that generation {generation} was freed"
            );
        }
    }
}

/// Tells of its end.
struct Token {
    generation: u64,
    freed: Arc<Freed>,
}

impl Drop for Token {
    fn drop(&mut self) {
        let index = usize::try_from(self.generation).expect("a generation of the test");
        self.freed.times[index].fetch_add(1, Ordering::Relaxed);
        if thread::current().id() != self.freed.writer {
            self.freed.by_others.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What a reader can check to be of one generation.
trait Whole: HeldBytes + Send + Sync + 'static {
    fn make(generation: u64, freed: &Arc<Freed>) -> Self;

    /// The generation, after a look at every channel.
    fn generation(&self) -> Generation;
}

/// Numbers alone: the fastest, so that threads meet most often.
struct Channels {
    channels: [Vec<u64>; 4],
    token: Token,
}

impl HeldBytes for Channels {
    fn held_bytes(&self) -> usize {
        self.channels.iter().map(|channel| channel.len() * 8).sum()
    }
}

impl Whole for Channels {
    fn make(generation: u64, freed: &Arc<Freed>) -> Self {
        let freed = Arc::clone(freed);
        Self {
            channels: std::array::from_fn(|_| vec![generation; 8]),
            token: Token { generation, freed },
        }
    }

    fn generation(&self) -> Generation {
        let generation = self.token.generation;
        for channel in &self.channels {
            assert!(
                channel.iter().all(|&value| value == generation),
                "{channel:?} in generation {generation}"
            );
        }
        Generation(generation)
    }
}

/// A real field: a corridor whose cost per cell and whose goal, at one end or the other, follow from the generation.
struct Corridor {
    bundle: FieldBundle,
    token: Token,
}

const LENGTH: u32 = 24;

impl HeldBytes for Corridor {
    fn held_bytes(&self) -> usize {
        self.bundle.held_bytes()
    }
}

impl Whole for Corridor {
    fn make(generation: u64, freed: &Arc<Freed>) -> Self {
        let cost = Cost::from_byte(Self::cost(generation));
        let costs = CostField::filled(Grid::new(LENGTH, 1).expect("a small grid"), cost);
        let movement = Movement::compile(&costs, &MovementProfile::new());
        let goals = GoalSet::from_cells([Self::goal(generation)]);
        let options = BuildOptions::new().with_lengths();
        let bundle = FieldBundle::build(movement, &goals, &options, &mut BuildScratch::new(), &Serial)
            .expect("a corridor has a field");
        let freed = Arc::clone(freed);
        Self {
            bundle,
            token: Token { generation, freed },
        }
    }

    fn generation(&self) -> Generation {
        let generation = self.token.generation;
        let goal = Self::goal(generation);
        for x in 0..LENGTH.cast_signed() {
            let cell = Cell::new(x, 0);
            let steps = x.abs_diff(goal.x);
            let at = self.bundle.query(cell);
            assert_eq!(
                at.cost(),
                Some(CostToGoal(steps * 10 * u32::from(Self::cost(generation))))
            );
            let toward = match x.cmp(&goal.x) {
                std::cmp::Ordering::Less => Some(Direction::E),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Direction::W),
            };
            assert_eq!(at.direction(), toward);
            let id = self.bundle.grid().id(cell).expect("a cell of the corridor");
            let lengths = self.bundle.lengths().expect("lengths were asked for");
            assert_eq!(lengths.length(id).map(|way| way.straight), Some(steps));
        }
        Generation(generation)
    }
}

impl Corridor {
    fn cost(generation: u64) -> u8 {
        u8::try_from(1 + generation % 200).expect("at most 200")
    }

    fn goal(generation: u64) -> Cell {
        let end = LENGTH.cast_signed() - 1;
        Cell::new(if generation.is_multiple_of(2) { end } else { 0 }, 0)
    }
}

/// Numbers that are different for every reader and the same in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Reads until told to stop, and returns how often and how many different generations.
fn read<T: Whole>(mut reader: Reader<T>, number: u64, stop: &AtomicBool) -> (u64, u64) {
    let mut draws = Draws(number);
    let mut held: Vec<Snapshot<T>> = Vec::new();
    let (mut looks, mut generations) = (0, 0);
    let mut newest = Generation::default();
    loop {
        // Looked at before the last round, so that each reader sees the last generation too.
        let last = stop.load(Ordering::Acquire);
        let oldest = newest;
        match draws.below(8) {
            0 => reader.release(),
            1 => reader = reader.clone(),
            2 => assert_eq!(reader.latest().generation(), reader.generation()),
            _ => {}
        }
        let snapshot = reader.snapshot();
        newest = snapshot.generation();
        assert_eq!(newest, reader.generation());
        assert!(newest >= oldest, "{newest} after {oldest}");
        generations += u64::from(newest > oldest);
        looks += 1;
        // Some are held for long, and looked at again while others come and go.
        if draws.below(4) == 0 {
            held.push(snapshot);
        }
        if held.len() > 6 || draws.below(64) == 0 {
            let index = usize::try_from(draws.below(7)).expect("below 7");
            if index < held.len() {
                assert!(held.swap_remove(index).generation() <= newest);
            }
        }
        if last {
            for snapshot in held {
                assert!(snapshot.generation() <= newest);
            }
            return (looks, generations);
        }
    }
}

fn stress<T: Whole>(generations: u64) {
    let freed = Freed::of(generations);
    let mut slot = Published::new(T::make(1, &freed));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS)
            .map(|number| {
                let (reader, stop) = (slot.reader(), &stop);
                scope.spawn(move || read(reader, number, stop))
            })
            .collect();
        let mut most_waiting = 0;
        for generation in 2..=generations {
            assert_eq!(slot.publish(T::make(generation, &freed)), Generation(generation));
            if generation.is_multiple_of(3) {
                slot.collect();
                most_waiting = most_waiting.max(slot.waiting());
            }
            if generation.is_multiple_of(64) {
                thread::yield_now();
            }
        }
        stop.store(true, Ordering::Release);
        // What each reader saw last, the snapshot in its hand, and 7 that it keeps.
        assert!(most_waiting <= 9 * 4, "{most_waiting} values wait");
        let mut seen = 0;
        for reader in readers {
            let (looks, generations) = reader.join().expect("a reader found no fault");
            assert!(looks >= generations && generations >= 1);
            seen += generations;
        }
        println!(
            "{seen} changes seen by {READERS} readers of {generations} generations, at most {most_waiting} waiting"
        );
    });
    slot.collect();
    let counters = slot.counters();
    assert_eq!(
        (counters.published, counters.collected),
        (generations, generations - 1)
    );
    assert_eq!((counters.waiting, counters.retired_bytes), (0, 0));
    assert_eq!(counters.live_bytes, slot.current().held_bytes());
    drop(slot);
    freed.assert_each_once();
    assert_eq!(
        freed.by_others.load(Ordering::Relaxed),
        0,
        "values freed by readers"
    );
}

#[test]
fn readers_of_numbers_see_whole_generations_that_never_go_back() {
    stress::<Channels>(generations(20_000, 5_000_000));
}

#[test]
fn readers_of_fields_see_whole_generations_that_never_go_back() {
    stress::<Corridor>(generations(2_000, 200_000));
}

#[test]
fn retired_bytes_are_counted_until_they_are_freed() {
    let freed = Freed::of(3);
    let mut slot = Published::new(Channels::make(1, &freed));
    let one = slot.current().held_bytes();
    let mut reader = slot.reader();
    let kept = reader.snapshot();
    slot.publish(Channels::make(2, &freed));
    slot.publish(Channels::make(3, &freed));
    let counters = slot.counters();
    assert_eq!(
        (counters.waiting, counters.live_bytes, counters.retired_bytes),
        (2, one, 2 * one)
    );
    assert_eq!(slot.collect(), 1, "generation 1 is held twice, 2 by nobody");
    drop(kept);
    assert_eq!(slot.collect(), 0, "the reader still has what it saw last");
    assert!(reader.is_behind());
    reader.release();
    let mut handed_on = Vec::new();
    assert_eq!(slot.collect_into(|value| handed_on.push(value)), 1);
    assert_eq!(handed_on[0].generation(), Generation(1));
    assert_eq!(slot.counters().retired_bytes, 0);
    drop((handed_on, slot, reader));
    freed.assert_each_once();
}

/// The last reader frees what is left.
#[test]
#[cfg_attr(
    thread_sanitizer,
    ignore = "the last owner of an `Arc` orders what the others did by a fence, which the sanitizer does not know"
)]
fn readers_outlive_the_writer() {
    let freed = Freed::of(2);
    let mut slot = Published::new(Channels::make(1, &freed));
    let readers: Vec<_> = (0..READERS).map(|_| slot.reader()).collect();
    slot.publish(Channels::make(2, &freed));
    drop(slot);
    thread::scope(|scope| {
        for mut reader in readers {
            scope.spawn(move || {
                assert_eq!(reader.latest().generation(), Generation(2));
                assert_eq!(reader.clone().snapshot().generation(), Generation(2));
            });
        }
    });
    freed.assert_each_once();
}
