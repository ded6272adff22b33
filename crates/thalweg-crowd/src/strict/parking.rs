//! Places to rest: who takes which when a group has several and they lie apart.
//!
//! In one area of goal cells whoever comes later pushes those who rest further in, and the area fills by itself. Where places
//! lie apart that does not help: all would push for the nearest one for ever. So for those who are still on their way a
//! second field leads to the places where nobody of the group rests yet. When no place is left, those without one wait
//! and push nobody.
//!
//! For bodies of a single cell. The second field is made anew when a place was taken or left, but not more often than its size
//! allows; in between somebody may head for a place that has just been taken.

use super::agent::{Mover, StrictGroup};
use super::board::{NOBODY, Unit};
use crate::ArrivalRule;
use core::fmt;
use thalweg_core::flow::{FlowField, FlowScratch, Guidance, extract};
use thalweg_core::grid::CellId;
use thalweg_core::integrate::{
    Goal, GoalSet, IntegrateOptions, IntegrateScratch, IntegrationField, integrate,
};
use thalweg_core::workers::Workers;

/// Cells for which a field may be made per tick.
const CELLS_A_TICK: u64 = 1 << 16;

/// What is known of the places of one group.
#[derive(Clone, Debug, Default)]
struct Places {
    version: Option<u64>,
    /// The goal cells, in id order.
    cells: Vec<CellId>,
    /// Whether they do not all hang together.
    is_scattered: bool,
    /// Agents of the group.
    agents: usize,
    /// Of each place whether somebody of the group rested there when the field was made.
    taken: Vec<bool>,
    /// Whether all are taken.
    is_full: bool,
    spare: Option<(IntegrationField, FlowField)>,
    /// When the field may be made again.
    next: u64,
}

/// The places of all groups.
#[derive(Default)]
pub(super) struct Parking {
    groups: Vec<Places>,
    scratch: Option<Scratch>,
}

/// Memory of the searches, nothing that a result depends on: a copy begins without.
type Scratch = (IntegrateScratch, FlowScratch);

impl Clone for Parking {
    fn clone(&self) -> Self {
        Self {
            groups: self.groups.clone(),
            scratch: None,
        }
    }
}

impl fmt::Debug for Parking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parking")
            .field("groups", &self.groups)
            .finish_non_exhaustive()
    }
}

impl Parking {
    /// Looks who rests where.
    pub(super) fn update(
        &mut self,
        groups: &[StrictGroup<'_>],
        movers: &[Mover],
        units: &[Unit],
        now: &[u32],
        tick: u64,
        workers: &dyn Workers,
    ) {
        self.groups
            .resize_with(groups.len().max(self.groups.len()), Places::default);
        for places in &mut self.groups {
            places.agents = 0;
        }
        for mover in movers.iter().filter(|mover| mover.is_live) {
            self.groups[usize::from(mover.group)].agents += 1;
        }
        for (index, group) in groups.iter().enumerate() {
            let places = &mut self.groups[index];
            let is_shared = places.agents > 1 && group.arrival == ArrivalRule::Rest;
            let Some((field, flow)) = group.field.filter(|_| is_shared && !group.is_idle) else {
                places.forget();
                continue;
            };
            if places.version != Some(group.field_version) {
                if group
                    .movement
                    .profile()
                    .footprint
                    .covered_offsets()
                    .nth(1)
                    .is_some()
                {
                    places.forget();
                    continue;
                }
                places.find(group, field, flow);
            }
            let rests_on = |cell: CellId| {
                let holder = now[cell.index()];
                holder != NOBODY
                    && usize::from(movers[holder as usize].group) == index
                    && !units[holder as usize].is_under_way()
            };
            let free = places.cells.iter().filter(|&&cell| !rests_on(cell)).count();
            places.is_full = free == 0;
            if free == 0 || !places.is_scattered || free == places.cells.len() {
                places.spare = None;
                places.taken.clear();
                continue;
            }
            let has_changed = places.taken.len() != places.cells.len()
                || places
                    .cells
                    .iter()
                    .zip(&places.taken)
                    .any(|(&cell, &was)| rests_on(cell) != was);
            if has_changed && places.next <= tick {
                places.taken = places.cells.iter().map(|&cell| rests_on(cell)).collect();
                places.next = tick + (now.len() as u64).div_ceil(CELLS_A_TICK);
                let scratch = self
                    .scratch
                    .get_or_insert_with(|| (IntegrateScratch::new(), FlowScratch::new()));
                places.spare = places.make(group, workers, scratch);
            }
        }
    }

    /// The group as an agent on its way sees it: with the places that are free, if that is another field.
    pub(super) fn seen<'a>(&'a self, group: &StrictGroup<'a>, index: u16) -> StrictGroup<'a> {
        let mut seen = *group;
        if let Some((field, flow)) = self
            .groups
            .get(usize::from(index))
            .and_then(|places| places.spare.as_ref())
        {
            seen.field = Some((field, flow));
        }
        seen
    }

    /// Whether somebody of the group rests on every place.
    pub(super) fn is_full(&self, index: u16) -> bool {
        self.groups
            .get(usize::from(index))
            .is_some_and(|places| places.is_full)
    }

    pub(super) fn hash_into(&self, hasher: &mut crate::hash::Hasher) {
        for places in &self.groups {
            for &taken in &places.taken {
                hasher.u32(u32::from(taken));
            }
        }
    }
}

impl Places {
    fn forget(&mut self) {
        self.version = None;
        self.spare = None;
        self.is_full = false;
        self.taken.clear();
    }

    fn find(&mut self, group: &StrictGroup<'_>, field: &IntegrationField, flow: &FlowField) {
        self.forget();
        self.version = Some(group.field_version);
        self.next = 0;
        self.cells = field.sinks().iter().map(|sink| sink.cell).collect();
        self.cells.retain(|&cell| flow.guidance(cell) == Guidance::Goal);
        self.cells.sort_unstable();
        self.cells.dedup();
        // One piece, if all are reached from the first by steps between places.
        let mut seen = vec![false; self.cells.len()];
        let mut open = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            open.push(0);
        }
        while let Some(at) = open.pop() {
            for edge in group.movement.edges_from(self.cells[at]) {
                if let Ok(next) = self.cells.binary_search(&edge.other)
                    && !core::mem::replace(&mut seen[next], true)
                {
                    open.push(next);
                }
            }
        }
        self.is_scattered = seen.contains(&false);
    }

    fn make(
        &self,
        group: &StrictGroup<'_>,
        workers: &dyn Workers,
        scratch: &mut Scratch,
    ) -> Option<(IntegrationField, FlowField)> {
        let grid = group.movement.grid();
        let mut goals = GoalSet::new();
        for (&cell, _) in self.cells.iter().zip(&self.taken).filter(|(_, taken)| !**taken) {
            goals = goals.with_goal(Goal::cell(grid.cell(cell)));
        }
        let goals = goals.resolve(group.movement).ok()?;
        let mut field = IntegrationField::new(grid.clone());
        integrate(
            group.movement,
            &goals,
            &IntegrateOptions::new(),
            &mut scratch.0,
            &mut field,
        )
        .ok()?;
        let mut flow = FlowField::new(grid.clone());
        extract(group.movement, &field, workers, &mut scratch.1, &mut flow);
        Some((field, flow))
    }
}
