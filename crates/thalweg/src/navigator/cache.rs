//! Bundles that may be wanted again: bounded in bytes, least recently used out first.

use super::status::MakeError;
use crate::bundle::{BuildOptions, FieldBundle};
use std::collections::BTreeMap;
use std::sync::Arc;
use thalweg_core::integrate::{BlockedGoals, GoalSet};
use thalweg_core::movement::Movement;

/// Goals and options of a field, with a fingerprint to find them by. Equality decides, never the fingerprint alone.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) goals: Arc<GoalSet>,
    pub(super) options: BuildOptions,
    fingerprint: u64,
}

impl Wanted {
    pub(super) fn new(goals: GoalSet, options: BuildOptions) -> Self {
        Self {
            fingerprint: fingerprint(&goals),
            goals: Arc::new(goals),
            options,
        }
    }

    pub(super) const fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl PartialEq for Wanted {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.options == other.options
            && (Arc::ptr_eq(&self.goals, &other.goals) || self.goals == other.goals)
    }
}

/// FNV-1a over the numbers of a goal set.
fn fingerprint(goals: &GoalSet) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |value: u64| hash = (hash ^ value).wrapping_mul(0x0100_0000_01b3);
    add(match goals.blocked_goals() {
        BlockedGoals::NearestReachableFrom(id) => 1 << 32 | u64::from(id.0),
        _ => 0,
    });
    for goal in goals.goals() {
        add(goal.cells.len() as u64);
        add(u64::from(goal.bias));
        for cell in &goal.cells {
            add(u64::from(cell.layer));
            add(u64::from(cell.x.cast_unsigned()));
            add(u64::from(cell.y.cast_unsigned()));
        }
    }
    hash
}

/// What a build came to: both are worth keeping.
pub(super) type Outcome = Result<Arc<FieldBundle>, MakeError>;

/// The movement is held, so that its address stands for it: costs, rules and profile cannot be others while it lives.
#[derive(Debug)]
struct Entry {
    movement: Arc<Movement>,
    wanted: Wanted,
    outcome: Outcome,
    bytes: usize,
    used: u64,
}

impl Entry {
    fn is_for(&self, movement: &Arc<Movement>, wanted: &Wanted) -> bool {
        Arc::ptr_eq(&self.movement, movement) && self.wanted == *wanted
    }
}

/// The logical clock counts uses; no wall clock decides what is thrown out.
#[derive(Debug)]
pub(super) struct Cache {
    limit: usize,
    bytes: usize,
    clock: u64,
    /// By fingerprint; the entries of one are for several movements or options, or by chance for other goals.
    entries: BTreeMap<u64, Vec<Entry>>,
    /// Fingerprints by the clock of their entries' last use.
    by_use: BTreeMap<u64, u64>,
    evicted: u64,
}

impl Cache {
    pub(super) const fn new(limit: usize) -> Self {
        Self {
            limit,
            bytes: 0,
            clock: 0,
            entries: BTreeMap::new(),
            by_use: BTreeMap::new(),
            evicted: 0,
        }
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) const fn evicted(&self) -> u64 {
        self.evicted
    }

    pub(super) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.evict();
    }

    /// What the same goals came to on the same movement; it counts as used.
    pub(super) fn get(&mut self, movement: &Arc<Movement>, wanted: &Wanted) -> Option<Outcome> {
        let fingerprint = wanted.fingerprint();
        let entries = self.entries.get_mut(&fingerprint)?;
        let entry = entries.iter_mut().find(|entry| entry.is_for(movement, wanted))?;
        self.clock += 1;
        self.by_use.remove(&entry.used);
        self.by_use.insert(self.clock, fingerprint);
        entry.used = self.clock;
        Some(entry.outcome.clone())
    }

    /// Keeps what goals came to. What is larger than the limit by itself is not kept.
    pub(super) fn put(&mut self, movement: &Arc<Movement>, wanted: &Wanted, outcome: Outcome) {
        if self.get(movement, wanted).is_some() {
            return;
        }
        let bundle_bytes = outcome.as_ref().map_or(0, |bundle| bundle.bytes());
        let bytes = size_of::<Entry>() + goal_bytes(&wanted.goals) + bundle_bytes;
        if bytes > self.limit {
            return;
        }
        self.clock += 1;
        self.by_use.insert(self.clock, wanted.fingerprint());
        self.entries.entry(wanted.fingerprint()).or_default().push(Entry {
            movement: Arc::clone(movement),
            wanted: wanted.clone(),
            outcome,
            bytes,
            used: self.clock,
        });
        self.bytes += bytes;
        self.evict();
    }

    /// Drops what was made for other movements than these: what they were compiled from never comes back.
    pub(super) fn keep_only(&mut self, current: &[Arc<Movement>]) {
        let Self {
            entries,
            by_use,
            bytes,
            ..
        } = self;
        entries.retain(|_, list| {
            list.retain(|entry| {
                let is_kept = current
                    .iter()
                    .any(|movement| Arc::ptr_eq(movement, &entry.movement));
                if !is_kept {
                    by_use.remove(&entry.used);
                    *bytes -= entry.bytes;
                }
                is_kept
            });
            !list.is_empty()
        });
    }

    fn evict(&mut self) {
        while self.bytes > self.limit {
            let Some((used, fingerprint)) = self.by_use.pop_first() else {
                return;
            };
            let Some(list) = self.entries.get_mut(&fingerprint) else {
                continue;
            };
            if let Some(place) = list.iter().position(|entry| entry.used == used) {
                self.bytes -= list.remove(place).bytes;
                self.evicted += 1;
            }
            if list.is_empty() {
                self.entries.remove(&fingerprint);
            }
        }
    }
}

fn goal_bytes(goals: &GoalSet) -> usize {
    let of = |goal: &thalweg_core::integrate::Goal| size_of_val(goal) + size_of_val(&goal.cells[..]);
    goals.goals().iter().map(of).sum()
}
