//! Where tasks come from in a lifelong run.

use super::error::MapfError;
use super::world::MapfWorld;
use crate::random::Random;
use std::collections::VecDeque;
use thalweg_core::grid::Cell;

/// Where tasks come from in a lifelong run. Agents that come to a goal in the same tick are served in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapfTasks {
    /// For each agent its own tasks, which go before those for anybody.
    own: Vec<VecDeque<Cell>>,
    /// For whoever comes first.
    common: VecDeque<Cell>,
    /// Cells from which tasks are drawn when the others are used up.
    places: Vec<Cell>,
    draws: Vec<Random>,
}

impl MapfTasks {
    /// Tasks in the order in which they are handed out, for an agent or for whoever comes first; a run ends when they are
    /// used up.
    ///
    /// # Errors
    /// [`MapfError::NoAgent`].
    pub fn listed(
        agents: usize,
        tasks: impl IntoIterator<Item = (Option<u32>, Cell)>,
    ) -> Result<Self, MapfError> {
        let mut own = vec![VecDeque::new(); agents];
        let mut common = VecDeque::new();
        for (agent, cell) in tasks {
            match agent {
                None => common.push_back(cell),
                Some(agent) => own
                    .get_mut(agent as usize)
                    .ok_or(MapfError::NoAgent { agent, agents })?
                    .push_back(cell),
            }
        }
        Ok(Self {
            own,
            common,
            places: Vec::new(),
            draws: Vec::new(),
        })
    }

    /// Tasks without end, drawn from places by (seed, agent, how many it had): another agent more does not change those of
    /// the others.
    #[must_use]
    pub fn drawn(agents: usize, mut places: Vec<Cell>, seed: u64) -> Self {
        places.sort_unstable();
        places.dedup();
        let draws = (0..agents).map(|agent| Random::new(seed, 0x7461_736b, agent as u64));
        Self {
            own: vec![VecDeque::new(); agents],
            common: VecDeque::new(),
            places,
            draws: draws.collect(),
        }
    }

    /// Every goal that may be handed out, for the fields of a [`MapfWorld`].
    #[must_use]
    pub fn goals(&self) -> Vec<Cell> {
        let listed = self.own.iter().flatten().chain(&self.common).chain(&self.places);
        listed.copied().collect()
    }

    /// The next task of an agent that is at a cell; `None` if there is none for it.
    ///
    /// A task of its own that it cannot get to is an error; one for anybody is left to others, and what is drawn is drawn
    /// again.
    pub(super) fn next(
        &mut self,
        world: &MapfWorld,
        agent: usize,
        at: Cell,
    ) -> Result<Option<Cell>, MapfError> {
        if let Some(goal) = self.own.get_mut(agent).and_then(VecDeque::pop_front) {
            if world.can_reach(agent, at, goal) {
                return Ok(Some(goal));
            }
            let agent = u32::try_from(agent).unwrap_or(u32::MAX);
            return Err(MapfError::Task { agent, goal });
        }
        let place = self
            .common
            .iter()
            .position(|&goal| world.can_reach(agent, at, goal));
        if let Some(goal) = place.and_then(|place| self.common.remove(place)) {
            return Ok(Some(goal));
        }
        let bound = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let Some(draw) = self.draws.get_mut(agent).filter(|_| bound > 0) else {
            return Ok(None);
        };
        // A few draws; an agent that is shut in with none of the places would draw for ever.
        const DRAWS: usize = 64;
        let goals = (0..DRAWS).map(|_| self.places[draw.below(bound) as usize]);
        Ok({ goals }.find(|&goal| goal != at && world.can_reach(agent, at, goal)))
    }
}
