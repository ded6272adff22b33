//! The core's values for a world, kept up to date edit by edit as a game would keep them.

use super::{Border, Edit, Effect, Hills, Laid, Shape, Timed, Times, World};
use thalweg_core::cost::{
    Cost, CostField, EdgeCharges, HeightMap, ImageEffect, OverlaidCosts, SlopeBand, SlopeBands, SlopeRule,
    Stamp, StampEffect, StampId, StampImage, Steepness, UnknownGround, UnknownSlope,
};
use thalweg_core::expanded::{Beyond, Presence, StepTicks, TickSpan, TimeOptions, Timetable};
use thalweg_core::grid::{Cell, Grid, MapPoint, SUBCELLS};
use thalweg_core::integrate::{BlockedGoals, Goal, GoalMeeting, GoalSet};
use thalweg_core::movement::{EdgeInputs, EdgeRules, Movement, MovementProfile, PortalIndex};

/// Height of cells where it is unknown.
const NO_HEIGHT: f32 = -9_999.0;

/// A world as the core holds it.
#[derive(Clone, Debug)]
pub struct Product {
    grid: Grid,
    base: CostField,
    hills: Option<(HeightMap, EdgeCharges, CostField)>,
    overlaid: OverlaidCosts,
    /// By the place of the stamp; `None` once it is taken away.
    stamps: Vec<Option<StampId>>,
    rules: EdgeRules,
    assumed: UnknownGround,
    profile: MovementProfile,
}

impl Product {
    /// Builds the values of a world.
    ///
    /// # Panics
    /// If the core refuses something of it.
    #[must_use]
    pub fn new(world: &World) -> Self {
        let grid = world.grid();
        let base = world.base_costs();
        let hills = world.hills.as_ref().map(|hills| {
            let (heights, rule) = (hills.map(&grid), hills.rule());
            let over = heights.costs_over(&base, &rule).expect("one grid");
            (heights.clone(), EdgeCharges::new(&heights, rule), over)
        });
        let lowest = hills
            .as_ref()
            .map_or_else(|| base.clone(), |hills| hills.2.clone());
        let mut product = Self {
            rules: EdgeRules::new(grid.clone()),
            assumed: world.assumed.map_or(UnknownGround::Blocked, |cost| {
                UnknownGround::Assumed(Cost::from_byte(cost))
            }),
            profile: world.profile,
            overlaid: OverlaidCosts::new(lowest),
            stamps: Vec::new(),
            grid,
            base,
            hills,
        };
        for laid in &world.stamps {
            product.put(laid);
        }
        // Taken away after all were laid down, in the order they came.
        for (place, laid) in world.stamps.iter().enumerate() {
            if laid.taken {
                product.take(place);
            }
        }
        for border in &world.borders {
            product.border(border);
        }
        for portal in &world.portals {
            // One that was taken away had an index of its own, whatever it joined.
            product.portal(&portal.unwrap_or((0, 1, 0)));
        }
        for (index, portal) in world.portals.iter().enumerate() {
            if portal.is_none() {
                product.remove_portal(index);
            }
        }
        product
    }

    /// The same map for another kind of agent.
    pub const fn set_profile(&mut self, profile: MovementProfile) {
        self.profile = profile;
    }

    /// Makes the change of an edit.
    ///
    /// # Panics
    /// If the core refuses it.
    pub fn apply(&mut self, edit: &Edit) {
        let before = self.overlaid.costs().clone();
        self.overlaid.take_dirty();
        match edit {
            Edit::Cost(cell, cost) => {
                let cell = self.name(*cell);
                match cost {
                    Some(cost) => self.base.set(cell, Cost::from_byte(*cost)),
                    None => self.base.set_unknown(cell),
                }
                .expect("on the map");
                let regions = self.base.take_dirty();
                match &mut self.hills {
                    None => self
                        .overlaid
                        .set_base(cell, cost.map(Cost::from_byte))
                        .expect("on the map"),
                    Some((heights, charges, over)) => {
                        for region in regions {
                            heights
                                .update_costs(&self.base, charges.rule(), region, over)
                                .expect("one grid");
                        }
                        self.overlaid.copy_base_from(over).expect("one grid");
                    }
                }
            }
            Edit::Height(cell, height) => {
                let cell = self.name(*cell);
                let (heights, charges, over) = self.hills.as_mut().expect("drawn on hills");
                match height {
                    Some(height) => heights.set(cell, *height),
                    None => heights.set_unknown(cell),
                }
                .expect("on the map");
                for region in heights.take_dirty() {
                    heights
                        .update_costs(&self.base, charges.rule(), region, over)
                        .expect("one grid");
                    charges.update(heights, region).expect("one grid");
                }
                self.overlaid.copy_base_from(over).expect("one grid");
            }
            Edit::Put(laid) => self.put(laid),
            Edit::Take(place) => self.take(*place),
            Edit::Border(border) => self.border(border),
            Edit::Portal(portal) => self.portal(portal),
            Edit::RemovePortal(place) => self.remove_portal(*place),
        }
        let after = self.overlaid.costs();
        let changed: Vec<_> = self
            .grid
            .ids()
            .filter(|&id| before.get(id) != after.get(id))
            .collect();
        assert_eq!(
            before.version() == after.version(),
            changed.is_empty(),
            "the version of {edit:?}"
        );
        let dirty = self.overlaid.take_dirty();
        for id in changed {
            assert!(
                dirty.iter().any(|region| region.contains(&self.grid, id)),
                "{edit:?} at {id:?}"
            );
        }
    }

    fn name(&self, cell: usize) -> Cell {
        self.grid.cell(thalweg_core::grid::CellId::from_index(cell))
    }

    fn put(&mut self, laid: &Laid) {
        let id = self.overlaid.put(laid.stamp()).expect("a layer of the map");
        self.stamps.push(Some(id));
    }

    fn take(&mut self, place: usize) {
        let id = self.stamps[place].take().expect("a stamp that lies there");
        self.overlaid.take(id).expect("a stamp that lies there");
    }

    fn border(&mut self, border: &Border) {
        match *border {
            Border::Close(cell, direction) => self.rules.close_exit(self.name(cell), direction),
            Border::Open(cell, direction) => self.rules.open_exit(self.name(cell), direction),
            Border::OnlyFrom(cell, sides) => self.rules.only_enter_from(self.name(cell), sides),
        }
        .expect("on the map");
    }

    fn portal(&mut self, &(from, to, cost): &(usize, usize, u32)) {
        self.rules
            .add_portal(self.name(from), self.name(to), cost)
            .expect("two cells of the map");
    }

    fn remove_portal(&mut self, place: usize) {
        let index = PortalIndex(u32::try_from(place).expect("few portals"));
        self.rules.remove_portal(index).expect("a portal that is there");
    }

    /// The costs as the profile sees them.
    #[must_use]
    pub fn costs(&self) -> CostField {
        self.overlaid.costs().with_unknown_ground(self.assumed)
    }

    /// What there is beside costs.
    #[must_use]
    pub fn edges(&self) -> EdgeInputs<'_> {
        EdgeInputs {
            rules: Some(&self.rules),
            charges: self.hills.as_ref().map(|hills| &hills.1),
        }
    }

    /// The compiled rules over some costs.
    ///
    /// # Panics
    /// If the costs are of another map.
    #[must_use]
    pub fn movement(&self, costs: &CostField) -> Movement {
        Movement::compile_edges(costs, &self.edges(), &self.profile).expect("one grid")
    }
}

impl World {
    /// The cells of its floors.
    ///
    /// # Panics
    /// If the floors are too large for a map.
    #[must_use]
    pub fn grid(&self) -> Grid {
        let grids: Vec<Grid> = (self.floors.all().iter())
            .map(|floor| {
                let side = |cells: usize| u32::try_from(cells).expect("a small map");
                let first = Cell::new(floor.first.0, floor.first.1);
                Grid::with_first_cell(side(floor.width), side(floor.height), first).expect("a small map")
            })
            .collect();
        Grid::stacked(&grids).expect("a small map")
    }

    /// The base costs, without anything over them.
    ///
    /// # Panics
    /// If there is not one for each cell.
    #[must_use]
    pub fn base_costs(&self) -> CostField {
        let bytes = self.base.iter().map(|cost| cost.unwrap_or(255)).collect();
        let mut base = CostField::from_bytes(self.grid(), bytes).expect("a byte per cell");
        for (id, cost) in base.grid().ids().zip(&self.base) {
            if cost.is_none() {
                base.write(id, None);
            }
        }
        base.take_dirty();
        base
    }

    /// The goals as the core takes them.
    #[must_use]
    pub fn goal_set(&self) -> GoalSet {
        let goals = self.goals.iter();
        let goals = goals.map(|(cells, bias)| Goal::area(cells.iter().copied()).with_bias(*bias));
        goals
            .fold(GoalSet::new(), GoalSet::with_goal)
            .with_blocked_goals(BlockedGoals::Skip)
            .with_meeting(if self.by_anchor {
                GoalMeeting::ByAnchor
            } else {
                GoalMeeting::ByFootprint
            })
    }

    /// The timetable as the core takes it.
    ///
    /// # Panics
    /// If the core refuses an entry.
    #[must_use]
    pub fn timetable(&self, grid: &Grid, times: &Times) -> Timetable {
        let mut table = Timetable::new(grid.clone());
        let cell = |cell: usize| self.floors.cell(cell);
        let span = |span: (u32, u32)| TickSpan::new(span.0, span.1);
        for entry in &times.entries {
            match entry {
                Timed::Cell(at, when) => table.close_cell(cell(*at), span(*when)),
                Timed::CellOnly(at, when) => table.open_cell_only(cell(*at), &[span(*when)]),
                Timed::Patrol(first, walk) => {
                    let walk: Vec<Cell> = walk.iter().map(|&at| cell(at)).collect();
                    table.add_patrol(*first, &walk)
                }
                Timed::Edge(from, to, when) => table.close_edge(cell(*from), cell(*to), span(*when)),
                Timed::EdgeOnly(from, to, when) => {
                    table.open_edge_only(cell(*from), cell(*to), &[span(*when)])
                }
            }
            .expect("spans and cells of the map");
        }
        table
    }
}

impl Times {
    /// The options as the core takes them.
    #[must_use]
    pub fn options(&self) -> TimeOptions {
        let options = TimeOptions::new(self.horizon, self.wait.unwrap_or(0), u64::MAX)
            .with_step_ticks(match self.ticks {
                (true, ticks) => StepTicks::Fixed(ticks),
                (false, units) => StepTicks::PerCost(units),
            })
            .with_presence(if self.on_both {
                Presence::Both
            } else {
                Presence::LeftUntilArrival
            })
            .with_beyond(if self.goes_on {
                Beyond::Static
            } else {
                Beyond::Nothing
            });
        if self.wait.is_none() {
            options.without_waiting()
        } else {
            options
        }
    }
}

fn bands(bands: &[(f64, u8)]) -> SlopeBands {
    SlopeBands::new(bands.iter().map(|&(below, extra)| SlopeBand { below, extra })).expect("ascending bands")
}

impl Laid {
    /// The stamp as the core takes it.
    ///
    /// # Panics
    /// If the core refuses it.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        let effect = match self.effect {
            Effect::Block => StampEffect::Block,
            Effect::Add(more) => StampEffect::Add(more),
            Effect::Set(cost) => StampEffect::Set(Cost::from_byte(cost)),
        };
        match &self.shape {
            Shape::Rect(a, b) => Stamp::rect(*a, *b, effect),
            Shape::Disc(layer, (x, y), radius) => {
                let quarter = SUBCELLS / 4;
                let centre = MapPoint::new(x * quarter, y * quarter).on(*layer);
                Stamp::disc(centre, f64::from(*radius) / 8.0, effect)
            }
            Shape::Image(first, sides, mask) => {
                let (byte, effect) = match self.effect {
                    Effect::Block => (0, ImageEffect::Block),
                    Effect::Add(more) => (more, ImageEffect::Add),
                    Effect::Set(cost) => (cost, ImageEffect::Set),
                };
                let image = StampImage::new(sides.0, sides.1, vec![byte; mask.len()], Some(mask.clone()));
                Stamp::image(*first, image.expect("a byte per cell"), effect)
            }
        }
        .expect("a stamp")
    }
}

impl Hills {
    /// The heights as the core takes them.
    ///
    /// # Panics
    /// If they do not fit the grid.
    #[must_use]
    pub fn map(&self, grid: &Grid) -> HeightMap {
        let heights = self
            .heights
            .iter()
            .map(|height| height.unwrap_or(NO_HEIGHT))
            .collect();
        HeightMap::new(grid.clone(), self.cell_size, heights, Some(NO_HEIGHT)).expect("finite heights")
    }

    /// What slopes do, as the core takes it.
    #[must_use]
    pub fn rule(&self) -> SlopeRule {
        SlopeRule::new(bands(&self.up))
            .with_down(bands(&self.down))
            .with_steepness(if self.blocks_cells {
                Steepness::BlocksCell
            } else {
                Steepness::BlocksEdge
            })
            .with_unknown(if self.unknown_is_level {
                UnknownSlope::Level
            } else {
                UnknownSlope::Closed
            })
    }
}
