//! The publication under a model checker: the files of `src/publish` are compiled again with loom's mutex, atomics and
//! `Arc`, and every order in which the threads of a small program can meet is run, late reads of atomics included.
//!
//! Each value carries a pair that must not be torn, and a cell whose accesses loom checks for data races; freeing a value
//! writes to it. So a value that is freed while somebody may still read it is found although nothing crashes.

use loom::cell::Cell;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread::{self, JoinHandle};
use publish::{Generation, Published, Reader, Snapshot};
use std::sync::Arc as StdArc;
use std::sync::atomic::{AtomicU64 as StdU64, Ordering as StdOrdering};

#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    unnameable_types,
    reason = "the product's own files, of which the models use a part"
)]
#[path = "../src/publish/mod.rs"]
mod publish;

/// What `src/sync.rs` is to the product.
mod sync {
    pub(crate) use loom::sync::Arc;
    pub(crate) use loom::sync::atomic::{AtomicU64, Ordering};

    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn new(value: T) -> Self {
            Self(loom::sync::Mutex::new(value))
        }

        pub(crate) fn with<R>(&self, job: impl FnOnce(&mut T) -> R) -> R {
            job(&mut self.0.lock().expect("no job panics"))
        }
    }
}

/// How often each value was freed. The checker does not see it, so it orders nothing.
#[derive(Clone)]
struct Freed(StdArc<[StdU64]>);

impl Freed {
    fn of(values: usize) -> Self {
        Self((0..values).map(|_| StdU64::new(0)).collect())
    }

    fn total(&self) -> u64 {
        self.0.iter().map(|times| times.load(StdOrdering::Relaxed)).sum()
    }

    /// Called when everything is gone.
    fn assert_each_once(&self) {
        for (number, times) in self.0.iter().enumerate() {
            assert_eq!(
                times.load(StdOrdering::Relaxed),
                1,
                "times that value {number} was freed"
            );
        }
    }
}

/// A value with two channels. Its number counts from 0; the models publish it as generation `number + 1`.
struct Value {
    number: u64,
    twin: Cell<u64>,
    freed: Freed,
}

impl Value {
    fn new(number: u64, freed: &Freed) -> Self {
        Self {
            number,
            twin: Cell::new(number),
            freed: freed.clone(),
        }
    }

    fn generation(&self) -> Generation {
        assert_eq!(self.twin.get(), self.number, "channels of two generations");
        Generation(self.number + 1)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        self.twin.set(u64::MAX);
        let number = usize::try_from(self.number).expect("a small number");
        self.freed.0[number].fetch_add(1, StdOrdering::Relaxed);
    }
}

/// Takes that many snapshots, holds two at a time, and checks each: whole, of the generation that the reader says, not before
/// the one before.
fn read(reader: &mut Reader<Value>, times: usize) {
    let mut before: Option<Snapshot<Value>> = None;
    for _ in 0..times {
        let oldest = reader.generation();
        let snapshot = reader.snapshot();
        assert_eq!(snapshot.generation(), reader.generation());
        assert!(
            reader.generation() >= oldest,
            "{} after {oldest}",
            reader.generation()
        );
        if let Some(before) = before.replace(snapshot) {
            assert!(before.generation() <= reader.generation());
        }
    }
}

fn spawn_reader(mut reader: Reader<Value>, times: usize) -> JoinHandle<()> {
    thread::spawn(move || read(&mut reader, times))
}

/// All orders of the threads, with at most this many of them switched away from while they could have gone on; all
/// without a limit.
fn check(preemptions: Option<usize>, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = preemptions;
    builder.check(model);
}

#[test]
fn two_readers_see_whole_values_that_never_go_back_and_the_writer_frees_each_once() {
    check(Some(3), || {
        let freed = Freed::of(3);
        let mut slot = Published::new(Value::new(0, &freed));
        let readers = [(); 2].map(|()| spawn_reader(slot.reader(), 2));
        let mut collected = 0;
        for number in 1..3 {
            assert_eq!(slot.publish(Value::new(number, &freed)), Generation(number + 1));
            collected += slot.collect();
        }
        readers
            .into_iter()
            .for_each(|reader| reader.join().expect("a reader found no fault"));
        // Readers hold nothing any more, and all that was freed was freed by the writer.
        assert_eq!(freed.total(), collected);
        collected += slot.collect();
        assert_eq!((slot.waiting(), collected, freed.total()), (0, 2, 2));
        drop(slot);
        freed.assert_each_once();
    });
}

#[test]
fn a_reader_and_a_clone_of_it_never_go_back() {
    check(None, || {
        let freed = Freed::of(2);
        let mut slot = Published::new(Value::new(0, &freed));
        let mut reader = slot.reader();
        let other = thread::spawn(move || {
            read(&mut reader, 1);
            let mut clone = reader.clone();
            let least = reader.generation();
            reader.release();
            let third = thread::spawn(move || {
                assert!(clone.snapshot().generation() >= least);
            });
            assert!(reader.snapshot().generation() >= least);
            assert_eq!(reader.latest().generation(), reader.generation());
            third.join().expect("the clone found no fault");
        });
        slot.publish(Value::new(1, &freed));
        slot.collect();
        other.join().expect("the reader found no fault");
        slot.collect();
        assert_eq!(slot.waiting(), 0);
        drop(slot);
        freed.assert_each_once();
    });
}

#[test]
fn who_knows_that_a_value_was_published_sees_it() {
    check(None, || {
        let freed = Freed::of(2);
        let mut slot = Published::new(Value::new(0, &freed));
        let mut reader = slot.reader();
        let told = StdArc::new(AtomicBool::new(false));
        let listener = {
            let told = StdArc::clone(&told);
            thread::spawn(move || {
                let first = reader.snapshot().generation();
                let knows = told.load(Ordering::Acquire);
                let second = reader.snapshot().generation();
                assert!(second >= first);
                assert!(!knows || second == Generation(2), "told of 2, {second} was read");
            })
        };
        slot.publish(Value::new(1, &freed));
        told.store(true, Ordering::Release);
        listener.join().expect("the listener found no fault");
        drop(slot);
        freed.assert_each_once();
    });
}

#[test]
fn who_sees_a_new_generation_sees_what_the_writer_did_before_it() {
    check(None, || {
        let freed = Freed::of(2);
        let mut slot = Published::new(Value::new(0, &freed));
        let reader = {
            let mut reader = slot.reader();
            let _ = reader.latest();
            reader
        };
        let beside = StdArc::new(AtomicBool::new(false));
        let listener = {
            let beside = StdArc::clone(&beside);
            thread::spawn(move || {
                if reader.is_behind() {
                    assert!(beside.load(Ordering::Relaxed));
                }
            })
        };
        beside.store(true, Ordering::Relaxed);
        slot.publish(Value::new(1, &freed));
        listener.join().expect("the listener found no fault");
    });
}

#[test]
fn a_value_that_is_published_again_is_freed_once() {
    check(Some(3), || {
        let freed = Freed::of(2);
        let mut slot = Published::new(Value::new(0, &freed));
        let mut reader = slot.reader();
        let other = thread::spawn(move || {
            let mut before = Generation::default();
            for _ in 0..2 {
                reader.snapshot().generation();
                assert!(reader.generation() >= before);
                before = reader.generation();
            }
        });
        let kept = Snapshot::clone(slot.current());
        slot.publish(Value::new(1, &freed));
        slot.collect();
        assert_eq!(slot.publish(Snapshot::clone(&kept)), Generation(3));
        assert_eq!(
            slot.publish(kept),
            Generation(4),
            "over itself, without being retired"
        );
        slot.collect();
        assert_eq!(
            freed.0[0].load(StdOrdering::Relaxed),
            0,
            "the current value lives"
        );
        other.join().expect("the reader found no fault");
        slot.collect();
        assert_eq!((slot.waiting(), freed.total()), (0, 1));
        drop(slot);
        freed.assert_each_once();
    });
}

#[test]
fn if_the_writer_goes_first_readers_keep_its_last_value_and_nothing_leaks() {
    check(Some(3), || {
        let freed = Freed::of(2);
        let mut slot = Published::new(Value::new(0, &freed));
        let readers = [(); 2].map(|()| spawn_reader(slot.reader(), 2));
        let mut mine = slot.reader();
        slot.publish(Value::new(1, &freed));
        drop(slot);
        assert_eq!(mine.snapshot().generation(), Generation(2));
        drop(mine);
        readers
            .into_iter()
            .for_each(|reader| reader.join().expect("a reader found no fault"));
        freed.assert_each_once();
    });
}
