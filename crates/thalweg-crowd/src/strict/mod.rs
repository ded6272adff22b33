//! Strict mode: agents go from cell to cell in ticks, and every move is reserved before it is made.
//!
//! [`StrictCrowd`] steers by the same fields as [`Crowd`](crate::Crowd). A tick proposes (in parallel, each agent's exits in the order of what
//! they cost it), decides (one authority, in the order of priority, waiting age and slot, with priority inheritance) and
//! commits. What bodies may not do is in [`ConflictRules`]. Nobody ever shares a cell, changes places or crosses.

mod agent;
mod board;
mod claims;
mod crowd;
mod error;
mod exchange;
mod headway;
mod knots;
mod lane;
mod options;
mod parking;
mod propose;
mod report;
mod rescue;
mod resolve;
mod rules;
mod search;
mod shape;
mod stage;
mod step;
mod tokens;
mod waits;

pub use agent::{StrictGroup, StrictSpec, StrictView};
pub use crowd::StrictCrowd;
pub use error::{ClaimRefusal, StrictError};
pub use options::{MAX_HORIZON, StrictOptions};
pub use report::StrictReport;
pub use rules::{ConflictKind, ConflictRules, Leg, conflict};
pub use stage::{StrictObserver, StrictStage};
