//! Temporary: the living map and the published slot until their own modules arrive.
#![allow(missing_docs, reason = "temporary")]

use crate::version::{BundleVersions, MapVersion, OverlayVersion, ProfileVersion};
use std::sync::{Arc, Mutex, PoisonError};
use thalweg_core::cost::{Cost, CostField, CostFieldError, OverlaidCosts, Stamp, StampId};
use thalweg_core::grid::{Cell, Grid};
use thalweg_core::movement::{Movement, MovementProfile};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ProfileId(pub u32);

#[derive(Clone, PartialEq, Debug, Default)]
pub struct ProfileSpec {
    pub movement: MovementProfile,
}

impl ProfileSpec {
    pub fn new(movement: MovementProfile) -> Self {
        Self { movement }
    }
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LivingMapError {
    #[error("there is no profile {profile:?} on this map")]
    NoProfile { profile: ProfileId },
    #[error(transparent)]
    Costs(#[from] CostFieldError),
    #[error(transparent)]
    Overlay(#[from] thalweg_core::cost::OverlayError),
}

#[derive(Debug)]
pub struct LivingMap {
    costs: OverlaidCosts,
    map: MapVersion,
    overlay: OverlayVersion,
    profiles: Vec<(ProfileSpec, Option<Arc<Movement>>)>,
}

impl LivingMap {
    pub fn new(costs: CostField) -> Self {
        Self {
            costs: OverlaidCosts::new(costs),
            map: MapVersion(0),
            overlay: OverlayVersion(0),
            profiles: Vec::new(),
        }
    }
    pub fn grid(&self) -> &Grid {
        self.costs.base().grid()
    }
    pub fn add_profile(&mut self, spec: ProfileSpec) -> Result<ProfileId, LivingMapError> {
        self.profiles.push((spec, None));
        Ok(ProfileId(self.profiles.len() as u32 - 1))
    }
    pub fn profiles_len(&self) -> usize {
        self.profiles.len()
    }
    pub fn map_version(&self) -> MapVersion {
        self.map
    }
    pub fn overlay_version(&self) -> OverlayVersion {
        self.overlay
    }
    pub fn versions(&self, _: ProfileId) -> BundleVersions {
        BundleVersions {
            map: self.map,
            overlay: self.overlay,
            profile: ProfileVersion(0),
            cost: self.costs.costs().version(),
            ..BundleVersions::default()
        }
    }
    pub fn movement(&mut self, id: ProfileId) -> Result<Arc<Movement>, LivingMapError> {
        let costs = self.costs.costs();
        let spec = &self
            .profiles
            .get(id.0 as usize)
            .ok_or(LivingMapError::NoProfile { profile: id })?
            .0;
        let id = ProfileId(
            self.profiles
                .iter()
                .position(|(other, _)| other == spec)
                .unwrap_or(0) as u32,
        );
        let (spec, movement) = self
            .profiles
            .get_mut(id.0 as usize)
            .ok_or(LivingMapError::NoProfile { profile: id })?;
        if let Some(movement) = movement
            && movement.cost_version() == costs.version()
        {
            return Ok(Arc::clone(movement));
        }
        let new = Arc::new(Movement::compile(costs, &spec.movement));
        *movement = Some(Arc::clone(&new));
        Ok(new)
    }
    pub fn set(&mut self, cell: Cell, cost: Cost) -> Result<(), LivingMapError> {
        self.map = self.map.next();
        Ok(self.costs.set_base(cell, Some(cost))?)
    }
    pub fn set_rect(&mut self, a: Cell, b: Cell, cost: Cost) -> Result<(), LivingMapError> {
        self.map = self.map.next();
        Ok(self.costs.set_base_rect(a, b, cost)?)
    }
    pub fn put(&mut self, stamp: Stamp) -> Result<StampId, LivingMapError> {
        self.overlay = self.overlay.next();
        Ok(self.costs.put(stamp)?)
    }
    pub fn take(&mut self, id: StampId) -> Result<Stamp, LivingMapError> {
        self.overlay = self.overlay.next();
        Ok(self.costs.take(id)?)
    }
}

pub trait HeldBytes {
    fn held_bytes(&self) -> usize;
}

#[derive(Clone, Copy, Debug, Default)]
pub struct PublishCounters {
    pub live_bytes: usize,
    pub retired_bytes: usize,
}

#[derive(Debug)]
pub struct Published<T> {
    slot: Arc<Mutex<Arc<T>>>,
    current: Arc<T>,
    retired: Vec<Arc<T>>,
}

#[derive(Debug)]
pub struct Reader<T> {
    slot: Arc<Mutex<Arc<T>>>,
    held: Option<Arc<T>>,
}

impl<T> Clone for Reader<T> {
    fn clone(&self) -> Self {
        Self {
            slot: Arc::clone(&self.slot),
            held: self.held.clone(),
        }
    }
}

impl<T> Published<T> {
    pub fn new(value: impl Into<Arc<T>>) -> Self {
        let value = value.into();
        Self {
            slot: Arc::new(Mutex::new(Arc::clone(&value))),
            current: value,
            retired: Vec::new(),
        }
    }
    pub fn publish(&mut self, value: impl Into<Arc<T>>) {
        self.current = value.into();
        let old = core::mem::replace(
            &mut *self.slot.lock().unwrap_or_else(PoisonError::into_inner),
            Arc::clone(&self.current),
        );
        self.retired.push(old);
    }
    pub fn current(&self) -> &Arc<T> {
        &self.current
    }
    pub fn reader(&self) -> Reader<T> {
        Reader {
            slot: Arc::clone(&self.slot),
            held: None,
        }
    }
    pub fn collect(&mut self) -> u64 {
        self.retired.retain(|value| Arc::strong_count(value) > 1);
        0
    }
    pub fn counters(&self) -> PublishCounters
    where
        T: HeldBytes,
    {
        PublishCounters {
            live_bytes: self.current().held_bytes(),
            retired_bytes: self.retired.iter().map(|value| value.held_bytes()).sum(),
        }
    }
}

impl<T> Reader<T> {
    pub fn latest(&mut self) -> &Arc<T> {
        let new = self.slot.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.held.insert(new)
    }
    pub fn snapshot(&mut self) -> Arc<T> {
        self.latest().clone()
    }
    pub fn release(&mut self) {
        self.held = None;
    }
}
