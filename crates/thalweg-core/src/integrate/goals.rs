//! Goal sets: what the caller asks for, and what of it can be used on a map.

use super::MAX_COST_TO_GOAL;
use super::reachable::{nearest_passable, nearest_reachable};
use crate::grid::{Cell, CellId, Grid};
use crate::movement::{Footprint, Movement};
use thiserror::Error;

/// One goal: a cell or an area, with a starting cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The cells; reaching any of them reaches the goal.
    pub cells: Vec<Cell>,
    /// Cost-to-goal at the goal itself, in step units; 0 unless one goal shall be less attractive than another.
    pub bias: u32,
}

impl Goal {
    /// A goal of one cell.
    #[must_use]
    pub fn cell(cell: Cell) -> Self {
        Self {
            cells: vec![cell],
            bias: 0,
        }
    }

    /// A goal of several cells.
    pub fn area(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            cells: cells.into_iter().collect(),
            bias: 0,
        }
    }

    /// The goal with a starting cost, in step units, at most [`MAX_COST_TO_GOAL`].
    #[must_use]
    pub fn with_bias(mut self, bias: u32) -> Self {
        self.bias = bias;
        self
    }
}

/// What to do with a goal that has no cell a body may be on (in a wall, on unknown ground, off the map, or where a body
/// of this footprint has no room).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum BlockedGoals {
    /// Refuse the goal set with an error that names the goal.
    #[default]
    Refuse,
    /// Leave the goal out and report it; an error only if no goal is left.
    Skip,
    /// Use the passable cell nearest to the goal's first cell instead, by straight distance between centres (for bodies
    /// with extent: from the middle of the body, at the nearest free anchor); among equals the first in row order.
    NearestPassable,
    /// As [`Self::NearestPassable`], but only among the cells that can be reached from this cell.
    NearestReachableFrom(CellId),
}

/// When a body with extent has reached a goal cell. For points both are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum GoalMeeting {
    /// As soon as it lies over the centre of the goal cell ([`Footprint::meets`](crate::movement::Footprint::meets)):
    /// every free anchor where it does is a goal.
    #[default]
    ByFootprint,
    /// Only with its anchor on the goal cell: for docking in one exact place.
    ByAnchor,
}

/// Why a goal set cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GoalError {
    /// The set is empty.
    #[error("no goals were given")]
    NoGoals,
    /// A goal lies wholly off the map.
    #[error("goal {goal} at {cell} lies outside {grid}")]
    Outside {
        /// Index of the goal in the set.
        goal: usize,
        /// Its first cell.
        cell: Cell,
        /// The map.
        grid: Grid,
    },
    /// A goal lies wholly on impassable or unknown ground.
    #[error("goal {goal} at {cell} is on {} cell", if *.known { "an impassable" } else { "an unknown" })]
    Blocked {
        /// Index of the goal in the set.
        goal: usize,
        /// Its first cell on the map.
        cell: Cell,
        /// Whether that cell is known (and then impassable).
        known: bool,
    },
    /// A goal lies on free ground, but a body of this footprint cannot stand anywhere that meets it.
    #[error("no body of footprint {footprint} has room to meet goal {goal} at {cell}")]
    NoRoom {
        /// Index of the goal in the set.
        goal: usize,
        /// Its first cell on free ground.
        cell: Cell,
        /// The body.
        footprint: Footprint,
    },
    /// A goal has no cells.
    #[error("goal {goal} has no cells")]
    EmptyGoal {
        /// Index of the goal in the set.
        goal: usize,
    },
    /// A starting cost that no field can hold.
    #[error("goal {goal} has a starting cost of {bias}, above the limit of {MAX_COST_TO_GOAL}")]
    Bias {
        /// Index of the goal in the set.
        goal: usize,
        /// The starting cost.
        bias: u32,
    },
    /// Nothing is left after goals were skipped, or nothing passable exists to take a goal's place.
    #[error("none of the {goals} goals lies on a cell that can be used")]
    NoneUsable {
        /// Number of goals in the set.
        goals: usize,
    },
    /// More goals than an index can name.
    #[error("{goals} goals were given, above the limit of {}", u32::MAX)]
    TooMany {
        /// Number of goals in the set.
        goals: usize,
    },
}

/// The goals of a field, in the caller's order (which breaks ties).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoalSet {
    goals: Vec<Goal>,
    blocked: BlockedGoals,
    meeting: GoalMeeting,
}

impl GoalSet {
    /// An empty set that refuses blocked goals.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A set with one single-cell goal per cell.
    pub fn from_cells(cells: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            goals: cells.into_iter().map(Goal::cell).collect(),
            ..Self::default()
        }
    }

    /// The set with one more goal.
    #[must_use]
    pub fn with_goal(mut self, goal: Goal) -> Self {
        self.goals.push(goal);
        self
    }

    /// The set with another policy for goals that cannot be used as they stand.
    #[must_use]
    pub fn with_blocked_goals(mut self, policy: BlockedGoals) -> Self {
        self.blocked = policy;
        self
    }

    /// The set with another answer to when a body has reached a goal; default by footprint.
    #[must_use]
    pub fn with_meeting(mut self, meeting: GoalMeeting) -> Self {
        self.meeting = meeting;
        self
    }

    /// When a body with extent has reached a goal.
    #[must_use]
    pub const fn meeting(&self) -> GoalMeeting {
        self.meeting
    }

    /// The goals.
    #[must_use]
    pub fn goals(&self) -> &[Goal] {
        &self.goals
    }

    /// The policy for goals that cannot be used as they stand.
    #[must_use]
    pub const fn blocked_goals(&self) -> BlockedGoals {
        self.blocked
    }

    /// Finds the cells the wave starts from: the goal cells themselves, or for a body with extent the free anchors at which
    /// it meets them, each with the goal's starting cost and index. A cell that no free anchor meets is blocked for this
    /// body; substitutes are looked for among anchors.
    ///
    /// Inside an area, cells off the map or on blocked ground are left out and reported, as long as one is left.
    /// Duplicate cells are reported and used once per goal.
    ///
    /// # Errors
    /// [`GoalError`], see its variants.
    ///
    /// # Panics
    /// If [`BlockedGoals::NearestReachableFrom`] names a cell id that is not of this grid.
    pub fn resolve(&self, movement: &Movement) -> Result<ResolvedGoals, GoalError> {
        if self.goals.is_empty() {
            return Err(GoalError::NoGoals);
        }
        if u32::try_from(self.goals.len()).is_err() {
            return Err(GoalError::TooMany {
                goals: self.goals.len(),
            });
        }
        let mut seeds = Vec::new();
        let mut named = Vec::new();
        let mut report = GoalReport::default();
        for (goal, index) in self.goals.iter().zip(0u32..) {
            self.resolve_one(movement, goal, index, &mut seeds, &mut named, &mut report)?;
        }
        if seeds.is_empty() {
            return Err(GoalError::NoneUsable {
                goals: self.goals.len(),
            });
        }
        // The least starting cost of a cell first, then the lowest goal index: the order that decides which seed of a
        // cell named several times is its sink.
        seeds.sort_unstable_by_key(|seed| (seed.cell, seed.bias, seed.goal));
        seeds.dedup_by_key(|seed| (seed.cell, seed.goal));
        // Counted by the cells the caller named: bodies meet neighbouring goals at one anchor without a duplicate.
        let before = named.len();
        named.sort_unstable();
        named.dedup();
        report.duplicates = before - named.len();
        Ok(ResolvedGoals {
            seeds,
            goals: u32::try_from(self.goals.len()).unwrap_or(u32::MAX),
            report,
        })
    }

    fn resolve_one(
        &self,
        movement: &Movement,
        goal: &Goal,
        index: u32,
        seeds: &mut Vec<Seed>,
        named: &mut Vec<CellId>,
        report: &mut GoalReport,
    ) -> Result<(), GoalError> {
        let grid = movement.grid();
        let position = index as usize;
        let &first = goal
            .cells
            .first()
            .ok_or(GoalError::EmptyGoal { goal: position })?;
        if goal.bias > MAX_COST_TO_GOAL {
            return Err(GoalError::Bias {
                goal: position,
                bias: goal.bias,
            });
        }
        let seed = |cell: CellId| Seed {
            cell,
            bias: goal.bias,
            goal: index,
        };
        let by_anchor = self.meeting == GoalMeeting::ByAnchor || movement.profile().footprint.is_point();
        let meeting = (!by_anchor).then(|| movement.goal_meeting());
        let can_be_met = |cell, id| match &meeting {
            None => movement.is_passable(id),
            Some(meeting) => movement.has_anchor_at(meeting, cell),
        };
        let mut usable = Vec::new();
        let mut blocked_cell = None;
        for &cell in &goal.cells {
            match grid.id(cell) {
                None => report.outside.push((position, cell)),
                Some(id) if !can_be_met(cell, id) => {
                    blocked_cell.get_or_insert((cell, id));
                    report.blocked.push((position, cell));
                }
                Some(id) => usable.push((cell, id)),
            }
        }
        if !usable.is_empty() {
            named.extend(usable.iter().map(|&(_, id)| id));
            match &meeting {
                None => seeds.extend(usable.iter().map(|&(_, id)| seed(id))),
                Some(meeting) => {
                    let cells = usable.iter().map(|&(cell, _)| cell);
                    seeds.extend(movement.anchors_at(meeting, cells).map(seed));
                }
            }
            return Ok(());
        }
        let substitute = match self.blocked {
            BlockedGoals::Refuse => {
                return Err(match blocked_cell {
                    Some((cell, id)) if movement.ground_cost(id) == 255 => GoalError::Blocked {
                        goal: position,
                        cell,
                        known: movement.is_ground_known(id),
                    },
                    Some((cell, _)) => GoalError::NoRoom {
                        goal: position,
                        cell,
                        footprint: movement.profile().footprint,
                    },
                    None => GoalError::Outside {
                        goal: position,
                        cell: first,
                        grid: grid.clone(),
                    },
                });
            }
            BlockedGoals::Skip => return Ok(()),
            BlockedGoals::NearestPassable => nearest_passable(movement, first),
            BlockedGoals::NearestReachableFrom(from) => nearest_reachable(movement, from, first),
        };
        if let Some(id) = substitute {
            report.moved.push((position, first, grid.cell(id)));
            named.push(id);
            seeds.push(seed(id));
        }
        Ok(())
    }
}

/// A cell the wave starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Seed {
    /// The cell.
    pub cell: CellId,
    /// Its starting cost in step units.
    pub bias: u32,
    /// The index of its goal in the goal set.
    pub goal: u32,
}

/// What became of the goals of a set on a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoalReport {
    /// Goal index and cell of every goal cell off the map.
    pub outside: Vec<(usize, Cell)>,
    /// Goal index and cell of every goal cell on impassable or unknown ground, or where the body has no room.
    pub blocked: Vec<(usize, Cell)>,
    /// Goal index, the cell asked for and the cell used instead.
    pub moved: Vec<(usize, Cell, Cell)>,
    /// How often a cell was named again, by the same goal or by another.
    pub duplicates: usize,
}

/// A goal set that fits a map: only exists validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResolvedGoals {
    seeds: Vec<Seed>,
    goals: u32,
    report: GoalReport,
}

impl ResolvedGoals {
    /// The cells the wave starts from, in cell order.
    #[must_use]
    pub fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    /// How many goals the set had, skipped ones included: labels are below this number.
    #[must_use]
    pub const fn goal_count(&self) -> u32 {
        self.goals
    }

    /// What became of the goals.
    #[must_use]
    pub const fn report(&self) -> &GoalReport {
        &self.report
    }
}
