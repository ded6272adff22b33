//! Cost-to-goal, labels, directions and lengths.

use super::check::Made;
use super::search::Truth;
use super::{Checker, World};
use thalweg_core::check::check_field;
use thalweg_core::debug::print_all;
use thalweg_core::flow::{FlowField, Guidance, LengthField, RetainedField, extract, measure_lengths};
use thalweg_core::grid::{CellId, DirectionSet};
use thalweg_core::integrate::{
    Engine, IntegrateError, IntegrateOptions, IntegrationField, Reach, ResolvedGoals, integrate,
};
use thalweg_core::movement::{EdgeKind, Movement, PortalIndex};
use thalweg_core::workers::Serial;

impl Checker {
    /// The field by every engine that can run, equal in all bits; `None` where a cost does not fit, which all must say.
    pub(super) fn check_fields(
        &mut self,
        world: &World,
        truth: &Truth<'_>,
        movement: &Movement,
        goals: &ResolvedGoals,
    ) -> Option<(IntegrationField, FlowField)> {
        let seeds: Vec<_> = goals
            .seeds()
            .iter()
            .map(|seed| (seed.cell.index(), u64::from(seed.bias), seed.goal))
            .collect();
        assert_eq!(seeds, truth.starts, "seeds of {world:?}");
        let grid = movement.grid().clone();
        let overflow = truth.overflow();
        let mut first: Option<IntegrationField> = None;
        let (mut field, mut flow) = self
            .dirty
            .take()
            .unwrap_or_else(|| (IntegrationField::new(grid.clone()), FlowField::new(grid.clone())));
        for engine in Engine::ALL.into_iter().chain([Engine::Auto]) {
            if !engine.supports(movement) {
                continue;
            }
            let mut options = IntegrateOptions::new().with_engine(engine);
            options.cost_limit = world.limit;
            let outcome = integrate(movement, goals, &options, &mut self.integrate, &mut field);
            if let Some(lost) = overflow {
                let cell = world.floors.cell(lost);
                assert_eq!(
                    outcome.err(),
                    Some(IntegrateError::CostOverflow { cell }),
                    "{engine} on {world:?}"
                );
                assert!(
                    field.reaches().all(|reach| reach == Reach::Unknown),
                    "{engine} on {world:?}"
                );
                continue;
            }
            outcome.unwrap_or_else(|error| panic!("{engine} on {world:?}: {error}"));
            match &first {
                Some(first) => assert!(*first == field, "{engine} has other bits on {world:?}"),
                None => {
                    self.check_values(world, truth, &field, engine);
                    first = Some(field.clone());
                }
            }
            self.counts.fields += 1;
        }
        let Some(field) = first else {
            self.counts.overflows += 1;
            return None;
        };
        extract(movement, &field, &Serial, &mut self.flow, &mut flow);
        if let Err(violation) = check_field(movement, &field, &flow) {
            panic!("{violation} on {world:?}");
        }
        Some((field, flow))
    }

    fn check_values(&mut self, world: &World, truth: &Truth<'_>, field: &IntegrationField, engine: Engine) {
        for id in field.grid().ids() {
            let anchor = id.index();
            let wanted = truth.reach(anchor);
            let context = || format!("{engine} at {}, {world:?}", world.floors.cell(anchor));
            assert_eq!(field.reach(id), wanted, "{}", context());
            let goal = truth.best[anchor]
                .map(|best| best.1)
                .filter(|_| wanted.cost().is_some());
            assert_eq!(field.goal(id), goal, "{}", context());
            self.counts.anchors += 1;
            self.counts.reached += u64::from(goal.is_some());
            let is_free = matches!(truth.rules.under(anchor), crate::body::Under::Free(_));
            self.counts.cut_off += u64::from(wanted == Reach::Unknown && is_free);
        }
        let sinks: Vec<usize> = field.sinks().iter().map(|seed| seed.cell.index()).collect();
        let wanted: Vec<usize> = (0..world.floors.len())
            .filter(|&anchor| truth.is_goal(anchor) && truth.reach(anchor).cost().is_some())
            .collect();
        assert_eq!(sinks, wanted, "sinks by {engine} of {world:?}");
    }

    /// Successors are all edges that keep the cost and lead on; the first is the direction; following it ends at a goal
    /// after the cost and the length that the fields say.
    pub(super) fn check_directions(&mut self, made: &Made<'_>) {
        let (world, truth, flow) = (made.world, made.truth, made.flow);
        let mut lengths = LengthField::new(flow.grid().clone());
        measure_lengths(made.movement, flow, &mut self.order, &mut lengths);
        check_retained(made);
        for id in flow.grid().ids() {
            let anchor = id.index();
            let context = || {
                let map = if flow.grid().len() < 200 {
                    let costs = thalweg_core::cost::CostField::from_bytes(
                        flow.grid().clone(),
                        made.movement.costs().to_vec(),
                    );
                    print_all(&costs.expect("a byte per cell"), made.field, flow)
                } else {
                    String::new()
                };
                format!("at {}\n{map}{world:?}", world.floors.cell(anchor))
            };
            let wanted = truth.successors(anchor);
            let steps: DirectionSet = (wanted.iter())
                .filter_map(|edge| match edge.kind {
                    EdgeKind::Step(direction) => Some(direction),
                    _ => None,
                })
                .collect();
            let portals: Vec<PortalIndex> = (wanted.iter())
                .filter_map(|edge| match edge.kind {
                    EdgeKind::Portal(portal) => Some(portal),
                    _ => None,
                })
                .collect();
            assert_eq!(flow.successors(id), steps, "{}", context());
            assert_eq!(
                flow.portal_successors(id).collect::<Vec<_>>(),
                portals,
                "{}",
                context()
            );
            self.counts.ties += u64::from(wanted.len() > 1);
            let guidance = match (truth.reach(anchor), wanted.first().map(|edge| edge.kind)) {
                (_, Some(EdgeKind::Step(direction))) => Guidance::Toward(direction),
                (_, Some(EdgeKind::Portal(portal))) => Guidance::Through(portal),
                (Reach::Reached(_), _) => Guidance::Goal,
                (Reach::Unknown, _) => Guidance::Unknown,
                (Reach::Unreachable, _) if made.movement.is_passable(id) => Guidance::Unreachable,
                (Reach::Unreachable, _) => Guidance::Impassable,
            };
            assert_eq!(flow.guidance(id), guidance, "{}", context());
            let Reach::Reached(cost) = truth.reach(anchor) else {
                assert_eq!(lengths.length(id), None, "{}", context());
                continue;
            };
            let followed = follow(made, anchor).unwrap_or_else(|| panic!("no end {}", context()));
            assert_eq!(followed.paid, u64::from(cost.0), "{}", context());
            let length = lengths
                .length(id)
                .map(|length| (length.straight, length.diagonal));
            assert_eq!(
                length,
                Some((followed.straight, followed.diagonal)),
                "{}",
                context()
            );
        }
    }
}

/// What is kept along seams gives the field back.
fn check_retained(made: &Made<'_>) {
    let kept = RetainedField::new(made.movement, made.field, made.flow)
        .unwrap_or_else(|error| panic!("{error} on {:?}", made.world));
    let costs = kept.costs(made.movement).expect("the movement it was made from");
    let mut restored = made.field.clone();
    costs.restore(&Serial, &mut restored);
    assert!(
        restored == *made.field,
        "a retained field has other bits on {:?}",
        made.world
    );
    for id in made.field.grid().ids() {
        let answers = (costs.reach(id), kept.flow().guidance(id));
        let wanted = (made.field.reach(id), made.flow.guidance(id));
        assert_eq!(
            answers,
            wanted,
            "retained, at {} of {:?}",
            made.field.grid().cell(id),
            made.world
        );
    }
}

/// A way along directions.
struct Followed {
    paid: u64,
    straight: u32,
    diagonal: u32,
}

/// Follows directions by the listed edges, up to a goal and with its starting cost.
fn follow(made: &Made<'_>, start: usize) -> Option<Followed> {
    let mut way = Followed {
        paid: 0,
        straight: 0,
        diagonal: 0,
    };
    let mut anchor = start;
    for _ in 0..=made.truth.best.len() {
        let kind = match made.flow.guidance(CellId::from_index(anchor)) {
            Guidance::Goal => {
                way.paid += made
                    .truth
                    .starts
                    .iter()
                    .filter(|seed| seed.0 == anchor)
                    .map(|seed| seed.1)
                    .min()?;
                return Some(way);
            }
            Guidance::Toward(direction) if direction.is_diagonal() => {
                way.diagonal += 1;
                EdgeKind::Step(direction)
            }
            Guidance::Toward(direction) => {
                way.straight += 1;
                EdgeKind::Step(direction)
            }
            Guidance::Through(portal) => EdgeKind::Portal(portal),
            _ => return None,
        };
        let edge = made
            .truth
            .edges_from(anchor)
            .iter()
            .find(|edge| edge.kind == kind)?;
        way.paid += edge.cost;
        anchor = edge.to;
    }
    None
}
