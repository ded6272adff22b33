//! One step of the whole crowd: cut into substeps, each pulled from the state before it.

use crate::crowd::Crowd;
use crate::fixed::cells_from_subcells;
use crate::plan::{Fate, Tally, View};
use crate::tiers::Rota;
use crate::{
    Avoidance, CrowdError, Departure, GroupInput, Outcome, OutcomeCounts, Stage, StageObserver, StepReport,
};
use thalweg_core::workers::Workers;

/// Longest step, in seconds.
const MAX_STEP: f32 = 60.0;

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
        self.departures.clear();
        self.slots.last_dt = dt;
        self.wake(groups);
        let rota = self.tiers.turn(&mut self.slots, self.tick);
        let fastest = self.slots.census().fastest;
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
        let mut left_last = 0;
        for substep in 0..substeps {
            let turn = Turn {
                is_first: substep == 0,
                is_last: substep + 1 == substeps,
                seconds,
                tick: self.tick + 1,
                rota,
            };
            let left_before = report.left;
            report.outcomes = self.substep(groups, &turn, workers, observer, &mut tally, &mut report);
            left_last = report.left - left_before;
        }
        self.tick += 1;
        // Those who left in the last substep are counted as arrived already, those before are not.
        report.resting = report.outcomes[Outcome::Arrived] - left_last;
        report.outcomes[Outcome::Arrived] += report.left - left_last;
        report.direction_queries = tally.queries;
        report.sweeps = tally.sweeps;
        report.sweep_refusals = tally.refusals;
        report.coasted = tally.coasted;
        report.neighbours = tally.neighbours;
        report.deepest_overlap = cells_from_subcells(tally.deepest);
        report.arrived_total = self.arrived_total;
        report.left_total = self.left_total;
        Ok(report)
    }

    fn check_step(&mut self, groups: &[GroupInput<'_>], dt: f32) -> Result<(), CrowdError> {
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
        if self
            .slots
            .census()
            .last_group
            .is_none_or(|group| usize::from(group) < groups.len())
        {
            return Ok(());
        }
        let mut mates = self.slots.places_by_slot().map(|place| &self.slots.mates[place]);
        match mates.find(|mate| usize::from(mate.group) >= groups.len()) {
            Some(mate) => Err(CrowdError::MissingGroup {
                agent: self.slots.id(mate.slot),
                group: mate.group,
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
                for place in 0..self.slots.len() {
                    if usize::from(self.slots.mates[place].group) == group {
                        self.forget_rest(place);
                    }
                }
            }
        }
    }

    /// Returns how many had each outcome.
    fn substep(
        &mut self,
        groups: &[GroupInput<'_>],
        turn: &Turn,
        workers: &dyn Workers,
        observer: &mut dyn StageObserver,
        tally: &mut Tally,
        report: &mut StepReport,
    ) -> OutcomeCounts {
        let largest = self.slots.census().largest;
        let mut scratch = core::mem::take(&mut self.scratch);
        scratch.gather(self, largest, workers);
        observer.ended(Stage::Gather);
        let bins = core::mem::take(&mut scratch.bins);
        let view = View {
            grid: &self.grid,
            groups,
            options: &self.options,
            seconds: turn.seconds,
            packs: &self.packs,
            generation: &self.slots.generation,
            records: &self.slots.records,
            bins: &bins,
            xs: &self.slots.xs,
            ys: &self.slots.ys,
            mates: &self.slots.mates,
            largest,
            rota: turn.rota,
        };
        scratch.plan(&view, workers, observer);
        if self.options.avoidance != Avoidance::Off {
            scratch.push_apart(&view, workers);
        }
        observer.ended(Stage::Contact);
        scratch.bins = bins;
        scratch.commit(&mut self.slots, turn, workers);
        let mut outcomes = OutcomeCounts::default();
        for part in &scratch.tallies {
            tally.join(part);
            for (outcome, count) in Outcome::ALL.into_iter().zip(part.outcomes) {
                outcomes[outcome] += count;
            }
        }
        // Packs and free slots see events in the order of the slots, whatever the order of the bins.
        let mut events: Vec<_> = scratch.events.iter().flatten().copied().collect();
        events.sort_unstable_by_key(|&(slot, _)| slot);
        for (slot, fate) in events {
            self.settle(slot, fate, turn, report);
        }
        self.packs.pass(turn.seconds, self.options.closing);
        self.scratch = scratch;
        observer.ended(Stage::Commit);
        outcomes
    }

    /// What only one at a time may do, in slot order: packs change and agents leave.
    fn settle(&mut self, slot: u32, fate: Fate, turn: &Turn, report: &mut StepReport) {
        let Some(place) = self.slots.place_of(slot as usize) else {
            return;
        };
        let (group, radius) = (self.slots.mates[place].group, self.slots.mates[place].radius);
        let record = &mut self.slots.records[slot as usize];
        match fate {
            Fate::Arrives(goal) => {
                self.packs.join(group, goal, radius);
                self.arrived_total += 1;
            }
            Fate::Leaves => {
                record.since = turn.tick;
                let view = self.slots.view(place);
                self.departures.push(Departure {
                    id: self.slots.id(slot),
                    position: view.position,
                    velocity: view.velocity,
                });
                self.slots.remove(place);
                self.arrived_total += 1;
                self.left_total += 1;
                report.left += 1;
            }
            Fate::ClosesRanks => self.packs.stir(group, record.anchor),
            Fate::Walks | Fate::Stands(_) | Fate::Rests | Fate::Coasts | Fate::Holds => {
                self.packs.part(group, record.anchor, radius);
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
    pub(crate) rota: Rota,
    /// The tick that the step ends on.
    pub(crate) tick: u64,
}
