//! What two bodies may not do in one tick, and how large bodies may be for which that is enough.

use core::fmt;
use thalweg_core::grid::CellId;
use thalweg_core::movement::Connectivity;

/// Which moves of two bodies in one tick are refused beside those that always are.
///
/// Never: two bodies on one cell at a tick (*vertex*, *footprint* for bodies of several cells), two that change places
/// along one edge (*swap*), two diagonals of one 2 × 2 block (*crossing*). The names are those of Stern et al. 2019,
/// "Multi-Agent Pathfinding: Definitions, Variants, and Benchmarks".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConflictRules {
    /// Whether a cell may be entered in the tick in which another body leaves it; default yes. Then a rotation of three or
    /// more is a move as well. Without it neither trains nor rotations are possible.
    pub following: bool,
    /// Whether a body of a single cell may step diagonally past others on the two cells at its sides; default no. Bodies of
    /// more cells never may: they sweep those cells.
    pub squeezing: bool,
}

impl Default for ConflictRules {
    fn default() -> Self {
        Self {
            following: true,
            squeezing: false,
        }
    }
}

impl ConflictRules {
    /// The radius, in cells, up to which discs on single cells never touch while each moves evenly along its edge: half
    /// the least distance of two centres over all pairs of moves that are allowed.
    ///
    /// One who turns into the cell that another leaves at a right angle comes as near as √½ (radius 0.353), and so does one
    /// who squeezes diagonally past another that stands. Squeezing past one who moves on at the same time, which takes
    /// following, comes as near as √0.2 (radius 0.223). Where neither is allowed nobody comes nearer than a whole cell.
    #[must_use]
    pub const fn clear_radius(self, connectivity: Connectivity) -> f64 {
        let squeezing = self.squeezing && matches!(connectivity, Connectivity::Eight);
        match (self.following, squeezing) {
            (false, false) => 0.5,
            (true, false) | (false, true) => core::f64::consts::FRAC_1_SQRT_2 / 2.0,
            (true, true) => 0.223_606_797_749_978_96,
        }
    }
}

/// Why two moves cannot both be made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum ConflictKind {
    /// Both would be on one cell at the end of the tick; bodies of one cell.
    Vertex = 0,
    /// They would change places.
    Swap = 1,
    /// Their diagonals cross.
    Crossing = 2,
    /// A diagonal passes a cell that the other is on, at the start or the end.
    Squeeze = 3,
    /// Both would cover one cell at the end of the tick; at least one body of several cells.
    Footprint = 4,
    /// One would enter what the other only leaves, and the rules forbid it.
    Following = 5,
}

impl ConflictKind {
    /// Every kind, in the order of their numbers.
    pub const ALL: [Self; 6] = [
        Self::Vertex,
        Self::Swap,
        Self::Crossing,
        Self::Squeeze,
        Self::Footprint,
        Self::Following,
    ];

    /// A short name in lower case; used in reports and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Swap => "swap",
            Self::Crossing => "crossing",
            Self::Squeeze => "squeeze",
            Self::Footprint => "footprint",
            Self::Following => "following",
        }
    }
}

impl fmt::Display for ConflictKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a body takes up in one tick.
#[derive(Clone, Copy, Debug)]
pub struct Leg<'a> {
    /// Whether the body covers a single cell where it stands.
    pub is_single: bool,
    /// The cells it holds at the start of the tick.
    pub before: &'a [CellId],
    /// The cells it holds at the end.
    pub after: &'a [CellId],
    /// The cells that its diagonal sweeps and that it holds at neither end; empty for straight steps.
    pub passed: &'a [CellId],
}

/// The rules in one place: why two bodies cannot do this in one tick; `None` if they can.
///
/// Plain and slow (all pairs of cells). The table and the resolver look cells up instead; tests hold them against this.
#[must_use]
pub fn conflict(rules: ConflictRules, a: Leg<'_>, b: Leg<'_>) -> Option<ConflictKind> {
    let meet = |x: &[CellId], y: &[CellId]| x.iter().any(|cell| y.contains(cell));
    let enters = |x: Leg<'_>, y: Leg<'_>| {
        x.after
            .iter()
            .any(|cell| y.before.contains(cell) && !x.before.contains(cell))
    };
    let singles = a.is_single && b.is_single;
    if meet(a.after, b.after) {
        return Some(if singles {
            ConflictKind::Vertex
        } else {
            ConflictKind::Footprint
        });
    }
    if enters(a, b) && enters(b, a) {
        return Some(ConflictKind::Swap);
    }
    let holds = |x: Leg<'_>, cell: &CellId| x.before.contains(cell) || x.after.contains(cell);
    if singles && a.passed.len() == 2 && !b.passed.is_empty() && a.passed.iter().all(|cell| holds(b, cell)) {
        return Some(ConflictKind::Crossing);
    }
    if !rules.following && (enters(a, b) || enters(b, a)) {
        return Some(ConflictKind::Following);
    }
    let squeezed = |x: Leg<'_>, y: Leg<'_>| {
        !(rules.squeezing && x.is_single) && x.passed.iter().any(|cell| holds(y, cell))
    };
    if squeezed(a, b) || squeezed(b, a) || (!singles && meet(a.passed, b.passed)) {
        return Some(ConflictKind::Squeeze);
    }
    None
}
