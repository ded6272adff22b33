//! One tick: propose in parallel, decide in one order, commit.

use super::agent::{Mover, StrictGroup};
use super::board::{Board, Decision, Unit};
use super::claims::Claims;
use super::crowd::StrictCrowd;
use super::error::StrictError;
use super::exchange::{Wishes, partner};
use super::propose::{Intent, Proposals, Sight};
use super::report::StrictReport;
use super::resolve::{Choice, Choices};
use super::shape::{STAY, Shape};
use super::stage::{StrictObserver, StrictStage};
use super::tokens::Tokens;
use crate::{AgentId, ArrivalRule, Blocker, Outcome};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::CellId;
use thalweg_core::workers::Workers;

/// How many times [`StrictOptions::search_after`](super::StrictOptions::search_after) an agent is left to wait where others
/// get on.
const PATIENCE: u32 = 8;

/// What the resolver of a tick reads.
struct Wanted<'a, 'g> {
    proposals: &'a Proposals,
    groups: &'a [StrictGroup<'g>],
    movers: &'a [Mover],
    units: &'a [Unit],
    tokens: &'a Tokens,
    claims: &'a Claims,
    shapes: &'a [Shape],
    tick: u64,
}

impl Wishes for Wanted<'_, '_> {
    fn group(&self, unit: u32) -> &StrictGroup<'_> {
        &self.groups[usize::from(self.movers[unit as usize].group)]
    }
}

impl Choices for Wanted<'_, '_> {
    fn of(&self, unit: u32) -> &[Choice] {
        self.proposals.choices(unit)
    }

    fn partner(&self, board: &Board, units: &[Unit], unit: u32) -> Option<u32> {
        let best = self.of(unit).first()?.decision.to;
        partner(self, board, units, unit, best)
    }

    fn is_barred(&self, unit: u32, choice: &Choice) -> bool {
        let (from, to) = (self.units[unit as usize].cell, choice.decision.to);
        if from == to {
            return false;
        }
        if !self.claims.is_empty() {
            // It would park there, for all that it knows now.
            let at = &self.units[unit as usize];
            let shape = &self.shapes[usize::from(at.shape)];
            let entered = shape.cells(choice.decision.layer, to);
            let mut touched = entered.chain(shape.passed(at.layer, from, choice.decision.kind));
            if touched.any(|cell| {
                u32::try_from(cell)
                    .is_ok_and(|cell| self.claims.reserved(cell, self.tick + 1, unit).is_some())
            }) {
                return true;
            }
        }
        self.tokens
            .bars(self.movers[unit as usize].group, unit, from, to, choice.is_tight)
    }
}

impl StrictCrowd {
    /// Advances the crowd by one tick. `groups` is indexed by [`GroupId`](crate::GroupId) and describes the world as it is
    /// now. The result does not depend on the workers.
    ///
    /// # Errors
    /// [`StrictError::ForeignMap`], [`StrictError::MissingGroup`] or [`StrictError::OtherBody`]; nothing has moved then.
    pub fn step(
        &mut self,
        groups: &[StrictGroup<'_>],
        workers: &dyn Workers,
    ) -> Result<StrictReport, StrictError> {
        self.step_observed(groups, workers, &mut ())
    }

    /// As [`StrictCrowd::step`], telling an observer when each stage has ended.
    ///
    /// # Errors
    /// Those of [`StrictCrowd::step`].
    pub fn step_observed(
        &mut self,
        groups: &[StrictGroup<'_>],
        workers: &dyn Workers,
        observer: &mut impl StrictObserver,
    ) -> Result<StrictReport, StrictError> {
        self.check_step(groups)?;
        self.departures.clear();
        self.replans.clear();
        self.note_versions(groups);
        let mut proposals = core::mem::take(&mut self.proposals);
        let mut parking = core::mem::take(&mut self.parking);
        parking.update(
            groups,
            &self.movers,
            &self.units,
            &self.board.now,
            self.tick,
            workers,
        );
        proposals.make(
            Sight {
                groups,
                parking: &parking,
                movers: &self.movers,
                units: &self.units,
                now: &self.board.now,
                tick: self.tick,
                seed: self.options.seed,
            },
            workers,
        );
        observer.ended(StrictStage::Propose);
        let mut report = StrictReport::default();
        self.rescue(groups, &mut report);
        self.decide_claims(groups);
        self.decide(groups, &proposals, &mut report);
        self.parking = parking;
        self.explain(&proposals);
        observer.ended(StrictStage::Decide);
        self.commit(groups, &proposals, &mut report);
        report.knotted = self.find_knots(groups, &proposals, report.longest_wait);
        self.proposals = proposals;
        observer.ended(StrictStage::Commit);
        Ok(report)
    }

    fn check_step(&self, groups: &[StrictGroup<'_>]) -> Result<(), StrictError> {
        for (group, input) in groups.iter().enumerate() {
            let foreign = |what| Err(StrictError::ForeignMap { what, group });
            if input.movement.grid() != &self.grid {
                return foreign("movement");
            }
            if let Some((field, flow)) = input.field {
                if field.grid() != &self.grid {
                    return foreign("integration field");
                }
                if flow.grid() != &self.grid {
                    return foreign("flow field");
                }
            }
        }
        for slot in self.live() {
            let mover = &self.movers[slot as usize];
            let Some(group) = groups.get(usize::from(mover.group)) else {
                return Err(StrictError::MissingGroup {
                    agent: self.id(slot),
                    group: mover.group,
                    groups: groups.len(),
                });
            };
            let added = self.footprints[usize::from(self.units[slot as usize].shape)];
            let given = group.movement.profile().footprint;
            if added != given {
                return Err(StrictError::OtherBody {
                    agent: self.id(slot),
                    group: mover.group,
                    added,
                    given,
                });
            }
        }
        Ok(())
    }

    /// Whoever's field is another one than in the last step begins its task anew.
    fn note_versions(&mut self, groups: &[StrictGroup<'_>]) {
        if self.versions.len() < groups.len() {
            self.versions.resize(groups.len(), None);
        }
        let mut changed = Vec::new();
        for (group, input) in groups.iter().enumerate() {
            let before = self.versions[group].replace(input.field_version);
            if before.is_some_and(|before| before != input.field_version) {
                changed.resize(groups.len(), false);
                changed[group] = true;
            }
        }
        if changed.is_empty() {
            return;
        }
        for mover in &mut self.movers {
            if mover.is_live && changed[usize::from(mover.group)] {
                mover.nearest = u32::MAX;
                mover.unsettled = 0;
                mover.level = 0;
                mover.patience = 0;
            }
        }
        self.forget_deadlocks();
    }

    /// Decides every agent's move.
    fn decide(&mut self, groups: &[StrictGroup<'_>], proposals: &Proposals, report: &mut StrictReport) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        for slot in 0..self.units.len() {
            let number = u32::try_from(slot).unwrap_or(u32::MAX);
            let unit = &self.units[slot];
            match proposals.of(number).intent {
                Intent::Gone => {}
                _ if self.board.is_decided(number) => {}
                Intent::UnderWay => {
                    self.board.decide(number, unit, Decision::going_on(unit));
                }
                Intent::Stands(..) => {
                    self.board.decide(number, unit, Decision::staying(unit));
                }
                Intent::Idle | Intent::Surplus | Intent::Deadlocked | Intent::AtGoal | Intent::Wants => {
                    order.push((self.rank(slot), number));
                }
            }
        }
        order.sort_unstable();
        self.tokens.update(groups);
        self.tokens.give(&self.movers, &self.units, proposals, &order);
        if self.tokens.has_lanes() {
            for (rank, number) in &mut order {
                if self.tokens.travels(*number) {
                    // As if it had waited longer than anybody: those who have wait for it.
                    *rank &= !u64::from(u32::MAX);
                }
            }
            order.sort_unstable();
        }
        self.resolver.asked = 0;
        self.resolver.refused = 0;
        self.resolver.pushed = 0;
        let shapes = if self.claims.is_empty() {
            Vec::new()
        } else {
            self.board.shapes.clone()
        };
        let mark = self.board.mark();
        let mut stands = false;
        for &(_, number) in &order {
            if !self.board.is_decided(number) {
                let wanted = Wanted {
                    proposals,
                    groups,
                    movers: &self.movers,
                    units: &self.units,
                    tokens: &self.tokens,
                    claims: &self.claims,
                    shapes: &shapes,
                    tick: self.tick,
                };
                let settled = self
                    .resolver
                    .settle(&mut self.board, &self.units, &wanted, number);
                if !settled {
                    // The rules of the board are kept whatever the resolver does.
                    debug_assert!(false, "nobody takes the cell of one who cannot go");
                    self.board.undo_to(mark, &self.units);
                    stands = true;
                    break;
                }
            }
        }
        for &(_, number) in order.iter().filter(|_| stands) {
            if !self.board.is_decided(number) {
                let unit = &self.units[number as usize];
                self.board.decide(number, unit, Decision::staying(unit));
            }
        }
        report.asked = self.resolver.asked;
        report.refused = self.resolver.refused;
        report.pushed = self.resolver.pushed;
        self.order = order;
    }

    /// The smaller, the earlier: by priority, then waiting age, then slot.
    pub(super) fn rank(&self, slot: usize) -> u64 {
        let mover = &self.movers[slot];
        let priority = mover.priority.cast_unsigned() ^ (1 << 31);
        u64::from(!priority) << 32 | u64::from(!mover.age)
    }

    /// Notes of everybody who stands what keeps it, while the board still shows the whole tick.
    fn explain(&mut self, proposals: &Proposals) {
        for slot in 0..self.units.len() {
            let number = u32::try_from(slot).unwrap_or(u32::MAX);
            let proposal = proposals.of(number);
            let has_moved = self
                .board
                .decision(number)
                .is_some_and(|decision| decision.kind != STAY);
            let (outcome, blocker) = match proposal.intent {
                Intent::Gone => continue,
                Intent::Stands(outcome, blocker) => (outcome, blocker),
                Intent::Surplus => (Outcome::Waiting, Blocker::Nothing),
                // Whom it waited for last says most about why.
                Intent::Deadlocked => (Outcome::Deadlocked, self.movers[slot].blocker),
                _ if has_moved => (Outcome::Moved, Blocker::Nothing),
                Intent::UnderWay => (Outcome::Moved, Blocker::Nothing),
                Intent::AtGoal => (Outcome::Arrived, Blocker::Nothing),
                Intent::Idle => (Outcome::NoDirection, Blocker::Cell(CellId(self.units[slot].cell))),
                Intent::Wants if self.movers[slot].is_searched_for => (Outcome::Replanning, Blocker::Nothing),
                Intent::Wants => self.why_standing(proposals, number),
            };
            let mover = &mut self.movers[slot];
            if mover.outcome != outcome {
                mover.since = self.tick + 1;
            }
            mover.outcome = outcome;
            mover.blocker = blocker;
        }
    }

    fn why_standing(&mut self, proposals: &Proposals, number: u32) -> (Outcome, Blocker) {
        let mut blocker = Blocker::Nothing;
        let mut outcome = Outcome::Waiting;
        for choice in proposals.choices(number).iter().filter(|choice| choice.is_tight) {
            let refusal = self
                .resolver
                .refusal(&self.board, &self.units, number, choice.decision);
            let by = refusal
                .map(|refusal| refusal.by)
                .filter(|&by| by != super::board::NOBODY)
                .or_else(|| {
                    let holder = self.board.now[choice.decision.to as usize];
                    (holder != super::board::NOBODY && holder != number).then_some(holder)
                });
            if refusal.is_some() {
                outcome = Outcome::ReservationRefused;
            }
            if let Some(by) = by {
                blocker = Blocker::Agent(self.id(by));
                break;
            }
        }
        (outcome, blocker)
    }

    fn commit(&mut self, groups: &[StrictGroup<'_>], proposals: &Proposals, report: &mut StrictReport) {
        for slot in 0..self.units.len() {
            if self.movers[slot].is_live {
                self.movers[slot].came_from = self.place_of(&self.units[slot]);
            }
        }
        self.end_rescues();
        self.headway.begin(self.tick, self.options.search_after);
        let live: Vec<u32> = self.live().collect();
        self.board.commit(live.iter().copied(), &mut self.units);
        self.tick += 1;
        for &number in &live {
            let slot = number as usize;
            let intent = proposals.of(number).intent;
            let unit = self.units[slot];
            let group = &groups[usize::from(self.movers[slot].group)];
            let is_at_goal = !unit.is_under_way()
                && !group.is_idle
                && !matches!(intent, Intent::Stands(..))
                && group
                    .field
                    .is_some_and(|(_, flow)| flow.guidance(CellId(unit.cell)) == Guidance::Goal);
            let mover = &mut self.movers[slot];
            let stood = mover.outcome != Outcome::Moved;
            mover.age = mover.age.saturating_add(1);
            if stood && intent == Intent::Wants {
                mover.waited = mover.waited.saturating_add(1);
                self.longest_wait = self.longest_wait.max(mover.waited);
                report.longest_wait = report.longest_wait.max(mover.waited);
                if mover.waited >= u32::from(self.options.replan_after) && !mover.has_asked {
                    mover.has_asked = true;
                    self.replans.push(AgentId {
                        index: number,
                        generation: self.generation[slot],
                    });
                    mover.outcome = Outcome::Replanning;
                    mover.since = self.tick;
                }
            } else {
                mover.waited = 0;
                mover.has_asked = false;
            }
            let cost = proposals.of(number).cost;
            if is_at_goal {
                mover.settled = mover.settled.saturating_add(1);
                if mover.settled >= u32::from(self.options.search_after) {
                    (mover.unsettled, mover.level, mover.patience) = (0, 0, 0);
                }
            } else if intent == Intent::Wants {
                mover.settled = 0;
                mover.unsettled = mover.unsettled.saturating_add(1);
                let limit = u32::from(self.options.search_after) << mover.patience;
                let cell = CellId(unit.cell);
                if cost < mover.nearest {
                    (mover.nearest, mover.unsettled) = (cost, 0);
                    self.headway.note(&self.grid, cell, true);
                } else {
                    self.headway.note(&self.grid, cell, false);
                    if mover.unsettled >= limit && !mover.is_deadlocked && self.options.search_budget > 0 {
                        self.rescues.stuck.push(number);
                    }
                }
            }
            (mover.is_rescued, mover.is_searched_for) = (false, false);
            if is_at_goal {
                if intent != Intent::AtGoal {
                    self.arrived_total += 1;
                    report.arrived += 1;
                }
                (mover.age, mover.waited, mover.has_asked) = (0, 0, false);
                if mover.outcome != Outcome::Arrived {
                    mover.outcome = Outcome::Arrived;
                    mover.blocker = Blocker::Nothing;
                    mover.since = self.tick;
                }
            }
            report.oldest = report.oldest.max(mover.age);
            report.outcomes[mover.outcome] += 1;
            if is_at_goal && group.arrival == ArrivalRule::Leave {
                self.departures.push((self.id(number), CellId(unit.cell)));
                self.vacate(slot);
                self.left_total += 1;
                report.left += 1;
            }
        }
        let limit = u32::from(self.options.search_after) * PATIENCE;
        let mut stuck = core::mem::take(&mut self.rescues.stuck);
        self.rescues.suspects.clear();
        stuck.retain(|&slot| {
            let cell = CellId(self.units[slot as usize].cell);
            let unsettled = self.movers[slot as usize].unsettled;
            let is_due = unsettled >= limit || self.headway.is_stalled(&self.grid, cell);
            if !is_due && unsettled.is_multiple_of(u32::from(self.options.search_after)) {
                self.rescues.suspects.push(slot);
            }
            is_due
        });
        self.rescues.stuck = stuck;
    }
}
