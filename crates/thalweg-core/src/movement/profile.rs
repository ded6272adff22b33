//! The rules of a kind of agent, as the caller states them.

use super::Footprint;
use core::fmt;
use core::str::FromStr;
use thiserror::Error;

/// Why a profile cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The step scale is not a metric a grid can have.
    #[error(
        "step scale {straight}/{diagonal} is not usable: the straight step must be 1 to {} and the diagonal between one and two straight steps",
        StepScale::MAX_STRAIGHT
    )]
    Scale {
        /// Units of a straight step.
        straight: u32,
        /// Units of a diagonal step.
        diagonal: u32,
    },
    /// A text is not one of the allowed words.
    #[error("`{got}` is no {what}; it must be {allowed}")]
    Word {
        /// What was read.
        what: &'static str,
        /// The text.
        got: String,
        /// The allowed words.
        allowed: &'static str,
    },
}

/// Which neighbours a step may reach.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Connectivity {
    /// N, E, S, W.
    Four,
    /// All eight.
    #[default]
    Eight,
}

/// When a diagonal step may pass the two cells at its sides. Cells outside the map count as blocked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CornerRule {
    /// Both side cells must be free (the MovingAI rule).
    #[default]
    BothFree,
    /// At least one side cell must be free.
    OneFree,
    /// Diagonals are never checked.
    Always,
}

/// Which cell's cost a step is charged by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Charge {
    /// The cost of the cell left. The start is paid, the goal is not.
    #[default]
    Depart,
    /// The cost of the cell entered. The goal is paid, the start is not.
    Arrive,
    /// The mean of both. All step costs are doubled so that they stay whole numbers.
    Mean,
}

/// The whole-number lengths of a straight and a diagonal step.
///
/// 10/14 is 1 % short on diagonals, 29/41 0.03 % short, 70/99 0.005 % long, 408/577 0.00015 % long.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StepScale {
    straight: u32,
    diagonal: u32,
}

impl StepScale {
    /// The largest straight step. It keeps every edge below 2^27 units, whatever the costs and the charge.
    pub const MAX_STRAIGHT: u32 = 65_535;
    /// 10/14, the usual scale of games.
    pub const TEN_FOURTEEN: Self = Self {
        straight: 10,
        diagonal: 14,
    };
    /// 408/577, for comparing with exact square roots.
    pub const FINE: Self = Self {
        straight: 408,
        diagonal: 577,
    };

    /// A scale.
    ///
    /// # Errors
    /// [`ProfileError::Scale`] unless `1 ≤ straight ≤ 65,535` and `straight ≤ diagonal ≤ 2 · straight`. A diagonal
    /// shorter than a straight step or longer than two of them is not a metric of the square grid.
    pub fn new(straight: u32, diagonal: u32) -> Result<Self, ProfileError> {
        let usable =
            (1..=Self::MAX_STRAIGHT).contains(&straight) && (straight..=2 * straight).contains(&diagonal);
        if usable {
            Ok(Self { straight, diagonal })
        } else {
            Err(ProfileError::Scale { straight, diagonal })
        }
    }

    /// Units of a straight step.
    #[must_use]
    pub const fn straight(self) -> u32 {
        self.straight
    }

    /// Units of a diagonal step.
    #[must_use]
    pub const fn diagonal(self) -> u32 {
        self.diagonal
    }
}

impl Default for StepScale {
    fn default() -> Self {
        Self::TEN_FOURTEEN
    }
}

impl fmt::Display for StepScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.straight, self.diagonal)
    }
}

impl fmt::Debug for StepScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for StepScale {
    type Err = ProfileError;

    /// Reads `straight/diagonal`, such as `10/14`.
    fn from_str(text: &str) -> Result<Self, ProfileError> {
        let word = || ProfileError::Word {
            what: "step scale",
            got: text.to_owned(),
            allowed: "two whole numbers such as 10/14, 29/41, 70/99 or 408/577",
        };
        let (straight, diagonal) = text.split_once('/').ok_or_else(word)?;
        let number = |part: &str| part.trim().parse::<u32>().map_err(|_| word());
        Self::new(number(straight)?, number(diagonal)?)
    }
}

/// Gives an enum one word per value, for the command line and scene files.
macro_rules! words {
    ($type:ty, $what:literal, $allowed:literal, $($word:literal => $value:expr),+ $(,)?) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(if *self == $value { return f.write_str($word); })+
                Ok(())
            }
        }
        impl FromStr for $type {
            type Err = ProfileError;
            fn from_str(text: &str) -> Result<Self, ProfileError> {
                match text {
                    $($word => Ok($value),)+
                    _ => Err(ProfileError::Word { what: $what, got: text.to_owned(), allowed: $allowed }),
                }
            }
        }
    };
}

words!(Connectivity, "neighbourhood", "4 or 8", "4" => Self::Four, "8" => Self::Eight);
words!(CornerRule, "corner rule", "both, one or always",
    "both" => Self::BothFree, "one" => Self::OneFree, "always" => Self::Always);
words!(Charge, "charge rule", "depart, arrive or mean",
    "depart" => Self::Depart, "arrive" => Self::Arrive, "mean" => Self::Mean);

/// Who moves: the rules that turn a cost field into legal steps and step costs.
///
/// Two agents may share a field only if their profiles are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct MovementProfile {
    /// Which neighbours a step may reach; default eight.
    pub connectivity: Connectivity,
    /// When a diagonal may pass its side cells; default both free. For bodies with extent it is always both free
    /// ([`Self::corner_rule_in_force`]).
    pub corner_rule: CornerRule,
    /// Which cell's cost a step is charged by; default the cell left.
    pub charge: Charge,
    /// Whole-number step lengths; default 10/14.
    pub scale: StepScale,
    /// The room the body takes; default a point.
    pub footprint: Footprint,
}

impl MovementProfile {
    /// The default profile: a point with eight neighbours, both side cells free, charged on departure, 10/14.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The cost of one straight step between cells of cost 1, in step units.
    #[must_use]
    pub const fn cost_unit(&self) -> u32 {
        match self.charge {
            Charge::Depart | Charge::Arrive => self.scale.straight(),
            // The mean is charged in doubled units.
            Charge::Mean => 2 * self.scale.straight(),
        }
    }

    /// The profile with another neighbourhood.
    #[must_use]
    pub const fn with_connectivity(mut self, connectivity: Connectivity) -> Self {
        self.connectivity = connectivity;
        self
    }

    /// The profile with another corner rule.
    #[must_use]
    pub const fn with_corner_rule(mut self, corner_rule: CornerRule) -> Self {
        self.corner_rule = corner_rule;
        self
    }

    /// The profile with another charge rule.
    #[must_use]
    pub const fn with_charge(mut self, charge: Charge) -> Self {
        self.charge = charge;
        self
    }

    /// The profile with another step scale.
    #[must_use]
    pub const fn with_scale(mut self, scale: StepScale) -> Self {
        self.scale = scale;
        self
    }

    /// The profile with another footprint.
    #[must_use]
    pub const fn with_footprint(mut self, footprint: Footprint) -> Self {
        self.footprint = footprint;
        self
    }
}
