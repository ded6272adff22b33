//! Where two runs first differ, in words.

use super::Moment;
use core::fmt;
use thalweg_core::grid::MapPoint;
use thalweg_crowd::{AgentId, AgentView, Blocker, StateHash};

/// Something that can be asked about an agent; see [`AgentView`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AgentField {
    /// Where its centre is.
    Position,
    /// How it moved.
    Velocity,
    /// Where it wants to go.
    Heading,
    /// What became of it.
    Outcome,
    /// What keeps it from moving.
    Blocker,
    /// Since when.
    Since,
    /// Its group.
    Group,
    /// Its radius.
    Radius,
    /// Its top speed.
    MaxSpeed,
    /// Its mass.
    Mass,
    /// Whether it is held.
    IsHeld,
    /// Its tier.
    Tier,
    /// How long it has been stalled.
    Stalled,
}

impl AgentField {
    /// All, in the order in which they are compared.
    pub const ALL: [Self; 13] = [
        Self::Position,
        Self::Velocity,
        Self::Heading,
        Self::Outcome,
        Self::Blocker,
        Self::Since,
        Self::Group,
        Self::Radius,
        Self::MaxSpeed,
        Self::Mass,
        Self::IsHeld,
        Self::Tier,
        Self::Stalled,
    ];

    /// Its name in lower case, words joined by underscores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Heading => "heading",
            Self::Outcome => "outcome",
            Self::Blocker => "blocker",
            Self::Since => "since",
            Self::Group => "group",
            Self::Radius => "radius",
            Self::MaxSpeed => "max_speed",
            Self::Mass => "mass",
            Self::IsHeld => "is_held",
            Self::Tier => "tier",
            Self::Stalled => "stalled",
        }
    }

    /// The value of an agent in words: positions in cells from the north-west corner of the layer, speeds in cells per
    /// second, times in seconds.
    #[must_use]
    pub fn value(self, of: &AgentView) -> String {
        match self {
            Self::Position => place(of.position),
            Self::Velocity => pair(of.velocity),
            Self::Heading => pair(of.heading),
            Self::Outcome => of.outcome.to_string(),
            Self::Blocker => blocker(of.blocker),
            Self::Since => of.since.to_string(),
            Self::Group => of.group.0.to_string(),
            Self::Radius => float(of.radius),
            Self::MaxSpeed => float(of.max_speed),
            Self::Mass => float(of.mass),
            Self::IsHeld => of.is_held.to_string(),
            Self::Tier => of.tier.to_string(),
            Self::Stalled => float(of.stalled),
        }
    }

    fn is_same(self, a: &AgentView, b: &AgentView) -> bool {
        match self {
            Self::Position => a.position == b.position,
            Self::Velocity => same(a.velocity, b.velocity),
            Self::Heading => same(a.heading, b.heading),
            Self::Outcome => a.outcome == b.outcome,
            Self::Blocker => a.blocker == b.blocker,
            Self::Since => a.since == b.since,
            Self::Group => a.group == b.group,
            Self::Radius => same([a.radius], [b.radius]),
            Self::MaxSpeed => same([a.max_speed], [b.max_speed]),
            Self::Mass => same([a.mass], [b.mass]),
            Self::IsHeld => a.is_held == b.is_held,
            Self::Tier => a.tier == b.tier,
            Self::Stalled => same([a.stalled], [b.stalled]),
        }
    }
}

impl fmt::Display for AgentField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// To the bit, but for the sign of zero, which state hashes do not tell either.
fn same<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
    a.iter()
        .zip(b)
        .all(|(a, b)| *a == b || a.to_bits() == b.to_bits())
}

/// In the fewest digits that tell it from every other.
fn float(value: f32) -> String {
    if value.is_nan() {
        format!("NaN (bits {:08x})", value.to_bits())
    } else {
        format!("{value:?}")
    }
}

fn pair([x, y]: [f32; 2]) -> String {
    format!("({}, {})", float(x), float(y))
}

/// Six digits tell neighbouring subcells apart.
fn place(point: MapPoint) -> String {
    let [x, y] = point.to_map();
    if point.layer == 0 {
        format!("({x:.6}, {y:.6})")
    } else {
        format!("({x:.6}, {y:.6}) on layer {}", point.layer)
    }
}

fn blocker(blocker: Blocker) -> String {
    match blocker {
        Blocker::Nothing => "nothing".to_owned(),
        Blocker::Wall { cell, direction } => format!("wall {direction} of cell {}", cell.0),
        Blocker::Cell(cell) => format!("cell {}", cell.0),
        Blocker::Agent(agent) => format!("agent {agent}"),
        Blocker::FieldMissing => "no field".to_owned(),
        Blocker::FieldStale => "an old field".to_owned(),
        Blocker::MapBorder => "the border of the map".to_owned(),
        Blocker::Held => "held".to_owned(),
        other => format!("{other:?}"),
    }
}

/// What is different between two runs at a moment, the first of it. The one is what was recorded; the other is the replay, or
/// the second of two recordings.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Difference {
    /// An agent that both have is not the same.
    Field {
        /// The first such agent, in the order of slots.
        agent: AgentId,
        /// The first field that differs.
        field: AgentField,
        /// The agent in the recording.
        recorded: Box<AgentView>,
        /// The agent in the other run.
        other: Box<AgentView>,
    },
    /// An agent of the recording is not in the other run.
    Missing {
        /// Who.
        agent: AgentId,
        /// As it was recorded.
        recorded: Box<AgentView>,
    },
    /// The other run has an agent more.
    Extra {
        /// Who.
        agent: AgentId,
        /// As it is there.
        other: Box<AgentView>,
    },
    /// A number differs, and states that would name an agent were not kept.
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are in the recording.
        recorded: u64,
        /// How many there are in the other run.
        other: u64,
    },
    /// All that can be seen of agents is the same, and what only later steps depend on is not.
    Inner,
    /// States of agents were not kept.
    Unseen,
}

impl Difference {
    /// Where it is: the place of the agent as it was recorded.
    #[must_use]
    pub fn place(&self) -> Option<MapPoint> {
        match self {
            Self::Field { recorded: view, .. }
            | Self::Missing { recorded: view, .. }
            | Self::Extra { other: view, .. } => Some(view.position),
            _ => None,
        }
    }

    const fn names_an_agent(&self) -> bool {
        matches!(
            self,
            Self::Field { .. } | Self::Missing { .. } | Self::Extra { .. }
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field {
                agent,
                field,
                recorded,
                other,
            } => write!(
                f,
                "agent {agent}, {field}: {} recorded, {} now",
                field.value(recorded),
                field.value(other)
            ),
            Self::Missing { agent, recorded } => {
                write!(
                    f,
                    "agent {agent} is missing, recorded at {}",
                    place(recorded.position)
                )
            }
            Self::Extra { agent, other } => {
                write!(
                    f,
                    "agent {agent} was not recorded, and is at {}",
                    place(other.position)
                )
            }
            Self::Count {
                what,
                recorded,
                other,
            } => write!(f, "{what}: {recorded} recorded, {other} now"),
            Self::Inner => {
                f.write_str("all that can be seen of agents is the same; what later steps depend on is not")
            }
            Self::Unseen => {
                f.write_str("the state differs; the recording keeps no states that would name an agent")
            }
        }
    }
}

/// The first moment at which two runs differ.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Divergence {
    /// How many ticks had been stepped; 0 if they began differently.
    pub tick: u64,
    /// The hash in the recording.
    pub recorded: StateHash,
    /// The hash in the other run.
    pub other: StateHash,
    /// What differs.
    pub difference: Difference,
    /// The later moment at which it could be seen, if at `tick` it could not.
    pub seen_at: Option<u64>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tick {
            0 => f.write_str("at the start")?,
            ticks => write!(f, "after {ticks} ticks")?,
        }
        match self.seen_at {
            None => write!(f, ": {}", self.difference),
            Some(later) => write!(
                f,
                " by its hash ({} recorded, {} now), and after {later} ticks to be seen: {}",
                self.recorded, self.other, self.difference
            ),
        }
    }
}

/// Compares runs moment by moment, until it can say what differs.
#[derive(Debug)]
pub(super) struct Judge {
    /// A difference that names no agent yet.
    waiting: Option<Divergence>,
}

impl Judge {
    pub(super) const fn new() -> Self {
        Self { waiting: None }
    }

    /// What differs, if it can be named. `agents` of both, if both are known.
    pub(super) fn judge<'a>(
        &mut self,
        recorded: &Moment,
        other: &Moment,
        agents: Option<(Agents<'a>, Agents<'a>)>,
    ) -> Option<Divergence> {
        if self.waiting.is_none() && recorded.hash == other.hash {
            return None;
        }
        let are_known = agents.is_some();
        let difference = agents.and_then(|(recorded, other)| first_difference(recorded, other));
        let difference = difference
            .or_else(|| other_count(recorded, other))
            .unwrap_or(if are_known {
                Difference::Inner
            } else {
                Difference::Unseen
            });
        let is_named = difference.names_an_agent();
        let divergence = match self.waiting.take() {
            Some(waiting) if is_named => Divergence {
                difference,
                seen_at: Some(recorded.tick),
                ..waiting
            },
            Some(waiting) => waiting,
            None => Divergence {
                tick: recorded.tick,
                recorded: recorded.hash,
                other: other.hash,
                difference,
                seen_at: None,
            },
        };
        if is_named {
            return Some(divergence);
        }
        self.waiting = Some(divergence);
        None
    }

    /// Whether something differs that cannot be named yet.
    pub(super) const fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// What differs, as there is nothing more to see.
    pub(super) const fn conclude(&mut self) -> Option<Divergence> {
        self.waiting.take()
    }
}

type Agents<'a> = Box<dyn Iterator<Item = (AgentId, AgentView)> + 'a>;

fn other_count(recorded: &Moment, other: &Moment) -> Option<Difference> {
    let counts = [
        ("agents", recorded.agents, other.agents),
        ("arrivals", recorded.arrived, other.arrived),
        ("agents that left", recorded.left, other.left),
    ];
    let differs = counts.into_iter().find(|(_, recorded, other)| recorded != other);
    differs.map(|(what, recorded, other)| Difference::Count {
        what,
        recorded,
        other,
    })
}

/// Both in the order of slots.
fn first_difference(recorded: Agents<'_>, other: Agents<'_>) -> Option<Difference> {
    let (mut recorded, mut other) = (recorded.peekable(), other.peekable());
    loop {
        match (recorded.peek(), other.peek()) {
            (None, None) => return None,
            (Some((agent, view)), theirs) if theirs.is_none_or(|(id, _)| is_before(*agent, *id)) => {
                return Some(Difference::Missing {
                    agent: *agent,
                    recorded: Box::new(*view),
                });
            }
            (ours, Some((agent, view))) if ours.is_none_or(|(id, _)| is_before(*agent, *id)) => {
                return Some(Difference::Extra {
                    agent: *agent,
                    other: Box::new(*view),
                });
            }
            _ => {}
        }
        let ((agent, ours), (_, theirs)) = recorded.next().zip(other.next())?;
        let field = AgentField::ALL
            .into_iter()
            .find(|field| !field.is_same(&ours, &theirs));
        if let Some(field) = field {
            return Some(Difference::Field {
                agent,
                field,
                recorded: Box::new(ours),
                other: Box::new(theirs),
            });
        }
    }
}

fn is_before(a: AgentId, b: AgentId) -> bool {
    (a.index(), a.generation()) < (b.index(), b.generation())
}
