//! The strict crowd: who is in it and what can be asked; a step is in `step.rs`.

use super::agent::{Mover, StrictSpec, StrictView};
use super::board::{Board, Unit};
use super::claims::Claims;
use super::error::StrictError;
use super::headway::Headway;
use super::knots::KnotList;
use super::options::StrictOptions;
use super::parking::Parking;
use super::propose::Proposals;
use super::rescue::Rescues;
use super::resolve::Resolver;
use super::shape::{PORTAL, STAY, Shape};
use super::tokens::Tokens;
use crate::hash::Hasher;
use crate::{AgentId, Blocker, GroupId, Outcome, StateHash};
use core::fmt;
use thalweg_core::grid::{Cell, CellId, DirectionSet, Grid, MAX_POINT_SIDE, MapPoint};
use thalweg_core::movement::{Footprint, Movement};

/// Agents that go from cell to cell in ticks and never share one: no two bodies on a cell, no changing places, no crossing
/// diagonals.
///
/// It owns no map. Every [`StrictCrowd::step`] is handed the current world and field of each group. Where
/// [`Crowd`](crate::Crowd) moves bodies freely and parts them, here every move is reserved before it is made, by one
/// authority in the order of (priority, waiting age, slot), and whoever stands in the way of somebody more urgent is asked
/// to go.
#[derive(Clone)]
pub struct StrictCrowd {
    pub(super) grid: Grid,
    pub(super) options: StrictOptions,
    pub(super) footprints: Vec<Footprint>,
    pub(super) board: Board,
    pub(super) units: Vec<Unit>,
    pub(super) movers: Vec<Mover>,
    pub(super) generation: Vec<u32>,
    free: Vec<u32>,
    pub(super) len: usize,
    /// The field version each group had in the last step.
    pub(super) versions: Vec<Option<u64>>,
    pub(super) tick: u64,
    pub(super) arrived_total: u64,
    pub(super) left_total: u64,
    pub(super) longest_wait: u32,
    pub(super) departures: Vec<(AgentId, CellId)>,
    pub(super) proposals: Proposals,
    pub(super) resolver: Resolver,
    pub(super) order: Vec<(u64, u32)>,
    pub(super) rescues: Rescues,
    pub(super) headway: Headway,
    pub(super) parking: Parking,
    pub(super) replans: Vec<AgentId>,
    pub(super) tokens: Tokens,
    pub(super) claims: Claims,
    pub(super) knot_list: KnotList,
    /// How many agents are known to be deadlocked.
    pub(super) deadlocked: usize,
}

impl StrictCrowd {
    /// An empty crowd on a map. It holds 8 bytes a cell (10 once anybody has moved diagonally).
    ///
    /// # Errors
    /// [`StrictError::MapTooLarge`] if a side is above [`MAX_POINT_SIDE`], [`StrictError::Option`] naming the first option
    /// out of its range.
    pub fn new(grid: Grid, options: StrictOptions) -> Result<Self, StrictError> {
        if grid.longest_side() > MAX_POINT_SIDE {
            return Err(StrictError::MapTooLarge { grid });
        }
        options.check()?;
        let cells = grid.len();
        let headway = Headway::new(&grid);
        Ok(Self {
            grid,
            options,
            footprints: Vec::new(),
            board: Board::new(cells, options.rules),
            units: Vec::new(),
            movers: Vec::new(),
            generation: Vec::new(),
            free: Vec::new(),
            len: 0,
            versions: Vec::new(),
            tick: 0,
            arrived_total: 0,
            left_total: 0,
            longest_wait: 0,
            departures: Vec::new(),
            proposals: Proposals::default(),
            resolver: Resolver::default(),
            order: Vec::new(),
            rescues: Rescues::default(),
            headway,
            parking: Parking::default(),
            replans: Vec::new(),
            tokens: Tokens::default(),
            claims: Claims::default(),
            knot_list: KnotList::default(),
            deadlocked: 0,
        })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &StrictOptions {
        &self.options
    }

    /// Adds an agent. `movement` is that of its group; its footprint becomes the agent's body.
    ///
    /// # Errors
    /// [`StrictError::ForeignMap`], [`StrictError::Pace`], [`StrictError::Outside`], [`StrictError::Blocked`],
    /// [`StrictError::Taken`] if a cell of the body is somebody's or passed by somebody on its way, [`StrictError::Full`].
    pub fn add(&mut self, spec: &StrictSpec, movement: &Movement) -> Result<AgentId, StrictError> {
        if movement.grid() != &self.grid {
            return Err(StrictError::ForeignMap {
                what: "movement",
                group: usize::from(spec.group.0),
            });
        }
        if spec.pace == 0 {
            return Err(StrictError::Pace);
        }
        let cell = self.grid.id(spec.cell).ok_or_else(|| StrictError::Outside {
            cell: spec.cell,
            grid: self.grid.clone(),
        })?;
        let footprint = movement.profile().footprint;
        if !movement.is_passable(cell) {
            return Err(StrictError::Blocked {
                cell: spec.cell,
                footprint,
            });
        }
        let unit = Unit {
            cell: cell.0,
            to: cell.0,
            left: 0,
            pace: spec.pace,
            kind: STAY,
            layer: spec.cell.layer,
            to_layer: spec.cell.layer,
            shape: self.shape_of(&footprint),
        };
        if let Some(by) = self.board.occupant(&unit).or_else(|| self.passer(&unit)) {
            return Err(StrictError::Taken {
                cell: spec.cell,
                by: self.id(by),
            });
        }
        let mover = Mover {
            is_live: true,
            is_held: false,
            has_asked: false,
            group: spec.group.0,
            priority: spec.priority,
            age: 0,
            waited: 0,
            nearest: u32::MAX,
            unsettled: 0,
            settled: 0,
            level: 0,
            patience: 0,
            touched: 0,
            is_deadlocked: false,
            is_rescued: false,
            is_searched_for: false,
            outcome: Outcome::Moved,
            blocker: Blocker::Nothing,
            since: self.tick,
            came_from: MapPoint::centre_of_id(&self.grid, cell),
        };
        let slot = if let Some(slot) = self.free.pop() {
            self.units[slot as usize] = unit;
            self.movers[slot as usize] = mover;
            slot
        } else {
            let slot = u32::try_from(self.units.len())
                .ok()
                .filter(|&slot| slot < u32::MAX)
                .ok_or(StrictError::Full(u32::MAX))?;
            self.units.push(unit);
            self.movers.push(mover);
            self.generation.push(0);
            slot
        };
        self.board.put(slot, &unit);
        self.forget_deadlocks();
        self.len += 1;
        Ok(self.id(slot))
    }

    /// Whoever passes a cell of the unit on its way, at the end of a tick, if anybody does and may not squeeze past.
    fn passer(&self, unit: &Unit) -> Option<u32> {
        let passes = |holder: u32, cell: usize| {
            let other = &self.units[holder as usize];
            let shape = &self.board.shapes[usize::from(other.shape)];
            other.is_under_way()
                && !(self.options.rules.squeezing && shape.is_single)
                && shape
                    .passed(other.layer, other.cell, other.kind)
                    .any(|passed| passed == cell)
        };
        // What a body passes lies one straight step from a cell that it holds.
        self.board.held(unit).find_map(|cell| {
            DirectionSet::STRAIGHT.iter().find_map(|direction| {
                let beside = self.grid.neighbour(CellId::from_index(cell), direction)?;
                let holder = self.board.now[beside.index()];
                (holder != super::board::NOBODY && passes(holder, cell)).then_some(holder)
            })
        })
    }

    /// The number of a footprint, given out at its first use.
    fn shape_of(&mut self, footprint: &Footprint) -> u16 {
        let known = self.footprints.iter().position(|known| known == footprint);
        let number = known.unwrap_or_else(|| {
            self.footprints.push(*footprint);
            self.board.shapes.push(Shape::new(&self.grid, footprint));
            self.footprints.len() - 1
        });
        // There are fewer footprints than groups.
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    /// Takes an agent out; its cells are free at once.
    ///
    /// # Errors
    /// [`StrictError::NoSuchAgent`].
    pub fn remove(&mut self, id: AgentId) -> Result<(), StrictError> {
        let slot = self.slot(id)?;
        self.vacate(slot);
        Ok(())
    }

    pub(super) fn vacate(&mut self, slot: usize) {
        let number = u32::try_from(slot).unwrap_or(u32::MAX);
        self.board.lift(number, &self.units[slot]);
        self.claims.forget(number);
        self.movers[slot].is_live = false;
        self.generation[slot] = self.generation[slot].wrapping_add(1);
        self.free.push(number);
        self.len -= 1;
        self.forget_deadlocks();
    }

    /// Something changed from outside, so no proof holds any more.
    pub(super) fn forget_deadlocks(&mut self) {
        if self.deadlocked == 0 {
            return;
        }
        self.deadlocked = 0;
        for mover in &mut self.movers {
            if core::mem::take(&mut mover.is_deadlocked) {
                mover.unsettled = 0;
                mover.level = 0;
            }
        }
    }

    /// Gives an agent another group, and so other goals; its waiting age begins anew. The group's body must be the same.
    ///
    /// # Errors
    /// [`StrictError::NoSuchAgent`]. Another body is refused by the next step.
    pub fn set_group(&mut self, id: AgentId, group: GroupId) -> Result<(), StrictError> {
        let slot = self.slot(id)?;
        let mover = &mut self.movers[slot];
        mover.group = group.0;
        mover.begin_task();
        self.forget_deadlocks();
        Ok(())
    }

    /// Sets who goes first, however long others have waited.
    ///
    /// # Errors
    /// [`StrictError::NoSuchAgent`].
    pub fn set_priority(&mut self, id: AgentId, priority: i32) -> Result<(), StrictError> {
        let slot = self.slot(id)?;
        self.movers[slot].priority = priority;
        Ok(())
    }

    /// Holds an agent where it is, or lets it go: an agent that stopped or failed is an obstacle, and nobody can push it.
    /// One between two cells first ends its step.
    ///
    /// # Errors
    /// [`StrictError::NoSuchAgent`].
    pub fn hold(&mut self, id: AgentId, held: bool) -> Result<(), StrictError> {
        let slot = self.slot(id)?;
        self.movers[slot].is_held = held;
        self.movers[slot].touched = self.movers[slot].touched.wrapping_add(1);
        self.forget_deadlocks();
        Ok(())
    }

    pub(super) fn id(&self, slot: u32) -> AgentId {
        AgentId {
            index: slot,
            generation: self.generation[slot as usize],
        }
    }

    pub(super) fn slot(&self, id: AgentId) -> Result<usize, StrictError> {
        let slot = id.index as usize;
        let is_live = self.generation.get(slot) == Some(&id.generation) && self.movers[slot].is_live;
        is_live.then_some(slot).ok_or(StrictError::NoSuchAgent(id))
    }

    /// How many agents there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nobody is in the crowd.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is known about an agent; `None` if it is not in the crowd (any more).
    #[must_use]
    pub fn get(&self, id: AgentId) -> Option<StrictView> {
        let slot = self.slot(id).ok()?;
        Some(self.movers[slot].view(&self.units[slot]))
    }

    /// Every agent in slot order.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, StrictView)> + '_ {
        self.live().map(|slot| {
            let index = slot as usize;
            (self.id(slot), self.movers[index].view(&self.units[index]))
        })
    }

    pub(super) fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..)
            .zip(&self.movers)
            .filter(|(_, mover)| mover.is_live)
            .map(|(slot, _)| slot)
    }

    /// Who holds a cell, if anybody. Of an agent between two cells both ends are held.
    #[must_use]
    pub fn holder(&self, cell: Cell) -> Option<AgentId> {
        let holder = self.board.now[self.grid.id(cell)?.index()];
        (holder != super::board::NOBODY).then(|| self.id(holder))
    }

    /// The cells that an agent holds, each once, in id order; `None` if it is not in the crowd.
    #[must_use]
    pub fn cells(&self, id: AgentId) -> Option<Vec<CellId>> {
        let unit = &self.units[self.slot(id).ok()?];
        let shape = &self.board.shapes[usize::from(unit.shape)];
        let mut cells = shape.cell_ids(unit.layer, unit.cell);
        if unit.is_under_way() {
            cells.extend(shape.cell_ids(unit.to_layer, unit.to));
        }
        cells.sort_unstable();
        cells.dedup();
        Some(cells)
    }

    /// Where the centre of an agent's anchor cell is at a moment of the last tick, 0 its start and 1 its end (others are
    /// brought into this range): evenly along the reserved edge. Through a portal it is at the start until the end.
    #[must_use]
    pub fn position(&self, id: AgentId, moment: f64) -> Option<MapPoint> {
        let slot = self.slot(id).ok()?;
        let start = self.movers[slot].came_from;
        let end = self.place_of(&self.units[slot]);
        if start.layer != end.layer || moment >= 1.0 || !self.are_near(start, end) {
            return Some(if moment >= 1.0 { end } else { start });
        }
        Some(between(start, end, moment.max(0.0)))
    }

    /// Whether two points are less than two cells apart along each axis: not the ends of a portal's edge, or of one to a
    /// neighbouring cell, which looks like a step.
    fn are_near(&self, a: MapPoint, b: MapPoint) -> bool {
        let limit = 2 * i64::from(thalweg_core::grid::SUBCELLS);
        (i64::from(a.x) - i64::from(b.x)).abs() < limit && (i64::from(a.y) - i64::from(b.y)).abs() < limit
    }

    /// Where a unit is now.
    pub(super) fn place_of(&self, unit: &Unit) -> MapPoint {
        let from = MapPoint::centre_of_id(&self.grid, CellId(unit.cell));
        if !unit.is_under_way() || unit.kind == PORTAL {
            return from;
        }
        let to = MapPoint::centre_of_id(&self.grid, CellId(unit.to));
        between(from, to, f64::from(unit.pace - unit.left) / f64::from(unit.pace))
    }

    /// Those who left in the last step and the anchor cell they left from, in slot order; their ids name nobody any more.
    #[must_use]
    pub fn departures(&self) -> &[(AgentId, CellId)] {
        &self.departures
    }

    /// Those who asked for another way in the last step, in slot order: each after
    /// [`replan_after`](StrictOptions::replan_after) refused ticks in a row, once. A caller who knows one claims it for
    /// them ([`Self::claim`]) or gives them other goals; if nobody does they go on as before.
    #[must_use]
    pub fn replans(&self) -> &[AgentId] {
        &self.replans
    }

    /// Steps taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// Agents that reached a goal since the crowd was made, each as often as it did.
    #[must_use]
    pub const fn arrived_total(&self) -> u64 {
        self.arrived_total
    }

    /// Agents that left at a goal since the crowd was made.
    #[must_use]
    pub const fn left_total(&self) -> u64 {
        self.left_total
    }

    /// The longest that anybody has ever stood although it would rather have moved, in ticks.
    #[must_use]
    pub const fn longest_wait(&self) -> u32 {
        self.longest_wait
    }

    /// A fingerprint of everything that later steps depend on.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        let mut hasher = Hasher::new();
        hasher.u64(self.tick);
        hasher.u64(self.arrived_total);
        hasher.u64(self.left_total);
        for (slot, (unit, mover)) in (0u32..).zip(self.units.iter().zip(&self.movers)) {
            hasher.u32(self.generation[slot as usize]);
            if !mover.is_live {
                continue;
            }
            hasher.u32(slot);
            hasher.u32(unit.cell);
            hasher.u32(unit.to);
            hasher.bytes(&[unit.left, unit.pace, unit.kind, u8::from(mover.is_held)]);
            hasher.u32(u32::from(mover.group));
            hasher.i32(mover.priority);
            hasher.u32(mover.age);
            hasher.u32(mover.waited);
            hasher.u32(mover.nearest);
            hasher.u32(mover.unsettled);
            hasher.u32(mover.settled);
            hasher.u32(mover.touched);
            hasher.bytes(&[
                mover.outcome as u8,
                u8::from(mover.has_asked),
                mover.level,
                mover.patience,
                u8::from(mover.is_deadlocked),
            ]);
        }
        self.rescues.hash_into(&mut hasher);
        self.tokens.hash_into(&mut hasher);
        self.headway.hash_into(&mut hasher);
        self.parking.hash_into(&mut hasher);
        self.claims.hash_into(&mut hasher);
        hasher.finish()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "between two points of the map")]
fn between(start: MapPoint, end: MapPoint, part: f64) -> MapPoint {
    let along = |a: i32, b: i32| a + (f64::from(b - a) * part) as i32;
    MapPoint {
        x: along(start.x, end.x),
        y: along(start.y, end.y),
        ..start
    }
}

impl fmt::Debug for StrictCrowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StrictCrowd")
            .field("grid", &self.grid)
            .field("agents", &self.len())
            .field("tick", &self.tick)
            .finish_non_exhaustive()
    }
}
