//! The judge against the same rules said pair by pair, on random walks that run into each other.
//!
//! The oracle knows every step beforehand and lists, for every pair and every tick, what the module's words forbid: cells as
//! sets, no table of who is where. It is slow and shares nothing with the judge but the words.

use crate::kit::layers;
use proptest::prelude::*;
use std::collections::BTreeSet;
use thalweg::core::cost::CostField;
use thalweg::core::grid::{Cell, Direction};
use thalweg::core::movement::{Footprint, Movement, MovementProfile};
use thalweg::plan_check::{ConflictKind, PlanCheck, PlannedAgent, PlannedRun};

const KINDS: [ConflictKind; 6] = [
    ConflictKind::Vertex,
    ConflictKind::Footprint,
    ConflictKind::Swap,
    ConflictKind::Crossing,
    ConflictKind::Squeeze,
    ConflictKind::Following,
];

/// A step with the ticks in which it begins and ends.
#[derive(Clone, Copy, Debug)]
struct Taken {
    from: Cell,
    to: Cell,
    start: u32,
    end: u32,
}

#[derive(Debug)]
struct Walker {
    side: u8,
    pace: u8,
    /// The cell reached in each tick.
    cells: Vec<Cell>,
    steps: Vec<Taken>,
}

fn square(anchor: Cell, side: u8) -> BTreeSet<(i32, i32)> {
    let side = i32::from(side);
    (0..side)
        .flat_map(|dy| (0..side).map(move |dx| (anchor.x + dx, anchor.y + dy)))
        .collect()
}

impl Walker {
    /// Walks by random choices, each `None` (wait) or one of the legal exits, until `ticks` are over.
    fn new(movement: &Movement, side: u8, pace: u8, start: Cell, choices: &[u8], ticks: u32) -> Self {
        let grid = movement.grid();
        let (mut cells, mut steps, mut at) = (vec![start], Vec::new(), start);
        for &choice in choices.iter().cycle().take(ticks as usize) {
            let tick = u32::try_from(cells.len()).unwrap() - 1;
            let exits: Vec<Direction> = movement.exits(grid.id(at).unwrap()).iter().collect();
            let picked = exits.get(usize::from(choice) % (exits.len() + 1));
            match picked {
                Some(&direction) if tick + u32::from(pace) <= ticks => {
                    let (dx, dy) = direction.offset();
                    let to = Cell::new(at.x + dx, at.y + dy);
                    let end = tick + u32::from(pace);
                    steps.push(Taken {
                        from: at,
                        to,
                        start: tick,
                        end,
                    });
                    cells.extend((1..pace).map(|_| at));
                    cells.push(to);
                    at = to;
                }
                _ => cells.push(at),
            }
        }
        cells.truncate(ticks as usize + 1);
        Self {
            side,
            pace,
            cells,
            steps,
        }
    }

    fn step(&self, tick: u32) -> Option<&Taken> {
        self.steps
            .iter()
            .find(|step| step.start < tick && tick <= step.end)
    }

    fn held(&self, tick: u32) -> BTreeSet<(i32, i32)> {
        let mut held = square(self.cells[tick as usize], self.side);
        if let Some(step) = self.step(tick).filter(|step| tick < step.end) {
            held.extend(square(step.to, self.side));
        }
        held
    }

    /// The cells of the square around both ends of a diagonal that neither end covers.
    fn swept(&self, step: &Taken) -> BTreeSet<(i32, i32)> {
        let (from, to) = (step.from, step.to);
        if from.x == to.x || from.y == to.y {
            return BTreeSet::new();
        }
        let around = square(Cell::new(from.x.min(to.x), from.y.min(to.y)), self.side + 1);
        let ends: BTreeSet<_> = &square(from, self.side) | &square(to, self.side);
        &around - &ends
    }
}

/// Who conflicts with whom and how, over the whole plan.
fn listed(
    walkers: &[Walker],
    ticks: u32,
    following: bool,
    squeezing: bool,
) -> BTreeSet<(ConflictKind, usize, usize)> {
    let mut found = BTreeSet::new();
    for (one, a) in walkers.iter().enumerate() {
        for (other, b) in walkers.iter().enumerate().skip(one + 1) {
            let mut add = |kind| {
                found.insert((kind, one, other));
            };
            let singles = a.side == 1 && b.side == 1;
            for tick in 0..=ticks {
                if !a.held(tick).is_disjoint(&b.held(tick)) {
                    add(if singles {
                        ConflictKind::Vertex
                    } else {
                        ConflictKind::Footprint
                    });
                }
            }
            for step in &a.steps {
                for its in &b.steps {
                    if step.start < its.end && its.start < step.end {
                        let meet =
                            |x: Cell, xs: u8, y: Cell, ys: u8| !square(x, xs).is_disjoint(&square(y, ys));
                        let swaps = meet(step.to, a.side, its.from, b.side)
                            && meet(its.to, b.side, step.from, a.side);
                        if swaps {
                            add(ConflictKind::Swap);
                        }
                        let (mine, theirs) = (a.swept(step), b.swept(its));
                        let ends = BTreeSet::from([(its.from.x, its.from.y), (its.to.x, its.to.y)]);
                        if singles && !mine.is_empty() && mine == ends {
                            add(ConflictKind::Crossing);
                        }
                        if !singles && !mine.is_disjoint(&theirs) {
                            add(ConflictKind::Squeeze);
                        }
                    }
                }
            }
            for (x, y, x_steps) in [(a, b, &a.steps), (b, a, &b.steps)] {
                for step in x_steps {
                    let swept = x.swept(step);
                    for tick in step.start..=step.end {
                        let is_across = |at: u32| {
                            y.step(at).is_some_and(|its| {
                                let (from, to) = (square(its.from, y.side), square(its.to, y.side));
                                let mut sides = swept.iter();
                                let (p, q) = (sides.next().unwrap(), sides.next().unwrap());
                                from.contains(p) && to.contains(q) || from.contains(q) && to.contains(p)
                            })
                        };
                        // In the first tick what counts is the way on from there.
                        let between = tick.max(step.start + 1);
                        let is_beside = !swept.is_empty() && !swept.is_disjoint(&y.held(tick));
                        if is_beside && !(squeezing && x.side == 1) && !is_across(between) {
                            add(ConflictKind::Squeeze);
                        }
                    }
                    if !following {
                        let entered = &square(step.to, x.side) - &square(step.from, x.side);
                        let leaves = y.steps.iter().any(|its| {
                            let left = &square(its.from, y.side) - &square(its.to, y.side);
                            its.end == step.start + 1 && !left.is_disjoint(&entered)
                        });
                        if leaves {
                            add(ConflictKind::Following);
                        }
                    }
                }
            }
        }
    }
    found
}

fn movement(costs: &CostField, side: u8) -> Movement {
    let footprint = if side == 1 {
        Footprint::Point
    } else {
        Footprint::square(u32::from(side)).unwrap()
    };
    Movement::compile(costs, &MovementProfile::new().with_footprint(footprint))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if std::env::var_os("THALWEG_LONG").is_some() { 200_000 } else { 3_000 }))]

    #[test]
    fn the_judge_says_of_every_pair_what_the_words_say(
        walkers in prop::collection::vec(
            (1u8..=3, 1u8..=3, 0i32..4, 0i32..4, prop::collection::vec(any::<u8>(), 1..8)),
            2..4,
        ),
        ticks in 1u32..8,
        wall in (0i32..6, 0i32..6),
        following in any::<bool>(),
        squeezing in any::<bool>(),
    ) {
        let mut costs = layers(&["...... ...... ...... ...... ...... ......"]);
        costs.set(Cell::new(wall.0, wall.1), thalweg::core::cost::Cost::IMPASSABLE).unwrap();
        let movements: Vec<Movement> = (1..=3).map(|side| movement(&costs, side)).collect();
        let walkers: Vec<Walker> = walkers
            .into_iter()
            .filter_map(|(side, pace, x, y, choices)| {
                let movement = &movements[usize::from(side) - 1];
                let start = Cell::new(x, y);
                let id = movement.grid().id(start)?;
                movement
                    .is_passable(id)
                    .then(|| Walker::new(movement, side, pace, start, &choices, ticks))
            })
            .collect();
        let agents = walkers.iter().map(|walker| {
            PlannedAgent::new().with_side(walker.side).with_pace(walker.pace)
        });
        let run = PlannedRun { agents: agents.collect(), following, squeezing, told: usize::MAX, ..PlannedRun::new() };
        let movements: Vec<&Movement> = movements.iter().collect();
        let mut check = PlanCheck::new(&movements, run).unwrap();
        for tick in 0..=ticks as usize {
            let line: Vec<_> = walkers.iter().map(|walker| Some(walker.cells[tick])).collect();
            check.tick(&line).unwrap();
        }
        let verdict = check.finish();
        let told: BTreeSet<_> = verdict.conflicts.iter().map(|told| {
            prop_assert!(KINDS.contains(&told.kind), "{told}");
            let (one, other) = (told.agent as usize, told.other.unwrap() as usize);
            Ok((told.kind, one.min(other), one.max(other)))
        }).collect::<Result<_, TestCaseError>>()?;
        let listed = listed(&walkers, ticks, following, squeezing);
        // A plan is valid for both or for neither; and as long as no two bodies are in one cell, nobody is hidden from the
        // judge, who tells the very same.
        prop_assert_eq!(told.is_empty(), listed.is_empty(), "{:?} {:?}", told, listed);
        let overlaps = |set: &BTreeSet<(ConflictKind, usize, usize)>| -> BTreeSet<_> {
            let of = set.iter().copied();
            of.filter(|told| matches!(told.0, ConflictKind::Vertex | ConflictKind::Footprint)).collect()
        };
        if overlaps(&listed).is_empty() {
            let swaps = |set: &BTreeSet<(ConflictKind, usize, usize)>| -> BTreeSet<_> {
                // Who swaps is not told to follow as well.
                let of = set.iter().copied();
                of.filter(|&(kind, one, other)| {
                    kind != ConflictKind::Following || !set.contains(&(ConflictKind::Swap, one, other))
                }).collect()
            };
            prop_assert_eq!(swaps(&told), swaps(&listed));
        } else {
            prop_assert!(!overlaps(&told).is_empty());
        }
    }
}
