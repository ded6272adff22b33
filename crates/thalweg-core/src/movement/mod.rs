//! Who moves, and what that allows: a [`MovementProfile`] compiled with a cost field into exits masks and step costs.
//!
//! This is the one place where the rules live. The wave, the directions, the sweep and the tests read a [`Movement`];
//! none of them looks at walls, corners, bodies or charges itself. The module knows no search.
//!
//! A movement is compiled anew from its inputs, or made from the one before it when these changed a little
//! ([`Movement::recompile`]); both give the same, and [`Movement::change_since`] tells what is different between two.

mod body;
mod change;
mod compile;
mod directed;
mod edge;
mod edge_rules;
mod exits_at;
mod footprint;
mod memory;
mod portals;
mod profile;
mod range;
mod recompile;
mod stencil;
mod step;
mod sweep;
mod swept;
pub(crate) mod without;

pub use change::{MovementChange, OtherMovement};
pub use compile::Movement;
pub(crate) use compile::{FlatGround, SameGround, entries_from_exits};
pub use edge::{Edge, EdgeKind};
pub use edge_rules::{
    EdgeInputs, EdgeRuleError, EdgeRules, MAX_PORTAL_COST, Portal, PortalCost, PortalIndex, RuleVersion,
};
pub use footprint::{DiscBody, Footprint, FootprintError, MAX_BODY_RADIUS, MAX_BODY_SIDE, RectangleBody};
pub use memory::estimate_memory;
pub use profile::{Charge, Connectivity, CornerRule, MovementProfile, ProfileError, StepScale};
pub use step::{ArriveCharge, ChargeRule, DepartCharge, MeanCharge, StepCosts};
pub use sweep::{Sight, Sweep, SweepStop, sight, sweep};
pub(crate) use sweep::{Verdict, refused};
pub use swept::has_room;
pub(crate) use swept::{is_among_free_anchors, is_swept_clear, keeps_out_of_all};
