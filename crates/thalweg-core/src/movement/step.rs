//! What a step costs: length × charge, in one place.

use super::{Charge, MovementProfile};
use crate::grid::{DIRECTIONS, Direction};

/// A charge rule as a type, so that the inner loops of the engines are compiled once per rule.
pub trait ChargeRule: Copy + Send + Sync + 'static {
    /// The cost of a step of `length` units from a cell of cost `left` into a cell of cost `entered`.
    fn step(length: u32, left: u8, entered: u8) -> u32;
}

/// [`Charge::Depart`]: length × cost of the cell left.
#[derive(Clone, Copy, Debug)]
pub struct DepartCharge;
/// [`Charge::Arrive`]: length × cost of the cell entered.
#[derive(Clone, Copy, Debug)]
pub struct ArriveCharge;
/// [`Charge::Mean`]: length × (cost left + cost entered), in doubled units.
#[derive(Clone, Copy, Debug)]
pub struct MeanCharge;

impl ChargeRule for DepartCharge {
    #[inline(always)]
    fn step(length: u32, left: u8, _entered: u8) -> u32 {
        length * u32::from(left)
    }
}

impl ChargeRule for ArriveCharge {
    #[inline(always)]
    fn step(length: u32, _left: u8, entered: u8) -> u32 {
        length * u32::from(entered)
    }
}

impl ChargeRule for MeanCharge {
    #[inline(always)]
    fn step(length: u32, left: u8, entered: u8) -> u32 {
        length * (u32::from(left) + u32::from(entered))
    }
}

/// The step lengths and the charge rule of a profile: everything needed to price a legal step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepCosts {
    lengths: [u32; 8],
    charge: Charge,
}

impl StepCosts {
    pub(super) fn of(profile: &MovementProfile) -> Self {
        let lengths = DIRECTIONS.map(|direction| {
            if direction.is_diagonal() {
                profile.scale.diagonal()
            } else {
                profile.scale.straight()
            }
        });
        Self {
            lengths,
            charge: profile.charge,
        }
    }

    /// The length of a step in each direction, in units of the step scale, in direction order.
    #[inline]
    #[must_use]
    pub const fn lengths(&self) -> &[u32; 8] {
        &self.lengths
    }

    /// The charge rule.
    #[inline]
    #[must_use]
    pub const fn charge(&self) -> Charge {
        self.charge
    }

    /// The cost of a step in `direction` from a cell of cost `left` into one of cost `entered`.
    #[inline]
    #[must_use]
    pub fn step(&self, direction: Direction, left: u8, entered: u8) -> u32 {
        let length = self.lengths[direction.index()];
        match self.charge {
            Charge::Depart => DepartCharge::step(length, left, entered),
            Charge::Arrive => ArriveCharge::step(length, left, entered),
            Charge::Mean => MeanCharge::step(length, left, entered),
        }
    }

    /// The cost of one straight step between cells of cost 1.
    #[inline]
    #[must_use]
    pub fn unit(&self) -> u32 {
        self.step(Direction::N, 1, 1)
    }
}
