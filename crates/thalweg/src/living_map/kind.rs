//! What the map is to all profiles of one spec, kept up to date.

use super::paid::{Ground, check_classes};
use super::{LivingMapError, ProfileSpec};
use std::sync::Arc;
use thalweg_core::cost::{CostField, CostVersion, DirtyRegion, EdgeCharges, HeightMap};
use thalweg_core::grid::CellId;
use thalweg_core::movement::{EdgeInputs, EdgeRuleError, EdgeRules, Movement, RuleVersion};

/// The map as profiles of one spec see it.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    spec: ProfileSpec,
    costs: CostField,
    /// What slopes do to its steps; none without heights or a slope rule.
    charges: Option<EdgeCharges>,
    /// Changes that no version of its parts tells: of parts that were replaced.
    other_changes: u64,
    compiled: Option<(CostVersion, Arc<Movement>)>,
}

impl Kind {
    /// `charges` are those of another kind with the same slope rule, if there is one.
    pub(super) fn new(
        ground: &Ground,
        spec: ProfileSpec,
        charges: Option<EdgeCharges>,
    ) -> Result<Self, LivingMapError> {
        if let Some(table) = &spec.classes {
            check_classes(ground.terrain.as_ref().ok_or(LivingMapError::NoTerrain)?, table)?;
        }
        Ok(Self {
            costs: ground.paid_everywhere(&spec),
            charges: charges.or_else(|| charges_of(&spec, ground.heights.as_ref())),
            spec,
            other_changes: 0,
            compiled: None,
        })
    }

    pub(super) const fn spec(&self) -> &ProfileSpec {
        &self.spec
    }

    pub(super) const fn costs(&self) -> &CostField {
        &self.costs
    }

    pub(super) const fn charges(&self) -> Option<&EdgeCharges> {
        self.charges.as_ref()
    }

    /// Rises exactly if something that its movement is compiled from has changed.
    pub(super) fn version(&self, rules: &EdgeRules) -> CostVersion {
        let charges = self.charges.as_ref().map_or(0, |charges| charges.version().0);
        CostVersion(self.costs.version().0 + charges + rules.version().0 + self.other_changes)
    }

    /// Brings the cost of a cell up to date.
    pub(super) fn refresh(&mut self, ground: &Ground, id: CellId) {
        self.costs.write(id, ground.paid(&self.spec, id));
    }

    /// Brings the charges up to date after heights of a region changed.
    pub(super) fn refresh_charges(
        &mut self,
        heights: &HeightMap,
        region: DirtyRegion,
    ) -> Result<(), LivingMapError> {
        if let Some(charges) = &mut self.charges {
            charges.update(heights, region)?;
        }
        Ok(())
    }

    /// After the heights became other ones altogether.
    pub(super) fn replace_charges(&mut self, heights: Option<&HeightMap>) {
        let charges = charges_of(&self.spec, heights);
        let old = core::mem::replace(&mut self.charges, charges);
        if old.is_some() || self.charges.is_some() {
            self.other_changes += 1 + old.map_or(0, |old| old.version().0);
        }
    }

    /// After the edge rules became other ones altogether.
    pub(super) const fn rules_replaced(&mut self, old: RuleVersion) {
        self.other_changes += 1 + old.0;
    }

    const fn edges<'a>(&'a self, rules: &'a EdgeRules) -> EdgeInputs<'a> {
        EdgeInputs {
            rules: Some(rules),
            charges: self.charges.as_ref(),
        }
    }

    pub(super) fn compile(&self, rules: &EdgeRules) -> Result<Movement, EdgeRuleError> {
        Movement::compile_edges(&self.costs, &self.edges(rules), &self.spec.movement)
    }

    /// The movement, made from the one before if something has changed since it was last asked for.
    pub(super) fn movement(&mut self, rules: &EdgeRules) -> Result<Arc<Movement>, EdgeRuleError> {
        let version = self.version(rules);
        let movement = match &self.compiled {
            Some((of, movement)) if *of == version => return Ok(Arc::clone(movement)),
            Some((_, before)) => before.recompile(&self.costs, &self.edges(rules))?,
            None => self.compile(rules)?,
        };
        let movement = Arc::new(movement);
        self.compiled = Some((version, Arc::clone(&movement)));
        Ok(movement)
    }
}

fn charges_of(spec: &ProfileSpec, heights: Option<&HeightMap>) -> Option<EdgeCharges> {
    let (rule, heights) = (spec.slopes.as_ref()?, heights?);
    Some(EdgeCharges::new(heights, rule.clone()))
}
