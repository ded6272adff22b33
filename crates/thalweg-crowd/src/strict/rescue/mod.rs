//! The slow path: who makes no progress is searched a way for, together with whoever is near.
//!
//! The resolver looks one tick ahead and can turn in circles: two that change places in a lane need a third cell, and who
//! rests at a goal comes back into the way of whoever has to pass. When an agent has not come nearer to its goal for
//! [`search_after`](super::StrictOptions::search_after) ticks, the cells around it become a *zone*: all bodies in it are
//! members, others stay out, and as soon as all members stand a search over their configurations begins. The way that it
//! finds is then followed tick by tick. If there is none, or none was found in time, the zone is made wider, up to all that
//! can be reached. Then *no way* is a proof, and only then an agent is called deadlocked.
//!
//! Rejected: one search for the whole crowd at once. It stands still meanwhile, and a pair in a lane would stop ten
//! thousand.

mod world;
mod zone;

use super::agent::StrictGroup;
use super::board::{Decision, NOBODY};
use super::crowd::StrictCrowd;
use super::propose::direction_between;
use super::report::StrictReport;
use super::search::improve::Measure;
use super::search::{Answer, Limits, Search, Status};
use crate::hash::Hasher;
use crate::{ArrivalRule, Outcome};
use thalweg_core::cost::CostVersion;
use thalweg_core::flow::Guidance;
use thalweg_core::grid::CellId;
use world::{Aim, Bench, Configuration, Member, Place, World};
pub(super) use zone::Zone;

/// How far zones reach, in steps from whoever is stuck; beyond the last one everything that can be reached.
const RADII: [u32; WHOLE as usize] = [4, 8, 16, 32];
/// Everything, all at their goals at once.
const WHOLE: u8 = 4;
/// Everything, and only the one who is stuck has to get there.
const ALONE: u8 = WHOLE + 1;

/// Configurations that a search in a zone may look at.
const CONFIGURATIONS: u64 = 3000;
/// For how many ticks members of a zone stand at most while a way is searched; not if the zone is everything.
const TICKS: u64 = 4;
/// Configurations that are kept at most.
const NODES: usize = 200_000;
/// The most memory that places of kept configurations may take, as a number of places (12 bytes each).
const PLACES: usize = 64 << 20;
/// Ticks between configurations that are remembered, for shorter ways.
const EDGES: usize = 200_000;
/// How many straight steps nearer than ever a zone has to bring the one who is stuck, if its goal is farther.
const STEPS: u32 = 4;
/// The most members of a zone while others elsewhere get on.
const MEMBERS: usize = 100;
/// Zones at once.
const RESCUES: usize = 8;
/// How far ahead a found way is shortened, in ticks.
const REACH: usize = 12;

/// One zone and its search.
#[derive(Clone, Debug)]
struct Rescue {
    core: u32,
    level: u8,
    members: Vec<Member>,
    /// Of each member what would make the search worthless if it changed.
    signs: Vec<Sign>,
    zone: Zone,
    phase: Phase,
}

impl Rescue {
    const fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Gathering | Phase::Searching(_))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sign {
    generation: u32,
    touched: u32,
    version: u64,
    ground: CostVersion,
    is_able: bool,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Members end their steps.
    Gathering,
    Searching(Box<Search<Configuration>>),
    /// The way, and the next configuration on it.
    Following(Vec<Configuration>, usize),
    Done,
}

/// All zones.
#[derive(Clone, Debug, Default)]
pub(super) struct Rescues {
    active: Vec<Rescue>,
    bench: Option<Bench>,
    /// Who is stuck, as found in the last commit.
    pub(super) stuck: Vec<u32>,
    /// Who made no progress either, but others around it do: no search yet, but a lane tells by counting and costs nearly
    /// nothing.
    pub(super) suspects: Vec<u32>,
}

impl Rescues {
    pub(super) fn hash_into(&self, hasher: &mut Hasher) {
        for rescue in &self.active {
            hasher.u32(rescue.core);
            hasher.u32(u32::from(rescue.level));
            match &rescue.phase {
                Phase::Gathering => hasher.u32(0),
                Phase::Searching(search) => hasher.u64(search.spent()),
                Phase::Following(way, next) => {
                    hasher.u64(way.len() as u64);
                    hasher.u64(*next as u64);
                }
                Phase::Done => hasher.u32(1),
            }
        }
    }

    /// Whether the slot is in a zone.
    fn has(&self, slot: u32) -> bool {
        self.active
            .iter()
            .any(|rescue| rescue.members.iter().any(|member| member.slot == slot))
    }
}

impl StrictCrowd {
    /// Begins, drives and ends rescues, and decides what their members do in this tick.
    pub(super) fn rescue(&mut self, groups: &[StrictGroup<'_>], report: &mut StrictReport) {
        for slot in core::mem::take(&mut self.rescues.suspects) {
            let mover = &self.movers[slot as usize];
            if mover.is_live && !mover.is_deadlocked && self.is_able(groups, slot) {
                self.judge_lane(groups, slot);
            }
        }
        if self.rescues.active.is_empty() && self.rescues.stuck.is_empty() {
            return;
        }
        let mut rescues = core::mem::take(&mut self.rescues);
        self.drop_disturbed(groups, &mut rescues);
        self.begin(groups, &mut rescues);
        let mut budget = u64::from(self.options.search_budget);
        let mut bench = rescues
            .bench
            .take()
            .filter(|_| !rescues.active.is_empty())
            .unwrap_or_else(|| Bench::new(self.grid.len(), &self.board));
        bench.update_shapes(&self.board);
        for rescue in &mut rescues.active {
            self.drive(groups, rescue, &mut bench, &mut budget, report);
            self.decide_members(groups, rescue);
        }
        rescues.bench = Some(bench);
        rescues.stuck.clear();
        self.rescues = rescues;
    }

    /// Opens the zones that are done with.
    pub(super) fn end_rescues(&mut self) {
        let mut active = core::mem::take(&mut self.rescues.active);
        active.retain(|rescue| {
            let is_done = matches!(rescue.phase, Phase::Done);
            if is_done {
                rescue.zone.open(&mut self.board);
            }
            !is_done
        });
        self.rescues.active = active;
    }

    fn sign(&self, groups: &[StrictGroup<'_>], slot: u32) -> Sign {
        let mover = &self.movers[slot as usize];
        let group = &groups[usize::from(mover.group)];
        Sign {
            generation: self.generation[slot as usize],
            touched: mover.touched,
            version: group.field_version,
            ground: group.movement.cost_version(),
            is_able: self.is_able(groups, slot),
        }
    }

    /// Whether an agent can be moved at all.
    pub(super) fn is_able(&self, groups: &[StrictGroup<'_>], slot: u32) -> bool {
        let mover = &self.movers[slot as usize];
        let group = &groups[usize::from(mover.group)];
        let stops = !group.is_current && group.stale == crate::StalePolicy::Stop;
        !mover.is_held
            && group.movement.is_passable(CellId(self.units[slot as usize].cell))
            && (group.is_idle || (group.field.is_some() && !stops))
    }

    fn drop_disturbed(&mut self, groups: &[StrictGroup<'_>], rescues: &mut Rescues) {
        let mut active = core::mem::take(&mut rescues.active);
        active.retain(|rescue| {
            let last = match &rescue.phase {
                Phase::Following(way, next) => way.get(*next - 1),
                _ => None,
            };
            let is_as_was = |index: usize| {
                let (member, sign) = (&rescue.members[index], &rescue.signs[index]);
                let slot = member.slot as usize;
                let is_here = self.movers[slot].is_live && self.generation[slot] == sign.generation;
                if last.is_some_and(|places| places[index].is_gone()) {
                    // It has left as was planned.
                    !is_here
                } else {
                    is_here && self.sign(groups, member.slot) == *sign
                }
            };
            let is_invaded = || {
                rescue
                    .zone
                    .is_invaded(&self.board, |slot| self.is_member(rescue, slot))
            };
            let is_well = (0..rescue.members.len()).all(is_as_was) && !is_invaded();
            if !is_well {
                rescue.zone.open(&mut self.board);
            }
            is_well
        });
        rescues.active = active;
    }

    /// Whether the agent in a slot is a member, and not another one that was given the slot since.
    fn is_member(&self, rescue: &Rescue, slot: u32) -> bool {
        let place = rescue.members.binary_search_by_key(&slot, |member| member.slot);
        place.is_ok_and(|place| rescue.signs[place].generation == self.generation[slot as usize])
    }

    /// Makes zones around those who are stuck, the most urgent first.
    fn begin(&mut self, groups: &[StrictGroup<'_>], rescues: &mut Rescues) {
        let mut stuck = core::mem::take(&mut rescues.stuck);
        stuck.retain(|&slot| self.movers[slot as usize].is_live && !self.movers[slot as usize].is_deadlocked);
        stuck.sort_unstable_by_key(|&slot| (self.rank(slot as usize), slot));
        for slot in stuck {
            // Members stand while they are searched for, so only as many are as the budget is for.
            if rescues.active.iter().any(Rescue::is_searching) {
                return;
            }
            if rescues.active.len() >= RESCUES || rescues.has(slot) || !self.is_able(groups, slot) {
                continue;
            }
            if self.judge_lane(groups, slot) || self.movers[slot as usize].is_deadlocked {
                continue;
            }
            let level = self.movers[slot as usize].level.min(ALONE);
            if let Some(rescue) = self.gather(groups, slot, level, rescues) {
                rescues.active.push(rescue);
            }
        }
    }

    /// A zone around an agent; `None` if it would meet another one.
    fn gather(
        &mut self,
        groups: &[StrictGroup<'_>],
        core: u32,
        level: u8,
        rescues: &mut Rescues,
    ) -> Option<Rescue> {
        let radius = RADII.get(usize::from(level)).copied();
        let unit = self.units[core as usize];
        let movement_of = |slot: u32| groups[usize::from(self.movers[slot as usize].group)].movement;
        let mut zone = match radius {
            Some(radius) => Zone::around(&self.board, movement_of(core), &unit, radius),
            None => Zone::of_all(&self.board, &self.units, movement_of, core),
        };
        let slots = zone.take_in(&self.board, &self.units);
        if slots.len() > MEMBERS && !self.headway.is_stalled_everywhere() {
            // Others get on: so many are not stopped for one. It is tried again, from the smallest zone on.
            let mover = &mut self.movers[core as usize];
            (mover.level, mover.unsettled) = (0, 0);
            mover.patience = mover.patience.saturating_add(1).min(6);
            return None;
        }
        // A way that was promised is kept, whoever goes it; the zone waits for its end.
        let has_promised = slots.iter().any(|&slot| self.claims.has(slot))
            || (!self.claims.is_empty()
                && zone.any(|cell| self.claims.reserved(cell, self.tick, NOBODY).is_some()));
        if has_promised {
            return None;
        }
        if radius.is_none() {
            for other in rescues.active.drain(..) {
                other.zone.open(&mut self.board);
            }
        }
        if zone.is_taken(&self.board) {
            return None;
        }
        zone.close(&mut self.board);
        let mut rescue = Rescue {
            core,
            level,
            members: Vec::new(),
            signs: slots.iter().map(|&slot| self.sign(groups, slot)).collect(),
            zone,
            phase: Phase::Gathering,
        };
        rescue.members = slots
            .iter()
            .map(|&slot| self.member(groups, &rescue, slot))
            .collect();
        Some(rescue)
    }

    fn member(&self, groups: &[StrictGroup<'_>], rescue: &Rescue, slot: u32) -> Member {
        let mover = &self.movers[slot as usize];
        let group = &groups[usize::from(mover.group)];
        let unit = self.units[slot as usize];
        let is_goal = |cell: u32| {
            group
                .field
                .is_some_and(|(_, flow)| flow.guidance(CellId(cell)) == Guidance::Goal)
        };
        let is_fixed = !self.is_able(groups, slot);
        let rests = group.arrival == ArrivalRule::Rest;
        let is_whole = rescue.level == WHOLE;
        // Whose goal cannot be reached at all makes way like one without.
        let has_way = group
            .field
            .is_some_and(|(field, _)| field.cost(CellId(unit.cell)).is_some());
        let aim = if is_fixed || group.is_idle || !has_way {
            Aim::Nothing
        } else if slot == rescue.core {
            // Some steps nearer than ever will do: it goes on from there.
            let unit = group.field.map_or(1, |(field, _)| field.cost_unit());
            let wanted = mover.nearest.saturating_sub(unit.saturating_mul(STEPS));
            match rescue.zone.nearest(group, is_goal) {
                Some(cost) if rescue.level < WHOLE && cost.max(wanted) > 0 => Aim::Within(cost.max(wanted)),
                _ => Aim::Goal,
            }
        } else if rests && (is_whole || (rescue.level < WHOLE && unit.left == 0 && is_goal(unit.cell))) {
            Aim::Goal
        } else {
            Aim::Nothing
        };
        Member {
            slot,
            group: mover.group,
            aim,
            is_fixed,
            unit,
        }
    }

    /// Takes a rescue on by one tick.
    fn drive(
        &mut self,
        groups: &[StrictGroup<'_>],
        rescue: &mut Rescue,
        bench: &mut Bench,
        budget: &mut u64,
        report: &mut StrictReport,
    ) {
        let mut world = World {
            grid: &self.grid,
            groups,
            members: &rescue.members,
            zone: rescue.zone.cells(),
            seed: self.options.seed,
            bench,
        };
        if matches!(rescue.phase, Phase::Gathering) {
            let all_stand = rescue
                .members
                .iter()
                .all(|member| !self.units[member.slot as usize].is_under_way());
            if !all_stand {
                return;
            }
            let root: Configuration = rescue
                .members
                .iter()
                .map(|member| Place::of(&self.units[member.slot as usize]))
                .collect();
            let members = rescue.members.len().max(1);
            let agent_steps = if rescue.level < WHOLE {
                // Not for more than some ticks: they stand meanwhile.
                (CONFIGURATIONS * members as u64)
                    .min(u64::from(self.options.search_budget) * TICKS)
                    .min(self.options.search_limit)
            } else {
                self.options.search_limit
            };
            let limits = Limits {
                agent_steps,
                nodes: NODES.min(PLACES / members).max(2),
                edges: EDGES,
                measure: if rescue.level < WHOLE {
                    Measure::Ticks
                } else {
                    Measure::AgentTicks
                },
            };
            rescue.phase = Phase::Searching(Box::new(Search::new(&world, root, limits)));
        }
        let Phase::Searching(search) = &mut rescue.phase else {
            return;
        };
        let before = search.spent();
        search.advance(&mut world, *budget);
        let spent = search.spent() - before;
        report.searched += spent;
        *budget = budget.saturating_sub(spent);
        if search.status() == Status::Found && *budget > 0 {
            // What is left of the tick's budget makes the way shorter.
            let spent = search.spent();
            search.improve(&mut world, *budget);
            let spent = search.spent() - spent;
            report.searched += spent;
            *budget = budget.saturating_sub(spent);
        }
        let Some(answer) = search.answer() else { return };
        match answer {
            Answer::Found(mut way) => {
                world.polish(&mut way, REACH);
                rescue.phase = Phase::Following(way, 1);
                self.note_end(rescue, true);
            }
            Answer::Exhausted => {
                rescue.phase = Phase::Done;
                if rescue.level < WHOLE {
                    self.note_end(rescue, false);
                } else {
                    self.call_deadlocked(groups, rescue);
                }
            }
            Answer::OutOfBudget { nearest, .. } => {
                self.note_end(rescue, false);
                rescue.phase = if rescue.level >= WHOLE && nearest.len() > 1 {
                    Phase::Following(nearest, 1)
                } else {
                    Phase::Done
                };
            }
        }
        if matches!(&rescue.phase, Phase::Following(way, _) if way.len() < 2) {
            rescue.phase = Phase::Done;
        }
    }

    /// The next one for the same agent is wider, and comes at once if this one found nothing.
    fn note_end(&mut self, rescue: &Rescue, has_found: bool) {
        let mover = &mut self.movers[rescue.core as usize];
        if rescue.level < WHOLE {
            mover.level = rescue.level + 1;
        } else {
            mover.patience = mover.patience.saturating_add(1).min(8);
        }
        if has_found || rescue.level >= WHOLE {
            for member in &rescue.members {
                self.movers[member.slot as usize].unsettled = 0;
            }
        }
    }

    /// No sequence of moves of anybody who can be reached leads there: that is proved.
    fn call_deadlocked(&mut self, groups: &[StrictGroup<'_>], rescue: &Rescue) {
        let core = rescue.core as usize;
        let rests = groups[usize::from(self.movers[core].group)].arrival == ArrivalRule::Rest;
        if rescue.level == WHOLE && !rests {
            // Not all can be at their goals, but this one may.
            self.movers[core].level = ALONE;
            return;
        }
        self.mark_deadlocked(core);
        if rests {
            // Nor can the others who are on their way all be at their goals with it.
            for member in &rescue.members {
                let slot = member.slot as usize;
                let is_at_goal = self.movers[slot].outcome == Outcome::Arrived;
                if member.aim == Aim::Goal && !is_at_goal && rescue.level == WHOLE {
                    self.mark_deadlocked(slot);
                }
            }
        }
    }

    pub(super) fn mark_deadlocked(&mut self, slot: usize) {
        if !core::mem::replace(&mut self.movers[slot].is_deadlocked, true) {
            self.deadlocked += 1;
        }
    }

    /// Writes what the members do in this tick.
    fn decide_members(&mut self, groups: &[StrictGroup<'_>], rescue: &mut Rescue) {
        if matches!(rescue.phase, Phase::Done) {
            return;
        }
        let mut is_done = false;
        let mut decisions = Vec::with_capacity(rescue.members.len());
        for (index, member) in rescue.members.iter().enumerate() {
            let slot = member.slot as usize;
            let unit = self.units[slot];
            let decision = match &rescue.phase {
                _ if unit.is_under_way() && self.movers[slot].is_live => Decision::going_on(&unit),
                Phase::Following(way, next) => {
                    let (was, will) = (way[*next - 1][index], way[*next][index]);
                    if was.is_gone() {
                        continue;
                    }
                    let to = if will.left > 0 { will.to } else { will.cell };
                    if to == unit.cell {
                        Decision::staying(&unit)
                    } else {
                        let movement = groups[usize::from(member.group)].movement;
                        let Some(kind) = direction_between(movement, CellId(unit.cell), CellId(to)) else {
                            // A wall came down on the way.
                            rescue.phase = Phase::Done;
                            return;
                        };
                        Decision {
                            to,
                            kind,
                            layer: self.grid.cell(CellId(to)).layer,
                        }
                    }
                }
                _ => Decision::staying(&unit),
            };
            decisions.push((member.slot, decision));
        }
        for (slot, decision) in decisions {
            let mover = &mut self.movers[slot as usize];
            mover.is_rescued = matches!(rescue.phase, Phase::Following(..));
            mover.is_searched_for = !mover.is_rescued;
            self.board.decide(slot, &self.units[slot as usize], decision);
        }
        if let Phase::Following(way, next) = &mut rescue.phase {
            *next += 1;
            is_done = *next >= way.len();
        }
        if is_done {
            rescue.phase = Phase::Done;
        }
    }
}

impl World<'_, '_> {
    /// Shortens a way.
    fn polish(&mut self, way: &mut Vec<Configuration>, reach: usize) {
        super::search::polish::polish(way, reach, |from, to| self.is_tick(from, to));
    }
}
