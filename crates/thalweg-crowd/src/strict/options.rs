//! The numbers strict mode can be tuned by.

use super::error::StrictError;
use super::rules::ConflictRules;

/// The longest horizon of a claim, in ticks.
pub const MAX_HORIZON: u16 = 4096;

/// How a [`StrictCrowd`](super::StrictCrowd) moves. Start from the default and change fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct StrictOptions {
    /// What two bodies may do in one tick.
    pub rules: ConflictRules,
    /// How far ahead claims may reach, in ticks; 1 to [`MAX_HORIZON`], default 64.
    pub horizon: u16,
    /// After how many refused ticks in a row a new way is asked for once
    /// ([`Outcome::Replanning`](crate::Outcome::Replanning)), 1 to 65,535; default 32.
    pub replan_after: u16,
    /// After how many ticks in which nobody of a stuck group came nearer to its goal than ever before configurations are
    /// searched, 1 to 65,535; default 24.
    pub search_after: u16,
    /// How much of a search may be done in a tick, in agent-steps (one agent moved once in one configuration); 0 for no
    /// searches, default 20,000 (some milliseconds).
    pub search_budget: u32,
    /// How much all ticks of one search may take together, in agent-steps; default 20,000,000. Beyond it the way to the
    /// best configuration found is taken.
    pub search_limit: u64,
    /// Chooses among equal ways. Runs with equal seeds are equal.
    pub seed: u64,
}

impl Default for StrictOptions {
    fn default() -> Self {
        Self {
            rules: ConflictRules::default(),
            horizon: 64,
            replan_after: 32,
            search_after: 24,
            search_budget: 20_000,
            search_limit: 20_000_000,
            seed: 0,
        }
    }
}

impl StrictOptions {
    /// Whether every option is in its range, which [`StrictCrowd::new`](super::StrictCrowd::new) asks too.
    ///
    /// # Errors
    /// [`StrictError::Option`] naming the first option out of its range.
    pub fn check(&self) -> Result<(), StrictError> {
        let whole = |name, got: u32, least, most| {
            if (least..=most).contains(&got) {
                Ok(())
            } else {
                Err(StrictError::Option {
                    name,
                    got,
                    least,
                    most,
                })
            }
        };
        whole("horizon", u32::from(self.horizon), 1, u32::from(MAX_HORIZON))?;
        whole(
            "replan_after",
            u32::from(self.replan_after),
            1,
            u32::from(u16::MAX),
        )?;
        whole(
            "search_after",
            u32::from(self.search_after),
            1,
            u32::from(u16::MAX),
        )
    }
}
