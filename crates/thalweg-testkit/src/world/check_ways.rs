//! Single ways, and walks by headings.

use super::check::Made;
use super::{Checker, Draw};
use crate::solve::Solved;
use crate::walker::Ways;
use thalweg_core::flow::{HeadingField, HeadingOptions, LengthField, look_ahead, measure_lengths};
use thalweg_core::grid::{CellId, MapPoint, SUBCELLS};
use thalweg_core::movement::{EdgeKind, Footprint};
use thalweg_core::route::{RouteError, RouteOptions, find_route};

impl Checker {
    /// A single way to the first goal cell costs what the search says and takes legal edges.
    pub(super) fn check_routes<D: Draw>(&mut self, made: &Made<'_>, starts: u32, random: &mut D) {
        let (world, truth) = (made.world, made.truth);
        let goal = world.goals[0].0[0];
        // A way is to a goal by footprint, whatever the goals of the field do.
        let meeting = truth.rules.meeting(goal, false);
        let costs = truth.costs_to(&meeting);
        for _ in 0..starts {
            let start = world.any(random);
            let from = world.floors.cell(start);
            let mut options = RouteOptions::new();
            if let Some(limit) = world.limit {
                options = options.with_cost_limit(limit);
            }
            let got = find_route(
                made.movement,
                from,
                goal,
                &options,
                &mut self.route,
                &mut self.path,
            );
            let context = || format!("{got:?} from {from} to {goal}, {:?}, {world:?}", self.path);
            let is_free = made.movement.is_passable(CellId::from_index(start));
            let limit = u64::from(options.cost_limit);
            match got {
                Ok(found) => {
                    assert_eq!(costs[start], Some(u64::from(found.cost.0)), "{}", context());
                    assert!(u64::from(found.cost.0) <= limit, "{}", context());
                    assert_eq!(
                        self.path.first().map(|id| id.index()),
                        Some(start),
                        "{}",
                        context()
                    );
                    let last = self.path.last().expect("a way has an end").index();
                    assert!(meeting.contains(&last), "{}", context());
                    let mut paid = 0;
                    for pair in self.path.windows(2) {
                        let edges = truth.edges_from(pair[0].index()).iter();
                        let cheapest = edges
                            .filter(|edge| edge.to == pair[1].index())
                            .map(|edge| edge.cost)
                            .min();
                        paid += cheapest.unwrap_or_else(|| panic!("no edge {pair:?}, {}", context()));
                    }
                    assert_eq!(paid, u64::from(found.cost.0), "{}", context());
                    self.counts.routes += 1;
                }
                Err(RouteError::StartBlocked(_)) => assert!(!is_free, "{}", context()),
                Err(RouteError::GoalOutside(_)) => assert!(world.floors.id(goal).is_none(), "{}", context()),
                Err(RouteError::GoalBlocked(_)) => assert!(meeting.is_empty(), "{}", context()),
                Err(RouteError::Unreachable) => assert_eq!(costs[start], None, "{}", context()),
                Err(RouteError::BeyondCostLimit { .. }) => {
                    assert!(costs[start].is_none_or(|cost| cost > limit), "{}", context());
                }
                Err(_) => panic!("{}", context()),
            }
            assert_eq!(
                got.is_err(),
                self.path.is_empty(),
                "a way that is none has no cells"
            );
        }
    }

    /// Walks by headings end at a goal, touch nothing and cross no closed border.
    pub(super) fn check_walks<D: Draw>(&mut self, made: &Made<'_>, every: usize, random: &mut D) {
        if every == 0 {
            return;
        }
        let grid = made.field.grid();
        let mut headings = HeadingField::new(grid.clone());
        let options = HeadingOptions::new();
        look_ahead(
            made.movement,
            made.field,
            made.flow,
            &options,
            &mut self.headings,
            &mut headings,
        )
        .expect("a small map");
        let mut lengths = LengthField::new(grid.clone());
        measure_lengths(made.movement, made.flow, &mut self.order, &mut lengths);
        let ways = Ways {
            solved: Solved {
                movement: made.movement.clone(),
                field: made.field.clone(),
                flow: made.flow.clone(),
            },
            headings,
            lengths,
        };
        let start = random.index(every);
        for id in grid.ids() {
            let has_direction = made.flow.direction(id).is_some();
            assert_eq!(
                ways.headings.heading(id).is_some(),
                has_direction,
                "{id:?} of {:?}",
                made.world
            );
            if id.index() % every != start || made.field.cost(id).is_none() {
                continue;
            }
            let step = random.pick(&[SUBCELLS / 2, SUBCELLS / 3, SUBCELLS / 7]);
            let centre = MapPoint::centre_of_cell(grid, grid.cell(id)).expect("a small map");
            let walked = ways.walk_seen(centre, step, |from, to| {
                if !is_clear(made, to) {
                    return Err(format!("overlaps something at {to:?}"));
                }
                if !crosses_legally(made, from, to) {
                    return Err(format!("crosses a border from {from:?} to {to:?}"));
                }
                Ok(())
            });
            if let Err(error) = walked {
                panic!("from {} by {step}: {error}, {:?}", grid.cell(id), made.world);
            }
            self.counts.walks += 1;
        }
    }
}

/// Whether the whole body is over free ground, in whole numbers.
fn is_clear(made: &Made<'_>, at: MapPoint) -> bool {
    const CELL: i64 = SUBCELLS as i64;
    let (x, y) = (i64::from(at.x), i64::from(at.y));
    // Twice the extent of the body to all sides of its anchor's centre, and the radius if it is round.
    let (left, right, top, bottom, radius) = match &made.world.profile.footprint {
        Footprint::Rectangle(body) => {
            let far = |side: u32| i64::from(side) * CELL - CELL / 2;
            (CELL / 2, far(body.width()), CELL / 2, far(body.height()), None)
        }
        Footprint::Disc(body) => {
            let radius = i64::from(body.radius_subcells());
            (radius, radius, radius, radius, Some(radius))
        }
        _ => (0, 1, 0, 1, None),
    };
    let cells = |low: i64, high: i64| low.div_euclid(CELL)..=(high - 1).div_euclid(CELL);
    for row in cells(y - top, y + bottom) {
        for column in cells(x - left, x + right) {
            let nearest = |at: i64, cell: i64| at.clamp(cell * CELL, (cell + 1) * CELL) - at;
            let (dx, dy) = (nearest(x, column), nearest(y, row));
            if radius.is_some_and(|radius| dx * dx + dy * dy >= radius * radius) {
                continue;
            }
            let cell = made.world.floors.at(usize::from(at.layer), column, row);
            let cost = cell.and_then(|cell| made.truth.rules.ground_at(cell));
            if cost.is_none_or(|cost| cost == 255) {
                return false;
            }
        }
    }
    true
}

/// Whether an anchor that moves from one cell into another may: by one step, or by two past a corner.
fn crosses_legally(made: &Made<'_>, from: MapPoint, to: MapPoint) -> bool {
    let cell = |at: MapPoint| {
        let size = i64::from(SUBCELLS);
        let (column, row) = (i64::from(at.x).div_euclid(size), i64::from(at.y).div_euclid(size));
        made.world.floors.at(usize::from(at.layer), column, row)
    };
    let (Some(from), Some(to)) = (cell(from), cell(to)) else {
        return false;
    };
    let is_step = |kind: EdgeKind| matches!(kind, EdgeKind::Step(_));
    let next = |from: usize| {
        made.truth
            .edges_from(from)
            .iter()
            .filter(move |edge| is_step(edge.kind))
    };
    from == to || next(from).any(|edge| edge.to == to || next(edge.to).any(|second| second.to == to))
}
