//! The rules themselves: the same answer whoever is asked first, and how near round bodies come to each other.

use thalweg_core::grid::CellId;
use thalweg_core::movement::Connectivity;
use thalweg_crowd::strict::{ConflictRules, Leg, conflict};

const SIDE: i32 = 7;

/// One tick of a single cell on its way.
struct Move {
    before: Vec<CellId>,
    after: Vec<CellId>,
    passed: Vec<CellId>,
    /// Where the centre is at both ends of the tick.
    from: (f64, f64),
    to: (f64, f64),
}

impl Move {
    fn leg(&self) -> Leg<'_> {
        Leg {
            is_single: true,
            before: &self.before,
            after: &self.after,
            passed: &self.passed,
        }
    }
}

fn cell(x: i32, y: i32) -> CellId {
    CellId((y * SIDE + x).cast_unsigned())
}

/// Every tick of every step from a cell: by direction, pace 1 to 3 and the ticks that have passed.
fn moves(x: i32, y: i32, connectivity: Connectivity) -> Vec<Move> {
    let mut moves = Vec::new();
    for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
        let is_diagonal = dx != 0 && dy != 0;
        if is_diagonal && connectivity == Connectivity::Four {
            continue;
        }
        let paces = if (dx, dy) == (0, 0) { 1..=1 } else { 1..=3 };
        for (pace, gone) in paces.flat_map(|pace| (0..pace).map(move |gone| (pace, gone))) {
            let (start, end) = (cell(x, y), cell(x + dx, y + dy));
            let at = |ticks: i32| {
                let part = f64::from(ticks) / f64::from(pace);
                (
                    f64::from(x) + f64::from(dx) * part,
                    f64::from(y) + f64::from(dy) * part,
                )
            };
            moves.push(Move {
                before: if gone > 0 { vec![start, end] } else { vec![start] },
                after: if gone + 1 < pace {
                    vec![start, end]
                } else {
                    vec![end]
                },
                passed: if is_diagonal {
                    vec![cell(x + dx, y), cell(x, y + dy)]
                } else {
                    Vec::new()
                },
                from: at(gone),
                to: at(gone + 1),
            });
        }
    }
    moves
}

/// The least distance of two that move evenly: of the origin from a segment.
fn least_distance(a: &Move, b: &Move) -> f64 {
    let start = (b.from.0 - a.from.0, b.from.1 - a.from.1);
    let end = (b.to.0 - a.to.0, b.to.1 - a.to.1);
    let way = (end.0 - start.0, end.1 - start.1);
    let length = way.0 * way.0 + way.1 * way.1;
    let along = if length > 0.0 {
        (-(start.0 * way.0 + start.1 * way.1) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (start.0 + way.0 * along).hypot(start.1 + way.1 * along)
}

fn each_pair(connectivity: Connectivity, mut visit: impl FnMut(&Move, &Move)) {
    let ours = moves(3, 3, connectivity);
    for (x, y) in (1..SIDE - 1).flat_map(|x| (1..SIDE - 1).map(move |y| (x, y))) {
        for b in moves(x, y, connectivity) {
            for a in &ours {
                if !a.before.iter().any(|cell| b.before.contains(cell)) {
                    visit(a, &b);
                }
            }
        }
    }
}

const ALL: [ConflictRules; 4] = [
    ConflictRules {
        following: false,
        squeezing: false,
    },
    ConflictRules {
        following: false,
        squeezing: true,
    },
    ConflictRules {
        following: true,
        squeezing: false,
    },
    ConflictRules {
        following: true,
        squeezing: true,
    },
];

#[test]
fn the_answer_is_the_same_whoever_is_asked_first() {
    let mut refused = 0;
    for rules in ALL {
        each_pair(Connectivity::Eight, |a, b| {
            let answer = conflict(rules, a.leg(), b.leg());
            assert_eq!(answer, conflict(rules, b.leg(), a.leg()));
            refused += u32::from(answer.is_some());
        });
    }
    assert!(refused > 1_000);
}

#[test]
fn discs_of_the_clear_radius_never_touch_and_larger_ones_do() {
    for rules in ALL {
        for connectivity in [Connectivity::Four, Connectivity::Eight] {
            let mut least = f64::INFINITY;
            each_pair(connectivity, |a, b| {
                if conflict(rules, a.leg(), b.leg()).is_none() {
                    least = least.min(least_distance(a, b));
                }
            });
            let promised = 2.0 * rules.clear_radius(connectivity);
            assert!(
                (least - promised).abs() < 1e-9,
                "{rules:?} {connectivity:?}: {promised} promised, {least} at the nearest"
            );
        }
    }
}
