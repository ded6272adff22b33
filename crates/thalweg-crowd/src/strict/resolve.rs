//! The one-step resolver: priority inheritance with backtracking over each unit's choices, best first.
//!
//! The method is PIBT (Okumura, Machida, Défago and Tamura, "Priority Inheritance with Backtracking for Iterative
//! Multi-agent Path Finding", Artificial Intelligence 2022), widened in three ways. A body of several cells pushes
//! everybody whose cells it enters and goes only if *all* of them can go; what was decided for nothing is taken back. A
//! step may take several ticks; who is under way is decided already. And where following is forbidden whoever is in
//! the way is asked to go, but nobody moves up in the same tick.
//!
//! It holds no state between ticks and knows neither fields nor priorities: choices come in, and the order of the calls.

use super::board::{Board, Decision, NOBODY, Refusal, Unit};
use super::shape::STAY;

/// What a unit may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) decision: Decision,
    /// Whether it is among the best ways to the goal.
    pub(super) is_tight: bool,
}

/// The choices of all units of a board.
pub(super) trait Choices {
    /// Those of one unit, best first, staying among them.
    fn of(&self, unit: u32) -> &[Choice];

    /// Whom the unit should draw after it, see `exchange`; asked once before its choices.
    fn partner(&self, board: &Board, units: &[Unit], unit: u32) -> Option<u32>;

    /// Whether a choice is barred to the unit in this tick by something beside the board; asked before the board.
    fn is_barred(&self, unit: u32, choice: &Choice) -> bool;
}

/// How a unit's attempt stands.
#[derive(Clone, Copy, Debug)]
enum Attempt {
    /// It takes its next choice.
    Choosing,
    /// It has decided and waits for whom it pushes: the next of `blockers`.
    Pushing,
    /// It stays, and asks whoever is in the way to go.
    Asking,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    unit: u32,
    next_choice: u16,
    /// Whom it draws after it, taking its choices from the last; or nobody.
    partner: u32,
    attempt: Attempt,
    /// Its blockers in the list of all.
    first: u32,
    pushed: u32,
    end: u32,
    /// The trail before its last decision.
    mark: usize,
}

/// Memory of the resolver, and what it counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Resolver {
    stack: Vec<Frame>,
    blockers: Vec<u32>,
    found: Vec<u32>,
    /// Attempts left for the unit that is settled.
    budget: u32,
    /// Moves asked for.
    pub(super) asked: u64,
    /// Moves refused.
    pub(super) refused: u64,
    /// Units pushed.
    pub(super) pushed: u64,
}

/// Attempts for one unit and whom it pushes, beyond one each. Where bodies push several others at once, what is taken back
/// could be tried again and again; a chain of single cells never comes near it.
const RETRIES: u32 = 4096;

impl Resolver {
    /// Decides an undecided unit, and whoever must go for it. `false` if it can do nothing at all, not even stay.
    pub(super) fn settle(
        &mut self,
        board: &mut Board,
        units: &[Unit],
        choices: &impl Choices,
        unit: u32,
    ) -> bool {
        debug_assert!(self.stack.is_empty());
        self.blockers.clear();
        self.budget = RETRIES;
        self.enter(board, units, choices, unit);
        let mut answer = None;
        while let Some(frame) = self.stack.last().copied() {
            if let Some(has_moved) = answer.take() {
                self.resume(board, units, frame, has_moved);
            }
            answer = self.advance(board, units, choices);
        }
        if answer == Some(true) || board.is_decided(unit) {
            return true;
        }
        self.stay(board, units, unit)
    }

    fn enter(&mut self, board: &Board, units: &[Unit], choices: &impl Choices, unit: u32) {
        let mark = board.mark();
        let partner = choices.partner(board, units, unit).unwrap_or(NOBODY);
        let end = u32::try_from(self.blockers.len()).unwrap_or(u32::MAX);
        self.stack.push(Frame {
            unit,
            next_choice: 0,
            partner,
            attempt: Attempt::Choosing,
            first: end,
            pushed: end,
            end,
            mark,
        });
    }

    /// Takes note of what became of the unit that the one on top of the stack has pushed.
    fn resume(&mut self, board: &mut Board, units: &[Unit], frame: Frame, has_moved: bool) {
        let child = self.blockers[frame.pushed as usize];
        let top = self.stack.len() - 1;
        self.stack[top].pushed += 1;
        if has_moved {
            return;
        }
        match frame.attempt {
            Attempt::Choosing => {}
            Attempt::Asking => {
                self.stay(board, units, child);
            }
            Attempt::Pushing => {
                let mut is_undone = false;
                if frame.end - frame.first == 1 {
                    // Whoever was pushed in this chain stays, and is not asked again in this tick.
                    board.retract(frame.unit, &units[frame.unit as usize]);
                    is_undone = self.can_stay(board, units, frame.unit);
                    self.stay(board, units, child);
                }
                if !is_undone {
                    // One of several has gone for nothing, or one who was only asked has gone to where this one was.
                    board.undo_to(frame.mark, units);
                }
                self.blockers.truncate(frame.first as usize);
                let top = &mut self.stack[top];
                top.attempt = Attempt::Choosing;
                top.pushed = top.first;
                top.end = top.first;
            }
        }
    }

    /// Decides to stay where that is possible.
    fn stay(&mut self, board: &mut Board, units: &[Unit], unit: u32) -> bool {
        let is_free = self.can_stay(board, units, unit);
        if is_free {
            let at = &units[unit as usize];
            board.decide(unit, at, Decision::staying(at));
        }
        is_free
    }

    fn can_stay(&mut self, board: &Board, units: &[Unit], unit: u32) -> bool {
        let at = &units[unit as usize];
        board
            .obstacles(unit, at, Decision::staying(at), &mut self.found)
            .is_ok()
    }

    /// Works on the unit on top of the stack: `Some(moved)` if it is done with, `None` if another one is on top now.
    fn advance(&mut self, board: &mut Board, units: &[Unit], choices: &impl Choices) -> Option<bool> {
        let top = self.stack.len().checked_sub(1)?;
        let frame = self.stack[top];
        if !matches!(frame.attempt, Attempt::Choosing) {
            return self.push_next(board, units, choices);
        }
        let unit = frame.unit;
        let at = &units[unit as usize];
        let mine = choices.of(unit);
        let mut index = usize::from(frame.next_choice);
        let is_reversed = frame.partner != NOBODY;
        while index < mine.len() {
            let choice = &mine[if is_reversed {
                mine.len() - 1 - index
            } else {
                index
            }];
            index += 1;
            let is_pushed = top > 0;
            if is_pushed && choice.decision.kind == STAY {
                continue;
            }
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            self.asked += 1;
            if choices.is_barred(unit, choice) {
                self.refused += 1;
                continue;
            }
            let obstacles = board.obstacles(unit, at, choice.decision, &mut self.found);
            if obstacles.is_err() {
                self.refused += 1;
                continue;
            }
            if self.found.is_empty() {
                board.decide(unit, at, choice.decision);
                self.draw(board, units, choices, frame, index);
                self.leave();
                return Some(true);
            }
            // Whoever takes several ticks to go holds its cell until the last of them: it is asked now, and followed later.
            let is_asking =
                !board.rules.following || self.found.iter().any(|&other| units[other as usize].pace > 1);
            self.blockers.extend_from_slice(&self.found);
            let frame = &mut self.stack[top];
            frame.next_choice = u16::try_from(index).unwrap_or(u16::MAX);
            frame.mark = board.mark();
            frame.end = u32::try_from(self.blockers.len()).unwrap_or(u32::MAX);
            if is_asking {
                frame.attempt = Attempt::Asking;
                let is_single = board.shapes[usize::from(at.shape)].is_single;
                if !self.stay(board, units, unit) && !is_single {
                    // Some of its cells are nobody's yet, so that it could be pushed once more further down.
                    self.leave();
                    return Some(false);
                }
            } else {
                frame.attempt = Attempt::Pushing;
                board.decide(unit, at, choice.decision);
            }
            return self.push_next(board, units, choices);
        }
        self.leave();
        Some(false)
    }

    /// Pushes the next blocker that is not decided meanwhile, or ends the attempt if there is none left.
    fn push_next(&mut self, board: &mut Board, units: &[Unit], choices: &impl Choices) -> Option<bool> {
        let top = self.stack.len() - 1;
        loop {
            let frame = self.stack[top];
            if frame.pushed == frame.end {
                let has_moved = matches!(frame.attempt, Attempt::Pushing);
                if has_moved {
                    self.draw(board, units, choices, frame, usize::from(frame.next_choice));
                }
                self.leave();
                return Some(has_moved);
            }
            let child = self.blockers[frame.pushed as usize];
            debug_assert!((child as usize) < units.len());
            if board.is_decided(child) {
                // It was pushed by another one of them; what it decided respects what this one has.
                self.stack[top].pushed += 1;
                continue;
            }
            self.pushed += 1;
            self.enter(board, units, choices, child);
            return None;
        }
    }

    /// Brings the partner of a unit that has gone back by its first choice to where that was.
    fn draw(
        &mut self,
        board: &mut Board,
        units: &[Unit],
        choices: &impl Choices,
        frame: Frame,
        tried: usize,
    ) {
        if frame.partner == NOBODY || tried != 1 || board.is_decided(frame.partner) {
            return;
        }
        let place = units[frame.unit as usize].cell;
        let partner = &units[frame.partner as usize];
        let follows = choices
            .of(frame.partner)
            .iter()
            .find(|choice| choice.decision.to == place);
        if let Some(choice) = follows
            && !choices.is_barred(frame.partner, choice)
            && board
                .obstacles(frame.partner, partner, choice.decision, &mut self.found)
                .is_ok()
            && self.found.is_empty()
        {
            board.decide(frame.partner, partner, choice.decision);
        }
    }

    fn leave(&mut self) {
        if let Some(frame) = self.stack.pop() {
            self.blockers.truncate(frame.first as usize);
        }
    }

    /// Whether the unit can make a move, if everybody who is not decided goes where that lets them. Used where decisions come
    /// one by one from elsewhere.
    pub(super) fn can_make(&mut self, board: &Board, units: &[Unit], unit: u32, decision: Decision) -> bool {
        board
            .obstacles(unit, &units[unit as usize], decision, &mut self.found)
            .is_ok()
            && (board.rules.following || self.found.is_empty())
    }

    /// Why the unit cannot make a move now, when all are decided.
    pub(super) fn refusal(
        &mut self,
        board: &Board,
        units: &[Unit],
        unit: u32,
        decision: Decision,
    ) -> Option<Refusal> {
        board
            .obstacles(unit, &units[unit as usize], decision, &mut self.found)
            .err()
    }
}
