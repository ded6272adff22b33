//! Joint plans by brute force: breadth-first search over all configurations of a few bodies on a small map.
//!
//! It says what is true of strict movement where worlds are small enough: how soon all can be where they want to be, or
//! that they never can, and who of them ever could. Every body takes one tick for a step. What two bodies may not do in
//! one tick is written here from the words of the contract, cell by cell, and shares no code with the crowd:
//!
//! - be on one cell at the end of a tick (*vertex*, *footprint*);
//! - exchange cells: each enters a cell that the other leaves (*swap*);
//! - step along the two diagonals of one block of 2 x 2 cells (*crossing*);
//! - without *following*: enter a cell that another body was on at the start of the tick;
//! - without *squeezing*: step diagonally past a cell that another body is on at the start or at the end. A body of
//!   several cells sweeps what it passes, so it never may, and nothing that another one sweeps may be swept with it.

use crate::body::covered;
use std::collections::VecDeque;
use thalweg_core::grid::{CellId, Direction, Grid};
use thalweg_core::movement::{EdgeKind, Movement};

/// What bodies may do beside each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JointRules {
    /// Whether a cell may be entered in the tick in which another body leaves it.
    pub following: bool,
    /// Whether a body of one cell may step diagonally past others.
    pub squeezing: bool,
}

impl JointRules {
    /// Following without squeezing, as strict movement has it by default.
    pub const DEFAULT: Self = Self {
        following: true,
        squeezing: false,
    };
}

/// When it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// When all are on goals of theirs at the same tick.
    Together,
    /// When all have left: who is on a goal at the end of a tick (or at the start of all) is gone from then on.
    Sinks,
}

/// One body.
#[derive(Clone, Debug)]
pub struct JointAgent<'a> {
    /// Its map, for its body. All agents have the same cells.
    pub movement: &'a Movement,
    /// Its anchor at the start.
    pub start: CellId,
    /// Anchors it wants to be on, any of them.
    pub goals: Vec<CellId>,
}

/// Where everybody is; `None` for who has left.
pub type Configuration = Vec<Option<CellId>>;

/// What is true.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JointTruth {
    /// A shortest plan, from the start to the end of it; `None` if there is none at all. Its makespan in ticks is one less
    /// than its length.
    pub plan: Option<Vec<Configuration>>,
    /// For each agent, whether it ever can be on a goal of its own, whatever becomes of the others.
    pub ever: Vec<bool>,
    /// How many configurations were looked at.
    pub configurations: usize,
}

/// One agent's way through a tick.
#[derive(Clone, Debug)]
struct Move {
    to: u32,
    before: Vec<CellId>,
    after: Vec<CellId>,
    /// Side cells of the diagonal steps of its cells, two by two; only those it is on at neither end, if it has several.
    sides: Vec<[CellId; 2]>,
    passed: Vec<CellId>,
}

const UNSEEN: u32 = u32::MAX;

/// Finds the truth by looking at every configuration that can come about.
///
/// # Panics
/// If an agent's start or goals are no place for its body, bodies overlap at the start, the maps differ, or there are
/// more than 2^26 configurations.
#[must_use]
pub fn joint_truth(agents: &[JointAgent<'_>], rules: JointRules, ending: Ending) -> JointTruth {
    let world = World::new(agents, rules, ending);
    let start: Vec<u32> = agents.iter().map(|agent| agent.start.0).collect();
    world.check_start(&start);
    let mut ever = vec![false; agents.len()];
    let start = world.leave(&start);
    let mut parents = vec![UNSEEN; world.configurations()];
    let first = world.code(&start);
    parents[first as usize] = first;
    let mut open = VecDeque::from([first]);
    let mut configurations = 0;
    let mut chosen = Vec::new();
    while let Some(code) = open.pop_front() {
        configurations += 1;
        let places = world.places(code);
        for (agent, &place) in places.iter().enumerate() {
            ever[agent] |= world.is_content(agent, place);
        }
        if places
            .iter()
            .enumerate()
            .all(|(agent, &place)| world.is_content(agent, place))
        {
            return JointTruth {
                plan: Some(world.plan(&parents, code)),
                ever,
                configurations,
            };
        }
        world.each_step(&places, &mut chosen, &mut |next| {
            let next = world.code(&world.leave(next));
            if parents[next as usize] == UNSEEN {
                parents[next as usize] = code;
                open.push_back(next);
            }
        });
    }
    JointTruth {
        plan: None,
        ever,
        configurations,
    }
}

/// Every configuration that can come about while nobody leaves, the start first, as the search comes upon them. Goals do not
/// matter.
///
/// # Panics
/// As [`joint_truth`].
#[must_use]
pub fn joint_reach(agents: &[JointAgent<'_>], rules: JointRules) -> Vec<Vec<CellId>> {
    let world = World::new(agents, rules, Ending::Together);
    let start: Vec<u32> = agents.iter().map(|agent| agent.start.0).collect();
    world.check_start(&start);
    let mut seen = vec![false; world.configurations()];
    seen[world.code(&start) as usize] = true;
    let mut reached = vec![start];
    let mut chosen = Vec::new();
    let mut at = 0;
    while at < reached.len() {
        let places = reached[at].clone();
        world.each_step(&places, &mut chosen, &mut |next| {
            if !core::mem::replace(&mut seen[world.code(next) as usize], true) {
                reached.push(next.to_vec());
            }
        });
        at += 1;
    }
    let named = |places: Vec<u32>| places.into_iter().map(CellId).collect();
    reached.into_iter().map(named).collect()
}

/// Everything that can be told before the search. A place is the id of an anchor, or `gone`.
struct World<'a> {
    agents: &'a [JointAgent<'a>],
    ending: Ending,
    /// Moves by agent and place.
    moves: Vec<Vec<Vec<Move>>>,
    /// Whether two moves go together: by agents, then by the numbers of the moves.
    fits: Vec<Vec<Vec<bool>>>,
    /// Number of the first move of a place, by agent.
    firsts: Vec<Vec<usize>>,
    gone: u32,
}

impl<'a> World<'a> {
    fn new(agents: &'a [JointAgent<'a>], rules: JointRules, ending: Ending) -> Self {
        let grid = agents.first().expect("at least one agent").movement.grid();
        let gone = u32::try_from(grid.len()).expect("a small map");
        assert!(agents.iter().all(|agent| agent.movement.grid() == grid));
        let (mut moves, mut firsts) = (Vec::new(), Vec::new());
        for agent in agents {
            let places: Vec<Vec<Move>> = grid.ids().map(|id| moves_from(agent.movement, id)).collect();
            let mut first = 0;
            let starts = places.iter().map(|place| {
                first += place.len();
                first - place.len()
            });
            firsts.push(starts.collect());
            moves.push(places);
        }
        let fits = moves
            .iter()
            .map(|ours: &Vec<Vec<Move>>| {
                let with = |theirs: &Vec<Vec<Move>>| {
                    let pairs = ours.iter().flatten().map(|a| {
                        let others = theirs.iter().flatten();
                        others.map(move |b| go_together(rules, a, b))
                    });
                    pairs.flatten().collect()
                };
                moves.iter().map(with).collect()
            })
            .collect();
        let world = Self {
            agents,
            ending,
            moves,
            fits,
            firsts,
            gone,
        };
        assert!(world.configurations() <= 1 << 26, "too many configurations");
        world
    }

    fn check_start(&self, start: &[u32]) {
        let cover = |agent: usize| &self.moves[agent][start[agent] as usize];
        for agent in 0..start.len() {
            assert!(!cover(agent).is_empty(), "agent {agent} has no room at its start");
            for &goal in &self.agents[agent].goals {
                assert!(self.agents[agent].movement.is_passable(goal), "goal of {agent}");
            }
            for other in 0..agent {
                let (ours, theirs) = (&cover(agent)[0].before, &cover(other)[0].before);
                assert!(!meet(ours, theirs), "{agent} and {other} overlap at the start");
            }
        }
    }

    /// How many configurations have a code. Codes are numbers whose digits are places.
    fn configurations(&self) -> usize {
        let base = self.gone as usize + 1;
        let count = u32::try_from(self.agents.len()).expect("few agents");
        base.checked_pow(count).expect("few configurations")
    }

    fn code(&self, places: &[u32]) -> u32 {
        let digits = places.iter().rev();
        digits.fold(0, |code, &place| code * (self.gone + 1) + place)
    }

    fn places(&self, mut code: u32) -> Vec<u32> {
        let base = self.gone + 1;
        let digit = |_| {
            let place = code % base;
            code /= base;
            place
        };
        (0..self.agents.len()).map(digit).collect()
    }

    fn is_content(&self, agent: usize, place: u32) -> bool {
        place == self.gone || self.agents[agent].goals.contains(&CellId(place))
    }

    /// Takes away who has arrived, where goals are sinks.
    fn leave(&self, places: &[u32]) -> Vec<u32> {
        let left = |(agent, &place): (usize, &u32)| {
            if self.ending == Ending::Sinks && self.is_content(agent, place) {
                self.gone
            } else {
                place
            }
        };
        places.iter().enumerate().map(left).collect()
    }

    /// Every way all can go in one tick: `chosen` holds the moves of the first agents, `None` for who has left.
    fn each_step(&self, places: &[u32], chosen: &mut Vec<Option<usize>>, tell: &mut impl FnMut(&[u32])) {
        let agent = chosen.len();
        if agent == places.len() {
            let ends = chosen.iter().zip(places).enumerate();
            let ends = ends.map(|(agent, (chosen, &place))| {
                chosen.map_or(self.gone, |number| {
                    self.moves[agent][place as usize][number - self.firsts[agent][place as usize]].to
                })
            });
            tell(&ends.collect::<Vec<_>>());
            return;
        }
        if places[agent] == self.gone {
            chosen.push(None);
            self.each_step(places, chosen, tell);
            chosen.pop();
            return;
        }
        let place = places[agent] as usize;
        let first = self.firsts[agent][place];
        for number in first..first + self.moves[agent][place].len() {
            let fits = chosen.iter().enumerate().all(|(other, chosen)| {
                let width = self.moves[other].iter().map(Vec::len).sum::<usize>();
                chosen.is_none_or(|chosen| self.fits[agent][other][number * width + chosen])
            });
            if fits {
                chosen.push(Some(number));
                self.each_step(places, chosen, tell);
                chosen.pop();
            }
        }
    }

    fn plan(&self, parents: &[u32], end: u32) -> Vec<Configuration> {
        let mut codes = vec![end];
        while let Some(&code) = codes.last() {
            let before = parents[code as usize];
            if before == code {
                break;
            }
            codes.push(before);
        }
        let named = |place: u32| (place != self.gone).then_some(CellId(place));
        codes
            .iter()
            .rev()
            .map(|&code| self.places(code).into_iter().map(named).collect())
            .collect()
    }
}

fn meet(a: &[CellId], b: &[CellId]) -> bool {
    a.iter().any(|cell| b.contains(cell))
}

/// Staying, and every edge; nothing where the body may not be.
fn moves_from(movement: &Movement, from: CellId) -> Vec<Move> {
    if !movement.is_passable(from) {
        return Vec::new();
    }
    let grid = movement.grid();
    let body = |anchor: CellId| -> Vec<CellId> {
        let at = grid.cell(anchor);
        let offset = |&(dx, dy): &(i64, i64)| {
            let mut cell = at;
            cell.x += i32::try_from(dx).expect("a small body");
            cell.y += i32::try_from(dy).expect("a small body");
            grid.id(cell).expect("a free anchor has its body on the map")
        };
        covered(&movement.profile().footprint)
            .iter()
            .map(offset)
            .collect()
    };
    let before = body(from);
    let mut moves = vec![Move {
        to: from.0,
        before: before.clone(),
        after: before.clone(),
        sides: Vec::new(),
        passed: Vec::new(),
    }];
    for edge in movement.edges_from(from) {
        let after = body(edge.other);
        let sides = match edge.kind {
            EdgeKind::Step(direction) => sides_of(grid, &before, direction),
            _ => Vec::new(),
        };
        let mut passed: Vec<CellId> = sides.iter().flatten().copied().collect();
        passed.retain(|cell| !before.contains(cell) && !after.contains(cell));
        moves.push(Move {
            to: edge.other.0,
            before: before.clone(),
            after,
            sides,
            passed,
        });
    }
    moves
}

/// The two side cells of the diagonal step of each cell of a body; none beyond the border of the map.
fn sides_of(grid: &Grid, body: &[CellId], direction: Direction) -> Vec<[CellId; 2]> {
    let Some((a, b)) = direction.sides() else {
        return Vec::new();
    };
    let of = |&cell: &CellId| Some([grid.neighbour(cell, a)?, grid.neighbour(cell, b)?]);
    body.iter().filter_map(of).collect()
}

fn go_together(rules: JointRules, a: &Move, b: &Move) -> bool {
    let singles = a.before.len() == 1 && b.before.len() == 1;
    let enters = |x: &Move, y: &Move| {
        let new = x.after.iter().filter(|cell| !x.before.contains(cell));
        new.into_iter().any(|cell| y.before.contains(cell))
    };
    // Cell by cell: one goes along a diagonal whose side cells are the ends of the other's.
    let crosses = a.sides.iter().any(|sides| {
        let ends = b.before.iter().zip(&b.after);
        ends.into_iter()
            .any(|(&from, &to)| *sides == [from, to] || *sides == [to, from])
    });
    let squeezes = |x: &Move, y: &Move| {
        let may = rules.squeezing && x.before.len() == 1;
        !may && (meet(&x.passed, &y.before) || meet(&x.passed, &y.after))
    };
    let clash = meet(&a.after, &b.after)
        || enters(a, b) && enters(b, a)
        || crosses
        || !rules.following && (enters(a, b) || enters(b, a))
        || squeezes(a, b)
        || squeezes(b, a)
        || !singles && meet(&a.passed, &b.passed);
    !clash
}
