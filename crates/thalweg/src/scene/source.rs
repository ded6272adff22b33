//! Who enters while a scene runs.

use thalweg_core::grid::CellId;

/// Agents of a group that enter while the scene runs, one after the other. Whoever is due and finds no room waits, and those
/// behind wait too.
#[derive(Clone, PartialEq, Debug)]
pub struct SourcePlan {
    /// Index of the group.
    pub group: usize,
    /// Where they enter: cells, in row order, that the group's profile can be on at the start.
    pub cells: Vec<CellId>,
    /// When they are due.
    pub inflow: Inflow,
}

/// When entrants are due.
#[derive(Clone, PartialEq, Debug)]
pub enum Inflow {
    /// One after the other at even distances: entrant k, from 0, at `from_s + k / per_s`.
    Rate {
        /// Agents a second, above 0.
        per_s: f64,
        /// When the first one is due, in seconds.
        from_s: f64,
        /// Those due at this time or later do not come.
        until_s: f64,
        /// No more than so many come.
        most: u64,
    },
    /// So many agents at such times, in order.
    Schedule(Vec<(f64, u32)>),
}

impl Inflow {
    /// How many are due at a time in seconds, those that entered included.
    #[must_use]
    pub fn due(&self, time_s: f64) -> u64 {
        match self {
            Self::Rate {
                per_s,
                from_s,
                until_s,
                most,
            } => {
                if time_s < *from_s || until_s <= from_s {
                    return 0;
                }
                // From below: who is due exactly at the end does not come.
                let all = whole(((until_s - from_s) * per_s).ceil());
                let so_far = whole(((time_s - from_s) * per_s).floor()).saturating_add(1);
                so_far.min(all).min(*most)
            }
            Self::Schedule(times) => times
                .iter()
                .take_while(|&&(at, _)| at <= time_s)
                .map(|&(_, count)| u64::from(count))
                .sum(),
        }
    }
}

/// Saturates; NaN is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float casts saturate, which is meant"
)]
const fn whole(value: f64) -> u64 {
    value as u64
}
