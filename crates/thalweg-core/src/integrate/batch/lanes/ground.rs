//! What the steps of every cell cost, as lanes read it.

use super::NONE;
use crate::grid::DIRECTIONS;
use crate::movement::{Charge, Movement, SameGround};
use core::sync::atomic::AtomicBool;

/// What a step costs, twice in one number: the upper and the lower half alike.
pub(super) type Price = u32;

/// The steps out of a cell, in direction order.
pub(super) type Steps = [Price; 8];

/// The price of a step that may not be taken. Added to any cost a lane may hold it fits 16 bits and lowers nothing, so that
/// closed exits need no test.
pub(super) const CLOSED: Price = 0x8000_8000;

/// The price of a step, which `fits` keeps below [`NONE`].
fn price(step: u32) -> Price {
    let step = step.min(u32::from(NONE));
    step << 16 | step
}

/// Steps that all are closed.
pub(super) const ALL_CLOSED: Steps = [CLOSED; 8];

/// The steps of every cell of a map.
///
/// Where the cell left pays, cells of equal cost and exits have equal steps: two bytes a cell name the kind, and the few
/// kinds stay in the nearest cache. Where the cell entered pays too, steps are kept cell by cell, 32 bytes each.
#[derive(Debug, Default)]
pub(super) struct LaneGround {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) steps: StepsOf,
    /// What it was read from.
    read: Option<SameGround>,
    /// Whether a group gave up on it: the next batch does not try again. It concerns speed only.
    pub(super) has_failed: AtomicBool,
}

/// How steps are looked up.
#[derive(Debug)]
pub(super) enum StepsOf {
    /// A kind per cell, and the steps of each kind.
    Kind {
        /// In id order.
        kinds: Vec<u16>,
        /// Kind 0 has no open exit.
        steps: Vec<Steps>,
    },
    /// Steps per cell, in id order.
    Cell(Vec<Steps>),
}

impl Default for StepsOf {
    fn default() -> Self {
        Self::Cell(Vec::new())
    }
}

impl LaneGround {
    /// Reads a movement, unless it was the last one read.
    pub(super) fn read(&mut self, movement: &Movement) {
        if self.is_of(movement) {
            return;
        }
        *self.has_failed.get_mut() = false;
        let layer = &movement.grid().layers()[0];
        self.width = layer.width() as usize;
        self.height = layer.height() as usize;
        let by_kind = movement.steps().charge() == Charge::Depart || movement.uniform_cost().is_some();
        self.steps = if by_kind {
            read_kinds(movement)
        } else {
            read_cells(movement)
        };
        self.read = Some(movement.same_ground());
    }

    /// Whether it was read from this movement.
    pub(super) fn is_of(&self, movement: &Movement) -> bool {
        self.read.as_ref() == Some(&movement.same_ground())
    }
}

fn read_kinds(movement: &Movement) -> StepsOf {
    // A kind for every pair of cost and exits that was met; 0 for none yet. Cost 255 has no exits and is kind 0.
    let mut kind_of = vec![0u16; 1 << 16];
    let mut steps = vec![ALL_CLOSED];
    let cells = movement.all_exits().iter().zip(movement.costs());
    let kinds = cells
        .map(|(&exits, &cost)| {
            if exits.is_empty() {
                return 0;
            }
            let key = usize::from(cost) << 8 | usize::from(exits.bits());
            if kind_of[key] == 0 {
                kind_of[key] = u16::try_from(steps.len()).unwrap_or(0);
                steps.push(DIRECTIONS.map(|direction| {
                    if exits.contains(direction) {
                        price(movement.steps().step(direction, cost, cost))
                    } else {
                        CLOSED
                    }
                }));
            }
            kind_of[key]
        })
        .collect();
    StepsOf::Kind { kinds, steps }
}

fn read_cells(movement: &Movement) -> StepsOf {
    let costs = movement.costs();
    let offsets = movement.grid().layers()[0].id_offsets();
    let cells = movement.all_exits().iter().zip(costs).enumerate();
    let steps = cells.map(|(index, (exits, &left))| {
        DIRECTIONS.map(|direction| {
            // An open exit leads to a cell of the map.
            let ahead = index.wrapping_add_signed(offsets[direction.index()] as isize);
            match costs.get(ahead) {
                Some(&entered) if exits.contains(direction) => {
                    price(movement.steps().step(direction, left, entered))
                }
                _ => CLOSED,
            }
        })
    });
    StepsOf::Cell(steps.collect())
}
