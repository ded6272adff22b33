//! The stages of a substep over all agents.
//!
//! Each reads what the ones before it have written and writes only places of its own, one part of agents per task. From
//! who is near whom to the walk a stage reads of *others* nothing but the state before the substep, so one part can go
//! through all of them while its arrays are in the cache; a caller that watches stages gets them one after the other. Both
//! write the same.

mod avoid;
mod commit;
mod contact;
mod gather;
mod near;
mod obstacles;
mod sample;
mod walk;

use crate::mate::{Mate, Role};
use crate::neighbours::Bins;
use crate::plan::{Aim, Fate, Plan, Tally, View};
use crate::{Stage, StageObserver};
use thalweg_core::grid::MapPoint;
use thalweg_core::workers::{Workers, for_each_part};

/// Agents per task: some 30 µs of work, and what stages tell each other of them stays in the nearest cache.
pub(crate) const PART: usize = 256;
/// Below this part of the way it wants, an agent counts as waiting or blocked.
pub(crate) const HINDERED: f32 = 0.2;

/// Buffers of a step, reused from step to step; nothing in them outlives one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) bins: Bins,
    /// The state that the next sort reads from, or the last one did.
    xs: Vec<i32>,
    ys: Vec<i32>,
    mates: Vec<Mate>,
    /// Ranks of the neighbours, a fixed number of places per rank, and how many of them are in use.
    near: Vec<u32>,
    counts: Vec<u8>,
    /// The least gap of each rank to a neighbour before the walk, in cells; negative where bodies overlap.
    gaps: Vec<f32>,
    /// Only while somebody watches.
    aims: Vec<Aim>,
    /// Indices of those who walk and mind others, per part.
    walkers: Vec<Vec<u16>>,
    pub(crate) plans: Vec<Plan>,
    roles: Vec<(Role, [f32; 2])>,
    to: Vec<MapPoint>,
    pushed: Vec<MapPoint>,
    /// Whether the record of each rank changes.
    changed: Vec<bool>,
    pub(crate) tallies: Vec<Tally>,
    /// Slots that arrived, woke, leave or stir their pack, and what became of them, per part.
    pub(crate) events: Vec<Vec<(u32, Fate)>>,
}

/// What the stages from [`Stage::Neighbours`] to [`Stage::Walk`] write of one part.
struct Part<'a> {
    /// Rank of the first agent.
    first: usize,
    near: &'a mut [u32],
    counts: &'a mut [u8],
    gaps: &'a mut [f32],
    aims: &'a mut [Aim],
    walkers: &'a mut Vec<u16>,
    plans: &'a mut [Plan],
    roles: &'a mut [(Role, [f32; 2])],
    to: &'a mut [MapPoint],
    tally: &'a mut Tally,
}

impl Scratch {
    /// Plans what every agent does, up to the swept walk.
    pub(crate) fn plan(&mut self, view: &View<'_>, workers: &dyn Workers, observer: &mut dyn StageObserver) {
        let len = view.mates.len();
        self.near.resize(len * view.stride(), 0);
        self.counts.resize(len, 0);
        self.gaps.resize(len, f32::INFINITY);
        self.walkers.resize_with(len.div_ceil(PART), Vec::new);
        self.plans.resize(len, Plan::default());
        self.roles.resize(len, (Role::Walking, [0.0; 2]));
        self.to.resize(len, MapPoint::default());
        self.tallies.clear();
        self.tallies.resize(len.div_ceil(PART), Tally::default());
        if observer.is_watching() {
            self.aims.resize(len, Aim::default());
            for (stage, pass) in PLANNING {
                for_each_part(workers, self.parts(view.stride()), |_, mut part| {
                    pass(&mut part, view);
                });
                observer.ended(stage);
            }
        } else {
            // What one stage tells the next stays in the cache; an array over the whole crowd would be written to memory.
            self.aims.clear();
            for_each_part(workers, self.parts(view.stride()), |_, part| {
                let mut aims = [Aim::default(); PART];
                let mut part = Part {
                    aims: &mut aims[..part.plans.len()],
                    ..part
                };
                for (_, pass) in PLANNING {
                    pass(&mut part, view);
                }
            });
        }
    }

    /// The parts of the crowd; without aims, if there are none.
    fn parts(&mut self, stride: usize) -> Vec<Part<'_>> {
        let mut aims = self.aims.chunks_mut(PART);
        let parts = self
            .near
            .chunks_mut(PART * stride)
            .zip(self.counts.chunks_mut(PART))
            .zip(self.gaps.chunks_mut(PART))
            .zip(&mut self.walkers)
            .zip(self.plans.chunks_mut(PART))
            .zip(self.roles.chunks_mut(PART))
            .zip(self.to.chunks_mut(PART))
            .zip(&mut self.tallies);
        parts
            .enumerate()
            .map(
                |(index, (((((((near, counts), gaps), walkers), plans), roles), to), tally))| Part {
                    first: index * PART,
                    near,
                    counts,
                    gaps,
                    aims: aims.next().unwrap_or_default(),
                    walkers,
                    plans,
                    roles,
                    to,
                    tally,
                },
            )
            .collect()
    }
}

/// A stage over one part.
type Pass = fn(&mut Part<'_>, &View<'_>);

/// The stages that make a plan, in order.
const PLANNING: [(Stage, Pass); 4] = [
    (Stage::Neighbours, |part, view| part.find_neighbours(view)),
    (Stage::Sample, |part, view| part.sample(view)),
    (Stage::Avoid, |part, view| part.avoid(view)),
    (Stage::Walk, |part, view| part.walk(view)),
];

/// The ranks of the neighbours of the agent at an index.
fn near_of<'a>(near: &'a [u32], counts: &[u8], index: usize, stride: usize) -> &'a [u32] {
    let first = index * stride;
    &near[first..first + usize::from(counts[index])]
}
