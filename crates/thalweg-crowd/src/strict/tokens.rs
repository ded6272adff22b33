//! Corridor tokens: which way a lane for one is used, and how many may follow before the other side has its turn.
//!
//! Where two rooms hang together by a chain of bridges ([`Blocks`]), inheritance alone promises little: the crowds of both sides
//! push each other through the lane and back. So a lane has a direction while somebody travels in it, and whoever would
//! enter against it waits outside. Those inside go before those outside, who wait for them; after a quota of entries the
//! other side has its turn if anybody waits there, so nobody waits for ever while the lane can be emptied.
//!
//! Lanes that are part of a ring have no tokens: there is another way round, and inheritance does well.

use super::agent::{Mover, StrictGroup};
use super::board::Unit;
use super::propose::{Intent, Proposals};
use crate::hash::Hasher;
use thalweg_core::components::{Blocks, CorridorIndex, CorridorKind};
use thalweg_core::grid::CellId;
use thalweg_core::movement::MovementProfile;

/// The fewest that may enter in one turn, if there is room beyond: a door of one cell should not change its direction with
/// every body.
const LEAST_QUOTA: u32 = 8;

/// One lane.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// The end that traffic goes to, 0 or 1; none while the lane is empty.
    towards: Option<u8>,
    /// How many more may enter in this turn.
    quota: u32,
    /// Who travels in it, by the end they go to.
    inside: [u32; 2],
    /// Who would enter, by the end they would go to.
    wanted: [u32; 2],
    /// The most urgent of them: its place in the order.
    first: [u32; 2],
}

impl Lane {
    const fn count_anew(&mut self) {
        self.inside = [0; 2];
        self.wanted = [0; 2];
        self.first = [u32::MAX; 2];
    }
}

/// The lanes of one kind of body.
#[derive(Clone)]
struct Lanes {
    profile: MovementProfile,
    blocks: Blocks,
    lanes: Vec<Lane>,
    /// Lanes that anybody is in or wants to enter.
    busy: Vec<u32>,
}

/// All lanes, and who may enter in this tick.
#[derive(Clone, Default)]
pub(super) struct Tokens {
    kinds: Vec<Lanes>,
    /// By group: which kind its agents are of; none for bodies of several cells.
    kind_of: Vec<Option<usize>>,
    /// By unit.
    may_enter: Vec<bool>,
    /// By unit: whether it travels in a lane the way that is open.
    travels: Vec<bool>,
}

impl core::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tokens")
            .field("kinds", &self.kinds.len())
            .finish_non_exhaustive()
    }
}

/// Where a unit is or would be with regard to a lane.
struct Use {
    lane: CorridorIndex,
    towards: u8,
}

impl Tokens {
    /// Finds the lanes of every group's map, if it changed: O(cells) then.
    pub(super) fn update(&mut self, groups: &[StrictGroup<'_>]) {
        let mut kinds = core::mem::take(&mut self.kinds);
        self.kind_of.clear();
        let mut used = vec![false; kinds.len()];
        for group in groups {
            let movement = group.movement;
            let profile = movement.profile();
            if profile.footprint.covered_offsets().nth(1).is_some() {
                self.kind_of.push(None);
                continue;
            }
            let known = kinds.iter().position(|kind| kind.profile == *profile);
            let kind = known.unwrap_or_else(|| {
                kinds.push(Lanes::new(movement));
                used.push(false);
                kinds.len() - 1
            });
            if !kinds[kind].blocks.is_current(movement) {
                kinds[kind] = Lanes::new(movement);
            }
            used[kind] = true;
            self.kind_of.push((!kinds[kind].lanes.is_empty()).then_some(kind));
        }
        self.kinds = kinds;
    }

    /// The cells of the lane that a cell is in, if the lane is connected with nothing else and nobody in it can pass anybody.
    pub(super) fn whole_lane(&self, group: u16, cell: CellId, squeezing: bool) -> Option<&[CellId]> {
        let kind = &self.kinds[self.kind_of.get(usize::from(group)).copied()??];
        let (lane, _) = kind.blocks.corridor_at(cell)?;
        let corridor = kind.blocks.corridor(lane)?;
        let is_closed = corridor.kind() == CorridorKind::Whole && !(squeezing && corridor.has_shortcut);
        is_closed.then_some(corridor.cells)
    }

    /// Whether the agents of two groups have the same lanes.
    pub(super) fn are_of_one_kind(&self, a: u16, b: u16) -> bool {
        self.kind_of.get(usize::from(a)) == self.kind_of.get(usize::from(b))
    }

    /// Whether any lane is known.
    pub(super) fn has_lanes(&self) -> bool {
        self.kind_of.iter().any(Option::is_some)
    }

    /// Gives tokens to those who may enter a lane in this tick. `order` are the units that decide, most urgent first.
    pub(super) fn give(
        &mut self,
        movers: &[Mover],
        units: &[Unit],
        proposals: &Proposals,
        order: &[(u64, u32)],
    ) {
        self.may_enter.clear();
        self.may_enter.resize(units.len(), false);
        self.travels.clear();
        self.travels.resize(units.len(), false);
        if !self.has_lanes() {
            return;
        }
        for kind in &mut self.kinds {
            for &lane in &kind.busy {
                kind.lanes[lane as usize].count_anew();
            }
        }
        self.count_inside(movers, units, proposals);
        let mut wishes = Vec::new();
        for (place, &(_, unit)) in (0u32..).zip(order) {
            let Some(kind) = self.kind_of[usize::from(movers[unit as usize].group)] else {
                continue;
            };
            if let Some(wish) = self.kinds[kind].wish(units, proposals, unit) {
                let lane = self.kinds[kind].touch(wish.lane);
                let end = usize::from(wish.towards);
                lane.wanted[end] += 1;
                lane.first[end] = lane.first[end].min(place);
                wishes.push((kind, wish, unit));
            }
        }
        for kind in &mut self.kinds {
            kind.turn();
        }
        for (kind, wish, unit) in wishes {
            self.may_enter[unit as usize] = self.kinds[kind].admit(&wish);
        }
        for &(_, unit) in order {
            let Some(kind) = self.kind_of[usize::from(movers[unit as usize].group)] else {
                continue;
            };
            let kind = &self.kinds[kind];
            self.travels[unit as usize] = kind
                .travel(&units[unit as usize], proposals, unit)
                .is_some_and(|way| kind.lanes[way.lane.0 as usize].towards == Some(way.towards));
        }
    }

    /// Whether the unit travels in a lane the way that is open, and so goes before those who wait for it.
    pub(super) fn travels(&self, unit: u32) -> bool {
        self.travels.get(unit as usize).copied().unwrap_or(false)
    }

    fn count_inside(&mut self, movers: &[Mover], units: &[Unit], proposals: &Proposals) {
        for (number, (mover, unit)) in (0u32..).zip(movers.iter().zip(units)) {
            if !mover.is_live {
                continue;
            }
            let Some(kind) = self.kind_of[usize::from(mover.group)] else {
                continue;
            };
            if let Some(way) = self.kinds[kind].travel(unit, proposals, number) {
                self.kinds[kind].touch(way.lane).inside[usize::from(way.towards)] += 1;
            }
        }
    }

    /// Whether the lane rules keep a unit from a move: it would enter a lane without a token, or, pushed, against the
    /// traffic in it.
    pub(super) fn bars(&self, group: u16, unit: u32, from: u32, to: u32, is_tight: bool) -> bool {
        let Some(kind) = self.kind_of[usize::from(group)] else {
            return false;
        };
        let kind = &self.kinds[kind];
        let Some(way) = kind.entry(CellId(from), CellId(to)) else {
            return false;
        };
        let lane = &kind.lanes[way.lane.0 as usize];
        if is_tight {
            !self.may_enter[unit as usize]
        } else {
            lane.towards.is_some_and(|towards| towards != way.towards)
        }
    }

    pub(super) fn hash_into(&self, hasher: &mut Hasher) {
        for kind in &self.kinds {
            for &index in &kind.busy {
                let lane = &kind.lanes[index as usize];
                hasher.u32(index);
                hasher.u32(lane.quota);
                hasher.bytes(&[lane.towards.map_or(2, |towards| towards)]);
            }
        }
    }
}

impl Lanes {
    fn new(movement: &thalweg_core::movement::Movement) -> Self {
        let blocks = Blocks::of(movement);
        let lanes = vec![Lane::default(); blocks.corridors().len()];
        Self {
            profile: *movement.profile(),
            lanes,
            blocks,
            busy: Vec::new(),
        }
    }

    fn touch(&mut self, lane: CorridorIndex) -> &mut Lane {
        if let Err(place) = self.busy.binary_search(&lane.0) {
            self.busy.insert(place, lane.0);
            self.lanes[lane.0 as usize].count_anew();
        }
        &mut self.lanes[lane.0 as usize]
    }

    /// How a step enters a lane from outside; `None` if it does not.
    fn entry(&self, from: CellId, to: CellId) -> Option<Use> {
        let (lane, _) = self.blocks.corridor_at(to)?;
        if self.blocks.corridor_at(from).is_some_and(|(own, _)| own == lane) {
            return None;
        }
        let mouths = self.blocks.corridor(lane)?.mouths;
        let towards = u8::from(mouths[0] == Some(from));
        Some(Use { lane, towards })
    }

    /// The lane that a unit outside of it would like to enter.
    fn wish(&self, units: &[Unit], proposals: &Proposals, unit: u32) -> Option<Use> {
        if proposals.of(unit).intent != Intent::Wants {
            return None;
        }
        let best = proposals.choices(unit).first().filter(|choice| choice.is_tight)?;
        self.entry(CellId(units[unit as usize].cell), CellId(best.decision.to))
    }

    /// The lane that a unit is in and the end that it goes to; `None` outside and for those who want nothing.
    fn travel(&self, unit: &Unit, proposals: &Proposals, number: u32) -> Option<Use> {
        let cell = CellId(unit.cell);
        let to = if unit.is_under_way() {
            CellId(unit.to)
        } else {
            if proposals.of(number).intent != Intent::Wants {
                return None;
            }
            let best = proposals.choices(number).iter().find(|choice| choice.is_tight)?;
            CellId(best.decision.to)
        };
        let Some((lane, position)) = self.blocks.corridor_at(cell) else {
            return self.entry(cell, to).filter(|_| unit.is_under_way());
        };
        let towards = match self.blocks.corridor_at(to) {
            Some((other, next)) if other == lane => u8::from(next > position),
            _ => u8::from(self.blocks.corridor(lane)?.mouths[0] != Some(to)),
        };
        Some(Use { lane, towards })
    }

    /// Whose turn it is in each lane.
    fn turn(&mut self) {
        let mut busy = core::mem::take(&mut self.busy);
        for &index in &busy {
            let corridor = self.blocks.corridor(CorridorIndex(index));
            let lane = &mut self.lanes[index as usize];
            let Some(corridor) = corridor else { continue };
            let quota_to = |end: usize| {
                let length = u32::try_from(corridor.cells.len()).unwrap_or(u32::MAX);
                let quota = length.max(LEAST_QUOTA);
                // A dead end leads nowhere but to its own cells.
                if corridor.mouths[end].is_some() {
                    quota.min(corridor.room[end])
                } else {
                    quota
                }
            };
            let begin = |lane: &mut Lane, end: usize| {
                lane.towards = Some(u8::from(end == 1));
                lane.quota = quota_to(end);
            };
            match lane.towards.map(usize::from) {
                Some(end) if lane.inside[end] > 0 => {
                    if lane.quota == 0 && lane.wanted[1 - end] == 0 {
                        lane.quota = quota_to(end);
                    }
                }
                before => {
                    // Empty, or only strays are left in it: the other side, if anybody waits there or comes from there.
                    let next = if lane.inside[0] + lane.inside[1] > 0 {
                        Some(usize::from(lane.inside[1] > lane.inside[0]))
                    } else {
                        match before {
                            Some(end) if lane.wanted[1 - end] > 0 => Some(1 - end),
                            Some(end) if lane.wanted[end] > 0 => Some(end),
                            _ if lane.wanted[0] + lane.wanted[1] > 0 => {
                                Some(usize::from(lane.first[1] < lane.first[0]))
                            }
                            _ => None,
                        }
                    };
                    match next {
                        Some(end) => begin(lane, end),
                        None => lane.towards = None,
                    }
                }
            }
        }
        busy.retain(|&index| {
            let lane = &self.lanes[index as usize];
            lane.towards.is_some()
        });
        self.busy = busy;
    }

    /// Whether one more may enter now.
    fn admit(&mut self, wish: &Use) -> bool {
        let lane = &mut self.lanes[wish.lane.0 as usize];
        let may = lane.towards == Some(wish.towards)
            && lane.quota > 0
            && lane.inside[usize::from(1 - wish.towards)] == 0;
        if may {
            lane.quota -= 1;
        }
        may
    }
}
