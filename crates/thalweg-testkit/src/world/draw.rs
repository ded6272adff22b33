//! How worlds are drawn.

use super::place::{Floor, Floors, STEPS};
use super::{Border, Draw, Effect, Hills, Laid, Rules, Shape, Timed, Times, World};
use thalweg_core::grid::{Cell, Direction, DirectionSet};
use thalweg_core::movement::{Charge, Connectivity, CornerRule, MovementProfile, StepScale};

/// Bodies of every kind; where half of a cell's side or diagonal lies between two of them, both are there.
const BODIES: [&str; 14] = [
    "square:1",
    "square:2",
    "square:3",
    "rectangle:2x1",
    "rectangle:1x2",
    "rectangle:1x3",
    "rectangle:3x2",
    "disc:0.3",
    "disc:0.5",
    "disc:0.7",
    "disc:0.8",
    "disc:1.2",
    "disc:1.6",
    "disc:2.1",
];

const PALETTES: [&[u8]; 8] = [
    &[1],
    &[1, 2, 3],
    &[1, 1, 2],
    &[0, 1, 7],
    &[0],
    &[1, 254],
    &[40],
    &[5, 10, 90, 200],
];

impl World {
    /// Draws a world whose only floor has sides up to `longest`, or whose floors have sides up to about half of that.
    #[must_use]
    pub fn draw<D: Draw>(random: &mut D, longest: u32) -> Self {
        // Every fourth is without anything that makes a graph directed: the fastest engines run on no other.
        let is_plain = random.percent(25);
        let floors = draw_floors(random, longest, is_plain);
        let base = draw_base(random, floors.len());
        let hills = (!is_plain && random.percent(30)).then(|| draw_hills(random, floors.len()));
        let profile = draw_profile(random);
        let mut world = Self {
            base,
            hills,
            stamps: Vec::new(),
            assumed: random.percent(30).then(|| random.pick(&[1, 0, 3, 200, 255])),
            borders: Vec::new(),
            portals: Vec::new(),
            profile,
            goals: Vec::new(),
            by_anchor: random.percent(30),
            limit: None,
            turns: None,
            times: None,
            floors,
        };
        if random.percent(35) {
            for _ in 0..=random.below(3) {
                let laid = world.draw_stamp(random);
                world.stamps.push(laid);
            }
        }
        if !is_plain && random.percent(50) {
            for _ in 0..=random.below(10) {
                let border = world.draw_border(random);
                world.borders.push(border);
            }
        }
        let several = 2 * (u32::try_from(world.floors.count()).expect("few floors") - 1);
        if !is_plain && (several > 0 || random.percent(35)) {
            for _ in 0..=several + random.below(3) {
                let portal = world.draw_portal(random);
                world.portals.extend(portal.map(Some));
            }
        }
        let rules = Rules::new(&world);
        let goals = (0..=random.pick(&[0, 0, 1, 2, 3]))
            .map(|_| world.draw_goal(&rules, random))
            .collect();
        world.goals = goals;
        if random.percent(25) {
            world.limit = Some(random.pick(&[60, 0, 9, 150, 400, 3_000, 80_000_000, u32::MAX]));
        }
        if random.percent(35) {
            let most = random.pick(&[3, 20, 500]);
            let mut turns = [0; 5];
            turns[1..].fill_with(|| if random.percent(25) { 0 } else { random.below(most) });
            world.turns = Some(turns);
        }
        if random.percent(35) {
            world.times = Some(world.draw_times(random));
        }
        world
    }

    /// A cell of the map.
    pub(super) fn any<D: Draw>(&self, random: &mut D) -> usize {
        random.index(self.floors.len())
    }

    pub(super) fn draw_stamp<D: Draw>(&self, random: &mut D) -> Laid {
        let cell = self.floors.cell(self.any(random));
        let mut near = |cell: Cell| {
            let mut shift = || i32::try_from(random.below(5)).expect("small") - 2;
            Cell::on(cell.layer, cell.x + shift(), cell.y + shift())
        };
        let (a, b) = (near(cell), near(cell));
        let shape = match random.below(3) {
            0 => Shape::Rect(a, b),
            1 => {
                let mut place = || i32::try_from(random.below(32)).expect("small") - 2;
                let centre = (place(), place());
                Shape::Disc(cell.layer, centre, random.below(21))
            }
            _ => {
                let sides = (random.below(4), random.below(4));
                let mask = (0..sides.0 * sides.1).map(|_| random.percent(60)).collect();
                Shape::Image(a, sides, mask)
            }
        };
        let effect = match random.below(3) {
            0 => Effect::Block,
            1 => Effect::Add(random.pick(&[1, 5, 120, 254])),
            _ => Effect::Set(random.pick(&[1, 0, 2, 9, 254, 255])),
        };
        Laid {
            shape,
            effect,
            taken: random.percent(25),
        }
    }

    pub(super) fn draw_border<D: Draw>(&self, random: &mut D) -> Border {
        let cell = self.any(random);
        match random.below(8) {
            0..=5 => Border::Close(cell, STEPS[random.index(8)].0),
            6 => Border::Open(cell, STEPS[random.index(8)].0),
            _ => Border::OnlyFrom(cell, draw_sides(random)),
        }
    }

    pub(super) fn draw_portal<D: Draw>(&self, random: &mut D) -> Option<(usize, usize, u32)> {
        let (from, to) = (self.any(random), self.any(random));
        let cost = random.pick(&[9, 0, 1, 60, 5_000, 70_000_000]);
        (from != to).then_some((from, to, cost))
    }

    /// A goal, more often than not one that can be used.
    fn draw_goal<D: Draw>(&self, rules: &Rules<'_>, random: &mut D) -> (Vec<Cell>, u32) {
        let more = if random.percent(30) { random.below(4) } else { 0 };
        let mut cells: Vec<Cell> = (0..=more).map(|_| self.floors.cell(self.any(random))).collect();
        for _ in 0..4 {
            if rules.meeting(cells[0], self.by_anchor).is_empty() {
                cells[0] = self.floors.cell(self.any(random));
            }
        }
        if random.percent(3) {
            cells[0].x += 100;
        }
        let bias = random.pick(&[0, 0, 0, 0, 14, 10, 100]);
        // What does not fit 32 bits must be told, not wrapped.
        let bias = if random.percent(4) { u32::MAX - 60 } else { bias };
        (cells, bias)
    }

    fn draw_times<D: Draw>(&self, random: &mut D) -> Times {
        let horizon = random.below(7);
        let mut entries = Vec::new();
        for _ in 0..=random.below(6) {
            let cell = self.any(random);
            let from = random.below(horizon + 1);
            let span = (from, from + 1 + random.below(4));
            let edge = |random: &mut D| {
                let portal = random.index(self.portals.len() + 1);
                match self.portals.get(portal) {
                    Some(&Some((from, to, _))) if random.percent(50) => Some((from, to)),
                    _ => self.floors.step(cell, random.index(8)).map(|to| (cell, to)),
                }
            };
            entries.extend(match random.below(5) {
                0 => Some(Timed::Cell(cell, span)),
                1 => Some(Timed::CellOnly(cell, span)),
                2 => Some(Timed::Patrol(
                    from,
                    (0..=random.below(4)).map(|_| self.any(random)).collect(),
                )),
                3 => edge(random).map(|(from, to)| Timed::Edge(from, to, span)),
                _ => edge(random).map(|(from, to)| Timed::EdgeOnly(from, to, span)),
            });
        }
        Times {
            entries,
            horizon,
            wait: random.pick(&[Some(1), None, Some(0), Some(10), Some(300)]),
            ticks: random.pick(&[(true, 1), (true, 3), (false, 10), (false, 700)]),
            // Which cells of a body are those entered only later is not said anywhere.
            on_both: !self.profile.footprint.is_point() || random.percent(50),
            goes_on: random.percent(50),
        }
    }
}

fn draw_floors<D: Draw>(random: &mut D, longest: u32, is_plain: bool) -> Floors {
    let count = if is_plain {
        1
    } else {
        random.pick(&[1, 1, 1, 2, 2, 3])
    };
    let most = if count == 1 { longest } else { longest / 2 + 1 };
    let mut floors = Vec::new();
    let mut first_id = 0;
    for _ in 0..count {
        // The longer of two, so that bodies have room more often than not.
        let mut side = || 1 + random.index(most as usize).max(random.index(most as usize));
        let (width, height) = (side(), side());
        let mut name = || i32::try_from(random.below(7)).expect("small") - 3;
        let first = (name(), name());
        floors.push(Floor {
            first_id,
            width,
            height,
            first,
        });
        first_id += width * height;
    }
    Floors(floors)
}

fn draw_base<D: Draw>(random: &mut D, cells: usize) -> Vec<Option<u8>> {
    let palette = random.pick(&PALETTES);
    let walls = random.pick(&[0, 6, 12, 25, 45]);
    let unknown = if random.percent(35) {
        random.pick(&[4, 10])
    } else {
        0
    };
    (0..cells)
        .map(|_| {
            let draw = random.below(100);
            if draw >= 100 - walls {
                Some(255)
            } else if draw >= 100 - walls - unknown {
                None
            } else {
                Some(palette[draw as usize % palette.len()])
            }
        })
        .collect()
}

fn draw_hills<D: Draw>(random: &mut D, cells: usize) -> Hills {
    let heights = [0.0, 0.0, 0.125, 0.25, 0.5, 0.75, 1.5];
    let tables: [&[(f64, u8)]; 4] = [
        &[(0.3, 0), (0.6, 3), (1.0, 8)],
        &[(0.5, 0), (3.0, 1)],
        &[(1.0, 254)],
        &[(0.2, 2), (f64::INFINITY, 0)],
    ];
    Hills {
        heights: (0..cells)
            .map(|_| (!random.percent(4)).then(|| random.pick(&heights)))
            .collect(),
        cell_size: random.pick(&[1.0, 2.0, 0.7]),
        up: random.pick(&tables).to_vec(),
        down: random.pick(&tables).to_vec(),
        blocks_cells: random.percent(25),
        unknown_is_level: random.percent(50),
    }
}

fn draw_profile<D: Draw>(random: &mut D) -> MovementProfile {
    let scale = random.pick(&[
        (10, 14),
        (10, 14),
        (1, 1),
        (1, 2),
        (29, 41),
        (408, 577),
        (65_535, 131_070),
    ]);
    let profile = MovementProfile::new()
        .with_connectivity(random.pick(&[Connectivity::Eight, Connectivity::Eight, Connectivity::Four]))
        .with_corner_rule(random.pick(&[CornerRule::BothFree, CornerRule::OneFree, CornerRule::Always]))
        .with_charge(random.pick(&[Charge::Depart, Charge::Arrive, Charge::Mean]))
        .with_scale(StepScale::new(scale.0, scale.1).expect("a scale"));
    if random.percent(45) {
        profile.with_footprint(random.pick(&BODIES).parse().expect("a footprint"))
    } else {
        profile
    }
}

fn draw_sides<D: Draw>(random: &mut D) -> DirectionSet {
    let sides = [Direction::N, Direction::E, Direction::S, Direction::W];
    sides.into_iter().filter(|_| random.percent(50)).collect()
}
