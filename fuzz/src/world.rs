//! Worlds of everything at once and any edits to them: every answer is that of a search over listed edges.
//!
//! The world with its whole configuration, the edits and the questions come from the bytes, by the code that draws the
//! random worlds of `thalweg-core/tests/worlds.rs`.

use arbitrary::Unstructured;
use std::cell::RefCell;
use thalweg_testkit::world::{Checker, Depth, Draw, Product, World};

/// The longest side of a world of one floor. Small: more inputs find more than larger ones.
const LONGEST: u32 = 5;

const DEPTH: Depth = Depth {
    routes: 1,
    walks: 9,
    states: 12,
    parts: 16,
    threads: false,
};

/// After an edit: costs, edges, every engine, directions, and now and then a walk.
const AFTER_EDITS: Depth = Depth {
    routes: 0,
    walks: 23,
    states: 0,
    parts: 0,
    threads: false,
};

/// Numbers from bytes; zeros when they have run out.
struct Bytes<'a>(Unstructured<'a>);

impl Draw for Bytes<'_> {
    fn below(&mut self, end: u32) -> u32 {
        self.0.int_in_range(0..=end - 1).unwrap_or(0)
    }
}

thread_local! {
    /// Buffers that all inputs share: nothing in them may carry over.
    static CHECKER: RefCell<Checker> = RefCell::new(Checker::new());
}

/// A world, then edits.
pub fn run(data: &[u8]) {
    CHECKER.with_borrow_mut(|checker| check(checker, &mut Bytes(Unstructured::new(data))));
}

fn check(checker: &mut Checker, random: &mut Bytes<'_>) {
    let mut world = World::draw(random, LONGEST);
    let mut product = Product::new(&world);
    checker.check(&world, &product, &DEPTH, random);
    for _ in 0..random.pick(&[0, 1, 0, 2, 4]) {
        let edit = world.edit(random);
        product.apply(&edit);
        let depth = if random.percent(10) { DEPTH } else { AFTER_EDITS };
        checker.check(&world, &product, &depth, random);
    }
}
