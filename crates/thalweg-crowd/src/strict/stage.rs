//! The stages of a tick of strict mode, and how a caller may watch them pass.

use core::fmt;

/// A stage of a tick, in which everybody is dealt with before the next begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum StrictStage {
    /// Each lists what it would like to do, in parallel; places to rest are looked over before.
    Propose = 0,
    /// One authority decides everybody's move; searches, claims and the reasons of those who stand are part of it.
    Decide = 1,
    /// Everybody is moved on and what became of each is written down; knots are looked for.
    Commit = 2,
}

impl StrictStage {
    /// Every stage, in order.
    pub const ALL: [Self; 3] = [Self::Propose, Self::Decide, Self::Commit];

    /// A short name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Propose => "propose",
            Self::Decide => "decide",
            Self::Commit => "commit",
        }
    }
}

impl fmt::Display for StrictStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Is told when a stage has ended, on the calling thread. A caller with a clock finds out what each stage costs; the crowd
/// itself has none.
pub trait StrictObserver {
    /// A stage has ended for all agents. Called once for each stage of a tick, in order; not in a step that is refused.
    fn ended(&mut self, stage: StrictStage);
}

/// Watches nothing.
impl StrictObserver for () {
    fn ended(&mut self, _stage: StrictStage) {}
}
