//! Claims: ways of several ticks that a caller reserves for an agent, all or nothing.
//!
//! A claim is queued at any time and decided at the start of the next step, together with all others, in the order of
//! priority, waiting age and slot: never in the order in which they came in. What is reserved already are the ways of
//! claims granted before, and for everybody else the place they stand on, for ever; so is the last place of a granted way.
//! A claim that meets any of it is refused and changes nothing. A granted one is followed tick by tick; whoever has none
//! moves by the resolver, around what is reserved.

use super::agent::StrictGroup;
use super::board::{Board, Decision, NOBODY, Unit};
use super::crowd::StrictCrowd;
use super::error::{ClaimRefusal, StrictError};
use super::propose::direction_between;
use super::rules::{Leg, conflict};
use super::shape::STAY;
use crate::AgentId;
use crate::hash::Hasher;
use std::collections::{BTreeMap, BTreeSet};
use thalweg_core::grid::{CellId, DirectionSet};

/// A claim that waits for its decision.
#[derive(Clone, Debug)]
struct Request {
    way: Vec<CellId>,
    version: u64,
}

/// A way that was granted: the unit at the start of each tick from `start` on, and at the end of the last.
#[derive(Clone, Debug)]
struct Grant {
    start: u64,
    states: Vec<Unit>,
    decisions: Vec<Decision>,
    /// What would end it if it changed.
    touched: u32,
}

impl Grant {
    fn index(&self, tick: u64) -> Option<usize> {
        usize::try_from(tick.checked_sub(self.start)?).ok()
    }

    /// The unit at a tick: the last state for ever after the end.
    fn at(&self, tick: u64) -> &Unit {
        let last = self.states.len() - 1;
        &self.states[self.index(tick).map_or(0, |index| index.min(last))]
    }

    /// The first tick at which nothing is left to do.
    fn end(&self) -> u64 {
        self.start + self.decisions.len() as u64
    }
}

/// All claims.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    requests: BTreeMap<u32, Request>,
    grants: BTreeMap<u32, Grant>,
    /// Who touches a cell in the tick that begins then.
    touches: BTreeMap<(u32, u64), Vec<u32>>,
    /// Who rests on a cell at the end of its way, and from which tick on.
    rests: BTreeMap<u32, (u64, u32)>,
    decided: Vec<(AgentId, Result<(), ClaimRefusal>)>,
}

/// What a unit takes up in a tick.
struct Taken {
    is_single: bool,
    before: Vec<CellId>,
    after: Vec<CellId>,
    passed: Vec<CellId>,
}

impl Taken {
    fn new(board: &Board, now: &Unit, then: &Unit, decision: Decision) -> Self {
        let ids = |unit: &Unit| board.held(unit).map(CellId::from_index).collect();
        let shape = &board.shapes[usize::from(now.shape)];
        Self {
            is_single: shape.is_single,
            before: ids(now),
            after: ids(then),
            passed: shape
                .passed(now.layer, now.cell, decision.kind)
                .map(CellId::from_index)
                .collect(),
        }
    }

    fn leg(&self) -> Leg<'_> {
        Leg {
            is_single: self.is_single,
            before: &self.before,
            after: &self.after,
            passed: &self.passed,
        }
    }

    fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.before.iter().chain(&self.after).chain(&self.passed).copied()
    }
}

impl Claims {
    pub(super) fn is_empty(&self) -> bool {
        self.requests.is_empty() && self.grants.is_empty()
    }

    /// Whether the unit follows a claim.
    pub(super) fn has(&self, unit: u32) -> bool {
        self.grants.contains_key(&unit)
    }

    /// Who has reserved a cell, in the tick that begins now or later.
    pub(super) fn reserved(&self, cell: u32, now: u64, unit: u32) -> Option<u32> {
        let rests = self.rests.get(&cell).map(|&(_, by)| by).filter(|&by| by != unit);
        rests.or_else(|| {
            let touching = self.touches.range((cell, now)..=(cell, u64::MAX));
            touching
                .flat_map(|(_, units)| units)
                .copied()
                .find(|&by| by != unit)
        })
    }

    pub(super) fn hash_into(&self, hasher: &mut Hasher) {
        for (unit, request) in &self.requests {
            hasher.u32(*unit);
            hasher.u64(request.version);
            for cell in &request.way {
                hasher.u32(cell.0);
            }
        }
        for (unit, grant) in &self.grants {
            hasher.u32(*unit);
            hasher.u64(grant.start);
            for state in &grant.states {
                hasher.u32(state.cell);
                hasher.u32(state.to);
            }
        }
    }

    fn write(&mut self, board: &Board, unit: u32, grant: Grant) {
        for (index, decision) in grant.decisions.iter().enumerate() {
            let tick = grant.start + index as u64;
            let taken = Taken::new(board, &grant.states[index], &grant.states[index + 1], *decision);
            let mut cells: Vec<CellId> = taken.cells().collect();
            cells.sort_unstable();
            cells.dedup();
            for cell in cells {
                self.touches.entry((cell.0, tick)).or_default().push(unit);
            }
        }
        if let Some(last) = grant.states.last() {
            for cell in board.held(last) {
                let cell = u32::try_from(cell).unwrap_or(u32::MAX);
                self.rests.insert(cell, (grant.end(), unit));
            }
        }
        self.grants.insert(unit, grant);
    }

    /// Forgets what was asked for and granted: the slot may be somebody else's next.
    pub(super) fn forget(&mut self, unit: u32) {
        self.requests.remove(&unit);
        self.erase(unit);
    }

    fn erase(&mut self, unit: u32) {
        if self.grants.remove(&unit).is_none() {
            return;
        }
        self.touches.retain(|_, units| {
            units.retain(|&other| other != unit);
            !units.is_empty()
        });
        self.rests.retain(|_, (_, by)| *by != unit);
    }
}

impl StrictCrowd {
    /// Asks for a way of several ticks, to be decided at the start of the next step; see the module for the order. `way` are
    /// the anchor cells to be on after each step, beginning with the next one; the cell it is on already means waiting for
    /// one tick. `version` is the [`field_version`](StrictGroup::field_version) that the way was made by. A claim that is
    /// asked for before an earlier one of the same agent was decided takes its place.
    ///
    /// What came of it is in [`Self::claims`] after the step. At the end of the way its last cell stays reserved for the
    /// agent until it moves on.
    ///
    /// # Errors
    /// [`StrictError::NoSuchAgent`].
    pub fn claim(&mut self, id: AgentId, way: &[CellId], version: u64) -> Result<(), StrictError> {
        let slot = self.slot(id)?;
        let request = Request {
            way: way.to_vec(),
            version,
        };
        self.claims
            .requests
            .insert(u32::try_from(slot).unwrap_or(NOBODY), request);
        Ok(())
    }

    /// What came of the claims decided in the last step, in the order in which they were decided.
    pub fn claims(&self) -> &[(AgentId, Result<(), ClaimRefusal>)] {
        &self.claims.decided
    }

    /// Whether an agent follows a claim that was granted.
    #[must_use]
    pub fn follows_claim(&self, id: AgentId) -> bool {
        self.slot(id)
            .is_ok_and(|slot| u32::try_from(slot).is_ok_and(|slot| self.claims.has(slot)))
    }

    /// Decides what is asked for and takes those on who follow a claim.
    pub(super) fn decide_claims(&mut self, groups: &[StrictGroup<'_>]) {
        let mut claims = core::mem::take(&mut self.claims);
        claims.decided.clear();
        if !claims.is_empty() {
            self.end_claims(groups, &mut claims);
            let requests = core::mem::take(&mut claims.requests);
            let mut order: Vec<(u64, u32)> = requests
                .keys()
                .filter(|&&unit| self.movers[unit as usize].is_live)
                .map(|&unit| (self.rank(unit as usize), unit))
                .collect();
            order.sort_unstable();
            for (_, unit) in order {
                let answer = self.grant(groups, &claims, unit, &requests[&unit]);
                claims.decided.push((
                    self.id(unit),
                    answer.as_ref().map(|_| ()).map_err(|&refusal| refusal),
                ));
                if let Ok(grant) = answer {
                    claims.write(&self.board, unit, grant);
                }
            }
            self.follow_claims(groups, &mut claims);
        }
        self.claims = claims;
    }

    /// Takes away the claims that are done, and those of agents that were held, given other goals or taken out.
    fn end_claims(&self, groups: &[StrictGroup<'_>], claims: &mut Claims) {
        let tick = self.tick;
        let over: Vec<u32> = claims
            .grants
            .iter()
            .filter(|&(&unit, grant)| {
                let mover = &self.movers[unit as usize];
                !mover.is_live
                    || grant.end() <= tick
                    || grant.touched != mover.touched
                    || *grant.at(tick) != self.units[unit as usize]
                    || !self.is_able(groups, unit)
            })
            .map(|(&unit, _)| unit)
            .collect();
        for unit in over {
            claims.erase(unit);
        }
        claims.touches.retain(|&(_, at), _| at >= tick);
    }

    fn grant(
        &self,
        groups: &[StrictGroup<'_>],
        claims: &Claims,
        unit: u32,
        request: &Request,
    ) -> Result<Grant, ClaimRefusal> {
        let mover = &self.movers[unit as usize];
        let group = &groups[usize::from(mover.group)];
        let start = self.units[unit as usize];
        if request.version != group.field_version || !group.is_current {
            return Err(ClaimRefusal::StaleVersion {
                have: request.version,
                want: group.field_version,
            });
        }
        if start.is_under_way()
            || claims.has(unit)
            || self.board.is_decided(unit)
            || !self.is_able(groups, unit)
        {
            return Err(ClaimRefusal::NotFree);
        }
        let horizon = self.options.horizon;
        let mut states = vec![start];
        let mut decisions = Vec::new();
        let mut at = start;
        for &next in &request.way {
            let decision = if next.0 == at.cell {
                Decision::staying(&at)
            } else if let Some(kind) = Some(next)
                .filter(|next| next.index() < self.grid.len())
                .and_then(|next| direction_between(group.movement, CellId(at.cell), next))
            {
                Decision {
                    to: next.0,
                    kind,
                    layer: self.grid.cell(next).layer,
                }
            } else {
                return Err(ClaimRefusal::NoSuchStep {
                    from: CellId(at.cell),
                    to: next,
                });
            };
            loop {
                decisions.push(if at.is_under_way() {
                    Decision::going_on(&at)
                } else {
                    decision
                });
                at = at.after(decision);
                states.push(at);
                if !at.is_under_way() {
                    break;
                }
            }
            if decisions.len() > usize::from(horizon) {
                return Err(ClaimRefusal::BeyondHorizon {
                    ticks: u32::try_from(decisions.len()).unwrap_or(u32::MAX),
                    horizon,
                });
            }
        }
        let grant = Grant {
            start: self.tick,
            states,
            decisions,
            touched: mover.touched,
        };
        self.check_grant(claims, unit, &grant)?;
        Ok(grant)
    }

    /// Holds a way against everything that is reserved.
    fn check_grant(&self, claims: &Claims, unit: u32, grant: &Grant) -> Result<(), ClaimRefusal> {
        for (index, decision) in grant.decisions.iter().enumerate() {
            let tick = grant.start + index as u64;
            let mine = Taken::new(
                &self.board,
                &grant.states[index],
                &grant.states[index + 1],
                *decision,
            );
            let mut others = BTreeSet::new();
            for cell in mine.cells() {
                others.insert(self.board.now[cell.index()]);
                others.extend(self.beside(cell));
                others.extend(claims.touches.get(&(cell.0, tick)).into_iter().flatten());
                others.extend(claims.rests.get(&cell.0).map(|&(_, by)| by));
                if self.board.is_closed(cell.index()) {
                    return Err(ClaimRefusal::NotFree);
                }
            }
            others.remove(&unit);
            others.remove(&NOBODY);
            for other in others {
                let theirs = self.taken(claims, other, tick);
                if let Some(kind) = conflict(self.options.rules, mine.leg(), theirs.leg()) {
                    return Err(ClaimRefusal::Conflict {
                        kind,
                        by: self.id(other),
                        tick: tick + 1,
                    });
                }
            }
        }
        // The last place is kept for ever, so nobody may come by later either.
        let end = grant.end();
        for cell in grant
            .states
            .last()
            .map(|last| self.board.held(last))
            .into_iter()
            .flatten()
        {
            let cell = u32::try_from(cell).unwrap_or(u32::MAX);
            if let Some(by) = claims.reserved(cell, end, unit) {
                return Err(ClaimRefusal::Conflict {
                    kind: super::rules::ConflictKind::Vertex,
                    by: self.id(by),
                    tick: end,
                });
            }
        }
        Ok(())
    }

    /// Whoever holds a cell one straight step away: what a body on its way passes lies so beside a cell that it holds.
    fn beside(&self, cell: CellId) -> impl Iterator<Item = u32> + '_ {
        let beside = DirectionSet::STRAIGHT.iter();
        let beside = beside.filter_map(move |direction| self.grid.neighbour(cell, direction));
        beside.map(|cell| self.board.now[cell.index()])
    }

    /// What somebody has reserved for a tick: its granted way, or the rest of its step and then its place for ever.
    fn taken(&self, claims: &Claims, unit: u32, tick: u64) -> Taken {
        if let Some(grant) = claims.grants.get(&unit) {
            let decision = grant
                .index(tick)
                .and_then(|index| grant.decisions.get(index).copied())
                .unwrap_or_else(|| Decision::staying(grant.at(tick)));
            return Taken::new(&self.board, grant.at(tick), grant.at(tick + 1), decision);
        }
        let mut at = self.units[unit as usize];
        for _ in self.tick..tick {
            if !at.is_under_way() {
                break;
            }
            at = at.after(Decision::going_on(&at));
        }
        let decision = if at.is_under_way() {
            Decision::going_on(&at)
        } else {
            Decision::staying(&at)
        };
        Taken::new(&self.board, &at, &at.after(decision), decision)
    }

    /// Decides this tick of everybody's granted way. Whoever's way is shut by a wall or one who has failed gives it up and stays, and so
    /// do those who would have followed.
    fn follow_claims(&mut self, groups: &[StrictGroup<'_>], claims: &mut Claims) {
        let tick = self.tick;
        loop {
            let shut = claims.grants.iter().find(|&(&unit, grant)| {
                let Some(decision) = grant.index(tick).and_then(|index| grant.decisions.get(index)) else {
                    return false;
                };
                let at = grant.at(tick);
                if decision.kind != STAY && !at.is_under_way() {
                    // The map may have changed since.
                    let movement = groups[usize::from(self.movers[unit as usize].group)].movement;
                    let kind = direction_between(movement, CellId(at.cell), CellId(decision.to));
                    if kind != Some(decision.kind) {
                        return true;
                    }
                }
                let mine = Taken::new(&self.board, at, grant.at(tick + 1), *decision);
                let mut others: Vec<u32> = mine.cells().map(|cell| self.board.now[cell.index()]).collect();
                others.extend(mine.cells().flat_map(|cell| self.beside(cell)));
                others.retain(|&other| other != unit && other != NOBODY);
                decision.kind != STAY
                    && others.iter().any(|&other| {
                        conflict(
                            self.options.rules,
                            mine.leg(),
                            self.taken(claims, other, tick).leg(),
                        )
                        .is_some()
                    })
            });
            let Some((&unit, _)) = shut else { break };
            claims.erase(unit);
        }
        for (&unit, grant) in &claims.grants {
            let decision = grant
                .index(tick)
                .and_then(|index| grant.decisions.get(index).copied());
            if let Some(decision) = decision
                && !self.board.is_decided(unit)
            {
                self.board.decide(unit, &self.units[unit as usize], decision);
            }
        }
    }
}
