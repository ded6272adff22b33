//! The stages of a step, and how a caller may watch them pass.

use core::fmt;

/// A stage of a substep. All agents have ended one before any begins the next, and each stage reads only what the ones
/// before it have written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Stage {
    /// Agents are sorted into bins and what others read of them is laid out in bin order.
    Gather = 0,
    /// Who is near whom.
    Neighbours = 1,
    /// Each asks its field where to go.
    Sample = 2,
    /// Each chooses a velocity that minds the others.
    Avoid = 3,
    /// Velocities become displacements, and displacements are swept.
    Walk = 4,
    /// Bodies that overlap are pushed apart, swept as well.
    Contact = 5,
    /// What became of each is written down.
    Commit = 6,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 7] = [
        Self::Gather,
        Self::Neighbours,
        Self::Sample,
        Self::Avoid,
        Self::Walk,
        Self::Contact,
        Self::Commit,
    ];

    /// A short name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gather => "gather",
            Self::Neighbours => "neighbours",
            Self::Sample => "sample",
            Self::Avoid => "avoid",
            Self::Walk => "walk",
            Self::Contact => "contact",
            Self::Commit => "commit",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Is told when a stage has ended, on the calling thread. A caller with a clock finds out what each stage costs; the crowd
/// itself has none.
pub trait StageObserver {
    /// A stage has ended for all agents. Called for every substep, in order.
    fn ended(&mut self, stage: Stage);

    /// Whether stages are to be kept apart. If not, several of them go over one part of the crowd before the next, which is
    /// faster, and the observer is told of none.
    fn is_watching(&self) -> bool {
        true
    }
}

/// Watches nothing.
impl StageObserver for () {
    fn ended(&mut self, _stage: Stage) {}

    fn is_watching(&self) -> bool {
        false
    }
}
