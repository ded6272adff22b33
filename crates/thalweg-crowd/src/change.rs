//! What a caller may change of an agent in flight: its group, its speed, its mass; holds and pushes.

use crate::agent::{MAX_MASS, MAX_SPEED, MIN_MASS, MIN_SPEED};
use crate::crowd::Crowd;
use crate::fixed::subcells_from_cells;
use crate::mate::Flag;
use crate::sweep::{Sweep, sweep};
use crate::tiers::TierOptions;
use crate::walk::moved;
use crate::{AgentId, CrowdError, GroupId};
use thalweg_core::grid::MapPoint;
use thalweg_core::movement::Movement;

/// The longest push, in cells.
pub const MAX_PUSH: f32 = 1024.0;

impl Crowd {
    /// Gives an agent another group, and so another field, from the next step on; `movement` is the current world of that
    /// group. It keeps its pace; one that rests gets up. As a group is a set of goals for a kind of agent, this is how
    /// agents get goals of their own.
    ///
    /// # Errors
    /// As [`Self::add`] for where it stands, and [`CrowdError::NoSuchAgent`]; nothing has changed then.
    pub fn set_group(&mut self, id: AgentId, movement: &Movement, group: GroupId) -> Result<(), CrowdError> {
        let place = self.place_of(id)?;
        self.check_place(movement, self.slots.position(place), group)?;
        if self.slots.mates[place].group != group.0 {
            self.forget_rest(place);
            self.slots.mates[place].group = group.0;
            self.slots.forget_census();
        }
        Ok(())
    }

    /// Gives an agent another top speed, in cells per second.
    ///
    /// # Errors
    /// [`CrowdError::Speed`] for NaN and values out of range, [`CrowdError::NoSuchAgent`].
    pub fn set_max_speed(&mut self, id: AgentId, max_speed: f32) -> Result<(), CrowdError> {
        let place = self.place_of(id)?;
        if !(MIN_SPEED..=MAX_SPEED).contains(&max_speed) {
            return Err(CrowdError::Speed(max_speed));
        }
        self.slots.mates[place].max_speed = max_speed;
        self.slots.forget_census();
        Ok(())
    }

    /// Sets how hard an agent is to push, against others, [`MIN_MASS`] to [`MAX_MASS`]; 1 until then. Where two bodies
    /// overlap, the part by which each gives way is weighed by the mass of the other: of two equals each gives way by half,
    /// beside one of ten times its mass an agent by ten elevenths.
    ///
    /// # Errors
    /// [`CrowdError::Mass`] for NaN and values out of range, [`CrowdError::NoSuchAgent`].
    pub fn set_mass(&mut self, id: AgentId, mass: f32) -> Result<(), CrowdError> {
        self.place_of(id)?;
        if !(MIN_MASS..=MAX_MASS).contains(&mass) {
            return Err(CrowdError::Mass(mass));
        }
        self.slots.records[id.index as usize].mass = mass;
        Ok(())
    }

    /// Holds an agent where it is, or lets it go on. One that is held stands with [`Outcome::Waiting`](crate::Outcome::Waiting)
    /// and [`Blocker::Held`](crate::Blocker::Held), gives way to bodies that push it, and keeps its goal. One that has arrived
    /// rests on.
    ///
    /// # Errors
    /// [`CrowdError::NoSuchAgent`].
    pub fn hold(&mut self, id: AgentId, is_held: bool) -> Result<(), CrowdError> {
        let place = self.place_of(id)?;
        self.slots.mates[place].set(Flag::Held, is_held);
        Ok(())
    }

    /// Pushes an agent by a way, in cells, at once and straight: knock-back. It is swept like a step, so it ends before the
    /// first wall; the [`Sweep`] tells where and why. `movement` is the current world of its group. It does not count as speed. Bodies it lands on part in
    /// the next steps; one that rests and is pushed out of its pack walks back.
    ///
    /// # Errors
    /// [`CrowdError::Push`] for NaN and ways longer than [`MAX_PUSH`] along an axis, [`CrowdError::ForeignMap`],
    /// [`CrowdError::NoSuchAgent`]; nothing has moved then.
    pub fn push(&mut self, id: AgentId, movement: &Movement, way: [f32; 2]) -> Result<Sweep, CrowdError> {
        let place = self.place_of(id)?;
        self.check_map(movement, GroupId(self.slots.mates[place].group))?;
        if !way.iter().all(|along| along.abs() <= MAX_PUSH) {
            return Err(CrowdError::Push(way));
        }
        let from = self.slots.position(place);
        let swept = sweep(movement, from, moved(from, way.map(subcells_from_cells)));
        self.slots.set_position(place, swept.end);
        // It is not counted as speed: nobody walks it, and there may have been no step yet to divide it by.
        let start = &mut self.slots.mates[place].start;
        start[0] = start[0].wrapping_add(swept.end.x.wrapping_sub(from.x));
        start[1] = start[1].wrapping_add(swept.end.y.wrapping_sub(from.y));
        Ok(swept)
    }

    /// Turns levels of detail on: agents far from all of the points look less often at their field and their neighbours. To be
    /// called again when the points move. Without any point on an agent's layer it is in the last tier that is not empty.
    ///
    /// # Errors
    /// [`CrowdError::Option`] naming the first option out of its range; nothing has changed then.
    pub fn set_tiers(&mut self, options: TierOptions, points: &[MapPoint]) -> Result<(), CrowdError> {
        options.check()?;
        self.tiers.set(options, points);
        Ok(())
    }

    /// Turns levels of detail off: everybody looks in every tick.
    pub fn clear_tiers(&mut self) {
        self.tiers.clear(&mut self.slots);
    }

    pub(crate) fn place_of(&self, id: AgentId) -> Result<usize, CrowdError> {
        self.slots.place(id).ok_or(CrowdError::NoSuchAgent(id))
    }
}
