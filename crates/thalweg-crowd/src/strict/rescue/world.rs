//! A stuck group as a world of configurations: the search asks, the board and the resolver of the tick answer.

use crate::ArrivalRule;
use crate::strict::agent::StrictGroup;
use crate::strict::board::{Board, Decision, Unit};
use crate::strict::exchange::{Wishes, partner};
use crate::strict::propose::{Chooser, mix};
use crate::strict::resolve::{Choice, Choices, Resolver};
use crate::strict::search::{Configurations, Successor};
use crate::strict::shape::STAY;
use thalweg_core::flow::Guidance;
use thalweg_core::grid::{CellId, Grid};

/// What is wanted of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// Nothing; it makes way.
    Nothing,
    /// To be at its goal, or to have left there.
    Goal,
    /// To be at most this far from its goal.
    Within(u32),
}

/// One of the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) slot: u32,
    pub(super) group: u16,
    pub(super) aim: Aim,
    /// Whether it cannot be moved.
    pub(super) is_fixed: bool,
    /// As it was when the group was made; its pace and shape hold on.
    pub(super) unit: Unit,
}

/// How a member is that arrives at a goal where it leaves.
const LEAVES: u8 = 10;

/// Where a member is; [`Place::GONE`] if it has left.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Place {
    pub(super) cell: u32,
    pub(super) to: u32,
    pub(super) left: u8,
    pub(super) kind: u8,
}

impl Place {
    pub(super) const GONE: Self = Self {
        cell: u32::MAX,
        to: u32::MAX,
        left: 0,
        kind: STAY,
    };

    /// Whether it holds no cell: it has left, or leaves at the end of the tick.
    pub(super) const fn is_gone(self) -> bool {
        self.kind == LEAVES || self.cell == u32::MAX
    }

    pub(super) const fn of(unit: &Unit) -> Self {
        Self {
            cell: unit.cell,
            to: unit.to,
            left: unit.left,
            kind: unit.kind,
        }
    }
}

pub(super) type Configuration = Box<[Place]>;

/// Memory that outlives a tick: a board for the group alone.
#[derive(Clone, Debug)]
pub(super) struct Bench {
    board: Board,
    units: Vec<Unit>,
    resolver: Resolver,
    chooser: Chooser,
    lists: Lists,
    unfiltered: Vec<Choice>,
}

impl Bench {
    pub(super) fn new(cells: usize, board: &Board) -> Self {
        let mut own = Board::new(cells, board.rules);
        own.shapes.clone_from(&board.shapes);
        Self {
            board: own,
            units: Vec::new(),
            resolver: Resolver::default(),
            chooser: Chooser::default(),
            lists: Lists::default(),
            unfiltered: Vec::new(),
        }
    }

    pub(super) fn update_shapes(&mut self, board: &Board) {
        if self.board.shapes.len() != board.shapes.len() {
            self.board.shapes.clone_from(&board.shapes);
        }
    }
}

/// The choices of the members in one configuration.
#[derive(Clone, Debug, Default)]
struct Lists {
    choices: Vec<Choice>,
    starts: Vec<u32>,
}

impl Lists {
    fn of(&self, unit: u32) -> &[Choice] {
        let range = self.starts[unit as usize] as usize..self.starts[unit as usize + 1] as usize;
        &self.choices[range]
    }
}

/// What the resolver reads of a configuration.
struct Wanted<'a, 'g> {
    lists: &'a Lists,
    groups: &'a [StrictGroup<'g>],
    members: &'a [Member],
}

impl Wishes for Wanted<'_, '_> {
    fn group(&self, unit: u32) -> &StrictGroup<'_> {
        &self.groups[usize::from(self.members[unit as usize].group)]
    }
}

impl Choices for Wanted<'_, '_> {
    fn of(&self, unit: u32) -> &[Choice] {
        self.lists.of(unit)
    }

    fn partner(&self, board: &Board, units: &[Unit], unit: u32) -> Option<u32> {
        let best = self.of(unit).first()?.decision.to;
        partner(self, board, units, unit, best)
    }

    fn is_barred(&self, _: u32, _: &Choice) -> bool {
        false
    }
}

/// The group, for one tick's part of a search.
pub(super) struct World<'a, 'g> {
    pub(super) grid: &'a Grid,
    pub(super) groups: &'a [StrictGroup<'g>],
    pub(super) members: &'a [Member],
    /// The cells that members may be on, in id order; `None` for all.
    pub(super) zone: Option<&'a [u32]>,
    pub(super) seed: u64,
    pub(super) bench: &'a mut Bench,
}

impl World<'_, '_> {
    fn layer_of(&self, cell: u32) -> u16 {
        if self.grid.layers().len() == 1 {
            0
        } else {
            self.grid.layer_of(CellId(cell)).index()
        }
    }

    fn unit(&self, member: usize, place: Place) -> Unit {
        Unit {
            cell: place.cell,
            to: place.to,
            left: place.left,
            kind: place.kind,
            layer: self.layer_of(place.cell),
            to_layer: self.layer_of(place.to),
            ..self.members[member].unit
        }
    }

    fn group(&self, member: usize) -> &StrictGroup<'_> {
        &self.groups[usize::from(self.members[member].group)]
    }

    fn is_on_goal(&self, member: usize, cell: u32) -> bool {
        let group = self.group(member);
        let field = group.field.filter(|_| !group.is_idle);
        field.is_some_and(|(_, flow)| flow.guidance(CellId(cell)) == Guidance::Goal)
    }

    fn cost(&self, member: usize, cell: u32) -> u32 {
        let group = self.group(member);
        let cost = group.field.and_then(|(field, _)| field.cost(CellId(cell)));
        cost.filter(|_| !group.is_idle).map_or(u32::MAX, |cost| cost.0)
    }

    /// Appends what a member may do.
    fn list(
        &self,
        at: &[Place],
        member: usize,
        ties: u64,
        chooser: &mut Chooser,
        all: &mut Vec<Choice>,
        out: &mut Vec<Choice>,
    ) {
        let place = at[member];
        if place.is_gone() {
            return;
        }
        let unit = self.unit(member, place);
        if unit.is_under_way() || self.members[member].is_fixed {
            let decision = if unit.is_under_way() {
                Decision::going_on(&unit)
            } else {
                Decision::staying(&unit)
            };
            out.push(Choice {
                decision,
                is_tight: false,
            });
            return;
        }
        all.clear();
        let mixed = mix(ties ^ u64::from(self.members[member].slot) << 32 ^ u64::from(place.cell));
        let cost = self.cost(member, place.cell);
        chooser.list(self.group(member), &unit, cost, None, mixed, all);
        let shape = &self.bench.board.shapes[usize::from(unit.shape)];
        let is_in =
            |zone: &[u32], cell| u32::try_from(cell).is_ok_and(|cell| zone.binary_search(&cell).is_ok());
        out.extend(all.iter().copied().filter(|choice| {
            self.zone.is_none_or(|zone| {
                let decision = choice.decision;
                shape
                    .cells(decision.layer, decision.to)
                    .chain(shape.passed(unit.layer, unit.cell, decision.kind))
                    .all(|cell| is_in(zone, cell))
            })
        }));
    }

    /// Puts everybody where they are and decides whoever has no choice.
    fn set_up(&mut self, at: &[Place], ties: u64) {
        let mut lists = core::mem::take(&mut self.bench.lists);
        let mut chooser = core::mem::take(&mut self.bench.chooser);
        let mut all = core::mem::take(&mut self.bench.unfiltered);
        lists.choices.clear();
        lists.starts.clear();
        self.bench.units.clear();
        for (member, &place) in at.iter().enumerate() {
            lists.starts.push(number(lists.choices.len()));
            self.list(at, member, ties, &mut chooser, &mut all, &mut lists.choices);
            let unit = if place.is_gone() {
                self.members[member].unit
            } else {
                self.unit(member, place)
            };
            self.bench.units.push(unit);
            if !place.is_gone() {
                self.bench.board.put(number(member), &unit);
            }
        }
        lists.starts.push(number(lists.choices.len()));
        for (member, &place) in at.iter().enumerate() {
            let unit = self.bench.units[member];
            if !place.is_gone() && (unit.is_under_way() || self.members[member].is_fixed) {
                let only = lists.of(number(member))[0].decision;
                self.bench.board.decide(number(member), &unit, only);
            }
        }
        self.bench.lists = lists;
        self.bench.chooser = chooser;
        self.bench.unfiltered = all;
    }

    fn clear(&mut self, at: &[Place]) {
        let bench = &mut *self.bench;
        bench.board.undo_to(0, &bench.units);
        for (member, &place) in at.iter().enumerate() {
            if !place.is_gone() {
                bench.board.lift(number(member), &bench.units[member]);
            }
        }
    }

    fn decide_all(&mut self, at: &[Place], order: &[u32], fixed: &[(u32, u32)]) -> Successor<Configuration> {
        for (index, &(member, choice)) in fixed.iter().enumerate() {
            if at[member as usize].is_gone() || self.bench.board.is_decided(member) {
                continue;
            }
            let mut numbered = Vec::new();
            self.list(
                at,
                member as usize,
                self.seed,
                &mut Chooser::default(),
                &mut Vec::new(),
                &mut numbered,
            );
            let bench = &mut *self.bench;
            let unit = bench.units[member as usize];
            // By number of the order that does not depend on the call.
            let Some(choice) = numbered.get(choice as usize).copied() else {
                return Successor::Impossible { fixed: index + 1 };
            };
            if !bench
                .resolver
                .can_make(&bench.board, &bench.units, member, choice.decision)
            {
                return Successor::Impossible { fixed: index + 1 };
            }
            bench.board.decide(member, &unit, choice.decision);
        }
        let bench = &mut *self.bench;
        for &member in order {
            if at[member as usize].is_gone() || bench.board.is_decided(member) {
                continue;
            }
            let wanted = Wanted {
                lists: &bench.lists,
                groups: self.groups,
                members: self.members,
            };
            if !bench
                .resolver
                .settle(&mut bench.board, &bench.units, &wanted, member)
            {
                return Successor::NotMade;
            }
        }
        let next = at.iter().enumerate().map(|(member, &place)| {
            let Some(decision) = self
                .bench
                .board
                .decision(number(member))
                .filter(|_| !place.is_gone())
            else {
                return Place::GONE;
            };
            let unit = self.bench.units[member].after(decision);
            let leaves = !unit.is_under_way()
                && self.group(member).arrival == ArrivalRule::Leave
                && !self.members[member].is_fixed
                && self.is_on_goal(member, unit.cell);
            let kind = if leaves { LEAVES } else { unit.kind };
            Place {
                kind,
                ..Place::of(&unit)
            }
        });
        Successor::Made(next.collect())
    }
}

impl World<'_, '_> {
    /// Whether one legal tick leads from one configuration to another.
    pub(super) fn is_tick(&mut self, from: &[Place], to: &[Place]) -> bool {
        // Most pairs differ too much, and this is cheaper than the board.
        let is_near = from.iter().zip(to).enumerate().all(|(member, (was, will))| {
            was.is_gone() == (*will == Place::GONE)
                && (was.is_gone() || (was.left == 0 && self.members[member].unit.pace == 1) || was == will)
        });
        if !is_near {
            return false;
        }
        self.set_up(from, self.seed);
        let bench = &mut *self.bench;
        let is_legal = (0..from.len()).all(|member| {
            let (was, will) = (from[member], to[member]);
            if was.is_gone() || bench.board.is_decided(number(member)) {
                return was.is_gone() || was == will;
            }
            let choices = bench.lists.of(number(member));
            let Some(choice) = choices
                .iter()
                .find(|choice| choice.decision.to == will.cell)
                .copied()
            else {
                return false;
            };
            let unit = bench.units[member];
            let can = bench
                .resolver
                .can_make(&bench.board, &bench.units, number(member), choice.decision);
            if can {
                bench.board.decide(number(member), &unit, choice.decision);
            }
            can
        });
        self.clear(from);
        is_legal
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl Configurations for World<'_, '_> {
    type Configuration = Configuration;

    fn agents(&self) -> usize {
        self.members.len()
    }

    fn choices(&self, at: &Configuration, agent: usize) -> usize {
        if at[agent].is_gone() {
            return 1;
        }
        let (mut chooser, mut all, mut out) = (Chooser::default(), Vec::new(), Vec::new());
        self.list(at, agent, self.seed, &mut chooser, &mut all, &mut out);
        out.len()
    }

    fn successor(
        &mut self,
        at: &Configuration,
        order: &[u32],
        fixed: &[(u32, u32)],
    ) -> Successor<Configuration> {
        // Equal ways are chosen among anew in every configuration and at every call: who turns in a circle gets out of it.
        let mut ties = self.seed;
        for place in at {
            ties = mix(ties ^ u64::from(place.cell) << 32 ^ u64::from(place.to));
        }
        for &(agent, choice) in fixed {
            ties = mix(ties ^ u64::from(agent) << 32 ^ u64::from(choice));
        }
        self.set_up(at, ties);
        let made = self.decide_all(at, order, fixed);
        self.clear(at);
        made
    }

    fn is_at_goal(&self, at: &Configuration, agent: usize) -> bool {
        let place = at[agent];
        if place.is_gone() {
            return true;
        }
        match self.members[agent].aim {
            Aim::Nothing => true,
            Aim::Goal => place.left == 0 && self.is_on_goal(agent, place.cell),
            Aim::Within(cost) => place.left == 0 && self.cost(agent, place.cell) <= cost,
        }
    }

    fn cost_to_goal(&self, at: &Configuration, agent: usize) -> u32 {
        let place = at[agent];
        match self.members[agent].aim {
            _ if place.is_gone() => 0,
            Aim::Nothing => 0,
            Aim::Goal => self.cost(agent, place.cell),
            Aim::Within(cost) => self.cost(agent, place.cell).saturating_sub(cost),
        }
    }

    fn is_goal(&self, at: &Configuration) -> bool {
        (0..at.len()).all(|agent| self.is_at_goal(at, agent))
    }
}
