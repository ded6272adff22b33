//! The crowd: who is in it and what can be asked; [`Crowd::step`] is in `step.rs`.

use crate::agent::{MAX_RADIUS, MAX_SPEED, MIN_RADIUS, MIN_SPEED};
use crate::arrival::Packs;
use crate::eject::nearest_passable;
use crate::hash::Hasher;
use crate::mate::Flag;
use crate::slots::Slots;
use crate::stages::Scratch;
use crate::tiers::Tiers;
use crate::{
    AgentId, AgentSpec, AgentView, Blocker, CrowdError, CrowdOptions, Departure, GroupId, GroupInput,
    Outcome, StateHash,
};
use core::fmt;
use thalweg_core::grid::{Grid, MAX_POINT_SIDE, MapPoint};
use thalweg_core::movement::{Movement, has_room};

/// Agents on one map, and how they move.
#[derive(Clone)]
pub struct Crowd {
    pub(crate) grid: Grid,
    pub(crate) options: CrowdOptions,
    pub(crate) slots: Slots,
    pub(crate) packs: Packs,
    pub(crate) tiers: Tiers,
    /// The field version each group's arrived agents rest on.
    pub(crate) versions: Vec<Option<u64>>,
    pub(crate) tick: u64,
    pub(crate) arrived_total: u64,
    pub(crate) left_total: u64,
    pub(crate) departures: Vec<Departure>,
    pub(crate) scratch: Scratch,
}

impl Crowd {
    /// An empty crowd on a map.
    ///
    /// # Errors
    /// [`CrowdError::MapTooLarge`] if a side is above [`MAX_POINT_SIDE`], [`CrowdError::Option`] naming the first option
    /// out of its range.
    pub fn new(grid: Grid, options: CrowdOptions) -> Result<Self, CrowdError> {
        if grid.longest_side() > MAX_POINT_SIDE {
            return Err(CrowdError::MapTooLarge { grid });
        }
        options.check()?;
        Ok(Self {
            grid,
            options,
            slots: Slots::default(),
            packs: Packs::default(),
            tiers: Tiers::default(),
            versions: Vec::new(),
            tick: 0,
            arrived_total: 0,
            left_total: 0,
            departures: Vec::new(),
            scratch: Scratch::default(),
        })
    }

    /// The rectangle of cells.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &CrowdOptions {
        &self.options
    }

    /// Adds an agent; `movement` is the current world of its group.
    ///
    /// # Errors
    /// [`CrowdError::Radius`] and [`CrowdError::Speed`] for NaN and values out of range, [`CrowdError::Outside`] and
    /// [`CrowdError::Blocked`] for positions where no body may be, [`CrowdError::NoRoom`] where the footprint of `movement`
    /// would reach into a wall, [`CrowdError::ForeignMap`], [`CrowdError::Full`].
    pub fn add(&mut self, movement: &Movement, spec: AgentSpec) -> Result<AgentId, CrowdError> {
        self.check_map(movement, spec.group)?;
        if !(spec.radius >= MIN_RADIUS && spec.radius <= MAX_RADIUS) {
            return Err(CrowdError::Radius(spec.radius));
        }
        if !(spec.max_speed >= MIN_SPEED && spec.max_speed <= MAX_SPEED) {
            return Err(CrowdError::Speed(spec.max_speed));
        }
        self.check_place(movement, spec.position, spec.group)?;
        self.slots
            .insert(&spec, self.tick)
            .ok_or(CrowdError::Full(u32::MAX))
    }

    pub(crate) fn check_map(&self, movement: &Movement, group: GroupId) -> Result<(), CrowdError> {
        if movement.grid() == &self.grid {
            return Ok(());
        }
        Err(CrowdError::ForeignMap {
            what: "movement",
            group: usize::from(group.0),
        })
    }

    /// Whether a body may be at a place.
    pub(crate) fn check_place(
        &self,
        movement: &Movement,
        position: MapPoint,
        group: GroupId,
    ) -> Result<(), CrowdError> {
        self.check_map(movement, group)?;
        let Some(cell) = position.cell_id(&self.grid) else {
            return Err(CrowdError::Outside {
                position,
                grid: self.grid.clone(),
            });
        };
        if !movement.is_passable(cell) {
            return Err(CrowdError::Blocked {
                position,
                cell: self.grid.cell(cell),
                known: movement.is_known(cell),
            });
        }
        if !has_room(movement, position) {
            return Err(CrowdError::NoRoom {
                position,
                footprint: movement.profile().footprint,
            });
        }
        Ok(())
    }

    /// Takes an agent out.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchAgent`] if it is not in the crowd (any more).
    pub fn remove(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let place = self.slots.place(id).ok_or(CrowdError::NoSuchAgent(id))?;
        self.forget_rest(place);
        self.slots.remove(place);
        Ok(())
    }

    /// How many agents are in the crowd.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether nobody is in the crowd.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known about an agent; `None` if it is not in the crowd (any more).
    #[must_use]
    pub fn get(&self, id: AgentId) -> Option<AgentView> {
        self.slots.place(id).map(|place| self.slots.view(place))
    }

    /// Every agent in slot order.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, AgentView)> + '_ {
        self.slots.places_by_slot().map(|place| self.at_place(place))
    }

    /// Every agent in the order in which the crowd keeps them, which changes from step to step: neighbours in space lie
    /// near each other. The fastest way to look at all.
    pub fn agents_by_place(&self) -> impl ExactSizeIterator<Item = (AgentId, AgentView)> + '_ {
        (0..self.len()).map(|place| self.at_place(place))
    }

    fn at_place(&self, place: usize) -> (AgentId, AgentView) {
        (
            self.slots.id(self.slots.mates[place].slot),
            self.slots.view(place),
        )
    }

    /// Subcells to the right of the map's west border, in the order of [`Self::ids_by_place`].
    #[must_use]
    pub fn xs(&self) -> &[i32] {
        &self.slots.xs[..self.len()]
    }

    /// Subcells below the map's north border, in the order of [`Self::ids_by_place`].
    #[must_use]
    pub fn ys(&self) -> &[i32] {
        &self.slots.ys[..self.len()]
    }

    /// The ids of all agents, in the order of [`Self::agents_by_place`].
    pub fn ids_by_place(&self) -> impl ExactSizeIterator<Item = AgentId> + '_ {
        self.slots.mates.iter().map(|mate| self.slots.id(mate.slot))
    }

    /// Those who left in the last step, in the order of its substeps and in each in slot order: ids that name nobody any more,
    /// for whoever has to know where they went.
    #[must_use]
    pub fn departures(&self) -> &[Departure] {
        &self.departures
    }

    /// Steps taken.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// A fingerprint of everything that later steps depend on.
    #[must_use]
    pub fn state_hash(&self) -> StateHash {
        let mut hasher = Hasher::new();
        hasher.u64(self.tick);
        hasher.u64(self.arrived_total);
        hasher.u64(self.left_total);
        for version in &self.versions {
            hasher.u32(u32::from(version.is_some()));
            hasher.u64(version.unwrap_or(0));
        }
        self.slots.hash_into(&mut hasher);
        self.packs.hash_into(&mut hasher);
        self.tiers.hash_into(&mut hasher);
        hasher.finish()
    }

    /// Moves every agent whose cell is no longer passable, or whose body no longer has room, to the centre of the nearest passable cell of its layer: by straight
    /// distance from the agent, ties in row order; agents in slot order. Returns how many were moved.
    ///
    /// Agents of groups that are not given, and agents on layers without a passable cell, stay where they are. To be
    /// called after a wall came down; a step never moves agents out of walls by itself. Several may end on one point;
    /// the next steps part them.
    pub fn eject(&mut self, groups: &[GroupInput<'_>]) -> usize {
        let mut moved = 0;
        for slot in 0..self.slots.slots() {
            let Some(place) = self.slots.place_of(slot) else {
                continue;
            };
            let group = usize::from(self.slots.mates[place].group);
            let Some(movement) = groups.get(group).map(|group| group.movement) else {
                continue;
            };
            if movement.grid() != &self.grid {
                continue;
            }
            let at = self.slots.position(place);
            if at
                .cell_id(&self.grid)
                .is_some_and(|cell| movement.is_passable(cell))
                && has_room(movement, at)
            {
                continue;
            }
            if let Some(cell) = nearest_passable(movement, at) {
                let to = MapPoint::centre_of_id(&self.grid, cell);
                self.forget_rest(place);
                self.slots.set_position(place, to);
                let mate = &mut self.slots.mates[place];
                mate.steer = [0.0; 2];
                mate.carry = [0.0; 2];
                mate.start = [to.x, to.y];
                mate.stalled = 0.0;
                mate.outcome = Outcome::Moved;
                mate.set(Flag::Blocked, false);
                let record = &mut self.slots.records[slot];
                record.blocker = Blocker::Nothing;
                record.since = self.tick;
                moved += 1;
            }
        }
        moved
    }

    /// Takes an arrived agent out of its pack; it may walk again.
    pub(crate) fn forget_rest(&mut self, place: usize) {
        let mate = &mut self.slots.mates[place];
        if mate.outcome == Outcome::Arrived {
            let record = &mut self.slots.records[mate.slot as usize];
            self.packs.part(mate.group, record.anchor, mate.radius);
            mate.outcome = Outcome::Moved;
            mate.stalled = 0.0;
            record.since = self.tick;
        }
    }
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crowd")
            .field("grid", &self.grid)
            .field("agents", &self.len())
            .field("tick", &self.tick)
            .finish_non_exhaustive()
    }
}
