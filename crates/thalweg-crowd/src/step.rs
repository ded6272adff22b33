//! One step of the whole crowd: cut into substeps, each pulled from the state before it.

use crate::crowd::Crowd;
use crate::fixed::cells_from_subcells;
use crate::plan::{Fate, Plan, Tally, View};
use crate::slots::Body;
use crate::{ArrivalRule, Avoidance, CrowdError, GroupInput, Outcome, Stage, StageObserver, StepReport};
use thalweg_core::grid::{CellId, MapPoint};
use thalweg_core::workers::Workers;

/// Longest step, in seconds.
const MAX_STEP: f32 = 60.0;

/// What an agent is to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Role {
    #[default]
    Walking,
    /// Arrived.
    Resting,
    /// Arrived, in a pack that is awake; only told apart where bodies are pushed.
    Closing,
    /// Has no direction; gives way like one at rest.
    Idle,
    /// Does not move whatever happens.
    Fixed,
}

/// What agents read of each other, gathered in bin order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mate {
    pub(crate) steer: [f32; 2],
    pub(crate) intent: [f32; 2],
    pub(crate) carry: [f32; 2],
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    pub(crate) stalled: f32,
    pub(crate) slot: u32,
    pub(crate) anchor: CellId,
    pub(crate) rest: MapPoint,
    pub(crate) group: u16,
    pub(crate) role: Role,
    pub(crate) groups_arrival: ArrivalRule,
}

impl Crowd {
    /// Advances the crowd by `dt` seconds (above 0, up to 60). `groups` is indexed by [`GroupId`](crate::GroupId) and
    /// describes the world as it is now.
    ///
    /// The step is cut into equal substeps so that nobody walks farther than
    /// [`CrowdOptions::max_travel`](crate::CrowdOptions::max_travel) in one; neighbours, contacts and sweeps are made
    /// anew in each. The result does not depend on the workers.
    ///
    /// # Errors
    /// [`CrowdError::Step`], [`CrowdError::ForeignMap`] or [`CrowdError::MissingGroup`]; nothing has moved then.
    pub fn step(
        &mut self,
        groups: &[GroupInput<'_>],
        dt: f32,
        workers: &dyn Workers,
    ) -> Result<StepReport, CrowdError> {
        self.step_observed(groups, dt, workers, &mut ())
    }

    /// [`Self::step`], and tells an observer when each stage of each substep has ended.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn step_observed(
        &mut self,
        groups: &[GroupInput<'_>],
        dt: f32,
        workers: &dyn Workers,
        observer: &mut dyn StageObserver,
    ) -> Result<StepReport, CrowdError> {
        self.check_step(groups, dt)?;
        self.wake(groups);
        let fastest = self.fold_live(|body| body.max_speed);
        let substeps = whole_substeps(fastest * dt / self.options.max_travel);
        #[expect(
            clippy::cast_precision_loss,
            reason = "at most 60 s × 256 cells/s / 0.05 cells, below 2^24"
        )]
        let seconds = dt / substeps as f32;
        let mut report = StepReport {
            substeps,
            ..StepReport::default()
        };
        let mut tally = Tally::default();
        for substep in 0..substeps {
            let turn = Turn {
                is_first: substep == 0,
                is_last: substep + 1 == substeps,
                seconds,
                dt,
                tick: self.tick + 1,
            };
            self.substep(groups, &turn, workers, observer, &mut tally, &mut report);
        }
        self.tick += 1;
        for slot in self.slots.live_slots() {
            report.outcomes[self.slots.outcome[slot]] += 1;
        }
        report.resting = report.outcomes[Outcome::Arrived];
        report.outcomes[Outcome::Arrived] += report.left;
        report.direction_queries = tally.queries;
        report.sweeps = tally.sweeps;
        report.sweep_refusals = tally.refusals;
        report.deepest_overlap = cells_from_subcells(tally.deepest);
        report.arrived_total = self.arrived_total;
        report.left_total = self.left_total;
        Ok(report)
    }

    fn check_step(&self, groups: &[GroupInput<'_>], dt: f32) -> Result<(), CrowdError> {
        // Written so that NaN is refused too.
        if !(dt > 0.0 && dt <= MAX_STEP) {
            return Err(CrowdError::Step(dt));
        }
        for (group, input) in groups.iter().enumerate() {
            let foreign = |what| Err(CrowdError::ForeignMap { what, group });
            if input.movement.grid() != &self.grid {
                return foreign("movement");
            }
            if input.flow.is_some_and(|flow| flow.grid() != &self.grid) {
                return foreign("flow field");
            }
            if let Some(part) = input.steering.foreign_part(&self.grid) {
                return foreign(part);
            }
        }
        let missing = self
            .slots
            .live_slots()
            .find(|&slot| usize::from(self.slots.group[slot].0) >= groups.len());
        match missing {
            Some(slot) => Err(CrowdError::MissingGroup {
                agent: self.slots.id(slot),
                group: self.slots.group[slot].0,
                groups: groups.len(),
            }),
            None => Ok(()),
        }
    }

    /// Wakes the arrived agents of groups whose field is another one than they rest on.
    fn wake(&mut self, groups: &[GroupInput<'_>]) {
        if self.versions.len() < groups.len() {
            self.versions.resize(groups.len(), None);
        }
        for (group, input) in groups.iter().enumerate() {
            let version = self.versions[group].replace(input.field_version);
            if version.is_some_and(|version| version != input.field_version) {
                for slot in 0..self.slots.slots() {
                    if self.slots.live[slot] && usize::from(self.slots.group[slot].0) == group {
                        self.forget_rest(slot);
                    }
                }
            }
        }
    }

    /// The largest of a positive number over all live agents; 0 if there are none.
    fn fold_live(&self, of: impl Fn(&Body) -> f32) -> f32 {
        self.slots
            .live_slots()
            .map(|slot| of(&self.slots.body[slot]))
            .fold(0.0, |most, value| if value > most { value } else { most })
    }

    fn substep(
        &mut self,
        groups: &[GroupInput<'_>],
        turn: &Turn,
        workers: &dyn Workers,
        observer: &mut dyn StageObserver,
        tally: &mut Tally,
        report: &mut StepReport,
    ) {
        let largest = self.fold_live(|body| body.radius);
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.gather(self, groups, largest, workers);
        observer.ended(Stage::Gather);
        let view_of = |bins, at, mates| View {
            grid: &self.grid,
            groups,
            options: &self.options,
            seconds: turn.seconds,
            packs: &self.packs,
            generation: &self.slots.generation,
            bins,
            at,
            mates,
            largest,
        };
        scratch.plan(view_of, usize::from(self.options.neighbours), workers);
        observer.ended(Stage::Walk);
        if self.options.avoidance != Avoidance::Off {
            for _ in 0..self.options.contact_passes {
                scratch.push_apart(self, groups, turn.seconds, workers);
            }
        }
        observer.ended(Stage::Contact);
        scratch.commit(&mut self.slots, turn, workers);
        for part in &scratch.tallies {
            tally.join(part);
        }
        for events in &scratch.events {
            for &slot in events {
                self.settle(
                    slot as usize,
                    &scratch.plans[scratch.rank_of[slot as usize] as usize],
                    turn,
                    report,
                );
            }
        }
        self.packs.pass(turn.seconds, self.options.closing);
        self.scratch = scratch;
        observer.ended(Stage::Commit);
    }

    /// What only one at a time may do, in slot order: packs change and agents leave.
    fn settle(&mut self, slot: usize, plan: &Plan, turn: &Turn, report: &mut StepReport) {
        let group = self.slots.group[slot].0;
        let radius = self.slots.body[slot].radius;
        match plan.fate {
            Fate::Arrives(goal) => {
                self.packs.join(group, goal, radius);
                self.arrived_total += 1;
            }
            Fate::Leaves => {
                self.slots.outcome[slot] = Outcome::Arrived;
                self.slots.body[slot].since = turn.tick;
                self.slots.remove(slot);
                self.arrived_total += 1;
                self.left_total += 1;
                report.left += 1;
            }
            Fate::ClosesRanks => self.packs.stir(group, self.slots.body[slot].anchor),
            Fate::Walks | Fate::Stands(_) | Fate::Rests => {
                let anchor = self.slots.body[slot].anchor;
                self.packs.part(group, anchor, radius);
            }
        }
    }
}

/// At least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive number below 2^20, see MAX_STEP, MAX_SPEED and the range of max_travel"
)]
fn whole_substeps(exact: f32) -> u32 {
    let whole = exact as u32;
    #[expect(clippy::cast_precision_loss, reason = "below 2^20")]
    let is_whole = whole as f32 == exact;
    (whole + u32::from(!is_whole)).max(1)
}

/// Where in a step a substep is.
pub(crate) struct Turn {
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
    /// Length of the substep.
    pub(crate) seconds: f32,
    /// Length of the step.
    pub(crate) dt: f32,
    /// The tick that the step ends on.
    pub(crate) tick: u64,
}
