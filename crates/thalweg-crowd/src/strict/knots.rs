//! Who waits for whom after a tick, and what a lane proves without a search.

use super::agent::{Mover, StrictGroup};
use super::board::{Decision, NOBODY, Unit};
use super::crowd::StrictCrowd;
use super::lane::{LaneAgent, LaneEnding, lane_truth};
use super::propose::{Intent, Proposals};
use super::shape::PORTAL;
use super::waits::{WaitGraph, Waits, WaitsFor};
use crate::{AgentId, ArrivalRule, Outcome};
use thalweg_core::flow::Guidance;
use thalweg_core::grid::CellId;
use thalweg_core::movement::EdgeKind;

/// After how many ticks of waiting of anybody the graph is made. Shorter waits are everyday, and the graph costs as much as
/// a tick.
const SUSPICIOUS: u32 = 4;

/// The knots after a tick.
#[derive(Clone, Debug, Default)]
pub(super) struct KnotList {
    graph: WaitGraph,
    /// Number in the graph of each slot; [`NOBODY`] for those who are not stalled.
    numbers: Vec<u32>,
    slots: Vec<u32>,
    pub(super) knots: Vec<Vec<AgentId>>,
}

impl StrictCrowd {
    /// The knots after the last step, each with its members in slot order: sets of two or more agents that stood although
    /// they would rather have moved, each of whose best ways is blocked by another of the set, and that are nobody's fault
    /// but theirs. Looked for once somebody has waited for some ticks.
    ///
    /// A knot may open by itself, because somebody in it steps aside; it is called a deadlock
    /// ([`Outcome::Deadlocked`]) only when it is proved that no moves of anybody can open it.
    #[must_use]
    pub fn knots(&self) -> &[Vec<AgentId>] {
        &self.knot_list.knots
    }

    /// Finds the knots; returns how many agents are in them.
    pub(super) fn find_knots(
        &mut self,
        groups: &[StrictGroup<'_>],
        proposals: &Proposals,
        longest_wait: u32,
    ) -> u32 {
        let mut list = core::mem::take(&mut self.knot_list);
        list.knots.clear();
        if longest_wait >= SUSPICIOUS || self.deadlocked > 0 {
            self.fill_graph(groups, proposals, &mut list);
            let outlook = list.graph.outlook();
            for knot in 0..u32::try_from(outlook.knots()).unwrap_or(u32::MAX) {
                let members = outlook.members(knot).iter();
                let ids = members.map(|&number| self.id(list.slots[number as usize]));
                list.knots.push(ids.collect());
            }
            debug_assert!(outlook.waits().iter().all(|waits| match waits {
                Waits::Knot(knot) => (*knot as usize) < list.knots.len(),
                _ => true,
            }));
        }
        let members = list.knots.iter().map(Vec::len).sum::<usize>();
        self.knot_list = list;
        u32::try_from(members).unwrap_or(u32::MAX)
    }

    fn fill_graph(&self, groups: &[StrictGroup<'_>], proposals: &Proposals, list: &mut KnotList) {
        list.graph.clear();
        list.slots.clear();
        list.numbers.clear();
        list.numbers.resize(self.units.len(), NOBODY);
        for slot in self.live() {
            let mover = &self.movers[slot as usize];
            // Who is deadlocked waits for good; that it wants nothing any more is the resolver's business.
            let is_stalled = match proposals.of(slot).intent {
                Intent::Wants => mover.waited > 0,
                Intent::Deadlocked => true,
                _ => false,
            };
            if is_stalled && !self.units[slot as usize].is_under_way() {
                list.numbers[slot as usize] = u32::try_from(list.slots.len()).unwrap_or(NOBODY);
                list.slots.push(slot);
            }
        }
        for &slot in &list.slots {
            list.graph.add_agent();
            let unit = &self.units[slot as usize];
            let shape = &self.board.shapes[usize::from(unit.shape)];
            let group = &groups[usize::from(self.movers[slot as usize].group)];
            for decision in best_moves(group, unit) {
                let entered = shape.cells(decision.layer, decision.to);
                let passed = shape.passed(unit.layer, unit.cell, decision.kind);
                let passed = passed.filter(|_| !(self.board.rules.squeezing && shape.is_single));
                let mut blockers: Vec<u32> = entered
                    .chain(passed)
                    .map(|cell| self.board.now[cell])
                    .filter(|&holder| holder != NOBODY && holder != slot)
                    .collect();
                blockers.sort_unstable();
                blockers.dedup();
                list.graph.add_alternative(blockers.iter().map(|&holder| {
                    match list.numbers[holder as usize] {
                        NOBODY if matches!(proposals.of(holder).intent, Intent::Stands(..)) => WaitsFor::Held,
                        NOBODY => WaitsFor::Moving,
                        number => WaitsFor::Stalled(number),
                    }
                }));
            }
        }
    }

    /// If the agent is in a lane that is connected with nothing else: tells by counting who in it can never get to its goal,
    /// and calls those deadlocked. Whether that is somebody.
    pub(super) fn judge_lane(&mut self, groups: &[StrictGroup<'_>], slot: u32) -> bool {
        let group = self.movers[slot as usize].group;
        let from = CellId(self.units[slot as usize].cell);
        let Some(cells) = self.tokens.whole_lane(group, from, self.board.rules.squeezing) else {
            return false;
        };
        // Borders and portals may have changed since the lanes were found; a verdict must not rest on that.
        let movement = groups[usize::from(group)].movement;
        let is_shut_off = cells.iter().enumerate().all(|(index, &cell)| {
            let near = [index.checked_sub(1), Some(index + 1)];
            let is_near = |other: CellId| near.iter().flatten().any(|&near| cells.get(near) == Some(&other));
            movement.edges_from(cell).all(|edge| is_near(edge.other))
                && movement.edges_into(cell).all(|edge| is_near(edge.other))
        });
        if !is_shut_off {
            return false;
        }
        let holders: Vec<(u32, u32)> = (0u32..)
            .zip(cells)
            .filter_map(|(position, cell)| {
                let holder = self.board.now[cell.index()];
                (holder != NOBODY).then_some((position, holder))
            })
            .collect();
        let arrival = groups[usize::from(group)].arrival;
        let fits = |mover: &Mover, holder: u32| {
            groups[usize::from(mover.group)].arrival == arrival
                && !self.units[holder as usize].is_under_way()
                && self.tokens.are_of_one_kind(mover.group, group)
        };
        if !holders
            .iter()
            .all(|&(_, holder)| fits(&self.movers[holder as usize], holder))
        {
            return false;
        }
        let goals: Vec<Vec<u32>> = holders
            .iter()
            .map(|&(position, holder)| {
                let group = &groups[usize::from(self.movers[holder as usize].group)];
                match group.field.filter(|_| !group.is_idle) {
                    // Whoever wants nothing is content anywhere.
                    None => (0..u32::try_from(cells.len()).unwrap_or(u32::MAX)).collect(),
                    Some((_, flow)) => {
                        let is_goal = |cell: &CellId| flow.guidance(*cell) == Guidance::Goal;
                        let goals = (0u32..).zip(cells).filter(|(_, cell)| is_goal(cell));
                        let goals: Vec<u32> = goals.map(|(goal, _)| goal).collect();
                        if goals.is_empty() { vec![position] } else { goals }
                    }
                }
            })
            .collect();
        let agents: Vec<LaneAgent<'_>> = holders
            .iter()
            .zip(&goals)
            .map(|(&(position, holder), goals)| LaneAgent {
                position,
                goals,
                is_held: !self.is_able(groups, holder),
            })
            .collect();
        let ending = match arrival {
            ArrivalRule::Rest => LaneEnding::Rest,
            ArrivalRule::Leave => LaneEnding::Sink,
        };
        let length = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        let Ok(truth) = lane_truth(length, &agents, ending) else {
            return false;
        };
        if truth.all {
            return false;
        }
        let can_reach = truth.can_reach;
        let each_can = can_reach.iter().all(|&can| can);
        for (&(_, holder), can) in holders.iter().zip(can_reach) {
            let is_at_goal = self.movers[holder as usize].outcome == Outcome::Arrived;
            if !can || (each_can && !is_at_goal) {
                self.mark_deadlocked(holder as usize);
            }
        }
        self.movers[slot as usize].is_deadlocked
    }
}

/// The moves of a unit that stands along its field's best ways.
fn best_moves(group: &StrictGroup<'_>, unit: &Unit) -> Vec<Decision> {
    let cell = CellId(unit.cell);
    let Some((_, flow)) = group.field else {
        return Vec::new();
    };
    let grid = group.movement.grid();
    let edges = group.movement.edges_from(cell).filter(|edge| match edge.kind {
        EdgeKind::Step(direction) => flow.successors(cell).contains(direction),
        EdgeKind::Portal(index) => flow.portal_successors(cell).any(|portal| portal == index),
        _ => false,
    });
    let decisions = edges.map(|edge| Decision {
        to: edge.other.0,
        kind: match edge.kind {
            EdgeKind::Step(direction) => direction as u8,
            _ => PORTAL,
        },
        layer: grid.cell(edge.other).layer,
    });
    decisions.collect()
}
