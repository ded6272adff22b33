//! Why somebody stands: from blocker to blocker to the root.

use crate::crowd_view::CrowdView;
use core::fmt;
use std::collections::BTreeSet;
use thalweg_core::grid::{CellId, Direction};
use thalweg_crowd::{AgentId, Blocker, Outcome};

/// Why somebody does not get on.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StuckReason {
    /// What holds up the one at the root of it.
    pub cause: StuckCause,
    /// Whom that holds up: the agent itself, or the last of those in its way, one behind the other. In a knot the one at which
    /// the chain enters it.
    pub root: AgentId,
    /// How many agents stand in the way one behind the other, the root included; 0 if it is the agent itself.
    pub behind: usize,
    /// In a knot, those who wait for each other, beginning with the root, each for the next one and the last for the root.
    pub knot: Vec<AgentId>,
}

/// What holds up the one at the root.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum StuckCause {
    /// A wall that its field does not know of.
    Wall {
        /// The cell it is on.
        cell: CellId,
        /// The exit that cell lacks.
        direction: Direction,
    },
    /// No body may be on the cell it is on.
    Cell(CellId),
    /// No way leads to a goal from where it is.
    NoDirection,
    /// There is no field yet.
    FieldMissing,
    /// The field is of an older world.
    FieldStale,
    /// It is off the map.
    MapBorder,
    /// Others wait for each other in a circle.
    Knot,
    /// It was proved that it can never get to its goal (strict mode). Where the proof is about several who wait for each
    /// other in a circle, they are the knot.
    Deadlocked,
    /// Its reservation is refused (strict mode), and not because of an agent that can be named.
    ReservationRefused,
    /// A new way is looked for (strict mode).
    Replanning,
    /// It is held, as in a waiting zone.
    Held,
    /// It has arrived and rests where others want to go.
    Resting,
    /// It moves: to and fro, or too slowly.
    Moving,
    /// The crowd does not say.
    Unknown,
}

impl StuckCause {
    /// A short name in lower case, words joined by underscores; used in reports and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall { .. } => "wall",
            Self::Cell(_) => "cell",
            Self::NoDirection => "no_direction",
            Self::FieldMissing => "field_missing",
            Self::FieldStale => "field_stale",
            Self::MapBorder => "map_border",
            Self::Knot => "knot",
            Self::Deadlocked => "deadlocked",
            Self::ReservationRefused => "reservation_refused",
            Self::Replanning => "replanning",
            Self::Held => "held",
            Self::Resting => "resting",
            Self::Moving => "moving",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for StuckCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why an agent does not get on, if it were stuck; `None` if it is not in the crowd.
///
/// Takes the time of the chain of those in its way.
#[must_use]
pub fn reason_of(crowd: &impl CrowdView, agent: AgentId) -> Option<StuckReason> {
    crowd.view(agent)?;
    let mut chain = vec![agent];
    let mut known = BTreeSet::from([agent]);
    loop {
        let root = *chain.last()?;
        let found = |cause| StuckReason {
            cause,
            root,
            behind: chain.len() - 1,
            knot: Vec::new(),
        };
        let Some(view) = crowd.view(root) else {
            // It has left since.
            return Some(found(StuckCause::Moving));
        };
        if let Blocker::Agent(next) = view.blocker
            && view.outcome != Outcome::Arrived
        {
            if known.insert(next) {
                chain.push(next);
                continue;
            }
            let first = chain.iter().position(|&member| member == next)?;
            return Some(StuckReason {
                cause: if view.outcome == Outcome::Deadlocked {
                    StuckCause::Deadlocked
                } else {
                    StuckCause::Knot
                },
                root: next,
                behind: first,
                knot: chain.split_off(first),
            });
        }
        let cause = match (view.outcome, view.blocker) {
            (Outcome::Arrived, _) => StuckCause::Resting,
            (Outcome::Deadlocked, _) => StuckCause::Deadlocked,
            (_, Blocker::Held) => StuckCause::Held,
            (Outcome::NoDirection, _) => StuckCause::NoDirection,
            (_, Blocker::Wall { cell, direction }) => StuckCause::Wall { cell, direction },
            (_, Blocker::Cell(cell)) => StuckCause::Cell(cell),
            (_, Blocker::FieldMissing) => StuckCause::FieldMissing,
            (_, Blocker::FieldStale) => StuckCause::FieldStale,
            (_, Blocker::MapBorder) => StuckCause::MapBorder,
            (Outcome::ReservationRefused, _) => StuckCause::ReservationRefused,
            (Outcome::Replanning, _) => StuckCause::Replanning,
            (Outcome::Moved, Blocker::Nothing) => StuckCause::Moving,
            _ => StuckCause::Unknown,
        };
        return Some(found(cause));
    }
}
