//! The crowd: who is in it and what can be asked; [`Crowd::step`] is in `step.rs`.

use crate::agent::{MAX_RADIUS, MAX_SPEED, MIN_RADIUS, MIN_SPEED};
use crate::arrival::Packs;
use crate::eject::nearest_passable;
use crate::hash::Hasher;
use crate::passes::Scratch;
use crate::slots::Slots;
use crate::{
    AgentId, AgentSpec, AgentView, Blocker, CrowdError, CrowdOptions, GroupId, GroupInput, Outcome, StateHash,
};
use core::fmt;
use thalweg_core::grid::{Grid, LayerIndex, MAX_POINT_SIDE, MapPoint};
use thalweg_core::movement::{Movement, has_room};

/// Agents on one map, and how they move.
#[derive(Clone)]
pub struct Crowd {
    pub(crate) grid: Grid,
    pub(crate) options: CrowdOptions,
    pub(crate) slots: Slots,
    pub(crate) packs: Packs,
    /// The field version each group's arrived agents rest on.
    pub(crate) versions: Vec<Option<u64>>,
    pub(crate) tick: u64,
    pub(crate) arrived_total: u64,
    pub(crate) left_total: u64,
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
            versions: Vec::new(),
            tick: 0,
            arrived_total: 0,
            left_total: 0,
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
        if movement.grid() != &self.grid {
            return Err(CrowdError::ForeignMap {
                what: "movement",
                group: usize::from(spec.group.0),
            });
        }
        if !(spec.radius >= MIN_RADIUS && spec.radius <= MAX_RADIUS) {
            return Err(CrowdError::Radius(spec.radius));
        }
        if !(spec.max_speed >= MIN_SPEED && spec.max_speed <= MAX_SPEED) {
            return Err(CrowdError::Speed(spec.max_speed));
        }
        let Some(cell) = spec.position.cell_id(&self.grid) else {
            return Err(CrowdError::Outside {
                position: spec.position,
                grid: self.grid.clone(),
            });
        };
        if !movement.is_passable(cell) {
            return Err(CrowdError::Blocked {
                position: spec.position,
                cell: self.grid.cell(cell),
                known: movement.is_known(cell),
            });
        }
        if !has_room(movement, spec.position) {
            return Err(CrowdError::NoRoom {
                position: spec.position,
                footprint: movement.profile().footprint,
            });
        }
        self.slots
            .insert(&spec, self.tick)
            .ok_or(CrowdError::Full(u32::MAX))
    }

    /// Takes an agent out.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchAgent`] if it is not in the crowd (any more).
    pub fn remove(&mut self, id: AgentId) -> Result<(), CrowdError> {
        let slot = self.slots.slot(id).ok_or(CrowdError::NoSuchAgent(id))?;
        self.forget_rest(slot);
        self.slots.remove(slot);
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
        self.slots.slot(id).map(|slot| self.slots.view(slot))
    }

    /// Every agent in slot order.
    pub fn agents(&self) -> impl Iterator<Item = (AgentId, AgentView)> + '_ {
        self.slots
            .live_slots()
            .map(|slot| (self.slots.id(slot), self.slots.view(slot)))
    }

    /// Whether each slot holds an agent. The slices [`Self::xs`], [`Self::ys`], [`Self::groups`] and
    /// [`Self::outcomes`] are by slot too ([`AgentId::index`]); where no agent is, they hold what the last one left.
    #[must_use]
    pub fn live(&self) -> &[bool] {
        &self.slots.live
    }

    /// Subcells to the right of the map's west border, by slot.
    #[must_use]
    pub fn xs(&self) -> &[i32] {
        &self.slots.x
    }

    /// Subcells below the map's north border, by slot.
    #[must_use]
    pub fn ys(&self) -> &[i32] {
        &self.slots.y
    }

    /// Layers, by slot.
    #[must_use]
    pub fn layers(&self) -> &[LayerIndex] {
        &self.slots.layer
    }

    /// Groups, by slot.
    #[must_use]
    pub fn groups(&self) -> &[GroupId] {
        &self.slots.group
    }

    /// Outcomes of the last step, by slot.
    #[must_use]
    pub fn outcomes(&self) -> &[Outcome] {
        &self.slots.outcome
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
            let group = usize::from(self.slots.group[slot].0);
            let Some(movement) = groups.get(group).map(|group| group.movement) else {
                continue;
            };
            if !self.slots.live[slot] || movement.grid() != &self.grid {
                continue;
            }
            let at = self.slots.position(slot);
            if at
                .cell_id(&self.grid)
                .is_some_and(|cell| movement.is_passable(cell))
                && has_room(movement, at)
            {
                continue;
            }
            if let Some(cell) = nearest_passable(movement, at) {
                let to = MapPoint::centre_of_id(&self.grid, cell);
                self.forget_rest(slot);
                self.slots.x[slot] = to.x;
                self.slots.y[slot] = to.y;
                self.slots.layer[slot] = to.layer;
                let body = &mut self.slots.body[slot];
                body.steer = [0.0; 2];
                body.carry = [0.0; 2];
                body.velocity = [0.0; 2];
                body.stalled = 0.0;
                body.blocker = Blocker::Nothing;
                self.slots.outcome[slot] = Outcome::Moved;
                self.slots.body[slot].since = self.tick;
                moved += 1;
            }
        }
        moved
    }

    /// Takes an arrived agent out of its pack; it may walk again.
    pub(crate) fn forget_rest(&mut self, slot: usize) {
        if self.slots.outcome[slot] == Outcome::Arrived {
            let body = &self.slots.body[slot];
            self.packs
                .part(self.slots.group[slot].0, body.anchor, body.radius);
            self.slots.outcome[slot] = Outcome::Moved;
            self.slots.body[slot].stalled = 0.0;
            self.slots.body[slot].since = self.tick;
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
