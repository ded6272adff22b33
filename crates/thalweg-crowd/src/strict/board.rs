//! The board of one tick: who holds which cell at its start, who will at its end, and what is passed between.
//!
//! Every move is asked for here ([`Board::obstacles`]) and written here ([`Board::decide`]), whoever wants it: the
//! resolver, a claim, the search. So what the rules forbid is forbidden once. It knows nothing of fields, order or
//! time beyond the tick.

use super::rules::{ConflictKind, ConflictRules};
use super::shape::{PORTAL, STAY, Shape};

/// No unit.
pub(super) const NOBODY: u32 = u32::MAX;

/// A body on the board, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// The anchor that it last reached.
    pub(super) cell: u32,
    /// The anchor that it is on its way to; the same while it stands.
    pub(super) to: u32,
    /// Ticks until it is there; 0 while it stands.
    pub(super) left: u8,
    /// Ticks that a step takes it; at least 1.
    pub(super) pace: u8,
    /// How it is on its way.
    pub(super) kind: u8,
    pub(super) layer: u16,
    /// The layer of `to`.
    pub(super) to_layer: u16,
    /// Its footprint's number.
    pub(super) shape: u16,
}

impl Unit {
    /// Whether it is between two anchors.
    pub(super) const fn is_under_way(&self) -> bool {
        self.left > 0
    }

    /// What it is after a tick in which it made this decision.
    pub(super) fn after(mut self, decision: Decision) -> Self {
        if self.left == 0 && decision.kind != STAY {
            self.to = decision.to;
            self.to_layer = decision.layer;
            self.kind = decision.kind;
            self.left = self.pace;
        }
        if self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.cell = self.to;
                self.layer = self.to_layer;
                self.kind = STAY;
            }
        }
        self
    }
}

/// A move of one tick, or the beginning of one that takes several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// The anchor that it leads to.
    pub(super) to: u32,
    /// A direction, [`STAY`] or [`PORTAL`]; [`UNDECIDED`].
    pub(super) kind: u8,
    pub(super) layer: u16,
}

impl Decision {
    /// To stay, for a unit that stands.
    pub(super) const fn staying(unit: &Unit) -> Self {
        Self {
            to: unit.cell,
            kind: STAY,
            layer: unit.layer,
        }
    }

    /// To go on, for a unit that is under way.
    pub(super) const fn going_on(unit: &Unit) -> Self {
        Self {
            to: unit.to,
            kind: unit.kind,
            layer: unit.to_layer,
        }
    }
}

const UNDECIDED: u8 = u8::MAX;

/// Why a move cannot be made, whoever else moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) kind: ConflictKind,
    /// The unit in the way.
    pub(super) by: u32,
}

/// How many pass a cell in this tick: single cells in the low byte, larger bodies in the high one.
const SINGLE_PASS: u16 = 1;
const LARGE_PASS: u16 = 1 << 8;

#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) rules: ConflictRules,
    pub(super) shapes: Vec<Shape>,
    /// By cell: who holds it at the start of the tick.
    pub(super) now: Vec<u32>,
    /// By cell: who holds it at the end, of those decided.
    pub(super) next: Vec<u32>,
    /// By cell: who passes it; empty until the first diagonal.
    passed: Vec<u16>,
    /// By cell: whether only members of a rescue may enter; empty until the first.
    closed: Vec<bool>,
    /// By unit.
    decisions: Vec<Decision>,
    /// Units in the order in which they were decided; an entry counts while its unit is decided.
    trail: Vec<u32>,
}

impl Board {
    pub(super) fn new(cells: usize, rules: ConflictRules) -> Self {
        Self {
            rules,
            shapes: Vec::new(),
            now: vec![NOBODY; cells],
            next: vec![NOBODY; cells],
            passed: Vec::new(),
            closed: Vec::new(),
            decisions: Vec::new(),
            trail: Vec::new(),
        }
    }

    /// The cells of the board that a unit holds now.
    pub(super) fn held<'a>(&'a self, unit: &Unit) -> impl Iterator<Item = usize> + use<'a> {
        let shape = &self.shapes[usize::from(unit.shape)];
        let second = unit.is_under_way().then(|| shape.cells(unit.to_layer, unit.to));
        shape
            .cells(unit.layer, unit.cell)
            .chain(second.into_iter().flatten())
    }

    /// Whoever is on a cell that the unit would hold, if anybody.
    pub(super) fn occupant(&self, unit: &Unit) -> Option<u32> {
        self.held(unit)
            .map(|cell| self.now[cell])
            .find(|&holder| holder != NOBODY)
    }

    /// Puts a unit on the board; its cells must be free.
    pub(super) fn put(&mut self, number: u32, unit: &Unit) {
        self.set_now(number, unit, number);
        let index = number as usize;
        if self.decisions.len() <= index {
            let none = Decision {
                to: 0,
                kind: UNDECIDED,
                layer: 0,
            };
            self.decisions.resize(index + 1, none);
        }
    }

    /// Takes a unit off the board.
    pub(super) fn lift(&mut self, number: u32, unit: &Unit) {
        self.set_now(number, unit, NOBODY);
    }

    fn set_now(&mut self, number: u32, unit: &Unit, value: u32) {
        let shape = &self.shapes[usize::from(unit.shape)];
        let mut set = |cell: usize| {
            if value != NOBODY || self.now[cell] == number {
                self.now[cell] = value;
            }
        };
        shape.cells(unit.layer, unit.cell).for_each(&mut set);
        if unit.is_under_way() {
            shape.cells(unit.to_layer, unit.to).for_each(&mut set);
        }
    }

    pub(super) fn is_closed(&self, cell: usize) -> bool {
        self.closed.get(cell).copied().unwrap_or(false)
    }

    /// Lets nobody in any more, or again. Those inside are decided by whoever closed it.
    pub(super) fn set_closed(&mut self, cells: &[u32], is_closed: bool) {
        if self.closed.is_empty() {
            self.closed = vec![false; self.now.len()];
        }
        for &cell in cells {
            self.closed[cell as usize] = is_closed;
        }
    }

    pub(super) fn decision(&self, number: u32) -> Option<Decision> {
        Some(self.decisions[number as usize]).filter(|decision| decision.kind != UNDECIDED)
    }

    #[inline]
    pub(super) fn is_decided(&self, number: u32) -> bool {
        self.decisions[number as usize].kind != UNDECIDED
    }

    /// How far the trail has got, for [`Self::undo_to`].
    pub(super) const fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back every decision made since the mark.
    pub(super) fn undo_to(&mut self, mark: usize, units: &[Unit]) {
        while self.trail.len() > mark {
            if let Some(number) = self.trail.pop() {
                self.retract(number, &units[number as usize]);
            }
        }
    }

    /// Why the unit cannot make this move although it would like to, or else whom it would push: undecided units on the
    /// cells that it enters, each once. `blockers` is cleared first.
    pub(super) fn obstacles(
        &self,
        number: u32,
        unit: &Unit,
        decision: Decision,
        blockers: &mut Vec<u32>,
    ) -> Result<(), Refusal> {
        blockers.clear();
        let shape = &self.shapes[usize::from(unit.shape)];
        if shape.is_single {
            return self.single(number, unit, decision, blockers);
        }
        self.large(number, unit, decision, shape, blockers)
    }

    fn single(
        &self,
        number: u32,
        unit: &Unit,
        decision: Decision,
        blockers: &mut Vec<u32>,
    ) -> Result<(), Refusal> {
        let (from, to) = (unit.cell as usize, decision.to as usize);
        self.is_left_free(number, true, to)?;
        if to == from {
            return Ok(());
        }
        if unit.pace > 1 {
            self.is_left_free(number, true, from)?;
        }
        self.enter(number, to, core::iter::once(from), true, blockers)?;
        if decision.kind < STAY && decision.kind >= 4 {
            let shape = &self.shapes[usize::from(unit.shape)];
            for side in shape.passed(unit.layer, unit.cell, decision.kind) {
                self.pass(number, side, true)?;
            }
            if self.rules.squeezing {
                let mut sides = shape.passed(unit.layer, unit.cell, decision.kind);
                if let (Some(a), Some(b)) = (sides.next(), sides.next()) {
                    self.cross(a, b)?;
                    self.cross(b, a)?;
                }
            }
        }
        Ok(())
    }

    fn large(
        &self,
        number: u32,
        unit: &Unit,
        decision: Decision,
        shape: &Shape,
        blockers: &mut Vec<u32>,
    ) -> Result<(), Refusal> {
        for cell in shape.cells(decision.layer, decision.to) {
            self.is_left_free(number, false, cell)?;
        }
        if decision.kind == STAY {
            return Ok(());
        }
        if unit.pace > 1 {
            for cell in shape.cells(unit.layer, unit.cell) {
                self.is_left_free(number, false, cell)?;
            }
        }
        let before = || shape.cells(unit.layer, unit.cell);
        if decision.kind == PORTAL {
            for cell in shape.cells(decision.layer, decision.to) {
                self.enter(number, cell, before(), false, blockers)?;
            }
            return Ok(());
        }
        for cell in shape.entered(unit.layer, unit.cell, decision.kind) {
            self.enter(number, cell, before(), false, blockers)?;
        }
        for cell in shape.passed(unit.layer, unit.cell, decision.kind) {
            self.pass(number, cell, false)?;
        }
        Ok(())
    }

    /// Whether nobody who is decided holds or passes the cell at the end of the tick.
    #[inline]
    fn is_left_free(&self, number: u32, is_single: bool, cell: usize) -> Result<(), Refusal> {
        let by = self.next[cell];
        if by != NOBODY && by != number {
            return Err(self.on_one_cell(is_single, by));
        }
        match self.passed.get(cell) {
            Some(&passed) if passed >= LARGE_PASS || (passed != 0 && !self.rules.squeezing) => Err(Refusal {
                kind: ConflictKind::Squeeze,
                by: NOBODY,
            }),
            _ => Ok(()),
        }
    }

    fn on_one_cell(&self, is_single: bool, by: u32) -> Refusal {
        // Whether the other is a single cell does not show here; the name follows from ours.
        Refusal {
            kind: if is_single {
                ConflictKind::Vertex
            } else {
                ConflictKind::Footprint
            },
            by,
        }
    }

    /// What stands against entering a cell that nobody decided holds at the end of the tick.
    #[inline]
    fn enter(
        &self,
        number: u32,
        cell: usize,
        mut before: impl Iterator<Item = usize>,
        is_single: bool,
        blockers: &mut Vec<u32>,
    ) -> Result<(), Refusal> {
        let holder = self.now[cell];
        if self.is_closed(cell) {
            return Err(Refusal {
                kind: ConflictKind::Vertex,
                by: holder,
            });
        }
        if holder == NOBODY || holder == number {
            return Ok(());
        }
        if !self.is_decided(holder) {
            if is_single || !blockers.contains(&holder) {
                blockers.push(holder);
            }
            return Ok(());
        }
        // The holder leaves; it must not come to where this one leaves.
        if before.any(|cell| self.next[cell] == holder) {
            return Err(Refusal {
                kind: ConflictKind::Swap,
                by: holder,
            });
        }
        if !self.rules.following {
            return Err(Refusal {
                kind: ConflictKind::Following,
                by: holder,
            });
        }
        Ok(())
    }

    /// What stands against passing a cell.
    fn pass(&self, number: u32, cell: usize, is_single: bool) -> Result<(), Refusal> {
        let refused = |by| {
            Err(Refusal {
                kind: ConflictKind::Squeeze,
                by,
            })
        };
        let may_squeeze = self.rules.squeezing && is_single;
        if self.is_closed(cell) {
            return refused(NOBODY);
        }
        for by in [self.now[cell], self.next[cell]] {
            if by != NOBODY && by != number && !may_squeeze {
                return refused(by);
            }
        }
        match self.passed.get(cell) {
            Some(&passed) if passed >= LARGE_PASS || (passed != 0 && !is_single) => refused(NOBODY),
            _ => Ok(()),
        }
    }

    /// Whether somebody who is decided goes diagonally from one of these cells to the other.
    fn cross(&self, from: usize, to: usize) -> Result<(), Refusal> {
        let by = self.now[from];
        if by != NOBODY && self.next[to] == by {
            return Err(Refusal {
                kind: ConflictKind::Crossing,
                by,
            });
        }
        Ok(())
    }

    /// Writes a decision that [`Self::obstacles`] has not refused. Whoever is to be pushed must be decided after it.
    pub(super) fn decide(&mut self, number: u32, unit: &Unit, decision: Decision) {
        self.decisions[number as usize] = decision;
        self.trail.push(number);
        self.write(number, unit, decision, number);
    }

    /// Takes a decision back. Harmless for one who is not decided.
    pub(super) fn retract(&mut self, number: u32, unit: &Unit) {
        let decision = self.decisions[number as usize];
        if decision.kind != UNDECIDED {
            self.write(number, unit, decision, NOBODY);
            self.decisions[number as usize].kind = UNDECIDED;
        }
    }

    /// Writes what a decision takes up at the end of the tick and passes in it, or takes it away (`value` is nobody).
    fn write(&mut self, number: u32, unit: &Unit, decision: Decision, value: u32) {
        let shape = &self.shapes[usize::from(unit.shape)];
        let is_removal = value == NOBODY;
        let keeps_start = decision.kind != STAY
            && if unit.is_under_way() {
                unit.left > 1
            } else {
                unit.pace > 1
            };
        if shape.is_single {
            self.next[decision.to as usize] = value;
            if keeps_start {
                self.next[unit.cell as usize] = value;
            }
        } else {
            for cell in shape.cells(decision.layer, decision.to) {
                self.next[cell] = value;
            }
            if keeps_start {
                for cell in shape.cells(unit.layer, unit.cell) {
                    self.next[cell] = value;
                }
            }
        }
        if (4..STAY).contains(&decision.kind) {
            if self.passed.is_empty() {
                self.passed = vec![0; self.now.len()];
            }
            let weight = if shape.is_single { SINGLE_PASS } else { LARGE_PASS };
            for cell in shape.passed(unit.layer, unit.cell, decision.kind) {
                let passed = &mut self.passed[cell];
                *passed = if is_removal {
                    passed.wrapping_sub(weight)
                } else {
                    passed.wrapping_add(weight)
                };
            }
        }
        debug_assert!(!is_removal || self.next[decision.to as usize] != number);
    }

    /// Ends the tick: what was decided is now the case. `units` are as they were at its start and all decided; they are
    /// moved on.
    pub(super) fn commit(&mut self, live: impl Iterator<Item = u32>, units: &mut [Unit]) {
        core::mem::swap(&mut self.now, &mut self.next);
        for number in live {
            let unit = &mut units[number as usize];
            let decision = self.decisions[number as usize];
            let shape = &self.shapes[usize::from(unit.shape)];
            // `next` is the old `now`: everything that anybody held is forgotten.
            for cell in shape.cells(unit.layer, unit.cell) {
                self.next[cell] = NOBODY;
            }
            if unit.is_under_way() {
                for cell in shape.cells(unit.to_layer, unit.to) {
                    self.next[cell] = NOBODY;
                }
            }
            if (4..STAY).contains(&decision.kind) {
                for cell in shape.passed(unit.layer, unit.cell, decision.kind) {
                    self.passed[cell] = 0;
                }
            }
            self.decisions[number as usize].kind = UNDECIDED;
            *unit = unit.after(decision);
        }
        self.trail.clear();
    }
}
