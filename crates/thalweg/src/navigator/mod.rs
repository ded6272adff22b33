//! The owner of fields that live while the map changes under their readers: [`Navigator`].
//!
//! A navigator owns a [living map](crate::living_map) and makes one field for each pair of profile and goals that somebody
//! [asks for](Navigator::request). It makes bundles [at once](Navigator::update), [a piece per
//! tick](Navigator::update_within), or [elsewhere](Navigator::take_jobs), publishes each by one swap, and says of every field
//! whether it [is right](Navigator::status). It has no threads and no clock: work is done where the caller calls.
//!
//! - **Versions decide.** A field is right if its bundle was made for the costs, the profile and the goals as they are. An edit
//!   that does not reach the costs of a profile makes none of its fields stale.
//! - **What has begun is finished.** A build goes on, and is published, even if the map or the goals have moved on meanwhile;
//!   the next one begins from the newest state. So a goal that moves every tick never starves its readers, and many edits
//!   come to one change. Rejected: beginning anew with every change, which never ends on a map that never rests.
//! - **First asked, first made.** Fields wait in one queue; who is done and wrong again goes to its end. So none starves
//!   another, and the order does not depend on threads.
//! - **Versions never go back** for a reader, and no profile ever gets the field of another: bundles are shared by the
//!   *movement* they were made from, which is compiled anew whenever anything in it changes.
//! - **What was known is kept.** Goals that come back find their bundle in a cache bounded in bytes; goals that cannot be
//!   used, and cells that nothing leads from, are not searched again until something they depend on has changed.
//!
//! What agents may do while their field is in the making is theirs to choose: [`WhileMaking`].

mod advice;
mod cache;
mod field;
mod handle;
mod job;
mod make;
mod options;
mod outcome;
mod owner;
mod paths;
mod reach;
mod reader;
mod stats;
mod status;
mod steps;
mod update;

pub use advice::{Advice, StopReason, WhileMaking};
pub use handle::FieldHandle;
pub use job::FieldJob;
pub use options::NavigatorOptions;
pub use owner::Navigator;
pub use reader::FieldReader;
pub use stats::{NavigatorStats, UpdateReport};
pub use status::{FieldStatus, MakeError, NavigatorError, NotReady, Progress, VersionedBundle};
