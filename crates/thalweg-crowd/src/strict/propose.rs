//! What every agent would like to do in the coming tick, best first: read from the fields, in parallel.

use super::agent::{Mover, StrictGroup};
use super::board::{Decision, NOBODY, Unit};
use super::parking::Parking;
use super::resolve::Choice;
use super::shape::{PORTAL, STAY};
use crate::{Blocker, Outcome, StalePolicy};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::CellId;
use thalweg_core::movement::{EdgeKind, Movement};
use thalweg_core::workers::{Workers, for_each_part};

/// Agents to a part of the work.
pub(super) const PART: usize = 256;

/// What an agent is going to do, before anything is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Intent {
    /// There is no agent in the slot.
    Gone,
    /// It is between two cells.
    UnderWay,
    /// It stands and cannot be moved, for this reason.
    Stands(Outcome, Blocker),
    /// It makes way if asked, and wants nothing itself.
    Idle,
    /// It has a goal, but on every place there somebody of its group rests. It makes way if asked.
    Surplus,
    /// It has a goal and can never get there. It makes way if asked.
    Deadlocked,
    /// It has a goal and is there.
    AtGoal,
    /// It has a goal.
    Wants,
}

/// One agent's proposal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proposal {
    pub(super) intent: Intent,
    /// Cost-to-goal of its cell; `u32::MAX` if none.
    pub(super) cost: u32,
    first: u32,
    len: u32,
}

/// The proposals of all agents.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposals {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, Default)]
struct Part {
    proposals: Vec<Proposal>,
    choices: Vec<Choice>,
    chooser: Chooser,
}

/// What is read.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a, 'g> {
    pub(super) groups: &'a [StrictGroup<'g>],
    pub(super) parking: &'a Parking,
    pub(super) movers: &'a [Mover],
    pub(super) units: &'a [Unit],
    /// By cell, who holds it.
    pub(super) now: &'a [u32],
    pub(super) tick: u64,
    pub(super) seed: u64,
}

impl Proposals {
    pub(super) fn make(&mut self, sight: Sight<'_, '_>, workers: &dyn Workers) {
        let parts = sight.units.len().div_ceil(PART);
        self.parts.resize_with(parts, Part::default);
        let jobs: Vec<_> = self.parts.iter_mut().collect();
        for_each_part(workers, jobs, |index, part: &mut Part| {
            part.proposals.clear();
            part.choices.clear();
            let start = index * PART;
            for slot in start..(start + PART).min(sight.units.len()) {
                part.propose(&sight, slot);
            }
        });
    }

    pub(super) fn of(&self, unit: u32) -> &Proposal {
        let index = unit as usize;
        &self.parts[index / PART].proposals[index % PART]
    }

    pub(super) fn choices(&self, unit: u32) -> &[Choice] {
        let part = &self.parts[unit as usize / PART];
        let proposal = &part.proposals[unit as usize % PART];
        &part.choices[proposal.first as usize..][..proposal.len as usize]
    }
}

impl Part {
    fn propose(&mut self, sight: &Sight<'_, '_>, slot: usize) {
        let first = u32::try_from(self.choices.len()).unwrap_or(u32::MAX);
        let mover = &sight.movers[slot];
        let unit = &sight.units[slot];
        let (intent, cost, group) = intent(sight, mover, unit);
        if matches!(
            intent,
            Intent::Idle | Intent::Surplus | Intent::Deadlocked | Intent::AtGoal | Intent::Wants
        ) {
            let mixed = mix(sight.seed ^ sight.tick.rotate_left(32) ^ slot as u64);
            self.chooser
                .list(&group, unit, cost, Some(sight.now), mixed, &mut self.choices);
        }
        self.proposals.push(Proposal {
            intent,
            cost,
            first,
            len: u32::try_from(self.choices.len()).unwrap_or(u32::MAX) - first,
        });
    }
}

/// What an agent is going to do, its cost-to-goal, and its group with the field that it goes by.
fn intent<'a>(sight: &Sight<'a, '_>, mover: &Mover, unit: &Unit) -> (Intent, u32, StrictGroup<'a>) {
    const NONE: u32 = u32::MAX;
    let cell = CellId(unit.cell);
    let group = &sight.groups[usize::from(mover.group)];
    let stands = |outcome, blocker| (Intent::Stands(outcome, blocker), NONE, *group);
    if !mover.is_live {
        return (Intent::Gone, NONE, *group);
    }
    if unit.is_under_way() {
        return (Intent::UnderWay, NONE, *group);
    }
    if mover.is_held {
        return stands(Outcome::Waiting, Blocker::Held);
    }
    if !group.movement.is_passable(cell) {
        return stands(Outcome::Outside, Blocker::Cell(cell));
    }
    if group.is_idle {
        return (Intent::Idle, NONE, *group);
    }
    let Some((field, flow)) = group.field else {
        return stands(Outcome::StaleField, Blocker::FieldMissing);
    };
    if !group.is_current && group.stale == StalePolicy::Stop {
        return stands(Outcome::StaleField, Blocker::FieldStale);
    }
    let guidance = flow.guidance(cell);
    if guidance == Guidance::Goal {
        let cost = field.cost(cell).map_or(0, |cost| cost.0);
        return (Intent::AtGoal, cost, *group);
    }
    if mover.is_deadlocked {
        // Nothing it does can help; it makes way for those who get on.
        return (Intent::Deadlocked, NONE, *group);
    }
    if sight.parking.is_full(mover.group) {
        return (Intent::Surplus, NONE, *group);
    }
    let seen = sight.parking.seen(group, mover.group);
    match seen.field.and_then(|(field, _)| field.cost(cell)) {
        Some(cost) => (Intent::Wants, cost.0, seen),
        // The places that are free cannot be reached; perhaps one that is taken comes free.
        None if field.cost(cell).is_some() => (Intent::Surplus, NONE, *group),
        None => (Intent::Idle, NONE, *group),
    }
}

/// Memory of [`Chooser::list`].
#[derive(Clone, Debug, Default)]
pub(super) struct Chooser {
    keys: Vec<u64>,
    unsorted: Vec<Choice>,
}

impl Chooser {
    /// Lists what a unit that stands may do: its exits and portals from which its goal can be reached, and staying. What is
    /// on a best way comes first, then by what the detour costs, staying counting as one straight step; then staying, free
    /// cells, and as the seed has it.
    ///
    /// Rejected: by the cost-to-goal of the next cell alone, as on maps of equal costs. It takes a dear step for a good one.
    pub(super) fn list(
        &mut self,
        group: &StrictGroup<'_>,
        unit: &Unit,
        cost: u32,
        now: Option<&[u32]>,
        mixed: u64,
        choices: &mut Vec<Choice>,
    ) {
        let cell = CellId(unit.cell);
        self.keys.clear();
        self.unsorted.clear();
        let field = group.field.filter(|_| !group.is_idle && cost != u32::MAX);
        // Also who wants nothing now stays where its goal can be reached from.
        let whole = group.field.filter(|_| !group.is_idle).map(|(field, _)| field);
        let whole = whole.filter(|field| field.cost(cell).is_some());
        let tight = field.map(|(_, flow)| flow.successors(cell));
        for edge in group.movement.edges_from(cell) {
            let (kind, is_tight) = match edge.kind {
                EdgeKind::Step(direction) => (
                    direction as u8,
                    tight.is_some_and(|tight| tight.contains(direction)),
                ),
                EdgeKind::Portal(index) => (
                    PORTAL,
                    field.is_some_and(|(_, flow)| flow.portal_successors(cell).any(|portal| portal == index)),
                ),
                _ => continue,
            };
            if whole.is_some_and(|field| field.cost(edge.other).is_none()) {
                // Whoever goes there does not come back.
                continue;
            }
            let regret = match field.map(|(field, _)| field.cost(edge.other)) {
                // Nowhere to go: any way is as good.
                None => 1,
                // No free place can be reached from there.
                Some(None) => continue,
                Some(Some(_)) if is_tight => 0,
                Some(Some(other)) => (u64::from(edge.cost) + u64::from(other.0))
                    .saturating_sub(u64::from(cost))
                    .max(1),
            };
            let layer = if kind == PORTAL {
                group.movement.grid().cell(edge.other).layer
            } else {
                unit.layer
            };
            let is_taken = now.is_some_and(|now| now[edge.other.index()] != NOBODY);
            let tie = (mixed >> (6 * u32::from(kind))) & 0x3f;
            self.add(
                regret << 8 | 1 << 7 | u64::from(is_taken) << 6 | tie,
                Choice {
                    decision: Decision {
                        to: edge.other.0,
                        kind,
                        layer,
                    },
                    is_tight,
                },
            );
        }
        let waiting = match field {
            Some((field, flow)) if flow.guidance(cell) != Guidance::Goal => u64::from(field.cost_unit()),
            _ => 0,
        };
        self.add(
            waiting << 8,
            Choice {
                decision: Decision {
                    to: unit.cell,
                    kind: STAY,
                    layer: unit.layer,
                },
                is_tight: false,
            },
        );
        self.keys.sort_unstable();
        choices.extend(self.keys.iter().map(|key| self.unsorted[(key & NUMBER) as usize]));
    }

    fn add(&mut self, key: u64, choice: Choice) {
        let number = (self.unsorted.len() as u64).min(NUMBER);
        self.keys.push(key << 16 | number);
        self.unsorted.push(choice);
    }
}

/// How a unit gets from one cell to another: by the step, if there is one, else by a portal; `None` where no edge leads.
pub(super) fn direction_between(movement: &Movement, from: CellId, to: CellId) -> Option<u8> {
    // Steps come before portals.
    movement
        .edges_from(from)
        .find(|edge| edge.other == to)
        .map(|edge| match edge.kind {
            EdgeKind::Step(direction) => direction as u8,
            _ => PORTAL,
        })
}

/// The bits of a key that tell which choice it is.
const NUMBER: u64 = 0xffff;

/// Spreads the bits of a number over all of it (the finaliser of `SplitMix64`, Steele, Lea and Flood 2014).
pub(super) const fn mix(mut bits: u64) -> u64 {
    bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
