//! Everything the core says of a world, against what the rules say.

use super::search::Truth;
use super::{Draw, Product, Rules, World};
use crate::threads::TestThreads;
use thalweg_core::flow::{
    ExtractOptions, FlowField, FlowScratch, HeadingScratch, OrderScratch, extract_with,
};
use thalweg_core::integrate::{IntegrateScratch, IntegrationField, Vectors};
use thalweg_core::movement::Movement;
use thalweg_core::route::RouteScratch;

/// How much of a world is looked at beside its field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Single ways are asked for from so many cells.
    pub routes: u32,
    /// Walks by headings begin on every so manieth cell; 0 for none.
    pub walks: usize,
    /// Turn and time states are compared on worlds of at most so many cells.
    pub states: usize,
    /// Components are compared on worlds of at most so many cells.
    pub parts: usize,
    /// Whether directions are made on 1, 2 and 8 threads too.
    pub threads: bool,
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Worlds compared, after an edit or for another profile once more.
    pub checks: u64,
    /// Worlds without a goal that can be used.
    pub without_goals: u64,
    /// Worlds on which a cost did not fit.
    pub overflows: u64,
    /// Fields, one per engine.
    pub fields: u64,
    /// Anchors of fields.
    pub anchors: u64,
    /// Anchors reached.
    pub reached: u64,
    /// Anchors unknown because the limit cut something off.
    pub cut_off: u64,
    /// Anchors of several successors.
    pub ties: u64,
    /// Edges.
    pub edges: u64,
    /// Single ways found.
    pub routes: u64,
    /// Walks by headings.
    pub walks: u64,
    /// Turn states.
    pub turn_states: u64,
    /// Time states.
    pub time_states: u64,
    /// Time states that cost other than at the horizon.
    pub time_matters: u64,
    /// Worlds whose components were compared.
    pub parts: u64,
    /// Cuts asked about that cut somebody off.
    pub cuts: u64,
    /// Fields made on several threads.
    pub threaded: u64,
}

/// Compares worlds. Its buffers pass from world to world, so that what is left in them is part of the test.
#[derive(Debug, Default)]
pub struct Checker {
    /// What was looked at so far.
    pub counts: Counts,
    pub(super) integrate: IntegrateScratch,
    pub(super) flow: FlowScratch,
    pub(super) order: OrderScratch,
    pub(super) headings: HeadingScratch,
    pub(super) route: RouteScratch,
    pub(super) path: Vec<thalweg_core::grid::CellId>,
    /// The field and the directions of the world before.
    pub(super) dirty: Option<(IntegrationField, FlowField)>,
}

/// A finished field with what it must say.
pub(super) struct Made<'a> {
    pub(super) world: &'a World,
    pub(super) truth: &'a Truth<'a>,
    pub(super) movement: &'a Movement,
    pub(super) field: &'a IntegrationField,
    pub(super) flow: &'a FlowField,
}

impl Checker {
    /// A checker with empty buffers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Compares everything the core says of a world with what follows from the rules.
    ///
    /// # Panics
    /// If something differs; the message names it and shows the world.
    pub fn check<D: Draw>(&mut self, world: &World, product: &Product, depth: &Depth, random: &mut D) {
        self.counts.checks += 1;
        let rules = Rules::new(world);
        let truth = Truth::new(&rules);
        let costs = product.costs();
        let movement = product.movement(&costs);
        self.check_ground(world, &rules, &costs, &movement);
        self.check_edges(world, &truth, &movement);
        if world.floors.len() <= depth.parts {
            self.check_parts(world, product, &costs, &truth, &movement, random);
        }
        let resolved = world.goal_set().resolve(&movement);
        let Ok(goals) = resolved else {
            assert!(truth.starts.is_empty(), "{resolved:?} of {world:?}");
            self.counts.without_goals += 1;
            return;
        };
        let Some((field, flow)) = self.check_fields(world, &truth, &movement, &goals) else {
            return;
        };
        let made = Made {
            world,
            truth: &truth,
            movement: &movement,
            field: &field,
            flow: &flow,
        };
        self.check_directions(&made);
        if depth.threads {
            self.check_threads(&made);
        }
        self.check_routes(&made, depth.routes, random);
        self.check_walks(&made, depth.walks, random);
        if world.floors.len() <= depth.states {
            self.check_turns(&made, &goals);
            self.check_times(&made, &goals);
        }
        self.dirty = Some((field, flow));
    }

    /// The direction pass on any number of threads, with every kind of vectors, gives the same bits.
    fn check_threads(&mut self, made: &Made<'_>) {
        for threads in [1, 2, 8] {
            for vectors in Vectors::ALL.into_iter().filter(|vectors| vectors.is_available()) {
                let mut flow = FlowField::new(made.field.grid().clone());
                let (movement, field) = (made.movement, made.field);
                let options = ExtractOptions::new().with_vectors(vectors);
                let workers = TestThreads(threads);
                extract_with(movement, field, &options, &workers, &mut self.flow, &mut flow)
                    .expect("vectors that are available");
                assert!(
                    flow == *made.flow,
                    "{threads} threads with {vectors} vectors give other directions on {:?}",
                    made.world
                );
            }
        }
        self.counts.threaded += 1;
    }
}
